import type { Span } from '../ast.js';
import { CypherError, type CypherFault } from '../cypher-error.js';
import type { CypherValue } from '../value.js';
import { kindOf } from './kinds.js';
import { shortText } from './text.js';

/** A value that a query cannot go on with. @param detail openCypher's word for it. */
export function valueFault(
  kind: CypherFault['kind'],
  detail: string,
  message: string,
  span: Span,
  suggestion = '',
): CypherError {
  return new CypherError('CYPHER_RUNTIME', message, {
    fault: { kind, phase: 'runtime', detail },
    span,
    suggestion,
  });
}

/** Something was given that is of another kind than what is wanted. */
export function wrongKind(where: string, wanted: string, given: CypherValue, span: Span): CypherError {
  return valueFault(
    'TypeError',
    'InvalidArgumentType',
    `${where} takes ${wanted}, and was given ${shown(given)}.`,
    span,
  );
}

/** As a function says it: openCypher calls a wrong kind of argument a wrong value. */
export function wrongArgument(where: string, wanted: string, given: CypherValue, span: Span): CypherError {
  return valueFault(
    'TypeError',
    'InvalidArgumentValue',
    `${where} takes ${wanted}, and was given ${shown(given)}.`,
    span,
  );
}

/** A number that is too large, too small or of the wrong sign. */
export function outOfRange(
  kind: 'ArgumentError' | 'ArithmeticError',
  message: string,
  span: Span,
): CypherError {
  return valueFault(kind, 'NumberOutOfRange', message, span);
}

/** A value and what it is, for a message: `'abc' (String)`. */
export function shown(value: CypherValue): string {
  return value === null ? 'null' : `${shortText(value)} (${kindOf(value)})`;
}
