//! Reading cases and setting them up.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail};
use bayplan_model::object::{Object, Pod};
use bayplan_scheduler::config::{SchedulerConfiguration, UnknownPlugins, parse};
use bayplan_scheduler::{Options, PodId, Scheduler, Ties, WorldBuilder};

use crate::case::Case;

/// Opens a file, unpacked if its name ends in `.gz`.
pub fn open(path: &Path) -> Result<Box<dyn BufRead>> {
    let file = File::open(path).with_context(|| format!("opening {}", path.display()))?;
    Ok(if path.extension().is_some_and(|extension| extension == "gz") {
        Box::new(BufReader::new(flate2::read::MultiGzDecoder::new(file)))
    } else {
        Box::new(BufReader::new(file))
    })
}

/// Reads a file that holds a single case.
pub fn single(path: &Path) -> Result<Case> {
    let mut text = String::new();
    open(path)?
        .read_to_string(&mut text)
        .with_context(|| format!("reading {}", path.display()))?;
    serde_json::from_str(&text).with_context(|| format!("decoding {}", path.display()))
}

/// A case, set up to be scheduled.
pub struct Prepared {
    /// The scheduler over the case's cluster.
    pub scheduler: Scheduler,
    /// Pods to schedule with their names.
    pub pending: Vec<(String, PodId)>,
}

/// Decodes one object of a case and fills in what the API server fills in; kinds that take no part in scheduling give nothing.
fn decode(value: &serde_json::Value) -> Result<Option<Object>> {
    let text = |field: &str| {
        value
            .get(field)
            .and_then(serde_json::Value::as_str)
            .unwrap_or_default()
    };
    let mut object = Object::decode(text("apiVersion"), text("kind"), value)
        .context("decoding an object")?
        .ok();
    if let Some(object) = &mut object {
        bayplan_admission::apply_defaults(object);
    }
    Ok(object)
}

/// Sets up a case.
pub fn prepare(case: &Case, ties: Ties, percentage_of_nodes_to_score: Option<i32>) -> Result<Prepared> {
    let configuration = configuration(&case.config)?;
    let mut builder = WorldBuilder::new();
    let mut by_name: HashMap<String, Pod> = HashMap::new();
    let wanted: std::collections::HashSet<&str> = case.pending.iter().map(String::as_str).collect();
    for value in &case.objects {
        match decode(value)? {
            Some(Object::Pod(pod)) if wanted.contains(pod.metadata.full_name().as_str()) => {
                by_name.insert(pod.metadata.full_name(), pod);
            }
            // Other pods without a node wait in the real scheduler's queue and take part in nothing, unless nominated.
            Some(Object::Pod(pod))
                if pod.spec.node_name.is_empty() && pod.status.nominated_node_name.is_empty() => {}
            Some(object) => {
                builder.add(object);
            }
            None => {}
        }
    }
    let (world, _) = builder.finish();
    let options = Options {
        ties,
        seed: 0,
        percentage_of_nodes_to_score,
    };
    let mut scheduler = Scheduler::new(world, &configuration, options);
    let mut pending = Vec::with_capacity(case.pending.len());
    for name in &case.pending {
        let pod = by_name
            .get(name)
            .ok_or_else(|| anyhow!("pending pod {name} is not among the objects"))?;
        pending.push((name.clone(), scheduler.add_pending(pod)));
    }
    Ok(Prepared { scheduler, pending })
}

fn configuration(text: &str) -> Result<SchedulerConfiguration> {
    if text.is_empty() {
        return Ok(SchedulerConfiguration::default());
    }
    let value: serde_json::Value = serde_saphyr::from_str(text).context("decoding the configuration")?;
    match parse(&value, UnknownPlugins::Refuse) {
        Ok(configuration) => Ok(configuration),
        Err(errors) => bail!("{errors}"),
    }
}
