import type { ReadContext } from '../../../runtime/index.js';
import {
  CodeSymbol,
  type Evidence,
  FileImports,
  fileId,
  Import,
  ImportResolvesTo,
  lastNamePart,
  localId,
  packageId,
  parseId,
  SymbolCallsSymbol,
  SymbolReferencesSymbol,
  Unresolved,
} from '../../../schema/index.js';
import { isConstructorId } from '../../constructors.js';
import { lineageOf } from '../inheritance/inheritance.js';
import { CLASSES } from '../parts/targets.js';
import type { GoneSymbol } from './subjects.js';

/** Steps of inheritance that are looked at. */
const MOST_STEPS = 50;

/** What still uses symbols that are gone; each with the name of one of them. */
export interface RemovedUses {
  /** Ids of files that import one. */
  readonly importers: ReadonlyMap<string, string>;
  /** Ids of symbols and modules that name one. */
  readonly users: ReadonlyMap<string, string>;
}

/**
 * Finds what still uses symbols that a diff removed. Imports that name one and lead to no symbol are broken; whatever
 * in such a file, in the symbol's own one, or in one that imports these, uses an unresolved name is likely to mean it; of
 * a member, whatever uses its name of a receiver that may be of its class.
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
    const [last = '', owner] = name.split('.').reverse();
    // Every class has members of such names: a bare name says nothing.
    const isShared = owner !== undefined && (isConstructorId(id) || /^__\w+__$/u.test(last));
    if (parseId(id)?.form === 'file' || isShared) continue;
    const stubs = (await context.find(Unresolved, { name: last })).filter((stub) => stub.package === null);
    for (const stub of stubs)
      for (const edge of [SymbolCallsSymbol, SymbolReferencesSymbol])
        for (const { from, evidence } of await context.q(stub).in(edge).edges()) {
          const file = fileId(parseId(from)?.path ?? '');
          const near = [file, ...(await context.q(file).out(FileImports).ids())];
          const isUse = owner
            ? (await Promise.all(evidence.map((use) => mayBeOf(context, use, from, owner, last)))).includes(
                true,
              )
            : near.some((one) => one === fileId(path) || importers.has(one));
          if (isUse) users.set(from, name);
        }
  }
  return { importers, users };
}

/**
 * Whether a use of a name may mean a class's member: its receiver is of the class or of one of its heirs, or not known.
 *
 * @param from The id of what uses it. @param owner The class's name.
 */
async function mayBeOf(
  context: ReadContext,
  { expression }: Evidence,
  from: string,
  owner: string,
  member: string,
): Promise<boolean> {
  const receiver = expression.slice(0, Math.max(0, expression.indexOf(`.${member}`))).replace(/[?!]$/u, '');
  if (/^["'`[{\d]/u.test(receiver)) return false;
  if (!/^(?:|this|self|cls|super\b.*)$/su.test(receiver)) {
    const [, named = owner] = /^(?:new )?(?:\w+\.)*(\w+)(?:\(.*\))?$/su.exec(receiver) ?? [];
    return named === owner || !(await context.find(CodeSymbol, { name: named })).some(CLASSES.fits);
  }
  const { path, name } = parseId(from) ?? {};
  const parts = (name ?? '').split('.');
  const own = parts.map((_, at) => localId('cls', path ?? '', parts.slice(0, at + 1).join('.')));
  const { links } = await lineageOf(context, own, 'up', MOST_STEPS);
  const classes = await context.nodesOf(CodeSymbol, [...own, ...links.map(({ parent }) => parent)]);
  const bases = classes.flatMap((one) => (one.gone ? [] : [one.name, ...one.base_classes]));
  return bases.some((text) => lastNamePart(text.split(/[<([]/u)[0] ?? '') === owner);
}

/** `warning` of `src/warning.ts` and `./warning.js`; a package's own module has the name of its folder. */
function stemOf(path: string): string {
  const parts = path.replace(/\.[cm]?[jt]sx?$|\.pyi?$|\.vue$/u, '').split(/[/.]+/u);
  const last = parts.pop() ?? '';
  return /^(?:index|__init__)$/u.test(last) ? (parts.pop() ?? '') : last;
}
