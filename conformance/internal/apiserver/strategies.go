package apiserver

import (
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/kubernetes/pkg/registry/apps/daemonset"
	"k8s.io/kubernetes/pkg/registry/apps/deployment"
	"k8s.io/kubernetes/pkg/registry/apps/replicaset"
	"k8s.io/kubernetes/pkg/registry/apps/statefulset"
	"k8s.io/kubernetes/pkg/registry/batch/cronjob"
	"k8s.io/kubernetes/pkg/registry/batch/job"
	"k8s.io/kubernetes/pkg/registry/core/limitrange"
	"k8s.io/kubernetes/pkg/registry/core/namespace"
	"k8s.io/kubernetes/pkg/registry/core/node"
	"k8s.io/kubernetes/pkg/registry/core/persistentvolume"
	"k8s.io/kubernetes/pkg/registry/core/persistentvolumeclaim"
	"k8s.io/kubernetes/pkg/registry/core/pod"
	"k8s.io/kubernetes/pkg/registry/core/replicationcontroller"
	"k8s.io/kubernetes/pkg/registry/core/service"
	"k8s.io/kubernetes/pkg/registry/node/runtimeclass"
	"k8s.io/kubernetes/pkg/registry/policy/poddisruptionbudget"
	"k8s.io/kubernetes/pkg/registry/scheduling/priorityclass"
	"k8s.io/kubernetes/pkg/registry/storage/csidriver"
	"k8s.io/kubernetes/pkg/registry/storage/csinode"
	"k8s.io/kubernetes/pkg/registry/storage/csistoragecapacity"
	"k8s.io/kubernetes/pkg/registry/storage/storageclass"

	// Each import registers a group with its defaulting, conversion and validation functions.
	_ "k8s.io/kubernetes/pkg/apis/apps/install"
	_ "k8s.io/kubernetes/pkg/apis/batch/install"
	_ "k8s.io/kubernetes/pkg/apis/core/install"
	_ "k8s.io/kubernetes/pkg/apis/node/install"
	_ "k8s.io/kubernetes/pkg/apis/policy/install"
	_ "k8s.io/kubernetes/pkg/apis/scheduling/install"
	_ "k8s.io/kubernetes/pkg/apis/storage/install"
)

// strategies are the server's create strategies of the kinds Bayplan reads.
var strategies = map[schema.GroupKind]rest.RESTCreateStrategy{
	{Kind: "Pod"}:                   pod.Strategy,
	{Kind: "Node"}:                  node.Strategy,
	{Kind: "Namespace"}:             namespace.Strategy,
	{Kind: "Service"}:               service.Strategy,
	{Kind: "ReplicationController"}: replicationcontroller.Strategy,
	{Kind: "LimitRange"}:            limitrange.Strategy,
	{Kind: "PersistentVolume"}:      persistentvolume.Strategy,
	{Kind: "PersistentVolumeClaim"}: persistentvolumeclaim.Strategy,

	{Group: "apps", Kind: "Deployment"}:  deployment.Strategy,
	{Group: "apps", Kind: "ReplicaSet"}:  replicaset.Strategy,
	{Group: "apps", Kind: "StatefulSet"}: statefulset.Strategy,
	{Group: "apps", Kind: "DaemonSet"}:   daemonset.Strategy,

	{Group: "batch", Kind: "Job"}:     job.Strategy,
	{Group: "batch", Kind: "CronJob"}: cronjob.Strategy,

	{Group: "policy", Kind: "PodDisruptionBudget"}:        poddisruptionbudget.Strategy,
	{Group: "scheduling.k8s.io", Kind: "PriorityClass"}:   priorityclass.Strategy,
	{Group: "node.k8s.io", Kind: "RuntimeClass"}:          runtimeclass.Strategy,
	{Group: "storage.k8s.io", Kind: "StorageClass"}:       storageclass.Strategy,
	{Group: "storage.k8s.io", Kind: "CSINode"}:            csinode.Strategy,
	{Group: "storage.k8s.io", Kind: "CSIDriver"}:          csidriver.Strategy,
	{Group: "storage.k8s.io", Kind: "CSIStorageCapacity"}: csistoragecapacity.Strategy,
}
