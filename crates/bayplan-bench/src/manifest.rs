//! New workloads: gateways, and models with a policy in three layers.

use std::io::{self, Write};

use serde_json::{Value, json};

use crate::text::yaml_document;

/// New models.
const MODELS: usize = 40;
/// Of all pods, so many in a hundred are gateways.
const GATEWAYS_OF_HUNDRED: usize = 6;

/// Writes Deployments with so many pods in total: gateways, and models that must have large GPUs, want to be near the
/// gateways, apart from their like, and even over the zones.
pub fn write(output: &mut impl Write, pods: usize) -> io::Result<()> {
    let gateways = pods * GATEWAYS_OF_HUNDRED / 100;
    yaml_document(
        output,
        &deployment(
            "gateway",
            gateways,
            0,
            json!({
                "affinity": {"podAntiAffinity": preferred(40, json!({"app": "gateway"}))},
            }),
        ),
    )?;
    let servers = pods - gateways;
    for number in 0..MODELS {
        let replicas = servers / MODELS + usize::from(number < servers % MODELS);
        let name = format!("new-model-{number}");
        let own = json!({"model": name});
        let expression = json!({"key": "accelerator", "operator": "In", "values": ["a100", "l40"]});
        let policy = json!({
            "affinity": {
                "nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {
                    "nodeSelectorTerms": [{"matchExpressions": [expression]}],
                }},
                "podAffinity": preferred(80, json!({"app": "gateway"})),
                "podAntiAffinity": preferred(50, own.clone()),
            },
            "topologySpreadConstraints": [{
                "labelSelector": {"matchLabels": own}, "maxSkew": 1, "topologyKey": "topology.kubernetes.io/zone",
                "whenUnsatisfiable": "ScheduleAnyway",
            }],
        });
        yaml_document(output, &deployment(&name, replicas, 1, policy))?;
    }
    Ok(())
}

fn preferred(weight: u32, labels: Value) -> Value {
    json!({"preferredDuringSchedulingIgnoredDuringExecution": [{
        "podAffinityTerm": {"labelSelector": {"matchLabels": labels}, "topologyKey": "kubernetes.io/hostname"},
        "weight": weight,
    }]})
}

fn deployment(name: &str, replicas: usize, gpus: u32, policy: Value) -> Value {
    let labels = json!({"app": name, "model": name});
    let mut resources = json!({"requests": {"cpu": "1", "memory": "4Gi"}});
    if gpus > 0 {
        resources["limits"] = json!({"nvidia.com/gpu": gpus.to_string()});
    }
    let mut spec = policy;
    spec["containers"] =
        json!([{"image": "models.example/server:1.9.0", "name": "server", "resources": resources}]);
    json!({
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": name, "namespace": "inference"},
        "spec": {
            "replicas": replicas,
            "selector": {"matchLabels": {"app": name}},
            "template": {"metadata": {"labels": labels}, "spec": spec},
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_pods_are_there_and_accepted() {
        let mut text = Vec::new();
        write(&mut text, 1000).unwrap();
        let (manifests, diagnostics) =
            bayplan_manifest::load_manifests(vec![bayplan_manifest::Input::bytes("new", text)]);
        assert_eq!(diagnostics, []);
        let objects = manifests.into_iter().map(|manifest| manifest.object).collect();
        let admitted = bayplan_admission::admit(objects, &bayplan_admission::AdmissionContext::new(), &[]);
        assert_eq!(admitted.faults, []);
        assert_eq!(
            admitted
                .workloads
                .iter()
                .map(|workload| workload.replicas.len())
                .sum::<usize>(),
            1000
        );
    }
}
