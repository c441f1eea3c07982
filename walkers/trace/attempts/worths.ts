import { rarity } from '../../../search/index.js';
import type { FailedRun } from './failed-run.js';
import type { Worths } from './run-likeness.js';
import type { AttemptShelf } from './stored/attempt-shelf.js';
import { reasonThing, testThing, thingsOf } from './stored/failed-things.js';

/**
 * How much the tests, reasons and words of some runs tell: the fewer of the attempts that failed have a test or a
 * reason, and the fewer passages of failing outputs a word, the more.
 */
export async function worthsOf(
  { failed, failures }: Pick<AttemptShelf, 'failed' | 'failures'>,
  runs: readonly FailedRun[],
): Promise<Worths> {
  const [attempts, passages] = [await failed.size(), await failures.size()];
  const things = await failed.frequencies(thingsOf(runs));
  const words = await failures.frequencies(runs.flatMap((run) => [...run.words]));
  const thing = (word: string) => rarity(attempts, Math.min(attempts, things.get(word) ?? 0));
  return {
    test: (name) => thing(testThing(name)),
    reason: (reason) => thing(reasonThing(reason)),
    word: (word) => rarity(passages, words.get(word) ?? 0),
  };
}
