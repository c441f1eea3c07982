/** The folder of a root-relative path; `''` is the root. */
export function directoryOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** `directory` and `name` as one path; either may be `''`. */
export function joined(directory: string, name: string): string {
  return directory === '' ? name : name === '' ? directory : `${directory}/${name}`;
}

/**
 * `relative` (`./a`, `../b/c`, `.`) seen from `directory`, root-relative; null when it leaves the root.
 */
export function resolvedFrom(directory: string, relative: string): string | null {
  const parts = directory === '' ? [] : directory.split('/');
  for (const part of relative.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return null;
  }
  return parts.join('/');
}

/** How many leading folders two paths share. */
export function sharedFolders(a: string, b: string): number {
  const left = a.split('/');
  const right = b.split('/');
  let shared = 0;
  while (shared < left.length && shared < right.length && left[shared] === right[shared]) shared++;
  return shared;
}

/** Code-unit order: the same on every machine, whatever its locale. */
export function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
