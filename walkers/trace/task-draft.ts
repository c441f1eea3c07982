import type { EdgeDraft, NodeDraft, PropsOf } from '../../runtime/index.js';
import {
  CheckpointNode,
  ErrorResolvedByStep,
  fileId,
  LIMITS,
  Step,
  StepDependsOnStep,
  StepHasCheckpoint,
  StepHasError,
  StepInvokesTool,
  Task,
  TaskHasStep,
  ToolInvocation,
  ToolTouchesFile,
  ToolTouchesSymbol,
  TraceError,
} from '../../schema/index.js';

/** The properties of a task, step and use of a tool, for changing. */
export type TaskProps = PropsOf<typeof Task>;
/** See {@link TaskProps}. */
export type StepProps = PropsOf<typeof Step>;
/** See {@link TaskProps}. */
export type ToolProps = PropsOf<typeof ToolInvocation>;

/** What is stored of a task already; undefined for what is not there. */
export interface StoredTrace {
  task(id: string): Promise<TaskProps | undefined>;
  step(id: string): Promise<StepProps | undefined>;
  tool(id: string): Promise<ToolProps | undefined>;
  testsOf(error: string): Promise<readonly string[]>;
  stepOfTool(id: string): Promise<string | undefined>;
  /** The last step of a task that touched a file. */
  toucher(task: string, path: string): Promise<string | undefined>;
}

/** A fold from the first event on: nothing counts as stored. */
export const NOTHING_STORED: StoredTrace = {
  task: async () => undefined,
  step: async () => undefined,
  tool: async () => undefined,
  testsOf: async () => [],
  stepOfTool: async () => undefined,
  toucher: async () => undefined,
};

/** What an event says that a tool touched. */
interface Touched {
  readonly files: readonly string[];
  /** Ids. */
  readonly symbols?: readonly string[];
}

/** An edge that is to be there. */
export interface Link {
  readonly from: string;
  readonly to: string;
  readonly edge: EdgeDraft;
}

/** The nodes and edges that events make of a task, before they are written. */
export class TaskDraft {
  readonly tasks = new Map<string, TaskProps>();
  readonly steps = new Map<string, StepProps>();
  readonly tools = new Map<string, ToolProps>();
  readonly checkpoints = new Map<string, NodeDraft<typeof CheckpointNode>>();
  readonly errors = new Map<string, NodeDraft<typeof TraceError>>();
  /** The step that touched a file last, by path. */
  readonly touchers = new Map<string, string>();
  /** The step that was made last. */
  newest: string | null = null;
  /** Uses of tools that an error tells of: none of them was done well, whatever its end says. */
  readonly denied: ReadonlySet<string>;
  readonly #stepsOfTools = new Map<string, string>();
  readonly #links = new Map<string, Link>();

  constructor(
    private readonly stored: StoredTrace,
    denied: Iterable<string> = [],
  ) {
    this.denied = new Set(denied);
  }

  /** The task with this id, made where there is none. */
  async task(id: string, createdAt: string): Promise<TaskProps> {
    const known = this.tasks.get(id) ?? (await this.stored.task(id));
    const task = known ?? Task({ created_at: createdAt }).props;
    this.tasks.set(id, task);
    if (createdAt < task.created_at) task.created_at = createdAt;
    return task;
  }

  /** The step with this id; undefined where there is none. */
  async knownStep(id: string): Promise<Readonly<StepProps> | undefined> {
    return this.steps.get(id) ?? (await this.stored.step(id));
  }

  /** The step with this id, made in its task where there is none. */
  async step(task: string, id: string, order: number, at: string): Promise<StepProps> {
    const known = this.steps.get(id) ?? (await this.stored.step(id));
    const step = known ?? Step({ order, started_at: at }).props;
    this.steps.set(id, step);
    if (!known) {
      this.#link(task, id, TaskHasStep({ order }));
      this.newest = id;
    }
    if (step.started_at === null || at < step.started_at) step.started_at = at;
    return step;
  }

  /** Puts a step at its place in the task. */
  place(task: string, id: string, step: StepProps, order: number): void {
    step.order = order;
    this.#link(task, id, TaskHasStep({ order }));
  }

  /** The use of a tool with this id, made in a step where there is none. */
  async tool(id: string, step: string, name: string): Promise<ToolProps> {
    const known = this.tools.get(id) ?? (await this.stored.tool(id));
    const tool = known ?? ToolInvocation({ tool_name: name }).props;
    this.tools.set(id, tool);
    if (!known) {
      this.#link(step, id, StepInvokesTool({}));
      this.#stepsOfTools.set(id, step);
    }
    return tool;
  }

  /** The step that a use of a tool is of; undefined where it has not been told of. */
  async stepOfTool(id: string): Promise<string | undefined> {
    return this.#stepsOfTools.get(id) ?? this.stored.stepOfTool(id);
  }

  checkpoint(id: string, step: string, props: PropsOf<typeof CheckpointNode>): void {
    this.checkpoints.set(id, CheckpointNode(props, { id }));
    this.#link(step, id, StepHasCheckpoint());
  }

  error(id: string, step: string, props: PropsOf<typeof TraceError>): void {
    this.errors.set(id, TraceError(props, { id }));
    this.#link(step, id, StepHasError());
  }

  async testsOf(error: string): Promise<readonly string[]> {
    return this.errors.get(error)?.props.tests ?? this.stored.testsOf(error);
  }

  /** Whether a use of a tool was stored as done well. */
  async passedBefore(id: string): Promise<boolean> {
    return (await this.stored.tool(id))?.success === true;
  }

  /** Notes the step that mended what an error told of. */
  resolve(error: string, step: string): void {
    this.#link(error, step, ErrorResolvedByStep());
  }

  /** A tool touched files: it, its step and its task say so. The paths that the step had not touched before. */
  touch(
    tool: string,
    step: StepProps,
    task: TaskProps,
    { files: paths, symbols = [] }: Touched,
  ): readonly string[] {
    for (const symbol of symbols) this.#link(tool, symbol, ToolTouchesSymbol());
    for (const path of paths) this.#link(tool, fileId(path), ToolTouchesFile({}));
    const fresh = paths.filter((path) => !step.files_touched.includes(path));
    task.files_touched = withPaths(task.files_touched, paths);
    step.files_touched = withPaths(step.files_touched, fresh);
    return fresh;
  }

  /**
   * Whether no step that began later than this one touched a file. Of two that began in one millisecond nobody knows:
   * then the answer is no.
   */
  async isLastToucher(task: string, step: string, path: string): Promise<boolean> {
    const last = this.touchers.get(path) ?? (await this.stored.toucher(task, path));
    if (last === undefined || last === step) return true;
    const [its, mine] = [await this.knownStep(last), await this.knownStep(step)];
    return (its?.started_at ?? '') < (mine?.started_at ?? '');
  }

  /** Notes that the step of a task that touched a file last does so: it builds on the step that did so before. */
  async build(task: string, step: string, path: string): Promise<void> {
    const earlier = this.touchers.get(path) ?? (await this.stored.toucher(task, path));
    if (earlier === step) return;
    if (earlier !== undefined) this.#link(step, earlier, StepDependsOnStep({}));
    this.touchers.set(path, step);
  }

  /** The fingerprints of the errors that the draft has, by step. */
  failures(): ReadonlyMap<string, readonly string[]> {
    const failures = new Map<string, string[]>();
    for (const { from, to, edge } of this.#links.values()) {
      if (edge.archetype.name !== StepHasError.name) continue;
      const fingerprint = this.errors.get(to)?.props.fingerprint ?? [];
      failures.set(from, (failures.get(from) ?? []).concat(fingerprint));
    }
    return failures;
  }

  /** Before all of {@link build} is done anew. */
  forgetBuilding(): void {
    this.touchers.clear();
    for (const [key, { edge }] of this.#links)
      if (edge.archetype.name === StepDependsOnStep.name) this.#links.delete(key);
  }

  /** The edges that are to be there. */
  get links(): readonly Link[] {
    return [...this.#links.values()];
  }

  #link(from: string, to: string, edge: EdgeDraft): void {
    this.#links.set(linkKey(edge.archetype.name, from, to), { from, to, edge });
  }
}

/** What tells one edge of a trace from another. */
export function linkKey(type: string, from: string, to: string): string {
  return `${type}\0${from}\0${to}`;
}

/** The same list where nothing is new; the first by name where there are too many, whatever order they came in. */
function withPaths(known: string[], more: readonly string[]): string[] {
  const fresh = more.filter((path) => !known.includes(path));
  if (fresh.length === 0) return known;
  return [...known, ...fresh].sort().slice(0, LIMITS.taskFiles.max);
}
