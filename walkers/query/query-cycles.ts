import { setImmediate as nextTurn } from 'node:timers/promises';
import { z } from 'zod';
import { offsetsOf } from '../../present/index.js';
import { compareText, defineWalker } from '../../runtime/index.js';
import { indexProgress } from '../code/index-progress.js';
import { diagramText } from '../diagram/index.js';
import { CircularDependency, CYCLE_TYPES, circularDependency, closed } from './cycles/circular-dependency.js';
import { type CycleLinks, cycleLinks, linkKey } from './cycles/cycle-links.js';
import { cyclesDiagram } from './cycles/cycles-diagram.js';
import { cyclesMarkdown } from './cycles/cycles-markdown.js';
import { type Cycle, shortestCycles } from './cycles/shortest-cycles.js';
import { type Caller, qualifiedName } from './parts/code-node.js';
import { callersFrom } from './parts/nodes-of.js';
import { type QueryState, queryAnswer, queryOutput } from './parts/query-answer.js';
import { diagramFields, queryFields, rowsField } from './parts/query-input.js';
import { inScope } from './parts/scope.js';

/** A circle with what stands on it. */
const CycleRow = CircularDependency.extend({
  /** `path:line` of each step, in the order of the path; of files their paths. */
  places: z.array(z.string()),
  /** Imports: true where the circle is there for types alone: one of its imports at least is gone when it runs. */
  type_only: z.boolean().optional(),
});
/** What `query_cycles` answers (X-37, S0-31). */
export const CyclesOutput = queryOutput({
  circular_dependencies: z.array(CycleRow),
  diagram: z.string().optional(),
});
/** See {@link CyclesOutput}. */
export type CyclesOutput = z.infer<typeof CyclesOutput> & { state?: QueryState };

/**
 * Circular imports, calls or inheritance: for each link on a circle the shortest one through it, so that every knot is
 * told by its smallest loops. Circles that are there when the code runs are looked for without what is there for types
 * alone, and so are never hidden behind a shorter one of these.
 */
export const QueryCycles = defineWalker('query_cycles', {
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
  output: CyclesOutput,
  examples: [
    { title: 'Circular imports of a folder', input: { scope: 'src' } },
    { title: 'Recursion', input: { cycle_type: 'calls' } },
  ],
  // It looks at all links of a kind: nothing is visited.
  start: async (context) => {
    await indexProgress(context);
    return null;
  },
  on: () => [],
  finish: async ({ state: { cycle_type, format, scope, limit, cursor }, context }) => {
    const links = await cycleLinks(context, cycle_type, scope);
    const cycles = await allCycles(links, () => (context.signal.aborted ? undefined : nextTurn()));
    const [from = 0] = offsetsOf(cursor);
    const most = cycles.slice(from, from + limit);
    const nodes = new Map(
      (await callersFrom(context, [...new Set(most.flat())])).map((node) => [node.id, node]),
    );
    const nameOf = (id: string) => {
      const node = nodes.get(id);
      return node ? qualifiedName(node) : id;
    };
    const list = {
      what: 'circles',
      total: cycles.length,
      cap: limit,
      narrower: '`scope` narrows them',
      from,
      make: (count: number) => {
        const shown = most.slice(0, count);
        const circular_dependencies = shown.map((cycle) => ({
          ...circularDependency(cycle_type, cycle, nameOf),
          places: cycle.map((id) => placeOf(nodes.get(id))),
          ...(cycle_type === 'imports' ? { type_only: isTypeOnly(cycle, links) } : {}),
        }));
        const drawn = { title: `Circular ${cycle_type}`, nodes, kind: cycle_type };
        return {
          circular_dependencies,
          ...(format ? { diagram: diagramText(cyclesDiagram(shown, drawn), format) } : {}),
        };
      },
    };
    return queryAnswer(context, list, {
      query: `Circular ${cycle_type}${inScope(scope)}`,
      total: cycles.length,
      maxDepth: null,
      notes: [],
    });
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
