import { z } from 'zod';
import type { ReadContext, Slot, StepsContext } from '../../../runtime/index.js';
import { append } from '../../../schema/index.js';
import {
  type CommitFact,
  type CommitFiles,
  commitFiles,
  commitList,
  type GitAnswer,
  gitLog,
  historyMark,
} from '../../../source/index.js';
import {
  commitConcepts,
  type HistoryWritten,
  hasTopics,
  TOPICS_MARK,
  topicsMark,
} from './commit-concepts.js';

/** Raised when the same commits give other bytes: git history is read again. */
const VERSION = 2;
/** The blob that says which HEAD the stored changes are of. */
export const CHANGES_MARK = 'changes';
/** The blob of the changes. */
export const CHANGES = 'changes/all';
/** Commits that one git process describes: so many that it starts seldom, so few that it ends in time. */
const COMMITS_AT_ONCE = 1000;
/** What one run spends on commits that it does not know yet, in milliseconds; the next run goes on from there. */
const MOST_TIME = 10_000;

const whole = z.number().int().nonnegative();
/** Paths are stored by number; a file that moved has its former path second. */
const StoredChanges = z.object({
  paths: z.array(z.string()),
  commits: z.array(z.object({ hash: z.string(), files: z.array(z.union([whole, z.tuple([whole, whole])])) })),
});

/** The bytes of commits, the newest first: the same for the same commits. */
function encoded(commits: readonly CommitFiles[]): Uint8Array {
  const numbers = new Map<string, number>();
  const numberOf = (path: string) => {
    const number = numbers.get(path) ?? numbers.size;
    numbers.set(path, number);
    return number;
  };
  const stored = commits.map(({ hash, files }) => ({
    hash,
    files: files.map(({ path, from }) => (from === null ? numberOf(path) : [numberOf(path), numberOf(from)])),
  }));
  return Buffer.from(JSON.stringify({ paths: [...numbers.keys()], commits: stored }));
}

/** Commits from their bytes; none of what is not readable. */
function decoded(bytes: Uint8Array | undefined): CommitFiles[] {
  const stored = parsed(bytes, StoredChanges);
  const pathAt = (number: number) => stored?.paths[number] ?? '';
  return (stored?.commits ?? []).map(({ hash, files }) => ({
    hash,
    files: files.map((file) =>
      typeof file === 'number'
        ? { path: pathAt(file), from: null }
        : { path: pathAt(file[0]), from: pathAt(file[1]) },
    ),
  }));
}

function parsed<T>(bytes: Uint8Array | undefined, shape: z.ZodType<T>): T | undefined {
  try {
    return shape.safeParse(JSON.parse(Buffer.from(bytes ?? []).toString('utf8'))).data;
  } catch {
    return undefined;
  }
}

/** What commits changed, by the paths that files have now: moves are followed. Ages count commits, 0 is the newest. */
export class ChangeHistory {
  /** The paths that each commit touched, by its age; none of files that are gone. */
  readonly commits: readonly (readonly string[])[];
  readonly #ages = new Map<string, number[]>();

  constructor(commits: readonly CommitFiles[]) {
    // What a file of an older commit is called now; null for one whose place was taken by another.
    const names = new Map<string, string | null>();
    const nameOf = (path: string) => (names.has(path) ? (names.get(path) ?? null) : path);
    this.commits = commits.map(({ files }, age) => {
      const touched = files.flatMap(({ path }) => nameOf(path) ?? []);
      for (const name of touched) append(this.#ages, name, age);
      for (const { path, from } of files) {
        if (from === null) continue;
        if (!names.has(from) || names.get(from) === null) names.set(from, nameOf(path));
        names.set(path, null);
      }
      return touched;
    });
  }

  /** The ages of the commits that touched a file, the newest first. */
  changesOf(path: string): readonly number[] {
    return this.#ages.get(path) ?? [];
  }
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
  readonly commits: readonly CommitFiles[];
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

/** Whether {@link writeHistory} has to read the code graph: there are topics of commits, or may be. */
export async function readsCode(context: Pick<ReadContext, 'blobs'>, asked: AskedHistory): Promise<boolean> {
  return asked.log !== null || (await hasTopics(context));
}

/**
 * Brings what is stored of git history to HEAD: concepts, and what changed together. It commits nothing itself.
 *
 * @param touched Paths whose File or Symbols this run wrote.
 */
export async function writeHistory(
  context: StepsContext,
  asked: AskedHistory,
  touched: Iterable<string>,
): Promise<HistoryWritten> {
  const { head, log, changes } = asked;
  const { concepts, wrote } = await commitConcepts(context, { head, log }, touched);
  const now = await changes;
  if (!now) return { concepts, wrote };
  const { commits, isWhole } = now;
  // The mark of an unfinished reading is no HEAD: the next run goes on from there.
  const mark = isWhole ? head : `unfinished ${commits.length}`;
  context.putBlob(CHANGES, encoded(commits));
  context.putBlob(CHANGES_MARK, Buffer.from(JSON.stringify([VERSION, mark])));
  return { concepts, wrote: true };
}

/**
 * What the last commits changed. It follows from the commits that HEAD reaches alone: only unknown ones are read, and what
 * a rewritten history no longer has is forgotten. Null when git could not be asked.
 */
async function changesNow(
  { now, signal }: Pick<StepsContext, 'now' | 'signal'>,
  root: string,
  head: string | null,
  before: readonly CommitFiles[],
): Promise<ChangesNow | null> {
  if (head === null) return { commits: [], isWhole: true };
  const listed = await commitList(root, signal);
  if (listed.kind === 'missing') return null;
  if (listed.kind !== 'read') return { commits: listed.kind === 'late' ? before : [], isWhole: true };
  const until = now() + MOST_TIME;
  const known = new Map(before.map((commit) => [commit.hash, commit]));
  const unknown = listed.value.filter((hash) => !known.has(hash));
  let at = 0;
  for (; at < unknown.length && now() <= until; at += COMMITS_AT_ONCE) {
    const answer = await commitFiles(root, unknown.slice(at, at + COMMITS_AT_ONCE), signal);
    if (answer.kind === 'missing') return null;
    // What git has no time for now, it would not have later.
    if (answer.kind !== 'read') at = unknown.length;
    else for (const commit of answer.value) known.set(commit.hash, commit);
  }
  return {
    commits: listed.value.flatMap((hash) => known.get(hash) ?? []),
    isWhole: at >= unknown.length,
  };
}
