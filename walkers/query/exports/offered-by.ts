import { compareText, type ReadContext } from '../../../runtime/index.js';
import { withoutOverloads } from '../../find-symbol.js';
import { missingReexports, OfferedNames, topSymbols } from '../../offered-names.js';
import type { Imported } from '../parts/code-node.js';
import { importedFrom, symbolsFrom } from '../parts/nodes-of.js';
import type { FoundExport } from './export-row.js';

/** What a module offers. */
export interface OfferedRows {
  /** Their own in the order of the text, then what they pass on, by path and line. */
  readonly symbols: readonly FoundExport[];
  /** Modules and packages as wholes, by id, each with its names. */
  readonly modules: readonly { readonly node: Imported; readonly names: readonly string[] }[];
  /** Re-exports that lead nowhere known. */
  readonly missing: number;
}

/**
 * What a module offers, each symbol once with all its names: of overloads the implementation.
 *
 * @param file Its id. @param withPrivate Whether its other top-level symbols are listed, too.
 */
export async function offeredBy(
  context: ConstructorParameters<typeof OfferedNames>[0] & Pick<ReadContext, 'nodes'>,
  file: string,
  withPrivate: boolean,
): Promise<OfferedRows> {
  const all = new OfferedNames(context);
  const names = new Map<string, Set<string>>();
  const own: string[] = [];
  for (const [name, targets] of await all.of(file))
    for (const id of targets) names.set(id, (names.get(id) ?? new Set()).add(name));
  for (const { id } of await topSymbols(context, file)) if (withPrivate || names.has(id)) own.push(id);
  const namesOf = (id: string) => [...(names.get(id) ?? [])].sort(compareText);
  const passed = await symbolsFrom(
    context,
    [...names.keys()].filter((id) => !own.includes(id)),
  );
  passed.sort(
    (a, b) => compareText(a.path, b.path) || a.start_line - b.start_line || compareText(a.id, b.id),
  );
  const symbols = withoutOverloads([...(await symbolsFrom(context, own)), ...passed]);
  const modules = await importedFrom(context, [...names.keys()].sort(compareText));
  return {
    symbols: symbols.map((node) => ({ node, names: namesOf(node.id) })),
    modules: modules.map((node) => ({ node, names: namesOf(node.id) })),
    missing: await missingReexports(context, file),
  };
}
