import { moduleSystem } from '../modules/index.js';
import type { LinkContext, Place, Space } from './context.js';
import { entryThing, libraryThing } from './entries.js';
import { packageKey } from './places.js';
import { NOTHING, type Thing } from './types.js';
import type { UnitView } from './unit-view.js';

/** Modules in modules that are climbed. */
const DEEPEST = 64;

/** The module that a scope stands in. */
export function placeAround(view: UnitView, scope: number): Place {
  let at = scope;
  while (at > 0 && view.scopeKind(at) !== 'module') at = view.unit.scopes.parent[at] ?? -1;
  return { view, scope: Math.max(0, at) };
}

/** The key of a module; of one in a file with its scope. */
function keyOfPlace({ view, scope }: Place): string {
  const key = view.packageKey;
  return scope === 0 ? key : `${key}#${scope}`;
}

/** The module of a key. */
export function placeOfKey(ctx: LinkContext, key: string): Place | null {
  const [, path = '', scope = '0'] = /^\w+:(.*?)(?:#(\d+))?$/s.exec(key) ?? [];
  const view = ctx.view(path);
  return view && { view, scope: Number(scope) };
}

function moduleThing(place: Place): Thing {
  return { is: 'package', key: keyOfPlace(place), name: '' };
}

/** The first of several files that there is. */
function existing(ctx: LinkContext, from: UnitView, paths: readonly string[]): UnitView | null {
  for (const path of paths) {
    if (ctx.units.files(packageKey(from.rules, path, '')).length === 0) continue;
    const view = ctx.view(path);
    if (view) return view;
  }
  return null;
}

/** Whether a binding declares a module, and the name or path that it is found by; null: it stands in the file itself. */
function declared(view: UnitView, binding: number): { readonly module: string | null } | null {
  if (!view.bindingHas(binding, 'module')) return null;
  return { module: view.facts.imports[view.unit.bindings.import[binding] ?? -1]?.module ?? null };
}

/** What a declaration of a module leads to. */
function declaredModule(ctx: LinkContext, view: UnitView, binding: number, module: string | null): Thing {
  const { bindings, types } = view.unit;
  if (module === null) return moduleThing({ view, scope: types.scope[bindings.type[binding] ?? -1] ?? 0 });
  const found = existing(ctx, view, moduleSystem(view.rules.modules).tree?.declared(view.path, module) ?? []);
  return found ? moduleThing({ view: found, scope: 0 }) : NOTHING;
}

/** The module around a module; null for the root of a tree. */
function parentOf(ctx: LinkContext, { view, scope }: Place): Place | null {
  return scope > 0 ? placeAround(view, view.unit.scopes.parent[scope] ?? 0) : ctx.declaredIn(view);
}

/** The module that declares the one that a file is; null for the root of a tree. */
export function declaringModule(ctx: LinkContext, view: UnitView): Place | null {
  const { tree } = moduleSystem(view.rules.modules);
  for (const path of tree?.declaring(ctx.units.modules, view.path) ?? []) {
    const other = existing(ctx, view, [path]);
    if (!other) continue;
    const { bindings } = other.unit;
    for (let row = 0; row < bindings.length; row += 1) {
      const module = declared(other, row)?.module ?? null;
      if (module === null) continue;
      const child = existing(ctx, other, tree?.declared(path, module) ?? []);
      if (child?.path === view.path) return placeAround(other, bindings.scope[row] ?? 0);
    }
  }
  return null;
}

function rootOf(ctx: LinkContext, place: Place): Place {
  let root = place;
  for (let depth = 0; depth < DEEPEST; depth += 1) {
    const parent = parentOf(ctx, root);
    if (!parent) break;
    root = parent;
  }
  return root;
}

/** The module that one of the language's own words is at a place; null for any other name. */
export function wordThing(ctx: LinkContext, place: Place, name: string): Thing | null {
  const words = place.view.rules.paths;
  if (!words) return null;
  if (name === words.own) return moduleThing(place);
  if (name === words.root) return moduleThing(rootOf(ctx, place));
  if (name !== words.parent) return null;
  const parent = parentOf(ctx, place);
  return parent ? moduleThing(parent) : NOTHING;
}

/** What a module has under a name itself, and by what it imports as a whole. */
export function inModule(ctx: LinkContext, { view, scope }: Place, name: string, space: Space): Thing {
  const own = entryThing(ctx, view, view.entries(scope, name), Infinity, space);
  return own.is === 'unknown' ? inStars(ctx, view, scope, name, space) : own;
}

/** What the imports of everything in a scope bring under a name. */
export function inStars(ctx: LinkContext, view: UnitView, scope: number, name: string, space: Space): Thing {
  for (const binding of view.bindingsIn(scope)) {
    if (!view.bindingHas(binding, 'star')) continue;
    const owner = ctx.imported(view, binding, 'type');
    const found =
      owner.is === 'package' && owner.key === null ? NOTHING : ctx.memberOf(view, owner, name, space);
    if (found.is === 'external') continue;
    if (found.is !== 'unknown') return found;
  }
  return NOTHING;
}

/** What an import binds; of one of everything what it is of. */
export function importedPath(ctx: LinkContext, view: UnitView, binding: number, space: Space): Thing {
  const { bindings } = view.unit;
  const module = declared(view, binding);
  if (module) return space === 'type' ? declaredModule(ctx, view, binding, module.module) : NOTHING;
  const fact = view.facts.imports[bindings.import[binding] ?? -1];
  const local = view.bindingName(binding);
  const name = fact?.names.find((one) => (one.local ?? '') === local);
  if (!fact || !name) return NOTHING;
  const parts = fact.module.split('::');
  if (name.imported !== '*') parts.push(name.imported);
  return pathThing(ctx, view, bindings.scope[binding] ?? 0, parts, space);
}

/** What a path means at a place. */
function pathThing(
  ctx: LinkContext,
  view: UnitView,
  scope: number,
  parts: readonly string[],
  space: Space,
): Thing {
  const [first = '', ...rest] = parts;
  const spaceOf = (at: number): Space => (at === parts.length - 1 ? space : 'type');
  let thing = ctx.lookUp(view, scope, first, Infinity, spaceOf(0));
  if (thing.is === 'unknown') {
    // Paths of imports once began at the root.
    const root = rootOf(ctx, placeAround(view, scope));
    thing = ctx.packageMember(view, keyOfPlace(root), first, spaceOf(0));
  }
  for (const [at, part] of rest.entries()) thing = ctx.memberOf(view, thing, part, spaceOf(at + 1));
  return thing;
}

/** What is known everywhere under a name: of the language, and the roots of other trees. */
export function outsideOfModules(ctx: LinkContext, view: UnitView, name: string, space: Space): Thing {
  for (const implicit of [...view.rules.implicitImports, '']) {
    const found = libraryThing(ctx, view, implicit, name, space);
    if (found.is !== 'unknown') return found;
  }
  if (space !== 'type') return NOTHING;
  const prelude = ctx.library(view).named(view.rules.prelude?.[name] ?? '');
  if (prelude)
    return {
      is: 'type',
      type: { kind: 'external', package: prelude.package, name: prelude.name, args: [] },
      via: 'import',
    };
  const { tree, packageOf } = moduleSystem(view.rules.modules);
  const { modules } = ctx.units;
  const root = existing(ctx, view, tree?.roots(modules, view.path, name) ?? []);
  if (root) return moduleThing({ view: root, scope: 0 });
  return tree?.isForeign(modules, view.path, name)
    ? { is: 'package', key: null, name: packageOf(name) }
    : NOTHING;
}

/** What stands under a name in a module from outside. */
export function inForeign(
  ctx: LinkContext,
  view: UnitView,
  owner: string,
  name: string,
  space: Space,
): Thing {
  const known = libraryThing(ctx, view, owner, name, space);
  if (known.is !== 'unknown') return known;
  if (space !== 'type') return { is: 'external', package: owner, name };
  if (/^[a-z_]/.test(name)) return { is: 'package', key: null, name: `${owner}.${name}` };
  const isStandard = moduleSystem(view.rules.modules).isStandard(owner);
  // What others call as the language does stands for that, with parts of their own.
  const only = isStandard
    ? ctx.library(view).only(name)
    : ctx.library(view).named(view.rules.prelude?.[name] ?? '');
  const found = only ?? { package: owner, name };
  return {
    is: 'type',
    type: { kind: 'external', package: found.package, name: found.name, args: [] },
    via: 'import',
  };
}
