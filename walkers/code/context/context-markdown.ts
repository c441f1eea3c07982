import { type RememberedRow, rememberedAs } from '../../../graphs/memory/index.js';
import { quotedLine, quotedName, shownLine } from '../../../present/index.js';
import { grouped, parseId } from '../../../schema/index.js';
import {
  type ConceptRow,
  type ContextOutput,
  type ReExportRow,
  type RelatedRow,
  relationText,
  type StepRow,
  type SymbolRow,
  type TestRow,
} from './context-rows.js';

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

type Pack = ContextOutput['context_pack'];

/** Cases that a test file's line names, and their characters: titles of tests are sentences. */
const MOST_CASES = 3;
const CASE_TEXT = 70;

/**
 * A context pack as Markdown, in the order of the JSON, to be read: what was said of a symbol once is not said again, and
 * what is in test files stands with the tests.
 *
 * @param most Characters after which no further section begins. Default: all begin.
 */
export function contextMarkdown(pack: Pack, most = Number.POSITIVE_INFINITY): string {
  const { related = [], tests = [], memories = [], etg_steps, symbols, concepts, files } = pack;
  const near = symbols.filter(({ distance }) => distance > 0);
  const links = new Map(near.map((row) => [placeOfSymbol(row), row.links ?? []]));
  const line = (row: RelatedRow) => relatedLine(row, links.get(placeAndName(row)) ?? []);
  const nearFiles = related.filter(({ symbol }) => symbol !== undefined);
  const said = new Set(nearFiles.map(placeAndName));
  const nearSymbols = related.filter((row) => row.symbol === undefined && !said.has(placeAndName(row)));
  const others = () => {
    const named = new Set(related.map(placeAndName));
    const tested = new Set(tests.map(({ path }) => path));
    return near.filter((row) => !named.has(placeOfSymbol(row)) && !tested.has(row.path));
  };
  const onlyFile = files.length === 1 ? files[0]?.path : undefined;
  const sections: readonly (readonly [title: string, lines: () => readonly string[]])[] = [
    ['Files', () => nearFiles.map(line)],
    ['Symbols', () => nearSymbols.map(line)],
    ['Tests', () => tests.map(testLine)],
    ['Earlier steps', () => etg_steps.map(stepLine)],
    ['Remembered', () => memories.map(memoryLine)],
    ...files.map(
      ({ path, re_exports = [] }) => [`Re-exports of ${path}`, () => reExportLines(re_exports)] as const,
    ),
    ...files.map(
      ({ path }) =>
        [path, () => ownLines(symbols.filter((row) => row.distance === 0 && row.path === path))] as const,
    ),
    ['Within reach', () => others().map(nearLine)],
    ['Notes and commits', () => concepts.map((row) => conceptLine(row, onlyFile))],
  ];
  let text = folded(pack.summary);
  for (const [title, linesOf] of sections) {
    if (text.length > most) break;
    const lines = linesOf();
    if (lines.length > 0) text += `\n\n${[`### ${title}`, ...lines].map(folded).join('\n')}`;
  }
  return `${text}\n`;
}

/** A row is one line, whatever the names of files hold. */
function folded(row: string): string {
  return row.replace(/[\n\r]+/gu, ' ');
}

/** Of a symbol, where it is joined to the files says more than that it is. */
function relatedLine(row: RelatedRow, links: readonly string[]): string {
  const name = row.symbol ?? (row.path.endsWith(row.name) ? null : row.name);
  const reasons = links.length > 0 ? links.join('; ') : (row.symbol_why ?? '');
  const joined = reasons === '' ? '' : `: ${reasons}`;
  const why = row.symbol === undefined && joined !== '' ? '' : ` (${row.symbol ? 'file: ' : ''}${row.why})`;
  return `- ${place(row)}${name === null ? '' : ` ${name}`}${joined}${why}`;
}

/** A line per file: `- src/money.ts: format, parse`. */
function reExportLines(rows: readonly ReExportRow[]): string[] {
  const files = grouped(rows, ({ path }) => path);
  return [...files].map(
    ([path, all]) => `- ${path}: ${all.map(({ name }) => shownLine(name, 80)).join(', ')}`,
  );
}

function placeAndName({ path, line, symbol, name }: RelatedRow): string {
  return `${path}:${line} ${symbol ?? name}`;
}

function placeOfSymbol({ id, path, start_line, name }: SymbolRow): string {
  return `${path}:${start_line} ${parseId(id)?.name ?? name}`;
}

function testLine(row: TestRow): string {
  const cases = row.cases.slice(0, MOST_CASES).map((title) => shownLine(title, CASE_TEXT));
  return `- ${place(row)} (${row.why})${cases.length === 0 ? '' : `: ${cases.join('; ')}`}`;
}

/** Somebody's words: data, whatever they say (X-39). */
function memoryLine({ id, title, says, about, ...row }: RememberedRow): string {
  const more = says === undefined || says === title ? '' : `: ${quotedLine(says, 200)}`;
  const of = about.map((one) => quotedLine(one, 200)).join(', ');
  return `- ${quotedLine(title, 200)}${more} (${rememberedAs(row)}; about ${of}; ${quotedName(id)})`;
}

/** Labels come from comments and commits: data, whatever they say (X-39). @param only The file that needs no name. */
function conceptLine({ label, path, source }: ConceptRow, only: string | undefined): string {
  return `- ${source === 'todo' ? '' : `${source}: `}${quotedLine(label, 200)}${path === only ? '' : ` (${path})`}`;
}

function stepLine({ id, role, summary, path, task, errors, resolved_by }: StepRow): string {
  const what = summary === '' ? id : quotedLine(summary, 200);
  const asked = task === null ? '' : `; ${task.status} task "${quotedLine(task.prompt, 200)}"`;
  const failed = errors.map(({ type, message }) => `; ${type}: ${quotedLine(message, 200)}`).join('');
  const fixedBy =
    resolved_by === null ? '' : `; fixed by ${quotedLine(resolved_by.summary, 200) || resolved_by.id}`;
  return `- ${role ?? 'step'}: ${what} (${path}${asked}${failed}${fixedBy})`;
}

function place({ path, line }: Pick<RelatedRow, 'path' | 'line'>): string {
  return line === null ? path : `${path}:${line}`;
}

/**
 * A file's own symbols as lines of Markdown, in their order: what has a signature or a docstring to tell has a line of its
 * own, names between them share one.
 */
function ownLines(rows: readonly SymbolRow[]): string[] {
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
function nearLine(row: SymbolRow): string {
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
