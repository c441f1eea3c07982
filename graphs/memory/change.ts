import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { quotedLine, shownLine } from '../../present/index.js';
import {
  compareText,
  type NodeRef,
  propsOf,
  type ReadContext,
  type WriteContext,
} from '../../runtime/index.js';
import {
  grouped,
  isoOf,
  LIMITS,
  Memory,
  MemoryContent,
  MemoryVersion,
  memoryVersionId,
} from '../../schema/index.js';
import { forgetVectors, readIndex, TextIndex } from '../../search/index.js';
import {
  type ContentPatch,
  fieldsOf,
  MEMORY_TEXT,
  type MemoryRef,
  type StoredVersion,
  versionsOf,
  wordsOf,
  writeMemoryText,
} from './content.js';
import {
  proposeContradictions,
  relationsOf,
  relationVersionsOf,
  stateAt,
  storeRelationVersion,
} from './relations.js';
import { type VersionRow, versionRow } from './rows.js';

/**
 * Changes the content of a memory, stores what it was as a version, and brings up to date what it may contradict.
 *
 * @returns `updated`: false where it had all of it already.
 */
export async function changeMemory(
  context: WriteContext,
  memory: MemoryRef,
  patch: ContentPatch,
): Promise<SimilarMemories & { readonly updated: boolean }> {
  const before = propsOf(memory);
  const changed = Object.entries(patch).filter(([field, value]) => !isDeepStrictEqual(before[field], value));
  if (changed.length === 0) return { updated: false, duplicate: null, contradicting: [] };
  const now = isoOf(context.now());
  await storeVersion(context, memory, now);
  context.set<typeof Memory>(memory, { ...patch, updated_at: now, version: memory.version + 1 });
  const saysElse = changed.some(([field]) => field === 'title' || field === 'content');
  const similar = saysElse ? await similarMemories(context, memory, memory.id) : null;
  await writeMemoryText(context, [memory]);
  const contradicting = similar ? await proposeContradictions(context, memory, similar.contradicting) : [];
  return { updated: true, duplicate: similar?.duplicate ?? null, contradicting };
}

async function storeVersion({ create }: WriteContext, memory: MemoryRef, now: string): Promise<void> {
  const { id, updated_at: said_at, version } = memory;
  const span = { memory_id: id, version, said_at, replaced_at: now };
  const content = MemoryContent.parse(propsOf(memory));
  await create(MemoryVersion({ ...content, ...span }, { id: memoryVersionId(id, version) }));
}

/** Deletes a memory with its relations, which stay as versions. @returns How many relations it had. */
export async function deleteMemory(context: WriteContext, memory: MemoryRef): Promise<number> {
  const now = isoOf(context.now());
  const [relations = []] = await relationsOf(context, [memory.id]);
  for (const relation of relations) await storeRelationVersion(context, relation, now);
  await storeVersion(context, memory, now);
  await remove(context, [memory.id], [memory]);
  return relations.length;
}

/** Removes memories, live or deleted, with all that is stored of them: nothing is left to read. */
export async function eraseMemories(context: WriteContext, ids: readonly string[]): Promise<void> {
  const nodes: NodeRef[] = [];
  for (const id of ids)
    nodes.push(...(await versionsOf(context, id)), ...(await relationVersionsOf(context, id)));
  await remove(context, ids, [...new Set(nodes)]);
}

async function remove(context: WriteContext, ids: readonly string[], nodes: readonly NodeRef[]) {
  await context.del(nodes);
  await writeMemoryText(context, [], ids);
  const vectors = ids.map((id) => ['Memory', id] as const);
  await forgetVectors(context, vectors);
}

/** All that is stored of every memory, live or deleted, by id. */
export async function storedMemories({ find }: Pick<ReadContext, 'find'>) {
  const all: StoredVersion[] = [...(await find(Memory)), ...(await find(MemoryVersion))];
  all.sort((a, b) => a.version - b.version);
  const byId = grouped(all, (one) => ('memory_id' in one ? one.memory_id : one.id));
  return [...byId].map(([id, versions]) => ({ id, versions })).sort((a, b) => compareText(a.id, b.id));
}

/** All that is stored of one memory. */
export type StoredMemory = Awaited<ReturnType<typeof storedMemories>>[number];

/** Memories and versions that are looked at for what they said at a time. */
const MOST_TRIED = 5000;
const STEP = 200;

type ScoredVersion = VersionRow & { readonly score: number };

/**
 * The versions of memories that held at a time and fit a query, the best first; of memories that were deleted later too.
 *
 * @param time ISO 8601.
 * @returns `isCut`: not all that may have held was looked at.
 */
export async function versionsThen(
  context: ReadContext,
  time: string,
  query: string,
  most: number,
): Promise<{ readonly rows: readonly ScoredVersion[]; readonly isCut: boolean }> {
  const words = wordsOf(query);
  const hits = await readIndex(context, MEMORY_TEXT).search(words, { limit: MOST_TRIED });
  const present: ScoredVersion[] = [];
  for (let at = 0; at < hits.length && present.length < most; at += STEP) {
    const scores = new Map(hits.slice(at, at + STEP).map(({ id, score }) => [id, score]));
    for (const memory of await context.nodesOf(Memory, [...scores.keys()]))
      if (!memory.gone && memory.updated_at <= time)
        present.push({ ...versionRow(memory), score: scores.get(memory.id) ?? 0 });
  }
  const replaced = new Map<string, NodeRef<typeof MemoryVersion>>();
  let looked = 0;
  for await (const ids of context.lookUp(MemoryVersion, 'replaced_at', { gte: time })) {
    for (const one of await context.nodesOf(MemoryVersion, ids.slice(0, MOST_TRIED - looked)))
      if (!one.gone && stateAt([one], time, saidAt)) replaced.set(one.id, one);
    looked += ids.length;
    if (looked > MOST_TRIED) break;
  }
  const then = new TextIndex(MEMORY_TEXT.weights);
  for (const version of replaced.values()) then.add(version.id, fieldsOf(version));
  const earlier = then.search(words).flatMap(({ owner, score }) => {
    const version = replaced.get(owner);
    return version ? [{ ...versionRow(version), score }] : [];
  });
  const rows = [...present, ...earlier].sort(
    (a, b) => b.score - a.score || b.importance - a.importance || compareText(a.memory_id, b.memory_id),
  );
  const isCut = (present.length < most && hits.length === MOST_TRIED) || looked > MOST_TRIED;
  return { rows: rows.slice(0, most), isCut };
}

const saidAt = ({ said_at }: { readonly said_at: string }): string => said_at;

/** The version of one memory that held at a time, of a deleted one too; undefined where there was none. */
export async function versionThen(
  context: Pick<ReadContext, 'nodesOf'>,
  id: string,
  time: string,
): Promise<VersionRow | undefined> {
  return stateAt((await versionsOf(context, id)).map(versionRow), time, saidAt);
}

/** Memories that are compared: those that have most of the rarest words of the new one. */
const [MOST_COMPARED, MOST_WORDS] = [5, 24];

type Texts = Pick<MemoryRef, 'title' | 'content'>;

/** Stored memories that are similar to a new one, or to new content of a stored one. */
export interface SimilarMemories {
  /** The nearest memory of the same type with nearly the same text, and the similarity from 0.9 to 1. */
  readonly duplicate: { readonly memory: MemoryRef; readonly similarity: number } | null;
  /** Memories with the same text but for a negation, number, path, host or identifier; the nearest first. */
  readonly contradicting: readonly MemoryRef[];
}

/**
 * The stored memories that say nearly what a memory is to say. Similarity is the share of neighbouring words that both have
 * among those that either has (Broder, "On the resemblance and containment of documents", 1997, with shingles of two words):
 * order matters; case, spaces and punctuation do not.
 *
 * @param self The id of the memory that is to say it, where it is stored already.
 */
export async function similarMemories(
  context: WriteContext,
  said: Texts & Pick<MemoryRef, 'type'>,
  self?: string,
): Promise<SimilarMemories> {
  const index = readIndex(context, MEMORY_TEXT);
  const counts = await index.frequencies(wordsOf(`${said.title}\n${said.content}`).keys());
  const rarest = [...counts].sort(([a, x], [b, y]) => x - y || compareText(a, b)).slice(0, MOST_WORDS);
  const query = new Map(rarest.map(([word]) => [word, 1]));
  const hits = await index.search(query, { limit: MOST_COMPARED + 1 });
  const found = hits.flatMap(({ id }) => (id === self ? [] : [id])).slice(0, MOST_COMPARED);
  // Those that it may have contradicted so far.
  const [known = []] = self === undefined ? [] : await relationsOf(context, [self], ['CONTRADICTS']);
  const others = new Set([...found, ...known.map(({ far }) => far)]);
  const compared = (await context.nodesOf(Memory, [...others]))
    .filter(({ gone }) => !gone)
    .map((memory) => ({ memory, ...comparisonOf(said, memory) }))
    .filter(({ similarity }) => similarity >= LIMITS.duplicateSimilarity.min)
    .sort((a, b) => b.similarity - a.similarity || compareText(a.memory.id, b.memory.id));
  const duplicate = compared.find(({ memory, isContrary }) => !isContrary && memory.type === said.type);
  const contradicting = compared.filter(({ isContrary }) => isContrary).map(({ memory }) => memory);
  return { duplicate: duplicate ?? null, contradicting };
}

/** What an answer says of the memories that are similar to one that was stored or changed. */
export const SimilarFields = z.object({
  /** The id of another memory that says nearly the same; null: there is none. */
  duplicate_of: z.string().nullable(),
  /** Related to it by a proposed CONTRADICTS. */
  may_contradict: z.array(z.object({ id: z.string(), title: z.string() })),
});
type SimilarFields = z.infer<typeof SimilarFields>;

/** See {@link SimilarFields}. */
export function similarFields({ duplicate, contradicting = [] }: Partial<SimilarMemories>): SimilarFields {
  const may_contradict = contradicting.map(({ id, title }) => ({ id, title: shownLine(title, 200) }));
  return { duplicate_of: duplicate?.memory.id ?? null, may_contradict };
}

/** {@link SimilarFields} of a memory in Markdown. */
export function similarLines(memory: string, { duplicate_of, may_contradict }: SimilarFields): string[] {
  const same = duplicate_of === null ? [] : [`${duplicate_of} says nearly the same: one of the two will do.`];
  const contrary = may_contradict.map(
    ({ id, title }) =>
      `It may contradict ${id} '${quotedLine(title, 120)}'. If it replaces that one: memory_link ${memory} ${id} REPLACES.`,
  );
  return [...same, ...contrary];
}

/** Words that two memories must have in common, apart from the facts that differ. */
const FEWEST_COMMON = 3;

/** How similar two memories are; contrary: where they differ, a fact is reversed or replaced, which was not compared. */
function comparisonOf(a: Texts, b: Texts): { readonly similarity: number; readonly isContrary: boolean } {
  const [left, right] = [tokensOf(a), tokensOf(b)];
  const surplus = new Map<string, number>();
  for (const { word } of left) surplus.set(word, (surplus.get(word) ?? 0) + 1);
  for (const { word } of right) surplus.set(word, (surplus.get(word) ?? 0) - 1);
  const differing = [...left, ...right].filter(({ word, isFact }) => isFact && surplus.get(word) !== 0);
  const facts = new Set(differing.map(({ word }) => word));
  const common = [left, right].map((tokens) => tokens.flatMap(({ word }) => (facts.has(word) ? [] : [word])));
  const fewest = Math.min(...common.map((words) => words.length));
  // `v1.2` and `v1.3` alone have nothing in common that could be contradicted.
  const isTooFew = facts.size > 0 && fewest < Math.max(FEWEST_COMMON, facts.size);
  const [some, others] = common.map(shinglesOf) as [Set<string>, Set<string>];
  const shared = [...some].filter((pair) => others.has(pair)).length;
  const similarity = isTooFew ? 0 : shared / (some.size + others.size - shared);
  return { similarity, isContrary: facts.size > 0 };
}

/** Neighbouring words in pairs; the edges of the text count as words, so that a single word has neighbours. */
function shinglesOf(words: readonly string[]): Set<string> {
  return new Set(['', ...words].map((word, at) => `${word} ${words[at] ?? ''}`));
}

const TOKEN = /[\p{L}\p{N}_$@./\\:+-]+/gu;
/** Words that turn a statement around. */
const TURNING = new Set(
  (
    'not no never none nothing neither nor without avoid dont doesnt didnt cannot cant wont shouldnt mustnt isnt arent wasnt ' +
    'always true false enable enabled enables disable disabled disables allow allowed deny denied forbid forbidden'
  ).split(' '),
);
/** Numbers; names with `_` or `$`; capitals inside or throughout; parts joined by dots, slashes, colons or `@`. */
const FACT = /\p{N}|[_$]|\p{Ll}\p{Lu}|^\p{Lu}{2,}$|[^./\\:@][./\\:@]+[^./\\:@]|^[./\\]/u;

/**
 * The words of a memory in lower case. Fact: another word in its place says something else; a negation, number, path, host
 * or identifier.
 */
function tokensOf({ title, content }: Texts): { readonly word: string; readonly isFact: boolean }[] {
  const text = `${title}\n${content}`
    .replace(/(\p{L})['’](?=\p{L})/gu, '$1')
    .replace(/\bd(?:o|oes|id)(?= not\b)/giu, '');
  return (text.match(TOKEN) ?? []).flatMap((token) => {
    const trimmed = token.replace(/^[:+-]+/u, '').replace(/[.:+-]$/u, '');
    const word = trimmed.toLowerCase();
    return /[\p{L}\p{N}]/u.test(word) ? [{ word, isFact: TURNING.has(word) || FACT.test(trimmed) }] : [];
  });
}
