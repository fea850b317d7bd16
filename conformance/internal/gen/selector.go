package gen

// selector makes a label selector for pods: nil, empty, labels, expressions or both.
func (w *world) selector() tree {
	switch {
	case w.chance(4):
		return nil
	case w.chance(5):
		return tree{}
	}
	selector := tree{}
	if w.chance(70) {
		labels := tree{"app": pick(w.source, apps...)}
		if w.chance(25) {
			labels["tier"] = pick(w.source, tiers...)
		}
		selector["matchLabels"] = labels
	}
	if len(selector) == 0 || w.chance(25) {
		var expressions list
		for range w.between(1, 2) {
			expressions = append(expressions, w.labelRequirement())
		}
		selector["matchExpressions"] = expressions
	}
	return selector
}

// labelRequirement makes one expression of a pod selector.
func (w *world) labelRequirement() tree {
	key := pick(w.source, "app", "app", "tier", "version", "missing")
	values := apps
	switch key {
	case "tier":
		values = tiers
	case "version":
		values = versions
	}
	requirement := tree{"key": key, "operator": pick(w.source, "In", "In", "NotIn", "Exists", "DoesNotExist")}
	if operator := requirement["operator"]; operator == "In" || operator == "NotIn" {
		requirement["values"] = some(w.source, 1, 3, values...)
	}
	return requirement
}

// namespaceSelector makes a selector for namespaces.
func (w *world) namespaceSelector() tree {
	switch w.IntN(4) {
	case 0:
		return tree{}
	case 1:
		return tree{"matchLabels": tree{"env": pick(w.source, "prod", "dev", "")}}
	case 2:
		return tree{"matchLabels": tree{"kubernetes.io/metadata.name": pick(w.source, namespaces...)}}
	default:
		requirement := tree{"key": pick(w.source, "env", "team"), "operator": pick(w.source, "Exists", "DoesNotExist", "In", "NotIn")}
		if operator := requirement["operator"]; operator == "In" || operator == "NotIn" {
			requirement["values"] = some(w.source, 1, 2, "prod", "dev", "red")
		}
		return tree{"matchExpressions": list{requirement}}
	}
}

// term makes a pod affinity term.
func (w *world) term() tree {
	term := tree{"topologyKey": pick(w.source, topologyKeys[:w.between(2, len(topologyKeys))]...)}
	if selector := w.selector(); selector != nil {
		term["labelSelector"] = selector
	}
	if w.chance(25) {
		term["namespaces"] = some(w.source, 1, 2, append([]string{"absent"}, namespaces...)...)
	}
	if w.chance(25) {
		term["namespaceSelector"] = w.namespaceSelector()
	}
	if w.chance(8) {
		term[pick(w.source, "matchLabelKeys", "mismatchLabelKeys")] = list{"pod-template-hash"}
	}
	return term
}

// addPodAffinity adds affinity and anti-affinity to other pods.
func (w *world) addPodAffinity(spec tree) {
	affinity, _ := spec["affinity"].(tree)
	if affinity == nil {
		affinity = tree{}
	}
	for _, kind := range []string{"podAffinity", "podAntiAffinity"} {
		if !w.chance(w.podAffinity) {
			continue
		}
		rules := tree{}
		// Required affinity to others rarely leaves a node, so it is rarer.
		if (kind == "podAffinity" && w.chance(25)) || (kind == "podAntiAffinity" && w.chance(35)) {
			var required list
			for range w.between(1, 2) {
				required = append(required, w.term())
			}
			rules["requiredDuringSchedulingIgnoredDuringExecution"] = required
		}
		if len(rules) == 0 || w.chance(40) {
			var preferred list
			for range w.between(1, 3) {
				preferred = append(preferred, tree{"weight": w.between(1, 100), "podAffinityTerm": w.term()})
			}
			rules["preferredDuringSchedulingIgnoredDuringExecution"] = preferred
		}
		affinity[kind] = rules
	}
	if len(affinity) > 0 {
		spec["affinity"] = affinity
	}
}

// constraints makes topology spread constraints; a pair of key and action appears once.
func (w *world) constraints() list {
	var constraints list
	seen := map[[2]string]bool{}
	for range w.between(1, 3) {
		key := pick(w.source, topologyKeys[:w.between(2, len(topologyKeys))]...)
		action := pick(w.source, "DoNotSchedule", "ScheduleAnyway")
		if seen[[2]string{key, action}] {
			continue
		}
		seen[[2]string{key, action}] = true
		constraint := tree{"maxSkew": w.between(1, 3), "topologyKey": key, "whenUnsatisfiable": action}
		if selector := w.selector(); selector != nil {
			constraint["labelSelector"] = selector
			if w.chance(15) {
				constraint["matchLabelKeys"] = some(w.source, 1, 2, "pod-template-hash", "version", "missing")
			}
		}
		if action == "DoNotSchedule" && w.chance(30) {
			constraint["minDomains"] = w.between(1, 4)
		}
		if w.chance(30) {
			constraint["nodeAffinityPolicy"] = pick(w.source, "Honor", "Ignore")
		}
		if w.chance(30) {
			constraint["nodeTaintsPolicy"] = pick(w.source, "Honor", "Ignore")
		}
		constraints = append(constraints, constraint)
	}
	return constraints
}
