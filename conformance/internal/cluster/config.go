package cluster

import (
	"fmt"

	"k8s.io/kubernetes/pkg/scheduler/apis/config"
	"k8s.io/kubernetes/pkg/scheduler/apis/config/scheme"
	"k8s.io/kubernetes/pkg/scheduler/apis/config/validation"
)

// emptyConfig is what the scheduler runs with when no file is given.
const emptyConfig = `{"apiVersion":"kubescheduler.config.k8s.io/v1","kind":"KubeSchedulerConfiguration"}`

// LoadConfig reads, defaults and validates a KubeSchedulerConfiguration as kube-scheduler --config does. Empty text gives the
// default configuration.
func LoadConfig(text string) (*config.KubeSchedulerConfiguration, error) {
	if text == "" {
		text = emptyConfig
	}
	object, version, err := scheme.Codecs.UniversalDecoder().Decode([]byte(text), nil, nil)
	if err != nil {
		return nil, err
	}
	loaded, ok := object.(*config.KubeSchedulerConfiguration)
	if !ok {
		return nil, fmt.Errorf("not a KubeSchedulerConfiguration: %s", version)
	}
	// The conversion drops the version, which the plugins' argument checks need.
	loaded.APIVersion = version.GroupVersion().String()
	if err := validation.ValidateKubeSchedulerConfiguration(loaded); err != nil {
		return nil, err
	}
	return loaded, nil
}
