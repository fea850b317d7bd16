package gen

// chooseNodes adds a node selector, node affinity or both.
func (w *world) chooseNodes(spec tree) {
	if w.chance(35) {
		selector := tree{}
		for range w.between(1, 2) {
			switch w.IntN(4) {
			case 0:
				selector["gpu-type"] = pick(w.source, gpuTypes...)
			case 1:
				selector["topology.kubernetes.io/zone"] = pick(w.source, zones...)
			case 2:
				selector["kubernetes.io/arch"] = pick(w.source, "amd64", "arm64")
			default:
				selector["node-role.kubernetes.io/worker"] = ""
			}
		}
		spec["nodeSelector"] = selector
		if w.chance(60) {
			return
		}
	}
	rules := tree{}
	if w.chance(60) {
		var terms list
		for range w.between(1, 3) {
			terms = append(terms, w.nodeTerm())
		}
		rules["requiredDuringSchedulingIgnoredDuringExecution"] = tree{"nodeSelectorTerms": terms}
	}
	if w.chance(60) {
		var preferred list
		for range w.between(1, 3) {
			preferred = append(preferred, tree{"weight": w.between(1, 100), "preference": w.nodeTerm()})
		}
		rules["preferredDuringSchedulingIgnoredDuringExecution"] = preferred
	}
	spec["affinity"] = tree{"nodeAffinity": rules}
}

// nodeTerm makes a node selector term; an empty one matches nothing.
func (w *world) nodeTerm() tree {
	term := tree{}
	if w.chance(4) {
		return term
	}
	if w.chance(95) {
		var expressions list
		for range w.between(1, 2) {
			expressions = append(expressions, w.nodeRequirement())
		}
		term["matchExpressions"] = expressions
	}
	if !w.long() && w.chance(8) {
		term["matchFields"] = list{w.fieldRequirement()}
	}
	return term
}

// nodeRequirement makes one expression on node labels.
func (w *world) nodeRequirement() tree {
	switch w.IntN(5) {
	case 0:
		return tree{"key": "gpu-count", "operator": pick(w.source, "Gt", "Lt"), "values": list{w.number()}}
	case 1:
		return tree{"key": pick(w.source, "gpu-type", "example.com/rack", "absent", "topology.kubernetes.io/region"),
			"operator": pick(w.source, "Exists", "DoesNotExist")}
	case 2:
		return tree{"key": "topology.kubernetes.io/zone", "operator": pick(w.source, "In", "NotIn"), "values": some(w.source, 1, 2, zones...)}
	case 3:
		return tree{"key": "gpu-type", "operator": pick(w.source, "In", "NotIn"), "values": some(w.source, 1, 2, gpuTypes...)}
	default:
		return tree{"key": "example.com/rack", "operator": pick(w.source, "In", "NotIn"), "values": some(w.source, 1, 3, racks...)}
	}
}

// fieldRequirement names a node by its field, not by a label.
func (w *world) fieldRequirement() tree {
	return tree{"key": "metadata.name", "operator": pick(w.source, "In", "In", "NotIn"), "values": list{pick(w.source, w.nodeNames...)}}
}

// pinnedTerms pins a pod to one node as the DaemonSet controller does, sometimes to several, to none or to one that is gone.
func (w *world) pinnedTerms() list {
	var terms list
	count := w.between(1, pick(w.source, 1, 1, 1, 3))
	if w.long() {
		// The scheduler walks a set of several nodes in the random order of a Go map.
		count = 1
	}
	for range count {
		node := pick(w.source, append([]string{"gone"}, w.nodeNames...)...)
		fields := list{tree{"key": "metadata.name", "operator": "In", "values": list{node}}}
		if w.chance(5) {
			fields = append(fields, w.fieldRequirement())
		}
		term := tree{"matchFields": fields}
		if w.chance(15) {
			term["matchExpressions"] = list{w.nodeRequirement()}
		}
		terms = append(terms, term)
	}
	return terms
}
