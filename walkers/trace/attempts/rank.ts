import { compareText, type ReadContext } from '../../../runtime/index.js';
import { FileImports, fileId, parseId } from '../../../schema/index.js';
import {
  rarity,
  type SemanticHits,
  type TextIndexReader,
  type WordQuery,
  withSemantic,
} from '../../../search/index.js';
import { placesIn } from '../touched-files.js';
import { fileLink } from './attempt-text.js';
import { type Likeness, type Likenesses, likenessesTo } from './likeness.js';
import {
  LATEST,
  type LinkScores,
  ofLargest,
  scoresByFiles,
  scoresByMatches,
  type Touching,
  touching,
  withTouching,
} from './links.js';
import { scoresByNames } from './names-there.js';
import { filesOfFrames } from './stack-frames.js';
import { AttemptShelf, type ShelfContext } from './stored/attempt-shelf.js';
import { passageId } from './stored/indexes.js';
import type { AttemptSummary } from './stored/records.js';

/** Words that are named as the reason of a match. */
const MOST_WORDS = 6;

interface Found {
  readonly attempt: Pick<KnownAttempt, 'id'>;
  readonly likeness: Likeness | null;
}

type Repeatable = Pick<Ranked, 'likeness'> & { readonly attempt: KnownAttempt };

/** Files asked for that are looked around, and neighbours of them that are followed. */
const MOST_FILES = 10;

const MOST_NEIGHBOURS = 30;

/** Attempts that they lead to. */
const MOST_FOUND = 100;

/*
 * A question is a task's prompt or what a failing command printed. Failures are told apart by their text and by what
 * failed; there the attempts around a good match only mislead. A prompt says less: what the best matches touched
 * leads to more attempts, files that are about to be touched say much, and recent attempts are likelier.
 *
 * Nothing here looks at all attempts: indexes give the few hundred that may be answers, and these are compared.
 */

/** What sharing the files asked for weighs, beside the best text. */
const FILES = { prompt: 1, failure: 0.1 };
/** What working on the same names in these files weighs, beside the best text. */
const NAMES = { prompt: 0.75, failure: 0 };
/** What files weigh that import those asked for, or are imported by them. */
const NEAR = { prompt: 0.15, failure: 0 };
/** What the best matches lead to weighs, beside the best text. */
const LINKS = { prompt: 0.75, failure: 0 };
/** What being the latest attempt adds, and after how many later attempts that has faded to 1/e. */
const RECENCY = { prompt: 0.1, failure: 0 };
const RECENT = 50;
/** Older ones get nothing for it that could be seen. */
const MOST_RECENT = 300;
/** What a success adds: it can be repeated. */
const SUCCESS = 0.02;
/** Repeated attempts that leave room for others. */
const MOST_REPEATS = 30;
/** Summaries that are read at once. */
const AT_ONCE = 64;

/** What ranking needs of a run. */
export type RankContext = ShelfContext & Pick<ReadContext, 'q' | 'projectRoot'>;

/** What is asked. */
export interface Question {
  readonly query: string;
  /** The question is what this command printed when it failed (null: no command did); absent: the text tells. */
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

/** An attempt as it is kept. */
export interface KnownAttempt extends AttemptSummary {
  readonly id: string;
}

/** An attempt that answers a question, and why. */
export interface Ranked {
  readonly attempt: KnownAttempt;
  /** From 0 to 1. */
  readonly score: number;
  /** Null where only files or other attempts lead to it. */
  readonly likeness: Likeness | null;
  /** The files asked for that it touched. */
  readonly sharedFiles: readonly string[];
  /** The words that tell most of what it has of the question, the most telling first. */
  readonly words: readonly string[];
  /** Ids of other attempts that it stands for. */
  readonly again: readonly string[];
}

type Unexplained = Omit<Ranked, 'words' | 'again'>;

/** The attempts that have most in common with a question, the most alike first; open ones last; ties by id. */
export async function rankAttempts(
  context: RankContext,
  { query, failed, files: given, strict, limit, once = false, semantic = { hits: [] } }: Question,
): Promise<Ranked[]> {
  const shelf = new AttemptShelf(context);
  const files = given.length > 0 ? given : framesIn(query, context);
  const found = await touching(shelf, files);
  const also = new Set([...found.values()].flatMap((ids) => [...ids]));
  const { failure, byAttempt, words } = await likenessesTo(shelf, query, { failed, also });
  const kind = failure ? 'failure' : 'prompt';
  const byFile = await withTouching(shelf, found, byAttempt.keys());
  const byText = new Map([...byAttempt].map(([id, { score }]) => [id, score]));
  // Two failures are told apart by what failed, not by what they are about.
  const scores = new Map(failure ? byText : withSemantic(byText, semantic));
  const top = Math.max(0, ...scores.values());
  const byFiles = files.length > 0 ? FILES[kind] : 0;
  const named = byFiles > 0 ? NAMES[kind] : 0;
  if (byFiles > 0) {
    const touched = await scoresByFiles(shelf, byFile);
    const byNames =
      named > 0
        ? await scoresByNames(shelf, byFile, {
            byText: ofLargest(scores),
            byFiles: touched,
            words: words.prompt,
          })
        : NOTHING;
    addTo(scores, touched, byFiles * (top || 1));
    addTo(scores, byNames, named * (top || 1));
  }
  if (byFiles > 0 && NEAR[kind] > 0)
    addTo(scores, await scoresByNeighbours(shelf, files, context), NEAR[kind] * (top || 1));
  if (LINKS[kind] > 0) {
    const linked = await scoresByMatches(shelf, scores);
    const more = [...linked.keys()].filter((id) => !scores.has(id));
    addTo(scores, await shelf.told.scores(words.prompt, more), 1);
    addTo(scores, linked, LINKS[kind] * top);
  }
  if (strict && given.length > 0)
    for (const id of [...scores.keys()]) if (sharedWith(id, byFile).length === 0) scores.delete(id);
  const latest = RECENCY[kind] > 0 ? await shelf.latest(MOST_RECENT) : [];
  for (const [at, id] of latest.entries()) {
    const sum = scores.get(id);
    if (sum !== undefined) scores.set(id, sum * (1 + RECENCY[kind] * Math.exp(-at / RECENT)));
  }
  const whole =
    (1 + byFiles * (1 + LATEST) + named + NEAR[kind] + LINKS[kind]) * (1 + RECENCY[kind]) * (1 + SUCCESS);
  const ranked = (await withSummaries(shelf, scores, once ? limit + MOST_REPEATS : limit)).map(
    ({ attempt, sum }): Unexplained => ({
      attempt,
      score: sum / whole,
      likeness: byAttempt.get(attempt.id) ?? null,
      sharedFiles: sharedWith(attempt.id, byFile),
    }),
  );
  const inOrder = ranked.sort(byRank);
  const best = (once ? withoutRepeats(inOrder) : inOrder.map((one) => ({ ...one, again: [] }))).slice(
    0,
    limit,
  );
  return withTellingWords(shelf, await sourcesOf(shelf, best), words);
}

/** The attempts with the best scores, where a success counts more; read as far as another may be among those that ended. */
async function withSummaries(
  shelf: AttemptShelf,
  scores: ReadonlyMap<string, number>,
  limit: number,
): Promise<{ readonly attempt: KnownAttempt; readonly sum: number }[]> {
  const sorted = [...scores].sort(([a, x], [b, y]) => y - x || compareText(a, b));
  const read: { readonly attempt: KnownAttempt; readonly sum: number }[] = [];
  for (let at = 0; at < sorted.length; at += AT_ONCE) {
    const page = sorted.slice(at, at + AT_ONCE);
    const ended = read.flatMap(({ attempt, sum }) => (attempt.open ? [] : [sum])).sort((a, b) => b - a);
    if ((ended[limit - 1] ?? 0) > (page[0]?.[1] ?? 0) * (1 + SUCCESS)) break;
    const summaries = await shelf.summaries(page.map(([id]) => id));
    for (const [id, score] of page) {
      const summary = summaries.get(id);
      if (!summary) continue;
      read.push({ attempt: { id, ...summary }, sum: score * (1 + (summary.succeeded ? SUCCESS : 0)) });
    }
  }
  return read;
}

/** An attempt that goes on may be the one that asks: it knows no outcome yet, and must not crowd out others. */
function byRank(a: Unexplained, b: Unexplained): number {
  return (
    Number(a.attempt.open) - Number(b.attempt.open) ||
    b.score - a.score ||
    compareText(b.attempt.created_at, a.attempt.created_at) ||
    compareText(a.attempt.id, b.attempt.id)
  );
}

/** The files of this project that a failing output shows. */
function framesIn(query: string, { projectRoot }: Pick<RankContext, 'projectRoot'>): string[] {
  const placeOf = placesIn(projectRoot);
  return [...new Set(filesOfFrames(query).flatMap((file) => placeOf(file) ?? []))];
}

function sharedWith(id: string, byFile: Touching): string[] {
  return [...byFile].flatMap(([file, ids]) => (ids.has(id) ? [file] : []));
}

function addTo(scores: Map<string, number>, more: ReadonlyMap<string, number>, weight: number): void {
  for (const [id, score] of more) scores.set(id, (scores.get(id) ?? 0) + weight * score);
}

const NOTHING: LinkScores = new Map();

/**
 * Attempts by the files that stand beside some in the code graph: what these import, and what imports them. A rare file
 * counts more; the largest score is 1. Empty where no code is indexed.
 */
async function scoresByNeighbours(
  { links }: AttemptShelf,
  files: readonly string[],
  { q }: Pick<ReadContext, 'q'>,
): Promise<LinkScores> {
  const from = files.slice(0, MOST_FILES).map(fileId);
  const ids = [...(await q(from).out(FileImports).ids()), ...(await q(from).in(FileImports).ids())];
  const own = new Set(files);
  const near = [...new Set(ids)].sort(compareText).flatMap((id) => {
    const path = parseId(id)?.path ?? null;
    return path === null || own.has(path) ? [] : [path];
  });
  if (near.length === 0) return new Map();
  const query = new Map(near.slice(0, MOST_NEIGHBOURS).map((path) => [fileLink(path), 1]));
  const found = await links.search(query, { limit: MOST_FOUND });
  const top = found[0]?.score ?? 1;
  return new Map(found.map(({ id, score }) => [id, score / top]));
}

/**
 * Attempts at one prompt that touched the same files, and are like the question in the same, as one: the first of them,
 * with the ids of the others. Those that go on stand for themselves.
 */
function withoutRepeats<T extends Repeatable>(
  ranked: readonly T[],
): (T & { readonly again: readonly string[] })[] {
  const firsts = new Map<string, T & { again: string[] }>();
  for (const one of ranked) {
    const { id, open, same } = one.attempt;
    const { asFailure = false, failing = [], sameError = false } = one.likeness ?? {};
    const key =
      same === null || open ? id : JSON.stringify([same, asFailure, sameError, [...failing].sort()]);
    const first = firsts.get(key);
    if (first) first.again.push(id);
    else firsts.set(key, { ...one, again: [] });
  }
  return [...firsts.values()];
}

/** Names of matches by a passage the invocation or error that it is of. */
async function sourcesOf<T extends Found>(shelf: AttemptShelf, found: readonly T[]): Promise<T[]> {
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
async function withTellingWords<T extends Found>(
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
