import { z } from 'zod';
import {
  type Diagram,
  diagramBlock,
  diagramText,
  plural,
  quotedName,
  shownLine,
} from '../../present/index.js';
import { defineWalker, type ReadContext } from '../../runtime/index.js';
import { CALL_TYPES, LIMITS, parseId, SymbolCallsSymbol } from '../../schema/index.js';
import type { Named } from '../find-symbol.js';
import { type CallRef, calleeHops, callsBetween } from './parts/calls.js';
import { candidatesOutOf } from './parts/candidates.js';
import { type Caller, diagramNode, FunctionNode, functionNode, qualifiedName } from './parts/code-node.js';
import { type Members, namesBase, overridingMembers } from './parts/dispatch.js';
import { callersFrom } from './parts/nodes-of.js';
import { defineQuery, type QueryOutput } from './parts/query-answer.js';
import { depthField, diagramFields, nameField, queryFields } from './parts/query-input.js';
import { outOfScope, withinScope } from './parts/scope.js';
import { candidatesText, functionLine, rowName, shownOf } from './parts/shown-rows.js';
import { aboutText, targetFields } from './parts/target-row.js';
import { CALLING, constructorsOf, findTargets, isSymbol } from './parts/targets.js';

/** A call between two rows of an answer (S0-47, S0-48). */
const CallEdge = z.object({
  /** Qualified names. */
  from_function: z.string(),
  to_function: z.string(),
  call_type: z.enum(CALL_TYPES),
  /** Of the first place. */
  line: z.number().int(),
  /** No call of its own: what the calls of `from_function` may run in its place, which overrides or implements it. */
  may: z.literal(true).optional(),
});

type CallEdge = z.infer<typeof CallEdge>;

/** A call, or where it may go on to; see {@link CallEdge}. */
interface GraphEdge extends CallRef {
  readonly may?: true;
}

const { callGraphDepth, callGraphNodes } = LIMITS;

const results = {
  ...targetFields,
  /** What was asked about first, then by distance, then in the order of the calls. */
  nodes: z.array(FunctionNode),
  /** All calls between these nodes. */
  edges: z.array(CallEdge),
  truncated: z.boolean(),
  /** Before the cut. */
  total_nodes: z.number().int(),
  diagram: z.string().optional(),
};
/** What `query_call_graph` answers. */
export type CallGraphOutput = QueryOutput<typeof results>;

/** Members that override or implement one, and that are followed: the nearest. */
const MOST_OVERRIDING = 50;

/** The members that may run in place of one, those that are followed and how many there are. */
interface Overriding {
  readonly member: string;
  readonly followed: readonly string[];
  readonly count: number;
}

/** Walks along calls; from a method, at the same depth, to those that override or implement it, which it reports. */
const CallGraphWalk = defineWalker('call_graph_walk', {
  input: { max_depth: z.number() },
  report: z.custom<Overriding>(),
  on: (w) => [
    w.frontier(async (ids, ctx) => {
      const called = ids.filter((id) => !('may' in (ctx.reached.hop(id) ?? {})));
      const overriding = await overridingMembers(ctx, called);
      const open =
        ctx.depth === 0 ? overriding : await openCalls(ctx, ctx.reached.at(ctx.depth - 1), overriding);
      for (const [member, all] of overriding) {
        if (!open.has(member)) continue;
        const followed = all.slice(0, MOST_OVERRIDING);
        ctx.report({ member, followed, count: all.length });
        await ctx.visit(followed.map((to) => ({ from: member, to, cost: 0, may: true })));
      }
      if (ctx.depth < ctx.state.max_depth) await ctx.visit(await calleeHops(ctx, ids));
    }),
  ],
});

/**
 * Follows what a function calls, and from a method those that override or implement it. A class begins at its written
 * constructor too, a module at what runs when it is loaded.
 */
export const QueryCallGraph = defineQuery('query_call_graph', {
  description:
    'What a function, method, class or module calls, and what that calls, as a graph: nodes with file and line, edges with the kind of call. Only resolved calls; `may` marks methods that override or implement the one that is called.',
  input: {
    entry_point: nameField('Name, id, path or path:line'),
    max_depth: depthField(callGraphDepth).describe('Calls away'),
    max_nodes: depthField(callGraphNodes).describe('Nodes shown, nearest first'),
    ...diagramFields,
    ...queryFields,
  },
  results,
  examples: [
    { title: 'What a function sets going', input: { entry_point: 'auth.api.login_endpoint' } },
    { title: 'Its direct calls', input: { entry_point: 'src/app.ts:12', max_depth: 1 } },
  ],
  answer: async ({ entry_point, max_depth, max_nodes, format, scope }, context, [from = 0]) => {
    const { nodes: declared, symbols, head, notes } = await findTargets(context, entry_point, CALLING);
    const entries = await withoutSignatures(context, declared, symbols);
    const starts = [...entries.map(({ id }) => id), ...(await constructorsOf(context, entries))];
    const { reached, reports } = await context.spawn(CallGraphWalk, starts, { max_depth });
    const ids = [...new Set([...reached.starts, ...reached.ids])];
    const page = <T>(all: readonly T[]) => all.slice(from, from + max_nodes);
    const all = await callersFrom(context, scope === undefined ? page(ids) : ids);
    const within = all.filter(await withinScope(context, scope));
    const total = scope === undefined ? ids.length : within.length;
    const shown = scope === undefined ? within : page(within);
    const names = new Map(shown.map((node) => [node.id, qualifiedName(node)]));
    const calls = [...(await callsAmong(context, shown)), ...mayRefs(reports, shown)];
    return {
      query: `Call graph of ${entry_point} up to ${plural(max_depth, 'call')} away`,
      what: 'nodes',
      total,
      cap: max_nodes,
      narrower: `\`scope\` narrows them, max_nodes goes up to ${callGraphNodes.max}`,
      make: (count) => {
        const boxes = shown.slice(0, count);
        const shownIds = new Set(boxes.map(({ id }) => id));
        const among = calls.filter(({ from, to }) => shownIds.has(from) && shownIds.has(to));
        return {
          ...head,
          nodes: boxes.map((node) => functionNode(node)),
          edges: among.map((edge) => callEdge(edge, (id) => names.get(id) ?? id)),
          truncated: count < total,
          total_nodes: total,
          ...(format ? { diagram: diagramText(callGraphDiagram(entry_point, boxes, among), format) } : {}),
        };
      },
      maxDepth: max_depth,
      notes: [...notes, ...reports.flatMap(cutNote), ...outOfScope(ids.length, total, 'node')],
      unresolved: await candidatesOutOf(context, [...names.keys()]),
    };
  },
  markdown: callGraphMarkdown,
});

function cutNote({ member, followed, count }: Overriding): string[] {
  const name = parseId(member)?.name;
  return followed.length < count
    ? [`The first ${followed.length} of ${count} that override ${name} are followed.`]
    : [];
}

/** Declarations without those that call nothing beside the main one: signatures of overloads. */
async function withoutSignatures(
  { entries }: Pick<ReadContext, 'entries'>,
  declared: readonly Named[],
  symbols: readonly Named[],
): Promise<readonly Named[]> {
  if (declared.length === symbols.length) return declared;
  const calls = await entries(
    declared.map(({ id }) => id),
    'out',
    SymbolCallsSymbol,
  );
  return declared.filter((node, at) => symbols.includes(node) || (calls[at]?.length ?? 0) > 0);
}

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

/** Those members that some call of these reaches without naming the base, as `super.run()` does. */
async function openCalls(
  context: Pick<ReadContext, 'entries' | 'entryEdges'>,
  from: readonly string[],
  members: Members,
): Promise<Set<string>> {
  if (members.size === 0) return new Set();
  const calls = await callsBetween(context, from, new Set(members.keys()));
  const isOpen = ({ to, evidence }: CallRef) =>
    evidence.length === 0 || evidence.some(({ expression }) => !namesBase(expression, to));
  return new Set(calls.filter(isOpen).map(({ to }) => to));
}

/** The way from members to those that override or implement them, as edges, at the members' own lines. */
function mayRefs(overriding: readonly Overriding[], nodes: readonly Caller[]): GraphEdge[] {
  const starts = new Map(nodes.map((node) => [node.id, 'start_line' in node ? node.start_line : 1]));
  const common = { call_type: 'method' as const, evidence: [], may: true as const };
  return overriding.flatMap(({ member: from, followed }) =>
    followed.map((to) => ({ from, to, line: starts.get(from) ?? 0, ...common })),
  );
}

/** A call graph as boxes with an arrow for each call, which says how it is written. */
function callGraphDiagram(entry: string, nodes: readonly Caller[], calls: readonly GraphEdge[]): Diagram {
  return {
    title: `Call graph of ${entry}`,
    nodes: nodes.map(diagramNode),
    edges: calls.map(({ from, to, call_type, may }) => ({ from, to, kind: may ? 'may' : call_type })),
  };
}

/** The call graph as a tree: each node once with what it calls under it; where it comes again, a word says so. */
function callGraphMarkdown(output: CallGraphOutput): string {
  const {
    query,
    results: { nodes, edges, total_nodes, ...about },
    state,
  } = output;
  const unresolved = candidatesText(state?.unresolved ?? 0, 'may lead to more');
  const head = `${shownLine(query, 200)}${aboutText(about)}: ${shownOf(nodes.length, total_nodes, 'node')}, ${plural(edges.length, 'call')}.${unresolved}`;
  if (output.results.diagram !== undefined) return `${head}\n\n${diagramBlock(output.results.diagram)}\n`;
  return [head, '', ...treeLines(output), ''].join('\n');
}

/** Nodes come nearest first: in the tree a node stands under the first of those before it that calls it. */
function treeLines({ results: { nodes, edges } }: CallGraphOutput): string[] {
  const places = new Map(nodes.map(({ qualified_name }, at) => [qualified_name, at]));
  const called = new Map<string, Set<string>>();
  const may = new Set(edges.filter((edge) => edge.may).map(edgeKey));
  for (const { from_function, to_function } of edges)
    called.set(from_function, (called.get(from_function) ?? new Set()).add(to_function));
  const parents = new Map<string, string>();
  for (const [name, at] of places)
    for (const to of called.get(name) ?? [])
      if (at < (places.get(to) ?? 0) && !parents.has(to)) parents.set(to, name);
  const lines: string[] = [];
  const show = (name: string, from: string | null, depth: number): void => {
    const row = nodes[places.get(name) ?? -1];
    if (!row) return;
    const isHome = (parents.get(name) ?? null) === from;
    const maybe = may.has(edgeKey({ from_function: from ?? '', to_function: name }))
      ? ' (may run instead)'
      : '';
    const shown = isHome ? functionLine(row, maybe) : `- ${againText(row, name === from)}`;
    lines.push(`${'  '.repeat(depth)}${shown}`);
    for (const to of isHome ? (called.get(name) ?? []) : []) show(to, name, depth + 1);
  };
  for (const name of places.keys()) if (!parents.has(name)) show(name, null, 0);
  // Edges tell nodes by their names: of several that share one the others have no place in the tree.
  for (const [at, row] of nodes.entries())
    if (places.get(row.qualified_name) !== at) lines.push(functionLine(row));
  return lines;
}

function edgeKey({ from_function, to_function }: { from_function: string; to_function: string }): string {
  return `${from_function}\0${to_function}`;
}

/** A node that stands with its calls in another place of the tree. */
function againText(row: FunctionNode, isItself: boolean): string {
  return `${quotedName(rowName(row))} (${isItself ? 'itself' : 'again'})`;
}

/** The row of a call. @param nameOf The qualified name of an end, by its id. */
function callEdge({ from, to, call_type, line, may }: GraphEdge, nameOf: (id: string) => string): CallEdge {
  return { from_function: nameOf(from), to_function: nameOf(to), call_type, line, ...(may ? { may } : {}) };
}
