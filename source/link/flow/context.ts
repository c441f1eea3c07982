import type { Program } from '../../resolution/program.js';
import type { Sym, UnitView } from '../unit-view.js';
import type { Flow } from './flows.js';
import type { Named } from './modules.js';
import type { CallArguments, CallFrame, Value, ValueSet } from './value.js';

/** A call of a function of the file, as the function sees it. */
export interface Caller {
  readonly given: CallArguments;
  /** Whether the first parameter is filled by what it is called on, or by what is constructed. */
  readonly isBound: boolean;
}

/** The known callers of the functions of one file. */
export type Callers = ReadonlyMap<Sym, readonly Caller[]>;

/** What the parts of the evaluator ask of each other. */
export interface FlowContext {
  readonly program: Program;
  /** The file that is resolved; only its calls say what parameters get, and only to its own functions. */
  readonly home: UnitView;
  /** The known calls of a function of the file: what asks for them may be another with more of them. */
  callersOf(symbol: Sym): readonly Caller[];
  /** The unit of a file; its look-up is recorded. */
  view(path: string): UnitView | null;
  /** What an expression can be where it stands; a row below zero is unknown. */
  values(view: UnitView, row: number, frame: CallFrame | null): ValueSet;
  /** What a flow hands on. */
  flowing(view: UnitView, flow: Flow, frame: CallFrame | null): ValueSet;
  /** What something that was found by its name is as a value. */
  namedValues(named: Named, frame: CallFrame | null): ValueSet;
  /** What `.name` of a value can be. */
  member(value: Value, name: string): ValueSet;
  /** An item of a value; `key` null for each of them, as a loop takes them. */
  item(value: Value, key: ValueSet | null): ValueSet;
  /** What calling something gives. */
  called(callee: ValueSet, given: CallArguments): ValueSet;
  /** What a function gives. */
  resultOf(callee: Value & { kind: 'function' }, given: CallArguments): ValueSet;
  /** What a written type says of a value; null when it names nothing of the program. */
  annotated(view: UnitView, type: number, self: Value | null): ValueSet | null;
  /** What a written base of a class leads to. */
  baseNamed(view: UnitView, type: number): Named | null;
  /** A call at work on a function: its parameters with what they get. */
  activated(callee: Value & { kind: 'function' }, given: CallArguments): CallFrame;
  /** What a parameter can be. */
  parameter(view: UnitView, scope: number, binding: number, frame: CallFrame | null): ValueSet;
  /** Works on something, unless that is being done already: then it adds nothing to itself. */
  once(what: unknown, work: () => ValueSet): ValueSet;
  /** What was found before under a key, or is found now. Only what is complete is cached. */
  cached(key: unknown, work: () => ValueSet): ValueSet;
}
