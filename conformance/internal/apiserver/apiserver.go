// Package apiserver does to manifests what the API server does to a create request before admission and storage: strict
// decoding, defaulting, preparation and validation, with the server's own code.
package apiserver

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
)

// uid stands for the random one the server gives; Jobs carry it in their labels.
const uid = types.UID("00000000-0000-4000-8000-000000000000")

// strict refuses unknown and duplicate fields, as kubectl asks the server to (fieldValidation=Strict).
var strict = serializer.NewCodecFactory(legacyscheme.Scheme, serializer.EnableStrict)

// Verdict is what the server says about one document.
type Verdict struct {
	// File and Document (counted from 1) say where the object stands; Item is its place (from 1) in a List.
	File     string `json:"file"`
	Document int    `json:"document"`
	Item     int    `json:"item,omitempty"`
	Kind     string `json:"kind,omitempty"`
	Name     string `json:"name,omitempty"`
	// Decode holds the decoder's errors: syntax, wrong types, unknown kinds, unknown and duplicate fields.
	Decode []string `json:"decode,omitempty"`
	// Errors holds what validation found.
	Errors []Fault `json:"errors,omitempty"`
	// Warnings are the server's warnings on create.
	Warnings []string `json:"warnings,omitempty"`

	prepared runtime.Object
}

// Fault is one validation error.
type Fault struct {
	Type   string          `json:"type"`
	Field  string          `json:"field"`
	Value  json.RawMessage `json:"value,omitempty"`
	Detail string          `json:"detail,omitempty"`
	// Message is the text the user sees.
	Message string `json:"message"`
}

// Check judges one object given as YAML or JSON.
func Check(raw []byte) Verdict {
	var verdict Verdict
	decoded, kind, err := strict.UniversalDeserializer().Decode(raw, nil, nil)
	if kind != nil {
		verdict.Kind = kind.Kind
	}
	if err != nil {
		verdict.Decode = decodeErrors(err)
		if decoded == nil || !runtime.IsStrictDecodingError(err) {
			return verdict
		}
	}
	if err := create(decoded, *kind, &verdict); err != nil {
		verdict.Decode = append(verdict.Decode, err.Error())
	}
	return verdict
}

// decodeErrors splits the strict decoder's collected errors.
func decodeErrors(err error) []string {
	if strictErr, ok := runtime.AsStrictDecodingError(err); ok {
		var texts []string
		for _, single := range strictErr.Errors() {
			texts = append(texts, single.Error())
		}
		return texts
	}
	return []string{err.Error()}
}

// create runs the steps of a create request on a decoded object.
func create(decoded runtime.Object, kind schema.GroupVersionKind, verdict *Verdict) error {
	strategy, ok := strategies[kind.GroupKind()]
	if !ok {
		return fmt.Errorf("kind %s is not checked here", kind.GroupKind())
	}
	legacyscheme.Scheme.Default(decoded)
	object, err := legacyscheme.Scheme.ConvertToVersion(decoded, schema.GroupVersion{Group: kind.Group, Version: runtime.APIVersionInternal})
	if err != nil {
		return err
	}
	metadata, err := meta.Accessor(object)
	if err != nil {
		return err
	}
	fillMetadata(metadata, strategy)
	verdict.Name = metadata.GetName()
	ctx := requestContext(metadata, kind)
	strategy.PrepareForCreate(ctx, object)
	for _, err := range rest.ValidateCreate(ctx, object, strategy) {
		verdict.Errors = append(verdict.Errors, fault(err))
	}
	verdict.Warnings = strategy.WarningsOnCreate(ctx, object)
	strategy.Canonicalize(object)
	verdict.prepared, err = legacyscheme.Scheme.ConvertToVersion(object, kind.GroupVersion())
	return err
}

// fillMetadata does what the request handler does before the strategy is asked: a name from generateName (with a fixed
// ending), the request's namespace, a UID.
func fillMetadata(metadata metav1.Object, strategy rest.RESTCreateStrategy) {
	if metadata.GetName() == "" && metadata.GetGenerateName() != "" {
		metadata.SetName(metadata.GetGenerateName() + "xxxxx")
	}
	if metadata.GetNamespace() == "" && strategy.NamespaceScoped() {
		metadata.SetNamespace(metav1.NamespaceDefault)
	}
	metadata.SetUID(uid)
}

// requestContext carries what validation asks about the request.
func requestContext(metadata metav1.Object, kind schema.GroupVersionKind) context.Context {
	ctx := request.WithNamespace(context.Background(), metadata.GetNamespace())
	return request.WithRequestInfo(ctx, &request.RequestInfo{
		IsResourceRequest: true,
		Verb:              "create",
		APIGroup:          kind.Group,
		APIVersion:        kind.Version,
		Resource:          strings.ToLower(kind.Kind) + "s",
		Namespace:         metadata.GetNamespace(),
		Name:              metadata.GetName(),
	})
}

func fault(err *field.Error) Fault {
	f := Fault{Type: string(err.Type), Field: err.Field, Detail: err.Detail, Message: err.Error()}
	if text, failed := json.Marshal(err.BadValue); failed == nil {
		f.Value = text
	}
	return f
}

// Prepared returns the object as it would reach admission, as JSON with its defaults filled in; null if it could not be read.
func (v Verdict) Prepared() (json.RawMessage, error) {
	if v.prepared == nil {
		return json.RawMessage("null"), nil
	}
	kinds, _, err := legacyscheme.Scheme.ObjectKinds(v.prepared)
	if err != nil {
		return nil, err
	}
	return runtime.Encode(legacyscheme.Codecs.LegacyCodec(kinds[0].GroupVersion()), v.prepared)
}
