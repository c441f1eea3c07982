import type { FlowFact } from '../flow-facts.js';
import { compareSpans, lastOf, startsBefore } from './chosen-definition.js';
import { Grouping, type ModuleTable, type Place, TOP, within } from './module-table.js';

/** Which flows to a target are seen at a place. */
export interface Reaching {
  /** In source order. */
  readonly flows: readonly FlowFact[];
  /** Whether one of them surely came before: what the name held at first is gone. */
  readonly isWhole: boolean;
  /** Whether the name is that of a block inside the scope, as a comprehension's is. */
  readonly isInner: boolean;
}

/**
 * The flows of a target in a scope that can be what is found at a place of that scope; `at` null asks from elsewhere,
 * when the whole scope has been run. A later flow hides an earlier one if it is run whenever that or the place is.
 * `withConditions`: whether what a condition tells counts besides what is assigned.
 */
export function reaching(
  table: ModuleTable,
  target: string,
  scope: number,
  at: Place | null,
  withConditions = true,
): Reaching | null {
  const near = nearFlows(table.flows.get(target) ?? [], scope, at, withConditions);
  if (near === null) return beyondTelling(target, scope);
  const candidates = near.filter((flow) => (at === null ? !flow.block : within(at, flow.block)));
  if (candidates.length === 0) return null;
  const inner = candidates.filter((flow) => flow.block).slice(-1);
  const isOverwritten = candidates.some(
    (flow) => !flow.block && at !== null && within(flow, inner[0]?.block) && isBefore(flow, at),
  );
  if (inner.length > 0 && !isOverwritten) return { flows: inner, isWhole: true, isInner: true };
  const seen = candidates.filter((flow) => !flow.block && isSeen(flow, scope, at));
  // What is surely run hides all that is before it, which is most in a long file.
  const last = seen.findLastIndex((flow) => isRunBefore(flow, scope, at));
  const open = seen.slice(Math.max(0, last));
  const flows = open.filter((flow, index) => !open.some((later, i) => i > index && hides(later, flow, at)));
  return { flows, isWhole: flows.some((flow) => isRunBefore(flow, scope, at)), isInner: false };
}

/** Flows of one target that are looked at for one place: what more of them bring there is not told. */
export const MOST_FLOWS = 100;

/** So many flows that nothing is known of the target: something that cannot be followed. */
function beyondTelling(target: string, scope: number): Reaching {
  const unknown: FlowFact = { target, value: null, from: scope === TOP ? null : scope, line: 0, column: 0 };
  return { flows: [unknown], isWhole: true, isInner: false };
}

/** The assignments of one target to a scope, by how they are looked for; all in source order. */
interface ScopeFlows {
  /** Seen in all of the scope, assigned by itself. */
  readonly own: readonly FlowFact[];
  /** Seen in all of the scope, assigned by functions inside of it. */
  readonly others: readonly FlowFact[];
  /** Seen in a block, in the order of the blocks. */
  readonly inBlocks: readonly FlowFact[];
  /** Of each of those the block around its own, as an index. */
  readonly around: readonly (number | null)[];
}

/** The assignments of one target by the scope of its variable. */
export const assignedByScope = new Grouping((flow: FlowFact) => (isAssigned(flow) ? scopeOf(flow) : null));
/** The same without what conditions tell. */
const plainByScope = new Grouping((flow: FlowFact) =>
  isAssigned(flow) && flow.narrows !== true ? scopeOf(flow) : null,
);
const flowsOfScope = new WeakMap<readonly FlowFact[], ScopeFlows>();

/** Whether a flow assigns its target as a whole. */
export function isAssigned({ kind, keys }: FlowFact): boolean {
  return kind === undefined && keys === undefined;
}

/**
 * The flows that can be what reaches a place, and more, in source order: of few all, of many those around the place.
 * Null when that are too many.
 */
function nearFlows(
  flows: readonly FlowFact[],
  scope: number,
  at: Place | null,
  withConditions: boolean,
): readonly FlowFact[] | null {
  const all = (withConditions ? assignedByScope : plainByScope).in(flows, scope);
  if (all.length <= MOST_FLOWS) return all;
  const { own, others, inBlocks, around } = scopeFlows(all, scope);
  const inner = at === null ? [] : innermost(inBlocks, around, at);
  const end = at === null ? own.length : countBefore(own, (flow) => isBefore(flow, at));
  const start = Math.max(0, end - MOST_FLOWS);
  let behind = end;
  // What a loop assigns below a place reaches it too.
  while (at && isInLoop(own[behind], at) && behind - end <= MOST_FLOWS) behind += 1;
  if (behind - end > MOST_FLOWS) return null;
  const near = own.slice(start, behind);
  const last = near.findLast((flow) => isRunBefore(flow, scope, at));
  if (!last && start > 0) return null;
  const first = last ? countBefore(others, (flow) => isBefore(flow, last)) : 0;
  if (others.length - first > MOST_FLOWS) return null;
  return [...near, ...others.slice(first), ...inner].sort(byPlace);
}

function scopeFlows(all: readonly FlowFact[], scope: number): ScopeFlows {
  const known = flowsOfScope.get(all);
  if (known) return known;
  const sorted = [...all].sort(byPlace);
  const inBlocks = sorted.filter(({ block }) => block).sort((a, b) => compareSpans(a.block, b.block));
  const open: number[] = [];
  const around = inBlocks.map(({ block }, index) => {
    const start = { line: block?.start_line ?? 0, column: block?.start_column ?? 0 };
    while (open.length > 0 && !within(start, inBlocks[open.at(-1) ?? 0]?.block)) open.pop();
    const outer = open.at(-1) ?? null;
    open.push(index);
    return outer;
  });
  const inAll = sorted.filter(({ block }) => !block);
  const isOwn = (flow: FlowFact) => (flow.from ?? TOP) === scope;
  const made = { own: inAll.filter(isOwn), others: inAll.filter((flow) => !isOwn(flow)), inBlocks, around };
  flowsOfScope.set(all, made);
  return made;
}

/** The last flow whose block is the innermost one around a place; none where there is no such block. */
function innermost(
  inBlocks: readonly FlowFact[],
  around: readonly (number | null)[],
  at: Place,
): readonly FlowFact[] {
  let index = lastOf(inBlocks, ({ block }) => block !== undefined && startsBefore(block, at));
  while (index !== null && !within(at, inBlocks[index]?.block)) index = around[index] ?? null;
  const found = index === null ? undefined : inBlocks[index];
  return found ? [found] : [];
}

function isInLoop(flow: FlowFact | undefined, at: Place): boolean {
  return flow?.loop !== undefined && isInside(at.line, flow.loop);
}

/** How many items of a list something holds of that holds of all before them. */
function countBefore<T>(list: readonly T[], holds: (one: T) => boolean): number {
  return (lastOf(list, holds) ?? -1) + 1;
}

function byPlace(a: FlowFact, b: FlowFact): number {
  return a.line - b.line || a.column - b.column;
}

/** Whether what is found is what a condition tells: it is that, whatever type is written. */
export function isByCondition(found: Reaching | null): boolean {
  return found?.isWhole === true && found.flows.every(({ narrows }) => narrows === true);
}

/** The definition whose variable a flow's target is, TOP for the module's. */
export function scopeOf(flow: FlowFact): number {
  const scope = flow.scope === undefined ? flow.from : flow.scope;
  return scope ?? TOP;
}

function isSeen(flow: FlowFact, scope: number, at: Place | null): boolean {
  if (at === null || (flow.from ?? TOP) !== scope) return true;
  return isBefore(flow, at) || (flow.loop !== undefined && isInside(at.line, flow.loop));
}

function hides(later: FlowFact, earlier: FlowFact, at: Place | null): boolean {
  if ((later.from ?? TOP) !== scopeOf(later)) return false;
  if (at !== null && !isBefore(later, at)) return false;
  const { branch } = later;
  return !branch || isInside(earlier.line, branch) || (at !== null && isInside(at.line, branch));
}

function isRunBefore(flow: FlowFact, scope: number, at: Place | null): boolean {
  if ((flow.from ?? TOP) !== scope) return false;
  if (at !== null && !isBefore(flow, at)) return false;
  return !flow.branch || (at !== null && isInside(at.line, flow.branch));
}

function isBefore(flow: FlowFact, at: Place): boolean {
  return flow.line < at.line || (flow.line === at.line && flow.column < at.column);
}

function isInside(line: number, [start, end]: readonly [number, number]): boolean {
  return line >= start && line <= end;
}
