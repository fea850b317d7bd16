// Package schema describes the JSON shape of the Kubernetes kinds Bayplan reads, by reflection over the real API types, so
// that the strict decoder knows every legal field of the pinned Kubernetes version.
package schema

import (
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	nodev1 "k8s.io/api/node/v1"
	policyv1 "k8s.io/api/policy/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// roots are the kinds described; every struct type they reach is described too.
var roots = []any{
	corev1.Node{}, corev1.Pod{}, corev1.Namespace{}, corev1.Service{}, corev1.ReplicationController{}, corev1.LimitRange{},
	corev1.PersistentVolume{}, corev1.PersistentVolumeClaim{}, corev1.List{},
	appsv1.Deployment{}, appsv1.ReplicaSet{}, appsv1.StatefulSet{}, appsv1.DaemonSet{},
	batchv1.Job{}, batchv1.CronJob{},
	policyv1.PodDisruptionBudget{}, schedulingv1.PriorityClass{}, nodev1.RuntimeClass{},
	storagev1.StorageClass{}, storagev1.CSINode{}, storagev1.CSIDriver{}, storagev1.CSIStorageCapacity{},
	storagev1.VolumeAttachment{},
}

// scalars are the types with a JSON form of their own.
var scalars = map[reflect.Type]string{
	reflect.TypeFor[resource.Quantity]():    "quantity",
	reflect.TypeFor[intstr.IntOrString]():   "intorstring",
	reflect.TypeFor[metav1.Time]():          "time",
	reflect.TypeFor[metav1.MicroTime]():     "time",
	reflect.TypeFor[metav1.Duration]():      "string",
	reflect.TypeFor[metav1.FieldsV1]():      "any",
	reflect.TypeFor[runtime.RawExtension](): "any",
}

// table maps a struct type's name to its JSON fields, each with a reference to the field's type.
type table struct {
	fields map[string]map[string]string
	origin map[string]reflect.Type
}

// Write prints the table: one line a struct type, sorted, so that a new Kubernetes version gives a readable difference.
func Write(w io.Writer) error {
	t := table{fields: map[string]map[string]string{}, origin: map[string]reflect.Type{}}
	for _, root := range roots {
		if _, err := t.reference(reflect.TypeOf(root)); err != nil {
			return err
		}
	}
	names := make([]string, 0, len(t.fields))
	for name := range t.fields {
		names = append(names, name)
	}
	slices.Sort(names)
	var out strings.Builder
	out.WriteString("{\n")
	for i, name := range names {
		line, err := json.Marshal(t.fields[name]) // map keys come out sorted
		if err != nil {
			return err
		}
		fmt.Fprintf(&out, "%q:%s", name, line)
		if i+1 < len(names) {
			out.WriteString(",")
		}
		out.WriteString("\n")
	}
	out.WriteString("}\n")
	_, err := io.WriteString(w, out.String())
	return err
}

// reference names a type and, for a struct, adds its description.
func (t *table) reference(typ reflect.Type) (string, error) {
	if name, ok := scalars[typ]; ok {
		return name, nil
	}
	switch typ.Kind() {
	case reflect.Pointer:
		return t.reference(typ.Elem())
	case reflect.String:
		return "string", nil
	case reflect.Bool:
		return "bool", nil
	case reflect.Int32:
		return "int32", nil
	case reflect.Int64:
		return "int64", nil
	case reflect.Float32, reflect.Float64:
		return "float", nil
	case reflect.Interface:
		return "any", nil
	case reflect.Slice:
		element, err := t.reference(typ.Elem())
		return "[]" + element, err
	case reflect.Map:
		element, err := t.reference(typ.Elem())
		return "map:" + element, err
	case reflect.Struct:
		return typ.Name(), t.describe(typ)
	default:
		return "", fmt.Errorf("no JSON form known for %s", typ)
	}
}

// describe adds one struct type. Names are not qualified by package, so two different types of one name are refused.
func (t *table) describe(typ reflect.Type) error {
	if known, ok := t.origin[typ.Name()]; ok {
		if known != typ {
			return fmt.Errorf("two types are named %s: %s and %s", typ.Name(), known.PkgPath(), typ.PkgPath())
		}
		return nil
	}
	t.origin[typ.Name()] = typ
	fields := map[string]string{}
	t.fields[typ.Name()] = fields
	return t.collect(typ, fields)
}

// collect adds the fields of a struct, those of inlined structs included.
func (t *table) collect(typ reflect.Type, fields map[string]string) error {
	for i := range typ.NumField() {
		field := typ.Field(i)
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name == "-" || !field.IsExported() {
			continue
		}
		if field.Anonymous && name == "" {
			if err := t.collect(field.Type, fields); err != nil {
				return err
			}
			continue
		}
		if name == "" {
			name = field.Name
		}
		reference, err := t.reference(field.Type)
		if err != nil {
			return fmt.Errorf("%s.%s: %w", typ.Name(), name, err)
		}
		fields[name] = reference
	}
	return nil
}
