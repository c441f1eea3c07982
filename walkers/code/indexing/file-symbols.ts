import { fileId, localId } from '../../../schema/index.js';
import type { FileFacts, Span, TestFact } from '../../../source/index.js';
import { definitionIds } from './symbol-node.js';

/** A test that is a call with a callback: a symbol that is no definition. */
export interface TestCase {
  readonly fact: TestFact;
  readonly id: string;
}

/** The symbols of one file: its definitions, its test cases, and what encloses what. */
export interface FileSymbols {
  /** The id of the file's own node. */
  readonly fileId: string;
  /** Ids of the definitions, by index. */
  readonly ids: readonly string[];
  /** In the order of the text. */
  readonly cases: readonly TestCase[];
  /** Ids of all tests, in the order of the text: cases, and definitions that a framework runs. */
  readonly tests: ReadonlySet<string>;
  /** The symbol that directly encloses a symbol, by id; null at the top of the file. */
  readonly parents: ReadonlyMap<string, string | null>;
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
  const cases = facts.tests.flatMap((fact) =>
    fact.definition === null ? [{ fact, id: localId('test', path, fact.qualname, fact.ordinal) }] : [],
  );
  const bodies = cases.map(({ fact }) => fact.body);
  const outer = outerSpans(bodies);
  const enclosing = (from: number | null, place: Place, last = lastBefore(bodies, place)): string | null => {
    const owner = from === null ? null : definitions[from];
    for (let at: number | null = last; at !== null; at = outer[at] ?? null) {
      const body = bodies[at];
      if (!body || !holds(body, place)) continue;
      // A definition inside the callback is nearer than the test.
      if (owner && holds(body, startOf(owner.span))) break;
      return cases[at]?.id ?? null;
    }
    return from === null ? null : (ids[from] ?? null);
  };
  const definitionSpans = definitions.map(({ span }) => span);
  const parents = new Map<string, string | null>();
  for (const [index, { parent, span }] of definitions.entries())
    parents.set(ids[index] ?? '', enclosing(parent, startOf(span)));
  for (const [index, { id, fact }] of cases.entries()) {
    const start = startOf(fact.span);
    const around = definitionAround(facts, definitionSpans, start);
    parents.set(id, enclosing(around, start, outer[index] ?? null));
  }
  const tests = facts.tests.map((fact) =>
    fact.definition === null ? localId('test', path, fact.qualname, fact.ordinal) : ids[fact.definition],
  );
  return {
    fileId: fileId(path),
    ids,
    cases,
    tests: new Set(tests.filter((id) => id !== undefined)),
    parents,
    enclosing: (from, place) => enclosing(from, place),
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

function holds(span: Span, place: Place): boolean {
  return (
    compare(startOf(span), place) <= 0 && compare(place, { line: span.end_line, column: span.end_column }) < 0
  );
}

function compare(a: Place, b: Place): number {
  return a.line - b.line || a.column - b.column;
}
