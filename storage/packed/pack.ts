import type { NodeType } from '../../schema/index.js';
import type { Bytes } from '../kv.js';
import type { HotNode } from '../layer.js';
import { asBuffer } from '../msgpack.js';
import { ByteReader, sealOf, unsealed } from './bytes.js';
import type { NodeNames } from './node-names.js';

/** How the nodes of one archetype are packed. */
export interface NodeKind {
  readonly code: number;
  /** Of the archetype's field list. */
  readonly version: number;
  /** Positions in it of the fields that have a column. */
  readonly columns: readonly number[];
}

/** How the edges of one type are packed. */
export interface EdgeKind {
  readonly code: number;
  readonly version: number;
  /** Whether its edges have numbers, and no order of their own. */
  readonly isCreation: boolean;
}

/** How a pack's layout is told; a pack of another one counts as damaged, and is made again. */
export const PACK_FORMAT = 1;
/** Four bytes each: where the sections behind the ids begin. */
export const SECTIONS = 5;

/** What the column of a node says instead of a value; numbers from {@link FIRST_VALUE} on are texts and whole numbers in turn. */
export const COLUMN = { absent: 0, null: 1, false: 2, true: 3, other: 4 } as const;
/** See {@link COLUMN}. */
export const FIRST_VALUE = 5;
/** The value of a column that stands in the node's details: a list, a fraction. */
export const OTHER: unique symbol = Symbol('in the details');

/** The edges of a pack, by row: all that a hop needs. */
export interface PackEdges {
  /** The numbers of the pack's ids: its nodes first, then whatever else its edges name. */
  readonly ids: Int32Array;
  /** Places in `ids`; ascending. */
  readonly froms: Int32Array;
  /** Numbers of far ends. */
  readonly fars: Int32Array;
  /** Places in {@link Pack.edgeKinds}. */
  readonly kinds: Uint16Array;
  /** Null where all edges are directed. */
  readonly undirected: Uint8Array | null;
  /** Codes of the archetypes of starts and far ends that are no nodes of the pack, as who linked them knew; null: of none. */
  readonly hints: { readonly froms: Uint16Array; readonly fars: Uint16Array } | null;
}

/** The rest of what is read of edges without their details. */
export interface PackPlaces {
  readonly lines: Uint32Array;
  readonly columns: Uint32Array;
  /** Places in {@link Pack.tuples}. */
  readonly tuples: Int32Array;
  /** Numbers of edges that have one. */
  readonly seqs: Float64Array;
}

/**
 * The nodes of one owner and the edges that leave them, as they are stored: a view of bytes that decodes columns when
 * they are asked for. It never changes. Nodes are sorted by id, edges by (from, type, their order).
 */
export class Pack {
  readonly nodeCount: number;
  readonly edgeCount: number;
  readonly nodeKinds: readonly NodeKind[];
  readonly edgeKinds: readonly EdgeKind[];
  /** The numbers of the nodes' ids, by row. */
  readonly numbers: Int32Array;
  /** Places in {@link Pack.nodeKinds}, by row. */
  readonly rowKinds: Uint16Array;
  /** The second value of its owner; null while it was not read. */
  details: PackDetails | null = null;
  /** Nodes that were decoded for readers, by row, and their archetypes then: by them the fields were selected. */
  decoded: { readonly node: HotNode; readonly loaded: NodeType | undefined }[] | null = null;
  readonly #otherCount: number;
  readonly #others: number;
  #columns: Int32Array | null = null;
  #columnTexts: readonly string[] = [];
  /** Where the columns of each row begin. */
  #columnStarts: Int32Array | null = null;
  #edges: PackEdges | null = null;
  #places: PackPlaces | null = null;

  /** @param sealed What is stored. @throws RangeError where it is damaged. */
  private constructor(
    readonly owner: string,
    private readonly sealed: Buffer,
    private readonly names: NodeNames,
  ) {
    const bytes = unsealed(sealed);
    if (bytes === undefined || bytes[0] !== PACK_FORMAT)
      throw new RangeError(`the pack of ${owner} is damaged`);
    const reader = new ByteReader(bytes, 1);
    this.nodeCount = reader.number();
    this.#otherCount = reader.number();
    this.edgeCount = reader.number();
    this.nodeKinds = kindsIn(reader).map(({ code, version, columns }) => {
      const name = `${code} ${version} ${columns}`;
      return names.shared(name, () => ({ code, version, columns }));
    });
    this.edgeKinds = kindsIn(reader, true).map(({ code, version, columns }) => {
      const [isCreation] = columns;
      const name = `${code} ${version} ${isCreation} edges`;
      return names.shared(name, () => ({ code, version, isCreation: isCreation === 1 }));
    });
    this.rowKinds = new Uint16Array(this.nodeCount);
    for (let row = 0; row < this.nodeCount; row += 1) this.rowKinds[row] = reader.number();
    this.numbers = new Int32Array(this.nodeCount);
    for (const [row, id] of reader.sortedTexts(this.nodeCount).entries())
      this.numbers[row] = names.numberOf(id);
    this.#others = reader.at;
  }

  /** How many there are of each kind: of nodes, then of edges. */
  get counts(): (readonly [code: number, count: number])[] {
    const reader = new ByteReader(this.sealed, 1);
    for (let skipped = 0; skipped < 3; skipped += 1) reader.number();
    const kinds = [...kindsIn(reader), ...kindsIn(reader, true)];
    return kinds.map(({ code, count }) => [code, count] as const);
  }

  /** Undefined where what is stored is damaged. */
  static read(owner: string, sealed: Bytes, names: NodeNames): Pack | undefined {
    try {
      return new Pack(owner, asBuffer(sealed), names);
    } catch (thrown) {
      if (thrown instanceof RangeError) return undefined;
      throw thrown;
    }
  }

  /** What the details of this pack, and of no other, begin with. */
  get seal(): number {
    return sealOf(this.sealed);
  }

  /** Bytes that are stored of it, without its details. */
  get size(): number {
    return this.sealed.length;
  }

  /** The code of the archetype of a node. */
  codeOf(row: number): number {
    return this.nodeKinds[this.rowKinds[row] ?? 0]?.code ?? 0;
  }

  /**
   * The value of a node's column; undefined where it is absent.
   *
   * @param column Its place in the kind's columns.
   */
  value(row: number, column: number): unknown {
    const { values, starts } = this.#columnsRead();
    const value = values[(starts[row] ?? 0) + column] ?? COLUMN.absent;
    if (value >= FIRST_VALUE) {
      const rest = value - FIRST_VALUE;
      return rest % 2 === 0 ? this.#columnTexts[rest / 2] : (rest - 1) / 2;
    }
    if (value === COLUMN.absent) return undefined;
    if (value === COLUMN.other) return OTHER;
    return value === COLUMN.null ? null : value === COLUMN.true;
  }

  get edges(): PackEdges {
    this.#edges ??= this.#readEdges();
    return this.#edges;
  }

  get places(): PackPlaces {
    this.#places ??= this.#readPlaces();
    return this.#places;
  }

  /** The codes of the archetypes of ids that are no nodes of this pack, as those who linked them knew; 0: not known. */
  hints(): Int32Array {
    const reader = new ByteReader(this.sealed, this.#section(0));
    return Int32Array.from({ length: this.#otherCount }, () => reader.number());
  }

  /** The inline values of its edges, encoded: each list of values that there is once. */
  get tuples(): Buffer {
    return this.sealed.subarray(this.#section(4), this.#sections);
  }

  /** The first edge row of an id at a place in {@link PackEdges.ids}; the edges of the next one follow. */
  firstEdge(place: number): number {
    const { froms } = this.edges;
    let [low, high] = [0, froms.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((froms[middle] as number) < place) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Frees what was read and decoded of it: it can be read again. */
  forget(): void {
    this.details = null;
    this.decoded = null;
    this.#edges = null;
    this.#places = null;
    this.#columns = null;
    this.#columnTexts = [];
  }

  /** Where it says where its sections begin: before its checksum. */
  get #sections(): number {
    return this.sealed.length - 4 * SECTIONS - 4;
  }

  #section(index: number): number {
    return this.sealed.readUInt32LE(this.#sections + 4 * index);
  }

  #columnsRead(): { values: Int32Array; starts: Int32Array } {
    if (this.#columns !== null && this.#columnStarts !== null)
      return { values: this.#columns, starts: this.#columnStarts };
    const reader = new ByteReader(this.sealed, this.#section(3));
    this.#columnTexts = reader.texts(reader.number());
    const starts = new Int32Array(this.nodeCount);
    let count = 0;
    for (let row = 0; row < this.nodeCount; row += 1) {
      starts[row] = count;
      count += this.nodeKinds[this.rowKinds[row] ?? 0]?.columns.length ?? 0;
    }
    const values = new Int32Array(count);
    for (let at = 0; at < count; at += 1) values[at] = reader.number();
    this.#columns = values;
    this.#columnStarts = starts;
    return { values, starts };
  }

  #readEdges(): PackEdges {
    const { names, nodeCount, edgeCount } = this;
    const ids = new Int32Array(nodeCount + this.#otherCount);
    ids.set(this.numbers);
    const others = new ByteReader(this.sealed, this.#others).sortedTexts(this.#otherCount);
    for (const [at, id] of others.entries()) ids[nodeCount + at] = names.numberOf(id);
    const known = this.hints();
    const hints = known.some((code) => code > 0)
      ? { froms: new Uint16Array(edgeCount), fars: new Uint16Array(edgeCount) }
      : null;
    const froms = new Int32Array(edgeCount);
    const fars = new Int32Array(edgeCount);
    const kinds = new Uint16Array(edgeCount);
    let undirected: Uint8Array | null = null;
    const reader = new ByteReader(this.sealed, this.#section(1));
    let from = 0;
    for (let row = 0; row < edgeCount; row += 1) {
      from += reader.number();
      froms[row] = from;
      const kind = reader.number();
      kinds[row] = kind >>> 1;
      if (kind & 1) {
        undirected ??= new Uint8Array(edgeCount);
        undirected[row] = 1;
      }
      const far = reader.number();
      fars[row] = ids[far] as number;
      if (hints === null) continue;
      hints.froms[row] = known[from - nodeCount] ?? 0;
      hints.fars[row] = known[far - nodeCount] ?? 0;
    }
    return { ids, froms, fars, kinds, undirected, hints };
  }

  #readPlaces(): PackPlaces {
    const { edgeCount } = this;
    const { kinds } = this.edges;
    const [lines, columns] = [new Uint32Array(edgeCount), new Uint32Array(edgeCount)];
    const tuples = new Int32Array(edgeCount);
    const hasSeqs = this.edgeKinds.some(({ isCreation }) => isCreation);
    const seqs = new Float64Array(hasSeqs ? edgeCount : 0);
    const reader = new ByteReader(this.sealed, this.#section(2));
    for (let row = 0; row < edgeCount; row += 1) {
      tuples[row] = reader.number();
      if (this.edgeKinds[kinds[row] ?? 0]?.isCreation) seqs[row] = reader.number();
      else {
        lines[row] = reader.number();
        columns[row] = reader.number();
      }
    }
    return { lines, columns, tuples, seqs };
  }
}

/** The kinds in a pack: of edges the only column says whether they have numbers. */
function kindsIn(reader: ByteReader, ofEdges = false) {
  return Array.from({ length: reader.number() }, () => {
    const [code, version, count] = [reader.number(), reader.number(), reader.number()];
    const columns = Array.from({ length: ofEdges ? 1 : reader.number() }, () => reader.number());
    return { code, version, count, columns };
  });
}

/** What is read of a pack only when it is asked for: values of nodes without a column, and of edges that are not inline. */
export class PackDetails {
  readonly #bytes: Buffer;
  /** Of each node and then each edge; the last one's end too. */
  readonly #starts: Int32Array;

  private constructor(
    bytes: Buffer,
    private readonly nodeCount: number,
    count: number,
  ) {
    this.#bytes = bytes;
    const reader = new ByteReader(bytes, 4);
    this.#starts = new Int32Array(count + 1);
    let sum = 0;
    for (let at = 0; at < count; at += 1) {
      this.#starts[at] = sum;
      sum += reader.number();
    }
    this.#starts[count] = sum;
    for (let at = 0; at <= count; at += 1) this.#starts[at] = (this.#starts[at] ?? 0) + reader.at;
  }

  /** Undefined where the bytes are damaged, or those of another pack. */
  static of(pack: Pack, sealed: Bytes | undefined): PackDetails | undefined {
    const bytes = sealed && unsealed(sealed);
    if (bytes === undefined || bytes.length < 4 || bytes.readUInt32LE(0) !== pack.seal) return undefined;
    return new PackDetails(bytes, pack.nodeCount, pack.nodeCount + pack.edgeCount);
  }

  /** Details that say nothing, in the place of damaged ones. */
  static lost({ nodeCount, edgeCount }: Pack): PackDetails {
    const nothing = Buffer.alloc(4 + nodeCount + edgeCount);
    return new PackDetails(nothing, nodeCount, nodeCount + edgeCount);
  }

  get size(): number {
    return this.#bytes.length + this.#starts.byteLength;
  }

  node(row: number): Buffer {
    return this.#bytes.subarray(this.#starts[row], this.#starts[row + 1]);
  }

  edge(row: number): Buffer {
    return this.node(this.nodeCount + row);
  }
}
