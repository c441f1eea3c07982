import type { NodeRef, ReadContext } from '../../runtime/index.js';
import { File } from '../../schema/index.js';
import {
  type ChangeOnDisk,
  type CommentFact,
  CommentReader,
  changeOnDisk,
  insideRoot,
  readText,
} from '../../source/index.js';

/** The texts of indexed files, as they were indexed: one that changed since then has none. */
export class SourceTexts {
  /** Files that changed since they were indexed. */
  readonly changed = new Set<string>();
  readonly #lines = new Map<string, readonly string[] | null>();
  readonly #comments = new CommentReader();

  constructor(private readonly context: Pick<ReadContext, 'find' | 'projectRoot'>) {}

  /** The lines of a file; null where it is not what was indexed. @param path Relative to the root. */
  async linesOf(path: string): Promise<readonly string[] | null> {
    const known = this.#lines.get(path);
    if (known !== undefined) return known;
    const lines = (await this.#read(path))?.split('\n') ?? null;
    this.#lines.set(path, lines);
    return lines;
  }

  /** The comments of a file; none where it is not what was indexed, or of no extracted language. */
  async commentsOf(path: string): Promise<readonly CommentFact[]> {
    const text = await this.#read(path);
    return text === null ? [] : this.#comments.read(path, text);
  }

  /** Frees the parser that comments are read with. */
  async close(): Promise<void> {
    await this.#comments.close();
  }

  async #read(path: string): Promise<string | null> {
    const root = this.context.projectRoot;
    const [file] = await this.context.find(File, { path });
    if (!file || root === null) return null;
    if (changeSinceIndexed(file, root) !== null) {
      this.changed.add(path);
      return null;
    }
    const read = readText({ diskPath: insideRoot(root, path).diskPath });
    return read.ok ? read.text : null;
  }
}

/**
 * What happened to a file on disk since it was indexed; null for nothing, where it is still to be indexed, and for a
 * graph in memory.
 *
 * @param root Absolute; null for a graph in memory.
 */
export function changeSinceIndexed(file: NodeRef<typeof File>, root: string | null): ChangeOnDisk {
  const { path, size_bytes, last_modified, hash } = file;
  // A file that is still to be indexed cannot have changed since.
  if (root === null || hash === '') return null;
  return changeOnDisk(insideRoot(root, path).diskPath, { size: size_bytes, modified: last_modified, hash });
}
