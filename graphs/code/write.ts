import { isDeepStrictEqual } from 'node:util';
import { type EdgeRef, type NodeDraft, propsOf, type StepsContext } from '../../runtime/index.js';
import { CodewalkError, fileId, isCommitConcept } from '../../schema/index.js';
import type { GraphPart, Link } from './graph-part.js';

/** Nodes, or links, that are put at a stretch: about a millisecond. */
const PUT_AT_ONCE = 256;
/** Nodes whose links are compared before others have their turn. */
const NODES_AT_ONCE = 32;

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

/** What a run changes in the graph besides the units of files. */
export interface GraphChanges {
  /** Parts of folders and of the project itself. No node is in two parts. */
  readonly others: readonly GraphPart[];
  /** Nodes that files share and that are new or not what they were. */
  readonly shared: readonly NodeDraft[];
  /** Paths of files that are gone. */
  readonly gone: readonly string[];
  /** Ids of other nodes that are gone. */
  readonly goneNodes: readonly string[];
}

/** Puts the part of a file, with the next commit, in the place of all that the graph has of the file. */
export function putFile(context: StepsContext, path: string, { nodes, links }: GraphPart): void {
  context.putUnit({ id: fileId(path), nodes, links, keeps: isCommitConcept });
}

/**
 * Makes what is stored of folders and shared nodes what the parts say, with the next commit. The files that folders hold
 * are in the graph, or put.
 *
 * @param fresh Whether no run ever wrote here: then nothing stored is compared.
 */
export async function writeGraph(
  context: StepsContext,
  { others, shared, gone, goneNodes }: GraphChanges,
  fresh: boolean,
): Promise<void> {
  const report = async (phase: string, done: number, total: number) => {
    context.progress({ phase, done, total });
    await turn(context);
  };
  for (const path of gone) context.putUnit({ id: fileId(path), nodes: [], links: [], keeps: () => false });
  const nodes = [...shared, ...others.flatMap((part) => part.nodes)];
  await report('write nodes', 0, nodes.length);
  await putNodes(context, nodes);
  const total = others.reduce((sum, { links }) => sum + links.length, 0);
  await report('write edges', 0, total);
  for (const part of others)
    await putLinks(context, fresh ? part.links : await differingLinks(context, part));
  await report('write edges', total, total);
  const outdated = goneNodes.length === 0 ? [] : await context.nodes([...new Set(goneNodes)]);
  await context.del(outdated.filter((node) => node !== undefined));
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
