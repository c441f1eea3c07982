import { z } from 'zod';
import { CodewalkError, type Layer } from '../schema/index.js';
import { countAll, type TypeCounts } from './counts.js';
import { HEADER_KEY, keySpace, OWNER_AND_REST, WHOLE_ID } from './keys.js';
import type { KeyValueReader, KeyValueStore, Write } from './kv.js';
import { corruptStore } from './store-error.js';

/** The formats of what is written now. Raise one with every change of its layout, and add the way there. */
export const FORMAT: Readonly<Record<Layer, number>> = { derived: 4, durable: 2 };

/** One step from a format to a later one. */
export interface Migration {
  readonly from: number;
  readonly to: number;
  /**
   * Rewrites the store. It can be cut off at any point and run again: the new format is only written after it.
   *
   * @param header The fields of the old header.
   * @returns The fields of the new header; its `format` is filled in.
   */
  migrate(store: KeyValueStore, header: Readonly<Record<string, unknown>>): Promise<Record<string, unknown>>;
}

/** Format 2: the header says how many nodes and edges there are of each type. */
const counted: Migration = {
  from: 1,
  to: 2,
  async migrate(store, header) {
    const form = header.keyForm === 'owner' ? OWNER_AND_REST : WHOLE_ID;
    const keys = keySpace({ salt: 0, generation: Number(header.generation), form });
    const counts = await countAll(store, {
      nodes: keys.table('nodes'),
      adjacency: keys.table('adjacency'),
      form,
    });
    return { ...header, counts };
  },
};

/** Format 3: packs; format 4: their marks. What was there is emptied: an index makes it again from the files. */
const packed: readonly Migration[] = [1, 2, 3].map((from) => ({
  from,
  to: 4,
  async migrate(store) {
    // The header goes last: cut off before, it says that there is still something to empty.
    await store.clear({ from: Buffer.from([1]), to: Buffer.from([0xff]) });
    return newHeader('derived', 'owner');
  },
}));

/** Every step that there is, in any order. */
const MIGRATIONS: Readonly<Record<Layer, readonly Migration[]>> = { derived: packed, durable: [counted] };

/** The steps from one format to another, or undefined when there is no way. The longest steps are taken. */
export function migrationPath(
  from: number,
  to: number,
  migrations: readonly Migration[],
): readonly Migration[] | undefined {
  if (from === to) return [];
  const steps = migrations.filter((step) => step.from === from && step.to > from && step.to <= to);
  for (const step of steps.sort((a, b) => b.to - a.to)) {
    const rest = migrationPath(step.to, to, migrations);
    if (rest !== undefined) return [step, ...rest];
  }
  return undefined;
}

const headerSchema = z.strictObject({
  format: z.number().int(),
  layer: z.enum(['derived', 'durable']),
  keyForm: z.enum(['whole', 'owner']),
  salt: z.number().int(),
  generation: z.number().int().nonnegative(),
  revision: z.number().int().nonnegative(),
  seq: z.number().int().nonnegative(),
  /** How many nodes and edges there are of each type, by its code. */
  counts: z.record(z.string(), z.number().int().positive()),
});

/** The state of a layer beside its records; written in every batch that changes them. */
export type Header = Readonly<z.infer<typeof headerSchema>>;

/** The header of a layer that has nothing yet. */
export function newHeader(layer: Layer, keyForm: Header['keyForm']): Header {
  return { format: FORMAT[layer], layer, keyForm, salt: 0, generation: 0, revision: 0, seq: 0, counts: {} };
}

/** The header as a write of a batch. JSON, so that a person can read it whatever the format of the rest. */
export function headerWrite(header: Readonly<Record<string, unknown>>): Write {
  return { key: HEADER_KEY, value: Buffer.from(JSON.stringify(header), 'utf8') };
}

/**
 * Reads the header of a store, after bringing an older format up to date. Undefined when the store is empty.
 *
 * @throws CodewalkError `STORE_NEWER` with both versions; `STORE_CORRUPT` when it cannot be read, is of another
 *   layer, or no migration leads from its format.
 */
export async function readHeader(
  store: KeyValueStore,
  layer: Layer,
  migrations: readonly Migration[] = MIGRATIONS[layer],
  format: number = FORMAT[layer],
): Promise<Header | undefined> {
  const [bytes] = await store.getMany([HEADER_KEY]);
  if (bytes === undefined) {
    if (await holdsAnything(store)) throw corruptStore(store.place, 'it has records but no header');
    return undefined;
  }
  const found = anyHeader(bytes);
  if (found === undefined) throw corruptStore(store.place, 'its header is damaged');
  if (found.format > format) throw newerStore(store.place, found.format, format);
  if (found.layer !== layer)
    throw corruptStore(store.place, `it holds the ${String(found.layer)} layer, not the ${layer} one`);
  const current = await migrated(store, found, format, migrations);
  const header = headerSchema.safeParse(current);
  if (!header.success) throw corruptStore(store.place, 'its header is damaged');
  return header.data;
}

async function migrated(
  store: KeyValueStore,
  found: Readonly<Record<string, unknown>> & { readonly format: number },
  format: number,
  migrations: readonly Migration[],
): Promise<Readonly<Record<string, unknown>>> {
  const path = migrationPath(found.format, format, migrations);
  if (path === undefined)
    throw corruptStore(store.place, `nothing leads from its format ${found.format} to format ${format}`);
  let header: Readonly<Record<string, unknown>> = found;
  for (const step of path) {
    header = { ...(await step.migrate(store, header)), format: step.to };
    await store.write([headerWrite(header)], { sync: true });
  }
  return header;
}

/** Whether the bytes are a header of a layer in the format that is written now. */
export function isCurrentHeader(bytes: Uint8Array, layer: Layer): boolean {
  const header = headerSchema.safeParse(anyHeader(bytes));
  return header.success && header.data.layer === layer && header.data.format === FORMAT[layer];
}

/** The counts of a version of a layer; none where it has no header yet. */
export async function countsIn(source: KeyValueReader): Promise<TypeCounts> {
  const [bytes] = await source.getMany([HEADER_KEY]);
  return bytes === undefined ? {} : headerSchema.parse(anyHeader(bytes)).counts;
}

function anyHeader(bytes: Uint8Array): (Record<string, unknown> & { format: number }) | undefined {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'));
    const header = z.looseObject({ format: z.number().int() }).safeParse(parsed);
    return header.success ? header.data : undefined;
  } catch {
    return undefined;
  }
}

function newerStore(place: string, found: number, known: number): CodewalkError {
  return new CodewalkError(
    'STORE_NEWER',
    `The store ${place} has format ${found}; this version of Codewalk reads up to format ${known}`,
    {
      suggestion: 'Update Codewalk, or move the folder away and index again with this version.',
      input: place,
    },
  );
}

async function holdsAnything(store: KeyValueStore): Promise<boolean> {
  for await (const page of store.scan({ from: Buffer.from([0]), to: Buffer.from([0xff]), limit: 1 }))
    if (page.length > 0) return true;
  return false;
}
