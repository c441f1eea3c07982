import type { FileFacts, ImportFact } from '../../facts.js';
import { append } from '../../resolution/module-table.js';
import type { ImportTarget, PassedOn, Target } from '../../resolution/resolution.js';
import type { UnitView } from '../unit-view.js';
import type { FlowContext } from './context.js';
import { exportedName, importedName, type Named } from './modules.js';

/**
 * What a file offers to others of what it imports, by the import's index: imports that its list of exports names, and
 * stars as `*`. What leads to nothing known is left out.
 *
 * @param targetOf What the module of an import is.
 */
export function reexports(
  ctx: FlowContext,
  view: UnitView,
  targetOf: (module: string) => ImportTarget,
): ReadonlyMap<number, readonly PassedOn[]> {
  const { facts } = view;
  const found = new Map<number, PassedOn[]>();
  if (facts.exports.length === 0) return found;
  const offered = offeredNames(facts);
  const bindings = new Map<number, number[]>();
  for (const row of view.bindingsIn(0))
    if (view.bindingKind(row) === 'import') append(bindings, view.unit.bindings.import[row] ?? -1, row);
  const behindStars = new Map<string, readonly PassedOn[]>();
  for (const [index, fact] of facts.imports.entries()) {
    if (fact.from !== null) continue;
    const passed: PassedOn[] = [];
    for (const binding of bindings.get(index) ?? []) {
      const local = view.bindingName(binding);
      const names = new Set([
        ...(offered.get(`\0${local}`) ?? []),
        ...(offered.get(`${fact.module}\0${local}`) ?? []),
      ]);
      for (const name of names) passed.push(...meant(name, importedName(ctx, view, binding)));
    }
    if (isStar(fact)) {
      const target = targetOf(fact.module);
      if (offered.has(`${fact.module}\0*`)) passed.unshift(...meant('*', wholeModule(target)));
      const listed = behindStars.get(fact.module) ?? listedBehind(ctx, view, target);
      behindStars.set(fact.module, listed);
      passed.push(...listed);
    }
    if (passed.length > 0) found.set(index, passed);
  }
  return found;
}

/** The outside names of what a file offers besides its own definitions, by module and inside name. */
function offeredNames({ exports, definitions }: FileFacts): ReadonlyMap<string, readonly string[]> {
  const own = new Set(definitions.flatMap(({ parent, name }) => (parent === null ? [name] : [])));
  const found = new Map<string, string[]>();
  for (const { name, local, module } of exports)
    if (module !== null || !own.has(local ?? '')) append(found, `${module ?? ''}\0${local ?? '*'}`, name);
  return found;
}

function isStar({ names }: ImportFact): boolean {
  return names.some(({ imported, local }) => imported === '*' && local === null);
}

function wholeModule(target: ImportTarget): Named | null {
  if ('file' in target) return { kind: 'module', path: target.file, via: 'import' };
  return 'package' in target ? { kind: 'external', package: target.package, name: '', via: 'import' } : null;
}

/** Names of the list of exports that a star brings in. */
function listedBehind(ctx: FlowContext, view: UnitView, target: ImportTarget): readonly PassedOn[] {
  if (!('file' in target)) return [];
  const { facts } = view;
  const own = new Set(facts.definitions.flatMap(({ parent, name }) => (parent === null ? [name] : [])));
  const listed = new Set(
    facts.exports.flatMap(({ name, local, module }) =>
      module === null && !own.has(local ?? '') ? name : [],
    ),
  );
  return [...listed].flatMap((name) => {
    const isBound = view
      .entries(0, name)
      .some(({ table, row }) => table === 'binding' && view.bindingKind(row) === 'import');
    return isBound ? [] : meant(name, exportedName(ctx, target.file, name));
  });
}

function meant(name: string, named: Named | null): PassedOn[] {
  const target = named && targetOfName(named);
  return target ? [{ name, target }] : [];
}

/** What a name leads to as a target; null for a folder of modules, which is none. */
export function targetOfName(named: Named): Target | null {
  switch (named.kind) {
    case 'symbol':
      return { file: named.symbol.view.path, definition: named.symbol.row };
    case 'module':
      return { module: named.path };
    case 'external':
      return { external: { package: named.package, name: named.name } };
    default:
      return null;
  }
}
