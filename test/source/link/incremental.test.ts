import { describe, expect, it } from 'vitest';
import { go } from '../../../source/languages/go/index.js';
import { java } from '../../../source/languages/java/index.js';
import { createParser } from '../../../source/parser.js';
import {
  changedPlaces,
  createPlaces,
  createProgram,
  interfaceOf,
  moduleTable,
  readManifests,
  resolvePath,
} from '../../../source/resolution/index.js';

const parser = await createParser([go, java]);

function project(sources: Record<string, string>) {
  const { offers, places, program } = programOf(sources);
  return {
    offers,
    places,
    results: new Map([...offers.keys()].map((path) => [path, resolvePath(program, path)])),
  };
}

function programOf(sources: Record<string, string>) {
  const texts = Object.entries(sources);
  const code = texts.filter(([path]) => parser.languageOf(path) !== null);
  const facts = new Map(code.map(([path, text]) => [path, parser.extractFile(path, text)]));
  const offers = new Map([...facts].map(([path, one]) => [path, interfaceOf(one)]));
  const manifests = readManifests(texts.map(([path, text]) => ({ path, text })));
  const places = createPlaces(Object.keys(sources), manifests, (path) => offers.get(path) ?? '');
  const program = createProgram(new Map([...facts].map(([path, one]) => [path, moduleTable(one)])), places);
  return { offers, places, program };
}

/** Of each file what it resolves to and rests on, where the files are resolved in this order. */
function inOrder(sources: Record<string, string>, paths: readonly string[]) {
  const { program } = programOf(sources);
  return new Map(paths.map((path) => [path, resolvePath(program, path)]));
}

/** All files are resolved one by one by themselves, and in many orders. */
function expectSameInAnyOrder(sources: Record<string, string>): void {
  const paths = Object.keys(sources).filter((path) => parser.languageOf(path) !== null);
  const alone = new Map(paths.flatMap((path) => [...inOrder(sources, [path])]));
  const orders = paths.flatMap((_, at) => {
    const turned = [...paths.slice(at), ...paths.slice(0, at)];
    return [turned, [...turned].reverse(), [...turned.slice(0, 1), ...turned.slice(1).reverse()]];
  });
  for (const order of orders) {
    const found = inOrder(sources, order);
    for (const path of paths)
      expect(found.get(path), `${path} in ${order.join(', ')}`).toEqual(alone.get(path));
  }
}

/**
 * The files whose resolution an edit can change, the edited ones left out; all others must resolve to the same as
 * before.
 */
function dirty(before: Record<string, string>, edit: Record<string, string | null>): string[] {
  const after = Object.fromEntries(
    Object.entries({ ...before, ...edit }).flatMap(([path, text]) => (text === null ? [] : [[path, text]])),
  );
  const [old, now] = [project(before), project(after)];
  const changed = changedPlaces(old.places, now.places);
  if (changed === 'everything') return ['everything'];
  const keys = new Set<string>(changed);
  for (const path of new Set([...old.offers.keys(), ...now.offers.keys()]))
    if (old.offers.get(path) !== now.offers.get(path)) keys.add(`file:${path}`);
  const found: string[] = [];
  for (const [path, result] of old.results) {
    if (path in edit) continue;
    if (result.looked.some((key) => keys.has(key))) found.push(path);
    else expect(now.results.get(path)?.resolution, path).toEqual(result.resolution);
  }
  return found;
}

const GO = {
  'go.mod': 'module m\n',
  'p/a.go':
    'package p\n\ntype T struct{ n int }\n\nfunc (t *T) Get() int {\n\treturn t.n\n}\n\nfunc New() *T {\n\treturn &T{}\n}\n',
  'p/b.go': 'package p\n\nfunc use() int {\n\treturn New().Get()\n}\n',
  'q/c.go': 'package q\n\nimport "m/p"\n\nfunc far() int {\n\treturn p.New().Get()\n}\n',
  'q/d.go': 'package q\n\nfunc alone() int {\n\treturn 1\n}\n',
  'q/e.go': 'package q\n\nfunc missing() int {\n\treturn later()\n}\n',
};

describe('an edit in Go', () => {
  it('inside a body matters to nobody', () => {
    const text = GO['p/a.go'].replace(
      'return t.n',
      'if t.n > 0 {\n\t\tx := t.n\n\t\treturn x\n\t}\n\treturn 0',
    );
    expect(dirty(GO, { 'p/a.go': text })).toEqual([]);
  });

  it('of a comment or blank line matters to nobody', () => {
    expect(dirty(GO, { 'p/a.go': `// What it is.\n\n${GO['p/a.go']}` })).toEqual([]);
  });

  it('of a signature matters to those that call it', () => {
    const text = GO['p/a.go'].replace('Get() int', 'Get(x int) string');
    expect(dirty(GO, { 'p/a.go': text })).toEqual(['p/b.go', 'q/c.go']);
  });

  it('that adds a file to a package matters to those that missed its names', () => {
    expect(dirty(GO, { 'q/f.go': 'package q\n\nfunc later() int { return 2 }\n' })).toEqual(['q/e.go']);
  });

  it('that moves a method to another file matters to those that call it', () => {
    const [head = '', tail = ''] = GO['p/a.go'].split(/(?=func New)/);
    const method = head.slice(head.indexOf('func (t'));
    const edit = {
      'p/a.go': head.slice(0, head.indexOf('func (t')) + tail,
      'p/m.go': `package p\n\n${method}`,
    };
    expect(dirty(GO, edit)).toEqual(['p/b.go', 'q/c.go']);
  });

  it('that gives a type the last method of an interface is seen by the type, wherever the interface is', () => {
    const before = {
      ...GO,
      'r/i.go': 'package r\n\ntype Getter interface{ Get() int; Set(int) }\n',
      'p/s.go': 'package p\n\nfunc other() {}\n',
    };
    const edit = { 'p/s.go': 'package p\n\nfunc (t *T) Set(n int) {}\n' };
    expect(dirty(before, edit)).toContain('p/a.go');
  });

  it('that adds an interface matters to the types that have its methods', () => {
    expect(dirty(GO, { 'r/i.go': 'package r\n\ntype Getter interface{ Get() int }\n' })).toEqual(['p/a.go']);
  });

  it('of a file matters to those that found what was kept when it was resolved itself', () => {
    const before = {
      'go.mod': 'module m\n',
      'a.go': 'package m\n\nfunc New() *T { return nil }\n\nfunc use() { X.M() }\n',
      'b.go': 'package m\n\nfunc g() { X.M() }\n',
      'c.go': 'package m\n\nvar X = New()\n',
      't.go': 'package m\n\ntype T struct{}\n\nfunc (t *T) M() {}\n\ntype U struct{}\n\nfunc (u *U) M() {}\n',
    };
    expect(dirty(before, { 'a.go': before['a.go'].replace('*T', '*U') })).toEqual(['b.go', 'c.go']);
  });

  it('at the start of a long chain of calls matters to those at its end', () => {
    const type = (name: string) =>
      `type ${name} struct{}\n\nfunc (t *${name}) A() *${name} { return t }\n\nfunc (t *${name}) M() {}\n\n`;
    const before = {
      'go.mod': 'module m\n',
      'a.go': `package m\n\nvar X = New()${'.A()'.repeat(45)}\n`,
      'b.go': 'package m\n\nfunc g() { X.M() }\n',
      't.go': `package m\n\n${type('T')}${type('U')}func New() *T { return nil }\n\nfunc New2() *U { return nil }\n`,
    };
    expect(dirty(before, { 'a.go': before['a.go'].replace('New', 'New2') })).toEqual(['b.go']);
  });

  it('that names what a type in place embeds matters to those that reach through it', () => {
    const before = {
      'go.mod': 'module m\n',
      'a.go': 'package m\n\nvar X struct{ Base }\n',
      'b.go': 'package m\n\nfunc g() { X.M() }\n',
      't.go': 'package m\n\ntype Base struct{}\n\nfunc (b Base) M() {}\n',
    };
    expect(dirty(before, { 'a.go': 'package m\n\nvar X struct{ Base Base }\n' })).toEqual(['b.go']);
  });

  it('of how a package is imported matters to those that look through the file', () => {
    const before = {
      'go.mod': 'module m\n',
      'a.go': 'package m\n\nimport . "m/q"\n\nvar X = New()\n',
      'b.go': 'package m\n\nfunc g() { X.M() }\n',
      'q/q.go': 'package q\n\ntype T struct{}\n\nfunc (t *T) M() {}\n\nfunc New() *T { return nil }\n',
    };
    expect(dirty(before, { 'a.go': before['a.go'].replace('import .', 'import _') })).toEqual(['b.go']);
  });

  it('in a folder with a number sign is noticed', () => {
    const before = {
      'go.mod': 'module m\n',
      'c#/a.go': 'package c\n\nfunc New() int { return 1 }\n',
      'c#/b.go': 'package c\n\nfunc g() { New() }\n',
    };
    const { results } = project(before);
    expect(results.get('c#/b.go')?.resolution.references[0]?.target).toHaveProperty('file', 'c#/a.go');
    expect(dirty(before, { 'c#/a.go': 'package c\n' })).toEqual(['c#/b.go']);
  });

  it('in a folder is not taken for one in a package of another folder', () => {
    const before = {
      'go.mod': 'module m\n',
      'a/x.go': 'package b\n',
      'a:b/c.go': 'package c\n\nfunc New() int { return 1 }\n',
      'd.go': 'package m\n\nimport c "m/a:b"\n\nfunc g() { c.New() }\n',
    };
    const { results } = project(before);
    expect(results.get('d.go')?.resolution.references.map(({ target }) => target)).toContainEqual({
      file: 'a:b/c.go',
      definition: 0,
    });
    expect(dirty(before, { 'a:b/c.go': 'package c\n' })).toEqual(['d.go']);
  });

  it('of go.mod matters to everything', () => {
    expect(dirty(GO, { 'go.mod': 'module n\n' })).toEqual(['everything']);
  });
});

const JAVA = {
  'src/p/A.java': 'package p;\n\nclass A extends B {\n  int n;\n\n  int get() {\n    return n;\n  }\n}\n',
  'src/p/B.java': 'package p;\n\nclass B {\n  int base() {\n    return 1;\n  }\n}\n',
  'src/p/C.java': 'package p;\n\nclass C {\n  int use(A a) {\n    return a.get() + a.base();\n  }\n}\n',
  'src/q/D.java': 'package q;\n\nimport p.E;\n\nclass D {\n  void f() {\n    E.m();\n  }\n}\n',
};

describe('an edit in Java', () => {
  it('inside a body matters to nobody', () => {
    const text = JAVA['src/p/A.java'].replace(
      'return n;',
      'int m = n;\n    Runnable r = () -> { };\n    return m;',
    );
    expect(dirty(JAVA, { 'src/p/A.java': text })).toEqual([]);
  });

  it('that defines a class in a body matters to those that lead to what stands behind it', () => {
    const before = {
      'p/A.java': 'package p;\n\nclass A {\n  void f() {\n  }\n\n  void g() {\n  }\n}\n',
      'p/Z.java': 'package p;\n\nclass Z {\n  void z(A a) {\n    a.g();\n  }\n}\n',
    };
    const text = before['p/A.java'].replace('f() {', 'f() {\n    class L {\n    }');
    expect(dirty(before, { 'p/A.java': text })).toEqual(['p/Z.java']);
  });

  it('of the bases of a class matters to those that found it when that was resolved itself', () => {
    const before = {
      'p/A.java': 'package p;\n\nclass A extends S {\n  void f(B b) {\n    b.h();\n  }\n}\n',
      'p/B.java': 'package p;\n\nclass B extends A {\n}\n',
      'p/S.java': 'package p;\n\nclass S {\n  void h() {\n  }\n}\n',
      'p/S2.java': 'package p;\n\nclass S2 {\n  void h() {\n  }\n}\n',
      'p/Z.java': 'package p;\n\nclass Z {\n  void g(B b) {\n    b.h();\n  }\n}\n',
    };
    const edit = { 'p/A.java': before['p/A.java'].replace('S', 'S2') };
    expect(dirty(before, edit)).toEqual(['p/B.java', 'p/Z.java']);
  });

  it('of a base class matters to those that look through it', () => {
    const text = JAVA['src/p/B.java'].replace('int base()', 'long base()');
    expect(dirty(JAVA, { 'src/p/B.java': text })).toEqual(['src/p/A.java', 'src/p/C.java']);
  });

  it('that adds a class matters to those that missed it', () => {
    const text = 'package p;\n\npublic class E {\n  public static void m() {\n  }\n}\n';
    expect(dirty(JAVA, { 'src/p/E.java': text })).toEqual(['src/q/D.java']);
  });
});

describe('the order in which files are resolved', () => {
  it('does not matter in Go', () => {
    expectSameInAnyOrder({
      'go.mod': 'module m\n',
      't.go':
        'package m\n\ntype Base struct{ n int }\n\nfunc (b *Base) Name() string { return "" }\n\ntype T struct{ Base }\n',
      'm.go': 'package m\n\nfunc (t *T) M() *T { return t }\n\nfunc pick[V any](a V, b V) V { return a }\n',
      'a.go': 'package m\n\nfunc New() *T { return nil }\n\nfunc use() { X.M().Name(); Y.M() }\n',
      'x.go': 'package m\n\nvar X = pick(Y, New())\n\nvar P = X.M()\n',
      'y.go': 'package m\n\nvar Y = pick(Z, New())\n\nfunc g() { Y.M().M(); Z.Name() }\n',
      'z.go':
        'package m\n\nvar Z = pick(X, New())\n\nvar Q = pick(Y, P)\n\nfunc h() { X.Name(); Z.M(); Q.M() }\n',
      'q/i.go':
        'package q\n\nimport "m"\n\ntype Namer interface{ Name() string }\n\nfunc f() { m.X.M(); m.Q.Name(); m.New().M() }\n',
    });
  });

  it('does not matter in Java', () => {
    expectSameInAnyOrder({
      'p/A.java':
        'package p;\n\nclass A extends B.Inner {\n  static class Deep extends C {\n  }\n\n  void f(Deep d) {\n    d.h();\n    g();\n  }\n}\n',
      'p/B.java':
        'package p;\n\nclass B extends A.Deep {\n  static class Inner {\n    void g() {\n    }\n  }\n\n  void k(A a) {\n    a.g();\n    h();\n  }\n}\n',
      'p/C.java':
        'package p;\n\nclass C extends D<C.Own> {\n  static class Own {\n    Own own() {\n      return this;\n    }\n  }\n\n  void h() {\n    get().own();\n  }\n}\n',
      'p/D.java':
        'package p;\n\nclass D<T> {\n  static class Taken extends E {\n  }\n\n  T get() {\n    return null;\n  }\n}\n',
      'p/E.java': 'package p;\n\nclass E extends D<E.Taken> {\n  void e() {\n    get().get();\n  }\n}\n',
      'p/Z.java':
        'package p;\n\nclass Z {\n  void z(A a, B b, C c, E e) {\n    a.g();\n    b.h();\n    c.get().own();\n    e.get().e();\n  }\n}\n',
    });
  });

  it.each([60, 160, 400])('does not matter in a chain of %i variables', (length) => {
    const sources: Record<string, string> = {
      'go.mod': 'module m\n',
      'a.go': 'package m\n\ntype T struct{}\n\nfunc (t *T) M() {}\n\nvar V0 = &T{}\n',
    };
    for (let at = 1; at <= length; at += 1)
      sources[`v${at}.go`] = `package m\n\nvar V${at} = V${at - 1}\n\nfunc f${at}() { V${at}.M() }\n`;
    const paths = Object.keys(sources).filter((path) => path !== 'go.mod');
    const [up, down] = [inOrder(sources, paths), inOrder(sources, [...paths].reverse())];
    const last = `v${length}.go`;
    expect(inOrder(sources, [last]).get(last)).toEqual(up.get(last));
    expect(down).toEqual(new Map([...up].reverse()));
    for (const result of up.values()) expect(result.problem).toBeNull();
    const [reference] = up.get(last)?.resolution.references ?? [];
    expect(reference?.target).toEqual(expect.anything());
  });

  it('does not matter in a net of variables that all rest on each other', () => {
    const names = Array.from({ length: 6 }, (_, at) => `V${at}`);
    const sources: Record<string, string> = {
      'go.mod': 'module m\n',
      'a.go': `package m\n\ntype T struct{}\n\nfunc (t *T) M() {}\n\nfunc all[V any](a ...V) V { return a[0] }\n`,
    };
    for (const name of names)
      sources[`${name}.go`] =
        `package m\n\nvar ${name} = all(${names.join(', ')}, &T{})\n\nfunc f${name}() { ${name}.M() }\n`;
    expectSameInAnyOrder(sources);
  });
});
