import { failureTerms, parseFailure, scopeOf } from '../../../failures/index.js';
import { compareText, type ReadContext } from '../../../runtime/index.js';
import { rarity, type SemanticHits, type WordQuery } from '../../../search/index.js';
import { type Confidence, confidenceOf } from './confidence.js';
import { type FailureMatch, similarFailures } from './similar-failures.js';
import {
  namesOf,
  PARTS,
  type Parts,
  promptScores,
  saidOf,
  type Touching,
  touching,
  wholeOf,
  wordsOf,
} from './similar-prompts.js';
import { type AttemptContext, AttemptStore, type KnownAttempt, link } from './store.js';

/*
 * A question is a task's prompt or what a failing command printed. Failures are compared by what failed: there the
 * attempts around a good match only mislead. Nothing here looks at all attempts: indexes give the few hundred that may be
 * answers.
 */

/** Repeated attempts that leave room for others. */
const MOST_REPEATS = 30;
/** Attempts beyond those wanted that may stand in for some that share nothing rare. */
const SPARE = 5;
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
    for (const [id, score] of await promptScores(store, { words, touched, semantic, parts }))
      sums.set(id, score / wholeOf(parts));
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
  return withEvidence(store, best.slice(0, limit + SPARE), {
    words,
    touched,
    byFailure,
    byMeaning: new Set(semantic.hits.map(({ id }) => id)),
    open: found.flatMap(({ attempt }) => (attempt.open ? [attempt.id] : [])).slice(0, SPARE),
    limit,
  });
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
  /** Attempts that embeddings name. */
  readonly byMeaning: ReadonlySet<string>;
  /** Attempts that go on: one of them may be the question itself, and makes no word less rare. */
  readonly open: readonly string[];
  readonly limit: number;
}

/** What attempts share with the question, and how sure they are; those that share nothing rare are left out. */
async function withEvidence<T extends Found>(
  store: AttemptStore,
  found: readonly T[],
  { words, touched, byFailure, byMeaning, open, limit }: Asked,
): Promise<(T & Pick<Ranked, 'shared' | 'confidence'>)[]> {
  const files = [...touched.keys()];
  const said = await store.texts.documents([...open, ...found.map(({ attempt }) => attempt.id)]);
  const size = await store.texts.size();
  const having = await store.texts.frequencies(words.keys());
  const touching = await store.links.frequencies(files.map(link.file));
  const count = (word: string) =>
    (having.get(word) ?? 0) - open.filter((id) => said.get(id)?.words.has(word)).length;
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
      if (!isSimilar && !byMeaning.has(attempt.id) && shared.files.length + shared.words.length === 0)
        return [];
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
