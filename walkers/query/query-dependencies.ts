import { z } from 'zod';
import { nameField, qualifiedName, type Wanted, withinScope } from '../../graphs/code/index.js';
import { plural, quotedName } from '../../present/index.js';
import { defineWalker, type EdgeType, type ReadContext } from '../../runtime/index.js';
import {
  append,
  FileContainsImport,
  FileImports,
  FileImportsPackage,
  Import,
  ImportResolvesTo,
  parseId,
  SymbolCallsSymbol,
  SymbolImports,
  Unresolved,
} from '../../schema/index.js';
import { defineQuery, type QueryOutput, queryFields, rowsField, titled, unresolvedText } from './answer.js';
import { candidatesOutOf, isSymbolType, stepsAt } from './calls.js';
import {
  type Caller,
  callersFrom,
  FunctionNode,
  functionLine,
  functionNode,
  type Imported,
  importedFrom,
  ModuleNode,
  moduleLine,
  moduleNode,
} from './rows.js';
import {
  CALLING,
  closure,
  findTargets,
  groupedLines,
  insideOf,
  targetField,
  targetFields,
} from './targets.js';

/** Modules, and symbols that are no mere variables; variables where there is nothing else of that name. */
const DEPENDING: Wanted = { ...CALLING, modulesFirst: true };

const DEPENDENCY_TYPES = ['imports', 'calls', 'all'] as const;
type DependencyType = (typeof DEPENDENCY_TYPES)[number];
const WORDS = { imports: 'Imports', calls: 'Calls', all: 'Dependencies' } as const;

const results = {
  ...targetFields,
  /** Modules of the project, and packages outside of it. */
  imports: z.array(ModuleNode.extend(targetField)),
  /** Symbols outside of what was asked about that its code calls. */
  calls: z.array(FunctionNode.extend(targetField)),
  /** By qualified name: which of the rows what was asked about, and each row that is followed, depends on. */
  dependency_graph: z.record(z.string(), z.array(z.string())),
};
/** What `query_dependencies` answers. */
export type DependenciesOutput = QueryOutput<typeof results>;

/** What one thing depends on: ids. */
interface Dependencies {
  readonly of: string;
  /** Modules of the project, then packages outside of it, each in the order of the imports. */
  readonly imports: readonly string[];
  /** Symbols outside of it that its code calls, in the order of the calls. */
  readonly calls: readonly string[];
}

interface ImportedModule {
  readonly module: Imported;
  readonly of: { target?: number };
}
interface CalledSymbol {
  readonly symbol: Caller;
  readonly of: { target?: number };
}

/** Walks to what code depends on, and reports what each node that is followed depends on. */
const DependenciesWalk = defineWalker('dependencies_walk', {
  input: { type: z.enum(DEPENDENCY_TYPES), max_depth: z.number() },
  report: z.custom<Dependencies>(),
  on: (w) => [
    w.frontier(async (ids, ctx) => {
      const { type, max_depth } = ctx.state;
      if (ctx.depth === max_depth) return;
      for (const found of await dependenciesOf(ctx, ids, type)) {
        ctx.report(found);
        const { of: from, imports, calls } = found;
        await ctx.visit(imports.map((to) => ({ from, to, isImport: true })));
        await ctx.visit(calls.map((to) => ({ from, to })));
      }
    }),
  ],
});

/** What each of some modules and symbols depends on: of a module with all symbols, of a symbol with what it encloses. */
async function dependenciesOf(
  context: Pick<ReadContext, 'entries' | 'spawn'>,
  ids: readonly string[],
  type: DependencyType,
): Promise<Dependencies[]> {
  const { ids: all, parts } = await insideOf(context, ids);
  const outOf = async (from: readonly string[], edges: readonly EdgeType[], fits = (_: string) => true) => {
    const far = new Map<string, string[]>();
    for (const edge of edges)
      for (const { node, entry } of await stepsAt(context, from, 'out', edge))
        if (fits(entry.farType)) append(far, node, entry.far);
    return far;
  };
  const called = await outOf(type === 'imports' ? [] : all, [SymbolCallsSymbol], isSymbolType);
  const importing = type === 'calls' ? [] : all;
  const byFiles = await outOf(importing.filter(isFile), [FileImports, FileImportsPackage]);
  const bySymbols = await outOf(importing, [SymbolImports]);
  return ids.map((of) => {
    const inside = closure(of, parts);
    const own = new Set(inside);
    const farOf = (far: ReadonlyMap<string, string[]>, from: readonly string[]) =>
      [...new Set(from.flatMap((id) => far.get(id) ?? []))].filter((id) => !own.has(id));
    const imported = isFile(of) ? farOf(byFiles, [of]) : farOf(bySymbols, inside);
    const imports = [...imported.filter(isFile), ...imported.filter((id) => parseId(id)?.form === 'pkg')];
    return { of, imports, calls: farOf(called, inside) };
  });
}

function isFile(id: string): boolean {
  return parseId(id)?.form === 'file';
}

/** What a module, class or function needs: what its code imports, and the symbols outside of it that it calls. */
export const QueryDependencies = defineQuery('query_dependencies', {
  description:
    'What a module, class or function needs: the modules and packages that its code imports, and the symbols outside of it that it calls. Resolved, no text search.',
  input: {
    target: nameField('Module (auth.services, src/auth.ts), function or class'),
    dependency_type: z.enum(DEPENDENCY_TYPES).default('all').describe('Which'),
    include_transitive: z.boolean().default(false).describe('Dependencies of dependencies too'),
    limit: rowsField(),
    ...queryFields,
  },
  results,
  examples: [
    { title: 'What a module needs', input: { target: 'auth.services' } },
    {
      title: 'What it imports, and what that imports',
      input: { target: 'src/app.ts', dependency_type: 'imports', include_transitive: true },
    },
  ],
  answer: async (state, context, page) => {
    const { target, dependency_type: type, include_transitive, scope, limit } = state;
    const { nodes, declarations, notes, head } = await findTargets(context, target, DEPENDING);
    const targets = nodes.map(({ id }) => id);
    const max_depth = include_transitive ? Number.MAX_SAFE_INTEGER : 1;
    const [from = 0] = page.offsets;
    // A scope looks at names, which ids do not have.
    const read = (ids: readonly string[]) => (scope === undefined ? ids.slice(0, from + limit) : ids);
    const isWithin = await withinScope(context, scope);
    const followed: Dependencies[] = [];
    const imported: ImportedModule[] = [];
    const called: CalledSymbol[] = [];
    let all = 0;
    for (const [at, own] of declarations.entries()) {
      const starts = own.map(({ id }) => id);
      const { reached, reports } = await context.spawn(DependenciesWalk, starts, { type, max_depth });
      followed.push(...reports);
      // What one file of a package takes from another is no dependency of it.
      const inside = new Set(starts.length > 1 ? (await insideOf(context, starts)).ids : starts);
      const ids = reached.ids.filter((id) => !inside.has(id));
      all += ids.length;
      const isImport = (id: string) => 'isImport' in (reached.hop(id) ?? {});
      const of = declarations.length > 1 ? { target: at } : {};
      for (const module of await importedFrom(context, read(ids.filter(isImport))))
        if (isWithin(module)) imported.push({ module, of });
      for (const symbol of await callersFrom(context, read(ids.filter((id) => !isImport(id)))))
        if (isWithin(symbol)) called.push({ symbol, of });
    }
    const total = scope === undefined ? all : imported.length + called.length;
    return {
      query: `${WORDS[type]} of ${target}${include_transitive ? ', and of these' : ''}`,
      noun: ['dependency', 'dependencies'],
      rows: page.of([...imported, ...called]),
      total,
      narrower: '`scope` and `dependency_type` narrow them',
      make: (rows: readonly (ImportedModule | CalledSymbol)[]) => {
        const shown = rows.map((row) => ('module' in row ? row.module : row.symbol));
        const names = new Map([...nodes, ...shown].map((node) => [node.id, qualifiedName(node)]));
        return {
          ...head,
          imports: rows.flatMap((row) => ('module' in row ? [{ ...moduleNode(row.module), ...row.of }] : [])),
          calls: rows.flatMap((row) => ('symbol' in row ? [{ ...functionNode(row.symbol), ...row.of }] : [])),
          dependency_graph: adjacencyOf(targets, followed, names),
        };
      },
      notes,
      outside: all - total,
      unresolved: await missingFrom(context, targets, type),
    };
  },
  // The dependencies as two lists; of what is followed the adjacency, too.
  markdown: (output) => {
    const { imports, calls, dependency_graph, ...about } = output.results;
    const { truncated, total_count } = output.metadata;
    const counts = [
      ...(imports.length > 0 ? [plural(imports.length, 'import')] : []),
      ...(calls.length > 0 ? [plural(calls.length, 'call')] : []),
    ];
    const edges = Object.entries(dependency_graph);
    const neededLine = ([name, needed]: readonly [string, readonly string[]]) =>
      `- ${quotedName(name)}: ${needed.map((one) => quotedName(one)).join(', ') || 'none of these'}`;
    return {
      count: counts.join(', ') || 'none are known',
      also: truncated ? ` of ${total_count} in all` : '',
      more: unresolvedText(output, 'may lead to more', 'name'),
      blocks: [
        titled('Imports:', imports.length > 0 ? groupedLines(about, imports, moduleLine) : []),
        titled('Calls:', calls.length > 0 ? groupedLines(about, calls, (row) => functionLine(row)) : []),
        titled('What needs what:', edges.length > 1 ? edges.map(neededLine) : []),
      ],
    };
  },
});

/** How many imports and calls of what was asked about lead nowhere known, or to one of several. */
async function missingFrom(
  context: ReadContext,
  targets: readonly string[],
  type: DependencyType,
): Promise<number> {
  const { ids: inside } = await insideOf(context, targets);
  const calls = type === 'imports' ? 0 : await candidatesOutOf(context, inside);
  if (type === 'calls') return calls;
  const importsOf = async (edge: EdgeType) => {
    const steps = await stepsAt(context, inside, 'out', edge);
    return new Set(steps.flatMap(({ entry }) => (entry.farType === Import.name ? [entry.far] : [])));
  };
  const imports = [...(await importsOf(FileContainsImport)), ...(await importsOf(SymbolImports))];
  const ends = await stepsAt(context, imports, 'out', ImportResolvesTo);
  return calls + ends.filter(({ entry }) => entry.farType === Unresolved.name).length;
}

/**
 * The adjacency list of an answer (S0-33, S0-36): of what was asked about, and of each row that was followed, which of
 * these it depends on, all by qualified name. Rows that depend on none of them have no line.
 *
 * @param names Of all that the answer shows, by id.
 */
function adjacencyOf(
  targets: readonly string[],
  followed: readonly Dependencies[],
  names: ReadonlyMap<string, string>,
): Record<string, string[]> {
  const graph = new Map<string, Set<string>>();
  for (const { of: id, imports, calls } of followed) {
    const name = names.get(id);
    const needed = [...imports, ...calls].flatMap((one) => names.get(one) ?? []);
    if (name === undefined || (needed.length === 0 && !targets.includes(id))) continue;
    const known = graph.get(name) ?? new Set();
    for (const one of needed) known.add(one);
    graph.set(name, known);
  }
  return Object.fromEntries([...graph].map(([name, needed]) => [name, [...needed]]));
}
