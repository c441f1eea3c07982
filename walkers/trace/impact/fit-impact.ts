import { cutText, type Draft, draftBy } from '../../../present/index.js';
import { LIMITS } from '../../../schema/index.js';
import type { ImpactOutput } from './impact-rows.js';

/** The lists of an answer; rows of the last one fall first, and rows stay of each as long as more are in others. */
const LISTS = ['errors', 'tasks', 'symbols', 'tests', 'callers', 'files', 'steps', 'memories'] as const;
/** Of these the last ones tell how it stands. */
const BY_TIME: ReadonlySet<string> = new Set(['errors', 'steps']);
/** Rows of each list that stay until all others have no more. */
const LEAST = 2;
/** Characters that texts, and ids that lists inside rows, keep where they do not fit as they are. */
const SIZES = [
  { text: 80, ids: 5 },
  { text: 40, ids: 1 },
] as const;

/** The draft of an impact (P-02): texts and inner lists shrink before rows fall. @param most Rows of each list on a page. */
export function impactDraft<O extends ImpactOutput>(whole: O, most: number): Draft<O> {
  return draftBy(whole, {
    limit: LIMITS.packTokens,
    lists: LISTS.map((at) => ({ at, what: at, most, least: LEAST, latest: BY_TIME.has(at) })),
    less: SIZES.map(({ text, ids }) => ({
      what: 'Texts and lists of ids',
      shorter: (output: O) => shortened(output, text, ids),
    })),
  });
}

function shortened<O extends ImpactOutput>(output: O, text: number, ids: number): O {
  const { tasks, errors, steps, files, callers, tests, memories } = output;
  return {
    ...output,
    tasks: tasks.map((row) => ({ ...row, prompt: cutText(row.prompt, text) })),
    errors: errors.map((row) => ({
      ...row,
      message: cutText(row.message, text),
      fingerprint: row.fingerprint && cutText(row.fingerprint, text),
    })),
    steps: steps.map((row) => ({ ...row, summary: cutText(row.summary, text) })),
    files: files.map((row) => ({ ...row, step_ids: row.step_ids.slice(0, ids) })),
    callers: callers.map((row) => ({ ...row, calls: row.calls.slice(0, ids) })),
    tests: tests.map((row) => ({ ...row, tests: row.tests.slice(0, ids) })),
    memories: memories.map((line) => cutText(line, 2 * text)),
  };
}
