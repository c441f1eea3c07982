import { toolEntry } from '../schema/index.js';
import { dashed } from './fields.js';

/** The words after `codewalk` that run a walker; null when it has no command. A user's walker always has one. */
export function commandWords(walker: string): readonly string[] | null {
  const entry = toolEntry(walker);
  if (entry === undefined) return [dashed(walker)];
  return entry.command?.split(' ') ?? null;
}
