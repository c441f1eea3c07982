import { CUT_EDGES, PackedRecord } from './adjacency.js';
import type { Bytes } from './kv.js';
import type { AdjacencyEntry } from './layer.js';
import type { ValueCodec } from './msgpack.js';
import { unpackPosition } from './packed-item.js';
import type { StoredType, TypeTable } from './type-table.js';

/** Where one inline property of an entry is found: a position column, or the extra values by their place. */
interface InlineField {
  readonly name: string;
  readonly source: 'line' | 'column' | number;
}

/** Makes entries of packed records. */
export interface EntryDecoder {
  /** The entries of one record or chunk; their properties are decoded when they are asked for. */
  decode(type: StoredType, bytes: Bytes): AdjacencyEntry[];
}

/** The names of the extra values of entries that were written with one version of a type. */
export function extraFields(type: StoredType, version: number): readonly string[] {
  const inline = type.versions[version]?.inline ?? [];
  return type.order === 'canonical' ? inline.filter((name) => !isPosition(name)) : inline;
}

/** An entry decoder over a layer's types; the plans of inline fields are made once per type. */
export function entryDecoder(types: TypeTable, values: ValueCodec): EntryDecoder {
  const plans = new Map<StoredType, { loaded: unknown; versions: (readonly InlineField[])[] }>();
  const planOf = (type: StoredType, version: number): readonly InlineField[] => {
    const loaded = types.loaded(type);
    let known = plans.get(type);
    if (known === undefined || known.loaded !== loaded) {
      known = { loaded, versions: type.versions.map((_, at) => planInline(type, at, loaded)) };
      plans.set(type, known);
    }
    return known.versions[version] ?? [];
  };
  const farTypes = new Map<number, string>();
  const nameOf = (code: number): string => {
    let name = farTypes.get(code);
    if (name === undefined) {
      name = types.known(code)?.name ?? '';
      farTypes.set(code, name);
    }
    return name;
  };
  return {
    decode(type, bytes) {
      const record = new PackedRecord(bytes);
      if (record.isCut) values.damaged.add(CUT_EDGES);
      const props = new InlineProps(record, planOf(type, record.version), values);
      const fars = record.fars();
      const entries = new Array<AdjacencyEntry>(record.count);
      for (let at = 0; at < record.count; at += 1)
        entries[at] = new PackedEntry(
          type.name,
          fars[at] ?? '',
          nameOf(record.farType(at)),
          record,
          props,
          at,
        );
      return entries;
    },
  };
}

function planInline(
  type: StoredType,
  version: number,
  loaded: { readonly shape: object } | undefined,
): InlineField[] {
  const extras = extraFields(type, version);
  const plan: InlineField[] = [];
  for (const name of type.versions[version]?.inline ?? []) {
    if (loaded !== undefined && !Object.hasOwn(loaded.shape, name)) continue;
    plan.push({ name, source: type.order === 'canonical' && isPosition(name) ? name : extras.indexOf(name) });
  }
  return plan;
}

function isPosition(name: string): name is 'line' | 'column' {
  return name === 'line' || name === 'column';
}

/** The inline properties of the entries of one record. */
class InlineProps {
  constructor(
    private readonly record: PackedRecord,
    private readonly plan: readonly InlineField[],
    private readonly values: ValueCodec,
  ) {}

  at(at: number): Record<string, unknown> {
    const props: Record<string, unknown> = {};
    const extra = this.record.extra(at, this.values);
    for (const { name, source } of this.plan) {
      const value =
        source === 'line'
          ? unpackPosition(this.record.line(at))
          : source === 'column'
            ? unpackPosition(this.record.column(at))
            : extra[source];
      if (value !== undefined) props[name] = value;
    }
    return props;
  }
}

/** An entry that reads its numbers and properties from the record only when asked. Not to be spread: getters. */
class PackedEntry implements AdjacencyEntry {
  readonly edgeType: string;
  readonly far: string;
  readonly farType: string;
  readonly #inline: InlineProps;
  #props: Record<string, unknown> | undefined = undefined;

  constructor(
    edgeType: string,
    far: string,
    farType: string,
    private readonly record: PackedRecord,
    props: InlineProps,
    private readonly at: number,
  ) {
    this.edgeType = edgeType;
    this.far = far;
    this.farType = farType;
    this.#inline = props;
  }

  get outgoing(): boolean {
    return this.record.outgoing(this.at);
  }

  get undirected(): boolean {
    return this.record.undirected(this.at);
  }

  get seq(): number {
    return this.record.seq(this.at);
  }

  get props(): Record<string, unknown> {
    this.#props ??= this.#inline.at(this.at);
    return this.#props;
  }
}
