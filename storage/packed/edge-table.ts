import type { Direction } from '../layer.js';
import type { NodeNames } from './node-names.js';
import type { Pack } from './pack.js';

/** One edge of a table, as one of its ends sees it. */
export interface TableEdge {
  readonly pack: Pack;
  readonly row: number;
  /** Whether it leaves the node that sees it. */
  readonly outgoing: boolean;
  readonly far: number;
}

/** The code of the archetype of an edge's far end, as who linked it knew; 0: not known. */
export function hintOf({ pack, row, outgoing }: TableEdge): number {
  const { hints } = pack.edges;
  return (outgoing ? hints?.fars[row] : hints?.froms[row]) ?? 0;
}

/**
 * The edges of some packs seen from one side: compressed sparse rows. Of each node a run of edges, by type and in its
 * order; in what comes in, that order is made when the run is first asked for.
 */
export class EdgeTable {
  /** Of each node, where its run begins; the end of the last one too. */
  readonly firsts: Int32Array;
  readonly fars: Int32Array;
  /** Codes of the edges' types. */
  readonly types: Uint16Array;
  /** Twice the number of the edge among those of the table's packs, and 1 where it leaves the node. */
  readonly #edges: Int32Array;
  /** Which nodes' runs are in their order. */
  readonly #sorted: Uint8Array | null;
  /** Numbers of the first edges of the packs. */
  readonly #starts: Int32Array;

  constructor(
    private readonly packs: readonly Pack[],
    private readonly direction: Direction,
    private readonly names: NodeNames,
  ) {
    const isOut = direction === 'out';
    this.#starts = new Int32Array(packs.length + 1);
    let count = 0;
    let isMixed = false;
    for (const [at, { edgeCount, edges }] of packs.entries()) {
      this.#starts[at] = count;
      count += edgeCount;
      isMixed ||= edges.undirected !== null;
    }
    this.#starts[packs.length] = count;
    const nears: { near: Int32Array; far: Int32Array; edge: Int32Array; length: number } = {
      near: new Int32Array(isMixed ? 2 * count : count),
      far: new Int32Array(isMixed ? 2 * count : count),
      edge: new Int32Array(isMixed ? 2 * count : count),
      length: 0,
    };
    const add = (near: number, far: number, edge: number) => {
      const at = nears.length++;
      nears.near[at] = near;
      nears.far[at] = far;
      nears.edge[at] = edge;
    };
    const codes = new Uint16Array(count);
    let mostCode = 0;
    for (const [at, { edges, edgeKinds, edgeCount }] of packs.entries()) {
      const { ids, froms, fars, kinds, undirected } = edges;
      const start = this.#starts[at] ?? 0;
      const codeOf = Uint16Array.from(edgeKinds, ({ code }) => code);
      for (const code of codeOf) mostCode = Math.max(mostCode, code);
      for (let row = 0; row < edgeCount; row += 1) {
        const from = ids[froms[row] as number] as number;
        const to = fars[row] as number;
        const edge = start + row;
        codes[edge] = codeOf[kinds[row] as number] as number;
        if (isOut) add(from, to, 2 * edge + 1);
        else add(to, from, 2 * edge);
        if (undirected === null || undirected[row] === 0 || from === to) continue;
        if (isOut) add(to, from, 2 * edge);
        else add(from, to, 2 * edge + 1);
      }
    }
    // By type first, then by node: both sorts leave the rest in its order.
    const byType = counted(
      nears.length,
      mostCode + 1,
      (at) => codes[(nears.edge[at] as number) >>> 1] as number,
    );
    const { order, firsts } = counted(
      nears.length,
      names.count,
      (at) => nears.near[byType.order[at] as number] as number,
    );
    this.firsts = firsts;
    this.fars = new Int32Array(nears.length);
    this.#edges = new Int32Array(nears.length);
    this.types = new Uint16Array(nears.length);
    for (let at = 0; at < nears.length; at += 1) {
      const from = byType.order[order[at] as number] as number;
      const edge = nears.edge[from] as number;
      this.fars[at] = nears.far[from] as number;
      this.#edges[at] = edge;
      this.types[at] = codes[edge >>> 1] as number;
    }
    this.#sorted = isOut && !isMixed ? null : new Uint8Array(names.count);
  }

  /** Bytes of memory. */
  get bytes(): number {
    return this.firsts.byteLength + this.#edges.length * 10 + (this.#sorted?.length ?? 0);
  }

  /** Where the run of a node begins and ends; it is in its order. */
  run(node: number): readonly [first: number, end: number] {
    if (node + 1 >= this.firsts.length) return NOWHERE;
    const first = this.firsts[node] as number;
    const end = this.firsts[node + 1] as number;
    if (this.#sorted !== null && end - first > 1 && this.#sorted[node] === 0) this.#sort(node, first, end);
    return [first, end];
  }

  edge(at: number): TableEdge {
    const edge = this.#edges[at] as number;
    const number = edge >>> 1;
    let [low, high] = [0, this.packs.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if ((this.#starts[middle] as number) <= number) low = middle;
      else high = middle - 1;
    }
    return {
      pack: this.packs[low] as Pack,
      row: number - (this.#starts[low] as number),
      outgoing: (edge & 1) === 1,
      far: this.fars[at] as number,
    };
  }

  #sort(node: number, first: number, end: number): void {
    const places = Array.from({ length: end - first }, (_, at) => first + at);
    const edges = places.map((at) => this.edge(at));
    const order = places.map((_, at) => at);
    order.sort((a, b) => {
      const byType = (this.types[first + a] as number) - (this.types[first + b] as number);
      return byType || compareEdges(edges[a] as TableEdge, edges[b] as TableEdge, this.direction, this.names);
    });
    for (const column of [this.fars, this.types, this.#edges]) {
      const run = column.slice(first, end);
      for (const [at, from] of order.entries()) column[first + at] = run[from] as number;
    }
    if (this.#sorted) this.#sorted[node] = 1;
  }
}

const NOWHERE = [0, 0] as const;

/** Compares two edges of one type at one node: by number, else by place and far id, or the other way round. */
export function compareEdges(a: TableEdge, b: TableEdge, direction: Direction, names: NodeNames): number {
  const bySeq = (a.pack.places.seqs[a.row] ?? 0) - (b.pack.places.seqs[b.row] ?? 0);
  if (bySeq !== 0) return bySeq;
  const byFar = () => {
    if (a.far === b.far) return 0;
    return names.nameOf(a.far) < names.nameOf(b.far) ? -1 : 1;
  };
  const byPlace = () =>
    placeOf(a, 'lines') - placeOf(b, 'lines') || placeOf(a, 'columns') - placeOf(b, 'columns');
  const order = direction === 'out' ? byPlace() || byFar() : byFar() || byPlace();
  return order || Number(b.outgoing) - Number(a.outgoing);
}

/** Absent (0) and null (1) are both no position. */
function placeOf({ pack, row }: TableEdge, column: 'lines' | 'columns'): number {
  return Math.max(pack.places[column][row] as number, 1);
}

/** A counting sort that leaves what is equal in its order; where each key's run begins, and the end of the last. */
function counted(
  length: number,
  keys: number,
  keyOf: (at: number) => number,
): { readonly order: Int32Array; readonly firsts: Int32Array } {
  const firsts = new Int32Array(keys + 1);
  for (let at = 0; at < length; at += 1) {
    const key = keyOf(at) + 1;
    firsts[key] = (firsts[key] as number) + 1;
  }
  for (let key = 0; key < keys; key += 1)
    firsts[key + 1] = (firsts[key + 1] as number) + (firsts[key] as number);
  const next = firsts.slice();
  const order = new Int32Array(length);
  for (let at = 0; at < length; at += 1) {
    const key = keyOf(at);
    order[next[key] as number] = at;
    next[key] = (next[key] as number) + 1;
  }
  return { order, firsts };
}
