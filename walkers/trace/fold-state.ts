import { z } from 'zod';
import { compareText } from '../../runtime/index.js';
import { LIMITS } from '../../schema/index.js';
import { Deed } from './deed.js';
import { OpenFailures } from './open-failures.js';

/** The place of an event among those of its task: by time, then by identity (C-02). */
export const EventKey = z.tuple([z.number(), z.string()]);
export type EventKey = z.infer<typeof EventKey>;

/** The order of events. */
export function compareKeys([a, x]: EventKey, [b, y]: EventKey): number {
  return a - b || compareText(x, y);
}

/** Whether a key comes after one that may not be there. */
export function isAfter(key: EventKey, other: EventKey | null): boolean {
  return other === null || compareKeys(key, other) > 0;
}

/** The uses of one tool that have begun and not ended. */
const ToolUses = z.object({
  last: EventKey,
  /** Begun and not ended, by their keys. */
  open: z.array(
    z.object({
      key: EventKey,
      id: z.string(),
      step: z.string(),
      deed: Deed.nullable().default(null),
      /** Errors that told of it before its end. */
      errors: z.array(z.string()).default([]),
    }),
  ),
  /** Ended before their beginning came. */
  early: z.array(z.string()),
  /** Whether an event named no use: then pairing depends on the order of all of them. */
  strict: z.boolean(),
});
export type ToolUses = z.infer<typeof ToolUses>;
/** A use of a tool that has begun and not ended. */
export type OpenUse = ToolUses['open'][number];

/** What the folding of a task's events has to remember: as much as its open ends, not as its events. */
export const FoldState = z.object({
  last: EventKey.nullable().default(null),
  /** The last task_start. */
  started: EventKey.nullable().default(null),
  /** The last error of a use of a tool that had not been told of. */
  orphan: EventKey.nullable().default(null),
  /** Such errors, of uses that have not ended yet. */
  orphans: z.array(z.object({ tool: z.string(), error: z.string() })).default([]),
  /** Whether there were too many of them. */
  blurred: z.boolean().default(false),
  /** The last task_end. */
  ended: EventKey.nullable().default(null),
  /** The last event that was no end. */
  stirred: EventKey.nullable().default(null),
  /** The last end that followed from what was before it: an event before it changes what it comes to. */
  judged: EventKey.nullable().default(null),
  /** Whether the last end said how it ended. */
  told: z.boolean().default(false),
  /** Bytes that were cut off the texts of the task. */
  cut: z.object({ prompt: z.number(), summary: z.number() }).default({ prompt: 0, summary: 0 }),
  step: z
    .object({
      id: z.string(),
      key: EventKey,
      /** Null where the `step` event named it itself, or none began it. */
      order: z.number().nullable().default(null),
      /** Whether a `step` event began it. */
      named: z.boolean().default(true),
      /** Whether the task ended while it was open. */
      over: z.boolean().default(false),
      /** What the uses of tools in it are for, where none began it. */
      role: z.string().nullable().default(null),
    })
    .nullable()
    .default(null),
  /** The order of the open step. */
  place: z.number().default(0),
  /** The last use of a tool whose role counted. */
  roled: EventKey.nullable().default(null),
  /** Steps that are open beside it: events named them, and no `step` event began them. */
  beside: z.array(z.string()).default([]),
  /** The step that began last: what it touches builds on what the others touched. */
  newest: z.string().nullable().default(null),
  /** The event that began it: one that begins a step before it moves those that began after. */
  begun: EventKey.nullable().default(null),
  tools: z.record(z.string(), ToolUses).default({}),
  failures: OpenFailures.default([]),
  /** The last event that what is open of failures depends on. */
  judging: EventKey.nullable().default(null),
  /** The use of a tool that ended last of those that do something, where it failed. */
  failed: z.string().nullable().default(null),
});
export type FoldState = z.infer<typeof FoldState>;

/** The state before the first event. */
export function newFold(): FoldState {
  return FoldState.parse({});
}

/** The uses of a tool; undefined before its first event. */
export function knownUses(state: FoldState, tool: string): ToolUses | undefined {
  // The sign keeps a tool called `__proto__` apart from what objects have.
  return state.tools[`=${tool}`];
}

/** The uses of a tool, for changing. */
export function usesOf(state: FoldState, tool: string, key: EventKey): ToolUses {
  const uses = knownUses(state, tool) ?? { last: key, open: [], early: [], strict: false };
  state.tools[`=${tool}`] = uses;
  return uses;
}

/** Notes a use that began. */
export function opened(uses: ToolUses, use: OpenUse): void {
  const early = uses.early.indexOf(use.id);
  if (early >= 0) {
    uses.early.splice(early, 1);
    return;
  }
  uses.open.push(use);
  uses.open.sort((a, b) => compareKeys(a.key, b.key));
  // Which ones are given up depends on the order of all of them.
  if (uses.open.length > LIMITS.openTools.max) {
    uses.open.shift();
    uses.strict = true;
  }
}

/** Notes an error of a use of a tool that had not been told of. */
export function noteOrphan(state: FoldState, orphan: FoldState['orphans'][number], key: EventKey): void {
  state.orphan = key;
  state.orphans.push(orphan);
  if (state.orphans.length <= LIMITS.openTools.max) return;
  state.orphans.shift();
  state.blurred = true;
}

/** The use with this id, where it is open. */
export function openUse(state: FoldState, id: string): OpenUse | undefined {
  for (const { open } of Object.values(state.tools)) {
    const use = open.find((one) => one.id === id);
    if (use) return use;
  }
  return undefined;
}

/** Notes that a use ended; null where its beginning has not come. */
export function closed(uses: ToolUses, id: string): OpenUse | null {
  const at = uses.open.findIndex((use) => use.id === id);
  if (at >= 0) return uses.open.splice(at, 1)[0] ?? null;
  uses.early.push(id);
  if (uses.early.length > LIMITS.openTools.max) {
    uses.early.shift();
    uses.strict = true;
  }
  return null;
}
