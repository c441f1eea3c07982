// Files that grow in one construct: each asks whether reading and resolving it costs much more than its length.
// A path is that of the file; a text is made for any size, in lines or in things nested, of which a few are one unit.

/** `count` texts of their numbers, each on a line of its own. */
function lines(count, text) {
  return `${Array.from({ length: count }, (_, number) => text(number)).join('\n')}\n`;
}

/** What `open` begins `count` times and `close` ends as often, around `inside`. */
function nested(count, open, close, inside = '') {
  return `${open}\n`.repeat(count) + inside + `${close}\n`.repeat(count);
}

/** Python cannot nest without blanks: as deep as it may be, again and again. */
function nestedBlocks(count, deepest, head) {
  const one = Array.from({ length: deepest }, (_, depth) => `${' '.repeat(depth)}${head(depth)}\n`).join('');
  return `${one}${' '.repeat(deepest)}pass\n`.repeat(Math.ceil(count / deepest));
}

const typescript = {
  'functions of one name': (n) => lines(n, () => 'function run() { run(); }'),
  'functions of one name in blocks': (n) => lines(n, () => '{ function run() { run(); } run(); }'),
  'variables of one name': (n) => lines(n, (i) => `var value = value ?? ${i};`),
  'assignments to one name': (n) => `let value = make();\n${lines(n, (i) => `value = made${i}(value);`)}`,
  'calls on one reassigned name': (n) =>
    `let value = make();\n${lines(n, () => 'value = value.next(); value.run();')}`,
  'classes of one name': (n) => lines(n, () => 'class Box { open() { this.open(); new Box(); } }'),
  'interfaces of one name': (n) =>
    `${lines(n, (i) => `interface Box { field${i}: Box }`)}let b: Box;\nb.none();\n`,
  'types of one name': (n) => lines(n, () => 'type Box = Box | { of: Box };'),
  'methods of one name': (n) => `class Box {\n${lines(n, () => 'open() { this.open(); }')}}\n`,
  'fields of one name': (n) => `class Box {\n${lines(n, () => 'inside = this.inside;')}}\n`,
  'assignments to one field': (n) =>
    `class Box {\n${lines(n, (i) => `set${i}(x) { this.all = x; this.all.go(); }`)}}\n`,
  'assignments to many fields': (n) =>
    `class Box {\n${lines(n, (i) => `set${i}() { this.f${i} = this.f${i + 1}; }`)}}\n`,
  'parameters of one name': (n) => lines(n, (i) => `const each${i} = (item) => item.go(item);`),
  'parameters of one function': (n) =>
    `function all(\n${lines(n, (i) => `p${i}: T${i},`)}) { p1.go(); }\nall();\n`,
  'uses of many parameters': (n) =>
    `function all(\n${lines(n, (i) => `p${i},`)}) {\n${lines(n, (i) => `p${i}.go(); p${i}();`)}}\n`,
  'arguments of one call': (n) => `call(\n${lines(n, (i) => `a${i},`)});\n`,
  'callbacks of one call': (n) => `call(\n${lines(n, () => '(x) => x.go(),')});\n`,
  'locals of one function': (n) =>
    `function all() {\n${lines(n, (i) => `const v${i} = make(v${i - 1}); v${i}.go();`)}}\n`,
  'locals of one name in blocks': (n) =>
    `function all() {\n${lines(n, () => '{ const v = make(); v.go(); }')}}\n`,
  'locals that wait for each other': (n) =>
    `function all() {\n${lines(n, (i) => `const v${i} = v${i + 1}.field;`)}return v0.go(); }\n`,
  'locals asked for backwards': (n) =>
    `function all() {\nconst v0 = make();\n${lines(n, (i) => `const v${i + 1} = v${i}.field;`)}return v${n}.go(); }\n`,
  'overloads of a function': (n) =>
    `${lines(n, (i) => `export function run(given: 'a${i}'): T${i};`)}export function run(given) {}\n${lines(n, (i) => `run('a${i}').go();`)}`,
  'overloads of a method': (n) =>
    `class Box {\n${lines(n, (i) => `open(given: 'a${i}'): Box;`)}open(given) { return this; }\n}\n${lines(n, () => 'new Box().open(1).open(2);')}`,
  'signatures of an interface': (n) =>
    `interface Call {\n${lines(n, (i) => `(given: 'a${i}'): Call;`)}}\ndeclare const call: Call;\n${lines(n, () => 'call(1).go();')}`,
  'classes that extend the next': (n) =>
    lines(n, (i) => `class C${i} extends C${i + 1} { go() { super.go(); this.other(); } }`),
  'classes that extend the one before': (n) =>
    lines(n, (i) => `class C${i + 1} extends C${i} { m${i}() { this.m0(); this.none(); } }`),
  'classes in a circle': (n) =>
    lines(n, (i) => `class C${i} extends C${(i + 1) % n} { go() { this.none(); } }`),
  'interfaces that extend the next': (n) =>
    `${lines(n, (i) => `interface I${i} extends I${i + 1} {}`)}let v: I0;\nv.none();\n`,
  'interfaces that extend two': (n) =>
    `${lines(n, (i) => `interface I${i} extends I${i + 1}, I${i + 2} {}`)}${lines(n, (i) => `declare const v${i}: I${i}; v${i}.none();`)}`,
  'classes that implement two': (n) =>
    lines(
      n,
      (i) =>
        `interface I${i} extends I${i + 1}, I${i + 2} { go(): void }\nclass C${i} implements I${i} { go() {} }`,
    ),
  'interfaces of one class': (n) =>
    `${lines(n, (i) => `interface I${i} { m${i}(): void }`)}class All implements\n${lines(n, (i) => `I${i},`)
      .trimEnd()
      .slice(0, -1)} {\n${lines(n, (i) => `m${i}() {}`)}}\n`,
  'bases of one interface': (n) =>
    `interface All extends\n${lines(n, (i) => `I${i},`)
      .trimEnd()
      .slice(0, -1)} {}\ndeclare const all: All;\n${lines(n, () => 'all.none();')}`,
  'classes with one base': (n) =>
    `class Base { go() {} }\n${lines(n, (i) => `class C${i} extends Base { go() { super.go(); } }`)}`,
  'mixins in mixins': (n) =>
    lines(n, (i) => `const M${i} = (B) => class extends M${i + 1}(B) { go() { super.go(); } };`),
  'aliases of the next': (n) => `${lines(n, (i) => `type T${i} = T${i + 1};`)}let v: T0;\nv.go();\n`,
  'aliases that fork': (n) =>
    `${lines(n, (i) => `type T${i} = T${i + 1} | T${i + 2};`)}${lines(n, (i) => `declare const v${i}: T${i}; v${i}.go();`)}`,
  'aliases that fork and meet': (n) =>
    `${lines(n, (i) => `type T${i} = T${i + 1} & T${i + 1};`)}${lines(n, (i) => `declare const v${i}: T${i}; v${i}.go();`)}`,
  'parts of one union': (n) =>
    `${lines(n, (i) => `interface I${i} { go(): I${i} }`)}type All =\n${lines(n, (i) => `| I${i}`)};\ndeclare const all: All;\nall.go().go().go();\n`,
  'uses of one union': (n) =>
    `${lines(60, (i) => `interface I${i} { go(): All }`)}type All =\n${lines(60, (i) => `| I${i}`)};\ndeclare const all: All;\n${lines(n, () => 'all.go().go();')}`,
  'literals of one union': (n) =>
    `type All =\n${lines(n, (i) => `| 'a${i}'`)};\ndeclare const all: All;\n${lines(n, () => 'all.go();')}`,
  'parts of one intersection': (n) =>
    `${lines(n, (i) => `interface I${i} { m${i}(): void }`)}type All =\n${lines(n, (i) => `& I${i}`)};\ndeclare const all: All;\n${lines(n, (i) => `all.m${i}();`)}`,
  'generics that double': (n) =>
    `${lines(n, (i) => `type G${i}<T> = G${i + 1}<G${i + 1}<T>>;`)}let v: G0<string>;\nv.go();\n`,
  'generics that grow': (n) =>
    `${lines(n, (i) => `type G${i}<T> = G${i + 1}<[T, T]> | G${i}<T[]>;`)}${lines(n, (i) => `declare const v${i}: G${i}<A>; v${i}.go();`)}`,
  'generic classes that grow': (n) =>
    `class Box<T> { of: Box<Box<T>>; one: T; next(): Box<T[]> { return this.of.next(); } }\n${lines(n, () => 'new Box<string>().next().of.next().one.go();')}`,
  'type parameters of one type': (n) =>
    `type All<\n${lines(n, (i) => `T${i} = T${i + 1},`)}Z> = T0;\ndeclare const all: All;\n${lines(n, () => 'all.go();')}`,
  'type arguments of one type': (n) =>
    `declare const all: Map<\n${lines(n, (i) => `T${i},`)}Z>;\nall.get().go();\n`,
  'conditional types': (n) =>
    `${lines(n, (i) => `type C${i}<T> = T extends A${i} ? C${i + 1}<T> : C${i + 2}<T>;`)}let v: C0<string>;\nv.go();\n`,
  'one long conditional type': (n) =>
    `type C<T> =\n${lines(n, (i) => `T extends A${i} ? B${i} :`)}never;\ndeclare const c: C<1>;\nc.go();\n`,
  'mapped types': (n) =>
    `${lines(n, (i) => `type M${i} = { [K in keyof M${i + 1}]: M${i + 1}[K] };`)}let v: M0;\nv.a.a.a.go();\n`,
  'indexed types': (n) => `type A = { a: A };\nlet v: A\n${lines(n, () => '["a"]')};\nv.go();\n`,
  'members of one object type': (n) =>
    `type All = {\n${lines(n, (i) => `m${i}: () => All;`)}};\ndeclare const all: All;\n${lines(n, (i) => `all.m${i}().go();`)}`,
  'members of one interface': (n) =>
    `interface All {\n${lines(n, (i) => `m${i}(): All;`)}}\ndeclare const all: All;\n${lines(n, (i) => `all.m${i}().m0();`)}`,
  'functions in one type': (n) => `type All = {\n${lines(n, () => 'm(a: (b: (c: A) => B) => C): D;')}};\n`,
  'template types': (n) => lines(n, (i) => `type T${i} = \`a\${T${i + 1}}b\${T${i + 2}}\`;`),
  'members of one class': (n) =>
    `class All {\n${lines(n, (i) => `m${i}() { return this.m${i + 1}(); }`)}}\nnew All().m0().m1();\n`,
  'getters of one class': (n) =>
    `class All {\n${lines(n, (i) => `get g${i}() { return this.g${i + 1}; }`)}}\nnew All().g0.go();\n`,
  'decorators of one class': (n) => `${lines(n, (i) => `@with${i}({ a: ${i} })`)}class All {}\n`,
  'decorators of members': (n) =>
    `class All {\n${lines(n, (i) => `@with(x${i}) m${i}(@inject(A) a: A) {}`)}}\n`,
  'members of one enum': (n) =>
    `enum All {\n${lines(n, (i) => `M${i} = M${i - 1} << 1,`)}}\n${lines(n, (i) => `All.M${i}.go();`)}`,
  'namespaces of one name': (n) =>
    lines(n, (i) => `namespace All { export const v${i} = v${i - 1}; export function f() { f(); } }`),
  'namespaces within namespaces': (n) => nested(n, 'namespace N {', '}', 'export const x = x;\n'),
  'names with dots': (n) => `namespace A\n${lines(n, (i) => `.B${i}`)} { export const x = 1; }\n`,
  'functions that call the next': (n) =>
    `${lines(n, (i) => `function f${i}() { return f${i + 1}(); }`)}f0().go();\n`,
  'functions that call two': (n) =>
    `${lines(n, (i) => `function f${i}(a) { return a ? f${i + 1}(a) : f${i + 2}(a); }`)}f0(1).go();\n`,
  'functions that call all': (n) =>
    lines(
      n,
      (i) =>
        `function f${i}(g) { g(f${(i * 7) % n}); return [f${(i * 13) % n}(g), f${(i * 31) % n}(f${(i * 17) % n})]; }`,
    ),
  'functions that return functions': (n) =>
    `${lines(n, (i) => `const f${i} = () => () => f${i + 1}()();`)}f0()()()().go();\n`,
  'promises in promises': (n) =>
    `${lines(n, (i) => `async function f${i}() { return await f${i + 1}(); }`)}(await f0()).go();\n`,
  'values of the next': (n) => `${lines(n, (i) => `const v${i} = v${i + 1};`)}v0.go();\n`,
  'values of the one before': (n) =>
    `const v0 = make();\n${lines(n, (i) => `const v${i + 1} = v${i}.next; v${i + 1}.go();`)}`,
  'objects that spread two': (n) =>
    `${lines(n, (i) => `const o${i} = { ...o${i + 1}, ...o${i + 2} };`)}o0.go();\n`,
  'spreads in one object': (n) =>
    `const all = {\n${lines(n, (i) => `...o${i},`)}};\n${lines(n, () => 'all.none();')}`,
  'keys of one object': (n) =>
    `const all = {\n${lines(n, (i) => `k${i}: () => all.k${i + 1}(),`)}};\n${lines(n, (i) => `all.k${i}();`)}`,
  'methods of one object': (n) =>
    `const all = {\n${lines(n, (i) => `k${i}() { return this.k${i + 1}(); },`)}};\nall.k0().go();\n`,
  'one key of one object': (n) => `const all = {\n${lines(n, () => 'k: () => all.k(),')}};\nall.k();\n`,
  'keys of one unnamed object': (n) => `use({\n${lines(n, (i) => `k${i}: v${i},`)}}).k0.go();\n`,
  'items of one list': (n) =>
    `const all = [\n${lines(n, (i) => `() => all[${i}](),`)}];\nfor (const one of all) one();\n`,
  'members of one destructuring': (n) =>
    `const {\n${lines(n, (i) => `a${i}: b${i} = c${i},`)}} = make();\n${lines(n, (i) => `b${i}.go();`)}`,
  'destructuring within destructuring': (n) => `const ${nested(n, '{ a:', '}', 'b')} = make();\nb.go();\n`,
  'values of default parameters': (n) => `function all(\n${lines(n, (i) => `p${i} = f(p${i - 1}),`)}) {}\n`,
  'assignments in one chain': (n) => `${lines(n, (i) => `v${i} =`)}make();\n`,
  'assignments to deep members': (n) => lines(n, (i) => `a.b.c${i % 7}.d = a.b.c.d || {};`),
  'functions hung on one function': (n) =>
    `function app() {}\n${lines(n, (i) => `app.m${i} = function () { return app.m${i + 1}(); };`)}app.m0();\n`,
  'one name hung on one function': (n) =>
    `function app() {}\n${lines(n, () => 'app.use = function () { return app.use(); };')}app.use();\n`,
  'values hung on one name': (n) => `const app = {};\n${lines(n, (i) => `app.v = make${i}; app.v.go();`)}`,
  'ifs with else': (n) => `${lines(n, (i) => `if (a === ${i}) { go${i}(); } else`)}{}\n`,
  'cases of one switch': (n) =>
    `function all(a) { switch (a) {\n${lines(n, (i) => `case ${i}: { const v = make(); return v.go(); }`)}} }\n`,
  'returns of one function': (n) =>
    `function all(a) {\n${lines(n, (i) => `if (a === ${i}) return new C${i}();`)}}\n${lines(n, () => 'all(1).go();')}class C0 { go() {} }\n`,
  'tries after each other': (n) => lines(n, () => 'try { go(); } catch (e) { e.go(); } finally { go(); }'),
  'loops after each other': (n) =>
    lines(n, () => 'for (const one of all) { for (let i = 0; i < 3; i++) one.go(i); }'),
  labels: (n) => lines(n, (i) => `label${i}: for (;;) { break label${i}; }`),
  'ternaries in one': (n) => `const v =\n${lines(n, (i) => `a${i} ? b${i} :`)}c;\nv.go();\n`,
  'ternaries of elements': (n) => `const V = () =>\n${lines(n, (i) => `a${i} ? b${i}() :`)}c();\nV().go();\n`,
  'sums in one': (n) => `const v =\n${lines(n, (i) => `a${i} +`)}1;\nv.go();\n`,
  'alternatives in one': (n) => `const v =\n${lines(n, (i) => `a${i} ||`)}b;\nv.go();\n`,
  'commas in one': (n) => `const v = (\n${lines(n, (i) => `a${i},`)}b);\nv.go();\n`,
  'calls in one chain': (n) => `class A { m() { return this; } }\nnew A()\n${lines(n, () => '.m()')};\n`,
  'calls with callbacks in one chain': (n) => `make()\n${lines(n, () => '.then((x) => x.go())')};\n`,
  'calls of calls': (n) => `make\n${lines(n, () => '()')};\n`,
  'members in one chain': (n) => `const v = a\n${lines(n, () => '.b')};\nv.go();\n`,
  'items in one chain': (n) => `const v = a\n${lines(n, () => '[0]')};\nv.go();\n`,
  'templates in one': (n) => `const v = \`\n${lines(n, (i) => `\${f(a${i})}`)}\`;\n`,
  'templates with tags': (n) => lines(n, (i) => `const v${i} = css\`\${v${i - 1}} \${(p) => p.go()}\`;`),
  'one long text': (n) => `const v = '${'\\\n a ( { ['.repeat(n)}';\n`,
  quotes: (n) => lines(n, (i) => `go('a', "b", \`c\`, /d/g, ${i}n);`),
  'functions within functions': (n) => nested(n, 'function f() {', '}', 'f();\n'),
  'functions of own names within functions': (n) =>
    `${lines(n, (i) => `function f${i}() { f${i - 1}();`)}${'}\n'.repeat(n)}`,
  'arrows within arrows': (n) => `const v =\n${lines(n, () => '() =>')}1;\n`,
  'arrows with bodies within arrows': (n) => `const v = ${nested(n, '(a) => {', '}', 'a.go();\n')};\n`,
  'callbacks within callbacks': (n) => nested(n, 'go((a) => {', '});', 'a.go();\n'),
  'classes within classes': (n) => nested(n, 'class C { m() {', '} }', 'this.m();\n'),
  'class values within class values': (n) => `const v = ${nested(n, 'class { static a =', '}', '1')};\n`,
  'objects within objects': (n) => `const v = ${nested(n, '{ a:', '}', '1')};\nv.a.a.a.go();\n`,
  'objects with functions within objects': (n) =>
    `const v = ${nested(n, '{ f() { this.f(); }, a:', '}', '1')};\nv.a.a.f();\n`,
  'lists within lists': (n) => `const v = ${nested(n, '[', ']', '1')};\nv[0][0].go();\n`,
  'brackets within brackets': (n) => `const v = ${nested(n, '(', ')', '1')};\n`,
  'calls within calls': (n) => `${nested(n, 'f(', ')', 'g')};\n`,
  'callees within callees': (n) => `${nested(n, '(f', ')()', '')};\n`,
  'blocks within blocks': (n) => nested(n, '{ let a = b;', '}', 'a.go();\n'),
  'ifs within ifs': (n) => nested(n, 'if (a) {', '}', 'go();\n'),
  'tries within tries': (n) => nested(n, 'try {', '} catch {}', 'go();\n'),
  'loops within loops': (n) => nested(n, 'for (const a of b) {', '}', 'go(a);\n'),
  'templates within templates': (n) => `const v = ${nested(n, '`${', '}`', '1')};\n`,
  'types within types': (n) => `let v: ${nested(n, 'A<', '>', 'B')};\nv.go();\n`,
  'object types within object types': (n) => `let v: ${nested(n, '{ a:', '}', 'B')};\nv.a.a.go();\n`,
  'function types within function types': (n) =>
    `let v: ${'((a: A) =>\n'.repeat(n)}B${')\n'.repeat(n)};\nv()()();\n`,
  'lists of lists': (n) => `let v: A\n${lines(n, () => '[]')};\nfor (const a of v) a.go();\n`,
  'tuples within tuples': (n) => `let v: ${nested(n, '[', ']', 'A')};\nv[0][0].go();\n`,
  'signs before one value': (n) => `const v =\n${lines(n, () => '!')}a;\n`,
  'awaits before one value': (n) => `const v =\n${lines(n, () => 'await')} a;\nv.go();\n`,
  'casts of one value': (n) => `const v = a\n${lines(n, () => 'as B')};\nv.go();\n`,
  'marks behind one value': (n) => `const v = a${'!'.repeat(n)};\nv.go();\n`,
  imports: (n) => lines(n, (i) => `import { a${i}, type B${i} } from './b${i}';`),
  'imports that are used': (n) =>
    `${lines(n, (i) => `import { a${i} } from './b${i}';`)}${lines(n, (i) => `a${i}.go(); a${i}();`)}`,
  'imports of one module': (n) =>
    `${lines(n, (i) => `import { a${i} } from './b';`)}${lines(n, (i) => `a${i}();`)}`,
  'imports of one name': (n) => `${lines(n, () => "import a from './a';")}${lines(n, () => 'a(); a.go();')}`,
  'imports of packages': (n) =>
    `${lines(n, (i) => `import * as a${i} from 'pack${i}';`)}${lines(n, (i) => `a${i}.go();`)}`,
  'names of one import': (n) =>
    `import {\n${lines(n, (i) => `a${i} as b${i},`)}} from './b';\n${lines(n, (i) => `b${i}.go();`)}`,
  'imports of itself': (n) =>
    `import {\n${lines(n, (i) => `a${i} as b${i},`)}} from './file';\n${lines(n, (i) => `export const a${i} = b${(i + 1) % n}; b${i}();`)}`,
  'dynamic imports': (n) => lines(n, (i) => `const a${i} = await import('./b${i}'); a${i}.go();`),
  exports: (n) => lines(n, (i) => `export const a${i} = ${i}, b${i} = () => a${i};`),
  'exports in one list': (n) =>
    `${lines(n, (i) => `const a${i} = ${i};`)}export {\n${lines(n, (i) => `a${i} as b${i},`)}};\n`,
  'exports of imports': (n) =>
    `${lines(n, (i) => `import { a${i} } from './b${i}';`)}export {\n${lines(n, (i) => `a${i},`)}};\n`,
  'exports of one import': (n) =>
    `import {\n${lines(n, (i) => `a${i},`)}} from './b';\nexport {\n${lines(n, (i) => `a${i},`)}};\n`,
  'exports from others': (n) => lines(n, (i) => `export { a${i} } from './b${i}';`),
  'exports of one name from another': (n) => lines(n, (i) => `export { a as a${i} } from './b';`),
  'exports of one name from itself': (n) =>
    `${lines(n, () => "export { a } from './file';")}import { a } from './file';\na.go();\n`,
  'exports from itself in a chain': (n) =>
    `${lines(n, (i) => `export { a${i + 1} as a${i} } from './file';`)}import { a0 } from './file';\na0.go();\n`,
  'exports of all of itself': (n) =>
    `${lines(n, () => "export * from './file';")}import { a } from './file';\na.go();\n`,
  'exports of all of others': (n) =>
    `${lines(n, (i) => `export * from './b${i}';`)}import { a } from './file';\na.go();\n`,
  defaults: (n) => lines(n, () => 'export default function run() { run(); }'),
  comments: (n) => lines(n, (i) => `// the ${i}th of them`),
  'comments with marks': (n) => lines(n, (i) => `// TODO(${i}): do it\nfunction f${i}() {}`),
  'one comment with marks': (n) => `/*\n${lines(n, (i) => `FIXME: ${i}`)}*/\n`,
  'marks behind functions': (n) => `${lines(n, (i) => `function f${i}() {}`)}${lines(n, () => '// TODO: a')}`,
  'comments before functions': (n) =>
    lines(n, (i) => `/** Gives ${i}.\n * @param {A} a the ${i}th */\nfunction f${i}(a) {}`),
  'comments before one function': (n) => `${lines(n, (i) => `/* a ${i} */`)}function f() {}\n`,
  'comments behind each other': (n) => `function f() {}${lines(n, () => '/**/')}function g() {}\n`,
  'comments within a signature': (n) => `function f(\n${lines(n, (i) => `/* a ${i} */ // b`)}) {}\nf();\n`,
  blanks: (n) => `function f() {}${' \t\n'.repeat(n)}function g() {}\n`,
  semicolons: (n) => ';\n'.repeat(n),
  'open brackets': (n) => `const v = ${'(\n'.repeat(n)}`,
  'open braces': (n) => 'f({\n'.repeat(n),
  'closed brackets': (n) => ')\n'.repeat(n),
  'closed braces': (n) => 'a }\n'.repeat(n),
  'open strings': (n) => lines(n, () => `const v = 'a`),
  'open templates': (n) => 'const v = `${\n'.repeat(n),
  'open comments': (n) => '/* a\n'.repeat(n),
  'open types': (n) => `let v: ${'A<\n'.repeat(n)}`,
  'open functions': (n) => lines(n, (i) => `function f${i}( {`),
  'open classes': (n) => lines(n, (i) => `class C${i} extends {`),
  'signs without sense': (n) => lines(n, () => '=> ... @ # ?. ) } ] < > = ;'),
  'signs of conflicts': (n) =>
    lines(n, (i) => `<<<<<<< a\nconst a${i} = 1;\n=======\nconst a${i} = 2;\n>>>>>>> b`),
  'words without sense': (n) => lines(n, () => 'class function return new import export default'),
  'marks of bytes': (n) => lines(n, (i) => `const ü${i} = "\u{1f600}"; ü${i}.gö();`),
  routes: (n) =>
    `import express from 'express';\nconst app = express();\n${lines(n, (i) => `app.get('/a${i}', handle, (q, r) => r.go());`)}function handle() {}\n`,
  'routes of one path': (n) =>
    `import express from 'express';\nconst app = express();\n${lines(n, () => "app.get('/a', handle);")}function handle() {}\n`,
  'routes in one chain': (n) =>
    `import { Hono } from 'hono';\nexport const app = new Hono()\n${lines(n, (i) => `.get('/a${i}', (c) => c.text('a'))`)};\n`,
  'routers in routers': (n) =>
    `import express from 'express';\n${lines(n, (i) => `const r${i} = express.Router(); r${i}.use('/a', r${i + 1}); r${i}.get('/b', h);`)}`,
  'routers in one router': (n) =>
    `import express from 'express';\nconst app = express();\n${lines(n, (i) => `const r${i} = express.Router(); app.use('/a', r${i}); r${i}.get('/b', h);`)}`,
  'one router in many places': (n) =>
    `import express from 'express';\nconst app = express();\nconst r = express.Router();\n${lines(n, (i) => `app.use('/a${i}', r);`)}${lines(n, () => "r.get('/b', h);")}`,
  plugins: (n) =>
    `import fastify from 'fastify';\nconst app = fastify();\n${lines(n, (i) => `function p${i}(app) { app.get('/b', h); }\napp.register(p${i}, { prefix: '/a${i}' });`)}`,
};

const tests = {
  'suites within suites': (n) =>
    `import { describe, it } from 'vitest';\n${nested(n, "describe('a', () => {", '});', "it('b', () => { go(); });\n")}`,
  'suites of one name': (n) =>
    `import { describe, it } from 'vitest';\n${lines(n, () => "describe('a', () => { it('b', () => { go(); }); });")}function go() {}\n`,
  'tests of one suite': (n) =>
    `import { describe, it } from 'vitest';\nimport { go } from './go';\ndescribe('a', () => {\n${lines(n, (i) => `it('b${i}', () => { help(); go(${i}); });`)}});\nfunction help() { go(); }\n`,
  'tests of one helper': (n) =>
    `import { it } from 'vitest';\n${lines(n, (i) => `function help${i}() { help${i + 1}(); }`)}${lines(n, () => "it('b', () => { help0(); });")}`,
  'calls of one test': (n) =>
    `import { it } from 'vitest';\n${lines(n, (i) => `import { go${i} } from './go';`)}it('b', () => {\n${lines(n, (i) => `go${i}();`)}});\n`,
};

const javascript = {
  'methods on one prototype': (n) =>
    `function A() {}\n${lines(n, (i) => `A.prototype.m${i} = function () { this.m${i + 1}(); };`)}new A().m0();\n`,
  'one method on one prototype': (n) =>
    `function A() {}\n${lines(n, () => 'A.prototype.m = function () { this.m(); };')}new A().m();\n`,
  'prototypes of many': (n) =>
    lines(
      n,
      (i) =>
        `function A${i}() {}\nA${i}.prototype = Object.create(A${i + 1}.prototype);\nA${i}.prototype.go = function () { this.none(); };`,
    ),
  'required modules': (n) => lines(n, (i) => `const a${i} = require('./b${i}'); a${i}.go();`),
  'required members of one module': (n) =>
    `const {\n${lines(n, (i) => `a${i},`)}} = require('./b');\n${lines(n, (i) => `a${i}();`)}`,
  'names on exports': (n) => lines(n, (i) => `exports.a${i} = function () { exports.a${i + 1}(); };`),
  'one name on exports': (n) => lines(n, () => 'exports.a = () => exports.a();'),
  'values of module.exports': (n) => lines(n, (i) => `module.exports = { a${i}() {} };`),
  'keys of module.exports': (n) =>
    `module.exports = {\n${lines(n, (i) => `a${i}, b${i}: require('./b${i}'),`)}};\n`,
  'exports of one module': (n) => lines(n, (i) => `exports.a${i} = require('./b');`),
  'exports from exports': (n) => lines(n, (i) => `exports.a${i} = require('./file').a${i + 1};`),
  'functions called at once': (n) => nested(n, '(function () {', '})();', 'go();\n'),
  'words of one name': (n) => lines(n, () => 'var self = this; self.go();'),
  'constructor functions': (n) =>
    lines(n, (i) => `function A${i}() { this.b = new A${i + 1}(); this.b.b.go(); }`),
};

const elements = {
  'elements within elements': (n) => `const V = () => ${nested(n, '<A>', '</A>', 'a')};\n`,
  'elements beside elements': (n) =>
    `const V = () => <>\n${lines(n, (i) => `<A${i % 9} a={b} onGo={() => go()}>text</A${i % 9}>`)}</>;\n`,
  'attributes of one element': (n) => `const V = () => <A\n${lines(n, (i) => `a${i}={b${i}}`)} />;\n`,
  components: (n) =>
    lines(n, (i) => `export function V${i}({ a }) { return <V${i + 1} a={a}><V${i + 2} /></V${i + 1}>; }`),
  'components in components': (n) =>
    lines(n, (i) => `const V${i} = memo(forwardRef((p) => a ? <V${i + 1} /> : b && <i />));`),
  'elements that are open': (n) => `const V = () => ${'<A>\n'.repeat(n)};\n`,
  'maps within maps': (n) => `const V = () => ${nested(n, 'a.map((b) => (', '))', '<i />')};\n`,
  'elements of variables': (n) =>
    `function V() {\n${lines(n, (i) => `const e${i} = e${i - 1} || <i />;`)}return e${n - 1};\n}\n`,
  'returned elements': (n) =>
    `function V(a) {\n${lines(n, (i) => `if (a === ${i}) return f(a);`)}return <i />;\n}\n`,
};

const script = '<script setup lang="ts">\nimport A from \'./A.vue\';\nconst a = 1;\n</script>\n';
const vue = {
  'elements of a template within each other': (n) =>
    `${script}<template>\n${nested(n, '<div v-if="a">', '</div>', '{{ a }}')}</template>\n`,
  'elements of a template': (n) =>
    `${script}<template>\n${lines(n, (i) => `<A :a="a + ${i}" @go="a = $event">{{ a.go(${i}) }}</A>`)}</template>\n`,
  'components of a template': (n) =>
    `<script setup>\n${lines(n, (i) => `import A${i} from './A${i}.vue';`)}</script>\n<template>\n${lines(n, (i) => `<a${i} /><A${i}></A${i}>`)}</template>\n`,
  'unknown components of a template': (n) =>
    `<script setup>\n${lines(n, (i) => `const a${i} = 1;`)}</script>\n<template>\n${lines(n, (i) => `<unknown-${i} />`)}</template>\n`,
  'loops of a template within each other': (n) =>
    `${script}<template>\n${lines(n, (i) => `<div v-for="b${i} in a">`)}${'</div>\n'.repeat(n)}</template>\n`,
  'slots of a template within each other': (n) =>
    `${script}<template>\n${lines(n, (i) => `<A #item="{ c${i} }">{{ c${i} }}`)}${'</A>\n'.repeat(n)}</template>\n`,
  'attributes of one tag': (n) =>
    `${script}<template>\n<A\n${lines(n, (i) => `:a${i}="a"`)} />\n</template>\n`,
  'values in one template': (n) =>
    `${script}<template>\n${lines(n, (i) => `{{ a.b${i} }} text`)}</template>\n`,
  'open values of a template': (n) => `${script}<template>\n${'{{ a\n'.repeat(n)}</template>\n`,
  'open tags of a template': (n) => `${script}<template>\n${'<div v-if="a"\n'.repeat(n)}</template>\n`,
  'open elements of a template': (n) => `${script}<template>\n${'<div v-if="a">\n'.repeat(n)}</template>\n`,
  'end tags of a template': (n) => `${script}<template>\n${'</div>\n'.repeat(n)}</template>\n`,
  'end tags that close nothing': (n) =>
    `${script}<template>\n${'<p>\n'.repeat(n)}${'</div>\n'.repeat(n)}</template>\n`,
  'quotes of a template': (n) => `${script}<template><a ${'b="\n'.repeat(n)}</template>\n`,
  'comments of a template': (n) => `${script}<template>\n${'<!-- a -->\n'.repeat(n)}</template>\n`,
  'open comments of a template': (n) => `${script}<template>\n${'<!-- a\n'.repeat(n)}</template>\n`,
  templates: (n) => `${script}${'<template><A>{{ a }}</A></template>\n'.repeat(n)}`,
  'templates within templates': (n) => `${script}${nested(n, '<template>', '</template>', '{{ a }}')}`,
  scripts: (n) => lines(n, (i) => `<script>\nconst a${i} = 1;\n</script>`),
  'open scripts': (n) => '<script>\n'.repeat(n),
  'open blocks': (n) => lines(n, (i) => `<b${i}>`),
  'blocks of one name': (n) => nested(n, '<i18n>', '</i18n>', 'a'),
  'signs of tags': (n) => `${script}<template>\n${'< <\n'.repeat(n)}</template>\n`,
  'options of a component': (n) =>
    `<script>\nexport default {\nmethods: {\n${lines(n, (i) => `m${i}() { this.m${i + 1}(); },`)}},\n};\n</script>\n<template>\n${lines(n, (i) => `<a @go="m${i}">{{ m${i}() }}</a>`)}</template>\n`,
  'registered components': (n) =>
    `<script>\n${lines(n, (i) => `import A${i} from './A${i}.vue';`)}export default { components: {\n${lines(n, (i) => `A${i},`)}} };\n</script>\n<template>\n${lines(n, (i) => `<a${i} />`)}</template>\n`,
  'statements of handlers': (n) =>
    `${script}<template>\n${lines(n, () => '<b @go="if (a) { go(a); } else { a; }" @x="() => { a }"></b>')}</template>\n`,
};

const python = {
  'functions of one name': (n) => lines(n, () => 'def run(): run()'),
  'variables of one name': (n) => lines(n, () => 'value = make(value)'),
  'classes of one name': (n) => lines(n, () => 'class Box:\n  def open(self): self.open(); Box().open()'),
  'methods of one name': (n) => `class Box:\n${lines(n, () => '  def open(self): self.open()')}`,
  'fields of one name': (n) =>
    `class Box:\n${lines(n, (i) => `  def set${i}(self, x): self.all = x; self.all.go()`)}`,
  'parameters of one function': (n) =>
    `def all(\n${lines(n, (i) => `  p${i}: T${i} = d${i},`)}):\n  p1.go()\n`,
  'classes that extend the next': (n) =>
    lines(n, (i) => `class C${i}(C${i + 1}):\n  def go(self): super().go(); self.none()`),
  'classes that extend the one before': (n) =>
    lines(n, (i) => `class C${i + 1}(C${i}):\n  def go(self): super().go(); self.none()`),
  'classes that extend two': (n) =>
    `class C0: pass\nclass C1(C0): pass\n${lines(n, (i) => `class C${i + 2}(C${i + 1}, C${i}):\n  def go(self): self.none()`)}`,
  'bases of one class': (n) => `class All(\n${lines(n, (i) => `  B${i},`)}):\n  def go(self): self.none()\n`,
  'functions that call the next': (n) =>
    `${lines(n, (i) => `def f${i}():\n  return f${i + 1}()`)}f0().go()\n`,
  'functions that are handed on': (n) =>
    `def a(): pass\ndef b(): pass\n${lines(n, (i) => `def g${i}(f):\n  f()\n  g${i + 1}(f)`)}g0(a)\ng0(b)\n`,
  'functions handed to one': (n) => `def each(f): f()\n${lines(n, (i) => `def g${i}(): pass\neach(g${i})`)}`,
  'functions that call all': (n) =>
    `${lines(n, (i) => `def f${i}(g):\n  g(f${(i * 7) % n})\n  return f${(i * 13) % n}(f${(i * 17) % n})`)}`,
  'values of the next': (n) => `${lines(n, (i) => `v${i} = v${i + 1}`)}v0.go()\n`,
  'values of the one before': (n) =>
    `v0 = make()\n${lines(n, (i) => `v${i + 1} = v${i}.next\nv${i + 1}.go()`)}`,
  'locals of one function': (n) => `def all(a):\n${lines(n, (i) => `  v${i} = a.b(v${i - 1}); v${i}.go()`)}`,
  'assignments to one local': (n) =>
    `def all(a):\n${lines(n, (i) => `  if a == ${i}: v = C${i}()\n  v.go()`)}class C0:\n  def go(self): pass\n`,
  'keys of one dictionary': (n) =>
    `all = {\n${lines(n, (i) => `  'k${i}': f${i},`)}}\n${lines(n, (i) => `def f${i}(): all[x]()`)}`,
  'items of one list': (n) =>
    `all = [\n${lines(n, (i) => `  f${i},`)}]\nfor one in all: one()\n${lines(n, (i) => `def f${i}(): pass`)}`,
  'branches of one name': (n) =>
    `if a:\n  def run(): pass\n${lines(n, (i) => `elif a == ${i}:\n  def run(): pass`)}run()\n`,
  branches: (n) => `if a:\n  pass\n${lines(n, (i) => `elif a == ${i}:\n  go(${i})`)}`,
  'cases of one match': (n) => `match a:\n${lines(n, (i) => `  case A(b=${i}, c=d):\n    d.go()`)}`,
  'narrowed types': (n) =>
    `def all(a):\n${lines(n, (i) => `  if isinstance(a, C${i}): a.go()`)}${lines(n, (i) => `class C${i}:\n  def go(self): pass`)}`,
  'returns of one function': (n) =>
    `def all(a):\n${lines(n, (i) => `  if a == ${i}: return C${i}()`)}${lines(n, () => 'all(1).go()')}class C0:\n  def go(self): pass\n`,
  'calls in one chain': (n) => `class A:\n  def m(self): return self\n(A()\n${lines(n, () => '.m()')})\n`,
  'sums in one': (n) => `v = (\n${lines(n, (i) => `a${i} +`)}1)\n`,
  'alternatives in one': (n) => `v = (\n${lines(n, (i) => `a${i} or`)}b)\nv.go()\n`,
  'choices in one': (n) => `v = (\n${lines(n, (i) => `a${i} if b${i} else`)}c)\nv.go()\n`,
  'brackets within brackets': (n) => `v = ${nested(n, '(', ')', '1')}`,
  'lists within lists': (n) => `v = ${nested(n, '[', ']', '1')}`,
  'dictionaries within dictionaries': (n) => `v = ${nested(n, '{1:', '}', '1')}`,
  'calls within calls': (n) => nested(n, 'f(', ')', 'g'),
  'lambdas within lambdas': (n) => `v = ${nested(n, '(lambda a:', ')', '1')}`,
  'comprehensions within comprehensions': (n) => `v = ${nested(n, '[', 'for a in b]', 'a')}`,
  'functions within functions': (n) => nestedBlocks(n, 60, (depth) => `def f${depth}():`),
  'classes within classes': (n) => nestedBlocks(n, 60, (depth) => `class C${depth}:`),
  'blocks within blocks': (n) => nestedBlocks(n, 60, () => 'if a:'),
  'decorators of one function': (n) => `${lines(n, (i) => `@with${i}(a)`)}def f(): pass\n`,
  'decorated functions': (n) => lines(n, (i) => `@app.get("/a${i}")\n@with_it\ndef f${i}(a: A): a.go()`),
  'texts with values': (n) => lines(n, () => 'f"{a.b} {c!r:>{d}} {f(e)}"'),
  'one long text': (n) => `v = """\n${lines(n, () => "a ' ( {")}"""\n`,
  imports: (n) => lines(n, (i) => `from .b${i} import a${i} as c${i}`),
  'imports that are used': (n) => `${lines(n, (i) => `import b${i}`)}${lines(n, (i) => `b${i}.go()`)}`,
  'imports of one name': (n) => `${lines(n, () => 'from .b import a')}${lines(n, () => 'a()')}`,
  'imports of all of itself': (n) => `${lines(n, () => 'from .file import *')}go()\n`,
  'imports of all of others': (n) => `${lines(n, (i) => `from .b${i} import *`)}go()\n`,
  'names of one import': (n) =>
    `from .b import (\n${lines(n, (i) => `  a${i},`)})\n${lines(n, (i) => `a${i}()`)}`,
  'names that the file offers': (n) =>
    `from .b import *\n__all__ = [\n${lines(n, (i) => `  "a${i}",`)}]\n${lines(n, (i) => `def a${i}(): pass`)}`,
  'comments with marks': (n) => lines(n, (i) => `# TODO: ${i}\ndef f${i}(): pass`),
  'open brackets': (n) => `v = ${'(\n'.repeat(n)}`,
  'open texts': (n) => lines(n, () => 'v = "a'),
  'blanks before lines': (n) => lines(n, (i) => `${' '.repeat(i % 40)}a`),
};

const pythonTests = {
  tests: (n) => `${lines(n, (i) => `def test_a${i}(fix${i % 5}): go(${i})`)}def go(a): pass\n`,
  'fixtures of the next': (n) =>
    `import pytest\n${lines(n, (i) => `@pytest.fixture\ndef fix${i}(fix${i + 1}): return fix${i + 1}`)}def test_a(fix0): fix0.go()\n`,
};

const CONFIGURATIONS = [
  ['package.json', 'keys', (n) => `{"dependencies":{\n${lines(n, (i) => `"k${i}":"1",`)}"z":"1"}}`],
  ['package.json', 'keys of one name', (n) => `{"scripts":{\n${lines(n, () => '"k":"1",')}"z":"1"}}`],
  ['package.json', 'objects within objects', (n) => `{"a":${nested(n, '{"a":', '}', '1')}}`],
  ['package.json', 'open objects', (n) => '{"a":\n'.repeat(n)],
  [
    'package.json',
    'names that imports may have',
    (n) => `{"name":"p","exports":{\n${lines(n, (i) => `"./k${i}/*":"./k${i}/*.js",`)}".":"./a.js"}}`,
  ],
  ['package.json', 'workspaces', (n) => `{"workspaces":[\n${lines(n, (i) => `"a${i}/**",`)}"b"]}`],
  [
    'tsconfig.json',
    'paths',
    (n) => `{"compilerOptions":{"paths":{\n${lines(n, (i) => `"a${i}/*":["./*"],`)}"z":["x"]}}}`,
  ],
  ['tsconfig.json', 'comments', (n) => `{\n${lines(n, () => '// a /* " */')}"a":1,}`],
  ['pyproject.toml', 'tables', (n) => lines(n, (i) => `[a${i}]\nb = ${i}`)],
  ['pyproject.toml', 'tables of one name', (n) => lines(n, (i) => `[[a]]\nb = ${i}`)],
  ['pyproject.toml', 'names with dots', (n) => lines(n, (i) => `a.b${i % 7}.c${i} = ${i}`)],
  ['pyproject.toml', 'lists within lists', (n) => `a = ${nested(n, '[', ']', '1')}`],
  [
    'pyproject.toml',
    'dependencies',
    (n) => `[project]\nname = "a"\ndependencies = [\n${lines(n, (i) => `  "k${i}>=1",`)}]\n`,
  ],
  ['.env.example', 'names', (n) => lines(n, (i) => `A${i}=b${i}`)],
  ['.env.example', 'one name', (n) => lines(n, () => 'A=b')],
];

/**
 * All of them: `name` with the file's ending in front, `path` the file's place in its project, `text` the file's text
 * for a size.
 */
export const largeFiles = [
  ...of('src/file.ts', 'ts', typescript),
  ...of('src/file.test.ts', 'ts', tests),
  ...of('src/file.js', 'js', javascript),
  ...of('src/file.tsx', 'tsx', elements),
  ...of('src/file.vue', 'vue', vue),
  ...of('src/file.py', 'py', python),
  ...of('src/test_file.py', 'py', pythonTests),
  ...CONFIGURATIONS.map(([path, name, text]) => ({ name: `${path}: ${name}`, path, text })),
];

function of(path, ending, texts) {
  return Object.entries(texts).map(([name, text]) => ({ name: `${ending}: ${name}`, path, text }));
}
