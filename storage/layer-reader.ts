import { CUT_EDGES } from './adjacency.js';
import { nodeId } from './codec.js';
import type { TypeCounts } from './counts.js';
import { type EntryDecoder, entryDecoder } from './entries.js';
import { findIds } from './find.js';
import { type Frame, whenThere } from './frame.js';
import { countsIn } from './header.js';
import { decodeDirectory, isDirectory } from './hub.js';
import { adjacencyKeyParts, afterPrefix, blobKey, chunkKey } from './keys.js';
import type { Awaitable, Bytes, KeyValueEntry, KeyValueReader } from './kv.js';
import type {
  AdjacencyEntry,
  AdjacencyRequest,
  ArchetypeCatalog,
  EdgeAddress,
  LayerCounts,
  LayerReader,
  NamedBlob,
  StoredEdge,
  StoredNode,
} from './layer.js';
import type { StoredType, TypeTable } from './type-table.js';

/** Whether edges of a type may have a record of their own: properties that adjacency entries do not hold. */
export function mayHaveRecords(type: StoredType): boolean {
  return type.versions.some(hasRecord);
}

/** Whether edges written with a version have a record. */
export function hasRecord(version: {
  readonly fields: readonly string[];
  readonly inline: readonly string[];
}): boolean {
  return version.fields.some((field) => !version.inline.includes(field));
}

/** The entry decoder of each frame, made when it is first asked for. */
export function entryDecoders(): (frame: Frame) => EntryDecoder {
  const decoders = new WeakMap<Frame, EntryDecoder>();
  return (frame) => {
    const known = decoders.get(frame) ?? entryDecoder(frame.types, frame.values);
    decoders.set(frame, known);
    return known;
  };
}

/**
 * Reads a layer from a store or one of its snapshots.
 *
 * @param frame The frame to read with; asked anew on each call, because a layer can get another salt.
 * @param decoderOf See {@link entryDecoders}.
 */
export function layerReader(
  source: KeyValueReader,
  frame: () => Frame,
  catalog: ArchetypeCatalog,
  decoderOf: (frame: Frame) => EntryDecoder,
): LayerReader {
  return {
    nodes: (ids) => readNodes(source, frame(), ids),
    adjacency(requests) {
      const now = frame();
      return readAdjacency(source, now, decoderOf(now), requests);
    },
    edges(addresses) {
      const now = frame();
      return readEdges(source, now, decoderOf(now), addresses);
    },
    find: (query) => findIds(source, frame(), catalog, query),
    async *allNodes() {
      const now = frame();
      for await (const page of source.scan(now.keys.table('nodes'))) {
        yield page
          .map(([, value]) => now.records.decodeNode(value))
          .filter((node): node is StoredNode => node !== undefined);
      }
    },
    async *allEdges() {
      const now = frame();
      for await (const page of source.scan(now.keys.table('adjacency')))
        yield await edgesOfPage(source, now, decoderOf(now), page);
    },
    counts: async () => countsByName(frame().types, await countsIn(source)),
    ...blobReader(source),
  };
}

/** Reads what is stored of a layer that is not of the graph. */
export function blobReader(source: KeyValueReader): Pick<LayerReader, 'blobs' | 'blobNames' | 'blobsUnder'> {
  return {
    blobs: (names) => source.getMany(names.map(blobKey)),
    async *blobNames(prefix) {
      for await (const page of blobsUnder(source, prefix)) yield page.map(({ name }) => name);
    },
    blobsUnder: (prefix) => blobsUnder(source, prefix),
  };
}

function countsByName(types: TypeTable, counts: TypeCounts): LayerCounts {
  const of = (element: 'node' | 'edge') =>
    new Map(
      types.all(element).flatMap(({ name, code }) => {
        const count = counts[code];
        return count === undefined ? [] : [[name, count] as const];
      }),
    );
  return { nodes: of('node'), edges: of('edge') };
}

async function* blobsUnder(source: KeyValueReader, prefix: string): AsyncGenerator<readonly NamedBlob[]> {
  const from = blobKey(prefix);
  for await (const page of source.scan({ from, to: afterPrefix(from) }))
    yield page.map(([key, value]) => ({ name: Buffer.from(key.subarray(1)).toString('utf8'), value }));
}

function readNodes(
  source: KeyValueReader,
  { keys, records }: Frame,
  ids: readonly string[],
): Awaitable<(StoredNode | undefined)[]> {
  const values = source.getMany(ids.map((id) => keys.node(id)));
  return whenThere(values, (found) =>
    found.map((bytes, at) => {
      // The key of another node: this id was never written here, or its write would have met the collision.
      const id = bytes && nodeId(bytes);
      return bytes && (id === ids[at] || id === '') ? records.decodeNode(bytes) : undefined;
    }),
  );
}

/** The records of many keys, hubs read whole: per key the values of its record or of its chunks in order. */
function readRecords(
  source: KeyValueReader,
  { values }: Frame,
  keys: readonly Bytes[],
): Awaitable<readonly Bytes[][]> {
  return whenThere(source.getMany(keys), (found) => {
    const records: Bytes[][] = new Array<Bytes[]>(keys.length);
    const chunkKeys: Bytes[] = [];
    const owners: number[] = [];
    for (let at = 0; at < found.length; at += 1) {
      const bytes = found[at];
      const key = keys[at];
      records[at] = bytes === undefined || isDirectory(bytes) ? [] : [bytes];
      if (bytes === undefined || key === undefined || !isDirectory(bytes)) continue;
      for (const { number } of decodeDirectory(bytes, values)?.chunks ?? []) {
        chunkKeys.push(chunkKey(key, number));
        owners.push(at);
      }
    }
    if (chunkKeys.length === 0) return records;
    return whenThere(source.getMany(chunkKeys), (chunks) => {
      for (const [at, chunk] of chunks.entries()) {
        if (chunk !== undefined) records[owners[at] ?? 0]?.push(chunk);
      }
      return records;
    });
  });
}

function readAdjacency(
  source: KeyValueReader,
  frame: Frame,
  decoder: EntryDecoder,
  requests: readonly AdjacencyRequest[],
): Awaitable<(readonly AdjacencyEntry[])[]> {
  const results = new Array<readonly AdjacencyEntry[]>(requests.length).fill([]);
  const keys: Bytes[] = [];
  const asked: { at: number; type: StoredType }[] = [];
  for (const [at, { node, direction, edgeType }] of requests.entries()) {
    const type = frame.types.byName('edge', edgeType);
    if (type === undefined) continue;
    keys.push(frame.keys.adjacency(node, direction, type.code));
    asked.push({ at, type });
  }
  return whenThere(readRecords(source, frame, keys), (records) => {
    for (const [index, { at, type }] of asked.entries()) {
      const [record, ...chunks] = records[index] ?? [];
      if (record === undefined) continue;
      const first = decoder.decode(type, record);
      results[at] = chunks.length === 0 ? first : first.concat(...chunks.map((c) => decoder.decode(type, c)));
    }
    return results;
  });
}

function readEdges(
  source: KeyValueReader,
  frame: Frame,
  decoder: EntryDecoder,
  addresses: readonly EdgeAddress[],
): Awaitable<(StoredEdge | undefined)[]> {
  const results = new Array<StoredEdge | undefined>(addresses.length).fill(undefined);
  const withRecord: { at: number; type: StoredType; address: EdgeAddress }[] = [];
  const withoutRecord: { at: number; type: StoredType; address: EdgeAddress }[] = [];
  for (const [at, address] of addresses.entries()) {
    const type = frame.types.byName('edge', address.type);
    if (type === undefined) continue;
    if (mayHaveRecords(type)) withRecord.push({ at, type, address });
    if (!type.versions.every(hasRecord)) withoutRecord.push({ at, type, address });
  }
  const recordKeys = withRecord.map(({ type, address }) => edgeKey(frame, type, address));
  const headKeys = withoutRecord.map(({ type, address }) =>
    frame.keys.adjacency(address.from, 'out', type.code),
  );
  return whenThere(readRecords(source, frame, [...recordKeys, ...headKeys]), (found) => {
    for (const [index, { at, type, address }] of withoutRecord.entries()) {
      const records = found[withRecord.length + index] ?? [];
      const entry = records
        .flatMap((record) => decoder.decode(type, record))
        .find((item) => item.outgoing && item.far === address.to && item.seq === address.seq);
      if (entry !== undefined) results[at] = edgeOf(address, entry);
    }
    for (const [index, { at, type, address }] of withRecord.entries()) {
      const [bytes] = found[index] ?? [];
      const record = bytes && frame.records.decodeEdge(type, bytes);
      if (record) results[at] = edgeOf(address, record);
    }
    return results;
  });
}

/** The key of an edge's record: creation types are told apart by number, canonical ones by their far end. */
export function edgeKey({ keys }: Frame, type: StoredType, address: EdgeAddress): Buffer {
  const rest = type.order === 'creation' ? { seq: address.seq } : { to: address.to };
  return keys.edge(address.from, type.code, rest);
}

function edgeOf(
  { type, from, to, seq }: EdgeAddress,
  { undirected, props }: Pick<StoredEdge, 'undirected' | 'props'>,
): StoredEdge {
  return { type, from, to, seq, undirected, props };
}

/** The edges that start in the out-records of one page of the adjacency table. */
async function edgesOfPage(
  source: KeyValueReader,
  frame: Frame,
  decoder: EntryDecoder,
  page: readonly KeyValueEntry[],
): Promise<StoredEdge[]> {
  const { keys, types } = frame;
  const records = page
    .map(([key, value]) => ({ key, value, parts: adjacencyKeyParts(key, keys.form) }))
    .filter(({ parts, value }) => parts.direction === 'out' && !isDirectory(value));
  const owners = await namesOf(
    source,
    frame,
    records.map(({ key }) => key),
  );
  const edges = records.flatMap(({ value, parts }, at) => {
    const type = types.known(parts.typeCode);
    const from = owners[at];
    // Nobody can tell where they start.
    if (type === undefined || from === undefined) {
      frame.values.damaged.add(CUT_EDGES);
      return [];
    }
    return decoder
      .decode(type, value)
      .filter((entry) => entry.outgoing)
      .map((entry) => edgeOf({ type: type.name, from, to: entry.far, seq: entry.seq }, entry));
  });
  const partial = edges.filter(({ type: name }) => {
    const type = types.byName('edge', name);
    return type !== undefined && mayHaveRecords(type);
  });
  if (partial.length === 0) return edges;
  const whole = await readEdges(source, frame, decoder, partial);
  const byEdge = new Map(partial.map((edge, at) => [edge, whole[at]]));
  return edges.map((edge) => byEdge.get(edge) ?? edge);
}

/** The ids whose hashes stand in keys: every node with an edge has a record or a stub. */
export async function namesOf(
  source: KeyValueReader,
  { keys }: Frame,
  hashed: readonly Bytes[],
): Promise<(string | undefined)[]> {
  const { from } = keys.table('nodes');
  const nodeKeys = hashed.map((key) => Buffer.concat([from, key.subarray(1, 1 + keys.form.width)]));
  const found = await source.getMany(nodeKeys);
  return found.map((bytes) => (bytes && nodeId(bytes)) || undefined);
}
