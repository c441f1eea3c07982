import { describe, expect, it } from 'vitest';
import { resolved } from '../resolution/resolved.js';

/** What a use in class `A` of package `p` leads to. */
function uses(body: string, expression: string, others: Record<string, string> = {}, imports = ''): string[] {
  const text = `package p;\n${imports}\nclass A {\n${body}\n}\n`;
  return resolved({ 'src/main/java/p/A.java': text, ...others })
    .uses('src/main/java/p/A.java', expression)
    .map((one) => one.replaceAll('src/main/java/', ''));
}

describe('a name in Java', () => {
  it('is a member of the class, of those around it, or inherited', () => {
    const body = `void own() {}
class Inner extends Base { void f() { own(); inherited(); far(); } }
void far() {}`;
    const others = {
      'src/main/java/p/Base.java': 'package p;\nclass Base { void inherited() {} void far() {} }',
    };
    expect(uses(body, 'own()', others)).toEqual(['p/A.java A.own (exact)']);
    expect(uses(body, 'inherited()', others)).toEqual(['p/Base.java Base.inherited (type)']);
    expect(uses(body, 'far()', others)).toEqual(['p/Base.java Base.far (type)']);
  });

  it('of a method, a type and a variable are three names', () => {
    const body = 'int run; void run() {} static class run {}\nvoid f() { run(); int x = run; new run(); }';
    expect(uses(body, 'run()')).toEqual(['p/A.java A.run (exact)']);
    expect(uses(body, 'new run()')).toEqual(['p/A.java A.run (exact)']);
  });

  it('of a type is that of the file, of a single import, of the package, of a star import', () => {
    const others = {
      'src/main/java/q/T.java': 'package q;\npublic class T { public static void m() {} }',
      'src/main/java/r/T.java': 'package r;\npublic class T { public static void m() {} }',
      'src/main/java/p/T.java': 'package p;\nclass T { static void m() {} }',
      'src/main/java/r/U.java': 'package r;\npublic class U { public static void m() {} }',
    };
    const body = 'void f() { T.m(); U.m(); }';
    expect(uses(body, 'T.m()', others, 'import q.T; import r.*;')).toEqual(['q/T.java T.m (import)']);
    expect(uses(body, 'T.m()', others, 'import r.*;')).toEqual(['p/T.java T.m (import)']);
    expect(uses(body, 'U.m()', others, 'import r.*;')).toEqual(['r/U.java U.m (import)']);
    expect(uses(body, 'U.m()', others)).toEqual(['?m']);
  });

  it('comes from static imports', () => {
    const others = { 'src/main/java/q/T.java': 'package q;\npublic class T { public static void m() {} }' };
    expect(uses('void f() { m(); }', 'm()', others, 'import static q.T.m;')).toEqual([
      'q/T.java T.m (import)',
    ]);
    expect(uses('void f() { m(); }', 'm()', others, 'import static q.T.*;')).toEqual([
      'q/T.java T.m (import)',
    ]);
  });

  it('in full leads to the type', () => {
    const others = { 'src/main/java/q/T.java': 'package q;\npublic class T { public static void m() {} }' };
    expect(uses('void f() { q.T.m(); }', 'q.T.m()', others)).toEqual(['q/T.java T.m (import)']);
  });

  it('of two classes is the one of the same source root', () => {
    const sources = {
      'src/main/java/p/T.java': 'package p;\nclass T { static void m() {} }',
      'src/test/java/p/T.java': 'package p;\nclass T { static void m() {} }',
      'src/main/java/p/A.java': 'package p;\nclass A { void f() { T.m(); } }',
      'src/test/java/p/ATest.java': 'package p;\nclass ATest { void f() { T.m(); } }',
    };
    const program = resolved(sources);
    expect(program.uses('src/main/java/p/A.java', 'T.m()')).toEqual(['src/main/java/p/T.java T.m (import)']);
    expect(program.uses('src/test/java/p/ATest.java', 'T.m()')).toEqual([
      'src/test/java/p/T.java T.m (import)',
    ]);
  });
});

describe('an overload in Java', () => {
  const definitionOf = (body: string, expression: string) => {
    const path = 'A.java';
    const program = resolved({ [path]: `class A {\n${body}\n}` });
    const found = program.resolution.references.filter((one) => one.evidence.expression === expression);
    return found.map(({ target, candidates }) =>
      'definition' in target
        ? program.facts(path).definitions[target.definition]?.signature.replace(/ ?\{?$/, '')
        : `${candidates?.length ?? 0} candidates`,
    );
  };

  it('is told by how many arguments there are', () => {
    const body = 'void m() {}\nvoid m(int a) {}\nvoid m(int a, int b) {}\nvoid f() { m(1); }';
    expect(definitionOf(body, 'm(1)')).toEqual(['void m(int a)']);
  });

  it('is told by their types: the nearest, boxes and lists last', () => {
    const body = `void m(Object a) {}
void m(String a) {}
void m(int a) {}
void n(long a) {}
void n(Integer a) {}
void n(int... a) {}
void f() { m("x"); m(1); m(this); n(1); }`;
    expect(definitionOf(body, 'm("x")')).toEqual(['void m(String a)']);
    expect(definitionOf(body, 'm(1)')).toEqual(['void m(int a)']);
    expect(definitionOf(body, 'm(this)')).toEqual(['void m(Object a)']);
    expect(definitionOf(body, 'n(1)')).toEqual(['void n(long a)']);
  });

  it('that cannot be told is unresolved, with candidates', () => {
    const body = 'void m(Foo a) {}\nvoid m(Bar a) {}\nvoid f() { m(unknown()); }';
    expect(definitionOf(body, 'm(unknown())')).toEqual(['2 candidates']);
  });

  it('that a class writes again hides that of the class behind it', () => {
    const body = `static class B { void m(String a) {} }
static class C extends B { void m(String a) {} }
void f(C c) { c.m("x"); }`;
    expect(uses(body, 'c.m("x")')).toEqual(['p/A.java A.C.m (type)']);
  });
});

describe('a type in Java', () => {
  it('of a lambda parameter is what the interface expects', () => {
    const body = `interface Visit<T> { void on(T one); default void twice(T one) {} }
static class Box<T> { void each(Visit<T> v) {} }
void m() {}
void f(Box<A> box) { box.each(a -> a.m()); Visit<A> v = b -> b.m(); }`;
    expect(uses(body, 'a.m()')).toEqual(['p/A.java A.m (exact)'].map((one) => one.replace('exact', 'type')));
    expect(uses(body, 'b.m()')).toEqual(['p/A.java A.m (type)']);
  });

  it('of generics goes through fields, methods and bases', () => {
    const body = `static class Base<T> { T one; T get() { return one; } }
static class Sub extends Base<A> {}
void m() {}
<S> S same(S s) { return s; }
void f(Sub sub) { sub.one.m(); sub.get().m(); same(this).m(); }`;
    for (const name of ['sub.one', 'sub.get()', 'same(this)'])
      expect(uses(body, `${name}.m()`), name).toEqual(['p/A.java A.m (type)']);
  });

  it('comes out of collections and loops', () => {
    const body =
      'void m() {}\nvoid f(List<A> l, A[] array) { l.get(0).m(); for (A a : l) a.m(); for (var b : l) b.m(); array[0].m(); }';
    for (const name of ['l.get(0)', 'a', 'b', 'array[0]'])
      expect(uses(body, `${name}.m()`, {}, 'import java.util.List;'), name).toEqual(['p/A.java A.m (type)']);
  });

  it('of an anonymous class has the members of its base', () => {
    const body =
      'static abstract class B { void m() {} abstract void n(); }\nvoid f() { new B() { void n() { m(); } }; }';
    expect(uses(body, 'm()')).toEqual(['p/A.java A.B.m (type)']);
  });

  it('of an enum has constants and what every enum has', () => {
    const body = 'enum E { X, Y; void m() {} }\nvoid f() { E.X.m(); E.valueOf("X"); }';
    expect(uses(body, 'E.X.m()')).toEqual(['p/A.java A.E.m (type)']);
  });

  it('is constructed with its written constructor', () => {
    const program = resolved({
      'A.java': 'class A { A(int x) {} A(String s) { this(1); } static void f() { new A("x"); } }',
    });
    const made = program.resolution.references.filter((one) => /^new A|^this/.test(one.evidence.expression));
    expect(made.map(({ target, constructor_method: by }) => [target, by?.definition])).toEqual([
      [{ file: 'A.java', definition: 0 }, 1],
      [{ file: 'A.java', definition: 0 }, 2],
    ]);
  });

  it('overrides the nearest of each class and interface behind it, with the same parameters', () => {
    const program = resolved({
      'A.java': `interface I { void m(int a); }
abstract class B implements I { void n() {} }
class C extends B { public void m(int a) {} void n() {} void m(String other) {} }`,
    });
    const name = (definition: number) => program.facts('A.java').definitions[definition]?.qualname;
    expect(
      program.resolution.overrides.map((one) => `${name(one.definition)} > ${name(one.target.definition)}`),
    ).toEqual(['C.m > I.m', 'C.n > B.n']);
  });
});

describe('an import in Java', () => {
  it('leads to the class, of the library to its package, of others to the group that a build file names', () => {
    const pom =
      '<project><artifactId>x</artifactId><dependencies><dependency><groupId>org.junit.jupiter</groupId></dependency></dependencies></project>';
    const program = resolved({
      'pom.xml': pom,
      'src/main/java/q/T.java': 'package q;\npublic class T {}',
      'src/main/java/p/A.java':
        'package p;\nimport q.T;\nimport java.util.Map.Entry;\nimport org.junit.jupiter.api.Test;\nimport com.x.Y;\nimport q.Missing;\nclass A {}',
    });
    expect(program.imports('src/main/java/p/A.java')).toEqual([
      'src/main/java/q/T.java',
      'stdlib:java.util',
      'package:org.junit.jupiter',
      'package:com.x',
      '?q.Missing',
    ]);
  });
});
