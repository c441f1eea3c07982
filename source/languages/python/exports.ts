import type { Definition, ExportFact, ImportFact } from '../../facts.js';
import type { PublicNames } from './names.js';

/**
 * What a module offers: its public definitions; imported names that it passes on, that is those in `__all__`, those
 * that an `__init__.py` imports from its own package, and `import x as x` (PEP 484); `*` for `from m import *`,
 * where no `__all__` says which of its names are meant.
 */
export function exportsOf(
  path: string,
  definitions: readonly Definition[],
  imports: readonly ImportFact[],
  redundant: ReadonlySet<string>,
  listed: PublicNames,
): ExportFact[] {
  const found = new Map<string, ExportFact>();
  for (const { name, exported, name_line } of definitions)
    if (exported && !found.has(name)) found.set(name, { name, local: name, module: null, line: name_line });
  const stars: ExportFact[] = [];
  const isPackage = /(^|\/)__init__\.pyi?$/.test(path);
  for (const one of imports) {
    if (one.from !== null || one.kind !== 'import') continue;
    for (const { imported, local } of one.names) {
      if (local === null) {
        if (!listed) stars.push({ name: '*', local: null, module: one.module, line: one.line });
        continue;
      }
      const isOwn = isPackage && imported !== '*' && !one.type_only && isWithin(path, one.module);
      const given = isOwn || redundant.has(local);
      const passedOn = listed ? listed.has(local) : given && !local.startsWith('_');
      if (passedOn && one.module !== '__future__' && !found.has(local))
        found.set(local, { name: local, local, module: one.module, line: one.line });
    }
  }
  // A submodule, or a name that another way puts into the module: offered all the same.
  for (const [name, line] of listed ?? [])
    if (!found.has(name)) found.set(name, { name, local: name, module: null, line });
  return [...found.values(), ...stars].sort((a, b) => a.line - b.line);
}

/** Whether a module is within the package of an `__init__.py`: `.core`, or `shop.core` where the folder is `src/shop`. */
function isWithin(path: string, module: string): boolean {
  if (module.startsWith('.')) return !module.startsWith('..');
  const folders = path.split('/').slice(0, -1);
  const parts = module.split('.');
  return parts.some((_, at) => parts.slice(0, at + 1).join('/') === folders.slice(-at - 1).join('/'));
}
