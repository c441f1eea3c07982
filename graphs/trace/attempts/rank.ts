import {
  failureTerms,
  isDistinctive,
  namedTests,
  parseFailure,
  reasonKey,
  scopeOf,
  similarity,
  type TestTerm,
  type TestWorth,
} from '../../../failures/index.js';
import { compareText, type ReadContext } from '../../../runtime/index.js';
import {
  rarity,
  type Scores,
  type SemanticHits,
  type WordQuery,
  withSemantic,
} from '../../../search/index.js';
import {
  type AttemptContext,
  AttemptStore,
  attemptOfFailure,
  failureId,
  type KnownAttempt,
  link,
  originsOf,
  type RecordedFailure,
} from './store.js';

/*
 * A question is a task's prompt or what a failing command printed. Indexes give the few hundred attempts that
 * may be answers. What every part of a score is worth: docs/internals/ranking.md.
 */

/**
 * What the parts of the score of a prompt weigh, the best text counting 1. `namesSaid`: that a question has all
 * words of a name, next to the name that most of the best attempts worked on; `firstLine`: words of the first
 * line of a prompt, which says what is wanted.
 */
export const PARTS = { files: 1, names: 2, namesSaid: 1.5, links: 1, firstLine: 1.5 };

const MOST_FOUND = 200;
const MOST_COMPARED = 48;
const SEEDS = 20;
const MOST_LINKS = 64;
/** Repeated attempts that leave room for others, and attempts that may stand in for some that share nothing rare. */
const MOST_REPEATS = 30;
const SPARE = 5;
/** Failures that share neither a test nor a message are similar from this score on. */
const LEAST = 0.1;
/** What the failures that are equal score at least; the rest is their similarity. */
const EQUAL = 0.3;
/** What the words of all that was printed count: they tell apart what failed in the same tests. */
const TEXT = 0.15;
const MOST_WORDS = 6;
/** A word that at most this share of the attempts has is rare, and so is one that at most so many have. */
const RARE = { share: 0.25, count: 10 };
/** Words that any task may have: in a small store rarity does not tell them. */
const EVERYDAY =
  'add bug cannot change check code error fail file fix get js let make new pass project py run set show src test ts update use work';
/** What a prompt must share of other words and files, if not so many: their rarity. It is little where few attempts are. */
const ENOUGH = { things: 3, rarity: 2.3 };
/** The command of a question: `$ npm test`, or as Qwen and Gemini report it. */
const COMMAND = /^(?:\$|Command:) (.+)$/mu;

/** How sure it is that an attempt is similar: `high`, `medium`, or `low` for what may be unrelated. */
export const CONFIDENCES = ['high', 'medium', 'low'] as const;
type Confidence = (typeof CONFIDENCES)[number];
/** Logistic regression, by `node bench/attempts.mjs fit`: docs/internals/ranking.md says on what it was fitted and tested. */
const PROMPT = { base: -6.78, gap: 1.22, rareness: 1.32, covered: 7.53 };
const LARGEST_GAP = 4;
/** Probabilities, and scores of failures, from which confidence is medium and high. */
const FLOORS = { prompt: { medium: 0.4, high: 0.75 }, failure: { medium: 0.36, high: 0.65 } };

/** What is asked. */
export interface Question {
  readonly query: string;
  /** The question is what this command printed when it failed (null: unknown which); absent: the text shows. */
  readonly failed?: { readonly command: string | null };
  readonly files: readonly string[];
  /** Leave out attempts that touched none of the files. */
  readonly strict: boolean;
  readonly limit: number;
  /** What embeddings say of it. Default: nothing. */
  readonly semantic?: Pick<SemanticHits, 'hits'>;
  /** Whether attempts at one prompt are one answer. Default false. */
  readonly once?: boolean;
}

interface Found {
  readonly attempt: KnownAttempt;
  readonly score: number;
  /** The recorded failure that is similar to the question; null where only prompts, files or names are. */
  readonly failure: FailureMatch | null;
  /** Ids of other attempts that it stands for. */
  readonly again: string[];
}

/** An attempt that answers a question, and why. */
export interface Ranked extends Found {
  readonly confidence: Confidence;
  readonly evidence: Evidence;
  /** What it has in common with the question: files, names in these that the question has all words of, rare words. */
  readonly shared: Readonly<Record<'files' | 'symbols' | 'words', readonly string[]>>;
}

/** What the confidence in an attempt by its prompt rests on. */
interface Evidence {
  /** How far it is ahead of the next one at something else. */
  readonly gap: number;
  /** The rarity of all words and files that are shared, in units of a word that only one attempt has. */
  readonly rareness: number;
  /** The share of the question's words that the attempt has, from 0 to 1. */
  readonly covered: number;
  readonly isRare: boolean;
  /** Whether what they share is more than a few words that most tasks may have. */
  readonly isEnough: boolean;
}

/** A question as it is compared; `touched`: by file the attempts that touched it. */
interface Asked {
  readonly query: string;
  readonly words: WordQuery;
  readonly touched: ReadonlyMap<string, ReadonlySet<string>>;
}

/** The attempts that have most in common with a question, the most similar and surest first; open ones last; ties by time, then id. */
export async function rankAttempts(
  context: AttemptContext & Pick<ReadContext, 'projectRoot'>,
  { query, failed, files, strict, limit, once = false, semantic = { hits: [] } }: Question,
): Promise<Ranked[]> {
  const store = new AttemptStore(context);
  const command = failed?.command ?? COMMAND.exec(query)?.[1] ?? null;
  const parsed = parseFailure(query, { command, isShell: true, root: context.projectRoot });
  const isOutput =
    failed !== undefined || parsed.tool !== null || parsed.counts !== null || parsed.frames.length > 0;
  const terms = failureTerms(parsed, scopeOf(command));
  // A message over several lines is known as a whole.
  const exact = new Set([...terms.exact, reasonKey(query, true) ?? query]);
  const named = terms.tests.length > 0 ? [] : namedTests(query);
  const failures = await similarFailures(
    store,
    { ...terms, exact, query, origins: originsOf(parsed) },
    named,
  );
  const around = files.length === 0 && isOutput ? [...new Set(parsed.frames.map(({ file }) => file))] : files;
  const touched = new Map<string, ReadonlySet<string>>();
  for (const file of around) touched.set(file, new Set(await touching(store, file)));
  const plain = context.projectRoot === null ? query : query.replaceAll(context.projectRoot, ' ');
  const asked = { query, words: wordsOf(store, plain), touched };
  const isFailure = failed !== undefined || (isOutput && failures.size > 0);
  const scores = isFailure ? new Map<string, number>() : await promptScores(store, asked, semantic);
  for (const [id, { score }] of failures) scores.set(id, Math.max(score, scores.get(id) ?? 0));
  if (strict && files.length > 0)
    for (const id of scores.keys()) if (!files.some((file) => touched.get(file)?.has(id))) scores.delete(id);
  const found = [...(await store.attempts([...scores.keys()])).values()].map((attempt): Found => {
    const { id } = attempt;
    return { attempt, score: scores.get(id) ?? 0, failure: failures.get(id) ?? null, again: [] };
  });
  const some = found.sort(byRank).slice(0, limit + MOST_REPEATS);
  const open = found.flatMap(({ attempt }) => (attempt.open ? [attempt.id] : [])).slice(0, SPARE);
  const different = (once ? withoutRepeats(some) : some).slice(0, limit + SPARE);
  const ranked = await withEvidence(store, different, { ...asked, open });
  const byMeaning = new Set(semantic.hits.map(({ id }) => id));
  const similar = ranked.filter((one) => isSimilar(one) || byMeaning.has(one.attempt.id)).slice(0, limit);
  // None is surer than those before it. To sort by confidence costs 3 % of nDCG: it leaves out files and names.
  let least = 0;
  return similar.map((one) => {
    least = Math.max(least, CONFIDENCES.indexOf(one.confidence));
    return { ...one, confidence: CONFIDENCES[least] ?? 'low' };
  });
}

/** An attempt that goes on may be the one that asks: it knows no outcome yet, and must not crowd out others. */
function byRank(a: Found, b: Found): number {
  const isOpen = Number(a.attempt.open) - Number(b.attempt.open);
  return isOpen || b.score - a.score || latestFirst(a.attempt, b.attempt);
}

function latestFirst(a: KnownAttempt, b: KnownAttempt): number {
  return compareText(b.created_at, a.created_at) || compareText(a.id, b.id);
}

/** Attempts at one prompt with the same files and the same failure as one, with the ids of the others. */
function withoutRepeats(ranked: readonly Found[]): Found[] {
  const firsts = new Map<string, Found>();
  for (const one of ranked) {
    const { id, open, same } = one.attempt;
    const how = [same, one.failure?.same, [...(one.failure?.tests ?? [])].sort()];
    const key = same === null || open ? id : JSON.stringify(how);
    const first = firsts.get(key);
    if (first) first.again.push(id);
    else firsts.set(key, one);
  }
  return [...firsts.values()];
}

/** Whether an attempt shares more with the question than what many have. */
function isSimilar({ failure, shared, evidence }: Ranked): boolean {
  if (failure && (failure.score >= LEAST || failure.tests.length + failure.reasons.length > 0)) return true;
  return shared.files.length > 0 || evidence.isRare;
}

/** @param asked.open Attempts that go on: one of them may be the question itself, and makes no word less rare. */
async function withEvidence(
  store: AttemptStore,
  found: readonly Found[],
  { query, words, touched, open }: Asked & { readonly open: readonly string[] },
): Promise<Ranked[]> {
  const files = [...touched.keys()];
  const said = await store.texts.documents([...open, ...found.map(({ attempt }) => attempt.id)]);
  const size = await store.texts.size();
  const having = await store.texts.frequencies(words.keys());
  const touching = await store.links.frequencies(files.map(link.file));
  const count = (word: string) =>
    (having.get(word) ?? 0) - open.filter((id) => said.get(id)?.words.has(word)).length;
  const isRare = (word: string) => count(word) <= Math.max(RARE.count, RARE.share * size);
  const rarest = rarity(size, Math.min(size, 1));
  const raritiesOf = (some: readonly number[]) =>
    some.reduce((all, one) => all + rarity(size, Math.min(size, one)), 0);
  const everyday = new Set(store.words.of(EVERYDAY));
  // Words lose their endings in the index.
  const spelled = query.match(/\p{Lu}?\p{Ll}+|\p{Lu}+/gu)?.map((one) => one.toLowerCase()) ?? [];
  return found.map((one) => {
    const { attempt } = one;
    const own = [...words.keys()].filter((word) => said.get(attempt.id)?.words.has(word));
    own.sort((a, b) => count(a) - count(b) || compareText(a, b));
    const both = files.filter((file) => touched.get(file)?.has(attempt.id));
    const named = namesIn(attempt, files).filter((name) => shareSaid(store, name, words) === 1);
    const ofFiles = both.map((file) => touching.get(link.file(file)) ?? 0);
    const special = own.filter((word) => !everyday.has(word));
    const things = [...special.map(count), ...ofFiles];
    const evidence = {
      gap: gapOf(one, found),
      rareness: raritiesOf([...own.map(count), ...ofFiles]) / rarest,
      covered: own.length / (words.size || 1),
      isRare: own.some(isRare),
      isEnough: things.length >= ENOUGH.things || raritiesOf(things) >= ENOUGH.rarity,
    };
    const rare = special.filter((word) => isRare(word) && count(word) <= Math.max(1, size / 2));
    const asSpelled = (word: string) => spelled.find((one) => store.words.of(one).includes(word)) ?? word;
    const shared = {
      files: both,
      symbols: named.map((name) => name.slice(name.indexOf('\n') + 1)),
      words: rare.slice(0, MOST_WORDS).map(asSpelled),
    };
    return { ...one, shared, evidence, confidence: confidenceOf(one, evidence) };
  });
}

function gapOf({ attempt, score }: Found, found: readonly Found[]): number {
  const next = found.find(
    ({ attempt: { id, open, same } }) =>
      id !== attempt.id && open === attempt.open && (same === null || same !== attempt.same),
  );
  return next && next.score > 0 ? Math.min(score / next.score, LARGEST_GAP) : LARGEST_GAP;
}

function confidenceOf({ score, failure }: Found, { gap, rareness, covered, isEnough }: Evidence): Confidence {
  if (failure && failure.score === score) {
    const level = levelOf(score, FLOORS.failure);
    if (failure.differs && level === 'high') return 'medium';
    return level === 'low' && failure.same ? 'medium' : level;
  }
  if (!isEnough) return 'low';
  const logit =
    PROMPT.base + PROMPT.gap * Math.log(gap) + PROMPT.rareness * rareness + PROMPT.covered * covered;
  return levelOf(1 / (1 + Math.exp(-logit)), FLOORS.prompt);
}

function levelOf(sure: number, { medium, high }: typeof FLOORS.prompt): Confidence {
  return sure >= high ? 'high' : sure >= medium ? 'medium' : 'low';
}

type AskedFailure = Omit<RecordedFailure, 'source'> & { readonly query: string };

/** How a recorded failure matches the one that is asked for. */
type FailureMatch = NonNullable<ReturnType<typeof matchOf>>;

/**
 * By attempt the recorded failure that is most similar to the one that is asked for.
 *
 * @param named Tests that the question names in words: they count where they failed with the error that it names.
 */
async function similarFailures(
  store: AttemptStore,
  asked: AskedFailure,
  named: readonly TestTerm[],
): Promise<Map<string, FailureMatch>> {
  const query = (some: readonly string[]) => new Map(some.map((one) => [one, 1]));
  const links = query([...link.failed(asked), ...link.failed({ tests: named, reasons: new Set() })]);
  const linked = await store.links.search(links, { limit: MOST_COMPARED, weights: { failed: 1 } });
  const words = query(store.words.of(asked.query));
  const worded = await store.failures.search(words, { limit: MOST_FOUND });
  const ids = [...linked.map(({ id }) => id), ...worded.map(({ id }) => attemptOfFailure(id))];
  const known = await store.failuresOf([...new Set(ids)].slice(0, MOST_COMPARED));
  const all = [...known].flatMap(([id, some]) => some.map((_, at) => failureId(id, at)));
  const said = await store.failures.scores(words, all);
  const attempts = await store.links.size();
  const having = await store.links.frequencies([asked, ...[...known.values()].flat()].flatMap(link.failed));
  const worth = (name: string) => rarity(attempts, Math.min(attempts, having.get(link.test(name)) ?? 0));
  const matches = new Map<string, FailureMatch>();
  for (const [id, failures] of known)
    for (const [at, failure] of failures.entries()) {
      const tests = named.filter((test) => failure.tests.some((one) => isNamed(one, test)));
      const own = tests.length > 0 ? { ...asked, tests } : asked;
      const match = matchOf(own, failure, worth, said.get(failureId(id, at)) ?? 0);
      if (match && match.score > (matches.get(id)?.score ?? 0)) matches.set(id, match);
    }
  return matches;
}

function isNamed(failed: TestTerm, { leaf, kind }: TestTerm): boolean {
  return failed.kind === kind && [failed.name, failed.whole, failed.leaf].includes(leaf);
}

function matchOf(asked: AskedFailure, known: RecordedFailure, worth: TestWorth, said: number) {
  const similar = similarity(asked, known, worth, said);
  if (!similar) return null;
  const { score, tests, sameTests, reasons } = similar;
  const isElsewhere = tests.length === 0 && contradict(asked.origins, known.origins);
  const exact = [...asked.exact].filter((message) => known.exact.has(message));
  // An assertion says little but its values: where anything else failed, too, they are a coincidence.
  const isOfOne = sameTests.length === asked.tests.length || known.tests.length === 0;
  const isSaid = exact.some((message) => isDistinctive(message) || (isOfOne && /[\d'"`]/u.test(message)));
  const same = !isElsewhere && (isSaid || (tests.length > 0 && reasons.some(isDistinctive)));
  return {
    score: (1 - TEXT) * (same ? EQUAL + (1 - EQUAL) * score : score) + TEXT * said,
    /** Whether it is the same failure: a test that failed for the same reason, or the same message from the same code. */
    same,
    /** Whether neither a test nor a message with its values is the same. */
    differs: tests.length + exact.length === 0 && asked.exact.size > 0,
    source: known.source,
    /** Tests that failed in both; those that failed for the same reason first. */
    tests: [...new Set([...sameTests, ...tests])].map((test) => test.said),
    reasons,
  };
}

/** Whether two failures arose in different files, as far as both say; one may be named from a folder further in. */
function contradict(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  const isOne = (x: string, y: string) => `/${x}`.endsWith(`/${y}`) || `/${y}`.endsWith(`/${x}`);
  return a.size > 0 && b.size > 0 && ![...a].some((file) => [...b].some((other) => isOne(file, other)));
}

/** Attempts by their texts, by the files that are asked for, and by what the best of these lead to: from 0 to 1. */
async function promptScores(
  store: AttemptStore,
  asked: Asked,
  semantic: Pick<SemanticHits, 'hits'>,
): Promise<Map<string, number>> {
  const found = await store.texts.search(asked.words, { limit: MOST_FOUND });
  const text = withSemantic(new Map(found.map(({ id, score }) => [id, score])), semantic);
  const top = Math.max(0, ...text.values()) || 1;
  const scores = new Map(text);
  const add = (more: Scores, weight: number): void => {
    const largest = Math.max(0, ...more.values());
    for (const [id, score] of largest > 0 ? more : [])
      scores.set(id, (scores.get(id) ?? 0) + (weight * top * score) / largest);
  };
  if (asked.touched.size > 0) {
    add(await scoresByFiles(store, asked), PARTS.files);
    add(await scoresByNames(store, asked, text), PARTS.names);
  }
  add(await scoresByMatches(store, scores), PARTS.links);
  const whole = 1 + PARTS.files + PARTS.names + PARTS.links;
  return new Map([...scores].map(([id, score]) => [id, score / whole]));
}

function wordsOf({ words }: AttemptStore, query: string): WordQuery {
  const [first = ''] = query.split('\n', 1);
  return new Map([
    ...words.of(query).map((word) => [word, 1] as const),
    ...words.of(first).map((word) => [word, PARTS.firstLine] as const),
  ]);
}

/** The attempts that touched a file; where very many did, those that touched the fewest files, and the latest. */
async function touching({ links }: AttemptStore, file: string): Promise<string[]> {
  const found = await links.search(new Map([[link.file(file), 1]]), { limit: MOST_FOUND });
  return found.map(({ id }) => id);
}

/** The attempts that touched a file, the latest first; ties by id. Of a file that very many touched not all old ones. */
export async function latestAtFile(path: string, context: AttemptContext): Promise<KnownAttempt[]> {
  const store = new AttemptStore(context);
  return [...(await store.attempts(await touching(store, path))).values()].sort(latestFirst);
}

async function scoresByFiles({ links }: AttemptStore, { touched }: Asked): Promise<Scores> {
  const size = await links.size();
  const having = await links.frequencies([...touched.keys()].map(link.file));
  const scores = new Map<string, number>();
  for (const [file, ids] of touched) {
    const worth = rarity(size, having.get(link.file(file)) ?? 0);
    for (const id of ids) scores.set(id, (scores.get(id) ?? 0) + worth);
  }
  return scores;
}

/**
 * Attempts at some files by the names in these that they worked on. A name counts by how surely it is intended
 * (the most similar attempts there used it, or the question has its words) and by its rarity, as a share of
 * the attempt's names.
 */
async function scoresByNames(store: AttemptStore, { touched, words }: Asked, text: Scores): Promise<Scores> {
  const there = await store.attempts([...new Set([...touched.values()].flatMap((ids) => [...ids]))]);
  const namesBy = new Map([...there].map(([id, one]) => [id, namesIn(one, [...touched.keys()])]));
  const having = new Map<string, number>();
  const intended = new Map<string, number>();
  for (const [id, names] of namesBy)
    for (const name of names) {
      having.set(name, (having.get(name) ?? 0) + 1);
      intended.set(name, (intended.get(name) ?? 0) + (text.get(id) ?? 0) ** 3 / Math.sqrt(names.length));
    }
  const most = Math.max(0, ...intended.values()) || 1;
  const size = await store.links.size();
  const weights = new Map<string, number>();
  for (const [name, sum] of intended) {
    const worth = sum / most + PARTS.namesSaid * shareSaid(store, name, words);
    weights.set(name, worth * rarity(size, having.get(name) ?? 0));
  }
  const scores = new Map<string, number>();
  for (const [id, names] of namesBy) {
    const sum = names.reduce((worth, name) => worth + (weights.get(name) ?? 0), 0);
    const own = there.get(id);
    scores.set(id, sum / (1 + (own ? namesIn(own, Object.keys(own.names)).length : 0)));
  }
  return scores;
}

/** The names in some files that an attempt worked on, each behind its file and a line break. */
function namesIn({ names }: KnownAttempt, files: readonly string[]): string[] {
  return files.flatMap((file) => names[file]?.split('\n').map((name) => `${file}\n${name}`) ?? []);
}

function shareSaid(store: AttemptStore, name: string, words: WordQuery): number {
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
  return new Map(found.map(({ id, score }) => [id, score]));
}

function bestOf(scores: Scores, most: number): [key: string, score: number][] {
  return [...scores].sort(([a, x], [b, y]) => y - x || compareText(a, b)).slice(0, most);
}
