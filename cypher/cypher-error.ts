import { CodewalkError, type ErrorCode } from '../schema/index.js';
import type { Span } from './ast.js';

/** What openCypher calls a failure, and when it is found: what its compatibility kit asks for. */
export interface CypherFault {
  readonly kind:
    | 'SyntaxError'
    | 'SemanticError'
    | 'TypeError'
    | 'ArgumentError'
    | 'ArithmeticError'
    | 'EntityNotFound'
    | 'ParameterMissing'
    | 'ProcedureError'
    | 'Unsupported'
    | 'Limit';
  readonly phase: 'compile time' | 'runtime';
  /** `UndefinedVariable`, `InvalidArgumentType`…: openCypher's word where it has one. */
  readonly detail: string;
}

/** Where in a query something is wrong. Lines and columns start at 1; columns count UTF-16 units. */
export interface CypherPosition {
  readonly offset: number;
  readonly line: number;
  readonly column: number;
}

/** A query that cannot be understood, or cannot go on. */
export class CypherError extends CodewalkError {
  readonly fault: CypherFault;
  /** Null where no place in the text is to blame. */
  readonly span: Span | null;

  /** @param code `CYPHER_SYNTAX`, `CYPHER_UNSUPPORTED`, `CYPHER_RUNTIME` or `QUERY_TIMEOUT`. */
  constructor(
    code: ErrorCode,
    message: string,
    details: { readonly fault: CypherFault; readonly span: Span | null; readonly suggestion?: string },
  ) {
    super(code, message, { suggestion: details.suggestion ?? '' });
    this.fault = details.fault;
    this.span = details.span;
  }
}

/** Where an offset is in a text. */
export function positionAt(text: string, offset: number): CypherPosition {
  const before = text.slice(0, offset);
  const line = before.split('\n').length;
  return { offset, line, column: offset - (before.lastIndexOf('\n') + 1) + 1 };
}
