import type { ReadContext } from '../../../runtime/index.js';
import {
  FileImports,
  fileId,
  Import,
  ImportResolvesTo,
  lastNamePart,
  packageId,
  parseId,
  SymbolCallsSymbol,
  SymbolReferencesSymbol,
  Unresolved,
} from '../../../schema/index.js';
import type { GoneSymbol } from './subjects.js';

/** What still uses symbols that are gone; each with the name of one of them. */
export interface RemovedUses {
  /** Ids of files that import one. */
  readonly importers: ReadonlyMap<string, string>;
  /** Ids of symbols and modules that name one. */
  readonly users: ReadonlyMap<string, string>;
}

/**
 * Finds what still uses symbols that a diff removed. Imports that name one and lead to no symbol are broken; whatever
 * in such a file, in the symbol's own one, or in one that imports these, uses an unresolved name is likely to mean it.
 *
 * Reads every import of the project: for questions in which something is gone.
 */
export async function removedUses(context: ReadContext, gone: readonly GoneSymbol[]): Promise<RemovedUses> {
  const importers = new Map<string, string>();
  const users = new Map<string, string>();
  if (gone.length === 0) return { importers, users };
  const byTop = new Map(gone.map((one) => [one.name.split('.')[0] ?? '', one]));
  const stems = new Map(gone.map((one) => [stemOf(one.path), one]));
  for (const { id, module, items, path } of await context.find(Import, {})) {
    const taken = items.map((item) => byTop.get(item.split(' ')[0] ?? '')).find((one) => one !== undefined);
    const found = taken ?? (/^\./u.test(module) ? stems.get(stemOf(module)) : undefined);
    if (!found || path === found.path) continue;
    const targets = await context.q(id).out(ImportResolvesTo).ids();
    const outside = targets.some((target) => target.startsWith(packageId('')));
    const isKnown = targets.some(
      (target) => parseId(target)?.name?.split('.')[0] === found.name.split('.')[0],
    );
    const isBroken = targets.every((target) => target.startsWith('sym:'));
    if (outside || isKnown || (!taken && !isBroken)) continue;
    importers.set(fileId(path), found.name);
  }
  for (const { id, name, path } of gone) {
    if (parseId(id)?.form === 'file') continue;
    const last = lastNamePart(name);
    const stubs = (await context.find(Unresolved, { name: last })).filter((stub) => stub.package === null);
    for (const stub of stubs)
      for (const edge of [SymbolCallsSymbol, SymbolReferencesSymbol])
        for (const id of await context.q(stub).in(edge).ids()) {
          const file = fileId(parseId(id)?.path ?? '');
          const near = [file, ...(await context.q(file).out(FileImports).ids())];
          if (name.includes('.') || near.some((one) => one === fileId(path) || importers.has(one)))
            users.set(id, name);
        }
  }
  return { importers, users };
}

/** `warning` of `src/warning.ts` and `./warning.js`; a package's own module has the name of its folder. */
function stemOf(path: string): string {
  const parts = path.replace(/\.[cm]?[jt]sx?$|\.pyi?$|\.vue$/u, '').split(/[/.]+/u);
  const last = parts.pop() ?? '';
  return /^(?:index|__init__)$/u.test(last) ? (parts.pop() ?? '') : last;
}
