import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Layer } from '../../schema/index.js';

/** Of what vectors are kept. */
export const EMBEDDED_KINDS = ['File', 'Symbol', 'Concept', 'Task', 'Step', 'Memory'] as const;
/** One of {@link EMBEDDED_KINDS}. */
export type EmbeddedKind = (typeof EMBEDDED_KINDS)[number];

/** The layers that nodes of a kind are in. */
export const LAYERS_OF_KIND: Readonly<Record<EmbeddedKind, readonly Layer[]>> = {
  File: ['derived'],
  Symbol: ['derived'],
  Concept: ['derived', 'durable'],
  Task: ['durable'],
  Step: ['durable'],
  Memory: ['durable'],
};

/** The name, beside each layer, of what its vectors have in common. */
export const VECTORS_HEAD = 'vectors';
/** What the names of vectors begin with: kind and id follow. */
export const VECTOR_PREFIX = 'vector/';
/** The name, beside a layer, of how often vectors were taken out because what they were made of is forgotten. */
export const VECTORS_FORGOTTEN = 'vectors-forgotten';
/** Bytes of a text's key. */
const KEY_BYTES = 16;

/** What the vectors of a layer have in common. */
export const VectorsHead = z.object({
  model: z.string(),
  /** Null before the first vector. */
  dimension: z.number().int().nullable(),
  /** How their texts are made: of another version, other vectors. */
  texts: z.number().int(),
  /** Counts commits, over all models. */
  generation: z.number().int(),
  /** Texts that had no vector yet when it was written. */
  pending: z.number().int(),
});

export type VectorsHead = z.infer<typeof VectorsHead>;

/** The head from its bytes; null where there is none. */
export function headOf(bytes: Uint8Array | undefined): VectorsHead | null {
  if (!bytes) return null;
  try {
    return VectorsHead.parse(JSON.parse(Buffer.from(bytes).toString('utf8')));
  } catch {
    // Vectors can be made again: what nobody understands is as good as gone.
    return null;
  }
}

/** How often vectors were forgotten. @param bytes Undefined: never. */
export function forgottenOf(bytes: Uint8Array | undefined): number {
  return bytes ? Number(Buffer.from(bytes).toString('utf8')) : 0;
}

/** The bytes of a head. */
export function headBytes(head: VectorsHead): Uint8Array {
  return Buffer.from(JSON.stringify(head));
}

/** A hash of a text: what has the same one needs no other vector. */
export function textKey(text: string): string {
  return createHash('sha256').update(text).digest().subarray(0, KEY_BYTES).toString('base64');
}

/** The name under which a node's vector is kept. */
export function vectorName(kind: EmbeddedKind, id: string): string {
  return `${VECTOR_PREFIX}${kind}/${id}`;
}

/** What a vector's name says; null for one that nobody gave. */
export function namedVector(name: string): { readonly kind: EmbeddedKind; readonly id: string } | null {
  const rest = name.slice(VECTOR_PREFIX.length);
  const slash = rest.indexOf('/');
  const kind = EMBEDDED_KINDS.find((one) => one === rest.slice(0, slash));
  return kind === undefined ? null : { kind, id: rest.slice(slash + 1) };
}

/** A vector behind its text's key. */
export function vectorBytes(key: string, vector: Float32Array): Uint8Array {
  const numbers = new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
  return Buffer.concat([Buffer.from(key, 'base64'), numbers]);
}

/** As {@link vectorBytes} made them; null where they are not of that length. */
export function storedVector(
  bytes: Uint8Array,
  dimension: number,
): { readonly key: string; readonly vector: Float32Array } | null {
  if (bytes.length !== KEY_BYTES + dimension * Float32Array.BYTES_PER_ELEMENT) return null;
  const key = Buffer.from(bytes.subarray(0, KEY_BYTES)).toString('base64');
  // A copy of its own: numbers of four bytes begin at multiples of four.
  return { key, vector: new Float32Array(Uint8Array.from(bytes.subarray(KEY_BYTES)).buffer) };
}
