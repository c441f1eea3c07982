import { closest } from 'fastest-levenshtein';
import { CodewalkError, TOOLS, toolEntry } from '../schema/index.js';

/**
 * The walker of this name, or of this command.
 *
 * @throws CodewalkError `WALKER_NOT_FOUND` with the nearest name.
 */
export function namedWalker<T extends { readonly name: string }>(name: string, walkers: readonly T[]): T {
  const byCommand = TOOLS.find(({ command }) => command === name)?.walker;
  const known =
    walkers.find((walker) => walker.name === name) ?? walkers.find((walker) => walker.name === byCommand);
  if (known) return known;
  const planned = toolEntry(name)?.walker ?? byCommand;
  throw new CodewalkError('WALKER_NOT_FOUND', `there is no walker '${name}'`, {
    input: name,
    suggestion: planned === undefined ? nearest(name, walkers) : `${planned} is planned and not built yet.`,
  });
}

function nearest(name: string, walkers: readonly { readonly name: string }[]): string {
  const names = walkers.map((walker) => walker.name);
  return names.length > 0 ? `Did you mean '${closest(name, names)}'? 'codewalk walkers' lists them.` : '';
}
