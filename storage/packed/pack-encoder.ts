import { compareIds } from '../entry-order.js';
import { ByteWriter, sealOf } from './bytes.js';
import { writeMarks } from './marks.js';
import type { PackPart } from './owner.js';
import { COLUMN, type EdgeKind, FIRST_VALUE, type NodeKind, OTHER, PACK_FORMAT } from './pack.js';
import { type EdgeRow, type NodeRow, type PackCodec, withAbsent } from './pack-codec.js';

/** What becomes a pack. */
export interface PackRows {
  /** By id, each once. */
  readonly nodes: readonly NodeRow[];
  /** Edges that were there. */
  readonly before?: readonly EdgeRow[];
  /** Edges that go. */
  readonly removed?: readonly Removed[];
  /** New edges, or other ones in the place of those before. Of canonical ones with one address the last counts. */
  readonly edges: readonly EdgeRow[];
  /** The code of the archetype of an id that is not among the nodes, as who links it knows it; 0: not known. */
  readonly hintOf: (id: string) => number;
}

/** The address of an edge, by the code of its type. */
export interface Removed extends Pick<EdgeRow, 'from' | 'to' | 'seq'> {
  readonly code: number;
}

/** The values of an owner. */
export type EncodedPack = Readonly<Record<PackPart, Buffer>>;

/** Edges of a type, of a node and to a node are told apart by one number. */
const MOST_IDS = 2 ** 18;

/** Encodes packs, one after the other. */
export class PackEncoder {
  readonly #pack = new ByteWriter();
  readonly #details = new ByteWriter();
  readonly #bodies = new ByteWriter();
  readonly #marks = new ByteWriter();

  constructor(private readonly codec: PackCodec) {}

  /**
   * Undefined where nothing is left.
   *
   * @throws CodewalkError `INVALID_INPUT` where a value cannot be stored.
   */
  encode(rows: PackRows): EncodedPack | undefined {
    const nodes = [...rows.nodes].sort((a, b) => compareIds(a.id, b.id));
    const { edges, froms, tos, others } = placed(nodes, rows);
    if (nodes.length + edges.length === 0) return undefined;
    const pack = this.#pack;
    pack.reset();
    const nodeKinds = new Kinds<NodeKind>(nodes, ({ columns }) => `${columns}`);
    const edgeKinds = new Kinds<EdgeKind>(edges, () => '');
    for (const number of [PACK_FORMAT, nodes.length, others.length, edges.length, nodeKinds.all.length])
      pack.number(number);
    for (const { kind, count } of nodeKinds.all)
      for (const number of [kind.code, kind.version, count, kind.columns.length, ...kind.columns])
        pack.number(number);
    pack.number(edgeKinds.all.length);
    for (const { kind, count } of edgeKinds.all)
      for (const number of [kind.code, kind.version, count, kind.isCreation ? 1 : 0]) pack.number(number);
    for (const { kind } of nodes) pack.number(nodeKinds.placeOf(kind));
    pack.sortedTexts(nodes.map(({ id }) => id));
    pack.sortedTexts(others);
    const sections = [pack.length];
    for (const id of others) pack.number(rows.hintOf(id));
    sections.push(pack.length);
    for (const [at, { kind, undirected }] of edges.entries()) {
      pack.number((froms[at] ?? 0) - (froms[at - 1] ?? 0));
      pack.number(2 * edgeKinds.placeOf(kind) + (undirected ? 1 : 0));
      pack.number(tos[at] ?? 0);
    }
    sections.push(pack.length);
    const tuples = new Tuples();
    for (const { kind, seq, line, column, inline } of edges) {
      pack.number(tuples.placeOf(inline));
      if (kind.isCreation) pack.number(seq);
      else {
        pack.number(line);
        pack.number(column);
      }
    }
    sections.push(pack.length);
    writeColumns(pack, nodes);
    sections.push(pack.length);
    pack.bytes(this.codec.values.encode(tuples.all));
    for (const section of sections) pack.fixed(section);
    const sealed = pack.sealed();
    writeMarks(this.#marks, nodes, others, (kind) => this.codec.fieldsOf(kind));
    return {
      packs: sealed,
      details: this.#detailsOf(nodes, edges, sealOf(sealed)),
      marks: this.#marks.sealed(),
    };
  }

  #detailsOf(nodes: readonly NodeRow[], edges: readonly EdgeRow[], seal: number): Buffer {
    const [details, bodies] = [this.#details, this.#bodies];
    details.reset();
    bodies.reset();
    details.fixed(seal);
    const add = (body: Uint8Array) => {
      details.number(body.length);
      bodies.bytes(body);
    };
    for (const node of nodes) add(this.codec.nodeBody(node));
    for (const edge of edges) add(this.codec.edgeBody(edge));
    details.bytes(bodies.written);
    return details.sealed();
  }
}

/** The edges that stay, in their order, with the places of their ends among the ids that a pack names. */
interface PlacedEdges {
  readonly edges: readonly EdgeRow[];
  readonly froms: Int32Array;
  readonly tos: Int32Array;
  /** The ids behind those of the nodes, sorted. */
  readonly others: readonly string[];
}

function placed(
  nodes: readonly NodeRow[],
  { before = [], removed = [], edges: after }: PackRows,
): PlacedEdges {
  const places = new Map<string, number>();
  for (const { id } of nodes) places.set(id, places.size);
  for (const edges of [before, after])
    for (const { from, to } of edges) {
      if (!places.has(from)) places.set(from, places.size);
      if (!places.has(to)) places.set(to, places.size);
    }
  const keyOf = (code: number, { from, to, seq }: Pick<EdgeRow, 'from' | 'to' | 'seq'>) =>
    seq > 0 ? -seq : (code * MOST_IDS + (places.get(from) ?? 0)) * MOST_IDS + (places.get(to) ?? 0);
  const living = new Map<number, EdgeRow>();
  for (const edge of before) living.set(keyOf(edge.kind.code, edge), edge);
  for (const edge of removed)
    if (places.has(edge.from) && places.has(edge.to)) living.delete(keyOf(edge.code, edge));
  for (const edge of after) living.set(keyOf(edge.kind.code, edge), edge);
  const named = new Set<string>();
  for (const { from, to } of living.values()) {
    if ((places.get(from) ?? 0) >= nodes.length) named.add(from);
    if ((places.get(to) ?? 0) >= nodes.length) named.add(to);
  }
  const others = [...named].sort(compareIds);
  for (const [at, id] of others.entries()) places.set(id, nodes.length + at);
  const placeOf = (id: string) => places.get(id) ?? 0;
  const edges = [...living.values()].sort(
    (a, b) =>
      placeOf(a.from) - placeOf(b.from) ||
      a.kind.code - b.kind.code ||
      comparePlaces(a, b) ||
      compareIds(a.to, b.to),
  );
  return {
    edges,
    froms: Int32Array.from(edges, ({ from }) => placeOf(from)),
    tos: Int32Array.from(edges, ({ to }) => placeOf(to)),
    others,
  };
}

/** By number; else by line and column, where absent (0) and null (1) are both none. */
function comparePlaces(a: EdgeRow, b: EdgeRow): number {
  return (
    a.seq - b.seq ||
    Math.max(a.line, 1) - Math.max(b.line, 1) ||
    Math.max(a.column, 1) - Math.max(b.column, 1)
  );
}

/** The kinds of rows, each once, with how many rows are of it. */
class Kinds<K extends { readonly code: number; readonly version: number }> {
  readonly all: { readonly kind: K; count: number }[] = [];
  readonly #places = new Map<K, number>();

  /** @param more What tells two kinds of one version from each other. */
  constructor(rows: readonly { readonly kind: K }[], more: (kind: K) => string) {
    const byName = new Map<string, number>();
    for (const { kind } of rows) {
      let place = this.#places.get(kind);
      if (place === undefined) {
        const name = `${kind.code} ${kind.version} ${more(kind)}`;
        place = byName.get(name) ?? this.all.push({ kind, count: 0 }) - 1;
        byName.set(name, place);
        this.#places.set(kind, place);
      }
      const entry = this.all[place];
      if (entry) entry.count += 1;
    }
  }

  placeOf(kind: K): number {
    return this.#places.get(kind) ?? 0;
  }
}

/** Lists of inline values, each once. */
class Tuples {
  readonly all: unknown[][] = [];
  readonly #places = new Map<string, number>();

  placeOf(values: readonly unknown[]): number {
    let name = '';
    for (const value of values) {
      if (typeof value === 'object' && value !== null) return this.all.push(withAbsent(values)) - 1;
      name += `${typeof value} ${value}\0`;
    }
    const known = this.#places.get(name);
    if (known !== undefined) return known;
    const place = this.all.push(withAbsent(values)) - 1;
    this.#places.set(name, place);
    return place;
  }
}

function writeColumns(pack: ByteWriter, nodes: readonly NodeRow[]): void {
  const texts = new Map<string, number>();
  const numbers: number[] = [];
  for (const { columns } of nodes)
    for (const value of columns) {
      if (typeof value === 'string') {
        let place = texts.get(value);
        if (place === undefined) {
          place = texts.size;
          texts.set(value, place);
        }
        numbers.push(FIRST_VALUE + 2 * place);
      } else numbers.push(columnNumber(value));
    }
  pack.number(texts.size);
  pack.texts([...texts.keys()]);
  for (const number of numbers) pack.number(number);
}

function columnNumber(value: unknown): number {
  if (value === undefined) return COLUMN.absent;
  if (value === null) return COLUMN.null;
  if (value === OTHER) return COLUMN.other;
  if (typeof value === 'boolean') return value ? COLUMN.true : COLUMN.false;
  return FIRST_VALUE + 1 + 2 * Number(value);
}
