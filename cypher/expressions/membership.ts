import type { Span } from '../ast.js';
import type { CypherValue } from '../value.js';
import { isIn, isList, keyOf, type ValueKey, workOf, wrongKind } from '../values/index.js';
import { madeOf, type Part } from './scope.js';

/** From this length on a list that is asked more than once is made into a set. */
const WORTH_A_SET = 8;

/** A list as it is looked at: with a set of its items where all of them are plain. */
interface Seen {
  readonly list: readonly CypherValue[];
  readonly keys: ReadonlySet<ValueKey> | null;
}

/** `value IN list`. A list that comes again row after row is looked up, not walked. */
export function compileIn(left: Part, right: Part, span: Span): Part {
  let last: Seen | null = null;
  return madeOf([left, right], (row, run) => {
    const list = right.evaluate(row, run);
    if (list === null) return null;
    if (!isList(list)) throw wrongKind('IN', 'a list', list, span);
    const value = left.evaluate(row, run);
    if (list.length < WORTH_A_SET) return isIn(value, list);
    if (last?.list !== list) {
      last = { list, keys: right.constant ? plainKeys(list) : null };
    } else if (last.keys === null) {
      last = { list, keys: plainKeys(list) };
    }
    run.spend(1);
    if (last.keys === null || last.keys.size === 0 || !isPlain(value)) {
      run.spend(workOf(list));
      return isIn(value, list);
    }
    return last.keys.has(keyOf(value));
  });
}

/** Keys of all items; none where an item is null, NaN or has items itself: then only a walk can say. */
function plainKeys(list: readonly CypherValue[]): ReadonlySet<ValueKey> {
  return list.every(isPlain) ? new Set(list.map(keyOf)) : new Set();
}

function isPlain(value: CypherValue): boolean {
  return value !== null && typeof value !== 'object' && !Number.isNaN(value);
}
