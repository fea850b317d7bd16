package gen

import (
	"fmt"
)

const (
	driver      = "csi.example.com"
	bindDone    = "pv.kubernetes.io/bind-completed"
	hostnameKey = "kubernetes.io/hostname"
	zoneKey     = "topology.kubernetes.io/zone"
)

// addStorage adds storage classes, drivers, node limits, volumes and claims of every state.
func (w *world) addStorage() {
	w.claims = map[string][]string{}
	class := func(name, provisioner string, extra tree) {
		object := tree{"apiVersion": "storage.k8s.io/v1", "kind": "StorageClass", "metadata": tree{"name": name}, "provisioner": provisioner}
		for key, value := range extra {
			object[key] = value
		}
		w.add(object)
	}
	class("local", "kubernetes.io/no-provisioner", tree{"volumeBindingMode": "WaitForFirstConsumer"})
	dynamic := tree{"volumeBindingMode": "WaitForFirstConsumer"}
	if w.chance(50) {
		dynamic["allowedTopologies"] = list{tree{"matchLabelExpressions": list{tree{"key": zoneKey, "values": some(w.source, 1, 2, zones...)}}}}
	}
	class("dynamic", driver, dynamic)
	// Without a mode the API server sets Immediate.
	class("immediate", driver, pick(w.source, tree{}, tree{"volumeBindingMode": "Immediate"}))
	w.addDriver()
	for _, namespace := range w.usedNames {
		for range w.between(2, 6) {
			w.addClaim(namespace)
		}
		if w.chance(30) {
			w.claims[namespace] = append(w.claims[namespace], "missing")
		}
	}
	// Free volumes for the claims that wait for their first consumer. Sizes differ, so that the smallest fitting one is unique.
	for range w.between(0, 8) {
		pv := w.volume("local", w.size())
		if w.chance(15) {
			pv["metadata"].(tree)["labels"] = tree{"disk": pick(w.source, "ssd", "hdd")}
		}
		if w.chance(5) {
			pv["metadata"].(tree)["deletionTimestamp"] = "2026-01-02T00:00:00Z"
			pv["metadata"].(tree)["finalizers"] = list{"kubernetes.io/pv-protection"}
		}
		w.add(pv)
	}
}

// size is a capacity no other volume has.
func (w *world) size() string {
	return fmt.Sprintf("%dMi", w.between(1, 10)*1024+w.next())
}

// addDriver adds the CSI driver, its limits on nodes and its free capacity.
func (w *world) addDriver() {
	tracked := w.chance(75)
	if w.chance(90) {
		spec := tree{"storageCapacity": tracked, "attachRequired": true}
		if w.chance(15) {
			spec["preventPodSchedulingIfMissing"] = true
		}
		w.add(tree{"apiVersion": "storage.k8s.io/v1", "kind": "CSIDriver", "metadata": tree{"name": driver}, "spec": spec})
	}
	for _, node := range w.nodeNames {
		if !w.chance(60) {
			continue
		}
		var drivers list
		if w.chance(85) {
			entry := tree{"name": driver, "nodeID": node, "topologyKeys": list{zoneKey}}
			if w.chance(75) {
				entry["allocatable"] = tree{"count": w.between(1, 4)}
			}
			drivers = list{entry}
		}
		w.add(tree{"apiVersion": "storage.k8s.io/v1", "kind": "CSINode", "metadata": tree{"name": node}, "spec": tree{"drivers": drivers}})
	}
	if !tracked {
		return
	}
	for i, zone := range w.usedZones {
		capacity := tree{"apiVersion": "storage.k8s.io/v1", "kind": "CSIStorageCapacity", "metadata": tree{"name": fmt.Sprintf("capacity-%d", i),
			"namespace": "default"}, "storageClassName": "dynamic"}
		capacity["nodeTopology"] = tree{"matchLabels": tree{zoneKey: zone}}
		// Without a capacity (maximumVolumeSize alone is legal) the score of VolumeBinding crashes the v1.37.2 scheduler.
		capacity["capacity"] = fmt.Sprintf("%dGi", w.between(0, 20))
		if w.chance(30) {
			capacity["maximumVolumeSize"] = fmt.Sprintf("%dGi", w.between(1, 10))
		}
		if w.chance(10) {
			delete(capacity, "nodeTopology")
		}
		w.add(capacity)
	}
}

// volume makes a persistent volume that some nodes reach.
func (w *world) volume(class, size string) tree {
	name := fmt.Sprintf("pv-%d", w.next())
	metadata := tree{"name": name}
	spec := tree{"capacity": tree{"storage": size}, "accessModes": list{"ReadWriteOnce"}, "storageClassName": class,
		"csi": tree{"driver": driver, "volumeHandle": "handle-" + name}}
	if w.chance(10) {
		spec["accessModes"] = list{"ReadWriteOnce", "ReadWriteMany"}
	}
	if w.chance(5) {
		spec["volumeMode"] = "Block"
	}
	reach := func(key string, values ...string) {
		spec["nodeAffinity"] = tree{"required": tree{"nodeSelectorTerms": list{tree{"matchExpressions": list{
			tree{"key": key, "operator": "In", "values": values}}}}}}
	}
	switch w.IntN(5) {
	case 0:
		reach(zoneKey, some(w.source, 1, 2, zones...)...)
	case 1, 2:
		reach(hostnameKey, some(w.source, 1, 3, w.nodeNames...)...)
	case 3:
		labels := tree{pick(w.source, zoneKey, zoneKey, "failure-domain.beta.kubernetes.io/zone"): pick(w.source, zones[0], zones[1],
			zones[0]+"__"+zones[2])}
		if w.chance(40) {
			labels["topology.kubernetes.io/region"] = pick(w.source, regions...)
		}
		metadata["labels"] = labels
	}
	return tree{"apiVersion": "v1", "kind": "PersistentVolume", "metadata": metadata, "spec": spec, "status": tree{"phase": "Available"}}
}
