import { fileId, localId } from '../../schema/index.js';
import type { FileFacts, KeyFact, RouteFact, RouteName, Span, TestFact } from '../../source/index.js';
import { definitionIds } from './symbol-node.js';

/** A symbol that is no definition: a test that is a call with a callback, a route, a key of a configuration. */
export type ExtraSymbol =
  | { readonly as: 'test'; readonly id: string; readonly fact: TestFact }
  | { readonly as: 'route'; readonly id: string; readonly fact: RouteFact; readonly route: RouteName }
  | { readonly as: 'key'; readonly id: string; readonly fact: KeyFact };

/** The symbols of one file: its definitions, its test cases, routes and keys, and what encloses what. */
export interface FileSymbols {
  /** The id of the file's own node. */
  readonly fileId: string;
  /** Ids of the definitions, by index. */
  readonly ids: readonly string[];
  /** Of each kind in the order of the text. */
  readonly extras: readonly ExtraSymbol[];
  /** Ids of all tests, in the order of the text: cases, and definitions that a framework runs. */
  readonly tests: ReadonlySet<string>;
  /** The symbol that directly encloses a symbol, by id; null at the top of the file. */
  readonly parents: ReadonlyMap<string, string | null>;
  /** Ids of the routes of each registration; where it has several, what is in its body is said of the first. */
  readonly routes: readonly (readonly string[])[];
  /**
   * The innermost symbol at a place, null at module level.
   *
   * @param from The innermost definition there, by index.
   */
  enclosing(from: number | null, place: Place): string | null;
}

/** A place in a text: line from 1, column from 0. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** The symbols of a file's facts. */
export function fileSymbols(path: string, facts: FileFacts): FileSymbols {
  const { definitions } = facts;
  const ids = definitionIds(path, facts);
  const extras = extraSymbols(path, facts);
  const enclosed = enclosing(facts, ids, bodiesOf(extras));
  const parents = new Map<string, string | null>();
  for (const [index, { parent, span }] of definitions.entries())
    parents.set(ids[index] ?? '', enclosed(parent, startOf(span)));
  const definitionSpans = definitions.map(({ span }) => span);
  for (const one of extras) {
    const start = startOf(one.fact.span);
    if (one.as === 'key') parents.set(one.id, parentKey(path, facts, one.fact));
    else if (one.as === 'route' && one.fact.body === null) {
      // A decorator stands in what it decorates.
      const [handler = -1] = one.fact.handlers;
      parents.set(one.id, parents.get(ids[handler] ?? '') ?? null);
    } else
      parents.set(one.id, enclosed(definitionAround(facts, definitionSpans, start), start, one.fact.body));
  }
  const tests = facts.tests.map((fact) =>
    fact.definition === null ? testId(path, fact) : ids[fact.definition],
  );
  return {
    fileId: fileId(path),
    ids,
    extras,
    tests: new Set(tests.filter((id) => id !== undefined)),
    parents,
    routes: facts.routes.map(({ routes }) => routes.map((route) => routeId(path, route))),
    enclosing: (from, place) => enclosed(from, place),
  };
}

function extraSymbols(path: string, { tests, routes, keys }: FileFacts): ExtraSymbol[] {
  return [
    ...tests.flatMap((fact): ExtraSymbol[] =>
      fact.definition === null ? [{ as: 'test', id: testId(path, fact), fact }] : [],
    ),
    ...routes.flatMap((fact) =>
      fact.routes.map((route): ExtraSymbol => ({ as: 'route', id: routeId(path, route), fact, route })),
    ),
    ...keys.map((fact): ExtraSymbol => ({ as: 'key', id: keyId(path, fact), fact })),
  ];
}

function testId(path: string, { qualname, ordinal }: TestFact): string {
  return localId('test', path, qualname, ordinal);
}

function routeId(path: string, { name, ordinal }: RouteName): string {
  return localId('route', path, name, ordinal);
}

function keyId(path: string, { name, ordinal }: KeyFact): string {
  return localId('config', path, name, ordinal);
}

function parentKey(path: string, { keys }: FileFacts, { parent }: KeyFact): string | null {
  const key = parent === null ? undefined : keys[parent];
  return key ? keyId(path, key) : null;
}

/** Where what a test or a route runs is written. */
interface Body {
  readonly id: string;
  readonly span: Span;
}

/** The bodies in the order of their starts; several routes of one registration have one. */
function bodiesOf(extras: readonly ExtraSymbol[]): Body[] {
  const bodies = new Map<Span, string>();
  for (const one of extras)
    if (one.as !== 'key' && one.fact.body !== null && !bodies.has(one.fact.body))
      bodies.set(one.fact.body, one.id);
  return [...bodies]
    .map(([span, id]) => ({ id, span }))
    .sort((a, b) => compare(startOf(a.span), startOf(b.span)));
}

/**
 * The innermost symbol at a place.
 *
 * @param from The innermost definition there, by index.
 * @param inside A body that does not count, nor what is in it.
 */
type Enclosing = (from: number | null, place: Place, inside?: Span | null) => string | null;

function enclosing({ definitions }: FileFacts, ids: readonly string[], bodies: readonly Body[]): Enclosing {
  const spans = bodies.map(({ span }) => span);
  const outer = outerSpans(spans);
  const places = new Map(spans.map((span, index) => [span, index]));
  return (from, place, inside) => {
    const owner = from === null ? null : definitions[from];
    const last = inside ? (outer[places.get(inside) ?? -1] ?? null) : lastBefore(spans, place);
    for (let at = last; at !== null; at = outer[at] ?? null) {
      const body = bodies[at];
      if (!body || !holds(body.span, place)) continue;
      // A definition inside the callback is nearer than the test.
      if (owner && holds(body.span, startOf(owner.span))) break;
      return body.id;
    }
    return from === null ? null : (ids[from] ?? null);
  };
}

/** The innermost definition around a place. Definitions nest and are in the order of the text. */
function definitionAround({ definitions }: FileFacts, spans: readonly Span[], place: Place): number | null {
  let at = lastBefore(spans, place);
  for (; at !== null; at = definitions[at]?.parent ?? null) {
    const span = spans[at];
    if (span && holds(span, place)) return at;
  }
  return null;
}

/** Of each span the innermost one around it, by index. They nest and are in the order of their starts. */
function outerSpans(spans: readonly Span[]): (number | null)[] {
  const open: number[] = [];
  return spans.map((span, index) => {
    for (let at = open.at(-1); at !== undefined; at = open.at(-1)) {
      const around = spans[at];
      if (around && holds(around, startOf(span))) break;
      open.pop();
    }
    const outer = open.at(-1) ?? null;
    open.push(index);
    return outer;
  });
}

/** The last span that starts at or before a place, by index. */
function lastBefore(spans: readonly Span[], place: Place): number | null {
  let [low, high] = [0, spans.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const span = spans[middle];
    if (span && compare(startOf(span), place) <= 0) low = middle + 1;
    else high = middle;
  }
  return low === 0 ? null : low - 1;
}

function startOf({ start_line, start_column }: Span): Place {
  return { line: start_line, column: start_column };
}

/** Whether a place is in a span. */
export function holds(span: Span, place: Place): boolean {
  return (
    compare(startOf(span), place) <= 0 && compare(place, { line: span.end_line, column: span.end_column }) < 0
  );
}

function compare(a: Place, b: Place): number {
  return a.line - b.line || a.column - b.column;
}
