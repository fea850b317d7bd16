package gen

import (
	"fmt"
	"strconv"
)

// addNodes adds the cluster's nodes: a few shapes, a few zones, with everything a node may lack.
func (w *world) addNodes() {
	w.usedZones = some(w.source, 1, len(zones), zones...)
	style := w.IntN(3)
	for i := range w.between(w.nodes[0], w.nodes[1]) {
		name := fmt.Sprintf("node-%03d", i)
		switch {
		case style == 1:
			// Lexical order is not numerical order.
			name = fmt.Sprintf("n%d", i+1)
		case style == 2 && w.chance(30):
			name = fmt.Sprintf("worker-%d.example.internal", i)
		}
		w.nodeNames = append(w.nodeNames, name)
		w.add(w.node(name, i))
	}
}

// node makes one node.
func (w *world) node(name string, index int) tree {
	spec := tree{}
	if taints := w.taintList(); len(taints) > 0 {
		spec["taints"] = taints
	}
	if w.chance(w.cordoned) {
		spec["unschedulable"] = true
		if w.chance(70) {
			taints, _ := spec["taints"].(list)
			spec["taints"] = append(taints, tree{"key": "node.kubernetes.io/unschedulable", "effect": "NoSchedule"})
		}
	}
	allocatable := w.allocatable()
	status := tree{"allocatable": allocatable, "capacity": allocatable}
	switch {
	case w.chance(5):
		// The API server copies capacity to allocatable.
		delete(status, "allocatable")
	case w.chance(10):
		capacity := tree{}
		for resource, quantity := range allocatable {
			capacity[resource] = quantity
		}
		capacity["cpu"], capacity["memory"] = "999", "9Ti"
		status["capacity"] = capacity
	}
	if w.chance(w.images) {
		status["images"] = w.imageList()
	}
	if w.chance(w.rich / 2) {
		status["declaredFeatures"] = some(w.source, 1, 3, "RestartAllContainersOnContainerExits", "UserNamespacesHostNetworkSupport",
			"VolumeBindMountOptions")
	}
	return tree{"apiVersion": "v1", "kind": "Node", "metadata": tree{"name": name, "labels": w.nodeLabels(name, index)}, "spec": spec,
		"status": status}
}

// nodeLabels makes the labels of a node.
func (w *world) nodeLabels(name string, index int) tree {
	labels := tree{"kubernetes.io/hostname": name, "kubernetes.io/os": "linux", "kubernetes.io/arch": pick(w.source, "amd64", "amd64", "arm64")}
	if w.chance(w.oddNames) {
		if w.chance(50) {
			delete(labels, "kubernetes.io/hostname")
		} else {
			labels["kubernetes.io/hostname"] = fmt.Sprintf("host-%d", index/2)
		}
	}
	zone := pick(w.source, w.usedZones...)
	prefix := "topology.kubernetes.io/"
	if w.chance(w.oddNames) {
		prefix = "failure-domain.beta.kubernetes.io/"
	}
	if !w.chance(w.oddNames) {
		labels[prefix+"zone"] = zone
	}
	if !w.chance(w.oddNames * 2) {
		labels[prefix+"region"] = zone[:4]
	}
	if w.chance(75) {
		labels["example.com/rack"] = pick(w.source, racks...)
	}
	if w.chance(50) {
		labels["gpu-type"] = pick(w.source, gpuTypes...)
		labels["gpu-count"] = pick(w.source, "1", "2", "4", "8", "-1", "08", "many", "", "9223372036854775807", "9223372036854775808")
	}
	if w.chance(20) {
		labels["node-role.kubernetes.io/worker"] = ""
	}
	return labels
}

// allocatable makes a node's resources.
func (w *world) allocatable() tree {
	cpu := pick(w.source, int64(2000), 4000, 8000, 16000, 3920, 7910)
	memory := pick(w.source, 4*gibibyte, 8*gibibyte, 16*gibibyte, 32*gibibyte, 7951855*1024, 17022832181)
	resources := tree{"cpu": w.cpu(cpu), "memory": w.bytes(memory), "pods": w.count(pick(w.source, 110, 110, 30, 8, 4))}
	if w.chance(60) {
		resources["ephemeral-storage"] = w.bytes(pick(w.source, 20*gibibyte, 100*gibibyte))
	}
	if w.chance(55) {
		resources["nvidia.com/gpu"] = w.count(pick(w.source, 0, 1, 2, 4, 8))
	}
	if w.chance(20) {
		resources["example.com/nic"] = w.count(pick(w.source, 1, 2))
	}
	if w.chance(20) {
		resources["hugepages-2Mi"] = w.bytes(pick(w.source, 64*mebibyte, 512*mebibyte))
	}
	if w.chance(w.oddNames / 2) {
		delete(resources, pick(w.source, "pods", "cpu", "memory"))
	}
	return resources
}

// taintList makes a node's taints; a key may appear with two effects.
func (w *world) taintList() list {
	var taints list
	if !w.chance(w.taints) {
		return taints
	}
	for range w.between(1, 3) {
		taint := tree{"key": pick(w.source, taintKeys...), "effect": pick(w.source, effects...)}
		if value := pick(w.source, taintVals...); value != "" || w.chance(50) {
			taint["value"] = value
		}
		if taint["effect"] == "NoExecute" && w.chance(50) {
			taint["timeAdded"] = "2026-01-01T00:00:00Z"
		}
		taints = append(taints, taint)
	}
	return taints
}

// imageList makes the images a node holds, with sizes around the thresholds of ImageLocality (23 MiB and 1000 MiB a container).
func (w *world) imageList() list {
	var present list
	for _, image := range some(w.source, 1, len(images), images...) {
		names := list{image}
		switch image {
		case "busybox":
			names = list{pick(w.source, "mirror.example/busybox:latest", "busybox:latest", "busybox")}
		case "models.example/vision", "models.example:5000/ranker":
			names = list{image + ":latest"}
		}
		if w.chance(30) {
			names = append(names, fmt.Sprintf("%v-other@sha256:%064d", image, 7))
		}
		size := pick(w.source, 5*mebibyte, 23*mebibyte, 24*mebibyte, 300*mebibyte, 999*mebibyte, 8*gibibyte)
		present = append(present, tree{"names": names, "sizeBytes": size})
	}
	return present
}

// number is a label value for Gt and Lt.
func (w *world) number() string {
	return pick(w.source, "0", "1", "2", "4", "-2", strconv.Itoa(w.IntN(10)))
}
