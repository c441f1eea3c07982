import { didYouMean, isNear, nearestFirst, plural } from '../../../present/index.js';
import type { SymbolRow } from './context-rows.js';

/** Lines that a caller says are about to change; both ends included, counted from 1. */
export interface AskedRange {
  /** Relative to the root. */
  readonly path: string;
  readonly start_line: number;
  readonly end_line: number;
}

/** What of the files asked for is about to change. */
export interface Focus {
  /** The ids of the symbols that the lines are of: the innermost ones. */
  readonly ids: ReadonlySet<string>;
  readonly ranges: readonly AskedRange[];
}

/** A focus, and what was asked for that there is not, in sentences. */
export interface FoundFocus {
  /** Null where nothing is in focus: the files are meant as wholes. */
  readonly focus: Focus | null;
  readonly notes: readonly string[];
}

/** Names that one sentence suggests. */
const MOST_SUGGESTIONS = 3;

/**
 * What ranges and names of symbols mean in the files asked for. Forgiven are ranges that end
 * before they begin, which is said; of other files and names, and of lines that a file does not have, a sentence says that they
 * are left out (P-03).
 *
 * @param own The symbols of the files.
 * @param paths The files.
 * @param linesOf How many lines a file has; null where that is not known.
 */
export function focusOf(
  { ranges, symbols }: { readonly ranges: readonly AskedRange[]; readonly symbols: readonly string[] },
  own: readonly SymbolRow[],
  paths: readonly string[],
  linesOf: (path: string) => number | null,
): FoundFocus {
  const notes: string[] = [];
  const inFiles: AskedRange[] = [];
  for (const range of ranges.filter(({ path }) => paths.includes(path))) {
    const { path, start_line, end_line } = range;
    const asked = `Lines ${start_line}-${end_line} of ${path}`;
    const turned = inOrder(range);
    const lines = linesOf(path);
    if (lines !== null && (turned.start_line > lines || turned.end_line < 1))
      notes.push(`${asked} were left out: it has ${plural(lines, 'line')}.`);
    else {
      if (turned.start_line !== start_line) notes.push(`${asked} were read as ${end_line}-${start_line}.`);
      inFiles.push(turned);
    }
  }
  const elsewhere = new Set(ranges.map(({ path }) => path).filter((path) => !paths.includes(path)));
  if (elsewhere.size > 0)
    notes.push(`Ranges of ${[...elsewhere].join(', ')} were left out: not among the files asked for.`);
  const ids = new Set(inFiles.flatMap((range) => innermost(range, own)));
  const named: SymbolRow[] = [];
  for (const name of symbols) {
    const found = symbolsNamed(name, own);
    if (found.length === 0)
      notes.push(`No symbol '${name}' in them. ${didYouMean(similar(name, own))}`.trimEnd());
    named.push(...found);
  }
  for (const { id } of named) ids.add(id);
  const all = [...inFiles, ...named];
  return { focus: all.length === 0 ? null : { ids, ranges: all }, notes };
}

/** Whether a line is one of those in focus. */
export function lineInFocus({ ranges }: Focus, path: string, line: number): boolean {
  return ranges.some((range) => range.path === path && range.start_line <= line && line <= range.end_line);
}

function inOrder({ path, start_line, end_line }: AskedRange): AskedRange {
  return { path, start_line: Math.min(start_line, end_line), end_line: Math.max(start_line, end_line) };
}

/** The symbols that lines touch, but for those of which they touch only what stands in a smaller one. */
function innermost(range: AskedRange, own: readonly SymbolRow[]): string[] {
  const touched = own.filter(
    ({ path, start_line, end_line }) =>
      path === range.path && start_line <= range.end_line && end_line >= range.start_line,
  );
  const holds = (outer: SymbolRow, inner: SymbolRow) =>
    outer !== inner && outer.start_line <= inner.start_line && inner.end_line <= outer.end_line;
  return touched.filter((one) => !touched.some((other) => holds(one, other))).map(({ id }) => id);
}

/** Symbols of an id, a name or the last parts of a qualified one. */
function symbolsNamed(name: string, own: readonly SymbolRow[]): readonly SymbolRow[] {
  const wanted = name.replaceAll(/::|#/g, '.');
  return own.filter((row) => row.id === name || `.${row.qualified_name}`.endsWith(`.${wanted}`));
}

function similar(name: string, own: readonly SymbolRow[]): string[] {
  const last = name.slice(Math.max(name.lastIndexOf('.'), name.lastIndexOf(':')) + 1);
  const names = new Set(own.map((row) => row.name).filter((each) => isNear(last, each)));
  return nearestFirst(last, [...names]).slice(0, MOST_SUGGESTIONS);
}
