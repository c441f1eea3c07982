import { distance } from 'fastest-levenshtein';
import { LIMITS } from '../schema/index.js';
import { CypherError, placed } from './cypher-error.js';
import type { CypherGraph } from './graph.js';
import {
  build,
  CountingGraph,
  collect,
  type Element,
  emptyRow,
  Profile,
  type Row,
  Run,
} from './operators/index.js';
import { type DescribedPlan, describe, type Survey } from './plan/index.js';
import type { PreparedQuery, ReadyPlan } from './prepared.js';
import type { CypherValue } from './value.js';
import { sizeOf } from './values/index.js';
import { Watch } from './watch.js';

/** Letters that may be wrong in a name that is taken for another. */
const MOST_WRONG = 3;

const MOST_HINTS = 10;

/** What a run may be told. */
export interface RunOptions {
  /** What EXPLAIN and PROFILE in front of a query say. What the query itself says where nothing is said. */
  readonly mode?: 'explain' | 'profile';
  /** By name, without `$`. None where nothing is said. */
  readonly parameters?: ReadonlyMap<string, CypherValue>;
  /** Rows that are given back; the rest is only counted. All where nothing is said. */
  readonly limit?: number;
  /** Rows beyond `limit` that are counted at most. `cypherCounted` where nothing is said. */
  readonly counted?: number;
  readonly deadlineMs?: number;
  /** The query's time, where it began before the run: instead of `deadlineMs`, `clock` and `signal`. */
  readonly watch?: Watch;
  /** Bytes, about. */
  readonly memory?: number;
  /** How far patterns without an upper bound go. */
  readonly maxHops?: number;
  /** Milliseconds of a clock that only goes forward; `performance.now` where nothing is said. */
  readonly clock?: () => number;
  /** What `timestamp()` says; `Date.now` where nothing is said. */
  readonly now?: () => number;
  /** What `rand()` says; `Math.random` where nothing is said. */
  readonly random?: () => number;
  readonly signal?: AbortSignal;
}

/** What a query answers. */
export interface CypherResult {
  readonly columns: readonly string[];
  /** Their elements are loaded: labels and properties can be read. */
  readonly rows: readonly (readonly CypherValue[])[];
  /** How many rows there would be without `limit`: exactly, or at least. */
  readonly total: { readonly count: number; readonly isExact: boolean };
  /** What was left out, in words. */
  readonly cuts: readonly string[];
  /** Names that the graph does not have. */
  readonly hints: readonly string[];
  /** For EXPLAIN and PROFILE. */
  readonly plan: DescribedPlan | null;
}

/**
 * Runs a query on one version of a graph.
 * @throws {CypherError} of code `CYPHER_RUNTIME`, `CYPHER_UNSUPPORTED` or `QUERY_TIMEOUT`.
 */
export async function run(
  prepared: PreparedQuery,
  graph: CypherGraph,
  options: RunOptions = {},
): Promise<CypherResult> {
  const watch = options.watch ?? watchOf(options);
  try {
    const ready = await prepared.planFor(graph);
    watch.look();
    if ((options.mode ?? prepared.query.mode) !== 'explain')
      return await answer(prepared, ready, graph, { ...options, watch });
    return {
      columns: ready.planned.columns.map(({ name }) => name),
      rows: [],
      total: { count: 0, isExact: true },
      cuts: [],
      hints: hintsFor(prepared.survey, graph),
      plan: describe(ready.planned.plan, prepared.text),
    };
  } catch (error) {
    throw faultOf(error, prepared.text);
  }
}

async function answer(
  { text, query, survey }: PreparedQuery,
  ready: ReadyPlan,
  graph: CypherGraph,
  options: RunOptions & { readonly watch: Watch },
): Promise<CypherResult> {
  const clock = options.clock ?? (() => performance.now());
  const profile = (options.mode ?? query.mode) === 'profile' ? new Profile(clock) : null;
  const state = new Run(profile === null ? graph : new CountingGraph(graph, profile), {
    parameters: options.parameters ?? new Map(),
    watch: options.watch,
    memoryBytes: options.memory ?? LIMITS.cypherMemory.default,
    maxHops: options.maxHops ?? LIMITS.cypherHops.default,
    random: options.random ?? Math.random,
    now: (options.now ?? Date.now)(),
  });
  const { planned } = ready;
  const open = profile === null ? ready.open : build(planned.plan, profile.watch);
  const slots = planned.columns.map(({ slot }) => slot);
  const { rows, total } = await taken(state, open(state, [emptyRow(planned.width)]), slots, options);
  const elements: Element[] = [];
  for (const row of rows) collect(row, true, elements);
  if (elements.length > 0) await graph.load(elements);
  return {
    columns: planned.columns.map(({ name }) => name),
    rows,
    total,
    cuts: [...state.cuts],
    hints: hintsFor(survey, graph),
    plan: profile === null ? null : describe(planned.plan, text, profile.figures),
  };
}

function watchOf(options: RunOptions): Watch {
  const clock = options.clock ?? (() => performance.now());
  return new Watch({
    clock,
    started: clock(),
    deadlineMs: options.deadlineMs ?? LIMITS.cypherTime.default,
    checkAborted: () => options.signal?.throwIfAborted(),
  });
}

/** The first rows; those behind are counted as far as bounds allow. */
async function taken(
  state: Run,
  batches: AsyncIterable<readonly Row[]>,
  slots: readonly number[],
  { limit = Number.POSITIVE_INFINITY, counted = LIMITS.cypherCounted.max }: RunOptions,
): Promise<Pick<CypherResult, 'rows' | 'total'>> {
  const rows: (readonly CypherValue[])[] = [];
  let count = 0;
  try {
    for await (const batch of batches) {
      for (const row of batch) {
        count++;
        state.spend(1);
        if (rows.length >= limit) continue;
        const values = slots.map((slot) => row[slot] ?? null);
        state.keep(sizeOf(values));
        rows.push(values);
      }
      if (count > limit + counted) return { rows, total: { count: limit + counted, isExact: false } };
    }
  } catch (error) {
    if (count > limit && isLimit(error)) return { rows, total: { count, isExact: false } };
    throw error;
  }
  return { rows, total: { count, isExact: true } };
}

function isLimit(error: unknown): boolean {
  return error instanceof CypherError && error.fault.kind === 'Limit';
}

/** An error that says where in the text it is. What is too large for the machine is a limit as well. */
function faultOf(error: unknown, text: string): unknown {
  if (error instanceof RangeError) {
    return new CypherError('CYPHER_RUNTIME', 'A value of the query is too large, or nested too deep.', {
      fault: { kind: 'Limit', phase: 'runtime', detail: 'Size' },
      span: null,
      suggestion: 'Make smaller lists and texts.',
    });
  }
  if (!(error instanceof CypherError) || error.span === null) return error;
  const message = error.message.replace(/\.$/u, '');
  return placed(error.code, text, error.span, error.fault, message, error.suggestion);
}

/** Says which labels, types and properties of a query the graph does not have, and which ones may have been meant. */
function hintsFor({ labels, types, properties }: Survey, { names }: Pick<CypherGraph, 'names'>): string[] {
  return [
    ...unknown('label', labels, names.labels),
    ...unknown('relationship type', types, names.types),
    ...unknown('property', properties, names.properties),
  ].slice(0, MOST_HINTS);
}

function unknown(what: string, used: ReadonlySet<string>, known: readonly string[]): string[] {
  return [...used]
    .filter((name) => !known.includes(name))
    .map((name) => {
      const meant = nearest(name, known);
      return `there is no ${what} ${name}${meant === null ? '' : `: did you mean ${meant}?`}`;
    });
}

/** The known name that is most like one: of several the first. */
function nearest(name: string, known: readonly string[]): string | null {
  const wanted = name.toLowerCase();
  let best: string | null = null;
  let least = Math.min(MOST_WRONG, Math.floor(name.length / 2)) + 1;
  for (const candidate of known) {
    if (Math.abs(candidate.length - name.length) >= least) continue;
    const wrong = distance(wanted, candidate.toLowerCase());
    if (wrong < least) [best, least] = [candidate, wrong];
  }
  return best;
}
