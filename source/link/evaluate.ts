import { moduleSystem } from '../modules/index.js';
import { argumentsOf, assignable, functionShape, resultOf, selected } from './calls.js';
import type { Accepts, LinkContext, Member, Space } from './context.js';
import { libraryThing } from './entries.js';
import { expectedType } from './expected.js';
import { extensionMethod, namedExtension } from './extension-methods.js';
import { openAround } from './extensions.js';
import { acceptsCall, byNames, initializers, labelled } from './labels.js';
import { importedInLibrary } from './libraries.js';
import { argumentsOfType } from './members.js';
import { fullName, importedName, namespaceThing, projectPackages, selfType } from './names.js';
import { asClassValue, openSelf, openSuper } from './open-types.js';
import { partsOf, wholeOf } from './parts.js';
import { inForeign, placeOfKey, wordThing } from './paths.js';
import {
  type Callable,
  inferred,
  NOTHING,
  substituted,
  substitutedSignature,
  type Thing,
  type Type,
  typeOfThing,
  UNKNOWN,
  valueThing,
} from './types.js';
import type { Sym, UnitView } from './unit-view.js';

/** The space in which what is called is looked up. */
function callSpace(view: UnitView): Space {
  return view.rules.namespaces === 'apart' ? 'call' : valueSpace(view);
}

/** The space in which names in expressions are looked up. */
export function valueSpace(view: UnitView): Space {
  return view.rules.namespaces === 'terms' ? 'term' : 'value';
}

/** What an expression is, found afresh: {@link LinkContext.thing} asks once. */
export function evaluate(ctx: LinkContext, view: UnitView, row: number): Thing {
  const { expressions } = view.unit;
  const base = expressions.base[row] ?? -1;
  const typeOf = (expression: number) =>
    expression < 0 ? UNKNOWN : typeOfThing(ctx.thing(view, expression));
  switch (view.expressionKind(row)) {
    case 'name':
    case 'member': {
      const value = named(ctx, view, row, valueSpace(view));
      if (view.rules.bareCalls && value.is === 'function') return calledBare(ctx, value);
      if (view.rules.package === 'open') return asClassValue(view.rules, value);
      return value.is === 'unknown' && view.rules.callsValues ? named(ctx, view, row, 'call') : value;
    }
    case 'call':
      return called(ctx, view, row);
    case 'new': {
      const made = constructed(ctx, view, row);
      return made.is === 'type' ? valueThing(inferredArguments(ctx, view, row, made.type)) : NOTHING;
    }
    case 'convert':
    case 'composite':
      return valueThing(ctx.type(view, expressions.type[row] ?? -1));
    case 'index':
      return indexed(ctx, view, row);
    case 'slice':
      return valueThing(typeOf(base));
    case 'named':
      return base < 0 ? NOTHING : ctx.thing(view, base);
    case 'literal':
      return valueThing({ kind: 'builtin', name: view.expressionName(row) });
    case 'tuple':
      return valueThing({ kind: 'tuple', parts: view.items('expressions', row).map(typeOf) });
    case 'matched':
      return matched(ctx, view, row);
    case 'list':
      return valueThing({ kind: 'list', of: typeOf(view.items('expressions', row)[0] ?? -1) });
    case 'is':
      return valueThing({ kind: 'builtin', name: view.rules.truth });
    case 'unary': {
      const thing = base < 0 ? NOTHING : ctx.thing(view, base);
      // `*T` of a type is one, too: in `(*T)(nil)`.
      if (thing.is === 'type' && view.expressionName(row) === '*')
        return { ...thing, type: { kind: 'pointer', of: thing.type } };
      const operator = view.expressionName(row);
      const made =
        operator === '*' || operator === '->'
          ? throughOperator(ctx, view, typeOfThing(thing), operator)
          : null;
      return made ?? unary(operator, typeOfThing(thing), view.rules.truth);
    }
    case 'binary':
      return binary(ctx, view, row);
    case 'either':
      return valueThing(joined(ctx, view.items('expressions', row).map(typeOf)));
    case 'function':
      return valueThing(functionType(ctx, view, row));
    case 'this':
    case 'super': {
      const written = expressions.type[row] ?? -1;
      if (written >= 0) return valueThing(ctx.type(view, written));
      const scope = expressions.scope[row] ?? -1;
      if (view.rules.package === 'open')
        return (view.expressionKind(row) === 'this' ? openSelf : openSuper)(ctx, view, scope);
      const self = around(ctx, view, scope);
      if (view.expressionKind(row) === 'this') return self;
      const bases = self.is === 'value' ? ctx.supertypes(self.type) : [];
      if (view.rules.lastFirst && bases.length > 1)
        return valueThing({ kind: 'union', parts: [...bases].reverse() });
      const [first, ...others] = bases;
      if (!first) return NOTHING;
      // What a mixin lacks those have that stand behind it.
      return valueThing(isMixin(first) && others.length > 0 ? { kind: 'union', parts: bases } : first);
    }
    case 'await': {
      const type = typeOf(base);
      const isAwaited =
        type.kind === 'external' && view.rules.awaited?.includes(`${type.package}.${type.name}`) === true;
      return isAwaited ? valueThing(type.args[0] ?? UNKNOWN) : valueThing(type);
    }
    case 'part':
      return valueThing(partOf(typeOf(base), expressions.at[row] ?? 0, view.rules.truth));
    case 'element':
    case 'key':
      return valueThing(iterated(ctx, view, typeOf(base), view.expressionKind(row) === 'key'));
    case 'symbol':
      return ctx.symbolThing(view.symbol(expressions.at[row] ?? -1), 'exact');
    case 'type': {
      const written = expressions.type[row] ?? -1;
      const thing = ctx.typeThing(view, written);
      if (thing.is === 'package') return thing;
      return thing.is === 'type'
        ? { ...thing, via: 'exact' }
        : { is: 'type', type: ctx.type(view, written), via: 'exact' };
    }
    case 'expected': {
      const type = expectedType(ctx, view, row);
      return type.kind === 'unknown' ? NOTHING : { is: 'type', type, via: 'type' };
    }
    case 'received': {
      const channel = ctx.underlying(typeOf(base));
      return channel.kind === 'channel' ? valueThing(channel.of) : NOTHING;
    }
    default:
      return NOTHING;
  }
}

/** What a name or a member is, asked for as a value, a callee or a type. */
export function named(ctx: LinkContext, view: UnitView, row: number, space: Space, accepts?: Accepts): Thing {
  const { expressions } = view.unit;
  const name = view.expressionName(row);
  if (view.expressionKind(row) === 'name')
    return ctx.lookUp(view, expressions.scope[row] ?? -1, name, expressions.at[row] ?? 0, space, accepts);
  const base = expressions.base[row] ?? -1;
  if (base < 0) return NOTHING;
  const owner = ctx.thing(view, base);
  const found = memberOf(ctx, view, owner, name, space);
  const isMissing = found.is === 'unknown' || found.is === 'external';
  if (view.rules.extensionMethods !== 'named' || !isMissing || owner.is !== 'value') return found;
  const place = { scope: expressions.scope[row] ?? -1, at: expressions.at[row] ?? 0 };
  const extension = namedExtension(ctx, view, owner.type, name, place);
  return extension.is === 'unknown' ? found : extension;
}

/** What stands under a name in a package, a type or a value. */
export function memberOf(ctx: LinkContext, view: UnitView, owner: Thing, name: string, space: Space): Thing {
  switch (owner.is) {
    case 'package':
      return inPackage(ctx, view, owner, name, space);
    case 'type': {
      const found = ctx.members(view, owner.type, name, space);
      if (found.length > 0) return withOpen(ctx, owner.type, found, ctx.memberThing(found, view, owner.via));
      return (space === 'value' && view.rules.namespaces === 'apart') || space === 'term'
        ? ctx.memberThing(ctx.members(view, owner.type, name, 'type'), view, owner.via)
        : NOTHING;
    }
    case 'value': {
      if (owner.type.kind === 'tuple' && /^\d+$/.test(name))
        return valueThing(owner.type.parts[Number(name)] ?? UNKNOWN);
      const found = ctx.members(view, owner.type, name, space);
      if (
        view.rules.extensionMethods === true &&
        space === 'call' &&
        found.every(({ kind }) => kind === 'external')
      ) {
        const extension = extensionMethod(ctx, view, owner.type, name);
        if (extension.is !== 'unknown') return extension;
      }
      // A class that can be made by its name alone.
      const isMade = space === 'term' && found.length === 0;
      return ctx.memberThing(isMade ? ctx.members(view, owner.type, name, 'type') : found, view, null);
    }
    case 'external':
      return { is: 'external', package: owner.package, name: `${owner.name}.${name}` };
    default:
      return NOTHING;
  }
}

/** A function of a type whose arguments are not written: the call tells these, too. */
function withOpen(ctx: LinkContext, type: Type, found: readonly Member[], thing: Thing): Thing {
  if (thing.is !== 'function' || !ctx.own.rules.paths) return thing;
  if ((type.kind !== 'named' && type.kind !== 'external') || type.args.length > 0) return thing;
  const open = found.flatMap((member) =>
    member.kind === 'symbol'
      ? openAround(member.symbol)
      : type.kind === 'external'
        ? (ctx.library(ctx.own).type(type.package, type.name)?.parameters ?? [])
        : [],
  );
  if (open.length === 0) return thing;
  return {
    ...thing,
    callables: thing.callables.map((one) => ({
      ...one,
      signature: { ...one.signature, typeParameters: [...one.signature.typeParameters, ...open] },
    })),
  };
}

function inPackage(
  ctx: LinkContext,
  view: UnitView,
  owner: Thing & { is: 'package' },
  name: string,
  space: Space,
): Thing {
  if (view.rules.package === 'program') return inNamespace(ctx, view, owner, name, space);
  if (owner.isFull) return fullName(ctx, view, owner.name, name, space);
  const { rules } = view;
  if (owner.key !== null) {
    const place = rules.paths && space === 'type' ? placeOfKey(ctx, owner.key) : null;
    return (place && wordThing(ctx, place, name)) ?? ctx.packageMember(view, owner.key, name, space);
  }
  if (rules.paths) return inForeign(ctx, view, owner.name, name, space);
  if (rules.package !== 'written') {
    const known = libraryThing(ctx, view, owner.name, name, space);
    return known.is === 'unknown' ? { is: 'external', package: owner.name, name } : known;
  }
  for (const one of space === 'term' ? (['term', 'type'] as const) : (['type'] as const)) {
    for (const key of projectPackages(ctx, view, owner.name)) {
      const found = ctx.packageMember(view, key, name, one);
      if (found.is !== 'unknown') return found;
    }
    const known = libraryThing(ctx, view, owner.name, name, one);
    if (known.is !== 'unknown') return known;
  }
  if (rules.outerPackages && space === 'call')
    return moduleSystem(rules.modules).isStandard(owner.name)
      ? { is: 'external', package: owner.name, name }
      : NOTHING;
  if (/^[a-z_]/.test(name) || rules.outerPackages)
    return space === 'call' ? NOTHING : { is: 'package', key: null, name: `${owner.name}.${name}` };
  return moduleSystem(rules.modules).isStandard(owner.name)
    ? { is: 'type', type: { kind: 'external', package: owner.name, name, args: [] }, via: 'import' }
    : NOTHING;
}

/** What stands under a name in a namespace of the program, or of the library. */
function inNamespace(
  ctx: LinkContext,
  view: UnitView,
  owner: Thing & { is: 'package' },
  name: string,
  space: Space,
): Thing {
  const path = `${owner.name}::${name}`;
  if (owner.key !== null) {
    const found = ctx.packageMember(view, owner.key, path, space);
    if (found.is !== 'unknown') return found;
    const inner = namespaceThing(ctx, view, path);
    if (inner.is !== 'unknown') return inner;
    // A namespace that a macro opens has what stands in none.
    const isOpened = ctx.units.named(`${owner.key}#${owner.name}::*::`).length > 0;
    const outside = isOpened ? ctx.packageMember(view, owner.key, name, space) : NOTHING;
    if (outside.is !== 'unknown') return outside;
    const namespace = isOpened ? namespaceThing(ctx, view, name) : NOTHING;
    if (namespace.is !== 'unknown') return namespace;
    if (!ctx.library(view).has(owner.name)) return NOTHING;
  }
  const known = libraryThing(ctx, view, owner.name, name, space);
  return known.is === 'unknown' ? { is: 'external', package: owner.name, name } : known;
}

/** What an import binds. */
export function importThing(ctx: LinkContext, view: UnitView, binding: number, space: Space): Thing {
  if (view.rules.paths) return ctx.imported(view, binding, space);
  if (view.rules.package === 'library') return importedInLibrary(ctx, view, binding, space);
  const { bindings } = view.unit;
  const fact = view.facts.imports[bindings.import[binding] ?? -1];
  if (!fact) return NOTHING;
  const local = view.bindingName(binding);
  const name = fact.names.find((one) => one.local === local) ?? fact.names[0];
  if (!name) return NOTHING;
  if (name.imported === '*') {
    const [key] = projectPackages(ctx, view, fact.module);
    if (key !== undefined && view.rules.moduleValues) return moduleValue(ctx, key);
    return { is: 'package', key: key ?? null, name: fact.module };
  }
  const found = importedName(ctx, view, fact.module, name.imported, space);
  if (found.is !== 'unknown') return found;
  const inPackage = moduleSystem(view.rules.modules).packageOf(fact.module);
  const owner = fact.module.slice(inPackage.length === 0 ? 0 : inPackage.length + 1);
  const dotted = owner === '' || inPackage === fact.module ? name.imported : `${owner}.${name.imported}`;
  if (view.bindingHas(binding, 'static'))
    return space === 'type' ? NOTHING : { is: 'external', package: inPackage, name: dotted };
  if (space === 'call' || projectPackages(ctx, view, inPackage).length > 0) return NOTHING;
  return {
    is: 'type',
    type: { kind: 'external', package: inPackage, name: dotted, args: [] },
    via: 'import',
  };
}

/** What a module is that is a value: what its file exports as a whole. */
function moduleValue(ctx: LinkContext, key: string): Thing {
  const view = ctx.view(key.slice(key.indexOf(':') + 1));
  const row = view?.facts.exports.find(({ name }) => name === 'default')?.definition;
  return view && row !== undefined ? ctx.symbolThing(view.symbol(row), 'import') : NOTHING;
}

/** What the callee of a call is; of functions with labels those that take its arguments. */
export function callee(ctx: LinkContext, view: UnitView, call: number): Thing {
  const found = calleeNamed(ctx, view, call);
  return view.rules.labels ? labelled(ctx, view, call, found) : byNames(view, call, found);
}

function calleeNamed(ctx: LinkContext, view: UnitView, call: number): Thing {
  const base = view.unit.expressions.base[call] ?? -1;
  if (base < 0) return NOTHING;
  const kind = view.expressionKind(base);
  if (kind === 'name' || kind === 'member') {
    if (kind === 'member' && view.rules.labels && view.expressionName(base) === view.rules.constructorName) {
      // `Shape.init(…)` makes a shape as `Shape(…)` does.
      const owner = ctx.thing(view, view.unit.expressions.base[base] ?? -1);
      if (owner.is === 'type') return owner;
    }
    const accepts = acceptsCall(ctx, view, call);
    const found = named(ctx, view, base, callSpace(view), accepts);
    if (view.rules.calledMethod !== undefined) return calledThrough(ctx, view, base, found);
    if (view.rules.converts && found.is === 'unknown' && kind === 'name') return byArguments(ctx, view, call);
    if (!view.rules.callsValues || (found.is !== 'unknown' && found.is !== 'external')) return found;
    const value = named(ctx, view, base, 'value', accepts);
    return value.is === 'unknown' ? found : value;
  }
  if (kind === 'this' || kind === 'super')
    return constructors(ctx, view, madeOf(typeOfThing(ctx.thing(view, base))), call);
  const thing = ctx.thing(view, base);
  return (thing.is === 'value' ? calledMember(ctx, view, thing) : null) ?? thing;
}

/** What a name is that is called by itself where it means a function without parameters. */
function calledBare(ctx: LinkContext, thing: Thing & { is: 'function' }): Thing {
  const bare = thing.callables.filter(({ signature }) => signature.parameters.length === 0);
  if (bare.length === 0) return thing;
  return valueThing(
    joined(
      ctx,
      bare.map((one) => resultOf(one, [], [])),
    ),
  );
}

/** What is called under a name: a function, what makes instances, else the method that calling a value calls. */
function calledThrough(ctx: LinkContext, view: UnitView, base: number, found: Thing): Thing {
  if (found.is === 'value') return calledMember(ctx, view, found) ?? found;
  if (found.is !== 'type') return found;
  const { type } = found;
  const made = type.kind === 'named' ? makersOf(ctx, view, base, type.symbol) : [];
  const isObject = type.kind === 'named' && type.symbol.view.hasFlag(type.symbol.row, 'singleton');
  const applied = isObject || type.kind === 'external' ? calledMember(ctx, view, found) : null;
  if (applied?.is === 'function') return { is: 'function', callables: [...applied.callables, ...made] };
  return made.length > 0 ? { is: 'function', callables: made } : (applied ?? found);
}

/** The method that calling a value calls; null where it has none. */
function calledMember(
  ctx: LinkContext,
  view: UnitView,
  thing: Thing & { is: 'value' | 'type' },
): Thing | null {
  const name = view.rules.calledMethod;
  if (name === undefined || ctx.underlying(thing.type).kind === 'function') return null;
  const found = ctx.members(view, thing.type, name, 'term');
  const isKnown = found.some(({ kind }) => kind !== 'external');
  return isKnown ? ctx.memberThing(found, view, null) : null;
}

/** The functions that make instances of what a name means that is called: of the class itself, or of the one beside an object. */
function makersOf(ctx: LinkContext, view: UnitView, base: number, symbol: Sym): Callable[] {
  if (!symbol.view.hasFlag(symbol.row, 'singleton')) return makersIn(ctx, view, symbol);
  const beside = named(ctx, view, base, 'type');
  if (beside.is !== 'type' || beside.type.kind !== 'named') return [];
  const other = beside.type.symbol;
  return other.view === symbol.view ? makersIn(ctx, view, other) : [];
}

/** The constructors of a class, that of its head as the class itself. */
function makersIn(ctx: LinkContext, view: UnitView, symbol: Sym): Callable[] {
  const head = headOf(ctx, view, symbol);
  if (symbol.view.hasFlag(symbol.row, 'called')) return [head];
  const { result } = head.signature;
  const gives = (one: Callable) => ({ ...one, signature: { ...one.signature, result } });
  return [head, ...constructorsIn(ctx, view, symbol).map(gives)];
}

/** What the head of a class says of making an instance. */
function headOf(ctx: LinkContext, view: UnitView, symbol: Sym): Callable {
  const signature = { ...ctx.signature(symbol), result: selfType(symbol) };
  return { symbol, external: null, signature, via: symbol.view === view ? 'exact' : 'type' };
}

/** A type that is made without its arguments: what it is given tells them. */
function inferredArguments(ctx: LinkContext, view: UnitView, row: number, type: Type): Type {
  const isOpen = view.rules.calledMethod !== undefined && type.kind === 'named' && type.args.length === 0;
  if (!isOpen || type.symbol.view.bindingsOf(type.symbol.row, 'type parameter').length === 0) return type;
  const given = argumentsOf(ctx, view, view.items('expressions', row));
  const [only, ...others] = selected(ctx, makersIn(ctx, view, type.symbol), given);
  return only && others.length === 0 ? resultOf(only, given, []) : type;
}

function isMixin(type: Type): boolean {
  return type.kind === 'named' && type.symbol.view.hasFlag(type.symbol.row, 'mixin');
}

/** Of what a type derives from the class whose constructor is run by `super`. */
export function madeOf(type: Type): Type {
  return type.kind === 'union' ? (type.parts.find((one) => !isMixin(one)) ?? UNKNOWN) : type;
}

/** A function that is called by its bare name in the namespace of the type of one of its arguments. */
function byArguments(ctx: LinkContext, view: UnitView, call: number): Thing {
  const name = view.expressionName(view.unit.expressions.base[call] ?? -1);
  for (const item of view.items('expressions', call)) {
    let type = typeOfThing(ctx.thing(view, item));
    while (type.kind === 'pointer') type = type.of;
    if (type.kind !== 'named') continue;
    const { view: other, row } = type.symbol;
    const namespace = other.namespaceOf(other.unit.symbols.scope[row] ?? -1);
    if (!namespace) continue;
    const found = ctx.packageMember(view, `${view.rules.modules}:`, namespace + name, 'value');
    if (found.is === 'function') return found;
  }
  return NOTHING;
}

/** What a `new` makes: a written type, or a type of what it is asked of, `outer.new Inner()`. */
export function constructed(ctx: LinkContext, view: UnitView, row: number): Thing {
  const { expressions } = view.unit;
  const type = expressions.type[row] ?? -1;
  const base = expressions.base[row] ?? -1;
  if (base >= 0 && type >= 0 && view.typeKind(type) === 'name') {
    const owner = typeOfThing(ctx.thing(view, base));
    const found = ctx.memberThing(ctx.members(view, owner, view.typeName(type), 'type'), view, 'exact');
    if (found.is === 'type') return found;
  }
  return ctx.typeThing(view, type);
}

/** The written constructors of a type. @param call The expression that makes one. */
export function constructors(ctx: LinkContext, view: UnitView, type: Type, call: number): Thing {
  if (view.rules.labels)
    return labelled(ctx, view, call, initializers(ctx, view, { is: 'type', type, via: 'exact' }));
  if (type.kind !== 'named') return NOTHING;
  const { constructorName, package: way } = view.rules;
  // A constructor that is a method like all others is inherited like these.
  if (way === 'open' && constructorName !== undefined) {
    const found = ctx.members(view, type, constructorName, 'call').filter(({ kind }) => kind === 'symbol');
    return ctx.memberThing(found, view, null);
  }
  const callables: Callable[] = [];
  if (view.rules.calledMethod !== undefined) callables.push(...makersIn(ctx, view, type.symbol));
  else
    for (const part of partsOf(ctx, type.symbol)) {
      if (part.view.hasFlag(part.row, 'called')) callables.push(headOf(ctx, view, part));
      callables.push(...constructorsIn(ctx, view, part));
    }
  return callables.length > 0 ? byNames(view, call, { is: 'function', callables }) : NOTHING;
}

function constructorsIn(ctx: LinkContext, view: UnitView, symbol: Sym): Callable[] {
  const body = symbol.view.unit.symbols.body[symbol.row] ?? -1;
  const callables: Callable[] = [];
  for (const entries of symbol.view.scopeNames(body).values())
    for (const { table, row } of entries) {
      if (table !== 'symbol') continue;
      const kind = symbol.view.symbolKind(row);
      const { constructorName } = view.rules;
      const isFitting =
        constructorName === undefined
          ? kind === 'constructor'
          : (kind === 'method' || kind === 'constructor') && symbol.view.symbolName(row) === constructorName;
      if (!isFitting) continue;
      const found = symbol.view.symbol(row);
      const via = symbol.view === view ? 'exact' : 'type';
      callables.push({ symbol: found, external: null, signature: ctx.signature(found), via });
    }
  return callables;
}

/** The functions that a call can mean, told apart by its arguments. */
export function calledFunctions(
  ctx: LinkContext,
  view: UnitView,
  call: number,
  thing: Thing,
): readonly Callable[] {
  if (thing.is !== 'function') return [];
  if (thing.callables.length < 2) return thing.callables;
  return selected(ctx, thing.callables, argumentsOf(ctx, view, view.items('expressions', call)));
}

/** What a call gives. */
function called(ctx: LinkContext, view: UnitView, call: number): Thing {
  const thing = callee(ctx, view, call);
  if (thing.is === 'type') return valueThing(thing.type);
  if (thing.is === 'value') return valueCalled(ctx, thing);
  if (thing.is !== 'function') return NOTHING;
  const rows = view.items('expressions', call);
  if (view.rules.bareCalls && rows.length > 0) {
    // What a function without parameters gives is called.
    const bare = calledBare(ctx, thing);
    const applied = bare.is === 'value' ? (calledMember(ctx, view, bare) ?? bare) : thing;
    if (applied.is === 'value') return valueCalled(ctx, applied);
    if (bare.is === 'value' && applied.is === 'function') return resultsOf(ctx, view, call, applied);
  }
  return resultsOf(ctx, view, call, thing);
}

function valueCalled(ctx: LinkContext, thing: Thing & { is: 'value' }): Thing {
  const [constant] = thing.found;
  if (constant && isVariant(constant.symbol)) return valueThing(thing.type);
  const bound = thing.type.kind === 'parameter' ? (thing.type.bound ?? UNKNOWN) : thing.type;
  const shape = functionShape(ctx, bound);
  return shape && ctx.underlying(bound).kind === 'function' ? valueThing(shape.result) : NOTHING;
}

/** What a call of functions gives, told apart by its arguments. */
function resultsOf(ctx: LinkContext, view: UnitView, call: number, thing: Thing & { is: 'function' }): Thing {
  const rows = view.items('expressions', call);
  const given = argumentsOf(ctx, view, rows);
  const functions = thing.callables.length < 2 ? thing.callables : selected(ctx, thing.callables, given);
  const written = view.unit.expressions.type[call] ?? -1;
  const explicit = written < 0 ? [] : [ctx.type(view, written)];
  const isOpen = functions.some(({ signature }) => signature.typeParameters.length > 0);
  // What unnamed functions give matters where the result hangs on it.
  const whole = isOpen
    ? given.map((one) => (one.takes < 0 ? one : { ...one, type: typeOfThing(ctx.thing(view, one.row)) }))
    : given;
  const results = functions.map((one) => resultOf(one, whole, explicit));
  return valueThing(joined(ctx, results));
}

/** Whether a symbol is a constant of an enum, which may hold values. */
export function isVariant({ view, row }: Sym): boolean {
  if (view.symbolKind(row) !== 'constant') return false;
  const around = view.typeAround(view.unit.symbols.scope[row] ?? -1);
  return around >= 0 && view.symbolKind(around) === 'enum';
}

/** What a pattern takes out of a value: a field of a type, or what a constant of an enum or a function of a library holds. */
function matched(ctx: LinkContext, view: UnitView, row: number): Thing {
  const { expressions } = view.unit;
  const [item = -1] = view.items('expressions', row);
  const name = view.expressionName(row);
  const value = typeOfThing(ctx.thing(view, expressions.base[row] ?? -1));
  let path = item < 0 ? NOTHING : ctx.thing(view, item);
  if (path.is === 'type' && view.rules.calledMethod !== undefined) {
    const { type } = path;
    const made = type.kind === 'named' ? makersOf(ctx, view, item, type.symbol) : [];
    path = made.length > 0 ? { is: 'function', callables: made } : calledThrough(ctx, view, item, path);
  }
  if (path.is === 'function') {
    const [{ signature } = { signature: null }] = path.callables;
    if (!signature) return NOTHING;
    const by = new Map<string, Type>();
    inferred(signature.result, value, new Set(signature.typeParameters), by);
    return valueThing(substituted(signature.parameters[Number(name)] ?? UNKNOWN, by));
  }
  const variant = path.is === 'value' ? path.found[0]?.symbol : path.is === 'type' ? path.named : undefined;
  if (variant && isVariant(variant)) {
    const { bindings } = variant.view.unit;
    const held = variant.view
      .bindingsOf(variant.row, 'parameter')
      .find((one) => variant.view.bindingName(one) === name);
    if (held === undefined) return NOTHING;
    const type = ctx.type(variant.view, bindings.type[held] ?? -1);
    return valueThing(substituted(type, argumentsOfType(value), ctx));
  }
  if (path.is !== 'type') return NOTHING;
  const isSame = value.kind === 'named' && path.type.kind === 'named' && value.symbol === path.type.symbol;
  return memberOf(ctx, view, { is: 'value', type: isSame ? value : path.type, found: [] }, name, 'value');
}

/** What several types are together: the one that all others can be given for. */
export function joined(ctx: LinkContext, types: readonly Type[]): Type {
  const known = types.filter((one) => one.kind !== 'unknown' && !isNull(one));
  const [first, ...others] = known;
  if (!first || types.some((one) => one.kind === 'unknown'))
    return first && others.length === 0 ? first : UNKNOWN;
  let widest = first;
  for (const one of others) {
    if (['same', 'yes'].includes(assignable(ctx, one, widest))) continue;
    if (!['same', 'yes'].includes(assignable(ctx, widest, one))) return UNKNOWN;
    widest = one;
  }
  return widest;
}

function isNull(type: Type): boolean {
  return type.kind === 'builtin' && (type.name === 'nil' || type.name === 'null');
}

function indexed(ctx: LinkContext, view: UnitView, row: number): Thing {
  const base = view.unit.expressions.base[row] ?? -1;
  const thing = base < 0 ? NOTHING : ctx.thing(view, base);
  if (thing.is === 'function') {
    const given = view.items('expressions', row).map((item) => typeOfThing(ctx.thing(view, item)));
    return { is: 'function', callables: thing.callables.map((one) => withTypes(one, given)) };
  }
  if (thing.is === 'type') {
    const { type } = thing;
    if ((type.kind !== 'named' && type.kind !== 'external') || type.args.length > 0) return thing;
    const args = view.items('expressions', row).map((item) => typeOfThing(ctx.thing(view, item)));
    return { ...thing, type: { ...type, args } };
  }
  let type = ctx.underlying(typeOfThing(thing));
  const made = view.rules.package === 'program' ? throughOperator(ctx, view, type, '[]') : null;
  if (made) return made;
  // In some languages a pointer is a list, in others it leads to one.
  if (type.kind === 'pointer' && view.rules.package === 'program') return valueThing(type.of);
  if (type.kind === 'pointer') type = ctx.underlying(type.of);
  if ('of' in type && type.kind !== 'channel') return valueThing(type.of);
  const method = view.rules.indexing;
  if (!method) return NOTHING;
  const thingIn = (space: Space) => ctx.memberThing(ctx.members(view, type, method, space), view, null);
  const all = thingIn('call');
  if (all.is === 'function' && view.rules.labels) {
    const fitting = labelled(ctx, view, row, all);
    const results =
      fitting.is === 'function' ? fitting.callables.map(({ signature }) => signature.result) : [];
    return valueThing(joined(ctx, results));
  }
  const found = all;
  if (found.is !== 'function') return valueThing(typeOfThing(thingIn('value')));
  const [only] = found.callables;
  return only ? valueThing(only.signature.result) : NOTHING;
}

/** A function with its type arguments as they are written: `made[T]`. */
function withTypes(callable: Callable, given: readonly Type[]): Callable {
  const { signature } = callable;
  const by = new Map(signature.typeParameters.map((id, at) => [id, given[at] ?? UNKNOWN]));
  return { ...callable, signature: { ...substitutedSignature(signature, by), typeParameters: [] } };
}

function unary(operator: string, type: Type, truth: string): Thing {
  if (operator === '!') return valueThing({ kind: 'builtin', name: truth });
  if (operator === '&') return type.kind === 'unknown' ? NOTHING : valueThing({ kind: 'pointer', of: type });
  if (operator === '*') return type.kind === 'pointer' ? valueThing(type.of) : NOTHING;
  return valueThing(type);
}

const COMPARING = new Set(['==', '!=', '<', '>', '<=', '>=', '&&', '||', '===', '!==']);

function binary(ctx: LinkContext, view: UnitView, row: number): Thing {
  const { rules } = view;
  const operator = view.expressionName(row);
  if (COMPARING.has(operator)) return valueThing({ kind: 'builtin', name: rules.truth });
  const [left = -1, right = -1] = view.items('expressions', row);
  if (operator === '=') return left < 0 ? NOTHING : valueThing(typeOfThing(ctx.thing(view, left)));
  if (left < 0 || right < 0) return NOTHING;
  const [a, b] = [typeOfThing(ctx.thing(view, left)), typeOfThing(ctx.thing(view, right))];
  const text = rules.literals.string;
  if (operator === '+' && text !== undefined)
    for (const one of [a, b])
      if (
        (one.kind === 'builtin' && one.name === 'string') ||
        (one.kind === 'external' && `${one.package}.${one.name}` === text)
      )
        return valueThing({ kind: 'builtin', name: 'string' });
  if (a.kind === 'builtin' && b.kind === 'builtin' && rules.widening.length > 0) {
    const wide = Math.max(rules.widening.indexOf(a.name), rules.widening.indexOf(b.name));
    // Sums of small numbers are at least `int`.
    const least = Math.max(wide, rules.widening.indexOf('int'));
    return wide < 0 ? valueThing(a) : valueThing({ kind: 'builtin', name: rules.widening[least] ?? a.name });
  }
  if (rules.widening.length > 0) return NOTHING;
  return valueThing(view.expressionKind(left) === 'literal' || a.kind === 'unknown' ? b : a);
}

function functionType(ctx: LinkContext, view: UnitView, row: number): Type {
  const { expressions } = view.unit;
  const scope = expressions.scope[row] ?? -1;
  const rows = view.bindingsIn(scope).filter((one) => view.bindingKind(one) === 'parameter');
  const written = expressions.type[row] ?? -1;
  const given = view.items('expressions', row);
  const name = expressions.base[row] ?? -1;
  if (name >= 0) return namedFunction(ctx, view, name);
  const variadic = rows.some((one) => view.bindingHas(one, 'variadic'));
  let result: Type = UNKNOWN;
  if (written >= 0) result = ctx.type(view, written);
  else if (given.length > 0)
    result = joined(
      ctx,
      given.map((one) => typeOfThing(ctx.thing(view, one))),
    );
  return { kind: 'function', parameters: rows.map((one) => ctx.bindingType(view, one)), variadic, result };
}

/** What a function takes and gives that is given by its name: what it gives where that is all the same. */
function namedFunction(ctx: LinkContext, view: UnitView, row: number): Type {
  const gives = (result: Type): Type => ({ kind: 'function', parameters: [], variadic: false, result });
  if (view.expressionKind(row) === 'new') return gives(typeOfThing(ctx.thing(view, row)));
  const thing = named(ctx, view, row, callSpace(view));
  return thing.is === 'function'
    ? gives(
        joined(
          ctx,
          thing.callables.map(({ signature }) => signature.result),
        ),
      )
    : UNKNOWN;
}

/** What an operator that a class defines makes of a value of it; null where it defines none. */
function throughOperator(ctx: LinkContext, view: UnitView, type: Type, operator: string): Thing | null {
  if (type.kind !== 'named' && type.kind !== 'external') return null;
  const found = ctx.memberThing(ctx.members(view, type, `operator${operator}`, 'value'), view, null);
  const result = found.is === 'function' ? found.callables[0]?.signature.result : undefined;
  if (result === undefined) return operator === '->' ? valueThing(type) : null;
  return valueThing(operator === '->' && result.kind === 'pointer' ? result.of : result);
}

/** The object that code of a scope is of: of the type around it, or of the one that its function is declared a member of. */
function around(ctx: LinkContext, view: UnitView, scope: number): Thing {
  const receiver = view.rules.membersInScope ? view.receiverAround(scope) : -1;
  const extension = receiver < 0 ? -1 : view.extensionAround(scope);
  if (extension >= 0) return valueThing(ctx.extended(view, extension));
  if (receiver >= 0) return valueThing(ctx.type(view, receiver));
  const symbol = view.typeAround(scope);
  return symbol < 0 ? NOTHING : valueThing(selfType(wholeOf(ctx, view.symbol(symbol))));
}

function partOf(type: Type, at: number, truth: string): Type {
  if (type.kind === 'tuple') return type.parts[at] ?? UNKNOWN;
  if (at === 0) return type;
  return at === 1 ? { kind: 'builtin', name: truth } : UNKNOWN;
}

/** What iterating gives: of built-in types by what they are, of others by the methods that iteration calls. */
function iterated(ctx: LinkContext, view: UnitView, given: Type, isKey: boolean): Type {
  let type = ctx.underlying(given);
  if (type.kind === 'pointer') type = ctx.underlying(type.of);
  switch (type.kind) {
    case 'list':
      return isKey ? { kind: 'builtin', name: 'int' } : type.of;
    case 'map':
      return isKey ? type.key : type.of;
    case 'channel':
      return type.of;
    case 'builtin':
      return type.name === 'string' && !isKey ? { kind: 'builtin', name: 'rune' } : type;
    case 'function': {
      // A function that is given another one, and calls that with each.
      const [given = UNKNOWN] = type.parameters;
      return given.kind === 'function'
        ? (given.parameters[isKey ? 0 : given.parameters.length - 1] ?? UNKNOWN)
        : UNKNOWN;
    }
    default: {
      let found: Type | null = null;
      for (const name of view.rules.iteration) {
        if (found?.kind === 'pointer') {
          found = found.of;
          continue;
        }
        const own: Type = found ?? type;
        const called = ctx.members(view, own, name, 'call');
        const isForeign = called.every(({ kind }) => kind === 'external');
        // What is iterated already needs not be made so.
        if (!found && view.rules.paths && isForeign) continue;
        const [member]: readonly Member[] =
          isForeign && view.rules.extensionMethods === true ? ctx.members(view, own, name, 'value') : called;
        const thing: Thing = member ? ctx.memberThing([member], view, null) : NOTHING;
        found =
          thing.is === 'function'
            ? (thing.callables[0]?.signature.result ?? UNKNOWN)
            : thing.is === 'value'
              ? thing.type
              : UNKNOWN;
      }
      return found ?? UNKNOWN;
    }
  }
}
