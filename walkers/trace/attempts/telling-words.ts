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

/** The words of a question that tell most of what each attempt has of it, the most telling first. */
export async function withTellingWords<T extends Found>(
  shelf: AttemptShelf,
  found: readonly T[],
  words: Likenesses['words'],
): Promise<(T & { readonly words: readonly string[] })[]> {
  const prompts = found.filter(({ likeness }) => likeness && sourceIn(likeness) === 'prompt');
  const told = await telling(
    shelf.told,
    prompts.map(({ attempt }) => attempt.id),
    words.prompt,
  );
  const failures = await telling(shelf.failures, found.flatMap(passagesIn), words.failure);
  return found.map((one) => {
    const [passage] = passagesIn(one);
    const words = passage === undefined ? told.get(one.attempt.id) : failures.get(passage);
    return { ...one, words: words ?? [] };
  });
}

function sourceIn({ byPrompt, part }: Likeness): 'prompt' | 'failure' {
  return byPrompt || part === null ? 'prompt' : 'failure';
}

function passagesIn({ attempt: { id }, likeness }: Found): string[] {
  if (!likeness || likeness.part === null || sourceIn(likeness) === 'prompt') return [];
  return [passageId(id, likeness.part)];
}

async function telling<F extends string>(
  index: TextIndexReader<F>,
  ids: readonly string[],
  query: WordQuery,
): Promise<Map<string, string[]>> {
  const said = await index.documents(ids);
  const having = await index.frequencies(query.keys());
  const size = await index.size();
  return new Map(
    [...said].map(([id, document]) => {
      const worths = [...query].flatMap(([word, weight]) => {
        const count = document.words.get(word)?.reduce((sum, one) => sum + one, 0) ?? 0;
        const worth = (weight * rarity(size, having.get(word) ?? 0) * count) / (count + 1);
        return document.words.has(word) ? [[word, worth] as const] : [];
      });
      worths.sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
      return [id, worths.slice(0, MOST_WORDS).map(([word]) => word)];
    }),
  );
}
