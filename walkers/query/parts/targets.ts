import { shownLine } from '../../../present/index.js';
import { defineWalker, isA, type NodeRef, type ReadContext } from '../../../runtime/index.js';
import {
  append,
  CodeSymbol,
  File,
  FileContainsSymbol,
  SymbolContainsSymbol,
  Unresolved,
} from '../../../schema/index.js';
import { isConstructorId } from '../../constructors.js';
import { findNamed, type Named, symbolKey, type Wanted } from '../../find-symbol.js';
import { placeOf, type TargetFields, targetRow } from './target-row.js';

/** Meanings of an ambiguous name that are looked at, and that a note lists. */
const MOST_SYMBOLS = 10;
const MOST_LISTED = 6;

/** What somebody asks about. */
export interface Targets<T extends Named = Named> {
  /** All declarations, in the order of `symbols`. */
  readonly nodes: readonly T[];
  /** One node for each symbol, see `FoundNames`. */
  readonly symbols: readonly T[];
  /** What an answer says that it is about. */
  readonly head: TargetFields;
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
  return targetsOf(name, await findNamed(context, name, wanted), withPaths);
}

/** See {@link findTargets}. */
export function targetsOf<T extends Named>(
  name: string,
  { nodes, targets }: { readonly nodes: readonly T[]; readonly targets: readonly T[] },
  withPaths = true,
): Targets<T> {
  const symbols = targets.slice(0, MOST_SYMBOLS);
  const rows = symbols.map((node) => targetRow(node, withPaths));
  const [target] = rows;
  if (rows.length === 1 && target) return { nodes, symbols, head: { target }, notes: [] };
  const shown = rows.map((row) =>
    shownLine(`${row.qualified_name}${row.file_path ? ` (${placeOf(row)})` : ''}`, 200),
  );
  const listed = [...new Set(shown)].slice(0, MOST_LISTED).join(', ');
  const rest = targets.length > MOST_LISTED ? ', …' : '';
  const first = targets.length > rows.length ? ` The first ${rows.length} are looked at.` : '';
  const note = `'${shownLine(name, 200)}' leads to ${targets.length}: ${listed}${rest}; qualify it.${first}`;
  const all = { nodes, symbols, head: { targets: rows }, notes: [note] };
  return { ...all, nodes: declarationsOf(all).flat() };
}

/** The declarations of each symbol, by the symbol's place among the targets. */
export function declarationsOf<T extends Named>({
  nodes,
  symbols,
}: Pick<Targets<T>, 'nodes' | 'symbols'>): T[][] {
  return symbols.map((symbol) => nodes.filter((node) => symbolKey(node) === symbolKey(symbol)));
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

/** Walks from symbols to what they enclose, from modules to all of their symbols, and gathers the parts of each node. */
const InsideWalk = defineWalker('inside_walk', {
  state: () => ({ parts: new Map<string, string[]>() }),
  on: (w) => [
    w.frontier(async (ids, ctx) => {
      for (const edge of [FileContainsSymbol, SymbolContainsSymbol]) {
        const inside = await ctx.entries(ids, 'out', edge);
        for (const [at, from] of ids.entries()) {
          const parts = (inside[at] ?? []).map(({ far }) => far);
          for (const to of parts) append(ctx.state.parts, from, to);
          await ctx.visit(parts.map((to) => ({ from, to })));
        }
      }
    }),
  ],
});

/** Nodes with all code in them: of a module every symbol, of a symbol whatever it encloses. */
export interface Inside {
  /** The nodes first. */
  readonly ids: readonly string[];
  /** By the id of each: what it holds itself. */
  readonly parts: ReadonlyMap<string, readonly string[]>;
}

/** Finds all code in some nodes. */
export async function insideOf(
  { spawn }: Pick<ReadContext, 'spawn'>,
  ids: readonly string[],
): Promise<Inside> {
  const { reached, state } = await spawn(InsideWalk, ids);
  return { ids: [...new Set([...reached.starts, ...reached.ids])], parts: state.parts };
}

/** What is reached from one along links, it first, then the nearest. @param most How many links far. */
export function closure(
  start: string,
  links: ReadonlyMap<string, readonly string[]>,
  most = Number.POSITIVE_INFINITY,
): string[] {
  const reached = new Set([start]);
  let level = [start];
  for (let left = most; left > 0 && level.length > 0; left--) {
    level = level.flatMap((one) => links.get(one) ?? []).filter((next) => !reached.has(next));
    for (const next of level) reached.add(next);
  }
  return [...reached];
}

/** Whether a node is a symbol of the project. */
export function isSymbol(node: Named): node is NodeRef<typeof CodeSymbol> {
  return isA(node.archetype, CodeSymbol);
}

/** Whether a node is a file whose symbols are in the graph. */
export function isModule(node: Named): node is NodeRef<typeof File> {
  return isA(node.archetype, File);
}
