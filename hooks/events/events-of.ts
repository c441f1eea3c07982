import type { JournalEvent, RecordedPayload } from '../../host/index.js';
import { failureOf } from '../failures/index.js';
import { eventId, taskId } from '../ids.js';
import { type Call, type Happening, hasFailed, type Outcome, type Told } from '../told.js';
import { toolEnd, toolStart, withoutSecret } from './tool-payloads.js';

/** What of git commits, and prints what it made. */
const COMMITS = /\b(?:commit|cherry-pick|revert)\b/u;

/** `[main 1a2b3c4] Subject`, `[main (root-commit) 1a2b3c4] Subject`, `[detached HEAD 1a2b3c4] Subject`. */
const MADE = /^\[[^\]\n]*? ([0-9a-f]{7,40})\] /gmu;

/** Commits of one command that are told. */
const MOST = 50;

/** Milliseconds between what one payload tells to have happened at once, in its order: the graph keeps times as numbers. */
const NEXT = 1 / 1024;

/** An event without what all events of its payload share. */
interface Part {
  readonly kind: string;
  readonly phase: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly call?: string;
  /** What tells it from others of its phase. Default: the call, else the client's time or the file's name. */
  readonly named?: string;
  /** Whether the session says which task it is about, and not the prompt. */
  readonly bySession?: boolean;
}

/** The events that a payload tells, as `etg_log_event` takes them. */
export function eventsOf(told: Told, { client, name, at: recorded }: RecordedPayload): JournalEvent[] {
  const { session, prompt, subAgent } = told;
  const at = told.at ?? recorded;
  // Two hooks of one event (a user's and a project's) tell the same time: it counts once.
  const unnamed = told.at === null ? name : `${told.event} ${told.at}`;
  return told.happenings
    .flatMap((happening) => partsOf(happening, { at, unnamed, prompt }))
    .map(({ kind, phase, at, payload, call, named = call ?? unnamed, bySession = false }) => ({
      event_id: eventId(client, session, named, phase),
      at,
      kind,
      // A task whose prompt was never told is the client's all the same.
      payload: { ...payload, client },
      session_id: session,
      ...(prompt === null || bySession ? {} : { task_id: taskId(client, prompt) }),
      ...(call === undefined ? {} : { tool_id: call }),
      ...(subAgent === null ? {} : { step_id: `agent:${subAgent}` }),
    }));
}

interface Around {
  readonly at: number;
  /** Names what the client gave no name. */
  readonly unnamed: string;
  readonly prompt: string | null;
}

function partsOf(happening: Happening, around: Around): Part[] {
  const { at, prompt } = around;
  switch (happening.kind) {
    case 'session_start':
      return [];
    case 'prompt': {
      const payload = { user_prompt: happening.text };
      return [{ kind: 'task_start', phase: 'prompt', at, payload, named: prompt ?? around.unnamed }];
    }
    case 'begin': {
      const { call } = happening;
      // Without a name of its own nothing could tell which end is its.
      return call.id === null
        ? []
        : [{ kind: 'tool_start', phase: 'pre', at, payload: toolStart(call), call: call.id }];
    }
    case 'done':
      return doneParts(happening.call, happening.outcome, around);
    case 'checkpoint':
      return [{ kind: 'checkpoint', phase: 'checkpoint', at, payload: { checkpoint_file: happening.file } }];
    case 'stop': {
      const { status, summary } = happening;
      const payload = summary === '' ? { status } : { status, summary };
      return [{ kind: 'task_end', phase: 'stop', at, payload }];
    }
    case 'session_end':
      // Of what is still open in the session: it tells no end of a task that has one.
      return [{ kind: 'task_end', phase: 'session-end', at, payload: { status: 'ended' }, bySession: true }];
  }
}

function doneParts(call: Call, told: Outcome, { at, unnamed }: Around): Part[] {
  const outcome = withoutSecret(call, told);
  const { durationMs, startedAt, success } = outcome;
  // Several may end in one millisecond, or be told by one payload.
  const id = call.id ?? eventId(unnamed, call.tool, JSON.stringify(call.params));
  const started = durationMs === null ? (startedAt ?? at - NEXT) : at - durationMs;
  const parts: Part[] = [
    {
      kind: 'tool_start',
      phase: 'start',
      at: Math.min(started, at - NEXT),
      payload: toolStart(call),
      call: id,
    },
    { kind: 'tool_end', phase: 'end', at, payload: toolEnd(call, outcome), call: id },
  ];
  const failure = hasFailed(outcome) ? failureOf(call, outcome) : null;
  if (failure) {
    const { errorType, message, excerpt, tests } = failure;
    const payload = {
      error_type: errorType,
      message,
      raw_log_excerpt: excerpt,
      ...(tests.length === 0 ? {} : { tests }),
    };
    parts.push({ kind: 'error', phase: 'error', at: at + NEXT, payload, call: id });
  }
  const commits = success && call.command !== null ? commitsIn(call.command, outcome.stdout) : [];
  for (const [index, hash] of commits.entries())
    parts.push({
      kind: 'checkpoint',
      phase: `commit ${index}`,
      at: at + NEXT,
      payload: { checkpoint_file: `git:${hash}` },
      call: id,
    });
  return parts;
}

/** The hashes of the commits that a successful command reports. */
function commitsIn(command: string, output: string): string[] {
  if (!command.split(/[|;&\n]/u).some(commits)) return [];
  const hashes = [...output.matchAll(MADE)].flatMap(([, hash]) => hash ?? []);
  return [...new Set(hashes)].slice(0, MOST);
}

/** In two looks: one expression for both would cost the square of a long command. */
function commits(command: string): boolean {
  const git = command.search(/\bgit\b/u);
  return git >= 0 && COMMITS.test(command.slice(git));
}
