import { defineTextIndex } from '../../../../search/index.js';

/*
 * What attempts are found by, kept in the durable layer's store and written in the commit that ends or changes a task.
 * Whoever changes what goes into one gives it another name: stores of before are then made anew.
 */

/** What was asked and done: one document an attempt. */
export const TOLD = defineTextIndex('attempts-told-2', { layer: 'durable', fields: { said: 1, done: 1 } });

/** What failed: one document a passage; lines that tell what went wrong count twice. */
export const FAILURES = defineTextIndex('attempts-failures-2', {
  layer: 'durable',
  fields: { telling: 2, rest: 1 },
});

/**
 * Files that attempts touched and names that they used, each link as one word. How much there is of an attempt is told
 * by its files alone: names are as many as its tools happen to tell.
 */
export const LINKS = defineTextIndex('attempts-links-2', { layer: 'durable', fields: { file: 1, name: 0 } });

/** Tests and reasons that failed in attempts, each as one word (`failed-things.ts`); only attempts in which anything did. */
export const FAILED = defineTextIndex('attempts-failed-3', { layer: 'durable', fields: { met: 1 } });

/** All of them. */
export const ATTEMPT_INDEXES = [TOLD, FAILURES, LINKS, FAILED] as const;

/** The id of a passage of an attempt's failing outputs. */
export function passageId(task: string, part: number): string {
  return `${task}#${part}`;
}

/** What {@link passageId} was made of. */
export function passageOf(id: string): { readonly task: string; readonly part: number } {
  const at = id.lastIndexOf('#');
  return { task: id.slice(0, at), part: Number(id.slice(at + 1)) };
}
