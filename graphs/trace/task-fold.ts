import { type Failure, failureOfError } from '../../failures/index.js';
import { compareText } from '../../runtime/index.js';
import {
  CheckpointNode,
  type EdgeDraft,
  type EdgeType,
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
  type TraceEvent,
} from '../../schema/index.js';
import {
  agentOf,
  compareKeys,
  ENDED,
  type EventKey,
  type Fact,
  type FactOf,
  failureOfEnd,
  isInterruption,
  meaningOf,
  namedId,
  traceId,
} from './event.js';
import { type Action, actionOf, ResolutionFold, testsOf, type UsedTool } from './resolutions.js';

/** One event in its task. `session`: the one that decided which task it belongs to; null: the event itself did. */
export interface PlacedEvent
  extends Readonly<Pick<PropsOf<typeof TraceEvent>, 'at' | 'session' | 'step_name' | 'tool_name'>> {
  readonly id: string;
  readonly fact: Fact;
}

/** The step and the tool use that an event became part of. */
export type Placement = Readonly<Pick<PropsOf<typeof TraceEvent>, 'step' | 'tool'>>;

/** An edge of a task's trace. */
export type Link = Readonly<{ from: string; to: string; edge: EdgeDraft }>;

/** The identity of a link. */
export function linkKey({ name }: Pick<EdgeType, 'name'>, from: string, to: string): string {
  return `${name}\0${from}\0${to}`;
}

type Purpose = Pick<FactOf<'step'>, 'role' | 'role_raw'>;
type StepProps = PropsOf<typeof Step>;
type ErrorProps = PropsOf<typeof TraceError>;

interface OpenStep {
  readonly id: string;
  readonly props: StepProps;
  /** Whether a `step` event began it: then roles of tools begin no others. */
  readonly named: boolean;
}

interface ToolState extends UsedTool {
  readonly files: Set<string>;
  readonly errors: string[];
  /** Bytes that were cut from its start, and from its end. */
  readonly cut: { start: number; end: number };
  role: string | null;
  /** The end that counts, the last; null: it runs. */
  end: FactOf<'tool_end'> | null;
  action: Action | null;
}

const NOWHERE: Placement = { step: null, tool: null };

/** Makes a task from its events, which are added in the order of their keys: the same events give the same task. */
export class TaskFold {
  last: EventKey | null = null;
  readonly nodes = new Map<string, NodeDraft>();
  readonly links = new Map<string, Link>();
  /** Ids of nodes and keys of links that changed since they were last written. */
  readonly changed = new Set<string>();
  readonly #tools = new Map<string, ToolState>();
  /** Errors by the tool use that they name, of those that were not reported yet. */
  readonly #early = new Map<string, string[]>();
  /** The tools of open uses, by id. */
  readonly #running = new Map<string, string>();
  /** Ids of tool uses, as they ended, and of errors without one. */
  readonly #sequence: string[] = [];
  #latest: ToolState | undefined;
  /** What resolved what, by the first ones of {@link #sequence}; null: from the start again. */
  #resolution: ResolutionFold | null = null;
  #followed = 0;
  readonly #resolved = new Set<string>();
  /** Keys of links that were concluded, by their type and source. */
  readonly #derived = new Map<string, readonly string[]>();
  #filesChanged = false;
  #step: OpenStep | null = null;
  /** The last step that a `step` event began by its order alone. */
  #ordered: string | null = null;
  /** Steps that are open alongside it: events named them, and no `step` event began them. */
  #parallel: string[] = [];
  #started = false;
  #endedAt: EventKey | null = null;
  #active: EventKey | null = null;
  #isStatusSaid = false;
  readonly #cut = { prompt: 0, summary: 0 };

  constructor(readonly id: string) {}

  /** Whether its prompt is among its events. */
  get hasPrompt(): boolean {
    return this.#started;
  }

  /** Adds the next event; null where it comes before one that was added. */
  add(event: PlacedEvent): Placement | null {
    const key: EventKey = [event.at, event.id];
    if (this.last !== null && compareKeys(key, this.last) <= 0) return null;
    const { fact } = event;
    this.last = key;
    if (this.#isEmptyEnd(event)) return NOWHERE;
    const task = this.#task(event);
    if (!this.#started && fact.kind !== 'task_start') {
      // Of several reporters the first by name stands for all, whatever their order.
      task.session_id = firstByName(task.session_id, fact.session_id);
      task.client = firstByName(task.client, fact.client);
    }
    if (fact.kind !== 'task_end') this.#active = this.last;
    switch (fact.kind) {
      case 'task_start': {
        const { user_prompt, tags, session_id = null, client = null } = fact;
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
        this.#node(id, () => CheckpointNode({ checkpoint_file, created_at: created_at ?? isoOf(event.at) }));
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

  /** Updates what follows from all events together: resolutions, and which step builds on which. */
  settled(): this {
    for (const [id, resolution] of this.#resolutions().takeChanged()) {
      const { tools: resolved_by, fixes } = resolution ?? { tools: [], fixes: {} };
      const node = this.nodes.get(id);
      const props = node?.props as ErrorProps | undefined;
      if (!props || JSON.stringify([props.resolved_by, props.fixes]) === JSON.stringify([resolved_by, fixes]))
        continue;
      Object.assign(props, { resolved_by, fixes });
      this.changed.add(id);
      this.#resolved.add(id);
      if (node?.archetype === TraceError)
        this.#derive(id, ErrorResolvedByStep(), resolution ? [resolution.step] : []);
    }
    if (!this.#filesChanged) return this;
    this.#filesChanged = false;
    const touchers = new Map<string, string>();
    for (const [id, draft] of this.nodes) {
      if (draft.archetype !== Step) continue;
      const paths = (draft.props as StepProps).files_touched;
      const before = paths.flatMap((path) => touchers.get(path) ?? []);
      this.#derive(id, StepDependsOnStep(), before);
      for (const path of paths) touchers.set(path, id);
    }
    return this;
  }

  #node<T extends NodeType>(id: string, make: () => NodeDraft<T>): PropsOf<T> {
    const known = this.nodes.get(id) as NodeDraft<T> | undefined;
    const draft = known ?? { ...make(), id };
    if (!known) this.nodes.set(id, draft as unknown as NodeDraft);
    this.changed.add(id);
    return draft.props;
  }

  #link(from: string, to: string, edge: EdgeDraft): void {
    const key = linkKey(edge.archetype, from, to);
    this.links.set(key, { from, to, edge });
    this.changed.add(key);
  }

  /** Makes the links of a type and source those to these targets. */
  #derive(from: string, edge: EdgeDraft, targets: readonly string[]): void {
    const source = `${edge.archetype.name} ${from}`;
    const wanted = new Map(targets.map((to) => [linkKey(edge.archetype, from, to), to]));
    for (const key of this.#derived.get(source) ?? [])
      if (!wanted.has(key) && this.links.delete(key)) this.changed.add(key);
    for (const [key, to] of wanted) if (!this.links.has(key)) this.#link(from, to, edge);
    this.#derived.set(source, [...wanted.keys()]);
  }

  #task({ at }: Pick<PlacedEvent, 'at'>): PropsOf<typeof Task> {
    return this.#node(this.id, () => Task({ created_at: isoOf(at) }));
  }

  #stepAt(id: string, order: number, at: number): StepProps {
    if (!this.nodes.has(id)) this.#link(this.id, id, TaskHasStep({ order }));
    return this.#node(id, () => Step({ order, started_at: isoOf(at) }));
  }

  /**
   * The step of an event: the one that it names, else the open one, which is opened where needed. Where no
   * `step` event began that, another role of a tool, or any after the task's end, begins the next one.
   */
  #stepOf({ step_name, at, id: event }: PlacedEvent, purpose?: Purpose): string {
    if (step_name !== null) return this.#namedStep(step_name, at);
    this.#step ??= this.#openStep(traceId('step', this.id), 0, at);
    const { id, props, named } = this.#step;
    this.changed.add(id);
    const role = purpose ? roleOf(purpose) : null;
    if (!purpose || role === null || named) return id;
    const isOver = props.ended_at !== null;
    if (!isOver && roleOf(props) === role) return id;
    if (isOver || roleOf(props) !== null) {
      this.#endStep(id, at);
      this.#step = this.#openStep(traceId('step', this.id, 'role', event), props.order + 1, at);
    }
    Object.assign(this.#step.props, { role: purpose.role, role_raw: purpose.role_raw });
    return this.#step.id;
  }

  #openStep(id: string, order: number, at: number): OpenStep {
    return { id, props: this.#stepAt(id, order, at), named: false };
  }

  #namedStep(name: string, at: number): string {
    const id = namedId('step', this.id, name);
    const agent = agentOf(name);
    // A sub agent's step stands where the agent's own work stood when it began.
    const props = this.#stepAt(id, agent === null ? 0 : (this.#step?.props.order ?? 0), at);
    props.agent = agent;
    if (id !== this.#step?.id && props.ended_at === null && !this.#parallel.includes(id)) {
      this.#parallel.push(id);
      if (this.#parallel.length > LIMITS.openTools.max) this.#endStep(this.#parallel.shift(), at);
    }
    return id;
  }

  #nameStep({ step_name, at }: PlacedEvent, fact: FactOf<'step'>): string {
    const { order, llm_summary, truncated_bytes } = fact;
    const id = step_name === null ? this.#idOfStep(fact) : namedId('step', this.id, step_name);
    if (this.#step?.id !== id) this.#endStep(this.#step?.id, at);
    this.#parallel = this.#parallel.filter((one) => one !== id);
    const props = this.#stepAt(id, order, at);
    this.#link(this.id, id, TaskHasStep({ order }));
    Object.assign(props, { order, ended_at: null });
    if (roleOf(fact) !== null) Object.assign(props, { role: fact.role, role_raw: fact.role_raw });
    if (llm_summary !== '') Object.assign(props, { llm_summary, truncated_bytes });
    this.#step = { id, props, named: true };
    this.#ordered = step_name === null ? id : null;
    return id;
  }

  /**
   * The step of a `step` event that names none: the open one or the first of its order, unless that was
   * described otherwise.
   */
  #idOfStep(fact: FactOf<'step'>): string {
    const { order, llm_summary } = fact;
    const first = traceId('step', this.id, order);
    const open =
      this.#step?.id === this.#ordered && this.#step?.props.order === order ? this.#step.id : first;
    for (const id of [open, first]) {
      const known = this.nodes.get(id);
      if (known === undefined || !isAnother(known.props as StepProps, fact)) return id;
    }
    return traceId('step', this.id, order, roleOf(fact) ?? '', llm_summary);
  }

  #endStep(id: string | undefined, at: number): void {
    if (id !== undefined && this.nodes.has(id)) this.#stepAt(id, 0, at).ended_at ??= isoOf(at);
  }

  #useTool(event: PlacedEvent, fact: FactOf<'tool_start'> | FactOf<'tool_end'>): Placement {
    const time = isoOf(event.at);
    const tool = this.#toolOf(event, fact);
    const { id, props, step, cut } = tool;
    // Of several ends the last one counts, at the place of the first.
    if (tool.end) this.#resolution = null;
    tool.action = null;
    tool.role ??= roleOf(fact);
    if (fact.kind === 'tool_start') {
      const { tool_name, params_json } = fact;
      // A client that reports a start twice reports the real one first.
      Object.assign(props, { tool_name, params_json, started_at: props.started_at ?? time });
      if (!tool.end) this.#running.set(id, tool_name);
      cut.start = fact.truncated_bytes;
    } else {
      const { duration_ms, stdout, stderr, interrupted } = fact;
      const success = interrupted ? null : fact.success;
      const parsed = fact.failure === undefined ? failureOfEnd(fact) : fact.failure;
      const failure = success === false ? parsed : null;
      Object.assign(props, { success, duration_ms, stdout, stderr, failure, ended_at: time });
      this.#running.delete(id);
      if (!tool.end) {
        this.#sequence.push(id);
        this.#latest = tool;
      }
      tool.end = fact;
      cut.end = fact.truncated_bytes;
      for (const symbol of fact.symbols) this.#link(id, symbol, ToolTouchesSymbol());
    }
    if (props.started_at !== null && props.ended_at !== null)
      props.duration_ms ??= Math.max(0, Date.parse(props.ended_at) - Date.parse(props.started_at)) || null;
    props.truncated_bytes = cut.start + cut.end;
    this.changed.add(id);
    for (const path of fact.files) {
      tool.files.add(path);
      this.#link(id, fileId(path), ToolTouchesFile());
    }
    for (const node of [this.#stepAt(step, 0, event.at), this.#task(event)]) {
      const fresh = fact.files.filter((path) => !node.files_touched.includes(path));
      if (fresh.length === 0) continue;
      this.#filesChanged = true;
      // The first by name where there are too many, whatever order they came in.
      node.files_touched = [...node.files_touched, ...fresh].sort().slice(0, LIMITS.taskFiles.max);
    }
    return { step, tool: id };
  }

  /** The tool use that an event names, else for an end the latest open one of its tool, else a new one. */
  #toolOf(event: PlacedEvent, fact: FactOf<'tool_start'> | FactOf<'tool_end'>): ToolState {
    const { tool_name } = fact;
    const named = event.tool_name === null ? undefined : namedId('tool', this.id, event.tool_name);
    const open =
      fact.kind === 'tool_end' ? [...this.#running].findLast(([, name]) => name === tool_name) : undefined;
    const id = named ?? open?.[0] ?? traceId('tool', event.id);
    // A tool use stays in the step where it began, whatever else began meanwhile.
    const known = this.#tools.get(id);
    if (known) return known;
    const tool: ToolState = {
      id,
      props: this.#node(id, () => ToolInvocation({ tool_name })),
      step: this.#stepOf(event, fact),
      errors: this.#early.get(id) ?? [],
      ...{ files: new Set(), cut: { start: 0, end: 0 }, role: null, end: null, action: null },
    };
    this.#tools.set(id, tool);
    this.#link(tool.step, id, StepInvokesTool());
    return tool;
  }

  #meetError(event: PlacedEvent, fact: FactOf<'error'>): Placement {
    const id = traceId('error', event.id);
    const named = event.tool_name === null ? null : namedId('tool', this.id, event.tool_name);
    const tool = named === null ? undefined : this.#tools.get(named);
    const step = tool?.step ?? this.#stepOf(event);
    this.#stepAt(step, 0, event.at);
    if (isInterruption(fact.message)) return { step, tool: named };
    const { kind: _, session_id: __, client: ___, ...said } = fact;
    const failure = richer(
      said.failure ?? failureOfError(said),
      (tool?.props.failure ?? null) as Failure | null,
    );
    this.#node(id, () => TraceError({ ...said, tool_id: named, created_at: isoOf(event.at), failure }));
    this.#link(step, id, StepHasError());
    // One that names no tool use reports the last one, if that failed.
    const latest = named === null ? this.#latest : undefined;
    const met = latest && this.#actionOf(latest).outcome === 'failed' ? latest : tool;
    if (met) {
      met.errors.push(id);
      met.action = null;
      if (met.end) this.#resolution = null;
    } else if (named === null) this.#sequence.push(id);
    else this.#early.set(named, [...(this.#early.get(named) ?? []), id]);
    return { step, tool: named };
  }

  /**
   * Whether an end says nothing: it ends only what is open, and a task that has ended stays as it is, unless
   * it went on since or the end brings a summary.
   */
  #isEmptyEnd({ fact, session }: PlacedEvent): boolean {
    if (fact.kind !== 'task_end' || !(session !== null || fact.if_open)) return false;
    if (fact.status !== 'aborted' && fact.status !== ENDED) return false;
    if (!this.#started && this.#active === null) return true;
    if (this.#endedAt === null) return false;
    return fact.status !== ENDED || (fact.summary === '' && !this.#wentOn());
  }

  #wentOn(): boolean {
    return this.#active !== null && (this.#endedAt === null || compareKeys(this.#active, this.#endedAt) > 0);
  }

  /** Ends the task. {@link ENDED} is tentative: the trace decides, unless a client said how the task ended. */
  #endTask(event: PlacedEvent, { status, status_raw, summary, truncated_bytes }: FactOf<'task_end'>): void {
    const task = this.#task(event);
    const isUnknown = status_raw !== null && meaningOf(status_raw) === null;
    if (isUnknown && this.#endedAt !== null && !this.#wentOn()) task.status_raw = status_raw;
    else if (status !== ENDED) {
      Object.assign(task, { status, status_raw });
      this.#isStatusSaid = status === 'success' || status === 'failed';
    } else if (!this.#isStatusSaid)
      Object.assign(task, { status: this.#statusOfTrace(event), status_raw: null });
    if (summary !== '') {
      task.summary = summary;
      this.#cut.summary = truncated_bytes;
      task.truncated_bytes = this.#cut.prompt + this.#cut.summary;
    }
    task.ended_at = isoOf(event.at);
    this.#endedAt = this.last;
    for (const id of [this.#step?.id, ...this.#parallel]) this.#endStep(id, event.at);
    this.#parallel = [];
  }

  #statusOfTrace({ session }: PlacedEvent): 'success' | 'failed' | 'aborted' {
    if (session !== null && this.#latest?.end?.interrupted && this.#endedAt === null) return 'aborted';
    return this.#resolutions().isFailing ? 'failed' : 'success';
  }

  #resolutions(): ResolutionFold {
    if (this.#resolution === null) this.#followed = 0;
    this.#resolution ??= new ResolutionFold(this.#resolved);
    for (; this.#followed < this.#sequence.length; this.#followed++) {
      const id = this.#sequence[this.#followed] ?? '';
      const tool = this.#tools.get(id);
      if (tool) this.#resolution.add(this.#actionOf(tool));
      else this.#resolution.addLoose(id, testsOf(this.#error(id)));
    }
    return this.#resolution;
  }

  #error(id: string): ErrorProps {
    return this.nodes.get(id)?.props as ErrorProps;
  }

  #actionOf(tool: ToolState): Action {
    const reports = () => tool.errors.map((id) => this.#error(id));
    tool.action ??= actionOf(tool, reports());
    return tool.action;
  }
}

function richer(own: Failure | null, other: Failure | null): Failure | null {
  const paired = (one: Failure | null) => one?.tests.filter(({ reason }) => reason !== null).length ?? 0;
  return paired(other) > paired(own) ? other : own;
}

function isAnother(known: StepProps, fact: FactOf<'step'>): boolean {
  const [was, is] = [roleOf(known), roleOf(fact)];
  const isOtherRole = was !== null && is !== null && was !== is;
  const [before, now] = [known.llm_summary, fact.llm_summary];
  return isOtherRole || (before !== '' && now !== '' && before !== now);
}

function roleOf({ role, role_raw }: Purpose): string | null {
  return role ?? role_raw;
}

function firstByName(known: string | null, other: string | null | undefined): string | null {
  return [known, other].filter((name) => name != null).sort(compareText)[0] ?? null;
}
