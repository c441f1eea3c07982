import { rarity, type TextIndexReader, type WordQuery } from '../../../search/index.js';
import type { Likeness, Likenesses } from './likeness.js';
import type { KnownAttempt } from './rank.js';
import type { AttemptShelf } from './stored/attempt-shelf.js';
import { passageId } from './stored/indexes.js';

/** Words that are named as the reason of a match. */
const MOST_WORDS = 6;

interface Found {
  readonly attempt: Pick<KnownAttempt, 'id'>;
  readonly likeness: Likeness | null;
}

/** Names of matches by a passage the invocation or error that it is of. */
export async function sourcesOf<T extends Found>(shelf: AttemptShelf, found: readonly T[]): Promise<T[]> {
  const unnamed = found.filter(({ likeness }) => likeness?.source === null && likeness.part !== null);
  const failures = await shelf.failuresOf(unnamed.map(({ attempt }) => attempt.id));
  return found.map((one) => {
    const { attempt, likeness } = one;
    if (!likeness || likeness.source !== null || likeness.part === null) return one;
    const source = failures.get(attempt.id)?.sources[likeness.part] ?? null;
    return { ...one, likeness: { ...likeness, source } };
  });
}

/** The words of a question that tell most of what an attempt has of it, the most telling first. */
export async function tellingWords(
  shelf: AttemptShelf,
  { attempt: { id }, likeness }: Found,
  words: Likenesses['words'],
): Promise<string[]> {
  if (!likeness) return [];
  return likeness.byPrompt || likeness.part === null
    ? telling(shelf.told, id, words.prompt)
    : telling(shelf.failures, passageId(id, likeness.part), words.failure);
}

async function telling<F extends string>(
  index: TextIndexReader<F>,
  id: string,
  query: WordQuery,
): Promise<string[]> {
  const said = (await index.document(id))?.words;
  const shared = [...query].filter(([word]) => said?.has(word));
  const having = await index.frequencies(shared.map(([word]) => word));
  const size = await index.size();
  const worths = shared.map(([word, weight]) => {
    const count = said?.get(word)?.reduce((sum, one) => sum + one, 0) ?? 0;
    return [word, (weight * rarity(size, having.get(word) ?? 0) * count) / (count + 1)] as const;
  });
  worths.sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  return worths.slice(0, MOST_WORDS).map(([word]) => word);
}
