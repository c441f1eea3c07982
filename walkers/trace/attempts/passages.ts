import type { FoundDocument, WordQuery } from '../../../search/index.js';
import type { AttemptShelf } from './stored/attempt-shelf.js';
import { passageId, passageOf } from './stored/indexes.js';

/** Passages of failing outputs that are looked at: an attempt may have many. */
const MOST_FOUND = 300;

/** Of each attempt the passage of its failing outputs that is most like a question, and how much, from 0 to 1. */
export type Passages = ReadonlyMap<string, { readonly part: number; readonly score: number }>;

/** The attempts with the passages that are most like some words. */
export async function passagesLike({ failures }: AttemptShelf, words: WordQuery): Promise<Passages> {
  return bestOf(await failures.search(words, { limit: MOST_FOUND }));
}

/** The same for attempts that are named; those without such a passage are left out. */
export async function passagesOfAttempts(
  shelf: AttemptShelf,
  words: WordQuery,
  attempts: readonly string[],
): Promise<Passages> {
  if (attempts.length === 0) return new Map();
  const summaries = await shelf.summaries(attempts);
  const ids = [...summaries].flatMap(([id, { parts }]) =>
    Array.from({ length: parts }, (_, part) => passageId(id, part)),
  );
  const scores = await shelf.failures.scores(words, ids);
  return bestOf([...scores].map(([id, score]) => ({ id, score })));
}

function bestOf(found: readonly FoundDocument[]): Passages {
  const best = new Map<string, { part: number; score: number }>();
  for (const { id, score } of found) {
    const { task, part } = passageOf(id);
    const known = best.get(task);
    if (!known || score > known.score || (score === known.score && part < known.part))
      best.set(task, { part, score });
  }
  return best;
}
