//! `KIND/NAME` on the command line.

use bayplan_model::object::Object;

use crate::exit::Advised;

/// Kinds that make pods, with their plural and short names (as kubectl's).
const KINDS: [(&str, &[&str]); 8] = [
    ("Deployment", &["deployment", "deployments", "deploy"]),
    ("StatefulSet", &["statefulset", "statefulsets", "sts"]),
    ("DaemonSet", &["daemonset", "daemonsets", "ds"]),
    ("ReplicaSet", &["replicaset", "replicasets", "rs"]),
    (
        "ReplicationController",
        &["replicationcontroller", "replicationcontrollers", "rc"],
    ),
    ("Job", &["job", "jobs"]),
    ("CronJob", &["cronjob", "cronjobs", "cj"]),
    ("LeaderWorkerSet", &["leaderworkerset", "leaderworkersets", "lws"]),
];

/// A workload of the cluster.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct WorkloadName {
    /// Its namespace.
    pub namespace: String,
    /// Its kind.
    pub kind: &'static str,
    /// Its name.
    pub name: String,
}

impl WorkloadName {
    /// Reads `kind/name`, where the kind is written as for kubectl.
    ///
    /// # Errors
    /// The form or the kind is unknown.
    pub fn parse(text: &str, namespace: &str) -> Result<WorkloadName, Advised> {
        let advised = |message| Advised {
            message,
            help: vec!["name it as kubectl does, for example `deployment/gateway`".to_owned()],
        };
        let (kind, name) = text
            .split_once('/')
            .ok_or_else(|| advised(format!("`{text}` is not of the form KIND/NAME")))?;
        let word = kind.split('.').next().unwrap_or(kind).to_ascii_lowercase();
        let (kind, _) = KINDS
            .iter()
            .find(|(_, names)| names.contains(&word.as_str()))
            .ok_or_else(|| advised(format!("`{kind}` is no kind that makes pods")))?;
        Ok(WorkloadName {
            namespace: namespace.to_owned(),
            kind,
            name: name.to_owned(),
        })
    }

    /// Whether this is the name of `object`.
    pub fn is(&self, object: &Object) -> bool {
        let metadata = object.metadata();
        self.kind == object.kind() && self.name == metadata.name && self.namespace == metadata.namespace
    }

    /// The error for a workload that the cluster does not have.
    pub fn missing(&self) -> Advised {
        Advised {
            message: format!(
                "the cluster's input has no {} {:?} in namespace {:?}",
                self.kind, self.name, self.namespace
            ),
            help: vec!["name its namespace with -n, or pass its manifest with -f".to_owned()],
        }
    }
}
