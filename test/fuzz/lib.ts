import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chance } from '../../bench/lib/cypher/chance.mjs';
import { CodewalkError, type OpenGraph } from '../../index.js';
import { ERROR_CODES } from '../../schema/index.js';

/** What inputs are made of; functions too: data that a text of JSON can hold. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** Choices by chance: the same seed, the same choices. */
export class Random {
  readonly #chance: ReturnType<typeof chance>;

  constructor(seed: number) {
    this.#chance = chance(seed);
  }

  /** A whole number from 0 up to, not including, a limit. */
  below(limit: number): number {
    return this.#chance.below(limit);
  }

  between(low: number, high: number): number {
    return low + this.below(high - low + 1);
  }

  oneIn(times: number): boolean {
    return this.below(times) === 0;
  }

  oneOf<T>(choices: readonly T[]): T {
    return this.#chance.oneOf(choices);
  }

  times<T>(count: number, make: () => T): T[] {
    return Array.from({ length: count }, make);
  }

  seed(): number {
    return this.below(2 ** 31);
  }

  /** A part of a text, at most so long; small ones are likelier. */
  partOf(text: string, most: number): string {
    const length = this.between(1, Math.max(1, Math.min(most, this.oneOf([10, 100, 1000, most]))));
    const from = this.below(Math.max(1, text.length - length));
    return text.slice(from, from + length);
  }
}

/** A number that names, a text that tells: the same parts, the same seed (FNV-1a). */
export function seedOf(...parts: readonly (string | number)[]): number {
  let hash = 0x811c9dc5;
  for (const char of parts.join('\0')) {
    hash ^= char.codePointAt(0) ?? 0;
    hash = Math.imul(hash, 0x01000193) >>> 0;
  }
  return hash;
}

/** What is tried with inputs by chance. */
export interface Target {
  readonly name: string;
  /** Its share of the time, next to those of the others. */
  readonly weight: number;
  open(place: Place): Promise<Trial> | Trial;
}

export interface Place {
  /** A folder of its own, which is removed afterwards. */
  readonly scratch: string;
  readonly root: string;
  readonly dist: string;
}

export interface Trial {
  /** An input: it depends on `random` alone. */
  generate(random: Random): Json;
  /**
   * Tries one, which may be any JSON: what is no input of this target is passed over.
   *
   * @throws Fault naming the invariant that does not hold; any other error is a crash.
   */
  run(input: Json): Promise<void> | void;
  close?(): Promise<void> | void;
}

/** An invariant that does not hold. */
export class Fault extends Error {
  constructor(
    readonly invariant: string,
    message: string,
  ) {
    super(message);
    this.name = 'Fault';
  }
}

/** What is wrong with an answer. */
export interface Outcome {
  readonly invariant: string;
  readonly message: string;
}

/** Tries an input; null: all invariants held. */
export async function faultOf(trial: Trial, input: Json): Promise<Outcome | null> {
  try {
    await trial.run(input);
    // What was thrown where nobody waits for it comes now, and not in the next one's time.
    await new Promise((done) => setImmediate(done));
    return null;
  } catch (thrown) {
    const invariant = thrown instanceof Fault ? thrown.invariant : 'no-crash';
    return { invariant, message: describeThrown(thrown) };
  }
}

/** What was thrown, with its stack where it is no {@link Fault}. */
export function describeThrown(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  if (thrown instanceof Fault || thrown.stack === undefined) return thrown.message;
  return thrown.stack.split('\n').slice(0, 8).join('\n');
}

/** @throws Fault where something is not so. */
export function demand(holds: boolean, invariant: string, message: string | (() => string)): void {
  if (!holds) throw new Fault(invariant, typeof message === 'string' ? message : message());
}

/** A place in the product's own files, as a stack names it; stacks of others are what texts from outside tell of. */
const OWN_PLACE = /file:\/\/\S{0,300}\/dist\/(?:chunk-\w+|[a-z-]+(?:\.worker)?)\.js:\d+:\d+/u;

/** @throws Fault where a text shows a stack of the product's own code. */
export function demandNoStack(shown: string): void {
  const found = OWN_PLACE.exec(shown)?.[0];
  demand(found === undefined, 'no-stack', `a stack trace is shown: ${found}`);
}

/** Milliseconds of this process' time on the processors. */
export function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** A text of at most so many characters, for a message. */
export function brief(value: unknown, most = 300): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));
  return text.length > most ? `${text.slice(0, most)}… (${text.length} characters)` : text;
}

/**
 * Makes an input smaller as long as it still fails (delta debugging): parts of lists, objects and texts are left out,
 * halves first, and what is left is looked into.
 *
 * @param fails Whether an input fails in the same way.
 * @param until When it has to end, by `performance.now()`.
 */
export async function minimised(
  input: Json,
  fails: (candidate: Json) => Promise<boolean>,
  until: number,
): Promise<Json> {
  const isTime = () => performance.now() < until;
  if (typeof input === 'string') {
    const lines = await fewest(input.split('\n'), (left) => fails(left.join('\n')), isTime);
    const text = lines.join('\n');
    // By code unit: half of a pair may be what it takes.
    const units = text.length > 5000 ? [text] : text.split('');
    return (await fewest(units, (left) => fails(left.join('')), isTime)).join('');
  }
  if (Array.isArray(input)) {
    const left = await fewest(input, fails, isTime);
    for (const [at, one] of left.entries())
      left[at] = await minimised(one, (other) => fails(left.with(at, other)), until);
    return left;
  }
  if (typeof input === 'object' && input !== null) {
    const entries = await fewest(Object.entries(input), (left) => fails(objectOf(left)), isTime);
    for (const [at, [key, value]] of entries.entries()) {
      const within = (other: Json) => fails(objectOf(entries.with(at, [key, other])));
      entries[at] = [key, await minimised(value, within, until)];
    }
    return objectOf(entries);
  }
  return input;
}

/** The fewest of some parts with which it still fails, as far as leaving out runs of them tells. */
async function fewest<T>(
  parts: readonly T[],
  fails: (left: T[]) => Promise<boolean>,
  isTime: () => boolean,
): Promise<T[]> {
  let left = [...parts];
  for (
    let size = Math.ceil(left.length / 2);
    size >= 1 && isTime();
    size = size === 1 ? 0 : Math.ceil(size / 2)
  )
    for (let at = 0; at < left.length && isTime(); ) {
      const without = [...left.slice(0, at), ...left.slice(at + size)];
      if (await fails(without)) left = without;
      else at += size;
    }
  return left;
}

function objectOf(entries: readonly (readonly [string, Json])[]): Json {
  // A key may be `__proto__`.
  return Object.fromEntries(entries);
}

/** The texts of files beneath a folder whose path ends as asked, by path; none where there is no folder. */
export function textsBeneath(folder: string, endings: readonly string[]): { path: string; text: string }[] {
  let entries: { name: string; parentPath: string; isFile(): boolean }[];
  try {
    entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  } catch {
    return [];
  }
  return entries
    .filter((entry) => entry.isFile() && endings.some((ending) => entry.name.endsWith(ending)))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((path) => ({ path, text: readFileSync(path, 'utf8') }));
}

export async function libraryIn({ dist }: Place): Promise<typeof import('../../index.js')> {
  return import(pathToFileURL(join(dist, 'index.js')).href);
}

export async function linesOf(graph: OpenGraph, walker: string, input: Record<string, unknown> = {}) {
  const { reports } = await graph.spawn(walker, null, input);
  return reports.map((line) => JSON.stringify(line));
}

/**
 * The error that some work ends in; null where it ends well.
 *
 * @throws Fault where it has no code of the table or no message, is a fault of the product's own, or shows a stack.
 */
export async function codedError(work: () => Promise<unknown> | unknown): Promise<CodewalkError | null> {
  try {
    await work();
    return null;
  } catch (thrown) {
    if (!(thrown instanceof CodewalkError)) throw thrown;
    const { code, message } = thrown;
    const told = `${code}: ${message}`;
    demand(Object.hasOwn(ERROR_CODES, code) && message !== '', 'coded', () => told);
    const cause = thrown.cause instanceof Error ? `\n${thrown.cause.stack}` : '';
    demand(code !== 'INTERNAL' && code !== 'WALKER_FAILED', 'no-internal', `${told}${cause}`);
    demandNoStack(message);
    return thrown;
  }
}
