// Command conformance runs the real kube-scheduler of Kubernetes v1.37.2 in process, to prove that Bayplan decides as it does.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strconv"

	"github.com/go-logr/logr"
	"k8s.io/klog/v2"

	"bayplan/conformance/internal/apiserver"
	"bayplan/conformance/internal/benchgen"
	"bayplan/conformance/internal/casefile"
	"bayplan/conformance/internal/gen"
	"bayplan/conformance/internal/golden"
	"bayplan/conformance/internal/runner"
	"bayplan/conformance/internal/schema"
	"bayplan/conformance/internal/sequence"
)

const usage = `usage:
  conformance run CASES.jsonl[.gz] [OUT]
  conformance sequence CASE.json [PERCENT]
  conformance bench CASE.json [PERCENT]
  conformance gen FAMILY SEED COUNT [OUT]
  conformance benchgen SCENARIO NODES PODS [OUT]
  conformance golden FOLDER [SEED]
  conformance validate MANIFEST.yaml...
  conformance default MANIFEST.yaml...
  conformance schema`

func main() {
	// Plugins log what they refuse; the answers say it too.
	klog.SetLogger(logr.Discard())
	if err := run(context.Background(), os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(2)
	}
}

// run executes one subcommand.
func run(ctx context.Context, args []string) error {
	if len(args) == 0 {
		return errors.New(usage)
	}
	name, args := args[0], args[1:]
	switch {
	case name == "run" && (len(args) == 1 || len(args) == 2):
		return answer(ctx, args[0], optional(args, 1))
	case name == "sequence" && (len(args) == 1 || len(args) == 2):
		return placeInOrder(ctx, args[0], optional(args, 1))
	case name == "bench" && (len(args) == 1 || len(args) == 2):
		return bench(ctx, args[0], optional(args, 1))
	case name == "gen" && (len(args) == 3 || len(args) == 4):
		return generate(args[0], args[1], args[2], optional(args, 3))
	case name == "benchgen" && (len(args) == 3 || len(args) == 4):
		return generateLarge(args[0], args[1], args[2], optional(args, 3))
	case name == "golden" && (len(args) == 1 || len(args) == 2):
		return writeGolden(ctx, args[0], optional(args, 1))
	case name == "validate" && len(args) > 0:
		return check(args, func(verdict apiserver.Verdict) (any, error) { return verdict, nil })
	case name == "default" && len(args) > 0:
		return check(args, func(verdict apiserver.Verdict) (any, error) {
			return verdict.Prepared()
		})
	case name == "schema" && len(args) == 0:
		return schema.Write(os.Stdout)
	}
	return errors.New(usage)
}

// optional returns the argument at the index, or nothing.
func optional(args []string, index int) string {
	if index < len(args) {
		return args[index]
	}
	return ""
}

// answer runs the cases of a file.
func answer(ctx context.Context, in, out string) error {
	cases, err := casefile.ReadAll[casefile.Case](in)
	if err != nil {
		return err
	}
	writer, err := casefile.Create(out)
	if err != nil {
		return err
	}
	err = runner.Run(ctx, cases, runtime.NumCPU(), func(result casefile.Result) error { return writer.Write(result) })
	return errors.Join(err, writer.Close())
}

// check judges manifests and prints a line for each object.
func check(paths []string, show func(apiserver.Verdict) (any, error)) error {
	writer, err := casefile.Create("")
	if err != nil {
		return err
	}
	for _, path := range paths {
		err = errors.Join(err, apiserver.CheckFile(path, func(verdict apiserver.Verdict) error {
			line, err := show(verdict)
			if err != nil {
				return fmt.Errorf("%s: document %d: %w", verdict.File, verdict.Document, err)
			}
			return writer.Write(line)
		}))
	}
	return errors.Join(err, writer.Close())
}

// placeInOrder prints where the pods of a case go, one line a pod.
func placeInOrder(ctx context.Context, path, percent string) error {
	question, wanted, err := large(path, percent)
	if err != nil {
		return err
	}
	writer, err := casefile.Create("")
	if err != nil {
		return err
	}
	err = sequence.Run(ctx, question, wanted, func(step sequence.Step) error { return writer.Write(step) })
	return errors.Join(err, writer.Close())
}

// bench times the placement of a case's pods.
func bench(ctx context.Context, path, percent string) error {
	question, wanted, err := large(path, percent)
	if err != nil {
		return err
	}
	timing, err := sequence.Bench(ctx, question, wanted)
	if err != nil {
		return err
	}
	writer, err := casefile.Create("")
	if err != nil {
		return err
	}
	return errors.Join(writer.Write(timing), writer.Close())
}

// large reads a file with one case and the percentage of nodes to score.
func large(path, percent string) (casefile.Case, int32, error) {
	wanted := sequence.Adaptive
	if percent != "" {
		parsed, err := strconv.ParseInt(percent, 10, 32)
		if err != nil || parsed < 0 || parsed > 100 {
			return casefile.Case{}, 0, fmt.Errorf("percent must be a whole number from 0 to 100, not %q", percent)
		}
		wanted = int32(parsed)
	}
	cases, err := casefile.ReadAll[casefile.Case](path)
	if err != nil {
		return casefile.Case{}, 0, err
	}
	if len(cases) != 1 {
		return casefile.Case{}, 0, fmt.Errorf("%s: want one case, found %d", path, len(cases))
	}
	return cases[0], wanted, nil
}

// generate writes random cases.
func generate(family, seed, count, out string) error {
	start, err := strconv.ParseUint(seed, 10, 64)
	if err != nil {
		return fmt.Errorf("seed: %w", err)
	}
	cases, err := strconv.Atoi(count)
	if err != nil || cases < 0 {
		return fmt.Errorf("count must be a whole number, not %q", count)
	}
	writer, err := casefile.Create(out)
	if err != nil {
		return err
	}
	err = gen.Generate(family, start, cases, func(question casefile.Case) error { return writer.Write(question) })
	return errors.Join(err, writer.Close())
}

// generateLarge writes one case for measuring speed.
func generateLarge(scenario, nodes, pods, out string) error {
	nodeCount, err := strconv.Atoi(nodes)
	if err != nil || nodeCount < 0 {
		return fmt.Errorf("nodes must be a whole number, not %q", nodes)
	}
	podCount, err := strconv.Atoi(pods)
	if err != nil || podCount < 0 {
		return fmt.Errorf("pods must be a whole number, not %q", pods)
	}
	question, err := benchgen.Generate(scenario, nodeCount, podCount)
	if err != nil {
		return err
	}
	writer, err := casefile.Create(out)
	if err != nil {
		return err
	}
	return errors.Join(writer.Write(question), writer.Close())
}

// writeGolden writes the committed set again.
func writeGolden(ctx context.Context, folder, seed string) error {
	start := uint64(1)
	if seed != "" {
		parsed, err := strconv.ParseUint(seed, 10, 64)
		if err != nil {
			return fmt.Errorf("seed: %w", err)
		}
		start = parsed
	}
	return golden.Write(ctx, folder, start)
}
