package gen

import (
	"fmt"
)

// world is a case in the making.
type world struct {
	source
	dials

	objects list
	// nodeNames, usedZones and so on are what later objects refer to.
	nodeNames []string
	usedZones []string
	usedNames []string // namespaces in use
	// profiles are the scheduler names of the configuration.
	profiles []string
	// claims holds the claim names of each namespace.
	claims map[string][]string
	serial int
}

func (w *world) add(object tree) {
	w.objects = append(w.objects, object)
}

// long tells the cases whose pods are placed by the scheduler's own cycle, where the order of the nodes decides ties.
func (w *world) long() bool {
	return w.pending[1] > 10
}

// next numbers things.
func (w *world) next() int {
	w.serial++
	return w.serial
}

// addNamespaces adds Namespace objects; now and then one in use has none.
func (w *world) addNamespaces() {
	w.usedNames = some(w.source, 1, len(namespaces), namespaces...)
	for _, name := range w.usedNames {
		if w.chance(8) {
			continue
		}
		labels := tree{}
		if w.chance(70) {
			labels["env"] = pick(w.source, "prod", "dev", "")
		}
		if w.chance(50) {
			labels["team"] = pick(w.source, "red", "blue")
		}
		w.add(tree{"apiVersion": "v1", "kind": "Namespace", "metadata": tree{"name": name, "labels": labels}})
	}
}

// addControllers adds the objects default spreading looks at: Services, ReplicaSets, StatefulSets, ReplicationControllers.
func (w *world) addControllers() {
	if w.owners == 0 {
		return
	}
	for _, namespace := range w.usedNames {
		for _, app := range apps {
			if w.chance(40) {
				selector := tree{"app": app}
				if w.chance(25) {
					selector["tier"] = pick(w.source, tiers...)
				}
				if w.chance(5) {
					selector = tree{}
				}
				w.add(tree{"apiVersion": "v1", "kind": "Service", "metadata": tree{"name": app, "namespace": namespace},
					"spec": tree{"selector": selector, "ports": list{tree{"port": 80}}}})
			}
			template := tree{"metadata": tree{"labels": tree{"app": app}}, "spec": tree{"containers": list{tree{"name": "c", "image": "x"}}}}
			selector := tree{"matchLabels": tree{"app": app}}
			if w.chance(20) {
				selector = tree{"matchExpressions": list{tree{"key": "app", "operator": "In", "values": list{app, "other"}}}}
			}
			if w.chance(60) {
				w.add(tree{"apiVersion": "apps/v1", "kind": "ReplicaSet", "metadata": tree{"name": app + "-rs", "namespace": namespace},
					"spec": tree{"replicas": 3, "selector": selector, "template": template}})
			}
			if w.chance(30) {
				w.add(tree{"apiVersion": "apps/v1", "kind": "StatefulSet", "metadata": tree{"name": app + "-sts", "namespace": namespace},
					"spec": tree{"replicas": 3, "selector": selector, "serviceName": app, "template": template}})
			}
			if w.chance(15) {
				w.add(tree{"apiVersion": "v1", "kind": "ReplicationController", "metadata": tree{"name": app + "-rc", "namespace": namespace},
					"spec": tree{"replicas": 3, "selector": tree{"app": app}, "template": template}})
			}
		}
	}
}

// owner makes an owner reference; the owner may be missing or of a kind the scheduler does not know.
func (w *world) owner(app string) tree {
	kind := pick(w.source,
		[3]string{"apps/v1", "ReplicaSet", "-rs"}, [3]string{"apps/v1", "ReplicaSet", "-rs"}, [3]string{"apps/v1", "StatefulSet", "-sts"},
		[3]string{"v1", "ReplicationController", "-rc"}, [3]string{"batch/v1", "Job", "-job"}, [3]string{"apps/v1", "DaemonSet", "-ds"})
	reference := tree{"apiVersion": kind[0], "kind": kind[1], "name": app + kind[2], "uid": "owner-" + app + kind[2], "controller": true}
	if w.chance(5) {
		reference["controller"] = false
	}
	return reference
}

// addBudgets adds PodDisruptionBudgets with a status, as the disruption controller would have written it.
func (w *world) addBudgets() {
	for _, namespace := range w.usedNames {
		for i := range w.between(0, 3) {
			spec := tree{"maxUnavailable": pick[any](w.source, 0, 1, 2, "50%")}
			if selector := w.selector(); selector != nil {
				spec["selector"] = selector
			}
			status := tree{"disruptionsAllowed": w.between(0, 3), "currentHealthy": 3, "desiredHealthy": 2, "expectedPods": 3}
			if w.chance(15) {
				status["disruptedPods"] = tree{fmt.Sprintf("run-%d", w.between(0, w.serial)): "2026-01-01T00:00:00Z"}
			}
			w.add(tree{"apiVersion": "policy/v1", "kind": "PodDisruptionBudget", "metadata": tree{
				"name": fmt.Sprintf("budget-%d", i), "namespace": namespace}, "spec": spec, "status": status})
		}
	}
}
