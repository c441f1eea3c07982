import { isA, type NodeRef, type ReadContext } from '../runtime/index.js';
import {
  CodeSymbol,
  ExternalPackage,
  File,
  parseId,
  SymbolContainsSymbol,
  SymbolExtendsSymbol,
  Unresolved,
} from '../schema/index.js';
import { packageEntries } from './find-module.js';
import { OfferedNames, topSymbols } from './offered-names.js';

type Look = ConstructorParameters<typeof OfferedNames>[0] &
  Pick<ReadContext, 'blobs' | 'find' | 'findIds' | 'nodes' | 'q'>;
type Member = NodeRef<typeof CodeSymbol | typeof File | typeof Unresolved>;

/** Names behind a module that are followed at most: nobody nests deeper. */
const MOST_PARTS = 8;

/** A name's beginning, which may call a module, and the names behind it: the longest beginning first, one that ends at a slash last. */
export function modulesAndMembers(name: string): { module: string; members: string[] }[] {
  const parts = name.split('.');
  const splits: { module: string; members: string[] }[] = [];
  for (let at = parts.length - 1; at >= Math.max(1, parts.length - MOST_PARTS); at--) {
    const members = parts.slice(at);
    if (members.every((one) => one !== '')) splits.push({ module: parts.slice(0, at).join('.'), members });
  }
  const slash = name.lastIndexOf('/');
  const behind = name.slice(slash + 1).split('.');
  if (slash > 0 && behind.length <= MOST_PARTS && !behind.includes(''))
    splits.push({ module: name.slice(0, slash), members: behind });
  return splits;
}

/** The modules that a package of the project exports under a name from its entry: `export * as z from './all'`. */
export async function namespacesOf(context: Look, name: string): Promise<NodeRef<typeof File>[]> {
  const offered = new OfferedNames(context);
  const ids = new Set<string>();
  for (const entry of await packageEntries(context))
    for (const id of (await offered.of(entry)).get(name) ?? []) if (parseId(id)?.form === 'file') ids.add(id);
  return (await context.nodesOf(File, [...ids])).filter(({ gone }) => !gone);
}

/**
 * What stands under names inside of modules or classes, as an importer writes them: what a module defines, re-exports or
 * imports; of a class its members, inherited ones included. Empty where one of the names leads nowhere.
 */
export async function membersOf(
  context: Look,
  owners: readonly Member[],
  names: readonly string[],
): Promise<Member[]> {
  let found: Member[] = [...owners];
  for (const name of names) {
    const next = new Map<string, Member>();
    for (const node of found)
      for (const member of isA(node.archetype, File)
        ? await memberOfModule(context, node.id, name)
        : await memberOfSymbol(context, node.id, name))
        next.set(member.id, member);
    found = [...next.values()];
  }
  return found;
}

async function memberOfModule(context: Look, file: string, name: string): Promise<Member[]> {
  const offered = new OfferedNames(context);
  const found = await membersAmong(context, (await offered.of(file)).get(name) ?? [], name);
  if (found.length > 0) return found;
  const own = (await topSymbols(context, file)).filter((one) => one.name === name);
  return own.length > 0 ? own : membersAmong(context, await offered.imported(file, name), name);
}

/** Of a package outside of the project what is known to be used of it under that name. */
async function membersAmong(context: Look, ids: readonly string[], name: string): Promise<Member[]> {
  const found: Member[] = [];
  for (const node of await context.nodes([...ids])) {
    if (node === undefined || node.gone) continue;
    if (isMember(node)) found.push(node);
    else if (isA(node.archetype, ExternalPackage))
      found.push(...(await context.find(Unresolved, { name, package: parseId(node.id)?.name ?? null })));
  }
  return found;
}

function isMember(node: NodeRef): node is Member {
  return [CodeSymbol, File, Unresolved].some((type) => isA(node.archetype, type));
}

/** The members of that name that a class has, else those of its nearest bases that have one. */
async function memberOfSymbol(
  { q }: Look,
  symbol: string,
  name: string,
): Promise<NodeRef<typeof CodeSymbol>[]> {
  const seen = new Set<string>();
  for (let classes = [symbol]; classes.length > 0; ) {
    for (const id of classes) seen.add(id);
    const members = await q(classes).out(SymbolContainsSymbol).of(CodeSymbol);
    const named = members.filter((one) => one.name === name);
    if (named.length > 0) return named;
    const bases = await q(classes).out(SymbolExtendsSymbol).of(CodeSymbol).ids();
    classes = bases.filter((id) => !seen.has(id));
  }
  return [];
}
