// Package gen makes random scheduling cases. The same family, seed and count always give the same cases.
package gen

import (
	"encoding/json"
	"fmt"
	"slices"

	"bayplan/conformance/internal/casefile"
)

// dials say how often things happen, in percent unless noted. A zero dial never happens.
type dials struct {
	// Ranges of the numbers of nodes, running pods and pending pods.
	nodes, running, pending [2]int

	oddNames     int // node names that are not their hostname labels, missing labels
	taints       int // per node
	cordoned     int // per node
	images       int // per node
	nodeAffinity int // per pod, selectors and affinity to nodes
	pinned       int // per pod, matchFields
	podAffinity  int // per pod
	spread       int // per pod, explicit constraints
	tolerations  int // per pod
	ports        int // per pod
	rich         int // per pod, init containers, sidecars, overhead, pod-level resources
	greedy       int // per pod, large requests
	resized      int // per running pod, in-place resize status
	owners       int // per pod, controllers and services for default spreading
	priorities   int // per pod
	urgent       int // per pending pod, a high priority
	terminating  int // per running pod
	nominated    int // per case, pods with a nominated node
	budgets      int // per case, disruption budgets
	volumes      int // per pod
	config       int // per case, a scheduler configuration
	preempt      bool
}

// ordinary is what every family starts from.
var ordinary = dials{
	nodes: [2]int{3, 25}, running: [2]int{5, 40}, pending: [2]int{1, 6},
	oddNames: 4, taints: 8, cordoned: 4, images: 10, nodeAffinity: 8, podAffinity: 5, spread: 5, tolerations: 10, ports: 3,
	rich: 10, greedy: 15, owners: 30, priorities: 10, terminating: 3, nominated: 2,
}

// families lists every family with its dials.
var families = map[string]func(*dials){
	"resources": func(d *dials) { d.rich, d.greedy, d.ports, d.images, d.resized = 60, 45, 15, 40, 15 },
	"affinity": func(d *dials) {
		d.podAffinity, d.nodeAffinity, d.pinned, d.oddNames = 70, 45, 8, 12
	},
	"spread": func(d *dials) { d.spread, d.owners, d.oddNames, d.cordoned, d.terminating = 65, 80, 15, 10, 10 },
	"taints": func(d *dials) { d.taints, d.tolerations, d.cordoned, d.spread = 55, 70, 12, 15 },
	"config": func(d *dials) {
		d.config, d.images, d.spread, d.podAffinity, d.nodeAffinity, d.taints, d.tolerations = 100, 30, 15, 25, 20, 20, 30
	},
	"preempt": func(d *dials) {
		d.preempt, d.priorities, d.urgent, d.budgets, d.nominated, d.terminating, d.greedy = true, 85, 75, 70, 15, 8, 25
		d.nodes, d.running, d.podAffinity, d.spread, d.ports, d.pinned, d.config = [2]int{3, 8}, [2]int{25, 60}, 15, 12, 10, 3, 10
	},
	"volumes": func(d *dials) { d.volumes, d.oddNames, d.greedy, d.taints = 75, 8, 5, 4 },
	"mixed": func(d *dials) {
		d.podAffinity, d.nodeAffinity, d.spread, d.taints, d.tolerations = 30, 25, 30, 20, 30
		d.volumes, d.config, d.nominated, d.priorities, d.rich, d.pinned, d.images = 12, 25, 15, 30, 30, 3, 25
	},
	"large": func(d *dials) {
		d.nodes, d.running, d.pending = [2]int{101, 140}, [2]int{60, 160}, [2]int{2, 5}
		d.podAffinity, d.spread, d.taints, d.tolerations, d.nodeAffinity = 30, 30, 20, 40, 20
	},
	"sequence": func(d *dials) {
		d.nodes, d.running, d.pending = [2]int{110, 220}, [2]int{40, 120}, [2]int{180, 320}
		d.podAffinity, d.spread, d.taints, d.tolerations, d.nodeAffinity, d.pinned = 20, 20, 20, 40, 20, 5
		d.volumes, d.config, d.nominated, d.priorities, d.rich, d.images = 8, 30, 40, 30, 30, 25
	},
}

// Families returns the names of the families, sorted.
func Families() []string {
	var names []string
	for name := range families {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Generate makes count cases of a family and hands each to emit.
func Generate(family string, seed uint64, count int, emit func(casefile.Case) error) error {
	adjust, ok := families[family]
	if !ok {
		return fmt.Errorf("no family is named %q; there are %v", family, Families())
	}
	for index := range count {
		w := world{source: newSource(family, seed, index), dials: ordinary}
		adjust(&w.dials)
		question, err := w.build(fmt.Sprintf("%s-%d-%04d", family, seed, index))
		if err != nil {
			return err
		}
		if err := emit(question); err != nil {
			return err
		}
	}
	return nil
}

// build makes one case.
func (w *world) build(name string) (casefile.Case, error) {
	question := casefile.Case{Name: name, Preempt: w.preempt}
	w.addNamespaces()
	w.addNodes()
	w.addControllers()
	if w.volumes > 0 {
		w.addStorage()
	}
	if w.chance(w.config) {
		question.Config = w.configuration()
	}
	w.addRunning()
	if w.chance(w.budgets) {
		w.addBudgets()
	}
	question.Pending = w.addPending()
	for _, object := range w.objects {
		raw, err := json.Marshal(object)
		if err != nil {
			return casefile.Case{}, err
		}
		question.Objects = append(question.Objects, raw)
	}
	return question, nil
}
