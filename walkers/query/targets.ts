import { z } from 'zod';
import {
  areOverloads,
  declarationsOf,
  findNamed,
  isConstructorId,
  kindOf,
  type Named,
  qualifiedName,
  type Wanted,
} from '../../graphs/code/index.js';
import { plural, quotedName, shownLine, shownOf } from '../../present/index.js';
import { defineWalker, isA, type NodeRef, type ReadContext } from '../../runtime/index.js';
import {
  append,
  CodeSymbol,
  File,
  FileContainsSymbol,
  SymbolCallsSymbol,
  SymbolContainsSymbol,
  Unresolved,
} from '../../schema/index.js';
import { isTestPath } from '../../source/index.js';
import { placeText } from './rows.js';

/** Meanings of an ambiguous name that are looked at, and that a note lists. */
const MOST_SYMBOLS = 10;
const MOST_LISTED = 6;

/** What an answer is about (P-03). What is outside of the project has no place. */
export const TargetRow = z.object({
  id: z.string().optional(),
  qualified_name: z.string(),
  kind: z.string(),
  file_path: z.string().optional(),
  line_start: z.number().int().optional(),
  /** How many declarations it has that each run; it stands at the first. */
  overloads: z.number().int().optional(),
  /** Of a module of several files how many; it stands in the first. */
  files: z.number().int().optional(),
  /** Of one of several: how many rows it has before the cut, and how many of these are in tests. */
  total: z.number().int().optional(),
  in_tests: z.number().int().optional(),
});
export type TargetRow = z.infer<typeof TargetRow>;

/** What every answer about a name says first: the symbol, or the first symbols of an ambiguous name, each with its own rows. */
export const targetFields = {
  target: TargetRow.optional(),
  targets: z.array(TargetRow).optional(),
};
/** See {@link targetFields}. */
export interface TargetFields {
  readonly target?: TargetRow | undefined;
  readonly targets?: TargetRow[] | undefined;
}

/** A row's place in `targets`; only where there are several. */
export const targetField = { target: z.number().int().optional() };

/** What somebody asks about. */
export interface Targets<T extends Named = Named> {
  /** All declarations, in the order of `symbols`. */
  readonly nodes: readonly T[];
  /** One node for each symbol, see `FoundNames`. */
  readonly symbols: readonly T[];
  /** The declarations of each symbol, by its place. */
  readonly declarations: readonly (readonly T[])[];
  /** What an answer says that it is about. */
  readonly head: TargetFields;
  /** What an answer says of a name that leads to several; empty where it does not. */
  readonly notes: readonly string[];
}

/** Symbols and modules that call. */
export const CALLING: Wanted = {
  what: 'a function, class or module',
  fits: (node) => (isCode(node) && node.kind !== 'other') || isModule(node),
  also: isCode,
};

/** As {@link CALLING}, and variables and properties that are called; where there are none of that name, what is outside the project too. */
export const CALLED: Wanted = {
  ...CALLING,
  also: (node) =>
    isCode(node) || (isA(node.archetype, Unresolved) && 'package' in node && node.package !== null),
  nextTo: async ({ entries }, nodes) => {
    const others = nodes.filter((node) => isCode(node) && node.kind === 'other');
    const calls = await entries(
      others.map(({ id }) => id),
      'in',
      SymbolCallsSymbol,
    );
    return others.filter((_, at) => (calls[at] ?? []).length > 0);
  },
};

/** Classes of every subkind. */
export const CLASSES: Wanted = {
  what: 'a class or interface',
  fits: (node) => isSymbol(node) && (node.kind === 'class' || node.callable_kind === 'class'),
};

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
  const declarations = declarationsOf({ nodes, symbols });
  const rows = symbols.map((node, at) => ({
    ...targetRow(node, withPaths),
    ...countOf(declarations[at] ?? []),
  }));
  const [target] = rows;
  if (rows.length === 1 && target) return { nodes, symbols, declarations, head: { target }, notes: [] };
  const shown = rows.map((row) => {
    const place = row.file_path ? ` (${placeText(row).slice(2)})` : '';
    return shownLine(`${row.qualified_name}${place}`, 200);
  });
  const listed = [...new Set(shown)].slice(0, MOST_LISTED).join(', ');
  const rest = targets.length > MOST_LISTED ? ', …' : '';
  const first = targets.length > rows.length ? ` The first ${rows.length} are looked at.` : '';
  const note = `'${shownLine(name, 200)}' leads to ${targets.length}: ${listed}${rest}; qualify it.${first}`;
  return { nodes: declarations.flat(), symbols, declarations, head: { targets: rows }, notes: [note] };
}

/** How many declarations with code of their own a target has. */
function countOf(declarations: readonly Named[]): Pick<TargetRow, 'overloads' | 'files'> {
  const { length } = declarations;
  if (areOverloads(declarations)) return { overloads: length };
  return length > 1 && declarations.every(isModule) ? { files: length } : {};
}

/** The row of what a name led to. @param withPaths False: it says nothing of where that stands. */
function targetRow(node: Named, withPaths: boolean): TargetRow {
  const row = { qualified_name: qualifiedName(node), kind: kindOf(node) };
  if (!withPaths) return row;
  const line = 'start_line' in node ? (node.name_line ?? node.start_line) : 1;
  return { id: node.id, ...row, ...('path' in node ? { file_path: node.path, line_start: line } : {}) };
}

/**
 * What an answer is about, of several each with its number of rows.
 *
 * @param of The paths of all that a target has, by its place.
 */
export function withTotals(
  head: TargetFields,
  of: (at: number) => readonly (string | null | undefined)[],
): TargetFields {
  const targets = head.targets?.map((target, at) => {
    const paths = of(at);
    const in_tests = paths.filter((path) => isTestPath(path ?? '')).length;
    return { ...target, total: paths.length, ...(in_tests > 0 ? { in_tests } : {}) };
  });
  return targets ? { targets } : head;
}

/** What a target is, in a line: `` `auth.login` function, src/auth.py:12 ``, of overloads and files how many there are. */
function targetText(row: TargetRow): string {
  const { qualified_name, kind, overloads, files, line_start } = row;
  const from = line_start === undefined ? '' : ` from line ${line_start}`;
  const several = files ? `, ${files} files` : overloads ? `, ${overloads} overloads${from}` : '';
  return `${quotedName(qualified_name)} ${kind}${placeText(row)}${several}`;
}

/** What a question is about, for the head of an answer: `` (`auth.login` function, src/auth.py:12) ``. */
export function aboutText({ target, targets = [] }: TargetFields): string {
  if (target) return ` (${targetText(target)})`;
  return targets.length > 0 ? ` (${targets.length} symbols)` : '';
}

/**
 * The lines of rows; of an ambiguous name in groups below their targets, those without rows included.
 *
 * @param line Of a row one line or more. @param noun What a row is called.
 */
export function groupedLines<R extends { readonly target?: number | undefined }>(
  { targets }: TargetFields,
  rows: readonly R[],
  line: (row: R) => string | readonly string[],
  noun = 'row',
): string[] {
  if (!targets) return rows.flatMap(line);
  return targets.flatMap((target, at) => {
    const own = rows.filter((row) => row.target === at);
    const head = `${targetText(target)}:${countText(target, own.length, noun)}`;
    return [...(at > 0 ? [''] : []), head, ...own.flatMap(line)];
  });
}

/** How many rows a target has, where not all are shown: ` none.`, ` 3 callers, all in tests.`, ` 5 of 12 callers.` */
function countText({ total = 0, in_tests = 0 }: TargetRow, shown: number, noun: string): string {
  if (total <= shown) return shown === 0 ? ' none.' : '';
  if (shown > 0) return ` ${shownOf(shown, total, noun)}.`;
  const inTests = in_tests > 0 ? `, ${in_tests} of them in tests` : '';
  return ` ${plural(total, noun)}${in_tests === total ? ', all in tests' : `, not shown here${inTests}`}.`;
}

/** Ids of what a question about nodes asks for: of a class its written constructor too, of a module all that it defines. */
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

/** Finds all code in some nodes, they first: of a module every symbol, of a symbol whatever it encloses. `parts`: by the id of each what it holds itself. */
export async function insideOf(
  { spawn }: Pick<ReadContext, 'spawn'>,
  ids: readonly string[],
): Promise<{ ids: readonly string[]; parts: ReadonlyMap<string, readonly string[]> }> {
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
