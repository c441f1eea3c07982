import { compareText } from '../../../runtime/index.js';
import { isTestPath } from '../../../source/index.js';
import type { RelatedRow, SymbolRow } from './context-rows.js';
import type { Focus } from './focus.js';

/**
 * Symbols in the order in which they are told: what is about to change, the files' own as they stand there, then what is
 * near by hops. Of as many hops, what `related` names comes first, as it ranks it, then the rest of its files, then
 * others; tests last, which have a list of their own.
 */
export function inTold(
  symbols: Iterable<SymbolRow>,
  related: readonly RelatedRow[],
  focus: Focus | null,
): SymbolRow[] {
  const ranks = new Map<string, number>();
  for (const { id } of related) if (!ranks.has(id)) ranks.set(id, ranks.size);
  const fileRanks = new Map<string, number>();
  for (const { path } of related) if (!fileRanks.has(path)) fileRanks.set(path, fileRanks.size);
  const places = [...symbols].map((row) => {
    const isNear = row.distance > 0;
    const keys = [
      focus?.ids.has(row.id) ? 0 : 1,
      row.distance,
      isNear && isTestPath(row.path) ? 1 : 0,
      isNear ? (ranks.get(row.id) ?? ranks.size) : 0,
      isNear ? (fileRanks.get(row.path) ?? fileRanks.size) : 0,
    ];
    return { row, keys };
  });
  return places
    .sort((a, b) => compareKeys(a.keys, b.keys) || compareRows(a.row, b.row))
    .map(({ row }) => row);
}

function compareKeys(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((key, i) => key !== b[i]);
  return at < 0 ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
}

function compareRows(a: SymbolRow, b: SymbolRow): number {
  return compareText(a.path, b.path) || a.start_line - b.start_line || compareText(a.id, b.id);
}
