import { isA, type NodeRef, type WriteContext } from '../../runtime/index.js';
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
import { insideRoot, statusAt } from '../../source/index.js';
import { findNamed, type Wanted } from '../find-symbol.js';
import { shownLine } from '../shown-text.js';
import { findError, findTask } from '../trace/find-traced.js';
import { contentHash } from './content-hash.js';

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
