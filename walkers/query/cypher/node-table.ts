import type { NodeRef, ReadContext } from '../../../runtime/index.js';
import { nodeArchetype, parseId } from '../../../schema/index.js';
import { FoundNode, GONE, NodeKind } from './found-node.js';
import type { Props } from './stored-value.js';

/** The nodes that one query came by: one object for each, whichever way it was reached. */
export class NodeTable {
  readonly #kinds = new Map<string, NodeKind>();
  readonly #nodes = new Map<string, FoundNode>();
  #next = 0;

  /** @param project The Project's name. */
  constructor(
    private readonly context: Pick<ReadContext, 'nodes'>,
    private readonly project: string,
  ) {}

  /** A node by its id and the name of its archetype. */
  node(id: string, archetype: string): FoundNode {
    const known = this.#nodes.get(id);
    if (known !== undefined) return known;
    const made = new FoundNode(this.nextKey(), id, this.#kind(archetype));
    this.#nodes.set(id, made);
    return made;
  }

  /** A node whose properties are at hand. */
  loaded(id: string, archetype: string, props: Props): FoundNode {
    const node = this.node(id, archetype);
    if (!node.isLoaded) node.give(props);
    return node;
  }

  /** A node that a reference of the run shows. */
  shown(ref: NodeRef): FoundNode {
    const node = this.node(ref.id, ref.archetype.name);
    if (!node.isLoaded) node.show(ref);
    return node;
  }

  /** A number that no node has yet: for nodes that are made up, too. */
  nextKey(): number {
    return this.#next++;
  }

  /** Loads what is not loaded yet, in one look. */
  async load(nodes: Iterable<FoundNode>): Promise<void> {
    const missing = [...nodes].filter(({ isLoaded }) => !isLoaded);
    if (missing.length === 0) return;
    const refs = await this.context.nodes(missing.map(({ id }) => id));
    for (const [at, node] of missing.entries()) {
      const ref = refs[at];
      if (ref === undefined || ref.gone) node.give(goneProps(node.id));
      else node.show(ref);
    }
  }

  /** Nodes by id that are there, loaded. */
  async find(ids: readonly string[]): Promise<FoundNode[]> {
    const refs = await this.context.nodes(ids);
    return refs.filter((ref) => ref !== undefined).map((ref) => this.shown(ref));
  }

  #kind(name: string): NodeKind {
    const known = this.#kinds.get(name);
    if (known !== undefined) return known;
    const archetype = nodeArchetype(name) ?? { name, lineage: new Set([name]), shape: {} };
    const made = new NodeKind(archetype, this.project);
    this.#kinds.set(name, made);
    return made;
  }
}

/** What is still known of a node that its layer has no more, while another layer's edges lead to it. */
function goneProps(id: string): Props {
  const { path = null, name = null } = parseId(id) ?? {};
  return { path, name: name ?? path?.slice(path.lastIndexOf('/') + 1) ?? null, [GONE]: true };
}
