import { z } from 'zod';
import { pageFields, presented } from '../../present/index.js';
import { defineWalker, type NodeRef, propsOf, type ReadContext } from '../../runtime/index.js';
import {
  CodewalkError,
  canonicalId,
  exportNodeKind,
  LIMITS,
  labelsOf,
  packKind,
  readProperty,
} from '../../schema/index.js';
import { indexProgress, unfinishedState } from '../code/index-progress.js';
import { findNamed } from '../find-symbol.js';
import { EdgeGroup, edgeGroupsOf } from './node/edge-groups.js';
import { nodeDraft } from './node/fit-node.js';
import { nodeMarkdown } from './node/node-markdown.js';
import type { QueryState } from './parts/query-answer.js';
import { nameField } from './parts/query-input.js';
import { TargetRow } from './parts/target-row.js';
import { targetsOf } from './parts/targets.js';

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
});
/** See {@link NodeOutput}. */
export type NodeOutput = z.infer<typeof NodeOutput> & { state?: QueryState };

/** One node with what is known of it (S2-16). Of a name that leads to several the first, and the others are named. */
export const GraphNode = defineWalker('graph_node', {
  description:
    'Show one node of the graph, found by id or name: properties, labels, its edges counted by type and direction with the first of each. For code, traces and memories.',
  input: {
    id: nameField('Id, name, qualified name, path or path:line'),
    max_tokens: pageFields(LIMITS.lookupTokens).max_tokens,
  },
  output: NodeOutput,
  examples: [
    { title: 'A method', input: { id: 'UserService.login' } },
    { title: 'By its id', input: { id: 'file:src/auth.ts' } },
  ],
  // One node is looked at, nothing is visited.
  start: async (context) => {
    await indexProgress(context);
    return null;
  },
  on: () => [],
  finish: async ({ state: { id }, context }) => {
    const { node, notes, targets } = await nodeNamed(context, id);
    const edges = await edgeGroupsOf(context, node.id);
    const progress = unfinishedState(await indexProgress(context));
    const state = { pending: progress.pending, cut: [...progress.cut, ...notes] };
    return presented(nodeDraft({ ...spelled(node), edges, ...(targets ? { targets } : {}), state }));
  },
  markdown: nodeMarkdown,
});

/** The node, and what is to be said of its name. */
async function nodeNamed(
  context: Parameters<typeof findNamed>[0] & Pick<ReadContext, 'node'>,
  text: string,
): Promise<{ node: NodeRef; notes: readonly string[]; targets?: TargetRow[] | undefined }> {
  const known = await context.node(canonicalId(text));
  if (known && kindOf(known) !== null) return { node: known, notes: [] };
  const { symbols, notes, head } = targetsOf(text, await findNamed(context, text));
  const [node] = symbols;
  if (node) return { node, notes, targets: head.targets };
  throw new CodewalkError('NODE_NOT_FOUND', `nothing in the graph is called '${text}'`, { input: text });
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
