import {
  compareText,
  type NodeRef,
  type PropsInput,
  propsOf,
  type ReadContext,
  type WriteContext,
} from '../../runtime/index.js';
import { Memory, MemoryContent, MemoryVersion, memoryVersionId } from '../../schema/index.js';
import { forgetVectors, readIndex, TextIndex } from '../../search/index.js';
import { linksOf, relationsBehind, relationVersionsOf, storeRelationVersion } from './relations.js';
import { type VersionRow, versionRow } from './rows.js';
import { fieldsOf, MEMORY_TEXT, type MemoryRef, removeMemoryText, wordsOf } from './text.js';

/** A stored earlier version of a memory. */
export type VersionRef = NodeRef<typeof MemoryVersion>;

/**
 * Changes the content of a memory and stores what it was as a version. Nothing happens where nothing is new.
 *
 * @returns Whether anything changed.
 */
export async function changeMemory(
  context: WriteContext,
  memory: MemoryRef,
  patch: Partial<PropsInput<typeof Memory>>,
): Promise<boolean> {
  const before = propsOf(memory);
  const isSame = ([field, value]: [string, unknown]) =>
    JSON.stringify(before[field]) === JSON.stringify(value);
  if (Object.entries(patch).every(isSame)) return false;
  const now = new Date(context.now()).toISOString();
  await storeVersion(context, memory, now);
  context.set<typeof Memory>(memory, { ...patch, updated_at: now, version: memory.version + 1 });
  return true;
}

async function storeVersion({ create }: WriteContext, memory: MemoryRef, now: string): Promise<void> {
  const { id, updated_at: said_at, version } = memory;
  const span = { memory_id: id, version, said_at, replaced_at: now };
  const content = MemoryContent.parse(propsOf(memory));
  await create(MemoryVersion({ ...content, ...span }, { id: memoryVersionId(id, version) }));
}

/** Versions that are looked for at a time: their ids are numbered from 1 without gaps. */
const AT_ONCE = 32;

/** The stored earlier versions of a memory, live or deleted, the first one first. */
export async function earlierVersions(
  { nodesOf }: Pick<ReadContext, 'nodesOf'>,
  id: string,
): Promise<VersionRef[]> {
  const found: VersionRef[] = [];
  for (let first = 1; ; first += AT_ONCE) {
    const ids = Array.from({ length: AT_ONCE }, (_, at) => memoryVersionId(id, first + at));
    const some = (await nodesOf(MemoryVersion, ids)).filter(({ gone }) => !gone);
    found.push(...some);
    if (some.length < AT_ONCE) return found;
  }
}

/**
 * Deletes a memory with its relations. Its content and its relations stay as versions, for reading the past.
 *
 * @returns How many relations it had.
 */
export async function deleteMemory(context: WriteContext, memory: MemoryRef): Promise<number> {
  const now = new Date(context.now()).toISOString();
  const [links = []] = await linksOf(context, [memory.id]);
  for (const relation of await relationsBehind(context, links))
    await storeRelationVersion(context, relation, now);
  await storeVersion(context, memory, now);
  await remove(context, [memory.id], [memory]);
  return links.length;
}

/** Removes memories, live or deleted, with all that is stored of them: nothing is left to read. @param ids Theirs. */
export async function eraseMemories(context: WriteContext, ids: readonly string[]): Promise<void> {
  const nodes: NodeRef[] = (await context.nodesOf(Memory, ids)).filter(({ gone }) => !gone);
  for (const id of ids)
    nodes.push(...(await earlierVersions(context, id)), ...(await relationVersionsOf(context, id)));
  await remove(context, ids, nodes);
}

async function remove(
  context: WriteContext,
  ids: readonly string[],
  nodes: readonly NodeRef[],
): Promise<void> {
  await context.del([...new Set(nodes)]);
  await removeMemoryText(context, ids);
  await forgetVectors(
    context,
    ids.map((id) => ['Memory', id] as const),
  );
}

/** All that is stored of one memory, live or deleted, to choose what to erase. */
export interface StoredMemory {
  readonly id: string;
  readonly versions: readonly (MemoryRef | VersionRef)[];
}

/** Every memory that is stored, live or deleted, by id. */
export async function storedMemories({ find }: Pick<ReadContext, 'find'>): Promise<StoredMemory[]> {
  const all = new Map<string, (MemoryRef | VersionRef)[]>();
  for (const memory of await find(Memory)) all.set(memory.id, [memory]);
  for (const version of await find(MemoryVersion)) {
    const known = all.get(version.memory_id);
    if (known) known.push(version);
    else all.set(version.memory_id, [version]);
  }
  for (const versions of all.values()) versions.sort((a, b) => a.version - b.version);
  return [...all].map(([id, versions]) => ({ id, versions })).sort((a, b) => compareText(a.id, b.id));
}

/** Memories and versions that are looked at for what they said at a time. */
const MOST_TRIED = 5000;
/** Hits beyond those wanted that are looked at first. */
const BEYOND = 200;

type Look = Pick<ReadContext, 'blobs' | 'blobsUnder' | 'kept' | 'version' | 'lookUp' | 'nodesOf'>;

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
  const present = await presentThen(context, time, words, most);
  const replaced = new Map<string, VersionRef>();
  let looked = 0;
  for await (const ids of context.lookUp(MemoryVersion, 'replaced_at', { gte: time })) {
    for (const one of await context.nodesOf(MemoryVersion, ids.slice(0, MOST_TRIED - looked)))
      if (!one.gone && one.said_at <= time && time < one.replaced_at) replaced.set(one.id, one);
    looked += ids.length;
    if (looked > MOST_TRIED) break;
  }
  const then = new TextIndex(MEMORY_TEXT.weights);
  for (const version of replaced.values()) then.add(version.id, fieldsOf(version));
  const earlier = then.search(words).flatMap(({ owner, score }) => {
    const version = replaced.get(owner);
    return version ? [{ ...versionRow(version), score }] : [];
  });
  const rows = [...present.rows, ...earlier].sort(
    (a, b) => b.score - a.score || b.importance - a.importance || compareText(a.memory_id, b.memory_id),
  );
  return { rows: rows.slice(0, most), isCut: present.isCut || looked > MOST_TRIED };
}

/** The best hits whose present content is from before the time. */
async function presentThen(
  context: Look,
  time: string,
  words: ReadonlyMap<string, number>,
  most: number,
): Promise<{ readonly rows: readonly ScoredVersion[]; readonly isCut: boolean }> {
  const index = readIndex(context, MEMORY_TEXT);
  for (const limit of [most + BEYOND, MOST_TRIED]) {
    const hits = await index.search(words, { limit });
    const memories = await context.nodesOf(
      Memory,
      hits.map(({ id }) => id),
    );
    const rows = hits.flatMap(({ score }, at) => {
      const memory = memories[at];
      const isThen = memory && !memory.gone && memory.updated_at <= time;
      return isThen ? [{ ...versionRow(memory), score }] : [];
    });
    const isCut = rows.length < most && hits.length >= limit;
    if (!isCut || limit === MOST_TRIED) return { rows, isCut };
  }
  return { rows: [], isCut: true };
}

/** The version of one memory that held at a time, of a deleted one too; undefined where there was none. */
export async function versionThen(
  context: Pick<ReadContext, 'nodesOf'>,
  id: string,
  time: string,
): Promise<VersionRow | undefined> {
  const [memory] = await context.nodesOf(Memory, [id]);
  const live = memory && !memory.gone ? [memory] : [];
  return [...(await earlierVersions(context, id)), ...live]
    .map(versionRow)
    .findLast(({ said_at, replaced_at }) => said_at <= time && time < (replaced_at ?? '~'));
}
