import { z } from 'zod';
import { plural, quotedName, shownLine } from '../../present/index.js';
import { defineWalker, type ReadContext } from '../../runtime/index.js';
import {
  CodeSymbol,
  FileImports,
  FileImportsPackage,
  parseId,
  SymbolCallsSymbol,
  SymbolImports,
} from '../../schema/index.js';
import type { Named } from '../find-symbol.js';
import { candidatesOutOf, missingImports } from './parts/candidates.js';
import {
  type Caller,
  FunctionNode,
  functionNode,
  type Imported,
  ModuleNode,
  moduleNode,
  qualifiedName,
} from './parts/code-node.js';
import { callersFrom, importedFrom } from './parts/nodes-of.js';
import { defineQuery, type QueryOutput } from './parts/query-answer.js';
import { nameField, queryFields, rowsField } from './parts/query-input.js';
import { outOfScope, withinScope } from './parts/scope.js';
import { candidatesText, functionLine, moduleLine } from './parts/shown-rows.js';
import { aboutText, groupedLines, targetField, targetFields } from './parts/target-row.js';
import { closure, DEPENDING, declarationsOf, findTargets, insideOf } from './parts/targets.js';

/** What one thing depends on: ids. */
interface Dependencies {
  readonly of: string;
  /** Modules of the project, then packages outside of it, each in the order of the imports. */
  readonly imports: readonly string[];
  /** Symbols outside of it that its code calls, in the order of the calls. */
  readonly calls: readonly string[];
}

const DEPENDENCY_TYPES = ['imports', 'calls', 'all'] as const;
type DependencyType = (typeof DEPENDENCY_TYPES)[number];
const WORDS = { imports: 'Imports', calls: 'Calls', all: 'Dependencies' } as const;

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
  { q, spawn }: ReadContext,
  ids: readonly string[],
  type: DependencyType,
): Promise<Dependencies[]> {
  // One read for all: what follows for each of them finds it in memory.
  const { ids: all, parts } = await insideOf({ spawn }, ids);
  if (type !== 'imports') await q(all).out(SymbolCallsSymbol).ids();
  if (type !== 'calls') for (const edge of IMPORTING) await q(all).out(edge).ids();
  const found: Dependencies[] = [];
  for (const of of ids) {
    const inside = closure(of, parts);
    const called = type === 'imports' ? [] : await q(inside).out(SymbolCallsSymbol).of(CodeSymbol).ids();
    const imported: string[] = [];
    for (const edge of type === 'calls' ? [] : isFile(of) ? IMPORTING.slice(0, 2) : IMPORTING.slice(2))
      imported.push(
        ...(await q(isFile(of) ? of : inside)
          .out(edge)
          .ids()),
      );
    const own = new Set(inside);
    const isOutside = (id: string) => !own.has(id);
    const imports = [...imported.filter(isFile), ...imported.filter((id) => parseId(id)?.form === 'pkg')];
    found.push({ of, imports: imports.filter(isOutside), calls: called.filter(isOutside) });
  }
  return found;
}

/** How modules import, then how symbols do. */
const IMPORTING = [FileImports, FileImportsPackage, SymbolImports] as const;

function isFile(id: string): boolean {
  return parseId(id)?.form === 'file';
}

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
  answer: async (state, context, [from = 0]) => {
    const { target, dependency_type: type, include_transitive, scope, limit } = state;
    const about = await findTargets(context, target, DEPENDING);
    const { nodes, notes, head } = about;
    const targets = nodes.map(({ id }) => id);
    const max_depth = include_transitive ? Number.MAX_SAFE_INTEGER : 1;
    const followed: Dependencies[] = [];
    // A scope looks at names, which ids do not have.
    const read = (ids: readonly string[]) => (scope === undefined ? ids.slice(0, from + limit) : ids);
    const isWithin = await withinScope(context, scope);
    const imported: { node: Imported; of: { target?: number } }[] = [];
    const called: { node: Caller; of: { target?: number } }[] = [];
    let all = 0;
    const symbols = declarationsOf(about);
    for (const [at, own] of symbols.entries()) {
      const starts = own.map(({ id }) => id);
      const { reached, reports } = await context.spawn(DependenciesWalk, starts, { type, max_depth });
      followed.push(...reports);
      const ids = reached.ids.filter((id) => !starts.includes(id));
      all += ids.length;
      const isImport = (id: string) => 'isImport' in (reached.hop(id) ?? {});
      const of = symbols.length > 1 ? { target: at } : {};
      for (const node of await importedFrom(context, read(ids.filter(isImport))))
        if (isWithin(node)) imported.push({ node, of });
      for (const node of await callersFrom(context, read(ids.filter((id) => !isImport(id)))))
        if (isWithin(node)) called.push({ node, of });
    }
    const total = scope === undefined ? all : imported.length + called.length;
    return {
      query: `${WORDS[type]} of ${target}${include_transitive ? ', and of these' : ''}`,
      what: 'dependencies',
      total,
      narrower: '`scope` and `dependency_type` narrow them',
      make: (count) => {
        const modules = imported.slice(from, from + count);
        const before = Math.max(0, from + modules.length - imported.length);
        const symbols = called.slice(before, before + count - modules.length);
        const names = namesOf([...nodes, ...[...modules, ...symbols].map(({ node }) => node)]);
        return {
          ...head,
          imports: modules.map(({ node, of }) => ({ ...moduleNode(node), ...of })),
          calls: symbols.map(({ node, of }) => ({ ...functionNode(node), ...of })),
          dependency_graph: adjacencyOf(targets, followed, names),
        };
      },
      notes: [...notes, ...outOfScope(all, total, 'dependency', 'dependencies')],
      unresolved: await missingFrom(context, targets, type),
    };
  },
  markdown: dependenciesMarkdown,
});

/** How many imports and calls of what was asked about lead nowhere known, or to one of several. */
async function missingFrom(
  context: ReadContext,
  targets: readonly string[],
  type: DependencyType,
): Promise<number> {
  const { ids: inside } = await insideOf(context, targets);
  const calls = type === 'imports' ? 0 : await candidatesOutOf(context, inside);
  return calls + (type === 'calls' ? 0 : await missingImports(context, inside));
}

function namesOf(nodes: readonly (Named | Caller | Imported)[]): Map<string, string> {
  return new Map(nodes.map((node) => [node.id, qualifiedName(node)]));
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

/** The dependencies as two lists; of what is followed the adjacency, too. */
function dependenciesMarkdown(output: DependenciesOutput): string {
  const {
    query,
    results: { imports, calls, dependency_graph, ...about },
    metadata,
    state,
  } = output;
  const unresolved = candidatesText(state?.unresolved ?? 0, 'may lead to more', 'name');
  const counts = [
    ...(imports.length > 0 ? [plural(imports.length, 'import')] : []),
    ...(calls.length > 0 ? [plural(calls.length, 'call')] : []),
  ];
  const of = metadata.truncated ? ` of ${metadata.total_count} in all` : '';
  const nodes = Object.entries(dependency_graph);
  return [
    `${shownLine(query, 200)}${aboutText(about)}: ${counts.join(', ') || 'none are known'}${of}.${unresolved}`,
    ...listed('Imports', imports.length > 0 ? groupedLines(about, imports, moduleLine) : []),
    ...listed('Calls', calls.length > 0 ? groupedLines(about, calls, (row) => functionLine(row)) : []),
    ...listed('What needs what', nodes.length > 1 ? nodes.map(neededLine) : []),
    '',
  ].join('\n');
}

function listed(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', `${title}:`, ...lines];
}

function neededLine([name, needed]: [string, readonly string[]]): string {
  return `- ${quotedName(name)}: ${needed.map((one) => quotedName(one)).join(', ') || 'none of these'}`;
}
