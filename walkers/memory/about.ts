import { createHash } from 'node:crypto';
import { isA, type NodeRef, type ReadContext, type WriteContext } from '../../runtime/index.js';
import {
  CodeSymbol,
  CodewalkError,
  File,
  fileId,
  type Memory,
  MemoryAbout,
  Task,
  TraceError,
} from '../../schema/index.js';
import { createExtractionPool, factsFromBytes, insideRoot, statusAt } from '../../source/index.js';
import { fileSymbols } from '../code/indexing/file-symbols.js';
import { findNamed, type Wanted } from '../find-symbol.js';
import { shownLine } from '../shown-text.js';
import { findError, findTask } from '../trace/find-traced.js';
import { type TextOnDisk, textOnDisk } from './text-on-disk.js';

/** Lines from 1, both ends included. */
interface Lines {
  readonly start_line: number;
  readonly end_line: number;
}

/** Where the symbols of a file stand in the text of this hash. */
interface SymbolLines {
  readonly hash: string;
  /** By id. */
  readonly lines: ReadonlyMap<string, Lines>;
}

/** Candidates that an error names. */
const MOST_CANDIDATES = 5;

const WANTED: Wanted = {
  what: 'a file or a symbol',
  fits: (node) => isA(node.archetype, File) || isA(node.archetype, CodeSymbol),
};

/**
 * Binds a memory to what it is about, with what that was just now. Names are forgiven as those of queries are; files
 * need not be indexed. What is bound already is bound anew.
 *
 * @param given Paths, names or ids of files and symbols; ids of tasks and errors.
 * @returns The ids of what it was bound to, each once.
 * @throws CodewalkError `NODE_NOT_FOUND`; `INVALID_INPUT` with the candidates of an ambiguous name.
 */
export async function bindAbout(
  context: WriteContext,
  memory: NodeRef<typeof Memory>,
  given: readonly string[],
): Promise<string[]> {
  const bound = new Map<string, NodeRef>();
  for (const name of given) {
    const node = await nodeMeant(context, name);
    bound.set(node.id, node);
  }
  const bound_at = new Date(context.now()).toISOString();
  for (const node of bound.values()) {
    const content_hash = await contentHash(context, node);
    context.connectAll([{ from: memory, to: node, edge: MemoryAbout({ content_hash, bound_at }) }]);
  }
  return [...bound.keys()];
}

async function nodeMeant(context: WriteContext, name: string): Promise<NodeRef> {
  const traced = await tracedMeant(context, name);
  if (traced) return traced;
  const file = await fileOnDisk(context, name);
  if (file) return file;
  const { targets } = await findNamed(context, name, WANTED);
  const [first] = targets;
  if (first === undefined || targets.length > 1) throw ambiguous(name, targets);
  return first;
}

/** A task or an error by its id, or by the beginning of it behind `task:` or `error:`, as lists print it. */
async function tracedMeant(context: WriteContext, name: string): Promise<NodeRef | undefined> {
  const exact = await context.node(name);
  if (exact && (isA(exact.archetype, Task) || isA(exact.archetype, TraceError))) return exact;
  if (name.startsWith('task:')) return findTask(context, name);
  return name.startsWith('error:') ? findError(context, name) : undefined;
}

/** A file that is there, indexed or not. */
async function fileOnDisk(
  { projectRoot, nodesOf }: WriteContext,
  name: string,
): Promise<NodeRef<typeof File> | undefined> {
  if (projectRoot === null) return undefined;
  try {
    const { path, exists, diskPath } = insideRoot(projectRoot, name.replace(/^file:/, ''));
    if (!exists || statusAt(diskPath)?.kind !== 'file') return undefined;
    return (await nodesOf(File, [fileId(path)]))[0];
  } catch {
    // A name that is no path inside the root.
    return undefined;
  }
}

function ambiguous(name: string, nodes: readonly NodeRef[]): CodewalkError {
  const ids = nodes.slice(0, MOST_CANDIDATES).map(({ id }) => id);
  return new CodewalkError(
    'INVALID_INPUT',
    `about: '${shownLine(name, 100)}' may be ${nodes.length} things`,
    { input: name, suggestion: `Give one of their ids: ${ids.join(', ')}.` },
  );
}

/**
 * What a file's bytes are on disk, as SHA-256 in hex: equal to `hash` of its node where nothing changed since it was
 * indexed. Of a symbol: of its own lines, so that an edit elsewhere in the file is none of it. Null for what has no
 * text, a file that cannot or must not be read, and a symbol that is not there any more.
 */
async function contentHash(
  context: Pick<ReadContext, 'projectRoot' | 'nodesOf'>,
  node: NodeRef,
): Promise<string | null> {
  const { nodesOf } = context;
  if (isA(node.archetype, File))
    return (await textOnDisk(context, node.id.slice(fileId('').length)))?.hash ?? null;
  const [symbol] = isA(node.archetype, CodeSymbol) ? await nodesOf(CodeSymbol, [node.id]) : [];
  if (!symbol || symbol.gone) return null;
  const read = await textOnDisk(context, symbol.path);
  const lines = read && (await linesNow(context, symbol, read));
  if (!read || !lines) return null;
  const own = read.text.split('\n').slice(lines.start_line - 1, lines.end_line);
  return createHash('sha256').update(own.join('\n')).digest('hex');
}

/** Where a symbol stands: as the graph has it, or, in a file that changed since, as the file says now. */
async function linesNow(
  { nodesOf }: Pick<ReadContext, 'nodesOf'>,
  symbol: NodeRef<typeof CodeSymbol>,
  { hash, diskPath }: TextOnDisk,
): Promise<Lines | undefined> {
  const [file] = await nodesOf(File, [fileId(symbol.path)]);
  if (file?.hash === hash) return symbol;
  const now = await symbolLines(symbol.path, diskPath);
  return now?.hash === hash ? now.lines.get(symbol.id) : undefined;
}

/**
 * Where the symbols of one file stand now, whatever the graph knows of it: for what cannot wait for the next index. Null
 * where it cannot be extracted.
 */
async function symbolLines(path: string, diskPath: string): Promise<SymbolLines | null> {
  const pool = createExtractionPool();
  const { size = 0 } = statusAt(diskPath) ?? {};
  try {
    for await (const one of pool.extract([{ path, diskPath, size }])) {
      if (!one.ok) return null;
      const facts = factsFromBytes(one.facts);
      const { ids, extras } = fileSymbols(path, facts);
      const lines = new Map<string, Lines>(extras.map(({ id, fact }) => [id, fact.span]));
      for (const [at, { span }] of facts.definitions.entries()) lines.set(ids[at] ?? '', span);
      return { hash: one.content.hash, lines };
    }
    return null;
  } finally {
    pool.close();
  }
}
