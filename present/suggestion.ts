import { posix } from 'node:path';
import { distance } from 'fastest-levenshtein';
import { compareText } from '../runtime/index.js';
import { lastNamePart } from '../schema/index.js';

const MAX_SUGGESTIONS = 3;
/** The part of a name that may be mistyped: beyond it the name is another one. */
const MISTYPED = 0.4;

/**
 * The likely targets of a path that is not there, the likeliest first, at most three (spec P-03): the same
 * path in another case, paths that end with it, the same file name elsewhere, else paths of the same extension that
 * few letters tell from it. Empty when nothing is near: a wild guess misleads. Never taken silently.
 *
 * @param wanted Root-relative, `/`.
 */
export function suggestedPaths(wanted: string, paths: readonly string[]): string[] {
  const folded = wanted.toLowerCase();
  const name = nameOf(folded);
  const ways: readonly ((path: string) => boolean)[] = [
    (path) => path.toLowerCase() === folded,
    (path) => path.toLowerCase().endsWith(`/${folded}`),
    (path) => nameOf(path.toLowerCase()) === name,
    (path) => isSlip(wanted, path),
  ];
  for (const fits of ways) {
    const found = paths.filter((path) => path !== wanted && fits(path));
    const far = new Map(found.map((path) => [path, distance(wanted, path)]));
    const nearest = found.sort((a, b) => (far.get(a) ?? 0) - (far.get(b) ?? 0) || compareText(a, b));
    if (found.length > 0) return nearest.slice(0, MAX_SUGGESTIONS);
  }
  return [];
}

/** Whether one name may be the other mistyped: few letters differ, and some are the same. */
export function isNear(wanted: string, name: string): boolean {
  const [a, b] = [wanted.toLowerCase(), name.toLowerCase()];
  if (a === b) return true;
  const allowed = Math.max(1, Math.floor(a.length * MISTYPED));
  const letters = Math.max(a.length, b.length);
  return Math.abs(a.length - b.length) <= allowed && letters > 1 && slips(a, b) <= allowed;
}

/**
 * Names by how few letters tell them from what was wanted, then by how few in another case, then the shorter one first.
 *
 * @param part What of a name is compared. Default: all of it.
 */
export function nearestFirst(
  wanted: string,
  names: readonly string[],
  part: (name: string) => string = (name) => name,
): string[] {
  return names
    .map((name) => ({
      name,
      letters: slips(wanted.toLowerCase(), part(name).toLowerCase()),
      cases: slips(wanted, part(name)),
    }))
    .sort(
      (a, b) =>
        a.letters - b.letters ||
        a.cases - b.cases ||
        a.name.length - b.name.length ||
        compareText(a.name, b.name),
    )
    .map(({ name }) => name);
}

/**
 * The names whose last part is near that of a qualified name: first what differs in case alone, then what is near with
 * its class, then by the last part alone.
 */
export function nearMembers(spelled: string, names: readonly string[]): string[] {
  const parts = (name: string) => name.toLowerCase().split(/[./:]/u).reverse();
  const [last = '', owner = ''] = parts(spelled);
  const rank = (name: string): number => {
    const [ownLast, own = ''] = parts(name);
    if (owner === own) return ownLast === last ? 0 : 1;
    // A variable is often called by the end of its class's name: `runner` of CliRunner.
    return own !== '' && owner !== '' && (isNear(owner, own) || own.endsWith(owner)) ? 1 : 2;
  };
  const near = [...new Set(names)].filter((name) => isNear(last, lastNamePart(name)));
  return nearestFirst(lastNamePart(spelled), near, lastNamePart).sort((a, b) => rank(a) - rank(b));
}

/** `Did you mean 'a' or 'b'?` with a space behind it; empty where there is nothing to suggest. */
export function didYouMean(suggestions: readonly string[]): string {
  if (suggestions.length === 0) return '';
  return `Did you mean ${suggestions.map((name) => `'${name}'`).join(' or ')}? `;
}

/** Letters that differ; two that changed places count as one. */
export function slips(a: string, b: string): number {
  const far = distance(a, b);
  const sorted = (text: string) => [...text].sort().join('');
  return far === 2 && sorted(a) === sorted(b) ? 1 : far;
}

/** Few letters tell the folders and names of two paths apart, and none their extensions. */
function isSlip(wanted: string, path: string): boolean {
  const [a, b] = [posix.parse(wanted), posix.parse(path)];
  const folderOf = (path: string) => path.slice(0, path.lastIndexOf('/') + 1);
  return (
    a.ext.toLowerCase() === b.ext.toLowerCase() &&
    isNear(a.name, b.name) &&
    isNear(folderOf(wanted), folderOf(path))
  );
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
