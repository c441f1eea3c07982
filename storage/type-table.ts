import { z } from 'zod';
import { CodewalkError, type EdgeOrder, type EdgeType, type NodeType } from '../schema/index.js';
import { fixedTable, typeKey } from './keys.js';
import type { KeyValueReader, Write } from './kv.js';
import type { ArchetypeCatalog } from './layer.js';
import type { ValueCodec } from './msgpack.js';
import { corruptStore } from './store-error.js';

/** One list of fields that an archetype has had; records name the version they were written with. */
export interface TypeVersion {
  /** All fields in schema order. */
  readonly fields: readonly string[];
  /** Of an edge: the fields that its adjacency entries hold. */
  readonly inline: readonly string[];
}

/** What a layer knows of one archetype, whether or not it is loaded now. */
export interface StoredType {
  readonly code: number;
  readonly name: string;
  readonly element: 'node' | 'edge';
  /** Oldest first; never shortened. */
  readonly versions: readonly TypeVersion[];
  /** Of an edge. */
  readonly order: EdgeOrder;
  /** Of a node: properties with an index; the place in the list, from 1, is the index's position in keys. */
  readonly indexed: readonly string[];
}

/** An archetype as it is written now. */
export interface TypeInUse {
  readonly type: StoredType;
  /** The position of the current field list among the versions. */
  readonly version: number;
}

/** Codes are never zero: zero marks a node that only edges name. */
const FIRST_CODE = 1;
const MAX_CODE = 0xffff;

const recordSchema = z.object({
  name: z.string(),
  element: z.enum(['node', 'edge']),
  versions: z.array(z.object({ fields: z.array(z.string()), inline: z.array(z.string()) })),
  order: z.enum(['creation', 'canonical']),
  indexed: z.array(z.string()),
});

/**
 * The archetypes that records of a layer were written with. New ones get a code on first use; what changed is
 * written in the batch that holds the first record that needs it ({@link pendingWrites}, {@link saved}).
 */
export class TypeTable {
  readonly #byCode = new Map<number, StoredType>();
  readonly #byName = { node: new Map<string, StoredType>(), edge: new Map<string, StoredType>() };
  readonly #inUse = new Map<NodeType | EdgeType, TypeInUse>();
  /** What {@link TypeTable.all} gives, until a type comes or changes. */
  #all: Partial<Record<'node' | 'edge', readonly StoredType[]>> = {};
  readonly #pending = new Set<number>();
  #nextCode = FIRST_CODE;

  constructor(
    private readonly codec: ValueCodec,
    private readonly catalog: ArchetypeCatalog,
  ) {}

  /**
   * Reads the table of a store.
   *
   * @throws CodewalkError `STORE_CORRUPT` when a record of it cannot be read.
   */
  async load(reader: KeyValueReader, place: string): Promise<void> {
    this.clear();
    for await (const page of reader.scan(fixedTable('types'))) {
      for (const [key, value] of page) {
        const parsed = recordSchema.safeParse(attempt(() => this.codec.decode(value)));
        if (key.length !== 3 || !parsed.success) throw corruptStore(place, 'its table of types is damaged');
        this.#keep({ code: ((key[1] ?? 0) << 8) | (key[2] ?? 0), ...parsed.data });
      }
    }
  }

  clear(): void {
    this.#all = {};
    this.#byCode.clear();
    this.#byName.node.clear();
    this.#byName.edge.clear();
    this.#inUse.clear();
    this.#pending.clear();
    this.#nextCode = FIRST_CODE;
  }

  /** All types of one element, by code: the order in which they were first written. */
  all(element: 'node' | 'edge'): readonly StoredType[] {
    this.#all[element] ??= [...this.#byCode.values()]
      .filter((type) => type.element === element)
      .sort((a, b) => a.code - b.code);
    return this.#all[element];
  }

  /** Undefined where the table lacks the code. */
  known(code: number): StoredType | undefined {
    return this.#byCode.get(code);
  }

  /** @throws CodewalkError `STORE_CORRUPT`: a record has a code that the table lacks. */
  byCode(code: number): StoredType {
    const type = this.known(code);
    if (type === undefined) throw corruptStore('of this graph', `a record has the unknown type code ${code}`);
    return type;
  }

  byName(element: 'node' | 'edge', name: string): StoredType | undefined {
    return this.#byName[element].get(name);
  }

  /** The archetype as the catalog has it now, if it is loaded. */
  loaded(type: StoredType): NodeType | EdgeType | undefined {
    return type.element === 'node' ? this.catalog.node(type.name) : this.catalog.edge(type.name);
  }

  /** The node archetype of this name, if it is loaded. */
  loadedNode(name: string): NodeType | undefined {
    return this.catalog.node(name);
  }

  /** As {@link TypeTable.loadedNode}, of an edge. */
  loadedEdge(name: string): EdgeType | undefined {
    return this.catalog.edge(name);
  }

  /** The type to write a node or edge with. @throws CodewalkError `INVALID_ARCHETYPE` when it is in neither the catalog nor the table. */
  forWriting(element: 'node' | 'edge', name: string): TypeInUse {
    const archetype = element === 'node' ? this.catalog.node(name) : this.catalog.edge(name);
    if (archetype !== undefined) return this.#inUse.get(archetype) ?? this.#use(archetype);
    const type = this.byName(element, name);
    if (type !== undefined) return { type, version: type.versions.length - 1 };
    throw new CodewalkError('INVALID_ARCHETYPE', `No ${element} archetype '${name}' is defined`, {
      input: name,
    });
  }

  /** The code of a node archetype that an adjacency entry names; unknown ones get a code without fields. */
  codeOfNode(name: string): number {
    const known = this.byName('node', name);
    if (known !== undefined) return known.code;
    if (this.catalog.node(name) !== undefined) return this.forWriting('node', name).type.code;
    return this.#allocate({ name, element: 'node', versions: [], order: 'creation', indexed: [] }).code;
  }

  /** Stores which properties are indexed from now on. */
  setIndexed(type: StoredType, indexed: readonly string[]): StoredType {
    return this.#change({ ...type, indexed });
  }

  /** The records of the table that are not in the store yet. */
  pendingWrites(): Write[] {
    return [...this.#pending].map((code) => {
      const { code: _, ...record } = this.byCode(code);
      return { key: typeKey(code), value: Buffer.from(this.codec.encode(record)) };
    });
  }

  /** To be called when a batch with {@link pendingWrites} is in the store. */
  saved(): void {
    this.#pending.clear();
  }

  #use(archetype: NodeType | EdgeType): TypeInUse {
    const current = describe(archetype);
    let type = this.byName(archetype.element, archetype.name) ?? this.#allocate(current);
    const version = type.versions.findIndex((known) => sameVersion(known, current.versions[0]));
    if (version < 0) type = this.#change({ ...type, versions: [...type.versions, ...current.versions] });
    if (type.order !== current.order)
      throw new CodewalkError(
        'INVALID_ARCHETYPE',
        `The edges of ${type.name} are stored in ${type.order} order`,
        {
          suggestion: `Give the archetype another name, or order: '${type.order}'.`,
          input: archetype.name,
        },
      );
    const inUse = { type, version: version < 0 ? type.versions.length - 1 : version };
    this.#inUse.set(archetype, inUse);
    return inUse;
  }

  #allocate(fields: Omit<StoredType, 'code'>): StoredType {
    if (this.#nextCode > MAX_CODE)
      throw new CodewalkError('INVALID_ARCHETYPE', `A graph holds at most ${MAX_CODE} archetypes`);
    return this.#change({ code: this.#nextCode, ...fields });
  }

  #change(type: StoredType): StoredType {
    this.#pending.add(type.code);
    for (const [archetype, inUse] of this.#inUse) {
      if (inUse.type.code === type.code) this.#inUse.delete(archetype);
    }
    return this.#keep(type);
  }

  #keep(type: StoredType): StoredType {
    this.#all = {};
    this.#byCode.set(type.code, type);
    this.#byName[type.element].set(type.name, type);
    this.#nextCode = Math.max(this.#nextCode, type.code + 1);
    return type;
  }
}

function describe(archetype: NodeType | EdgeType): Omit<StoredType, 'code'> {
  const edge = archetype.element === 'edge' ? archetype : undefined;
  return {
    name: archetype.name,
    element: archetype.element,
    versions: [{ fields: Object.keys(archetype.shape), inline: [...(edge?.inline ?? [])] }],
    order: edge?.order ?? 'creation',
    indexed: archetype.element === 'node' ? [...archetype.indexes] : [],
  };
}

function sameVersion(a: TypeVersion, b: TypeVersion | undefined): boolean {
  return b !== undefined && sameList(a.fields, b.fields) && sameList(a.inline, b.inline);
}

/** Whether two lists hold the same in one order. */
export function sameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((item, at) => item === b[at]);
}

function attempt(action: () => unknown): unknown {
  try {
    return action();
  } catch {
    return undefined;
  }
}
