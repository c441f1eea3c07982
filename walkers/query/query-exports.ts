import { z } from 'zod';
import { plural, quotedName, shownLine } from '../../present/index.js';
import { compareText, type NodeRef, type ReadContext } from '../../runtime/index.js';
import type { CodeSymbol } from '../../schema/index.js';
import { withoutOverloads } from '../find-symbol.js';
import { missingReexports, OfferedNames, topSymbols } from '../offered-names.js';
import { classNode, functionNode, type Imported, ModuleNode, moduleNode } from './parts/code-node.js';
import { importedFrom, symbolsFrom } from './parts/nodes-of.js';
import { defineQuery, type QueryOutput } from './parts/query-answer.js';
import { nameField, queryFields, rowsField } from './parts/query-input.js';
import { outOfScope, withinScope } from './parts/scope.js';
import { placeText, shownOf } from './parts/shown-rows.js';
import { aboutText, groupedLines, targetField, targetFields, withTotals } from './parts/target-row.js';
import { findTargets, isModule, MODULES } from './parts/targets.js';

const offered = {
  /** The names under which it is offered, where that is not its own name alone. */
  exported_as: z.array(z.string()).optional(),
};

/** A symbol that a module offers, where it is defined: a function's or a class's row (S0-42, S0-44). */
const ExportNode = z.looseObject({
  id: z.string().optional(),
  kind: z.string(),
  qualified_name: z.string(),
  name: z.string(),
  file_path: z.string().optional(),
  line_start: z.number().int().optional(),
  ...offered,
  /** False for one of the module's own that it keeps to itself. */
  exported: z.boolean(),
  ...targetField,
});

type ExportNode = z.infer<typeof ExportNode>;

/** A module or package that a module offers as a whole. */
const ExportedModule = ModuleNode.extend(offered);

type ExportedModule = z.infer<typeof ExportedModule>;

/** A symbol that a module offers, or keeps to itself. */
interface FoundExport {
  readonly node: NodeRef<typeof CodeSymbol>;
  /** Empty for one that is not offered. */
  readonly names: readonly string[];
  /** The place of the module among several. */
  readonly target?: number;
}

interface OfferedRows {
  /** Their own in the order of the text, then what they pass on, by path and line. */
  readonly symbols: readonly FoundExport[];
  /** Modules and packages as wholes, by id, each with its names. */
  readonly modules: readonly { readonly node: Imported; readonly names: readonly string[] }[];
  /** Re-exports that lead nowhere known. */
  readonly missing: number;
}

const results = {
  ...targetFields,
  exports: z.array(ExportNode),
  /** Of several modules of that name the first. */
  module_info: ModuleNode.optional(),
  /** Modules and packages that it offers as a whole; one with `*` passes on all names of a package. */
  modules: z.array(ExportedModule.extend(targetField)),
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
  answer: async ({ module_name, include_private, scope, limit }, context, [from = 0]) => {
    const { nodes, notes, head } = await findTargets(context, module_name, MODULES);
    const files = nodes.filter(isModule);
    const offers = await Promise.all(files.map(({ id }) => offeredBy(context, id, include_private)));
    const of = (target: number) => (files.length > 1 ? { target } : {});
    const symbols = offers.flatMap((one, at) => one.symbols.map((row) => ({ ...row, ...of(at) })));
    const modules = offers.flatMap((one, at) =>
      one.modules.map(({ node, names }) => ({ ...exportedModule(node, names), ...of(at) })),
    );
    const isWithin = await withinScope(context, scope);
    const rows = symbols.filter(({ node }) => isWithin(node));
    const [first] = files;
    const pathsOf = (at: number) => rows.filter((row) => row.target === at).map(({ node }) => node.path);
    return {
      query: `${include_private ? 'Top-level symbols' : 'Exports'} of ${module_name}`,
      what: 'exports',
      total: rows.length,
      narrower: '`scope` narrows them',
      otherLists: [{ at: 'results.modules', what: 'modules' }],
      make: (count) => ({
        ...withTotals(head, pathsOf),
        exports: rows.slice(from, from + Math.min(count, limit)).map(exportNode),
        ...(first ? { module_info: moduleNode(first) } : {}),
        modules,
      }),
      notes: [...notes, ...outOfScope(symbols.length, rows.length, 'export')],
      unresolved: offers.reduce((sum, one) => sum + one.missing, 0),
    };
  },
  markdown: exportsMarkdown,
});

/** The module, then what it offers as a list, and the modules and packages that it offers as wholes. */
function exportsMarkdown({
  query,
  results: { exports, modules, ...about },
  metadata,
  state,
}: ExportsOutput): string {
  const unresolved = state?.unresolved ?? 0;
  const missing =
    unresolved === 0
      ? ''
      : ` ${plural(unresolved, 're-export')} ${unresolved === 1 ? 'leads' : 'lead'} nowhere known.`;
  const { row_count, total_count } = metadata;
  const count = total_count === 0 ? 'none are known' : shownOf(row_count, total_count, 'symbol');
  const line = (row: ExportNode) =>
    `- ${quotedName(row.name)}${aliasText(row.exported_as)} ${wordsOf(row)}${placeText(row)}`;
  const rows = exports.length > 0 ? groupedLines(about, exports, line, 'export') : [];
  const wholes = modules.length > 0 ? groupedLines(about, modules, (row) => `- ${wholeText(row)}`) : [];
  const blocks = [...(rows.length > 0 ? ['', ...rows] : []), ...(wholes.length > 0 ? ['', ...wholes] : [])];
  return [`${shownLine(query, 200)}${aboutText(about)}: ${count}.${missing}`, ...blocks, ''].join('\n');
}

function wordsOf({ kind, exported }: ExportNode): string {
  return exported ? kind : `${kind}, not exported`;
}

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

/**
 * What a module offers, each symbol once with all its names: of overloads the implementation.
 *
 * @param file Its id. @param withPrivate Whether its other top-level symbols are listed, too.
 */
async function offeredBy(
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

/** The row of a symbol. */
function exportNode({ node, names, target }: FoundExport): ExportNode {
  const isClass = node.kind === 'class' || node.callable_kind === 'class';
  const row = isClass ? classNode(node) : functionNode(node);
  const of = target === undefined ? {} : { target };
  return { ...row, ...namesField(names, node.name), exported: names.length > 0, ...of };
}

/** The row of a module or package. */
function exportedModule(node: Imported, names: readonly string[]): ExportedModule {
  return { ...moduleNode(node), exported_as: [...names] };
}

function namesField(names: readonly string[], own: string): { exported_as?: string[] } {
  return names.length === 0 || (names.length === 1 && names[0] === own) ? {} : { exported_as: [...names] };
}
