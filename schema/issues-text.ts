import type { z } from 'zod';

/** A zod error as one line: `path: message`, joined by semicolons; of numbers in words what zod says in signs. */
export function issuesText(error: z.ZodError): string {
  return error.issues
    .map((issue) => (issue.path.length > 0 ? `${issue.path.map(String).join('.')}: ` : '') + messageOf(issue))
    .join('; ');
}

function messageOf(issue: z.core.$ZodIssue): string {
  const isNumber =
    (issue.code === 'too_small' || issue.code === 'too_big') && /^(?:number|int)$/u.test(issue.origin);
  if (!isNumber || issue.inclusive === false) return issue.message;
  return issue.code === 'too_small' ? `it is at least ${issue.minimum}` : `it is at most ${issue.maximum}`;
}
