import { isDeepStrictEqual } from 'node:util';
import {
  compareText,
  type NodeRef,
  propsOf,
  type ReadContext,
  type WriteContext,
} from '../../runtime/index.js';
import { append, isoOf, Memory, MemoryContent, MemoryVersion, memoryVersionId } from '../../schema/index.js';
import { forgetVectors, readIndex, TextIndex } from '../../search/index.js';
import type { ContentPatch } from './content.js';
import { type StoredVersion, versionsOf } from './identity.js';
import { relationsOf, relationVersionsOf, stateAt, storeRelationVersion } from './relations.js';
import { type VersionRow, versionRow } from './rows.js';
import { type SimilarMemories, similarMemories } from './similar.js';
import { proposeContradictions } from './standing.js';
import { fieldsOf, MEMORY_TEXT, type MemoryRef, removeMemoryText, wordsOf, writeMemoryText } from './text.js';

/** What changing a memory did. */
export interface ChangedMemory extends SimilarMemories {
  /** False: it had all of it already. */
  readonly updated: boolean;
}

/** Changes the content of a memory, stores what it was as a version, and brings up to date what it may contradict. */
export async function changeMemory(
  context: WriteContext,
  memory: MemoryRef,
  patch: ContentPatch,
): Promise<ChangedMemory> {
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

async function remove(
  context: WriteContext,
  ids: readonly string[],
  nodes: readonly NodeRef[],
): Promise<void> {
  await context.del(nodes);
  await removeMemoryText(context, ids);
  await forgetVectors(
    context,
    ids.map((id) => ['Memory', id] as const),
  );
}

/** All that is stored of one memory, live or deleted. */
export interface StoredMemory {
  readonly id: string;
  readonly versions: readonly StoredVersion[];
}

/** Every memory that is stored, live or deleted, by id. */
export async function storedMemories({ find }: Pick<ReadContext, 'find'>): Promise<StoredMemory[]> {
  const all = new Map<string, StoredVersion[]>();
  for (const memory of await find(Memory)) append(all, memory.id, memory);
  for (const version of await find(MemoryVersion)) append(all, version.memory_id, version);
  for (const versions of all.values()) versions.sort((a, b) => a.version - b.version);
  return [...all].map(([id, versions]) => ({ id, versions })).sort((a, b) => compareText(a.id, b.id));
}

/** Memories and versions that are looked at for what they said at a time. */
const MOST_TRIED = 5000;
const STEP = 200;

type Look = Pick<ReadContext, 'blobs' | 'blobsUnder' | 'cached' | 'version' | 'lookUp' | 'nodesOf'>;

/** A version that fits a query, with its score from 0 to 1. */
export type ScoredVersion = VersionRow & { readonly score: number };

/**
 * The versions of memories that held at a time and fit a query, the best first; of memories that were deleted later too.
 *
 * @param time ISO 8601.
 * @returns `isCut`: not all that may have held was looked at.
 */
export async function versionsThen(
  context: Look,
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
