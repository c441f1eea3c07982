/** See osp-case.mjs. */
export function caseRunner(
  codewalk: object,
  open: (options: never) => Promise<{ close(): Promise<void> }>,
): (spec: unknown, profile?: string) => Promise<Record<string, unknown>>;
