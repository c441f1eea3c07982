/** What a scope looks at. */
export interface Scoped {
  readonly qualified_name: string;
  /** From the root; what is outside the project has none. */
  readonly path?: string;
}

/**
 * Whether a row is within a scope: a folder or file by its path from the root, or a package or module by its name.
 * Without a scope everything is.
 */
export function withinScope(scope: string | undefined): (row: Scoped) => boolean {
  if (scope === undefined) return () => true;
  const folder = scope.replace(/^(?:\.\/)+|\/+$/gu, '');
  return ({ qualified_name, path }) =>
    isUnder(path, folder, ['/']) || isUnder(qualified_name, folder, ['.', '/']);
}

/** How a question says its scope: ` in src/auth`; empty without one. */
export function inScope(scope: string | undefined): string {
  return scope === undefined ? '' : ` in ${scope}`;
}

/** What an answer says of the rows that its scope left out; empty where there are none. @param what The rows' name. */
export function outOfScope(all: number, within: number, what: string): string[] {
  return all > within ? [`${all - within} more ${what} are outside of the scope.`] : [];
}

function isUnder(name: string | undefined, folder: string, ends: readonly string[]): boolean {
  return name !== undefined && (name === folder || ends.some((end) => name.startsWith(`${folder}${end}`)));
}
