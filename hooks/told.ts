import { type Failure, parseOutput } from '../failures/index.js';

/*
 * What a payload tells, in words that no client owns. Adapters make it; events and questions are made from it.
 */

/** What a tool is for, as far as its name tells. */
export type Doing = 'read' | 'search' | 'edit' | 'shell' | 'plan' | 'other';

/** One replacement in a file. */
export interface Edit {
  readonly file: string;
  readonly old: string;
  readonly now: string;
}

/** One call of a tool. */
export interface Call {
  /** The client's own name of the call; null: it tells none. */
  readonly id: string | null;
  readonly tool: string;
  readonly doing: Doing;
  /** As the tool got them. A text: they were no object. */
  readonly params: Readonly<Record<string, unknown>> | string | null;
  /** What a shell was given to run. */
  readonly command: string | null;
  /** Absolute where the payload tells the working directory. */
  readonly files: readonly string[];
  /** Where it ran; null: not told. */
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
  /** Of a shell; null: not told. */
  readonly exitCode: number | null;
  /** Milliseconds; null: not told. */
  readonly durationMs: number | null;
  /** Milliseconds since 1970; null: told by the duration, or not at all. */
  readonly startedAt: number | null;
  /** Lines of the file after an edit, from and to, from 1, that are new or stand where some went. */
  readonly lines: readonly (readonly [from: number, to: number])[];
  /** What the edited file holds now; null: not told. */
  readonly content: string | null;
}

/** Whether something went wrong, and nobody stopped it. */
export function hasFailed({ success, hidesFailure = false, interrupted }: Outcome): boolean {
  return !interrupted && (!success || hidesFailure);
}

/** Everything that a call printed. */
export function printedBy({ stdout, stderr }: Outcome): string {
  return [stdout, stderr].filter((text) => text.trim() !== '').join('\n');
}

/** What went wrong with a call that failed, and the part of its output that shows it. */
export function failureOf(
  { doing, tool, command, cwd }: Call,
  outcome: Outcome,
): { readonly failure: Failure; readonly excerpt: string } {
  const { exitCode } = outcome;
  return parseOutput(printedBy(outcome), {
    command: command ?? tool,
    cwd,
    isShell: doing === 'shell',
    exitCode,
  });
}

/** One thing that a payload tells. */
export type Happening =
  | { readonly kind: 'session_start' }
  | { readonly kind: 'prompt'; readonly text: string }
  | { readonly kind: 'begin'; readonly call: Call }
  | { readonly kind: 'done'; readonly call: Call; readonly outcome: Outcome }
  | { readonly kind: 'checkpoint'; readonly file: string }
  /** The agent has answered. `aborted`: it could not. */
  | { readonly kind: 'stop'; readonly status: 'ended' | 'aborted'; readonly summary: string }
  | { readonly kind: 'session_end' };

/** What a whole payload tells. */
export interface Told {
  /** As the client names its event. */
  readonly event: string;
  readonly session: string;
  /** The client's name of the prompt that is at work; null: it tells none. */
  readonly prompt: string | null;
  /** The sub agent in which it happened; null: the agent itself. */
  readonly subAgent: string | null;
  /** Milliseconds since 1970 by the client's clock; null: it tells none. */
  readonly at: number | null;
  readonly happenings: readonly Happening[];
}
