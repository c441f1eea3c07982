import type { HookText } from '../host/index.js';
import { harmless } from '../present/index.js';
import type { LifecycleFields } from './fields.js';

/*
 * An agent is one file in `agents/` that gives an `Agent`: the words of its payloads, the moments at which it takes
 * context, and where its settings are. What its payloads report has the types below, which no agent owns.
 */

/** What a tool is for, as far as its name says. */
export type Purpose = 'read' | 'search' | 'edit' | 'shell' | 'plan' | 'other';

/** A moment at which an agent may be given context, as the walker `hook_answer` names it. */
type HookMoment =
  | 'session_start'
  | 'prompt'
  | 'read'
  | 'read_history'
  | 'before_edit'
  | 'before_command'
  | 'edited'
  | 'failure';

/** One replacement in a file. */
export interface Edit {
  readonly file: string;
  readonly old: string;
  readonly now: string;
}

/** One call of a tool. */
export interface Call {
  /** The client's own name of the call; null: it has none. */
  readonly id: string | null;
  readonly tool: string;
  readonly purpose: Purpose;
  /** As the tool got them. A text: they were no object. */
  readonly params: Readonly<Record<string, unknown>> | string | null;
  /** What a shell was given to run. */
  readonly command: string | null;
  /** Absolute where the payload names the working directory. */
  readonly files: readonly string[];
  /** Where it ran; null: not known. */
  readonly cwd: string | null;
  readonly edits: readonly Edit[];
}

/** How a call ended. */
export interface Outcome {
  readonly success: boolean;
  /** Whether tests or a compiler failed in a command whose exit code is that of something else: `npm test | tail`. */
  readonly hidesFailure?: boolean;
  /** A person stopped it: no failure of the work. */
  readonly interrupted: boolean;
  /** What it printed; of a shell both streams where the client joins them. */
  readonly stdout: string;
  readonly stderr: string;
  /** Of a shell; null: not known. */
  readonly exitCode: number | null;
  /** Milliseconds; null: not known. */
  readonly durationMs: number | null;
  /** Milliseconds since 1970; null: known by the duration, or not at all. */
  readonly startedAt: number | null;
  /** Lines of the file after an edit, from and to, from 1, that are new or stand where some were removed. */
  readonly lines: readonly (readonly [from: number, to: number])[];
  /** The edited file's content; null: not known. */
  readonly content: string | null;
}

/** An outcome of which only this is known. */
export function outcomeWith(known: Partial<Outcome> & Pick<Outcome, 'success'>): Outcome {
  return {
    interrupted: false,
    stdout: '',
    stderr: '',
    exitCode: null,
    durationMs: null,
    startedAt: null,
    lines: [],
    content: null,
    ...known,
  };
}

/** One thing that a payload reports. */
export type AgentEvent =
  | { readonly kind: 'session_start' }
  | { readonly kind: 'prompt'; readonly text: string }
  | { readonly kind: 'begin'; readonly call: Call }
  | { readonly kind: 'done'; readonly call: Call; readonly outcome: Outcome }
  | { readonly kind: 'checkpoint'; readonly file: string }
  /** The agent has answered. `aborted`: it could not. */
  | { readonly kind: 'stop'; readonly status: 'ended' | 'aborted'; readonly summary: string }
  | { readonly kind: 'session_end' };

/** Everything that one payload reports. */
export interface AgentReport {
  /** The event in the client's own word. */
  readonly event: string;
  readonly session: string;
  /** The client's name of the prompt at work; null: it has none. */
  readonly prompt: string | null;
  /** The sub agent in which it happened; null: the agent itself. */
  readonly subAgent: string | null;
  /** Milliseconds since 1970 by the client's clock; null: not known. */
  readonly at: number | null;
  readonly events: readonly AgentEvent[];
}

/** One call in a payload that reports many. */
export interface BatchedCall {
  readonly tool: string;
  readonly input: unknown;
  readonly id: string | null;
  readonly outcome: Outcome;
}

/** How an agent's payloads differ from those of others with the same lifecycle events. Pure, and nothing of it throws. */
export interface Dialect {
  /** The names of events that other clients call otherwise: `AfterTool` is their `PostToolUse`. */
  readonly events?: Readonly<Record<string, string>>;
  /** The end of a command tells what it printed and no exit code: tests and compilers say themselves that they failed. */
  readonly hidesExitCodes?: true;
  /** What the client's own tools are for, by their names. */
  readonly tools: Readonly<Record<string, Purpose>>;
  /** The client's name of the prompt at work; null: it has none. */
  promptOf(fields: LifecycleFields): string | null;
  /** What the person wrote. */
  userTextOf(fields: LifecycleFields): string;
  /** How a call ended, by the event of its end. */
  outcomeOf(fields: LifecycleFields, failed: boolean): Outcome;
  /** Calls that no event of their own reports. */
  batchOf(fields: LifecycleFields): readonly BatchedCall[];
}

/** An event that is hooked, as the client names it. The patterns are extended regular expressions. */
export interface HookedEvent {
  readonly event: string;
  /** For which tools; left out: for all, or the event has none. */
  readonly matcher?: string;
  /** Whether the agent may be given context then; else it is only recorded. */
  readonly answers: boolean;
  /** A payload that matches is not even recorded. */
  readonly drop?: string;
  /** A payload that does not match is not recorded either. */
  readonly keep?: string;
  /** Of those that are recorded, only one that matches may be answered. Starting Node for it has a price. */
  readonly only?: string;
}

/** Commands for an event, and for which tools; without a matcher for all, or the event has none. */
interface HookGroup {
  readonly matcher?: string;
  readonly hooks: readonly {
    readonly type: 'command';
    /** Shown by clients that show one. */
    readonly name?: string;
    readonly command: string;
    /** In the unit of the client. */
    readonly timeout: number;
  }[];
}

/** What starts our server of MCP. */
export interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
}

/** A server as a client writes one. */
export type ServerEntry = Readonly<Record<string, unknown>>;

/** What clients call our server. */
export const SERVER_NAME = 'codewalk';

/** The keys at the top of settings files under which clients keep their servers. */
export const SERVER_KEYS = [
  'mcpServers',
  'mcp_servers',
  'servers',
  'context_servers',
  'mcp',
  'amp.mcpServers',
  'extensions',
] as const;

/** What of ours belongs into a settings file, as the client that reads it writes such entries. */
export interface Entries {
  /** By the client's name of the event. */
  readonly hooks?: Readonly<Record<string, readonly HookGroup[]>>;
  /** Our server, among those of a key. */
  readonly server?: {
    readonly key: (typeof SERVER_KEYS)[number];
    readonly entry: ServerEntry;
    /** The servers are in a list, where each has its name in it. */
    readonly listed?: true;
  };
}

/** The machine that an installer writes to. */
export interface Machine {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly userHome: string;
  /** Absolute. */
  readonly cwd: string;
  readonly platform: NodeJS.Platform;
}

/** A file of an installation, and what of ours belongs there. */
export type Part =
  /** A settings file that others write, too; the ending of its name says in which language. */
  | {
      readonly path: string;
      readonly entries: Entries;
      /** The client makes the file, with more in it than we know: without it there is no installation. */
      readonly awaited?: true;
    }
  /** A file of a folder that is ours alone. Its text holds {@link WRITTEN_BY}. */
  | { readonly path: string; readonly folder: string; readonly text: string };

/** What an agent is given to write into its files. */
export interface Ours {
  readonly hooks: Required<Entries>['hooks'];
  readonly server: ServerEntry & ServerCommand;
  /** Of our package. */
  readonly version: string;
}

/** Every file of ours holds this, so that it is recognised as ours. */
export const WRITTEN_BY = 'codewalk install';

/** A client of MCP that our server can be installed for. */
export interface Client {
  /** As `--client` has it. */
  readonly name: string;
  /** As people know it. */
  readonly title: string;
  /** Its command; left out: it has none. */
  readonly program?: string;
  /** What people must know wherever it is installed. */
  readonly note?: string;
  /** What people must know where it is installed for one project. */
  readonly projectNote?: string;
  /** A settings file for all projects, in its folder; null: it has none on this system. */
  userFile(machine: Machine): string | null;
  /** The files of an installation for all projects (null) or for one; none where it has no settings for that. */
  parts(root: string | null, ours: Ours, machine: Machine): readonly Part[];
}

/** All that is known of one agent, whose hooks are ours, too. */
export interface Agent extends Client {
  readonly program: string;
  readonly dialect: Dialect;
  /** When it reads context apart from the start of a session, a prompt and a failure: before and after calls of tools. */
  readonly moments: {
    readonly before: Readonly<Partial<Record<Purpose, HookMoment>>>;
    readonly after: Readonly<Partial<Record<Purpose, HookMoment>>>;
  };
  /** The whole standard output of the hook that gives it a text; a notice where people are shown one. */
  wrap(event: string, said: HookText): string;
  /** The events that are hooked. */
  readonly events: readonly HookedEvent[];
  /** What each of its hooks has in addition to a command, the timeout in its own unit. */
  readonly hook: { readonly name?: string; readonly timeout: number };
  /** In words of the shell, the folder of the project, where it runs hooks elsewhere, too. */
  readonly folder?: string;
  /** What an entry of a server has in addition to its command, as the agent itself writes one. */
  readonly server: ServerEntry;
  /** The variable in which it gives the servers that it starts the session they serve; left out: there is none. */
  readonly sessionVariable?: string;
  /** Its settings for all projects. */
  userFile(machine: Machine): string;
  /** The setting of these that switches all hooks off. */
  readonly hooksOff?: { readonly keys: readonly string[]; readonly value: boolean };
}

/** The files of an agent that has hooks and servers in one settings file. */
export function oneFile(path: string, { hooks, server }: Ours): Part[] {
  return [{ path, entries: { hooks, server: { key: 'mcpServers', entry: server } } }];
}

/**
 * The output of a hook as most agents take it: these keys and no other, the event as it came. What is in
 * `systemMessage` is shown to the person and does not reach the model.
 */
export function hookSpecificOutput(event: string, { text, notice }: HookText): string {
  const context = text === null ? null : { hookEventName: event, additionalContext: harmless(text) };
  return JSON.stringify({
    ...(notice === null ? {} : { systemMessage: harmless(notice) }),
    ...(context === null ? {} : { hookSpecificOutput: context }),
  });
}

/** The moment at which an event gives an agent context; null: none. */
export function momentOf(event: AgentEvent | undefined, { moments }: Agent): HookMoment | null {
  switch (event?.kind) {
    case 'session_start':
    case 'prompt':
      return event.kind;
    case 'begin':
      return moments.before[event.call.purpose] ?? null;
    case 'done':
      if (hasFailed(event.outcome)) return 'failure';
      return event.outcome.success ? (moments.after[event.call.purpose] ?? null) : null;
    default:
      return null;
  }
}

/** Whether a call went wrong, and nobody stopped it. */
export function hasFailed({ success, hidesFailure = false, interrupted }: Outcome): boolean {
  return !interrupted && (!success || hidesFailure);
}

/** Everything that a call printed. */
export function printedBy({ stdout, stderr }: Outcome): string {
  return [stdout, stderr].filter((text) => text.trim() !== '').join('\n');
}
