import { z } from 'zod';
import { defineWalker } from '../../runtime/index.js';
import { LIMITS } from '../../schema/index.js';
import { indexProgress, unfinishedState } from '../code/index-progress.js';
import { budgetField } from '../token-budget.js';
import { aroundAnswer } from './codebase/around-answer.js';
import { aroundSeeds } from './codebase/around-seeds.js';
import { CodeEdge } from './codebase/code-records.js';
import { codebaseFields, relationsIn } from './codebase/codebase-input.js';
import { codebaseMarkdown } from './codebase/codebase-markdown.js';
import { fitCodebase } from './codebase/fit-codebase.js';
import { PackNode } from './codebase/pack-rows.js';
import { PACK_RELATIONS } from './codebase/relations.js';

const { codebaseNodes, lookupTokens } = LIMITS;
const count = z.number().int();

/** What `query_codebase` answers (S2-26). */
export const CodebaseOutput = z.object({
  query: z.string(),
  /** How many seeds the text found. */
  seeds: count,
  /** Nodes that were reached, stubs included. */
  expanded_nodes: count,
  returned_nodes: count,
  hop: count,
  rels: z.array(z.enum(PACK_RELATIONS)),
  /** The best first (S2-27). */
  nodes: z.array(PackNode),
  /** Between the nodes that are returned. */
  edges: z.array(CodeEdge),
  /** What is to be known of the answer. */
  notes: z.array(z.string()),
});
/** See {@link CodebaseOutput}. */
export type CodebaseOutput = z.infer<typeof CodebaseOutput>;

/** Seeds that a text finds, and what is around them in the graph (S2-25 to S2-28). */
export const QueryCodebase = defineWalker('query_codebase', {
  description:
    'What belongs to a topic? Words find seeds, the graph adds what contains, calls, imports or inherits around them: ranked nodes and the edges between. For source text use pack_snippets.',
  input: {
    ...codebaseFields,
    max_nodes: z.number().int().min(codebaseNodes.min).max(codebaseNodes.max).default(codebaseNodes.default),
    max_tokens: budgetField(lookupTokens),
  },
  output: CodebaseOutput,
  examples: [
    { title: 'What belongs to a topic', input: { q: 'password hashing' } },
    { title: 'Only calls, two hops', input: { q: 'login', hop: 2, rels: 'CALLS' } },
  ],
  // It starts where the text leads to: nothing is visited.
  start: async () => null,
  on: () => [],
  finish: async ({ state, context }) => {
    const progress = unfinishedState(await indexProgress(context));
    const { q, k, hop, include_symbols, max_nodes, scope, max_tokens } = state;
    const rels = relationsIn(state.rels) ?? [];
    const around = await aroundSeeds(context, { q, k, hop, rels, include_symbols, scope });
    const nodes = around.nodes.slice(0, max_nodes);
    const whole = await aroundAnswer(context, { q, hop, rels }, around, nodes);
    const { output, cut } = fitCodebase(whole, max_tokens);
    const left = around.nodes.length - nodes.length;
    const own =
      left > 0 ? [`${left} more nodes are left out: max_nodes up to ${codebaseNodes.max} gives more.`] : [];
    return { ...output, state: { pending: progress.pending, cut: [...progress.cut, ...own, ...cut] } };
  },
  markdown: codebaseMarkdown,
});
