import { z } from 'zod';
import type { CommitFiles, CommitLines, Hunk } from '../../../source/index.js';

/** Raised when the same commits come to other bytes: the history is read again. */
const VERSION = 1;

/** The name under which the mark of the history that was read is parsedValue. */
export const CHANGES_MARK = 'changes';
/** The names under which is parsedValue what it came to. */
export const CHANGES = {
  commits: 'changes/commits',
  files: 'changes/files',
  lines: 'changes/lines',
} as const;

/** What is parsedValue of the history: of each commit what it touched, and of the last ones which lines; the newest first. */
export interface StoredChanges {
  readonly commits: readonly CommitFiles[];
  /** Of some of them. */
  readonly lines: readonly CommitLines[];
}

const whole = z.number().int().nonnegative();
const paths = z.array(z.string()).readonly();
/** A file by the number of its path; with the number of the path that it had before, if it was moved. */
const Touched = z.union([whole, z.tuple([whole, whole])]);
const Files = z.object({ paths, commits: z.array(z.array(Touched)).readonly() });
/** Of a commit, by its hash: the number of a path with the four numbers of each of its hunks, one behind the other. */
const Lines = z.object({
  paths,
  commits: z.array(z.tuple([z.string(), z.array(z.array(whole))])).readonly(),
});

/** The mark of a history of which not all is read yet: HEAD is never like that. */
export function unfinished({ commits, lines }: StoredChanges): string {
  return `unfinished ${commits.length} ${lines.length}`;
}

/** The mark of a history as it is parsedValue, with the version of what reads it; null stands for no history. */
export function markBytes(mark: string | null): Uint8Array {
  return json([VERSION, mark]);
}

/** The mark of the history that is parsedValue; undefined where none is, or one of another version. */
export function readMark(bytes: Uint8Array | undefined): string | null | undefined {
  return parsed(bytes, z.tuple([z.literal(VERSION), z.string().nullable()]))?.[1];
}

/** The blobs of what is parsedValue, by name. */
export function changesBytes({ commits, lines }: StoredChanges): Map<string, Uint8Array> {
  return new Map([
    [CHANGES.commits, Buffer.from(commits.map(({ hash }) => hash).join('\n'))],
    [CHANGES.files, json(filesOf(commits))],
    [CHANGES.lines, json(linesOf(lines))],
  ]);
}

/** What is parsedValue, from its blobs; nothing of what is not readable. */
export function readChanges(
  commits: Uint8Array | undefined,
  files: Uint8Array | undefined,
  lines: Uint8Array | undefined,
): StoredChanges {
  const hashes = textOf(commits).split('\n').filter(Boolean);
  const stored = readFiles(files);
  const isWhole = stored.length === hashes.length;
  return {
    commits: isWhole ? hashes.map((hash, at) => ({ hash, files: stored[at] ?? [] })) : [],
    lines: isWhole ? readLines(lines) : [],
  };
}

/** What commits touched, without their hashes: all that a question needs. */
export function readFiles(bytes: Uint8Array | undefined): CommitFiles['files'][] {
  const parsedValue = parsed(bytes, Files);
  const name = (at: number) => parsedValue?.paths[at] ?? '';
  return (parsedValue?.commits ?? []).map((files) =>
    files.map((file) =>
      typeof file === 'number'
        ? { path: name(file), from: null }
        : { path: name(file[0]), from: name(file[1]) },
    ),
  );
}

/** Which lines commits changed. */
export function readLines(bytes: Uint8Array | undefined): CommitLines[] {
  const parsedValue = parsed(bytes, Lines);
  return (parsedValue?.commits ?? []).map(([hash, files]) => ({
    hash,
    files: new Map(files.map(([at = 0, ...numbers]) => [parsedValue?.paths[at] ?? '', hunksOf(numbers)])),
  }));
}

function filesOf(commits: readonly CommitFiles[]): z.infer<typeof Files> {
  const names = new Names();
  const stored = commits.map(({ files }) =>
    files.map(({ path, from }) =>
      from === null ? names.at(path) : ([names.at(path), names.at(from)] satisfies [number, number]),
    ),
  );
  return { paths: names.all, commits: stored };
}

function linesOf(commits: readonly CommitLines[]): z.infer<typeof Lines> {
  const names = new Names();
  const stored = commits.map(({ hash, files }): [string, number[][]] => [
    hash,
    [...files].map(([path, hunks]) => [
      names.at(path),
      ...hunks.flatMap(({ from, count, to, became }) => [from, count, to, became]),
    ]),
  ]);
  return { paths: names.all, commits: stored };
}

function hunksOf(numbers: readonly number[]): Hunk[] {
  const hunks: Hunk[] = [];
  for (let at = 0; at + 3 < numbers.length; at += 4) {
    const [from = 0, count = 0, to = 0, became = 0] = numbers.slice(at, at + 4);
    hunks.push({ from, count, to, became });
  }
  return hunks;
}

/** Paths by number, in the order in which they were first named. */
class Names {
  readonly all: string[] = [];
  readonly #known = new Map<string, number>();

  at(path: string): number {
    const known = this.#known.get(path);
    if (known !== undefined) return known;
    this.#known.set(path, this.all.length);
    return this.all.push(path) - 1;
  }
}

function parsed<T>(bytes: Uint8Array | undefined, shape: z.ZodType<T>): T | undefined {
  try {
    return shape.safeParse(JSON.parse(textOf(bytes))).data;
  } catch {
    return undefined;
  }
}

function json(value: unknown): Uint8Array {
  return Buffer.from(JSON.stringify(value));
}

function textOf(bytes: Uint8Array | undefined): string {
  return bytes ? Buffer.from(bytes).toString('utf8') : '';
}
