import type { CypherValue } from '../value.js';
import { isList, outOfRange, wrongArgument, wrongKind } from '../values/index.js';
import type { CallSite } from './signature.js';

/** The argument as a text, or an error. */
export function textArgument(at: CallSite, value: CypherValue): string {
  if (typeof value === 'string') return value;
  throw wrongKind(`${at.name}()`, 'a text', value, at.span);
}

/** The argument as a list, or an error. */
export function listArgument(at: CallSite, value: CypherValue): readonly CypherValue[] {
  if (isList(value)) return value;
  throw wrongKind(`${at.name}()`, 'a list', value, at.span);
}

/** The argument as a number; INTEGERs turn into FLOATs. */
export function floatArgument(at: CallSite, value: CypherValue): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return Number(value);
  throw wrongKind(`${at.name}()`, 'a number', value, at.span);
}

/** The argument as an INTEGER of any size, or an error. */
export function integerArgument(at: CallSite, value: CypherValue): bigint {
  if (typeof value === 'bigint') return value;
  throw wrongKind(`${at.name}()`, 'an INTEGER', value, at.span);
}

/** A count of characters and the like: an INTEGER from 0 on, as a number. */
export function countArgument(at: CallSite, value: CypherValue): number {
  const count = integerArgument(at, value);
  if (count >= 0n) return Number(count);
  throw outOfRange(
    'ArgumentError',
    `${at.name}() takes no negative number, and was given ${count}.`,
    at.span,
  );
}

/** For functions that only some kinds fit. */
export function misfit(at: CallSite, wanted: string, value: CypherValue) {
  return wrongArgument(`${at.name}()`, wanted, value, at.span);
}
