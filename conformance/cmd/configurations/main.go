// Command configurations records what the real kube-scheduler makes of scheduler configurations.
//
// It reads lines {"name":...,"config":{...}} and writes them back with the outcome: the effective plugin lists and arguments of
// every profile, as far as they differ from a scheduler without configuration, or the stage that failed and its errors.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"reflect"

	"github.com/go-logr/logr"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/scheduler/apis/config"
	"k8s.io/kubernetes/pkg/scheduler/apis/config/scheme"
	"k8s.io/kubernetes/pkg/scheduler/apis/config/validation"

	"bayplan/conformance/internal/cluster"
)

// line is a case and its outcome.
type line struct {
	Name    string          `json:"name"`
	Config  json.RawMessage `json:"config"`
	Outcome outcome         `json:"outcome"`
}

// outcome is a configuration in effect, or the stage that refused it.
type outcome struct {
	Parallelism int32     `json:"parallelism,omitempty"`
	Percentage  int32     `json:"percentage,omitempty"`
	Backoff     [2]int64  `json:"backoff,omitzero"`
	Profiles    []profile `json:"profiles,omitempty"`
	Stage       string    `json:"stage,omitempty"`
	Errors      []string  `json:"errors,omitempty"`
}

// profile is one profile in effect.
type profile struct {
	Name       string              `json:"name"`
	Percentage *int32              `json:"percentage,omitempty"`
	Plugins    map[string][]string `json:"plugins,omitempty"`
	Arguments  map[string]any      `json:"arguments,omitempty"`
}

const emptyConfig = `{"apiVersion":"kubescheduler.config.k8s.io/v1","kind":"KubeSchedulerConfiguration"}`

func main() {
	klog.SetLogger(logr.Discard())
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(2)
	}
}

func run() error {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	standard := evaluate(ctx, []byte(emptyConfig))
	if len(standard.Profiles) != 1 {
		return fmt.Errorf("the default configuration has %d profiles", len(standard.Profiles))
	}
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<24)
	for in.Scan() {
		if len(bytes.TrimSpace(in.Bytes())) == 0 {
			continue
		}
		var current line
		if err := json.Unmarshal(in.Bytes(), &current); err != nil {
			return err
		}
		current.Outcome = evaluate(ctx, current.Config)
		if current.Name != "default" {
			for i := range current.Outcome.Profiles {
				leaveOut(&current.Outcome.Profiles[i], standard.Profiles[0])
			}
		}
		var text bytes.Buffer
		encoder := json.NewEncoder(&text)
		encoder.SetEscapeHTML(false)
		if err := encoder.Encode(current); err != nil {
			return err
		}
		if _, err := os.Stdout.Write(text.Bytes()); err != nil {
			return err
		}
	}
	return in.Err()
}

// leaveOut removes what is as in the default profile.
func leaveOut(p *profile, standard profile) {
	same := func(left, right any) bool { return reflect.DeepEqual(left, right) }
	maps.DeleteFunc(p.Plugins, func(point string, names []string) bool { return same(names, standard.Plugins[point]) })
	maps.DeleteFunc(p.Arguments, func(name string, args any) bool { return same(args, standard.Arguments[name]) })
}

// evaluate goes through the stages of a start: decoding with defaults, validation, building the frameworks.
func evaluate(ctx context.Context, text []byte) outcome {
	object, version, err := scheme.Codecs.UniversalDecoder().Decode(text, nil, nil)
	if err != nil {
		return outcome{Stage: "decode", Errors: []string{err.Error()}}
	}
	loaded, ok := object.(*config.KubeSchedulerConfiguration)
	if !ok {
		return outcome{Stage: "decode", Errors: []string{fmt.Sprintf("couldn't decode as KubeSchedulerConfiguration, got %s: ", version)}}
	}
	loaded.APIVersion = version.GroupVersion().String()
	if err := validation.ValidateKubeSchedulerConfiguration(loaded); err != nil {
		return outcome{Stage: "validate", Errors: flatten(err)}
	}
	built, err := cluster.New(ctx, loaded, nil)
	if err != nil {
		return outcome{Stage: "start", Errors: []string{err.Error()}}
	}
	result := outcome{
		Parallelism: loaded.Parallelism,
		Percentage:  *loaded.PercentageOfNodesToScore,
		Backoff:     [2]int64{loaded.PodInitialBackoffSeconds, loaded.PodMaxBackoffSeconds},
	}
	for i := range loaded.Profiles {
		name := loaded.Profiles[i].SchedulerName
		result.Profiles = append(result.Profiles, profile{
			Name:       name,
			Percentage: loaded.Profiles[i].PercentageOfNodesToScore,
			Plugins:    lists(built.Scheduler.Profiles[name].ListPlugins()),
			Arguments:  arguments(&loaded.Profiles[i]),
		})
	}
	return result
}

func flatten(err error) []string {
	var aggregate utilerrors.Aggregate
	if !errors.As(err, &aggregate) {
		return []string{err.Error()}
	}
	var texts []string
	for _, one := range utilerrors.Flatten(aggregate).Errors() {
		texts = append(texts, one.Error())
	}
	return texts
}

// lists returns the plugins of every extension point in their order, score plugins with their weights.
func lists(plugins *config.Plugins) map[string][]string {
	result := map[string][]string{}
	add := func(point string, set config.PluginSet, weighted bool) {
		names := []string{}
		for _, plugin := range set.Enabled {
			name := plugin.Name
			if weighted {
				name = fmt.Sprintf("%s=%d", name, plugin.Weight)
			}
			names = append(names, name)
		}
		result[point] = names
	}
	add("preEnqueue", plugins.PreEnqueue, false)
	add("queueSort", plugins.QueueSort, false)
	add("preFilter", plugins.PreFilter, false)
	add("filter", plugins.Filter, false)
	add("postFilter", plugins.PostFilter, false)
	add("preScore", plugins.PreScore, false)
	add("score", plugins.Score, true)
	add("reserve", plugins.Reserve, false)
	add("permit", plugins.Permit, false)
	add("preBind", plugins.PreBind, false)
	add("bind", plugins.Bind, false)
	return result
}

// arguments returns the typed plugin arguments with their fields as the API names them.
func arguments(p *config.KubeSchedulerProfile) map[string]any {
	result := map[string]any{}
	shape := func(points []config.UtilizationShapePoint) [][2]int32 {
		list := [][2]int32{}
		for _, point := range points {
			list = append(list, [2]int32{point.Utilization, point.Score})
		}
		return list
	}
	resources := func(specs []config.ResourceSpec) []any {
		list := []any{}
		for _, spec := range specs {
			list = append(list, []any{spec.Name, spec.Weight})
		}
		return list
	}
	for _, entry := range p.PluginConfig {
		switch args := entry.Args.(type) {
		case *config.DefaultPreemptionArgs:
			result[entry.Name] = []any{args.MinCandidateNodesPercentage, args.MinCandidateNodesAbsolute}
		case *config.DynamicResourcesArgs:
			result[entry.Name] = []any{args.FilterTimeout.Duration.String(), args.BindingTimeout.Duration.String()}
		case *config.InterPodAffinityArgs:
			result[entry.Name] = []any{args.HardPodAffinityWeight, args.IgnorePreferredTermsOfExistingPods}
		case *config.NodeAffinityArgs:
			result[entry.Name] = args.AddedAffinity
		case *config.NodeResourcesBalancedAllocationArgs:
			result[entry.Name] = resources(args.Resources)
		case *config.NodeResourcesFitArgs:
			fit := map[string]any{
				"ignored": args.IgnoredResources,
				"groups":  args.IgnoredResourceGroups,
			}
			if strategy := args.ScoringStrategy; strategy != nil {
				fit["strategy"] = strategy.Type
				fit["resources"] = resources(strategy.Resources)
				if strategy.RequestedToCapacityRatio != nil {
					fit["shape"] = shape(strategy.RequestedToCapacityRatio.Shape)
				}
			}
			result[entry.Name] = fit
		case *config.PodTopologySpreadArgs:
			result[entry.Name] = []any{args.DefaultingType, args.DefaultConstraints}
		case *config.VolumeBindingArgs:
			result[entry.Name] = []any{args.BindTimeoutSeconds, shape(args.Shape)}
		}
	}
	return result
}
