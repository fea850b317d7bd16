package gen

import (
	"fmt"
	"math/rand/v2"
)

// tree and list are JSON objects and arrays. Objects are marshalled with sorted keys, so equal cases are equal text.
type (
	tree = map[string]any
	list = []any
)

// source is a stream of random decisions.
type source struct {
	*rand.Rand
}

// newSource gives every case its own stream, so that a case does not depend on how many stand before it.
func newSource(family string, seed uint64, index int) source {
	mixed := uint64(14695981039346656037)
	for _, letter := range []byte(fmt.Sprintf("%s/%d", family, index)) {
		mixed = (mixed ^ uint64(letter)) * 1099511628211
	}
	return source{rand.New(rand.NewPCG(seed, mixed))}
}

// chance is true in the given percentage of calls.
func (s source) chance(percent int) bool {
	return s.IntN(100) < percent
}

// between returns a number from low to high, both included.
func (s source) between(low, high int) int {
	return low + s.IntN(high-low+1)
}

// pick returns one of the options.
func pick[T any](s source, options ...T) T {
	return options[s.IntN(len(options))]
}

// some returns a random subset of at least low and at most high options, in random order.
func some[T any](s source, low, high int, options ...T) []T {
	shuffled := append([]T(nil), options...)
	s.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
	return shuffled[:min(s.between(low, high), len(shuffled))]
}
