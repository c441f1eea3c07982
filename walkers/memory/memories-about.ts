import { z } from 'zod';
import { compareText, type NodeRef, type ReadContext } from '../../runtime/index.js';
import { append, FileContainsSymbol, fileId, Memory, MemoryAbout } from '../../schema/index.js';
import { shownLine } from '../shown-text.js';
import { AboutFields, aboutOf, UNBOUND } from './about-row.js';

/** Memories that are looked at, of all that are about what is asked for. */
const MOST_MEMORIES = 5000;
/** Memories whose freshness is looked up at a time: what they are about is read from disk. */
const LOOKED_UP = 50;
/** Characters of what a memory says. */
const SHOWN = 200;

const text = z.string();

/** One memory about something that is asked for. */
export const RememberedRow = z.object({
  id: text,
  /** One of `MEMORY_TYPES`. */
  type: text,
  title: text,
  /** The worst state of what it is about; null where nothing could be looked at. */
  freshness: AboutFields.freshness,
  /** Its summary, else how its content begins. */
  says: text.optional(),
  /** What it is about, of what was asked for. */
  about: z.array(text),
});
export type RememberedRow = z.infer<typeof RememberedRow>;

/** The first of the memories about something. */
export interface Remembered {
  readonly rows: readonly RememberedRow[];
  readonly count: number;
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
): Promise<Remembered> {
  const files = paths.map(fileId);
  const symbols = await context.q(files).out(FileContainsSymbol).ids();
  return memoriesAbout(context, [...files, ...symbols], most);
}

/**
 * What is remembered of files, symbols, tasks and errors: what is important, sure and proven first, less so where what it is
 * about changed or is gone; ties by the later update, then by id. What was most worth when it was written is looked up
 * first, and no more of it than may come before the last that is answered.
 */
export async function memoriesAbout(
  context: Look,
  ids: readonly string[],
  most: number,
): Promise<Remembered> {
  const targets = new Map<string, string[]>();
  for (const { from, to } of await context.q(ids).in(MemoryAbout).slice(0, MOST_MEMORIES).edges())
    append(targets, from, to);
  if (targets.size === 0) return { rows: [], count: 0 };
  const memories = (await context.nodesOf(Memory, [...targets.keys()])).filter(({ gone }) => !gone);
  const before = memories.map((memory) => ({ memory, worth: worthOf(memory) })).sort(worthiestFirst);
  const found: Ranked[] = [];
  for (let at = 0; at < before.length && mayLead(before[at], found[most - 1]); at += LOOKED_UP) {
    const some = before.slice(at, at + LOOKED_UP);
    const about = await aboutOf(
      context,
      some.map(({ memory }) => memory.id),
    );
    for (const { memory, worth } of some) {
      const { freshness } = about.get(memory.id) ?? UNBOUND;
      found.push({ memory, freshness, worth: worth * (freshness === null ? 1 : LEFT[freshness]) });
    }
    found.sort(worthiestFirst);
  }
  const rows = found.slice(0, most).map(({ memory, freshness }) => ({
    id: memory.id,
    type: memory.type,
    title: shownLine(memory.title, SHOWN),
    freshness,
    says: shownLine(memory.summary ?? memory.content, SHOWN),
    about: (targets.get(memory.id) ?? []).sort(compareText),
  }));
  return { rows, count: memories.length };
}

interface Worthy {
  readonly memory: NodeRef<typeof Memory>;
  readonly worth: number;
}
interface Ranked extends Worthy {
  readonly freshness: AboutFields['freshness'];
}

/** What a memory is worth as long as what it is about is what it was. */
function worthOf({ importance, confidence, effectiveness }: NodeRef<typeof Memory>): number {
  return importance * confidence * (0.5 + (effectiveness ?? 0.5));
}

function worthiestFirst(a: Worthy, b: Worthy): number {
  return (
    b.worth - a.worth ||
    compareText(b.memory.updated_at, a.memory.updated_at) ||
    compareText(a.memory.id, b.memory.id)
  );
}

/** Whether a memory that is at best worth what it was may come before the last that would be answered. */
function mayLead(next: Worthy | undefined, last: Worthy | undefined): boolean {
  return next !== undefined && (last === undefined || worthiestFirst(next, last) < 0);
}

/** What a memory is, in words of our own: its type, and whether what it is about is still what it was. */
export function rememberedAs({ type, freshness }: Pick<RememberedRow, 'type' | 'freshness'>): string {
  const since = freshness === 'drifted' || freshness === 'orphaned' ? SINCE[freshness] : '';
  return `${type.replaceAll('_', ' ')}${since}`;
}

/** A memory as one line, its id first. */
export function rememberedLine({ id, title, says, about, ...row }: RememberedRow): string {
  const what = says === undefined || says === title ? title : `${title}: ${says}`;
  return `${id} (${rememberedAs(row)}): ${what} (about ${about.slice(0, LISTED).join(', ')})`;
}
