// Projects that grow in one shape over many files: each asks whether resolving its names costs much more than its
// length. A size is about the number of edges between files, so that a mesh of `size` edges has its root of files.

/** Files of a number from 0 on, by what `text` makes of the number and of how many there are. */
function numbered(count, ending, text, folder = 'src') {
  return Object.fromEntries(
    Array.from({ length: count }, (_, at) => [`${folder}/f${at}.${ending}`, `${text(at, count)}\n`]),
  );
}

/** Which files each of `count` files names; `files` says how many there are for a number of edges. */
const SHAPES = {
  mesh: {
    files: (edges) => Math.max(3, Math.round(Math.sqrt(edges))),
    next: (at, count) => others(count).filter((one) => one !== at),
  },
  ring: { files: (edges) => edges, next: (at, count) => [(at + 1) % count] },
  chain: { files: (edges) => edges, next: (at, count) => (at + 1 < count ? [at + 1] : []) },
  star: { files: (edges) => edges, next: (at, count) => (at === 0 ? others(count).slice(1) : []) },
  'star both ways': {
    files: (edges) => Math.ceil(edges / 2),
    next: (at, count) => (at === 0 ? others(count).slice(1) : [0]),
  },
  ladder: {
    files: (edges) => Math.ceil(edges / 2),
    next: (at, count) => {
      const below = at - (at % 2) + 2;
      return [below, below + 1].filter((one) => one < count);
    },
  },
  'ladder in a ring': {
    files: (edges) => 2 * Math.ceil(edges / 4),
    next: (at, count) => [0, 1].map((side) => (at - (at % 2) + 2 + side) % count),
  },
};

function others(count) {
  return Array.from({ length: count }, (_, at) => at);
}

/** How files of a language pass on all that others offer, have a name of their own, and use names of another. */
const LANGUAGES = {
  ts: {
    all: (to) => `export * from './f${to}';`,
    own: (name) => `export function ${name}() { return 1; }`,
    use: (from, names) =>
      `import { ${names.map((name) => `${name} as ${name}Used`).join(', ')} } from './f${from}';\n${names.map((name) => `${name}Used();`).join('\n')}`,
  },
  js: {
    all: (to) => `export * from './f${to}.js';`,
    own: (name) => `export const ${name} = () => 1;`,
    use: (from, names) =>
      `import * as all from './f${from}.js';\n${names.map((name) => `all.${name}();`).join('\n')}`,
  },
  py: {
    all: (to) => `from .f${to} import *`,
    own: (name) => `def ${name}(): return 1`,
    use: (from, names) =>
      `from .f${from} import ${names.map((name) => `${name} as ${name}_used`).join(', ')}\n${names.map((name) => `${name}_used()`).join('\n')}`,
  },
};

/** Every shape of files that pass on all of each other, with names that are in none, one or all of them. */
function passingAllOn() {
  const found = {};
  for (const [ending, { all, own, use }] of Object.entries(LANGUAGES))
    for (const [shape, { files, next }] of Object.entries(SHAPES))
      found[`${ending}: all of each other, ${shape}`] = (edges) => {
        const count = files(edges);
        return {
          ...numbered(count, ending, (at) =>
            [
              ...next(at, count).map(all),
              own('inAll'),
              own(`only${at}`),
              at === count - 1 ? own('inOne') : '',
              use((at + 1) % count, ['inNone', 'inOne', 'inAll', `only${(at * 7) % count}`]),
            ].join('\n'),
          ),
          'src/__init__.py': '',
        };
      };
  return found;
}

/** One declaration a file that names one or two in the next files: in a chain, a circle or a ladder. */
const DECLARATIONS = {
  'ts: classes': (at, to) =>
    `${imports(to, 'C')}export class C${at} ${to.length > 0 ? `extends C${to[0]}` : ''} { go() { this.none(); } }`,
  'ts: interfaces': (at, to) =>
    `${imports(to, 'I')}export interface I${at} ${to.length > 0 ? `extends ${to.map((one) => `I${one}`)}` : ''} { m${at}(): void }\ndeclare const v: I${at};\nv.none();`,
  'ts: classes of interfaces': (at, to) =>
    `${imports(to, 'I')}export interface I${at} ${to.length > 0 ? `extends ${to.map((one) => `I${one}`)}` : ''} { go(): void }\nexport class C${at} implements I${at} { go() {} }`,
  'ts: mixins': (at, to) =>
    `${imports(to, 'M')}export const M${at} = (B) => class extends ${to[0] === undefined ? 'B' : `M${to[0]}(B)`} { go() { super.go(); } };\nnew (M${at}(Object))().none();`,
  'ts: aliases': (at, to) =>
    `${imports(to, 'T')}export type T${at} = ${to.map((one) => `T${one}`).join(' | ') || '{ a: 1 }'};\ndeclare const v: T${at};\nv.none();`,
  'ts: constants': (at, to) =>
    `${imports(to, 'v')}export const v${at} = ${to.map((one) => `v${one}`).join(' ?? ') || '{ a() {} }'};\nv${at}.a();`,
  'ts: objects that spread': (at, to) =>
    `${imports(to, 'o')}export const o${at} = { ${to.map((one) => `...o${one}, `).join('')}k${at}() {} };\no${at}.none();`,
  'ts: functions': (at, to) =>
    `${imports(to, 'g')}export function g${at}() { return ${to.map((one) => `g${one}()`).join(' ?? ') || '{ a() {} }'}; }\ng${at}().a();`,
  'ts: re-exports of one name': (_at, to) =>
    to.length > 0 ? `export { name } from './f${to[0]}';` : 'export function name() {}',
  'ts: re-exports of own names': (at, to) =>
    `${to.map((one) => `export { n${one} as n${at} } from './f${one}';`).join('\n') || `export const n${at} = 1;`}\nimport { n${at} as used } from './f${at}';\nused();`,
  'ts: re-exports of defaults': (_at, to) =>
    to.length > 0 ? `export { default } from './f${to[0]}';` : 'export default function () {}',
  'ts: imports that are exported': (at, to) =>
    `${imports(to, 'n')}${to.map((one) => `export { n${one} as n${at} };`)[0] ?? `export const n${at} = 1;`}`,
  'ts: namespaces': (at, to) =>
    `${to.map((one) => `export * as n${one} from './f${one}';`).join('\n')}\nimport * as self from './f${at}';\nself${path(to, 30)}.go();\nexport function go() {}`,
  'ts: type namespaces': (at, to) =>
    `${imports(to, 'N')}export namespace N${at} { ${to.map((one) => `export import I${one} = N${one};`).join(' ')} export const go = 1; }`,
  'js: modules that are the next': (at, to) =>
    `${to.length > 0 ? `module.exports = require('./f${to[0]}');` : 'module.exports = { go() {} };'}\nrequire('./f${at}').go();`,
  'js: modules that spread': (at, to) =>
    `module.exports = { ${to.map((one) => `...require('./f${one}'), `).join('')}k${at}() {} };\nrequire('./f${at}').none();`,
  'js: prototypes': (at, to) =>
    `${to.map((one) => `const C${one} = require('./f${one}');`).join('\n')}\nfunction C${at}() {}\n${to.length > 0 ? `C${at}.prototype = Object.create(C${to[0]}.prototype);` : ''}\nC${at}.prototype.go = function () { this.none(); };\nmodule.exports = C${at};`,
  'py: classes': (at, to) =>
    `${fromAll(to, 'C')}class C${at}(${to.map((one) => `C${one}`).join(', ')}):\n  def go(self): self.none()`,
  'py: names of the next': (at, to) =>
    `${fromAll(to, 'v')}v${at} = ${to.map((one) => `v${one}`).join(' or ') || 'make()'}\nv${at}.go()`,
  'py: one name': (_at, to) => (to.length > 0 ? `from .f${to[0]} import name\nname()` : 'def name(): pass'),
  'py: functions': (at, to) =>
    `${fromAll(to, 'g')}def g${at}(a): return ${to.map((one) => `g${one}(a)`).join(' or ') || 'a'}\ng${at}(g${at})`,
  'py: modules': (_at, to) =>
    `${to.map((one) => `from . import f${one}`).join('\n')}\ndef go(): pass\n${to.length > 0 ? `f${to[0]}${path(to.slice(0, 1), 30, 'f')}.go()` : ''}`,
  'py: lists of names': (at, to) =>
    `${to.map((one) => `from .f${one} import *\nfrom . import f${one}`).join('\n')}\n__all__ = ['n${at}'${to.map((one) => `, *f${one}.__all__, 'n${one}'`).join('')}]\nn${at} = 1`,
  'vue: components': (_at, to) =>
    `<script setup>\n${to.map((one) => `import C${one} from './f${one}.vue';`).join('\n')}\n</script>\n<template><div>${to.map((one) => `<C${one} />`).join('')}</div></template>`,
};

function imports(to, prefix) {
  return to.map((one) => `import { ${prefix}${one} } from './f${one}';\n`).join('');
}

function fromAll(to, prefix) {
  return to.map((one) => `from .f${one} import ${prefix}${one}\n`).join('');
}

function path(to, length, prefix = 'n') {
  return to.length === 0 ? '' : Array.from({ length }, (_, at) => `.${prefix}${to[0] + at}`).join('');
}

function declaring() {
  const found = {};
  for (const [name, text] of Object.entries(DECLARATIONS))
    for (const shape of ['ring', 'chain', 'ladder'])
      found[`${name}, ${shape}`] = (edges) => {
        const { files, next } = SHAPES[shape];
        const count = files(edges);
        const ending = name.slice(0, name.indexOf(':'));
        return { ...numbered(count, ending, (at) => text(at, next(at, count))), 'src/__init__.py': '' };
      };
  return found;
}

/** Projects whose settings and places grow. */
const PLACES = {
  'ts: settings that extend the next': (n) => ({
    ...Object.fromEntries(
      others(n).map((at) => [`c${at}/tsconfig.json`, `{ "extends": "../c${(at + 1) % n}/tsconfig.json" }`]),
    ),
    ...Object.fromEntries(others(n).map((at) => [`c${at}/a.ts`, `import { x } from '@a/b${at}';\nx();\n`])),
  }),
  'ts: packages of one workspace': (n) => ({
    'package.json': '{ "name": "all", "workspaces": ["packages/*"] }',
    ...Object.fromEntries(
      others(n).flatMap((at) => [
        [`packages/p${at}/package.json`, `{ "name": "@all/p${at}", "main": "index.ts" }`],
        [
          `packages/p${at}/index.ts`,
          `import { x${(at + 1) % n} } from '@all/p${(at + 1) % n}';\nexport const x${at} = () => x${(at + 1) % n}();\n`,
        ],
      ]),
    ),
  }),
  'ts: one helper of many files': (n) => ({
    'src/helper.ts': 'export function help() {}\nexport class Help { go() {} }\n',
    ...numbered(
      n,
      'ts',
      (at) => `import { help, Help } from './helper';\nexport function u${at}() { help(); new Help().go(); }`,
    ),
  }),
  'ts: methods of one name in many files': (n) =>
    numbered(n, 'ts', (at) => `export class C${at} { run() {} }\nexport function u${at}(x) { x.run(); }`),
  'ts: tests of one helper': (n) => ({
    'src/helper.ts': 'export function help() {}\n',
    ...numbered(
      n,
      'test.ts',
      (at) => `import { help } from './helper';\nit('helps ${at}', () => { help(); });`,
    ),
  }),
  'ts: folders within folders': (n) =>
    Object.fromEntries(
      others(Math.ceil(n / 20)).flatMap((at) =>
        others(20).map((deep) => [
          `${`d${at}/`}${'d/'.repeat(deep)}a.ts`,
          `import { x } from '../a';\nx();\nexport { x };\n`,
        ]),
      ),
    ),
  'py: packages within packages': (n) =>
    Object.fromEntries(
      others(Math.ceil(n / 20)).flatMap((at) =>
        others(20).map((deep) => [
          `p${at}/${'d/'.repeat(deep)}__init__.py`,
          'from .d import *\nfrom .d import x\nx()\n',
        ]),
      ),
    ),
  'py: values handed on through files': (n) => ({
    ...numbered(
      n,
      'py',
      (at) =>
        `from .f${(at + 1) % n} import g${(at + 1) % n}\ndef g${at}(f):\n  f()\n  g${(at + 1) % n}(f)\ndef own(): pass\ng${at}(own)`,
    ),
    'src/__init__.py': '',
  }),
};

/** All of them: `files` makes the texts of a project by their paths, for about so many edges between them. */
export const largeProjects = Object.entries({ ...passingAllOn(), ...declaring(), ...PLACES }).map(
  ([name, files]) => ({ name, files }),
);
