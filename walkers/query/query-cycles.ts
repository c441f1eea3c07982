import { setImmediate as nextTurn } from 'node:timers/promises';
import { z } from 'zod';
import {
  type Diagram,
  diagramBlock,
  diagramText,
  plural,
  quotedName,
  shownLine,
} from '../../present/index.js';
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
import { type Caller, diagramNode, qualifiedName } from './parts/code-node.js';
import {
  CircularDependency,
  CYCLE_TYPES,
  type Cycle,
  type CycleType,
  circularDependency,
  closed,
  shortestCycles,
} from './parts/cycles.js';
import { callersFrom } from './parts/nodes-of.js';
import { defineQuery, type QueryOutput } from './parts/query-answer.js';
import { diagramFields, queryFields, rowsField } from './parts/query-input.js';
import { withinScope } from './parts/scope.js';

/** What the arrows of each kind of circle are called. */
const ARROWS: Readonly<Record<CycleType, string>> = {
  imports: 'imports',
  calls: 'calls',
  inheritance: 'inherits',
};

/** What circles are looked for in. */
interface CycleLinks {
  readonly all: ReadonlyMap<string, readonly string[]>;
  /** Links between files that are there for types alone: `from`, a line end, `to`. */
  readonly typeOnly: ReadonlySet<string>;
}

const EDGES: Readonly<Record<CycleType, readonly EdgeType[]>> = {
  imports: [FileImports],
  calls: [SymbolCallsSymbol],
  inheritance: [SymbolExtendsSymbol, SymbolImplementsSymbol],
};

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
      for (const edge of EDGES[ctx.state.type])
        for (const [at, entries] of (await ctx.entries(ids, 'out', edge)).entries())
          for (const { far, props } of entries) {
            if (!isWithin.has(far)) continue;
            const from = ids[at] ?? '';
            append(all, from, far);
            if (props.type_only === true) typeOnly.add(linkKey(from, far));
          }
      ctx.report({ all, typeOnly });
    }),
  ],
});

/**
 * Circular imports, calls or inheritance: for each link on a circle the shortest one through it, so that every knot is
 * told by its smallest loops. Circles that are there when the code runs are looked for without what is there for types
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
  answer: async ({ cycle_type: type, format, scope, limit }, context, [from = 0]) => {
    const ids = await context.findIds(type === 'imports' ? File : CodeSymbol);
    const starts = ids.filter(await scopeOf(context, scope));
    const { reports } = await context.spawn(LinksWalk, starts, { type });
    const [links = { all: new Map(), typeOnly: new Set<string>() }] = reports;
    const cycles = await allCycles(links, () => (context.signal.aborted ? undefined : nextTurn()));
    const page = cycles.slice(from, from + limit);
    const found = await callersFrom(context, [...new Set(page.flat())]);
    const nodes = new Map(found.map((node) => [node.id, node]));
    const nameOf = (id: string) => {
      const node = nodes.get(id);
      return node ? qualifiedName(node) : id;
    };
    return {
      query: `Circular ${type}`,
      what: 'circles',
      total: cycles.length,
      narrower: '`scope` narrows them',
      make: (count) => {
        const shown = page.slice(0, count);
        const drawn = { title: `Circular ${type}`, nodes, kind: type };
        return {
          circular_dependencies: shown.map((cycle) => ({
            ...circularDependency(type, cycle, nameOf),
            places: cycle.map((id) => placeOf(nodes.get(id))),
            ...(type === 'imports' ? { type_only: isTypeOnly(cycle, links) } : {}),
          })),
          ...(format ? { diagram: diagramText(cyclesDiagram(shown, drawn), format) } : {}),
        };
      },
      notes: [],
    };
  },
  markdown: cyclesMarkdown,
});

/** Those of the links that are there when the code runs, and those of all; each once, the shortest first, then by ids. */
async function allCycles(
  { all, typeOnly }: CycleLinks,
  pause: () => Promise<void> | undefined,
): Promise<Cycle[]> {
  if (typeOnly.size === 0) return shortestCycles(all, pause);
  const running = new Map(
    [...all].map(([from, fars]) => [from, fars.filter((to) => !typeOnly.has(linkKey(from, to)))]),
  );
  const both = [...(await shortestCycles(running, pause)), ...(await shortestCycles(all, pause))];
  const each = new Map(both.map((cycle) => [cycle.join('\n'), cycle]));
  return [...each]
    .sort(([a, x], [b, y]) => x.length - y.length || compareText(a, b))
    .map(([, cycle]) => cycle);
}

function isTypeOnly(cycle: Cycle, { typeOnly }: CycleLinks): boolean {
  const path = closed(cycle);
  return cycle.some((from, at) => typeOnly.has(linkKey(from, path[at + 1] ?? '')));
}

function placeOf(node: Caller | undefined): string {
  if (!node) return '';
  return 'start_line' in node ? `${node.path}:${node.start_line}` : node.path;
}

/** A link as {@link CycleLinks.typeOnly} has it. */
function linkKey(from: string, to: string): string {
  return `${from}\n${to}`;
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
  { title, nodes, kind }: { title: string; nodes: ReadonlyMap<string, Caller>; kind: CycleType },
): Diagram {
  const edges = new Map<string, Diagram['edges'][number]>();
  for (const cycle of cycles) {
    const path = closed(cycle);
    for (const [at, from] of cycle.entries()) {
      const to = path[at + 1] ?? from;
      edges.set(`${from}\n${to}`, { from, to, kind: ARROWS[kind] });
    }
  }
  return {
    title,
    nodes: [...new Set(cycles.flat())].flatMap((id) => {
      const node = nodes.get(id);
      return node ? [diagramNode(node)] : [];
    }),
    edges: [...edges.values()],
  };
}

/** The circles as a list, the shortest first; a diagram in its own language. */
function cyclesMarkdown(output: CyclesOutput): string {
  const {
    query,
    results: { circular_dependencies, diagram },
    metadata,
  } = output;
  const { row_count, total_count } = metadata;
  const count =
    row_count === total_count ? plural(total_count, 'circle') : `${row_count} of ${total_count} circles`;
  const head = `${shownLine(query, 200)}: ${total_count === 0 ? 'none' : count}.`;
  if (diagram !== undefined) return `${head}\n\n${diagramBlock(diagram)}\n`;
  const typed = circular_dependencies.filter(({ type_only }) => type_only).length;
  const types =
    typed === 0
      ? []
      : [
          `${typed} of them ${typed === 1 ? 'exists for types alone, and is' : 'exist for types alone, and are'} gone when the code runs.`,
        ];
  const lines = circular_dependencies.map(({ cycle_path, cycle_type, type_only, places }) => {
    const [first] = places;
    // A module is its file.
    const place = cycle_type === 'imports' || !first ? '' : `, ${shownLine(first, 200)}`;
    return `- ${cycle_path.map((name) => quotedName(name)).join(' > ')}${type_only ? ' (types alone)' : ''}${place}`;
  });
  return [head, ...types, ...(lines.length > 0 ? ['', ...lines] : []), ''].join('\n');
}
