import { fileId, type LocalForm, localId } from '../../schema/index.js';
import type { Definition, FileFacts, KeyFact, RouteFact, Span, TestFact } from '../../source/index.js';

/** What the id of a definition begins with, by its form. */
const ID_FORM: Readonly<Record<Definition['form'], LocalForm>> = {
  function: 'fn',
  method: 'm',
  class: 'cls',
  variable: 'var',
  type: 'type',
};

const idsOf = new WeakMap<FileFacts, readonly string[]>();

/** The ids of a file's definitions, by index: the same on every machine. Computed once for its facts. */
export function definitionIds(path: string, facts: FileFacts): readonly string[] {
  const known = idsOf.get(facts);
  if (known) return known;
  const ids = facts.definitions.map(({ form, qualname, ordinal }) =>
    localId(ID_FORM[form], path, qualname, ordinal),
  );
  idsOf.set(facts, ids);
  return ids;
}

/** A symbol that is no definition: a test that is a call with a callback, a route, a key of a configuration. */
export type ExtraSymbol = {
  readonly id: string;
  /** The title of a test. */
  readonly name: string;
  /** Its path inside the file, its name last. */
  readonly qualname: string;
  readonly ordinal: number;
} & (
  | { readonly as: 'test'; readonly fact: TestFact }
  | { readonly as: 'route'; readonly fact: RouteFact }
  | { readonly as: 'config'; readonly fact: KeyFact }
);

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
  /** Ids of the routes of each registration; where it has several, what is in its body belongs to the first. */
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
  const ids = definitionIds(path, facts);
  const tests: string[] = [];
  const extras: ExtraSymbol[] = [];
  for (const fact of facts.tests) {
    const { title: name, qualname, ordinal } = fact;
    const id =
      fact.definition === null ? localId('test', path, qualname, ordinal) : (ids[fact.definition] ?? '');
    tests.push(id);
    if (fact.definition === null) extras.push({ as: 'test', id, name, qualname, ordinal, fact });
  }
  const routes = facts.routes.map((fact) =>
    fact.routes.map(({ name, ordinal }) => {
      const id = localId('route', path, name, ordinal);
      extras.push({ as: 'route', id, name, qualname: name, ordinal, fact });
      return id;
    }),
  );
  const keys = facts.keys.map(({ name, ordinal }) => localId('config', path, name, ordinal));
  for (const [index, fact] of facts.keys.entries()) {
    const { name, ordinal } = fact;
    extras.push({ as: 'config', id: keys[index] ?? '', name, qualname: name, ordinal, fact });
  }
  const enclosed = enclosing(facts, ids, bodiesOf(extras));
  const parents = new Map<string, string | null>();
  for (const [index, { parent, span }] of facts.definitions.entries())
    parents.set(ids[index] ?? '', enclosed(parent, startOf(span)));
  const spans = facts.definitions.map(({ span }) => span);
  for (const { as, id, fact } of extras) {
    const start = startOf(fact.span);
    if (as === 'config') parents.set(id, fact.parent === null ? null : (keys[fact.parent] ?? null));
    else if (as === 'route' && fact.body === null) {
      // A decorator stands in what it decorates.
      const [handler = -1] = fact.handlers;
      parents.set(id, parents.get(ids[handler] ?? '') ?? null);
    } else parents.set(id, enclosed(definitionAround(facts, spans, start), start, fact.body));
  }
  return { fileId: fileId(path), ids, extras, tests: new Set(tests), parents, routes, enclosing: enclosed };
}

/** What a test or a route runs, in the order of the starts. */
interface Body {
  readonly id: string;
  readonly span: Span;
}

/** Several routes of one registration have one body. */
function bodiesOf(extras: readonly ExtraSymbol[]): Body[] {
  const bodies = new Map<Span, string>();
  for (const { as, id, fact } of extras)
    if (as !== 'config' && fact.body !== null && !bodies.has(fact.body)) bodies.set(fact.body, id);
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
