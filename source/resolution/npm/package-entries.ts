import { z } from 'zod';

/** What a package offers under one name: `.`, `./utils`, `./icons/*`; of `imports`, `#internal/*`. */
export interface PackageEntry {
  name: string;
  /** The files that any condition names for it, relative to the package, most telling of the source first. */
  files: string[];
}

/** A package has more conditions than matter; what comes later than this adds nothing. */
const MOST_FILES = 8;

const record = z.record(z.string(), z.unknown());
const text = z.string().min(1);

/** Conditions in the order in which they lead to a source; what is not listed comes in the order it is written. */
const CONDITIONS = ['source', 'development', 'types', 'import', 'module', 'default', 'require'];

/**
 * The entries of a `package.json`: its `exports`, or, of packages from before those, `source`, `types`, `module`
 * and `main`.
 */
export function packageEntries(manifest: object): PackageEntry[] {
  const fields = record.parse(manifest);
  const { exports } = fields;
  const names = record.safeParse(exports);
  const isMap = names.success && Object.keys(names.data).some((name) => name.startsWith('.'));
  const entries = isMap
    ? entriesOf(names.data)
    : [{ name: '.', files: exports === undefined ? [] : filesOf(exports) }];
  const main = ['source', 'types', 'typings', 'module', 'main'].flatMap((field) => filesOf(fields[field]));
  const root = entries.find(({ name }) => name === '.');
  if (root) root.files = [...new Set([...root.files, ...main])].slice(0, MOST_FILES);
  return entries.filter(({ files }) => files.length > 0);
}

/** The `imports` of a `package.json`: names with `#` for its own files. */
export function packageInternals(manifest: object): PackageEntry[] {
  const names = record.safeParse(record.parse(manifest).imports);
  return names.success ? entriesOf(names.data) : [];
}

/** The files that entries give for a name, `*` filled in; exact names before patterns, longer patterns first. */
export function entryFiles(entries: readonly PackageEntry[], name: string): string[] {
  const exact = entries.find((entry) => entry.name === name);
  if (exact) return exact.files;
  const matches = entries.flatMap((entry) => {
    const part = starPart(entry.name, name);
    return part === null ? [] : [{ entry, part }];
  });
  matches.sort((a, b) => b.entry.name.length - a.entry.name.length);
  return (matches[0]?.entry.files ?? []).map((file) => file.replaceAll('*', () => matches[0]?.part ?? ''));
}

/** What stands for the `*` of a pattern in a name; null when it does not fit. */
export function starPart(pattern: string, name: string): string | null {
  const star = pattern.indexOf('*');
  if (star < 0) return null;
  const [before, after] = [pattern.slice(0, star), pattern.slice(star + 1)];
  const fits = name.length >= before.length + after.length && name.startsWith(before) && name.endsWith(after);
  return fits ? name.slice(before.length, name.length - after.length) : null;
}

function entriesOf(names: Readonly<Record<string, unknown>>): PackageEntry[] {
  return Object.entries(names)
    .map(([name, target]) => ({ name, files: filesOf(target) }))
    .filter(({ files }) => files.length > 0);
}

/** The files in a target, whatever the conditions. */
function filesOf(target: unknown): string[] {
  const file = text.safeParse(target);
  if (file.success) return [file.data];
  if (Array.isArray(target)) return target.flatMap(filesOf).slice(0, MOST_FILES);
  const conditions = record.safeParse(target);
  if (!conditions.success) return [];
  const names = Object.keys(conditions.data);
  const rank = (name: string) => {
    const at = CONDITIONS.indexOf(name);
    return at >= 0 ? at : name.startsWith('@') || name.endsWith('source') ? -1 : CONDITIONS.length;
  };
  names.sort((a, b) => rank(a) - rank(b));
  return [...new Set(names.flatMap((name) => filesOf(conditions.data[name])))].slice(0, MOST_FILES);
}
