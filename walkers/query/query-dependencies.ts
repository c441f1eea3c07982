import { z } from 'zod';
import { fromNowhere } from '../../graphs/code/index.js';
import { offsetsOf, plural, quotedName, shownLine } from '../../present/index.js';
import { defineWalker, type ReadContext } from '../../runtime/index.js';
import {
  CodeSymbol,
  FileContainsSymbol,
  FileImports,
  FileImportsPackage,
  parseId,
  SymbolCallsSymbol,
  SymbolContainsSymbol,
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
import { type QueryState, queryAnswer, queryOutput } from './parts/query-answer.js';
import { nameField, queryFields, rowsField } from './parts/query-input.js';
import { inScope, outOfScope, withinScope } from './parts/scope.js';
import { candidatesText, functionLine, moduleLine } from './parts/shown-rows.js';
import { aboutText, groupedLines, targetField, targetFields } from './parts/target-row.js';
import { DEPENDING, declarationsOf, findTargets } from './parts/targets.js';

type Look = Pick<ReadContext, 'q'>;

interface Followed {
  readonly imports: boolean;
  readonly calls: boolean;
}

/** What one thing depends on: ids. */
interface Dependencies {
  /** Modules of the project, then packages outside of it, each in the order of the imports. */
  readonly imports: readonly string[];
  /** Symbols outside of it that its code calls, in the order of the calls. */
  readonly calls: readonly string[];
}

/** What code depends on directly. */
class DependenciesOf {
  readonly #q: Look['q'];

  constructor(
    { q }: Look,
    private readonly followed: Followed,
  ) {
    this.#q = q;
  }

  /** What each of these depends on, by id. */
  async all(ids: readonly string[]): Promise<Map<string, Dependencies>> {
    await this.#readAhead(ids);
    const found = new Map<string, Dependencies>();
    for (const id of ids) found.set(id, await this.#one(id));
    return found;
  }

  /** Ids of a thing and of all code in it: of a module every symbol, of a symbol whatever it encloses. */
  async inside(ids: readonly string[]): Promise<string[]> {
    const all = new Set(ids);
    const files = ids.filter(isFile);
    for (const id of files.length > 0 ? await this.#q(files).out(FileContainsSymbol).ids() : []) all.add(id);
    let frontier = ids.filter((id) => !isFile(id));
    while (frontier.length > 0) {
      const parts: string[] = await this.#q(frontier).out(SymbolContainsSymbol).ids();
      frontier = parts.filter((id) => !all.has(id));
      for (const id of frontier) all.add(id);
    }
    return [...all];
  }

  async #one(id: string): Promise<Dependencies> {
    const { imports, calls } = this.followed;
    const inside = isFile(id) && !calls ? [id] : await this.inside([id]);
    const own = new Set(inside);
    const called = calls ? await this.#q(inside).out(SymbolCallsSymbol).of(CodeSymbol).ids() : [];
    const imported = imports ? await this.#importedBy(id, inside) : [];
    const isOutside = (one: string) => !own.has(one);
    return { imports: imported.filter(isOutside), calls: called.filter(isOutside) };
  }

  async #importedBy(id: string, inside: readonly string[]): Promise<string[]> {
    const found = isFile(id)
      ? [...(await this.#q(id).out(FileImports).ids()), ...(await this.#q(id).out(FileImportsPackage).ids())]
      : await this.#q(inside).out(SymbolImports).ids();
    return [...found.filter(isFile), ...found.filter((one) => parseId(one)?.form === 'pkg')];
  }

  /** Reads for all what is then asked for each. */
  async #readAhead(ids: readonly string[]): Promise<void> {
    if (ids.length < 2) return;
    const { imports, calls } = this.followed;
    const inside = await this.inside(ids);
    if (calls) await this.#q(inside).out(SymbolCallsSymbol).ids();
    if (!imports) return;
    const files = ids.filter(isFile);
    await this.#q(files).out(FileImports).ids();
    await this.#q(files).out(FileImportsPackage).ids();
    await this.#q(inside.filter((id) => !isFile(id)))
      .out(SymbolImports)
      .ids();
  }
}

function isFile(id: string): boolean {
  return parseId(id)?.form === 'file';
}

/** What is reached along dependencies: ids, nearest first, without those that it began at. */
interface Reached {
  readonly imports: readonly string[];
  readonly calls: readonly string[];
  /** What each node that was followed depends on. */
  readonly followed: ReadonlyMap<string, Dependencies>;
}

const DEPENDENCY_TYPES = ['imports', 'calls', 'all'] as const;
const WORDS = { imports: 'Imports', calls: 'Calls', all: 'Dependencies' } as const;

/** What `query_dependencies` answers (S0-33). */
export const DependenciesOutput = queryOutput({
  ...targetFields,
  /** Modules of the project, and packages outside of it. */
  imports: z.array(ModuleNode.extend(targetField)),
  /** Symbols outside of what was asked about that its code calls. */
  calls: z.array(FunctionNode.extend(targetField)),
  /** By qualified name: which of the rows what was asked about, and each row that is followed, depends on (S0-36). */
  dependency_graph: z.record(z.string(), z.array(z.string())),
});
export type DependenciesOutput = z.infer<typeof DependenciesOutput> & { state?: QueryState };

/** What a module, class or function needs (S0-07 to S0-09): what its code imports, and the symbols outside of it that it calls. */
export const QueryDependencies = defineWalker('query_dependencies', {
  description:
    'What a module, class or function needs: the modules and packages that its code imports, and the symbols outside of it that it calls. Resolved, no text search.',
  input: {
    target: nameField('Module (auth.services, src/auth.ts), function or class'),
    dependency_type: z.enum(DEPENDENCY_TYPES).default('all').describe('Which'),
    include_transitive: z.boolean().default(false).describe('Dependencies of dependencies too'),
    limit: rowsField(),
    ...queryFields,
  },
  output: DependenciesOutput,
  examples: [
    { title: 'What a module needs', input: { target: 'auth.services' } },
    {
      title: 'What it imports, and what that imports',
      input: { target: 'src/app.ts', dependency_type: 'imports', include_transitive: true },
    },
  ],
  start: fromNowhere,
  finish: async ({ state, context }) => {
    const { target, dependency_type, include_transitive, scope, limit, cursor } = state;
    const about = await findTargets(context, target, DEPENDING);
    const { nodes, notes, head } = about;
    const targets = nodes.map(({ id }) => id);
    const of = new DependenciesOf(context, {
      imports: dependency_type !== 'calls',
      calls: dependency_type !== 'imports',
    });
    const groups = declarationsOf(about);
    const reached = await Promise.all(
      groups.map((own) =>
        reachedFrom(
          of,
          own.map(({ id }) => id),
          include_transitive,
        ),
      ),
    );
    const all = reached.reduce((sum, { imports, calls }) => sum + imports.length + calls.length, 0);
    // A scope looks at names, which ids do not have.
    const [from = 0] = offsetsOf(cursor);
    const read = (ids: readonly string[]) => (scope === undefined ? ids.slice(0, from + limit) : ids);
    const isWithin = await withinScope(context, scope);
    const imported: { node: Imported; of: { target?: number } }[] = [];
    const called: { node: Caller; of: { target?: number } }[] = [];
    for (const [at, { imports, calls }] of reached.entries()) {
      const of = groups.length > 1 ? { target: at } : {};
      for (const node of await importedFrom(context, read(imports)))
        if (isWithin(node)) imported.push({ node, of });
      for (const node of await callersFrom(context, read(calls)))
        if (isWithin(node)) called.push({ node, of });
    }
    const followed = new Map(reached.flatMap((one) => [...one.followed]));
    const total = scope === undefined ? all : imported.length + called.length;
    const list = {
      what: 'dependencies',
      total,
      cap: limit,
      narrower: '`scope` and `dependency_type` narrow them',
      from,
      make: (count: number) => {
        const modules = imported.slice(from, from + count);
        const before = Math.max(0, from + modules.length - imported.length);
        const symbols = called.slice(before, before + count - modules.length);
        const imports = modules.map(({ node, of }) => ({ ...moduleNode(node), ...of }));
        const calls = symbols.map(({ node, of }) => ({ ...functionNode(node), ...of }));
        const names = namesOf([...nodes, ...[...modules, ...symbols].map(({ node }) => node)]);
        const dependency_graph = adjacencyOf(targets, followed, names);
        return { ...head, imports, calls, dependency_graph };
      },
    };
    const nowhere = await missingFrom(context, of, targets, dependency_type);
    return queryAnswer(context, list, {
      query: `${WORDS[dependency_type]} of ${target}${include_transitive ? ', and of these' : ''}${inScope(scope)}`,
      total,
      maxDepth: null,
      notes: [...notes, ...outOfScope(all, total, 'dependency', 'dependencies')],
      unresolved: nowhere,
    });
  },
  markdown: dependenciesMarkdown,
});

/** How many imports and calls of what was asked about lead nowhere known, or to one of several. */
async function missingFrom(
  context: Pick<ReadContext, 'entries' | 'nodesOf' | 'q'>,
  of: DependenciesOf,
  targets: readonly string[],
  type: (typeof DEPENDENCY_TYPES)[number],
): Promise<number> {
  const inside = await of.inside(targets);
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
  followed: ReadonlyMap<string, Dependencies>,
  names: ReadonlyMap<string, string>,
): Record<string, string[]> {
  const graph = new Map<string, Set<string>>();
  for (const [id, { imports, calls }] of followed) {
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

/** What these depend on; breadth first also what that depends on, where it is asked for (S0-09). */
async function reachedFrom(
  dependencies: DependenciesOf,
  targets: readonly string[],
  transitive: boolean,
): Promise<Reached> {
  const seen = new Set(targets);
  const imports: string[] = [];
  const calls: string[] = [];
  const followed = new Map<string, Dependencies>();
  let frontier = targets;
  while (frontier.length > 0) {
    const next: string[] = [];
    for (const [id, found] of await dependencies.all(frontier)) {
      followed.set(id, found);
      for (const [list, ids] of [
        [imports, found.imports],
        [calls, found.calls],
      ] as const)
        for (const one of ids) {
          if (seen.has(one)) continue;
          seen.add(one);
          list.push(one);
          next.push(one);
        }
    }
    frontier = transitive ? next : [];
  }
  return { imports, calls, followed };
}
