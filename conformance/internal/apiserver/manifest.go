package apiserver

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"

	"k8s.io/apimachinery/pkg/util/yaml"

	"bayplan/conformance/internal/casefile"
)

// CheckFile judges every object of a multi-document YAML or JSON file, the items of Lists one by one, and hands each to emit.
func CheckFile(path string, emit func(Verdict) error) error {
	file, err := casefile.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	documents := yaml.NewYAMLReader(bufio.NewReader(file))
	for number := 1; ; number++ {
		document, err := documents.Read()
		if errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		if len(bytes.TrimSpace(document)) == 0 {
			continue
		}
		for _, verdict := range checkDocument(document) {
			verdict.File, verdict.Document = path, number
			if err := emit(verdict); err != nil {
				return err
			}
		}
	}
}

// checkDocument judges one document; a List gives a verdict for each item.
func checkDocument(document []byte) []Verdict {
	var list struct {
		Kind  string            `json:"kind"`
		Items []json.RawMessage `json:"items"`
	}
	if asJSON, err := yaml.ToJSON(document); err != nil || json.Unmarshal(asJSON, &list) != nil || list.Kind != "List" {
		return []Verdict{Check(document)}
	}
	var verdicts []Verdict
	for i, item := range list.Items {
		verdict := Check(item)
		verdict.Item = i + 1
		verdicts = append(verdicts, verdict)
	}
	return verdicts
}
