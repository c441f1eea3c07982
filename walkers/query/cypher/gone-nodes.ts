import type { NodeHop } from '../../../cypher/index.js';
import type { ReadContext } from '../../../runtime/index.js';
import { EDGE_ENDS, edgeArchetype, File, fileId, nodeArchetype } from '../../../schema/index.js';
import { askedEdges } from './edge-names.js';
import type { FoundNode } from './found-node.js';
import type { NodeTable } from './node-table.js';

/** One kind of edges that stays when a node at its other end goes. */
interface Crossing {
  /** Archetypes at the end whose layer is the edge's own. */
  readonly keepers: readonly string[];
  /** From there to the end that may be gone. */
  readonly direction: 'out' | 'in';
}

/** By stored name. An edge lies in one layer; an end of another layer may be gone. */
const CROSSINGS: ReadonlyMap<string, Crossing> = new Map(
  EDGE_ENDS.flatMap(({ edge, from, to }): (readonly [string, Crossing])[] => {
    const layer = edgeArchetype(edge)?.layer;
    const isRetained = (name: string) => nodeArchetype(name)?.layer === layer;
    if (from.every(isRetained) && !to.every(isRetained)) return [[edge, { keepers: from, direction: 'out' }]];
    if (to.every(isRetained) && !from.every(isRetained)) return [[edge, { keepers: to, direction: 'in' }]];
    return [];
  }),
);

/** Stored edges of hops at which a node that is gone may still be found. */
export function crossingEdges(hops: readonly NodeHop[]): string[] {
  const asked = hops.flatMap(({ types }) =>
    types === null ? [...CROSSINGS.keys()] : askedEdges(types).map(({ edge }) => edge),
  );
  return [...new Set(asked)].filter((edge) => CROSSINGS.has(edge));
}

/** What a node is looked up by. */
interface Searched {
  readonly label: string | null;
  readonly property: string;
  readonly values: readonly (string | number | boolean)[];
}

const FILE_LABELS: readonly (string | null)[] = ['File', 'Module'];
const PATHS: readonly string[] = ['path', 'file_path', 'module_path'];

/** Nodes that their own layer has no more and that edges of the other layer still tell of: found from the other end. */
export class GoneNodes {
  readonly #byEdge = new Map<string, readonly FoundNode[]>();

  constructor(
    private readonly context: Pick<ReadContext, 'findIds' | 'nodes' | 'entries'>,
    private readonly nodes: NodeTable,
  ) {}

  /** Those at edges of these stored names, each once, loaded. */
  async at(edges: Iterable<string>): Promise<FoundNode[]> {
    const found = new Set<FoundNode>();
    for (const edge of edges) {
      const known = this.#byEdge.get(edge) ?? (await this.#find(edge));
      this.#byEdge.set(edge, known);
      for (const node of known) found.add(node);
    }
    return [...found];
  }

  /** Those that a look-up may mean, or more. Files of known paths are found without a look at all edges. */
  matching({ label, property, values }: Searched, edges: readonly string[]): Promise<FoundNode[]> {
    if (!FILE_LABELS.includes(label) || !PATHS.includes(property)) return this.at(edges);
    return this.#files(values.filter((value) => typeof value === 'string'));
  }

  async #files(paths: readonly string[]): Promise<FoundNode[]> {
    const ids = [...new Set(paths)].map(fileId);
    const missing = await this.#missing(ids);
    const entries = await this.context.entries(missing, 'any', null);
    return this.#loaded(
      missing.filter((_, at) => (entries[at] ?? []).length > 0).map((id) => [id, File.name]),
    );
  }

  async #find(edge: string): Promise<FoundNode[]> {
    const archetype = edgeArchetype(edge);
    const crossing = CROSSINGS.get(edge);
    if (archetype === undefined || crossing === undefined) return [];
    const fars = new Map<string, string>();
    for (const name of crossing.keepers) {
      const keeper = nodeArchetype(name);
      const ids = keeper === undefined ? [] : await this.context.findIds(keeper);
      for (const entries of await this.context.entries(ids, crossing.direction, archetype))
        for (const { far, farType, edgeType } of entries) if (edgeType === edge) fars.set(far, farType);
    }
    const missing = await this.#missing([...fars.keys()]);
    return this.#loaded(missing.map((id) => [id, fars.get(id) ?? File.name]));
  }

  async #missing(ids: readonly string[]): Promise<string[]> {
    const refs = await this.context.nodes(ids);
    return ids.filter((_, at) => refs[at] === undefined || refs[at].gone === true);
  }

  async #loaded(nodes: readonly (readonly [id: string, archetype: string])[]): Promise<FoundNode[]> {
    const made = nodes.map(([id, archetype]) => this.nodes.node(id, archetype));
    await this.nodes.load(made);
    return made;
  }
}
