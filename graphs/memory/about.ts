import { createHash } from 'node:crypto';
import { z } from 'zod';
import { shownLine } from '../../present/index.js';
import { compareText, isA, type NodeRef, type ReadContext } from '../../runtime/index.js';
import {
  append,
  CodeSymbol,
  File,
  FileContainsSymbol,
  fileId,
  Memory,
  MemoryAbout,
  parseId,
  Task,
  TraceError,
} from '../../schema/index.js';
import { insideRoot, mayBeRead, readText, statusAt } from '../../source/index.js';
import type { MemoryRef } from './content.js';
import { StandingRow, shareOf, standingsOf, standingText } from './relations.js';

type TextOnDisk = { readonly text: string; readonly hash: string } | null | undefined;

/**
 * A file of the project with its SHA-256. Null: it does not exist. Undefined: it has no text, or must not be read: what holds
 * secrets, and what git ignores, is never opened (P-04), not even for a hash.
 */
export async function textOnDisk(
  { projectRoot, nodesOf }: Pick<ReadContext, 'projectRoot' | 'nodesOf'>,
  path: string,
): Promise<TextOnDisk> {
  if (projectRoot === null) return undefined;
  let diskPath: string;
  try {
    diskPath = insideRoot(projectRoot, path).diskPath;
  } catch {
    // It became a link out of the root.
    return null;
  }
  if (statusAt(diskPath)?.kind !== 'file') return null;
  const [indexed] = await nodesOf(File, [fileId(path)]);
  // Indexing decided by the same rules.
  if ((!indexed || indexed.gone) && !(await mayBeRead(projectRoot, path))) return undefined;
  const read = readText({ diskPath });
  return read.ok ? read : undefined;
}

/** The hash of a symbol's lines. @param lines Those of its file. @param start From 0. @param end Not included. */
export function linesHash(lines: readonly string[], start: number, end: number): string {
  return createHash('sha256').update(lines.slice(start, end).join('\n')).digest('hex');
}

/** What memories are about. */
export const ABOUT_KINDS = { file: File, symbol: CodeSymbol, task: Task, error: TraceError };
type Kind = keyof typeof ABOUT_KINDS;

/** Something that a memory is about, and how it compares with what it was when the memory was bound to it. */
const AboutRow = z.object({
  id: z.string(),
  kind: z.enum(Object.keys(ABOUT_KINDS) as [Kind, ...Kind[]]),
  /** `unchecked`: what it was, or what it is, is not known. */
  state: z.enum(['fresh', 'drifted', 'orphaned', 'unchecked']),
});
export type AboutRow = z.infer<typeof AboutRow>;

/** What an answer adds to a memory: what it is about, how that stands now, and how the memory itself stands. */
export const AboutFields = {
  /** In order of ids. */
  about: z.array(AboutRow),
  /** The worst state of what it is about; null where it is about nothing, or nothing could be looked at. */
  freshness: z.enum(['fresh', 'drifted', 'orphaned']).nullable(),
  /** Left out where nothing speaks against the memory: rows are many. */
  standing: StandingRow.optional(),
};
type AboutFields = z.infer<z.ZodObject<typeof AboutFields>>;

/** What memories are about and how they stand, in their order. */
export async function aboutOf(context: ReadContext, memories: readonly MemoryRef[]): Promise<AboutFields[]> {
  const path = context.q(memories.map(({ id }) => id)).out(MemoryAbout);
  const nodes = new Map((await path).map((node) => [node.id, node]));
  const read = new Map<string, Promise<TextOnDisk>>();
  const onDisk = (file: string) => {
    const known = read.get(file) ?? textOnDisk(context, file);
    read.set(file, known);
    return known;
  };
  const rows = new Map<string, AboutRow[]>();
  for (const { from, to: id, content_hash } of await path.edges()) {
    const node = nodes.get(id);
    const kind = node && aboutKind(node);
    if (!node || !kind) continue;
    // What was recorded does not change: it is there, or was forgotten.
    const recorded = node.gone ? 'orphaned' : 'fresh';
    const isCode = kind === 'file' || kind === 'symbol';
    const state = isCode ? await stateOf(context, node, content_hash, onDisk) : recorded;
    append(rows, from, { id, kind, state });
  }
  const standings = await standingsOf(context, memories);
  return memories.map(({ id }) => {
    const about = rows.get(id) ?? [];
    const worst = AboutFields.freshness
      .unwrap()
      .options.findLast((one) => about.some(({ state }) => state === one));
    const standing = standings.get(id);
    return { about, freshness: worst ?? null, ...(standing ? { standing } : {}) };
  });
}

/** What kind of thing a node is for a memory about it; null: it cannot be about that. */
export function aboutKind({ archetype }: NodeRef): Kind | null {
  return (Object.keys(ABOUT_KINDS) as Kind[]).find((kind) => isA(archetype, ABOUT_KINDS[kind])) ?? null;
}

async function stateOf(
  { nodesOf, projectRoot }: ReadContext,
  node: NodeRef,
  hash: string | null,
  onDisk: (path: string) => Promise<TextOnDisk>,
): Promise<AboutRow['state']> {
  const path = parseId(node.id)?.path;
  if (path == null || projectRoot === null) return 'unchecked';
  const file = await onDisk(path);
  if (file === null) return 'orphaned';
  if (file === undefined || hash === null) return 'unchecked';
  if (isA(node.archetype, File)) return file.hash === hash ? 'fresh' : 'drifted';
  const [indexed] = await nodesOf(File, [fileId(path)]);
  const [symbol] = await nodesOf(CodeSymbol, [node.id]);
  // A file and its symbols are indexed together.
  if (!symbol || symbol.gone) return indexed && !indexed.gone ? 'orphaned' : 'unchecked';
  const lines = file.text.split('\n');
  const [start, end] = [symbol.start_line - 1, symbol.end_line];
  if (linesHash(lines, start, end) === hash) return 'fresh';
  return indexed?.hash !== file.hash && hasLines(lines, start, end, hash) ? 'fresh' : 'drifted';
}

/** Lines that are hashed to find some that moved in a file that changed since it was indexed. */
const MOST_HASHED = 100_000;

/** Whether lines with this hash are anywhere in a file; looks near their former place first. */
function hasLines(lines: readonly string[], start: number, end: number, hash: string): boolean {
  const count = end - start;
  const most = Math.min(lines.length, MOST_HASHED / Math.max(1, count));
  for (let off = 1; off <= most; off++)
    for (const at of [start + off, start - off])
      if (at >= 0 && at + count <= lines.length && linesHash(lines, at, at + count) === hash) return true;
  return false;
}

/** Memories that are looked at, and those worth most, whose subjects are read from disk. */
const [MOST_MEMORIES, MOST_READ] = [5000, 200];
/** Characters of a memory's text in a row. */
const SHOWN = 200;

/** One memory about something that is asked for. */
export const RememberedRow = z.object({
  id: z.string(),
  type: z.string(),
  title: z.string(),
  freshness: AboutFields.freshness,
  standing: StandingRow.optional(),
  /** Its summary, else how its content begins. */
  says: z.string().optional(),
  /** What it is about, of what was asked for. */
  about: z.array(z.string()),
});
export type RememberedRow = z.infer<typeof RememberedRow>;

/** The memories about files and the symbols in them: see {@link memoriesAbout}. @param paths Root-relative. */
export async function memoriesOfFiles(context: ReadContext, paths: readonly string[], most: number) {
  const files = paths.map(fileId);
  const symbols = await context.q(files).out(FileContainsSymbol).ids();
  return memoriesAbout(context, [...files, ...symbols], most);
}

/** The share of its worth that a memory keeps when what it is about changed, and how that is said. */
const FRESHNESS = {
  fresh: { share: 1, text: '' },
  drifted: { share: 0.7, text: ', its code changed since' },
  orphaned: { share: 0.4, text: ', what it is about is gone' },
} as const;

/**
 * The memories about files, symbols, tasks and errors: important, confident and proven ones first; those that are replaced, or
 * whose subject changed, later; ties by the later update, then by id. `count`: before the cut.
 */
export async function memoriesAbout(context: ReadContext, ids: readonly string[], most: number) {
  const targets = new Map<string, string[]>();
  for (const { from, to } of await context.q(ids).in(MemoryAbout).slice(0, MOST_MEMORIES).edges())
    append(targets, from, to);
  const memories = (await context.nodesOf(Memory, [...targets.keys()])).filter(({ gone }) => !gone);
  const byWorth = (worthOf: (memory: MemoryRef) => number) => (a: MemoryRef, b: MemoryRef) =>
    worthOf(b) - worthOf(a) || compareText(b.updated_at, a.updated_at) || compareText(a.id, b.id);
  const worth = ({ importance, confidence, effectiveness }: MemoryRef) =>
    importance * confidence * (0.5 + (effectiveness ?? 0.5));
  const read = memories.sort(byWorth(worth)).slice(0, MOST_READ);
  const about = new Map((await aboutOf(context, read)).map((fields, at) => [read[at], fields]));
  const worthNow = (memory: MemoryRef) => {
    const { freshness, standing } = about.get(memory) ?? {};
    return worth(memory) * FRESHNESS[freshness ?? 'fresh'].share * shareOf(standing);
  };
  const best = read.sort(byWorth(worthNow)).slice(0, most);
  const rows = best.map((memory): RememberedRow => {
    const { id, type, title, summary, content } = memory;
    const { freshness = null, standing } = about.get(memory) ?? {};
    const stands = { freshness, ...(standing ? { standing } : {}) };
    const says = shownLine(summary ?? content, SHOWN);
    const subjects = (targets.get(id) ?? []).sort(compareText);
    return { id, type, title: shownLine(title, SHOWN), ...stands, says, about: subjects };
  });
  return { rows, count: memories.length };
}

/** The first of the memories about something, and how many there are. */
export type Remembered = Awaited<ReturnType<typeof memoriesAbout>>;

/** What a memory is, in words of our own: its type, whether its subject changed, and what replaced it. */
export function rememberedAs(row: Pick<RememberedRow, 'type' | 'freshness' | 'standing'>): string {
  const standing = standingText(row.standing, false);
  const since = FRESHNESS[row.freshness ?? 'fresh'].text;
  return `${row.type.replaceAll('_', ' ')}${since}${standing === '' ? '' : `, ${standing}`}`;
}

/** A memory as one line, its id first. */
export function rememberedLine({ id, title, says, about, ...row }: RememberedRow): string {
  const what = says === undefined || says === title ? title : `${title}: ${says}`;
  return `${id} (${rememberedAs(row)}): ${what} (about ${about.slice(0, 3).join(', ')})`;
}
