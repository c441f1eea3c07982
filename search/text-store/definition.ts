import type { Layer } from '../../schema/index.js';

/** The most fields that an index can have: in which of them a word stands is told by as many bits. */
const MOST_FIELDS = 8;

/** What an index of texts is called, where it lies and which fields its documents have. */
export interface TextIndexType<F extends string = string> {
  readonly name: string;
  /** The layer whose store it is kept in: that of what it speaks of. */
  readonly layer: Layer;
  /** In the order in which their counts are stored. */
  readonly fields: readonly F[];
  /** What a word in each counts where a query names no other weights. Lengths of documents are counted by them. */
  readonly weights: Readonly<Record<F, number>>;
  readonly groupOf: (id: string) => string;
}

/**
 * Defines an index of texts. Another name makes another index: whoever changes fields, weights or how an index is stored
 * gives a new one, and has it built again.
 *
 * @param groupOf Documents that are put, replaced and removed together are stored together, which takes much less room;
 *   of which group one is follows from its id. Default: each is a group of its own.
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

/** How long a document of an index is, or all of them: its words, each by the weight of its field. */
export function weightedLength<F extends string>(
  { fields, weights }: Pick<TextIndexType<F>, 'fields' | 'weights'>,
  lengths: readonly number[],
): number {
  return fields.reduce((sum, field, at) => sum + weights[field] * (lengths[at] ?? 0), 0);
}
