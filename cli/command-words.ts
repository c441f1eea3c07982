import type { WalkerType } from '../runtime/index.js';
import { toolEntry } from '../schema/index.js';
import { dashed } from './fields.js';

/** The words after `codewalk` that run a walker; null when it has no command. A user's walker always has one. */
export function commandWords({ name }: WalkerType): readonly string[] | null {
  const entry = toolEntry(name);
  if (entry === undefined) return [dashed(name)];
  return entry.command?.split(' ') ?? null;
}
