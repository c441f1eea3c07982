import { nodeId } from './codec.js';
import { CountChanges } from './counts.js';
import type { Frame } from './frame.js';
import type { HubSizes } from './hub.js';
import { inTurns } from './in-turns.js';
import { blobKey, chunkKey, edgeBeside } from './keys.js';
import { type Bytes, type KeyValueReader, type Pause, putAll, type WriteBatch } from './kv.js';
import type { LayerChanges, StoredEdge } from './layer.js';
import { edgeKey, hasRecord, mayHaveRecords } from './layer-reader.js';
import { CommitEdits, type NodeEdits } from './node-edits.js';
import { nodeIndexWrites } from './node-indexes.js';
import type { TypeInUse, TypeTable } from './type-table.js';

/** The writes of a commit with the nodes that it touches, or the ids whose keys are taken by other ids. */
export type Prepared =
  | {
      /** Gives how the numbers of nodes and edges change. */
      readonly write: (batch: WriteBatch) => Promise<CountChanges>;
    }
  | { readonly collision: readonly [string, string] };

/** What a commit is prepared with. */
export interface CommitOptions {
  readonly sizes: HubSizes;
  /** Lets others have their turn meanwhile. */
  readonly pause: Pause;
}

/** So many keys are read at once. */
const KEYS_AT_ONCE = 1024;

/**
 * Turns changes into the writes of one batch: records, packed adjacency at both ends, indexes and blobs. What is
 * stored of them is read in one round trip (two more for hubs).
 *
 * @throws CodewalkError `INVALID_ARCHETYPE`, `INVALID_INPUT`
 */
export async function prepareCommit(
  source: KeyValueReader,
  frame: Frame,
  changes: LayerChanges,
  options: CommitOptions,
): Promise<Prepared> {
  const kinds = new EdgeKinds(frame.types);
  const edits = await editsOf(frame, changes, kinds, options.pause);
  const collision = collisionAmong(edits.touched()) ?? (await load(source, frame, edits, options));
  if (collision !== undefined) return { collision };
  await loadChunks(source, frame, edits);
  await followUndirected(source, frame, edits);
  const write = (batch: WriteBatch) => writeAll(batch, frame, edits, changes, kinds, options);
  return { write };
}

async function writeAll(
  batch: WriteBatch,
  frame: Frame,
  edits: CommitEdits,
  changes: LayerChanges,
  kinds: EdgeKinds,
  { sizes, pause }: CommitOptions,
): Promise<CountChanges> {
  const counts = new CountChanges();
  await inTurns(edits.touched(), pause, (node) => writeNode(batch, frame, node, counts));
  await inTurns(edits.records(), pause, (record) => record.write(batch, frame, sizes, counts));
  removeEdgeRecords(batch, frame, changes);
  await inTurns(changes.edges, pause, (edge) => writeEdgeRecord(batch, frame, edits, edge, kinds));
  for (const { name, value } of changes.blobs ?? []) {
    if (value === undefined) batch.del(blobKey(name));
    else batch.put(blobKey(name), value);
  }
  return counts;
}

/** What the edges of one type have in common. */
interface EdgeKind {
  readonly inUse: TypeInUse;
  readonly name: string;
  /** Whether edges written now have a record. */
  readonly record: boolean;
  /** Whether one of them may have a record from before. */
  readonly mayHave: boolean;
}

/** The kinds of the edges that a commit writes, each looked up once. */
class EdgeKinds {
  readonly #known = new Map<string, EdgeKind>();
  #last: EdgeKind | undefined = undefined;

  constructor(private readonly types: TypeTable) {}

  of(name: string): EdgeKind {
    if (this.#last?.name === name) return this.#last;
    const kind = this.#known.get(name) ?? this.#make(name);
    this.#last = kind;
    return kind;
  }

  #make(name: string): EdgeKind {
    const inUse = this.types.forWriting('edge', name);
    const version = inUse.type.versions[inUse.version];
    const record = version !== undefined && hasRecord(version);
    const kind = { inUse, name, record, mayHave: mayHaveRecords(inUse.type) };
    this.#known.set(name, kind);
    return kind;
  }
}

async function editsOf(
  frame: Frame,
  changes: LayerChanges,
  kinds: EdgeKinds,
  pause: Pause,
): Promise<CommitEdits> {
  const { types } = frame;
  const edits = new CommitEdits(frame);
  await inTurns(changes.nodes, pause, ({ id, after }) => edits.change(id, after));
  for (const { type, from, to, seq } of changes.removedEdges) {
    if (types.byName('edge', type) === undefined) continue;
    const { inUse } = kinds.of(type);
    edits.at(from).of('out', inUse).remove({ far: to, seq, outgoing: true });
    edits.at(to).of('in', inUse).remove({ far: from, seq, outgoing: false });
  }
  const codeOf = nodeCodes(types, changes);
  await inTurns(changes.edges, pause, (edge) => edits.add(edge, kinds.of(edge.type).inUse, codeOf));
  return edits;
}

/** The code of the archetype of a node that is touched: asked once per node, and per name. */
function nodeCodes(types: TypeTable, changes: LayerChanges): (node: NodeEdits) => number {
  const codes = new Map<string, number>();
  return ({ id, after }) => {
    const name = after?.type ?? changes.typeOf(id);
    let code = codes.get(name);
    if (code === undefined) {
      code = types.codeOfNode(name);
      codes.set(name, code);
    }
    return code;
  };
}

function collisionAmong(nodes: readonly NodeEdits[]): [string, string] | undefined {
  const ends = new Set<number>();
  for (const { key } of nodes) ends.add(key.readUIntBE(key.length - KEY_END, KEY_END));
  // Keys that differ in their ends are not the same: hardly ever is there more to look at.
  if (ends.size === nodes.length) return undefined;
  const holders = new Map<string, string>();
  for (const { id, key } of nodes) {
    const text = key.toString('latin1');
    const holder = holders.get(text);
    if (holder !== undefined) return [holder, id];
    holders.set(text, id);
  }
  return undefined;
}

/** So many bytes of a key make a whole number. */
const KEY_END = 6;

/** Reads what is stored of what a commit touches. Two ids that share a key, if there are such. */
async function load(
  source: KeyValueReader,
  frame: Frame,
  edits: CommitEdits,
  { pause }: CommitOptions,
): Promise<[string, string] | undefined> {
  const nodes = edits.touched();
  const records = edits.records();
  const keys: Buffer[] = [];
  for (const node of nodes) keys.push(node.key);
  for (const record of records) keys.push(record.key);
  const found = await valuesOf(source, keys, pause);
  for (let at = 0; at < nodes.length; at += 1) {
    const node = nodes[at];
    const bytes = found[at];
    if (node === undefined || bytes === undefined) continue;
    const holder = nodeId(bytes);
    // A record that is cut holds nothing.
    if (holder === '') continue;
    if (holder !== node.id) return [holder, node.id];
    node.stored = bytes;
  }
  let at = nodes.length;
  await inTurns(records, pause, (record) => record.load(found[at++], frame));
  return undefined;
}

/** The values of many keys: in one round trip, unless there are very many. */
async function valuesOf(
  source: KeyValueReader,
  keys: readonly Bytes[],
  pause: Pause,
): Promise<readonly (Bytes | undefined)[]> {
  if (keys.length <= KEYS_AT_ONCE) return source.getMany(keys);
  const values: (Bytes | undefined)[] = [];
  for (let at = 0; at < keys.length; at += KEYS_AT_ONCE) {
    const some = await source.getMany(keys.slice(at, at + KEYS_AT_ONCE));
    for (const value of some) values.push(value);
    await pause();
  }
  return values;
}

async function loadChunks(source: KeyValueReader, frame: Frame, edits: CommitEdits): Promise<void> {
  const hubs = edits.records().filter((record) => record.isHub);
  const wanted = hubs.flatMap((record) => record.missingChunks().map((number) => ({ record, number })));
  if (wanted.length === 0) return;
  const found = await source.getMany(wanted.map(({ record, number }) => chunkKey(record.key, number)));
  for (const [at, { record, number }] of wanted.entries()) record.loadChunk(number, found[at], frame);
}

/** An address does not tell that an edge is undirected; its stored entry does, and then it goes at the other sides too. */
async function followUndirected(source: KeyValueReader, frame: Frame, edits: CommitEdits): Promise<void> {
  // A copy: the edits that are found on the way need no look themselves.
  const stored = edits.records().filter((record) => record.isStored && record.direction === 'out');
  for (const record of stored) {
    const { node, inUse } = record;
    for (const item of record.removed()) {
      if (!item.undirected || !item.outgoing || item.far === node.id) continue;
      edits.at(node.id).of('in', inUse).remove(item);
      edits
        .at(item.far)
        .of('out', inUse)
        .remove({ ...item, far: node.id, outgoing: false });
    }
  }
  const fresh = edits.records().filter((record) => !record.loaded);
  if (fresh.length === 0) return;
  const found = await source.getMany(fresh.map((record) => record.key));
  for (const [at, record] of fresh.entries()) record.load(found[at], frame);
  await loadChunks(source, frame, edits);
}

function writeNode(batch: WriteBatch, frame: Frame, node: NodeEdits, counts: CountChanges): void {
  const { id, key, stored, isChanged, isEnd, after } = node;
  if (isChanged) {
    const before = stored && frame.records.decodeNode(stored);
    // Of a damaged record the head tells what it was counted as.
    const was = stored && frame.records.nodeType(stored);
    putAll(batch, nodeIndexWrites(frame.types, before, after));
    if (was !== undefined) counts.add(frame.types.codeOfNode(was), -1);
    if (after !== undefined) {
      const inUse = frame.types.forWriting('node', after.type);
      counts.add(inUse.type.code, 1);
      batch.put(key, frame.records.node(inUse, id, after.props));
      return;
    }
    if (was !== undefined) batch.del(key);
  }
  // Ends of edges that have no record here hold their key with a stub, so that nothing else can take it.
  if (isEnd && (isChanged || !stored)) batch.put(key, frame.records.stub(id));
}

function removeEdgeRecords(batch: WriteBatch, frame: Frame, { removedEdges }: LayerChanges): void {
  for (const address of removedEdges) {
    const type = frame.types.byName('edge', address.type);
    if (type !== undefined && mayHaveRecords(type)) batch.del(edgeKey(frame, type, address));
  }
}

function writeEdgeRecord(
  batch: WriteBatch,
  frame: Frame,
  edits: CommitEdits,
  edge: StoredEdge,
  kinds: EdgeKinds,
): void {
  const { inUse, record, mayHave } = kinds.of(edge.type);
  if (!record && !mayHave) return;
  const { code, order } = inUse.type;
  const rest = order === 'creation' ? edge.seq : edits.at(edge.to).key;
  const key = edgeBeside(edits.at(edge.from).key, code, rest);
  if (record) batch.put(key, frame.records.edge(inUse, edge));
  else batch.del(key);
}
