package gen

import (
	"fmt"
)

// addRunning adds pods that have a node, and some that finished or whose node is gone.
func (w *world) addRunning() {
	count := w.between(w.running[0], w.running[1])
	perNode := map[string]int{}
	for range count {
		node := pick(w.source, w.nodeNames...)
		// Go sorts up to twelve elements with a stable method; the order of equal victims is defined only then. Two are left
		// for pods placed during the case.
		if w.preempt && perNode[node] == 10 {
			continue
		}
		perNode[node]++
		pod := w.pod(fmt.Sprintf("run-%d", w.next()))
		w.place(pod, node)
		w.add(pod)
	}
}

// place gives a pod a node and the status of a running pod.
func (w *world) place(pod tree, node string) {
	if w.chance(1) && !w.preempt {
		node = "gone"
	}
	spec, metadata := pod["spec"].(tree), pod["metadata"].(tree)
	spec["nodeName"] = node
	// Mostly distinct start times: they decide between victims.
	second := w.serial
	if w.chance(15) {
		second = w.serial / 8
	}
	status := tree{"phase": "Running", "startTime": fmt.Sprintf("2026-01-01T%02d:%02d:%02dZ", second/3600, second/60%60, second%60)}
	if w.chance(3) {
		status["phase"] = pick(w.source, "Succeeded", "Failed", "Pending")
	}
	if w.chance(w.terminating) {
		metadata["deletionTimestamp"] = "2026-01-02T00:00:00Z"
		metadata["finalizers"] = list{"example.com/hold"}
		if w.chance(50) {
			status["conditions"] = list{tree{"type": "DisruptionTarget", "status": "True", "reason": "PreemptionByScheduler"}}
		}
	}
	if w.chance(w.resized) {
		w.resize(spec, status)
	}
	pod["status"] = status
}

// addPending adds the pods to schedule, in groups of replicas, and returns their names.
func (w *world) addPending() []string {
	var names []string
	wanted := w.between(w.pending[0], w.pending[1])
	for group := 0; len(names) < wanted; group++ {
		model := w.pod("")
		replicas := w.between(1, min(4, wanted-len(names)))
		if w.long() {
			replicas = w.between(1, min(25, wanted-len(names)))
		}
		for i := range replicas {
			name := fmt.Sprintf("new-%d-%d", group, i)
			pod := w.replica(model, name)
			names = append(names, pod["metadata"].(tree)["namespace"].(string)+"/"+name)
			w.add(pod)
		}
	}
	if w.chance(w.nominated) {
		// Pods that wait for the room preemption made for them; they are not scheduled in this case.
		for range w.between(1, 3) {
			pod := w.pod(fmt.Sprintf("nominated-%d", w.next()))
			pod["status"] = tree{"phase": "Pending", "nominatedNodeName": pick(w.source, w.nodeNames...)}
			w.add(pod)
		}
	}
	return names
}

// replica copies a group's model; now and then a replica is nominated or pinned on its own, as DaemonSet pods are.
func (w *world) replica(model tree, name string) tree {
	metadata, spec := tree{}, tree{}
	for key, value := range model["metadata"].(tree) {
		metadata[key] = value
	}
	for key, value := range model["spec"].(tree) {
		spec[key] = value
	}
	metadata["name"], metadata["uid"] = name, "uid-"+name
	if w.chance(w.urgent) {
		spec["priority"] = pick(w.source, 50, 100, 1000, 1000, 2000001000)
	}
	pod := tree{"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec}
	if w.chance(w.pinned) {
		affinity := tree{"nodeAffinity": tree{"requiredDuringSchedulingIgnoredDuringExecution": tree{"nodeSelectorTerms": w.pinnedTerms()}}}
		if given, ok := spec["affinity"].(tree); ok {
			for key, value := range given {
				if key != "nodeAffinity" {
					affinity[key] = value
				}
			}
		}
		spec["affinity"] = affinity
	}
	if w.volumes > 0 && w.chance(6) {
		given, _ := spec["volumes"].(list)
		spec["volumes"] = append(append(list{}, given...), w.ephemeral(metadata["namespace"].(string), name))
	}
	if w.chance(w.nominated / 3) {
		pod["status"] = tree{"phase": "Pending", "nominatedNodeName": pick(w.source, append([]string{"gone"}, w.nodeNames...)...)}
	}
	return pod
}

// pod makes a pod without a node.
func (w *world) pod(name string) tree {
	app := pick(w.source, apps...)
	namespace := pick(w.source, w.usedNames...)
	metadata := tree{"name": name, "namespace": namespace, "uid": "uid-" + name, "labels": w.podLabels(app)}
	if w.chance(w.owners) {
		metadata["ownerReferences"] = list{w.owner(app)}
	}
	spec := w.containers()
	if w.chance(w.nodeAffinity) {
		w.chooseNodes(spec)
	}
	w.addPodAffinity(spec)
	if w.chance(w.spread) {
		spec["topologySpreadConstraints"] = w.constraints()
	}
	if w.chance(w.tolerations) {
		spec["tolerations"] = w.tolerationList()
	}
	if w.chance(w.priorities) {
		spec["priority"] = pick(w.source, -10, 0, 0, 5, 10, 100, 1000, 2000001000)
		if w.chance(10) {
			spec["preemptionPolicy"] = "Never"
		}
	}
	if len(w.profiles) > 0 && w.chance(60) {
		spec["schedulerName"] = pick(w.source, w.profiles...)
	}
	if w.chance(w.volumes) {
		if volumes := w.podVolumes(namespace, name); len(volumes) > 0 {
			given, _ := spec["volumes"].(list)
			spec["volumes"] = append(given, volumes...)
		}
	}
	return tree{"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec}
}

// podLabels makes the labels of a pod of an application.
func (w *world) podLabels(app string) tree {
	labels := tree{"app": app}
	if w.chance(5) {
		delete(labels, "app")
	}
	if w.chance(60) {
		labels["tier"] = pick(w.source, tiers...)
	}
	if w.chance(30) {
		labels["version"] = pick(w.source, versions...)
	}
	if w.chance(30) {
		labels["pod-template-hash"] = pick(w.source, "5f6d", "77c9b")
	}
	return labels
}

// tolerationList makes tolerations of every form.
func (w *world) tolerationList() list {
	var tolerations list
	for range w.between(1, 3) {
		toleration := tree{}
		if !w.chance(10) {
			toleration["key"] = pick(w.source, append([]string{"node.kubernetes.io/unschedulable"}, taintKeys...)...)
		}
		switch {
		case toleration["key"] == nil || w.chance(40):
			toleration["operator"] = "Exists"
		case w.chance(60):
			toleration["operator"] = "Equal"
			toleration["value"] = pick(w.source, taintVals...)
		default:
			// No operator means Equal.
			toleration["value"] = pick(w.source, taintVals...)
		}
		if w.chance(60) {
			toleration["effect"] = pick(w.source, effects...)
			if toleration["effect"] == "NoExecute" && w.chance(50) {
				toleration["tolerationSeconds"] = 300
			}
		}
		tolerations = append(tolerations, toleration)
	}
	return tolerations
}
