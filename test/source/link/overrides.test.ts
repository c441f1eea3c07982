import { describe, expect, it } from 'vitest';
import { go } from '../../../source/languages/go/index.js';
import { createParser } from '../../../source/parser.js';
import {
  createPlaces,
  createProgram,
  interfaceOf,
  moduleTable,
  readManifests,
  resolvePath,
} from '../../../source/resolution/index.js';
import { resolved } from '../resolution/resolved.js';

const parser = await createParser([go]);

/** What types are said to implement, and which methods to override, of files of Go: a name alone is a body of `a.go`. */
function told(sources: string | Record<string, string>) {
  const files = typeof sources === 'string' ? { 'a.go': `package p\n${sources}` } : sources;
  const program = resolved({ 'go.mod': 'module m\n', ...files });
  const name = (file: string, definition: number) => program.facts(file).definitions[definition]?.qualname;
  const { inheritance, overrides } = program.resolution;
  return {
    implementations: inheritance.flatMap(({ file, definition, relation, target }) =>
      relation === 'implements' && 'definition' in target
        ? [`${name(file, definition)} > ${name(target.file, target.definition)}`]
        : [],
    ),
    overrides: overrides.map(
      ({ file, definition, target }) =>
        `${file} ${name(file, definition)} > ${name(target.file, target.definition)}`,
    ),
  };
}

describe('a method that is built for one system each', () => {
  const FILES = {
    't.go': 'package p\ntype R interface{ A(); B() }\ntype T struct{}\nfunc (t *T) B() {}',
    't_unix.go': 'package p\nfunc (t *T) A() {}',
    't_windows.go': 'package p\nfunc (t *T) A() {}',
  };

  it('is a method of the type, and each of them overrides', () => {
    expect(told(FILES).implementations).toEqual(['T > R']);
    expect(told(FILES).overrides).toEqual([
      't.go T.B > R.B',
      't_unix.go T.A > R.A',
      't_windows.go T.A > R.A',
    ]);
  });

  it('overrides only where it fits', () => {
    const found = told({ ...FILES, 't_windows.go': 'package p\nfunc (t *T) A(x int) {}' });
    expect(found.implementations).toEqual(['T > R']);
    expect(found.overrides).toEqual(['t.go T.B > R.B', 't_unix.go T.A > R.A']);
  });
});

describe('an interface that embeds one of elsewhere', () => {
  it('is satisfied by what embeds the same', () => {
    for (const outside of ['io.Writer', 'ext.Thing']) {
      const text = `import ("io"; "example.com/ext")
type W interface{ ${outside}; Extra() }
type ww struct{ ${outside} }
func (w *ww) Extra() {}
type other struct{}
func (o *other) Extra() {}`;
      expect(told(text).implementations, outside).toEqual(['ww > W']);
    }
  });

  it('is satisfied by what has the methods that the library knows, and embeds what embeds it', () => {
    const text = `import "io"
type W interface{ io.Writer; Extra() }
type own struct{}
func (o *own) Extra() {}
func (o *own) Write(b []byte) (int, error) { return 0, nil }
type wrong struct{}
func (o *wrong) Extra() {}
func (o *wrong) Write(b string) (int, error) { return 0, nil }
type more struct{ io.ReadWriteCloser }
func (m more) Extra() {}`;
    expect(told(text).implementations).toEqual(['own > W', 'more > W']);
  });

  it('is satisfied by what is stated to satisfy it', () => {
    const text = (value: string) => `import "example.com/ext"
type W interface{ ext.Thing; Extra() }
type T struct{}
func (t *T) Extra() {}
func (t *T) Do() {}
${value}`;
    for (const value of ['(*T)(nil)', '&T{}', 'T{}', 'new(T)'])
      expect(told(text(`var _ W = ${value}`)), value).toEqual({
        implementations: ['T > W'],
        overrides: ['a.go T.Extra > W.Extra'],
      });
    expect(told(text('var _ ext.Thing = (*T)(nil)')).implementations).toEqual([]);
  });

  it('is not satisfied by a method that only an unknown type may have', () => {
    const text = `import "example.com/ext"
type I interface{ Close(); Extra() }
type T struct{ ext.Thing }
func (t *T) Extra() {}`;
    expect(told(text).implementations).toEqual([]);
  });
});

describe('an interface that only embeds', () => {
  it('is satisfied by what satisfies all of it', () => {
    const text = `type A interface{ A() }
type B interface{ B() }
type AB interface{ A; B }
type T struct{}
func (T) A() {}
func (T) B() {}
type U struct{}
func (U) A() {}`;
    expect(told(text).implementations.sort()).toEqual(['T > A', 'T > AB', 'T > B', 'U > A']);
  });
});

describe('a method satisfies another one', () => {
  /** Whether a method of these parameters and results is one that is wanted. */
  const fits = (has: string, wanted: string, before = '') =>
    told(
      `${before}\ntype Box[E any] struct{ e E }\ntype I interface{ M${wanted} }\ntype T struct{}\nfunc (t T) M${has} {}`,
    ).implementations.includes('T > I');

  it('with the same type arguments', () => {
    expect(fits('() Box[int]', '() Box[int]')).toBe(true);
    expect(fits('() Box[int]', '() Box[string]')).toBe(false);
    expect(fits('(m map[string]Box[T])', '(m map[string]Box[T])')).toBe(true);
    expect(fits('(m map[string]Box[T])', '(m map[string]Box[I])')).toBe(false);
  });

  it('that is not known only where it is written the same', () => {
    expect(fits('(x int)', '(x Missing)')).toBe(false);
    expect(fits('(x Missing)', '(x Missing)')).toBe(true);
    expect(fits('(x Other)', '(x Missing)')).toBe(false);
    expect(fits('(x []Missing)', '(x []*Missing)')).toBe(false);
  });

  it('with types that are written in place, and functions', () => {
    expect(fits('() <-chan struct{}', '() <-chan struct{}')).toBe(true);
    expect(fits('(x struct{ a int })', '(x struct{ a int })')).toBe(true);
    expect(fits('(x struct{ a int })', '(x struct{ a string })')).toBe(false);
    expect(fits('(f func(int) error)', '(f func(int) error)')).toBe(true);
    expect(fits('(f func(int) error)', '(f func(...int) error)')).toBe(false);
    expect(fits('(x ...int)', '(x ...int)')).toBe(true);
    expect(fits('(x ...int)', '(x []int)')).toBe(false);
  });

  it('where one type stands for a type parameter', () => {
    const text = `type Stack[E any] interface{ Push(E); Pop() E }
type Ints struct{}
func (Ints) Push(x int) {}
func (Ints) Pop() int { return 0 }
type Mixed struct{}
func (Mixed) Push(x int) {}
func (Mixed) Pop() string { return "" }
type List[X any] struct{}
func (l *List[Y]) Push(x Y) {}
func (l *List[Y]) Pop() Y { return l.Pop() }`;
    expect(told(text).implementations).toEqual(['Ints > Stack', 'List > Stack']);
  });
});

describe('what a struct embeds', () => {
  it('is not overridden by its own methods', () => {
    const text = `type Base struct{}
func (b Base) Speak() {}
type Cat struct{ Base }
func (c Cat) Speak() {}
type Speaker interface{ Speak() }`;
    const found = told(text);
    expect(found.implementations).toEqual(['Base > Speaker', 'Cat > Speaker']);
    expect(found.overrides).toEqual(['a.go Base.Speak > Speaker.Speak', 'a.go Cat.Speak > Speaker.Speak']);
  });
});

describe('what looks for interfaces', () => {
  it('looks at no file of one that wants a method which the type lacks, however many there are', () => {
    const files = new Map<string, string>();
    for (let at = 0; at < 600; at += 1)
      files.set(
        `p${at}/a.go`,
        `package p${at}\ntype T struct{}\nfunc (t *T) Close() {}\ntype I interface{ Close(); X${at}() }\n`,
      );
    const facts = new Map([...files].map(([path, text]) => [path, parser.extractFile(path, text)]));
    const offers = new Map([...facts].map(([path, one]) => [path, interfaceOf(one)]));
    const places = createPlaces([...files.keys()], readManifests([]), (path) => offers.get(path) ?? '');
    const program = createProgram(new Map([...facts].map(([path, one]) => [path, moduleTable(one)])), places);
    for (const path of [...files.keys()].slice(0, 5))
      expect(
        resolvePath(program, path).looked.filter((key) => key.startsWith('file:')),
        path,
      ).toEqual([]);
    expect(resolvePath(program, 'p7/a.go').looked).toContain('has:go#Close');
  });

  it('is found by whichever of its methods the fewest interfaces have', () => {
    const text = `type A interface{ Close(); Zip() }
type B interface{ Close(); Read() }
type C interface{ Close() }
type T struct{}
func (T) Close() {}
func (T) Zip() {}`;
    expect(told(text).implementations.sort()).toEqual(['T > A', 'T > C']);
  });

  it('finds none of another package that wants what is not exported', () => {
    const own = 'type I interface{ close() }\ntype T struct{}\nfunc (T) close() {}\n';
    const found = told({ 'p/a.go': `package p\n${own}`, 'q/a.go': `package q\n${own}` });
    expect(found.overrides).toEqual(['p/a.go T.close > I.close', 'q/a.go T.close > I.close']);
  });
});
