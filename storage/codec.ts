import { CodewalkError } from '../schema/index.js';
import type { Bytes } from './kv.js';
import type { StoredNode } from './layer.js';
import { asBuffer, type ValueCodec } from './msgpack.js';
import type { StoredType, TypeInUse, TypeTable } from './type-table.js';

/** Properties of a node or edge. */
export type Props = Readonly<Record<string, unknown>>;

/** Node records: type code (2), version (2), length of the id (2), id, fields. */
const NODE_HEAD = 6;
/** Edge records: flags (1), version (2), fields. The flags are never what marks a hub's directory. */
const EDGE_HEAD = 3;
const STUB = 0;
const UNDIRECTED = 2;

/** What an edge record holds beside the names in its key. */
export interface EdgeRecord {
  readonly undirected: boolean;
  readonly props: Props;
}

/** Encodes and decodes the records of one layer. */
export interface RecordCodec {
  node(type: TypeInUse, id: string, props: Props): Buffer;
  /** The record of a node that is not of this layer but has edges in it: holds its key. */
  stub(id: string): Buffer;
  edge(type: TypeInUse, record: EdgeRecord): Buffer;
  /** Undefined for a stub, and for a damaged record, which is noted in {@link ValueCodec.damaged}. */
  decodeNode(bytes: Bytes): StoredNode | undefined;
  /** The name of a node's archetype; undefined for a stub, and where it cannot be told. */
  nodeType(bytes: Bytes): string | undefined;
  /** Undefined for a damaged record, which is noted as well. */
  decodeEdge(type: StoredType, bytes: Bytes): EdgeRecord | undefined;
}

/**
 * Records as arrays in schema order under the version of their archetype. A value that is absent is told from
 * one that is null: `[absent, ...values]`, where absent lists positions (0 when there are none). Decoding drops
 * the fields that the archetype no longer has, if it is loaded; filling in defaults is not storage's business.
 */
export function recordCodec(values: ValueCodec, types: TypeTable): RecordCodec {
  const fieldsOf = (type: StoredType, version: number): readonly string[] =>
    type.versions[version]?.fields ?? [];
  const typeOf = (record: Buffer) =>
    record.length < NODE_HEAD ? undefined : types.known(record.readUInt16BE(0));
  // Undefined where the values are none that `toValues` makes.
  const propsOf = (type: StoredType, record: Buffer, version: number, from: number) => {
    const fields = fieldsOf(type, record.readUInt16BE(version));
    const body = values.decode(record.subarray(from));
    if (!Array.isArray(body) || body.length !== fields.length + 1) return undefined;
    return toProps(fields, body, types.loaded(type));
  };
  return {
    node(inUse, id, props) {
      const { type, version } = inUse;
      const body = values.encode(toValues(type.name, fieldsOf(type, version), props));
      return nodeRecord(type.code, version, id, body);
    },
    stub: (id) => nodeRecord(STUB, 0, id, NOTHING),
    edge({ type, version }, { undirected, props }) {
      const body = values.encode(toValues(type.name, fieldsOf(type, version), props));
      const record = Buffer.allocUnsafe(EDGE_HEAD + body.length);
      record[0] = undirected ? UNDIRECTED : 0;
      record[1] = version >>> 8;
      record[2] = version;
      record.set(body, EDGE_HEAD);
      return record;
    },
    decodeNode(bytes) {
      if (isStub(bytes)) return undefined;
      const record = asBuffer(bytes);
      const id = nodeId(record);
      const type = typeOf(record);
      const props = type && propsOf(type, record, 2, NODE_HEAD + record.readUInt16BE(4));
      if (props) return { id, type: type.name, props };
      values.damaged.add(id || 'a node');
      return undefined;
    },
    nodeType: (bytes) => typeOf(asBuffer(bytes))?.name,
    decodeEdge(type, bytes) {
      const record = asBuffer(bytes);
      const props = record.length < EDGE_HEAD ? undefined : propsOf(type, record, 1, EDGE_HEAD);
      if (props) return { undirected: record[0] === UNDIRECTED, props };
      values.damaged.add(type.name);
      return undefined;
    },
  };
}

/** The id in a node record (or stub), without decoding the rest; empty where the record is cut. */
export function nodeId(bytes: Bytes): string {
  const record = asBuffer(bytes);
  return record.length < NODE_HEAD
    ? ''
    : record.toString('utf8', NODE_HEAD, NODE_HEAD + record.readUInt16BE(4));
}

/** Whether a node record is one that only holds the key of an id. */
export function isStub(bytes: Bytes): boolean {
  return bytes[0] === 0 && bytes[1] === STUB;
}

const NOTHING = Buffer.alloc(0);

function nodeRecord(code: number, version: number, id: string, body: Uint8Array): Buffer {
  const length = Buffer.byteLength(id, 'utf8');
  if (length > 0xffff || length === 0)
    throw new CodewalkError(
      'INVALID_INPUT',
      `An id has 1 to 65535 bytes, not ${length}: '${id.slice(0, 60)}'`,
    );
  const record = Buffer.allocUnsafe(NODE_HEAD + length + body.length);
  record.writeUInt16BE(code, 0);
  record.writeUInt16BE(version, 2);
  record.writeUInt16BE(length, 4);
  record.write(id, NODE_HEAD, 'utf8');
  record.set(body, NODE_HEAD + length);
  return record;
}

function toValues(name: string, fields: readonly string[], props: Props): unknown[] {
  const record: unknown[] = [0];
  const absent: number[] = [];
  for (const field of fields) {
    const value = props[field];
    if (value === undefined) absent.push(record.length - 1);
    record.push(value ?? null);
  }
  if (absent.length > 0) record[0] = absent;
  const given = Object.keys(props);
  // As many as there are fields, and all fields are there: no other name can be among them.
  if (absent.length === 0 && given.length === fields.length) return record;
  for (const field of given) {
    if (!fields.includes(field) && props[field] !== undefined)
      throw new CodewalkError('INVALID_INPUT', `${name} has no field '${field}' to store`, { input: field });
  }
  return record;
}

function toProps(
  fields: readonly string[],
  body: readonly unknown[],
  loaded: { readonly shape: object } | undefined,
): Record<string, unknown> {
  const props: Record<string, unknown> = {};
  const absent: unknown = body[0];
  for (const [at, field] of fields.entries()) {
    if (Array.isArray(absent) && absent.includes(at)) continue;
    if (loaded !== undefined && !Object.hasOwn(loaded.shape, field)) continue;
    props[field] = body[at + 1];
  }
  return props;
}
