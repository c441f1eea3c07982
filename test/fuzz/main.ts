import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import {
  describeThrown,
  faultOf,
  type Json,
  minimised,
  type Outcome,
  Random,
  seedOf,
  type Target,
} from './lib.js';
import { TARGETS } from './targets/index.js';

/*
 * `npm run fuzz`: each target tries inputs by chance in a process of its own, which may crash or hang. What breaks an
 * invariant is stored in crashes/, and `npm test` tries it from then on.
 */

const HELP = `npm run fuzz -- [--minutes N] [--seed S] [--only TARGET,…] [--jobs N] [--longest SECONDS] [--crashes DIR]

Tries inputs by chance on: ${TARGETS.map(({ name }) => name).join(', ')}.
The same seed, the same inputs. What breaks an invariant is made small and stored in test/fuzz/crashes/, which
'npx vitest run test/fuzz' tries again. Exit code 1: something was found.
`;
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** Faults of a target after which it gets no more time. */
const ENOUGH = 12;
const MINIMISE_MS = 20_000;

/** What a child sends: the input that it tries now, or, with a fault, what is left of one that it tried. */
interface Tried {
  readonly nth: number;
  readonly input: Json;
  readonly fault?: Outcome;
}

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '2' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    only: { type: 'string' },
    jobs: { type: 'string', default: '2' },
    longest: { type: 'string', default: '30' },
    crashes: { type: 'string', default: join(ROOT, 'test/fuzz/crashes') },
    help: { type: 'boolean', default: false },
    child: { type: 'string' },
    from: { type: 'string', default: '0' },
  },
});
const [minutes, seed, jobs] = [Number(values.minutes), Number(values.seed), Number(values.jobs)];
const only = values.only?.split(',') ?? TARGETS.map(({ name }) => name);
const chosen = TARGETS.filter(({ name }) => only.includes(name));
const child = TARGETS.find(({ name }) => name === values.child);

if (child) await tryInputs(child);
else if (values.help || chosen.length < only.length || !(minutes > 0) || !(jobs >= 1)) {
  process.stderr.write(HELP);
  process.exitCode = values.help ? 0 : 2;
} else process.exitCode = await fuzzAll();

/** Tries inputs of a target, one after the other, until the parent ends this process. */
async function tryInputs(target: Target): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), `codewalk-fuzz-${target.name}-`));
  process.on('exit', () => rmSync(scratch, { recursive: true, force: true, maxRetries: 3 }));
  let current: Tried = { nth: Number(values.from), input: null };
  const send = (tried: Tried) =>
    new Promise((done) => (process.connected ? process.send?.(tried, done) : done(null)));
  for (const invariant of ['uncaughtException', 'unhandledRejection'] as const)
    process.on(invariant, async (thrown: unknown) => {
      await send({ ...current, fault: { invariant, message: describeThrown(thrown) } });
      process.exit(70);
    });
  const trial = await target.open({ scratch, root: ROOT, dist: join(ROOT, 'dist') });
  for (let nth = current.nth; process.connected; nth++) {
    current = { nth, input: trial.generate(new Random(seedOf(seed, target.name, nth))) };
    await send(current);
    const fault = await faultOf(trial, current.input);
    if (fault === null) continue;
    const failsAlike = async (input: Json) => (await faultOf(trial, input))?.invariant === fault.invariant;
    const input = await minimised(current.input, failsAlike, performance.now() + MINIMISE_MS);
    await send({ nth, input, fault });
  }
  await trial.close?.();
  process.exit(0);
}

/** Gives every target its share of the time, and answers the exit code. */
async function fuzzAll(): Promise<number> {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
  const total = chosen.reduce((sum, { weight }) => sum + weight, 0);
  const waiting = [...chosen].sort((a, b) => b.weight - a.weight);
  let faults = 0;
  const work = async () => {
    for (let target = waiting.shift(); target; target = waiting.shift())
      faults += await fuzzTarget(target, (minutes * 60_000 * jobs * target.weight) / total);
  };
  await Promise.all(Array.from({ length: jobs }, work));
  process.stdout.write(`seed ${seed}: ${faults} faults\n`);
  return faults > 0 ? 1 : 0;
}

/** Runs children that try a target until its time is over; answers how many faults they found. */
async function fuzzTarget({ name }: Target, milliseconds: number): Promise<number> {
  const known = new Set<string>();
  const until = performance.now() + milliseconds;
  let next = 0;
  while (performance.now() < until && known.size < ENOUGH) {
    const args = ['--child', name, '--seed', String(seed), '--from', String(next)];
    // A group of its own: what it starts ends with it.
    const process = fork(fileURLToPath(import.meta.url), args, { detached: true, silent: true });
    const found = ({ input, fault, nth }: Tried) => {
      if (!fault || known.has(keyOf(fault))) return;
      known.add(keyOf(fault));
      report({ target: name, ...fault, seed, nth, inputs: [input] });
    };
    next = await watched(process, until, found);
  }
  console.log(`${name.padEnd(12)} ${String(next).padStart(8)} inputs, ${known.size} faults`);
  return known.size;
}

/** Follows a child until its time is over, or it crashes or hangs; answers the number of its next input. */
async function watched(child: ChildProcess, until: number, found: (tried: Tried) => void): Promise<number> {
  const longest = Number(values.longest) * 1000;
  let last: Tried = { nth: -1, input: null };
  let [heard, stderr] = [performance.now(), ''];
  child.stderr?.on('data', (text) => {
    stderr = (stderr + text).slice(-2000);
  });
  child.on('message', (tried: Tried) => {
    heard = performance.now();
    last = tried;
    found(tried);
  });
  const gone = once(child, 'exit');
  const kill = () => child.pid && process.kill(-child.pid, 'SIGKILL');
  process.once('exit', kill);
  const watch = setInterval(() => {
    if (performance.now() > until && child.connected) child.disconnect();
    if (performance.now() - heard < longest) return;
    found({ ...last, fault: { invariant: 'no-hang', message: `no answer after ${values.longest} s` } });
    kill();
  }, 100);
  const [code, signal] = await gone;
  clearInterval(watch);
  process.off('exit', kill);
  const message = `the process ended with ${signal ?? `code ${code}`}: ${stderr}`;
  if (signal !== 'SIGKILL' && code !== 0 && code !== 70)
    found({ ...last, fault: { invariant: 'no-signal', message } });
  return last.nth + 1;
}

/** Stores a fault where `npm test` tries it again. */
function report(
  crash: Outcome & {
    readonly target: string;
    readonly inputs: readonly Json[];
    readonly [more: string]: unknown;
  },
) {
  const folder = join(values.crashes, crash.target);
  mkdirSync(folder, { recursive: true });
  const name = `${crash.invariant}-${seedOf(JSON.stringify(crash.inputs)).toString(16)}.json`;
  writeFileSync(join(folder, name), `${JSON.stringify(crash, null, 2)}\n`);
  console.log(`\n${crash.target}  ${crash.invariant}  ${join(folder, name)}\n  ${crash.message}`);
}

/** Faults with the same key count as one: what differs in their messages is the input. */
function keyOf({ invariant, message }: Outcome): string {
  return `${invariant} ${message.replace(/'[^']*'|"[^"]*"|`[^`]*`|\/\S+|\d+/gu, '').slice(0, 80)}`;
}
