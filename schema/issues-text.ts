import type { z } from 'zod';

/** A zod error as one line: `path: message`, joined by semicolons. */
export function issuesText(error: z.ZodError): string {
  return error.issues
    .map((issue) => (issue.path.length > 0 ? `${issue.path.map(String).join('.')}: ` : '') + issue.message)
    .join('; ');
}
