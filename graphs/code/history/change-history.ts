import type { ReadContext, Slot } from '../../../runtime/index.js';
import { append } from '../../../schema/index.js';
import type { CommitFiles, CommitLines, Hunk } from '../../../source/index.js';
import { CHANGES, CHANGES_MARK, readFiles, readLines } from './kept-changes.js';

/** One change of a file. */
export interface FileChange {
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

  constructor(
    commits: readonly CommitFiles['files'][],
    hashes: readonly string[],
    lines: readonly CommitLines[],
  ) {
    const linesOf = new Map(lines.map(({ hash, files }) => [hash, files]));
    // What a file of an older commit is called now; null for one whose place was taken by another.
    const names = new Map<string, string | null>();
    this.commits = commits.map((files, age) => {
      const hunks = linesOf.get(hashes[age] ?? '');
      const touched: string[] = [];
      for (const { path } of files) {
        const name = names.get(path) ?? (names.has(path) ? null : path);
        if (name === null) continue;
        touched.push(name);
        this.#note(name, { age, hunks: hunks?.get(path) });
      }
      for (const { path, from } of files) {
        if (from === null) continue;
        const name = names.has(path) ? (names.get(path) ?? null) : path;
        if (!names.has(from) || names.get(from) === null) names.set(from, name);
        names.set(path, null);
      }
      return touched;
    });
  }

  /** The changes of a file, the newest first. */
  changesOf(path: string): readonly FileChange[] {
    return this.#changes.get(path) ?? [];
  }

  #note(path: string, change: FileChange): void {
    append(this.#changes, path, change);
  }
}

/** The history as it was last read, for as long as it is the same that is kept. */
class LastRead {
  #mark: Uint8Array | undefined;
  #history = new ChangeHistory([], [], []);

  async of({ blobs }: Pick<ReadContext, 'blobs'>): Promise<ChangeHistory> {
    const [mark] = await blobs([CHANGES_MARK]);
    if (mark && this.#mark && Buffer.from(mark).equals(this.#mark)) return this.#history;
    const [commits, files, lines] = await blobs([CHANGES.commits, CHANGES.files, CHANGES.lines]);
    const hashes = Buffer.from(commits ?? [])
      .toString('utf8')
      .split('\n');
    this.#history = new ChangeHistory(readFiles(files), hashes, readLines(lines));
    this.#mark = mark;
    return this.#history;
  }
}

const LAST_READ: Slot<LastRead> = { name: 'change history', make: () => new LastRead() };

/** What is kept of the history of a project (see `keep-changes.ts`): empty without one. */
export function changeHistory(context: Pick<ReadContext, 'blobs' | 'cached'>): Promise<ChangeHistory> {
  return context.cached(LAST_READ).of(context);
}
