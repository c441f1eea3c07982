/** Id forms that have a prefix and a rest only, and so no part that names a symbol inside a file. */
const TWO_PARTS = new Set(['dir', 'file', 'project', 'sym', 'pkg']);

/**
 * The file that an id belongs to: `fn:src/a.ts:Auth.login~2` and `file:src/a.ts` belong to `src/a.ts`. Ids that
 * belong to no file own themselves. In a three-part id the path ends at the last colon after which no `/` comes.
 */
export function ownerOf(id: string): string {
  const first = id.indexOf(':');
  if (first < 0) return id;
  const prefix = id.slice(0, first);
  if (prefix === 'file') return id.slice(first + 1);
  if (TWO_PARTS.has(prefix)) return id;
  const last = id.lastIndexOf(':');
  if (last === first || id.indexOf('/', last) >= 0) return id;
  return id.slice(first + 1, last);
}
