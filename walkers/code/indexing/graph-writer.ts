import type { NodeDraft, NodeRef, StepsContext } from '../../../runtime/index.js';
import type { GraphPart } from './code-graph.js';
import { turn } from './turn.js';
import { storedNodesOf, writeLinks } from './write-part.js';

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
  /** Files that are gone. */
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
  readonly #context: StepsContext;
  readonly #options: WriteOptions;
  readonly #ends = new Map<string, NodeRef>();

  constructor(context: StepsContext, options: WriteOptions) {
    this.#context = context;
    this.#options = options;
  }

  /** @param changes disjoint: no node is in two parts. */
  async write(changes: GraphChanges): Promise<void> {
    const parts = [...changes.others, ...changes.files.values()];
    const outdated = await this.#outdatedNodes(changes);
    const nodes = this.#options.filesThere ? changes.others : parts;
    await this.#writeNodes([...changes.shared, ...nodes.flatMap((part) => part.nodes)]);
    await this.#writeLinks(parts);
    await this.#remove([...changes.goneNodes, ...outdated]);
  }

  async #writeNodes(nodes: readonly NodeDraft[]): Promise<void> {
    for (let at = 0; at < nodes.length; at += NODES_PER_COMMIT) {
      this.#context.progress({ phase: 'write nodes', done: at, total: nodes.length });
      const made = await this.#context.createAll(nodes.slice(at, at + NODES_PER_COMMIT));
      for (const node of made) this.#ends.set(node.id, node);
      await this.#step();
    }
  }

  async #writeLinks(parts: readonly GraphPart[]): Promise<void> {
    const total = parts.reduce((sum, { links }) => sum + links.length, 0);
    const report = (done: number) => this.#context.progress({ phase: 'write edges', done, total });
    report(0);
    await this.#loadEnds(parts);
    let done = 0;
    let waiting = 0;
    for (const part of parts) {
      waiting += await writeLinks(this.#context, part, this.#ends, this.#options.fresh);
      done += part.links.length;
      if (waiting < LINKS_PER_COMMIT) continue;
      await this.#step();
      report(done);
      waiting = 0;
    }
    await this.#step();
    report(total);
    await turn(this.#context);
  }

  /** Ends that were not written here are in the graph already. */
  async #loadEnds(parts: readonly GraphPart[]): Promise<void> {
    const missing = new Set<string>();
    const note = (id: string) => {
      if (!this.#ends.has(id)) missing.add(id);
    };
    for (const { links } of parts)
      for (const { from, to } of links) {
        note(from);
        note(to);
      }
    for (const node of await this.#context.nodes([...missing])) if (node) this.#ends.set(node.id, node);
  }

  /** What the graph has of files and is not wanted any more. */
  async #outdatedNodes({ files, gone }: GraphChanges): Promise<string[]> {
    const outdated: string[] = [];
    for (const path of gone) outdated.push(...(await storedNodesOf(this.#context, path)));
    if (this.#options.fresh) return outdated;
    for (const [path, { nodes }] of files) {
      const wanted = new Set(nodes.map(({ id }) => id));
      const stored = await storedNodesOf(this.#context, path);
      outdated.push(...stored.filter((id) => !wanted.has(id)));
    }
    return outdated;
  }

  async #remove(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    const nodes = await this.#context.nodes([...new Set(ids)]);
    await this.#context.del(nodes.filter((node) => node !== undefined));
    await this.#step();
  }

  async #step(): Promise<void> {
    if (!this.#options.inSteps) return;
    await this.#context.commit();
    await turn(this.#context);
  }
}
