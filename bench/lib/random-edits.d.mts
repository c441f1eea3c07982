/** One random edit of a project; see random-edits.mjs. */
export function randomEdit(
  files: ReadonlyMap<string, string>,
  gone: ReadonlyMap<string, string>,
  random: () => number,
  step: number,
): { readonly what: string; readonly changes: ReadonlyMap<string, string | null> };
