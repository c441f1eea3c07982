import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import type { Answer, Ask } from './child.js';
import type { Json } from './random.js';

/** Milliseconds that one input may take, where nothing else is asked for. */
export const LONGEST = 5000;
/** Milliseconds until an input is given up that waits for something without using the processor. */
const LONGEST_IDLE = 30_000;
/** Milliseconds for coming to an end. */
const CLOSING_MS = 5000;
const STDERR_KEPT = 2000;
/** Milliseconds between two looks at who may hang. */
const WATCH_MS = 250;
/** Of a tick of `/proc`. */
const TICK_MS = 10;

/** What came of an input; null: all invariants held. */
export type Outcome = { readonly invariant: string; readonly message: string } | null;

/** The parent's end of a child that tries inputs. */
export class Runner {
  readonly #child: ChildProcess;
  #stderr = '';
  #gone: { readonly message: string } | null = null;
  readonly #longest: number;

  private constructor(program: string, target: string, longest: number) {
    this.#longest = longest;
    // A group of its own: what it starts ends with it.
    this.#child = spawn(process.execPath, [program, 'child', target], {
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    RUNNING.add(this);
    this.#child.stderr?.on('data', (text: Buffer) => {
      this.#stderr = (this.#stderr + text.toString()).slice(-STDERR_KEPT);
    });
    // `close` does not come once we closed the channel.
    this.#child.on('exit', (code, signal) => {
      this.#gone = { message: `the process ended with ${signal ?? `code ${code}`}: ${this.#stderr}` };
    });
    // It ended while it was written to: `close` tells.
    this.#child.on('error', () => undefined);
  }

  /**
   * @param longest Milliseconds that one input may take.
   * @throws Error where the target cannot be opened.
   */
  static async start(program: string, target: string, longest: number = LONGEST): Promise<Runner> {
    const runner = new Runner(program, target, longest);
    const opened = await runner.#answer(null, { most: 4 * LONGEST_IDLE, processorTime: false });
    if (opened.kind === 'open') return runner;
    await runner.end();
    throw new Error(`${target} could not be opened: ${'message' in opened ? opened.message : opened.kind}`);
  }

  /** Whether it can be asked again. */
  get isWell(): boolean {
    return this.#gone === null && this.#child.connected;
  }

  /**
   * Tries an input, or that of a seed.
   *
   * @param patient Whether time counts as the processors', which tells a hang from a busy machine.
   */
  async trial(what: number | { readonly input: Json }, patient = false): Promise<Outcome> {
    const ask: Ask = typeof what === 'number' ? { seed: what, run: true } : what;
    const most = patient ? LONGEST_IDLE : this.#longest;
    const answer = await this.#answer(ask, { most, processorTime: patient });
    if (answer.kind === 'held') return null;
    if (answer.kind !== 'fault') throw new Error(`unexpected answer: ${answer.kind}`);
    // It would not hear that it is to end.
    if (answer.invariant === 'no-hang') this.kill();
    if (['uncaughtException', 'unhandledRejection', 'no-hang', 'no-signal'].includes(answer.invariant))
      await this.end();
    return { invariant: answer.invariant, message: answer.message };
  }

  /** The input that a seed makes. */
  async inputOf(seed: number): Promise<Json> {
    const answer = await this.#answer({ seed, run: false }, { most: LONGEST_IDLE, processorTime: false });
    if (answer.kind === 'made') return answer.input;
    throw new Error(`no input of the seed ${seed}: ${'message' in answer ? answer.message : answer.kind}`);
  }

  /** Ends it with all that it started. */
  async end(): Promise<void> {
    const { pid } = this.#child;
    RUNNING.delete(this);
    if (this.isWell) {
      const late = setTimeout(() => this.kill(), CLOSING_MS);
      const gone = once(this.#child, 'exit');
      this.#child.disconnect();
      await gone;
      clearTimeout(late);
    }
    if (pid !== undefined) killGroup(pid);
    if (this.#gone === null) await once(this.#child, 'exit');
  }

  /** At once, as the program ends. */
  kill(): void {
    if (this.#child.pid !== undefined) killGroup(this.#child.pid);
  }

  #answer(ask: Ask | null, limit: { most: number; processorTime: boolean }): Promise<Answer> {
    const { pid = 0 } = this.#child;
    const longest = this.#longest;
    const from = performance.now();
    const used = limit.processorTime ? groupTime(pid) : 0;
    return new Promise((resolve) => {
      const over = (answer: Answer) => {
        clearInterval(watch);
        this.#child.off('message', over);
        this.#child.off('exit', ended);
        resolve(answer);
      };
      const ended = () =>
        over({ kind: 'fault', invariant: 'no-signal', message: this.#gone?.message ?? 'it ended' });
      const hang = (message: string) => over({ kind: 'fault', invariant: 'no-hang', message });
      const watch = setInterval(
        () => {
          const waited = performance.now() - from;
          if (waited > limit.most) hang(`no answer after ${Math.round(waited / 1000)} s`);
          else if (limit.processorTime && waited > longest && groupTime(pid) - used > longest)
            hang(`no answer after ${longest / 1000} s of processor time`);
        },
        Math.min(WATCH_MS, longest / 2),
      );
      this.#child.on('message', over);
      this.#child.once('exit', ended);
      if (this.#gone) ended();
      else if (ask) this.#child.send(ask, () => undefined);
    });
  }
}

const RUNNING = new Set<Runner>();

/** Ends every child that still runs: where the program itself is ended. */
export function killAll(): void {
  for (const runner of RUNNING) runner.kill();
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // All of it is gone.
  }
}

/** Milliseconds that the processes of a group took of the processors; where nobody tells that, of the clock. */
function groupTime(group: number): number {
  try {
    const times = readdirSync('/proc')
      .filter((name) => /^\d+$/u.test(name))
      .map((pid) => statOf(pid))
      .filter(([, , owner]) => Number(owner) === group);
    return times.reduce((sum, fields) => sum + (Number(fields[11]) + Number(fields[12])) * TICK_MS, 0);
  } catch {
    return performance.now();
  }
}

/** The fields of a process behind its name, which may hold anything. */
function statOf(pid: string): string[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}
