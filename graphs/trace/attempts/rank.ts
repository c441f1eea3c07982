import { failureTerms, parseFailure, scopeOf } from '../../../failures/index.js';
import { compareText, type ReadContext } from '../../../runtime/index.js';
import { rarity, type SemanticHits, type WordQuery, withSemantic } from '../../../search/index.js';
import { type Confidence, confidenceOf } from './confidence.js';
import { type FailureMatch, similarFailures } from './similar-failures.js';
import { type AttemptContext, AttemptStore, type AttemptSummary, link } from './store.js';

/*
 * A question is a task's prompt or what a failing command printed. Failures are compared by what failed; there the
 * attempts around a good match only mislead. A prompt says less: what the best matches touched leads to more attempts,
 * files that are about to be touched say much, and recent attempts are likelier. Every part of the score costs at least
 * 1 % when it is removed, on data that nothing was tuned on: docs/ranking.md.
 *
 * Nothing here looks at all attempts: indexes give the few hundred that may be answers.
 */

/** What the parts of the score of a prompt weigh, the best text counting 1. */
export const PARTS = {
  /** Sharing the files that are asked for. */
  files: 1,
  /** Working on the same names in these files. */
  names: 0.75,
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
/** Repeated attempts that leave room for others. */
const MOST_REPEATS = 30;
/** Failures that share neither a test nor a message are similar from this score on. */
const LEAST = 0.1;
/** Words that are named as shared. */
const MOST_WORDS = 6;
/** A word that at most this share of the attempts has is rare, and so is one that at most so many have. */
const RARE = { share: 0.25, count: 10 };

/** The command of a question: `$ npm test`, or as Qwen and Gemini report it. */
const COMMAND = /^(?:\$|Command:) (.+)$/mu;

/** What is asked. */
export interface Question {
  readonly query: string;
  /** The question is what this command printed when it failed (null: unknown which); absent: the text shows. */
  readonly failed?: { readonly command: string | null };
  /** Root-relative paths; empty: none. */
  readonly files: readonly string[];
  /** Leave out attempts that touched none of the files. */
  readonly strict: boolean;
  /** The most attempts that are wanted. */
  readonly limit: number;
  /** What embeddings say of it. Default: nothing. */
  readonly semantic?: Pick<SemanticHits, 'hits'>;
  /** Whether attempts at one prompt are one answer. Default false. */
  readonly once?: boolean;
}

/** An attempt as it is found. */
export interface KnownAttempt extends AttemptSummary {
  readonly id: string;
}

/** What a question and an attempt have in common. */
export interface Shared {
  /** The files asked for that it touched. */
  readonly files: readonly string[];
  /** Names in these files that it worked on and the question has all words of. */
  readonly symbols: readonly string[];
  /** Rare words, the rarest first. */
  readonly words: readonly string[];
  /** Failing tests, as the record names them. */
  readonly tests: readonly string[];
  /** Messages, without what varies between runs. */
  readonly reasons: readonly string[];
}

/** An attempt that answers a question, and why. */
export interface Ranked {
  readonly attempt: KnownAttempt;
  /** From 0 to 1. */
  readonly score: number;
  readonly confidence: Confidence;
  readonly shared: Shared;
  /** The recorded failure that is similar to the question; null where only prompts, files or names are. */
  readonly failure: FailureMatch | null;
  /** Ids of other attempts that it stands for. */
  readonly again: readonly string[];
}

type Scores = ReadonlyMap<string, number>;

/** The attempts that have most in common with a question, the most similar first; open ones last; ties by time, then id. */
export async function rankAttempts(
  context: AttemptContext & Pick<ReadContext, 'projectRoot'>,
  { query, failed, files, strict, limit, once = false, semantic = { hits: [] } }: Question,
  parts: Parts = PARTS,
): Promise<Ranked[]> {
  const store = new AttemptStore(context);
  const command = failed?.command ?? COMMAND.exec(query)?.[1] ?? null;
  const parsed = parseFailure(query, { command, isShell: true, root: context.projectRoot });
  const isOutput =
    failed !== undefined || parsed.tool !== null || parsed.counts !== null || parsed.frames.length > 0;
  const asked = { ...failureTerms(parsed, scopeOf(command)), query, inWords: !isOutput };
  const failures = await similarFailures(store, asked);
  const around = files.length === 0 && isOutput ? [...new Set(parsed.frames.map(({ file }) => file))] : files;
  const touched = await touching(store, around);
  const words = wordsOf(store, query, parts);
  const sums = new Map<string, number>();
  if (failed === undefined && !(isOutput && failures.size > 0))
    addTo(sums, await promptScores(store, { words, touched, semantic, parts }), 1 / wholeOf(parts));
  const byFailure = new Set<string>();
  for (const [id, { score }] of failures) {
    if (score <= (sums.get(id) ?? 0)) continue;
    sums.set(id, score);
    byFailure.add(id);
  }
  if (strict && files.length > 0)
    for (const id of [...sums.keys()]) if (!files.some((file) => touched.get(file)?.has(id))) sums.delete(id);
  const found = [...(await store.summaries([...sums.keys()]))].map(([id, summary]) => ({
    attempt: { id, ...summary },
    score: sums.get(id) ?? 0,
    failure: failures.get(id) ?? null,
  }));
  const some = found.sort(byRank).slice(0, limit + MOST_REPEATS);
  const best = once ? withoutRepeats(some) : some.map((one) => ({ ...one, again: [] }));
  return withEvidence(store, best, { words, touched, byFailure, limit });
}

/** An attempt that goes on may be the one that asks: it knows no outcome yet, and must not crowd out others. */
function byRank({ attempt: a, score: x }: Found, { attempt: b, score: y }: Found): number {
  return (
    Number(a.open) - Number(b.open) ||
    y - x ||
    compareText(b.created_at, a.created_at) ||
    compareText(a.id, b.id)
  );
}

/** The largest score of a prompt, in units of the best text. */
function wholeOf({ files, names, links, recency }: Parts): number {
  return (1 + files + names + links) * (1 + recency);
}

interface Prompt {
  readonly words: WordQuery;
  readonly touched: Touching;
  readonly semantic: Pick<SemanticHits, 'hits'>;
  readonly parts: Parts;
}

/** Attempts by their texts, by the files that are asked for, and by what the best of these lead to. */
async function promptScores(
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

function wordsOf({ words }: AttemptStore, query: string, { firstLine }: Parts): WordQuery {
  const [first = ''] = query.split('\n', 1);
  return new Map([
    ...words.of(query).map((word) => [word, 1] as const),
    ...words.of(first).map((word) => [word, firstLine] as const),
  ]);
}

/** By file the attempts that touched it; of a file that very many touched those that touched the fewest files, and the latest. */
type Touching = ReadonlyMap<string, ReadonlySet<string>>;

async function touching({ links }: AttemptStore, files: readonly string[]): Promise<Touching> {
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
async function saidOf(
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

function namesOf(names: AttemptSummary['names'], file: string): readonly string[] {
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

interface Found {
  readonly attempt: KnownAttempt;
  readonly score: number;
  readonly failure: FailureMatch | null;
}

/**
 * Attempts at one prompt that touched the same files and failed in the same way, as one: the first of them, with the ids of
 * the others. Those that go on stand for themselves.
 */
function withoutRepeats<T extends Found>(
  ranked: readonly T[],
): (T & { readonly again: readonly string[] })[] {
  const firsts = new Map<string, T & { again: string[] }>();
  for (const one of ranked) {
    const { id, open, same } = one.attempt;
    const key =
      same === null || open
        ? id
        : JSON.stringify([same, one.failure?.same, [...(one.failure?.tests ?? [])].sort()]);
    const first = firsts.get(key);
    if (first) first.again.push(id);
    else firsts.set(key, { ...one, again: [] });
  }
  return [...firsts.values()];
}

interface Asked {
  readonly words: WordQuery;
  readonly touched: Touching;
  /** Attempts that are found by what failed in them more than by their prompts. */
  readonly byFailure: ReadonlySet<string>;
  readonly limit: number;
}

/** What attempts share with the question, and how sure they are; those that share nothing rare are left out. */
async function withEvidence<T extends Found>(
  store: AttemptStore,
  found: readonly T[],
  { words, touched, byFailure, limit }: Asked,
): Promise<(T & Pick<Ranked, 'shared' | 'confidence'>)[]> {
  const files = [...touched.keys()];
  const said = await store.texts.documents(found.map(({ attempt }) => attempt.id));
  const size = await store.texts.size();
  const having = await store.texts.frequencies(words.keys());
  const touching = await store.links.frequencies(files.map(link.file));
  const count = (word: string) => having.get(word) ?? 0;
  const isRare = (word: string) => count(word) <= Math.max(RARE.count, RARE.share * size);
  const symbolsOf = ({ attempt: { names } }: T) =>
    files.flatMap((file) => namesOf(names, file).map((name) => `${file}\n${name}`));
  const meant = await saidOf(store, [...new Set(found.flatMap(symbolsOf))], words);
  return found
    .flatMap((one) => {
      const { attempt, score, failure } = one;
      const own = [...words.keys()].filter((word) => said.get(attempt.id)?.words.has(word));
      own.sort((a, b) => count(a) - count(b) || compareText(a, b));
      const shared: Shared = {
        files: files.filter((file) => touched.get(file)?.has(attempt.id)),
        symbols: symbolsOf(one).flatMap((name) =>
          meant.get(name) === 1 ? name.slice(name.indexOf('\n') + 1) : [],
        ),
        words: own.filter(isRare).slice(0, MOST_WORDS),
        tests: failure?.tests ?? [],
        reasons: failure?.reasons ?? [],
      };
      const isSimilar = (failure?.score ?? 0) >= LEAST || shared.tests.length + shared.reasons.length > 0;
      if (!isSimilar && shared.files.length + shared.words.length === 0) return [];
      const rarities = [...own.map(count), ...shared.files.map((file) => touching.get(link.file(file)) ?? 0)];
      const sum = rarities.reduce((all, one) => all + rarity(size, Math.min(size, one)), 0);
      const next = found.find(
        (other) =>
          other !== one &&
          other.attempt.open === attempt.open &&
          !(attempt.same !== null && other.attempt.same === attempt.same),
      );
      const evidence = {
        score,
        next: next?.score ?? 0,
        rareness: sum / rarity(size, Math.min(size, 1)),
        covered: own.length / (words.size || 1),
        failure: byFailure.has(attempt.id) ? failure : null,
      };
      return [{ ...one, shared, confidence: confidenceOf(evidence) }];
    })
    .slice(0, limit);
}
