import { z } from 'zod';
import { offsetsOf } from '../../present/index.js';
import { defineWalker, type ReadContext } from '../../runtime/index.js';
import { LIMITS } from '../../schema/index.js';
import { indexProgress } from '../code/index-progress.js';
import { diagramText } from '../diagram/index.js';
import { plural } from '../markdown.js';
import { callGraphDiagram } from './call-graph/call-graph-diagram.js';
import { callGraphMarkdown } from './call-graph/call-graph-markdown.js';
import { CallEdge, callEdge } from './parts/call-edge.js';
import { type CallRef, calledBy, callsBetween } from './parts/calls.js';
import { candidatesOutOf } from './parts/candidates.js';
import { type Caller, FunctionNode, functionNode, qualifiedName } from './parts/code-node.js';
import { fitAnswer } from './parts/fit-answer.js';
import { callersFrom } from './parts/nodes-of.js';
import { type QueryState, queryAnswer, queryOutput } from './parts/query-answer.js';
import { depthField, diagramFields, nameField, queryFields } from './parts/query-input.js';
import { inScope, outOfScope, withinScope } from './parts/scope.js';
import { CALLING, constructorsOf, findTargets, isSymbol } from './parts/targets.js';

const { callGraphDepth, callGraphNodes } = LIMITS;

/** What `query_call_graph` answers (S0-39). */
export const CallGraphOutput = queryOutput({
  /** What was asked about first, then by distance, then in the order of the calls. */
  nodes: z.array(FunctionNode),
  /** All calls between these nodes (S0-40). */
  edges: z.array(CallEdge),
  truncated: z.boolean(),
  /** Before the cut. */
  total_nodes: z.number().int(),
  diagram: z.string().optional(),
});
/** See {@link CallGraphOutput}. */
export type CallGraphOutput = z.infer<typeof CallGraphOutput> & { state?: QueryState };

/**
 * What a function sets going (S0-14 to S0-16): along the calls, one step after the other. A class begins at its written
 * constructor too, a module at what runs when it is loaded.
 */
export const QueryCallGraph = defineWalker('query_call_graph', {
  description:
    'What a function, method, class or module calls, and what that calls, as a graph: nodes with file and line, edges with the kind of call. Only resolved calls.',
  input: {
    entry_point: nameField('Name, qualified name, id, path or path:line'),
    max_depth: depthField(callGraphDepth).describe('Calls away'),
    max_nodes: depthField(callGraphNodes).describe('Nodes shown, nearest first'),
    ...diagramFields,
    ...queryFields,
  },
  output: CallGraphOutput,
  examples: [
    { title: 'What a function sets going', input: { entry_point: 'auth.api.login_endpoint' } },
    { title: 'Its direct calls', input: { entry_point: 'src/app.ts:12', max_depth: 1 } },
  ],
  // It follows the edges from all that is meant at once: nothing is visited.
  start: async (context) => {
    await indexProgress(context);
    return null;
  },
  on: () => [],
  finish: async ({ state: { entry_point, max_depth, max_nodes, format, scope, cursor }, context }) => {
    const { nodes: found, notes } = await findTargets(context, entry_point, CALLING);
    const entries = [...found.map(({ id }) => id), ...(await constructorsOf(context, found))];
    const ids = await calledFrom(context, entries, max_depth);
    const [from = 0] = offsetsOf(cursor);
    const page = <T>(list: readonly T[]) => list.slice(from, from + max_nodes);
    const all = await callersFrom(context, scope === undefined ? page(ids) : ids);
    const within = all.filter(withinScope(scope, context.projectRoot));
    const total = scope === undefined ? ids.length : within.length;
    const shown = scope === undefined ? within : page(within);
    const names = new Map(shown.map((node) => [node.id, qualifiedName(node)]));
    const calls = await callsAmong(context, shown);
    const fitted = fitAnswer(
      (count) => {
        const nodes = shown.slice(0, count).map((node) => functionNode(node));
        const kept = new Set(shown.slice(0, count).map(({ id }) => id));
        const among = calls.filter(({ from, to }) => kept.has(from) && kept.has(to));
        const edges = among.map((edge) => callEdge(edge, (id) => names.get(id) ?? id));
        const drawn = () => callGraphDiagram(entry_point, shown.slice(0, count), among);
        return {
          nodes,
          edges,
          truncated: count < total,
          total_nodes: total,
          ...(format ? { diagram: diagramText(drawn(), format) } : {}),
        };
      },
      {
        what: 'nodes',
        total,
        cap: max_nodes,
        narrower: `\`scope\` narrows them, max_nodes goes up to ${callGraphNodes.max}`,
        from,
      },
    );
    return queryAnswer(context, fitted, {
      query: `Call graph of ${entry_point} up to ${plural(max_depth, 'call')} away${inScope(scope)}`,
      total,
      maxDepth: max_depth,
      notes: [...notes, ...outOfScope(ids.length, total, 'node')],
      unresolved: await candidatesOutOf(context, [...names.keys()]),
    });
  },
  markdown: callGraphMarkdown,
});

/** The calls between these, in their order: those of each in the order in which it calls. */
async function callsAmong(
  context: Pick<ReadContext, 'entries' | 'entryEdges'>,
  nodes: readonly Caller[],
): Promise<CallRef[]> {
  const callable = new Set(nodes.filter(isSymbol).map(({ id }) => id));
  return callsBetween(
    context,
    nodes.map(({ id }) => id),
    callable,
  );
}

/** The ids of what is called from these, they first: by distance, then in the order of the calls. */
async function calledFrom(
  context: Pick<ReadContext, 'q'>,
  entries: readonly string[],
  depth: number,
): Promise<string[]> {
  const reached = new Set(entries);
  let frontier = [...reached];
  for (let distance = 1; distance <= depth && frontier.length > 0; distance++) {
    const called = await calledBy(context, frontier, true);
    frontier = called.filter((id) => !reached.has(id));
    for (const id of frontier) reached.add(id);
  }
  return [...reached];
}
