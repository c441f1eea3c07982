import { showsFailure } from '../../failures/index.js';
import { type Deed, deedOf } from './deed.js';
import { namedId, traceId } from './event-ids.js';
import type { FactOf } from './fact.js';
import {
  closed,
  compareKeys,
  type FoldState,
  isAfter,
  knownUses,
  noteOrphan,
  type OpenUse,
  opened,
  openUse,
  type ToolUses,
  usesOf,
} from './fold-state.js';
import { type OpenStep, roleOf, stepFor, stepOf } from './fold-steps.js';
import { noteError, noteFailure, notePass, noteTests } from './open-failures.js';
import { keyOf, type PlacedEvent, type Placement } from './placed-events.js';
import type { TaskDraft, TaskProps } from './task-draft.js';
import { isoOf } from './times.js';

type ToolFact = FactOf<'tool_start'> | FactOf<'tool_end'>;

/** What came of an event of a tool. */
export interface Used {
  readonly placement: Placement;
  /** Paths that its step had not touched before. */
  readonly touched: readonly string[];
}

/** Adds the start or the end of a use of a tool. */
export async function useTool(
  state: FoldState,
  event: PlacedEvent,
  fact: ToolFact,
  task: TaskProps,
  draft: TaskDraft,
): Promise<Used> {
  const key = keyOf(event);
  const uses = usesOf(state, fact.tool_name, key);
  if (event.toolName === null) uses.strict = true;
  if (compareKeys(key, uses.last) > 0) uses.last = key;
  const id = toolOf(event, fact, uses);
  // Hooks may tell a start twice: before the use, and after it.
  const use = fact.kind === 'tool_end' ? closed(uses, id) : (uses.open.find((one) => one.id === id) ?? null);
  const step = await (use === null ? stepFor(state, event, fact, draft) : stepOfUse(use, event, draft));
  const tool = await draft.tool(id, step.id, fact.tool_name);
  if (fact.kind === 'tool_start') {
    const deed = deedOf(fact.params_json, fact.files, roleOf(fact));
    if (use) use.deed ??= deed;
    else opened(uses, { key, id, step: step.id, deed, errors: [] });
    tool.tool_name = fact.tool_name;
    tool.params_json = fact.params_json;
    tool.started_at = isoOf(event.at);
  } else {
    tool.success = fact.success;
    tool.duration_ms = fact.duration_ms;
    tool.ended_at = isoOf(event.at);
    [tool.stdout, tool.stderr] = [fact.stdout, fact.stderr];
    const deed = use?.deed ?? deedOf(tool.params_json, fact.files, roleOf(fact));
    const errors = [...orphansOf(state, id), ...(use?.errors ?? [])];
    const isFailure =
      !fact.success ||
      errors.length > 0 ||
      draft.denied.has(id) ||
      (deed !== null && failedUnseen(deed, fact));
    if (deed || !fact.success) {
      state.judging = key;
      state.failed = deed && isFailure ? id : null;
    }
    if (deed && isFailure) noteFailure(state.failures, deed, id, errors);
    else if (deed) await pass(state, deed, step.id, draft);
  }
  // Where the client told no duration.
  if (tool.started_at !== null && tool.ended_at !== null)
    tool.duration_ms ??= Math.max(0, Date.parse(tool.ended_at) - Date.parse(tool.started_at));
  if (use === null || fact.kind === 'tool_end') tool.truncated_bytes += fact.truncated_bytes;
  return { placement: { step: step.id, tool: id }, touched: draft.touch(id, step.props, task, fact) };
}

/** Whether an event of a tool comes too late to be added: see `isLate`. */
export function isLateUse(state: FoldState, event: PlacedEvent, fact: ToolFact): boolean {
  const key = keyOf(event);
  const uses = knownUses(state, fact.tool_name);
  if (uses !== undefined && !isAfter(key, uses.last) && (uses.strict || event.toolName === null)) return true;
  if (event.toolName !== null && (state.blurred || !isAfter(key, state.orphan))) return true;
  if (uses === undefined) return fact.kind === 'tool_end' && !isAfter(key, state.judging);
  const id = toolOf(event, fact, uses);
  const use = uses.open.find((one) => one.id === id);
  // Its end, of which it was not known what it ends, may have been judged.
  if (fact.kind === 'tool_start') return !isAfter(key, use?.key ?? uses.last);
  return (use === undefined || use.deed !== null || !fact.success) && !isAfter(key, state.judging);
}

/**
 * Whether an event tells once more that an open use began, as hooks do after it, with the time at which it did: what
 * others did meanwhile has no part in it.
 */
export function startsAgain(state: FoldState, event: PlacedEvent, fact: ToolFact): boolean {
  if (fact.kind !== 'tool_start' || event.toolName === null) return false;
  const uses = knownUses(state, fact.tool_name);
  return uses?.open.some(({ id }) => id === toolOf(event, fact, uses)) ?? false;
}

/** What came of an error. */
export interface Met {
  readonly placement: Placement;
  /** Whether it tells of a use of a tool that counted as done well. */
  readonly contradicts: boolean;
}

/** Adds an error: to the step of the use of a tool that it names, else to the open one. */
export async function meetError(
  state: FoldState,
  event: PlacedEvent,
  fact: FactOf<'error'>,
  draft: TaskDraft,
): Promise<Met> {
  const id = traceId('error', event.id);
  const tool = event.toolName === null ? null : namedId('tool', event.task, event.toolName);
  const begun = tool === null ? undefined : await draft.stepOfTool(tool);
  if (tool !== null && begun === undefined) noteOrphan(state, { tool, error: id }, keyOf(event));
  const step = begun ?? (await stepOf(state, event, draft)).id;
  // One failure more makes it like other steps, wherever it stands.
  if (begun !== undefined) await draft.step(event.task, begun, 0, isoOf(event.at));
  const { kind: _, session_id: __, client: ___, ...props } = fact;
  draft.error(id, step, {
    ...props,
    ...{ tool_id: tool, created_at: isoOf(event.at), failure: null, resolved_by: [] },
  });
  state.judging = keyOf(event);
  const open = tool === null ? undefined : openUse(state, tool);
  const of = tool ?? state.failed;
  const isNoted = of !== null && noteError(state.failures, of, id);
  if (open) open.errors.push(id);
  else if (!isNoted && fact.tests.length > 0) noteTests(state.failures, id);
  const contradicts = !isNoted && tool !== null && (await draft.passedBefore(tool));
  return { placement: { step, tool }, contradicts };
}

/** Whether tests failed in a run whose exit code nobody saw: that of `npm test | tail` is the one of `tail`. */
function failedUnseen({ run }: Deed, { stdout, stderr }: FactOf<'tool_end'>): boolean {
  return run?.piped === true && showsFailure(`${stdout}\n${stderr}`);
}

/** What passed is open no more, and what it mended is resolved. */
async function pass(state: FoldState, deed: Deed, step: string, draft: TaskDraft): Promise<void> {
  const testsOf = (error: string) => draft.testsOf(error);
  for (const { error, step: mended } of await notePass(state.failures, deed, step, testsOf))
    draft.resolve(error, mended);
}

/** Errors that told of a use before anything else did. */
function orphansOf(state: FoldState, id: string): string[] {
  const errors = state.orphans.flatMap(({ tool, error }) => (tool === id ? [error] : []));
  state.orphans = state.orphans.filter(({ tool }) => tool !== id);
  return errors;
}

/** What has begun is where it began, whatever is told later. */
async function stepOfUse({ step }: OpenUse, { task, at }: PlacedEvent, draft: TaskDraft): Promise<OpenStep> {
  return { id: step, props: await draft.step(task, step, 0, isoOf(at)) };
}

/** The use that an event is about: the one that it names, else the latest open one of its tool, else its own. */
function toolOf(event: PlacedEvent, fact: ToolFact, uses: ToolUses): string {
  if (event.toolName !== null) return namedId('tool', event.task, event.toolName);
  const open = fact.kind === 'tool_end' ? uses.open.at(-1) : undefined;
  return open?.id ?? traceId('tool', event.id);
}
