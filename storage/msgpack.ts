import { Decoder, Encoder } from '@msgpack/msgpack';
import { CodewalkError } from '../schema/index.js';
import type { Bytes } from './kv.js';

/** Encodes and decodes values; made once per layer, because a new encoder for each value keeps 2 KiB alive. */
export interface ValueCodec {
  /**
   * Bytes that hold until the next value is encoded: every record has a head, and copies them behind it.
   *
   * @throws CodewalkError `INVALID_INPUT` for values that msgpack has no form for (functions, big integers).
   */
  encode(value: unknown): Uint8Array;
  /** Undefined for bytes that are damaged: who reads a record notes it in {@link ValueCodec.damaged} and goes on. */
  decode(bytes: Bytes): unknown;
  /** What could not be read with it so far: ids of nodes, or what else tells a record. */
  readonly damaged: Set<string>;
}

/**
 * MessagePack with reused buffers. Undefined properties of nested objects are left out. Objects may have any own key:
 * the library refuses `__proto__`, so values that have one are decoded with a mark before every key.
 */
export function valueCodec(): ValueCodec {
  const encoder = new Encoder({ ignoreUndefined: true });
  const decoder = new Decoder();
  return {
    encode(value) {
      try {
        return encoder.encodeSharedRef(value);
      } catch (thrown) {
        const reason = thrown instanceof Error ? thrown.message : String(thrown);
        throw new CodewalkError('INVALID_INPUT', `A property cannot be stored: ${reason}`, {
          suggestion:
            'Keep to strings, finite or infinite numbers, booleans, null, bytes, dates, arrays and plain objects.',
          input: value,
          cause: thrown,
        });
      }
    },
    decode(bytes) {
      try {
        return decoder.decode(bytes);
      } catch {
        return decodedMarked(bytes);
      }
    },
    damaged: new Set(),
  };
}

const marking = new Decoder({
  keyDecoder: {
    canBeCached: () => true,
    decode: (bytes, from, length) => `=${asBuffer(bytes).toString('utf8', from, from + length)}`,
  },
});

function decodedMarked(bytes: Bytes): unknown {
  try {
    return unmarked(marking.decode(bytes));
  } catch {
    return undefined;
  }
}

/** A value as it was before each key got its mark. */
function unmarked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unmarked);
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype)
    return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key.slice(1), unmarked(one)]));
}

/** A view of the same bytes with Buffer's methods. */
export function asBuffer(bytes: Bytes): Buffer {
  return bytes instanceof Buffer ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}
