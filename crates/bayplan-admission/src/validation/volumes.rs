//! Volumes and device claims of a pod (`pkg/apis/core/validation/validation.go:ValidateVolumes`,
//! `validatePodResourceClaims`, v1.37.2). Of the sources, only those that scheduling reads are checked.

use std::collections::BTreeSet;

use bayplan_model::names::{dns_label_errors, dns_subdomain_errors};
use bayplan_model::object::{PodResourceClaim, Volume};

use crate::field::{Faults, FieldPath, Value};
use crate::validation::meta::{annotations, labels};
use crate::validation::storage::claim_spec;

/// The volumes; gives the names of the valid ones.
pub(crate) fn volumes<'a>(
    faults: &mut Faults,
    volumes: &'a [Volume],
    pod_name: Option<&str>,
    path: &FieldPath,
) -> BTreeSet<&'a str> {
    let created: BTreeSet<String> = pod_name
        .filter(|name| !name.is_empty())
        .map(|pod| {
            volumes
                .iter()
                .filter(|volume| volume.ephemeral.is_some())
                .map(|volume| format!("{pod}-{}", volume.name))
                .collect()
        })
        .unwrap_or_default();
    let mut valid = BTreeSet::new();
    for (index, volume) in volumes.iter().enumerate() {
        let path = path.index(index);
        let before = faults.len();
        source(faults, volume, pod_name, &path);
        if volume.name.is_empty() {
            faults.required(path.child("name"), "");
        } else {
            faults.invalid_each(&path.child("name"), &volume.name, dns_label_errors(&volume.name));
        }
        if valid.contains(volume.name.as_str()) {
            faults.duplicate(path.child("name"), &volume.name);
        }
        if faults.len() == before {
            valid.insert(volume.name.as_str());
        }
        if let Some(claim) = &volume.persistent_volume_claim
            && created.contains(&claim.claim_name)
        {
            faults.invalid(
                path.child("persistentVolumeClaim").child("claimName"),
                &claim.claim_name,
                "must not reference a PVC that gets created for an ephemeral volume",
            );
        }
    }
    valid
}

fn source(faults: &mut Faults, volume: &Volume, pod_name: Option<&str>, path: &FieldPath) {
    if let Some(claim) = &volume.persistent_volume_claim
        && claim.claim_name.is_empty()
    {
        faults.required(path.child("persistentVolumeClaim").child("claimName"), "");
    }
    if let Some(disk) = &volume.gce_persistent_disk
        && disk.pd_name.is_empty()
    {
        faults.required(path.child("gcePersistentDisk").child("pdName"), "");
    }
    if let Some(disk) = &volume.aws_elastic_block_store
        && disk.volume_id.is_empty()
    {
        faults.required(path.child("awsElasticBlockStore").child("volumeID"), "");
    }
    if let Some(csi) = &volume.csi
        && csi.driver.is_empty()
    {
        faults.required(path.child("csi").child("driver"), "");
    }
    if let Some(ephemeral) = &volume.ephemeral {
        let template_path = path.child("ephemeral").child("volumeClaimTemplate");
        match &ephemeral.volume_claim_template {
            None => faults.required(template_path, ""),
            Some(template) => {
                let metadata = template_path.child("metadata");
                annotations(
                    faults,
                    &template.metadata.annotations,
                    &metadata.child("annotations"),
                );
                labels(faults, &template.metadata.labels, &metadata.child("labels"));
                claim_spec(faults, &template.spec, &template_path.child("spec"));
            }
        }
        // Without a valid name of the pod and of the volume there is no claim.
        if let Some(pod) = pod_name.filter(|pod| !pod.is_empty())
            && !volume.name.is_empty()
        {
            let claim = format!("{pod}-{}", volume.name);
            for text in dns_subdomain_errors(&claim) {
                faults.invalid(
                    path.child("name"),
                    &volume.name,
                    format!("PVC name {claim:?}: {text}"),
                );
            }
        }
    }
}

/// Device claims of a pod.
pub(crate) fn resource_claims(faults: &mut Faults, claims: &[PodResourceClaim], path: &FieldPath) {
    let mut seen = BTreeSet::new();
    for (index, claim) in claims.iter().enumerate() {
        let path = path.index(index);
        if claim.name.is_empty() {
            faults.required(path.child("name"), "");
        } else if seen.contains(claim.name.as_str()) {
            faults.duplicate(path.child("name"), &claim.name);
        } else {
            faults.invalid_each(&path.child("name"), &claim.name, dns_label_errors(&claim.name));
            seen.insert(claim.name.as_str());
        }
        let detail = match (&claim.resource_claim_name, &claim.resource_claim_template_name) {
            (Some(_), Some(_)) => {
                Some("at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified")
            }
            (None, None) => Some("must specify one of: `resourceClaimName`, `resourceClaimTemplateName`"),
            _ => None,
        };
        if let Some(detail) = detail {
            let value = Value::json(&serde_json::json!({
                "Name": claim.name,
                "ResourceClaimName": claim.resource_claim_name,
                "ResourceClaimTemplateName": claim.resource_claim_template_name,
            }));
            faults.invalid(path.clone(), value, detail);
        }
        for (name, value) in [
            ("resourceClaimName", &claim.resource_claim_name),
            ("resourceClaimTemplateName", &claim.resource_claim_template_name),
        ] {
            if let Some(value) = value {
                faults.invalid_each(&path.child(name), value, dns_subdomain_errors(value));
            }
        }
    }
}
