import { isDeepStrictEqual } from 'node:util';
import { type EdgeRef, type NodeDraft, propsOf, type StepsContext } from '../../runtime/index.js';
import { CodeSymbol, CodewalkError, fileId, Import, isCommitConcept } from '../../schema/index.js';
import type { GraphPart, Link } from './graph-part.js';

/** Nodes, or links, that are put at a stretch: about a millisecond. */
const PUT_AT_ONCE = 256;
/** Nodes whose links are compared before others have their turn. */
const NODES_AT_ONCE = 32;
/** Nodes, then links, that go into one commit: what waits for it is held in memory. */
const NODES_PER_COMMIT = 5_000;
const LINKS_PER_COMMIT = 15_000;

/**
 * Lets others have their turn between two stretches of work, when it is time: signals and timers are heard only then.
 *
 * @throws CodewalkError `CANCELLED` when the caller cancelled, `DEADLINE` when the run took too long.
 */
export async function turn(context: Pick<StepsContext, 'signal' | 'pause'>): Promise<void> {
  const pause = context.pause();
  if (pause) await pause;
  // One that was called off within the stretch itself must not be over before its next pause.
  throwIfOver(context);
}

/** @throws CodewalkError `CANCELLED` when the caller cancelled, `DEADLINE` when the run took too long. */
export function throwIfOver({ signal }: Pick<StepsContext, 'signal'>): void {
  if (!signal.aborted) return;
  const late = signal.reason instanceof DOMException && signal.reason.name === 'TimeoutError';
  throw new CodewalkError(
    late ? 'DEADLINE' : 'CANCELLED',
    late ? 'indexing ran past its deadline' : 'indexing was cancelled',
    { suggestion: 'What was extracted is kept. Run it again with mode incremental to go on.' },
  );
}

/** Puts nodes, however many. */
export async function putNodes(context: StepsContext, nodes: readonly NodeDraft[]): Promise<void> {
  for (let at = 0; at < nodes.length; at += PUT_AT_ONCE) {
    await context.putAll(nodes.slice(at, at + PUT_AT_ONCE));
    await turn(context);
  }
}

/** Puts links, however many. */
export async function putLinks(context: StepsContext, links: readonly Link[]): Promise<void> {
  for (let at = 0; at < links.length; at += PUT_AT_ONCE) {
    await context.linkAll(links.slice(at, at + PUT_AT_ONCE));
    await turn(context);
  }
}

/** What a run changes in the graph. */
export interface GraphChanges {
  /** The new parts of files, by path. */
  readonly files: ReadonlyMap<string, GraphPart>;
  /** Parts of folders and of the project itself. No node is in two parts. */
  readonly others: readonly GraphPart[];
  /** Nodes that files share and that are new or not what they were. */
  readonly shared: readonly NodeDraft[];
  /** Paths of files that are gone. */
  readonly gone: readonly string[];
  /** Ids of other nodes that are gone. */
  readonly goneNodes: readonly string[];
}

/** How a run writes. */
export interface WriteOptions {
  /** Whether no run ever wrote here: then nothing stored is looked for. */
  readonly fresh: boolean;
  /** Whether it is written in several commits; else nothing is committed here. */
  readonly inSteps: boolean;
  /** Whether the nodes of files are in the graph already. */
  readonly filesThere?: boolean;
}

/**
 * Makes the stored code graph what the parts say: nodes come first, then links, then what is not wanted any more
 * goes. Each commit leaves a valid graph.
 */
export async function writeGraph(
  context: StepsContext,
  changes: GraphChanges,
  { fresh, inSteps, filesThere = false }: WriteOptions,
): Promise<void> {
  const { files, others, shared, gone, goneNodes } = changes;
  const step = async () => {
    if (!inSteps) return;
    await context.commit();
    await turn(context);
  };
  const parts = [...others, ...files.values()];
  const outdated = [...goneNodes];
  for (const path of gone) outdated.push(...(await storedNodesOf(context, path)));
  for (const [path, { nodes }] of fresh ? [] : files) {
    const wanted = new Set(nodes.map(({ id }) => id));
    outdated.push(...(await storedNodesOf(context, path)).filter((id) => !wanted.has(id)));
  }

  const nodes = [...shared, ...(filesThere ? others : parts).flatMap((part) => part.nodes)];
  for (let at = 0; at < nodes.length; at += NODES_PER_COMMIT) {
    context.progress({ phase: 'write nodes', done: at, total: nodes.length });
    await putNodes(context, nodes.slice(at, at + NODES_PER_COMMIT));
    await step();
  }

  const total = parts.reduce((sum, { links }) => sum + links.length, 0);
  const report = (done: number) => context.progress({ phase: 'write edges', done, total });
  report(0);
  let done = 0;
  let waiting: Link[] = [];
  for (const part of parts) {
    for (const link of fresh ? part.links : await differingLinks(context, part)) waiting.push(link);
    done += part.links.length;
    if (waiting.length < LINKS_PER_COMMIT) continue;
    await putLinks(context, waiting);
    await step();
    report(done);
    waiting = [];
  }
  await putLinks(context, waiting);
  await step();
  report(total);
  await turn(context);

  if (outdated.length === 0) return;
  const stored = await context.nodes([...new Set(outdated)]);
  await context.del(stored.filter((node) => node !== undefined));
  await step();
}

/**
 * The ids of the nodes that a file has in the graph: itself, its symbols and imports. By their paths, not by
 * containment: a run that was killed between nodes and edges left nodes that nothing contains.
 */
async function storedNodesOf(context: StepsContext, path: string): Promise<string[]> {
  const symbols = await context.find(CodeSymbol, { path });
  const imports = await context.find(Import, { path });
  return [fileId(path), ...[...symbols, ...imports].map(({ id }) => id)];
}

/** The links of a part that the graph has not, or has otherwise; what it has and should not is removed. */
async function differingLinks(context: StepsContext, part: GraphPart): Promise<Link[]> {
  const keyOf = (type: string, from: string, to: string) => `${type}\0${from}\0${to}`;
  const wanted = new Map(
    part.links.map((link) => [keyOf(link.edge.archetype.name, link.from, link.to), link]),
  );
  for (let at = 0; at < part.nodes.length; at += NODES_AT_ONCE) {
    await context.pause();
    const ids = part.nodes.slice(at, at + NODES_AT_ONCE).map(({ id }) => id ?? '');
    for (const edge of (await context.q(ids).out().edges()).filter(isDerived)) {
      const key = keyOf(edge.archetype.name, edge.from, edge.to);
      const same = wanted.get(key);
      if (!same) await context.del(edge);
      else if (isDeepStrictEqual(propsOf(edge), same.edge.props)) wanted.delete(key);
    }
  }
  return [...wanted.values()];
}

/** What commits say is no file's. */
function isDerived({ archetype, to }: EdgeRef): boolean {
  return archetype.layer === 'derived' && !isCommitConcept(to);
}
