// Package sequence schedules a case's pods one after the other with the real scheduler's own SchedulePod, sampling and
// rotation included, and says where each went or how long it took.
package sequence

import (
	"context"
	"errors"

	"k8s.io/kubernetes/pkg/scheduler"
	"k8s.io/kubernetes/pkg/scheduler/apis/config"
	"k8s.io/kubernetes/pkg/scheduler/framework"

	"bayplan/conformance/internal/casefile"
	"bayplan/conformance/internal/cluster"
	"bayplan/conformance/internal/runner"
)

// Adaptive leaves percentageOfNodesToScore to the case's configuration, where the default makes it depend on the cluster size.
const Adaptive = int32(-1)

// Step is where one pod went, or why it went nowhere.
type Step struct {
	Pod     string `json:"pod"`
	Node    string `json:"node,omitempty"`
	Message string `json:"message,omitempty"`
}

// Run schedules the pending pods in order with one worker, so that every choice is determined, and hands each step to emit.
func Run(ctx context.Context, question casefile.Case, percent int32, emit func(Step) error) error {
	loop, err := prepare(ctx, question, percent, func(loaded *config.KubeSchedulerConfiguration) { loaded.Parallelism = 1 })
	if err != nil {
		return err
	}
	for i, info := range loop.pending {
		step := Step{Pod: question.Pending[i]}
		node, err := loop.schedule(ctx, info)
		if err != nil {
			step.Message = err.Error()
		} else {
			step.Node = node
		}
		if err := emit(step); err != nil {
			return err
		}
	}
	return nil
}

// loop is a scheduler and its work.
type loop struct {
	cluster *cluster.Cluster
	pending []*framework.QueuedPodInfo
}

// prepare builds the cluster and looks up the pending pods.
func prepare(ctx context.Context, question casefile.Case, percent int32, adjust func(*config.KubeSchedulerConfiguration)) (*loop, error) {
	built, err := runner.Build(ctx, question, func(loaded *config.KubeSchedulerConfiguration) {
		adjust(loaded)
		if percent == Adaptive {
			return
		}
		loaded.PercentageOfNodesToScore = &percent
		for i := range loaded.Profiles {
			loaded.Profiles[i].PercentageOfNodesToScore = nil
		}
	})
	if err != nil {
		return nil, err
	}
	l := &loop{cluster: built}
	for _, key := range question.Pending {
		info, err := built.Pending(key)
		if err != nil {
			return nil, err
		}
		l.pending = append(l.pending, info)
	}
	return l, nil
}

// schedule runs one cycle of the scheduler up to Reserve. A pod that fits nowhere gives the FitError; PostFilter does not run.
func (l *loop) schedule(ctx context.Context, info *framework.QueuedPodInfo) (string, error) {
	profile, err := l.cluster.Profile(info.Pod)
	if err != nil {
		return "", err
	}
	if err := l.cluster.Refresh(); err != nil {
		return "", err
	}
	state := framework.NewCycleState()
	result, err := l.cluster.Scheduler.SchedulePod(ctx, profile, state, info)
	if err != nil {
		return "", err
	}
	assumed, err := l.cluster.Assume(info, result.SuggestedHost)
	if err != nil {
		return "", err
	}
	return result.SuggestedHost, l.cluster.Reserve(ctx, profile, state, assumed)
}

// rejected tells a pod that fits nowhere from a failure of the scheduler.
func rejected(err error) bool {
	var fit *framework.FitError
	return errors.As(err, &fit) || errors.Is(err, scheduler.ErrNoNodesAvailable)
}
