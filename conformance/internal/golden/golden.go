// Package golden writes the committed set of cases and answers.
package golden

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"

	"bayplan/conformance/internal/casefile"
	"bayplan/conformance/internal/gen"
	"bayplan/conformance/internal/runner"
	"bayplan/conformance/internal/sequence"
)

// counts says how many cases of a family the set holds; a family not listed has 150.
var counts = map[string]int{"large": 12, "sequence": 4}

// Write generates every family with the seed, answers the cases and writes both to the folder. The same seed gives the same bytes.
func Write(ctx context.Context, folder string, seed uint64) error {
	for _, family := range gen.Families() {
		count, ok := counts[family]
		if !ok {
			count = 150
		}
		var cases []casefile.Case
		err := gen.Generate(family, seed, count, func(question casefile.Case) error {
			cases = append(cases, question)
			return nil
		})
		if err != nil {
			return err
		}
		write := writeFamily
		if family == "sequence" {
			write = writeSequences
		}
		if err := write(ctx, folder, family, cases); err != nil {
			return err
		}
	}
	return nil
}

// writeFamily writes FAMILY.cases.jsonl.gz and FAMILY.expected.jsonl.gz.
func writeFamily(ctx context.Context, folder, family string, cases []casefile.Case) error {
	err := lines(filepath.Join(folder, family+".cases.jsonl.gz"), func(write func(any) error) error {
		for _, question := range cases {
			if err := write(question); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return lines(filepath.Join(folder, family+".expected.jsonl.gz"), func(write func(any) error) error {
		return runner.Run(ctx, cases, runtime.NumCPU(), func(result casefile.Result) error { return write(result) })
	})
}

// writeSequences writes sequence-N.case.json.gz and sequence-N.expected.jsonl.gz for each case.
func writeSequences(ctx context.Context, folder, family string, cases []casefile.Case) error {
	for i, question := range cases {
		base := filepath.Join(folder, fmt.Sprintf("%s-%d", family, i))
		if err := lines(base+".case.json.gz", func(write func(any) error) error { return write(question) }); err != nil {
			return err
		}
		err := lines(base+".expected.jsonl.gz", func(write func(any) error) error {
			return sequence.Run(ctx, question, sequence.Adaptive, func(step sequence.Step) error { return write(step) })
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// lines writes a file through fill.
func lines(path string, fill func(write func(any) error) error) error {
	writer, err := casefile.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(fill(writer.Write), writer.Close())
}
