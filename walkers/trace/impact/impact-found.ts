import type { EdgeRef, NodeRef } from '../../../runtime/index.js';
import type {
  CodeSymbol,
  FILE_USES,
  File,
  Step,
  SymbolTestsSymbol,
  Task,
  TEST_WAYS,
  TraceError,
} from '../../../schema/index.js';
import { parseId } from '../../../schema/index.js';

/** How a tool used a file, null where it does not tell; `named`: an error that was met says its path. */
export type FileUse = (typeof FILE_USES)[number] | 'named' | null;

/** A step on the way, with the errors that it met and mended. */
export interface FoundStep {
  readonly step: NodeRef<typeof Step>;
  readonly task: string;
  readonly met: readonly string[];
  readonly mended: readonly string[];
}

/** A file on the way, and how it was used. */
export interface FoundFile {
  /** By the step that used it. */
  readonly uses: Map<string, Set<FileUse>>;
  /** Undefined: the code graph does not have it. */
  node: NodeRef<typeof File> | undefined;
}

/** A caller on the way. */
export interface FoundCaller {
  readonly distance: number;
  readonly calls: Set<string>;
}

/** A test on the way. */
export interface FoundTest {
  readonly via: (typeof TEST_WAYS)[number];
  readonly distance: number;
  readonly tests: Set<string>;
}

/** What a walk from a task or an error has come by so far. */
export class ImpactFound {
  readonly tasks = new Map<string, NodeRef<typeof Task>>();
  readonly errors = new Map<string, NodeRef<typeof TraceError>>();
  readonly steps = new Map<string, FoundStep>();
  /** By id. */
  readonly files = new Map<string, FoundFile>();
  /** What was worked on, by id; whether a trace names the symbol itself. */
  readonly touched = new Map<string, boolean>();
  /** By id, with what the symbols worked on among them. */
  readonly callers = new Map<string, FoundCaller>();
  readonly tests = new Map<string, FoundTest>();
  /** Every symbol and file of the code that the walk was at. */
  readonly code = new Map<string, NodeRef<typeof CodeSymbol | typeof File>>();
  /** Calls that may lead to what was worked on, and are no facts. */
  candidates = 0;
  readonly #entered = new Set<string>();
  readonly #waited = new Map<string, number>();

  /** Whether a location is entered for the first time. */
  enters({ id }: NodeRef): boolean {
    const isFirst = !this.#entered.has(id);
    this.#entered.add(id);
    return isFirst;
  }

  /** Whether the walk was at a location, as a caller said with {@link enters}. */
  has({ id }: NodeRef): boolean {
    return this.#entered.has(id);
  }

  touch(file: string, use: FileUse, step: string): void {
    const known = this.files.get(file) ?? { uses: new Map(), node: undefined };
    known.uses.set(step, (known.uses.get(step) ?? new Set()).add(use));
    this.files.set(file, known);
  }

  /**
   * Whether a file is to be visited again later: it is only named so far, and what was written decides what that comes
   * to. It stands right behind its error in the walk, the tools of the error's step stand two behind.
   */
  waits({ id }: NodeRef): boolean {
    const uses = [...(this.files.get(id)?.uses.values() ?? [])];
    const times = this.#waited.get(id) ?? 0;
    this.#waited.set(id, times + 1);
    return times < 2 && uses.length > 0 && uses.every((known) => known.size === 1 && known.has('named'));
  }

  /** What a file that was only read or named holds is not worked on, unless nothing was written at all. */
  isWorkedOn(file: string): boolean {
    const touched = this.files.get(file);
    if (!touched) return false;
    return stepsOf(touched, 'write').length + stepsOf(touched, null).length > 0 || !this.#isAnyWritten();
  }

  #isAnyWritten(): boolean {
    return [...this.files.values()].some((file) => stepsOf(file, 'write').length > 0);
  }

  /** Whether a trace names symbols of a file that were worked on: then they are, not all that it holds. */
  namesPartOf(path: string): boolean {
    return [...this.touched].some(([id, named]) => named && parseId(id)?.path === path);
  }

  /** How far a symbol is from what was worked on; 0 for that itself, undefined for what is none of it. */
  distanceOf(id: string): number | undefined {
    return this.touched.has(id) ? 0 : this.callers.get(id)?.distance;
  }

  calledBy(caller: string, symbol: string, distance: number): void {
    const known = this.callers.get(caller) ?? { distance, calls: new Set() };
    known.calls.add(symbol);
    this.callers.set(caller, known);
  }

  /** A test exercises a symbol that is so far from what was worked on: the nearest way counts. */
  testedBy(
    { from, to, via, distance }: Pick<EdgeRef<typeof SymbolTestsSymbol>, 'from' | 'to' | 'via' | 'distance'>,
    away: number,
  ): void {
    const known = this.tests.get(from);
    const tests = known?.tests ?? new Set();
    tests.add(to);
    const far = distance + away;
    if (!known || far < known.distance) this.tests.set(from, { via, distance: far, tests });
  }
}

/** The steps in which a file was used so. */
export function stepsOf({ uses }: FoundFile, use: FileUse): string[] {
  return [...uses].flatMap(([step, known]) => (known.has(use) ? [step] : []));
}
