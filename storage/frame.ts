import type { RecordCodec } from './codec.js';
import type { KeySpace } from './keys.js';
import type { Awaitable } from './kv.js';
import type { ValueCodec } from './msgpack.js';
import type { TypeTable } from './type-table.js';

/** What is needed to read one version of a layer: how its keys are made and its records decoded. */
export interface Frame {
  readonly keys: KeySpace;
  readonly types: TypeTable;
  readonly records: RecordCodec;
  readonly values: ValueCodec;
}

/** Applies a function now to what is there now, else when it comes. */
export function whenThere<T, R>(value: Awaitable<T>, apply: (value: T) => Awaitable<R>): Awaitable<R> {
  return value instanceof Promise ? value.then(apply) : apply(value);
}
