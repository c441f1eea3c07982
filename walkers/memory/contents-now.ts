import { createHash } from 'node:crypto';
import { isA, type NodeRef, type ReadContext } from '../../runtime/index.js';
import { CodeSymbol, File, fileId, parseId } from '../../schema/index.js';
import { PROGRESS_MARK, readProgress } from '../code/indexing/index-mark.js';
import type { AboutState } from './about-row.js';
import { type TextOnDisk, textOnDisk } from './text-on-disk.js';

/** Characters that are hashed to find lines that moved in a file that changed since it was indexed. */
const MOST_HASHED = 4_000_000;

/** Tells how files and symbols stand to what they were once. Each file is read once. */
export class ContentsNow {
  readonly #context: Pick<ReadContext, 'nodesOf' | 'blobs' | 'projectRoot'>;
  readonly #files = new Map<string, Promise<TextOnDisk | null | undefined>>();

  constructor(context: Pick<ReadContext, 'nodesOf' | 'blobs' | 'projectRoot'>) {
    this.#context = context;
  }

  /** @param hash What {@link contentHash} said of the file or symbol then; null: nothing. */
  async stateOf(node: NodeRef, hash: string | null): Promise<AboutState> {
    const path = parseId(node.id)?.path;
    if (path === null || path === undefined || this.#context.projectRoot === null) return 'unchecked';
    const file = await this.#onDisk(path);
    if (file === null) return 'orphaned';
    if (file === undefined || hash === null) return 'unchecked';
    if (isA(node.archetype, File)) return file.hash === hash ? 'fresh' : 'drifted';
    return this.#stateOfSymbol(node.id, file, hash);
  }

  async #stateOfSymbol(id: string, file: TextOnDisk, hash: string): Promise<AboutState> {
    const [symbol] = await this.#context.nodesOf(CodeSymbol, [id]);
    if (!symbol || symbol.gone) return (await this.#hasIndex()) ? 'orphaned' : 'unchecked';
    const lines = file.text.split('\n');
    const { start_line, end_line } = symbol;
    if (hashOf(lines, start_line - 1, end_line) === hash) return 'fresh';
    const [indexed] = await this.#context.nodesOf(File, [fileId(symbol.path)]);
    const isOld = indexed?.hash !== file.hash;
    return isOld && hasLines(lines, start_line - 1, end_line, hash) ? 'fresh' : 'drifted';
  }

  /** Whether the code graph would have a symbol that is there. */
  async #hasIndex(): Promise<boolean> {
    const [mark] = await this.#context.blobs([PROGRESS_MARK]);
    return readProgress(mark)?.complete ?? false;
  }

  #onDisk(path: string): Promise<TextOnDisk | null | undefined> {
    const known = this.#files.get(path) ?? textOnDisk(this.#context, path);
    this.#files.set(path, known);
    return known;
  }
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
