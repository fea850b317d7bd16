// Package objects turns JSON into Kubernetes objects as the API server would store them.
package objects

import (
	"encoding/json"
	"fmt"
	"reflect"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/kubernetes/pkg/api/legacyscheme"

	// Each import registers a group with its defaulting functions.
	_ "k8s.io/kubernetes/pkg/apis/apps/install"
	_ "k8s.io/kubernetes/pkg/apis/core/install"
	_ "k8s.io/kubernetes/pkg/apis/policy/install"
	_ "k8s.io/kubernetes/pkg/apis/storage/install"
)

// Object is a typed Kubernetes object with metadata.
type Object interface {
	runtime.Object
	metav1.Object
}

// Decode reads one object of a known kind and applies the API server's defaults. An object without a UID gets one made from
// its kind and name, because the scheduler's cache keys pods by UID.
func Decode(raw json.RawMessage) (Object, error) {
	decoded, kind, err := legacyscheme.Codecs.UniversalDeserializer().Decode(raw, nil, nil)
	if err != nil {
		return nil, err
	}
	object, ok := decoded.(Object)
	if !ok {
		return nil, fmt.Errorf("%s has no metadata", kind)
	}
	legacyscheme.Scheme.Default(object)
	if object, err = store(object); err != nil {
		return nil, fmt.Errorf("%s: %w", kind, err)
	}
	if object.GetUID() == "" {
		object.SetUID(types.UID(fmt.Sprintf("%s/%s/%s", kind.Kind, object.GetNamespace(), object.GetName())))
	}
	return object, nil
}

// store writes and reads the object, as on its way through the API server. Amounts come out in canonical form: as they are
// decoded from a manifest, "512.00Mi" and the like share a pointer that adding up pod-level requests would change.
func store(object Object) (Object, error) {
	raw, err := json.Marshal(object)
	if err != nil {
		return nil, err
	}
	stored, ok := reflect.New(reflect.TypeOf(object).Elem()).Interface().(Object)
	if !ok {
		return nil, fmt.Errorf("%T is no object", object)
	}
	return stored, json.Unmarshal(raw, stored)
}
