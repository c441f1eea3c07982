import type { ReadContext, Slot } from '../../../runtime/index.js';
import { append, SymbolCallsSymbol } from '../../../schema/index.js';
import { ranking } from '../../../search/index.js';
import type { FoundPlaces } from './found-place.js';

/** What the score of the best caller or callee counts, and among how many of the best they are looked for. */
const OF_CALLS = 0.15;
const MOST_CALLING = 100;
/** What it counts to be called by one of the best of the code, whatever its own words are, and by how many of them. */
const OF_CALLER = 0.1;
const MOST_CALLERS = 20;
/** What it counts to be called by a test that says what the question says, and how many tests are asked. */
const OF_TEST = 0.3;
const MOST_TESTS = 15;

/** Symbols of which it is kept what they call: some 100 bytes for each callee. */
const MOST_KEPT = 10_000;

/** A name that says that it is only for who defines it: such helpers do not come before what calls them. */
const PRIVATE = /^(?:_(?!_)|#)/u;

const NONE: readonly string[] = [];

/** What symbols of one version of the code call: of the best hits of one search many are among those of the next. */
class KnownCallees {
  #revision: number | null = null;
  #known = new Map<string, readonly string[]>();

  /** Ids of what each of some symbols calls, by the caller's. */
  async of(
    { q, codeRevision }: Pick<ReadContext, 'q' | 'codeRevision'>,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, readonly string[]>> {
    if (codeRevision === null || codeRevision !== this.#revision || this.#known.size > MOST_KEPT)
      this.#known = new Map();
    this.#revision = codeRevision;
    const known = this.#known;
    const missing = ids.filter((id) => !known.has(id));
    if (missing.length === 0) return known;
    const read = new Map<string, string[]>();
    for (const { from, to } of await q(missing).out(SymbolCallsSymbol).edges()) append(read, from, to);
    for (const id of missing) known.set(id, read.get(id) ?? NONE);
    return known;
  }
}

/** Where a graph keeps them. */
const CALLEES: Slot<KnownCallees> = { name: 'what symbols call', make: () => new KnownCallees() };

/**
 * Adds what calls tell. What calls or is called by something good is a little better itself. What the best code calls, and
 * what tests call that have the question's words, may be meant without having any: a test tells in English what it is for.
 *
 * @param scores Of what is found; what is found by calls alone is added.
 * @param said What documents get for their words, by id, the best first: of the best 1. Of these the tests are asked.
 */
export async function addCalls(
  context: Pick<ReadContext, 'q' | 'kept' | 'codeRevision'>,
  scores: Map<string, number>,
  places: FoundPlaces,
  said: ReadonlyMap<string, number>,
): Promise<void> {
  const best = ranking(scores);
  const calling = best.slice(0, MOST_CALLING);
  const isCode = (id: string) => places.of(id)?.isTest === false && places.of(id)?.isAside === false;
  const tests = [...said.keys()].filter((id) => places.of(id)?.isTest).slice(0, MOST_TESTS);
  const callers = best.filter(isCode).slice(0, MOST_CALLERS);
  const callees = await context.kept(CALLEES).of(context, [...new Set([...calling, ...tests, ...callers])]);

  const more = new Map<string, number>();
  const add = (points: ReadonlyMap<string, number>, weight: number) => {
    for (const [id, score] of points) more.set(id, (more.get(id) ?? 0) + weight * score);
  };
  const inside = new Set(calling);
  const near = new Map<string, number>();
  const note = (to: Map<string, number>, id: string, score: number) =>
    to.set(id, Math.max(to.get(id) ?? 0, score));
  for (const from of calling)
    for (const to of callees.get(from) ?? []) {
      if (from === to || !inside.has(to)) continue;
      note(near, from, scores.get(to) ?? 0);
      note(near, to, scores.get(from) ?? 0);
    }
  add(near, OF_CALLS);
  const isHelper = (id: string) => PRIVATE.test(places.of(id)?.name ?? '');
  /** What some callers tell of what they call of others: one that calls much tells little of each. */
  const called = (ids: readonly string[], scoreOf: ReadonlyMap<string, number>) => {
    const points = new Map<string, number>();
    for (const from of ids) {
      const own = new Set(callees.get(from));
      for (const to of own)
        if (from !== to && isCode(to) && !isHelper(to))
          note(points, to, (scoreOf.get(from) ?? 0) / Math.sqrt(own.size));
    }
    return points;
  };
  add(called(tests, said), OF_TEST);
  add(called(callers, scores), OF_CALLER);
  for (const [id, points] of more) scores.set(id, (scores.get(id) ?? 0) + points);
}
