import type { EntryComparator } from '../entry-order.js';
import { compareIds } from '../entry-order.js';
import { checkQuery } from '../find.js';
import { whenThere } from '../frame.js';
import { sharedNode } from '../frozen.js';
import type { Awaitable } from '../kv.js';
import type {
  AdjacencyEntry,
  AdjacencyRequest,
  ArchetypeCatalog,
  Direction,
  EdgeAddress,
  HotHop,
  HotNode,
  HotReader,
  IndexQuery,
  LayerCounts,
  StoredEdge,
  StoredNode,
} from '../layer.js';
import { compareEdges, type EdgeTable, hintOf, type TableEdge } from './edge-table.js';
import { endingOf, endingsOf, type Need } from './marks.js';
import { shownOwner } from './owner.js';
import { type NodeKind, OTHER, type Pack, type PackDetails } from './pack.js';
import type { PackCodec } from './pack-codec.js';
import type { PackMemory } from './pack-memory.js';
import { PackedEntry } from './packed-entry.js';
import { compareIndexed, type IndexedNode, type IndexOf, ValueIndex } from './value-index.js';
import type { Version } from './version.js';

/** Ids of one page of a look-up. */
const PAGE = 500;
/** Packs whose details are read at once by who reads all of them. */
const PACKS_AT_ONCE = 32;

/** What versions are read with. */
export interface Reading {
  readonly codec: PackCodec;
  readonly memory: PackMemory;
  readonly catalog: ArchetypeCatalog;
}

/** An index, and the name under which versions keep it. */
type NamedIndex = IndexOf & { readonly name: string };

/** Edges of one type that a hop looks at, from one side. */
interface Side {
  readonly code: number;
  readonly direction: Direction;
}

/** Reads one version of a layer. */
export class PackedReader {
  readonly hot: HotReader = {
    nodes: (ids) => whenThere(this.version({ nodes: ids }), (version) => this.#shared(version, ids)),
    adjacency: (requests) => this.adjacency(requests),
    edges: (addresses) => this.edges(addresses),
    find: (query) => this.#found(query),
    entries: (ids, hop) => this.#entries(ids, hop),
    reach: (origin, hops) => this.#reach(origin, hops),
  };

  /** @param version Gives the version with what of it is needed; throws where the store was closed. */
  constructor(
    private readonly version: (need: Need) => Awaitable<Version>,
    private readonly reading: () => Reading,
  ) {}

  nodes(ids: readonly string[]): Awaitable<(StoredNode | undefined)[]> {
    return whenThere(this.version({ nodes: ids }), (version) => {
      const found = ids.map((id) => version.names.knownNumberOf(id));
      return whenThere(this.#load(packsOf(version, found)), () =>
        found.map((number) => (number === undefined ? undefined : this.#decoded(version, number))),
      );
    });
  }

  adjacency(requests: readonly AdjacencyRequest[]): Awaitable<(readonly AdjacencyEntry[])[]> {
    const sides = this.#sides([...new Set(requests.map(({ edgeType }) => edgeType))], ['out', 'in']);
    const ids = requests.map(({ node }) => node);
    return whenThere(this.#around(ids, sides), (version) =>
      requests.map(({ node, direction, edgeType }) => {
        const [side] = this.#sides([edgeType], [direction]);
        const number = version.numberOf(node);
        if (side === undefined || number === undefined) return NO_ENTRIES;
        return this.#entriesOf(version, edgesAt(version, number, side));
      }),
    );
  }

  edges(addresses: readonly EdgeAddress[]): Awaitable<(StoredEdge | undefined)[]> {
    return whenThere(this.version({ ends: addresses.map(({ from }) => from) }), (version) => {
      const { codec } = this.reading();
      const found = addresses.map((address) => this.#edgeOf(version, address));
      const wanted = new Set<Pack>();
      for (const edge of found) {
        const kind = edge?.pack.edgeKinds[edge.pack.edges.kinds[edge.row] ?? 0];
        if (edge && kind && codec.hasDetails(kind)) wanted.add(edge.pack);
      }
      return whenThere(this.#load([...wanted]), () =>
        addresses.map((address, at) => {
          const edge = found[at];
          return edge && this.#storedEdge(address, edge, edge.pack.details);
        }),
      );
    });
  }

  /** @throws CodewalkError `INVALID_INPUT` when the property has no index, or bounds of different kinds are mixed. */
  async *find(query: IndexQuery): AsyncGenerator<readonly string[]> {
    checkQuery(this.reading().catalog, query);
    const of = this.#indexOf(query);
    const version = await this.version(this.#needOf(query, of));
    await this.#load(this.#unread(version, of));
    let page: string[] = [];
    for (const id of this.#range(version, query, of)) {
      page.push(id);
      if (page.length < PAGE) continue;
      yield page;
      page = [];
    }
    if (page.length > 0) yield page;
  }

  async *allNodes(): AsyncGenerator<readonly StoredNode[]> {
    const version = await this.version('everything');
    for await (const [pack, details] of this.#everyPack(version, true)) {
      const nodes: StoredNode[] = [];
      for (const [row, number] of pack.numbers.entries()) {
        const node = details && this.#nodeAt(version, pack, details, row, number);
        if (node) nodes.push(node);
      }
      if (nodes.length > 0) yield nodes;
    }
  }

  async *allEdges(): AsyncGenerator<readonly StoredEdge[]> {
    const version = await this.version('everything');
    const { types } = this.reading().codec;
    for await (const [pack, details] of this.#everyPack(version, false)) {
      const { ids, froms, fars, kinds } = pack.edges;
      const { seqs } = pack.places;
      const edges: StoredEdge[] = [];
      for (let row = 0; row < pack.edgeCount; row += 1) {
        const type = types.known(pack.edgeKinds[kinds[row] ?? 0]?.code ?? 0)?.name;
        const far = fars[row] ?? 0;
        const edgeThere = { pack, row, outgoing: true, far };
        if (type === undefined || !(version.typeOf(far) || hintOf(edgeThere))) continue;
        const from = version.names.nameOf(ids[froms[row] ?? 0] ?? 0);
        const address = { type, from, to: version.names.nameOf(far), seq: seqs[row] ?? 0 };
        const edge = this.#storedEdge(address, edgeThere, details ?? null);
        if (edge) edges.push(edge);
      }
      if (edges.length > 0) yield edges;
    }
  }

  counts(): Awaitable<LayerCounts> {
    const { types } = this.reading().codec;
    return whenThere(this.version('everything'), ({ counts }) => {
      const of = (element: 'node' | 'edge') =>
        new Map(
          types.all(element).flatMap(({ name, code }) => {
            const count = counts.get(code) ?? 0;
            return count > 0 ? [[name, count] as const] : [];
          }),
        );
      return { nodes: of('node'), edges: of('edge') };
    });
  }

  /** The version with the edges of nodes on some sides, and with the nodes at their far ends. */
  #around(ids: readonly string[], sides: readonly Side[]): Awaitable<Version> {
    return whenThere(this.version({ ends: ids }), (version) => {
      if (version.isWhole) return version;
      const fars = new Set<string>();
      for (const id of ids) {
        const number = version.numberOf(id);
        if (number === undefined) continue;
        for (const side of sides)
          for (const { far } of edgesAt(version, number, side)) fars.add(version.names.nameOf(far));
      }
      return this.version({ nodes: [...fars] });
    });
  }

  #load(packs: readonly Pack[]): Awaitable<unknown> {
    return packs.length === 0 ? undefined : this.reading().memory.load(packs);
  }

  /** @param wantsAll Whether also of packs without edges. */
  async *#everyPack(
    version: Version,
    wantsAll: boolean,
  ): AsyncGenerator<readonly [Pack, PackDetails | undefined]> {
    const packs = version.sorted().filter(({ edgeCount }) => wantsAll || edgeCount > 0);
    for (let at = 0; at < packs.length; at += PACKS_AT_ONCE) {
      const some = packs.slice(at, at + PACKS_AT_ONCE);
      const details = await this.reading().memory.read(some);
      for (const [index, pack] of some.entries()) yield [pack, details[index]];
    }
  }

  /** A node whose pack has its details. */
  #decoded(version: Version, number: number): StoredNode | undefined {
    const pack = version.packOf(number);
    return pack?.details
      ? this.#nodeAt(version, pack, pack.details, version.rowOf(number), number)
      : undefined;
  }

  #nodeAt(
    { names }: Version,
    pack: Pack,
    details: PackDetails,
    row: number,
    number: number,
  ): StoredNode | undefined {
    const { codec } = this.reading();
    const node = codec.node(pack, details, row, names.nameOf(number));
    if (node === undefined) codec.values.damaged.add(names.nameOf(number) || shownOwner(pack.owner));
    return node;
  }

  #shared(version: Version, ids: readonly string[]): Awaitable<(HotNode | undefined)[]> {
    const { codec, memory } = this.reading();
    const found = new Array<HotNode | undefined>(ids.length);
    const missing: [at: number, number: number][] = [];
    for (const [at, id] of ids.entries()) {
      const number = version.names.knownNumberOf(id);
      const pack = number === undefined ? undefined : version.packOf(number);
      if (number === undefined || pack === undefined) continue;
      const known = pack.decoded?.[version.rowOf(number)];
      if (known && codec.types.loadedNode(known.node.type) === known.loaded) found[at] = known.node;
      else missing.push([at, number]);
    }
    if (missing.length === 0) return found;
    const packs = packsOf(
      version,
      missing.map(([, number]) => number),
    );
    return whenThere(this.#load(packs), () => {
      for (const [at, number] of missing) {
        const node = this.#decoded(version, number);
        const pack = version.packOf(number);
        if (node === undefined || pack === undefined) continue;
        const shared = sharedNode(node);
        pack.decoded ??= [];
        pack.decoded[version.rowOf(number)] = { node: shared, loaded: codec.types.loadedNode(node.type) };
        memory.noteDecoded(pack);
        found[at] = shared;
      }
      return found;
    });
  }

  #sides(edgeTypes: readonly string[], directions: readonly Direction[]): Side[] {
    const { types } = this.reading().codec;
    return edgeTypes.flatMap((name) => {
      const type = types.byName('edge', name);
      return type === undefined ? [] : directions.map((direction) => ({ code: type.code, direction }));
    });
  }

  #entriesOf(version: Version, edges: readonly TableEdge[]): readonly AdjacencyEntry[] {
    const { codec } = this.reading();
    const entries: AdjacencyEntry[] = [];
    for (const edge of edges) {
      const farType = version.typeOf(edge.far) || hintOf(edge);
      // Who linked it did not know what it is, and it is not there: a run that wrote both did not come to its end.
      if (farType === 0) continue;
      const kind = edge.pack.edgeKinds[edge.pack.edges.kinds[edge.row] ?? 0];
      const type = codec.types.known(kind?.code ?? 0)?.name ?? '';
      const far = [version.names.nameOf(edge.far), codec.types.known(farType)?.name ?? ''] as const;
      entries.push(new PackedEntry(edge, type, far, codec));
    }
    return entries;
  }

  /** Where an edge stands. */
  #edgeOf(
    version: Version,
    { type: name, from, to, seq }: EdgeAddress,
  ): Omit<TableEdge, 'outgoing'> | undefined {
    const [near, far] = [version.numberOf(from), version.numberOf(to)];
    const [side] = this.#sides([name], ['out']);
    if (near === undefined || far === undefined || side === undefined) return undefined;
    return edgesAt(version, near, side, far).find(
      (edge) => edge.outgoing && (edge.pack.places.seqs[edge.row] ?? 0) === seq,
    );
  }

  #storedEdge(
    { type, from, to, seq }: EdgeAddress,
    { pack, row }: Pick<TableEdge, 'pack' | 'row'>,
    details: PackDetails | null,
  ): StoredEdge | undefined {
    const { codec } = this.reading();
    const props = codec.edgeProps(pack, details, row);
    if (props === undefined) codec.values.damaged.add(type);
    return props && { type, from, to, seq, undirected: pack.edges.undirected?.[row] === 1, props };
  }

  #entries(
    ids: readonly string[],
    { edgeTypes, directions, order }: Omit<HotHop, 'far'>,
  ): (readonly AdjacencyEntry[])[] | Promise<unknown> {
    const sides = this.#sides(edgeTypes, directions);
    const version = this.#around(ids, sides);
    if (version instanceof Promise) return version;
    return ids.map((id) => {
      const number = version.numberOf(id);
      return number === undefined ? NO_ENTRIES : this.#ordered(version, number, sides, order);
    });
  }

  /** The edges of a node along several sides, in the order of a hop. */
  #ordered(
    version: Version,
    number: number,
    sides: readonly Side[],
    order: EntryComparator,
  ): readonly AdjacencyEntry[] {
    let all = NO_ENTRIES;
    let lists = 0;
    for (const side of sides) {
      const entries = this.#entriesOf(version, edgesAt(version, number, side));
      if (entries.length > 0) all = lists++ === 0 ? entries : all.concat(entries);
    }
    return lists > 1 ? [...all].sort(order) : all;
  }

  #reach(origin: readonly string[], hops: readonly HotHop[]): readonly string[] | Promise<unknown> {
    let version = this.version({ ends: origin });
    if (version instanceof Promise) return version;
    const { names } = version;
    const { types } = this.reading().codec;
    let frontier = numbersOf(version, origin);
    for (const { edgeTypes, directions, order, far } of hops) {
      const sides = this.#sides(edgeTypes, directions);
      if (!version.isWhole) {
        const there = this.#around(
          frontier.map((number) => names.nameOf(number)),
          sides,
        );
        if (there instanceof Promise) return there;
        version = there;
      }
      const answers: (boolean | undefined)[] = [];
      const fits = (code: number) => {
        if (code === 0 || far === null) return code !== 0;
        answers[code] ??= far(types.known(code)?.name ?? '');
        return answers[code] === true;
      };
      const [side, ...others] = sides;
      if (side === undefined) frontier = [];
      else if (others.length === 0) frontier = spread(version, frontier, side, fits);
      else frontier = this.#spreadMany(version, frontier, sides, fits, order);
    }
    return frontier.map((number) => names.nameOf(number));
  }

  /** As {@link spread} along several sides: where a node has edges on more than one, their entries tell the order. */
  #spreadMany(
    version: Version,
    frontier: readonly number[],
    sides: readonly Side[],
    fits: (code: number) => boolean,
    order: EntryComparator,
  ): number[] {
    // Tables first: they give numbers out, and marks are for the numbers that there are.
    for (const { direction } of sides) version.edges(direction);
    const met = version.names.met();
    for (const node of frontier) {
      const lists = sides.map((side) => edgesAt(version, node, side)).filter(({ length }) => length > 0);
      let edges = lists.flat();
      if (lists.length > 1) {
        const placed = edges.flatMap((edge) =>
          this.#entriesOf(version, [edge]).map((entry) => ({ edge, entry })),
        );
        edges = placed.sort((a, b) => order(a.entry, b.entry)).map(({ edge }) => edge);
      }
      for (const edge of edges)
        if (!met.has(edge.far) && fits(version.typeOf(edge.far) || hintOf(edge))) met.add(edge.far);
    }
    return met.numbers;
  }

  #found(query: IndexQuery): readonly string[] | undefined {
    const { property, equals } = query;
    if (property === null || equals === undefined || property.includes('+')) return undefined;
    const of = this.#indexOf(query);
    const version = this.version(this.#needOf(query, of));
    if (version instanceof Promise) return undefined;
    if (this.#unread(version, of).length > 0) return undefined;
    return this.#equal(version, of, equals, query.ending).sort(compareIds);
  }

  #needOf({ property, equals, ending }: IndexQuery, { codes }: NamedIndex): Need {
    if (property === null || equals === undefined || /\+|\[\]$/.test(property)) return 'everything';
    const { codec } = this.reading();
    const isHidden = (kind: NodeKind) => codes.has(kind.code) && codec.columnOf(kind, property) < 0;
    return { property, equals, ending, isHidden };
  }

  #equal(version: Version, of: NamedIndex, equals: string | number | boolean, wanted = ''): string[] {
    const ids: string[] = [];
    const ending = endingOf(wanted);
    const isSo = (id: string, pack: Pack, row: number) => {
      const { columns = [] } = pack.nodeKinds[pack.rowKinds[row] ?? 0] ?? {};
      return (
        ending === null ||
        endingsOf(
          id,
          columns.map((_, at) => pack.value(row, at)),
        ).has(ending)
      );
    };
    for (const index of this.#indexes(version, of))
      for (const { id, number, pack } of index.with(equals))
        if (version.packOf(number) === pack && isSo(id, pack, version.rowOf(number))) ids.push(id);
    return ids;
  }

  /** The ids in the range of a query, in its order. */
  #range(version: Version, query: IndexQuery, of: NamedIndex): string[] {
    const { property, equals, limit = Number.POSITIVE_INFINITY, reverse } = query;
    if (equals !== undefined && property?.includes('+') === false) {
      const ids = this.#equal(version, of, equals, query.ending).sort(compareIds);
      return (reverse ? ids.reverse() : ids).slice(0, limit);
    }
    const lists: IndexedNode[][] = [];
    for (const index of this.#indexes(version, of)) {
      const list: IndexedNode[] = [];
      if (limit > 0)
        for (const node of index.range(query))
          if (version.packOf(node.number) === node.pack && list.push(node) >= limit) break;
      if (list.length > 0) lists.push(list);
    }
    const [only = [], ...others] = lists;
    if (others.length === 0) return only.map(({ id }) => id);
    const sign = reverse ? -1 : 1;
    const all = lists.flat().sort((a, b) => sign * compareIndexed(a, b));
    return all.slice(0, limit).map(({ id }) => id);
  }

  #indexOf({ type, property }: IndexQuery): NamedIndex {
    const { codec, catalog } = this.reading();
    const names = new Set([type, ...catalog.descendants(type)]);
    const codes = new Set([...names].flatMap((name) => codec.types.byName('node', name)?.code ?? []));
    return { codes, property, name: `${property ?? ''}\0${[...codes]}` };
  }

  #indexes(version: Version, of: NamedIndex): readonly ValueIndex[] {
    return version.indexes(of.name, (packs) => new ValueIndex(packs, of, version.names, this.#valueOf));
  }

  /** Packs whose details have to be read before an index can be made. */
  #unread(version: Version, of: NamedIndex): Pack[] {
    const { property: field } = of;
    const packs = field === null ? [] : version.withoutIndex(of.name);
    if (field === null || packs.length === 0) return [];
    const { codec } = this.reading();
    const fields = field.replace(/\[\]$/, '').split('+');
    return packs.filter(
      (pack) =>
        pack.details === null &&
        pack.nodeKinds.some(
          (kind) =>
            of.codes.has(kind.code) &&
            (field.endsWith('[]') || fields.some((one) => codec.columnOf(kind, one) < 0)),
        ),
    );
  }

  readonly #valueOf = (pack: Pack, row: number, field: string): unknown => {
    const { codec } = this.reading();
    const kind = pack.nodeKinds[pack.rowKinds[row] ?? 0];
    const column = kind === undefined ? -1 : codec.columnOf(kind, field);
    const value = column < 0 ? OTHER : pack.value(row, column);
    if (value !== OTHER) return value;
    return pack.details ? codec.node(pack, pack.details, row, '')?.props[field] : undefined;
  };
}

const NO_ENTRIES: readonly AdjacencyEntry[] = [];

function numbersOf(version: Version, ids: readonly string[]): number[] {
  return ids.flatMap((id) => version.numberOf(id) ?? []);
}

/** The packs of nodes, each once. */
function packsOf(version: Version, numbers: readonly (number | undefined)[]): Pack[] {
  const packs = new Set<Pack>();
  for (const number of numbers) {
    const pack = number === undefined ? undefined : version.packOf(number);
    if (pack && pack.details === null) packs.add(pack);
  }
  return [...packs];
}

/**
 * The edges of one type at a node, from one side, in their order.
 *
 * @param far Those to or from this node alone. Default: all.
 */
function edgesAt(version: Version, node: number, { code, direction }: Side, far?: number): TableEdge[] {
  const { base, isLive, changed } = version.edges(direction);
  const edges: TableEdge[] = [];
  const [first, end] = base.run(node);
  for (let at = first; at < end; at += 1) {
    if (base.types[at] !== code || (far !== undefined && base.fars[at] !== far)) continue;
    const edge = base.edge(at);
    if (isLive === null || isLive(edge.pack)) edges.push(edge);
  }
  if (changed === null) return edges;
  const before = edges.length;
  const [from, to] = changed.run(node);
  for (let at = from; at < to; at += 1)
    if (changed.types[at] === code && (far === undefined || changed.fars[at] === far))
      edges.push(changed.edge(at));
  if (before > 0 && edges.length > before) edges.sort((a, b) => compareEdges(a, b, direction, version.names));
  return edges;
}

/**
 * The far nodes of a frontier along one side, each once, in the order in which they are met.
 *
 * @param fits Whether far nodes of an archetype are kept, by its code; 0: it is not known.
 */
function spread(
  version: Version,
  frontier: readonly number[],
  side: Side,
  fits: (code: number) => boolean,
): number[] {
  const { base, isLive, changed } = version.edges(side.direction);
  const met = version.names.met();
  for (const node of frontier) {
    const [from, to] = changed?.run(node) ?? NO_RUN;
    const [first, end] = base.run(node);
    if (from < to || (isLive !== null && first < end)) {
      for (const edge of edgesAt(version, node, side))
        if (!met.has(edge.far) && fits(version.typeOf(edge.far) || hintOf(edge))) met.add(edge.far);
      continue;
    }
    for (let at = first; at < end; at += 1) {
      if (base.types[at] !== side.code) continue;
      const far = base.fars[at] as number;
      if (!met.has(far) && fits(version.typeOf(far) || hintAt(base, at))) met.add(far);
    }
  }
  return met.numbers;
}

function hintAt(table: EdgeTable, at: number): number {
  return hintOf(table.edge(at));
}

const NO_RUN = [0, 0] as const;
