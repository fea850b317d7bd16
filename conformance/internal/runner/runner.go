// Package runner answers cases: it runs the scheduling cycle of the real framework step by step, so that every node's verdict
// and every plugin's score can be seen.
package runner

import (
	"context"
	"fmt"
	"sync"

	"k8s.io/kubernetes/pkg/scheduler/apis/config"

	"bayplan/conformance/internal/casefile"
	"bayplan/conformance/internal/cluster"
	"bayplan/conformance/internal/objects"
)

// Run answers the cases with the given number of workers and calls emit for each in order.
func Run(ctx context.Context, cases []casefile.Case, workers int, emit func(casefile.Result) error) error {
	type slot chan casefile.Result
	slots := make([]slot, len(cases))
	for i := range slots {
		slots[i] = make(slot, 1)
	}
	next := make(chan int)
	ctx, cancel := context.WithCancel(ctx)
	var group sync.WaitGroup
	defer group.Wait()
	defer cancel()
	for range workers {
		group.Go(func() {
			for i := range next {
				slots[i] <- Answer(ctx, cases[i])
			}
		})
	}
	group.Go(func() {
		defer close(next)
		for i := range cases {
			select {
			case next <- i:
			case <-ctx.Done():
				return
			}
		}
	})
	for i := range slots {
		if err := emit(<-slots[i]); err != nil {
			return err
		}
	}
	return nil
}

// Answer runs one case. A case that cannot be run, or that crashes the scheduler, gives a result with an error.
func Answer(ctx context.Context, question casefile.Case) (result casefile.Result) {
	result.Name = question.Name
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer func() {
		if crash := recover(); crash != nil {
			result.Error = fmt.Sprintf("the scheduler crashed: %v", crash)
		}
	}()
	built, err := Build(ctx, question, func(loaded *config.KubeSchedulerConfiguration) {
		// One worker: the answers of the steps below don't depend on it, and cases run side by side anyway.
		loaded.Parallelism = 1
	})
	if err != nil {
		result.Error = err.Error()
		return result
	}
	for _, key := range question.Pending {
		pod, err := schedule(ctx, built, key, question.Preempt)
		if err != nil {
			result.Error = fmt.Sprintf("%s: %v", key, err)
			return result
		}
		result.Pods = append(result.Pods, pod)
	}
	return result
}

// Build makes the scheduler of a case, its configuration changed by adjust.
func Build(ctx context.Context, question casefile.Case, adjust func(*config.KubeSchedulerConfiguration)) (*cluster.Cluster, error) {
	loaded, err := cluster.LoadConfig(question.Config)
	if err != nil {
		return nil, fmt.Errorf("config: %w", err)
	}
	adjust(loaded)
	list := make([]objects.Object, 0, len(question.Objects))
	for i, raw := range question.Objects {
		object, err := objects.Decode(raw)
		if err != nil {
			return nil, fmt.Errorf("object %d: %w", i+1, err)
		}
		list = append(list, object)
	}
	return cluster.New(ctx, loaded, list)
}
