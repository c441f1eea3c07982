import {
  type CypherGraph,
  type CypherNode,
  type CypherRelationship,
  type CypherResult,
  type ExpandDirection,
  type HopPattern,
  type NodeHop,
  PreparedQueries,
  type RunOptions,
  run,
  type SeekValues,
  type Survey,
} from '../../cypher/index.js';
import type { Awaitable, LayerCounts, ReadContext, Slot } from '../../runtime/index.js';
import {
  canonicalId,
  EDGE_ALIASES,
  EDGE_ARCHETYPES,
  EDGE_ENDS,
  EDGE_PROPERTY_ALIASES,
  EvidenceProps,
  edgeArchetype,
  File,
  fileId,
  LABEL_RULES,
  NODE_ARCHETYPES,
  type NodeType,
  nodeArchetype,
  nodeProperty,
  ParameterProps,
  PROPERTY_ALIASES,
  Project,
  parseId,
  rulesOf,
  VIRTUAL_EDGES,
  VIRTUAL_LABELS,
} from '../../schema/index.js';
import {
  DerivedGraph,
  type DerivedHop,
  isVirtualLabel,
  VIRTUAL_PROPERTIES,
  VirtualNode,
  virtualEnds,
} from './derived.js';
import { anyValue, Elements, GONE, StoredNode, StoredRelationship } from './elements.js';
import { BOOKKEEPING, namedEdges, StoredHops } from './hops.js';

/** What a view reads of a run. */
export type CypherContext = Pick<
  ReadContext,
  | 'find'
  | 'findIds'
  | 'q'
  | 'nodes'
  | 'entries'
  | 'entryEdges'
  | 'counts'
  | 'storedNodes'
  | 'projectRoot'
  | 'cached'
  | 'version'
>;

type Scalar = string | number | boolean;

/** Nodes per page. */
const PAGE = 256;
/** Nodes of an archetype that a look-up reads one by one for want of an index. */
const FEW = 64;

/** The graph of one run as the Cypher engine sees it: labels, types and spellings of the mapping tables, both layers. */
export class CypherView implements CypherGraph {
  readonly names = NAMES;
  readonly atHand: ReadonlySet<string> = AT_HAND;
  readonly #elements: Elements;
  readonly #hops: StoredHops;
  readonly #derived: DerivedGraph;
  /** Of nodes that are gone, by the edges at which they are found. */
  readonly #gone = new Map<string, readonly StoredNode[]>();
  readonly #sources = new Map<string | null, readonly LabelSource[]>();

  private constructor(
    private readonly context: CypherContext,
    private readonly counts: LayerCounts,
    project: string,
  ) {
    this.#elements = new Elements(context, project);
    this.#hops = new StoredHops(context, this.#elements);
    this.#derived = new DerivedGraph(context, this.#elements, () => this.nodes(null));
  }

  /** A view of what a run reads. */
  static async of(context: CypherContext): Promise<CypherView> {
    const { counts, project } = await factsOf(context);
    return new CypherView(context, counts, project);
  }

  /** Files that virtual nodes were to be read from and that changed since they were indexed. */
  get changed(): ReadonlySet<string> {
    return this.#derived.changed;
  }

  /** Frees what texts were read with. */
  async close(): Promise<void> {
    await this.#derived.close();
  }

  async *nodes(label: string | null, hops: readonly NodeHop[] = []): AsyncGenerator<readonly CypherNode[]> {
    if (label !== null && isVirtualLabel(label)) {
      yield* this.#derived.nodes(label);
      return;
    }
    for (const { archetype, isConditional } of this.#sourcesOf(label))
      for await (const page of this.#idsOf(archetype)) {
        const nodes = page.map((id) => this.#elements.node(id, archetype.name));
        if (isConditional) await this.#elements.load(nodes);
        yield label !== null && isConditional ? nodes.filter((node) => node.hasLabel(label)) : nodes;
      }
    yield* this.#foreignNodes(label);
    for (const virtual of label === null ? virtualEnds(hops) : []) yield* this.#derived.nodes(virtual);
    const gone = await this.#goneAt(crossingEdges(hops));
    yield label === null ? gone : gone.filter((node) => node.hasLabel(label));
  }

  relationships(): null {
    return null;
  }

  seek(
    label: string | null,
    property: string,
    wanted: SeekValues,
    hops: readonly NodeHop[] = [],
  ): Promise<readonly CypherNode[]> | null {
    if (wanted.kind !== 'in' || (label !== null && isVirtualLabel(label)) || this.#hasForeign(label))
      return null;
    if (label === null && virtualEnds(hops).length > 0) return null;
    const isById = property === 'id' || property === 'vector_id';
    const plan = isById ? null : this.#seekPlan(label, property);
    if (plan === null && !isById) return null;
    const values = new Set(wanted.values.flatMap(scalarsOf));
    const found = plan === null ? this.#byId(values) : this.#bySeek(plan, values);
    const edges = crossingEdges(hops);
    if (edges.length === 0) return found;
    const isPath = (label === 'File' || label === 'Module') && PATHS.includes(property);
    const gone = isPath ? this.#goneFiles(values) : this.#goneAt(edges);
    return Promise.all([found, gone]).then((both) => both.flat());
  }

  expand(
    nodes: readonly CypherNode[],
    direction: ExpandDirection,
    types: readonly string[] | null,
    pattern: HopPattern,
  ): Awaitable<readonly (readonly CypherRelationship[])[]> {
    const stored = nodes.filter((node) => node instanceof StoredNode);
    const derived = this.#derived.hopOf(nodes, direction, types, pattern);
    const found = this.#hops.expand(stored, direction, types);
    return derived === null ? found : this.#withDerived(nodes, found, derived);
  }

  load(elements: readonly (CypherNode | CypherRelationship)[]): Awaitable<void> {
    const nodes = new Set<StoredNode>();
    const relationships: StoredRelationship[] = [];
    const virtual: VirtualNode[] = [];
    for (const element of elements) {
      if (element instanceof StoredNode) {
        if (!element.isLoaded) nodes.add(element);
      } else if (element instanceof StoredRelationship) {
        if (element.props === null) relationships.push(element);
      } else if (element instanceof VirtualNode) virtual.push(element);
    }
    if (nodes.size + relationships.length + virtual.length === 0) return;
    return this.#loadAll(nodes, relationships, virtual);
  }

  countNodes(label: string | null): number {
    const stored = label !== null && isVirtualLabel(label) ? 'Symbol' : label;
    return this.#sourcesOf(stored).reduce((sum, { archetype }) => sum + this.#countOf(archetype), 0);
  }

  countRelationships(type: string | null): number {
    const names = type === null ? [...this.counts.edges.keys()] : namedEdges([type]).map(({ edge }) => edge);
    return names.reduce((sum, name) => sum + (this.counts.edges.get(name) ?? 0), 0);
  }

  async #withDerived(
    nodes: readonly CypherNode[],
    expanded: Awaitable<readonly (readonly CypherRelationship[])[]>,
    derived: DerivedHop,
  ): Promise<readonly (readonly CypherRelationship[])[]> {
    const stored = (await expanded).values();
    const all: (readonly CypherRelationship[])[] = [];
    for (const node of nodes) {
      const own = node instanceof StoredNode ? stored.next().value : undefined;
      all.push(await this.#derived.expand(node, own ?? [], derived));
    }
    return all;
  }

  async #loadAll(
    nodes: ReadonlySet<StoredNode>,
    relationships: readonly StoredRelationship[],
    virtual: readonly VirtualNode[],
  ): Promise<void> {
    if (nodes.size > 0) await this.#elements.load(nodes);
    if (relationships.length > 0) await this.#hops.load(relationships);
    if (virtual.length > 0) await this.#derived.load(virtual);
  }

  #countOf({ name }: NodeType): number {
    return this.counts.nodes.get(name) ?? 0;
  }

  /** The archetypes in which nodes of a label (null: any) are found, of those that have nodes. */
  #sourcesOf(label: string | null): readonly LabelSource[] {
    const known = this.#sources.get(label);
    if (known !== undefined) return known;
    const rules = label === null ? null : rulesOf(label);
    const sources = NODE_ARCHETYPES.filter((one) => this.#countOf(one) > 0).flatMap((archetype) => {
      if (rules === null) return BOOKKEEPING.has(archetype.name) ? [] : [{ archetype, isConditional: false }];
      const own = rules.filter((rule) => archetype.lineage.has(rule.archetype));
      return own.length === 0
        ? []
        : [{ archetype, isConditional: own.every((rule) => rule.when !== undefined) }];
    });
    this.#sources.set(label, sources);
    return sources;
  }

  /** The ids of an archetype's own nodes, without those of its descendants, in pages. */
  async *#idsOf(archetype: NodeType): AsyncGenerator<readonly string[]> {
    const { findIds } = this.context;
    const descendants = NODE_ARCHETYPES.filter(
      (other) => other !== archetype && other.lineage.has(archetype.name) && this.#countOf(other) > 0,
    );
    const others = new Set((await Promise.all(descendants.map((other) => findIds(other)))).flat());
    const ids = (await findIds(archetype)).filter((id) => !others.has(id));
    for (let at = 0; at < ids.length; at += PAGE) yield ids.slice(at, at + PAGE);
  }

  /** How nodes of a label are found by a property; null where an index is missing. */
  #seekPlan(label: string | null, property: string): SeekPlan | null {
    const indexed = new Map<string, SeekPlan['indexed'][number]>();
    const scanned: NodeType[] = [];
    for (const { archetype } of this.#sourcesOf(label)) {
      const alias = nodeProperty(archetype.name, property);
      if (alias === undefined) continue;
      if ('stored' in alias && archetype.indexes.includes(alias.stored)) {
        const widest = widestWith(archetype, alias.stored);
        indexed.set(`${widest.name}\0${alias.stored}`, { archetype: widest, property: alias.stored });
      } else if (this.#countOf(archetype) <= FEW) scanned.push(archetype);
      else return null;
    }
    return { indexed: [...indexed.values()], scanned };
  }

  async #bySeek({ indexed, scanned }: SeekPlan, values: ReadonlySet<Scalar>): Promise<StoredNode[]> {
    const found = new Set<StoredNode>();
    for (const { archetype, property } of indexed)
      for (const value of values)
        for (const ref of await this.context.find(archetype, { [property]: value }))
          found.add(this.#elements.shown(ref));
    for (const archetype of scanned)
      for await (const ids of this.#idsOf(archetype))
        for (const node of await this.#elements.find(ids)) found.add(node);
    return [...found];
  }

  async #byId(values: ReadonlySet<Scalar>): Promise<StoredNode[]> {
    const ids = textsOf(values).map((id) => (parseId(id) ? canonicalId(id) : id));
    return this.#elements.find([...new Set(ids)]);
  }

  /** Nodes of archetypes that are not ours: each is its own label. */
  async *#foreignNodes(label: string | null): AsyncGenerator<readonly CypherNode[]> {
    if (!this.#hasForeign(label)) return;
    for (const layer of ['derived', 'durable'] as const)
      for await (const page of this.context.storedNodes(layer))
        yield page
          .filter(({ type }) => isForeign(type, label))
          .map(({ id, type, props }) => this.#elements.node(id, type, { props }));
  }

  #hasForeign(label: string | null): boolean {
    return [...this.counts.nodes.keys()].some((type) => isForeign(type, label));
  }

  /** Nodes that their own layer has no more and to which these edges of the other layer lead, each once, loaded. */
  async #goneAt(edges: readonly string[]): Promise<StoredNode[]> {
    const found = new Set<StoredNode>();
    for (const edge of edges) {
      const gone = this.#gone.get(edge) ?? (await this.#findGone(edge));
      this.#gone.set(edge, gone);
      for (const node of gone) found.add(node);
    }
    return [...found];
  }

  async #findGone(edge: string): Promise<StoredNode[]> {
    const [archetype, crossing] = [edgeArchetype(edge), CROSSINGS.get(edge)];
    if (archetype === undefined || crossing === undefined) return [];
    const ends = new Map<string, string>();
    for (const keeper of crossing.keepers.flatMap((name) => nodeArchetype(name) ?? [])) {
      const ids = await this.context.findIds(keeper);
      for (const entries of await this.context.entries(ids, crossing.direction, archetype))
        for (const { far, farType, edgeType } of entries) if (edgeType === edge) ends.set(far, farType);
    }
    return this.#loadGone(ends);
  }

  /** Files that are gone, by their paths: without a look at all edges. */
  async #goneFiles(paths: ReadonlySet<Scalar>): Promise<StoredNode[]> {
    const ids = textsOf(paths).map(fileId);
    const entries = await this.context.entries(ids, 'any', null);
    return this.#loadGone(new Map(ids.filter((_, at) => entries[at]?.length).map((id) => [id, File.name])));
  }

  /** @param ends Archetypes by id. */
  async #loadGone(ends: ReadonlyMap<string, string>): Promise<StoredNode[]> {
    const refs = await this.context.nodes([...ends.keys()]);
    const gone = [...ends].filter((_, at) => refs[at] === undefined || refs[at].gone);
    const nodes = gone.map(([id, archetype]) => this.#elements.node(id, archetype));
    await this.#elements.load(nodes);
    return nodes;
  }
}

/** An archetype in which nodes of a label are found. */
interface LabelSource {
  readonly archetype: NodeType;
  /** Whether properties decide if a node has the label. */
  readonly isConditional: boolean;
}

/** A look-up by an index that covers all nodes that may have a property. */
interface SeekPlan {
  readonly indexed: readonly { readonly archetype: NodeType; readonly property: string }[];
  /** Archetypes of few nodes without an index. */
  readonly scanned: readonly NodeType[];
}

/** The widest archetype above one whose index covers it, too: one look-up instead of one for each kind of symbol. */
function widestWith(archetype: NodeType, property: string): NodeType {
  const parent = archetype.parents.find(
    ({ layer, indexes }) => layer === archetype.layer && indexes.includes(property),
  );
  return parent === undefined ? archetype : widestWith(parent, property);
}

const PATHS: readonly string[] = ['path', 'file_path', 'module_path'];

function scalarsOf(value: unknown): Scalar[] {
  if (typeof value === 'bigint' || typeof value === 'number') return [Number(value)];
  return typeof value === 'string' || typeof value === 'boolean' ? [value] : [];
}

function textsOf(values: ReadonlySet<Scalar>): string[] {
  return [...values].filter((value) => typeof value === 'string');
}

/** Whether an archetype is not ours and is this label (null: any). */
function isForeign(type: string, label: string | null): boolean {
  return nodeArchetype(type) === undefined && (label === null || type === label);
}

/**
 * Edges that stay when the node at their other end goes, by stored name: an edge lies in one layer, and an end of the
 * other layer may be gone. `keepers` are the archetypes of the edge's own layer.
 */
const CROSSINGS = new Map<
  string,
  { readonly keepers: readonly string[]; readonly direction: 'out' | 'in' }
>();
for (const { edge, from, to } of EDGE_ENDS) {
  const layer = edgeArchetype(edge)?.layer;
  const [keepsFrom, keepsTo] = [from, to].map((ends) =>
    ends.every((name) => nodeArchetype(name)?.layer === layer),
  );
  if (keepsFrom !== keepsTo)
    CROSSINGS.set(edge, keepsFrom ? { keepers: from, direction: 'out' } : { keepers: to, direction: 'in' });
}

/** Stored edges of hops at which a node that is gone may still be found. */
function crossingEdges(hops: readonly NodeHop[]): string[] {
  const edges = hops.flatMap(({ types }) =>
    types === null ? [...CROSSINGS.keys()] : namedEdges(types).map(({ edge }) => edge),
  );
  return [...new Set(edges)].filter((edge) => CROSSINGS.has(edge));
}

const AT_HAND = new Set(['id']);

/** What may exist: the same in every graph. */
const NAMES: CypherGraph['names'] = {
  labels: [...new Set(LABEL_RULES.map(({ label }) => label)), ...VIRTUAL_LABELS],
  types: relationshipNames(),
  properties: propertyNames(),
};

/** Aliases, then stored names, then those in upper case. */
function relationshipNames(): string[] {
  const stored = EDGE_ARCHETYPES.map(({ name }) => name);
  const upper = stored.map((name) => name.toUpperCase());
  return [
    ...new Set([...Object.keys(EDGE_ALIASES), ...stored, ...upper, ...VIRTUAL_EDGES.map(({ name }) => name)]),
  ];
}

/** Every property that a node or an edge may have, under all its spellings. */
function propertyNames(): string[] {
  // What stands in lists of records is read like a property: `e.expression` of `c.evidence`.
  const shapes = [...NODE_ARCHETYPES, ...EDGE_ARCHETYPES, EvidenceProps, ParameterProps];
  const aliases = [PROPERTY_ALIASES, EDGE_PROPERTY_ALIASES].flatMap((table) => Object.values(table));
  const names = [...shapes.map(({ shape }) => shape), ...aliases].flatMap((of) => Object.keys(of));
  return [...new Set([...names, ...VIRTUAL_PROPERTIES, GONE])];
}

/** What every query reads of a version of the graph. */
interface VersionFacts {
  readonly version: number | null;
  readonly counts: LayerCounts;
  /** The Project's name. */
  readonly project: string;
}

const FACTS: Slot<{ last: VersionFacts | null }> = {
  name: 'what Cypher reads of every graph',
  make: () => ({ last: null }),
};

async function factsOf(context: CypherContext): Promise<VersionFacts> {
  const cachedFacts = context.cached(FACTS);
  const { version } = context;
  if (version !== null && cachedFacts.last?.version === version) return cachedFacts.last;
  const [project] = await context.find(Project);
  const facts = { version, counts: await context.counts(), project: project?.name ?? '' };
  cachedFacts.last = facts;
  return facts;
}

/** Queries that were read and planned: that takes longer than many a run. */
const PREPARED: Slot<PreparedQueries> = {
  name: 'prepared Cypher queries',
  make: () => new PreparedQueries(),
};

/** What a query over the graph found. */
export interface GraphRows extends CypherResult {
  /** Names that the query compares properties with. */
  readonly wanted: Survey['wanted'];
  /** Files that changed since they were indexed: rows of their texts are left out. */
  readonly changed: readonly string[];
}

/**
 * Runs a read-only Cypher query over what a run reads. Everything that rows hold is loaded.
 *
 * @throws CypherError As the engine does.
 */
export async function runCypher(
  context: CypherContext,
  query: string,
  parameters: Readonly<Record<string, unknown>>,
  options: Omit<RunOptions, 'parameters'>,
): Promise<GraphRows> {
  const prepared = context.cached(PREPARED).of(query, options.watch);
  const view = await CypherView.of(context);
  try {
    const values = Object.entries(parameters).map(([name, value]) => [name, anyValue(value)] as const);
    const result = await run(prepared, view, { ...options, parameters: new Map(values) });
    return { ...result, wanted: prepared.survey.wanted, changed: [...view.changed] };
  } finally {
    await view.close();
  }
}
