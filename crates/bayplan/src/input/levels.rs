//! `--domain`.

use bayplan_analysis::domains::{Domains, LevelKey};

use crate::exit::Advised;

/// Refuses labels that no node has: a misspelt key must not look like a cluster without such domains.
///
/// # Errors
/// A label was given that no node has.
pub fn check_levels(domains: &Domains) -> Result<(), Advised> {
    let Some(LevelKey { name, key }) = domains.absent().first() else {
        return Ok(());
    };
    Err(Advised {
        message: format!("no node has the label `{key}` that --domain names for level {name}"),
        help: vec!["list the labels of your nodes: kubectl get nodes --show-labels".to_owned()],
    })
}
