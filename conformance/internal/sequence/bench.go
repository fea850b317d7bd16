package sequence

import (
	"context"
	"fmt"
	"runtime"
	"runtime/metrics"
	"time"

	"k8s.io/kubernetes/pkg/scheduler/apis/config"

	"bayplan/conformance/internal/casefile"
)

// Timing is the result of one benchmark run.
type Timing struct {
	Case   string `json:"case"`
	Nodes  int    `json:"nodes"`
	Pods   int    `json:"pods"`
	Placed int    `json:"placed"`
	Failed int    `json:"failed"`
	// Percent is the percentageOfNodesToScore asked for; 0 is adaptive.
	Percent       int32   `json:"percent"`
	Seconds       float64 `json:"seconds"`
	PodsPerSecond float64 `json:"pods_per_s"`
	// HeapMB is the peak of live and not yet collected heap objects, loading included, in units of 1,000,000 bytes.
	HeapMB float64 `json:"heap_mb"`
}

// Bench schedules the pending pods in order with the configured parallelism (default 16) and times the scheduling loop alone:
// snapshot, SchedulePod, assume and Reserve, without reading the case or building the caches.
func Bench(ctx context.Context, question casefile.Case, percent int32) (Timing, error) {
	heap := watchHeap()
	loop, err := prepare(ctx, question, percent, func(*config.KubeSchedulerConfiguration) {})
	if err != nil {
		return Timing{}, err
	}
	timing := Timing{Case: question.Name, Nodes: loop.cluster.Nodes, Pods: len(loop.pending), Percent: max(percent, 0)}
	runtime.GC()
	start := time.Now()
	for i, info := range loop.pending {
		_, err := loop.schedule(ctx, info)
		switch {
		case err == nil:
			timing.Placed++
		case rejected(err):
			timing.Failed++
		default:
			return Timing{}, fmt.Errorf("%s: %w", question.Pending[i], err)
		}
	}
	timing.Seconds = time.Since(start).Seconds()
	timing.PodsPerSecond = float64(timing.Pods) / timing.Seconds
	timing.HeapMB = float64(heap()) / 1e6
	return timing, nil
}

// watchHeap samples the heap until the returned function is called, which gives the peak in bytes.
func watchHeap() func() uint64 {
	var peak uint64
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		ticker := time.NewTicker(20 * time.Millisecond)
		defer ticker.Stop()
		for {
			metrics.Read(sample)
			peak = max(peak, sample[0].Value.Uint64())
			select {
			case <-ticker.C:
			case <-done:
				return
			}
		}
	}()
	return func() uint64 {
		close(done)
		<-ended
		return peak
	}
}
