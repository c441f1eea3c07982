import { CodewalkError } from '../schema/index.js';
import { type PackedItem, packPosition } from './adjacency.js';
import { nodeId } from './codec.js';
import { extraFields } from './entries.js';
import type { Frame } from './frame.js';
import type { HubSizes } from './hub.js';
import { blobKey, chunkKey } from './keys.js';
import type { Bytes, KeyValueReader, Write } from './kv.js';
import type { LayerChanges, StoredEdge, StoredNode } from './layer.js';
import { edgeKey, hasRecord, mayHaveRecords } from './layer-reader.js';
import { nodeIndexWrites } from './node-indexes.js';
import { type NodeEdits, RecordEdits } from './record-edits.js';
import type { TypeInUse, TypeTable } from './type-table.js';

/** The writes of a commit, or the ids whose keys are taken by other ids. */
export type Prepared = { readonly writes: Write[] } | { readonly collision: readonly [string, string] };

/**
 * Turns changes into the writes of one batch: records, packed adjacency at both ends, indexes and blobs. What is
 * stored of them is read in one round trip (two more for hubs).
 *
 * @throws CodewalkError `INVALID_ARCHETYPE`, `INVALID_INPUT`
 */
export async function prepareCommit(
  source: KeyValueReader,
  opened: Frame,
  changes: LayerChanges,
  sizes: HubSizes,
): Promise<Prepared> {
  const frame = { ...opened, keys: opened.keys.remembering() };
  const edits = editsOf(frame, changes);
  const ids = touchedIds(changes);
  const idKeys = ids.map((id) => frame.keys.node(id));
  const collision = collisionAmong(ids, idKeys);
  if (collision !== undefined) return { collision };
  const heads = edits.all();
  const found = await source.getMany([...idKeys, ...heads.map((edit) => edit.key)]);
  const stored = new Map<string, Bytes>();
  for (const [at, id] of ids.entries()) {
    const bytes = found[at];
    if (bytes === undefined) continue;
    const holder = nodeId(bytes);
    if (holder !== id) return { collision: [holder, id] };
    stored.set(id, bytes);
  }
  for (const [at, edit] of heads.entries()) edit.load(found[ids.length + at], frame);
  await loadChunks(source, frame, edits);
  await followUndirected(source, frame, edits);
  const writes: Write[] = [];
  for (const { id, after } of changes.nodes) pushAll(writes, nodeWrites(frame, id, stored.get(id), after));
  pushAll(writes, stubWrites(frame, changes, stored));
  for (const edit of edits.all()) pushAll(writes, edit.writes(frame, sizes));
  pushAll(writes, edgeRecordWrites(frame, changes));
  for (const { name, value } of changes.blobs ?? []) writes.push({ key: blobKey(name), value });
  return { writes };
}

function editsOf(frame: Frame, changes: LayerChanges): RecordEdits {
  const { types } = frame;
  const edits = new RecordEdits(frame);
  for (const { type, from, to, seq } of changes.removedEdges) {
    if (types.byName('edge', type) === undefined) continue;
    const inUse = types.forWriting('edge', type);
    edits.of(from, 'out', inUse).remove({ far: to, seq, outgoing: true });
    edits.of(to, 'in', inUse).remove({ far: from, seq, outgoing: false });
  }
  const codeOf = nodeCodes(types, changes);
  const kinds = new Map<string, EdgeKind>();
  for (const edge of changes.edges) {
    const { from, to, undirected } = edge;
    const kind = grownKind(kinds, types, edge.type);
    const [start, end] = [edits.at(from), edits.at(to)];
    const there = itemOf(edge, kind, to, codeOf(end), true);
    const back = { ...there, far: from, farType: codeOf(start), outgoing: false };
    start.of('out', kind.inUse).add(there);
    end.of('in', kind.inUse).add(back);
    // A self loop shows once per direction, so its other end adds nothing.
    if (!undirected || from === to) continue;
    start.of('in', kind.inUse).add(there);
    end.of('out', kind.inUse).add(back);
  }
  return edits;
}

/** The code of the archetype of a node that is touched: asked once per node, and per name. */
function nodeCodes(types: TypeTable, changes: LayerChanges): (node: NodeEdits) => number {
  const own = new Map(changes.nodes.map(({ id, after }) => [id, after?.type]));
  const codes = new Map<string, number>();
  return (edits) => {
    if (edits.typeCode > 0) return edits.typeCode;
    const name = own.get(edits.node) ?? changes.typeOf(edits.node);
    let code = codes.get(name);
    if (code === undefined) {
      code = types.codeOfNode(name);
      codes.set(name, code);
    }
    edits.typeCode = code;
    return code;
  };
}

/** What the edges of one type have in common. */
interface EdgeKind {
  readonly inUse: TypeInUse;
  readonly canonical: boolean;
  readonly extras: readonly string[];
}

function grownKind(kinds: Map<string, EdgeKind>, types: TypeTable, name: string): EdgeKind {
  const known = kinds.get(name);
  if (known !== undefined) return known;
  const inUse = types.forWriting('edge', name);
  const extras = extraFields(inUse.type, inUse.version);
  const kind = { inUse, canonical: inUse.type.order === 'canonical', extras };
  kinds.set(name, kind);
  return kind;
}

function itemOf(
  edge: StoredEdge,
  { canonical, extras }: EdgeKind,
  far: string,
  farType: number,
  outgoing: boolean,
): PackedItem {
  const { undirected, seq, props } = edge;
  return {
    far,
    farType,
    outgoing,
    undirected,
    seq: canonical ? 0 : checkedSeq(edge, seq),
    line: canonical ? packPosition(props.line) : 0,
    column: canonical ? packPosition(props.column) : 0,
    extra: extras.map((name) => props[name]),
  };
}

function checkedSeq({ type, from, to }: StoredEdge, seq: number): number {
  if (Number.isInteger(seq) && seq > 0 && seq < 2 ** 48) return seq;
  throw new CodewalkError(
    'INVALID_INPUT',
    `The ${type} edge from ${from} to ${to} cannot have the number ${seq}`,
    {
      suggestion: 'Take it from nextSeq().',
      input: seq,
    },
  );
}

/** Ids whose keys this commit writes under or whose owner it must know: nodes, and the ends of new edges. */
function touchedIds(changes: LayerChanges): string[] {
  const ids = new Set<string>();
  for (const { id } of changes.nodes) ids.add(id);
  for (const { from, to } of changes.edges) ids.add(from).add(to);
  return [...ids];
}

function collisionAmong(ids: readonly string[], keys: readonly Buffer[]): [string, string] | undefined {
  const holders = new Map<string, string>();
  for (const [at, id] of ids.entries()) {
    const key = keys[at]?.toString('latin1') ?? '';
    const holder = holders.get(key);
    if (holder !== undefined) return [holder, id];
    holders.set(key, id);
  }
  return undefined;
}

async function loadChunks(source: KeyValueReader, frame: Frame, edits: RecordEdits): Promise<void> {
  const wanted = edits.all().flatMap((edit) => edit.missingChunks().map((number) => ({ edit, number })));
  if (wanted.length === 0) return;
  const found = await source.getMany(wanted.map(({ edit, number }) => chunkKey(edit.key, number)));
  for (const [at, { edit, number }] of wanted.entries()) edit.loadChunk(number, found[at], frame);
}

/** An address does not tell that an edge is undirected; its stored entry does, and then it goes at the other sides too. */
async function followUndirected(source: KeyValueReader, frame: Frame, edits: RecordEdits): Promise<void> {
  // A copy: the edits that are found on the way need no look themselves.
  for (const edit of [...edits.all()]) {
    if (edit.direction !== 'out') continue;
    for (const item of edit.removed()) {
      if (!item.undirected || !item.outgoing || item.far === edit.node) continue;
      edits.of(edit.node, 'in', edit.inUse).remove(item);
      edits.of(item.far, 'out', edit.inUse).remove({ ...item, far: edit.node, outgoing: false });
    }
  }
  const fresh = edits.all().filter((edit) => !edit.loaded);
  if (fresh.length > 0) {
    const found = await source.getMany(fresh.map((edit) => edit.key));
    for (const [at, edit] of fresh.entries()) edit.load(found[at], frame);
  }
  await loadChunks(source, frame, edits);
}

function nodeWrites(
  frame: Frame,
  id: string,
  bytes: Bytes | undefined,
  after: StoredNode | undefined,
): Write[] {
  const before = bytes === undefined ? undefined : frame.records.decodeNode(bytes);
  const writes = nodeIndexWrites(frame.types, before, after);
  if (after !== undefined) {
    const inUse = frame.types.forWriting('node', after.type);
    writes.push({ key: frame.keys.node(id), value: frame.records.node(inUse, id, after.props) });
  } else if (before !== undefined) writes.push({ key: frame.keys.node(id), value: undefined });
  return writes;
}

/** Ends of edges that have no record here hold their key with a stub, so that nothing else can take it. */
function stubWrites(frame: Frame, changes: LayerChanges, stored: ReadonlyMap<string, Bytes>): Write[] {
  const own = new Map(changes.nodes.map(({ id, after }) => [id, after]));
  const stubs = new Set<string>();
  const isStub = (id: string) => (own.has(id) ? own.get(id) === undefined : !stored.has(id));
  for (const { from, to } of changes.edges) {
    if (isStub(from)) stubs.add(from);
    if (isStub(to)) stubs.add(to);
  }
  return [...stubs].map((id) => ({ key: frame.keys.node(id), value: frame.records.stub(id) }));
}

function edgeRecordWrites(frame: Frame, changes: LayerChanges): Write[] {
  const { types, records } = frame;
  const writes: Write[] = [];
  for (const address of changes.removedEdges) {
    const type = types.byName('edge', address.type);
    if (type !== undefined && mayHaveRecords(type))
      writes.push({ key: edgeKey(frame, type, address), value: undefined });
  }
  const kinds = new Map<string, { inUse: TypeInUse; record: boolean; mayHave: boolean }>();
  for (const edge of changes.edges) {
    let kind = kinds.get(edge.type);
    if (kind === undefined) {
      const inUse = types.forWriting('edge', edge.type);
      const version = inUse.type.versions[inUse.version];
      const record = version !== undefined && hasRecord(version);
      kind = { inUse, record, mayHave: mayHaveRecords(inUse.type) };
      kinds.set(edge.type, kind);
    }
    if (!kind.record && !kind.mayHave) continue;
    const key = edgeKey(frame, kind.inUse.type, edge);
    writes.push({ key, value: kind.record ? records.edge(kind.inUse, edge) : undefined });
  }
  return writes;
}

/** `push(...more)` overflows the stack where there are 100,000 of them. */
function pushAll<T>(list: T[], more: readonly T[]): void {
  for (const item of more) list.push(item);
}
