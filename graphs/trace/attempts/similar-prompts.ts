import { compareText } from '../../../runtime/index.js';
import {
  rarity,
  type Scores,
  type SemanticHits,
  type WordQuery,
  withSemantic,
} from '../../../search/index.js';
import { type AttemptContext, AttemptStore, type KnownAttempt, link } from './store.js';

/*
 * A prompt says little, so what the best matches touched leads to more attempts. What every part is worth:
 * docs/internals/ranking.md.
 */

/** What the parts of the score of a prompt weigh, the best text counting 1. */
export const PARTS = {
  files: 1,
  names: 2,
  /** That a question has all words of a name, next to the name that most of the best attempts worked on. */
  namesSaid: 1.5,
  links: 1,
  /** Words of the first line of a prompt, which says what is wanted. */
  firstLine: 1.5,
} as const;

const MOST_FOUND = 200;
/** The best matches whose files and names lead on, and files and names that are followed. */
const SEEDS = 20;
const MOST_LINKS = 64;

interface Prompt {
  readonly words: WordQuery;
  readonly touched: Touching;
  readonly semantic: Pick<SemanticHits, 'hits'>;
}

/** Attempts by their texts, by the files that are asked for, and by what the best of these lead to: from 0 to 1. */
export async function promptScores(
  store: AttemptStore,
  { words, touched, semantic }: Prompt,
): Promise<Map<string, number>> {
  const found = await store.texts.search(words, { limit: MOST_FOUND });
  const text = withSemantic(new Map(found.map(({ id, score }) => [id, score])), semantic);
  const top = Math.max(0, ...text.values()) || 1;
  const scores = new Map(text);
  const add = (more: Scores, weight: number): void => {
    for (const [id, score] of more) scores.set(id, (scores.get(id) ?? 0) + weight * top * score);
  };
  if (touched.size > 0) {
    add(await scoresByFiles(store, touched), PARTS.files);
    add(await scoresByNames(store, touched, { text, words }), PARTS.names);
  }
  add(await scoresByMatches(store, scores), PARTS.links);
  const whole = 1 + PARTS.files + PARTS.names + PARTS.links;
  return new Map([...scores].map(([id, score]) => [id, score / whole]));
}

/** The words of a question, each with its weight. */
export function wordsOf({ words }: AttemptStore, query: string): WordQuery {
  const [first = ''] = query.split('\n', 1);
  return new Map([
    ...words.of(query).map((word) => [word, 1] as const),
    ...words.of(first).map((word) => [word, PARTS.firstLine] as const),
  ]);
}

/** By file the attempts that touched it; of a file that very many touched those that touched the fewest files, and the latest. */
export type Touching = ReadonlyMap<string, ReadonlySet<string>>;

/** The attempts that touched files; see {@link Touching}. */
export async function touching({ links }: AttemptStore, files: readonly string[]): Promise<Touching> {
  const byFile = new Map<string, ReadonlySet<string>>();
  for (const file of files) {
    const found = await links.search(new Map([[link.file(file), 1]]), { limit: MOST_FOUND });
    byFile.set(file, new Set(found.map(({ id }) => id)));
  }
  return byFile;
}

/** The attempts that touched a file, the latest first; ties by id. Of a file that very many touched not all old ones. */
export async function latestAtFile(path: string, context: AttemptContext): Promise<KnownAttempt[]> {
  const store = new AttemptStore(context);
  const ids = (await touching(store, [path])).get(path) ?? [];
  return [...(await store.attempts([...ids])).values()].sort(
    (a, b) => compareText(b.created_at, a.created_at) || compareText(a.id, b.id),
  );
}

/** Attempts by what they share of some files: rare files count more. */
async function scoresByFiles(store: AttemptStore, byFile: Touching): Promise<Scores> {
  const size = await store.links.size();
  const having = await store.links.frequencies([...byFile.keys()].map(link.file));
  const scores = new Map<string, number>();
  for (const [file, ids] of byFile)
    for (const id of ids)
      scores.set(id, (scores.get(id) ?? 0) + rarity(size, having.get(link.file(file)) ?? 0));
  return ofLargest(scores);
}

/**
 * Attempts at some files by the names in these that they worked on. A name counts by how surely it is intended
 * (the most similar attempts there used it, or the question has its words) and by its rarity, as a share of
 * the attempt's names.
 */
async function scoresByNames(
  store: AttemptStore,
  byFile: Touching,
  { text, words }: { readonly text: Scores; readonly words: WordQuery },
): Promise<Scores> {
  const there = await store.attempts([...new Set([...byFile.values()].flatMap((ids) => [...ids]))]);
  const namesBy = new Map([...there.values()].map((one) => [one.id, namesIn(one, [...byFile.keys()])]));
  const having = new Map<string, number>();
  const intended = new Map<string, number>();
  for (const [id, names] of namesBy)
    for (const name of names) {
      having.set(name, (having.get(name) ?? 0) + 1);
      intended.set(name, (intended.get(name) ?? 0) + (text.get(id) ?? 0) ** 3 / Math.sqrt(names.length));
    }
  const most = Math.max(0, ...intended.values()) || 1;
  const size = await store.links.size();
  const weights = new Map(
    [...intended].map(([name, sum]) => [
      name,
      (sum / most + PARTS.namesSaid * shareSaid(store, name, words)) * rarity(size, having.get(name) ?? 0),
    ]),
  );
  const scores = new Map<string, number>();
  for (const [id, names] of namesBy) {
    const all = namesIn(there.get(id), Object.keys(there.get(id)?.names ?? {}));
    const sum = names.reduce((worth, name) => worth + (weights.get(name) ?? 0), 0);
    scores.set(id, sum / (1 + all.length));
  }
  return ofLargest(scores);
}

/** The names in some files that an attempt worked on, each behind its file and a line break. */
export function namesIn(attempt: KnownAttempt | undefined, files: readonly string[]): string[] {
  return files.flatMap((file) => {
    const names = attempt?.names[file] ?? '';
    return names === '' ? [] : names.split('\n').map((name) => `${file}\n${name}`);
  });
}

/** Which share of the words of a name (behind its file) a question has. */
export function shareSaid(store: AttemptStore, name: string, words: WordQuery): number {
  const all = new Set(store.words.of(name.slice(name.indexOf('\n') + 1)));
  return [...all].filter((word) => words.has(word)).length / (all.size || 1);
}

/**
 * Attempts by what the best matches lead to: one step of spreading activation (Collins and Loftus, 1975) over
 * the files they touched and the names they used. A match gives the square of its score, shared among its
 * links.
 */
async function scoresByMatches({ links }: AttemptStore, matches: Scores): Promise<Scores> {
  const seeds = bestOf(matches, SEEDS);
  const top = seeds[0]?.[1] ?? 0;
  if (top <= 0) return new Map();
  const documents = await links.documents(seeds.map(([id]) => id));
  const active = new Map<string, number>();
  for (const [id, score] of seeds) {
    const own = [...(documents.get(id)?.words.keys() ?? [])].filter((one) => /^(?:file|name):/u.test(one));
    for (const one of own) active.set(one, (active.get(one) ?? 0) + (score / top) ** 2 / own.length);
  }
  const followed = new Map(bestOf(active, MOST_LINKS));
  const found = await links.search(followed, { limit: MOST_FOUND, weights: { file: 1, name: 1 } });
  return ofLargest(new Map(found.map(({ id, score }) => [id, score])));
}

function bestOf(scores: Scores, most: number): [key: string, score: number][] {
  return [...scores].sort(([a, x], [b, y]) => y - x || compareText(a, b)).slice(0, most);
}

function ofLargest(scores: Scores): Scores {
  const largest = Math.max(0, ...scores.values());
  return largest > 0 ? new Map([...scores].map(([id, score]) => [id, score / largest])) : new Map();
}
