// Copyright of nobody.

//go:build linux

// Package shop sells things.
//
// It has two paragraphs.
package shop

import (
	"fmt"
	chi5 "github.com/go-chi/chi/v5"
	. "math"
	_ "net/http/pprof"
	"gopkg.in/yaml.v3"
)

// Price of one thing, in cents.
//
//go:noinline
func Price(name string, counts ...int) (total int, err error) {
	if len(counts) == 0 {
		return 0, fmt.Errorf("no counts of %s", name)
	}
	for _, count := range counts {
		total += count
	}
	for i := 0; i < 3; i++ {
		total = total + i
	}
	return total, nil
}

/*
Log writes.
  - indented
*/
func Log(format string, _ int) { fmt.Println(format) } // not a doc

func apply[T any, K ~int | ~string](items []T, key func(T) K) map[K]T {
	found := make(map[K]T, len(items))
	for at := range items {
		found[key(items[at])] = items[at]
	}
	return found
}

func closures(r chi5.Router) func() error {
	// TODO(#12): give it a name
	run := func(name string) error {
		price, err := Price(name)
		_, err = Price(name, price)
		return err
	}
	defer run("late")
	go func() { run("soon") }()
	return func() error { return run(fmt.Sprint(Pi)) }
}

func main() {
outer:
	for {
		switch value := next(); {
		case value > 1:
			continue outer
		default:
			break outer
		}
	}
	var node yaml.Node
	var first, second = Price("a")
	const local = 3
	goto outer
	_ = apply[int, string](nil, nil)
	use(node, first, second, local)
}
