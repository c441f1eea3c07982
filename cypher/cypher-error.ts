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

  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof CodewalkError && 'fault' in value;
  }

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
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1;
  let line = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) line++;
  return { offset, line, column: offset - (offset === 0 ? 0 : lineStart) + 1 };
}

/** How much of a long line is shown before and after what is wrong, in UTF-16 units. */
const SHOWN_BEFORE = 50;
const SHOWN_AFTER = 30;

/** A place of a query for people: its line and column, and below them the line itself with carets under the place. */
export function showPlace(text: string, span: Span): string {
  const { offset, line, column } = positionAt(text, span.start);
  const lineStart = offset - column + 1;
  const newline = text.indexOf('\n', offset);
  const lineEnd = newline < 0 ? text.length : newline;
  const from = Math.max(lineStart, offset - SHOWN_BEFORE);
  const to = Math.min(lineEnd, offset + SHOWN_AFTER);
  const head = from > lineStart ? '…' : '';
  const shown = `${head}${oneCellEach(text.slice(from, to))}${to < lineEnd ? '…' : ''}`;
  const carets = '^'.repeat(Math.max(1, Math.min(span.end, to) - offset));
  return `line ${line}, column ${column}:\n  ${shown.trimEnd()}\n  ${' '.repeat(head.length + offset - from)}${carets}`;
}

/** Whatever would move the caret or the cursor, as one plain sign per UTF-16 unit. */
function oneCellEach(text: string): string {
  return text.replace(/\s/g, ' ').replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '?');
}

/** A `CYPHER_SYNTAX` error at a place of a text. @param detail openCypher's word for it. */
export function syntaxError(
  text: string,
  span: Span,
  detail: string,
  message: string,
  suggestion = '',
): CypherError {
  const fault = { kind: 'SyntaxError', phase: 'compile time', detail } as const;
  return placed('CYPHER_SYNTAX', text, span, fault, message, suggestion);
}

/** A `CYPHER_UNSUPPORTED` error at a place of a text. @param what The construct, as the message names it. */
export function unsupported(text: string, span: Span, what: string, suggestion: string): CypherError {
  const fault = { kind: 'Unsupported', phase: 'compile time', detail: 'Unsupported' } as const;
  return placed('CYPHER_UNSUPPORTED', text, span, fault, `${what} is not supported`, suggestion);
}

/** An error that says where in the text it is. */
export function placed(
  code: ErrorCode,
  text: string,
  span: Span,
  fault: CypherFault,
  message: string,
  suggestion: string,
): CypherError {
  return new CypherError(code, `${message}, ${showPlace(text, span)}`, { fault, span, suggestion });
}
