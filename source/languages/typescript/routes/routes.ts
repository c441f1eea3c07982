import type { RouteFact } from '../../../facts.js';
import { signatureLine } from '../../signature-line.js';
import { isInTestFolder } from '../../test-folder.js';
import type { Findings, FoundUse } from '../findings.js';
import { calleeOf, unwrapped } from '../literals.js';
import { folded, type SyntaxNode } from '../syntax.js';
import { isTestFile } from '../test-files.js';
import { argumentsOf, joined, Routers } from './routers.js';
import { saidBy, type WrittenPath } from './said.js';

/** Whether a text names a framework at all: nearly none does, and it costs the least to ask. */
const NAMED = /express|hono|fastify/i;

/**
 * The routes that a file registers with Express, Hono or Fastify, in the order of the text. What is a router is told by
 * what the file imports, makes and types, never by a method's name alone. A test's own application is part of the test.
 *
 * @param numbers Final numbers of the definitions, by those in `found`.
 */
export function routesOf(path: string, found: Findings, numbers: readonly number[]): RouteFact[] {
  if (!NAMED.test(found.source.text) || isTestFile(path) || isInTestFolder(path)) return [];
  const routers = new Routers(found);
  const inTest = within(found.tests.map(({ node }) => node));
  const registered = found.uses.flatMap((use) => {
    const one = use.kind === 'call' && !inTest(use.offset) ? registrationOf(use, routers) : null;
    return one === null ? [] : [one];
  });
  const ordinals = new Map<string, number>();
  const numbered = (name: string) => {
    const ordinal = (ordinals.get(name) ?? 0) + 1;
    ordinals.set(name, ordinal);
    return { name, ordinal };
  };
  return registered
    .sort((a, b) => a.start - b.start)
    .map(({ names, start, end, head, run: [first, last], handlers, named }) => ({
      routes: names.map(numbered),
      signature: signatureLine(folded(`${found.source.text.slice(start, head)})`, 300), false),
      span: found.source.span(start, end),
      body: found.source.span(first.start, last.end),
      handlers: handlers.flatMap((node) => numbers[found.defined.get(node) ?? -1] ?? []),
      named: named.map((node) => found.source.span(node.start, node.end)),
    }));
}

/** Whether an offset is in one of some nodes, which stand apart or in each other. */
function within(nodes: readonly SyntaxNode[]): (offset: number) => boolean {
  const starts: number[] = [];
  const ends: number[] = [];
  for (const { start, end } of [...nodes].sort((a, b) => a.start - b.start)) {
    starts.push(start);
    ends.push(Math.max(end, ends.at(-1) ?? 0));
  }
  return (offset) => {
    let [low, high] = [0, starts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle + 1;
      else high = middle;
    }
    return offset < (ends[low - 1] ?? 0);
  };
}

interface Registration {
  readonly names: readonly string[];
  readonly start: number;
  readonly end: number;
  /** Where the path ends. */
  readonly head: number;
  /** The first and the last argument of those that say what is run. */
  readonly run: readonly [first: SyntaxNode, last: SyntaxNode];
  readonly handlers: readonly SyntaxNode[];
  readonly named: readonly SyntaxNode[];
}

function registrationOf({ name, node, offset, scope }: FoundUse, routers: Routers): Registration | null {
  const callee = calleeOf(node);
  const member = callee && unwrapped(callee);
  if (member?.type !== 'member_expression' || member.first === null) return null;
  const router = routers.at(member.first, scope);
  const said = router && saidBy(name, router, argumentsOf(node), (one) => routers.at(one, scope));
  const [first, last] = [said?.run[0], said?.run.at(-1)];
  if (!router || !said || !first || !last) return null;
  const prefix = routers.prefixOf(router);
  const paths = said.paths.map((one) => fullPath(prefix, one));
  const names = said.methods
    .slice(0, MOST_METHODS)
    .flatMap((method) => paths.slice(0, MOST_PATHS).map((path) => `${method} ${path}`));
  const start = CALLS.has(unwrapped(member.first).type) ? offset : node.start;
  return {
    names: [...new Set(names)],
    start,
    end: node.end,
    head: said.head ?? offset + name.length + 1,
    run: [first, last],
    handlers: said.handlers,
    named: said.named,
  };
}

/** What a registration is chained to, and no part of. */
const CALLS = new Set(['call_expression', 'new_expression', 'await_expression']);

/** One registration is told to be of as many routes: each method with each path. */
const MOST_METHODS = 40;
const MOST_PATHS = 64;

/** The most characters of a path. */
const LONGEST_PATH = 200;

function fullPath(prefix: string, { text, isOpen }: WrittenPath): string {
  const path = isOpen ? text : joined(prefix, text);
  return folded(path === '' ? '/' : path, LONGEST_PATH);
}
