import type { NodeRef, ReadContext, Slot } from '../../runtime/index.js';
import { File } from '../../schema/index.js';
import {
  type ChangeOnDisk,
  type CommentFact,
  CommentReader,
  changeOnDisk,
  insideRoot,
  readText,
  withoutSecrets,
} from '../../source/index.js';

type Context = Pick<ReadContext, 'find' | 'projectRoot' | 'cached'>;

/** Why there is no text of an indexed file; `changed`: it is not what was indexed. */
type NoText = 'gone' | 'changed' | 'too large' | 'not text';

/** Hashes of texts that have no secrets, as nearly all: looking for them takes longer than reading. */
const CLEAN: Slot<Set<string>> = { name: 'texts without secrets', make: () => new Set() };
const MOST_CLEAN = 20_000;

/**
 * The texts of indexed files, as they were indexed: one that changed since then has none. Secrets have other letters and
 * digits in their places, as in what is stored of a file, so that columns stay.
 */
export class SourceTexts {
  /** Files that changed since they were indexed. */
  readonly changed = new Set<string>();
  readonly #lines = new Map<string, readonly string[] | null>();
  readonly #comments = new CommentReader();

  constructor(private readonly context: Context) {}

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
    const [file] = await this.context.find(File, { path });
    if (!file || this.context.projectRoot === null) return null;
    const { text, missing } = indexedText(this.context, file);
    if (missing === 'changed' || missing === 'gone') this.changed.add(path);
    return text;
  }
}

/**
 * The text of a file as it was indexed, as {@link SourceTexts} has it.
 *
 * @throws CodewalkError `PATH_OUTSIDE_ROOT` where it became a link out of the root.
 */
export function indexedText(
  { projectRoot: root, cached }: Pick<Context, 'projectRoot' | 'cached'>,
  file: NodeRef<typeof File>,
): { text: string; missing: null } | { text: null; missing: NoText } {
  const none = (missing: NoText) => ({ text: null, missing });
  if (root === null) return none('gone');
  const change = changeSinceIndexed(file, root);
  if (change !== null) return none(change === 'deleted' ? 'gone' : 'changed');
  const read = readText({ diskPath: insideRoot(root, file.path).diskPath });
  if (!read.ok) return none(missingBy(read.reason));
  const clean = cached(CLEAN);
  if (clean.has(file.hash)) return { text: read.text, missing: null };
  const text = withoutSecrets(read.text);
  // A file that is still to be indexed has no hash.
  if (text === read.text && file.hash !== '' && clean.size < MOST_CLEAN) clean.add(file.hash);
  return { text, missing: null };
}

function missingBy(reason: string): NoText {
  if (reason === 'too-large') return 'too large';
  return reason === 'binary' || reason === 'not-utf8' ? 'not text' : 'gone';
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
