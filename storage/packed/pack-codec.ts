import { CodewalkError, type EdgeType, indexedFields } from '../../schema/index.js';
import { extraFields } from '../entries.js';
import type { StoredEdge, StoredNode } from '../layer.js';
import type { ValueCodec } from '../msgpack.js';
import { packPosition, unpackPosition } from '../packed-item.js';
import type { StoredType, TypeTable } from '../type-table.js';
import { type EdgeKind, type NodeKind, OTHER, type Pack, type PackDetails } from './pack.js';

type Props = Readonly<Record<string, unknown>>;

/** A node on its way into a pack: of another pack with its details as they are, or new with its properties. */
export interface NodeRow {
  readonly id: string;
  readonly kind: NodeKind;
  readonly columns: readonly unknown[];
  readonly body: Uint8Array | Props;
}

/** An edge on its way into a pack. */
export interface EdgeRow {
  readonly from: string;
  readonly to: string;
  readonly kind: EdgeKind;
  readonly undirected: boolean;
  readonly seq: number;
  /** As {@link packPosition} makes them. */
  readonly line: number;
  readonly column: number;
  readonly inline: readonly unknown[];
  readonly body: Uint8Array | Props;
}

/** Where a value of an edge is found. */
interface EdgeField {
  readonly name: string;
  readonly source: 'line' | 'column' | 'inline' | 'body';
  /** Its place there. */
  readonly at: number;
}

/** How the edges of a kind are read. */
interface EdgePlan {
  readonly loaded: EdgeType | undefined;
  /** Those that entries show, in their order. */
  readonly inline: readonly EdgeField[];
  /** All, in the order of the schema; where all are shown, in that order. */
  readonly all: readonly EdgeField[];
}

/** How the edges of a type are written now. */
interface EdgeWriting {
  readonly kind: EdgeKind;
  readonly fields: readonly string[];
  readonly inline: readonly string[];
  readonly body: readonly string[];
  readonly isCanonical: boolean;
}

const SMALL = 2 ** 29;
const MOST_SEQ = 2 ** 48;
const MOST_ID_BYTES = 0xffff;
const NOTHING = new Uint8Array(0);
const NO_VALUES: readonly unknown[] = [];

/** Turns nodes and edges into rows of packs and back. */
export class PackCodec {
  readonly #kinds = new Map<string, NodeKind>();
  readonly #writing = new Map<string, EdgeWriting>();
  readonly #plans = new Map<number, EdgePlan>();
  readonly #tuples = new WeakMap<Pack, readonly (readonly unknown[])[]>();

  constructor(
    readonly types: TypeTable,
    readonly values: ValueCodec,
  ) {}

  /** @throws CodewalkError `INVALID_ARCHETYPE`, `INVALID_INPUT` */
  nodeRow({ id, type: name, props }: StoredNode): NodeRow {
    checkId(id);
    const { type, version } = this.types.forWriting('node', name);
    const kind = this.#nodeKind(type, version);
    const fields = type.versions[version]?.fields ?? [];
    const columns = kind.columns.map((position) => {
      const value = props[fields[position] ?? ''];
      return isColumnValue(value) ? value : OTHER;
    });
    return { id, kind, columns, body: props };
  }

  /** @throws CodewalkError `INVALID_ARCHETYPE`, `INVALID_INPUT` */
  edgeRow(edge: StoredEdge): EdgeRow {
    const { type, from, to, undirected, props } = edge;
    const writing = this.#edgeWriting(type);
    const { kind, isCanonical, inline, body } = writing;
    checkKnown(type, writing.fields, props);
    if (!isCanonical) checkSeq(edge);
    return {
      from,
      to,
      kind,
      undirected,
      seq: isCanonical ? 0 : edge.seq,
      line: isCanonical ? packPosition(props.line) : 0,
      column: isCanonical ? packPosition(props.column) : 0,
      inline: inline.length === 0 ? NO_VALUES : inline.map((field) => props[field]),
      body: body.length === 0 ? NOTHING : props,
    };
  }

  /** The node at a row of a pack, for another one. */
  storedNodeRow(pack: Pack, details: PackDetails, row: number, id: string): NodeRow {
    const kind = pack.nodeKinds[pack.rowKinds[row] ?? 0] as NodeKind;
    const columns = kind.columns.map((_, at) => pack.value(row, at));
    return { id, kind, columns, body: details.node(row) };
  }

  /** The edge at a row of a pack, for another one. */
  storedEdgeRow(
    pack: Pack,
    details: PackDetails,
    row: number,
    [from, to]: readonly [string, string],
  ): EdgeRow {
    const { kinds, undirected } = pack.edges;
    const { lines, columns, seqs, tuples } = pack.places;
    return {
      from,
      to,
      kind: pack.edgeKinds[kinds[row] ?? 0] as EdgeKind,
      undirected: undirected?.[row] === 1,
      seq: seqs[row] ?? 0,
      line: lines[row] ?? 0,
      column: columns[row] ?? 0,
      inline: this.#tuplesOf(pack)[tuples[row] ?? 0] ?? NO_VALUES,
      body: details.edge(row),
    };
  }

  /** The encoded details of a node's row, until the next is encoded. @throws CodewalkError `INVALID_INPUT` */
  nodeBody({ kind, columns, body }: NodeRow): Uint8Array {
    if (body instanceof Uint8Array) return body;
    const { name, versions } = this.types.byCode(kind.code);
    const fields = versions[kind.version]?.fields ?? [];
    checkKnown(name, fields, body);
    const inColumns = new Set(kind.columns.filter((_, at) => columns[at] !== OTHER));
    const rest = fields.filter((_, position) => !inColumns.has(position));
    return this.values.encode(listed(rest, body));
  }

  /** As {@link PackCodec.nodeBody}, of an edge. */
  edgeBody({ kind, body }: EdgeRow): Uint8Array {
    if (body instanceof Uint8Array) return body;
    return this.values.encode(listed(this.#edgeWriting(this.types.byCode(kind.code).name).body, body));
  }

  /** Undefined where it is damaged. */
  node(pack: Pack, details: PackDetails, row: number, id: string): StoredNode | undefined {
    const kind = pack.nodeKinds[pack.rowKinds[row] ?? 0];
    const type = kind && this.types.known(kind.code);
    const body = this.values.decode(details.node(row));
    if (kind === undefined || type === undefined || !Array.isArray(body)) return undefined;
    const loaded = this.types.loaded(type);
    const props: Record<string, unknown> = {};
    let next = 1;
    for (const [position, field] of (type.versions[kind.version]?.fields ?? []).entries()) {
      const column = kind.columns.indexOf(position);
      let value = column < 0 ? OTHER : pack.value(row, column);
      if (value === OTHER) value = valueIn(body, next++);
      if (value !== undefined && (loaded === undefined || Object.hasOwn(loaded.shape, field)))
        props[field] = value;
    }
    return { id, type: type.name, props };
  }

  /** The properties of an edge that its entries show. */
  inline(pack: Pack, row: number): Record<string, unknown> {
    const kind = pack.edgeKinds[pack.edges.kinds[row] ?? 0];
    return kind === undefined ? {} : this.#props(pack, row, this.#plan(kind).inline, NO_VALUES);
  }

  /** All properties of an edge; undefined where its details are damaged. @param details Null: they are not needed. */
  edgeProps(pack: Pack, details: PackDetails | null, row: number): Record<string, unknown> | undefined {
    const kind = pack.edgeKinds[pack.edges.kinds[row] ?? 0];
    if (kind === undefined) return undefined;
    const bytes = details?.edge(row) ?? NOTHING;
    const body = bytes.length === 0 ? NO_VALUES : this.values.decode(bytes);
    return Array.isArray(body) ? this.#props(pack, row, this.#plan(kind).all, body) : undefined;
  }

  /** Whether edges of a kind have properties in the details. */
  hasDetails({ code, version }: EdgeKind): boolean {
    const fields = this.types.known(code)?.versions[version];
    return fields?.fields.some((field) => !fields.inline.includes(field)) === true;
  }

  /** The place of a field among the columns of a kind; -1: it has none. */
  columnOf({ code, version, columns }: NodeKind, field: string): number {
    const position = this.types.known(code)?.versions[version]?.fields.indexOf(field) ?? -1;
    return columns.indexOf(position);
  }

  /** The names of the fields of a kind that have columns. */
  fieldsOf({ code, version, columns }: NodeKind): string[] {
    const fields = this.types.known(code)?.versions[version]?.fields ?? [];
    return columns.map((position) => fields[position] ?? '');
  }

  #props(
    pack: Pack,
    row: number,
    fields: readonly EdgeField[],
    body: readonly unknown[],
  ): Record<string, unknown> {
    const { lines, columns, tuples } = pack.places;
    const tuple = this.#tuplesOf(pack)[tuples[row] ?? 0] ?? NO_VALUES;
    const props: Record<string, unknown> = {};
    for (const { name, source, at } of fields) {
      const value =
        source === 'line'
          ? unpackPosition(lines[row] ?? 0)
          : source === 'column'
            ? unpackPosition(columns[row] ?? 0)
            : source === 'inline'
              ? tuple[at]
              : valueIn(body, at + 1);
      if (value !== undefined) props[name] = value;
    }
    return props;
  }

  #tuplesOf(pack: Pack): readonly (readonly unknown[])[] {
    let tuples = this.#tuples.get(pack);
    if (tuples === undefined) {
      const lists = this.values.decode(pack.tuples);
      tuples = Array.isArray(lists)
        ? lists.map((list: unknown[]) => list.slice(1).map((_, at) => valueIn(list, at + 1)))
        : [];
      this.#tuples.set(pack, tuples);
    }
    return tuples;
  }

  #nodeKind(type: StoredType, version: number): NodeKind {
    const fields = type.versions[version]?.fields ?? [];
    const columns = [...new Set(type.indexed.flatMap(indexedFields))].map((field) => fields.indexOf(field));
    const key = `${type.code} ${version} ${columns}`;
    const known = this.#kinds.get(key);
    if (known) return known;
    const kind = { code: type.code, version, columns: columns.filter((position) => position >= 0) };
    this.#kinds.set(key, kind);
    return kind;
  }

  #edgeWriting(name: string): EdgeWriting {
    const { type, version } = this.types.forWriting('edge', name);
    const known = this.#writing.get(name);
    if (known?.kind.version === version && known.kind.code === type.code) return known;
    const { fields = [], inline = [] } = type.versions[version] ?? {};
    const isCanonical = type.order === 'canonical';
    const writing: EdgeWriting = {
      kind: { code: type.code, version, isCreation: !isCanonical },
      fields,
      inline: extraFields(type, version),
      body: fields.filter((field) => !inline.includes(field)),
      isCanonical,
    };
    this.#writing.set(name, writing);
    return writing;
  }

  #plan({ code, version }: EdgeKind): EdgePlan {
    const key = code * 0x10000 + version;
    const type = this.types.known(code);
    const loaded = type && (this.types.loaded(type) as EdgeType | undefined);
    let plan = this.#plans.get(key);
    if (plan === undefined || plan.loaded !== loaded) {
      plan = type === undefined ? { loaded, inline: [], all: [] } : planOf(type, version, loaded);
      this.#plans.set(key, plan);
    }
    return plan;
  }
}

function planOf(type: StoredType, version: number, loaded: EdgeType | undefined): EdgePlan {
  const { fields = [], inline = [] } = type.versions[version] ?? {};
  const extras = extraFields(type, version);
  const body = fields.filter((field) => !inline.includes(field));
  const isShown = (name: string) => loaded === undefined || Object.hasOwn(loaded.shape, name);
  const fieldOf = (name: string): EdgeField => {
    if (!inline.includes(name)) return { name, source: 'body', at: body.indexOf(name) };
    const at = extras.indexOf(name);
    return at >= 0
      ? { name, source: 'inline', at }
      : { name, source: name === 'line' ? 'line' : 'column', at };
  };
  const plan = (names: readonly string[]) => names.filter(isShown).map(fieldOf);
  return { loaded, inline: plan(inline), all: plan(body.length === 0 ? inline : fields) };
}

/** Values behind the places of those that are absent; 0: none is. */
export function listed(fields: readonly string[], props: Props): unknown[] {
  return withAbsent(fields.map((field) => props[field]));
}

/** As {@link listed}, of values. */
export function withAbsent(values: readonly unknown[]): unknown[] {
  const list: unknown[] = [0];
  let absent: number[] | null = null;
  for (const [at, value] of values.entries()) {
    if (value === undefined) {
      absent ??= [];
      absent.push(at + 1);
    }
    list.push(value ?? null);
  }
  if (absent !== null) list[0] = absent;
  return list;
}

function valueIn(list: readonly unknown[], at: number): unknown {
  const [absent] = list;
  return Array.isArray(absent) && absent.includes(at) ? undefined : list[at];
}

function isColumnValue(value: unknown): boolean {
  if (typeof value === 'number')
    return Number.isInteger(value) && value >= 0 && value < SMALL && !Object.is(value, -0);
  return value === undefined || value === null || typeof value === 'string' || typeof value === 'boolean';
}

function checkKnown(name: string, fields: readonly string[], props: Props): void {
  for (const field of Object.keys(props))
    if (!fields.includes(field) && props[field] !== undefined)
      throw new CodewalkError('INVALID_INPUT', `${name} has no field '${field}' to store`, { input: field });
}

function checkId(id: string): void {
  const most = MOST_ID_BYTES / 3;
  const bytes = id.length === 0 || id.length > most ? Buffer.byteLength(id) : 1;
  if (bytes > 0 && bytes <= MOST_ID_BYTES) return;
  throw new CodewalkError('INVALID_INPUT', `An id has 1 to 65535 bytes, not ${bytes}: '${id.slice(0, 60)}'`);
}

function checkSeq({ type, from, to, seq }: StoredEdge): void {
  if (Number.isInteger(seq) && seq > 0 && seq < MOST_SEQ) return;
  throw new CodewalkError(
    'INVALID_INPUT',
    `The ${type} edge from ${from} to ${to} cannot have the number ${seq}`,
    { suggestion: 'Take it from nextSeq().', input: seq },
  );
}
