import { FileContainsSymbol, SymbolContainsSymbol } from '../../../schema/index.js';
import type { FileFacts, Span } from '../../../source/index.js';
import { type Link, link } from './code-graph.js';
import type { FileSymbols } from './file-symbols.js';

/** The file to each of its symbols, and each symbol to those that it directly encloses. */
export function containmentLinks({ definitions }: FileFacts, symbols: FileSymbols): Link[] {
  const spans: [string, Span][] = [
    ...definitions.map(({ span }, index): [string, Span] => [symbols.ids[index] ?? '', span]),
    ...symbols.extras.map(({ id, fact }): [string, Span] => [id, fact.span]),
  ];
  return spans.flatMap(([id, { start_line: line, start_column: column }]) => {
    const parent = symbols.parents.get(id) ?? null;
    const at = { line, column };
    const flat = link(symbols.fileId, FileContainsSymbol, id, { ...at, top_level: parent === null });
    return parent === null ? [flat] : [flat, link(parent, SymbolContainsSymbol, id, at)];
  });
}
