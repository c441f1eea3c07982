import type { ContextOutput, RelatedRow, SymbolRow } from './context-rows.js';

/** A context pack as Markdown: the same rows in the same order. */
export function contextMarkdown(pack: ContextOutput['context_pack']): string {
  const sections = [pack.summary];
  if (pack.related && pack.related.length > 0)
    sections.push(`### Related\n${pack.related.map(relatedLine).join('\n')}`);
  if (pack.tests && pack.tests.length > 0)
    sections.push(
      `### Tests\n${pack.tests.map((row) => `- ${row.path}:${row.start_line} ${row.name}`).join('\n')}`,
    );
  for (const [path, rows] of byPath(pack.symbols))
    sections.push(`### ${path}\n${rows.map(symbolLine).join('\n')}`);
  if (pack.concepts.length > 0)
    sections.push(
      `### Concepts\n${pack.concepts.map(({ label, path }) => `- ${label} (${path})`).join('\n')}`,
    );
  if (pack.etg_steps.length > 0)
    sections.push(
      `### Earlier steps\n${pack.etg_steps.map(({ id, summary, path }) => `- ${summary ?? id} (${path})`).join('\n')}`,
    );
  return `${sections.join('\n\n')}\n`;
}

function symbolLine(row: SymbolRow): string {
  const { start_line, end_line, kind, name, signature, docstring } = row;
  const head = signature && signature !== '' ? `\`${signature.replaceAll('`', "'")}\`` : `${kind} ${name}`;
  return `- ${start_line}-${end_line} ${head}${howOf(row)}${docstring ? `: ${docstring}` : ''}`;
}

/** Why a row that is not a file's own is here: whom it calls or is called by, and where. */
function howOf({ distance, relation, links }: SymbolRow): string {
  if (distance === 0) return '';
  const told = links ?? [relation];
  return ` [${told.join('; ')}${distance > 1 ? `; ${distance} hops` : ''}]`;
}

function relatedLine(row: RelatedRow): string {
  const name = row.path.endsWith(row.name) ? '' : ` ${row.name}`;
  return `- ${place(row)}${name} (${row.why})`;
}

function place({ path, line }: RelatedRow): string {
  return line === null ? path : `${path}:${line}`;
}

/** Rows by file, files in the order in which they are first mentioned: JSON and Markdown tell the same order. */
function byPath(rows: readonly SymbolRow[]): Map<string, SymbolRow[]> {
  const groups = new Map<string, SymbolRow[]>();
  for (const row of rows) {
    const group = groups.get(row.path);
    if (group) group.push(row);
    else groups.set(row.path, [row]);
  }
  return groups;
}
