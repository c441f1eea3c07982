import { createScanner, type SyntaxKind } from 'jsonc-parser';

/** Brackets in brackets that no configuration has: the parser's time grows with the depth, and its stack ends. */
const DEEPEST = 200;

// The library exports them as a type alone.
const OPEN_BRACE: SyntaxKind.OpenBraceToken = 1;
const CLOSE_BRACE: SyntaxKind.CloseBraceToken = 2;
const OPEN_BRACKET: SyntaxKind.OpenBracketToken = 3;
const CLOSE_BRACKET: SyntaxKind.CloseBracketToken = 4;
const END: SyntaxKind.EOF = 17;

/** The offset where brackets of a JSON text lie deeper than 200; null where they don't. */
export function deepPlace(text: string): number | null {
  const scanner = createScanner(text, true);
  let depth = 0;
  for (let token = scanner.scan(); token !== END; token = scanner.scan()) {
    if (token === OPEN_BRACE || token === OPEN_BRACKET) depth += 1;
    if (token === CLOSE_BRACE || token === CLOSE_BRACKET) depth -= 1;
    if (depth > DEEPEST) return scanner.getTokenOffset();
  }
  return null;
}
