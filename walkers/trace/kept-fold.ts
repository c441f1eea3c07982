import type { NodeIdentity } from '../../runtime/index.js';
import { Step, StepInvokesTool, Task, ToolInvocation, TraceCursor, TraceError } from '../../schema/index.js';
import type { FoldState } from './fold-state.js';
import { cursorId, type RecordContext, toucherId } from './record-context.js';
import { placeAmongSimilar } from './similar-steps.js';
import type { StoredTrace, TaskDraft } from './task-draft.js';

/** A task as far as it was folded. */
export interface Folded {
  readonly task: string;
  readonly state: FoldState;
  readonly draft: TaskDraft;
}

/** Keeps where the folding of tasks stands. */
export async function keepState(
  folded: readonly Folded[],
  { createAll }: Pick<RecordContext, 'createAll'>,
): Promise<void> {
  await createAll(
    folded.flatMap(({ task, state, draft }) => [
      TraceCursor({ state }, { id: cursorId(task) }),
      ...[...draft.touchers].map(([path, step]) =>
        TraceCursor({ state: { step } }, { id: toucherId(task, path) }),
      ),
    ]),
  );
}

/**
 * Puts steps where they belong among those like them.
 *
 * @param whole Whether the draft has all failures of the steps.
 */
export async function placeSteps(
  draft: TaskDraft,
  steps: readonly string[],
  whole: boolean,
  context: RecordContext,
): Promise<void> {
  const failures = draft.failures();
  for (const step of steps) {
    const { ended_at = null, files_touched = [] } = draft.steps.get(step) ?? {};
    const likeness = {
      step,
      ended: ended_at !== null,
      files: files_touched,
      fingerprints: failures.get(step) ?? [],
      whole,
    };
    await placeAmongSimilar(likeness, context);
  }
}

/** What the graph holds of traces already, for a draft. */
export function storedTrace({ nodesOf, q }: Pick<RecordContext, 'nodesOf' | 'q'>): StoredTrace {
  return {
    task: async (id) => copyOf((await nodesOf(Task, [id]))[0]),
    step: async (id) => copyOf((await nodesOf(Step, [id]))[0]),
    tool: async (id) => copyOf((await nodesOf(ToolInvocation, [id]))[0]),
    testsOf: async (id) => copyOf((await nodesOf(TraceError, [id]))[0])?.tests ?? [],
    stepOfTool: async (id) => (await q(id).in(StepInvokesTool).ids())[0],
    toucher: async (task, path) => {
      const [known] = await nodesOf(TraceCursor, [toucherId(task, path)]);
      return typeof known?.state.step === 'string' ? known.state.step : undefined;
    },
  };
}

/** The properties of a node, for changing; undefined for a stub. */
function copyOf<R extends NodeIdentity>(ref: R | undefined): Omit<R, keyof NodeIdentity> | undefined {
  if (ref === undefined || ref.gone) return undefined;
  const { id: _, archetype: __, gone: ___, ...props } = ref;
  return props;
}
