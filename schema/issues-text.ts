import type { z } from 'zod';

/** Characters of a value that an error repeats. */
const LONGEST_VALUE = 60;

/**
 * A zod error as one line: `path: message`, joined by semicolons; of numbers in words what zod says in signs.
 *
 * @param given What was checked: its offending values are named. Default: they are not.
 */
export function issuesText(error: z.ZodError, given?: unknown): string {
  return error.issues
    .map((issue) => {
      const path = issue.path.length > 0 ? `${issue.path.map(String).join('.')}: ` : '';
      return path + messageOf(issue) + (issue.path.length > 0 ? valueText(issue.path, given) : '');
    })
    .join('; ');
}

/** ` (given: 6)`; empty where there is no value. */
function valueText(path: readonly PropertyKey[], given: unknown): string {
  const text = textOf(path.reduce<unknown>((at, key) => Object(at)[key], given));
  if (text === undefined) return '';
  return ` (given: ${text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE - 1)}…` : text})`;
}

function messageOf(issue: z.core.$ZodIssue): string {
  const isNumber =
    (issue.code === 'too_small' || issue.code === 'too_big') && /^(?:number|int)$/u.test(issue.origin);
  if (!isNumber || issue.inclusive === false) return issue.message;
  return issue.code === 'too_small' ? `it is at least ${issue.minimum}` : `it is at most ${issue.maximum}`;
}

/** As JSON; undefined where there is nothing, or nothing that JSON could say. */
function textOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}
