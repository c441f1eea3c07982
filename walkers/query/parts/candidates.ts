import type { ReadContext } from '../../../runtime/index.js';
import {
  FileContainsImport,
  Import,
  ImportResolvesTo,
  parseId,
  SymbolCallsSymbol,
  SymbolImports,
  SymbolMayCallSymbol,
  stubId,
  Unresolved,
} from '../../../schema/index.js';

type Look = Pick<ReadContext, 'entries' | 'q' | 'nodesOf'>;

/**
 * How many calls may lead to symbols, and are no facts: candidates of ambiguous calls, and calls of one of their names
 * that lead nowhere known. What one caller calls by one name counts once, however many it may be.
 */
export async function candidatesInto(
  { entries, q, nodesOf }: Look,
  ids: readonly string[],
  names: Iterable<string>,
): Promise<number> {
  const calls = new Set<string>();
  const ambiguous = await entries(ids, 'in', SymbolMayCallSymbol);
  for (const [at, id] of ids.entries())
    for (const { far } of ambiguous[at] ?? []) calls.add(callOf(far, nameIn(id)));
  const stubs = await nodesOf(Unresolved, [...new Set(names)].map(stubId));
  for (const stub of stubs)
    if (!stub.gone && stub.package === null)
      for (const caller of await q(stub).in(SymbolCallsSymbol).ids()) calls.add(callOf(caller, stub.name));
  return calls.size;
}

/** How many calls by symbols may lead to others, and are no facts; counted as {@link candidatesInto} counts. */
export async function candidatesOutOf(
  { entries, nodesOf }: Pick<Look, 'entries' | 'nodesOf'>,
  ids: readonly string[],
): Promise<number> {
  const calls = new Set<string>();
  const ambiguous = await entries(ids, 'out', SymbolMayCallSymbol);
  const called = await entries(ids, 'out', SymbolCallsSymbol);
  const unresolved = called.flat().filter(({ farType }) => farType === Unresolved.name);
  const stubs = await nodesOf(Unresolved, [...new Set(unresolved.map(({ far }) => far))]);
  const nowhere = new Set(stubs.filter((stub) => stub.package === null).map(({ id }) => id));
  for (const [at, id] of ids.entries()) {
    for (const { far } of ambiguous[at] ?? []) calls.add(callOf(id, nameIn(far)));
    for (const { far } of called[at] ?? []) if (nowhere.has(far)) calls.add(callOf(id, nameIn(far)));
  }
  return calls.size;
}

function callOf(caller: string, name: string): string {
  return `${caller}\0${name}`;
}

/** What a symbol or a stub is called, as its id tells it: no record is read. */
function nameIn(id: string): string {
  const name = parseId(id)?.name ?? id;
  return name.slice(name.lastIndexOf('.') + 1);
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
