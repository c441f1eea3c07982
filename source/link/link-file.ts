import type { FileFacts, Reference } from '../facts.js';
import { linkRulesOf } from '../languages/index.js';
import { moduleSystem } from '../modules/index.js';
import { CONFIDENCE } from '../resolution/found-target.js';
import type { Program } from '../resolution/program.js';
import type {
  DefinitionTarget,
  Resolution,
  ResolutionKind,
  ResolvedBase,
  ResolvedImport,
  ResolvedReceiver,
  ResolvedReference,
  Target,
} from '../resolution/resolution.js';
import { argumentsOf, fittingShape, selected } from './calls.js';
import { isTypeSymbol } from './entries.js';
import { calledFunctions, constructed, constructors, madeOf, named, valueSpace } from './evaluate.js';
import { linkByFlow } from './flow/link-file.js';
import { Linker } from './linker.js';
import { projectPackages } from './names.js';
import { classArgument, madeBy } from './open-types.js';
import { implementedBy, overriddenBy } from './overrides.js';
import { placeOfKey } from './paths.js';
import { includedFile } from './programs.js';
import { type Callable, type Thing, type Type, typeOfThing, UNKNOWN } from './types.js';
import { type Sym, type UnitView, unitView } from './unit-view.js';

/** What one name leads to. */
interface Leads {
  readonly target: Target;
  readonly via: ResolutionKind;
  readonly made?: Sym | null;
  readonly candidates?: readonly Callable[];
  /** Whether a name that stands alone calls it. */
  readonly isCalled?: boolean;
}

/** The unit of a file that the linker resolves; null for all others. */
export function linkedView(path: string, facts: FileFacts): UnitView | null {
  return unitView(path, facts, linkRulesOf(facts.language));
}

/**
 * The imports, references, bases and overrides of one file that was lowered to a unit. What cannot be told for sure is
 * unresolved.
 */
export function linkFile(program: Program, view: UnitView, budget: { steps: number }): Resolution {
  if (view.rules.flow) return linkByFlow(program, view, budget);
  return new FileLinks(new Linker(program, view, budget), view).all();
}

class FileLinks {
  /** Files of the project that an import leads to, by its row. */
  readonly #used = new Map<number, Map<string, DefinitionTarget[]>>();

  constructor(
    private readonly linker: Linker,
    private readonly view: UnitView,
  ) {}

  all(): Resolution {
    const { facts } = this.view;
    const references = facts.references.map((reference, index) => this.#reference(reference, index));
    return {
      imports: facts.imports.map((_, index) => this.#import(index)),
      references,
      receivers: this.#receivers(),
      inheritance: [...this.#bases(), ...implementedBy(this.linker)],
      overrides: overriddenBy(this.linker),
    };
  }

  #reference(reference: Reference, index: number): ResolvedReference {
    const { view } = this;
    const { names } = view.unit;
    const [expression, type] = [names.expression[index] ?? -1, names.type[index] ?? -1];
    const leads =
      type >= 0
        ? this.#typeName(type)
        : expression >= 0
          ? this.#expression(reference, expression)
          : UNRESOLVED;
    const { target, via, made, candidates: all = [], isCalled: isBare = false } = leads ?? UNRESOLVED;
    // A type's name that is not called does not lead to one of several.
    const isTypes = all.some(({ symbol }) => symbol !== null && isTypeSymbol(symbol));
    const candidates = (isTypes || view.rules.bareCalls) && !isCalled(reference) && !isBare ? [] : all;
    this.#noteUse(type, expression, target);
    const isFound = !('unresolved' in target);
    const confidence = candidates.length === 0 ? 0 : CONFIDENCE.type / candidates.length;
    return {
      file: this.view.path,
      reference: index,
      target: isFound ? target : { unresolved: reference.name },
      constructor_method: made ? definitionOf(made) : null,
      ...(isBare && { called: true }),
      resolution: isFound ? via : 'name',
      confidence: isFound ? CONFIDENCE[via] : 0,
      candidates:
        candidates.length === 0
          ? undefined
          : candidates.flatMap(({ symbol }) => (symbol ? { ...definitionOf(symbol), confidence } : [])),
      evidence: reference,
    };
  }

  #typeName(row: number): Leads | null {
    return this.#leadsOf(this.linker.typeThing(this.view, row));
  }

  #expression(reference: Reference, row: number, depth = 0): Leads | null {
    const { linker, view } = this;
    const { expressions } = view.unit;
    if (depth > DEEPEST) return null;
    this.#innermostFirst(row);
    switch (view.expressionKind(row)) {
      case 'call':
        return this.#call(row);
      case 'new':
        return this.#construction(constructed(linker, view, row), row);
      case 'composite':
      case 'convert':
        return this.#typeName(expressions.type[row] ?? -1);
      case 'either': {
        for (const item of view.items('expressions', row)) {
          const leads = this.#expression(reference, item, depth + 1);
          if (leads && !('unresolved' in leads.target)) return leads;
        }
        return null;
      }
      case 'name':
      case 'member':
        return this.#name(reference, row);
      default:
        return this.#leadsOf(linker.thing(view, row));
    }
  }

  /** Of a long chain of calls the first ones first: each then rests on an answer that is there. */
  #innermostFirst(row: number): void {
    const { linker, view } = this;
    const chain: number[] = [];
    for (let at = row; at >= 0 && chain.length < LONGEST; at = view.unit.expressions.base[at] ?? -1)
      if (view.expressionKind(at) === 'call') chain.push(at);
    if (chain.length > LONG) for (const call of chain.reverse()) linker.thing(view, call);
  }

  /** A name that is no call: a value, else a function or type that it may mean where these have names of their own. */
  #name(reference: Reference, row: number): Leads | null {
    const { linker, view } = this;
    if (view.rules.bareCalls) return this.#bareName(row);
    const value = linker.thing(view, row);
    const type =
      value.is === 'value' && value.found.length === 0 ? classArgument(view.rules, value.type) : null;
    const leads = type ? this.#externalType(type) : this.#leadsOf(value);
    if (leads && !('unresolved' in leads.target)) return leads;
    if (
      view.rules.namespaces !== 'apart' ||
      (value.is === 'value' && value.found.length === 0 && value.type.kind !== 'unknown')
    )
      return leads;
    const functions = named(linker, view, row, 'call');
    if (functions.is === 'external' && leads === null) return this.#leadsOf(functions);
    if (functions.is !== 'function' || reference.kind === 'type') return leads;
    const { callables } = functions;
    const shape = callables.length > 1 ? linker.expected(view, view.functionNaming(row)) : null;
    return this.#leadsOf({
      is: 'function',
      callables: shape ? fittingShape(linker, callables, shape) : callables,
    });
  }

  /** A name where functions without parameters are called by it. */
  #bareName(row: number): Leads | null {
    const { linker, view } = this;
    const thing = named(linker, view, row, valueSpace(view));
    if (thing.is !== 'function') return this.#leadsOf(thing);
    const bare = thing.callables.filter(({ signature }) => signature.parameters.length === 0);
    if (bare.length > 0) {
      const leads = this.#leadsOf({ is: 'function', callables: bare });
      return leads && { ...leads, isCalled: true };
    }
    const { callables } = thing;
    const shape = callables.length > 1 ? linker.expected(view, view.functionNaming(row)) : null;
    return this.#leadsOf({
      is: 'function',
      callables: shape ? fittingShape(linker, callables, shape) : callables,
    });
  }

  #call(row: number): Leads | null {
    const { linker, view } = this;
    const thing = linker.callee(view, row);
    const base = view.unit.expressions.base[row] ?? -1;
    const kind = base < 0 ? 'unknown' : view.expressionKind(base);
    if (kind === 'this' || kind === 'super') {
      const type = madeOf(typeOfThing(linker.thing(view, base)));
      return this.#construction({ is: 'type', type, via: kind === 'this' ? 'exact' : 'type' }, row);
    }
    const type = madeBy(linker, view, row);
    if (type.kind !== 'unknown') return this.#construction({ is: 'type', type, via: 'type' }, row);
    if (thing.is !== 'function') return this.#construction(thing, row);
    const functions = calledFunctions(linker, view, row, thing);
    return this.#leadsOf({ is: 'function', callables: functions });
  }

  #construction(thing: Thing, row: number): Leads | null {
    const { linker, view } = this;
    const leads = this.#leadsOf(thing);
    if (!leads || leads.candidates || thing.is !== 'type') return leads;
    const made = constructors(linker, view, thing.type, row);
    if (made.is !== 'function') return leads;
    const found = selected(linker, made.callables, argumentsOf(linker, view, view.items('expressions', row)));
    const only = found.length === 1 ? (found[0]?.symbol ?? null) : null;
    // What the head of a class says is no definition of its own.
    return { ...leads, made: only && isTypeSymbol(only) ? null : only };
  }

  /** What a thing is as a target; null where it is nothing that has a name. */
  #leadsOf(thing: Thing): Leads | null {
    switch (thing.is) {
      case 'function': {
        const callables = this.#defined(thing.callables);
        const [first, ...others] = callables;
        if (!first) return null;
        if (others.length === 0) return this.#callable(first);
        const own = callables.filter(({ symbol }) => symbol !== null);
        return own.length === 0 ? this.#callable(first) : { ...UNRESOLVED, candidates: own };
      }
      case 'type': {
        if (thing.type.kind === 'either') return { ...UNRESOLVED, candidates: eitherTypes(thing.type.parts) };
        const symbol = thing.named ?? (thing.type.kind === 'named' ? thing.type.symbol : null);
        if (symbol) return { target: definitionOf(symbol), via: thing.via };
        return this.#externalType(thing.type);
      }
      case 'value': {
        const [found] = thing.found;
        return found ? { target: definitionOf(found.symbol), via: found.via } : null;
      }
      case 'external':
        return this.#external(thing.package, thing.name);
      default:
        return null;
    }
  }

  /** Functions that are declared as those that are defined, each once. */
  #defined(callables: readonly Callable[]): readonly Callable[] {
    if (this.view.rules.package !== 'program') return callables;
    const found = new Map<Sym | Callable, Callable>();
    for (const one of callables)
      for (const symbol of one.symbol ? this.linker.definitions(one.symbol) : [null])
        if (!found.has(symbol ?? one)) found.set(symbol ?? one, { ...one, symbol });
    return [...found.values()];
  }

  #callable({ symbol, external, via }: Callable): Leads | null {
    if (symbol) return { target: definitionOf(symbol), via };
    return external ? this.#external(external.package, external.name) : null;
  }

  #externalType(type: Type): Leads | null {
    if (type.kind === 'external') return this.#external(type.package, type.name);
    const { builtinPackage, literals } = this.view.rules;
    const known =
      type.kind === 'builtin' ? this.linker.library(this.view).named(literals[type.name] ?? '') : undefined;
    if (known && known.package !== '') return this.#external(known.package, known.name);
    return type.kind === 'builtin' && builtinPackage !== ''
      ? this.#external(builtinPackage, type.name)
      : null;
  }

  #external(inPackage: string, name: string): Leads {
    const system = moduleSystem(this.view.rules.modules);
    const shown = system.shownName(this.linker.units.modules, inPackage);
    return { target: { external: { package: shown, name } }, via: 'import' };
  }

  /** Notes which file a name from an import leads to. */
  #noteUse(type: number, expression: number, target: Target): void {
    if (!('definition' in target) || target.file === this.view.path) return;
    const binding = type >= 0 ? this.#importOfType(type) : this.#importOf(expression);
    if (binding < 0) return;
    const row = this.view.unit.bindings.import[binding] ?? -1;
    const files = this.#used.get(row) ?? new Map<string, DefinitionTarget[]>();
    files.set(target.file, [...(files.get(target.file) ?? []), target]);
    this.#used.set(row, files);
  }

  /** The import that a type's name begins with; -1 where it is none. */
  #importOfType(row: number): number {
    const base = this.view.unit.types.base[row] ?? -1;
    const name = this.view.typeName(base >= 0 && this.view.typeKind(base) === 'name' ? base : row);
    return this.#importNamed(name);
  }

  #importOf(expression: number): number {
    const { view } = this;
    let row = expression;
    if (row >= 0 && view.expressionKind(row) === 'new')
      return this.#importOfType(view.unit.expressions.type[row] ?? -1);
    if (row >= 0 && view.expressionKind(row) === 'call') row = view.unit.expressions.base[row] ?? -1;
    if (row >= 0 && view.expressionKind(row) === 'member') row = view.unit.expressions.base[row] ?? -1;
    if (row < 0 || view.expressionKind(row) !== 'name') return -1;
    return this.#importNamed(view.expressionName(row));
  }

  #importNamed(name: string): number {
    const { view } = this;
    const entry = view
      .entries(0, name)
      .find((one) => one.table === 'binding' && view.bindingKind(one.row) === 'import');
    return entry?.row ?? -1;
  }

  #import(index: number): ResolvedImport {
    const { linker, view } = this;
    const fact = view.facts.imports[index];
    const { module = '', line = 0, column = 0, names = [] } = fact ?? {};
    const used = this.#used.get(index);
    const files = new Set(used?.keys() ?? []);
    const definitions = new Map<string, DefinitionTarget>();
    const isWhole = names.length === 0 || names.some(({ imported }) => imported === '*');
    if (!isWhole)
      for (const target of this.#importedDefinitions(index)) {
        files.add(target.file);
        definitions.set(`${target.file}\0${target.definition}`, target);
      }
    const included = ['program', 'open'].includes(view.rules.package)
      ? includedFile(linker, view.path, module)
      : null;
    if (included !== null) files.add(included);
    const packages = view.rules.package === 'program' ? [] : projectPackages(linker, view, module);
    if (isWhole && view.rules.paths) for (const file of this.#modulesOf(index)) files.add(file);
    if (isWhole && files.size === 0)
      for (const key of packages) for (const file of this.#filesOf(key, module)) files.add(file);
    return {
      file: view.path,
      import: index,
      target:
        files.size > 0 ? { files: [...files].sort() } : this.#outside(module, names, packages.length > 0),
      submodules: [],
      definitions: [...definitions.values()],
      passed_on: [],
      evidence: { line, column, expression: module },
    };
  }

  /** The files of the modules that an import declares, or brings all names of. */
  #modulesOf(index: number): string[] {
    const { linker, view } = this;
    const { bindings } = view.unit;
    const found: string[] = [];
    for (let row = 0; row < bindings.length; row += 1) {
      if (view.bindingKind(row) !== 'import' || bindings.import[row] !== index) continue;
      const thing = linker.imported(view, row, 'type');
      const file =
        thing.is === 'package' && thing.key !== null ? placeOfKey(linker, thing.key)?.view.path : null;
      if (file && file !== view.path) found.push(file);
    }
    return found;
  }

  /** The files that an import of a whole package loads, of which nothing is used by its name. */
  #filesOf(key: string, module: string): readonly string[] {
    const { units } = this.linker;
    const { moduleOf } = moduleSystem(this.view.rules.modules);
    return units
      .files(key)
      .filter((path) => !moduleOf || moduleOf(units.modules, path) === module)
      .filter((path) => path !== this.view.path && !/_test\.|(?:^|\/)test\//.test(path))
      .slice(0, MOST_FILES);
  }

  #importedDefinitions(index: number): DefinitionTarget[] {
    const { linker, view } = this;
    const { bindings } = view.unit;
    const found: DefinitionTarget[] = [];
    for (const row of view.bindingsIn(0)) {
      if (view.bindingKind(row) !== 'import' || bindings.import[row] !== index) continue;
      for (const space of ['type', 'call', 'value'] as const) {
        const thing = linker.bindingThing(view, row, space);
        const symbols =
          thing.is === 'function'
            ? thing.callables.flatMap(({ symbol }) => symbol ?? [])
            : thing.is === 'type' && thing.type.kind === 'named'
              ? [thing.type.symbol]
              : thing.is === 'value'
                ? thing.found.map(({ symbol }) => symbol)
                : [];
        for (const symbol of symbols) found.push(definitionOf(symbol));
      }
    }
    return found;
  }

  #outside(
    module: string,
    names: readonly { imported: string }[],
    isProject: boolean,
  ): ResolvedImport['target'] {
    const { linker, view } = this;
    const system = moduleSystem(view.rules.modules);
    const name = system.packageOf(module);
    if (isProject || name === '')
      return { unresolved: [module, ...names.map((one) => one.imported)].join('.') };
    if (system.isStandard(name)) return { package: name, stdlib: true };
    return { package: system.shownName(linker.units.modules, name) };
  }

  /** Definitions that stand in receivers and are no reference of their own. */
  #receivers(): ResolvedReceiver[] {
    const { linker, view } = this;
    const { names, expressions } = view.unit;
    const known = new Set<number>();
    for (let index = 0; index < names.length; index += 1) {
      const row = names.expression[index] ?? -1;
      known.add(row);
      if (row >= 0 && view.expressionKind(row) === 'call') known.add(expressions.base[row] ?? -1);
    }
    const found: ResolvedReceiver[] = [];
    for (const [index, reference] of view.facts.references.entries()) {
      let row = names.expression[index] ?? -1;
      if (row >= 0 && view.expressionKind(row) === 'call') row = expressions.base[row] ?? -1;
      for (let depth = 0; depth < 32 && row >= 0; depth += 1) {
        row = expressions.base[row] ?? -1;
        if (row < 0 || known.has(row) || !['name', 'member'].includes(view.expressionKind(row))) continue;
        known.add(row);
        const thing = linker.thing(view, row);
        const [first] = thing.is === 'value' ? thing.found : [];
        if (!first) continue;
        const target = definitionOf(first.symbol);
        const { via } = first;
        found.push({
          reference: index,
          target,
          resolution: via,
          confidence: CONFIDENCE[via],
          evidence: reference,
        });
      }
    }
    return found;
  }

  #bases(): ResolvedBase[] {
    const { view } = this;
    const found: ResolvedBase[] = [];
    let row = 0;
    for (const [index, definition] of view.facts.definitions.entries())
      for (const [at, base] of definition.bases.entries()) {
        const leads = this.#typeName(view.unit.bases.type[row] ?? -1) ?? UNRESOLVED;
        row += 1;
        const isFound = !('unresolved' in leads.target);
        found.push({
          file: view.path,
          definition: index,
          base: at,
          target: isFound ? leads.target : { unresolved: base.name },
          resolution: isFound ? leads.via : 'name',
          confidence: isFound ? CONFIDENCE[leads.via] : 0,
          relation: base.relation,
          evidence: { line: base.line, column: null, expression: base.name },
        });
      }
    return found;
  }
}

/** Files that one import of a whole package is said to lead to. */
const MOST_FILES = 64;

/** Values in each other of which one is looked for. */
const DEEPEST = 16;
/** Calls of one chain from which on they are followed one by one, and at most. */
const LONG = 16;
const LONGEST = 4096;

const UNRESOLVED: Leads = { target: { unresolved: '' }, via: 'name' };

/** Types of one name as what a call may reach. */
function eitherTypes(parts: readonly Type[]): Callable[] {
  const signature = { typeParameters: [], parameters: [], required: 0, variadic: true, result: UNKNOWN };
  return parts.flatMap((one): Callable[] =>
    one.kind === 'named' ? [{ symbol: one.symbol, external: null, signature, via: 'name' }] : [],
  );
}

function isCalled({ kind }: Reference): boolean {
  return kind === 'call' || kind === 'new' || kind === 'decorator';
}

/** A definition as a target. */
export function definitionOf({ view, row }: Sym): DefinitionTarget {
  return { file: view.path, definition: row };
}
