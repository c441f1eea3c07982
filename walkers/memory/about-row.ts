import { createHash } from 'node:crypto';
import { z } from 'zod';
import { isA, type NodeRef, type ReadContext } from '../../runtime/index.js';
import { CodeSymbol, File, fileId, MemoryAbout, parseId, Task, TraceError } from '../../schema/index.js';
import { PROGRESS_MARK, readProgress } from '../code/indexing/index-mark.js';
import { type TextOnDisk, textOnDisk } from './text-on-disk.js';

/** Characters that are hashed to find lines that moved in a file that changed since it was indexed. */
const MOST_HASHED = 4_000_000;

/** Tells how files and symbols stand to what they were once. Each file is read once. */
class ContentsNow {
  readonly #files = new Map<string, Promise<TextOnDisk | null | undefined>>();

  constructor(private readonly context: Pick<ReadContext, 'nodesOf' | 'blobs' | 'projectRoot'>) {}

  /** @param hash What {@link contentHash} said of the file or symbol then; null: nothing. */
  async stateOf(node: NodeRef, hash: string | null): Promise<AboutState> {
    const path = parseId(node.id)?.path;
    if (path === null || path === undefined || this.context.projectRoot === null) return 'unchecked';
    const file = await this.#onDisk(path);
    if (file === null) return 'orphaned';
    if (file === undefined || hash === null) return 'unchecked';
    if (isA(node.archetype, File)) return file.hash === hash ? 'fresh' : 'drifted';
    return this.#stateOfSymbol(node.id, file, hash);
  }

  async #stateOfSymbol(id: string, file: TextOnDisk, hash: string): Promise<AboutState> {
    const [symbol] = await this.context.nodesOf(CodeSymbol, [id]);
    if (!symbol || symbol.gone) return (await this.#hasIndex()) ? 'orphaned' : 'unchecked';
    const lines = file.text.split('\n');
    const { start_line, end_line } = symbol;
    if (hashOf(lines, start_line - 1, end_line) === hash) return 'fresh';
    const [indexed] = await this.context.nodesOf(File, [fileId(symbol.path)]);
    const isOld = indexed?.hash !== file.hash;
    return isOld && hasLines(lines, start_line - 1, end_line, hash) ? 'fresh' : 'drifted';
  }

  /** Whether the code graph would have a symbol that is there. */
  async #hasIndex(): Promise<boolean> {
    const [mark] = await this.context.blobs([PROGRESS_MARK]);
    return readProgress(mark)?.complete ?? false;
  }

  #onDisk(path: string): Promise<TextOnDisk | null | undefined> {
    const known = this.#files.get(path) ?? textOnDisk(this.context, path);
    this.#files.set(path, known);
    return known;
  }
}

/**
 * How a thing stands to what it was when a memory was bound to it. `fresh`: it is the same. `drifted`: it says something
 * else now. `orphaned`: it is gone. `unchecked`: what it was, or is now, is not known.
 */
export const ABOUT_STATES = ['fresh', 'drifted', 'orphaned', 'unchecked'] as const;
/** One of {@link ABOUT_STATES}. */
export type AboutState = (typeof ABOUT_STATES)[number];

/** Something that a memory is about. */
export const AboutRow = z.object({
  id: z.string(),
  kind: z.enum(['file', 'symbol', 'task', 'error']),
  state: z.enum(ABOUT_STATES),
});
export type AboutRow = z.infer<typeof AboutRow>;

/** What an answer says of a memory that is about something. */
export const AboutFields = {
  /** What it is about, in order of ids. */
  about: z.array(AboutRow),
  /** The worst state of what it is about; null where it is about nothing, or nothing could be looked at. */
  freshness: z.enum(['fresh', 'drifted', 'orphaned']).nullable(),
};
export type AboutFields = z.infer<z.ZodObject<typeof AboutFields>>;

/** Of a memory that is about nothing. */
export const UNBOUND: AboutFields = { about: [], freshness: null };

type Look = Pick<ReadContext, 'q' | 'nodesOf' | 'blobs' | 'projectRoot'>;

/** What memories are about and how that stands now, by the memory's id. */
export async function aboutOf(context: Look, ids: readonly string[]): Promise<Map<string, AboutFields>> {
  const path = context.q(ids).out(MemoryAbout);
  const nodes = new Map((await path).map((node) => [node.id, node]));
  const now = new ContentsNow(context);
  const rows = new Map<string, AboutRow[]>(ids.map((id) => [id, []]));
  for (const { from, to, content_hash } of await path.edges()) {
    const node = nodes.get(to);
    const kind = node && aboutKind(node);
    if (!node || !kind) continue;
    const state = kind === 'task' || kind === 'error' ? traced(node) : await now.stateOf(node, content_hash);
    rows.get(from)?.push({ id: to, kind, state });
  }
  return new Map([...rows].map(([id, about]) => [id, { about, freshness: worstOf(about) }]));
}

/** Rows of memories with what these are about. */
export async function withAbout<T extends { readonly id: string }>(
  context: Look,
  rows: readonly T[],
): Promise<(T & AboutFields)[]> {
  const about = await aboutOf(
    context,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => ({ ...row, ...(about.get(row.id) ?? UNBOUND) }));
}

/** What kind of thing a memory is about; null: of none that it can be. */
export function aboutKind({ archetype }: NodeRef): AboutRow['kind'] | null {
  if (isA(archetype, File)) return 'file';
  if (isA(archetype, CodeSymbol)) return 'symbol';
  if (isA(archetype, Task)) return 'task';
  return isA(archetype, TraceError) ? 'error' : null;
}

/** What was recorded changes no more: it is there, or was forgotten. */
function traced({ gone }: NodeRef): AboutState {
  return gone ? 'orphaned' : 'fresh';
}

function worstOf(about: readonly AboutRow[]): AboutFields['freshness'] {
  const worst = (['orphaned', 'drifted', 'fresh'] as const).find((state) =>
    about.some((row) => row.state === state),
  );
  return worst ?? null;
}

function hashOf(lines: readonly string[], start: number, end: number): string {
  return createHash('sha256').update(lines.slice(start, end).join('\n')).digest('hex');
}

/** Whether lines with this hash stand anywhere in a file, those nearest to where they were first. */
function hasLines(lines: readonly string[], start: number, end: number, hash: string): boolean {
  const count = end - start;
  let hashed = 0;
  for (let off = 1; off <= lines.length && hashed < MOST_HASHED; off++)
    for (const at of [start + off, start - off]) {
      if (at < 0 || at + count > lines.length) continue;
      if (hashOf(lines, at, at + count) === hash) return true;
      hashed += count * 40;
    }
  return false;
}
