import { wrongInput } from '../schema/index.js';
import type { RunScope, WalkResult } from './run.js';
import type { Walk } from './walk.js';
import type { InputOf, StateOf, WalkerInstance, WalkerType } from './walker.js';

/**
 * A fresh instance of a walker with validated input, or the given instance as it is.
 *
 * @throws CodewalkError `INVALID_INPUT` that names the field.
 */
export function instanceOf<W extends WalkerType>(
  walker: W | WalkerInstance<W>,
  input: InputOf<W> | undefined,
): WalkerInstance<W> {
  if ('instanceOf' in walker) {
    Object.assign(walker.state as object, input ?? {});
    return walker;
  }
  const parsed = walker.input.safeParse(input ?? {});
  if (!parsed.success)
    throw wrongInput(walker.name, parsed.error, Object.keys(walker.input.shape), input ?? {});
  return { instanceOf: walker, state: walker.initial(parsed.data) as StateOf<W> };
}

/**
 * A copy of a walker's fields, to begin with again after a conflict: lists, maps, sets and plain objects are
 * copied to any depth, everything else (references, functions) is taken as it is.
 */
export function copyOf<T>(fields: T): T {
  const copies = new Map<unknown, unknown>();
  const copy = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    if (copies.has(value)) return copies.get(value);
    if (Array.isArray(value)) {
      const list: unknown[] = [];
      copies.set(value, list);
      for (const item of value) list.push(copy(item));
      return list;
    }
    if (value instanceof Set) {
      const set = new Set();
      copies.set(value, set);
      for (const item of value) set.add(copy(item));
      return set;
    }
    if (value instanceof Map) {
      const map = new Map();
      copies.set(value, map);
      for (const [key, item] of value) map.set(copy(key), copy(item));
      return map;
    }
    if (Object.getPrototypeOf(value) !== Object.prototype) return value;
    // As it is, so that a key `__proto__` is one of its own.
    const plain: Record<string, unknown> = { ...value };
    copies.set(value, plain);
    for (const [key, item] of Object.entries(value)) if (key !== '__proto__') plain[key] = copy(item);
    return plain;
  };
  return copy(fields) as T;
}

/** The outcome of a walk; `first` is where its own reports begin in the run's stream. */
export function walkResult<W extends WalkerType>(
  instance: WalkerInstance<W>,
  walk: Walk,
  scope: RunScope,
  first: number,
): WalkResult<W> {
  return {
    reports: scope.reports.slice(first) as WalkResult<W>['reports'],
    state: instance.state,
    path: walk.path,
    reached: walk.reached,
    disengaged: walk.disengaged,
    truncated: scope.truncated,
    walker: instance as WalkResult<W>['walker'],
  };
}
