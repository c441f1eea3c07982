package shop

import (
	"io"
	"sync"
)

// Kind of a thing.
type Kind int

// All kinds.
const (
	// Small is the least.
	Small Kind = iota + 1
	Large       // Large is more.
	hidden, odd = 3, "x"
)

type (
	// Names by kind.
	Names map[Kind][]string
	Alias = Names
	Handler func(w io.Writer, names ...string) error
)

// Shop is open.
type Shop[T any] struct {
	*sync.Mutex
	io.Reader `json:"-"`
	Inner[T]
	Name, Title string // what it is called
	// Lines that are open.
	Lines  []struct{ At int }
	on     func(T) error
	done   chan<- bool
	nested struct {
		deep *Shop[T]
	}
}

// Seller sells.
type Seller interface {
	io.Closer
	// Sell one.
	Sell(name string, count int) (Kind, error)
	Other
	~int | string
}

// Sell is of the pointer.
func (s *Shop[T]) Sell(name string, count int) (Kind, error) {
	s.Lock()
	defer s.Unlock()
	s.Name = name
	s.nested.deep.Name += name
	s.on(s.first())
	return Small, nil
}

func (Shop[_]) first() (one interface{ Close() error }) { return one }

// Left is of a type of another file.
func (e Elsewhere) Left() {}

var _ Seller = (*Shop[int])(nil)

var (
	// Default shop.
	Default = &Shop[int]{Name: "a", nested: inner{deep: nil}}
	table   = []Kind{Small, Large}
	byName  = map[string]Point{"a": {X: 1, Y: 2}, odd: {3, 4}}
	one, two = pair()
)

func local() {
	type Point struct{ X, Y int }
	p := Point{X: 1}
	p.X++
}
