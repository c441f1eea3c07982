import { type ChildProcess, fork } from 'node:child_process';
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

/** Milliseconds that an interrupted process has to end by itself. */
const GRACE_MS = 2000;

/**
 * Runs this same program again as a child that shares our terminal, and ends it when it shows no sign of life for
 * the deadline: a walker that loops without yielding cannot be stopped from inside its own thread.
 *
 * @returns the exit code: the child's, or 1 when it had to be ended
 */
export function runWatched(argv: readonly string[], options: WatchOptions): Promise<number> {
  const deadlineMs = options.deadlineMs ?? LIMITS.walkerSilence.default;
  const child = fork(process.argv[1] ?? '', argv, {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, [WATCHED]: '1' },
  });
  const tasks = new Map<string, WatchedTask>();
  let alive = performance.now();
  let overdue = false;
  child.on('message', (message: WatchMessage) => {
    alive = performance.now();
    if (message.kind === 'begin') tasks.set(message.task.id, message.task);
    if (message.kind === 'end') tasks.delete(message.id);
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
    child.on('exit', (code, signal) => {
      clearInterval(watch);
      if (overdue) tell([...tasks.values()], argv, { deadlineMs, json: options.json });
      done(overdue ? 1 : (code ?? 128 + (signal === null ? 0 : constants.signals[signal])));
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

function tell(
  tasks: readonly WatchedTask[],
  argv: readonly string[],
  { deadlineMs, json }: { deadlineMs: number; json: boolean },
): void {
  const what = tasks.map((task) => task.what).join(', ');
  const error = new CodewalkError(
    'DEADLINE',
    `${what} did not yield for ${deadlineMs / 1000} s and was ended`,
    {
      input: argv,
      suggestion: 'Does it loop? --deadline SECONDS gives it longer.',
    },
  );
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
