import { moduleSystem } from '../modules/index.js';
import type { LinkContext, Member, Space } from './context.js';
import { entryThing, libraryThing } from './entries.js';
import { projectPackages } from './names.js';
import { includerKey, packageKey } from './places.js';
import { NOTHING, type Thing } from './types.js';
import type { UnitView } from './unit-view.js';

/*
 * Languages whose files are libraries: a file sees what the files offer that it imports, what these pass on with it, and
 * has its own names together with its parts. What begins with `_` stays in its library.
 */

/** What a file says that is a part of another one. */
const PART = 'part';
/** Libraries that are followed through what they pass on. */
const MOST_SEEN = 4096;

/** What an import brings, or an export passes on. */
interface Brought {
  readonly module: string;
  readonly names: readonly { readonly imported: string; readonly local: string | null }[];
}

/** Whether an import of everything, or an export, has a name: those behind a star are left out, others are all there are. */
function brings({ names }: Brought, name: string): boolean {
  const [first] = names;
  const isListed = names.some(({ imported }) => imported === name);
  return first?.imported === '*' ? !isListed : isListed;
}

/** The files that the parts of a file are. */
function partFiles(ctx: LinkContext, view: UnitView): string[] {
  return view.facts.imports.flatMap(({ module, names }) => {
    const [path] = names.length > 0 ? [] : filesNamed(ctx, view, module);
    return path ?? [];
  });
}

function filesNamed(ctx: LinkContext, view: UnitView, module: string): string[] {
  return projectPackages(ctx, view, module).map((key) => key.slice(key.indexOf(':') + 1));
}

/** The file that a library begins with: of a part the one that says that it has it. */
export function libraryOf(ctx: LinkContext, view: UnitView): UnitView {
  if (view.written !== PART) return view;
  for (const path of ctx.units.files(includerKey(view.rules.modules, view.path))) {
    const other = ctx.view(path);
    if (other && partFiles(ctx, other).includes(view.path)) return other;
  }
  return view;
}

/** The files of a library, by the one that it begins with. */
export function filesOfLibrary(ctx: LinkContext, main: UnitView): readonly string[] {
  return [main.path, ...partFiles(ctx, main)];
}

/** What a library has under a name itself. */
function ownName(ctx: LinkContext, main: UnitView, name: string, space: Space): Thing {
  for (const path of ctx.includes(main)) {
    const key = packageKey(main.rules, path, '');
    const view = ctx.units.named(`${key}#${name}`).length > 0 ? ctx.view(path) : null;
    const entries = view?.entries(0, name).filter(({ table }) => table === 'symbol') ?? [];
    const found = view ? entryThing(ctx, view, entries, Infinity, space) : NOTHING;
    if (found.is !== 'unknown') return found;
  }
  return NOTHING;
}

/** What a library offers to others under a name. @param key Of the file that it begins with. */
export function offeredName(ctx: LinkContext, key: string, name: string, space: Space): Thing {
  const main = name.startsWith('_') ? null : ctx.view(key.slice(key.indexOf(':') + 1));
  if (!main) return NOTHING;
  const own = ownName(ctx, main, name, space);
  if (own.is !== 'unknown') return own;
  return broughtBy(
    ctx,
    main,
    main.facts.imports.filter(({ kind }) => kind === 'reexport'),
    name,
    space,
  );
}

/** What several imports bring under a name: of the project before what is of elsewhere. */
function broughtBy(
  ctx: LinkContext,
  view: UnitView,
  all: readonly Brought[],
  name: string,
  space: Space,
): Thing {
  let outside: Thing = NOTHING;
  for (const one of all) {
    if (!brings(one, name)) continue;
    const keys = projectPackages(ctx, view, one.module);
    for (const key of keys) {
      const found = ctx.packageMember(view, key, name, space);
      if (found.is !== 'unknown') return found;
    }
    if (keys.length === 0 && outside.is === 'unknown') outside = outsideName(ctx, view, one, name, space);
  }
  return outside;
}

/** What stands under a name in a package of elsewhere: of an import that lists it, also where nothing is known of it. */
function outsideName(ctx: LinkContext, view: UnitView, one: Brought, name: string, space: Space): Thing {
  const inPackage = moduleSystem(view.rules.modules).packageOf(one.module);
  const known = libraryThing(ctx, view, inPackage, name, space);
  if (known.is !== 'unknown' || inPackage === '' || one.names[0]?.imported === '*') return known;
  return { is: 'external', package: inPackage, name };
}

/** A name at the top of a file: of its library, of what that imports without a prefix, of the language. */
export function nameInLibrary(ctx: LinkContext, view: UnitView, name: string, space: Space): Thing {
  const main = libraryOf(ctx, view);
  const own = ownName(ctx, main, name, space);
  if (own.is !== 'unknown') return own;
  const prefixed = main === view ? NOTHING : entryThing(ctx, main, main.entries(0, name), Infinity, space);
  if (prefixed.is !== 'unknown') return prefixed;
  const plain = main.facts.imports.filter(
    ({ kind, names }) =>
      kind === 'import' &&
      names.length > 0 &&
      !names.some(({ imported, local }) => imported === '*' && local),
  );
  const brought = broughtBy(ctx, main, plain, name, space);
  if (brought.is !== 'unknown') return brought;
  for (const implicit of view.rules.implicitImports) {
    const found = libraryThing(ctx, view, implicit, name, space);
    if (found.is !== 'unknown') return found;
  }
  return NOTHING;
}

/** What a binding of an import is: what stands behind a prefix, or a name that the import lists. */
export function importedInLibrary(ctx: LinkContext, view: UnitView, binding: number, space: Space): Thing {
  const fact = view.facts.imports[view.unit.bindings.import[binding] ?? -1];
  const local = view.bindingName(binding);
  if (!fact) return NOTHING;
  if (fact.names[0]?.imported !== '*') return broughtBy(ctx, view, [fact], local, space);
  const [key] = projectPackages(ctx, view, fact.module);
  const name = moduleSystem(view.rules.modules).packageOf(fact.module);
  return key === undefined && name === '' ? NOTHING : { is: 'package', key: key ?? null, name };
}

/** The libraries whose extensions a file sees: its own, and those that it imports with what they pass on. */
export function seenLibraries(ctx: LinkContext, view: UnitView): ReadonlySet<string> {
  const main = libraryOf(ctx, view);
  const found = new Set([main.path]);
  for (const path of found) {
    const one = found.size > MOST_SEEN ? null : ctx.view(path);
    for (const { kind, module, names } of one?.facts.imports ?? [])
      if (one && names.length > 0 && (path === main.path || kind === 'reexport'))
        for (const file of filesNamed(ctx, one, module)) found.add(file);
  }
  return found;
}

/** Members without those of extensions that a file does not see. */
export function seenMembers(ctx: LinkContext, found: readonly Member[], from: UnitView): readonly Member[] {
  if (from.rules.package !== 'library') return found;
  return found.filter((one) => {
    if (one.kind !== 'symbol' || one.symbol.view === from) return true;
    const { view, row } = one.symbol;
    return view.extensionOf(row) < 0 || ctx.included(from).has(libraryOf(ctx, view).path);
  });
}
