import { Decoder, Encoder } from '@msgpack/msgpack';
import { CodewalkError } from '../schema/index.js';
import type { Bytes } from './kv.js';
import { corruptStore } from './store-error.js';

/** Encodes and decodes values; made once per layer, because a new encoder for each value keeps 2 KiB alive. */
export interface ValueCodec {
  /**
   * Bytes that hold until the next value is encoded: every record has a head, and copies them behind it.
   *
   * @throws CodewalkError `INVALID_INPUT` for values that msgpack has no form for (functions, big integers).
   */
  encode(value: unknown): Uint8Array;
  /** @throws CodewalkError `STORE_CORRUPT` */
  decode(bytes: Bytes): unknown;
}

/** MessagePack with reused buffers. Undefined properties of nested objects are left out. */
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
      } catch (thrown) {
        throw corruptStore(
          'of this graph',
          `a record is damaged (${thrown instanceof Error ? thrown.message : thrown})`,
        );
      }
    },
  };
}

/** A view of the same bytes with Buffer's methods. */
export function asBuffer(bytes: Bytes): Buffer {
  return bytes instanceof Buffer ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}
