import type { Definition, Reference } from '../../facts.js';
import { byText } from '../../resolution/file-path.js';
import { CONFIDENCE } from '../../resolution/found-target.js';
import type { Remembered } from '../../resolution/lookups.js';
import type { Program } from '../../resolution/program.js';
import type {
  Candidate,
  DefinitionTarget,
  Evidence,
  ResolutionKind,
  ResolvedReceiver,
  ResolvedReference,
} from '../../resolution/resolution.js';
import type { Sym, UnitView } from '../unit-view.js';
import { typeNamed } from './annotations.js';
import { ancestorsOf, isClass, memberOf, ownMember, pathOf } from './classes.js';
import type { Caller, Callers } from './context.js';
import { FlowEvaluator, superMember } from './evaluator.js';
import { receiverClass } from './flows.js';
import { memberNamed } from './members.js';
import { moduleMember, type Named } from './modules.js';
import { nameNamed, parameterIn } from './names.js';
import { fixtureFor, isFixture } from './parameters.js';
import { targetOfName } from './reexports.js';
import { boundScope } from './scopes.js';
import type { Value, ValueSet } from './value.js';

/** Functions that values bring to one call: beyond that it hands on to whatever it is given, and each is a candidate. */
const MOST_FACTS = 6;

/** Rounds of working out calls through what earlier rounds say of parameters: each follows one more hand-over. */
const MOST_ROUNDS = 4;

/** How sure one of several functions is that values bring to a call, each of them a fact. */
const ONE_OF_SEVERAL = 0.7;

/** What one name leads to. */
interface Leads {
  readonly named: Named | null;
  /** What values bring besides: functions of a variable that is called, or of what has no name. */
  readonly targets: readonly Sym[];
  /** Whether each of `targets` is surely reached. */
  readonly isFact: boolean;
}

const NOWHERE: Leads = { named: null, targets: [], isFact: false };

/** The references of a file with what they refer to, and the definitions that stand in their receivers. */
export function resolvedByFlow(
  program: Program,
  view: UnitView,
  budget: { steps: number },
): { references: ResolvedReference[]; receivers: ResolvedReceiver[]; evaluator: FlowEvaluator } {
  return new References(program, view, budget).all();
}

class References {
  readonly #calls = new Map<number, Leads>();
  readonly #tests: ReadonlySet<number>;
  #evaluator: FlowEvaluator;

  constructor(
    private readonly program: Program,
    private readonly view: UnitView,
    private readonly budget: { steps: number },
  ) {
    this.#tests = new Set(view.facts.tests.flatMap(({ definition }) => definition ?? []));
    this.#evaluator = new FlowEvaluator(program, view, new Map(), budget);
  }

  all(): { references: ResolvedReference[]; receivers: ResolvedReceiver[]; evaluator: FlowEvaluator } {
    this.#resolveCalls();
    const { references } = this.view.facts;
    return {
      references: references.flatMap((reference, index) => this.#reference(reference, index)),
      receivers: references.flatMap((reference, index) => this.#receivers(reference, index)),
      evaluator: this.#evaluator,
    };
  }

  /** Resolves all calls: first without arguments, then with those that known callers give to parameters. */
  #resolveCalls(): void {
    const { references } = this.view.facts;
    let open = references.flatMap((reference, index) => (isCall(reference) ? index : []));
    let callers: Callers = new Map();
    for (let round = 0; round <= MOST_ROUNDS && open.length > 0; round += 1) {
      const found = new Map<number, Leads>();
      const waiting: number[] = [];
      for (const index of open) {
        found.set(index, this.#callee(index));
        if (this.#evaluator.dependsOnCallers) waiting.push(index);
      }
      // An earlier round that came to its end says more than one that did not.
      if (this.budget.steps <= 0 && round > 0) break;
      for (const [index, leads] of found) this.#calls.set(index, leads);
      const more = this.#callers();
      // Without new callers every parameter stays what it was.
      if (sizeOf(more) === sizeOf(callers)) break;
      callers = more;
      this.#evaluator = new FlowEvaluator(this.program, this.view, callers, this.budget);
      open = waiting;
    }
  }

  /** What a call reaches. */
  #callee(index: number): Leads {
    const row = this.view.unit.names.expression[index] ?? -1;
    const evaluator = this.#evaluator;
    evaluator.dependsOnCallers = false;
    if (row < 0) return NOWHERE;
    const callee = this.#used(row);
    const named = this.#named(callee);
    if (named && (named.kind !== 'symbol' || !isVariable(named.symbol)))
      return { named, targets: [], isFact: true };
    const values = evaluator.ask(callee);
    const targets = values ? this.#targets(values) : [];
    const isFact =
      values !== null && !values.incomplete && targets.length <= MOST_FACTS && values.all.every(isItself);
    return { named, targets, isFact };
  }

  /** Of a call the callee; any other expression itself. */
  #used(row: number): number {
    const isCall = row >= 0 && this.view.expressionKind(row) === 'call';
    return isCall ? (this.view.unit.expressions.base[row] ?? -1) : row;
  }

  /** What a name or member refers to, where that is one thing; null for all other expressions. */
  #named(row: number): Named | null {
    const { view } = this;
    if (row < 0) return null;
    switch (view.expressionKind(row)) {
      case 'name': {
        const named = nameNamed(this.#evaluator, view, row);
        return named === 'local' ? null : named;
      }
      case 'member': {
        const [only, ...others] = this.#members(row, 1);
        return only && others.length === 0 ? only : null;
      }
      case 'symbol':
        return { kind: 'symbol', symbol: view.symbol(view.unit.expressions.at[row] ?? -1), via: 'exact' };
      default:
        return null;
    }
  }

  /** What a member refers to, of each of the values that it is a member of; none where one of these is not known. */
  #members(row: number, most: number): Named[] {
    const { view } = this;
    const evaluator = this.#evaluator;
    const base = view.unit.expressions.base[row] ?? -1;
    const name = view.expressionName(row);
    if (base < 0) return [];
    if (view.expressionKind(base) === 'super') {
      const found = superMember(evaluator, view, base, name);
      return found ? [{ kind: 'symbol', symbol: found.symbol, via: 'type' }] : [];
    }
    const values = evaluator.ask(base);
    if (!values || values.incomplete) return [];
    const owners = values.all.filter(({ kind }) => kind !== 'literal');
    if (owners.length > most) return [];
    const found: Named[] = [];
    for (const owner of owners) {
      const named = memberOfValue(evaluator, owner, name);
      if (named && !found.some((one) => isSameName(one, named))) found.push(named);
    }
    return found;
  }

  #targets({ all }: ValueSet): readonly Sym[] {
    const found = new Set<Sym>();
    for (const value of all) {
      if (value.kind === 'function' || value.kind === 'class') found.add(value.symbol);
      if (value.kind !== 'instance') continue;
      const method = memberOf(this.#evaluator, value.symbol, this.view.rules.flow?.methods.called ?? '');
      if (method) found.add(method.symbol);
    }
    return [...found];
  }

  /** Which calls each function of the file has: those of a class are its constructor's. */
  #callers(): Callers {
    const { view } = this;
    const callers = new Map<Sym, Caller[]>();
    for (const [index, { named, targets }] of this.#calls) {
      const row = view.unit.names.expression[index] ?? -1;
      if (row < 0 || view.expressionKind(row) !== 'call') continue;
      const own = named?.kind === 'symbol' && !isVariable(named.symbol) ? [named.symbol] : [];
      for (const target of [...own, ...targets]) {
        const called = isClass(target)
          ? memberOf(this.#evaluator, target, view.rules.flow?.methods.constructor ?? '')?.symbol
          : target;
        if (called?.view !== view) continue;
        const caller = { given: { view, call: row, frame: null }, isBound: isHandedSelf(view, called, row) };
        const list = callers.get(called);
        if (list) list.push(caller);
        else callers.set(called, [caller]);
      }
    }
    return callers;
  }

  #reference(reference: Reference, index: number): ResolvedReference[] {
    const { view } = this;
    const [row, type] = [view.unit.names.expression[index] ?? -1, view.unit.names.type[index] ?? -1];
    if (reference.name.includes('*'))
      return [
        this.#result(reference, index, null, fittingMembers(this.#evaluator, view, row, reference.name)),
      ];
    if (type >= 0) return [this.#result(reference, index, typeNamed(this.#evaluator, view, type))];
    if (isCall(reference)) return this.#call(reference, index, this.#calls.get(index) ?? NOWHERE);
    const used = this.#used(row);
    const all = used >= 0 && view.expressionKind(used) === 'member' ? this.#members(used, MOST_FACTS) : [];
    if (all.length > 1)
      return all.map((named) => ({
        ...this.#result(reference, index, named),
        resolution: 'type',
        confidence: ONE_OF_SEVERAL,
      }));
    const named = all[0] ?? this.#named(used) ?? this.#fixture(reference, row);
    return [this.#result(reference, index, named)];
  }

  #call(reference: Reference, index: number, { named, targets, isFact }: Leads): ResolvedReference[] {
    if (targets.length === 0) {
      const twins = named?.kind === 'symbol' ? conditionalTwins(named.symbol, this.view, reference) : [];
      if (twins.length === 0 || named?.kind !== 'symbol') return [this.#result(reference, index, named)];
      const open = this.#result(reference, index, null);
      if (twins.length > MOST_TWINS) return [open];
      return [{ ...open, candidates: candidatesOf(twins, CONFIDENCE[named.via] / twins.length) }];
    }
    const byName = this.#result(reference, index, named);
    if (!isFact) return [{ ...byName, candidates: alternatives(targets) }];
    const confidence = targets.length === 1 ? CONFIDENCE.type : ONE_OF_SEVERAL;
    const facts = targets.map((symbol): ResolvedReference => {
      const target = this.#result(reference, index, { kind: 'symbol', symbol, via: 'type' });
      return { ...target, confidence };
    });
    return named ? [byName, ...facts] : facts;
  }

  /** The fixture that a parameter of a test or fixture is handed: the one read of a local name that is a reference. */
  #fixture({ kind, from }: Reference, row: number): Named | null {
    const { view } = this;
    if (kind !== 'read' || row < 0 || from === null || view.expressionKind(row) !== 'name') return null;
    const name = view.expressionName(row);
    const scope = boundScope(view, view.unit.expressions.scope[row] ?? -1, name);
    const taker = view.symbol(from);
    if (scope < 0 || view.unit.symbols.body[from] !== scope || parameterIn(view, scope, name) < 0)
      return null;
    if (!this.#tests.has(from) && !isFixture(taker)) return null;
    const fixture = fixtureFor(this.#evaluator, taker, name);
    return fixture && { kind: 'symbol', symbol: fixture, via: fixture.view === view ? 'exact' : 'import' };
  }

  #result(
    reference: Reference,
    index: number,
    named: Named | null,
    candidates: readonly Sym[] = [],
  ): ResolvedReference {
    const target = named && targetOfName(named);
    const via: ResolutionKind = target && named ? named.via : 'name';
    const made =
      isCall(reference) && named?.kind === 'symbol' && isClass(named.symbol)
        ? ownMember(named.symbol, this.view.rules.flow?.methods.constructor ?? '')
        : null;
    return {
      file: this.view.path,
      reference: index,
      target: target ?? { unresolved: reference.name },
      constructor_method: made && definitionOf(made),
      resolution: via,
      confidence: CONFIDENCE[via],
      candidates: candidates.length === 0 ? undefined : alternatives(candidates),
      // A reference says where it stands and how it is written: it is its own evidence.
      evidence: reference,
    };
  }

  /** The definitions that stand in the receiver of a reference, which is a dotted path. */
  #receivers(reference: Reference, index: number): ResolvedReceiver[] {
    const { view } = this;
    const { expressions } = view.unit;
    let row = this.#used(view.unit.names.expression[index] ?? -1);
    if (row < 0 || view.expressionKind(row) !== 'member') return [];
    const path = pathOf(view, expressions.base[row] ?? -1);
    if (!path) return [];
    const found: ResolvedReceiver[] = [];
    for (let step = path.length - 1; step >= 0; step -= 1) {
      row = expressions.base[row] ?? -1;
      const all = view.expressionKind(row) === 'member' ? this.#members(row, MOST_FACTS) : [this.#named(row)];
      for (const named of all) {
        if (named?.kind !== 'symbol') continue;
        const via = all.length > 1 ? 'type' : named.via;
        found.unshift({
          reference: index,
          target: definitionOf(named.symbol),
          resolution: via,
          confidence: CONFIDENCE[via],
          evidence: partOf(reference, path, step),
        });
      }
    }
    return found;
  }
}

/** What `.name` of a value refers to. */
function memberOfValue(evaluator: FlowEvaluator, value: Value, name: string): Named | null {
  const found = memberNamed(evaluator, value, name);
  if (found) return { kind: 'symbol', ...found };
  const owner = value.kind === 'list' || value.kind === 'dictionary' ? value.type : value;
  const isModule = owner?.kind === 'module' || owner?.kind === 'folder' || owner?.kind === 'external';
  return isModule ? moduleMember(evaluator, owner, name) : null;
}

function isSameName(one: Named, other: Named): boolean {
  return JSON.stringify(targetOfName(one)) === JSON.stringify(targetOfName(other));
}

/** Where a step of a receiver stands. */
function partOf({ line, column }: Reference, path: readonly string[], step: number): Evidence {
  return { line, column, expression: path.slice(0, step + 1).join('.') };
}

function definitionOf({ view, row }: Sym): DefinitionTarget {
  return { file: view.path, definition: row };
}

/** The more alternatives, the less sure each one is. */
function alternatives(targets: readonly Sym[]): Candidate[] {
  return candidatesOf(targets, CONFIDENCE.type / (targets.length + 1));
}

function candidatesOf(targets: readonly Sym[], confidence: number): Candidate[] {
  return targets.map((symbol) => ({ ...definitionOf(symbol), confidence }));
}

function sizeOf(callers: Callers): number {
  return [...callers.values()].reduce((sum, list) => sum + list.length, 0);
}

function isCall({ kind }: Reference): boolean {
  return kind === 'call' || kind === 'new';
}

function isVariable({ view, row }: Sym): boolean {
  return view.facts.definitions[row]?.form === 'variable';
}

/** Of `type[Base]` it is not known which class is constructed. */
function isItself(value: Value): boolean {
  return value.kind !== 'class' || !value.orDerived;
}

/** Whether the first parameter is not among the arguments: it is where a method is called on its class by name. */
function isHandedSelf(view: UnitView, method: Sym, call: number): boolean {
  const definition = method.view.facts.definitions[method.row];
  if (definition?.form !== 'method') return false;
  const [receiver] = method.view.bindingsOf(method.row, 'receiver');
  if (receiver === undefined) return false;
  const callee = view.unit.expressions.base[call] ?? -1;
  const path = callee < 0 ? null : pathOf(view, callee);
  if (!path || path.length < 2 || receiverClass(view, view.unit.expressions.base[callee] ?? -1) >= 0)
    return true;
  const owner = method.view.facts.definitions[definition.parent ?? -1];
  // A class method is handed its class wherever it is called.
  return definition.is_static || path[path.length - 2] !== owner?.name;
}

/** Functions of one name that branches define and a call may reach: of more no one is listed. */
const MOST_TWINS = 24;

/**
 * The functions of one name that branches of a scope define, `if … def f … else … def f`, when a symbol is one of them:
 * which one there is depends on the branch that is run. Empty when there is only one, and for what is asked inside of one
 * of the branches. In source order, the symbol itself included; no more than one beyond {@link MOST_TWINS}.
 */
function conditionalTwins(symbol: Sym, from: UnitView, { line }: Reference): readonly Sym[] {
  const { view, row } = symbol;
  const definition = view.facts.definitions[row];
  if (!definition?.branch) return [];
  const known: number[] = [row];
  for (const entry of view.entries(view.unit.symbols.scope[row] ?? -1, definition.name)) {
    const other = entry.table === 'symbol' ? view.facts.definitions[entry.row] : undefined;
    if (other && entry.row !== row && areApart(other, definition)) known.push(entry.row);
    if (known.length > MOST_TWINS) break;
  }
  const isInside = (one: number) => {
    const { branch } = view.facts.definitions[one] ?? {};
    return from === view && branch !== undefined && line >= branch[0] && line <= branch[1];
  };
  if (known.length < 2 || known.some(isInside)) return [];
  return known.sort((a, b) => a - b).map((one) => view.symbol(one));
}

/** Whether two functions stand in branches of which neither holds the other. Accessors of a property are no twins. */
function areApart(a: Definition, b: Definition): boolean {
  if (!a.branch || !b.branch || a.decorators.join() !== b.decorators.join()) return false;
  return a.branch[1] < b.branch[0] || b.branch[1] < a.branch[0];
}

/** Members that a computed name may be, and classes that are searched for them: where there are more, none are listed. */
const MOST_FITTING = 256;

const related = new WeakMap<Program, Map<Sym, Remembered<readonly Sym[]>>>();

/**
 * The methods that a computed name, `visit_*`, may be: of the class that an expression is an instance of, of those behind
 * it and derived from it.
 *
 * @param row The member expression.
 */
function fittingMembers(evaluator: FlowEvaluator, view: UnitView, row: number, name: string): readonly Sym[] {
  const base = row < 0 ? -1 : (view.unit.expressions.base[row] ?? -1);
  const values = base < 0 ? null : evaluator.ask(base);
  const [owner, ...others] = values?.all ?? [];
  if (!values || values.incomplete || others.length > 0) return [];
  if (owner?.kind !== 'instance' && owner?.kind !== 'class') return [];
  const [start = '', end = ''] = name.split('*');
  const fits = (one: string) =>
    one.length > start.length + end.length && one.startsWith(start) && one.endsWith(end);
  const found: Sym[] = [];
  for (const { view: of, row: symbol } of relatedTo(evaluator, owner.symbol))
    for (const [member, entries] of of.scopeNames(of.unit.symbols.body[symbol] ?? -1)) {
      if (!fits(member)) continue;
      const last = entries.findLast(
        (entry) => entry.table === 'symbol' && of.facts.definitions[entry.row]?.form === 'method',
      );
      if (last && found.push(of.symbol(last.row)) > MOST_FITTING) return [];
    }
  return found.sort((a, b) => byText(a.view.path, b.view.path) || a.row - b.row);
}

/** A class, those that derive from it, and all that are behind any of them; none where there are too many. */
function relatedTo(evaluator: FlowEvaluator, owner: Sym): readonly Sym[] {
  const { program } = evaluator;
  let known = related.get(program);
  if (!known) {
    known = new Map();
    related.set(program, known);
  }
  return program.lookups.remembered(known, owner, () => {
    const derived = new Set([owner]);
    for (const base of derived) {
      const paths = program.derived.get(base.view.symbolName(base.row)) ?? [];
      if (paths.length + derived.size > MOST_FITTING) return [];
      for (const path of paths) {
        const view = evaluator.view(path);
        for (let row = 0; view && row < view.unit.symbols.length; row += 1)
          if (isClass(view.symbol(row)) && derivesFrom(evaluator, view, row, base))
            derived.add(view.symbol(row));
      }
    }
    for (const one of [...derived].flatMap((each) => ancestorsOf(evaluator, each))) if (one) derived.add(one);
    return [...derived];
  });
}

function derivesFrom(evaluator: FlowEvaluator, view: UnitView, row: number, base: Sym): boolean {
  return view.basesOf(row).some((one) => {
    const named = typeNamed(evaluator, view, view.unit.bases.type[one] ?? -1);
    return named?.kind === 'symbol' && named.symbol === base;
  });
}
