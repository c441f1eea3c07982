import { z } from 'zod';
import type { ReadContext, Slot, StepsContext } from '../../../runtime/index.js';
import { append, LIMITS } from '../../../schema/index.js';
import {
  type CommitFact,
  type CommitFiles,
  type CommitLines,
  commitFiles,
  commitLines,
  commitList,
  type GitAnswer,
  gitLog,
  type Hunk,
  historyMark,
} from '../../../source/index.js';
import { commitConcepts, type HistoryWritten, TOPICS_MARK, topicsMark } from './commit-concepts.js';

/** Raised when the same commits give other bytes: git history is read again. */
const VERSION = 2;
/** The blob that says which HEAD the stored changes are of. */
export const CHANGES_MARK = 'changes';
/** The blob of the changes. */
export const CHANGES = 'changes/all';
/** Commits that one git process describes: so many that it starts seldom, so few that it ends in time. */
const FILES_AT_ONCE = 1000;
const LINES_AT_ONCE = 100;
/** What one run spends on commits that it does not know yet, in milliseconds; the next run goes on from there. */
const MOST_TIME = 10_000;

/** What a commit touched; of the newest commits also which lines. */
interface Commit extends CommitFiles {
  readonly lines?: CommitLines['files'] | undefined;
}

const whole = z.number().int().nonnegative();
/** Paths are stored by number; a file that moved has its former path second. */
const Touched = z.union([whole, z.tuple([whole, whole])]);
/** The number of a path, then the four numbers of each hunk. */
const Lines = z.array(z.array(whole));
const StoredChanges = z.object({
  paths: z.array(z.string()),
  commits: z.array(z.object({ hash: z.string(), files: z.array(Touched), lines: Lines.optional() })),
});

/** The bytes of commits, the newest first: the same for the same commits. */
function encoded(commits: readonly Commit[]): Uint8Array {
  const numbers = new Map<string, number>();
  const numberOf = (path: string) => {
    const number = numbers.get(path) ?? numbers.size;
    numbers.set(path, number);
    return number;
  };
  const stored = commits.map(({ hash, files, lines }) => ({
    hash,
    files: files.map(({ path, from }) => (from === null ? numberOf(path) : [numberOf(path), numberOf(from)])),
    lines:
      lines &&
      [...lines].map(([path, hunks]) => [
        numberOf(path),
        ...hunks.flatMap(({ from, count, to, became }) => [from, count, to, became]),
      ]),
  }));
  return Buffer.from(JSON.stringify({ paths: [...numbers.keys()], commits: stored }));
}

/** Commits from their bytes; none of what is not readable. */
function decoded(bytes: Uint8Array | undefined): Commit[] {
  const stored = parsed(bytes, StoredChanges);
  const pathAt = (number: number) => stored?.paths[number] ?? '';
  return (stored?.commits ?? []).map(({ hash, files, lines }) => ({
    hash,
    files: files.map((file) =>
      typeof file === 'number'
        ? { path: pathAt(file), from: null }
        : { path: pathAt(file[0]), from: pathAt(file[1]) },
    ),
    lines: lines && new Map(lines.map(([path = 0, ...numbers]) => [pathAt(path), hunksOf(numbers)])),
  }));
}

function hunksOf(numbers: readonly number[]): Hunk[] {
  const hunks: Hunk[] = [];
  for (let at = 0; at + 3 < numbers.length; at += 4) {
    const [from = 0, count = 0, to = 0, became = 0] = numbers.slice(at, at + 4);
    hunks.push({ from, count, to, became });
  }
  return hunks;
}

function parsed<T>(bytes: Uint8Array | undefined, shape: z.ZodType<T>): T | undefined {
  try {
    return shape.safeParse(JSON.parse(Buffer.from(bytes ?? []).toString('utf8'))).data;
  } catch {
    return undefined;
  }
}

/** One change of a file. */
interface FileChange {
  /** The commit: 0 is the newest. */
  readonly age: number;
  /** Which lines it changed; undefined where that is not known. */
  readonly hunks: readonly Hunk[] | undefined;
}

/** What commits changed, by the paths that files have now: moves are followed. */
export class ChangeHistory {
  /** The paths that each commit touched, the newest commit first; none of files that are gone. */
  readonly commits: readonly (readonly string[])[];
  readonly #changes = new Map<string, FileChange[]>();

  constructor(commits: readonly Omit<Commit, 'hash'>[]) {
    // What a file of an older commit is called now; null for one whose place was taken by another.
    const names = new Map<string, string | null>();
    const nameOf = (path: string) => (names.has(path) ? (names.get(path) ?? null) : path);
    this.commits = commits.map(({ files, lines }, age) => {
      const touched: string[] = [];
      for (const { path } of files) {
        const name = nameOf(path);
        if (name === null) continue;
        touched.push(name);
        append(this.#changes, name, { age, hunks: lines?.get(path) });
      }
      for (const { path, from } of files) {
        if (from === null) continue;
        if (!names.has(from) || names.get(from) === null) names.set(from, nameOf(path));
        names.set(path, null);
      }
      return touched;
    });
  }

  /** The changes of a file, the newest first. */
  changesOf(path: string): readonly FileChange[] {
    return this.#changes.get(path) ?? [];
  }

  /**
   * Which spans of a file its changes touched: by the age of the commit, the ids. Lines are followed back through every
   * change, as `git log -L` does. Where a commit's lines are not known, older ones are left out.
   */
  spansTouched(path: string, spans: readonly Span[]): Map<number, readonly string[]> {
    const touched = new Map<number, readonly string[]>();
    let now = spans;
    for (const { age, hunks } of this.changesOf(path)) {
      if (!hunks || now.length === 0) break;
      const inHunks = now.filter((span) => hunks.some((hunk) => touches(hunk, span)));
      touched.set(
        age,
        inHunks.map(({ id }) => id),
      );
      now = now
        .map(({ id, start_line, end_line }) => ({
          id,
          start_line: lineBefore(start_line, hunks, 'first'),
          end_line: lineBefore(end_line, hunks, 'last'),
        }))
        // A commit that wrote the whole span is its first one.
        .filter(({ start_line, end_line }) => start_line <= end_line);
    }
    return touched;
  }
}

/** Lines of a file that have a name; both ends included, counted from 1. */
export interface Span {
  readonly id: string;
  readonly start_line: number;
  readonly end_line: number;
}

function touches({ to, became }: Hunk, { start_line, end_line }: Span): boolean {
  // Lines that were only removed stood between line `to` and the next.
  if (became === 0) return start_line <= to && to < end_line;
  return to <= end_line && to + became > start_line;
}

/** A line's number before a change; of a line in a hunk the end of what the hunk replaced. */
function lineBefore(line: number, hunks: readonly Hunk[], side: 'first' | 'last'): number {
  let shift = 0;
  for (const { from, count, to, became } of hunks) {
    // A side without lines gives the line above.
    const [top, above] = [became === 0 ? to + 1 : to, count === 0 ? from + 1 : from];
    if (line < top) break;
    if (line < top + became) return side === 'first' ? above : above + count - 1;
    shift += count - became;
  }
  return line + shift;
}

const LAST_READ: Slot<{ mark: Uint8Array; history: ChangeHistory }> = {
  name: 'change history',
  make: () => ({ mark: new Uint8Array(), history: new ChangeHistory([]) }),
};

/** The stored changes of a project: empty without git history. Read again when their mark is another. */
export async function changeHistory({
  blobs,
  cached,
}: Pick<ReadContext, 'blobs' | 'cached'>): Promise<ChangeHistory> {
  const last = cached(LAST_READ);
  const [mark = new Uint8Array()] = await blobs([CHANGES_MARK]);
  if (Buffer.compare(mark, last.mark) === 0) return last.history;
  const [stored] = await blobs([CHANGES]);
  return Object.assign(last, { mark, history: new ChangeHistory(decoded(stored)) }).history;
}

/** Commits as they are now, and whether none is missing. */
interface ChangesNow {
  readonly commits: readonly Commit[];
  readonly isWhole: boolean;
}

/** What git was asked and has not answered yet. */
export interface AskedHistory {
  readonly head: string | null;
  /** The last commits; null where what is stored is of that HEAD. */
  readonly log: Promise<GitAnswer<readonly CommitFact[]>> | null;
  /** What the last commits changed; null as above. */
  readonly changes: Promise<ChangesNow | null> | null;
}

/** Asks git what is new where HEAD moved, without waiting for it. Otherwise it costs a look at HEAD and at two marks. */
export async function askHistory(context: StepsContext): Promise<AskedHistory> {
  const { projectRoot: root, signal } = context;
  if (root === null) return { head: null, log: null, changes: null };
  const head = historyMark(root);
  const [topics, mark] = await context.blobs([TOPICS_MARK, CHANGES_MARK]);
  const known = parsed(mark, z.tuple([z.literal(VERSION), z.string().nullable()]))?.[1];
  const isRecorded = topics !== undefined && Buffer.compare(topicsMark(head), topics) === 0;
  const asked = head === null ? Promise.resolve({ kind: 'none' as const }) : gitLog(root, signal);
  const log = isRecorded ? null : asked;
  const [stored] = known === head || known === undefined ? [] : await context.blobs([CHANGES]);
  const changes = known === head ? null : changesNow(context, root, head, decoded(stored));
  // A run that fails before it waits for them has failed for its own reason.
  for (const one of [log, changes]) one?.catch(() => undefined);
  return { head, log, changes };
}

/**
 * Brings what is stored of git history to HEAD: concepts, and what changed together. It commits nothing itself.
 *
 * @param asked Null: git is asked now.
 * @param touched Paths whose File or Symbols this run wrote.
 */
export async function writeHistory(
  context: StepsContext,
  asked: AskedHistory | null,
  touched: Iterable<string>,
): Promise<HistoryWritten> {
  const { head, log, changes } = asked ?? (await askHistory(context));
  const { concepts, wrote } = await commitConcepts(context, { head, log }, touched);
  const now = await changes;
  if (!now) return { concepts, wrote };
  const { commits, isWhole } = now;
  // The mark of an unfinished reading is no HEAD: the next run goes on from there.
  const withLines = commits.filter(({ lines }) => lines).length;
  const mark = isWhole ? head : `unfinished ${commits.length} ${withLines}`;
  context.putBlob(CHANGES, encoded(commits));
  context.putBlob(CHANGES_MARK, Buffer.from(JSON.stringify([VERSION, mark])));
  return { concepts, wrote: true };
}

/**
 * What the last commits changed: which files, and the newest of them which lines. It follows from the commits that HEAD
 * reaches alone: only unknown ones are read, and what a rewritten history no longer has is forgotten. Null when git
 * could not be asked.
 */
async function changesNow(
  { now, signal }: Pick<StepsContext, 'now' | 'signal'>,
  root: string,
  head: string | null,
  before: readonly Commit[],
): Promise<ChangesNow | null> {
  if (head === null) return { commits: [], isWhole: true };
  const listed = await commitList(root, signal);
  if (listed.kind === 'missing') return null;
  if (listed.kind !== 'read') return { commits: listed.kind === 'late' ? before : [], isWhole: true };
  const until = now() + MOST_TIME;
  const isLate = () => now() > until;
  const [files, lines] = await Promise.all([
    described<CommitFiles>(listed.value, before, isLate, FILES_AT_ONCE, (hashes) =>
      commitFiles(root, hashes, signal),
    ),
    described<CommitLines>(
      listed.value.slice(0, LIMITS.historyLines.max),
      before.flatMap(({ hash, lines }) => (lines ? [{ hash, files: lines }] : [])),
      isLate,
      LINES_AT_ONCE,
      (hashes) => commitLines(root, hashes, signal),
    ),
  ]);
  if (files === null || lines === null) return null;
  const linesOf = new Map(lines.values.map((one) => [one.hash, one.files]));
  return {
    commits: files.values.map(({ hash, files }) => ({ hash, files, lines: linesOf.get(hash) })),
    isWhole: files.isWhole && lines.isWhole,
  };
}

/** What is known of commits and what git says of the others, in their order; null when git could not be asked. */
async function described<T extends { readonly hash: string }>(
  hashes: readonly string[],
  known: readonly T[],
  isLate: () => boolean,
  atOnce: number,
  ask: (hashes: readonly string[]) => Promise<GitAnswer<readonly T[]>>,
): Promise<{ values: T[]; isWhole: boolean } | null> {
  const values = new Map(known.map((value) => [value.hash, value]));
  const unknown = hashes.filter((hash) => !values.has(hash));
  let at = 0;
  for (; at < unknown.length && !isLate(); at += atOnce) {
    const answer = await ask(unknown.slice(at, at + atOnce));
    if (answer.kind === 'missing') return null;
    // What git has no time for now, it would not have later.
    if (answer.kind !== 'read') at = unknown.length;
    else for (const value of answer.value) values.set(value.hash, value);
  }
  return { values: hashes.flatMap((hash) => values.get(hash) ?? []), isWhole: at >= unknown.length };
}
