import { z } from 'zod';
import { type Found, slips } from '../../present/index.js';
import { compareText, type ReadContext } from '../../runtime/index.js';
import { MEMORY_RELATION_PREFIX, Memory, type MemoryType } from '../../schema/index.js';
import { rarity, readIndex, semanticHits, withSemantic, wordsBeginning } from '../../search/index.js';
import { MEMORY_TEXT, type MemoryRef, pathWord, projectPaths, typeOf, wordsOf } from './content.js';
import { isGivenUp, relationHolds, relationsOf, type Standing, shareOf, standingsOf } from './relations.js';

/** How exactly words must match. `strict`: as typed, within words too; `normal`: other forms of a word too; `fuzzy`: misspelt too. */
export const TOLERANCES = ['strict', 'normal', 'fuzzy'] as const;

/** What is looked for. */
export interface MemoryQuery {
  /** Queries and terms, each on its own; none: whatever passes the filter. */
  readonly things: readonly string[];
  readonly tolerance: (typeof TOLERANCES)[number];
  /** `any`: one word of one thing is enough; `all`: every word of all things. */
  readonly mode: 'any' | 'all';
  readonly filter: MemoryFilter;
  /** The most memories that are wanted. */
  readonly most: number;
}

type Hits = Found<ScoredMemory>;

/**
 * The memories that a query fits best, of those that pass its filter, ranked by {@link rankedByStanding}; without words
 * the most important, which have no score.
 */
export async function searchMemories(
  context: ReadContext,
  query: MemoryQuery,
): Promise<Found<{ memory: MemoryRef; score: number | null }>> {
  const { things, filter, most } = query;
  if (things.length === 0) {
    const { memories, notes } = await firstMemories(context, filter, most);
    return { hits: memories.map((memory) => ({ memory, score: null })), notes };
  }
  const { hits, notes } = await wordHits(context, query);
  return { hits: (await rankedByStanding(context, hits, filter)).slice(0, most), notes };
}

const HALF_LIFE_MS = 90 * 24 * 60 * 60 * 1000;
const HALF_USED = 5;

const share = z.number();
/** What the score of a recalled memory is made of, each from 0 to 1; `text` is null without a query. */
export const RecallScore = z.object({
  text: share.nullable(),
  importance: share,
  /** It halves every 90 days. */
  recency: share,
  confidence: share,
  /** Five readings are a half. */
  usage: share,
});

/**
 * The memories that are worth knowing now, the best first. The score is
 * `text * (1 + 0.25 * (0.4 importance + 0.3 recency + 0.2 confidence + 0.1 usage))`, without a query the sum in the inner
 * brackets: evidence decides between memories that the words fit about equally.
 */
export async function recalledMemories(
  context: ReadContext,
  { query, filter, most }: { query: string; filter: MemoryFilter; most: number },
): Promise<Found<ScoredMemory & { readonly why: z.infer<typeof RecallScore> }>> {
  const now = context.now();
  const things = query === '' ? [] : [query];
  // Evidence lifts none from further below.
  const deep = { things, tolerance: 'normal', mode: 'any', filter, most: 4 * most } as const;
  const { hits, notes } = await (query === '' ? searchMemories : hitsByMeaning)(context, deep);
  const scored = hits.map(({ memory, score }) => ({ memory, score: score ?? evidenceOf(memory, now).sum }));
  const recalled = (await rankedByStanding(context, scored, filter)).map(({ memory, score }) => {
    const { sum, why } = evidenceOf(memory, now);
    if (query === '') return { memory, score, why: { text: null, ...why } };
    return { memory, score: score * (1 + 0.25 * sum), why: { text: score, ...why } };
  });
  return { hits: recalled.sort(byScore), notes };
}

/** What speaks for a memory apart from its words, and the weighted sum of it. */
function evidenceOf({ importance, confidence, usage_count, updated_at }: MemoryRef, now: number) {
  const age = Math.max(0, now - (Date.parse(updated_at) || 0));
  const recency = 2 ** (-age / HALF_LIFE_MS);
  const usage = usage_count / (usage_count + HALF_USED);
  const sum = 0.4 * importance + 0.3 * recency + 0.2 * confidence + 0.1 * usage;
  return { why: { importance, recency, confidence, usage }, sum };
}

/** Hits by words, joined with what embeddings find, which has to pass the filter too. */
async function hitsByMeaning(context: ReadContext, query: MemoryQuery): Promise<Hits> {
  const { hits, note } = await semanticHits(context, query.things.join('\n'), ['Memory'], query.most);
  const byWords = await wordHits(context, query);
  const ids = hits.map(({ id }) => id);
  const all = [...byWords.hits.map(({ memory }) => memory), ...(await passing(context, ids, query.filter))];
  const memories = new Map(all.map((one) => [one.id, one]));
  const scores = new Map(byWords.hits.map(({ memory, score }) => [memory.id, score]));
  const joined = withSemantic(scores, { hits: hits.filter(({ id }) => memories.has(id)) });
  return {
    hits: [...memories.values()].map((memory) => ({ memory, score: joined.get(memory.id) ?? 0 })),
    notes: note === null ? byWords.notes : [...byWords.notes, note],
  };
}

/** Where fewer memories have a word, or there are fewer memories, parts of words are searched too. */
const [FEW, SMALL_STORE] = [5, 50];

/** Hits by whole words, and below them, where these find little, hits by parts of words. */
async function wordHits(context: ReadContext, query: MemoryQuery): Promise<Hits> {
  const index = readIndex(context, MEMORY_TEXT);
  const words = [...wordsOf(query.things.join('\n')).keys()];
  if (words.length === 0) return { hits: [], notes: ['The query has no word that tells memories apart.'] };
  const counts = await index.frequencies(words);
  const unknown = query.tolerance === 'fuzzy' ? words.filter((word) => !counts.has(word)) : [];
  const misspelt = await similarWords(context, unknown, misspelling);
  const whole = await textHits(context, query, standIns(words, misspelt));
  const rare = words.filter((word) => (counts.get(word) ?? 0) < FEW);
  const isRare = query.mode === 'all' ? rare.length > 0 : rare.length === words.length;
  if (whole.hits.length >= query.most || !(isRare || (await index.size()) < SMALL_STORE)) return whole;
  const parts = await similarWords(context, words, partOfWord);
  if (parts.size === 0) return whole;
  const known = new Set(whole.hits.map(({ memory }) => memory.id));
  const below = whole.hits.at(-1)?.score ?? 1;
  const more = (await textHits(context, query, standIns(words, parts))).hits
    .filter(({ memory }) => !known.has(memory.id))
    .map(({ memory, score }) => ({ memory, score: score * below }));
  return { hits: [...whole.hits, ...more].slice(0, query.most), notes: whole.notes };
}

/** The weight of a word that is only similar to one of the query, how many it has, and how many words are looked at. */
const [SIMILAR, MOST_SIMILAR, MOST_COMPARED] = [0.5, 5, 100_000];
/** Shorter words are parts of too many others; a shorter word of the index inside a word of the query says too little. */
const [SHORTEST_PART, SHORTEST_INNER] = [3, 5];

/** Each word of a query, with the words of the index that stand for it: itself first. */
function standIns(words: readonly string[], similar: ReadonlyMap<string, readonly string[]>) {
  return words.map((word) => [word, ...(similar.get(word) ?? [])]);
}

/** The nearest words of the index for each word that has any. @param difference Null: two words are not similar. */
async function similarWords(
  context: ReadContext,
  wanted: readonly string[],
  difference: (word: string, known: string) => number | null,
): Promise<Map<string, string[]>> {
  const similar = new Map<string, Map<string, number>>();
  const words = wanted.filter((word) => word.length >= SHORTEST_PART);
  let compared = 0;
  for await (const known of words.length > 0 ? wordsBeginning(context, MEMORY_TEXT, '') : []) {
    for (const word of words) {
      const far = known === word || known.startsWith(pathWord('')) ? null : difference(word, known);
      if (far !== null) similar.set(word, (similar.get(word) ?? new Map()).set(known, far));
    }
    if (++compared === MOST_COMPARED) break;
  }
  const nearest = (far: ReadonlyMap<string, number>) =>
    [...far].sort(([a, x], [b, y]) => x - y || compareText(a, b)).map(([word]) => word);
  return new Map([...similar].map(([word, far]) => [word, nearest(far).slice(0, MOST_SIMILAR)]));
}

function partOfWord(word: string, known: string): number | null {
  const isPart = known.includes(word) || (known.length >= SHORTEST_INNER && word.includes(known));
  return isPart ? Math.abs(known.length - word.length) : null;
}

/**
 * Slips between two words with the same first letter: few slips are there (Pollock and Zamora, "Automatic spelling
 * correction in scientific and scholarly text", 1984).
 */
function misspelling(word: string, known: string): number | null {
  const allowed = word.length < 4 ? 0 : word.length < 8 ? 1 : 2;
  if (Math.abs(known.length - word.length) > allowed || known[0] !== word[0]) return null;
  const far = slips(word, known);
  return far <= allowed ? far : null;
}

/** Hits from which on the indexes of a filter select. */
const FIRST_HITS = 150;

/**
 * The memories that words fit best, of those that pass a filter: of the first hits, else of those that the filter's
 * indexes select. What has no index, text as it is typed and relations, is looked at in the first hits.
 *
 * @param words As {@link standIns} gives them.
 */
async function textHits(
  context: ReadContext,
  query: MemoryQuery,
  words: readonly (readonly string[])[],
): Promise<Hits> {
  const { filter, most } = query;
  const index = readIndex(context, MEMORY_TEXT);
  // What is typed may begin and end within a word.
  const required = query.mode === 'all' && query.tolerance !== 'strict' ? words : [];
  const counts = await index.frequencies(required.flat());
  const isMissing = required.some((any) => !any.some((word) => counts.has(word)));
  if (isMissing || (await noneRelated(context, filter))) return { hits: [], notes: [] };
  const weights = new Map(words.flatMap(([, ...similar]) => similar.map((word) => [word, SIMILAR])));
  for (const [word = ''] of words) weights.set(word, 1);
  let within: ReadonlySet<string> | null = null;
  for (let limit = 2 * most + FIRST_HITS, round = 0; ; limit *= 4, round++) {
    const found = await index.search(weights, { limit, ...(within === null ? {} : { within }) });
    const scores = new Map(found.map(({ id, score }) => [id, score]));
    const hits = (await passing(context, [...scores.keys()], filter))
      .filter((memory) => fits(memory, query, required))
      .map((memory) => ({ memory, score: scores.get(memory.id) ?? 0 }));
    const isMore = hits.length < most && found.length >= limit;
    if (isMore && limit < MOST_TRIED) {
      if (round === 0) within = await selectedIds(context, filter);
      continue;
    }
    const lifted = await liftedBySharedFiles(context, hits.sort(byScore));
    return { hits: lifted.sort(byScore).slice(0, most), notes: isMore ? [TRIED_NOTE] : [] };
  }
}

/** Whether a memory that has some of a query's words fits all of it. */
function fits(memory: MemoryRef, query: MemoryQuery, required: readonly (readonly string[])[]): boolean {
  if (query.tolerance !== 'strict' && required.length === 0) return true;
  const { title, summary, content, tags, context_files_involved: files } = memory;
  const text = [title, summary ?? '', content, ...tags, ...files].join('\n');
  if (query.tolerance !== 'strict') {
    const own = wordsOf(text);
    return required.every((any) => any.some((word) => own.has(word)));
  }
  const folded = (one: string) => one.toLowerCase().replace(/\s+/gu, ' ');
  const has = (thing: string) => folded(text).includes(folded(thing));
  return query.mode === 'all' ? query.things.every(has) : query.things.some(has);
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
  context: ReadContext,
  hits: readonly ScoredMemory[],
): Promise<ScoredMemory[]> {
  const seeds = hits.slice(0, SEEDS);
  const best = hits[0]?.score ?? 0;
  const paths = [...new Set(seeds.flatMap(({ memory }) => memory.context_files_involved))];
  if (paths.length === 0 || best === 0) return [...hits];
  const index = readIndex(context, MEMORY_TEXT);
  const [size, known] = [await index.size(), await index.frequencies(paths.map(pathWord))];
  const worth = new Map(paths.map((path) => [path, rarity(size, known.get(pathWord(path)) ?? 0)]));
  const sumOf = ({ context_files_involved: files }: MemoryRef, of: ReadonlyMap<string, number>) =>
    files.reduce((sum, path) => sum + (of.get(path) ?? 0), 0);
  const active = new Map<string, number>();
  for (const { memory, score } of seeds) {
    const part = (score / best) ** 2 / (sumOf(memory, worth) || 1);
    for (const path of memory.context_files_involved)
      active.set(path, (active.get(path) ?? 0) + part * (worth.get(path) ?? 0) ** 2);
  }
  const lifts = hits.map(
    ({ memory }) => sumOf(memory, active) / Math.sqrt(1 + memory.context_files_involved.length),
  );
  const most = lifts.reduce((high, lift) => Math.max(high, lift), 0) || 1;
  return hits.map(({ memory, score }, at) => ({
    memory,
    score: (score + (LIFT * best * (lifts[at] ?? 0)) / most) / (1 + LIFT),
  }));
}

/** Which memories are wanted: any of each list; an empty list lets all through. */
export interface MemoryFilter {
  readonly types: readonly MemoryType[];
  /** In lower case. */
  readonly tags: readonly string[];
  readonly projects: readonly string[];
  /** 0: any. */
  readonly minImportance: number;
  /** Relations that a memory has, in either direction: asserted, not only proposed. */
  readonly relations: readonly string[];
}

interface FilterInput {
  readonly memory_types?: readonly string[];
  readonly tags?: readonly string[];
  readonly project_path?: string | undefined;
  readonly min_importance?: number | undefined;
  readonly relationship_filter?: readonly string[];
}

/** The filter of a caller's input; of none, one that lets every memory through. */
export async function filterOf(context: ReadContext, input: FilterInput = {}): Promise<MemoryFilter> {
  const { memory_types = [], tags = [], project_path: path, relationship_filter: relations = [] } = input;
  const projects = path === undefined ? [] : await projectPaths(context, path);
  const types = memory_types.map(typeOf);
  return { types, tags, projects, minImportance: input.min_importance ?? 0, relations };
}

/** Memories that are read in the first step, and so few that no further index has to select. */
const [STEP, NARROW] = [400, 1000];
/** Memories whose relations are looked at: no index selects by these. */
const MOST_TRIED = 10_000;
const TRIED_NOTE = `Of more than ${MOST_TRIED} memories that may fit the first were looked at: name types, tags or words.`;

/** The order of S4-27: importance, then the latest; ties by the later id. */
export function byImportance(a: MemoryRef, b: MemoryRef): number {
  return b.importance - a.importance || compareText(b.created_at, a.created_at) || compareText(b.id, a.id);
}

/** Before `decision` was a type of its own, it was a solution with that tag. */
function isOf({ type, tags }: MemoryRef, wanted: MemoryType): boolean {
  return type === wanted || (wanted === 'decision' && type === 'solution' && tags.includes('decision'));
}

/** Whether no memory has any of the wanted relations: nothing has to be looked at. */
async function noneRelated({ counts }: ReadContext, { relations }: MemoryFilter): Promise<boolean> {
  if (relations.length === 0) return false;
  const { edges } = await counts();
  return relations.every((name) => (edges.get(MEMORY_RELATION_PREFIX + name) ?? 0) === 0);
}

/** Those of the memories that pass, in their order. */
export async function passing(
  context: Pick<ReadContext, 'nodesOf' | 'entries' | 'entryEdges'>,
  ids: readonly string[],
  { types, tags, projects, minImportance, relations }: MemoryFilter,
): Promise<MemoryRef[]> {
  const found = (await context.nodesOf(Memory, ids)).filter(
    (memory) =>
      !memory.gone &&
      (types.length === 0 || types.some((one) => isOf(memory, one))) &&
      (tags.length === 0 || memory.tags.some((tag) => tags.includes(tag))) &&
      (projects.length === 0 || projects.includes(memory.context_project_path ?? '')) &&
      memory.importance >= minImportance,
  );
  if (relations.length === 0) return found;
  const foundIds = found.map(({ id }) => id);
  const known = (await relationsOf(context, foundIds, relations)).flat();
  const related = new Set(known.flatMap(({ from, to, props }) => (props.proposed ? [] : [from, to])));
  return found.filter(({ id }) => related.has(id));
}

/**
 * The ids that the indexes of a filter let through, until these are few: no memory is read. They may hold some that do not
 * pass. Null where the filter has no index.
 */
async function selectedIds(
  { lookUp }: ReadContext,
  { types, tags, projects, minImportance: gte }: MemoryFilter,
): Promise<ReadonlySet<string> | null> {
  const stored = types.flatMap((type) => (type === 'decision' ? [type, 'solution'] : [type]));
  const anyOf = (index: string, values: readonly string[]) =>
    [...new Set(values)].map((equals) => lookUp(Memory, index, { equals }));
  // What usually lets fewest through comes first.
  const parts = [
    anyOf('type', stored),
    anyOf('tags[]', tags),
    anyOf('context_project_path', projects),
    gte > 0 ? [lookUp(Memory, 'importance+created_at', { gte })] : [],
  ];
  let selected: ReadonlySet<string> | null = null;
  for (const ranges of parts.filter(({ length }) => length > 0)) {
    const within: ReadonlySet<string> | null = selected;
    const found = new Set<string>();
    for (const range of ranges)
      for await (const ids of range) for (const id of ids) if (within?.has(id) ?? true) found.add(id);
    selected = found;
    if (found.size <= NARROW) break;
  }
  return selected;
}

/**
 * The first memories that pass, in the order of {@link byImportance}: from the start of that order where many pass, else
 * those that the indexes select. The notes say where not all were looked at.
 */
export async function firstMemories(
  context: ReadContext,
  filter: MemoryFilter,
  most: number,
): Promise<{ readonly memories: readonly MemoryRef[]; readonly notes: readonly string[] }> {
  const memories: MemoryRef[] = [];
  if (await noneRelated(context, filter)) return { memories, notes: [] };
  const mostTried = filter.relations.length > 0 ? MOST_TRIED : Number.POSITIVE_INFINITY;
  const order = { reverse: true, gte: filter.minImportance };
  let read = 0;
  for await (const ids of context.lookUp(Memory, 'importance+created_at', order)) {
    for (let at = 0; at < ids.length && memories.length < most; at += STEP)
      memories.push(...(await passing(context, ids.slice(at, at + STEP), filter)));
    read += ids.length;
    if (memories.length >= most) break;
    const selected = await selectedIds(context, filter);
    if (selected) {
      const tried = [...selected].slice(0, mostTried);
      const all = (await passing(context, tried, filter)).sort(byImportance);
      return { memories: all.slice(0, most), notes: tried.length < selected.size ? [TRIED_NOTE] : [] };
    }
    if (read >= mostTried) return { memories, notes: [TRIED_NOTE] };
  }
  return { memories: memories.slice(0, most), notes: [] };
}

/** Scores are from 0 to 1. */
type ScoredMemory = { readonly memory: MemoryRef; readonly score: number };

/** Steps from a memory to what replaced it, then to what replaced that, that are followed. */
const MOST_STEPS = 5;

/**
 * Ranks memories down against which something speaks, and puts those that replace others where these were: also where
 * their words match less or not at all. The best first; ties by importance.
 */
export async function rankedByStanding(
  context: Pick<ReadContext, 'entries' | 'entryEdges' | 'nodesOf' | 'counts'>,
  hits: readonly ScoredMemory[],
  filter: MemoryFilter,
): Promise<ScoredMemory[]> {
  const scores = new Map(hits.map((hit) => [hit.memory.id, hit]));
  const standings = new Map<string, Standing>();
  let fresh = [...hits];
  for (let step = 0; step < MOST_STEPS && fresh.length > 0; step++) {
    const replacing = new Map<string, number>();
    const memories = fresh.map(({ memory }) => memory);
    for (const [id, standing] of await standingsOf(context, memories)) {
      standings.set(id, standing);
      const { by } = standing;
      const score = scores.get(id)?.score ?? 0;
      if (by && isGivenUp(standing)) replacing.set(by.id, Math.max(score, replacing.get(by.id) ?? 0));
    }
    fresh = [];
    for (const memory of await passing(context, [...replacing.keys()], filter)) {
      const known = scores.get(memory.id);
      const hit = { memory, score: Math.max(known?.score ?? 0, replacing.get(memory.id) ?? 0) };
      if (!known || hit.score > known.score) {
        scores.set(memory.id, hit);
        fresh.push(hit);
      }
    }
  }
  return [...scores.values()]
    .map(({ memory, score }) => ({ memory, score: score * shareOf(standings.get(memory.id)) }))
    .sort(byScore);
}

/** Solutions of one memory that an answer shows. */
const MOST_SOLUTIONS = 3;

/**
 * What solves memories, by their ids: of those that `SOLVES` leads from the ones that hold now, the best first. What solves
 * a memory solves also the one that replaced that.
 */
export async function solutionsOf(
  context: ReadContext,
  memories: readonly MemoryRef[],
): Promise<Map<string, readonly MemoryRef[]>> {
  const { edges } = await context.counts();
  if (!edges.has(`${MEMORY_RELATION_PREFIX}SOLVES`)) return new Map();
  const found = new Map<string, MemoryRef[]>();
  const strengths = new Map<string, Map<string, number>>();
  let next = memories.map(({ id }) => ({ id, of: id }));
  for (let step = 0; step < MOST_STEPS && next.length > 0; step++) {
    const near = next;
    const relations = await relationsOf(
      context,
      near.map(({ id }) => id),
      ['SOLVES', 'REPLACES'],
    );
    next = relations.flatMap((all, at) => {
      const { of = '' } = near[at] ?? {};
      const held = all.filter((one) => relationHolds(one) && !one.props.proposed);
      const solving = held.filter(({ type, direction }) => type === 'SOLVES' && direction === 'in');
      for (const { far, props } of solving)
        strengths.set(of, (strengths.get(of) ?? new Map()).set(far, props.strength));
      const replaced = held.filter(({ type, direction }) => type === 'REPLACES' && direction === 'out');
      return replaced.map(({ far }) => ({ id: far, of }));
    });
  }
  const unfiltered = await filterOf(context);
  for (const [of, solving] of strengths) {
    const hits = (await passing(context, [...solving.keys()], unfiltered)).map((memory) => ({
      memory,
      score: solving.get(memory.id) ?? 0,
    }));
    const ranked = (await rankedByStanding(context, hits, unfiltered)).map(({ memory }) => memory);
    const standings = await standingsOf(context, ranked);
    const holding = ranked.filter(({ id }) => !isGivenUp(standings.get(id)));
    if (holding.length > 0) found.set(of, holding.slice(0, MOST_SOLUTIONS));
  }
  return found;
}
