import { compareText } from '../../runtime/index.js';
import { type Discovery, SKIP_REASONS } from '../../source/index.js';
import type { FileProblem } from './changed-files.js';
import { Counter } from './counter.js';
import type { FileState } from './file-state.js';

/** The reason under which a file with syntax errors is named. */
const SYNTAX_ERROR = 'syntax-error';

/** Files and folders that were left out, counted by reason: by discovery, or because they could not be read. */
export function skippedByReason(
  { skipped }: Pick<Discovery, 'skipped'>,
  problems: readonly FileProblem[],
): Record<string, number> {
  const counter = new Counter();
  for (const { reason } of [...skipped, ...problems]) if (reason in SKIP_REASONS) counter.add(reason);
  return counter.sorted();
}

/** The problems of a run and those that files keep, by path. */
export function allProblems(
  problems: readonly FileProblem[],
  states: ReadonlyMap<string, FileState>,
): FileProblem[] {
  return [...problems, ...[...states].flatMap(keptProblems)].sort(
    (a, b) => compareText(a.path, b.path) || compareText(a.reason, b.reason),
  );
}

function keptProblems([path, { problem, written }]: [string, FileState]): FileProblem[] {
  const kept = [problem, written?.problem].flatMap((one) => (one ? [{ path, ...one }] : []));
  if (!written || written.syntax_errors.length === 0) return kept;
  const lines = written.syntax_errors.slice(0, 5).join(', ');
  const detail = `line ${lines}, as the grammar reads it; the rest of the file is indexed`;
  return [...kept, { path, reason: SYNTAX_ERROR, detail }];
}

/** How many symbols and concepts these files brought. */
export function broughtBy(
  paths: Iterable<string>,
  states: ReadonlyMap<string, FileState>,
): { symbols: number; concepts: number } {
  let symbols = 0;
  const concepts = new Set<string>();
  for (const path of paths) {
    const written = states.get(path)?.written;
    for (const number of Object.values(written?.symbols ?? {})) symbols += number;
    for (const node of written?.shared ?? []) if (node.as === 'todo') concepts.add(node.label);
  }
  return { symbols, concepts: concepts.size };
}
