import { type Failure, failureOfError, parseFailure, showsFailure } from '../../failures/index.js';
import { compareText } from '../../runtime/index.js';
import {
  CheckpointNode,
  type EdgeDraft,
  ErrorResolvedByStep,
  fileId,
  isoOf,
  LIMITS,
  type NodeDraft,
  type NodeType,
  type PropsOf,
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
import { compareKeys, type EventKey } from './event.js';
import { ENDED, type Fact, type FactOf, failureOfEnd, isUnknownStatus } from './fact.js';
import { agentOf, namedId, traceId } from './ids.js';
import {
  type Action,
  actionKind,
  ResolutionFold,
  type Resolutions,
  runShownBy,
  type TestName,
} from './resolutions.js';
import { toolUse } from './tool-use.js';

/** One event in its task. */
export interface PlacedEvent {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Whether its session decided which task it belongs to, rather than the event. */
  readonly bySession: boolean;
  /** The step that it names; null: the open one. */
  readonly stepName: string | null;
  /** The tool use that it names; null: the latest open one of its tool. */
  readonly toolName: string | null;
  readonly fact: Fact;
}

/** The step and the tool use that an event became part of. */
export interface Placement {
  readonly step: string | null;
  readonly tool: string | null;
}

/** An edge of a task's trace. */
export interface Link {
  readonly from: string;
  readonly to: string;
  readonly edge: EdgeDraft;
}

type Purpose = Pick<FactOf<'tool_start'>, 'role' | 'role_raw'>;
type StepProps = PropsOf<typeof Step>;

interface OpenStep {
  readonly id: string;
  /** Null where the event named the step itself, or none began it. */
  readonly order: number | null;
  /** Whether a `step` event began it: then roles of tools begin no others. */
  readonly named: boolean;
  /** Whether the task ended while it was open. */
  over: boolean;
}

interface ToolState {
  readonly props: PropsOf<typeof ToolInvocation>;
  readonly step: string;
  readonly files: Set<string>;
  role: string | null;
  interrupted: boolean;
  /** Bytes cut off its start and its end. */
  cut: readonly [number, number];
  /** Its place among the tool uses that ended; null while it runs. */
  end: number | null;
  readonly errors: string[];
}

const NOWHERE: Placement = { step: null, tool: null };

/**
 * Makes a task from its events. They are added in the order of their keys; the same events give the same task, whatever
 * order they arrived in (C-02). An event that comes before the last one takes a new fold of all of them.
 */
export class TaskFold {
  /** The key of the last event. */
  last: EventKey | null = null;
  /** Ids of nodes and keys of links that changed since they were last written. */
  readonly changed = new Set<string>();
  readonly links = new Map<string, Link>();
  readonly #nodes = new Map<string, NodeDraft<NodeType>>();
  #task: PropsOf<typeof Task> | null = null;
  readonly #steps = new Map<string, StepProps>();
  readonly #tools = new Map<string, ToolState>();
  readonly #errors = new Map<string, { props: PropsOf<typeof TraceError>; step: string }>();
  /** Ids of open tool uses, by tool. */
  readonly #running = new Map<string, string[]>();
  readonly #ended: string[] = [];
  /** Errors without a tool use, after how many ended ones they came. */
  readonly #loose: { readonly error: string; readonly after: number }[] = [];
  #resolution: { readonly fold: ResolutionFold; ended: number; loose: number } | null = null;
  #step: OpenStep | null = null;
  /** The order of the open step. */
  #place = 0;
  /** Steps that are open alongside it: events named them, and no `step` event began them. */
  #parallel: string[] = [];
  #started = false;
  #endedAt: EventKey | null = null;
  /** The last event that was no end. */
  #active: EventKey | null = null;
  /** Whether the last end said how the task ended. */
  #isStatusSaid = false;
  #cut = { prompt: 0, summary: 0 };

  /** @param id The task's. */
  constructor(readonly id: string) {}

  /** Whether an event comes after all that were added. */
  isNext({ at, id }: Pick<PlacedEvent, 'at' | 'id'>): boolean {
    return this.last === null || compareKeys([at, id], this.last) > 0;
  }

  /** Adds the next event. */
  add(event: PlacedEvent): Placement {
    const { fact } = event;
    this.last = [event.at, event.id];
    if (this.#isEmptyEnd(event)) return NOWHERE;
    const at = isoOf(event.at);
    const task = this.#taskAt(at);
    if (!this.#started && fact.kind !== 'task_start') {
      // Of several reporters the first by name stands for all, whatever their order.
      task.session_id = firstByName(task.session_id, fact.session_id ?? null);
      task.client = firstByName(task.client, fact.client ?? null);
    }
    if (fact.kind !== 'task_end') this.#active = this.last;
    switch (fact.kind) {
      case 'task_start': {
        const { user_prompt, tags, session_id, client } = fact;
        Object.assign(task, { user_prompt, tags, session_id, client });
        this.#cut.prompt = fact.truncated_bytes;
        task.truncated_bytes = this.#cut.prompt + this.#cut.summary;
        this.#started = true;
        return NOWHERE;
      }
      case 'step':
        return { step: this.#nameStep(event, fact), tool: null };
      case 'tool_start':
      case 'tool_end':
        return this.#useTool(event, fact);
      case 'checkpoint': {
        const step = this.#stepOf(event);
        const id = traceId('checkpoint', event.id);
        const { checkpoint_file, created_at } = fact;
        this.#put(CheckpointNode({ checkpoint_file, created_at: created_at ?? at }, { id }));
        this.#link(step, id, StepHasCheckpoint());
        return { step, tool: null };
      }
      case 'error':
        return this.#meetError(event, fact);
      case 'task_end':
        this.#endTask(event, fact);
        return { step: this.#step?.id ?? null, tool: null };
    }
  }

  /** Whether the task has any events that made something of it. */
  get exists(): boolean {
    return this.#task !== null;
  }

  /** The draft of a node; undefined for an id that is none of its nodes. */
  draftOf(id: string): NodeDraft<NodeType> | undefined {
    if (id === this.id && this.#task) return Task(this.#task, { id });
    const [step, tool, error] = [this.#steps.get(id), this.#tools.get(id), this.#errors.get(id)];
    if (step) return Step(step, { id });
    if (tool) return ToolInvocation(tool.props, { id });
    return error ? TraceError(error.props, { id }) : this.#nodes.get(id);
  }

  /** Ids of all its nodes. */
  nodeIds(): string[] {
    return [
      ...(this.#task ? [this.id] : []),
      ...[this.#steps, this.#tools, this.#errors, this.#nodes].flatMap((some) => [...some.keys()]),
    ];
  }

  /** Ids of its steps. */
  stepIds(): string[] {
    return [...this.#steps.keys()];
  }

  /** Whether its prompt is among its events. */
  get hasPrompt(): boolean {
    return this.#started;
  }

  /** Updates what follows from all events together: resolutions, and which step builds on which. */
  settle(): void {
    const { resolved } = this.#resolutions();
    const sources = [...this.#tools, ...this.#errors].map(([id, { props }]) => ({ id, props }));
    const derived = new Map<string, Link>();
    const derive = (link: Link) => derived.set(linkKey(link), link);
    for (const { id, props } of sources) {
      const resolution = resolved.get(id);
      if (!resolution && props.resolved_by.length === 0) continue;
      const tools = [...(resolution?.tools ?? [])];
      const fixes = Object.fromEntries(
        [...(resolution?.byTest ?? [])].map(([test, some]) => [test, [...some]]),
      );
      if (!equal(props.resolved_by, tools) || !equal(props.fixes, fixes)) {
        [props.resolved_by, props.fixes] = [tools, fixes];
        this.changed.add(id);
      }
      if (resolution && this.#errors.has(id))
        derive({ from: id, to: resolution.step, edge: ErrorResolvedByStep() });
    }
    const touchers = new Map<string, string>();
    for (const [id, { files_touched }] of this.#steps)
      for (const path of files_touched) {
        const earlier = touchers.get(path);
        if (earlier !== undefined) derive({ from: id, to: earlier, edge: StepDependsOnStep({}) });
        touchers.set(path, id);
      }
    for (const [key, { edge }] of this.links)
      if (DERIVED.has(edge.archetype.name) && !derived.has(key)) {
        this.links.delete(key);
        this.changed.add(key);
      }
    for (const [key, link] of derived)
      if (!this.links.has(key)) {
        this.links.set(key, link);
        this.changed.add(key);
      }
  }

  #taskAt(at: string): PropsOf<typeof Task> {
    this.#task ??= Task({ created_at: at }).props;
    if (at < this.#task.created_at) this.#task.created_at = at;
    this.changed.add(this.id);
    return this.#task;
  }

  #stepAt(id: string, order: number, at: string): StepProps {
    const known = this.#steps.get(id);
    const step = known ?? Step({ order, started_at: at }).props;
    if (!known) {
      this.#steps.set(id, step);
      this.#link(this.id, id, TaskHasStep({ order }));
    }
    if (step.started_at === null || at < step.started_at) step.started_at = at;
    this.changed.add(id);
    return step;
  }

  /** The step of an event: the one that it names, else the open one; one is opened where none is. */
  #stepOf({ stepName, at }: PlacedEvent): string {
    if (stepName === null) {
      this.#step ??= { id: traceId('step', this.id), order: null, named: false, over: false };
      this.#stepAt(this.#step.id, 0, isoOf(at));
      return this.#step.id;
    }
    const id = namedId('step', this.id, stepName);
    const agent = agentOf(stepName);
    // A sub agent's step stands where the agent's own work stood when it began.
    const props = this.#stepAt(id, agent === null ? 0 : this.#place, isoOf(at));
    props.agent = agent;
    if (id !== this.#step?.id && props.ended_at === null && !this.#parallel.includes(id)) {
      this.#parallel.push(id);
      if (this.#parallel.length > LIMITS.openTools.max) this.#endStep(this.#parallel.shift(), at);
    }
    return id;
  }

  /**
   * The step of a tool use, as {@link #stepOf}. Where no `step` event began the open one, the first role of a tool is
   * its role, and another role begins the next step; so does any role after the task's end.
   */
  #stepFor(event: PlacedEvent, purpose: Purpose): string {
    const role = roleOf(purpose);
    const id = this.#stepOf(event);
    const step = this.#step;
    if (event.stepName !== null || role === null || step === null || step.named) return id;
    const props = this.#stepAt(id, 0, isoOf(event.at));
    if (!step.over && roleOf(props) === role) return id;
    if (!step.over && roleOf(props) === null) {
      giveRole(props, purpose);
      return id;
    }
    this.#endStep(id, event.at);
    const next = traceId('step', this.id, 'role', event.id);
    this.#place += 1;
    this.#step = { id: next, order: null, named: false, over: false };
    giveRole(this.#stepAt(next, this.#place, isoOf(event.at)), purpose);
    return next;
  }

  /** The step of a `step` event. It is the open one from then on. */
  #nameStep(event: PlacedEvent, fact: FactOf<'step'>): string {
    const id = this.#idOfStep(event, fact);
    if (this.#step?.id !== id) this.#endStep(this.#step?.id, event.at);
    this.#parallel = this.#parallel.filter((one) => one !== id);
    const step = this.#stepAt(id, fact.order, isoOf(event.at));
    step.order = fact.order;
    this.#link(this.id, id, TaskHasStep({ order: fact.order }));
    step.ended_at = null;
    if (roleOf(fact) !== null) giveRole(step, fact);
    if (fact.llm_summary !== '')
      [step.llm_summary, step.truncated_bytes] = [fact.llm_summary, fact.truncated_bytes];
    const order = event.stepName === null ? fact.order : null;
    this.#step = { id, order, named: true, over: false };
    this.#place = fact.order;
    return id;
  }

  /**
   * The step that a `step` event is about: the one that it names, else the open one or the first one of its order,
   * unless that was said to be something else. A client that counts from 1 again takes nothing from earlier steps, and
   * the same step said again is the same step.
   */
  #idOfStep({ stepName }: PlacedEvent, fact: FactOf<'step'>): string {
    if (stepName !== null) return namedId('step', this.id, stepName);
    const { order, llm_summary } = fact;
    const first = traceId('step', this.id, order);
    for (const id of [this.#step?.order === order ? this.#step.id : first, first]) {
      const known = this.#steps.get(id);
      if (known === undefined || !isAnother(known, fact)) return id;
    }
    return traceId('step', this.id, order, roleOf(fact) ?? '', llm_summary);
  }

  #endStep(id: string | undefined, at: number): void {
    const step = id === undefined ? undefined : this.#steps.get(id);
    if (!step || id === undefined) return;
    step.ended_at ??= isoOf(at);
    this.changed.add(id);
  }

  #useTool(event: PlacedEvent, fact: FactOf<'tool_start'> | FactOf<'tool_end'>): Placement {
    const running = this.#running.get(fact.tool_name) ?? [];
    const latest = fact.kind === 'tool_end' ? running.at(-1) : undefined;
    const id =
      event.toolName === null
        ? (latest ?? traceId('tool', event.id))
        : namedId('tool', this.id, event.toolName);
    const known = this.#tools.get(id);
    // A tool use stays in the step where it began, whatever else began meanwhile.
    const step = known?.step ?? this.#stepFor(event, fact);
    const tool = known ?? this.#newTool(id, step, fact.tool_name);
    const stepProps = this.#stepAt(step, 0, isoOf(event.at));
    const { props } = tool;
    tool.role ??= roleOf(fact);
    for (const file of fact.files) tool.files.add(file);
    if (fact.kind === 'tool_start') {
      props.tool_name = fact.tool_name;
      props.params_json = fact.params_json;
      props.started_at = isoOf(event.at);
      tool.cut = [fact.truncated_bytes, tool.cut[1]];
      if (tool.end === null && !running.includes(id)) this.#running.set(fact.tool_name, [...running, id]);
      else this.#resolution = null;
    } else {
      const { success, duration_ms, stdout, stderr } = fact;
      Object.assign(props, { success, duration_ms, stdout, stderr, ended_at: isoOf(event.at) });
      props.failure = success || fact.interrupted ? null : failureIn(fact);
      tool.interrupted = fact.interrupted;
      tool.cut = [tool.cut[0], fact.truncated_bytes];
      for (const [name, ids] of this.#running)
        if (ids.includes(id))
          this.#running.set(
            name,
            ids.filter((one) => one !== id),
          );
      // The last of several ends counts, at the place of the first one.
      if (tool.end !== null) this.#resolution = null;
      tool.end ??= this.#ended.push(id) - 1;
    }
    if (props.started_at !== null && props.ended_at !== null)
      props.duration_ms ??= Math.max(0, Date.parse(props.ended_at) - Date.parse(props.started_at)) || null;
    props.truncated_bytes = tool.cut[0] + tool.cut[1];
    this.changed.add(id);
    const symbols = fact.kind === 'tool_end' ? fact.symbols : [];
    for (const symbol of symbols) this.#link(id, symbol, ToolTouchesSymbol());
    for (const path of fact.files) this.#link(id, fileId(path), ToolTouchesFile({}));
    stepProps.files_touched = withPaths(stepProps.files_touched, fact.files);
    const task = this.#taskAt(isoOf(event.at));
    task.files_touched = withPaths(task.files_touched, fact.files);
    return { step, tool: id };
  }

  #newTool(id: string, step: string, tool_name: string): ToolState {
    const tool: ToolState = {
      props: ToolInvocation({ tool_name }).props,
      step,
      files: new Set(),
      role: null,
      interrupted: false,
      cut: [0, 0],
      end: null,
      errors: [],
    };
    // Errors may have named it before it was reported.
    for (const [error, { props }] of this.#errors) if (props.tool_id === id) tool.errors.push(error);
    this.#tools.set(id, tool);
    this.#link(step, id, StepInvokesTool({}));
    return tool;
  }

  /** Adds an error: to the step of the tool use that it names, else to the open one. */
  #meetError(event: PlacedEvent, fact: FactOf<'error'>): Placement {
    const id = traceId('error', event.id);
    const named = event.toolName === null ? null : namedId('tool', this.id, event.toolName);
    const tool = named === null ? undefined : this.#tools.get(named);
    const step = tool?.step ?? this.#stepOf(event);
    this.#stepAt(step, 0, isoOf(event.at));
    const { kind: _, session_id: __, client: ___, ...said } = fact;
    const failure = richer(said.failure ?? failureOfError(said), tool?.props.failure as Failure | null);
    const props = TraceError({ ...said, tool_id: named, created_at: isoOf(event.at), failure }).props;
    this.#errors.set(id, { props, step });
    this.#link(step, id, StepHasError());
    this.changed.add(id);
    const failed = named === null ? this.#failedLast() : undefined;
    if (tool || failed) {
      (tool ?? failed)?.errors.push(id);
      this.#resolution = null;
    } else if (named === null) this.#loose.push({ error: id, after: this.#ended.length });
    return { step, tool: named };
  }

  /** The tool use that ended last, if it failed: an error that names none reports it. */
  #failedLast(): ToolState | undefined {
    const tool = this.#tools.get(this.#ended.at(-1) ?? '');
    return tool && this.#actionOf(this.#ended.at(-1) ?? '', tool).outcome === 'failed' ? tool : undefined;
  }

  /**
   * Whether an end says nothing: one that only its session brought here, or that is for open tasks alone, and that says
   * neither success nor failure. It ends what is open; a task that has ended stays as it is, unless it went on since or
   * the end brings a summary; where there is nothing, nothing ends.
   */
  #isEmptyEnd({ fact, bySession }: PlacedEvent): boolean {
    if (fact.kind !== 'task_end' || !(bySession || fact.if_open)) return false;
    if (fact.status !== 'aborted' && fact.status !== ENDED) return false;
    if (!this.#started && this.#active === null) return true;
    if (this.#endedAt === null) return false;
    if (fact.status !== ENDED) return true;
    return fact.summary === '' && !this.#wentOn();
  }

  #wentOn(): boolean {
    return this.#active !== null && (this.#endedAt === null || compareKeys(this.#active, this.#endedAt) > 0);
  }

  /**
   * Ends the task. A word without a meaning decides only where nothing else did. {@link ENDED} is tentative: `failed`
   * where a verification is failing, `aborted` where a session ended in an interrupted tool use, else `success`; it
   * takes nothing from a client that said how the task ended.
   */
  #endTask(event: PlacedEvent, fact: FactOf<'task_end'>): void {
    const task = this.#taskAt(isoOf(event.at));
    const isAddition = isUnknownStatus(fact.status_raw) && this.#endedAt !== null && !this.#wentOn();
    if (isAddition) task.status_raw = fact.status_raw;
    else if (fact.status !== ENDED) [task.status, task.status_raw] = [fact.status, fact.status_raw];
    else if (!this.#isStatusSaid) [task.status, task.status_raw] = [this.#statusOfTrace(event), null];
    if (fact.status !== ENDED && !isAddition)
      this.#isStatusSaid = fact.status === 'success' || fact.status === 'failed';
    if (fact.summary !== '') {
      task.summary = fact.summary;
      this.#cut.summary = fact.truncated_bytes;
      task.truncated_bytes = this.#cut.prompt + this.#cut.summary;
    }
    task.ended_at = isoOf(event.at);
    this.#endedAt = this.last;
    for (const id of [this.#step?.id, ...this.#parallel]) this.#endStep(id, event.at);
    this.#parallel = [];
    if (this.#step) this.#step.over = true;
  }

  #statusOfTrace({ bySession }: PlacedEvent): 'success' | 'failed' | 'aborted' {
    const isInterrupted = this.#tools.get(this.#ended.at(-1) ?? '')?.interrupted ?? false;
    if (bySession && isInterrupted && this.#endedAt === null) return 'aborted';
    return this.#resolutions().isFailing ? 'failed' : 'success';
  }

  #resolutions(): Resolutions {
    this.#resolution ??= { fold: new ResolutionFold(), ended: 0, loose: 0 };
    const state = this.#resolution;
    const addLoose = () => {
      for (; (this.#loose[state.loose]?.after ?? Number.POSITIVE_INFINITY) <= state.ended; state.loose++) {
        const { error } = this.#loose[state.loose] ?? { error: '' };
        const known = this.#errors.get(error);
        state.fold.addLoose(error, known ? testsOf(known.props) : []);
      }
    };
    for (addLoose(); state.ended < this.#ended.length; addLoose()) {
      const id = this.#ended[state.ended++] ?? '';
      const tool = this.#tools.get(id);
      if (tool) state.fold.add(this.#actionOf(id, tool));
    }
    return state.fold.result();
  }

  #actionOf(id: string, { props, step, files, role, interrupted, errors }: ToolState): Action {
    const use = toolUse(props.params_json);
    const paths = [...files];
    const known = actionKind(props.tool_name, use, paths, role);
    const { verifications } = known;
    const output = [props.stdout, props.stderr].filter((text) => text !== '').join('\n');
    const isHidden = verifications.some(({ piped }) => piped) && showsFailure(output);
    const isFailed = props.success === false || errors.length > 0 || isHidden;
    const failures = errors.flatMap((error) => this.#errors.get(error)?.props ?? []);
    const failure = (props.failure ??
      (isHidden ? parseFailure(output, { isShell: true }) : null)) as Failure | null;
    const named = [...(failure?.tests ?? []), ...failures.flatMap(testsOf)];
    const run =
      isFailed && use.command === null && (known.kind === 'other' || known.kind === 'touch')
        ? runShownBy([...(failure ? [failure.type] : []), ...failures.map((one) => one.error_type)], failure)
        : null;
    const kind = run ? 'verify' : known.kind;
    return {
      tool: id,
      step,
      use,
      call: `${props.tool_name} ${JSON.stringify(props.params_json)}`,
      kind,
      verifications: run ? [run] : verifications,
      runner: failure?.tool ?? null,
      files: paths,
      outcome: interrupted ? 'stopped' : isFailed ? 'failed' : 'passed',
      tests: isFailed ? [...new Map(named.map((test) => [test.name, test])).values()] : [],
      isPartial: failure?.stopped ?? false,
      output: kind === 'verify' && !isFailed ? output : '',
      errors,
    };
  }

  #put(draft: NodeDraft<NodeType>): void {
    const id = draft.id ?? '';
    this.#nodes.set(id, draft);
    this.changed.add(id);
  }

  #link(from: string, to: string, edge: EdgeDraft): void {
    const link = { from, to, edge };
    this.links.set(linkKey(link), link);
    this.changed.add(linkKey(link));
  }
}

const DERIVED: ReadonlySet<string> = new Set([ErrorResolvedByStep.name, StepDependsOnStep.name]);

/** The identity of a link. */
export function linkKey({ from, to, edge }: Link): string {
  return `${edge.archetype.name}\0${from}\0${to}`;
}

function failureIn(fact: FactOf<'tool_end'>): Failure | null {
  return fact.failure === undefined ? failureOfEnd(fact) : fact.failure;
}

/** The tests of an error: those that its client named, with the files that its output names for them. */
function testsOf({ tests, failure }: PropsOf<typeof TraceError>): TestName[] {
  const parsed = (failure as Failure | null)?.tests ?? [];
  if (tests.length === 0) return parsed;
  return tests.map((name) => parsed.find((one) => one.name === name) ?? { name, file: null });
}

/** Of two parses of one failure the one that pairs more tests with their messages. */
function richer(own: Failure | null, other: Failure | null): Failure | null {
  const paired = (failure: Failure | null) =>
    failure?.tests.filter(({ reason }) => reason !== null).length ?? 0;
  return paired(other) > paired(own) ? other : own;
}

/** Whether a `step` event says of a step what was not said of it before. */
function isAnother(known: StepProps, fact: FactOf<'step'>): boolean {
  const [was, is] = [roleOf(known), roleOf(fact)];
  const isOtherRole = was !== null && is !== null && was !== is;
  const [before, now] = [known.llm_summary, fact.llm_summary];
  return isOtherRole || (before !== '' && now !== '' && before !== now);
}

function giveRole(step: StepProps, { role, role_raw }: Purpose): void {
  [step.role, step.role_raw] = [role, role_raw];
}

function roleOf({ role, role_raw }: Purpose): string | null {
  return role ?? role_raw;
}

function firstByName(a: string | null, b: string | null): string | null {
  return a === null || (b !== null && compareText(b, a) < 0) ? b : a;
}

/** The first by name where there are too many, whatever order they came in. */
function withPaths(known: string[], more: readonly string[]): string[] {
  const fresh = more.filter((path) => !known.includes(path));
  return fresh.length === 0 ? known : [...known, ...fresh].sort().slice(0, LIMITS.taskFiles.max);
}

function equal(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
