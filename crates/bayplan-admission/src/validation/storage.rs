//! Claims, volumes and storage classes (`pkg/apis/core/validation/validation.go:ValidatePersistentVolumeClaimSpec`,
//! `ValidatePersistentVolumeSpec`, `pkg/apis/storage/validation/validation.go`, v1.37.2).

use std::collections::{BTreeMap, BTreeSet};

use bayplan_model::names::{dns_subdomain_errors, qualified_name_errors};
use bayplan_model::object::{
    PersistentVolume, PersistentVolumeClaim, PersistentVolumeClaimSpec, StorageClass, TopologySelectorTerm,
};

use crate::field::{Faults, FieldPath, Value};
use crate::validation::affinity::node_selector;
use crate::validation::meta::{NameRule, label_key, label_selector, object_meta};
use crate::validation::resources::quantity;

const ACCESS_MODES: &[&str] = &[
    "ReadOnlyMany",
    "ReadWriteMany",
    "ReadWriteOnce",
    "ReadWriteOncePod",
];
const VOLUME_MODES: &[&str] = &["Block", "Filesystem"];
const BINDING_MODES: &[&str] = &["Immediate", "WaitForFirstConsumer"];

/// A claim on its own.
pub(crate) fn claim(faults: &mut Faults, claim: &PersistentVolumeClaim) {
    let root = FieldPath::root();
    object_meta(
        faults,
        &claim.metadata,
        true,
        NameRule::Subdomain,
        &root.child("metadata"),
    );
    claim_spec(faults, &claim.spec, &root.child("spec"));
}

/// The specification of a claim.
pub(crate) fn claim_spec(faults: &mut Faults, spec: &PersistentVolumeClaimSpec, path: &FieldPath) {
    if spec.access_modes.is_empty() {
        faults.required(path.child("accessModes"), "at least 1 access mode is required");
    }
    label_selector(faults, spec.selector.as_ref(), &path.child("selector"));
    access_modes(faults, &spec.access_modes, &path.child("accessModes"));
    let storage_path = path.child("resources").key("storage");
    match spec.resources.requests.get("storage") {
        None => faults.required(storage_path, ""),
        Some(amount) if amount.nanos() <= 0 => {
            faults.invalid(storage_path, &amount.to_string(), "must be greater than zero");
        }
        Some(amount) => quantity(faults, "storage", *amount, &storage_path),
    }
    if let Some(class) = &spec.storage_class_name
        && !class.is_empty()
    {
        faults.invalid_each(
            &path.child("storageClassName"),
            class,
            dns_subdomain_errors(class),
        );
    }
    volume_mode(faults, spec.volume_mode.as_deref(), path);
    if let Some(class) = &spec.volume_attributes_class_name
        && !class.is_empty()
    {
        faults.invalid_each(
            &path.child("volumeAttributesClassName"),
            class,
            dns_subdomain_errors(class),
        );
    }
}

fn access_modes(faults: &mut Faults, modes: &[String], path: &FieldPath) {
    for mode in modes {
        if !ACCESS_MODES.contains(&mode.as_str()) {
            faults.not_supported(path.clone(), Value::json(mode), ACCESS_MODES);
        }
    }
    let exclusive = modes.iter().any(|mode| mode == "ReadWriteOncePod");
    let others = modes
        .iter()
        .any(|mode| mode != "ReadWriteOncePod" && ACCESS_MODES.contains(&mode.as_str()));
    if exclusive && others {
        faults.forbidden(
            path.clone(),
            "may not use ReadWriteOncePod with other access modes",
        );
    }
}

fn volume_mode(faults: &mut Faults, mode: Option<&str>, path: &FieldPath) {
    if let Some(mode) = mode
        && !VOLUME_MODES.contains(&mode)
    {
        faults.not_supported(path.child("volumeMode"), Value::json(mode), VOLUME_MODES);
    }
}

/// A volume; its source is not checked except where the node affinity depends on it.
pub(crate) fn volume(faults: &mut Faults, volume: &PersistentVolume) {
    let root = FieldPath::root();
    let path = root.child("spec");
    let spec = &volume.spec;
    object_meta(
        faults,
        &volume.metadata,
        false,
        NameRule::Subdomain,
        &root.child("metadata"),
    );
    if spec.access_modes.is_empty() {
        faults.required(path.child("accessModes"), "");
    }
    access_modes(faults, &spec.access_modes, &path.child("accessModes"));
    let capacity_path = path.child("capacity");
    if spec.capacity.is_empty() {
        faults.required(capacity_path.clone(), "");
    }
    if !spec.capacity.contains_key("storage") || spec.capacity.len() > 1 {
        let value = if spec.capacity.is_empty() {
            Value::raw("null")
        } else {
            Value::json(&spec.capacity)
        };
        faults.not_supported(capacity_path.clone(), value, &["storage"]);
    }
    for (name, amount) in &spec.capacity {
        let path = capacity_path.key(name);
        if amount.value() < 0 {
            faults.invalid(path.clone(), amount.value(), "must be a valid resource quantity");
        }
        if amount.nanos() <= 0 {
            faults.invalid(path, &amount.to_string(), "must be greater than zero");
        }
    }
    if let Some(affinity) = &spec.node_affinity {
        let path = path.child("nodeAffinity").child("required");
        match &affinity.required {
            Some(selector) => node_selector(faults, selector, &path),
            None => faults.required(path, "must specify required node constraints"),
        }
    }
    if let Some(csi) = &spec.csi {
        if csi.driver.is_empty() {
            faults.required(path.child("csi").child("driver"), "");
        }
        if csi.volume_handle.is_empty() {
            faults.required(path.child("csi").child("volumeHandle"), "");
        }
    }
    if spec.local.is_some() && spec.node_affinity.is_none() {
        faults.required(path.child("nodeAffinity"), "Local volume requires node affinity");
    }
    if !spec.storage_class_name.is_empty() {
        faults.invalid_each(
            &path.child("storageClassName"),
            &spec.storage_class_name,
            dns_subdomain_errors(&spec.storage_class_name),
        );
    }
    volume_mode(faults, spec.volume_mode.as_deref(), &path);
}

/// A storage class.
pub(crate) fn storage_class(faults: &mut Faults, class: &StorageClass) {
    let root = FieldPath::root();
    object_meta(
        faults,
        &class.metadata,
        false,
        NameRule::Subdomain,
        &root.child("metadata"),
    );
    let provisioner = root.child("provisioner");
    if class.provisioner.is_empty() {
        faults.required(provisioner, "");
    } else {
        let lower = class.provisioner.to_lowercase();
        faults.invalid_each(&provisioner, &lower, qualified_name_errors(&lower));
    }
    match class.volume_binding_mode.as_deref() {
        None => faults.required(root.child("volumeBindingMode"), ""),
        Some(mode) if !BINDING_MODES.contains(&mode) => {
            faults.not_supported(root.child("volumeBindingMode"), Value::json(mode), BINDING_MODES);
        }
        Some(_) => {}
    }
    let path = root.child("allowedTopologies");
    let mut seen: Vec<BTreeMap<&str, BTreeSet<&str>>> = Vec::new();
    for (index, term) in class.allowed_topologies.iter().enumerate() {
        let expressions = topology_term(faults, term, &path.index(index));
        // The API server compares with as many empty terms as there are terms, too.
        for other in &seen {
            if *other == expressions {
                faults.duplicate(path.index(index).child("matchLabelExpressions"), "");
            }
        }
        if expressions.is_empty() {
            for _ in &class.allowed_topologies {
                faults.duplicate(path.index(index).child("matchLabelExpressions"), "");
            }
        }
        seen.push(expressions);
    }
}

fn topology_term<'a>(
    faults: &mut Faults,
    term: &'a TopologySelectorTerm,
    path: &FieldPath,
) -> BTreeMap<&'a str, BTreeSet<&'a str>> {
    let mut expressions = BTreeMap::new();
    for (index, requirement) in term.match_label_expressions.iter().enumerate() {
        let path = path.child("matchLabelExpressions").index(index);
        let mut values = BTreeSet::new();
        if requirement.values.is_empty() {
            faults.required(path.child("values"), "");
        }
        for (value_index, value) in requirement.values.iter().enumerate() {
            if !values.insert(value.as_str()) {
                faults.duplicate(path.child("values").index(value_index), value);
            }
        }
        label_key(faults, &requirement.key, &path.child("key"));
        if expressions.contains_key(requirement.key.as_str()) {
            faults.duplicate(path.child("key"), &requirement.key);
        }
        expressions.insert(requirement.key.as_str(), values);
    }
    expressions
}
