import type { FlowFact } from '../flow-facts.js';
import { type ModuleTable, type Place, TOP, within } from './module-table.js';

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
  const candidates = (table.flows.get(target) ?? []).filter(
    (flow) =>
      flow.kind === undefined &&
      flow.keys === undefined &&
      (withConditions || flow.narrows !== true) &&
      scopeOf(flow) === scope &&
      (at === null ? !flow.block : within(at, flow.block)),
  );
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
