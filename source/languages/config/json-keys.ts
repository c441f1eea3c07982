import { createScanner, type Node, type ParseError, parseTree, type SyntaxKind } from 'jsonc-parser';
import type { FileFacts } from '../../facts.js';
import { KeyList } from './key-list.js';

/** Brackets in brackets from which on a text is taken to be no configuration: the parser has an end to its stack. */
const DEEPEST = 200;

/** The keys of a JSON text, comments and trailing commas allowed. What stands in a list is a value. */
export function jsonFacts(text: string): FileFacts {
  const list = new KeyList(text);
  const tooDeep = deepPlace(text);
  if (tooDeep !== null) {
    list.wrong(tooDeep);
    return list.facts('json');
  }
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  for (const { offset } of errors) list.wrong(offset);
  if (root) addKeys(list, root, [], null);
  return list.facts('json');
}

/** Where brackets lie too deep; null where they don't. */
function deepPlace(text: string): number | null {
  const scanner = createScanner(text, true);
  let depth = 0;
  for (let token = scanner.scan(); token !== END; token = scanner.scan()) {
    if (token === OPEN_BRACE || token === OPEN_BRACKET) depth += 1;
    if (token === CLOSE_BRACE || token === CLOSE_BRACKET) depth -= 1;
    if (depth > DEEPEST) return scanner.getTokenOffset();
  }
  return null;
}

// The library exports them as a type alone.
const OPEN_BRACE: SyntaxKind.OpenBraceToken = 1;
const CLOSE_BRACE: SyntaxKind.CloseBraceToken = 2;
const OPEN_BRACKET: SyntaxKind.OpenBracketToken = 3;
const CLOSE_BRACKET: SyntaxKind.CloseBracketToken = 4;
const END: SyntaxKind.EOF = 17;

function addKeys(
  list: KeyList,
  { type, children }: Node,
  path: readonly string[],
  parent: number | null,
): void {
  if (type !== 'object') return;
  for (const property of children ?? []) {
    const [key, value] = property.children ?? [];
    if (!key) continue;
    const parts = [...path, String(key.value)];
    const end = value ? endOf(value) : endOf(key);
    const shown = value && value.type !== 'object' ? ([value.offset, end] as const) : null;
    const number = list.add(parts, parent, [key.offset, end], shown);
    if (value && number !== null) addKeys(list, value, parts, number);
  }
}

function endOf({ offset, length }: Node): number {
  return offset + length;
}
