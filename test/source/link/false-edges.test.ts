import { describe, expect, it } from 'vitest';
import { resolved } from '../resolution/resolved.js';

/** Where the uses of a file lead that lead to a definition of another file, or of none. */
function leads(sources: Record<string, string>, file: string): string[] {
  const program = resolved(sources);
  return program.resolution.references
    .filter((one) => one.file === file && one.evidence.expression.endsWith(')'))
    .map(({ target, evidence }) => {
      const to =
        'definition' in target
          ? `${target.file} ${program.facts(target.file).definitions[target.definition]?.qualname}`
          : 'external' in target
            ? `${target.external.package}:${target.external.name}`
            : '?';
      return `${evidence.expression} > ${to}`;
    });
}

describe('no false edge in Go', () => {
  it('leads to another package with the same names, exported or not', () => {
    const sources = {
      'go.mod': 'module m\n',
      'a/a.go': 'package a\nfunc F() { Run(); help(); x.Close() }',
      'b/b.go': 'package b\nfunc Run() {}\nfunc help() {}\ntype T struct{}\nfunc (T) Close() {}\nvar x T',
    };
    expect(leads(sources, 'a/a.go')).toEqual(['Run() > ?', 'help() > ?', 'x.Close() > ?']);
  });

  it('leads to a method of an unknown value by its name alone', () => {
    const sources = {
      'go.mod': 'module m\n',
      'a.go':
        'package a\nimport "github.com/x/y"\ntype T struct{}\nfunc (T) Close() {}\nfunc f(u y.Conn, v any) { u.Close(); v.Close(); y.Dial().Close() }',
    };
    expect(leads(sources, 'a.go')).toEqual([
      'u.Close() > github.com/x/y:Conn.Close',
      'v.Close() > builtin:any.Close',
      'y.Dial() > github.com/x/y:Dial',
      'y.Dial().Close() > ?',
    ]);
  });

  it('leads from a field that holds a function to a method of its name, or the other way', () => {
    const sources = {
      'go.mod': 'module m\n',
      'a.go':
        'package a\ntype C struct{ Run func(int) }\ntype D struct{}\nfunc (D) Run(int) {}\nfunc f(c C, d D) { c.Run(1); d.Run(2) }',
    };
    expect(leads(sources, 'a.go')).toEqual(['c.Run(1) > a.go C.Run', 'd.Run(2) > a.go D.Run']);
  });

  it('leads past a local name, an import under another name, or the end of a block', () => {
    const sources = {
      'go.mod': 'module m\n',
      's/s.go': 'package s\nfunc Open() {}',
      'a.go':
        'package a\nimport db "m/s"\nfunc g(x int) {}\nfunc f() {\n\tif true { g := func(x int) {}; g(1) }\n\tg(2)\n\ts.Open()\n\tdb.Open()\n}',
    };
    expect(leads(sources, 'a.go')).toEqual([
      'g(1) > ?',
      'g(2) > a.go g',
      's.Open() > ?',
      'db.Open() > s/s.go Open',
    ]);
  });

  it('says that a type satisfies an interface with the methods of another package', () => {
    const sources = {
      'go.mod': 'module m\n',
      'a/a.go': 'package a\ntype I interface{ run() }',
      'b/b.go': 'package b\ntype T struct{}\nfunc (T) run() {}',
    };
    expect(resolved(sources).resolution.inheritance).toEqual([]);
  });
});

describe('no false edge in Java', () => {
  const at = (path: string) => `src/main/java/${path}`;

  it('leads to a class of its name in another package, that nothing imports', () => {
    const sources = {
      [at('q/Util.java')]: 'package q;\npublic class Util { public static void go() {} }',
      [at('p/A.java')]: 'package p;\nclass A { void f() { Util.go(); new Util(); } }',
    };
    expect(leads(sources, at('p/A.java'))).toEqual(['Util.go() > ?', 'new Util() > ?']);
  });

  it('leads past an import of a class from elsewhere', () => {
    const sources = {
      [at('p/Util.java')]: 'package p;\npublic class Util { public static void go() {} }',
      [at('p/A.java')]: 'package p;\nimport com.other.Util;\nclass A { void f() { Util.go(); } }',
    };
    expect(leads(sources, at('p/A.java'))).toEqual(['Util.go() > com.other:Util.go']);
  });

  it('leads to a method of an unknown value by its name alone', () => {
    const sources = {
      [at('p/A.java')]:
        'package p;\nimport com.other.Conn;\nclass A { void close() {} void f(Conn c) { c.close(); c.next().close(); } }',
    };
    expect(leads(sources, at('p/A.java'))).toEqual([
      'c.close() > com.other:Conn.close',
      'c.next() > com.other:Conn.next',
      'c.next().close() > ?',
    ]);
  });

  it('leads to a method that takes another number of arguments', () => {
    const sources = {
      [at('p/A.java')]: 'package p;\nclass A { void m(int a) {} void m(int a, int b) {} void f() { m(); } }',
    };
    expect(leads(sources, at('p/A.java'))).toEqual(['m() > ?']);
  });

  it('leads out of a static nested class that has the name itself', () => {
    const sources = {
      [at('p/A.java')]:
        'package p;\nclass A { void m() {} static class B { void m() {} class C { void f() { m(); } } } }',
    };
    expect(leads(sources, at('p/A.java'))).toEqual([`m() > ${at('p/A.java')} A.B.m`]);
  });
});
