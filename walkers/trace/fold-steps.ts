import { LIMITS } from '../../schema/index.js';
import { agentOf, namedId, traceId } from './event-ids.js';
import type { FactOf } from './fact.js';
import { type EventKey, type FoldState, isAfter } from './fold-state.js';
import { keyOf, type PlacedEvent } from './placed-events.js';
import type { StepProps, TaskDraft } from './task-draft.js';
import { isoOf } from './times.js';

/** The place of the step that is opened where none was named. */
const BEFORE_ALL: EventKey = [0, ''];

/** What a use of a tool says of its purpose. */
export type Purpose = Pick<FactOf<'tool_start'>, 'role' | 'role_raw'>;

/** A step in the draft. */
export interface OpenStep {
  readonly id: string;
  readonly props: StepProps;
}

/** The step that an event is part of: the one that it names, else the open one; one is opened where none is. */
export async function stepOf(state: FoldState, event: PlacedEvent, draft: TaskDraft): Promise<OpenStep> {
  if (event.stepName !== null) return stepBeside(state, event, event.stepName, draft);
  const id = state.step?.id ?? traceId('step', event.task);
  state.step ??= { id, key: BEFORE_ALL, order: null, named: false, over: false, role: null };
  return { id, props: await draft.step(event.task, id, 0, isoOf(event.at)) };
}

/**
 * The step that a use of a tool is part of, as {@link stepOf}. Where no `step` event began the open one, the first
 * role that is told is its role, and another one begins the next step; so does any after the task's end.
 */
export async function stepFor(
  state: FoldState,
  event: PlacedEvent,
  purpose: Purpose,
  draft: TaskDraft,
): Promise<OpenStep> {
  const role = roleOf(purpose);
  const open = await stepOf(state, event, draft);
  const { step } = state;
  if (event.stepName !== null || role === null || step === null || step.named) return open;
  state.roled = keyOf(event);
  if (!step.over && roleOf(open.props) === role) return open;
  if (!step.over && roleOf(open.props) === null) {
    giveRole(open.props, purpose);
    step.role = role;
    return open;
  }
  await endStep(open.id, event, draft);
  const id = traceId('step', event.task, 'role', event.id);
  state.place += 1;
  state.step = { id, key: keyOf(event), order: null, named: false, over: false, role };
  const props = await draft.step(event.task, id, state.place, isoOf(event.at));
  giveRole(props, purpose);
  return { id, props };
}

/** Whether a use of a tool that comes late might have begun a step, or been part of another one. */
export function changesRoles(state: FoldState, event: PlacedEvent, purpose: Purpose): boolean {
  const role = roleOf(purpose);
  if (event.stepName !== null || role === null || state.step?.named) return false;
  const key = keyOf(event);
  const { step } = state;
  const isOther = role !== (step?.role ?? null);
  const begins = step?.over || (isOther && (step?.role ?? null) !== null);
  return (
    !isAfter(key, state.ended) ||
    (isOther && !isAfter(key, state.roled)) ||
    (begins && !isAfter(key, state.begun))
  );
}

/** The step that a `step` event is about; it is the open one from then on. */
export async function nameStep(
  state: FoldState,
  event: PlacedEvent,
  fact: FactOf<'step'>,
  draft: TaskDraft,
): Promise<string> {
  const id = await idOfStep(state, event, fact, draft);
  if (state.step?.id !== id) await endStep(state.step?.id, event, draft);
  state.beside = state.beside.filter((one) => one !== id);
  const step = await draft.step(event.task, id, fact.order, isoOf(event.at));
  draft.place(event.task, id, step, fact.order);
  step.ended_at = null;
  if (roleOf(fact) !== null) giveRole(step, fact);
  if (fact.llm_summary !== '')
    [step.llm_summary, step.truncated_bytes] = [fact.llm_summary, fact.truncated_bytes];
  const order = event.stepName === null ? fact.order : null;
  state.step = { id, key: keyOf(event), order, named: true, over: false, role: null };
  state.place = fact.order;
  return id;
}

/** Ends the steps that are open: their task does (S3-42). */
export async function endSteps(state: FoldState, event: PlacedEvent, draft: TaskDraft): Promise<void> {
  for (const id of [state.step?.id, ...state.beside]) await endStep(id, event, draft);
  state.beside = [];
  if (state.step) state.step.over = true;
}

async function endStep(id: string | undefined, event: PlacedEvent, draft: TaskDraft): Promise<void> {
  if (id === undefined) return;
  const step = await draft.step(event.task, id, 0, isoOf(event.at));
  step.ended_at ??= isoOf(event.at);
}

/** A step that an event names. That of a sub agent stands where the agent's own work stood when it began. */
async function stepBeside(
  state: FoldState,
  event: PlacedEvent,
  name: string,
  draft: TaskDraft,
): Promise<OpenStep> {
  const id = namedId('step', event.task, name);
  const agent = agentOf(name);
  const props = await draft.step(event.task, id, agent === null ? 0 : state.place, isoOf(event.at));
  props.agent = agent;
  if (id !== state.step?.id && props.ended_at === null) await openBeside(state, id, event, draft);
  return { id, props };
}

/** Of too many open steps the first one ends. */
async function openBeside(state: FoldState, id: string, event: PlacedEvent, draft: TaskDraft): Promise<void> {
  if (state.beside.includes(id)) return;
  state.beside.push(id);
  if (state.beside.length > LIMITS.openTools.max) await endStep(state.beside.shift(), event, draft);
}

/**
 * The step that an event is about: the one that it names, else the open one or the first one of its order, unless
 * that is said to be something else. Who counts from 1 again takes nothing from the steps before; the same said again
 * is the same step.
 */
async function idOfStep(
  state: FoldState,
  { task, stepName }: PlacedEvent,
  fact: FactOf<'step'>,
  draft: TaskDraft,
): Promise<string> {
  if (stepName !== null) return namedId('step', task, stepName);
  const { order, llm_summary } = fact;
  const first = traceId('step', task, order);
  const open = state.step?.order === order ? state.step.id : first;
  for (const id of [open, first]) {
    const known = await draft.knownStep(id);
    if (known === undefined || !isAnother(known, fact)) return id;
  }
  return traceId('step', task, order, roleOf(fact) ?? '', llm_summary);
}

/** Whether an event says of a step what was not said of it before. */
function isAnother(known: StepProps, fact: FactOf<'step'>): boolean {
  const [was, is] = [roleOf(known), roleOf(fact)];
  const others = was !== null && is !== null && was !== is;
  return (
    others || (known.llm_summary !== '' && fact.llm_summary !== '' && known.llm_summary !== fact.llm_summary)
  );
}

function giveRole(step: StepProps, { role, role_raw }: Purpose): void {
  [step.role, step.role_raw] = [role, role_raw];
}

/** A role as it was told. */
export function roleOf({ role, role_raw }: Purpose): string | null {
  return role ?? role_raw;
}
