//! What to say when no cluster was given: how kubectl hands one over.

use bayplan_model::object::Object;

use crate::args::LiveArguments;
use crate::exit::Advised;

/// Kinds that need not exist on every API server; asking for one that does not makes kubectl fail.
const OPTIONAL_GROUP: &str = "leaderworkerset.x-k8s.io";

/// The error for a missing `--cluster`, with the kubectl command to pipe from.
///
/// `usage` is the rest of the user's command line, such as `place -f model.yaml`; `kinds` are the plural names of the
/// kinds that the command reads, all of them when empty.
pub fn missing_cluster(live: &LiveArguments, kinds: &[&str], usage: &str) -> Advised {
    let mut kubectl = String::from("kubectl");
    let mut flag = |name: &str, value: &str| {
        kubectl.push_str(&format!(" --{name} {}", shell_word(value)));
    };
    if let Some(path) = &live.kubeconfig {
        flag("kubeconfig", &path.to_string_lossy());
    }
    if let Some(context) = &live.context {
        flag("context", context);
    }
    if let Some(user) = &live.act_as {
        flag("as", user);
    }
    for group in &live.act_as_group {
        flag("as-group", group);
    }
    if let Some(timeout) = &live.request_timeout {
        flag("request-timeout", timeout);
    }
    let kinds = if kinds.is_empty() {
        all_kinds().join(",")
    } else {
        kinds.join(",")
    };
    Advised {
        message: "no cluster was given, and live clusters are read through kubectl".to_owned(),
        help: vec![
            "pipe the cluster in:".to_owned(),
            format!("  {kubectl} get {kinds} -A -o yaml | bayplan {usage} --cluster -"),
            "or keep it in a file and pass that: --cluster FILE".to_owned(),
        ],
    }
}

fn all_kinds() -> Vec<&'static str> {
    Object::KINDS
        .iter()
        .filter(|(group, ..)| *group != OPTIONAL_GROUP)
        .map(|(_, _, _, resource, _)| *resource)
        .collect()
}

/// A word as a POSIX shell reads it back.
fn shell_word(word: &str) -> String {
    let plain = |character: char| character.is_ascii_alphanumeric() || "-_./:@%+=,".contains(character);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}
