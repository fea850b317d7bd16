//! Pods of the cluster that have no node.

use bayplan_model::object::{Object, ObjectRef, Pod};

/// The workload that a pod belongs to: the outermost controller that is known, or the pod itself.
pub fn workload_of(pod: &Pod, controllers: &[Object]) -> ObjectRef {
    let namespace = &pod.metadata.namespace;
    let Some(owner) = pod.metadata.controller() else {
        return ObjectRef {
            namespace: namespace.clone(),
            kind: "Pod".to_owned(),
            name: pod.metadata.name.clone(),
        };
    };
    let (mut kind, mut name) = (owner.kind.clone(), owner.name.clone());
    // Each step goes up by one controller; chains are short, and a cycle must end.
    for _ in 0..controllers.len().min(8) {
        let next = controllers
            .iter()
            .find(|object| {
                object.kind() == kind
                    && object.metadata().name == name
                    && object.metadata().namespace == *namespace
            })
            .and_then(|object| object.metadata().controller());
        match next {
            Some(owner) => (kind, name) = (owner.kind.clone(), owner.name.clone()),
            None => break,
        }
    }
    // A ReplicaSet that is not in the input names its Deployment in its own name.
    if kind == "ReplicaSet"
        && let Some(hash) = pod.metadata.labels.get("pod-template-hash")
        && let Some(deployment) = name.strip_suffix(&format!("-{hash}"))
    {
        (kind, name) = ("Deployment".to_owned(), deployment.to_owned());
    }
    ObjectRef {
        namespace: namespace.clone(),
        kind,
        name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bayplan_model::object::{OwnerReference, ReplicaSet};

    fn owner(kind: &str, name: &str) -> OwnerReference {
        OwnerReference {
            kind: kind.to_owned(),
            name: name.to_owned(),
            controller: true,
            ..Default::default()
        }
    }

    #[test]
    fn goes_up_to_the_outermost_controller() {
        let mut pod = Pod::default();
        pod.metadata.namespace = "n".to_owned();
        pod.metadata.name = "p".to_owned();
        assert_eq!(workload_of(&pod, &[]).to_string(), "n/Pod/p");
        pod.metadata.owner_references = vec![owner("ReplicaSet", "web-5f7")];
        assert_eq!(workload_of(&pod, &[]).to_string(), "n/ReplicaSet/web-5f7");
        let mut set = ReplicaSet::default();
        set.metadata.namespace = "n".to_owned();
        set.metadata.name = "web-5f7".to_owned();
        set.metadata.owner_references = vec![owner("Rollout", "web")];
        assert_eq!(
            workload_of(&pod, &[Object::ReplicaSet(set)]).to_string(),
            "n/Rollout/web"
        );
        pod.metadata
            .labels
            .insert("pod-template-hash".to_owned(), "5f7".to_owned());
        assert_eq!(workload_of(&pod, &[]).to_string(), "n/Deployment/web");
    }
}
