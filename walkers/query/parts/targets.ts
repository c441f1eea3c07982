import { isA, type NodeRef, type ReadContext } from '../../../runtime/index.js';
import {
  CodeSymbol,
  File,
  FileContainsSymbol,
  SymbolContainsSymbol,
  Unresolved,
} from '../../../schema/index.js';
import { isConstructorId } from '../../constructors.js';
import { findNamed, type Named, type Wanted } from '../../find-symbol.js';
import { qualifiedName } from './code-node.js';

/** Names that an ambiguous one is told apart by. */
const MOST_EXAMPLES = 3;

/** What somebody asks about. */
export interface Targets {
  /** By id. */
  readonly nodes: readonly Named[];
  /** What an answer says of a name that leads to several; empty where it does not. */
  readonly notes: readonly string[];
}

/** Symbols and modules that call or are called; where there are none of that name, what is outside the project too. */
export const CALLED: Wanted = {
  what: 'a function, class or module',
  fits: (node) => (isCode(node) && node.kind !== 'other') || isModule(node),
  also: (node) =>
    isCode(node) || (isA(node.archetype, Unresolved) && 'package' in node && node.package !== null),
};

/** As {@link CALLED}, of the project alone. */
export const CALLING: Wanted = { ...CALLED, also: isCode };

/** Modules, and symbols that are no mere variables; variables where there is nothing else of that name. */
export const DEPENDING: Wanted = { ...CALLING, modulesFirst: true };

/** Classes of every subkind. */
export const CLASSES: Wanted = {
  what: 'a class or interface',
  fits: (node) => isSymbol(node) && (node.kind === 'class' || node.callable_kind === 'class'),
};

/** Modules. */
export const MODULES: Wanted = { what: 'a module', fits: isModule, modulesFirst: true };

/**
 * What a name leads to (P-03): of several at the same strictness all.
 *
 * @param withPaths False: notes hold no ids, which say where a node stands.
 * @throws CodewalkError `NODE_NOT_FOUND`.
 */
export async function findTargets(
  context: Parameters<typeof findNamed>[0],
  name: string,
  wanted: Wanted,
  withPaths = true,
): Promise<Targets> {
  const { nodes } = await findNamed(context, name, wanted);
  return { nodes, notes: nodes.length > 1 ? [severalText(name, nodes, withPaths)] : [] };
}

/** Ids of what is meant by nodes that are called: of a class its written constructor too, of a module all that it defines. */
export async function withParts({ q }: Pick<ReadContext, 'q'>, nodes: readonly Named[]): Promise<string[]> {
  const ids = new Set(nodes.map(({ id }) => id));
  const modules = nodes.filter(isModule).map(({ id }) => id);
  for (const id of modules.length > 0 ? await q(modules).out(FileContainsSymbol).ids() : []) ids.add(id);
  for (const id of await constructorsOf({ q }, nodes)) ids.add(id);
  return [...ids];
}

/** Ids of the constructors that are written in classes. */
export async function constructorsOf(
  { q }: Pick<ReadContext, 'q'>,
  nodes: readonly Named[],
): Promise<string[]> {
  const classes = nodes.filter(CLASSES.fits).map(({ id }) => id);
  if (classes.length === 0) return [];
  return (await q(classes).out(SymbolContainsSymbol).ids()).filter(isConstructorId);
}

/** Whether a node is a symbol of code: a key of a configuration neither calls nor is called. */
function isCode(node: Named): node is NodeRef<typeof CodeSymbol> {
  return isSymbol(node) && node.kind !== 'config';
}

/** Whether a node is a symbol of the project. */
export function isSymbol(node: Named): node is NodeRef<typeof CodeSymbol> {
  return isA(node.archetype, CodeSymbol);
}

/** Whether a node is a file whose symbols are in the graph. */
export function isModule(node: Named): node is NodeRef<typeof File> {
  return isA(node.archetype, File);
}

/** What an answer says of a name that leads to several: by their qualified names, or by their ids where these are the same. */
export function severalText(name: string, nodes: readonly Named[], withPaths = true): string {
  const names = new Set(nodes.map(qualifiedName));
  const areApart = names.size === nodes.length;
  const told = areApart || !withPaths ? [...names] : nodes.map(({ id }) => id);
  const rest = told.length > MOST_EXAMPLES ? '…' : '';
  const shown = told.slice(0, MOST_EXAMPLES).join(', ');
  return `'${name}' leads to ${nodes.length}: ${shown}${rest}; qualify it.`;
}
