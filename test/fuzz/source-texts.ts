import { basename, join } from 'node:path';
import type { Node } from 'web-tree-sitter';
import type { SourceParser } from '../../source/index.js';
import { type Random, textsBeneath } from './lib.js';
import { INTRUDERS, mutatedText } from './mutate.js';

export interface SourceText {
  readonly path: string;
  readonly text: string;
}

const ENDINGS = '.ts .tsx .js .jsx .mjs .vue .py .json .toml .env .env.example'.split(' ');
/** Characters of a file that something is nested in; more is for the tests of growth. */
const LONGEST = 20_000;
const NAMES = 'a run Base self this super default __init__ constructor __proto__ toString é _'.split(' ');

/** Small real files of each language: those whose listings the tests keep, and some of our own. */
export function realSources(root: string): SourceText[] {
  return [join(root, 'test/languages'), join(root, 'source/resolution')]
    .flatMap((folder) => textsBeneath(folder, ENDINGS))
    .filter(({ text }) => text.length < 12_000)
    .map(({ path, text }) => ({ path: basename(path), text }));
}

/**
 * A file in which nodes of the syntax are left out, doubled, put in the place of others, into themselves, or renamed; now
 * and then one whose characters are changed, or one that repeats one construct.
 */
export function sourceBy(random: Random, parser: SourceParser, real: readonly SourceText[]): SourceText {
  const { path, text } = random.oneOf(real);
  if (random.oneIn(6)) return { path, text: mutatedText(random, text).slice(0, LONGEST) };
  if (random.oneIn(6)) return hostileBy(random);
  let made = text;
  for (let times = random.between(1, 4); times > 0; times--) {
    const other = random.oneIn(2)
      ? made
      : random.oneOf(real.filter((one) => endingOf(one.path) === endingOf(path))).text;
    made = withNodeChanged(random, parser, { path, text: made }, other);
  }
  return { path, text: made.slice(0, LONGEST * 2) };
}

function endingOf(path: string): string {
  return path.slice(path.indexOf('.'));
}

interface Span {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

function withNodeChanged(
  random: Random,
  parser: SourceParser,
  { path, text }: SourceText,
  other: string,
): string {
  const spans = spansOf(parser, path, text);
  if (spans.length === 0) return mutatedText(random, text);
  const span = random.oneOf(spans);
  const [before, part, after] = [
    text.slice(0, span.start),
    text.slice(span.start, span.end),
    text.slice(span.end),
  ];
  switch (random.below(6)) {
    case 0:
      return before + after;
    case 1: {
      const between = random.oneOf(['\n', ' ', ', ', '']);
      return before + `${part}${between}`.repeat(random.oneOf([2, 5, 50])).slice(0, LONGEST) + after;
    }
    case 2: {
      const alike = spansOf(parser, path, other).filter(({ type }) => type === span.type);
      const found = random.oneOf(alike.length > 0 ? alike : [span]);
      return before + (alike.length > 0 ? other.slice(found.start, found.end) : part) + after;
    }
    case 3: {
      // A node that holds one of its own type takes itself in, again and again.
      const within = spans.filter(
        ({ type, start, end }) => type === span.type && start > span.start && end < span.end,
      );
      const inner = random.oneOf(within.length > 0 ? within : [span]);
      const [head, tail] = [text.slice(span.start, inner.start), text.slice(inner.end, span.end)];
      const depth = random.oneOf([2, 10, 100, 400]);
      if (inner === span || (head.length + tail.length) * depth > LONGEST * 2)
        return before + part + part + after;
      return before + head.repeat(depth) + text.slice(inner.start, inner.end) + tail.repeat(depth) + after;
    }
    case 4: {
      const names = spans.filter(({ type }) => /identifier|name/u.test(type));
      if (names.length === 0) return before + after;
      const { start, end } = random.oneOf(names);
      const other = random.oneOf(names);
      const to = random.oneIn(2) ? random.oneOf(NAMES) : text.slice(other.start, other.end);
      const from = text.slice(start, end);
      return random.oneIn(2) ? text.slice(0, start) + to + text.slice(end) : text.split(from).join(to);
    }
    default:
      return before + random.oneOf(INTRUDERS) + part + after;
  }
}

/** Every named node but the whole; a format without a grammar has its lines. */
function spansOf(parser: SourceParser, path: string, text: string): Span[] {
  const language = parser.languageOf(path);
  if (language === null || language.grammar === null) return linesOf(text);
  const { tree, root } = parser.parse(path, text);
  const spans: Span[] = [];
  const open: Node[] = [root];
  for (let node = open.pop(); node !== undefined && spans.length < 20_000; node = open.pop()) {
    if (node !== root) spans.push({ type: node.type, start: node.startIndex, end: node.endIndex });
    for (const child of node.namedChildren) if (child) open.push(child);
  }
  tree.delete();
  return spans.filter(({ start, end }) => end > start);
}

function linesOf(text: string): Span[] {
  let start = 0;
  return text.split('\n').map((line) => {
    const span = { type: 'line', start, end: start + line.length };
    start += line.length + 1;
    return span;
  });
}

/** One construct many times: side by side, in a chain or in itself. */
const CONSTRUCTS: readonly (readonly [path: string, make: (at: number) => string])[] = [
  ['a.ts', (at) => `function same(x: number) { return same(${at}); }\n`],
  ['a.ts', (at) => `class C${at} extends C${at - 1} { run() { return super.run(); } }\n`],
  ['a.ts', (at) => `interface I${at} extends I${at - 1}, I${at + 1} { a: I${at}['a'] }\n`],
  ['a.ts', (at) => `export { a${at} as a${at + 1} } from './a';\n`],
  ['a.ts', (at) => `type T${at} = T${at - 1} | { [K in keyof T${at + 1}]: T${at} };\n`],
  ['a.ts', (at) => `const v${at} = v${at - 1}.map((x) => v${at + 1}(x)).b?.c;\n`],
  ['a.ts', (at) => `namespace N { export namespace M${at} { export const x = N.M${at - 1}.x; } }\n`],
  ['a.ts', (at) => `import { x${at} } from './a'; import * as y${at} from './a';\n`],
  ['a.ts', (at) => `let z = z${at % 2 ? ' as any' : '!'}; z = { ...z, z };\n`],
  ['a.tsx', (at) => `const K${at} = () => <K${at - 1} a={() => <K${at + 1} />}>{K${at}}</K${at - 1}>;\n`],
  ['a.js', (at) => `exports.f${at} = module.exports.f${at - 1}; Object.assign(exports, { g: exports });\n`],
  [
    'a.vue',
    (at) =>
      at === 0
        ? '<script setup>\nconst x = 1;\n</script>\n<template>'
        : `<x :a="x${at}" v-for="x in x" @b="x(${at})">`,
  ],
  [
    'a.py',
    (at) => `class C${at}(C${at - 1}, C${at + 1}):\n    def run(self):\n        return super().run()\n`,
  ],
  ['a.py', () => `def same(x=same):\n    return same(x)(x)(x)\n`],
  ['a.py', (at) => `from .a import *\nfrom .a import x${at} as x${at + 1}\n`],
  ['a.py', () => `x = x if x else x\nx = {**x, 'a': x}\nx, *x = x\n`],
  ['a.py', (at) => `${' '.repeat(Math.min(at, 90))}if x:\n`],
  ['a.py', (at) => `@same\n@property\ndef p${at}(self): return self.p${at - 1}\n`],
  ['package.json', (at) => (at === 0 ? '{"scripts": ' : `{"a${at}": `)],
  ['package.json', () => '['],
  ['pyproject.toml', (at) => `[a${'.b'.repeat(at % 200)}]\nc${at} = [{d = 1}, [[]]]\n`],
  ['.env.example', (at) => `A${at}=\${A${at - 1}}"'\n`],
];

function hostileBy(random: Random): SourceText {
  const [path, make] = random.oneOf(CONSTRUCTS);
  const count = random.oneOf([1, 2, 10, 100, 400]);
  return { path, text: Array.from({ length: count }, (_, at) => make(at)).join('') };
}
