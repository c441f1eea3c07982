import { z } from 'zod';
import type { Layer } from '../../schema/index.js';

/** The most fields that an index can have: a bit for each tells in which of them a word stands. */
const MOST_FIELDS = 8;
/** Steps of the code by which a length doubles: it is right to 4.5 %. */
const LENGTH_STEPS = 8;

/** What an index of texts is called, where it is stored and which fields its documents have. */
export interface TextIndexType<F extends string = string> {
  readonly name: string;
  /** The layer whose store it is in: that of what it describes. */
  readonly layer: Layer;
  /** In the order in which their counts are stored. */
  readonly fields: readonly F[];
  /** What a word in each counts where a query names no other weights. Lengths of documents are counted by them. */
  readonly weights: Readonly<Record<F, number>>;
  readonly groupOf: (id: string) => string;
}

/**
 * Defines an index of texts. Another name makes another index: a change of fields, weights or the stored form needs a new
 * one.
 *
 * @param groupOf Documents that are put, replaced and removed together are stored together, which takes much less room;
 *   the group follows from the id. Default: each is a group of its own.
 *
 * @example const NOTES = defineTextIndex('notes-1', { layer: 'durable', fields: { title: 3, content: 1 } });
 */
export function defineTextIndex<F extends string>(
  name: string,
  {
    layer,
    fields: weights,
    groupOf = (id) => id,
  }: {
    readonly layer: Layer;
    readonly fields: Readonly<Record<F, number>>;
    readonly groupOf?: (id: string) => string;
  },
): TextIndexType<F> {
  const fields = Object.keys(weights) as F[];
  if (fields.length === 0 || fields.length > MOST_FIELDS)
    throw new RangeError(`the text index '${name}' has ${fields.length} fields: 1 to ${MOST_FIELDS}`);
  return { name, layer, fields, weights, groupOf };
}

/** The length of a document, or of all of them: words, each by the weight of its field. */
export function weightedLength<F extends string>(
  { fields, weights }: Pick<TextIndexType<F>, 'fields' | 'weights'>,
  lengths: readonly number[],
): number {
  return fields.reduce((sum, field, at) => sum + weights[field] * (lengths[at] ?? 0), 0);
}

/** A document's length as one byte, on a logarithmic scale; 0 stands for no document. */
export function lengthCode(type: TextIndexType, lengths: readonly number[]): number {
  const length = weightedLength(type, lengths);
  return length <= 1 ? 1 : Math.min(255, 1 + Math.round(LENGTH_STEPS * Math.log2(length)));
}

/** The lengths of the codes of {@link lengthCode}. */
export const LENGTHS: readonly number[] = Array.from(
  { length: 256 },
  (_, code) => 2 ** ((code - 1) / LENGTH_STEPS),
);

const headerSchema = z.strictObject({
  /** Another one after every change. */
  generation: z.number().int(),
  /** How often everything was taken out; part of the names of all that is stored. */
  epoch: z.number().int(),
  /** The number that the next new document gets. */
  next: z.number().int(),
  /** How many documents there are. */
  size: z.number().int(),
  /** The words of each field, of all documents together. */
  lengths: z.array(z.number().int()),
});

/** The state of an index. */
export type IndexHeader = Readonly<z.infer<typeof headerSchema>>;

/** The state of an index without documents. */
export const NO_DOCUMENTS: IndexHeader = { generation: 0, epoch: 0, next: 0, size: 0, lengths: [] };

/** The stored state; that of an index without documents where there is none, or one of another form. */
export function headerOf(bytes: Uint8Array | undefined): IndexHeader {
  if (!bytes) return NO_DOCUMENTS;
  try {
    return headerSchema.parse(JSON.parse(Buffer.from(bytes).toString('utf8')));
  } catch {
    return NO_DOCUMENTS;
  }
}

type Named = Pick<TextIndexType, 'name'>;

/** The name of the state of an index. */
export function headerName({ name }: Named): string {
  return `text/${name}/header`;
}

/** The prefix of the names of an index, or of all indexes whose names begin so. */
export function familyPrefix(name: string): string {
  return `text/${name}`;
}

/** The names under which the parts of an index are stored. */
export class IndexNames {
  readonly prefix: string;

  constructor({ name }: Named, { epoch }: Pick<IndexHeader, 'epoch'>) {
    this.prefix = `text/${name}/${epoch.toString(36)}/`;
  }

  term(word: string): string {
    return `${this.prefix}t/${word}`;
  }

  /** A chunk of a common word's postings. No word holds a NUL. */
  chunk(word: string, chunk: number): string {
    return `${this.prefix}c/${word}\0${chunk.toString(36)}`;
  }

  group(name: string): string {
    return `${this.prefix}g/${name}`;
  }

  /** The lengths of {@link CHUNK_DOCS} documents. */
  lengths(stretch: number): string {
    return `${this.prefix}l/${stretch.toString(36)}`;
  }

  /** The ids of {@link ID_DOCS} documents. */
  ids(stretch: number): string {
    return `${this.prefix}i/${stretch.toString(36)}`;
  }
}

/** Documents, by their numbers, of one chunk of postings and one stretch of lengths. */
export const CHUNK_DOCS = 512;
/** Documents, by their numbers, whose ids are stored together. */
export const ID_DOCS = 32;
