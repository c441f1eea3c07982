import type { Definition, Reference } from '../../facts.js';
import type { ValueFact } from '../../flow-facts.js';
import { memberOf, staticMember } from '../class-members.js';
import { definitionAt, type ModuleTable } from '../module-table.js';
import type { Program } from '../program.js';
import type { DefinitionTarget } from '../resolution.js';
import { type Caller, type Callers, Evaluation, type StepBudget } from './evaluation.js';
import type { Scene, Value, Values } from './value.js';

/** What a call can reach through values. */
export interface Called {
  /** In the order they were found; each once. */
  readonly targets: readonly DefinitionTarget[];
  /** Whether each of them is surely called: none is one alternative of several, or besides something unknown. */
  readonly isFact: boolean;
}

/** A call of the file, what it calls, and how: as far as it is known without values. */
export interface KnownCall {
  readonly reference: Reference;
  readonly targets: readonly DefinitionTarget[];
}

/** Functions that values bring to one call: beyond that it hands on to whatever it is given, and each is a candidate. */
const MOST_FACTS = 6;

/** Rounds of working out calls through what earlier rounds say of parameters: each follows one more hand-over. */
const MOST_ROUNDS = 4;

/**
 * What the calls of a file reach that are not known from names and types alone, by their index. `known` are all of its
 * calls: where a function is called says what its parameters stand for. What the budget is not enough for is not told.
 */
export function calledThroughValues(
  program: Program,
  file: string,
  known: ReadonlyMap<number, KnownCall>,
  budget: StepBudget,
): ReadonlyMap<number, Called> {
  const open = [...known].filter(
    ([, { reference, targets }]) => targets.length === 0 && calleeOf(reference) !== null,
  );
  let found: ReadonlyMap<number, Called> = new Map();
  let callers = callersOf(program, file, known, found);
  for (let round = 0; round < MOST_ROUNDS && open.length > 0; round += 1) {
    const next = new Map<number, Called>();
    const run = new Evaluation(program, file, callers, budget);
    for (const [index, { reference }] of open) {
      const called = calledAt(run, reference);
      if (called) next.set(index, called);
    }
    // An earlier round that came to its end says more than one that did not.
    if (budget.steps <= 0 && round > 0) break;
    const more = callersOf(program, file, known, next);
    found = next;
    // Without new callers every parameter stays what it was.
    if (sizeOf(more) === sizeOf(callers)) break;
    callers = more;
  }
  return found;
}

/** A member that is named at a place: `jinja_env` of `ctx.app`. */
export interface NamedMember {
  readonly reference: Reference;
  /** A dotted path of names. */
  readonly receiver: string;
  readonly name: string;
}

/**
 * The definitions that members refer to whose receivers only values tell, in the order of `asked`; none where one of the
 * receiver's values is not known.
 *
 * @param known The calls of the file with what they reach: they say what parameters stand for.
 */
export function membersThroughValues(
  program: Program,
  file: string,
  known: ReadonlyMap<number, KnownCall>,
  asked: readonly NamedMember[],
  budget: StepBudget,
): DefinitionTarget[][] {
  const run = new Evaluation(program, file, callersOf(program, file, known, new Map()), budget);
  return asked.map(({ reference, receiver, name }) => {
    const values = run.ask(receiver, sceneOf(file, reference));
    if (!values || values.isOpen || values.all.length > MOST_FACTS) return [];
    const found = new Map<string, DefinitionTarget>();
    for (const value of values.all) {
      const member = memberOfValue(program, value, name);
      if (member) found.set(`${member.file}\0${member.definition}`, member);
    }
    return [...found.values()];
  });
}

function memberOfValue(program: Program, value: Value, name: string): DefinitionTarget | null {
  if (value.kind === 'module') {
    const meaning = staticMember(program, value.meaning, name, 'value');
    return meaning?.kind === 'definition' ? { file: meaning.file, definition: meaning.definition } : null;
  }
  if (value.kind !== 'instance' && value.kind !== 'class') return null;
  const { file, definition } = value;
  const kind = value.kind === 'class' ? 'definition' : 'instance';
  const member = memberOf(program, { kind, file, definition, via: 'type' }, name);
  return member && { file: member.file, definition: member.definition };
}

function sizeOf(callers: Callers): number {
  return [...callers.values()].reduce((sum, list) => sum + list.length, 0);
}

function calledAt(run: Evaluation, reference: Reference): Called | null {
  const callee = calleeOf(reference);
  const values = callee === null ? null : run.ask(callee, sceneOf(run.home, reference));
  const targets = values ? targetsOf(run.program, values) : [];
  return values === null || targets.length === 0
    ? null
    : { targets, isFact: !values.isOpen && targets.length <= MOST_FACTS && values.all.every(isItself) };
}

/** Of `type[Base]` it is not known which class is constructed. */
function isItself(value: Value): boolean {
  return value.kind !== 'class' || value.orDerived !== true;
}

/** The callee as a value; null where it cannot be followed. */
function calleeOf({ callee, receiver, receiver_form, name, local }: Reference): ValueFact | null {
  if (callee !== undefined) return callee;
  if (local) return null;
  if (receiver_form === 'none') return name;
  if (receiver === null || (receiver_form !== 'path' && receiver_form !== 'this')) return null;
  return /^[\p{L}\p{N}_$.]+$/u.test(receiver) ? `${receiver}.${name}` : null;
}

function sceneOf(file: string, { from, line, column }: Reference): Scene {
  return { site: { file, from, place: { line, column }, local: false }, activation: null };
}

/** The functions, methods and classes that values are or are called by. */
function targetsOf(program: Program, { all }: Values): DefinitionTarget[] {
  const found = new Map<string, DefinitionTarget>();
  for (const value of all) {
    const target = targetOf(program, value);
    if (target) found.set(`${target.file}\0${target.definition}`, target);
  }
  return [...found.values()];
}

function targetOf(program: Program, value: Value): DefinitionTarget | null {
  if (value.kind === 'function' || value.kind === 'class')
    return { file: value.file, definition: value.definition };
  if (value.kind !== 'instance') return null;
  const method = memberOf(program, { ...value, via: 'type' }, '__call__');
  return method && { file: method.file, definition: method.definition };
}

/** Which calls each function of the file has: those of a class are its constructor's. */
function callersOf(
  program: Program,
  file: string,
  known: ReadonlyMap<number, KnownCall>,
  found: ReadonlyMap<number, Called>,
): Callers {
  const table = program.tables.get(file);
  const callers = new Map<number, Caller[]>();
  if (!table) return callers;
  for (const [index, { reference, targets }] of known)
    for (const target of [...targets, ...(found.get(index)?.targets ?? [])]) {
      const { form } = program.tables.get(target.file)?.facts.definitions[target.definition] ?? {};
      const initializer =
        form === 'class'
          ? memberOf(program, { kind: 'definition', via: 'type', ...target }, '__init__')
          : null;
      const called = form === 'class' ? initializer : target;
      if (called?.file !== file) continue;
      const definition = definitionAt(table, called.definition);
      const isBound = isHandedSelf(definition, table, reference);
      const caller: Caller = {
        given: { arguments: reference.values ?? { passed: [] }, scene: sceneOf(file, reference) },
        isBound,
      };
      const list = callers.get(called.definition);
      if (list) list.push(caller);
      else callers.set(called.definition, [caller]);
    }
  return callers;
}

/** Whether the first parameter is not among the arguments: it is where a method is called on its class by name. */
function isHandedSelf(
  { form, parent, is_static, decorators }: Definition,
  table: ModuleTable,
  { receiver, receiver_form }: Reference,
): boolean {
  if (form !== 'method' || (is_static && !decorators.includes('classmethod'))) return false;
  if (is_static || receiver === null || receiver_form !== 'path') return true;
  const owner = parent === null ? null : definitionAt(table, parent).name;
  return receiver.slice(receiver.lastIndexOf('.') + 1) !== owner;
}
