//! Running pods, as large as an API server gives them.

use fastrand::Rng;
use serde_json::{Value, json};

/// A running pod of an inference server or of a service around it: 6 to 10 kB as kubectl prints it.
pub struct RunningPod<'a> {
    /// Its number in the cluster.
    pub number: usize,
    /// Its application.
    pub app: &'a str,
    /// Its number of GPUs.
    pub gpus: u32,
    /// Its node.
    pub node: &'a str,
}

impl RunningPod<'_> {
    /// The object.
    pub fn object(&self, random: &mut Rng) -> Value {
        let hash = format!("{:08x}", fnv(self.app));
        let name = format!("{}-{hash}-{:06x}", self.app, self.number);
        let address = format!(
            "10.{}.{}.{}",
            self.number >> 16 & 255,
            self.number >> 8 & 255,
            self.number & 255
        );
        let second = self.number % 60;
        let started = format!(
            "2026-01-{:02}T{:02}:{:02}:{second:02}Z",
            1 + self.number % 28,
            self.number % 24,
            self.number / 60 % 60
        );
        json!({
            "apiVersion": "v1",
            "kind": "Pod",
            "metadata": {
                "annotations": {
                    "example.com/config-checksum": hex(random, 64),
                    "example.com/network-status": format!(
                        "[{{\n    \"name\": \"overlay\",\n    \"interface\": \"eth0\",\n    \"ips\": [\n        \"{address}\"\n    ],\n    \"default\": true\n}}]"
                    ),
                    "prometheus.example.com/port": "8000",
                    "prometheus.example.com/scrape": "true",
                },
                "creationTimestamp": started,
                "generateName": format!("{}-{hash}-", self.app),
                "generation": 1,
                "labels": {
                    "app": self.app,
                    "app.kubernetes.io/component": "server",
                    "app.kubernetes.io/managed-by": "Helm",
                    "app.kubernetes.io/version": "1.8.2",
                    "model": self.app,
                    "pod-template-hash": hash,
                },
                "name": name,
                "namespace": "inference",
                "ownerReferences": [{
                    "apiVersion": "apps/v1", "blockOwnerDeletion": true, "controller": true, "kind": "ReplicaSet",
                    "name": format!("{}-{hash}", self.app), "uid": uid(u64::from(fnv(self.app))),
                }],
                "resourceVersion": (90_000_000 + self.number).to_string(),
                "uid": uid(self.number as u64 + (1 << 40)),
            },
            "spec": self.spec(random),
            "status": self.status(&address, &started, random),
        })
    }

    fn spec(&self, random: &mut Rng) -> Value {
        let mut volumes = vec![
            json!({"emptyDir": {"medium": "Memory", "sizeLimit": "16Gi"}, "name": "shm"}),
            json!({"configMap": {"defaultMode": 420, "name": format!("{}-config", self.app)}, "name": "config"}),
            json!({"hostPath": {"path": "/var/lib/models", "type": "DirectoryOrCreate"}, "name": "models"}),
        ];
        volumes.push(json!({"name": "kube-api-access", "projected": {"defaultMode": 420, "sources": [
            {"serviceAccountToken": {"expirationSeconds": 3607, "path": "token"}},
            {"configMap": {"items": [{"key": "ca.crt", "path": "ca.crt"}], "name": "kube-root-ca.crt"}},
            {"downwardAPI": {"items": [{"fieldRef": {"apiVersion": "v1", "fieldPath": "metadata.namespace"}, "path": "namespace"}]}},
        ]}}));
        let tolerate = |key: &str| json!({"effect": "NoExecute", "key": key, "operator": "Exists", "tolerationSeconds": 300});
        json!({
            "affinity": {"podAntiAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": [{
                "weight": 50,
                "podAffinityTerm": {
                    "labelSelector": {"matchLabels": {"model": self.app}},
                    "topologyKey": "kubernetes.io/hostname",
                },
            }]}},
            "containers": [self.container(random)],
            "dnsPolicy": "ClusterFirst",
            "enableServiceLinks": true,
            "nodeName": self.node,
            "preemptionPolicy": "PreemptLowerPriority",
            "priority": 0,
            "restartPolicy": "Always",
            "schedulerName": "default-scheduler",
            "securityContext": {"fsGroup": 2000, "runAsNonRoot": true, "runAsUser": 1000},
            "serviceAccount": self.app,
            "serviceAccountName": self.app,
            "terminationGracePeriodSeconds": 120,
            "tolerations": [
                tolerate("node.kubernetes.io/not-ready"),
                tolerate("node.kubernetes.io/unreachable"),
                {"effect": "NoSchedule", "key": "nvidia.com/gpu", "operator": "Exists"},
            ],
            "topologySpreadConstraints": [{
                "labelSelector": {"matchLabels": {"model": self.app}}, "maxSkew": 1,
                "topologyKey": "topology.kubernetes.io/zone", "whenUnsatisfiable": "ScheduleAnyway",
            }],
            "volumes": volumes,
        })
    }

    fn container(&self, random: &mut Rng) -> Value {
        let mut resources = json!({"limits": {"memory": "24Gi"}, "requests": {"cpu": "2", "memory": "16Gi"}});
        if self.gpus > 0 {
            for kind in ["limits", "requests"] {
                resources[kind]["nvidia.com/gpu"] = self.gpus.to_string().into();
            }
        }
        let mut environment = vec![
            json!({"name": "POD_IP", "valueFrom": {"fieldRef": {"apiVersion": "v1", "fieldPath": "status.podIP"}}}),
            json!({"name": "TOKEN", "valueFrom": {"secretKeyRef": {"key": "token", "name": "hub"}}}),
        ];
        // The number of variables is what makes pods differ in size.
        environment.extend(
            (0..random.usize(14..56))
                .map(|number| json!({"name": format!("SERVER_OPTION_{number}"), "value": hex(random, 24)})),
        );
        let probe = |path: &str, period: u32| {
            json!({
                "failureThreshold": 3, "httpGet": {"path": path, "port": "http", "scheme": "HTTP"},
                "periodSeconds": period, "successThreshold": 1, "timeoutSeconds": 5,
            })
        };
        json!({
            "args": [
                "--model", format!("/models/{}", self.app), "--port", "8000", "--max-model-length", "32768",
                "--tensor-parallel-size", self.gpus.max(1).to_string(), "--gpu-memory-utilization", "0.92",
            ],
            "command": ["/usr/bin/server", "serve"],
            "env": environment,
            "image": "models.example/server:1.8.2",
            "imagePullPolicy": "IfNotPresent",
            "livenessProbe": probe("/health", 10),
            "name": "server",
            "ports": [
                {"containerPort": 8000, "name": "http", "protocol": "TCP"},
                {"containerPort": 9000, "name": "metrics", "protocol": "TCP"},
            ],
            "readinessProbe": probe("/ready", 5),
            "resources": resources,
            "securityContext": {"allowPrivilegeEscalation": false, "capabilities": {"drop": ["ALL"]}},
            "terminationMessagePath": "/dev/termination-log",
            "terminationMessagePolicy": "File",
            "volumeMounts": [
                {"mountPath": "/dev/shm", "name": "shm"},
                {"mountPath": "/etc/server", "name": "config", "readOnly": true},
                {"mountPath": "/models", "name": "models"},
                {"mountPath": "/var/run/secrets/kubernetes.io/serviceaccount", "name": "kube-api-access", "readOnly": true},
            ],
        })
    }

    fn status(&self, address: &str, started: &str, random: &mut Rng) -> Value {
        let kinds = [
            "PodReadyToStartContainers",
            "Initialized",
            "Ready",
            "ContainersReady",
            "PodScheduled",
        ];
        let conditions: Vec<Value> = kinds
            .iter()
            .map(|kind| {
                json!({
                    "lastProbeTime": null, "lastTransitionTime": started, "observedGeneration": 1, "status": "True",
                    "type": kind,
                })
            })
            .collect();
        json!({
            "conditions": conditions,
            "containerStatuses": [{
                "containerID": format!("containerd://{}", hex(random, 64)),
                "image": "models.example/server:1.8.2",
                "imageID": format!("models.example/server@sha256:{:064x}", 1_820),
                "lastState": {}, "name": "server", "ready": true, "restartCount": random.u32(0..3), "started": true,
                "state": {"running": {"startedAt": started}},
            }],
            "hostIP": "192.0.2.10",
            "hostIPs": [{"ip": "192.0.2.10"}],
            "phase": "Running",
            "podIP": address,
            "podIPs": [{"ip": address}],
            "qosClass": "Burstable",
            "startTime": started,
        })
    }
}

/// A UID made of a number.
pub fn uid(number: u64) -> String {
    format!(
        "{:08x}-0000-4000-8000-{:012x}",
        number >> 32,
        number & 0xffff_ffff
    )
}

/// Random lower-case hexadecimal digits.
pub fn hex(random: &mut Rng, digits: usize) -> String {
    (0..digits).map(|_| random.digit(16)).collect()
}

/// A short hash that is the same everywhere (FNV-1a).
pub fn fnv(text: &str) -> u32 {
    text.bytes().fold(0x811c_9dc5, |hash, byte| {
        (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    })
}
