import type {
  CypherMap,
  CypherNode,
  CypherRelationship,
  CypherValue,
  ExpandDirection,
  HopPattern,
  NodeHop,
} from '../../../cypher/index.js';
import { SourceTexts } from '../../../graphs/code/index.js';
import type { ReadContext } from '../../../runtime/index.js';
import { CodeSymbol, File, FileContainsSymbol, fileId, VIRTUAL_LABELS } from '../../../schema/index.js';
import { FoundNode } from './found-node.js';
import { type EdgeNumbers, MadeRelationship } from './found-relationship.js';
import type { NodeTable } from './node-table.js';
import { anyValue, ownValue, type Props } from './stored-value.js';

/** One of {@link VIRTUAL_LABELS}. */
export type VirtualLabel = (typeof VIRTUAL_LABELS)[number];

/** Relationships between what is stored and what is made of it. */
export type VirtualType = 'DOCUMENTED_BY' | 'PART_OF';

const TYPES: readonly VirtualType[] = ['DOCUMENTED_BY', 'PART_OF'];

/** What virtual nodes may be asked for. */
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

/** A node that is made of another one, or of a file's text, when it is asked for (mapping table). */
export class VirtualNode implements CypherNode {
  readonly kind = 'node';
  readonly key: number;
  readonly id: string;
  readonly label: VirtualLabel;
  /** The symbol or file that it is of. */
  readonly owner: FoundNode;
  /** Null until it is loaded. */
  props: Props | null;

  constructor(key: number, label: VirtualLabel, owner: FoundNode, rest: { id: string; props: Props | null }) {
    this.key = key;
    this.id = rest.id;
    this.label = label;
    this.owner = owner;
    this.props = rest.props;
  }

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

const PAGE = 256;

/**
 * The virtual relationships that a hop may lead along: those that it names, and, where it names no type and is a
 * single hop, all of them if it comes from a virtual node or its pattern asks for one.
 */
export function virtualTypes(
  nodes: readonly CypherNode[],
  types: readonly string[] | null,
  { single, near, far }: HopPattern,
): readonly VirtualType[] {
  if (types !== null) return TYPES.filter((type) => types.includes(type));
  const isAsked = [...near, ...far].some(isVirtualLabel) || nodes.some((node) => node instanceof VirtualNode);
  return single && isAsked ? TYPES : [];
}

/** Labels of the virtual nodes that a node of a pattern may be, for what it says around the node. */
export function endsOfVirtual(hops: readonly NodeHop[]): VirtualLabel[] {
  const has = (type: VirtualType, against: ExpandDirection) =>
    hops.some(({ direction, types }) => direction !== against && (types?.includes(type) ?? false));
  return [
    ...(has('DOCUMENTED_BY', 'out') ? (['DocString'] as const) : []),
    ...(has('PART_OF', 'in') ? (['CodeChunk'] as const) : []),
  ];
}

/** Whether nodes of a label are made when they are asked for. */
export function isVirtualLabel(label: string): label is VirtualLabel {
  return (VIRTUAL_LABELS as readonly string[]).includes(label);
}

/** DocString, Comment and CodeChunk: computed from spans when a query asks for them, never stored. */
export class VirtualNodes {
  readonly #context: Pick<ReadContext, 'findIds' | 'entries'>;
  readonly #nodes: NodeTable;
  readonly #texts: SourceTexts;
  readonly #made = new Map<string, VirtualNode>();

  constructor(
    context: Pick<ReadContext, 'find' | 'findIds' | 'entries' | 'projectRoot'>,
    nodes: NodeTable,
    private readonly numbers: EdgeNumbers,
  ) {
    this.#context = context;
    this.#nodes = nodes;
    this.#texts = new SourceTexts(context);
  }

  /** Files that changed since they were indexed: what they would have told is left out. */
  get changed(): ReadonlySet<string> {
    return this.#texts.changed;
  }

  /** Every node of a label, in pages. */
  async *nodes(label: VirtualLabel): AsyncGenerator<readonly VirtualNode[]> {
    const owners = label === 'Comment' ? [File] : label === 'DocString' ? [File, CodeSymbol] : [CodeSymbol];
    for (const archetype of owners) {
      const ids = await this.#context.findIds(archetype);
      for (let at = 0; at < ids.length; at += PAGE) {
        const page = await this.#nodes.find(ids.slice(at, at + PAGE));
        if (label === 'Comment') for (const file of page) yield await this.#comments(file);
        else yield page.flatMap((owner) => this.#of(label, owner) ?? []);
      }
    }
  }

  /** The relationships of a node of these virtual types. */
  async expand(
    node: CypherNode,
    direction: ExpandDirection,
    types: readonly VirtualType[],
  ): Promise<readonly CypherRelationship[]> {
    const made: CypherRelationship[] = [];
    if (types.includes('DOCUMENTED_BY')) made.push(...(await this.#documented(node, direction)));
    if (types.includes('PART_OF')) made.push(...(await this.#parts(node, direction)));
    return made;
  }

  /** Reads the texts that chunks are of. */
  async load(nodes: readonly VirtualNode[]): Promise<void> {
    for (const node of nodes) {
      if (node.props !== null) continue;
      const { path, start_line: from, end_line: to, name } = node.owner.loaded;
      const lines = await this.#texts.linesOf(String(path));
      const content = lines?.slice(Number(from) - 1, Number(to)).join('\n') ?? null;
      node.props = { name, content, file_path: path, start_line: from, end_line: to };
    }
  }

  /** Lets go of what texts were read with. */
  async close(): Promise<void> {
    await this.#texts.close();
  }

  /** A relationship that follows from what is stored. */
  made(type: string, start: CypherNode, end: CypherNode, props?: CypherMap): CypherRelationship {
    return new MadeRelationship(type, { start, end }, this.numbers, props);
  }

  async #documented(node: CypherNode, direction: ExpandDirection): Promise<CypherRelationship[]> {
    if (node instanceof VirtualNode)
      return node.label === 'DocString' && direction !== 'out'
        ? [this.made('DOCUMENTED_BY', node.owner, node)]
        : [];
    if (!(node instanceof FoundNode) || direction === 'in') return [];
    await this.#nodes.load([node]);
    const doc = this.#of('DocString', node);
    return doc === undefined ? [] : [this.made('DOCUMENTED_BY', node, doc)];
  }

  async #parts(node: CypherNode, direction: ExpandDirection): Promise<CypherRelationship[]> {
    if (node instanceof VirtualNode) {
      if (node.label !== 'CodeChunk' || direction === 'in') return [];
      return [
        this.made('PART_OF', node, this.#nodes.node(fileId(String(node.owner.loaded.path)), File.name)),
      ];
    }
    if (!(node instanceof FoundNode) || direction === 'out' || node.archetype.name !== File.name) return [];
    const [entries = []] = await this.#context.entries([node.id], 'out', FileContainsSymbol);
    const symbols = entries.map(({ far, farType }) => this.#nodes.node(far, farType));
    await this.#nodes.load(symbols);
    return symbols.flatMap((symbol) => {
      const chunk = this.#of('CodeChunk', symbol);
      return chunk === undefined ? [] : [this.made('PART_OF', chunk, node)];
    });
  }

  #of(label: 'DocString' | 'CodeChunk', owner: FoundNode): VirtualNode | undefined {
    const { docstring, kind, qualified_name, path } = owner.loaded;
    if (typeof path !== 'string') return undefined;
    if (label === 'CodeChunk') return this.#node(label, owner, { id: owner.id, props: null });
    if (typeof docstring !== 'string') return undefined;
    const props = { content: docstring, entity_type: kind ?? 'module', entity_name: qualified_name };
    return this.#node(label, owner, { id: `doc:${owner.id}`, props });
  }

  async #comments(file: FoundNode): Promise<VirtualNode[]> {
    const { path } = file.loaded;
    const comments = await this.#texts.commentsOf(String(path));
    return comments.map(({ content, type, line }) =>
      this.#node('Comment', file, {
        id: `comment:${path}:${line}`,
        props: { content, type, file_path: path, line_number: line },
      }),
    );
  }

  #node(label: VirtualLabel, owner: FoundNode, rest: { id: string; props: Props | null }): VirtualNode {
    const name = `${label}\0${rest.id}`;
    const known = this.#made.get(name);
    if (known !== undefined) return known;
    const node = new VirtualNode(this.#nodes.nextKey(), label, owner, rest);
    this.#made.set(name, node);
    return node;
  }
}
