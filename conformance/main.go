// Command conformance runs the real kube-scheduler of Kubernetes v1.37.2 in process, to prove that Bayplan decides as it does.
package main

import (
	"fmt"
	"os"

	"bayplan/conformance/internal/schema"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(2)
	}
}

func run(args []string) error {
	if len(args) == 1 && args[0] == "schema" {
		return schema.Write(os.Stdout)
	}
	return fmt.Errorf("usage: conformance schema")
}
