import { isA, type NodeRef, type ReadContext } from '../../../runtime/index.js';
import { CodeSymbol, ExternalPackage, File } from '../../../schema/index.js';
import type { Caller, Imported } from './code-node.js';

type Look = Pick<ReadContext, 'nodes'>;

/** What calls or is called under these ids, in their order; whatever else they name is left out. */
export async function callersFrom({ nodes }: Look, ids: readonly string[]): Promise<Caller[]> {
  const found = (await nodes(ids)).filter((node) => node !== undefined);
  return found.filter((node): node is Caller => isA(node.archetype, CodeSymbol) || isA(node.archetype, File));
}

/** The modules and outside packages of these ids, in their order; whatever else they name is left out. */
export async function importedFrom({ nodes }: Look, ids: readonly string[]): Promise<Imported[]> {
  const found = (await nodes(ids)).filter((node) => node !== undefined);
  return found.filter(
    (node): node is Imported => isA(node.archetype, File) || isA(node.archetype, ExternalPackage),
  );
}

/** The symbols of these ids, in their order; whatever else they name is left out. */
export async function symbolsFrom(
  { nodes }: Look,
  ids: readonly string[],
): Promise<NodeRef<typeof CodeSymbol>[]> {
  const found = (await nodes(ids)).filter((node) => node !== undefined);
  return found.filter((node): node is NodeRef<typeof CodeSymbol> => isA(node.archetype, CodeSymbol));
}
