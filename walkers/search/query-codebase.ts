import { z } from 'zod';
import { indexProgress, unfinishedState } from '../../graphs/code/index.js';
import { draftBy, offsetsOf, pageFields, presented } from '../../present/index.js';
import { defineWalker } from '../../runtime/index.js';
import { LIMITS } from '../../schema/index.js';
import { aroundAnswer } from './codebase/around-answer.js';
import { aroundSeeds } from './codebase/around-seeds.js';
import { CodeEdge } from './codebase/code-records.js';
import { codebaseFields, relationsIn } from './codebase/codebase-input.js';
import { codebaseMarkdown } from './codebase/codebase-markdown.js';
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
export type CodebaseOutput = z.infer<typeof CodebaseOutput>;

/** Seeds that a text finds, and what is around them in the graph (S2-25 to S2-28). */
export const QueryCodebase = defineWalker('query_codebase', {
  description:
    'What belongs to a topic? Words find seeds, the graph adds what contains, calls, imports or inherits around them: ranked nodes and the edges between. For source text use pack_snippets.',
  input: {
    ...codebaseFields,
    max_nodes: z.number().int().min(codebaseNodes.min).max(codebaseNodes.max).default(codebaseNodes.default),
    ...pageFields(lookupTokens),
  },
  output: CodebaseOutput,
  examples: [
    { title: 'What belongs to a topic', input: { q: 'password hashing' } },
    { title: 'Only calls, two hops', input: { q: 'login', hop: 2, rels: 'CALLS' } },
  ],
  finish: async ({ state, context }) => {
    const progress = unfinishedState(await indexProgress(context));
    const { q, k, hop, include_symbols, max_nodes, scope } = state;
    const [from = 0] = offsetsOf(state.cursor);
    const rels = relationsIn(state.rels) ?? [];
    const around = await aroundSeeds(context, { q, k, hop, rels, include_symbols, scope });
    const nodes = around.nodes.slice(from, from + max_nodes);
    const whole = await aroundAnswer(context, { q, hop, rels }, around, nodes);
    return presented(
      draftBy(
        { ...whole, state: progress },
        {
          limit: lookupTokens,
          revision: context.codeRevision,
          lists: [{ at: 'nodes', what: 'nodes', from, total: around.nodes.length }],
          less: [
            { of: 'nodes', field: 'docstring', what: 'Docstrings', to: DOCSTRING },
            { of: 'nodes', field: 'docstring', what: 'Docstrings', as: null },
            { of: 'edges', field: 'evidence.expr', what: 'Texts of edges', as: '' },
          ],
          settle: betweenNodes,
        },
      ),
    );
  },
  markdown: codebaseMarkdown,
});

/** Characters that docstrings keep where they do not fit as they are. */
const DOCSTRING = 80;

/** The edges between the nodes that are shown. */
export function betweenNodes<O extends CodebaseOutput>(output: O): O {
  const ids = new Set(output.nodes.map(({ id }) => id));
  const edges = output.edges.filter(({ src, dst }) => ids.has(src) && ids.has(dst));
  return { ...output, edges, returned_nodes: ids.size };
}
