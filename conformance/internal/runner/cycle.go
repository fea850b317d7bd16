package runner

import (
	"context"
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/util/sets"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler"
	"k8s.io/kubernetes/pkg/scheduler/framework"

	"bayplan/conformance/internal/casefile"
	"bayplan/conformance/internal/cluster"
)

// cycle is one pod's way through the framework.
type cycle struct {
	cluster *cluster.Cluster
	profile framework.Framework
	state   *framework.CycleState
	info    *framework.QueuedPodInfo
	answer  casefile.Pod
	// diagnosis collects why nodes were rejected, for the message and for preemption.
	diagnosis framework.Diagnosis
	feasible  []fwk.NodeInfo
}

// schedule decides for one pod and assumes it onto the chosen node. An error means the case itself is at fault.
func schedule(ctx context.Context, built *cluster.Cluster, key string, preempt bool) (casefile.Pod, error) {
	info, err := built.Pending(key)
	if err != nil {
		return casefile.Pod{}, err
	}
	c := cycle{cluster: built, state: framework.NewCycleState(), info: info, answer: casefile.Pod{Pod: key}}
	c.diagnosis.NodeToStatus = framework.NewDefaultNodeToStatus()
	if c.profile, err = built.Profile(info.Pod); err != nil {
		return casefile.Pod{}, err
	}
	if err := built.Refresh(); err != nil {
		return casefile.Pod{}, err
	}
	if err := c.decide(ctx, preempt); err != nil {
		// A plugin's failure is the pod's message, as in its PodScheduled condition.
		c.answer.Message = err.Error()
	}
	return c.answer, nil
}

// decide follows Scheduler.schedulingCycle (pkg/scheduler/schedule_one.go), except that no node is left out.
func (c *cycle) decide(ctx context.Context, preempt bool) error {
	nodes, err := c.cluster.Snapshot.NodeInfos().List()
	if err != nil {
		return err
	}
	if len(nodes) == 0 {
		return scheduler.ErrNoNodesAvailable
	}
	if err := c.filter(ctx, nodes); err != nil {
		return err
	}
	if len(c.feasible) == 0 {
		if preempt {
			if err := c.postFilter(ctx); err != nil {
				return err
			}
		}
		return &framework.FitError{Pod: c.info.Pod, NumAllNodes: len(nodes), Diagnosis: c.diagnosis}
	}
	if err := c.score(ctx); err != nil && len(c.feasible) > 1 {
		return err
	}
	chosen := c.choose()
	if _, err := c.cluster.Assume(c.info, chosen); err != nil {
		return err
	}
	c.answer.Chosen = chosen
	return nil
}

// filter runs PreFilter once and Filter on every node PreFilter leaves.
func (c *cycle) filter(ctx context.Context, nodes []fwk.NodeInfo) error {
	pod := c.info.Pod
	restricted, status, plugins := c.profile.RunPreFilterPlugins(ctx, c.state, pod)
	if !status.IsSuccess() {
		if !status.IsRejected() {
			return status.AsError()
		}
		c.diagnosis.NodeToStatus.SetAbsentNodesStatus(status)
		c.diagnosis.PreFilterMsg = status.Message()
		verdict := rejection(status)
		c.answer.PreFilter = &verdict
		return nil
	}
	if !restricted.AllNodes() {
		c.diagnosis.NodeToStatus.SetAbsentNodesStatus(fwk.NewStatus(fwk.UnschedulableAndUnresolvable,
			fmt.Sprintf("node(s) didn't satisfy plugin(s) %v", sets.List(plugins))))
	}
	c.answer.Rejected = map[string]casefile.Rejection{}
	for _, node := range nodes {
		name := node.Node().Name
		if !restricted.AllNodes() && !restricted.NodeNames.Has(name) {
			continue
		}
		status := c.profile.RunFilterPluginsWithNominatedPods(ctx, c.state, pod, node)
		switch {
		case status.Code() == fwk.Error:
			return status.AsError()
		case status.IsSuccess():
			c.feasible = append(c.feasible, node)
			c.answer.Feasible = append(c.answer.Feasible, name)
		default:
			c.diagnosis.NodeToStatus.Set(name, status)
			c.answer.Rejected[name] = rejection(status)
		}
	}
	slices.Sort(c.answer.Feasible)
	return nil
}

// postFilter runs preemption and removes its victims. The pod itself stays out, and its nomination is not recorded: the next
// pods may take the room.
func (c *cycle) postFilter(ctx context.Context) error {
	watching := cluster.WatchPreemption(c.profile)
	if watching != nil {
		watching.Reset()
	}
	if !c.profile.HasPostFilterPlugins() {
		return nil
	}
	result, status := c.profile.RunPostFilterPlugins(ctx, c.state, c.info.Pod, c.diagnosis.NodeToStatus)
	c.diagnosis.PostFilterMsg = status.Message()
	if watching != nil && status.IsSuccess() && result != nil && result.NominatingInfo != nil {
		c.answer.Nominated = result.NominatedNodeName
		victims := watching.Victims(result.NominatedNodeName)
		for _, victim := range victims {
			c.answer.Victims = append(c.answer.Victims, victim.Namespace+"/"+victim.Name)
		}
		slices.Sort(c.answer.Victims)
		return c.cluster.Remove(victims)
	}
	return nil
}

// score scores the feasible nodes, also a single one, which the real cycle takes unseen.
func (c *cycle) score(ctx context.Context) error {
	pod := c.info.Pod
	if status := c.profile.RunPreScorePlugins(ctx, c.state, pod, c.feasible); !status.IsSuccess() {
		return status.AsError()
	}
	scores := make([]fwk.NodePluginScores, len(c.feasible))
	for i, node := range c.feasible {
		raw, status := c.profile.RunRawScorePlugins(ctx, c.state, pod, node)
		if !status.IsSuccess() {
			return status.AsError()
		}
		scores[i] = fwk.NodePluginScores{Name: node.Node().Name, RawScores: raw}
	}
	if status := c.profile.NormalizeScores(ctx, c.state, pod, scores); !status.IsSuccess() {
		return status.AsError()
	}
	c.answer.Scores = map[string]casefile.Score{}
	for _, score := range scores {
		total := score.TotalScore
		if !c.profile.HasScorePlugins() {
			// prioritizeNodes gives every node the same score then.
			total = 1
		}
		c.answer.Scores[score.Name] = casefile.Score{Raw: byPlugin(score.RawScores), Weighted: byPlugin(score.Scores), Total: total}
	}
	return nil
}

// choose returns the node to assume: the nominated one if it is feasible, as the real cycle tries it first; otherwise the
// lexically smallest of the best.
func (c *cycle) choose() string {
	c.answer.Best = best(c.answer)
	if nominated := c.info.Pod.Status.NominatedNodeName; slices.Contains(c.answer.Feasible, nominated) {
		return nominated
	}
	return c.answer.Best[0]
}

// best lists the feasible nodes with the highest total; all of them when there are no scores.
func best(answer casefile.Pod) []string {
	var names []string
	for _, name := range answer.Feasible {
		if len(names) > 0 && answer.Scores[name].Total > answer.Scores[names[0]].Total {
			names = names[:0]
		}
		if len(names) == 0 || answer.Scores[name].Total == answer.Scores[names[0]].Total {
			names = append(names, name)
		}
	}
	return names
}

func byPlugin(scores []fwk.PluginScore) map[string]int64 {
	named := make(map[string]int64, len(scores))
	for _, score := range scores {
		named[score.Name] = score.Score
	}
	return named
}

// rejection copies a status. The reasons are sorted: those of extended resources come in the random order of a Go map.
func rejection(status *fwk.Status) casefile.Rejection {
	reasons := slices.Sorted(slices.Values(status.Reasons()))
	return casefile.Rejection{Plugin: status.Plugin(), Code: status.Code().String(), Reasons: reasons}
}
