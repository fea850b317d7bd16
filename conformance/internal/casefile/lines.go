package casefile

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// Open opens a plain or gzip-compressed file for reading; "-" is standard input.
func Open(path string) (io.ReadCloser, error) {
	if path == "-" {
		return io.NopCloser(os.Stdin), nil
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	if !strings.HasSuffix(path, ".gz") {
		return file, nil
	}
	unpacked, err := gzip.NewReader(file)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), file.Close())
	}
	return struct {
		io.Reader
		io.Closer
	}{unpacked, file}, nil
}

// ReadAll reads every JSON value of a file. Values may span lines, so a file holding one indented value is fine too.
func ReadAll[T any](path string) ([]T, error) {
	file, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var values []T
	decoder := json.NewDecoder(bufio.NewReaderSize(file, 1<<20))
	for {
		var value T
		if err := decoder.Decode(&value); errors.Is(err, io.EOF) {
			return values, nil
		} else if err != nil {
			return nil, fmt.Errorf("%s: value %d: %w", path, len(values)+1, err)
		}
		values = append(values, value)
	}
}

// Writer writes JSON lines. A path ending in .gz is compressed in a reproducible way: best compression, no time stamp, no name.
type Writer struct {
	file    *os.File
	packed  *gzip.Writer
	buffer  *bufio.Writer
	encoder *json.Encoder
}

// Create opens a writer; an empty path or "-" is standard output.
func Create(path string) (*Writer, error) {
	w := &Writer{file: os.Stdout}
	if path != "" && path != "-" {
		file, err := os.Create(path)
		if err != nil {
			return nil, err
		}
		w.file = file
	}
	var sink io.Writer = w.file
	if strings.HasSuffix(path, ".gz") {
		packed, err := gzip.NewWriterLevel(w.file, gzip.BestCompression)
		if err != nil {
			return nil, err
		}
		w.packed, sink = packed, packed
	}
	w.buffer = bufio.NewWriter(sink)
	w.encoder = json.NewEncoder(w.buffer)
	w.encoder.SetEscapeHTML(false)
	return w, nil
}

// Write appends one value as a line.
func (w *Writer) Write(value any) error {
	return w.encoder.Encode(value)
}

// Close flushes everything and closes the file.
func (w *Writer) Close() error {
	errs := []error{w.buffer.Flush()}
	if w.packed != nil {
		errs = append(errs, w.packed.Close())
	}
	if w.file != os.Stdout {
		errs = append(errs, w.file.Close())
	}
	return errors.Join(errs...)
}
