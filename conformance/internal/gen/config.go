package gen

import (
	"encoding/json"

	"sigs.k8s.io/yaml"
)

const configVersion = "kubescheduler.config.k8s.io/v1"

// configuration makes a KubeSchedulerConfiguration, as JSON or YAML text. A few are invalid.
func (w *world) configuration() string {
	w.profiles = nil
	var profiles list
	names := pick(w.source, []string{"default-scheduler"}, []string{"default-scheduler"}, []string{"default-scheduler", "packer"},
		[]string{"", "packer", "spreader"})
	for _, name := range names {
		profile := tree{}
		if name == "" {
			// The first profile's name defaults only when it stands alone; otherwise the configuration is invalid.
			name = "default-scheduler"
		}
		profile["schedulerName"] = name
		w.profiles = append(w.profiles, name)
		if w.chance(60) {
			profile["plugins"] = w.pluginSets()
		}
		if args := w.pluginArgs(); len(args) > 0 {
			profile["pluginConfig"] = args
		}
		if w.chance(10) {
			profile["percentageOfNodesToScore"] = w.between(0, 100)
		}
		profiles = append(profiles, profile)
	}
	configuration := tree{"apiVersion": configVersion, "kind": "KubeSchedulerConfiguration", "profiles": profiles}
	if w.chance(10) {
		configuration["percentageOfNodesToScore"] = w.between(0, 100)
	}
	if w.chance(10) {
		configuration["parallelism"] = w.between(1, 32)
	}
	if w.chance(5) {
		w.spoil(configuration)
	}
	return w.text(configuration)
}

// text writes a configuration in one of its two forms.
func (w *world) text(configuration tree) string {
	marshal := json.Marshal
	if w.chance(40) {
		marshal = yaml.Marshal
	}
	text, err := marshal(configuration)
	if err != nil {
		// Trees hold only strings, numbers, lists and maps.
		panic(err)
	}
	return string(text)
}

// scorers are the score plugins of the default profile.
var scorers = []string{"TaintToleration", "NodeAffinity", "NodeResourcesFit", "VolumeBinding", "PodTopologySpread", "InterPodAffinity",
	"DynamicResources", "NodeResourcesBalancedAllocation", "ImageLocality"}

// pluginSets enables, disables and weighs plugins.
func (w *world) pluginSets() tree {
	weigh := func(names []string) list {
		var enabled list
		for _, name := range names {
			plugin := tree{"name": name}
			if w.chance(85) {
				plugin["weight"] = w.between(0, 20)
			}
			enabled = append(enabled, plugin)
		}
		return enabled
	}
	name := func(names ...string) list {
		var named list
		for _, single := range names {
			named = append(named, tree{"name": single})
		}
		return named
	}
	chosen := some(w.source, 1, 4, scorers...)
	switch w.IntN(7) {
	case 0:
		return tree{"score": tree{"disabled": name(chosen...)}}
	case 1:
		return tree{"score": tree{"disabled": name("*"), "enabled": weigh(chosen)}}
	case 2:
		return tree{"score": tree{"disabled": name(chosen...), "enabled": weigh(chosen)}}
	case 3:
		return tree{"score": tree{"enabled": weigh(chosen)}}
	case 4:
		return tree{"multiPoint": tree{"enabled": weigh(chosen)}}
	case 5:
		gone := some(w.source, 1, 2, "TaintToleration", "NodeAffinity", "NodeUnschedulable", "NodePorts", "InterPodAffinity", "ImageLocality",
			"PodTopologySpread", "NodeResourcesFit", "NodeResourcesBalancedAllocation", "DefaultPreemption", "NodeName")
		return tree{"multiPoint": tree{"disabled": name(gone...)}}
	default:
		sets := tree{"multiPoint": tree{"disabled": name(some(w.source, 1, 1, "ImageLocality", "NodeAffinity")...)},
			"score": tree{"enabled": weigh(some(w.source, 1, 2, scorers[4], scorers[5], scorers[2]))}}
		if w.chance(30) {
			sets["filter"] = tree{"disabled": name(pick(w.source, "TaintToleration", "NodeResourcesFit", "InterPodAffinity", "NodePorts"))}
		}
		return sets
	}
}

// pluginArgs makes arguments for some plugins.
func (w *world) pluginArgs() list {
	var args list
	for _, kind := range some(w.source, 0, 4, "NodeResourcesFit", "NodeResourcesFit", "NodeResourcesBalancedAllocation", "InterPodAffinity",
		"PodTopologySpread", "NodeAffinity", "VolumeBinding", "DefaultPreemption") {
		body := tree{}
		switch kind {
		case "NodeResourcesFit":
			body = w.fitArgs()
		case "NodeResourcesBalancedAllocation":
			body["resources"] = w.weighted(1)
		case "InterPodAffinity":
			body["hardPodAffinityWeight"] = w.between(0, 100)
			if w.chance(50) {
				body["ignorePreferredTermsOfExistingPods"] = true
			}
		case "PodTopologySpread":
			body = w.spreadArgs()
		case "NodeAffinity":
			chosen := tree{}
			for chosen["affinity"] == nil {
				w.chooseNodes(chosen)
			}
			body["addedAffinity"] = chosen["affinity"].(tree)["nodeAffinity"]
		case "VolumeBinding":
			body["bindTimeoutSeconds"] = w.between(0, 900)
			if w.chance(70) {
				body["shape"] = w.shape()
			}
		case "DefaultPreemption":
			body["minCandidateNodesPercentage"], body["minCandidateNodesAbsolute"] = w.between(1, 100), w.between(1, 100)
		}
		body["apiVersion"], body["kind"] = configVersion, kind+"Args"
		if has(args, kind) {
			continue
		}
		args = append(args, tree{"name": kind, "args": body})
	}
	return args
}

func has(args list, kind string) bool {
	for _, given := range args {
		if given.(tree)["name"] == kind {
			return true
		}
	}
	return false
}

// weighted lists resources with weights up to a limit.
func (w *world) weighted(limit int) list {
	var resources list
	for _, name := range some(w.source, 1, 4, "cpu", "memory", "nvidia.com/gpu", "ephemeral-storage", "example.com/nic", "hugepages-2Mi") {
		resource := tree{"name": name}
		if limit == 1 || w.chance(90) {
			resource["weight"] = w.between(1, limit)
		}
		resources = append(resources, resource)
	}
	return resources
}

// fitArgs makes the arguments of NodeResourcesFit.
func (w *world) fitArgs() tree {
	body := tree{}
	if w.chance(15) {
		body["ignoredResources"] = some(w.source, 1, 2, "nvidia.com/gpu", "example.com/nic", "example.com/unknown")
	}
	if w.chance(10) {
		body["ignoredResourceGroups"] = list{"example.com"}
	}
	if w.chance(90) {
		strategy := tree{"type": pick(w.source, "LeastAllocated", "MostAllocated", "RequestedToCapacityRatio")}
		if w.chance(85) {
			strategy["resources"] = w.weighted(100)
		}
		if strategy["type"] == "RequestedToCapacityRatio" {
			strategy["requestedToCapacityRatio"] = tree{"shape": w.shape()}
		}
		body["scoringStrategy"] = strategy
	}
	return body
}

// shape makes points of a scoring function.
func (w *world) shape() list {
	var points list
	for at := w.between(0, 40); at <= 100; at += w.between(1, 50) {
		points = append(points, tree{"utilization": at, "score": w.between(0, 10)})
	}
	return points
}

// spreadArgs makes the arguments of PodTopologySpread.
func (w *world) spreadArgs() tree {
	if w.chance(20) {
		return tree{"defaultingType": "System"}
	}
	body := tree{"defaultingType": "List"}
	var constraints list
	for _, key := range some(w.source, 0, 2, topologyKeys[:5]...) {
		constraints = append(constraints, tree{"maxSkew": w.between(1, 3), "topologyKey": key,
			"whenUnsatisfiable": pick(w.source, "ScheduleAnyway", "ScheduleAnyway", "DoNotSchedule")})
	}
	if constraints != nil {
		body["defaultConstraints"] = constraints
	}
	return body
}

// spoil makes a configuration the scheduler refuses.
func (w *world) spoil(configuration tree) {
	profile := configuration["profiles"].(list)[0].(tree)
	args := func(kind string, body tree) {
		body["apiVersion"], body["kind"] = configVersion, kind+"Args"
		profile["pluginConfig"] = list{tree{"name": kind, "args": body}}
	}
	switch w.IntN(12) {
	case 0:
		configuration["percentageOfNodesToScore"] = 101
	case 1:
		configuration["parallelism"] = 0
	case 2:
		configuration["unknownField"] = true
	case 3:
		profile["plugins"] = tree{"score": tree{"enabled": list{tree{"name": "NoSuchPlugin"}}}}
	case 4:
		profile["plugins"] = tree{"filter": tree{"enabled": list{tree{"name": "EBSLimits"}}}}
	case 5:
		args("InterPodAffinity", tree{"hardPodAffinityWeight": 101})
	case 6:
		args("NodeResourcesFit", tree{"scoringStrategy": tree{"type": "RequestedToCapacityRatio"}})
	case 7:
		args("NodeResourcesBalancedAllocation", tree{"resources": list{tree{"name": "cpu", "weight": 2}}})
	case 8:
		args("PodTopologySpread", tree{"defaultingType": "System", "defaultConstraints": list{
			tree{"maxSkew": 1, "topologyKey": "zone", "whenUnsatisfiable": "ScheduleAnyway"}}})
	case 9:
		args("PodTopologySpread", tree{"defaultingType": "List", "defaultConstraints": list{
			tree{"maxSkew": 0, "topologyKey": "zone", "whenUnsatisfiable": "ScheduleAnyway"}}})
	case 10:
		configuration["profiles"] = append(configuration["profiles"].(list), tree{"schedulerName": profile["schedulerName"]})
	default:
		args("NodeAffinity", tree{"addedAffinity": tree{"requiredDuringSchedulingIgnoredDuringExecution": tree{"nodeSelectorTerms": list{}}}})
	}
}
