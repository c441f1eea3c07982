import type { Node } from 'web-tree-sitter';
import { LIMITS } from '../schema/index.js';
import type { Definition, FileFacts, TableUse } from './facts.js';
import type { ParsedFile } from './languages/index.js';
import { tableNames } from './table-names.js';
import { TextLines } from './text-lines.js';

/** Where a string may begin with a statement: behind a quote, or on the line under the head of a here-document. */
const STATEMENT =
  /(?:["'`]|<<[-~<]?["']?\w+["']?[ \t\r]*\n)[\s(]*(SELECT|select|INSERT|insert|UPDATE|update|DELETE|delete|WITH|with|REPLACE|MERGE)\s/g;
/** Characters of one statement that are looked at. */
const MOST = 20_000;

/** What a file says of tables of databases in SQL that stands in its strings. Nothing of it depends on the language. */
export function tableUses({ text, root }: ParsedFile, { definitions }: FileFacts): TableUse[] {
  const uses: TableUse[] = [];
  let lines: TextLines | null = null;
  let read = 0;
  for (const match of text.matchAll(STATEMENT)) {
    const start = match.index + match[0].length - (match[1]?.length ?? 0) - 1;
    if (start < read) continue;
    const string = stringAt(root, start);
    if (
      !string ||
      !/^(?:\w{0,3}[@$#]*["'`]*|<<[-~<]?["']?\w+["']?)[\s(]*$/.test(
        text.slice(Math.max(string.from, start - 300), start),
      )
    )
      continue;
    read = Math.min(string.to, start + MOST);
    lines ??= new TextLines(text);
    for (const { name, writes, at, start: words, end } of tableNames(text.slice(start, read))) {
      const place = lines.placeAt(start + at);
      const written = text.slice(start + words, start + end);
      const expression = written.replace(/\s+/g, ' ').slice(0, LIMITS.expression.max);
      uses.push({ name, writes, from: definitionAround(definitions, place), ...place, expression });
    }
  }
  return uses;
}

/** The string that a place stands in, and where the strings end that it is put together with; null outside of any. */
function stringAt(root: Node, place: number): { from: number; to: number } | null {
  let node = root.descendantForIndex(place);
  let string: Node | null = null;
  for (let depth = 0; node !== null && depth < 4; depth += 1, node = node.parent) {
    if (/comment/.test(node.type)) return null;
    if (/string|heredoc|nowdoc|_str_|text_block/.test(node.type)) string = node;
    else if (string) break;
  }
  if (!string) return null;
  let whole = string;
  for (
    let around = string.parent;
    around && /binary|concat|additive/.test(around.type);
    around = around.parent
  )
    whole = around;
  return { from: string.startIndex, to: whole.endIndex };
}

/** The innermost definition around a place. Definitions nest and are in the order of the text. */
function definitionAround(
  definitions: readonly Definition[],
  place: { line: number; column: number },
): number | null {
  let [low, high] = [0, definitions.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const span = definitions[middle]?.span;
    if (span && isBefore(span.start_line, span.start_column, place)) low = middle + 1;
    else high = middle;
  }
  for (let at: number | null = low - 1; at !== null && at >= 0; at = definitions[at]?.parent ?? null) {
    const span = definitions[at]?.span;
    if (span && !isBefore(span.end_line, span.end_column, place)) return at;
  }
  return null;
}

function isBefore(line: number, column: number, place: { line: number; column: number }): boolean {
  return line < place.line || (line === place.line && column <= place.column);
}
