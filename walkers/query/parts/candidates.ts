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

type Look = Pick<ReadContext, 'q' | 'nodesOf'>;

/**
 * How many calls may lead to symbols, and are no facts: candidates of ambiguous calls, and calls of one of their names
 * that lead nowhere known. Two calls by one caller of one name count once.
 */
export async function candidatesInto(
  { q, nodesOf }: Look,
  ids: readonly string[],
  names: Iterable<string>,
): Promise<number> {
  let count = (await q(ids).in(SymbolMayCallSymbol).edges()).length;
  const stubs = await nodesOf(Unresolved, [...new Set(names)].map(stubId));
  for (const stub of stubs)
    if (!stub.gone && stub.package === null) count += (await q(stub).in(SymbolCallsSymbol).ids()).length;
  return count;
}

/** How many calls by symbols may lead to others, and are no facts: ambiguous ones, and those that lead nowhere known. */
export async function candidatesOutOf({ q }: Pick<Look, 'q'>, ids: readonly string[]): Promise<number> {
  const ambiguous = await q(ids).out(SymbolMayCallSymbol).edges();
  const nowhere = await q(ids).out(SymbolCallsSymbol).of(Unresolved, { package: null }).edges();
  return ambiguous.length + nowhere.length;
}

/** How many imports of modules and symbols lead nowhere known. */
export async function missingImports({ q }: Pick<Look, 'q'>, ids: readonly string[]): Promise<number> {
  const imports = [
    ...(await q(ids).out(FileContainsImport).ids()),
    ...(await q(ids).out(SymbolImports).of(Import).ids()),
  ];
  return imports.length === 0 ? 0 : (await q(imports).out(ImportResolvesTo).of(Unresolved).edges()).length;
}
