import { z } from 'zod';
import {
  missingReexports,
  nameField,
  offeredNames,
  topSymbols,
  type Wanted,
  withinScope,
  withoutOverloads,
} from '../../graphs/code/index.js';
import { plural, quotedName } from '../../present/index.js';
import { compareText, type NodeRef, type ReadContext } from '../../runtime/index.js';
import type { CodeSymbol } from '../../schema/index.js';
import { defineQuery, type QueryOutput, queryFields, rowsField } from './answer.js';
import {
  classNode,
  functionNode,
  type Imported,
  importedFrom,
  ModuleNode,
  moduleNode,
  placeText,
  symbolsFrom,
} from './rows.js';
import {
  CLASSES,
  findTargets,
  groupedLines,
  isModule,
  targetField,
  targetFields,
  withTotals,
} from './targets.js';

const MODULES: Wanted = { what: 'a module', fits: isModule, modulesFirst: true };

const offered = {
  /** The names under which it is offered, where that is not its own name alone. */
  exported_as: z.array(z.string()).optional(),
  ...targetField,
};

/** A symbol that a module offers, where it is defined: a function's or a class's row (S0-42, S0-44). */
const ExportNode = z.looseObject({
  id: z.string().optional(),
  kind: z.string(),
  qualified_name: z.string(),
  name: z.string(),
  file_path: z.string().optional(),
  line_start: z.number().int().optional(),
  exported_as: offered.exported_as,
  /** False for one of the module's own that it keeps to itself. */
  exported: z.boolean(),
  target: offered.target,
});
type ExportNode = z.infer<typeof ExportNode>;

/** A module or package that a module offers as a whole. */
const ExportedModule = ModuleNode.extend(offered);
type ExportedModule = z.infer<typeof ExportedModule>;

/** Something that a module offers, or keeps to itself: then without names. */
interface FoundExport<T> {
  readonly node: T;
  readonly names: readonly string[];
  /** The place of the module among several. */
  readonly target?: number;
}

type ExportedSymbol = FoundExport<NodeRef<typeof CodeSymbol>>;

const results = {
  ...targetFields,
  exports: z.array(ExportNode),
  /** Of several modules of that name the first. */
  module_info: ModuleNode.optional(),
  /** Modules and packages that it offers as a whole; one with `*` passes on all names of a package. */
  modules: z.array(ExportedModule),
};
/** What `query_exports` answers (S0-37). */
export type ExportsOutput = QueryOutput<typeof results>;

/**
 * What a module offers to others (S0-10, S0-11), by its language's own rule: what it defines and what it passes
 * on, each where it is defined.
 */
export const QueryExports = defineQuery('query_exports', {
  description:
    'What a module or package offers: every symbol that others can import from it, re-exports and `export *` followed to where each is defined, with aliases.',
  input: {
    module_name: nameField('Module (auth.services, src/auth.ts) or folder'),
    include_private: z.boolean().default(false).describe('What it keeps to itself, too'),
    limit: rowsField(),
    ...queryFields,
  },
  results,
  examples: [
    { title: 'What a package offers', input: { module_name: 'flask' } },
    { title: 'All of a file', input: { module_name: 'src/hono.ts', include_private: true } },
  ],
  answer: async ({ module_name, include_private, scope }, context, page) => {
    const { declarations, notes, head } = await findTargets(context, module_name, MODULES);
    const modules = declarations.map((files) => files.filter(isModule));
    const offers = await Promise.all(modules.map((files) => offeredByAll(context, files, include_private)));
    const placed = <T extends object>(rows: readonly T[], target: number) =>
      modules.length > 1 ? rows.map((row) => ({ ...row, target })) : rows;
    const symbols = offers.flatMap((one, at) => placed(one.symbols, at));
    const wholes: readonly FoundExport<Imported>[] = offers.flatMap((one, at) => placed(one.modules, at));
    const isWithin = await withinScope(context, scope);
    const within: readonly ExportedSymbol[] = symbols.filter(({ node }) => isWithin(node));
    const [[first] = []] = modules;
    const pathsOf = (at: number) => within.filter((row) => row.target === at).map(({ node }) => node.path);
    return {
      query: `${include_private ? 'Top-level symbols' : 'Exports'} of ${module_name}`,
      noun: ['export', 'exports'],
      rows: page.of(within),
      total: within.length,
      narrower: '`scope` narrows them',
      otherLists: [{ at: 'results.modules', what: 'modules' }],
      make: (rows: readonly ExportedSymbol[]) => ({
        ...withTotals(head, pathsOf),
        exports: rows.map(exportNode),
        ...(first ? { module_info: moduleNode(first) } : {}),
        modules: wholes.map(({ node, names, ...of }) => ({
          ...moduleNode(node),
          exported_as: [...names],
          ...of,
        })),
      }),
      notes,
      outside: symbols.length - within.length,
      unresolved: offers.reduce((sum, one) => sum + one.missing, 0),
    };
  },
  // The module, then what it offers as a list, and the modules and packages that it offers as wholes.
  markdown: ({ results: { exports, modules, ...about }, state }) => {
    const unresolved = state?.unresolved ?? 0;
    const lead = unresolved === 1 ? 'leads' : 'lead';
    const line = ({ kind, exported, ...row }: ExportNode) =>
      `- ${quotedName(row.name)}${aliasText(row.exported_as)} ${kind}${exported ? '' : ', not exported'}${placeText(row)}`;
    const whole = (row: ExportedModule) => `- ${wholeText(row)}`;
    return {
      count: ['symbol', 'symbols'],
      more: unresolved === 0 ? '' : ` ${plural(unresolved, 're-export')} ${lead} nowhere known.`,
      blocks: [
        exports.length > 0 ? groupedLines(about, exports, line, 'export') : [],
        modules.length > 0 ? groupedLines(about, modules, whole) : [],
      ],
    };
  },
});

function aliasText(names: readonly string[] = []): string {
  return names.length === 0 ? '' : ` as ${names.map((name) => quotedName(name)).join(', ')}`;
}

/** A module under a name, names of a package, or all that a package offers. */
function wholeText({ kind, qualified_name, exported_as = [] }: ExportedModule): string {
  const whole = `${kind} ${quotedName(qualified_name)}`;
  if (kind === 'module') return `${whole}${aliasText(exported_as)}`;
  const names = exported_as.map((name) => (name === '*' ? 'all' : quotedName(name))).join(', ');
  return `${names} of ${whole}`;
}

/** What the files of one module offer, one after the other. */
async function offeredByAll(
  context: ReadContext,
  files: readonly { readonly id: string }[],
  withPrivate: boolean,
): Promise<Awaited<ReturnType<typeof offeredBy>>> {
  const all = await Promise.all(files.map(({ id }) => offeredBy(context, id, withPrivate)));
  return {
    symbols: all.flatMap(({ symbols }) => symbols),
    modules: all.flatMap(({ modules }) => modules),
    missing: all.reduce((sum, { missing }) => sum + missing, 0),
  };
}

/**
 * What a file offers, each symbol once with all its names, of overloads the implementation: its own in the order of the
 * text, then what it passes on, by path and line; modules and packages as wholes, by id; re-exports that lead nowhere.
 *
 * @param file Its id. @param withPrivate Whether its other top-level symbols are listed, too.
 */
async function offeredBy(context: ReadContext, file: string, withPrivate: boolean) {
  const names = new Map<string, Set<string>>();
  for (const [name, targets] of await offeredNames(context, file))
    for (const id of targets) names.set(id, (names.get(id) ?? new Set()).add(name));
  const top = (await topSymbols(context, file)).map(({ id }) => id);
  const own = new Set(top.filter((id) => withPrivate || names.has(id)));
  const passed = await symbolsFrom(
    context,
    [...names.keys()].filter((id) => !own.has(id)),
  );
  passed.sort(
    (a, b) => compareText(a.path, b.path) || a.start_line - b.start_line || compareText(a.id, b.id),
  );
  const symbols = withoutOverloads([...(await symbolsFrom(context, [...own])), ...passed]);
  const modules = await importedFrom(context, [...names.keys()].sort(compareText));
  const withNames = <T extends { readonly id: string }>(nodes: readonly T[]) =>
    nodes.map((node): FoundExport<T> => ({ node, names: [...(names.get(node.id) ?? [])].sort(compareText) }));
  return {
    symbols: withNames(symbols),
    modules: withNames(modules),
    missing: await missingReexports(context, file),
  };
}

/** The row of a symbol. */
function exportNode({ node, names, target }: ExportedSymbol): ExportNode {
  const isOwnName = names.length === 1 && names[0] === node.name;
  return {
    ...(CLASSES.fits(node) ? classNode(node) : functionNode(node)),
    ...(names.length === 0 || isOwnName ? {} : { exported_as: [...names] }),
    exported: names.length > 0,
    ...(target === undefined ? {} : { target }),
  };
}
