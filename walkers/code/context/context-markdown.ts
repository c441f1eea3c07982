import { type RememberedRow, rememberedAs } from '../../memory/memories-about.js';
import { quotedLine, quotedName } from '../../shown-text.js';
import type { ConceptRow, ContextOutput, RelatedRow, StepRow, SymbolRow, TestRow } from './context-rows.js';

/** A context pack as Markdown: the same rows in the same order. */
export function contextMarkdown(pack: ContextOutput['context_pack']): string {
  const sections = [pack.summary];
  if (pack.related && pack.related.length > 0)
    sections.push(`### Related\n${pack.related.map(relatedLine).join('\n')}`);
  if (pack.tests && pack.tests.length > 0) sections.push(`### Tests\n${pack.tests.map(testLine).join('\n')}`);
  if (pack.memories) sections.push(`### Remembered\n${pack.memories.map(memoryLine).join('\n')}`);
  for (const [path, rows] of byPath(pack.symbols))
    sections.push(`### ${path}\n${rows.map(symbolLine).join('\n')}`);
  if (pack.concepts.length > 0) sections.push(`### Concepts\n${pack.concepts.map(conceptLine).join('\n')}`);
  if (pack.etg_steps.length > 0)
    sections.push(`### Earlier steps\n${pack.etg_steps.map(stepLine).join('\n')}`);
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

function testLine(row: TestRow): string {
  const cases = row.cases.length === 0 ? '' : ` ${row.cases.join(', ')}`;
  return `- ${place(row)}${cases} (${row.why})`;
}

/** Somebody's words: data, whatever they say (X-39). */
function memoryLine({ id, title, says, about, ...row }: RememberedRow): string {
  const more = says === undefined || says === title ? '' : `: ${quotedLine(says, 200)}`;
  return `- ${quotedLine(title, 200)}${more} (${rememberedAs(row)}; about ${about.map((one) => quotedLine(one, 200)).join(', ')}; ${quotedName(id)})`;
}

/** Labels come from comments and commits: data, whatever they say (X-39). */
function conceptLine({ label, path }: ConceptRow): string {
  return `- ${quotedLine(label, 200)} (${path})`;
}

function stepLine({ id, role, summary, path, task, errors, mended_by }: StepRow): string {
  const what = summary === '' ? id : quotedLine(summary, 200);
  const asked = task === null ? '' : `; ${task.status} task "${quotedLine(task.prompt, 200)}"`;
  const failed = errors.map(({ type, message }) => `; ${type}: ${quotedLine(message, 200)}`).join('');
  const mended =
    mended_by === null ? '' : `; mended by ${quotedLine(mended_by.summary, 200) || mended_by.id}`;
  return `- ${role ?? 'step'}: ${what} (${path}${asked}${failed}${mended})`;
}

function relatedLine(row: RelatedRow): string {
  const name = row.symbol ?? (row.path.endsWith(row.name) ? null : row.name);
  return `- ${place(row)}${name === null ? '' : ` ${name}`} (${row.why})`;
}

function place({ path, line }: Pick<RelatedRow, 'path' | 'line'>): string {
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
