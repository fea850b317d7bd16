package cluster

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/labels"
	policylisters "k8s.io/client-go/listers/policy/v1"
	extenderv1 "k8s.io/kube-scheduler/extender/v1"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/defaultpreemption"
	"k8s.io/kubernetes/pkg/scheduler/framework/preemption"
)

// Preemption watches a profile's DefaultPreemption plugin. It leaves the plugin's decisions alone, but takes the chance out of
// them and keeps them from being carried out:
//   - every potential node is dry-run (the plugin would stop at a share of them, from a random offset);
//   - of the nodes that are equal by all of the plugin's criteria the one with the lexically smallest name is picked (the
//     plugin takes the first in the random order of a Go map);
//   - disruption budgets are walked in the order of namespace and name (the plugin: a Go map's order, too);
//   - victims are not deleted.
type Preemption struct {
	preemption.Interface
	plain preemption.Evaluator

	lock    sync.Mutex
	victims map[string][]*corev1.Pod
}

// WatchPreemption takes hold of the profile's plugin; nil when the profile does not run it.
func WatchPreemption(profile framework.Framework) *Preemption {
	for _, plugin := range profile.EnqueueExtensions() {
		found, ok := plugin.(*defaultpreemption.DefaultPreemption)
		if !ok {
			continue
		}
		if watching, ok := found.Evaluator.Interface.(*Preemption); ok {
			return watching
		}
		p := &Preemption{Interface: found, plain: preemption.Evaluator{Interface: found}}
		found.Evaluator.Interface = p
		found.Evaluator.PdbLister = sortedBudgets{found.Evaluator.PdbLister}
		found.Executor.PreemptPod = func(context.Context, preemption.Candidate, preemption.ExecutorPreemptor, *corev1.Pod, string) (bool, error) {
			return false, nil
		}
		return p
	}
	return nil
}

// Reset forgets the victims of the pod before.
func (p *Preemption) Reset() {
	p.lock.Lock()
	defer p.lock.Unlock()
	p.victims = map[string][]*corev1.Pod{}
}

// Victims returns the pods that would be deleted on the node, the most important first. The plugin deletes no pod that is
// already being deleted.
func (p *Preemption) Victims(node string) []*corev1.Pod {
	p.lock.Lock()
	defer p.lock.Unlock()
	var deleted []*corev1.Pod
	for _, pod := range p.victims[node] {
		if pod.DeletionTimestamp == nil {
			deleted = append(deleted, pod)
		}
	}
	return deleted
}

// GetOffsetAndNumCandidates starts at the first node and asks for all.
func (p *Preemption) GetOffsetAndNumCandidates(nodes int32) (int32, int32) {
	return 0, nodes
}

// SelectVictimsOnNode records what the plugin finds.
func (p *Preemption) SelectVictimsOnNode(ctx context.Context, state fwk.CycleState, preemptor *corev1.Pod, node fwk.NodeInfo,
	possible []*preemption.DomainVictim, budgets []*policyv1.PodDisruptionBudget) ([]*corev1.Pod, int, *fwk.Status) {
	pods, violations, status := p.Interface.SelectVictimsOnNode(ctx, state, preemptor, node, possible, budgets)
	p.lock.Lock()
	defer p.lock.Unlock()
	p.victims[node.Node().Name] = pods
	return pods, violations, status
}

// OrderedScoreFuncs lets the plugin choose among the candidates and then settles ties by name.
func (p *Preemption) OrderedScoreFuncs(ctx context.Context, victims map[string]*extenderv1.Victims) []func(node string) int64 {
	all := make([]preemption.Candidate, 0, len(victims))
	for node, found := range victims {
		all = append(all, candidate{node, found})
	}
	slices.SortFunc(all, func(a, b preemption.Candidate) int { return cmp.Compare(a.Name(), b.Name()) })
	best := p.plain.SelectCandidate(ctx, all)
	for _, other := range all {
		if other.Name() >= best.Name() {
			break
		}
		// The start time is the last criterion and has a resolution of a second: if the other one wins once its victims
		// started a nanosecond later, it was equal before; if it was worse, it still is.
		pair := []preemption.Candidate{best, candidate{other.Name(), startedLater(other.Victims())}}
		if p.plain.SelectCandidate(ctx, pair).Name() == other.Name() {
			best = other
			break
		}
	}
	return []func(string) int64{func(node string) int64 {
		if node == best.Name() {
			return 1
		}
		return 0
	}}
}

// startedLater copies the victims, their start times moved by a nanosecond.
func startedLater(victims *extenderv1.Victims) *extenderv1.Victims {
	moved := &extenderv1.Victims{NumPDBViolations: victims.NumPDBViolations}
	for _, pod := range victims.Pods {
		pod = pod.DeepCopy()
		if start := pod.Status.StartTime; start != nil {
			start.Time = start.Add(time.Nanosecond)
		}
		moved.Pods = append(moved.Pods, pod)
	}
	return moved
}

// candidate is one node and its victims.
type candidate struct {
	name    string
	victims *extenderv1.Victims
}

func (c candidate) Name() string                 { return c.name }
func (c candidate) Victims() *extenderv1.Victims { return c.victims }
func (c candidate) NumPodGroupDisruptions() int  { return 0 }

// sortedBudgets lists disruption budgets in the order of namespace and name.
type sortedBudgets struct {
	policylisters.PodDisruptionBudgetLister
}

// List returns the budgets the selector matches.
func (s sortedBudgets) List(selector labels.Selector) ([]*policyv1.PodDisruptionBudget, error) {
	budgets, err := s.PodDisruptionBudgetLister.List(selector)
	slices.SortFunc(budgets, func(a, b *policyv1.PodDisruptionBudget) int {
		return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
	})
	return budgets, err
}
