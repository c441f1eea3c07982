import { linkRulesOf } from '../languages/index.js';
import { ANYTHING, type Remembered } from '../resolution/lookups.js';
import type { LinkedUnits, Program } from '../resolution/program.js';
import type { ResolutionKind } from '../resolution/resolution.js';
import { expectedShape, functionShape } from './calls.js';
import type { Accepts, LinkContext, Member, Place, Space } from './context.js';
import { isTypeSymbol, symbolsThing } from './entries.js';
import {
  callee,
  constructed,
  constructors,
  evaluate,
  importThing,
  isVariant,
  joined,
  memberOf,
  named,
} from './evaluate.js';
import { constrained } from './extensions.js';
import { filesOfLibrary, nameInLibrary, offeredName, seenLibraries, seenMembers } from './libraries.js';
import { type Library, libraryOf } from './library.js';
import {
  allBases,
  ancestors,
  ancestorsWith,
  members,
  memberThing,
  type OwnMembers,
  ownMembers,
  rootTypes,
  supertypes,
  underlying,
  withArguments,
} from './members.js';
import { lookUp, packageSymbols, parameterId, selfType } from './names.js';
import { asType, classArgument, openMembers, openType } from './open-types.js';
import { wholeOf } from './parts.js';
import { declaringModule, importedPath, inModule, placeOfKey } from './paths.js';
import { completeTypes, definitionsOf, includedBy, includesOf } from './programs.js';
import {
  type Callable,
  eitherOf,
  NOTHING,
  SELF,
  type Signature,
  substituted,
  type Thing,
  type Type,
  typeOfThing,
  UNKNOWN,
  valueThing,
} from './types.js';
import { type Sym, type UnitView, unitView } from './unit-view.js';

/** An answer that is kept for all files. It is the one that is found where no other question is open. */
interface Kept<T> extends Remembered<T> {
  /** How many questions in questions it takes to find it; Infinity: too many. */
  readonly height: number;
  /** Of an answer in a circle the questions that it rests on: while one of these is open it is another one. */
  readonly circle: ReadonlySet<Slot<unknown>> | null;
}

/** One question of which the answer is kept. */
interface Slot<T> {
  kept: Kept<T> | null;
  /** The depth at which it is open; -1: it is not. */
  openAt: number;
}

type Slots<K, T> = Map<K, Slot<T>>;

/** What is found once for a program. */
class Found {
  readonly members = new Map<Sym, Remembered<OwnMembers>>();
  /** By the path. */
  readonly declaredIn = new Map<string, Remembered<Place | null>>();
  readonly includes = new Map<string, Remembered<readonly string[]>>();
  readonly included = new Map<string, Remembered<ReadonlySet<string>>>();
  readonly definitions = new Map<Sym, Remembered<readonly Sym[]>>();
  readonly types: Slots<Sym, Type> = new Map();
  readonly signatures: Slots<Sym, Signature> = new Map();
  /** By the type, a definition or the full name of one of a library. */
  readonly ancestors: Slots<Sym | string, readonly Type[]> = new Map();
  /** By the file and the row of an extension. */
  readonly extended: Slots<string, Type> = new Map();
  /** By the module, space and name; by the file, the binding and the space. */
  readonly inModules: Slots<string, Thing> = new Map();
  readonly imported: Slots<string, Thing> = new Map();
  /** By the type, then space and name. */
  readonly named = new Map<Sym, Slots<string, readonly Member[]>>();
}

const found = new WeakMap<Program, Found>();

/** Questions in questions that are asked at most: of a file, and anew of an answer that is kept. */
const DEEPEST = 240;
/** Steps that an answer that is kept takes at most, those of other such answers left out. */
const MOST_STEPS = 4000;
const OPEN = Symbol('open');

/** Of a function whose signature is asked for while it is found. */
const NO_SIGNATURE: Signature = {
  typeParameters: [],
  parameters: [],
  required: 0,
  variadic: false,
  result: UNKNOWN,
};

/** Answers by their rows, of one kind of question about one file. */
type Answers<T> = (T | typeof OPEN | undefined)[];

/** Answers that are found for one file, or for one answer that is kept for others. */
class FileAnswers {
  readonly things = new Map<UnitView, Answers<Thing>>();
  readonly types = new Map<UnitView, Answers<Thing>>();
  readonly bindings = new Map<UnitView, Answers<Type>>();
  readonly callees = new Map<UnitView, Answers<Thing>>();
}

/** An answer that is kept for all files while it is found. What limits it counts from its own start, whoever asks. */
class Finding {
  readonly answers = new FileAnswers();
  readonly asked = new Set<Slot<unknown>>();
  steps = 0;
  /** Whether a circle closed in it that may lead back to it. */
  isCircular = false;
  /** How deep questions in it went. */
  deepest: number;

  /** @param root The outermost one that is being found, if it is not itself. */
  constructor(
    readonly depth: number,
    private readonly outermost: Finding | null,
  ) {
    this.deepest = depth;
  }

  get root(): Finding {
    return this.outermost ?? this;
  }
}

/** Answers questions about expressions and types while one file is resolved; each once. */
export class Linker implements LinkContext {
  readonly units: LinkedUnits;
  readonly #found: Found;
  readonly #ownAnswers = new FileAnswers();
  #finding: Finding | null = null;
  /** What is given up: it went too deep or took too many steps. Until that is left nothing more is asked. */
  #givenUp: Finding | null = null;
  #depth = 0;
  /** The outermost open question that an answer since then rests on: what was cut short there is not kept. */
  #cut = Infinity;
  readonly #openAt = new WeakMap<Answers<unknown>, Map<number, number>>();

  /** @param budget Steps that are left for the file. */
  constructor(
    readonly program: Program,
    readonly own: UnitView,
    private readonly budget: { steps: number },
  ) {
    this.units = program.units;
    let known = found.get(program);
    if (!known) {
      known = new Found();
      found.set(program, known);
    }
    this.#found = known;
  }

  step(): boolean {
    const finding = this.#finding;
    if (finding) {
      finding.steps += 1;
      if (finding.steps > MOST_STEPS) this.#givenUp ??= finding;
      return this.#givenUp === null;
    }
    if (this.budget.steps <= 0) return false;
    this.budget.steps -= 1;
    return true;
  }

  view(path: string): UnitView | null {
    // Also of the file itself: what is kept for others rests on it.
    const facts = this.program.tables.get(path)?.facts;
    if (path === this.own.path) return this.own;
    return facts ? unitView(path, facts, linkRulesOf(facts.language)) : null;
  }

  get #answers(): FileAnswers {
    return this.#finding?.answers ?? this.#ownAnswers;
  }

  library(view: UnitView): Library {
    return libraryOf(view.rules.library);
  }

  thing(view: UnitView, row: number): Thing {
    return row < 0
      ? NOTHING
      : this.#once(this.#answers.things, view, row, NOTHING, () => evaluate(this, view, row));
  }

  /** What the callee of a call is. */
  callee(view: UnitView, call: number): Thing {
    return this.#once(this.#answers.callees, view, call, NOTHING, () => callee(this, view, call));
  }

  /** What a written type's name leads to. */
  typeThing(view: UnitView, row: number): Thing {
    return row < 0
      ? NOTHING
      : this.#once(this.#answers.types, view, row, NOTHING, () => this.#written(view, row));
  }

  type(view: UnitView, row: number): Type {
    const thing = this.typeThing(view, row);
    if (thing.is === 'type') return thing.type;
    if (thing.is === 'value') return thing.type;
    if (thing.is !== 'external') return UNKNOWN;
    return { kind: 'external', package: thing.package, name: thing.name, args: this.#args(view, row) };
  }

  bindingType(view: UnitView, row: number): Type {
    return this.#once(this.#answers.bindings, view, row, UNKNOWN, () => {
      const { bindings } = view.unit;
      const written = bindings.type[row] ?? -1;
      const isVariadic = view.bindingHas(row, 'variadic');
      if (written >= 0) {
        const type = this.type(view, written);
        if (type.kind !== 'unknown' || view.typeKind(written) !== 'unknown')
          return isVariadic ? { kind: 'list', of: type } : type;
      }
      const value = bindings.value[row] ?? -1;
      if (value >= 0) return typeOfThing(this.thing(view, value));
      return view.bindingKind(row) === 'parameter' ? this.#expected(view, row) : UNKNOWN;
    });
  }

  bindingThing(view: UnitView, row: number, space: Space): Thing {
    switch (view.bindingKind(row)) {
      case 'import': {
        // Another name for what a path of names leads to.
        const path = view.unit.bindings.value[row] ?? -1;
        const found = path < 0 ? NOTHING : named(this, view, path, space);
        return path < 0 || (found.is === 'unknown' && view.rules.namespaces === 'terms')
          ? importThing(this, view, row, space)
          : found;
      }
      case 'type parameter': {
        const written = view.unit.bindings.type[row] ?? -1;
        const bound = written < 0 ? null : this.type(view, written);
        return { is: 'type', type: { kind: 'parameter', id: parameterId(view, row), bound }, via: 'exact' };
      }
      default:
        return (
          this.#held(view, view.unit.bindings.value[row] ?? -1) ?? valueThing(this.bindingType(view, row))
        );
    }
  }

  /** The function or type that a value is, where names stand for these; null for any other. */
  #held(view: UnitView, value: number): Thing | null {
    const thing = view.rules.functionsAreValues && value >= 0 ? this.thing(view, value) : NOTHING;
    return thing.is === 'value' || thing.is === 'unknown' ? null : thing;
  }

  symbolType(symbol: Sym): Type {
    const { view, row } = symbol;
    return this.#across(this.#found.types, symbol, UNKNOWN, () => {
      const { symbols } = view.unit;
      const written = symbols.type[row] ?? -1;
      if (written >= 0) {
        const type = this.type(view, written);
        return view.hasFlag(row, 'variadic') ? { kind: 'list', of: type } : type;
      }
      const around = view.typeAround(symbols.scope[row] ?? -1);
      if (view.symbolKind(row) === 'constant' && around >= 0 && view.symbolKind(around) === 'enum')
        return { kind: 'named', symbol: view.symbol(around), args: [] };
      const value = symbols.value[row] ?? -1;
      return value < 0 ? UNKNOWN : typeOfThing(this.thing(view, value));
    });
  }

  signature(symbol: Sym): Signature {
    const { view, row } = symbol;
    return this.#across(this.#found.signatures, symbol, NO_SIGNATURE, () => {
      const { bindings, symbols } = view.unit;
      const rows = view.bindingsOf(row, 'parameter');
      const last = rows[rows.length - 1] ?? -1;
      const variadic = last >= 0 && view.bindingHas(last, 'variadic');
      const parameters = rows.map((one) => {
        const written = bindings.type[one] ?? -1;
        return written < 0 ? this.bindingType(view, one) : this.type(view, written);
      });
      const result = symbols.type[row] ?? -1;
      const values = view.returnsOf(row);
      const [first = -1] = values;
      return {
        ...((view.rules.labels || view.rules.argumentNames) && { slots: view.slots(row, rows) }),
        typeParameters: view.bindingsOf(row, 'type parameter').map((one) => parameterId(view, one)),
        parameters,
        required: rows.filter((one) => !view.bindingHas(one, 'variadic') && !view.bindingHas(one, 'optional'))
          .length,
        variadic,
        result:
          result >= 0
            ? this.type(view, result)
            : view.rules.selfTypes && values.length > 0 && values.every((value) => view.isSelf(value))
              ? { kind: 'parameter', id: SELF, bound: typeOfThing(this.thing(view, first)) }
              : first >= 0
                ? joined(
                    this,
                    values.map((value) => typeOfThing(this.thing(view, value))),
                  )
                : { kind: 'tuple', parts: [] },
      };
    });
  }

  symbolThing(symbol: Sym, via: ResolutionKind): Thing {
    const { view, row } = symbol;
    if (isTypeSymbol(symbol)) {
      const stands = view.unit.symbols.type[row] ?? -1;
      if (view.rules.package === 'program' && view.isDeclaration(row)) {
        const [only, ...others] = completeTypes(this, symbol);
        if (only && others.length === 0)
          return { is: 'type', type: { kind: 'named', symbol: only, args: [] }, via, named: symbol };
      }
      if (view.hasFlag(row, 'alias') && stands >= 0) {
        const type = this.type(view, stands);
        return { is: 'type', type, via, named: symbol };
      }
      if (view.rules.package === 'open') return { is: 'type', type: openType(this, symbol), via };
      return { is: 'type', type: { kind: 'named', symbol: wholeOf(this, symbol), args: [] }, via };
    }
    const kind = view.symbolKind(row);
    if (kind === 'function' || kind === 'method' || kind === 'constructor') {
      const callable: Callable = { symbol, external: null, signature: this.signature(symbol), via };
      return { is: 'function', callables: [callable] };
    }
    const held = this.#held(view, view.unit.symbols.value[row] ?? -1);
    return held ?? valueThing(this.symbolType(symbol), [{ symbol, via }]);
  }

  lookUp(view: UnitView, scope: number, name: string, at: number, space: Space, accepts?: Accepts): Thing {
    return lookUp(this, view, scope, name, at, space, accepts);
  }

  memberOf(view: UnitView, owner: Thing, name: string, space: Space): Thing {
    return memberOf(this, view, owner, name, space);
  }

  imported(view: UnitView, binding: number, space: Space): Thing {
    const key = `${space} ${binding} ${view.path}`;
    return this.#across(this.#found.imported, key, NOTHING, () => importedPath(this, view, binding, space));
  }

  inLibrary(view: UnitView, name: string, space: Space): Thing {
    return this.#across(this.#found.imported, `${space} ${name} ${view.path}`, NOTHING, () =>
      asImported(nameInLibrary(this, view, name, space)),
    );
  }

  extended(view: UnitView, extension: number): Type {
    return this.#across(this.#found.extended, `${extension} ${view.path}`, UNKNOWN, () =>
      constrained(this, view, extension, this.type(view, view.unit.extensions.type[extension] ?? -1)),
    );
  }

  packageMember(from: UnitView, key: string, name: string, space: Space): Thing {
    if (from.rules.paths)
      return this.#across(this.#found.inModules, `${space} ${name} ${key}`, NOTHING, () => {
        const place = placeOfKey(this, key);
        return place ? asImported(inModule(this, place, name, space)) : NOTHING;
      });
    if (from.rules.package === 'library')
      return this.#across(this.#found.inModules, `${space} ${name} ${key}`, NOTHING, () =>
        asImported(offeredName(this, key, name, space)),
      );
    const symbols = packageSymbols(this, from, key, name, space);
    const { packageObject } = from.rules;
    if (symbols.length > 0 || packageObject === undefined || name === packageObject)
      return symbolsThing(this, symbols, 'import');
    const object = symbolsThing(this, packageSymbols(this, from, key, packageObject, 'term'), 'import');
    return object.is === 'type'
      ? this.memberThing(this.members(from, object.type, name, space), from, 'import')
      : NOTHING;
  }

  members(view: UnitView, type: Type, name: string, space: Space): readonly Member[] {
    const own = (symbol: Sym) => ownMembers(this, this.#found.members, symbol);
    const target = type.kind === 'pointer' ? type.of : type;
    const of = classArgument(view.rules, target);
    if (of?.kind === 'named')
      return this.#membersAs(of.symbol, `as value ${space} ${name}`, view, target, name, space);
    if (target.kind !== 'named') return members(this, own, view, target, name, space);
    const { symbol } = target;
    let known = this.#found.named.get(symbol);
    if (!known) {
      known = new Map();
      this.#found.named.set(symbol, known);
    }
    const found = this.#across(known, `${space} ${name}`, [], () =>
      members(this, own, symbol.view, selfType(symbol), name, space),
    );
    return withArguments(this, target, found);
  }

  /** The members of a value that is a type, found once for the program. */
  #membersAs(
    symbol: Sym,
    key: string,
    view: UnitView,
    type: Type,
    name: string,
    space: Space,
  ): readonly Member[] {
    const own = (one: Sym) => ownMembers(this, this.#found.members, one);
    let known = this.#found.named.get(symbol);
    if (!known) {
      known = new Map();
      this.#found.named.set(symbol, known);
    }
    return this.#across(known, key, [], () => members(this, own, view, type, name, space));
  }

  ancestors(type: Type): readonly Type[] {
    if (type.kind === 'external' && type.args.length === 0)
      return this.#across(
        this.#found.ancestors,
        `${this.own.rules.modules}:${type.package}.${type.name}`,
        [],
        () => ancestors(this, type),
      );
    if (type.kind !== 'named') return ancestors(this, type);
    const { symbol } = type;
    const all = this.#across(this.#found.ancestors, symbol, [], () => ancestors(this, selfType(symbol)));
    return ancestorsWith(this, type, all);
  }

  /** The members that a definition itself has. */
  ownMembers(symbol: Sym): OwnMembers {
    return ownMembers(this, this.#found.members, symbol);
  }

  /** The members of a name that a definition itself has. */
  ownNamed(symbol: Sym, name: string): readonly Sym[] {
    if (symbol.view.rules.package === 'open') return openMembers(this, openType(this, symbol), name);
    return this.ownMembers(symbol).get(name) ?? [];
  }

  declaredIn(view: UnitView): Place | null {
    const { lookups } = this.program;
    return lookups.remembered(this.#found.declaredIn, view.path, () => declaringModule(this, view));
  }

  includes(view: UnitView): readonly string[] {
    const { lookups } = this.program;
    return lookups.remembered(this.#found.includes, view.path, () =>
      view.rules.package === 'library' ? filesOfLibrary(this, view) : includesOf(this, view),
    );
  }

  included(view: UnitView): ReadonlySet<string> {
    const { lookups } = this.program;
    return lookups.remembered(this.#found.included, view.path, () =>
      view.rules.package === 'library' ? seenLibraries(this, view) : includedBy(this, view),
    );
  }

  definitions(symbol: Sym): readonly Sym[] {
    const { lookups } = this.program;
    return lookups.remembered(this.#found.definitions, symbol, () => definitionsOf(this, symbol));
  }

  memberThing(all: readonly Member[], from: UnitView, via: ResolutionKind | null): Thing {
    return memberThing(this, seenMembers(this, all, from), from, via);
  }

  basesOf(type: Type): readonly Type[] {
    return allBases(this, type);
  }

  supertypes(type: Type): readonly Type[] {
    return supertypes(this, type);
  }

  underlying(type: Type): Type {
    return underlying(this, type);
  }

  /** What is expected of a parameter of an unnamed function that has no type. */
  #expected(view: UnitView, binding: number): Type {
    const scope = view.unit.bindings.scope[binding] ?? -1;
    const expression = view.functionOf(scope);
    if (expression < 0) return UNKNOWN;
    const at = view
      .bindingsIn(scope)
      .filter((row) => view.bindingKind(row) === 'parameter')
      .indexOf(binding);
    return this.expected(view, expression)?.parameters[at] ?? UNKNOWN;
  }

  /** What is expected of an unnamed function, or of one that is given by its name. */
  expected(view: UnitView, expression: number): Signature | null {
    if (expression < 0) return null;
    return expectedShape(this, view, expression, (call) => this.#callablesOf(view, call));
  }

  /** The functions that a call can mean, or the type of what is called. */
  #callablesOf(view: UnitView, call: number): readonly Callable[] | Type {
    if (view.expressionKind(call) === 'new') {
      const type = typeOfThing(constructed(this, view, call));
      const made = constructors(this, view, type, call);
      return made.is === 'function' ? made.callables : [];
    }
    const thing = this.callee(view, call);
    if (thing.is === 'function') return thing.callables;
    if (thing.is === 'value' && view.rules.labels) {
      const [constant] = thing.found;
      const isHolding = constant !== undefined && isVariant(constant.symbol);
      const signature = isHolding ? this.signature(constant.symbol) : functionShape(this, thing.type);
      return signature ? [{ symbol: null, external: null, signature, via: 'type' }] : [];
    }
    if (thing.is !== 'type') return [];
    const made = constructors(this, view, thing.type, call);
    return made.is === 'function' ? made.callables : thing.type;
  }

  argumentTypes(view: UnitView, call: number, at: number): readonly Type[] {
    const callables = this.#callablesOf(view, call);
    if ('kind' in callables) {
      // What makes a value of its fields takes one under the name of each.
      const label = view.labels('expressions', call)[at] ?? '';
      const field = label === '' ? NOTHING : memberOf(this, view, valueThing(callables), label, 'value');
      return field.is === 'value' ? [field.type] : [];
    }
    return callables.flatMap(({ signature: { parameters, variadic } }) => {
      const parameter = parameters[variadic ? Math.min(at, parameters.length - 1) : at];
      return parameter ? [parameter] : [];
    });
  }

  #args(view: UnitView, row: number): Type[] {
    return view.items('types', row).map((item) => this.type(view, item));
  }

  #written(view: UnitView, row: number): Thing {
    const { types } = view.unit;
    const base = types.base[row] ?? -1;
    const kind = view.typeKind(row);
    const is = (type: Type): Thing => ({ is: 'type', type, via: 'exact' });
    const inner = () => (base < 0 ? UNKNOWN : this.type(view, base));
    switch (kind) {
      case 'name':
        return this.#withArguments(view, row, this.#namedType(view, row, base));
      case 'pointer':
      case 'list':
      case 'optional':
      case 'channel':
        return is({ kind, of: inner() });
      case 'variadic':
        return is({ kind: 'list', of: inner() });
      case 'wildcard':
        return is(base < 0 ? (rootTypes(this)[0] ?? UNKNOWN) : inner());
      case 'map': {
        const [key = UNKNOWN, of = UNKNOWN] = this.#args(view, row);
        return is({ kind: 'map', key, of });
      }
      case 'function': {
        const parameters = this.#args(view, row);
        const items = view.items('types', row);
        const last = items[items.length - 1] ?? -1;
        const variadic = last >= 0 && view.typeKind(last) === 'variadic';
        if (variadic) {
          const list = parameters[parameters.length - 1];
          if (list?.kind === 'list') parameters[parameters.length - 1] = list.of;
        }
        const result: Type = base < 0 ? { kind: 'tuple', parts: [] } : inner();
        return is({ kind: 'function', parameters, variadic, result });
      }
      case 'tuple':
      case 'union':
        return is({ kind, parts: this.#args(view, row) });
      case 'members':
        return is({ kind: 'members', view, scope: types.scope[row] ?? -1, row });
      case 'this': {
        const symbol = view.typeAround(types.scope[row] ?? -1);
        return symbol < 0 ? NOTHING : is(selfType(wholeOf(this, view.symbol(symbol))));
      }
      case 'literal':
        return is({ kind: 'builtin', name: view.typeName(row) });
      case 'either':
        return is(eitherOf(this.#args(view, row)));
      case 'path':
        return base < 0
          ? this.lookUp(view, types.scope[row] ?? -1, view.typeName(row), types.at[row] ?? 0, 'term')
          : memberOf(this, view, this.typeThing(view, base), view.typeName(row), 'term');
      case 'self': {
        const scope = types.scope[row] ?? -1;
        const symbol = view.typeAround(scope);
        const extension = symbol < 0 ? view.extensionAround(scope) : -1;
        if (symbol < 0 && extension < 0) return NOTHING;
        const bound: Type =
          symbol < 0
            ? this.extended(view, extension)
            : { kind: 'named', symbol: view.symbol(symbol), args: [] };
        return is({ kind: 'parameter', id: SELF, bound });
      }
      case 'package':
        return { is: 'package', key: null, name: view.typeName(row), isFull: true };
      default:
        return NOTHING;
    }
  }

  #namedType(view: UnitView, row: number, base: number): Thing {
    const { types } = view.unit;
    const name = view.typeName(row);
    const named = (space: Space) =>
      base < 0
        ? this.lookUp(view, types.scope[row] ?? -1, name, types.at[row] ?? 0, space)
        : memberOf(this, view, this.typeThing(view, base), name, space);
    const found = view.rules.package === 'open' ? asType(view.rules, named('type')) : named('type');
    if (found.is !== 'unknown' || !view.rules.paths) return found;
    // A constant of an enum stands for its type where it is made or matched.
    const value = named('value');
    const [constant] = value.is === 'value' ? value.found : [];
    if (value.is !== 'value' || !constant || !isVariant(constant.symbol)) return found;
    return { is: 'type', type: value.type, via: constant.via, named: constant.symbol };
  }

  #withArguments(view: UnitView, row: number, thing: Thing): Thing {
    const args = this.#args(view, row);
    if (args.length === 0) return thing;
    if (thing.is === 'external')
      return {
        is: 'type',
        type: { kind: 'external', package: thing.package, name: thing.name, args },
        via: 'import',
      };
    if (thing.is !== 'type') return thing;
    const { type, named: alias } = thing;
    const parameters = alias?.view.bindingsOf(alias.row, 'type parameter') ?? [];
    if (alias && parameters.length > 0) {
      const by = parameters.map((one, at) => [parameterId(alias.view, one), args[at] ?? UNKNOWN] as const);
      return { ...thing, type: substituted(type, new Map(by), this) };
    }
    return type.kind === 'named' || type.kind === 'external' ? { ...thing, type: { ...type, args } } : thing;
  }

  /** An answer that is found once for the file that is resolved. What goes in a circle is `none` where it closes. */
  #once<T>(tables: Map<UnitView, Answers<T>>, view: UnitView, row: number, none: T, find: () => T): T {
    let answers = tables.get(view);
    if (!answers) {
      answers = [];
      tables.set(view, answers);
    }
    const known = answers[row];
    if (known === OPEN) {
      this.#cut = Math.min(this.#cut, this.#openAt.get(answers)?.get(row) ?? 0);
      return none;
    }
    if (known !== undefined) return known;
    if (!this.#goesDeeper(1) || !this.step()) {
      if (!this.#finding) this.#cut = -1;
      return none;
    }
    answers[row] = OPEN;
    let open = this.#openAt.get(answers);
    if (!open) {
      open = new Map();
      this.#openAt.set(answers, open);
    }
    open.set(row, this.#depth);
    const before = this.#cut;
    this.#cut = Infinity;
    this.#depth += 1;
    const answer = find();
    this.#depth -= 1;
    open.delete(row);
    // What rests on a question that is still open is an answer for now alone.
    const isWhole = this.#cut >= this.#depth && !this.#givenUp;
    answers[row] = isWhole ? answer : undefined;
    this.#cut = Math.min(before, this.#cut >= this.#depth ? Infinity : this.#cut);
    return answer;
  }

  /** Whether questions may go so much deeper. Of an answer that is kept the outermost one is given up where not. */
  #goesDeeper(by: number): boolean {
    const finding = this.#finding;
    const depth = this.#depth + by;
    if (!finding) return depth <= DEEPEST;
    if (this.#givenUp) return false;
    finding.deepest = Math.max(finding.deepest, depth);
    if (depth - finding.root.depth > DEEPEST) this.#givenUp = finding.root;
    return this.#givenUp === null;
  }

  /**
   * An answer about a symbol that is found once for the program, with all that was looked at for it: what was found for
   * the file alone is found again for it, since nobody knows what that rests on. It is the same whoever asks first:
   * limits count from its start, what is kept counts as high as it is, and where a circle closes what was found outside
   * of it is found again.
   */
  #across<K, T>(slots: Slots<K, T>, key: K, none: T, find: () => T): T {
    let slot = slots.get(key);
    if (!slot) {
      slot = { kept: null, openAt: -1 };
      slots.set(key, slot);
    }
    const outer = this.#finding;
    if (outer ? !this.step() : this.budget.steps <= 0) {
      if (!outer) this.#cut = -1;
      return none;
    }
    outer?.asked.add(slot);
    if (slot.openAt >= 0) {
      this.#cut = Math.min(this.#cut, slot.openAt);
      if (outer) outer.isCircular = true;
      return none;
    }
    const { kept } = slot;
    if (kept && !isOpen(kept.circle)) {
      for (const number of kept.looked) this.program.lookups.note(number);
      return outer && !this.#goesDeeper(kept.height) ? none : kept.value;
    }
    return this.#find(slot, none, find);
  }

  #find<T>(slot: Slot<T>, none: T, find: () => T): T {
    const { lookups } = this.program;
    const [before, outer, depth] = [this.#cut, this.#finding, this.#depth];
    if (outer && !this.#goesDeeper(1)) return none;
    const finding = new Finding(depth, outer?.root ?? null);
    slot.openAt = depth;
    this.#finding = finding;
    this.#cut = Infinity;
    this.#depth += 1;
    try {
      let isTooDeep = false;
      const answer = lookups.recorded(() => {
        const value = find();
        isTooDeep = this.#givenUp === finding && finding.steps <= MOST_STEPS;
        // How far that got depends on what was kept.
        if (isTooDeep) lookups.note(lookups.numberOf(ANYTHING));
        return this.#givenUp ? none : value;
      });
      if (this.#givenUp === finding) this.#givenUp = null;
      const isWhole = this.#cut >= depth;
      if (isWhole && !this.#givenUp)
        slot.kept ??= {
          ...answer,
          height: isTooDeep ? Infinity : finding.deepest - depth,
          circle: finding.isCircular ? finding.asked : null,
        };
      if (outer) {
        outer.deepest = Math.max(outer.deepest, finding.deepest);
        if (!isWhole) {
          outer.steps += finding.steps;
          outer.isCircular = true;
          for (const one of finding.asked) outer.asked.add(one);
        }
      }
      return answer.value;
    } finally {
      slot.openAt = -1;
      this.#depth = depth;
      this.#finding = outer;
      this.#cut = Math.min(before, this.#cut >= depth ? Infinity : this.#cut);
    }
  }
}

/** What is found in a module by whoever asks for it: its own names are imported ones to others. */
function asImported(thing: Thing): Thing {
  if (thing.is === 'function')
    return { ...thing, callables: thing.callables.map((one) => ({ ...one, via: 'import' })) };
  if (thing.is === 'type') return { ...thing, via: 'import' };
  if (thing.is === 'value') return { ...thing, found: thing.found.map((one) => ({ ...one, via: 'import' })) };
  return thing;
}

/** Whether a question of a circle is open. */
function isOpen(circle: Kept<unknown>['circle']): boolean {
  if (circle) for (const { openAt } of circle) if (openAt >= 0) return true;
  return false;
}
