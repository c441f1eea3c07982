import { describe, expect, it } from 'vitest';
import { resolved } from './resolved.js';

const uses = (sources: Record<string, string> | string, expression: string) =>
  resolved(typeof sources === 'string' ? { 'a.ts': sources } : sources).uses('a.ts', expression);

describe('a bare name in TypeScript', () => {
  it('that is global is not a type of the same name', () => {
    expect(uses("type Response = string\nnew Response('x')", "new Response('x')")).toEqual(['?Response']);
    expect(uses("interface Response {}\nnew Response('x')", "new Response('x')")).toEqual(['?Response']);
  });

  it('means the helper of its own callback, not of the one beside it', () => {
    const source = `
      it('a', () => { const make = () => 1; make() })
      it('b', () => { const make = () => 2; make() })`;
    const { resolution } = resolved({ 'a.ts': source });
    const made = resolution.references.filter((one) => one.evidence.expression === 'make()');
    expect(made.map((one) => 'file' in one.target && one.target.definition)).toEqual([0, 1]);
  });

  it('that a parameter shadows is not the function of the module', () => {
    expect(uses('function send() {}\nfunction f(send: any) { send(1) }', 'send(1)')).toEqual(['?send']);
    expect(uses('function send() {}\nlist.map((send) => send(1))', 'send(1)')).toEqual(['?send']);
  });

  it('that a parameter of a callback shadows is not the helper around it, which it still is elsewhere', () => {
    const source = `
      function outer() {
        function helper() {}
        list.map((helper) => helper(1))
        list.map(() => helper(2))
        list.map(() => { const helper = pick(); helper(3) })
      }
      it('a', () => {
        const make = () => 1
        list.map((make) => make(4))
        make(5)
      })`;
    expect(uses(source, 'helper(1)')).toEqual(['?helper']);
    expect(uses(source, 'helper(2)')).toEqual(['a.ts outer.helper (exact)']);
    expect(uses(source, 'helper(3)')).toEqual(['?helper']);
    expect(uses(source, 'make(4)')).toEqual(['?make']);
    expect(uses(source, 'make(5)')).toEqual(['a.ts make (exact)']);
  });

  it('never means a member of an object literal or a function that is assigned to a field', () => {
    const sources = (text: string) => ({
      'a.ts': `import { get } from './lib'\n${text}`,
      'lib.ts': 'export function get() {}',
    });
    for (const text of [
      'use({ get() {} })\nget()',
      'function f() { use({ get: () => 1 }); get() }',
      'function f() { const o = { get() {} }; get() }',
      'class A { constructor() { this.get = () => {}; get() } }',
    ])
      expect(uses(sources(text), 'get()')).toEqual(['lib.ts get (import)']);
  });

  it('never means a method of the class around it', () => {
    expect(uses('class A { go() { stop() } stop() {} }', 'stop()')).toEqual(['?stop']);
  });

  it('that a function or class value has inside of itself means that value, whatever has the name around', () => {
    const source = `
      function f() {}
      const fact = function f(n) { f(n - 1); list.map(() => f(2)) }
      const shadowed = function f(f) { f(3) }
      const hidden = function f() { const f = pick(); f(4) }
      const holder = { run: function f() { f(5) } }
      list.map(function f() { f(6) })
      f(7)
      class K { go() {} }
      const X = class K { static mk(k: K) { K.mk(k); k.own(); k.go(); return new K() } own() {} };
      new X()`;
    expect(uses(source, 'f(n - 1)')).toEqual(['a.ts fact (exact)']);
    expect(uses(source, 'f(2)')).toEqual(['a.ts fact (exact)']);
    expect(uses(source, 'f(3)')).toEqual(['?f']);
    expect(uses(source, 'f(4)')).toEqual(['?f']);
    expect(uses(source, 'f(5)')).toEqual(['a.ts holder.run (exact)']);
    expect(uses(source, 'f(7)')).toEqual(['a.ts f (exact)']);
    expect(uses(source, 'new K()')).toEqual(['a.ts X (exact)']);
    expect(uses(source, 'K.mk(k)')).toEqual(['a.ts X.mk (exact)']);
    expect(uses(source, 'k.own()')).toEqual(['a.ts X.own (type)']);
    expect(uses(source, 'k.go()')).toEqual(['?go']);
    expect(uses(source, 'new X()')).toEqual(['a.ts X (exact)']);
  });

  it('means the implementation of an overloaded function', () => {
    const { resolution } = resolved({ 'a.ts': 'function f(a: 1): 1\nfunction f(a: any) { return a }\nf(1)' });
    expect(resolution.references.at(-1)?.target).toEqual({ file: 'a.ts', definition: 1 });
  });
});

describe('an imported name in TypeScript', () => {
  const lib = 'export function f() {}\nexport default class Main { static make() {} }\nexport class C {}';

  it('is followed, renamed or not', () => {
    const sources = { 'a.ts': "import { f as g } from './lib.js'\ng()", 'lib.ts': lib };
    expect(uses(sources, 'g()')).toEqual(['lib.ts f (import)']);
  });

  it('may be the default export, and its static method', () => {
    const sources = { 'a.ts': "import M from './lib'\nnew M()\nM.make()", 'lib.ts': lib };
    expect(uses(sources, 'new M()')).toEqual(['lib.ts Main (import)']);
    expect(uses(sources, 'M.make()')).toEqual(['lib.ts Main.make (import)']);
  });

  it('may be a default that is passed on under another name', () => {
    const sources = {
      'a.ts': "import { Made } from './barrel'\nnew Made()",
      'barrel.ts': "export { default as Made } from './lib'",
      'lib.ts': lib,
    };
    expect(uses(sources, 'new Made()')).toEqual(['lib.ts Main (import)']);
  });

  it('may be a namespace', () => {
    const sources = { 'a.ts': "import * as lib from './lib'\nlib.f()\nlib.gone()", 'lib.ts': lib };
    expect(uses(sources, 'lib.f()')).toEqual(['lib.ts f (import)']);
    expect(uses(sources, 'lib.gone()')).toEqual(['?gone']);
  });

  it('that is passed on is not the member of an object literal beside it', () => {
    const sources = {
      'a.ts': "import { f } from './barrel'\nf()",
      'barrel.ts': "import { f } from './lib'\nuse({ f() {} })\nexport { f }",
      'lib.ts': lib,
    };
    expect(uses(sources, 'f()')).toEqual(['lib.ts f (import)']);
  });

  it('is followed through re-exports of every form', () => {
    const sources = {
      'a.ts': "import { g, C, all } from './barrel'\ng()\nnew C()\nall.f()",
      'barrel.ts':
        "export { f as g } from './middle'\nexport * from './middle'\nexport * as all from './lib'",
      'middle.ts': "import { f } from './lib'\nexport { f }\nexport * from './lib'",
      'lib.ts': lib,
    };
    expect(uses(sources, 'g()')).toEqual(['lib.ts f (import)']);
    expect(uses(sources, 'new C()')).toEqual(['lib.ts C (import)']);
    expect(uses(sources, 'all.f()')).toEqual(['lib.ts f (import)']);
  });

  it('that re-exports pass round in a circle ends unresolved, and finds what stands behind the circle', () => {
    const sources = {
      'a.ts': "import { x, f } from './b'\nx()\nf()",
      'b.ts': "export * from './c'\nexport { x } from './c'",
      'c.ts': "export * from './b'\nexport { x } from './b'\nexport * from './lib'",
      'lib.ts': lib,
    };
    expect(uses(sources, 'x()')).toEqual(['?x']);
    expect(uses(sources, 'f()')).toEqual(['lib.ts f (import)']);
  });

  it('that a barrel offers itself hides what its stars offer', () => {
    const sources = {
      'a.ts': "import { f } from './outer'\nf()",
      'outer.ts': "export * from './barrel'",
      'barrel.ts': "export * from './lib'\nexport function f() {}",
      'lib.ts': lib,
    };
    expect(uses(sources, 'f()')).toEqual(['barrel.ts f (import)']);
  });

  it('that two stars give different meanings stays open', () => {
    const sources = {
      'a.ts': "import { f } from './b'\nf()",
      'b.ts': "export * from './c'\nexport * from './lib'",
      'c.ts': 'export function f() {}',
      'lib.ts': lib,
    };
    expect(uses(sources, 'f()')).toEqual(['?f']);
  });

  it('of a package is external, with its dotted name', () => {
    const source = "import { z } from 'zod'\nimport * as p from 'path'\nimport React from 'react'\n";
    expect(uses(`${source}z.string()`, 'z.string()')).toEqual(['zod:z.string']);
    expect(uses(`${source}p.join()`, 'p.join()')).toEqual(['path:join']);
    expect(uses(`${source}React.memo()`, 'React.memo()')).toEqual(['react:memo']);
  });
});

describe('CommonJS and dynamic imports', () => {
  it('bind the module or its parts', () => {
    const source = "const lib = require('./lib')\nconst { g } = require('./lib')\nlib.f()\ng()";
    const sources = { 'a.ts': source, 'lib.js': lib };
    expect(uses(sources, 'lib.f()')).toEqual(['lib.js f (import)']);
    expect(uses(sources, 'g()')).toEqual(['lib.js g (import)']);
  });

  const lib = 'function f() {}\nfunction g() {}\nmodule.exports = { f, g }\n';

  it('are followed inside functions', () => {
    const sources = {
      'a.ts': "async function run() { const { f } = await import('./lib')\n f() }",
      'lib.ts': 'export function f() {}',
    };
    expect(uses(sources, 'f()')).toEqual(['lib.ts f (import)']);
  });
});

describe('a member in TypeScript', () => {
  it('of a field with an unknown type is not the method around it', () => {
    expect(uses('class A { mailer; send() { this.mailer.send() } }', 'this.mailer.send()')).toEqual([
      '?send',
    ]);
  });

  it('of an object literal is its method', () => {
    const sources = {
      'a.ts': "import { api } from './b'\napi.get()",
      'b.ts': 'export const api = { get() {} }',
    };
    expect(uses(sources, 'api.get()')).toEqual(['b.ts api.get (import)']);
  });

  it('of what a getter gives is found by its written type', () => {
    const source =
      'class R { header() {} }\nclass C { get req(): R { return new R() } }\nfunction f(c: C) { c.req.header() }';
    expect(uses(source, 'c.req.header()')).toEqual(['a.ts R.header (type)']);
  });

  it('of a type parameter is not a member of a class of its name', () => {
    expect(uses('class T { m() {} }\nfunction f<T>(x: T) { x.m() }', 'x.m()')).toEqual(['?m']);
  });

  it('of this is the class own one before an inherited one', () => {
    const sources = {
      'a.ts': "import { B } from './b'\nclass A extends B { run() { this.own(); this.base() } own() {} }",
      'b.ts': 'export class B { own() {} base() {} }',
    };
    expect(uses(sources, 'this.own()')).toEqual(['a.ts A.own (exact)']);
    expect(uses(sources, 'this.base()')).toEqual(['b.ts B.base (type)']);
  });

  it('of super is never the class own one', () => {
    const source =
      'class B { m() {} }\nclass A extends B { m() { super.m() } }\nclass C { m() { super.m(1) } }';
    expect(uses(source, 'super.m()')).toEqual(['a.ts B.m (type)']);
    expect(uses(source, 'super.m(1)')).toEqual(['?m']);
  });

  it('of a field, parameter or local is found by its written type', () => {
    const source = `
      class Mailer { send() {} }
      class A { constructor(private mailer: Mailer) {} run() { this.mailer.send() } }
      function f(m: Mailer | null) { m?.send(1) }
      function g() { const m = new Mailer(); m.send(2) }`;
    expect(uses(source, 'this.mailer.send()')).toEqual(['a.ts Mailer.send (type)']);
    expect(uses(source, 'm?.send(1)')).toEqual(['a.ts Mailer.send (type)']);
    expect(uses(source, 'm.send(2)')).toEqual(['a.ts Mailer.send (type)']);
  });

  it('of a value of two possible classes may be that of either', () => {
    const source = 'class A { m() {} }\nclass B { m() {} }\nfunction f(x: A | B) { x.m() }';
    expect(uses(source, 'x.m()')).toEqual(['?m maybe a.ts A.m, a.ts B.m']);
  });

  it('of a result is found by the written return type', () => {
    const source =
      'class A { m() {} }\nasync function make(): Promise<A> { return new A() }\n(await make()).m()';
    expect(uses(source, '(await make()).m()')).toEqual(['a.ts A.m (type)']);
  });

  it('of a result is not that of an outer function whose name is a parameter there', () => {
    const source = `
      class A { m() {} }
      function make(): A { return new A() }
      list.map((make) => { const o = make(); o.m(1) })
      list.map(() => { const o = make(); o.m(2) })`;
    expect(uses(source, 'o.m(1)')).toEqual(['?m']);
    expect(uses(source, 'o.m(2)')).toEqual(['a.ts A.m (type)']);
  });

  it('of an imported value of another package is external', () => {
    const source = "import { Redis } from 'redis'\nfunction f(r: Redis) { r.get('x') }";
    expect(uses(source, "r.get('x')")).toEqual(['redis:Redis.get']);
  });
});

it('construction names the class, and the constructor when the class writes one', () => {
  const { resolution } = resolved({
    'a.ts': 'class A { constructor() {} }\nclass B extends A {}\nnew A()\nnew B()',
  });
  const made = resolution.references.filter((one) => one.evidence.expression.startsWith('new'));
  expect(made.map((one) => one.target)).toEqual([
    { file: 'a.ts', definition: 0 },
    { file: 'a.ts', definition: 2 },
  ]);
  expect(made.map((one) => one.constructor_method)).toEqual([{ file: 'a.ts', definition: 1 }, null]);
});

it('a component used as an element is its function', () => {
  const sources = {
    'a.tsx': "import { Box } from './box'\nexport const A = () => <Box />",
    'box.tsx': 'export function Box() {}',
  };
  expect(resolved(sources).uses('a.tsx', '<Box />')).toEqual(['box.tsx Box (import)']);
});

describe('bases in TypeScript', () => {
  it('that go in a circle end', () => {
    const source = 'class A extends B { f() { this.gone() } }\nclass B extends A {}';
    expect(uses(source, 'this.gone()')).toEqual(['?gone']);
  });

  it('are told apart as extends and implements, interfaces extend', () => {
    const source =
      'interface I {}\nclass B {}\nclass A extends B implements I {}\ninterface J extends I {}\nclass E extends Error {}';
    expect(resolved({ 'a.ts': source }).bases('a.ts')).toEqual([
      'extends a.ts B (exact)',
      'implements a.ts I (exact)',
      'extends a.ts I (exact)',
      'extends ?Error',
    ]);
  });

  it('are found inside a namespace', () => {
    const source = 'export namespace N { interface I {}\n interface J extends I {} }';
    expect(resolved({ 'a.ts': source }).bases('a.ts')).toEqual(['extends a.ts N.I (exact)']);
  });
});
