import { CUT_EDGES, PackedRecord } from '../adjacency.js';
import type { EntryDecoder } from '../entries.js';
import type { EntryComparator } from '../entry-order.js';
import { rangesOf } from '../find.js';
import { type Frame, whenThere } from '../frame.js';
import { adjacencyBeside } from '../keys.js';
import type { Awaitable, Bytes } from '../kv.js';
import type {
  AdjacencyEntry,
  AdjacencyRequest,
  Direction,
  EdgeAddress,
  HotHop,
  HotNode,
  HotReader,
  IndexQuery,
  StoredEdge,
} from '../layer.js';
import { readRecords } from '../layer-reader.js';
import type { StoredType } from '../type-table.js';
import type { HotGraph } from './hot-graph.js';
import type { HotLayer } from './hot-layer.js';
import { HotRecords, type VersionSource } from './hot-records.js';
import type { Lane } from './lane.js';

/** Whether far nodes with this archetype's code are kept. */
type FarFilter = (typeCode: number) => boolean;

const NOWHERE: [far: number, farType: number] = [0, 0];

/** A lane with what its records are read by. */
interface TypedLane {
  readonly lane: Lane;
  readonly type: StoredType;
  readonly direction: Direction;
}

/** One node's record that was not read. */
interface Missing extends TypedLane {
  readonly node: number;
  readonly id: string;
}

/** Reads one version of a layer, from memory what the version has in common with the newest. */
export class HotVersion implements HotReader {
  readonly #records: HotRecords;

  constructor(
    private readonly hot: HotLayer,
    private readonly source: VersionSource,
  ) {
    this.#records = new HotRecords(hot, source);
  }

  nodes(ids: readonly string[]): Awaitable<(HotNode | undefined)[]> {
    return this.#records.nodes(ids);
  }

  edges(addresses: readonly EdgeAddress[]): Awaitable<(StoredEdge | undefined)[]> {
    return this.#records.edges(addresses);
  }

  find(query: IndexQuery): readonly string[] | undefined {
    const { graph, writes } = this.hot;
    const { store, frame, descendants, later } = this.source;
    // A snapshot may be closed while all of an index is read, and does not show what follows.
    if (later !== null || this.hot.older(later)) return undefined;
    const types = new Set([query.type, ...descendants(query.type)]);
    return graph.indexes.find(query, {
      types,
      store,
      ranges: () => rangesOf(frame().types, types, { type: query.type, property: query.property }),
      isNewest: () => this.hot.graph === graph && this.hot.writes === writes,
    });
  }

  entries(
    ids: readonly string[],
    { edgeTypes, directions, order }: Omit<HotHop, 'far'>,
  ): (readonly AdjacencyEntry[])[] | Promise<unknown> | undefined {
    const { graph } = this.hot;
    const frame = this.source.frame();
    const nodes = numbersIn(graph, ids);
    const lanes = lanesOf(graph, frame, edgeTypes, directions);
    const filled = nodes !== undefined && this.#fill(graph, frame, lanes, nodes);
    if (filled !== true) return filled || undefined;
    const decoder = this.source.decoder(frame);
    return nodes.map((node) => {
      let all = NO_ENTRIES;
      let lists = 0;
      for (const typed of lanes) {
        const record = typed.lane.recordOf(node);
        if (record === undefined || !typed.lane.counts[record]) continue;
        const entries = entriesIn(graph, decoder, typed, record);
        all = lists++ === 0 ? entries : all.concat(entries);
      }
      return lists > 1 ? [...all].sort(order) : all;
    });
  }

  adjacency(requests: readonly AdjacencyRequest[]): Awaitable<(readonly AdjacencyEntry[])[]> {
    const { graph } = this.hot;
    const frame = this.source.frame();
    const decoder = this.source.decoder(frame);
    const isOld = this.hot.older(this.source.later);
    const results = new Array<readonly AdjacencyEntry[]>(requests.length).fill(NO_ENTRIES);
    const missing: (Missing & { readonly at: number })[] = [];
    for (const [at, { node: id, direction, edgeType }] of requests.entries()) {
      const typed = laneOf(graph, frame, edgeType, direction);
      if (typed === undefined) continue;
      const node = numberIn(graph, id);
      const record = node === undefined || isOld?.(id) ? undefined : typed.lane.recordOf(node);
      if (record === undefined) missing.push({ ...typed, at, id, node: node ?? -1 });
      else results[at] = entriesIn(graph, decoder, typed, record);
    }
    if (missing.length === 0) return results;
    return whenThere(this.#read(graph, frame, missing), (stored) => {
      for (const [index, { at, type }] of missing.entries())
        results[at] = (stored[index] ?? []).flatMap((bytes) => decoder.decode(type, bytes));
      return results;
    });
  }

  reach(
    origin: readonly string[],
    hops: readonly HotHop[],
  ): readonly string[] | Promise<unknown> | undefined {
    const { graph } = this.hot;
    const frame = this.source.frame();
    let frontier = numbersIn(graph, origin);
    if (frontier === undefined) return undefined;
    for (const { edgeTypes, directions, order, far } of hops) {
      const lanes = lanesOf(graph, frame, edgeTypes, directions);
      const filled = this.#fill(graph, frame, lanes, frontier);
      if (filled !== true) return filled || undefined;
      const fits = far === null ? null : farFilter(frame, far);
      const [first, ...others] = lanes;
      if (first === undefined) frontier = [];
      else if (others.length === 0) frontier = spread(graph, frontier, first.lane, fits);
      else {
        const decoder = this.source.decoder(frame);
        const entriesOf = (at: number, record: number) =>
          entriesIn(graph, decoder, lanes[at] ?? first, record);
        const plain = lanes.map(({ lane }) => lane);
        frontier = spreadMany(graph, frontier, plain, fits, order, entriesOf);
      }
    }
    return frontier.map((number) => graph.names.nameOf(number));
  }

  /** Whether all that lanes have at these nodes is in memory now; a promise where it is being read. */
  #fill(
    graph: HotGraph,
    frame: Frame,
    lanes: readonly TypedLane[],
    nodes: readonly number[],
  ): boolean | Promise<unknown> {
    const isOld = this.hot.older(this.source.later);
    if (isOld) for (const node of nodes) if (isOld(graph.names.nameOf(node))) return false;
    const missing: Missing[] = [];
    for (const typed of lanes) {
      const { lane } = typed;
      for (let at = 0; at < nodes.length; at += 1) {
        const node = nodes[at] ?? 0;
        if (lane.recordOf(node) === undefined) missing.push({ ...typed, node, id: graph.names.nameOf(node) });
      }
    }
    if (missing.length === 0) return true;
    if (graph.isFull) return false;
    const reading = this.#read(graph, frame, missing);
    if (reading instanceof Promise) return reading;
    return missing.every(({ lane, node }) => lane.recordOf(node) !== undefined);
  }

  /** Reads what is missing, and takes it in where it is what the newest version has. */
  #read(graph: HotGraph, frame: Frame, missing: readonly Missing[]): Awaitable<readonly Bytes[][]> {
    const nodeKeys = new Map<string, Buffer>();
    const keys = missing.map(({ id, direction, type }) => {
      const key = nodeKeys.get(id) ?? frame.keys.node(id);
      nodeKeys.set(id, key);
      return adjacencyBeside(key, direction, type.code);
    });
    const { writes } = this.hot;
    return whenThere(readRecords(this.source.store, frame, keys), (stored) => {
      if (this.hot.writes !== writes) return stored;
      if (stored.flat().some((bytes) => new PackedRecord(bytes).isCut)) frame.values.damaged.add(CUT_EDGES);
      const isOld = this.hot.older(this.source.later);
      for (const [at, { lane, node, id }] of missing.entries())
        if (node >= 0 && !isOld?.(id)) graph.take(lane, node, stored[at] ?? []);
      return stored;
    });
  }
}

const NO_ENTRIES: readonly AdjacencyEntry[] = [];

function numberIn({ names, isFull }: HotGraph, id: string): number | undefined {
  return isFull ? names.knownNumberOf(id) : names.numberOf(id);
}

function numbersIn(graph: HotGraph, ids: readonly string[]): number[] | undefined {
  const numbers: number[] = [];
  for (const id of ids) {
    const number = numberIn(graph, id);
    if (number === undefined) return undefined;
    numbers.push(number);
  }
  return numbers;
}

function lanesOf(
  graph: HotGraph,
  frame: Frame,
  edgeTypes: readonly string[],
  directions: readonly Direction[],
): TypedLane[] {
  return edgeTypes.flatMap((name) =>
    directions.flatMap((direction) => laneOf(graph, frame, name, direction) ?? []),
  );
}

function laneOf(
  graph: HotGraph,
  frame: Frame,
  edgeType: string,
  direction: Direction,
): TypedLane | undefined {
  const type = frame.types.byName('edge', edgeType);
  return type && { lane: graph.lane(type.code, direction), type, direction };
}

function entriesIn(
  graph: HotGraph,
  decoder: EntryDecoder,
  { lane, type }: TypedLane,
  record: number,
): readonly AdjacencyEntry[] {
  const packed = lane.packedOf(record);
  const entriesOf = ({ bytes, first }: (typeof packed)[number]) =>
    decoder.decode(type, bytes, (at) => graph.names.nameOf(lane.fars[first + at] ?? 0));
  const [only, ...others] = packed;
  if (only === undefined) return NO_ENTRIES;
  return others.length === 0 ? entriesOf(only) : packed.flatMap(entriesOf);
}

function farFilter({ types }: Frame, far: (archetype: string) => boolean): FarFilter {
  const answers: (boolean | undefined)[] = [];
  return (code) => {
    answers[code] ??= far(types.known(code)?.name ?? '');
    return answers[code];
  };
}

/** The far nodes of a frontier along one lane, each once, in the order in which they are met; all must be read. */
function spread(graph: HotGraph, frontier: readonly number[], lane: Lane, fits: FarFilter | null): number[] {
  const { stamps, stamp } = graph.marks();
  const { fars, farTypes, firsts, counts } = lane;
  const met: number[] = [];
  for (let at = 0; at < frontier.length; at += 1) {
    const record = lane.recordOf(frontier[at] ?? 0) ?? 0;
    const first = firsts[record] ?? 0;
    const end = first + (counts[record] ?? 0);
    for (let edge = first; edge < end; edge += 1) {
      const far = fars[edge] ?? 0;
      if (stamps[far] === stamp || (fits !== null && !fits(farTypes[edge] ?? 0))) continue;
      stamps[far] = stamp;
      met.push(far);
    }
  }
  return met;
}

/** As {@link spread} along several lanes: where a node has edges in more than one, their entries tell the order. */
function spreadMany(
  graph: HotGraph,
  frontier: readonly number[],
  lanes: readonly Lane[],
  fits: FarFilter | null,
  order: EntryComparator,
  entriesOf: (lane: number, record: number) => readonly AdjacencyEntry[],
): number[] {
  const { stamps, stamp } = graph.marks();
  const met: number[] = [];
  const meet = (far: number, farType: number) => {
    if (stamps[far] === stamp || (fits !== null && !fits(farType))) return;
    stamps[far] = stamp;
    met.push(far);
  };
  for (const node of frontier) {
    const records = lanes.map((lane) => lane.recordOf(node) ?? 0);
    const filled = records.flatMap((record, at) => ((lanes[at]?.counts[record] ?? 0) > 0 ? [at] : []));
    const edges = filled.flatMap((at) => edgesOf(lanes[at], records[at] ?? 0));
    if (filled.length > 1) {
      const entries = filled.flatMap((at) => entriesOf(at, records[at] ?? 0));
      const places = entries.map((_, at) => at);
      places.sort((a, b) => order(entries[a] as AdjacencyEntry, entries[b] as AdjacencyEntry));
      for (const place of places) meet(...(edges[place] ?? NOWHERE));
    } else for (const edge of edges) meet(...edge);
  }
  return met;
}

function edgesOf(lane: Lane | undefined, record: number): [far: number, farType: number][] {
  if (lane === undefined) return [];
  const first = lane.firsts[record] ?? 0;
  return Array.from({ length: lane.counts[record] ?? 0 }, (_, at) => [
    lane.fars[first + at] ?? 0,
    lane.farTypes[first + at] ?? 0,
  ]);
}
