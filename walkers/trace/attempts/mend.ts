import { type Attempt, type AttemptEvent, idOf } from '../../../graphs/trace/index.js';

type ToolEvent = Extract<AttemptEvent, { kind: 'tool' }>;

/** What came after a failure, as far as a trace can tell. */
export interface Mend {
  /** The action that failed: what was run or edited; null where only an error was recorded. */
  readonly failed: ToolEvent | null;
  /** What was changed between the failure and the success, the last change first; never empty. */
  readonly changes: readonly ToolEvent[];
  /** The same action when it succeeded; null where it was not seen to: then the changes are only what followed. */
  readonly passed: ToolEvent | null;
}

/**
 * What mended a failure: the edits after the failing action's last failure and before its first success, or, where
 * there are none, the commands. An edit that failed is mended by the edit of that file that succeeded. Null where
 * nothing followed.
 *
 * @param source The id of the failing invocation or error; null: the attempt's first failure.
 */
export function mendOf({ events }: Attempt, source: string | null): Mend | null {
  const at = failedAt(events, source);
  if (at < 0) return null;
  const failed = actionOf(events, at);
  const later = events.slice(at + 1).filter(isTool);
  const passedAt = failed ? later.findIndex((event) => isSame(failed, event) && event.ok === true) : -1;
  const passed = later[passedAt] ?? null;
  const between = passed ? later.slice(0, passedAt) : later;
  const again = failed ? between.findLastIndex((event) => isSame(failed, event)) : -1;
  const followed = [...between.slice(again + 1), ...(passed && isEdit(passed) ? [passed] : [])];
  // Where the last runs changed nothing between them, what was changed before them counts.
  for (const some of again < 0 ? [followed] : [followed, between]) {
    const done = some.filter(({ ok }) => ok !== false);
    const edits = done.filter(isEdit);
    const changes = edits.length > 0 ? edits : done.filter(({ use }) => use.command !== null);
    if (changes.length > 0) return { failed, changes: changes.reverse(), passed };
  }
  return null;
}

function failedAt(events: readonly AttemptEvent[], source: string | null): number {
  if (source !== null) return events.findIndex((event) => idOf(event) === source);
  return events.findIndex((event) => event.kind === 'error' || event.ok === false);
}

/** The action behind a failure: the one that an error names, else the one that failed last before it. */
function actionOf(events: readonly AttemptEvent[], at: number): ToolEvent | null {
  const event = events[at];
  const named = event?.kind === 'error' ? event.error.tool_id : null;
  if (named !== null) {
    const met = events.filter(isTool).find(({ tool }) => tool.id === named);
    if (met) return met;
  }
  return (
    events
      .slice(0, at + 1)
      .filter(isTool)
      .findLast(({ ok }) => ok === false) ?? null
  );
}

/** Whether two actions are the same: one command, or edits of one file. */
function isSame(a: ToolEvent, b: ToolEvent): boolean {
  if (a.use.command !== null || b.use.command !== null)
    return a.use.command !== null && plainCommand(a.use.command) === plainCommand(b.use.command ?? '');
  if (a.use.file !== null) return a.use.file === b.use.file && isEdit(a) === isEdit(b);
  return a.tool.tool_name === b.tool.tool_name;
}

function isTool(event: AttemptEvent): event is ToolEvent {
  return event.kind === 'tool';
}

function isEdit({ use }: ToolEvent): boolean {
  return use.command === null && use.added !== null;
}

/** A command without differences that mean nothing. */
export function plainCommand(command: string): string {
  return command.replace(/\s+/gu, ' ').trim();
}
