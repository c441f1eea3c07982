/** What a scope looks at. */
export interface Scoped {
  readonly qualified_name: string;
  /** From the root; what is outside the project has none. */
  readonly path?: string;
}

/**
 * Whether a row is within a scope: a folder or file by its path from the root or its absolute one, or a package or
 * module by its name. Without a scope everything is, and within the root's folder.
 *
 * @param root The project's; null: it has none.
 */
export function withinScope(scope: string | undefined, root: string | null): (row: Scoped) => boolean {
  const folder = scope === undefined ? '' : folderOf(scope, root);
  if (folder === '') return () => true;
  return ({ qualified_name, path }) =>
    isUnder(path, folder, ['/']) || isUnder(qualified_name, folder, ['.', '/']);
}

/** What a scope names, from the root: a path, or a package's name as it is; empty for the root itself. */
export function folderOf(scope: string, root: string | null): string {
  return fromRoot(plainPath(scope), plainPath(root ?? ''));
}

/** How a question says its scope: ` in src/auth`; empty without one. */
export function inScope(scope: string | undefined): string {
  return scope === undefined ? '' : ` in ${scope}`;
}

/** What an answer says of the rows that its scope left out; empty where there are none. @param one What a row is called. */
export function outOfScope(all: number, within: number, one: string, many = `${one}s`): string[] {
  const left = all - within;
  return left > 0 ? [`${left} more ${left === 1 ? `${one} is` : `${many} are`} outside of the scope.`] : [];
}

/** With slashes, none at its end and none twice, without `.` at its beginning. */
function plainPath(path: string): string {
  const plain = path.replaceAll('\\', '/').replace(/\/{2,}/gu, '/');
  return plain
    .replace(/^(?:\.\/)+/u, '')
    .replace(/(?<!\/)\/+$/u, '')
    .replace(/^\.$/u, '');
}

function fromRoot(path: string, root: string): string {
  if (root === '' || !isUnder(path, root, ['/'])) return path;
  return path.slice(root.length + 1);
}

function isUnder(name: string | undefined, folder: string, ends: readonly string[]): boolean {
  return name !== undefined && (name === folder || ends.some((end) => name.startsWith(`${folder}${end}`)));
}
