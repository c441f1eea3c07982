import { quotedName, shownLine } from '../../shown-text.js';
import { relationText, type SymbolRow } from './context-rows.js';

/** Characters of a signature: those of types go on and on. */
const SIGNATURE_TEXT = 160;
/** Kinds of which the name alone says enough. */
const UNSAID: ReadonlySet<string> = new Set([
  'function',
  'method',
  'variable',
  'constant',
  'property',
  'attribute',
]);

/**
 * A file's own symbols as lines of Markdown, in their order: what has a signature or a docstring to tell has a line of its
 * own, names between them share one.
 */
export function ownLines(rows: readonly SymbolRow[]): string[] {
  const lines: string[] = [];
  let names: string[] = [];
  const flush = () => {
    if (names.length > 0) lines.push(`- ${names.join(', ')}`);
    names = [];
  };
  for (const row of rows) {
    if (!row.signature && !row.docstring) names.push(`${spanOf(row)} ${nameOf(row)}`);
    else {
      flush();
      lines.push(`- ${spanOf(row)} ${headOf(row)}${row.docstring ? `: ${row.docstring}` : ''}`);
    }
  }
  flush();
  return lines;
}

/** A symbol of another file as a line: where it is, and whom it calls or is called by, and where. */
export function nearLine(row: SymbolRow): string {
  const { path, start_line, docstring, distance, relation, links } = row;
  const how = `${(links ?? [relationText(relation)]).join('; ')}${distance > 1 ? `; ${distance} hops` : ''}`;
  return `- ${path}:${start_line} ${headOf(row)} (${how})${docstring ? `: ${docstring}` : ''}`;
}

function spanOf({ start_line, end_line }: SymbolRow): string {
  return start_line === end_line ? `${start_line}` : `${start_line}-${end_line}`;
}

function headOf(row: SymbolRow): string {
  return row.signature ? quotedName(row.signature, SIGNATURE_TEXT) : nameOf(row);
}

function nameOf({ kind, name }: SymbolRow): string {
  const shown = shownLine(name, 200);
  return UNSAID.has(kind) ? shown : `${kind.replaceAll('_', ' ')} ${shown}`;
}
