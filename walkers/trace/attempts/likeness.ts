import { type Hit, rarity, type WordQuery } from '../../../search/index.js';
import { fingerprintOf } from '../fingerprint.js';
import type { AttemptIndex } from './attempt-index.js';
import { failingNames } from './failing-names.js';
import { failureText } from './failure-text.js';

/** The first line of a prompt says what is wanted: its words count this much. */
const FIRST_LINE = 1.5;
/** Words of lines that tell what went wrong count this much of those around them. */
const TELLING_LINE = 2;
/** What the names of what failed weigh, the rest being the text. */
const NAMES_SHARE = 0.4;
/** What an error of one fingerprint weighs, the rest being the text: most of it the text says already. */
const ERROR_SHARE = 0.1;
/** Lines of a question whose fingerprint is compared with those of errors. */
const FINGERPRINTED_LINES = 200;
/** Words that are named as the reason of a match. */
const MOST_WORDS = 6;

/** How one attempt is like a question. */
export interface Likeness {
  /** From 0 to 1: the share of the largest score that any text could get, and of what failed in both. */
  readonly score: number;
  /** Names of what failed in both. */
  readonly failing: readonly string[];
  /** Whether an error of it has the fingerprint of a line of the question. */
  readonly sameError: boolean;
  /** The invocation or error whose output is most like the question; null where none is. */
  readonly source: string | null;
}

/** What a question is like. */
export interface Likenesses {
  /**
   * Whether it is what a failing command printed: it names what failed, or some failing output is more like it than
   * any prompt.
   */
  readonly failure: boolean;
  readonly byAttempt: ReadonlyMap<string, Likeness>;
  /** The words that tell most of what an attempt has of the question, the most telling first; looked for when asked. */
  wordsOf(attempt: string): readonly string[];
}

/** The attempts whose texts have a word of the question, and how alike they are. */
export function likenessesTo(index: AttemptIndex, query: string): Likenesses {
  const asPrompt = promptWords(index, query);
  const asFailure = failureWords(index, query);
  const told = byOwner(index.told.search(asPrompt));
  const failures = byOwner(index.failures.search(asFailure));
  const named = failingNames(query);
  const failure = named.size > 0 || best(failures) > best(told);
  // What failed by name says more than the words of an error, which many failures share.
  const fingerprints = failure && named.size === 0 ? fingerprintsOf(query) : new Set<string>();

  const byAttempt = new Map<string, Likeness>();
  for (const id of new Set([...told.keys(), ...failures.keys()])) {
    const known = index.of(id);
    const [prompt, output] = [told.get(id), failures.get(id)];
    const text = Math.max(prompt?.score ?? 0, output?.score ?? 0);
    const sameError = [...fingerprints].some((print) => known?.fingerprints.has(print));
    const score =
      named.size > 0
        ? mixed(text, overlap(index, named, known?.failing ?? NOTHING), NAMES_SHARE)
        : mixed(text, 1, sameError ? ERROR_SHARE : 0);
    byAttempt.set(id, {
      score,
      failing: [...named].filter((name) => known?.failing.has(name)),
      sameError,
      source: (output && known?.sources[output.part]) ?? null,
    });
  }
  const wordsOf = (id: string) => {
    const [prompt, output] = [told.get(id), failures.get(id)];
    if (output && output.score >= (prompt?.score ?? 0))
      return index.failures.telling(asFailure, output, MOST_WORDS);
    return prompt ? index.told.telling(asPrompt, prompt, MOST_WORDS) : [];
  };
  return { failure, byAttempt, wordsOf };
}

function mixed(text: number, other: number, share: number): number {
  return (1 - share) * text + share * other;
}

function promptWords({ words }: AttemptIndex, query: string): WordQuery {
  const [first = ''] = query.split('\n', 1);
  return new Map([
    ...words.of(query).map((word) => [word, 1] as const),
    ...words.of(first).map((word) => [word, FIRST_LINE] as const),
  ]);
}

function failureWords({ words }: AttemptIndex, query: string): WordQuery {
  const { telling, rest } = failureText(query);
  return new Map([
    ...words.of(rest).map((word) => [word, 1] as const),
    ...words.of(telling).map((word) => [word, TELLING_LINE] as const),
  ]);
}

function fingerprintsOf(query: string): ReadonlySet<string> {
  const { telling } = failureText(query);
  const lines = telling.split('\n').slice(0, FINGERPRINTED_LINES);
  return new Set([query, ...lines].flatMap((line) => fingerprintOf(line) ?? []));
}

/**
 * How much of what failed is the same, by rarity: the overlap coefficient (Szymkiewicz and Simpson), since either
 * side may show only a part of its run (a cut output, a run that stops at the first failure).
 */
function overlap(index: AttemptIndex, asked: ReadonlySet<string>, known: ReadonlySet<string>): number {
  const worth = (names: Iterable<string>) => {
    let sum = 0;
    for (const name of names) sum += rarity(index.size, index.timesFailed(name));
    return sum;
  };
  const smaller = Math.min(worth(asked), worth(known));
  return smaller > 0 ? worth([...asked].filter((name) => known.has(name))) / smaller : 0;
}

function byOwner(hits: readonly Hit[]): ReadonlyMap<string, Hit> {
  return new Map(hits.map((hit) => [hit.owner, hit]));
}

function best(hits: ReadonlyMap<string, Hit>): number {
  let most = 0;
  for (const { score } of hits.values()) most = Math.max(most, score);
  return most;
}

const NOTHING: ReadonlySet<string> = new Set();
