import { z } from 'zod';
import {
  findNamed,
  indexProgress,
  nameField,
  unfinishedState,
  withoutOverloads,
} from '../../graphs/code/index.js';
import { preferredName } from '../../graphs/cypher/index.js';
import {
  cutText,
  type Draft,
  draftBy,
  pageFields,
  presented,
  quotedLine,
  quotedName,
  shownLine,
  tokensOf,
} from '../../present/index.js';
import {
  compareText,
  defineWalker,
  type EdgeRef,
  type NodeRef,
  propsOf,
  type ReadContext,
} from '../../runtime/index.js';
import {
  CodewalkError,
  canonicalId,
  exportNodeKind,
  LIMITS,
  labelsOf,
  packKind,
  readProperty,
  Task,
} from '../../schema/index.js';
import { findTask } from '../trace/find-traced.js';
import { readTimeline, Timeline, timelineMarkdown, timelineShape } from '../trace/show.js';
import type { QueryState } from './answer.js';
import { TargetRow, targetsOf } from './targets.js';

const { nodeEdges } = LIMITS;

/** Characters that texts keep, and edges that each group names, where they do not fit as they are. */
const SIZES = [
  { text: 400, first: nodeEdges.max },
  { text: 100, first: 1 },
  { text: 40, first: 0 },
] as const;

/** The draft of a node (P-02): its texts are cut and fewer edges are named; what it is and the counts stay. Of a task the timeline gets what is left. */
function nodeDraft<O extends NodeOutput>(whole: O): Draft<O> {
  const less = SIZES.map(({ text, first }) => ({
    what: 'Texts and lists',
    shorter: (output: O) => shortened(output, text, first),
  }));
  const { lists, less: fewer } = timelineShape('timeline.');
  return whole.timeline === undefined
    ? draftBy(whole, { limit: LIMITS.lookupTokens, lists: [], less })
    : draftBy(whole, { limit: LIMITS.lookupTokens, lists, less: [...less, ...fewer] });
}

function shortened<O extends NodeOutput>(whole: O, most: number, first: number): O {
  const { docstring, properties, edges } = whole;
  return {
    ...whole,
    docstring: docstring && cutText(docstring, most),
    properties: Object.fromEntries(
      Object.entries(properties).map(([key, value]) => [key, cutValue(value, most)]),
    ),
    edges: edges.map((group) => ({ ...group, first: group.first.slice(0, first) })),
  };
}

function cutValue(value: unknown, most: number): unknown {
  if (typeof value === 'string') return cutText(value, most);
  return tokensOf(value) > most ? cutText(JSON.stringify(value), most) : value;
}

/** The edges of one node that have one type and direction. */
const EdgeGroup = z.object({
  /** As exports call it: `CALLS`. */
  type: z.string(),
  /** `both`: undirected. */
  direction: z.enum(['out', 'in', 'both']),
  count: z.number().int(),
  /** The ids at the other end of the first of them. */
  first: z.array(z.string()),
});

type EdgeGroup = z.infer<typeof EdgeGroup>;

const optionalText = z.string().nullable();
const optionalLine = z.number().int().nullable();

/** What `graph_node` answers: the node as S2-01 spells it, and all that is stored of it. */
const NodeOutput = z.object({
  id: z.string(),
  kind: z.string(),
  name: optionalText,
  qualname: optionalText,
  module_path: optionalText,
  lineno: optionalLine,
  end_lineno: optionalLine,
  docstring: optionalText,
  /** All that it answers to in a query. */
  labels: z.array(z.string()),
  /** As they are stored. */
  properties: z.record(z.string(), z.unknown()),
  edges: z.array(EdgeGroup),
  /** All that an ambiguous name leads to, this node first. */
  targets: z.array(TargetRow).optional(),
  /** Of a task: what happened in it, as `codewalk show`. */
  timeline: Timeline.optional(),
});
export type NodeOutput = z.infer<typeof NodeOutput> & { state?: QueryState };

/** One node with what is known of it (S2-16). Of a name that leads to several the first, and the others are named. */
export const GraphNode = defineWalker('graph_node', {
  description:
    'Show one node of the graph, found by id or name: properties, labels, its edges counted by type and direction with the first of each; of a task its timeline. For code, traces and memories.',
  input: {
    id: nameField('Id, name, qualified name, path or path:line'),
    max_tokens: pageFields(LIMITS.lookupTokens).max_tokens,
  },
  output: NodeOutput,
  examples: [
    { title: 'A method', input: { id: 'UserService.login' } },
    { title: 'By its id', input: { id: 'file:src/auth.ts' } },
    { title: 'What happened in a task, by the beginning of its id', input: { id: 'task:0uc8nvlsu9' } },
  ],
  run: async (_here, context) => {
    const progress = unfinishedState(await indexProgress(context));
    const { node, notes, targets } = await nodeNamed(context, context.state.id);
    const edges = await edgeGroupsOf(context, node.id);
    const state = { pending: progress.pending, cut: [...progress.cut, ...notes] };
    const timeline = isTask(node) ? { timeline: await readTimeline(node, context) } : {};
    return presented(
      nodeDraft({ ...spelled(node), edges, ...(targets ? { targets } : {}), ...timeline, state }),
    );
  },
  markdown: (output) => (output.timeline ? timelineMarkdown(output.timeline) : nodeMarkdown(output)),
});

/** The node, and what is to be said of its name. */
async function nodeNamed(
  context: Parameters<typeof findNamed>[0] & Parameters<typeof findTask>[0] & Pick<ReadContext, 'node'>,
  text: string,
): Promise<{ node: NodeRef; notes: readonly string[]; targets?: TargetRow[] | undefined }> {
  const known = await context.node(canonicalId(text));
  if (known && kindOf(known) !== null) return { node: known, notes: [] };
  if (text.startsWith('task:')) return { node: await findTask(context, text), notes: [] };
  const { nodes } = await findNamed(context, text);
  const { symbols, notes, head } = targetsOf(text, { nodes, targets: withoutOverloads(nodes) });
  const [node] = symbols;
  if (node) return { node, notes, targets: head.targets };
  throw new CodewalkError('NODE_NOT_FOUND', `nothing in the graph is called '${text}'`, { input: text });
}

function isTask(node: NodeRef): node is NodeRef<typeof Task> {
  return node.archetype.name === Task.name;
}

function spelled(node: NodeRef): Omit<NodeOutput, 'edges' | 'state'> {
  const record = recordOf(node);
  const text = (name: string) => optionalText.catch(null).parse(readProperty(record, name));
  const line = (name: string) => optionalLine.catch(null).parse(readProperty(record, name));
  return {
    id: node.id,
    kind: kindOf(node) ?? node.archetype.name,
    name: text('name'),
    qualname: text('qualname'),
    module_path: text('module_path'),
    lineno: line('lineno'),
    end_lineno: line('end_lineno'),
    docstring: text('docstring'),
    labels: [...labelsOf(record)],
    properties: record.props,
  };
}

/** As packs call it (S2-03), else as exports do; null for bookkeeping. */
function kindOf(node: NodeRef): string | null {
  return packKind(recordOf(node)) ?? exportNodeKind(recordOf(node));
}

function recordOf(node: NodeRef) {
  return { id: node.id, type: node.archetype.name, props: propsOf(node) };
}

/** The edges of a node by type and direction: those that leave it first, then by type. One to itself counts in both directions. */
async function edgeGroupsOf({ q }: Pick<ReadContext, 'q'>, id: string): Promise<EdgeGroup[]> {
  const groups = new Map<string, EdgeGroup>();
  const add = (edge: EdgeRef, direction: EdgeGroup['direction'], far: string): void => {
    const type = preferredName(edge.archetype.name);
    const key = `${direction} ${type}`;
    const group = groups.get(key) ?? { type, direction, count: 0, first: [] };
    groups.set(key, group);
    group.count++;
    if (group.first.length < nodeEdges.max) group.first.push(far);
  };
  const farOf = ({ from, to }: EdgeRef) => (from === id ? to : from);
  for (const edge of await q(id).out().edges()) add(edge, edge.undirected ? 'both' : 'out', farOf(edge));
  for (const edge of await q(id).in().edges()) if (!edge.undirected) add(edge, 'in', edge.from);
  const rank = { out: 0, both: 1, in: 2 };
  return [...groups.values()].sort(
    (a, b) => rank[a.direction] - rank[b.direction] || compareText(a.type, b.type),
  );
}

/** A node: what it is, its properties that are not empty, and its edges, one line each. */
function nodeMarkdown({ id, kind, labels, properties, edges, ...node }: NodeOutput): string {
  const shown = Object.entries(properties).filter(([, value]) => isDistinctive(value));
  return [
    `${quotedName(id)} ${kind}${placeText(node)} (labels: ${labels.join(', ') || 'none'})`,
    '',
    ...shown.map(([name, value]) => `- ${name}: ${valueText(value)}`),
    '',
    ...(edges.length === 0 ? ['No edges.'] : edges.map(groupLine)),
    '',
  ].join('\n');
}

function placeText({ module_path, lineno }: Pick<NodeOutput, 'module_path' | 'lineno'>): string {
  return module_path === null || lineno === null ? '' : `, ${shownLine(module_path, 200)}:${lineno}`;
}

function isDistinctive(value: unknown): boolean {
  return value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);
}

function valueText(value: unknown): string {
  return quotedLine(typeof value === 'string' ? value : JSON.stringify(value), 200);
}

function groupLine({ type, direction, count, first }: NodeOutput['edges'][number]): string {
  const names = first.map((id) => quotedName(shownLine(id))).join(', ');
  const rest = count > first.length && first.length > 0 ? ', …' : '';
  return `- ${type} ${direction} ${count}${names === '' ? '' : `: ${names}${rest}`}`;
}
