import { describe, expect, it } from 'vitest';
import { resolved } from './resolved.js';

const LIB = `
  export class Ctx { text() {} readonly req = new Req() }
  export class Req { header() {} }
  export type Next = () => Promise<void>
  export type Handler<E = unknown> = (c: Ctx, next: Next) => E
  export interface Routes { (path: string, ...handlers: Handler[]): App; (handler: Handler): App }
  export class App<T = string> {
    get!: Routes
    items: T[] = []
    with(): this { return this }
  }
  export class Special extends App<Ctx> { only() {} }
  export function make() { return new Special() }
  export function handler(): Handler { return async (c) => { c.text() } }
  export const pick = <T,>(list: T[]): T | undefined => list[0]
  export function made<T>(type: new () => T): T { return new type() }
  export class Strict extends Ctx { text() {} }
  export class Box<T extends Ctx = Strict> {
    constructor(public held: T, readonly n = 0) {}
    run() { this.held.text() }
  }
  export function boxed<T extends Ctx = Strict>(held: T): T { return held }
  export class Store { async load<T>(): Promise<Ctx> { return new Ctx() } }
  export default { start() {}, make }`;

/** What `expression` refers to in a file that imports all of a small library. */
const uses = (source: string, expression: string) =>
  resolved({
    'lib.ts': LIB,
    'a.ts': `import start, { App, Box, Ctx, Handler, Req, Special, Store, Strict, boxed, handler, made, make } from './lib'\n${source}`,
  }).uses('a.ts', expression);

describe('a receiver in TypeScript is known', () => {
  it.each([
    [
      'as the parameter of a callback, by what the called function takes',
      "new App().get('/', (c) => c.text())",
      'c.text()',
      'Ctx.text',
    ],
    [
      'as a field of it, taken apart',
      "new App().get('/', ({ req }) => req.header())",
      'req.header()',
      'Req.header',
    ],
    [
      'by the alias that a variable is annotated with',
      'const h: Handler = (c) => c.req.header()',
      'c.req.header()',
      'Req.header',
    ],
    [
      'in a function that a function with a written result returns',
      'const f = (): Handler => (c) => c.text()',
      'c.text()',
      'Ctx.text',
    ],
    ['by what a function without an annotation returns', 'make().only()', 'make().only()', 'Special.only'],
    [
      'through `this` as a result, for what inherits it',
      'make().with().only()',
      'make().with().only()',
      'Special.only',
    ],
    [
      'as an item of a list whose type an ancestor is given',
      'for (const c of make().items) c.text()',
      'c.text()',
      'Ctx.text',
    ],
    ['in a callback of a list', 'make().items.map((c) => c.text())', 'c.text()', 'Ctx.text'],
    [
      'as the value of a map',
      'const m = new Map<string, Ctx>(); m.get("a")?.text()',
      'm.get("a")?.text()',
      'Ctx.text',
    ],
    ['behind an assertion', '(globalThis.c as Ctx).text()', '(globalThis.c as Ctx).text()', 'Ctx.text'],
    [
      'by the class that a generic function makes an instance of',
      'const s = made(Special); s.only()',
      's.only()',
      'Special.only',
    ],
    ['as a default export without a name', 'start.start()', 'start.start()', 'start'],
    [
      'as an awaited promise',
      'async function f(p: Promise<Ctx>) { (await p).text() }',
      '(await p).text()',
      'Ctx.text',
    ],
    [
      'as an assigned field',
      'class K { c; constructor() { this.c = new Ctx() } m() { this.c.text() } }',
      'this.c.text()',
      'Ctx.text',
    ],
  ])('%s', (_, source, expression, qualname) => {
    expect(uses(source, expression)).toEqual([`lib.ts ${qualname} (type)`]);
  });

  it('by what a type parameter is bound by: its default counts where nothing else can decide', () => {
    const { uses: found } = resolved({ 'lib.ts': LIB });
    expect(found('lib.ts', 'this.held.text()')).toEqual(['lib.ts Ctx.text (type)']);
    expect(uses('new Box(any).held.text()', 'new Box(any).held.text()')).toEqual(['lib.ts Ctx.text (type)']);
    expect(uses('boxed(any).text()', 'boxed(any).text()')).toEqual(['lib.ts Ctx.text (type)']);
    expect(uses('function f(b: Box) { b.held.text() }', 'b.held.text()')).toEqual([
      'lib.ts Strict.text (type)',
    ]);
  });

  it('as what is awaited of a call with type arguments', () => {
    const source = 'async function f(s: Store) { const c = await s.load<Ctx>(); c.text() }';
    expect(uses(source, 'await s.load<Ctx>()')).toEqual(['lib.ts Store.load (type)']);
    expect(uses(source, 'c.text()')).toEqual(['lib.ts Ctx.text (type)']);
  });

  it('nowhere else: a foreign value has no member of the project', () => {
    expect(uses('fetch("x").then((c) => c.text())', 'c.text()')).toEqual(['?text']);
    expect(uses('function f(c) { c.text() }', 'c.text()')).toEqual(['?text']);
    expect(uses('let c = new Ctx(); c = other(); c.text()', 'c.text()')).toEqual([
      '?text maybe lib.ts Ctx.text',
    ]);
  });
});

describe('a called name in TypeScript', () => {
  it('is called, and so is the function that it was given, bound or taken out of an object', () => {
    const both = (name: string) => [`a.ts ${name} (exact)`, 'lib.ts make (type)'];
    expect(uses('const again = make\nagain()', 'again()')).toEqual(both('again'));
    expect(uses('const bound = make.bind(null)\nbound()', 'bound()')).toEqual(both('bound'));
    expect(uses('const { make: other } = start\nother()', 'other()')).toEqual(both('other'));
  });

  it('is called where its value is not known, and may call each that it was given', () => {
    expect(uses('const isArray = Array.isArray\nisArray(1)', 'isArray(1)')).toEqual(['a.ts isArray (exact)']);
    const two = 'function f() {}\nfunction g() {}\n';
    const maybe = (name: string) => [`${name} maybe a.ts f, a.ts g`];
    expect(uses(`${two}let h = f\nh = g\nh()`, 'h()')).toEqual(maybe('a.ts h (exact)'));
    expect(uses(`${two}function run(h: typeof f | typeof g) { h() }`, 'h()')).toEqual(maybe('?h'));
  });

  it('is a getter, and the function that it gives', () => {
    const source = 'function f() {}\nclass A { get run() { return f } }\nnew A().run()';
    expect(uses(source, 'new A().run()')).toEqual(['a.ts A.run (exact)', 'a.ts f (type)']);
  });
});

describe('a callee without a name in TypeScript', () => {
  const TWO = 'function f() {}\nfunction g() {}\n';
  const table = `${TWO}const table = { f, g, ['h']: f }\nconst list = [f, g]\n`;

  it('is what is known to stand there', () => {
    expect(uses(`${table}list[1]()`, 'list[1]()')).toEqual(['a.ts g (type)']);
    expect(uses(`${TWO}const make = () => f\nmake()()`, 'make()()')).toEqual(['a.ts f (type)']);
  });

  it('may be each of several', () => {
    const maybe = (name: string) => [`?${name} maybe a.ts f, a.ts g`];
    expect(uses(`${table}function run(k) { table[k]() }`, 'table[k]()')).toEqual(maybe('table[]'));
    expect(uses(`${table}function run(k) { list[k]() }`, 'list[k]()')).toEqual(maybe('list[]'));
    expect(uses(`${TWO}function run(k) { (k ? f : g)() }`, '(k ? f : g)()')).toEqual(maybe('expression'));
    expect(uses(`${TWO}(f || g)()`, '(f || g)()')).toEqual(maybe('expression'));
    const made = 'class A { static make() { return new this() } }';
    expect(uses(made, 'new this()')).toEqual(['?this maybe a.ts A']);
  });

  it('is unresolved where nothing is known of it, and no call where a function stands there', () => {
    expect(uses('function run(x) { x.y[1]?.() }', 'x.y[1]?.()')).toEqual(['?y[]']);
    expect(resolved({ 'a.ts': ';(() => 1)()\n;(function () {})()' }).resolution.references).toEqual([]);
  });

  it('is what a CommonJS module is set to, through others that pass it on', () => {
    const sources = {
      'a.js': "const run = require('.')\nrun()\nconst { help } = require('./lib')\nhelp()",
      'index.js': "module.exports = require('./lib')",
      'lib.js': 'exports = module.exports = run\nfunction run() {}\nexports.help = function () {}',
    };
    const { uses: found } = resolved(sources);
    expect(found('a.js', 'run()')).toEqual(['lib.js run (type)']);
    expect(found('a.js', 'help()')).toEqual(['lib.js help (import)']);
  });
});

describe('declarations that count as one in TypeScript', () => {
  it('are a class or function and its namespace', () => {
    const merged = `
      class A { static make() {} own() {} }
      namespace A { export function other() {} }
      function f() {}
      namespace f { export function inner() {} }`;
    expect(uses(`${merged}\nA.make()`, 'A.make()')).toEqual(['a.ts A.make (exact)']);
    expect(uses(`${merged}\nA.other()`, 'A.other()')).toEqual(['a.ts A.other (exact)']);
    expect(uses(`${merged}\nnew A()`, 'new A()')).toEqual(['a.ts A (exact)']);
    expect(uses(`${merged}\nnew A().own()`, 'new A().own()')).toEqual(['a.ts A.own (exact)']);
    expect(uses(`${merged}\nnew A().other()`, 'new A().other()')).toEqual(['?other']);
    expect(uses(`${merged}\nf()`, 'f()')).toEqual(['a.ts f (exact)']);
    expect(uses(`${merged}\nf.inner()`, 'f.inner()')).toEqual(['a.ts f.inner (type)']);
  });

  it('are a getter and its setter, whichever is written first', () => {
    const box = 'class B { go() {} }\nclass A { set b(x: B) {} get b() { return new B() } }\n';
    expect(uses(`${box}new A().b.go()`, 'new A().b.go()')).toEqual(['a.ts B.go (type)']);
  });
});
