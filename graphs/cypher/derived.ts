import type {
  CypherMap,
  CypherNode,
  CypherRelationship,
  CypherValue,
  ExpandDirection,
  HopPattern,
  NodeHop,
} from '../../cypher/index.js';
import type { ReadContext } from '../../runtime/index.js';
import {
  append,
  CodeSymbol,
  File,
  FileContainsSymbol,
  fileId,
  Project,
  SimilarStep,
  Step,
  VIRTUAL_LABELS,
} from '../../schema/index.js';
import { SourceTexts } from '../code/index.js';
import { type SimilarSteps, similarSteps } from '../trace/index.js';
import {
  anyValue,
  DerivedRelationship,
  type Elements,
  ownValue,
  type Props,
  StoredNode,
} from './elements.js';
import { namedEdges, preferredName } from './hops.js';

type VirtualLabel = (typeof VIRTUAL_LABELS)[number];

/** The properties of virtual nodes. */
export const VIRTUAL_PROPERTIES = [
  'content',
  'entity_type',
  'entity_name',
  'type',
  'file_path',
  'line_number',
  'start_line',
  'end_line',
] as const;

/** Whether nodes of a label are made when a query asks for them. */
export function isVirtualLabel(label: string): label is VirtualLabel {
  return (VIRTUAL_LABELS as readonly string[]).includes(label);
}

/** Labels of the virtual nodes that a node of a pattern may be, by its relationships in the pattern. */
export function virtualEnds(hops: readonly NodeHop[]): VirtualLabel[] {
  const has = (type: VirtualType, against: ExpandDirection) =>
    hops.some(({ direction, types }) => direction !== against && (types?.includes(type) ?? false));
  return [
    ...(has('DOCUMENTED_BY', 'out') ? (['DocString'] as const) : []),
    ...(has('PART_OF', 'in') ? (['CodeChunk'] as const) : []),
  ];
}

/** A node that is made of another one, or of a file's text, when a query asks for it (mapping table). */
export class VirtualNode implements CypherNode {
  readonly kind = 'node';

  /**
   * @param owner The symbol or file that it is of.
   * @param props Null until it is loaded.
   */
  constructor(
    readonly key: number,
    readonly id: string,
    readonly label: VirtualLabel,
    readonly owner: StoredNode,
    public props: Props | null,
  ) {}

  labels(): readonly string[] {
    return [this.label];
  }

  hasLabel(label: string): boolean {
    return label === this.label;
  }

  property(name: string): CypherValue {
    return name === 'id' ? this.id : anyValue(ownValue(this.props ?? {}, name));
  }

  properties(): CypherMap {
    return new Map(Object.entries(this.props ?? {}).map(([name, value]) => [name, anyValue(value)] as const));
  }
}

/** Relationships between what is stored and virtual nodes. */
const VIRTUAL_TYPES = ['DOCUMENTED_BY', 'PART_OF'] as const;
type VirtualType = (typeof VIRTUAL_TYPES)[number];

const SIMILAR_STEP = preferredName(SimilarStep.name);
/** Nodes that are read at once. */
const PAGE = 256;

/** The derived relationships that a hop may follow. */
export interface DerivedHop {
  readonly direction: ExpandDirection;
  readonly virtual: readonly VirtualType[];
  readonly similarSteps: boolean;
  /** The Project's own CONTAINS: from the Project, or to it. */
  readonly contains: 'out' | 'in' | null;
}

type Context = Pick<
  ReadContext,
  'find' | 'findIds' | 'entries' | 'projectRoot' | 'q' | 'nodes' | 'storedNodes' | 'cached' | 'version'
>;

/**
 * What follows from what is stored, made when a query asks for it: DocString, Comment and CodeChunk with their
 * relationships, SIMILAR_STEP between steps, and CONTAINS from the Project to all of its nodes.
 */
export class DerivedGraph {
  readonly #texts: SourceTexts;
  readonly #made = new Map<string, VirtualNode>();
  #similar: Promise<ReadonlyMap<string, readonly SimilarSteps[]>> | null = null;

  /** @param allNodes Every stored node, in pages. */
  constructor(
    private readonly context: Context,
    private readonly elements: Elements,
    private readonly allNodes: () => AsyncIterable<readonly CypherNode[]>,
  ) {
    this.#texts = new SourceTexts(context);
  }

  /** Files that changed since they were indexed: what their texts would give is left out. */
  get changed(): ReadonlySet<string> {
    return this.#texts.changed;
  }

  async close(): Promise<void> {
    await this.#texts.close();
  }

  /** Every node of a virtual label, in pages. */
  async *nodes(label: VirtualLabel): AsyncGenerator<readonly VirtualNode[]> {
    const owners = label === 'Comment' ? [File] : label === 'DocString' ? [File, CodeSymbol] : [CodeSymbol];
    for (const archetype of owners) {
      const ids = await this.context.findIds(archetype);
      for (let at = 0; at < ids.length; at += PAGE) {
        const page = await this.elements.find(ids.slice(at, at + PAGE));
        if (label === 'Comment') for (const file of page) yield await this.#comments(file);
        else yield page.flatMap((owner) => this.#of(label, owner));
      }
    }
  }

  /** The derived relationships that a hop may follow; null: none. */
  hopOf(
    nodes: readonly CypherNode[],
    direction: ExpandDirection,
    types: readonly string[] | null,
    { single, near, far }: HopPattern,
  ): DerivedHop | null {
    const hasVirtual = nodes.some((node) => node instanceof VirtualNode);
    let virtual: readonly VirtualType[] = [];
    if (types !== null) virtual = VIRTUAL_TYPES.filter((type) => types.includes(type));
    // Where a single hop names no type, only from or to a virtual node.
    else if (single && (hasVirtual || [...near, ...far].some(isVirtualLabel))) virtual = VIRTUAL_TYPES;
    const similarSteps =
      (types === null || namedEdges(types).some(({ edge }) => edge === SimilarStep.name)) &&
      nodes.some(isStep);
    let contains: DerivedHop['contains'] = null;
    if (single && types?.includes('CONTAINS')) {
      if (direction !== 'in' && near.includes('Project')) contains = 'out';
      else if (direction !== 'out' && far.includes('Project')) contains = 'in';
    }
    if (!hasVirtual && virtual.length === 0 && !similarSteps && contains === null) return null;
    return { direction, virtual, similarSteps, contains };
  }

  /** The derived relationships of a node, and the stored ones that these do not replace. */
  async expand(
    node: CypherNode,
    stored: readonly CypherRelationship[],
    hop: DerivedHop,
  ): Promise<readonly CypherRelationship[]> {
    let all = [...stored];
    if (hop.similarSteps && isStep(node)) {
      // Stores of earlier versions have such edges.
      all = all.filter(({ type }) => type !== SIMILAR_STEP);
      all.push(...(await this.#similarTo(node)));
    }
    if (hop.virtual.includes('DOCUMENTED_BY')) all.push(...(await this.#documented(node, hop.direction)));
    if (hop.virtual.includes('PART_OF')) all.push(...(await this.#parts(node, hop.direction)));
    if (hop.contains !== null) all.push(...(await this.#contained(node, hop.contains, stored)));
    return all;
  }

  /** Reads the texts of chunks. */
  async load(nodes: readonly VirtualNode[]): Promise<void> {
    for (const node of nodes) {
      if (node.props !== null) continue;
      const { path, start_line: from, end_line: to, name } = node.owner.loaded;
      const lines = await this.#texts.linesOf(String(path));
      const content = lines?.slice(Number(from) - 1, Number(to)).join('\n') ?? null;
      node.props = { name, content, file_path: path, start_line: from, end_line: to };
    }
  }

  #relationship(type: string, start: CypherNode, end: CypherNode, props?: CypherMap): DerivedRelationship {
    return new DerivedRelationship(type, start, end, this.elements, props);
  }

  async #similarTo({ id }: StoredNode): Promise<CypherRelationship[]> {
    this.#similar ??= similarSteps(this.context).then((pairs) => {
      const byStep = new Map<string, SimilarSteps[]>();
      for (const pair of pairs) for (const end of [pair.from, pair.to]) append(byStep, end, pair);
      return byStep;
    });
    const step = (end: string) => this.elements.node(end, Step.name);
    return ((await this.#similar).get(id) ?? []).map(({ from, to, score }) => {
      const props = new Map<string, CypherValue>([
        ['score', score],
        ['derived', true],
      ]);
      return this.#relationship(SIMILAR_STEP, step(from), step(to), props);
    });
  }

  async #contained(
    node: CypherNode,
    direction: 'out' | 'in',
    stored: readonly CypherRelationship[],
  ): Promise<CypherRelationship[]> {
    const [ref] = await this.context.find(Project);
    const project = ref && this.elements.node(ref.id, Project.name);
    if (project === undefined || (direction === 'out') !== (node === project)) return [];
    if (direction === 'in')
      return stored.some(({ start }) => start === project)
        ? []
        : [this.#relationship('CONTAINS', project, node)];
    const known = new Set<CypherNode>([project, ...stored.map(({ end }) => end)]);
    const held: CypherRelationship[] = [];
    for await (const page of this.allNodes())
      for (const one of page) if (!known.has(one)) held.push(this.#relationship('CONTAINS', project, one));
    return held;
  }

  async #documented(node: CypherNode, direction: ExpandDirection): Promise<CypherRelationship[]> {
    if (node instanceof VirtualNode)
      return node.label === 'DocString' && direction !== 'out'
        ? [this.#relationship('DOCUMENTED_BY', node.owner, node)]
        : [];
    if (!(node instanceof StoredNode) || direction === 'in') return [];
    await this.elements.load([node]);
    return this.#of('DocString', node).map((doc) => this.#relationship('DOCUMENTED_BY', node, doc));
  }

  async #parts(node: CypherNode, direction: ExpandDirection): Promise<CypherRelationship[]> {
    if (node instanceof VirtualNode) {
      if (node.label !== 'CodeChunk' || direction === 'in') return [];
      const file = this.elements.node(fileId(String(node.owner.loaded.path)), File.name);
      return [this.#relationship('PART_OF', node, file)];
    }
    if (!(node instanceof StoredNode) || direction === 'out' || node.archetype.name !== File.name) return [];
    const [entries = []] = await this.context.entries([node.id], 'out', FileContainsSymbol);
    const symbols = entries.map(({ far, farType }) => this.elements.node(far, farType));
    await this.elements.load(symbols);
    return symbols
      .flatMap((symbol) => this.#of('CodeChunk', symbol))
      .map((chunk) => this.#relationship('PART_OF', chunk, node));
  }

  #of(label: 'DocString' | 'CodeChunk', owner: StoredNode): VirtualNode[] {
    const { docstring, kind, qualified_name, path } = owner.loaded;
    if (typeof path !== 'string') return [];
    if (label === 'CodeChunk') return [this.#node(label, owner, owner.id, null)];
    if (typeof docstring !== 'string') return [];
    const props = { content: docstring, entity_type: kind ?? 'module', entity_name: qualified_name };
    return [this.#node(label, owner, `doc:${owner.id}`, props)];
  }

  async #comments(file: StoredNode): Promise<VirtualNode[]> {
    const { path } = file.loaded;
    const comments = await this.#texts.commentsOf(String(path));
    return comments.map(({ content, type, line }) =>
      this.#node('Comment', file, `comment:${path}:${line}`, {
        content,
        type,
        file_path: path,
        line_number: line,
      }),
    );
  }

  #node(label: VirtualLabel, owner: StoredNode, id: string, props: Props | null): VirtualNode {
    const key = `${label}\0${id}`;
    const node = this.#made.get(key) ?? new VirtualNode(this.elements.nextKey(), id, label, owner, props);
    this.#made.set(key, node);
    return node;
  }
}

function isStep(node: CypherNode): node is StoredNode {
  return node instanceof StoredNode && node.archetype.name === Step.name;
}
