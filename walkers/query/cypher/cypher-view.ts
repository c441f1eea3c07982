import type {
  CypherGraph,
  CypherNode,
  CypherRelationship,
  CypherValue,
  ExpandDirection,
  HopPattern,
  NodeHop,
  SeekValues,
} from '../../../cypher/index.js';
import { type SimilarSteps, similarSteps } from '../../../graphs/trace/index.js';
import type { Awaitable, LayerCounts, ReadContext, Slot } from '../../../runtime/index.js';
import {
  append,
  canonicalId,
  EDGE_ARCHETYPES,
  EDGE_PROPERTY_ALIASES,
  EvidenceProps,
  NODE_ARCHETYPES,
  nodeArchetype,
  ParameterProps,
  PROPERTY_ALIASES,
  Project,
  parseId,
  SimilarStep,
  Step,
  VIRTUAL_EDGES,
  VIRTUAL_LABELS,
} from '../../../schema/index.js';
import { askedEdges, preferredName, relationshipNames } from './edge-names.js';
import { FoundNode, GONE } from './found-node.js';
import { EdgeNumbers, FoundRelationship } from './found-relationship.js';
import { crossingEdges, GoneNodes } from './gone-nodes.js';
import { asksProjectContains, HopReader } from './hop-reader.js';
import { countLabel, idsOf, labelSources, type SeekPlan, seekPlan, storedLabels } from './label-nodes.js';
import { NodeTable } from './node-table.js';
import {
  endsOfVirtual,
  isVirtualLabel,
  VIRTUAL_PROPERTIES,
  VirtualNode,
  VirtualNodes,
  virtualTypes,
} from './virtual-nodes.js';

/** What it reads of a run. */
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

/** The graph of one run as the Cypher engine sees it: labels, types and spellings of the mapping tables, both layers. */
export class CypherView implements CypherGraph {
  readonly names = NAMES;
  readonly atHand: ReadonlySet<string> = AT_HAND;
  readonly #context: CypherContext;
  readonly #counts: LayerCounts;
  readonly #nodes: NodeTable;
  readonly #gone: GoneNodes;
  readonly #hops: HopReader;
  readonly #virtual: VirtualNodes;
  #similar: Promise<ReadonlyMap<string, readonly SimilarSteps[]>> | null = null;

  private constructor(context: CypherContext, counts: LayerCounts, project: string) {
    this.#context = context;
    this.#counts = counts;
    this.#nodes = new NodeTable(context, project);
    const numbers = new EdgeNumbers();
    this.#gone = new GoneNodes(context, this.#nodes);
    this.#hops = new HopReader(context, this.#nodes, numbers);
    this.#virtual = new VirtualNodes(context, this.#nodes, numbers);
  }

  /** A view of what a run reads. */
  static async of(context: CypherContext): Promise<CypherView> {
    const { counts, project } = await factsOf(context);
    return new CypherView(context, counts, project);
  }

  /** Files that virtual nodes were to be read from and that changed since they were indexed. */
  get changed(): ReadonlySet<string> {
    return this.#virtual.changed;
  }

  /** Lets go of what it holds beside the run. */
  async close(): Promise<void> {
    await this.#virtual.close();
  }

  async *nodes(label: string | null, hops: readonly NodeHop[] = []): AsyncGenerator<readonly CypherNode[]> {
    if (label !== null && isVirtualLabel(label)) {
      yield* this.#virtual.nodes(label);
      return;
    }
    for (const { archetype, isConditional } of labelSources(label, this.#counts)) {
      for await (const page of idsOf(this.#context, archetype, this.#counts)) {
        const nodes = page.map((id) => this.#nodes.node(id, archetype.name));
        if (isConditional) await this.#nodes.load(nodes);
        yield label !== null && isConditional ? nodes.filter((node) => node.hasLabel(label)) : nodes;
      }
    }
    yield* this.#foreignNodes(label);
    for (const virtual of label === null ? endsOfVirtual(hops) : []) yield* this.#virtual.nodes(virtual);
    const gone = await this.#gone.at(crossingEdges(hops));
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
    if (label === null && endsOfVirtual(hops).length > 0) return null;
    const values = wanted.values.flatMap((value): (string | number | boolean)[] =>
      typeof value === 'string' || typeof value === 'boolean'
        ? [value]
        : typeof value === 'bigint' || typeof value === 'number'
          ? [Number(value)]
          : [],
    );
    const isById = property === 'id' || property === 'vector_id';
    const plan = isById ? null : seekPlan(label, property, this.#counts);
    if (plan === null && !isById) return null;
    const found = plan === null ? this.#byId(values) : this.#bySeek(plan, values);
    const edges = crossingEdges(hops);
    if (edges.length === 0) return found;
    const gone = this.#gone.matching({ label, property, values }, edges);
    return Promise.all([found, gone]).then((both) => both.flat());
  }

  expand(
    nodes: readonly CypherNode[],
    direction: ExpandDirection,
    types: readonly string[] | null,
    pattern: HopPattern,
  ): Awaitable<readonly (readonly CypherRelationship[])[]> {
    const contains = asksProjectContains(direction, types, pattern);
    if (asksSimilarSteps(nodes, types)) return this.#withSimilarSteps(nodes, direction, types);
    if (
      contains === null &&
      !nodes.some((node) => node instanceof VirtualNode) &&
      virtualTypes(nodes, types, pattern).length === 0
    ) {
      const found = nodes.filter((node) => node instanceof FoundNode);
      return this.#hops.expand(found, direction, types);
    }
    return this.#withVirtual(nodes, { direction, types, contains, pattern });
  }

  load(elements: readonly (CypherNode | CypherRelationship)[]): Awaitable<void> {
    const nodes = new Set<FoundNode>();
    const relationships: FoundRelationship[] = [];
    const virtual: VirtualNode[] = [];
    for (const element of elements) {
      if (element instanceof FoundNode) {
        if (!element.isLoaded) nodes.add(element);
      } else if (element instanceof FoundRelationship) {
        if (element.props === null) relationships.push(element);
      } else if (element instanceof VirtualNode) virtual.push(element);
    }
    if (nodes.size + relationships.length + virtual.length === 0) return;
    return this.#loadAll(nodes, relationships, virtual);
  }

  countNodes(label: string | null): number {
    return label !== null && isVirtualLabel(label)
      ? countLabel('Symbol', this.#counts)
      : countLabel(label, this.#counts);
  }

  countRelationships(type: string | null): number {
    const names = type === null ? [...this.#counts.edges.keys()] : askedEdges([type]).map(({ edge }) => edge);
    return names.reduce((sum, name) => sum + (this.#counts.edges.get(name) ?? 0), 0);
  }

  /** Stored relationships, and SIMILAR_STEP between steps, which is computed when it is asked for. */
  async #withSimilarSteps(
    nodes: readonly CypherNode[],
    direction: ExpandDirection,
    types: readonly string[] | null,
  ): Promise<readonly (readonly CypherRelationship[])[]> {
    const others = types?.filter((type) => type !== SIMILAR_STEP) ?? null;
    const found = nodes.filter((node) => node instanceof FoundNode);
    const stored = others?.length === 0 ? [] : await this.#hops.expand(found, direction, others);
    this.#similar ??= similarSteps(this.#context).then((pairs) => {
      const byStep = new Map<string, SimilarSteps[]>();
      for (const pair of pairs) for (const id of [pair.from, pair.to]) append(byStep, id, pair);
      return byStep;
    });
    const pairs = await this.#similar;
    const own = new Map<CypherNode, CypherRelationship[]>();
    for (const [at, node] of found.entries()) {
      const computed = (pairs.get(node.id) ?? []).map(({ from, to, score }) => {
        const props = new Map<string, CypherValue>([
          ['score', score],
          ['derived', true],
        ]);
        const [start, end] = [from, to].map((id) => this.#nodes.node(id, Step.name)) as [
          FoundNode,
          FoundNode,
        ];
        return this.#virtual.made(SIMILAR_STEP, start, end, props);
      });
      // Stores of earlier versions have such edges.
      own.set(node, [...(stored[at] ?? []).filter(({ type }) => type !== SIMILAR_STEP), ...computed]);
    }
    return nodes.map((node) => (node instanceof FoundNode ? (own.get(node) ?? []) : []));
  }

  async #loadAll(
    nodes: ReadonlySet<FoundNode>,
    relationships: readonly FoundRelationship[],
    virtual: readonly VirtualNode[],
  ): Promise<void> {
    if (nodes.size > 0) await this.#nodes.load(nodes);
    if (relationships.length > 0) await this.#hops.load(relationships);
    if (virtual.length > 0) await this.#virtual.load(virtual);
  }

  /** Stored relationships, and those that only follow from what is stored. */
  async #withVirtual(
    nodes: readonly CypherNode[],
    hop: {
      readonly direction: ExpandDirection;
      readonly types: readonly string[] | null;
      readonly contains: 'out' | 'in' | null;
      readonly pattern: HopPattern;
    },
  ): Promise<readonly (readonly CypherRelationship[])[]> {
    const { direction, types, contains, pattern } = hop;
    const found = nodes.filter((node) => node instanceof FoundNode);
    const stored = await this.#hops.expand(found, direction, types);
    const lists = new Map<CypherNode, readonly CypherRelationship[]>();
    for (const [at, node] of found.entries()) lists.set(node, stored[at] ?? []);
    const asked = virtualTypes(nodes, types, pattern);
    const all: (readonly CypherRelationship[])[] = [];
    for (const node of nodes) {
      const own = lists.get(node) ?? [];
      const virtual = await this.#virtual.expand(node, direction, asked);
      const held = contains === null ? [] : await this.#contained(node, contains, own);
      all.push([...own, ...virtual, ...held]);
    }
    return all;
  }

  /** The Project's own CONTAINS, to every node of the project but those that it holds by a stored edge. */
  async #contained(
    node: CypherNode,
    direction: 'out' | 'in',
    stored: readonly CypherRelationship[],
  ): Promise<CypherRelationship[]> {
    const project = await this.#project();
    if (project === null || (direction === 'out') !== (node === project)) return [];
    if (direction === 'in')
      return stored.some(({ start }) => start === project)
        ? []
        : [this.#virtual.made('CONTAINS', project, node)];
    const known = new Set(stored.map(({ end }) => end));
    const made: CypherRelationship[] = [];
    for await (const page of this.nodes(null))
      for (const held of page)
        if (held !== project && !known.has(held)) made.push(this.#virtual.made('CONTAINS', project, held));
    return made;
  }

  async #project(): Promise<FoundNode | null> {
    const [project] = await this.#context.find(Project);
    return project === undefined ? null : this.#nodes.node(project.id, Project.name);
  }

  async #byId(values: readonly (string | number | boolean)[]): Promise<readonly CypherNode[]> {
    const ids = values.filter((value) => typeof value === 'string').map(knownId);
    return this.#nodes.find([...new Set(ids)]);
  }

  async #bySeek(
    { indexed, scanned }: SeekPlan,
    values: readonly (string | number | boolean)[],
  ): Promise<readonly CypherNode[]> {
    const found = new Set<FoundNode>();
    for (const { archetype, property } of indexed)
      for (const value of new Set(values))
        for (const ref of await this.#context.find(archetype, { [property]: value }))
          found.add(this.#nodes.shown(ref));
    for (const archetype of scanned)
      for await (const ids of idsOf(this.#context, archetype, this.#counts))
        for (const node of await this.#nodes.find(ids)) found.add(node);
    return [...found];
  }

  /** Nodes of archetypes that are not ours: each is its own label. */
  async *#foreignNodes(label: string | null): AsyncGenerator<readonly CypherNode[]> {
    if (!this.#hasForeign(label)) return;
    for (const layer of LAYERS)
      for await (const page of this.#context.storedNodes(layer))
        yield page
          .filter(({ type }) => nodeArchetype(type) === undefined && (label === null || type === label))
          .map(({ id, type, props }) => this.#nodes.loaded(id, type, props));
  }

  /** Whether there are nodes of archetypes that are not ours, which would have a label (null: any). */
  #hasForeign(label: string | null): boolean {
    return [...this.#counts.nodes.keys()].some(
      (name) => nodeArchetype(name) === undefined && (label === null || label === name),
    );
  }
}

const SIMILAR_STEP = preferredName(SimilarStep.name);

/** Whether a hop from steps asks for SIMILAR_STEP, by its name or for any type. */
function asksSimilarSteps(nodes: readonly CypherNode[], types: readonly string[] | null): boolean {
  const isAsked = types === null || askedEdges(types).some(({ edge }) => edge === SimilarStep.name);
  return isAsked && nodes.some((node) => node instanceof FoundNode && node.archetype.name === Step.name);
}

const AT_HAND = new Set(['id']);

/** What may exist: the same in every graph. */
const NAMES: CypherGraph['names'] = {
  labels: [...storedLabels(), ...VIRTUAL_LABELS],
  types: [...new Set([...relationshipNames(), ...VIRTUAL_EDGES.map(({ name }) => name)])],
  properties: propertyNames(),
};

/** What every query asks of a version of the graph. */
interface VersionFacts {
  readonly version: number | null;
  readonly counts: LayerCounts;
  /** The Project's name. */
  readonly project: string;
}

/** Of the version that was asked last; of another one they are read again. */
const FACTS: Slot<{ last: VersionFacts | null }> = {
  name: 'what Cypher asks of every graph',
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

const LAYERS = ['derived', 'durable'] as const;

function knownId(id: string): string {
  return parseId(id) ? canonicalId(id) : id;
}

/** Every property that a node or an edge may have, under all its spellings. */
function propertyNames(): string[] {
  const names = [...NODE_ARCHETYPES, ...EDGE_ARCHETYPES].flatMap(({ shape }) => Object.keys(shape));
  const aliases = [PROPERTY_ALIASES, EDGE_PROPERTY_ALIASES].flatMap((table) =>
    Object.values(table).flatMap((of) => Object.keys(of)),
  );
  // What stands in lists of records is read like a property: `e.expression` of `c.evidence`.
  const inner = [EvidenceProps, ParameterProps].flatMap(({ shape }) => Object.keys(shape));
  return [...new Set([...names, ...aliases, ...inner, ...VIRTUAL_PROPERTIES, GONE])];
}
