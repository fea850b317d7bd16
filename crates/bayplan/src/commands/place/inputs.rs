//! What `place` reads, and in which order.

use std::collections::BTreeMap;

use bayplan_admission::{DEFAULT_NAMESPACE, Membership};
use bayplan_manifest::Diagnostic;
use bayplan_model::object::Object;

use crate::args::place::PlaceArguments;
use crate::exit::Advised;
use crate::input::{
    ClusterReader, InputHash, check_levels, open, parse_selector, read_configuration, read_manifests,
    read_objects, replaces,
};
use crate::plan::{Plan, PodSelection, Pods, Request, Source, Wanted, WorkloadName, build};

/// Everything that was read.
pub struct Inputs {
    /// What to do; `None` when nothing can be said.
    pub plan: Option<Plan>,
    /// Whether the API server or the scheduler would refuse part of the input.
    pub refused: bool,
    /// What was found.
    pub diagnostics: Vec<Diagnostic>,
    /// Hash over the inputs.
    pub hash: Option<String>,
}

/// Reads manifests, configuration and cluster, in this order: the manifests tell what to keep of the cluster.
///
/// # Errors
/// The usage is wrong: a selector, a name, or standard input that is wanted twice.
pub fn read(arguments: &PlaceArguments) -> Result<Inputs, Advised> {
    let selector = arguments
        .selection
        .selector
        .as_deref()
        .map(parse_selector)
        .transpose()?;
    let all = arguments.selection.all_namespaces;
    let namespace = arguments.selection.namespace.as_deref().filter(|_| !all);
    let names: Vec<WorkloadName> = arguments
        .workloads
        .iter()
        .map(|text| WorkloadName::parse(text, namespace.unwrap_or(DEFAULT_NAMESPACE)))
        .collect::<Result<_, _>>()?;

    let (mut hash, mut stdin_is_taken) = (InputHash::default(), false);
    let (files, mut diagnostics) = open(
        &arguments.filename,
        arguments.recursive,
        &mut hash,
        &mut stdin_is_taken,
    )?;
    let manifests = read_manifests(files, namespace, selector.as_ref());
    diagnostics.extend(manifests.diagnostics);
    let configuration = match &arguments.scheduler.scheduler_config {
        None => Some(Default::default()),
        Some(path) => read_configuration(path, &mut hash)
            .map_err(|errors| diagnostics.extend(errors))
            .ok(),
    };
    let mut refused = diagnostics.iter().any(Diagnostic::is_error);

    let pending = arguments.filename.is_empty() && names.is_empty();
    let mut members: BTreeMap<String, Vec<Membership>> = BTreeMap::new();
    for manifest in &manifests.list {
        let namespace = manifest.object.metadata().namespace.clone();
        members
            .entry(namespace)
            .or_default()
            .push(Membership::new(&manifest.object, []));
    }
    let wanted = Wanted {
        members,
        workloads: names.iter().cloned().collect(),
        pending: pending.then(|| PodSelection {
            namespace: (!all).then(|| namespace.unwrap_or(DEFAULT_NAMESPACE).to_owned()),
            name: None,
            selector,
        }),
    };
    let (keep_pod, keep_workload) = (
        |pod: &_| wanted.keeps_pod(pod),
        |object: &_| wanted.keeps_workload(object),
    );
    let mut reader = ClusterReader::new(&keep_pod, &keep_workload);
    let replacing = manifests
        .list
        .iter()
        .map(|manifest| &manifest.object)
        .filter(|object| replaces(object));
    reader.replaced = replacing.map(Object::reference).collect();
    let found = read_objects(
        &arguments.cluster,
        &mut hash,
        &mut stdin_is_taken,
        &mut |object| reader.add(object),
    )?;
    diagnostics.extend(found.diagnostics.iter().cloned());
    let hash = hash.finish();
    let Some(configuration) = configuration else {
        return Ok(Inputs {
            plan: None,
            refused: true,
            diagnostics,
            hash,
        });
    };

    let mut sources: Vec<Source> = manifests
        .list
        .into_iter()
        .map(|manifest| Source::Manifest(Box::new(manifest)))
        .collect();
    for name in &names {
        let place = reader.workloads.iter().position(|object| name.is(object));
        let Some(place) = place else {
            return Err(name.missing());
        };
        sources.push(Source::Cluster(Box::new(reader.workloads.remove(place))));
    }
    // A workload that runs already has nothing to place, unless its replicas are taken away first.
    let fresh = arguments.fresh || !names.is_empty();
    let pods = if pending { Pods::Pending } else { Pods::None };
    let plan = build(
        reader,
        &found,
        Request {
            sources,
            fresh,
            pods,
            configuration,
            levels: arguments.domains.levels.clone(),
        },
    );
    check_levels(&plan.domains)?;
    refused |= plan.diagnostics.iter().any(Diagnostic::is_error);
    diagnostics.extend(plan.diagnostics.iter().cloned());
    Ok(Inputs {
        plan: Some(plan),
        refused,
        diagnostics,
        hash,
    })
}

/// The user's command line without the flags of the cluster, for advice.
pub fn usage(arguments: &PlaceArguments) -> String {
    let mut words = vec!["place".to_owned()];
    words.extend(arguments.workloads.iter().cloned());
    for path in &arguments.filename {
        words.push(format!("-f {}", path.to_string_lossy()));
    }
    if let Some(namespace) = &arguments.selection.namespace {
        words.push(format!("-n {namespace}"));
    }
    words.join(" ")
}
