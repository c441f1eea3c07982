import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { minimised } from './minimise.js';
import { type Json, seedOf } from './random.js';
import { type Outcome, Runner } from './runner.js';
import type { Target } from './target.js';

/** A fault as it is kept: what `npm run fuzz -- --replay` tries again. */
export interface Crash {
  readonly target: string;
  readonly invariant: string;
  readonly message: string;
  /** Of the run that found it, and the number of the input in it. */
  readonly seed: number;
  readonly nth: number;
  /** One after the other, in one process. */
  readonly inputs: Json[];
}

/** What was found. */
export interface Finding extends Omit<Crash, 'inputs'> {
  /** Root-relative; null where another try did not bring it about again, so that there is nothing to keep. */
  readonly file: string | null;
}

/** What became of a target. */
export interface Tally {
  readonly name: string;
  inputs: number;
  seconds: number;
  /** Inputs that broke an invariant as another one did before. */
  again: number;
  /** Inputs that were late on a busy machine, and in time when they were tried again. */
  late: number;
}

/** How a run is made. */
export interface RunOptions {
  /** The program that children run. */
  readonly program: string;
  /** The repository. */
  readonly root: string;
  readonly targets: readonly Target[];
  readonly seed: number;
  readonly minutes: number;
  /** Of each target so many, however long it takes; null: as the minutes allow. */
  readonly inputs: number | null;
  /** Milliseconds that one input may take. */
  readonly longest: number;
  /** Processes at a time. */
  readonly jobs: number;
  /** Where crashes are kept; absolute. */
  readonly crashes: string;
  readonly onProgress: (text: string) => void;
}

/** Making one input smaller may take as long as so many inputs that hang, and three seconds. */
const MINIMISE = { hangs: 6, leastMs: 3_000 };
/** Seconds of a round, in which every target gets its share. */
const ROUND_S = 120;
/** Inputs before one that failed that are tried with it, where it does not fail by itself. */
const BEFORE = 40;
/** Faults of a target after which it gets no more time. */
const ENOUGH = 12;

/** A run: every target gets its share of the time, and what is found is made small and kept. */
export class Run {
  readonly #options: RunOptions;
  readonly findings: Finding[] = [];
  readonly tallies: Map<string, Tally>;
  readonly #known = new Set<string>();

  constructor(options: RunOptions) {
    this.#options = options;
    this.tallies = new Map(
      options.targets.map(({ name }) => [name, { name, inputs: 0, seconds: 0, again: 0, late: 0 }]),
    );
  }

  async go(): Promise<void> {
    const { targets, minutes, inputs, jobs } = this.#options;
    const rounds = inputs === null ? Math.max(1, Math.round((minutes * 60) / ROUND_S)) : 1;
    const total = targets.reduce((sum, { weight }) => sum + (weight || 1), 0);
    const milliseconds = (minutes * 60_000 * jobs) / rounds;
    for (let round = 0; round < rounds; round++) {
      const waiting = [...targets].sort((a, b) => b.weight - a.weight);
      const lane = async () => {
        for (let target = waiting.shift(); target; target = waiting.shift())
          await this.#slice(target, (milliseconds * (target.weight || 1)) / total);
      };
      await Promise.all(Array.from({ length: jobs }, lane));
    }
  }

  async #slice(target: Target, milliseconds: number): Promise<void> {
    const { program, seed, inputs, longest, onProgress } = this.#options;
    const tally = this.tallies.get(target.name);
    const found = () => this.findings.filter((one) => one.target === target.name).length;
    if (!tally || found() >= ENOUGH) return;
    const from = performance.now();
    const until = from + milliseconds;
    let runner = await Runner.start(program, target.name, longest);
    let since = tally.inputs;
    while ((inputs === null ? performance.now() < until : tally.inputs < inputs) && found() < ENOUGH) {
      const nth = tally.inputs++;
      const outcome = await runner.trial(seedOf(seed, target.name, nth));
      if (outcome) {
        await this.#found(target, nth, since, outcome, tally);
        await runner.end();
      }
      if (!runner.isWell) {
        runner = await Runner.start(program, target.name, longest);
        since = tally.inputs;
      }
      onProgress(`${target.name}: ${tally.inputs} inputs, ${this.findings.length} faults in all`);
    }
    await runner.end();
    tally.seconds += (performance.now() - from) / 1000;
  }

  async #found(target: Target, nth: number, since: number, outcome: Outcome & object, tally: Tally) {
    const { program, seed, root, crashes, longest } = this.#options;
    const key = keyOf(target.name, outcome);
    if (this.#known.has(key)) {
      tally.again++;
      return;
    }
    const seeds = (from: number) =>
      Array.from({ length: nth - from + 1 }, (_, at) => seedOf(seed, target.name, from + at));
    let inputs: Json[] = [];
    let again: Outcome = null;
    for (const from of new Set([nth, Math.max(since, nth - 4), Math.max(since, nth - BEFORE)])) {
      inputs = await inputsOf(program, target.name, seeds(from));
      again = await triedAnew(program, target.name, inputs, longest);
      if (again?.invariant === outcome.invariant) break;
    }
    if (again === null && outcome.invariant === 'no-hang') {
      tally.late++;
      return;
    }
    this.#known.add(key);
    const finding = { target: target.name, ...(again ?? outcome), seed, nth };
    if (again?.invariant !== outcome.invariant) {
      this.findings.push({ ...finding, file: null });
      return;
    }
    const [small, last] = await this.#smaller(target.name, inputs, again);
    // What is smaller may be what was found before.
    const smallKey = keyOf(target.name, last);
    if (smallKey !== key && this.#known.has(smallKey)) {
      tally.again++;
      return;
    }
    this.#known.add(smallKey);
    const crash = { ...finding, ...last, inputs: small };
    const folder = join(crashes, target.name);
    mkdirSync(folder, { recursive: true });
    const name = `${last.invariant}-${seedOf(JSON.stringify(small)).toString(16)}.json`;
    writeFileSync(join(folder, name), `${JSON.stringify(crash, null, 2)}\n`);
    this.findings.push({ ...finding, ...last, file: relative(root, join(folder, name)) });
  }
  /** The input made small, with what came of it. */
  async #smaller(
    target: string,
    inputs: Json[],
    outcome: Outcome & object,
  ): Promise<[Json[], Outcome & object]> {
    const { program, longest } = this.#options;
    // In a new process each time only where others before it had a part in it: a new one costs more than most inputs.
    const isAlone = inputs.length === 1;
    let runner: Runner | null = null;
    const fails = async (candidate: Json) => {
      if (runner !== null && !(isAlone && runner.isWell)) {
        await runner.end();
        runner = null;
      }
      runner ??= await Runner.start(program, target, longest);
      return (await triedOn(runner, candidate))?.invariant === outcome.invariant;
    };
    const small = await minimised(
      inputs,
      fails,
      performance.now() + Math.max(MINIMISE.leastMs, MINIMISE.hangs * longest),
    );
    await (runner as Runner | null)?.end();
    const last = await triedAnew(program, target, small, longest);
    return Array.isArray(small) && last?.invariant === outcome.invariant ? [small, last] : [inputs, outcome];
  }
}

/**
 * Tries every crash that is kept; answers those that fail, and how many there are.
 *
 * @param longest Milliseconds that one input may take.
 */
export async function replayed(
  program: string,
  crashes: string,
  only: (target: string) => boolean,
  longest: number,
): Promise<{ readonly tried: number; readonly findings: readonly Finding[] }> {
  const findings: Finding[] = [];
  let tried = 0;
  for (const target of namesIn(crashes).filter(only)) {
    let runner = await Runner.start(program, target, longest);
    for (const name of namesIn(join(crashes, target))) {
      const file = join(crashes, target, name);
      const crash: Crash = JSON.parse(readFileSync(file, 'utf8'));
      tried++;
      for (const input of crash.inputs) {
        const outcome = await runner.trial({ input }, true);
        if (!outcome) continue;
        findings.push({ target, ...outcome, seed: crash.seed, nth: crash.nth, file });
        break;
      }
      if (!runner.isWell) runner = await Runner.start(program, target, longest);
    }
    await runner.end();
  }
  return { tried, findings };
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

async function inputsOf(program: string, target: string, seeds: readonly number[]): Promise<Json[]> {
  const runner = await Runner.start(program, target);
  const inputs: Json[] = [];
  for (const seed of seeds) inputs.push(await runner.inputOf(seed));
  await runner.end();
  return inputs;
}

/** What came of inputs; time is the processors', so that a busy machine hangs nobody. */
async function triedOn(runner: Runner, inputs: Json): Promise<Outcome> {
  for (const input of Array.isArray(inputs) ? inputs : []) {
    const outcome = await runner.trial({ input }, true);
    if (outcome) return outcome;
  }
  return null;
}

async function triedAnew(program: string, target: string, inputs: Json, longest: number): Promise<Outcome> {
  const runner = await Runner.start(program, target, longest);
  const outcome = await triedOn(runner, inputs);
  await runner.end();
  return outcome;
}

/** Faults with the same key count as one: what differs in their messages is the input. */
function keyOf(target: string, { invariant, message }: Outcome & object): string {
  const kind = message.replace(/'[^']*'|"[^"]*"|`[^`]*`|\/\S+|\d+/gu, '').slice(0, 80);
  return `${target} ${invariant} ${kind}`;
}
