import type { ReadContext } from '../../../runtime/index.js';
import { append, SymbolCallsSymbol } from '../../../schema/index.js';
import { ranking } from '../../../search/index.js';
import type { FoundPlaces } from './candidates.js';

/** What the score of the best caller or callee counts, and among how many of the best they are looked for. */
const OF_CALLS = 0.15;
const MOST_CALLING = 100;
/** What it counts to be called by a test that says what the question says, and how many tests are asked. */
const OF_TEST = 0.3;
const MOST_TESTS = 15;

/**
 * Adds what calls tell. What calls or is called by something good is a little better itself. What tests call that have the
 * question's words may be meant without having any: a test tells in English what it is for.
 *
 * @param scores Of what is found; what is found by calls alone is added.
 * @param said What documents get for their words, by id, the best first: of the best 1. Of these the tests are asked.
 */
export async function addCalls(
  { q }: Pick<ReadContext, 'q'>,
  scores: Map<string, number>,
  places: FoundPlaces,
  said: ReadonlyMap<string, number>,
): Promise<void> {
  const calling = ranking(scores).slice(0, MOST_CALLING);
  const tests = [...said.keys()].filter((id) => places.of(id)?.isTest).slice(0, MOST_TESTS);
  const callees = new Map<string, string[]>();
  const callers = [...new Set([...calling, ...tests])];
  for (const { from, to } of callers.length === 0 ? [] : await q(callers).out(SymbolCallsSymbol).edges())
    if (from !== to) append(callees, from, to);

  const inside = new Set(calling);
  const near = new Map<string, number>();
  const tested = new Map<string, number>();
  const note = (to: Map<string, number>, id: string, score: number) =>
    to.set(id, Math.max(to.get(id) ?? 0, score));
  for (const from of calling)
    for (const to of callees.get(from) ?? []) {
      if (!inside.has(to)) continue;
      note(near, from, scores.get(to) ?? 0);
      note(near, to, scores.get(from) ?? 0);
    }
  for (const test of tests) {
    // A test that calls much tells little of each.
    const own = new Set(callees.get(test));
    for (const to of own) {
      const place = places.of(to);
      if (place && !place.isTest && !place.isAside)
        note(tested, to, (said.get(test) ?? 0) / Math.sqrt(own.size));
    }
  }
  const add = (points: ReadonlyMap<string, number>, weight: number) => {
    for (const [id, score] of points) scores.set(id, (scores.get(id) ?? 0) + weight * score);
  };
  add(near, OF_CALLS);
  add(tested, OF_TEST);
}
