// Package benchgen makes large, regular cases for measuring speed. They hold no randomness at all.
package benchgen

import (
	"encoding/json"
	"fmt"
	"slices"

	"bayplan/conformance/internal/casefile"
)

type (
	tree = map[string]any
	list = []any
)

const (
	hostKey = "kubernetes.io/hostname"
	zoneKey = "topology.kubernetes.io/zone"
	group   = 50 // pods of one application, where a scenario has many
)

// scenarios say what pod number i looks like.
var scenarios = map[string]func(i int) tree{
	// basic: one GPU each and nothing else.
	"basic": func(i int) tree { return pod(i, "worker", 1, nil) },
	// anti: no two pods of an application on a node.
	"anti": func(i int) tree {
		app := application(i)
		return pod(i, app, 1, tree{"affinity": tree{"podAntiAffinity": tree{"requiredDuringSchedulingIgnoredDuringExecution": list{term("app", app)}}}})
	},
	// prefer: near the application before, apart from one's own.
	"prefer": func(i int) tree {
		return pod(i, application(i), 1, tree{"affinity": tree{
			"podAffinity":     preferred(80, "app", application(max(i-group, 0))),
			"podAntiAffinity": preferred(50, "model", application(i))}})
	},
	// spread: even over zones by force, over nodes if possible.
	"spread": func(i int) tree {
		selector := tree{"matchLabels": tree{"app": application(i)}}
		return pod(i, application(i), 1, tree{"topologySpreadConstraints": list{
			tree{"maxSkew": 1, "topologyKey": zoneKey, "whenUnsatisfiable": "DoNotSchedule", "labelSelector": selector},
			tree{"maxSkew": 1, "topologyKey": hostKey, "whenUnsatisfiable": "ScheduleAnyway", "labelSelector": selector}}})
	},
	// inference: gateways first, then 40 models on the larger GPUs, near the gateways, apart from themselves, even over zones.
	"inference": func(i int) tree {
		if i < 60 {
			return pod(i, "gateway", 0, tree{"affinity": tree{"podAntiAffinity": preferred(40, "app", "gateway")}})
		}
		model := fmt.Sprintf("model-%d", i%40)
		gpus := list{tree{"matchExpressions": list{tree{"key": "accelerator", "operator": "In", "values": list{"a100", "l40"}}}}}
		return pod(i, model, 1, tree{
			"affinity": tree{
				"nodeAffinity":    tree{"requiredDuringSchedulingIgnoredDuringExecution": tree{"nodeSelectorTerms": gpus}},
				"podAffinity":     preferred(80, "app", "gateway"),
				"podAntiAffinity": preferred(50, "model", model)},
			"topologySpreadConstraints": list{tree{"maxSkew": 1, "topologyKey": zoneKey, "whenUnsatisfiable": "ScheduleAnyway",
				"labelSelector": tree{"matchLabels": tree{"model": model}}}}})
	},
}

// Generate makes a case of a scenario with so many nodes and pending pods.
func Generate(scenario string, nodes, pods int) (casefile.Case, error) {
	podOf, ok := scenarios[scenario]
	if !ok {
		var names []string
		for name := range scenarios {
			names = append(names, name)
		}
		slices.Sort(names)
		return casefile.Case{}, fmt.Errorf("no scenario is named %q; there are %v", scenario, names)
	}
	question := casefile.Case{Name: fmt.Sprintf("%s-%d-nodes-%d-pods", scenario, nodes, pods)}
	objects := list{tree{"apiVersion": "v1", "kind": "Namespace", "metadata": tree{"name": "inference"}}}
	for i := range nodes {
		objects = append(objects, node(i))
	}
	for i := range pods {
		one := podOf(i)
		objects = append(objects, one)
		question.Pending = append(question.Pending, "inference/"+one["metadata"].(tree)["name"].(string))
	}
	for _, object := range objects {
		raw, err := json.Marshal(object)
		if err != nil {
			return casefile.Case{}, err
		}
		question.Objects = append(question.Objects, raw)
	}
	return question, nil
}

// node makes node number i: three zones, racks of sixteen, three kinds of GPU, eight of them each.
func node(i int) tree {
	name := fmt.Sprintf("gpu-%05d", i)
	resources := tree{"cpu": "64", "memory": "512Gi", "pods": "110", "nvidia.com/gpu": "8"}
	return tree{"apiVersion": "v1", "kind": "Node",
		"metadata": tree{"name": name, "labels": tree{hostKey: name, zoneKey: fmt.Sprintf("zone-%d", i%3),
			"example.com/rack": fmt.Sprintf("rack-%d", i/16), "accelerator": []string{"a100", "l40", "t4"}[i%3]}},
		"status": tree{"allocatable": resources, "capacity": resources}}
}

// pod makes pod number i of an application.
func pod(i int, app string, gpus int, extra tree) tree {
	resources := tree{"requests": tree{"cpu": "1", "memory": "4Gi"}}
	if gpus > 0 {
		resources["limits"] = tree{"nvidia.com/gpu": fmt.Sprint(gpus)}
	}
	spec := tree{"containers": list{tree{"name": "server", "image": "models.example/server:v1", "resources": resources}}}
	for key, value := range extra {
		spec[key] = value
	}
	name := fmt.Sprintf("%s-%d", app, i)
	return tree{"apiVersion": "v1", "kind": "Pod", "metadata": tree{"name": name, "namespace": "inference", "uid": "uid-" + name,
		"labels": tree{"app": app, "model": app}}, "spec": spec}
}

func application(i int) string {
	return fmt.Sprintf("app-%d", i/group)
}

// term selects pods with a label on the same node.
func term(key, value string) tree {
	return tree{"labelSelector": tree{"matchLabels": tree{key: value}}, "topologyKey": hostKey}
}

// preferred makes a soft affinity rule of one term.
func preferred(weight int, key, value string) tree {
	return tree{"preferredDuringSchedulingIgnoredDuringExecution": list{tree{"weight": weight, "podAffinityTerm": term(key, value)}}}
}
