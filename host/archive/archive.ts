import {
  closeSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { CodewalkError, LIMITS } from '../../schema/index.js';
import { ArchiveLine } from './archive-line.js';

const SEGMENT = /^\d{8}\.jsonl$/u;
const NEWLINE = 10;

/**
 * What was recorded in a history, one line of JSON each, in files of some megabytes (P-04): masked and cut, with all that
 * making the durable layer again takes. A line is written before the commit that it tells of, so one may stand there
 * twice, or tell of what was committed only when it was sent again; replaying takes each event once.
 *
 * Whoever holds the durable store writes; nothing is kept open between two calls.
 */
export class Archive {
  readonly #folder: string;
  /** The file whose last line is known to be whole. */
  #whole: string | null = null;

  /** @param folder made (0700) with the first line. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * Adds lines at the end.
   *
   * @param sync Whether to wait until they are on disk.
   * @throws CodewalkError `STORE_FULL` when they cannot be written.
   */
  append(lines: readonly ArchiveLine[], { sync }: { readonly sync: boolean }): void {
    if (lines.length === 0) return;
    try {
      this.#append(Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join('')), sync);
    } catch (thrown) {
      this.#whole = null;
      const why = thrown instanceof Error ? thrown.message : String(thrown);
      throw new CodewalkError('STORE_FULL', `the archive cannot be written: ${why}`, { cause: thrown });
    }
  }

  /** All lines from the first on; what is no line (a file that was cut) is passed over. */
  *replay(): Generator<ArchiveLine> {
    for (const segment of this.#segments())
      for (const text of linesIn(join(this.#folder, segment))) {
        const line = parsed(text);
        if (line) yield line;
      }
  }

  /**
   * Leaves out lines for good: files that had some are written anew, and replace the old ones when they are on disk.
   * What is no line is left out too.
   *
   * @returns how many lines were left out.
   */
  rewrite(keep: (line: ArchiveLine) => boolean): number {
    let removed = 0;
    for (const segment of this.#segments()) removed += this.#rewriteSegment(segment, keep);
    this.#whole = null;
    return removed;
  }

  /** Bytes that it takes. */
  size(): number {
    return this.#segments().reduce((sum, segment) => sum + sizeOf(join(this.#folder, segment)), 0);
  }

  /** Removes the oldest files while all together are larger; never the last one. Bytes that were freed. */
  trim(bytes: number): number {
    const segments = this.#segments();
    const before = this.size();
    let size = before;
    for (const segment of segments.slice(0, -1)) {
      if (size <= bytes) break;
      const file = join(this.#folder, segment);
      size -= sizeOf(file);
      rmSync(file, { force: true });
    }
    return before - size;
  }

  #append(bytes: Buffer, sync: boolean): void {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const last = this.#segments().at(-1);
    const full = last === undefined || sizeOf(join(this.#folder, last)) >= LIMITS.archiveSegment.max;
    const segment = full ? segmentAfter(last) : last;
    const file = openSync(join(this.#folder, segment), 'a+', 0o600);
    try {
      // A process that died may have left half a line: it stays one by itself.
      if (segment !== this.#whole && !endsWhole(file)) writeSync(file, '\n');
      let done = 0;
      while (done < bytes.length) done += writeSync(file, bytes, done);
      if (sync) fsyncSync(file);
    } finally {
      closeSync(file);
    }
    this.#whole = segment;
    if (sync && full) syncFolder(this.#folder);
  }

  #rewriteSegment(segment: string, keep: (line: ArchiveLine) => boolean): number {
    const from = join(this.#folder, segment);
    const to = `${from}.new`;
    const file = openSync(to, 'w', 0o600);
    let removed = 0;
    let kept = 0;
    try {
      for (const text of linesIn(from)) {
        const line = parsed(text);
        if (line && keep(line)) {
          writeSync(file, `${text}\n`);
          kept++;
        } else removed++;
      }
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    if (removed > 0 && kept > 0) renameSync(to, from);
    else rmSync(to);
    if (kept === 0) rmSync(from);
    if (removed > 0) syncFolder(this.#folder);
    return removed;
  }

  /** Names of its files, the oldest first. */
  #segments(): string[] {
    try {
      return readdirSync(this.#folder)
        .filter((name) => SEGMENT.test(name))
        .sort();
    } catch (thrown) {
      if (thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT') return [];
      throw thrown;
    }
  }
}

function segmentAfter(last: string | undefined): string {
  return `${String(Number.parseInt(last ?? '0', 10) + 1).padStart(8, '0')}.jsonl`;
}

function parsed(text: string): ArchiveLine | null {
  try {
    return ArchiveLine.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

function* linesIn(file: string): Generator<string> {
  const bytes = readFileSync(file);
  for (let from = 0; from < bytes.length; ) {
    const found = bytes.indexOf(NEWLINE, from);
    const end = found < 0 ? bytes.length : found;
    if (end > from) yield bytes.toString('utf8', from, end);
    from = end + 1;
  }
}

function endsWhole(file: number): boolean {
  const { size } = fstatSync(file);
  if (size === 0) return true;
  const last = Buffer.alloc(1);
  readSync(file, last, 0, 1, size - 1);
  return last[0] === NEWLINE;
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

/** So that a new file is found after the machine died. Where folders cannot be synced, the file system does it itself. */
function syncFolder(folder: string): void {
  try {
    const handle = openSync(folder, 'r');
    try {
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
  } catch {
    return;
  }
}
