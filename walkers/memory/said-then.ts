import { z } from 'zod';
import { compareText, type NodeRef, type ReadContext } from '../../runtime/index.js';
import { Memory, MemoryVersion } from '../../schema/index.js';
import { readIndex, TextIndex } from '../../search/index.js';
import { fieldsOf, MEMORY_TEXT, wordsOf } from './memory-text.js';
import { currentRow, VersionRow, versionRow } from './version-row.js';

/** What a memory said at a time. */
export const AsOfRow = VersionRow.extend({
  /** How well it fits the query; null where none was given. */
  score: z.number().nullable(),
});
export type AsOfRow = z.infer<typeof AsOfRow>;

/** Memories that are looked at for having said it then already, and versions for having been replaced since. */
const MOST_TRIED = 5000;
/** Hits that are looked at first, beside those that are wanted. */
const BESIDE = 200;

interface SaidThen {
  /** The best first. */
  readonly rows: readonly AsOfRow[];
  /** Null where all that there is was looked at. */
  readonly note: string | null;
}

type Look = Pick<ReadContext, 'blobs' | 'blobsUnder' | 'kept' | 'version' | 'lookUp' | 'nodesOf'>;

/**
 * What memories said at a time that fits a query: what is still said since then, and what was replaced later; of each its
 * share of the words of the query.
 *
 * @param time ISO 8601.
 */
export async function saidThen(context: Look, time: string, query: string, most: number): Promise<SaidThen> {
  const words = wordsOf(query);
  const still = await stillSaid(context, time, words, most);
  const replaced = await replacedSince(context, time, words);
  const rows = [...still.rows, ...replaced.rows].sort(
    (a, b) =>
      (b.score ?? 0) - (a.score ?? 0) || b.importance - a.importance || compareText(a.memory_id, b.memory_id),
  );
  const isCut = still.isCut || replaced.isCut;
  const note = `Of what may have been said then ${MOST_TRIED} were looked at: give more words, or a memory_id.`;
  return { rows: rows.slice(0, most), note: isCut ? note : null };
}

interface Found {
  readonly rows: readonly AsOfRow[];
  readonly isCut: boolean;
}

/** The best hits of today that were said by then. */
async function stillSaid(
  context: Look,
  time: string,
  words: ReadonlyMap<string, number>,
  most: number,
): Promise<Found> {
  const index = readIndex(context, MEMORY_TEXT);
  for (let limit = most + BESIDE; ; limit *= 4) {
    const hits = await index.search(words, { limit: Math.min(limit, MOST_TRIED) });
    const scores = new Map(hits.map(({ id, score }) => [id, score]));
    const memories = (await context.nodesOf(Memory, [...scores.keys()])).filter(
      ({ gone, updated_at }) => !gone && updated_at <= time,
    );
    const isMore = memories.length < most && hits.length >= limit;
    if (isMore && limit < MOST_TRIED) continue;
    const rows = memories.map((memory) => ({ ...currentRow(memory), score: scores.get(memory.id) ?? 0 }));
    return { rows, isCut: isMore || (memories.length < most && hits.length >= MOST_TRIED) };
  }
}

/** What was said then and has been replaced, those first that were replaced soonest. */
async function replacedSince(
  context: Look,
  time: string,
  words: ReadonlyMap<string, number>,
): Promise<Found> {
  const versions = new Map<string, NodeRef<typeof MemoryVersion>>();
  let looked = 0;
  for await (const ids of context.lookUp(MemoryVersion, 'replaced_at', { gte: time })) {
    for (const version of await context.nodesOf(MemoryVersion, ids.slice(0, MOST_TRIED - looked)))
      if (!version.gone && version.said_at <= time && time < version.replaced_at)
        versions.set(version.id, version);
    looked += ids.length;
    if (looked > MOST_TRIED) break;
  }
  const then = new TextIndex(MEMORY_TEXT.weights);
  for (const version of versions.values()) then.add(version.id, fieldsOf(version));
  const rows = then.search(words).flatMap(({ owner, score }) => {
    const version = versions.get(owner);
    return version ? [{ ...versionRow(version), score }] : [];
  });
  return { rows, isCut: looked > MOST_TRIED };
}
