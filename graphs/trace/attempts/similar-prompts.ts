import { compareText } from '../../../runtime/index.js';
import { rarity, type SemanticHits, type WordQuery, withSemantic } from '../../../search/index.js';
import { type AttemptContext, AttemptStore, type AttemptSummary, type KnownAttempt, link } from './store.js';

/*
 * A prompt says little: what the best matches touched leads to more attempts, files that are about to be touched say
 * much, and recent attempts are likelier. Every part of the score costs at least 1 % when it is removed, on data that
 * nothing was tuned on: docs/ranking.md.
 */

/** What the parts of the score of a prompt weigh, the best text counting 1. */
export const PARTS = {
  /** Sharing the files that are asked for. */
  files: 1,
  /** Working on the same names in these files. */
  names: 1.25,
  /** What the best matches lead to. */
  links: 0.75,
  /** Being the latest attempt; it fades with every later one. */
  recency: 0.1,
  /** Words of the first line of a prompt, which says what is wanted. */
  firstLine: 1.5,
} as const;
/** See {@link PARTS}. */
export type Parts = Readonly<Record<keyof typeof PARTS, number>>;

/** After so many later attempts recency has faded to 1/e, and older ones get nothing for it. */
const RECENT = 50;
const MOST_RECENT = 300;
/** Attempts that one look-up gives. */
const MOST_FOUND = 200;
/** The best matches whose files and names lead on, and files and names that are followed. */
const SEEDS = 20;
const MOST_LINKS = 64;
/** The attempts at the files that say which names are meant, and what sharing the files counts in that beside the text. */
const MOST_TELLING = 64;
const BY_FILES = 0.5;
/** What it counts that a question has all words of a name, beside the name that most of the best attempts worked on. */
const BY_WORDS = 1.5;
/** The largest score of a prompt, in units of the best text. */
export function wholeOf({ files, names, links, recency }: Parts): number {
  return (1 + files + names + links) * (1 + recency);
}

type Scores = ReadonlyMap<string, number>;

interface Prompt {
  readonly words: WordQuery;
  readonly touched: Touching;
  readonly semantic: Pick<SemanticHits, 'hits'>;
  readonly parts: Parts;
}

/** Attempts by their texts, by the files that are asked for, and by what the best of these lead to. */
export async function promptScores(
  store: AttemptStore,
  { words, touched, semantic, parts }: Prompt,
): Promise<Scores> {
  const found = await store.texts.search(words, { limit: MOST_FOUND });
  const text = new Map(found.map(({ id, score }) => [id, score]));
  const at = [...touched.values()].flatMap((ids) => [...ids]).filter((id) => !text.has(id));
  for (const [id, score] of await store.texts.scores(words, at)) text.set(id, score);
  const scores = new Map(withSemantic(text, semantic));
  const top = Math.max(0, ...scores.values()) || 1;
  if (touched.size > 0) {
    const byFiles = await scoresByFiles(store, touched);
    const byNames = await scoresByNames(store, touched, { text: ofLargest(scores), byFiles, words });
    addTo(scores, byFiles, parts.files * top);
    addTo(scores, byNames, parts.names * top);
  }
  const linked = await scoresByMatches(store, scores);
  const more = [...linked.keys()].filter((id) => !scores.has(id));
  addTo(scores, await store.texts.scores(words, more), 1);
  addTo(scores, linked, parts.links * top);
  for (const [later, id] of (await store.latest(MOST_RECENT)).entries()) {
    const sum = scores.get(id);
    if (sum !== undefined) scores.set(id, sum * (1 + parts.recency * Math.exp(-later / RECENT)));
  }
  return scores;
}

/** The words of a question, each with its weight: those of its first line say what is wanted. */
export function wordsOf({ words }: AttemptStore, query: string, { firstLine }: Parts): WordQuery {
  const [first = ''] = query.split('\n', 1);
  return new Map([
    ...words.of(query).map((word) => [word, 1] as const),
    ...words.of(first).map((word) => [word, firstLine] as const),
  ]);
}

/** By file the attempts that touched it; of a file that very many touched those that touched the fewest files, and the latest. */
export type Touching = ReadonlyMap<string, ReadonlySet<string>>;

/** The attempts that touched files; see {@link Touching}. */
export async function touching({ links }: AttemptStore, files: readonly string[]): Promise<Touching> {
  const byFile = new Map<string, ReadonlySet<string>>();
  for (const file of files) {
    const query = new Map([[link.file(file), 1]]);
    const found = (await links.search(query, { limit: MOST_FOUND })).map(({ id }) => id);
    byFile.set(file, new Set(found));
  }
  return byFile;
}

/** The attempts that touched a file, the latest first; ties by id. Of a file that very many touched not all old ones. */
export async function latestAtFile(path: string, context: AttemptContext): Promise<KnownAttempt[]> {
  const store = new AttemptStore(context);
  const ids = (await touching(store, [path])).get(path) ?? [];
  return [...(await store.summaries([...ids]))]
    .map(([id, summary]) => ({ id, ...summary }))
    .sort((a, b) => compareText(b.created_at, a.created_at) || compareText(a.id, b.id));
}

/** Attempts by what they share of some files: rare files count more, an attempt that touched many files less. */
async function scoresByFiles(store: AttemptStore, byFile: Touching): Promise<Scores> {
  const summaries = await store.summaries([...byFile.values()].flatMap((ids) => [...ids]));
  const size = await store.links.size();
  const having = await store.links.frequencies([...byFile.keys()].map(link.file));
  const scores = new Map<string, number>();
  for (const [file, ids] of byFile) {
    const worth = rarity(size, having.get(link.file(file)) ?? 0);
    for (const id of ids) {
      const touched = summaries.get(id)?.touched ?? 0;
      scores.set(id, (scores.get(id) ?? 0) + worth / (1 + touched) ** 0.25);
    }
  }
  return ofLargest(scores);
}

interface Known {
  readonly text: Scores;
  readonly byFiles: Scores;
  readonly words: WordQuery;
}

/**
 * Attempts at some files by the names in these that they worked on: a file is large, and attempts at it are about different
 * things in it. Which names are meant is known by the attempts there whose texts are most similar, and by names that the
 * question has words of. Each name counts by how surely it is meant and by its rarity, as a share of all that the attempt
 * worked on. The largest score is 1.
 */
async function scoresByNames(
  store: AttemptStore,
  byFile: Touching,
  { text, byFiles, words }: Known,
): Promise<Scores> {
  const summaries = await store.summaries([...byFile.values()].flatMap((ids) => [...ids]));
  const there = new Map<string, readonly string[]>();
  const having = new Map<string, number>();
  for (const [id, { names }] of summaries) {
    const own = [...byFile.keys()].flatMap((file) => namesOf(names, file).map((name) => `${file}\n${name}`));
    if (own.length > 0) there.set(id, own);
    for (const name of own) having.set(name, (having.get(name) ?? 0) + 1);
  }
  const tells = (id: string) => (text.get(id) ?? 0) + BY_FILES * (byFiles.get(id) ?? 0);
  const telling = [...there.keys()]
    .sort((a, b) => tells(b) - tells(a) || compareText(a, b))
    .slice(0, MOST_TELLING);
  const meant = new Map<string, number>();
  for (const id of telling) {
    const own = there.get(id) ?? [];
    for (const name of own) meant.set(name, (meant.get(name) ?? 0) + tells(id) ** 3 / Math.sqrt(own.length));
  }
  const most = Math.max(0, ...meant.values()) || 1;
  const said = await saidOf(store, [...meant.keys()], words);
  const size = await store.links.size();
  const worth = (name: string) =>
    ((meant.get(name) ?? 0) / most + BY_WORDS * (said.get(name) ?? 0)) * rarity(size, having.get(name) ?? 0);
  const scores = new Map<string, number>();
  for (const [id, own] of there) {
    const all = Object.values(summaries.get(id)?.names ?? {}).flatMap(listed).length;
    scores.set(
      id,
      own.filter((name) => meant.has(name)).reduce((sum, name) => sum + worth(name), 0) / (1 + all),
    );
  }
  return ofLargest(scores);
}

/** Of each name (`file`, line break, name) which share of its words a question has, each by its rarity. */
export async function saidOf(
  { texts, words: splits }: AttemptStore,
  names: readonly string[],
  words: WordQuery,
): Promise<Scores> {
  const wordsIn = new Map(
    names.map((name) => [name, [...new Set(splits.of(name.slice(name.indexOf('\n') + 1)))]]),
  );
  const having = await texts.frequencies([...wordsIn.values()].flat());
  const size = await texts.size();
  const worth = (some: readonly string[]) =>
    some.reduce((sum, word) => sum + rarity(size, having.get(word) ?? 0), 0);
  return new Map(
    [...wordsIn].map(([name, all]) => [
      name,
      worth(all.filter((word) => words.has(word))) / (worth(all) || 1),
    ]),
  );
}

/** The names in a file that an attempt worked on. */
export function namesOf(names: AttemptSummary['names'], file: string): readonly string[] {
  return listed(names[file] ?? '');
}

function listed(names: string): string[] {
  return names === '' ? [] : names.split('\n');
}

/**
 * Attempts by what the best matches lead to: one step of spreading activation (Collins and Loftus, 1975) from the
 * matches to the files they touched and the names they used, and on to other attempts. A match gives by the square
 * of its score, shared among its links by their rarity; an attempt that touched many files gets less of each.
 */
async function scoresByMatches({ links }: AttemptStore, matches: Scores): Promise<Scores> {
  const seeds = [...matches].sort(([a, x], [b, y]) => y - x || compareText(a, b)).slice(0, SEEDS);
  const top = seeds[0]?.[1] ?? 0;
  if (top <= 0) return new Map();
  const said = await links.documents(seeds.map(([id]) => id));
  const linksOf = (id: string) =>
    [...(said.get(id)?.words.keys() ?? [])].filter((one) => /^(?:file|name):/u.test(one));
  const size = await links.size();
  const having = await links.frequencies(seeds.flatMap(([id]) => linksOf(id)));
  const active = new Map<string, number>();
  for (const [id, score] of seeds) {
    const weights = linksOf(id).map((one) => [one, rarity(size, having.get(one) ?? 0)] as const);
    const all = weights.reduce((sum, [, weight]) => sum + weight, 0) || 1;
    for (const [one, weight] of weights)
      active.set(one, (active.get(one) ?? 0) + (score / top) ** 2 * (weight / all));
  }
  const followed = [...active].sort(([a, x], [b, y]) => y - x || compareText(a, b)).slice(0, MOST_LINKS);
  const found = await links.search(new Map(followed), { limit: MOST_FOUND, weights: { file: 1, name: 1 } });
  return ofLargest(new Map(found.map(({ id, score }) => [id, score])));
}

/** Scores as shares of the largest. */
function ofLargest(scores: Scores): Scores {
  const largest = Math.max(0, ...scores.values());
  return largest > 0 ? new Map([...scores].map(([id, score]) => [id, score / largest])) : new Map();
}

function addTo(scores: Map<string, number>, more: Scores, weight: number): void {
  for (const [id, score] of more) scores.set(id, (scores.get(id) ?? 0) + weight * score);
}
