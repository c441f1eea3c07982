import { z } from 'zod';
import { type Named, nameField, qualifiedName, withinScope } from '../../graphs/code/index.js';
import { diagramText, limitField, plural, quotedName, shownOf } from '../../present/index.js';
import { defineWalker, type ReadContext } from '../../runtime/index.js';
import { append, CALL_TYPES, LIMITS, parseId, SymbolCallsSymbol } from '../../schema/index.js';
import { defineQuery, diagramFields, type QueryOutput, queryFields, unresolvedText } from './answer.js';
import { type CallRef, calleeHops, callsBetween, candidatesOutOf } from './calls.js';
import { type Members, namesBase, overridingMembers } from './dispatch.js';
import {
  type Caller,
  callersFrom,
  diagramNode,
  FunctionNode,
  functionLine,
  functionNode,
  rowName,
} from './rows.js';
import { CALLING, constructorsOf, findTargets, isSymbol, targetFields } from './targets.js';

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

/** A call, or where it may go on to; see {@link CallEdge}. */
interface GraphEdge extends CallRef {
  readonly may?: true;
}

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

const { callGraphDepth, callGraphNodes } = LIMITS;
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
    max_depth: limitField(callGraphDepth).describe('Calls away'),
    max_nodes: limitField(callGraphNodes).describe('Nodes shown, nearest first'),
    ...diagramFields,
    ...queryFields,
  },
  results,
  examples: [
    { title: 'What a function sets going', input: { entry_point: 'auth.api.login_endpoint' } },
    { title: 'Its direct calls', input: { entry_point: 'src/app.ts:12', max_depth: 1 } },
  ],
  answer: async ({ entry_point, max_depth, max_nodes, format, scope }, context, page) => {
    const { nodes: declared, symbols, head, notes } = await findTargets(context, entry_point, CALLING);
    const entries = await withoutSignatures(context, declared, symbols);
    const starts = [...entries.map(({ id }) => id), ...(await constructorsOf(context, entries))];
    const { reached, reports } = await context.spawn(CallGraphWalk, starts, { max_depth });
    const ids = [...new Set([...reached.starts, ...reached.ids])];
    // A scope looks at names, which ids do not have.
    const isWhole = scope === undefined;
    const read = await callersFrom(context, isWhole ? page.of(ids, max_nodes) : ids);
    const within = read.filter(await withinScope(context, scope));
    const shown = isWhole ? within : page.of(within, max_nodes);
    const total = isWhole ? ids.length : within.length;
    const known = new Map(shown.map((node) => [node.id, node]));
    const nameOf = (id: string) => qualifiedName(known.get(id) as Named);
    const callable = new Set(shown.filter(isSymbol).map(({ id }) => id));
    const calls: GraphEdge[] = await callsBetween(context, [...known.keys()], callable);
    // From members to those that override or implement them, at the members' own lines.
    for (const { member: from, followed } of reports) {
      const node = known.get(from);
      const line = node && 'start_line' in node ? node.start_line : 0;
      for (const to of followed) calls.push({ from, to, line, call_type: 'method', evidence: [], may: true });
    }
    return {
      query: `Call graph of ${entry_point} up to ${plural(max_depth, 'call')} away`,
      noun: ['node', 'nodes'],
      rows: shown,
      total,
      narrower: `\`scope\` narrows them, max_nodes goes up to ${callGraphNodes.max}`,
      make: (rows: readonly Caller[]) => {
        const isShown = new Set(rows.map(({ id }) => id));
        const among = calls.filter(({ from, to }) => isShown.has(from) && isShown.has(to));
        const edges = among.map(({ from, to, call_type, line, may }) => ({
          from_function: nameOf(from),
          to_function: nameOf(to),
          call_type,
          line,
          ...(may ? { may } : {}),
        }));
        const diagram = () => ({
          title: `Call graph of ${entry_point}`,
          nodes: rows.map(diagramNode),
          edges: among.map(({ from, to, call_type, may }) => ({ from, to, kind: may ? 'may' : call_type })),
        });
        return {
          ...head,
          nodes: rows.map((node) => functionNode(node)),
          edges,
          truncated: rows.length < total,
          total_nodes: total,
          ...(format ? { diagram: diagramText(diagram(), format) } : {}),
        };
      },
      maxDepth: max_depth,
      notes: [...notes, ...reports.flatMap(cutNote)],
      outside: ids.length - total,
      unresolved: await candidatesOutOf(context, [...known.keys()]),
    };
  },
  // As a tree: each node once with what it calls under it; where it comes again, a word says so.
  markdown: (output) => {
    const { nodes, edges, total_nodes } = output.results;
    return {
      count: shownOf(nodes.length, total_nodes, 'node'),
      also: `, ${plural(edges.length, 'call')}`,
      more: unresolvedText(output, 'may lead to more'),
      blocks: [treeLines(output.results)],
    };
  },
});

function cutNote({ member, followed, count }: Overriding): string[] {
  const name = parseId(member)?.name;
  return followed.length < count
    ? [`The first ${followed.length} of ${count} that override ${name} are followed.`]
    : [];
}

/** Declarations without those that call nothing and are not the main one: signatures of overloads. */
async function withoutSignatures(
  { entries }: Pick<ReadContext, 'entries'>,
  declared: readonly Named[],
  symbols: readonly Named[],
): Promise<readonly Named[]> {
  if (declared.length === symbols.length) return declared;
  const ids = declared.map(({ id }) => id);
  const calls = await entries(ids, 'out', SymbolCallsSymbol);
  return declared.filter((node, at) => symbols.includes(node) || (calls[at]?.length ?? 0) > 0);
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

/** Nodes come nearest first: in the tree a node stands under the first of those before it that calls it. */
function treeLines({ nodes, edges }: Pick<CallGraphOutput['results'], 'nodes' | 'edges'>): string[] {
  const places = new Map(nodes.map(({ qualified_name }, at) => [qualified_name, at]));
  const called = new Map<string, string[]>();
  const may = new Set<string>();
  for (const edge of edges) {
    const { from_function: from, to_function: to } = edge;
    if (!called.get(from)?.includes(to)) append(called, from, to);
    if (edge.may) may.add(`${from}\0${to}`);
  }
  const parents = new Map<string, string>();
  for (const [name, at] of places)
    for (const to of called.get(name) ?? [])
      if (at < (places.get(to) ?? 0) && !parents.has(to)) parents.set(to, name);
  const lines: string[] = [];
  const show = (name: string, from: string | null, depth: number): void => {
    const row = nodes[places.get(name) ?? -1];
    if (!row) return;
    // Elsewhere it stands with its calls.
    const isHome = (parents.get(name) ?? null) === from;
    const maybe = may.has(`${from}\0${name}`) ? ' (may run instead)' : '';
    const again = `- ${quotedName(rowName(row))} (${name === from ? 'itself' : 'again'})`;
    lines.push(`${'  '.repeat(depth)}${isHome ? functionLine(row, maybe) : again}`);
    for (const to of isHome ? (called.get(name) ?? []) : []) show(to, name, depth + 1);
  };
  for (const name of places.keys()) if (!parents.has(name)) show(name, null, 0);
  // Edges tell nodes by their names: of several that share one the others have no place in the tree.
  for (const [at, row] of nodes.entries())
    if (places.get(row.qualified_name) !== at) lines.push(functionLine(row));
  return lines;
}
