// Package casefile reads and writes the JSON lines files of cases and results.
package casefile

import (
	"encoding/json"
)

// Case is one scheduling question: a cluster, a scheduler configuration and pods to place in order.
type Case struct {
	// Name identifies the case; the result repeats it.
	Name string `json:"name"`
	// Config is a KubeSchedulerConfiguration as YAML or JSON text; empty means the default profile.
	Config string `json:"config,omitempty"`
	// Preempt asks for PostFilter when no node fits.
	Preempt bool `json:"preempt,omitempty"`
	// Objects are Kubernetes objects as they would be sent to the API server.
	Objects []json.RawMessage `json:"objects"`
	// Pending names the pods to schedule, as namespace/name, in this order.
	Pending []string `json:"pending"`
}

// Result is what the scheduler decided for one case.
type Result struct {
	Name  string `json:"name"`
	Error string `json:"error,omitempty"`
	Pods  []Pod  `json:"pods,omitempty"`
}

// Pod is the decision for one pending pod.
type Pod struct {
	// Pod is namespace/name.
	Pod string `json:"pod"`
	// PreFilter is set when a PreFilter plugin rejected the pod as a whole.
	PreFilter *Rejection `json:"prefilter,omitempty"`
	// Rejected holds the first rejection of every node that was filtered out.
	Rejected map[string]Rejection `json:"rejected,omitempty"`
	// Feasible lists the nodes that passed every filter, sorted by name.
	Feasible []string `json:"feasible,omitempty"`
	// Scores holds every feasible node's scores.
	Scores map[string]Score `json:"scores,omitempty"`
	// Best lists the nodes with the highest total, sorted by name.
	Best []string `json:"best,omitempty"`
	// Chosen is the node the pod was assumed onto.
	Chosen string `json:"chosen,omitempty"`
	// Message is the text of the PodScheduled condition when the pod was not placed.
	Message string `json:"message,omitempty"`
	// Nominated is the node preemption decided for.
	Nominated string `json:"nominated,omitempty"`
	// Victims are the pods preemption would delete, sorted.
	Victims []string `json:"victims,omitempty"`
}

// Rejection is a plugin's verdict against a pod or a node.
type Rejection struct {
	Plugin  string   `json:"plugin"`
	Code    string   `json:"code"`
	Reasons []string `json:"reasons"`
}

// Score is one node's scores: as the plugins returned them, after normalizing and weighting, and their sum.
type Score struct {
	Raw      map[string]int64 `json:"raw"`
	Weighted map[string]int64 `json:"weighted"`
	Total    int64            `json:"total"`
}
