//! Metadata, names and labels (`k8s.io/apimachinery/pkg/api/validation/objectmeta.go`,
//! `k8s.io/apimachinery/pkg/apis/meta/v1/validation`, v0.37.2).

use bayplan_model::names::{
    dns_label_errors, dns_subdomain_errors, label_value_errors, qualified_name_errors,
};
use bayplan_model::object::{LabelSelector, Labels, ObjectMeta};

use crate::field::{Faults, FieldPath, Value};

/// Largest sum of annotation keys and values, in bytes (`TotalAnnotationSizeLimitB`).
const ANNOTATION_BYTES_MAX: usize = 256 * 1024;

/// How the name of a kind is checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NameRule {
    /// DNS subdomain.
    Subdomain,
    /// DNS label.
    Label,
    /// DNS-1035 label: a label that starts with a letter.
    Label1035,
    /// Anything that fits into a URL path.
    PathSegment,
}

impl NameRule {
    pub(crate) fn errors(self, name: &str) -> Vec<String> {
        match self {
            NameRule::Subdomain => dns_subdomain_errors(name),
            NameRule::Label => dns_label_errors(name),
            NameRule::Label1035 => dns_1035_label_errors(name),
            NameRule::PathSegment => path_segment_errors(name),
        }
    }

    /// The rule for a prefix to which an ending is added: a last dash is fine.
    fn prefix_errors(self, prefix: &str) -> Vec<String> {
        match prefix.strip_suffix('-') {
            Some(stem) if !stem.is_empty() && self != NameRule::PathSegment => {
                // As the API machinery masks it: the character before the dash goes too.
                let mut masked: String = stem.chars().take(stem.chars().count() - 1).collect();
                masked.push('a');
                self.errors(&masked)
            }
            _ => self.errors(prefix),
        }
    }
}

fn dns_1035_label_errors(name: &str) -> Vec<String> {
    let mut errors = Vec::new();
    if name.len() > 63 {
        errors.push("must be no more than 63 characters".to_owned());
    }
    let bytes = name.as_bytes();
    let plain = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let valid = bytes.first().is_some_and(u8::is_ascii_lowercase)
        && bytes.last().is_some_and(plain)
        && bytes.iter().all(|byte| plain(byte) || *byte == b'-');
    if !valid {
        errors.push("a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')".to_owned());
    }
    errors
}

fn path_segment_errors(name: &str) -> Vec<String> {
    if name == "." || name == ".." {
        return vec![format!("may not be '{name}'")];
    }
    ["/", "%"]
        .into_iter()
        .filter(|part| name.contains(part))
        .map(|part| format!("may not contain '{part}'"))
        .collect()
}

/// Metadata of an object; `namespaced` kinds have had their namespace filled in.
pub(crate) fn object_meta(
    faults: &mut Faults,
    meta: &ObjectMeta,
    namespaced: bool,
    rule: NameRule,
    path: &FieldPath,
) {
    if !meta.generate_name.is_empty() {
        faults.invalid_each(
            &path.child("generateName"),
            &meta.generate_name,
            rule.prefix_errors(&meta.generate_name),
        );
    }
    if meta.name.is_empty() {
        faults.required(path.child("name"), "name or generateName is required");
    } else {
        faults.invalid_each(&path.child("name"), &meta.name, rule.errors(&meta.name));
    }
    let namespace_path = path.child("namespace");
    if namespaced {
        if meta.namespace.is_empty() {
            faults.required(namespace_path, "");
        } else {
            faults.invalid_each(
                &namespace_path,
                &meta.namespace,
                dns_label_errors(&meta.namespace),
            );
        }
    } else if !meta.namespace.is_empty() {
        faults.forbidden(namespace_path, "not allowed on this type");
    }
    faults.nonnegative(path.child("generation"), meta.generation);
    labels(faults, &meta.labels, &path.child("labels"));
    annotations(faults, &meta.annotations, &path.child("annotations"));
    owner_references(faults, meta, &path.child("ownerReferences"));
}

fn owner_references(faults: &mut Faults, meta: &ObjectMeta, path: &FieldPath) {
    let mut first_controller: Option<String> = None;
    for (index, owner) in meta.owner_references.iter().enumerate() {
        for (name, value) in [
            ("apiVersion", &owner.api_version),
            ("kind", &owner.kind),
            ("name", &owner.name),
            ("uid", &owner.uid),
        ] {
            if value.is_empty() {
                faults.required(path.index(index).child(name), "must not be empty");
            }
        }
        if owner.controller {
            let current = format!("{}/{}", owner.kind, owner.name);
            match &first_controller {
                Some(first) => faults.invalid(
                    path.clone(),
                    Value::json(&meta.owner_references),
                    format!(
                        "Only one reference can have Controller set to true. Found \"true\" in references for {first} and {current}"
                    ),
                ),
                None => first_controller = Some(current),
            }
        }
    }
}

/// Labels, or exact values of a selector: keys and values, both reported at `path`.
pub(crate) fn labels(faults: &mut Faults, labels: &Labels, path: &FieldPath) {
    for (key, value) in labels {
        label_key(faults, key, path);
        faults.invalid_each(path, value, label_value_errors(value));
    }
}

/// A label key.
pub(crate) fn label_key(faults: &mut Faults, key: &str, path: &FieldPath) {
    faults.invalid_each(path, key, qualified_name_errors(key));
}

/// Annotations: keys like label keys whatever their case, and a limit on the whole.
pub(crate) fn annotations(faults: &mut Faults, annotations: &Labels, path: &FieldPath) {
    for key in annotations.keys() {
        faults.invalid_each(path, key, qualified_name_errors(&key.to_lowercase()));
    }
    let bytes: usize = annotations
        .iter()
        .map(|(key, value)| key.len() + value.len())
        .sum();
    if bytes > ANNOTATION_BYTES_MAX {
        faults.too_long(path.clone(), ANNOTATION_BYTES_MAX);
    }
}

/// A label selector; none is fine here.
pub(crate) fn label_selector(faults: &mut Faults, selector: Option<&LabelSelector>, path: &FieldPath) {
    let Some(selector) = selector else { return };
    labels(faults, &selector.match_labels, &path.child("matchLabels"));
    for (index, expression) in selector.match_expressions.iter().enumerate() {
        let path = path.child("matchExpressions").index(index);
        match expression.operator.as_str() {
            "In" | "NotIn" if expression.values.is_empty() => {
                faults.required(
                    path.child("values"),
                    "must be specified when `operator` is 'In' or 'NotIn'",
                );
            }
            "Exists" | "DoesNotExist" if !expression.values.is_empty() => faults.forbidden(
                path.child("values"),
                "may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
            ),
            "In" | "NotIn" | "Exists" | "DoesNotExist" => {}
            other => faults.invalid(
                path.child("operator"),
                Value::json(other),
                "not a valid selector operator",
            ),
        }
        label_key(faults, &expression.key, &path.child("key"));
        for (value_index, value) in expression.values.iter().enumerate() {
            faults.invalid_each(
                &path.child("values").index(value_index),
                value,
                label_value_errors(value),
            );
        }
    }
}
