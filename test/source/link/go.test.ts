import { describe, expect, it } from 'vitest';
import { resolved } from '../resolution/resolved.js';

const MOD = 'module example.com/shop\n\ngo 1.22\n';

/** What a call in `a.go` leads to, of a package `p` at the root. */
function calls(body: string, expression: string, others: Record<string, string> = {}): string[] {
  return resolved({ 'go.mod': MOD, 'a.go': `package p\n\n${body}`, ...others }).uses('a.go', expression);
}

describe('a name in Go', () => {
  it('is seen in all files of its package, without an import', () => {
    expect(calls('func f() { help() }', 'help()', { 'b.go': 'package p\nfunc help() {}' })).toEqual([
      'b.go help (import)',
    ]);
  });

  it('of another package in the same folder is another one: the external test', () => {
    const others = { 'b_test.go': 'package p_test\nfunc help() {}' };
    expect(calls('func f() { help() }', 'help()', others)).toEqual(['?help']);
  });

  it('of a test file is not seen where another file has one of that name', () => {
    const others = { 'b.go': 'package p\nfunc help() {}', 'b_test.go': 'package p\nfunc help() {}' };
    expect(calls('func f() { help() }', 'help()', others)).toEqual(['b.go help (import)']);
  });

  it('is the innermost: a parameter hides a function, and what is below its declaration a later local', () => {
    const body = 'func g(x int) {}\nfunc f(g func()) { g() }\nfunc h() { g(1); g := func(x int) {}; g(2) }';
    expect(calls(body, 'g()')).toEqual(['?g']);
    expect(calls(body, 'g(1)')).toEqual(['a.go g (exact)']);
    expect(calls(body, 'g(2)')).toEqual(['?g']);
  });

  it('of a package is looked up by its import, whatever the import is called', () => {
    const others = {
      'store/s.go': 'package store\nfunc Open() {}',
      'other/s.go': 'package other\nfunc Open() {}',
    };
    const body = 'import db "example.com/shop/store"\nfunc f() { db.Open() }';
    expect(calls(body, 'db.Open()', others)).toEqual(['store/s.go Open (import)']);
  });

  it('of a package is found by its clause where that is not the last part of the path', () => {
    const others = { 'go-store/s.go': 'package kv\nfunc Open() {}' };
    const body = 'import "example.com/shop/go-store"\nfunc f() { kv.Open() }';
    expect(calls(body, 'kv.Open()', others)).toEqual(['go-store/s.go Open (import)']);
  });

  it('of a module that a go.work puts another folder in the place of is found there', () => {
    const files = {
      'go.work': 'go 1.22\n\nuse (\n\t./app\n\t./lib\n)\n\nreplace example.com/old v1.0.0 => ./kept\n',
      'app/go.mod': 'module example.com/app\n',
      'app/a.go':
        'package app\n\nimport (\n\t"example.com/lib"\n\t"example.com/old"\n)\n\nfunc f() { lib.Open(); old.Close() }\n',
      'lib/go.mod': 'module example.com/lib\n',
      'lib/l.go': 'package lib\n\nfunc Open() {}\n',
      'kept/k.go': 'package old\n\nfunc Close() {}\n',
    };
    const { uses } = resolved(files);
    expect(uses('app/a.go', 'lib.Open()')).toEqual(['lib/l.go Open (import)']);
    expect(uses('app/a.go', 'old.Close()')).toEqual(['kept/k.go Close (import)']);
  });

  it('that a parameter hides is no package', () => {
    const others = { 'store/s.go': 'package store\nfunc Open() {}' };
    const body = 'import "example.com/shop/store"\ntype T struct{}\nfunc f(store T) { store.Open() }';
    expect(calls(body, 'store.Open()', others)).toEqual(['?Open']);
  });

  it('of the language is built in, and can be hidden by the package', () => {
    expect(calls('func f() { len("") }', 'len("")')).toEqual(['builtin:len']);
    expect(calls('func len(s string) int { return 0 }\nfunc f() { len("") }', 'len("")')).toEqual([
      'a.go len (exact)',
    ]);
  });
});

describe('an import in Go', () => {
  const imports = (sources: Record<string, string>) => resolved(sources).imports('a.go');

  it('leads to the files that declare what is used of it', () => {
    const sources = {
      'go.mod': MOD,
      'a.go': 'package p\nimport "example.com/shop/store"\nfunc f() { store.Open() }',
      'store/a.go': 'package store\nfunc Open() {}',
      'store/b.go': 'package store\nfunc Close() {}',
    };
    expect(imports(sources)).toEqual(['store/a.go']);
  });

  it('is of the standard library, or of a package by its path', () => {
    const text = 'package p\nimport "net/http"\nimport "github.com/x/y/v2"';
    expect(imports({ 'go.mod': MOD, 'a.go': text })).toEqual([
      'stdlib:net/http',
      'package:github.com/x/y/v2',
    ]);
  });

  it('follows replaced modules of the project', () => {
    const sources = {
      'app/go.mod': 'module example.com/app\nreplace (\n\texample.com/lib => ../lib // local\n)\n',
      'lib/go.mod': 'module other.example/lib\n',
      'lib/l.go': 'package lib\nfunc Do() {}',
      'a.go': '',
      'app/a.go': 'package app\nimport "example.com/lib"\nfunc f() { lib.Do() }',
    };
    expect(resolved(sources).imports('app/a.go')).toEqual(['lib/l.go']);
  });

  it('of a damaged go.mod is left as it is: the end of a path is no reason to take a folder for what it names', () => {
    const sources = {
      'go.mod': 'modul example.com/shop\n{{{',
      'a.go':
        'package p\nimport "example.com/shop/data/store"\nimport "example.com/shop/store"\nfunc f() { store.Open() }',
      'data/store/s.go': 'package store\nfunc Open() {}',
    };
    expect(imports(sources)).toEqual([
      'package:example.com/shop/data/store',
      'package:example.com/shop/store',
    ]);
  });
});

describe('a member in Go', () => {
  it('is a method, wherever in the package it is declared, through values and pointers', () => {
    const body = 'type T struct{}\nfunc f(a T, b *T) { a.M(); b.M(); (&a).M() }';
    const others = { 'b.go': 'package p\nfunc (t *T) M() {}' };
    expect(calls(body, 'a.M()', others)).toEqual(['b.go T.M (type)']);
    expect(calls(body, 'b.M()', others)).toEqual(['b.go T.M (type)']);
    expect(calls(body, '(&a).M()', others)).toEqual(['b.go T.M (type)']);
  });

  it('of an embedded struct is promoted, the nearest first', () => {
    const body =
      'type A struct{}\nfunc (A) M() {}\ntype B struct{ *A }\ntype C struct{ B }\nfunc (C) N() {}\nfunc f(c C) { c.M(); c.N() }';
    expect(calls(body, 'c.M()')).toEqual(['a.go A.M (type)']);
    expect(calls(body, 'c.N()')).toEqual(['a.go C.N (type)']);
  });

  it('that two embedded structs have is none', () => {
    const body =
      'type A struct{}\nfunc (A) M() {}\ntype B struct{}\nfunc (B) M() {}\ntype C struct{ A; B }\nfunc f(c C) { c.M() }';
    expect(calls(body, 'c.M()')).toEqual(['?M']);
  });

  it('of a named type is not one of the type that it stands for', () => {
    const body = 'type A struct{ x int }\nfunc (A) M() {}\ntype B A\nfunc f(b B) { b.M(); _ = b.x }';
    expect(calls(body, 'b.M()')).toEqual(['?M']);
    expect(calls(body, 'b.x')).toEqual(['a.go A.x (type)']);
  });

  it('of an alias is that of the type', () => {
    const body = 'type A struct{}\nfunc (A) M() {}\ntype B = A\nfunc f(b B) { b.M() }';
    expect(calls(body, 'b.M()')).toEqual(['a.go A.M (type)']);
  });

  it('of an interface is its own, and of what it embeds', () => {
    const body =
      'type R interface{ Read() }\ntype RW interface{ R; Write() }\nfunc f(x RW) { x.Read(); x.Write() }';
    expect(calls(body, 'x.Read()')).toEqual(['a.go R.Read (type)']);
    expect(calls(body, 'x.Write()')).toEqual(['a.go RW.Write (type)']);
  });

  it('of a type parameter is that of its bound', () => {
    const body = 'type R interface{ Read() }\nfunc f[T R](x T) { x.Read() }';
    expect(calls(body, 'x.Read()')).toEqual(['a.go R.Read (type)']);
  });
});

describe('a value in Go', () => {
  it('is what a function gives, each of several results by its place', () => {
    const body =
      'type T struct{}\nfunc (T) M() {}\nfunc two() (int, *T) { return 0, nil }\nfunc f() { _, t := two(); t.M() }';
    expect(calls(body, 't.M()')).toEqual(['a.go T.M (type)']);
  });

  it('comes out of maps, lists, channels, and loops over them', () => {
    const body = `type T struct{}
func (T) M() {}
func f(m map[string]T, l []*T, c chan T) {
	m["a"].M()
	l[0].M()
	for _, one := range l { one.M() }
	for _, each := range m { each.M() }
	for got := range c { got.M() }
	(<-c).M()
	if v, ok := m["x"]; ok { v.M() }
}`;
    for (const name of ['m["a"]', 'l[0]', 'one', 'each', 'got', '(<-c)', 'v'])
      expect(calls(body, `${name}.M()`), name).toEqual(['a.go T.M (type)']);
  });

  it('is of the type that is asserted, in each case of a switch another', () => {
    const body = `type A struct{}
func (A) M() {}
type B struct{}
func (B) M() {}
func f(x any) {
	x.(A).M()
	switch y := x.(type) {
	case A: y.M()
	case *B: y.M()
	}
}`;
    expect(calls(body, 'x.(A).M()')).toEqual(['a.go A.M (type)']);
    expect(calls(body, 'y.M()')).toEqual(['a.go A.M (type)', 'a.go B.M (type)']);
  });

  it('of a generic function or type is what its parameter stands for', () => {
    const body = `type T struct{}
func (T) M() {}
type List[E any] struct{ items []E }
func (l *List[X]) First() X { return l.items[0] }
func same[S any](s S) S { return s }
func made[S any]() S { var s S; return s }
func f(l *List[T]) { l.First().M(); same(T{}).M(); made[T]().M(); l.items[0].M() }`;
    for (const name of ['l.First()', 'same(T{})', 'made[T]()', 'l.items[0]'])
      expect(calls(body, `${name}.M()`), name).toEqual(['a.go T.M (type)']);
  });

  it('of a built-in function has its type: new, make, append', () => {
    const body = `type T struct{}
func (T) M() {}
func f(l []T) { new(T).M(); make([]T, 1)[0].M(); append(l, T{})[0].M() }`;
    for (const name of ['new(T)', 'make([]T, 1)[0]', 'append(l, T{})[0]'])
      expect(calls(body, `${name}.M()`), name).toEqual(['a.go T.M (type)']);
  });

  it('of the library leads on to the library, and back by assertion', () => {
    const body =
      'import "net/http"\ntype T struct{}\nfunc (T) M() {}\nfunc f(r *http.Request) { r.Context().Value("k").(*T).M() }';
    expect(calls(body, 'r.Context()')).toEqual(['net/http:Request.Context']);
    expect(calls(body, 'r.Context().Value("k").(*T).M()')).toEqual(['a.go T.M (type)']);
  });

  it('that is a method is passed as that method, and called as what it holds', () => {
    const body =
      'type T struct{}\nfunc (T) M() {}\nfunc use(f func()) {}\nfunc f(t T) { use(t.M); g := t.M; g() }';
    expect(calls(body, 't.M')).toContain('a.go T.M (type)');
    expect(calls(body, 'g()')).toEqual(['?g']);
  });
});

describe('an interface in Go', () => {
  const SOURCES = {
    'go.mod': MOD,
    'i.go':
      'package p\ntype Shape interface { Area() float64; Name() string }\ntype Named interface { Name() string }',
    'a.go': 'package p\ntype Square struct{}\nfunc (s *Square) Area() float64 { return 0 }',
    'b.go':
      'package p\nfunc (s *Square) Name() string { return "" }\ntype Wrong struct{}\nfunc (Wrong) Name() int { return 0 }\nfunc (Wrong) Area(x int) float64 { return 0 }',
  };

  it('is implemented by the types that have its methods with these parameters and results', () => {
    const { resolution } = resolved(SOURCES);
    const shown = resolution.inheritance.map(
      ({ file, definition, target }) => `${file} ${definition} ${JSON.stringify(target)}`,
    );
    expect(shown).toEqual(['a.go 0 {"file":"i.go","definition":0}', 'a.go 0 {"file":"i.go","definition":3}']);
  });

  it('has its methods overridden where they are declared', () => {
    const program = resolved(SOURCES);
    const name = (file: string, definition: number) =>
      `${file} ${program.facts(file).definitions[definition]?.qualname}`;
    const shown = program.resolution.overrides.map(
      ({ file, definition, target }) => `${name(file, definition)} > ${name(target.file, target.definition)}`,
    );
    expect(shown.sort()).toEqual([
      'a.go Square.Area > i.go Shape.Area',
      'b.go Square.Name > i.go Named.Name',
      'b.go Square.Name > i.go Shape.Name',
    ]);
  });
});

describe('what is large or goes in a circle in Go', () => {
  it('is a long chain of calls', () => {
    const chain = 'b'.concat('.Add()'.repeat(150));
    const body = `type B struct{}\nfunc (b *B) Add() *B { return b }\nfunc f(b *B) { ${chain} }`;
    const { resolution } = resolved({ 'a.go': `package p\n${body}` });
    const found = resolution.references.filter(({ evidence }) => evidence.expression.startsWith('b.Add'));
    expect(found.length).toBe(150);
    expect(found.filter(({ target }) => 'unresolved' in target)).toEqual([]);
  });

  it('is a type that embeds or stands for itself, or a value that is its own', () => {
    const body = `type A struct{ B; x int }
type B struct{ *A }
type C D
type D C
type I interface{ J }
type J interface{ I }
type T[P T[P]] struct{}
var v = w
var w = v
func g() { return g() }
func f(a A, c C, i I, t T[int]) { a.M(); c.M(); i.M(); t.M(); v.M(); _ = a.x; for _, y := range y { y.M() } }`;
    for (const name of ['a', 'c', 'i', 't', 'v', 'y'])
      expect(calls(body, `${name}.M()`), name).toEqual(['?M']);
    expect(calls(body, 'a.x')).toEqual(['a.go A.x (type)']);
  });
});
