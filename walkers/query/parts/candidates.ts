import type { ReadContext } from '../../../runtime/index.js';
import {
  FileContainsImport,
  Import,
  ImportResolvesTo,
  SymbolCallsSymbol,
  SymbolImports,
  SymbolMayCallSymbol,
  stubId,
  Unresolved,
} from '../../../schema/index.js';

type Look = Pick<ReadContext, 'entries' | 'q' | 'nodesOf'>;

/**
 * How many calls may lead to symbols, and are no facts: candidates of ambiguous calls, and calls of one of their names
 * that lead nowhere known. Two calls by one caller of one name count once.
 */
export async function candidatesInto(
  { entries, q, nodesOf }: Look,
  ids: readonly string[],
  names: Iterable<string>,
): Promise<number> {
  let count = (await entries(ids, 'in', SymbolMayCallSymbol)).flat().length;
  const stubs = await nodesOf(Unresolved, [...new Set(names)].map(stubId));
  for (const stub of stubs)
    if (!stub.gone && stub.package === null) count += (await q(stub).in(SymbolCallsSymbol).ids()).length;
  return count;
}

/** How many calls by symbols may lead to others, and are no facts: ambiguous ones, and those that lead nowhere known. */
export async function candidatesOutOf(
  { entries, nodesOf }: Pick<Look, 'entries' | 'nodesOf'>,
  ids: readonly string[],
): Promise<number> {
  const ambiguous = (await entries(ids, 'out', SymbolMayCallSymbol)).flat();
  const calls = (await entries(ids, 'out', SymbolCallsSymbol)).flat();
  const unresolved = calls.filter(({ farType }) => farType === Unresolved.name).map(({ far }) => far);
  const nowhere = (await nodesOf(Unresolved, unresolved)).filter((stub) => stub.package === null);
  return ambiguous.length + nowhere.length;
}

/** How many imports of modules and symbols lead nowhere known. */
export async function missingImports(
  { entries, q }: Pick<Look, 'entries' | 'q'>,
  ids: readonly string[],
): Promise<number> {
  const imports = [
    ...(await q(ids).out(FileContainsImport).ids()),
    ...(await q(ids).out(SymbolImports).of(Import).ids()),
  ];
  const ends = imports.length === 0 ? [] : (await entries(imports, 'out', ImportResolvesTo)).flat();
  return ends.filter(({ farType }) => farType === Unresolved.name).length;
}
