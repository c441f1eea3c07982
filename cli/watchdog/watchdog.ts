import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { writeSync } from 'node:fs';
import { constants } from 'node:os';
import { CodewalkError, type ErrorBody, LIMITS } from '../../schema/index.js';
import { BEAT_MS, WATCHED, type WatchedTask, type WatchMessage } from './messages.js';

/** How a process is watched. */
export interface WatchOptions {
  /** Milliseconds without a sign of life after which it is ended; null: {@link LIMITS}.walkerSilence. */
  readonly deadlineMs: number | null;
  /** Whether the error goes to stdout as JSON. */
  readonly json: boolean;
}

/** Node's exit code where nothing is left to do and the program still waits. */
const UNSETTLED = 13;

/** Milliseconds that an interrupted process has to end by itself. */
const GRACE_MS = 2000;

/**
 * Runs this same program again as a child that shares our terminal, and ends it when it shows no sign of life for
 * the deadline: a walker that loops without yielding cannot be stopped from inside its own thread.
 *
 * @returns the exit code: the child's, or 1 when it had to be ended
 */
export function runWatched(argv: readonly string[], options: WatchOptions): Promise<number> {
  // A few signs of life must fit in: a shorter deadline is for the run itself to keep.
  const deadlineMs = Math.max(options.deadlineMs ?? LIMITS.walkerSilence.default, 3 * BEAT_MS);
  const child = fork(process.argv[1] ?? '', argv, {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, [WATCHED]: '1' },
  });
  const tasks = new Map<string, WatchedTask>();
  let alive = performance.now();
  let overdue = false;
  let left = false;
  child.on('message', (message: WatchMessage) => {
    alive = performance.now();
    if (message.kind === 'begin') tasks.set(message.task.id, message.task);
    if (message.kind === 'end') tasks.delete(message.id);
    if (message.kind === 'leave') left = true;
  });
  const watch = setInterval(() => {
    // Where nobody else's code runs we are at work ourselves, or wait for a reader of our output.
    if (tasks.size === 0 || performance.now() - alive < deadlineMs) return;
    overdue = true;
    clearInterval(watch);
    child.kill('SIGKILL');
  }, BEAT_MS);
  passSignals(child);
  return new Promise((done, fail) => {
    child.on('error', fail);
    child.on('exit', async (code, signal) => {
      clearInterval(watch);
      // What it said last may still be on its way.
      if (child.connected) await once(child, 'disconnect');
      const open = [...tasks.values()];
      const report = (error: CodewalkError) => {
        tell(error, open, options.json);
        done(1);
      };
      if (overdue) report(silent(open, argv, deadlineMs));
      else if (code !== null && !left && open.length > 0) report(endedEarly(open, argv, code));
      else done(code ?? 128 + (signal === null ? 0 : constants.signals[signal]));
    });
  });
}

function passSignals(child: ChildProcess): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      // A terminal interrupts the child by itself.
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
      setTimeout(() => child.kill('SIGKILL'), GRACE_MS).unref();
    });
}

function silent(tasks: readonly WatchedTask[], argv: readonly string[], deadlineMs: number): CodewalkError {
  return new CodewalkError(
    'DEADLINE',
    `${named(tasks)} did not yield for ${deadlineMs / 1000} s and was ended`,
    { input: argv, suggestion: 'Does it loop? --deadline SECONDS gives it longer.' },
  );
}

/** The process is over although somebody's code had begun and not ended. */
function endedEarly(tasks: readonly WatchedTask[], argv: readonly string[], code: number): CodewalkError {
  const waits = code === UNSETTLED;
  const what = waits ? 'waits for what never comes' : `ended the process (exit code ${code})`;
  return new CodewalkError(tasks[0]?.failure ?? 'WALKER_FAILED', `${named(tasks)} ${what}`, {
    input: argv,
    suggestion: waits
      ? 'Does it await a promise that nothing settles?'
      : 'Does it call process.exit, or throw where nobody catches it? A walker throws, or returns.',
  });
}

function named(tasks: readonly WatchedTask[]): string {
  return tasks.map((task) => task.what).join(', ');
}

/** To those who wait for it: clients of MCP, a program that reads JSON, or a person. */
function tell(error: CodewalkError, tasks: readonly WatchedTask[], json: boolean): void {
  const requests = tasks.flatMap(({ request }) => (request === null ? [] : [request]));
  for (const id of requests) writeSync(1, `${JSON.stringify(callFailed(id, error.toBody()))}\n`);
  if (json && requests.length === 0) writeSync(1, `${JSON.stringify(error.toBody())}\n`);
  else writeSync(2, `error ${error.code}: ${error.message}\nsuggestion: ${error.suggestion}\n`);
}

/** The client must not wait for an answer that will never come. */
function callFailed(id: string | number, body: ErrorBody) {
  const content = [{ type: 'text', text: JSON.stringify(body) }];
  return { jsonrpc: '2.0', id, result: { isError: true, content } };
}
