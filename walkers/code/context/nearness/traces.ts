import { compareText, type ReadContext } from '../../../../runtime/index.js';
import {
  fileId,
  parseId,
  StepInvokesTool,
  Task,
  TaskHasStep,
  ToolTouchesFile,
} from '../../../../schema/index.js';
import { add } from './scores.js';

/** Tasks that are looked at, the latest first. */
const MOST_TASKS = 50;
/** What an earlier task counts of the next one: the tenth last a third. */
const FADING = 0.9;
/** What reading a file says of what changing it says. */
const READ_SHARE = 0.5;

/** What earlier work says about other files. */
export interface WorkedTogether {
  readonly scores: Map<string, number>;
  /** How many tasks touched a file together with one that was asked for, by path. */
  readonly tasks: Map<string, number>;
}

/** Files that the same tasks touched: the latest tasks and those that touched few files count most. */
export async function workedTogether(
  { q }: Pick<ReadContext, 'q'>,
  asked: readonly string[],
): Promise<WorkedTogether> {
  const found: WorkedTogether = { scores: new Map(), tasks: new Map() };
  const inside = new Set(asked);
  const tasks = await q(asked.map(fileId)).in(ToolTouchesFile).in(StepInvokesTool).in(TaskHasStep).of(Task);
  const latest = [...tasks].sort(
    (a, b) => compareText(b.created_at, a.created_at) || compareText(a.id, b.id),
  );
  for (const [age, task] of latest.slice(0, MOST_TASKS).entries()) {
    const uses = new Map<string, number>();
    for (const { to, use } of await q(task)
      .out(TaskHasStep)
      .out(StepInvokesTool)
      .out(ToolTouchesFile)
      .edges()) {
      const path = parseId(to)?.path ?? null;
      if (path === null || inside.has(path)) continue;
      uses.set(path, Math.max(uses.get(path) ?? 0, use === 'write' ? 1 : READ_SHARE));
    }
    for (const [path, share] of uses) {
      add(found.scores, path, (share * FADING ** age) / Math.log2(1 + uses.size));
      add(found.tasks, path, 1);
    }
  }
  return found;
}
