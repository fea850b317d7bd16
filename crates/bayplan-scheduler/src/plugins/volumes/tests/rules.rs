//! Rules one by one, on clusters of a few objects.

use serde_json::json;

use super::super::{VolumeCycle, VolumePlugin};
use super::answers::{Cluster, Verdict};
use super::objects::{claim, class, csi_node, node, on, pod, uses, volume};
use super::replay::{SHAPE, filter, prefilter};

const DISK: &str = "VolumeRestrictions U node(s) had no available disk";
const ONE_POD: &str = "VolumeRestrictions U node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by another pod";
const LIMIT: &str = "NodeVolumeLimits U node(s) exceed max volume count";
const AFFINITY: &str = "VolumeBinding UU node(s) didn't match PersistentVolume's node affinity";
const NO_VOLUME: &str = "VolumeBinding UU node(s) didn't find available persistent volumes to bind";
const NO_SPACE: &str = "VolumeBinding UU node(s) did not have enough free storage";
const ZONE: &str = "VolumeZone UU node(s) had no available volume zone";

fn show(verdict: Option<Verdict>) -> String {
    verdict.map_or("fits".to_owned(), |verdict| {
        let code = match verdict.code.as_str() {
            "Unschedulable" => "U",
            "UnschedulableAndUnresolvable" => "UU",
            other => other,
        };
        format!("{} {code} {}", verdict.plugin, verdict.reasons.join(" + "))
    })
}

/// The pod's verdicts by node, or the one of PreFilter.
fn verdicts(cluster: &Cluster, name: &str) -> Vec<String> {
    let (cycle, running, rejected) = prefilter(&cluster.state, cluster.pod(&format!("ns/{name}")));
    if rejected.is_some() {
        return vec![format!("PreFilter {}", show(rejected))];
    }
    (0..cluster.nodes.0.len() as u32)
        .map(|node| show(filter(cluster, &cycle, &running, node)))
        .collect()
}

/// Schedules the pod onto the node as far as volumes are concerned.
fn schedule(cluster: &mut Cluster, name: &str, node: u32) {
    let number = cluster.pod(&format!("ns/{name}"));
    let (cycle, _, _) = prefilter(&cluster.state, number);
    cluster.state.reserve(&cycle, &cluster.nodes, node);
    cluster.place(number, node);
}

#[test]
fn disks_are_shared_only_read_only() {
    let gce = |read_only| json!([{"gcePersistentDisk": {"pdName": "d", "readOnly": read_only}}]);
    let iscsi = |read_only| json!([{"iscsi": {"iqn": "q", "lun": 1, "readOnly": read_only}}]);
    let rbd = |monitor, pool| json!([{"rbd": {"monitors": ["m", monitor], "image": "i", "pool": pool}}]);
    let aws = || json!([{"awsElasticBlockStore": {"volumeID": "v", "readOnly": true}}]);
    for (running, pending, expected) in [
        (gce(true), gce(true), "fits"),
        (gce(true), gce(false), DISK),
        (iscsi(true), iscsi(true), "fits"),
        (iscsi(false), iscsi(true), DISK),
        (aws(), aws(), DISK),
        (aws(), gce(false), "fits"),
        (rbd("x", ""), rbd("y", "rbd"), DISK),
        (rbd("x", "p"), rbd("x", "q"), "fits"),
    ] {
        let cluster = Cluster::new(&[
            node("n0", json!({})),
            node("n1", json!({})),
            pod("run", "n0", running.clone()),
            pod("new", "", pending.clone()),
        ]);
        assert_eq!(
            verdicts(&cluster, "new"),
            [expected, "fits"],
            "{running} {pending}"
        );
    }
}

#[test]
fn read_write_once_pod_claims_follow_added_and_removed_pods() {
    let cluster = Cluster::new(&[
        node("n0", json!({})),
        claim(
            "c",
            json!({"accessModes": ["ReadWriteOncePod"], "volumeName": "v"}),
        ),
        volume("v", "10Gi", json!({}), json!({})),
        pod("run", "n0", json!([uses("c")])),
        pod("new", "", json!([uses("c")])),
        json!({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "far", "namespace": "elsewhere"},
            "spec": {"volumes": [{"name": "v", "persistentVolumeClaim": {"claimName": "c"}}]}}),
    ]);
    assert_eq!(verdicts(&cluster, "new"), [ONE_POD]);
    let (mut cycle, running, _) = prefilter(&cluster.state, cluster.pod("ns/new"));
    // The real plugin compares names alone, so a pod of another namespace counts, too.
    cycle.pod_removed(&cluster.state, cluster.pod("elsewhere/far"));
    assert_eq!(show(filter(&cluster, &cycle, &running, 0)), "fits");
    cycle.pod_added(&cluster.state, cluster.pod("ns/run"));
    assert_eq!(show(filter(&cluster, &cycle, &running, 0)), ONE_POD);
}

#[test]
fn unused_read_write_once_pod_claim_is_skipped() {
    let mut cluster = Cluster::new(&[
        node("n0", json!({})),
        class("wait", "csi.io", json!({})),
        claim("c", json!({"accessModes": ["ReadWriteOncePod"]})),
        pod("run", "n0", json!([uses("c")])),
        pod("new", "", json!([uses("c")])),
    ]);
    cluster.remove(cluster.pod("ns/run"));
    let (_, running, _) = prefilter(&cluster.state, cluster.pod("ns/new"));
    assert_eq!(
        running,
        [VolumePlugin::NodeVolumeLimits, VolumePlugin::VolumeBinding]
    );
}

#[test]
fn limits_count_distinct_volumes_of_pods_and_attachments() {
    let csi = |handle: &str| json!({"csi": {"driver": "csi.io", "volumeHandle": handle}});
    let drivers = json!([{"name": "csi.io", "nodeID": "n", "topologyKeys": [], "allocatable": {"count": 2}}]);
    let mut objects = vec![
        node("n0", json!({})),
        node("n1", json!({})),
        csi_node("n0", drivers),
        pod("run", "n0", json!([uses("a"), uses("b")])),
        pod("same", "", json!([uses("a")])),
        pod("third", "", json!([uses("c")])),
    ];
    for name in ["a", "b", "c"] {
        objects.push(claim(name, json!({"volumeName": name})));
        objects.push(volume(name, "10Gi", json!({}), csi(name)));
    }
    let cluster = Cluster::new(&objects);
    assert_eq!(verdicts(&cluster, "same"), ["fits", "fits"]);
    assert_eq!(verdicts(&cluster, "third"), [LIMIT, "fits"]);

    // Attached, wanted, but not used by any pod: it counts once as attached and once as new.
    objects[3] = pod("run", "n0", json!([uses("a")]));
    objects.push(
        json!({"apiVersion": "storage.k8s.io/v1", "kind": "VolumeAttachment", "metadata": {"name": "x"},
        "spec": {"attacher": "csi.io", "nodeName": "n0", "source": {"persistentVolumeName": "c"}}}),
    );
    assert_eq!(verdicts(&Cluster::new(&objects), "third"), [LIMIT, "fits"]);
}

#[test]
fn missing_driver_keeps_pods_away_when_it_asks_for_it() {
    let cluster = Cluster::new(&[
        node("n0", json!({})),
        node("n1", json!({})),
        csi_node(
            "n1",
            json!([{"name": "ebs.csi.aws.com", "nodeID": "n", "topologyKeys": []}]),
        ),
        json!({"apiVersion": "storage.k8s.io/v1", "kind": "CSIDriver", "metadata": {"name": "ebs.csi.aws.com"},
            "spec": {"preventPodSchedulingIfMissing": true}}),
        claim("own", json!({"volumeName": "own"})),
        volume(
            "own",
            "10Gi",
            json!({}),
            json!({"csi": {"driver": "ebs.csi.aws.com", "volumeHandle": "x"}}),
        ),
        pod("new", "", json!([uses("own")])),
        // In-tree volumes count as CSI only on nodes with a CSINode.
        pod(
            "inline",
            "",
            json!([{"awsElasticBlockStore": {"volumeID": "vol-1"}}]),
        ),
    ]);
    let missing = "NodeVolumeLimits U ebs.csi.aws.com CSI driver is not installed on the node";
    assert_eq!(verdicts(&cluster, "new"), [missing, "fits"]);
    assert_eq!(verdicts(&cluster, "inline"), ["fits", "fits"]);
}

#[test]
fn smallest_free_volume_is_bound_and_then_taken() {
    let mut cluster = Cluster::new(&[
        node("n0", json!({"disk": "a"})),
        node("n1", json!({"disk": "b"})),
        class("wait", "kubernetes.io/no-provisioner", json!({})),
        volume("big", "20Gi", json!({}), json!({"nodeAffinity": on("disk", "a")})),
        volume(
            "small",
            "15Gi",
            json!({}),
            json!({"nodeAffinity": on("disk", "a")}),
        ),
        volume("tiny", "5Gi", json!({}), json!({})),
        claim("c0", json!({})),
        claim("c1", json!({})),
        claim("c2", json!({})),
        pod("p0", "", json!([uses("c0")])),
        pod("p1", "", json!([uses("c1")])),
        pod("p2", "", json!([uses("c2")])),
    ]);
    let score = |cluster: &Cluster, name: &str| {
        let (cycle, _, _) = prefilter(&cluster.state, cluster.pod(name));
        cluster.state.score(&cycle, &cluster.nodes, 0, &SHAPE)
    };
    assert_eq!(verdicts(&cluster, "p0"), ["fits", NO_VOLUME]);
    assert_eq!(score(&cluster, "ns/p0"), 34, "10 of 15 GiB are used");
    schedule(&mut cluster, "p0", 0);
    assert_eq!(score(&cluster, "ns/p1"), 50, "10 of 20 GiB are used");
    schedule(&mut cluster, "p1", 0);
    assert_eq!(verdicts(&cluster, "p2"), [NO_VOLUME, NO_VOLUME]);
    // The claim outlives the pod; only undoing the reservation frees the volume.
    cluster.remove(cluster.pod("ns/p1"));
    assert_eq!(verdicts(&cluster, "p2"), [NO_VOLUME, NO_VOLUME]);
    cluster.state.unreserve(cluster.pod("ns/p1"));
    assert_eq!(score(&cluster, "ns/p2"), 50);
}

#[test]
fn volume_reserved_for_the_claim_decides_alone() {
    let reserved = json!({"claimRef": {"namespace": "ns", "name": "c"}, "nodeAffinity": on("disk", "b")});
    let cluster = Cluster::new(&[
        node("n0", json!({"disk": "a"})),
        node("n1", json!({"disk": "b"})),
        class("wait", "kubernetes.io/no-provisioner", json!({})),
        volume("free", "10Gi", json!({}), json!({})),
        volume("mine", "20Gi", json!({}), reserved),
        claim("c", json!({})),
        pod("new", "", json!([uses("c")])),
    ]);
    assert_eq!(verdicts(&cluster, "new"), [NO_VOLUME, "fits"]);
}

#[test]
fn provisioning_needs_topology_capacity_and_the_selected_node() {
    let topologies = json!({"allowedTopologies": [
        {"matchLabelExpressions": []},
        {"matchLabelExpressions": [{"key": "zone", "values": ["a", "b"]}]}]});
    let mut cluster = Cluster::new(&[
        node("n0", json!({"zone": "a"})),
        node("n1", json!({"zone": "b"})),
        node("n2", json!({"zone": "c"})),
        class("wait", "csi.io", topologies),
        json!({"apiVersion": "storage.k8s.io/v1", "kind": "CSIDriver", "metadata": {"name": "csi.io"},
            "spec": {"storageCapacity": true}}),
        json!({"apiVersion": "storage.k8s.io/v1", "kind": "CSIStorageCapacity", "storageClassName": "wait",
            "metadata": {"name": "a"}, "nodeTopology": {"matchLabels": {"zone": "a"}}, "capacity": "40Gi"}),
        json!({"apiVersion": "storage.k8s.io/v1", "kind": "CSIStorageCapacity", "storageClassName": "wait",
            "metadata": {"name": "b"}, "nodeTopology": {"matchLabels": {"zone": "b"}}, "capacity": "40Gi",
            "maximumVolumeSize": "9Gi"}),
        claim("c", json!({})),
        pod("new", "", json!([uses("c")])),
        pod("second", "", json!([uses("c")])),
    ]);
    assert_eq!(verdicts(&cluster, "new"), ["fits", NO_SPACE, NO_VOLUME]);
    let mut cycle = VolumeCycle::new(cluster.pod("ns/new"));
    cluster.state.prefilter(VolumePlugin::VolumeBinding, &mut cycle);
    assert_eq!(
        cluster.state.score(&cycle, &cluster.nodes, 0, &SHAPE),
        75,
        "10 of 40 GiB are used"
    );
    schedule(&mut cluster, "new", 0);
    assert_eq!(verdicts(&cluster, "second"), ["fits", NO_VOLUME, NO_VOLUME]);
}

#[test]
fn bound_volumes_bind_to_nodes_and_zones() {
    let labels =
        json!({"failure-domain.beta.kubernetes.io/zone": "a__b", "topology.kubernetes.io/region": ""});
    let cluster = Cluster::new(&[
        node("n0", json!({"topology.kubernetes.io/zone": "a", "disk": "a"})),
        node("n1", json!({"topology.kubernetes.io/zone": "c", "disk": "a"})),
        node("n2", json!({"disk": "a"})),
        node("n3", json!({"disk": "b"})),
        claim("c", json!({"volumeName": "v"})),
        volume("v", "10Gi", labels, json!({"nodeAffinity": on("disk", "a")})),
        claim("gone", json!({"volumeName": "gone"})),
        pod("new", "", json!([uses("c")])),
        pod("lost", "", json!([uses("gone")])),
    ]);
    assert_eq!(verdicts(&cluster, "new"), ["fits", ZONE, "fits", AFFINITY]);
    assert_eq!(
        verdicts(&cluster, "lost"),
        ["PreFilter VolumeZone UU persistentvolume \"gone\" not found"]
    );
}

#[test]
fn migrated_plugins_use_the_drivers_zone_label() {
    let migrated = |name: &str| {
        let mut node = csi_node(name, json!([]));
        node["metadata"]["annotations"] =
            json!({"storage.alpha.kubernetes.io/migrated-plugins": "kubernetes.io/aws-ebs"});
        node
    };
    let labels = json!({"topology.kubernetes.io/zone": "a"});
    let cluster = Cluster::new(&[
        node("n0", json!({"topology.ebs.csi.aws.com/zone": "a"})),
        node("n1", json!({"topology.ebs.csi.aws.com/zone": "b"})),
        node("n2", json!({"topology.ebs.csi.aws.com/zone": "b"})),
        migrated("n0"),
        migrated("n1"),
        claim("c", json!({"volumeName": "v"})),
        volume(
            "v",
            "10Gi",
            labels,
            json!({"awsElasticBlockStore": {"volumeID": "vol-1"}}),
        ),
        pod("new", "", json!([uses("c")])),
    ]);
    assert_eq!(verdicts(&cluster, "new"), ["fits", AFFINITY, "fits"]);
}

#[test]
fn claims_are_checked_before_any_node() {
    let ephemeral = || json!([{"ephemeral": {"volumeClaimTemplate": {"spec": {}}}}]);
    let mut lost = claim("lost", json!({"volumeName": "v"}));
    lost["status"] = json!({"phase": "Lost"});
    let mut deleting = claim("deleting", json!({}));
    deleting["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z".into();
    let objects = [
        node("n0", json!({})),
        class("wait", "csi.io", json!({})),
        lost,
        deleting,
        claim("immediate", json!({"storageClassName": "other"})),
        claim("stranger-v0", json!({})),
        pod("missing", "", json!([uses("none")])),
        pod("lost", "", json!([uses("lost")])),
        pod("deleting", "", json!([uses("deleting")])),
        pod("immediate", "", json!([uses("immediate")])),
        pod("early", "", ephemeral()),
        pod("stranger", "", ephemeral()),
    ];
    let cluster = Cluster::new(&objects);
    for (name, expected) in [
        (
            "missing",
            "VolumeRestrictions UU persistentvolumeclaim \"none\" not found",
        ),
        (
            "lost",
            "VolumeBinding UU persistentvolumeclaim \"lost\" bound to non-existent persistentvolume \"v\"",
        ),
        (
            "deleting",
            "VolumeBinding UU persistentvolumeclaim \"deleting\" is being deleted",
        ),
        (
            "immediate",
            "VolumeBinding UU pod has unbound immediate PersistentVolumeClaims",
        ),
        (
            "early",
            "VolumeBinding UU waiting for ephemeral volume controller to create the persistentvolumeclaim \"early-v0\"",
        ),
        (
            "stranger",
            "VolumeBinding UU PVC ns/stranger-v0 was not created for pod ns/stranger (pod is not owner)",
        ),
    ] {
        assert_eq!(verdicts(&cluster, name), [format!("PreFilter {expected}")]);
    }
}

#[test]
fn pods_without_such_volumes_are_not_kept() {
    let mut cluster = Cluster::new(&[
        node("n0", json!({})),
        pod(
            "new",
            "",
            json!([{"emptyDir": {}}, {"csi": {"driver": "csi.io"}}]),
        ),
    ]);
    let number = cluster.pod("ns/new");
    let pod = cluster.pods[number as usize].clone();
    assert!(!cluster.state.add_pod(number, &pod));
    assert_eq!(prefilter(&cluster.state, number).1, []);
}
