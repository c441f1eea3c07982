import { compareText, type ReadContext } from '../../runtime/index.js';
import {
  rarity,
  readIndex,
  type SemanticHits,
  type TextIndexReader,
  withSemantic,
} from '../../search/index.js';
import {
  byImportance,
  firstMemories,
  type MemoryFilter,
  MOST_TRIED,
  noneRelated,
  passing,
  type SelectLook,
  selectedIds,
  TRIED_NOTE,
} from './select.js';
import { rankedByStanding, type ScoredMemory } from './standing.js';
import {
  MEMORY_TEXT,
  type MemoryField,
  type MemoryRef,
  pathWord,
  type QueryWords,
  queryWords,
  type TextQuery,
} from './text.js';

/** What a search reads. */
export type SearchLook = SelectLook &
  Pick<ReadContext, 'blobs' | 'blobsUnder' | 'kept' | 'version' | 'entryEdges'>;

/** What a search found, the best first, and what its answer has to say about it. */
export interface FoundMemories {
  readonly hits: readonly ScoredMemory[];
  readonly notes: readonly string[];
}

/** Where fewer memories have a word, or there are fewer memories, parts of words are searched too. */
const [FEW, SMALL_STORE] = [5, 50];

/** The memories that a query fits best, of those that pass a filter, ranked by {@link rankedByStanding}. */
export async function searchMemories(
  context: SearchLook,
  query: TextQuery,
  filter: MemoryFilter,
  most: number,
): Promise<FoundMemories> {
  const { hits, notes } = await wordHits(context, query, filter, most);
  return { hits: (await rankedByStanding(context, hits, filter)).slice(0, most), notes };
}

/** Hits by whole words, and below them, where these find little, hits by parts of words. */
async function wordHits(
  context: SearchLook,
  query: TextQuery,
  filter: MemoryFilter,
  most: number,
): Promise<FoundMemories> {
  const index = readIndex(context, MEMORY_TEXT);
  const words = await queryWords(context, query);
  if (words.words.size === 0)
    return { hits: [], notes: ['The query has no word that tells memories apart.'] };
  const whole = await textHits(context, index, words, filter, most);
  if (whole.hits.length >= most || !(await mayNeedParts(index, query, words))) return whole;
  const wider = await queryWords(context, query, true);
  if (wider.words.size === words.words.size) return whole;
  const known = new Set(whole.hits.map(({ memory }) => memory.id));
  const below = whole.hits.at(-1)?.score ?? 1;
  const more = (await textHits(context, index, wider, filter, most)).hits
    .filter(({ memory }) => !known.has(memory.id))
    .map(({ memory, score }) => ({ memory, score: score * below }));
  return { hits: [...whole.hits, ...more].slice(0, most), notes: whole.notes };
}

/** Whether few memories have the words of a query, whatever a filter lets through, or there are few. */
async function mayNeedParts(
  index: TextIndexReader<MemoryField>,
  { mode }: TextQuery,
  { words }: QueryWords,
): Promise<boolean> {
  if ((await index.size()) < SMALL_STORE) return true;
  const counts = await index.frequencies(words.keys());
  const rare = [...words.keys()].filter((word) => (counts.get(word) ?? 0) < FEW);
  return mode === 'all' ? rare.length > 0 : rare.length === words.size;
}

/** Hits from which on the indexes of a filter select. */
const FIRST_HITS = 150;

/**
 * The memories that words fit best, of those that pass a filter: of the first hits, else of those that the filter's
 * indexes select. What has no index, text as it is typed and relations, is looked at in the first hits.
 */
async function textHits(
  context: SearchLook,
  index: TextIndexReader<MemoryField>,
  { words, required, fits }: QueryWords,
  filter: MemoryFilter,
  most: number,
): Promise<FoundMemories> {
  const counts = await index.frequencies(required.flat());
  const isMissing = required.some((any) => !any.some((word) => counts.has(word)));
  if (isMissing || (await noneRelated(context, filter))) return { hits: [], notes: [] };
  let within: Iterable<string> | null = null;
  for (let limit = 2 * most + FIRST_HITS, round = 0; ; limit *= 4, round++) {
    const found = await index.search(words, { limit, ...(within === null ? {} : { within }) });
    const scores = new Map(found.map(({ id, score }) => [id, score]));
    const hits = (await passing(context, [...scores.keys()], filter))
      .filter(fits)
      .map((memory) => ({ memory, score: scores.get(memory.id) ?? 0 }));
    const isMore = hits.length < most && found.length >= limit;
    if (isMore && limit < MOST_TRIED) {
      if (round === 0) within = await selectedIds(context, filter);
      continue;
    }
    const lifted = await liftedBySharedFiles(index, hits.sort(byScore));
    return { hits: lifted.sort(byScore).slice(0, most), notes: isMore ? [TRIED_NOTE] : [] };
  }
}

function byScore(a: ScoredMemory, b: ScoredMemory): number {
  return b.score - a.score || byImportance(a.memory, b.memory);
}

/** The best hits, whose files lift other hits, and the most that files add, as a part of the best hit's score. */
const [SEEDS, LIFT] = [30, 0.5];

/**
 * Lifts hits that name the files of the best hits: lessons of the same work are worth more than the same words elsewhere. A
 * file counts by its rarity among all memories, and less the more files a memory names. (Spreading activation: Crestani,
 * "Application of spreading activation techniques in information retrieval", 1997.) Scores stay from 0 to 1.
 */
async function liftedBySharedFiles(
  index: TextIndexReader<MemoryField>,
  hits: readonly ScoredMemory[],
): Promise<ScoredMemory[]> {
  const seeds = hits.slice(0, SEEDS);
  const best = hits[0]?.score ?? 0;
  const paths = [...new Set(seeds.flatMap(({ memory }) => memory.context_files_involved))];
  if (paths.length === 0 || best === 0) return [...hits];
  const [size, known] = [await index.size(), await index.frequencies(paths.map(pathWord))];
  const worth = new Map(paths.map((path) => [path, rarity(size, known.get(pathWord(path)) ?? 0)]));
  const sumOf = (files: readonly string[], of: ReadonlyMap<string, number>) =>
    files.reduce((sum, path) => sum + (of.get(path) ?? 0), 0);
  const active = new Map<string, number>();
  for (const { memory, score } of seeds) {
    const files = memory.context_files_involved;
    const share = (score / best) ** 2 / (sumOf(files, worth) || 1);
    for (const path of files) active.set(path, (active.get(path) ?? 0) + share * (worth.get(path) ?? 0) ** 2);
  }
  const lifts = hits.map(
    ({ memory: { context_files_involved: files } }) => sumOf(files, active) / Math.sqrt(1 + files.length),
  );
  const most = lifts.reduce((high, lift) => Math.max(high, lift), 0) || 1;
  return hits.map(({ memory, score }, at) => ({
    memory,
    score: (score + (LIFT * best * (lifts[at] ?? 0)) / most) / (1 + LIFT),
  }));
}

const WEIGHTS = { importance: 0.4, recency: 0.3, confidence: 0.2, usage: 0.1 };
/** The most that evidence adds to the score of the words. */
const MOST_ADDED = 0.25;
const HALF_LIFE_MS = 90 * 24 * 60 * 60 * 1000;
const HALF_USED = 5;
/** Hits by words for each one wanted: evidence lifts none from further below. */
const DEEPER = 4;

/** What speaks for a memory apart from its words, each from 0 to 1; recency halves every 90 days, five readings are a half. */
export type RecallEvidence = Readonly<Record<keyof typeof WEIGHTS, number>>;

/** A recalled memory: its score, and what that is made of; `text` is null without a query. */
export interface Recalled extends ScoredMemory {
  readonly why: RecallEvidence & { readonly text: number | null };
}

/**
 * The memories that are worth knowing now, the best first. The score is
 * `text * (1 + 0.25 * (0.4 importance + 0.3 recency + 0.2 confidence + 0.1 usage))`, without a query the sum in the inner
 * brackets: evidence decides between memories that the words fit about equally.
 *
 * @param semantic What embeddings say; memories that they find have to pass the filter too.
 */
export async function recalledMemories(
  context: SearchLook & Pick<ReadContext, 'now'>,
  query: string,
  filter: MemoryFilter,
  most: number,
  semantic: SemanticHits,
): Promise<{ readonly recalled: readonly Recalled[]; readonly notes: readonly string[] }> {
  const now = context.now();
  if (query === '') {
    const { memories } = await firstMemories(context, filter, DEEPER * most);
    const hits = memories.map((memory) => ({ memory, score: scoreOf(evidenceOf(memory, now)) }));
    const ranked = await rankedByStanding(context, hits, filter);
    const why = (memory: MemoryRef) => ({ text: null, ...evidenceOf(memory, now) });
    return { recalled: ranked.map((one) => ({ ...one, why: why(one.memory) })), notes: [] };
  }
  const asked: TextQuery = { things: [query], tolerance: 'normal', mode: 'any' };
  const { hits, notes } = await wordHits(context, asked, filter, DEEPER * most);
  const near = semantic.hits.map(({ id }) => id);
  const memories = new Map(hits.map(({ memory }) => [memory.id, memory]));
  for (const memory of await passing(context, near, filter)) memories.set(memory.id, memory);
  const byWords = new Map(hits.map(({ memory, score }) => [memory.id, score]));
  const byMeaning = { hits: semantic.hits.filter(({ id }) => memories.has(id)) };
  const joined = [...withSemantic(byWords, byMeaning)].flatMap(([id, score]) => {
    const memory = memories.get(id);
    return memory ? [{ memory, score }] : [];
  });
  const recalled = (await rankedByStanding(context, joined, filter)).map(({ memory, score: text }) => {
    const evidence = evidenceOf(memory, now);
    return { memory, score: text * (1 + MOST_ADDED * scoreOf(evidence)), why: { text, ...evidence } };
  });
  recalled.sort((a, b) => b.score - a.score || compareText(b.memory.id, a.memory.id));
  return { recalled, notes: [...notes, ...(semantic.note === null ? [] : [semantic.note])] };
}

function evidenceOf(memory: MemoryRef, now: number): RecallEvidence {
  const { importance, confidence, usage_count, updated_at } = memory;
  const age = Math.max(0, now - (Date.parse(updated_at) || 0));
  const usage = usage_count / (usage_count + HALF_USED);
  return { importance, recency: 2 ** (-age / HALF_LIFE_MS), confidence, usage };
}

function scoreOf(evidence: RecallEvidence): number {
  return Object.entries(WEIGHTS).reduce(
    (sum, [name, weight]) => sum + weight * evidence[name as keyof RecallEvidence],
    0,
  );
}
