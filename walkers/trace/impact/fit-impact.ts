import { LIMITS } from '../../../schema/index.js';
import { tokensOf } from '../../token-budget.js';
import { short } from '../fit-rows.js';
import type { ImpactOutput } from './impact-rows.js';

const { packTokens, impactRows } = LIMITS;

type Lists = Omit<ImpactOutput, 'summary'>;
type ListName = keyof Lists;

/** The lists of an answer; where rows must fall, those of the last one fall first. */
const LISTS = [
  'errors',
  'tasks',
  'symbols',
  'tests',
  'callers',
  'files',
  'steps',
  'memories',
] as const satisfies ListName[];
/** Characters that texts, and ids that lists inside rows, keep where they do not fit as they are. */
const SIZES = [
  { text: 80, ids: 5 },
  { text: 40, ids: 1 },
] as const;
/** Rows of each list that are tried, above a budget that the caller gave. */
const FEWER = [20, 10, 5, 3, 2, 1, 0];

/**
 * Makes an answer fit (P-02): each list has at most `limit` rows; texts and inner lists shrink at the default budget; rows
 * fall only above a budget that the caller gave.
 */
export function fitImpact(
  whole: ImpactOutput,
  limit: number,
  asked: number | undefined,
): { output: ImpactOutput; cut: string[] } {
  const limited = withRows(whole, limit);
  let output = limited;
  const fits = (budget: number) => tokensOf(output) <= budget;
  for (const { text, ids } of SIZES)
    if (!fits(asked ?? packTokens.default)) output = shortened(output, text, ids);
  const isShort = tokensOf(output) < tokensOf(limited);
  for (const rows of FEWER) if (!fits(asked ?? packTokens.max)) output = withRows(output, rows);
  const fallen = LISTS.filter((name) => output[name].length < whole[name].length).map(
    (name) => `${output[name].length} of ${whole[name].length} ${name}`,
  );
  return {
    output,
    cut: [
      ...(isShort ? ['Texts and lists of ids are shortened.'] : []),
      ...(fallen.length > 0 ? [`Shown are ${fallen.join(', ')}.`] : []),
      ...(isShort || fallen.length > 0
        ? [`limit up to ${impactRows.max} and max_tokens up to ${packTokens.max} give more.`]
        : []),
    ],
  };
}

function withRows(output: ImpactOutput, most: number): ImpactOutput {
  const { tasks, errors, steps, files, symbols, callers, tests, memories } = output;
  return {
    ...output,
    tasks: tasks.slice(0, most),
    // The latest tell how it stands.
    errors: errors.slice(Math.max(0, errors.length - most)),
    steps: steps.slice(Math.max(0, steps.length - most)),
    files: files.slice(0, most),
    symbols: symbols.slice(0, most),
    callers: callers.slice(0, most),
    tests: tests.slice(0, most),
    memories: memories.slice(0, most),
  };
}

function shortened(output: ImpactOutput, text: number, ids: number): ImpactOutput {
  const { tasks, errors, steps, files, callers, tests, memories } = output;
  return {
    ...output,
    tasks: tasks.map((row) => ({ ...row, prompt: short(row.prompt, text) })),
    errors: errors.map((row) => ({
      ...row,
      message: short(row.message, text),
      fingerprint: row.fingerprint && short(row.fingerprint, text),
    })),
    steps: steps.map((row) => ({ ...row, summary: short(row.summary, text) })),
    files: files.map((row) => ({ ...row, step_ids: row.step_ids.slice(0, ids) })),
    callers: callers.map((row) => ({ ...row, calls: row.calls.slice(0, ids) })),
    tests: tests.map((row) => ({ ...row, tests: row.tests.slice(0, ids) })),
    memories: memories.map((line) => short(line, 2 * text)),
  };
}
