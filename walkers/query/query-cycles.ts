import { setImmediate as nextTurn } from 'node:timers/promises';
import { z } from 'zod';
import { qualifiedName, withinScope } from '../../graphs/code/index.js';
import { type Diagram, diagramText, quotedName, shownLine } from '../../present/index.js';
import { compareText, defineWalker, type ReadContext } from '../../runtime/index.js';
import {
  append,
  CodeSymbol,
  type EdgeType,
  File,
  FileImports,
  parseId,
  SymbolCallsSymbol,
  SymbolExtendsSymbol,
  SymbolImplementsSymbol,
} from '../../schema/index.js';
import { defineQuery, diagramFields, type QueryOutput, queryFields, rowsField } from './answer.js';
import { stepsAt } from './calls.js';
import { type Caller, callersFrom, diagramNode } from './rows.js';

/** What a circle is made of. */
const CYCLE_TYPES = ['imports', 'calls', 'inheritance'] as const;
/** One of {@link CYCLE_TYPES}. */
type CycleType = (typeof CYCLE_TYPES)[number];

/** Things that need each other (S0-31). */
export const CircularDependency = z.object({
  cycle_type: z.enum(CYCLE_TYPES),
  /** Qualified names; the first stands at the end again. */
  cycle_path: z.array(z.string()),
  /** Hops: 1 for what leads to itself. */
  cycle_length: z.number().int(),
});
export type CircularDependency = z.infer<typeof CircularDependency>;

/** One circle: its nodes by id, each once, the smallest id first. Its length in hops is how many there are. */
type Cycle = readonly string[];

/** A directed graph by ids: what each node leads to. A node that leads nowhere may be left out. */
type Links = ReadonlyMap<string, readonly string[]>;

/** The edges of each kind of circle, and what its arrows are called. */
const KINDS: Readonly<Record<CycleType, { readonly edges: readonly EdgeType[]; readonly arrow: string }>> = {
  imports: { edges: [FileImports], arrow: 'imports' },
  calls: { edges: [SymbolCallsSymbol], arrow: 'calls' },
  inheritance: { edges: [SymbolExtendsSymbol, SymbolImplementsSymbol], arrow: 'inherits' },
};

/** What circles are looked for in. */
interface CycleLinks {
  readonly all: ReadonlyMap<string, readonly string[]>;
  /** Links between files that are there for types alone: `from`, a line end, `to`. */
  readonly typeOnly: ReadonlySet<string>;
}

/** A circle with what stands on it. */
const CycleRow = CircularDependency.extend({
  /** `path:line` of each step, in the order of the path; of files their paths. */
  places: z.array(z.string()),
  /** Imports: true where the circle is there for types alone: one of its imports at least is gone when it runs. */
  type_only: z.boolean().optional(),
});
const results = { circular_dependencies: z.array(CycleRow), diagram: z.string().optional() };
/** What `query_cycles` answers. */
export type CyclesOutput = QueryOutput<typeof results>;

/** Reads the links of a kind between the nodes where it starts, and reports them together. */
const LinksWalk = defineWalker('links_walk', {
  input: { type: z.enum(CYCLE_TYPES) },
  report: z.custom<CycleLinks>(),
  on: (w) => [
    w.frontier(async (ids, ctx) => {
      const isWithin = new Set(ids);
      const all = new Map<string, string[]>();
      const typeOnly = new Set<string>();
      for (const edge of KINDS[ctx.state.type].edges)
        for (const { node, entry } of await stepsAt(ctx, ids, 'out', edge)) {
          if (!isWithin.has(entry.far)) continue;
          append(all, node, entry.far);
          if (entry.props.type_only === true) typeOnly.add(`${node}\n${entry.far}`);
        }
      ctx.report({ all, typeOnly });
    }),
  ],
});

/**
 * Circular imports, calls or inheritance: for each link on a circle the shortest one through it, so that every knot is
 * shown by its smallest loops. Circles that are there when the code runs are looked for without what is there for types
 * alone, and so are never hidden behind a shorter one of these.
 */
export const QueryCycles = defineQuery('query_cycles', {
  description:
    'Circular imports, calls (recursion) or inheritance: the shortest circle through every link that lies on one, shortest first, with files and lines.',
  input: {
    cycle_type: z
      .enum(CYCLE_TYPES)
      .default('imports')
      .describe('What the circles are made of')
      .meta({ positional: true }),
    ...diagramFields,
    limit: rowsField(),
    ...queryFields,
  },
  results,
  examples: [
    { title: 'Circular imports of a folder', input: { scope: 'src' } },
    { title: 'Recursion', input: { cycle_type: 'calls' } },
  ],
  answer: async ({ cycle_type: type, format, scope }, context, page) => {
    const ids = await context.findIds(type === 'imports' ? File : CodeSymbol);
    const starts = ids.filter(await scopeOf(context, scope));
    const { reports } = await context.spawn(LinksWalk, starts, { type });
    const [links = { all: new Map(), typeOnly: new Set<string>() }] = reports;
    const isTypeOnly = ([from, to]: readonly [string, string]) => links.typeOnly.has(`${from}\n${to}`);
    const pause = () => (context.signal.aborted ? undefined : nextTurn());
    const running = new Map<string, readonly string[]>();
    for (const [from, fars] of links.typeOnly.size === 0 ? [] : links.all)
      running.set(
        from,
        fars.filter((to: string) => !isTypeOnly([from, to])),
      );
    const all = [...(await shortestCycles(running, pause)), ...(await shortestCycles(links.all, pause))];
    const cycles = sortedCycles(all);
    const rows = page.of(cycles);
    const found = await callersFrom(context, [...new Set(rows.flat())]);
    const nodes = new Map(found.map((node) => [node.id, node]));
    const nameOf = (id: string) => {
      const node = nodes.get(id);
      return node ? qualifiedName(node) : id;
    };
    return {
      query: `Circular ${type}`,
      noun: ['circle', 'circles'],
      rows,
      total: cycles.length,
      narrower: '`scope` narrows them',
      make: (shown: readonly Cycle[]) => ({
        circular_dependencies: shown.map((cycle) => ({
          ...circularDependency(type, cycle, nameOf),
          places: cycle.map((id) => placeOf(nodes.get(id))),
          ...(type === 'imports' ? { type_only: stepsOfCycle(cycle).some(isTypeOnly) } : {}),
        })),
        ...(format ? { diagram: diagramText(cyclesDiagram(shown, type, nodes), format) } : {}),
      }),
      notes: [],
    };
  },
  // The circles as a list, the shortest first.
  markdown: ({ results: { circular_dependencies, diagram }, metadata: { row_count, total_count } }) => {
    const typed = circular_dependencies.filter(({ type_only }) => type_only).length;
    const exist = typed === 1 ? 'exists for types alone, and is' : 'exist for types alone, and are';
    const isSaid = typed > 0 && diagram === undefined;
    const lines = circular_dependencies.map(({ cycle_path, cycle_type, type_only, places }) => {
      // A module is its file.
      const place = cycle_type === 'imports' || !places[0] ? '' : `, ${shownLine(places[0], 200)}`;
      const path = cycle_path.map((name) => quotedName(name)).join(' > ');
      return `- ${path}${type_only ? ' (types alone)' : ''}${place}`;
    });
    return {
      count: total_count === 0 ? 'none' : ['circle', 'circles'],
      more: isSaid ? `\n${typed} of them ${exist} gone when the code runs.` : '',
      blocks: row_count === 0 ? [] : [lines],
    };
  },
});

function placeOf(node: Caller | undefined): string {
  if (!node) return '';
  return 'start_line' in node ? `${node.path}:${node.start_line}` : node.path;
}

/** Whether a file, or what stands in one, is within a scope. */
async function scopeOf(context: ReadContext, scope: string | undefined): Promise<(id: string) => boolean> {
  if (scope === undefined) return () => true;
  const files = (await context.find(File)).filter(await withinScope(context, scope));
  const paths = new Set(files.map(({ path }) => path));
  return (id) => paths.has(parseId(id)?.path ?? '');
}

/** Circles as one picture: each thing once, each step between two once. */
function cyclesDiagram(
  cycles: readonly Cycle[],
  type: CycleType,
  nodes: ReadonlyMap<string, Caller>,
): Diagram {
  const edges = new Map(
    cycles
      .flatMap(stepsOfCycle)
      .map(([from, to]) => [`${from}\n${to}`, { from, to, kind: KINDS[type].arrow }]),
  );
  const boxes = [...new Set(cycles.flat())].flatMap((id) => nodes.get(id) ?? []);
  return { title: `Circular ${type}`, nodes: boxes.map(diagramNode), edges: [...edges.values()] };
}

/** The row of a circle. */
export function circularDependency(
  cycle_type: CycleType,
  cycle: Cycle,
  nameOf: (id: string) => string,
): CircularDependency {
  const cycle_path = [...cycle, ...cycle.slice(0, 1)].map(nameOf);
  return { cycle_type, cycle_path, cycle_length: cycle.length };
}

/** The steps of a circle: each node with the next one, the last with the first. */
function stepsOfCycle(cycle: Cycle): (readonly [from: string, to: string])[] {
  return cycle.map((from, at) => [from, cycle[(at + 1) % cycle.length] ?? from]);
}

/**
 * The strongly connected components that hold a circle: those of two nodes or more, and single nodes that lead to
 * themselves. Each sorted by id, the components by their first ids. Linear, and without recursion: a chain of calls may
 * be as long as a program.
 *
 * Source: Tarjan, Depth-first search and linear graph algorithms, 1972.
 */
export function strongComponents(links: Links): string[][] {
  const order = new Map<string, number>();
  const low = new Map<string, number>();
  const open: string[] = [];
  const isOpen = new Set<string>();
  const found: string[][] = [];
  const enter = (node: string) => {
    order.set(node, order.size);
    low.set(node, order.size - 1);
    open.push(node);
    isOpen.add(node);
    return { node, next: 0 };
  };
  const lower = (node: string, to: number) => low.set(node, Math.min(low.get(node) ?? to, to));
  for (const root of links.keys()) {
    if (order.has(root)) continue;
    const path = [enter(root)];
    for (let at = path.at(-1); at; at = path.at(-1)) {
      const far = links.get(at.node)?.[at.next++];
      if (far !== undefined) {
        const visited = order.get(far);
        if (visited === undefined) path.push(enter(far));
        else if (isOpen.has(far)) lower(at.node, visited);
        continue;
      }
      path.pop();
      const { node } = at;
      const before = path.at(-1);
      if (before) lower(before.node, low.get(node) ?? 0);
      if (low.get(node) !== order.get(node)) continue;
      const component = open.splice(open.lastIndexOf(node));
      for (const one of component) isOpen.delete(one);
      if (component.length > 1 || links.get(node)?.includes(node)) found.push(component.sort(compareText));
    }
  }
  return found.sort((a, b) => compareText(a[0] ?? '', b[0] ?? ''));
}

/**
 * The circles that stand for all of a graph: for each link that lies on any circle, the shortest one through it; of
 * several as short, the one whose ids come first on the way. So every strongly connected component is there with its
 * shortest circle, every two nodes that need each other are a row, and no link of a circle is in none. Each once, the
 * shortest first, then by their ids.
 *
 * @param pause Waited for between nodes, where other work should have its turn.
 */
export async function shortestCycles(
  links: Links,
  pause: () => Promise<void> | undefined = () => undefined,
): Promise<Cycle[]> {
  const cycles: Cycle[] = [];
  for (const component of strongComponents(links)) {
    const inside = new Set(component);
    const within = new Map(
      component.map((node) => [
        node,
        [...new Set(links.get(node))].filter((to) => inside.has(to)).sort(compareText),
      ]),
    );
    for (const node of component) {
      await pause();
      cycles.push(...cyclesFrom(node, within));
    }
  }
  return sortedCycles(cycles);
}

/** Circles, each once: the shortest first, then by their ids. */
function sortedCycles(cycles: readonly Cycle[]): Cycle[] {
  const each = new Map(cycles.map((cycle) => [cycle.join('\n'), cycle]));
  return [...each]
    .sort(([a, x], [b, y]) => x.length - y.length || compareText(a, b))
    .map(([, cycle]) => cycle);
}

/** For each link that leads to a node: the shortest circle through the two, found by breadth first search. */
function cyclesFrom(node: string, within: Links): Cycle[] {
  const before = new Map<string, string | null>([[node, null]]);
  const cycles: Cycle[] = [];
  for (const here of before.keys())
    for (const far of within.get(here) ?? []) {
      if (far !== node && !before.has(far)) before.set(far, here);
      if (far !== node) continue;
      const way: string[] = [];
      for (let at: string | null = here; at !== null; at = before.get(at) ?? null) way.unshift(at);
      // From its smallest id on.
      const first = way.indexOf(way.reduce((least, one) => (compareText(one, least) < 0 ? one : least)));
      cycles.push([...way.slice(first), ...way.slice(0, first)]);
    }
  return cycles;
}
