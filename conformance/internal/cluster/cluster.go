// Package cluster builds a real kube-scheduler around an in-memory cluster: its own cache, queue, snapshot and profiles, with
// the informers' stores filled directly instead of from an API server.
package cluster

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/tools/events"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/scheduler"
	"k8s.io/kubernetes/pkg/scheduler/apis/config"
	"k8s.io/kubernetes/pkg/scheduler/backend/cache"
	"k8s.io/kubernetes/pkg/scheduler/framework"

	"bayplan/conformance/internal/objects"
)

// Cluster is a scheduler and the objects it knows.
type Cluster struct {
	// Scheduler is the real one; its loop is not started.
	Scheduler *scheduler.Scheduler
	// Snapshot is the scheduler's view of the nodes; Refresh brings it up to date.
	Snapshot *cache.Snapshot
	// Nodes counts the nodes.
	Nodes int

	pods   map[string]*corev1.Pod
	logger klog.Logger
	stores stores
}

// New builds the scheduler and adds the objects: nodes and pods enter the scheduler's cache in the given order. The context ends
// the scheduler's background work.
func New(ctx context.Context, loaded *config.KubeSchedulerConfiguration, list []objects.Object) (*Cluster, error) {
	client := fake.NewSimpleClientset()
	factory := informers.NewSharedInformerFactory(client, 0)
	snapshot := cache.NewEmptySnapshot()
	recorders := func(string) events.EventRecorderLogger { return &events.FakeRecorder{} }
	built, err := scheduler.New(ctx, client, factory, nil, recorders,
		scheduler.WithComponentConfigVersion(loaded.APIVersion),
		scheduler.WithProfiles(loaded.Profiles...),
		scheduler.WithPercentageOfNodesToScore(loaded.PercentageOfNodesToScore),
		scheduler.WithParallelism(loaded.Parallelism),
		scheduler.WithExtenders(loaded.Extenders...),
		scheduler.WithNodeInfoSnapshot(snapshot),
	)
	if err != nil {
		return nil, err
	}
	c := &Cluster{
		Scheduler: built,
		Snapshot:  snapshot,
		pods:      map[string]*corev1.Pod{},
		logger:    klog.FromContext(ctx),
		stores:    stores{factory: factory},
	}
	return c, c.fill(ctx, list)
}

// fill adds the objects: everything to the informers' stores, nodes and placed pods to the cache, nominated pods to the queue.
func (c *Cluster) fill(ctx context.Context, list []objects.Object) error {
	for _, object := range list {
		if err := c.stores.add(object); err != nil {
			return err
		}
		if node, ok := object.(*corev1.Node); ok {
			c.Scheduler.Cache.AddNode(c.logger, node)
			c.Nodes++
		}
	}
	for _, object := range list {
		pod, ok := object.(*corev1.Pod)
		// The scheduler's informer leaves finished pods out.
		if !ok || pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed {
			continue
		}
		key := pod.Namespace + "/" + pod.Name
		if c.pods[key] != nil {
			return fmt.Errorf("two pods are named %s", key)
		}
		c.pods[key] = pod
		if pod.Spec.NodeName != "" {
			start(pod)
			if err := c.Scheduler.Cache.AddPod(c.logger, pod); err != nil {
				return fmt.Errorf("pod %s: %w", key, err)
			}
		} else if pod.Status.NominatedNodeName != "" {
			c.Scheduler.SchedulingQueue.Add(ctx, pod)
		}
	}
	return nil
}

// Pending returns a pod that waits for a node, as the queue would hand it out.
func (c *Cluster) Pending(key string) (*framework.QueuedPodInfo, error) {
	pod := c.pods[key]
	if pod == nil {
		return nil, fmt.Errorf("no pod %s among the objects", key)
	}
	if pod.Spec.NodeName != "" {
		return nil, fmt.Errorf("pod %s already has the node %s", key, pod.Spec.NodeName)
	}
	// As the real queue does: selectors that don't parse are left out here and rejected later, by PreFilter.
	info, _ := framework.NewPodInfo(pod)
	return &framework.QueuedPodInfo{PodInfo: info}, nil
}

// Profile returns the profile that handles the pod.
func (c *Cluster) Profile(pod *corev1.Pod) (framework.Framework, error) {
	profile, ok := c.Scheduler.Profiles[pod.Spec.SchedulerName]
	if !ok {
		return nil, fmt.Errorf("profile not found for scheduler name %q", pod.Spec.SchedulerName)
	}
	return profile, nil
}

// Refresh updates the snapshot from the cache, as every scheduling cycle begins.
func (c *Cluster) Refresh() error {
	return c.Scheduler.Cache.UpdateSnapshot(c.logger, c.Snapshot)
}

// Assume places the pod on the node in the scheduler's cache, so that the next pod sees its resources, ports, labels and terms.
func (c *Cluster) Assume(info *framework.QueuedPodInfo, node string) (*corev1.Pod, error) {
	assumed := info.Pod.DeepCopy()
	assumed.Spec.NodeName = node
	start(assumed)
	if err := c.Scheduler.Cache.AssumePod(c.logger, assumed); err != nil {
		return nil, err
	}
	c.Scheduler.SchedulingQueue.DeleteNominatedPodIfExists(assumed)
	return assumed, nil
}

// Reserve runs the Reserve plugins for an assumed pod, so that the next pod sees its volumes taken. On failure the pod is
// forgotten again.
func (c *Cluster) Reserve(ctx context.Context, profile framework.Framework, state *framework.CycleState, assumed *corev1.Pod) error {
	status := profile.RunReservePluginsReserve(ctx, state, assumed, assumed.Spec.NodeName)
	if status.IsSuccess() {
		return nil
	}
	profile.RunReservePluginsUnreserve(ctx, state, assumed, assumed.Spec.NodeName)
	if err := c.Scheduler.Cache.ForgetPod(c.logger, assumed); err != nil {
		return err
	}
	return status.AsError()
}

// Remove takes placed pods out of the scheduler's cache, as if they were deleted and gone.
func (c *Cluster) Remove(pods []*corev1.Pod) error {
	for _, pod := range pods {
		if err := c.Scheduler.Cache.RemovePod(c.logger, pod); err != nil {
			return err
		}
	}
	return nil
}

// start gives a placed pod without a start time one that is later than all others. Preemption takes the present moment for it,
// anew at every comparison, so that the order of two such pods would be left to chance.
func start(pod *corev1.Pod) {
	if pod.Status.StartTime == nil {
		pod.Status.StartTime = &metav1.Time{Time: time.Date(2200, time.January, 1, 0, 0, 0, 0, time.UTC)}
	}
}
