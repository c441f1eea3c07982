import { typesByScope } from '../module-table.js';
import type { Asking } from './asking.js';
import { callResult } from './calls.js';
import { heldBy, memberOfType } from './members.js';
import { typeOfArgument, typeOfText, typeOfWritten } from './read-type.js';
import { foundAt, scopeInside } from './scopes.js';
import { oneOfEach, type Type, type TypeArgument } from './type.js';
import { typeOfValue } from './values.js';

/** An item of a list, map or tuple: at a number or key, or, for null, any of them. */
export function itemOf(ask: Asking, type: Type, key: string | number | null): Type | null {
  switch (type.kind) {
    case 'builtin':
      return itemOfLibrary(ask, type.name, type.args);
    case 'tuple':
      return typeof key === 'number'
        ? (type.of[key] ?? null)
        : key === null
          ? oneOfEach(type.of, (one) => one)
          : null;
    case 'shape': {
      const { type: shape, scope } = type;
      if (shape.kind === 'object') {
        const named = key === null ? undefined : shape.members.get(String(key));
        return typeOfWritten(ask, named ?? shape.others, scope);
      }
      if (shape.kind !== 'tuple') return null;
      if (typeof key === 'number') return typeOfWritten(ask, shape.of[key] ?? null, scope);
      return oneOfEach(shape.of, (one) => typeOfWritten(ask, one, scope));
    }
    case 'union':
      return oneOfEach(type.of, (one) => one && itemOf(ask, one, key));
    case 'instance': {
      const found = foundAt(ask.program, type.at);
      const [others] = found ? typesByScope.in(found.table.types.get('[]'), type.at.definition) : [];
      if (found && others)
        return typeOfText(
          ask,
          others.type,
          scopeInside(ask.program, type.at, found.definition, type.args, NO_NAMES, type),
        );
      const iterator = key === null ? memberOfType(ask, type, '[Symbol.iterator]')?.type() : null;
      const items = iterator && callResult(ask, iterator, {});
      return items?.kind === 'builtin' ? itemOf(ask, items, null) : null;
    }
    case 'object':
      return oneOfEach([...heldBy(ask, type.at)], (one) => one && itemOf(ask, one, key));
    case 'dict':
      return key === null && type.entries.length > 0
        ? oneOfEach(type.entries, ([, value]) => (value === null ? null : typeOfValue(ask, value, type.site)))
        : null;
    default:
      return null;
  }
}

function itemOfLibrary(
  ask: Asking,
  name: string,
  args: Extract<Type, { kind: 'builtin' }>['args'],
): Type | null {
  if (name === 'Map') return { kind: 'tuple', of: args.slice(0, 2).map((one) => typeOfArgument(ask, one)) };
  if (name === 'Record') return typeOfArgument(ask, args[1]);
  return name === 'Array' || name === 'Iterable' || name === 'Set' ? typeOfArgument(ask, args[0]) : null;
}

/** What `await` gives. */
export function awaited(ask: Asking, type: Type | null): Type | null {
  if (type?.kind === 'union') return oneOfEach(type.of, (one) => awaited(ask, one));
  if (type?.kind !== 'builtin' || type.name !== 'Promise') return type;
  return awaited(ask, typeOfArgument(ask, type.args[0]));
}

const NO_NAMES: ReadonlyMap<string, TypeArgument> = new Map();
