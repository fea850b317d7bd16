package gen

import (
	"fmt"
)

// claim makes a persistent volume claim.
func (w *world) claim(namespace, name, class, size string) tree {
	return tree{"apiVersion": "v1", "kind": "PersistentVolumeClaim",
		"metadata": tree{"name": name, "namespace": namespace, "uid": "claim-" + namespace + "-" + name},
		"spec": tree{"accessModes": list{"ReadWriteOnce"}, "storageClassName": class,
			"resources": tree{"requests": tree{"storage": size}}},
		"status": tree{"phase": "Pending"}}
}

// bind ties a claim to a volume; done says whether the binding is complete.
func bind(claim, volume tree, done bool) {
	metadata := claim["metadata"].(tree)
	claim["spec"].(tree)["volumeName"] = volume["metadata"].(tree)["name"]
	volume["spec"].(tree)["claimRef"] = tree{"kind": "PersistentVolumeClaim", "namespace": metadata["namespace"], "name": metadata["name"],
		"uid": metadata["uid"]}
	if done {
		metadata["annotations"] = tree{bindDone: "yes"}
		claim["status"], volume["status"] = tree{"phase": "Bound"}, tree{"phase": "Bound"}
	}
}

// addClaim adds a claim in one of the states a scheduler meets, with its volume if it has one.
func (w *world) addClaim(namespace string) {
	name := fmt.Sprintf("data-%d", w.next())
	w.claims[namespace] = append(w.claims[namespace], name)
	request := fmt.Sprintf("%dGi", w.between(1, 8))
	switch w.IntN(18) {
	case 0, 1, 2:
		volume := w.volume(pick(w.source, "local", "dynamic", "immediate"), "10Gi")
		claim := w.claim(namespace, name, volume["spec"].(tree)["storageClassName"].(string), "5Gi")
		if w.chance(20) {
			volume["spec"].(tree)["accessModes"] = list{"ReadWriteOncePod"}
			claim["spec"].(tree)["accessModes"] = list{"ReadWriteOncePod"}
		}
		bind(claim, volume, true)
		w.add(volume)
		w.add(claim)
	case 3, 4, 5, 6, 7:
		claim := w.claim(namespace, name, "local", request)
		if w.chance(20) {
			claim["spec"].(tree)["selector"] = tree{"matchLabels": tree{"disk": "ssd"}}
		}
		w.add(claim)
	case 8, 9, 10, 11, 12, 13:
		claim := w.claim(namespace, name, "dynamic", request)
		if w.chance(20) {
			claim["metadata"].(tree)["annotations"] = tree{"volume.kubernetes.io/selected-node": pick(w.source, w.nodeNames...)}
		}
		w.add(claim)
	case 14:
		w.add(w.claim(namespace, name, "immediate", request))
	case 15:
		claim := w.claim(namespace, name, "local", request)
		claim["metadata"].(tree)["deletionTimestamp"] = "2026-01-02T00:00:00Z"
		claim["metadata"].(tree)["finalizers"] = list{"kubernetes.io/pvc-protection"}
		w.add(claim)
	case 16:
		claim := w.claim(namespace, name, "local", request)
		claim["spec"].(tree)["volumeName"] = "pv-gone"
		if w.chance(70) {
			claim["metadata"].(tree)["annotations"] = tree{bindDone: "yes"}
			claim["status"] = tree{"phase": pick(w.source, "Bound", "Lost")}
		}
		w.add(claim)
	case 17:
		if w.chance(30) {
			w.addOrphan(namespace, name, request)
			return
		}
		// Bound from the volume's side only: the claim is still waiting.
		volume := w.volume("local", w.size())
		claim := w.claim(namespace, name, "local", "1Gi")
		bind(claim, volume, false)
		delete(claim["spec"].(tree), "volumeName")
		w.add(volume)
		w.add(claim)
	}
}

// addOrphan adds a claim without a class, or of one that does not exist.
func (w *world) addOrphan(namespace, name, request string) {
	claim := w.claim(namespace, name, pick(w.source, "", "absent"), request)
	if w.chance(40) {
		delete(claim["spec"].(tree), "storageClassName")
	}
	w.add(claim)
}

// podVolumes makes the volumes of a pod: claims of its namespace, ephemeral ones, and disks only one pod may use.
func (w *world) podVolumes(namespace, pod string) list {
	var volumes list
	for i, claim := range some(w.source, pick(w.source, 0, 1, 1), 2, w.claims[namespace]...) {
		source := tree{"claimName": claim}
		if w.chance(10) {
			source["readOnly"] = true
		}
		volumes = append(volumes, tree{"name": fmt.Sprintf("v%d", i), "persistentVolumeClaim": source})
	}
	if w.chance(6) {
		volumes = append(volumes, w.exclusive())
	}
	if w.chance(8) {
		volumes = append(volumes, tree{"name": "cache", "emptyDir": tree{}})
	}
	if pod != "" && w.chance(6) {
		volumes = append(volumes, w.ephemeral(namespace, pod))
	}
	return volumes
}

// exclusive makes a volume written into the pod that two pods on a node may not share.
func (w *world) exclusive() tree {
	disk := pick(w.source, "disk-1", "disk-2")
	readOnly := w.chance(30)
	switch w.IntN(4) {
	case 0:
		return tree{"name": "disk", "gcePersistentDisk": tree{"pdName": disk, "readOnly": readOnly}}
	case 1:
		return tree{"name": "disk", "awsElasticBlockStore": tree{"volumeID": disk, "readOnly": readOnly}}
	case 2:
		return tree{"name": "disk", "iscsi": tree{"targetPortal": "10.0.0.1", "iqn": "iqn.2026-01.example:" + disk, "lun": 0, "readOnly": readOnly}}
	default:
		return tree{"name": "disk", "rbd": tree{"monitors": some(w.source, 1, 2, "10.0.0.1", "10.0.0.2", "10.0.0.3"), "image": disk, "readOnly": readOnly}}
	}
}

// ephemeral makes a volume whose claim is made from a template; the claim may be missing or belong to someone else.
func (w *world) ephemeral(namespace, pod string) tree {
	if w.chance(80) {
		volume := w.volume("dynamic", "10Gi")
		claim := w.claim(namespace, pod+"-scratch", "dynamic", "5Gi")
		if w.chance(80) {
			claim["metadata"].(tree)["ownerReferences"] = list{tree{"apiVersion": "v1", "kind": "Pod", "name": pod, "uid": "uid-" + pod, "controller": true}}
		}
		bind(claim, volume, true)
		w.add(volume)
		w.add(claim)
	}
	return tree{"name": "scratch", "ephemeral": tree{"volumeClaimTemplate": tree{"spec": tree{"accessModes": list{"ReadWriteOnce"},
		"storageClassName": "dynamic", "resources": tree{"requests": tree{"storage": "5Gi"}}}}}}
}
