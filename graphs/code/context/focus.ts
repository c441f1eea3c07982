import { didYouMean, isNear, nearestFirst, plural } from '../../../present/index.js';

/** Lines that a caller says are about to change; both ends included, counted from 1. */
export interface AskedRange {
  /** Relative to the root. */
  readonly path: string;
  readonly start_line: number;
  readonly end_line: number;
}

/** What of the files asked for is about to change. */
export interface Focus {
  /** The ids of the innermost symbols that the lines are in. */
  readonly ids: ReadonlySet<string>;
  readonly ranges: readonly AskedRange[];
}

/** A symbol of the files asked for. */
interface OwnSymbol extends AskedRange {
  readonly id: string;
  readonly name: string;
  readonly qualified_name: string;
}

/** Names that one sentence suggests. */
const MOST_SUGGESTIONS = 3;

/**
 * What ranges and names mean in the files asked for: null where nothing is in focus and the files are asked for as wholes.
 * Notes say which ranges were turned around, and what was left out: other files, unknown names, lines that a file does
 * not have (P-03).
 *
 * @param linesOf How many lines a file has; null where that is not known.
 */
export function focusOf(
  { ranges, symbols }: { readonly ranges: readonly AskedRange[]; readonly symbols: readonly string[] },
  own: readonly OwnSymbol[],
  paths: readonly string[],
  linesOf: (path: string) => number | null,
): { focus: Focus | null; notes: string[] } {
  const notes: string[] = [];
  const inFiles: AskedRange[] = [];
  for (const { path, start_line, end_line } of ranges) {
    if (!paths.includes(path)) continue;
    const asked = `Lines ${start_line}-${end_line} of ${path}`;
    const [first, last] = [Math.min(start_line, end_line), Math.max(start_line, end_line)];
    const lines = linesOf(path);
    if (lines !== null && (first > lines || last < 1)) {
      notes.push(`${asked} were left out: it has ${plural(lines, 'line')}.`);
      continue;
    }
    if (first !== start_line) notes.push(`${asked} were read as ${end_line}-${start_line}.`);
    inFiles.push({ path, start_line: first, end_line: last });
  }
  const elsewhere = new Set(ranges.map(({ path }) => path).filter((path) => !paths.includes(path)));
  if (elsewhere.size > 0)
    notes.push(`Ranges of ${[...elsewhere].join(', ')} were left out: not among the files asked for.`);
  const named: OwnSymbol[] = [];
  for (const name of symbols) {
    const spelled = name.replaceAll(/::|#/g, '.');
    const found = own.filter((one) => one.id === name || `.${one.qualified_name}`.endsWith(`.${spelled}`));
    if (found.length === 0)
      notes.push(`No symbol '${name}' in them. ${didYouMean(similarNames(name, own))}`.trimEnd());
    named.push(...found);
  }
  const all = [...inFiles, ...named];
  if (all.length === 0) return { focus: null, notes };
  const touched = inFiles.flatMap((range) => innermost(range, own));
  return { focus: { ids: new Set([...touched, ...named].map(({ id }) => id)), ranges: all }, notes };
}

/** The symbols that lines touch, but for those of which they touch only what stands in a smaller one. */
function innermost(range: AskedRange, own: readonly OwnSymbol[]): OwnSymbol[] {
  const touched = own.filter(
    ({ path, start_line, end_line }) =>
      path === range.path && start_line <= range.end_line && end_line >= range.start_line,
  );
  const holds = (outer: OwnSymbol, inner: OwnSymbol) =>
    outer !== inner && outer.start_line <= inner.start_line && inner.end_line <= outer.end_line;
  return touched.filter((one) => !touched.some((other) => holds(one, other)));
}

function similarNames(name: string, own: readonly OwnSymbol[]): string[] {
  const last = name.slice(Math.max(name.lastIndexOf('.'), name.lastIndexOf(':')) + 1);
  const names = new Set(own.map((one) => one.name).filter((each) => isNear(last, each)));
  return nearestFirst(last, [...names]).slice(0, MOST_SUGGESTIONS);
}
