import { compareText, type ReadContext } from '../../runtime/index.js';
import { FileContainsSymbol, fileId, Memory, MemoryAbout, type MemoryType } from '../../schema/index.js';
import { shownLine } from '../shown-text.js';
import { type AboutFields, aboutOf, UNBOUND } from './about-row.js';

/** Symbols of one file whose memories are looked for. */
const MOST_SYMBOLS = 2000;
/** Memories that are looked at, of all that there are. */
const MOST_MEMORIES = 200;
/** Characters of what a memory says. */
const SHOWN = 200;

/** One memory about something that is asked for. */
export interface RememberedRow {
  readonly memory_id: string;
  readonly type: MemoryType;
  readonly title: string;
  /** Its summary, else how its content begins. */
  readonly says: string;
  /** The worst state of what it is about. */
  readonly freshness: AboutFields['freshness'];
  /** What it is about, of what was asked for. */
  readonly about: readonly string[];
}

type Look = Pick<ReadContext, 'q' | 'nodesOf' | 'blobs' | 'projectRoot'>;

/** How much what a memory is about takes from it when it changed. */
const LEFT: Readonly<Record<NonNullable<AboutFields['freshness']>, number>> = {
  fresh: 1,
  drifted: 0.7,
  orphaned: 0.4,
};

/** Things that one line names. */
const LISTED = 3;
const SINCE = { drifted: ', changed since', orphaned: ', gone since' } as const;

/** What is remembered of files and all that is in them, as {@link memoriesAbout}. @param paths Root-relative. */
export async function memoriesOfFiles(
  context: Look,
  paths: readonly string[],
  most: number,
): Promise<RememberedRow[]> {
  const files = paths.map(fileId);
  const symbols = await context.q(files).out(FileContainsSymbol).slice(0, MOST_SYMBOLS).ids();
  return memoriesAbout(context, [...files, ...symbols], most);
}

/**
 * What is remembered of files, symbols, tasks and errors: what is important, sure and proven first, less so where what it is
 * about changed or is gone; ties by the later update, then by id.
 */
export async function memoriesAbout(
  context: Look,
  ids: readonly string[],
  most: number,
): Promise<RememberedRow[]> {
  const targets = new Map<string, string[]>();
  for (const { from, to } of await context.q(ids).in(MemoryAbout).slice(0, MOST_MEMORIES).edges())
    targets.set(from, [...(targets.get(from) ?? []), to]);
  if (targets.size === 0) return [];
  const memories = (await context.nodesOf(Memory, [...targets.keys()])).filter(({ gone }) => !gone);
  const about = await aboutOf(
    context,
    memories.map(({ id }) => id),
  );
  return memories
    .map((memory) => {
      const { freshness } = about.get(memory.id) ?? UNBOUND;
      const left = freshness === null ? 1 : LEFT[freshness];
      const worth = memory.importance * memory.confidence * (0.5 + (memory.effectiveness ?? 0.5)) * left;
      return { memory, freshness, worth };
    })
    .sort(
      (a, b) =>
        b.worth - a.worth ||
        compareText(b.memory.updated_at, a.memory.updated_at) ||
        compareText(a.memory.id, b.memory.id),
    )
    .slice(0, most)
    .map(({ memory, freshness }) => ({
      memory_id: memory.id,
      type: memory.type,
      title: shownLine(memory.title, SHOWN),
      says: shownLine(memory.summary ?? memory.content, SHOWN),
      freshness,
      about: (targets.get(memory.id) ?? []).sort(compareText),
    }));
}

/** What a memory is, in words of our own: its type, and whether what it is about is still what it was. */
export function rememberedAs({ type, freshness }: Pick<RememberedRow, 'type' | 'freshness'>): string {
  const since = freshness === 'drifted' || freshness === 'orphaned' ? SINCE[freshness] : '';
  return `${type.replaceAll('_', ' ')}${since}`;
}

/** A memory as one line, its id first. */
export function rememberedLine({ memory_id, title, says, about, ...row }: RememberedRow): string {
  const what = says === title ? says : `${title}: ${says}`;
  return `${memory_id} (${rememberedAs(row)}): ${what} (about ${about.slice(0, LISTED).join(', ')})`;
}
