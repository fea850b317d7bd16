package cluster

import (
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/tools/cache"

	"bayplan/conformance/internal/objects"
)

// stores fills the stores behind the informers' listers. The informers never run, so nothing else writes there and no event
// reaches the scheduler on its own.
type stores struct {
	factory informers.SharedInformerFactory
}

// add stores one object where the scheduler's plugins look it up.
func (s stores) add(object objects.Object) error {
	informer, err := s.informer(object)
	if err != nil {
		return err
	}
	store := informer.GetIndexer()
	if _, exists, err := store.Get(object); err != nil {
		return err
	} else if exists {
		return fmt.Errorf("two objects %T are named %s/%s", object, object.GetNamespace(), object.GetName())
	}
	return store.Add(object)
}

func (s stores) informer(object objects.Object) (cache.SharedIndexInformer, error) {
	core, apps, storage := s.factory.Core().V1(), s.factory.Apps().V1(), s.factory.Storage().V1()
	switch object.(type) {
	case *corev1.Node:
		return core.Nodes().Informer(), nil
	case *corev1.Pod:
		return core.Pods().Informer(), nil
	case *corev1.Namespace:
		return core.Namespaces().Informer(), nil
	case *corev1.Service:
		return core.Services().Informer(), nil
	case *corev1.ReplicationController:
		return core.ReplicationControllers().Informer(), nil
	case *corev1.PersistentVolume:
		return core.PersistentVolumes().Informer(), nil
	case *corev1.PersistentVolumeClaim:
		return core.PersistentVolumeClaims().Informer(), nil
	case *appsv1.ReplicaSet:
		return apps.ReplicaSets().Informer(), nil
	case *appsv1.StatefulSet:
		return apps.StatefulSets().Informer(), nil
	case *policyv1.PodDisruptionBudget:
		return s.factory.Policy().V1().PodDisruptionBudgets().Informer(), nil
	case *storagev1.StorageClass:
		return storage.StorageClasses().Informer(), nil
	case *storagev1.CSINode:
		return storage.CSINodes().Informer(), nil
	case *storagev1.CSIDriver:
		return storage.CSIDrivers().Informer(), nil
	case *storagev1.CSIStorageCapacity:
		return storage.CSIStorageCapacities().Informer(), nil
	case *storagev1.VolumeAttachment:
		return storage.VolumeAttachments().Informer(), nil
	default:
		return nil, fmt.Errorf("the scheduler reads no %T", object)
	}
}
