/** Id forms that have a prefix and a rest only, and so no part that names a symbol inside a file. */
const TWO_PARTS = /^(?:dir|project|sym|pkg):/;
const FILE = 'file:';

/**
 * The file that an id belongs to: `fn:src/a.ts:Auth.login~2` and `file:src/a.ts` belong to `src/a.ts`. Ids that
 * belong to no file own themselves. In a three-part id the path ends at the last colon after which no `/` comes.
 */
export function ownerOf(id: string): string {
  return id.slice(ownerStart(id), ownerEnd(id));
}

/** Where in an id its owner starts: keys are made of parts of ids, so that nothing is copied. */
export function ownerStart(id: string): number {
  if (id.startsWith(FILE)) return FILE.length;
  return ownerEnd(id) < id.length ? id.indexOf(':') + 1 : 0;
}

/** Where in an id its owner ends. */
export function ownerEnd(id: string): number {
  const last = id.lastIndexOf(':');
  if (last < 0 || last === id.indexOf(':') || id.startsWith(FILE)) return id.length;
  return TWO_PARTS.test(id) || id.indexOf('/', last) >= 0 ? id.length : last;
}
