import type { Json, Random } from './random.js';

/** What is tried with inputs by chance. */
export interface Target {
  readonly name: string;
  /** Its share of the time, next to those of the others. */
  readonly weight: number;
  /** Makes what its inputs need, once per process. */
  open(place: Place): Promise<Trial> | Trial;
}

/** Where a target runs. */
export interface Place {
  /** A folder of its own, which is removed afterwards. */
  readonly scratch: string;
  /** The repository. */
  readonly root: string;
  /** The built product. */
  readonly dist: string;
}

/** An open target. */
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
export function demand(holds: boolean, invariant: string, message: () => string): void {
  if (!holds) throw new Fault(invariant, message());
}

/** A place in the product's own files, as a stack names it; stacks of others are what texts from outside tell of. */
const OWN_PLACE = /file:\/\/\S{0,300}\/dist\/(?:chunk-\w+|[a-z-]+(?:\.worker)?)\.js:\d+:\d+/u;

/** @throws Fault where a text shows a stack of the product's own code. */
export function demandNoStack(shown: string): void {
  const found = OWN_PLACE.exec(shown)?.[0];
  demand(found === undefined, 'no-stack', () => `a stack trace is shown: ${found}`);
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
