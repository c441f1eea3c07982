import { isDeepStrictEqual } from 'node:util';
import { type EdgeRef, type NodeDraft, propsOf, type StepsContext } from '../../runtime/index.js';
import { CodeSymbol, fileId, Import, isCommitConcept } from '../../schema/index.js';
import type { GraphPart, Link } from './code-graph.js';
import { putLinks, putNodes, turn } from './turn.js';

/** Nodes whose links are compared before others have their turn. */
const NODES_AT_ONCE = 32;

/** Nodes, then links, that go into one commit: what waits for it is held in memory. */
const NODES_PER_COMMIT = 5_000;
const LINKS_PER_COMMIT = 15_000;

/** What a run changes in the graph. */
export interface GraphChanges {
  /** The new parts of files, by path. */
  readonly files: ReadonlyMap<string, GraphPart>;
  /** Parts of folders and of the project itself. */
  readonly others: readonly GraphPart[];
  /** Nodes that files share and that are new or not what they were. */
  readonly shared: readonly NodeDraft[];
  readonly gone: readonly string[];
  /** Ids of other nodes that are gone. */
  readonly goneNodes: readonly string[];
}

/** Nothing changes. */
export const NO_CHANGES: GraphChanges = {
  files: new Map(),
  others: [],
  shared: [],
  gone: [],
  goneNodes: [],
};

/** How a run writes. */
export interface WriteOptions {
  /** Whether no run ever wrote here: then nothing stored is looked for. */
  readonly fresh: boolean;
  /** Whether it is written in several commits; else nothing is committed here. */
  readonly inSteps: boolean;
  /** Whether the nodes of files are in the graph already. Default false. */
  readonly filesThere?: boolean;
}

/**
 * Makes the stored code graph what the parts say: nodes come first, then links, then what is not wanted any more
 * goes. Each commit leaves a valid graph.
 */
export class GraphWriter {
  constructor(
    private readonly context: StepsContext,
    private readonly options: WriteOptions,
  ) {}

  /** @param changes disjoint: no node is in two parts. */
  async write(changes: GraphChanges): Promise<void> {
    const parts = [...changes.others, ...changes.files.values()];
    const outdated = await this.#outdatedNodes(changes);
    const nodes = this.options.filesThere ? changes.others : parts;
    await this.#writeNodes([...changes.shared, ...nodes.flatMap((part) => part.nodes)]);
    await this.#writeLinks(parts);
    await this.#remove([...changes.goneNodes, ...outdated]);
  }

  async #writeNodes(nodes: readonly NodeDraft[]): Promise<void> {
    for (let at = 0; at < nodes.length; at += NODES_PER_COMMIT) {
      this.context.progress({ phase: 'write nodes', done: at, total: nodes.length });
      await putNodes(this.context, nodes.slice(at, at + NODES_PER_COMMIT));
      await this.#step();
    }
  }

  async #writeLinks(parts: readonly GraphPart[]): Promise<void> {
    const total = parts.reduce((sum, { links }) => sum + links.length, 0);
    const report = (done: number) => this.context.progress({ phase: 'write edges', done, total });
    report(0);
    let done = 0;
    let waiting: Link[] = [];
    for (const part of parts) {
      const links = this.options.fresh ? part.links : await differingLinks(this.context, part);
      for (const link of links) waiting.push(link);
      done += part.links.length;
      if (waiting.length < LINKS_PER_COMMIT) continue;
      await putLinks(this.context, waiting);
      await this.#step();
      report(done);
      waiting = [];
    }
    await putLinks(this.context, waiting);
    await this.#step();
    report(total);
    await turn(this.context);
  }

  /** What the graph has of files and is not wanted any more. */
  async #outdatedNodes({ files, gone }: GraphChanges): Promise<string[]> {
    const outdated: string[] = [];
    for (const path of gone) outdated.push(...(await storedNodesOf(this.context, path)));
    if (this.options.fresh) return outdated;
    for (const [path, { nodes }] of files) {
      const wanted = new Set(nodes.map(({ id }) => id));
      const stored = await storedNodesOf(this.context, path);
      outdated.push(...stored.filter((id) => !wanted.has(id)));
    }
    return outdated;
  }

  async #remove(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    const nodes = await this.context.nodes([...new Set(ids)]);
    await this.context.del(nodes.filter((node) => node !== undefined));
    await this.#step();
  }

  async #step(): Promise<void> {
    if (!this.options.inSteps) return;
    await this.context.commit();
    await turn(this.context);
  }
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
  const wanted = new Map(
    part.links.map((link) => [linkKey(link.edge.archetype.name, link.from, link.to), link]),
  );
  for (let from = 0; from < part.nodes.length; from += NODES_AT_ONCE) {
    await context.pause();
    for (const edge of await storedLinks(context, part.nodes.slice(from, from + NODES_AT_ONCE))) {
      const key = linkKey(edge.archetype.name, edge.from, edge.to);
      const same = wanted.get(key);
      if (!same) await context.del(edge);
      else if (isDeepStrictEqual(propsOf(edge), same.edge.props)) wanted.delete(key);
    }
  }
  return [...wanted.values()];
}

async function storedLinks(context: StepsContext, nodes: readonly NodeDraft[]): Promise<EdgeRef[]> {
  const edges = await context
    .q(nodes.map(({ id }) => id ?? ''))
    .out()
    .edges();
  return edges.filter(({ archetype, to }) => archetype.layer === 'derived' && !isCommitConcept(to));
}

function linkKey(type: string, from: string, to: string): string {
  return `${type}\0${from}\0${to}`;
}
