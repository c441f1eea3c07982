import { z } from 'zod';
import {
  type AroundQuery,
  type AroundSeeds,
  aroundSeeds,
  CodeEdge,
  edgesAmong,
  indexProgress,
  PACK_RELATIONS,
  PackNode,
  type PackRelation,
  scopedIds,
  selectionOf,
  shownQuery,
  unfinishedState,
} from '../../graphs/code/index.js';
import {
  draftBy,
  firstLine,
  offsetsOf,
  pageFields,
  plural,
  presented,
  quotedLine,
  quotedName,
  shownLine,
} from '../../present/index.js';
import { defineWalker, type ReadContext } from '../../runtime/index.js';
import { LIMITS, parseId } from '../../schema/index.js';

const { codebaseHops, codebaseNodes, codebaseSeeds, lookupTokens } = LIMITS;
const count = z.number().int();

/** What `query_codebase` and `pack_snippets` both take. */
export const codebaseFields = {
  q: z
    .string()
    .refine((text) => text.trim() !== '', 'must not be empty')
    .meta({ help: 'What it is about, in any words' }),
  k: z
    .number()
    .int()
    .min(codebaseSeeds.min)
    .max(codebaseSeeds.max)
    .default(codebaseSeeds.default)
    .describe('Seeds'),
  hop: z.number().int().min(codebaseHops.min).max(codebaseHops.max).default(codebaseHops.default),
  rels: z
    .string()
    .refine((text) => relationsIn(text) !== null, `only ${PACK_RELATIONS.join(', ')}, with commas between`)
    .optional()
    .describe('Only these: CONTAINS,CALLS,…'),
  include_symbols: z.boolean().default(false),
  scope: z.string().trim().min(1, 'it is empty').optional().meta({ place: true }),
};

/** What is asked of the code around a text, from the fields of either tool. */
export async function aroundQuery(
  context: Pick<ReadContext, 'find' | 'findIds' | 'lookUp' | 'q' | 'projectRoot'>,
  input: z.infer<z.ZodObject<typeof codebaseFields>>,
): Promise<AroundQuery> {
  const { q, k, hop, include_symbols, scope } = input;
  const selection =
    scope === undefined ? null : await selectionOf(context, await scopedIds(context, scope, null));
  return { q, k, hop, include_symbols, selection, rels: relationsIn(input.rels) ?? [] };
}

/** What lies around seeds as an answer with some of its nodes, the best first, and the edges between these. */
export async function aroundAnswer<N extends PackNode>(
  context: Pick<ReadContext, 'q'>,
  { q, hop, rels }: AroundQuery,
  { seeds, expanded, notes }: AroundSeeds,
  nodes: N[],
): Promise<CodebaseOutput & { nodes: N[] }> {
  const ids = nodes.map(({ id }) => id);
  return {
    query: shownQuery(q),
    seeds,
    expanded_nodes: expanded,
    returned_nodes: nodes.length,
    hop,
    rels: [...rels],
    nodes,
    edges: await edgesAmong(context, ids, rels),
    notes: [...notes],
  };
}

/** The relations that a list with commas names, in their own order; all where none is given; null where it names another. */
function relationsIn(text: string | undefined): PackRelation[] | null {
  if (text === undefined) return [...PACK_RELATIONS];
  const named = new Set(text.split(',').map((one) => one.trim().toUpperCase()));
  const known = PACK_RELATIONS.filter((relation) => named.has(relation));
  return known.length === named.size ? known : null;
}

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
    const [from = 0] = offsetsOf(state.cursor);
    const query = await aroundQuery(context, state);
    const around = await aroundSeeds(context, query);
    const nodes = around.nodes.slice(from, from + state.max_nodes);
    const whole = await aroundAnswer(context, query, around, nodes);
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

const MOST_EDGES = 40;

/** Counts, nodes by rank, and the edges between them. What comes from the repository is quoted: it is data. */
export function codebaseMarkdown(output: CodebaseOutput): string {
  const { nodes, edges, notes } = output;
  const names = new Map(nodes.map(({ id, qualname }) => [id, shortName(id, qualname)]));
  const shown = edges.slice(0, MOST_EDGES);
  return [
    summaryLine(output),
    ...(nodes.length > 0 ? ['', ...nodes.map(nodeLine)] : []),
    ...(shown.length > 0
      ? ['', ...shown.map(({ src, rel, dst }) => `- ${names.get(src)} ${rel} ${names.get(dst)}`)]
      : []),
    ...(edges.length > shown.length ? [`- and ${edges.length - shown.length} more edges`] : []),
    ...(notes.length > 0 ? ['', ...notes.map((note) => `- ${note}`)] : []),
    '',
  ].join('\n');
}

/** What was asked, and how much was found. */
export function summaryLine(
  output: Pick<CodebaseOutput, 'query' | 'seeds' | 'expanded_nodes' | 'returned_nodes' | 'hop'>,
): string {
  const { query, seeds, expanded_nodes, returned_nodes, hop } = output;
  return `"${quotedLine(query, 80)}": ${plural(seeds, 'seed')}, ${expanded_nodes} nodes within ${plural(hop, 'hop')}, ${returned_nodes} shown.`;
}

function nodeLine({ id, kind, qualname, module_path, lineno, best_hop, docstring }: PackNode): string {
  const place = module_path === null ? '' : `, ${shownLine(module_path, 200)}:${lineno ?? 1}`;
  const about = firstLine(docstring ?? '', 80);
  const said = about === '' ? '' : ` - ${quotedLine(about, 80)}`;
  return `- ${best_hop} ${shortName(id, qualname)} ${kind}${place}${said}`;
}

function shortName(id: string, qualname: string): string {
  return quotedName(parseId(id)?.name ?? qualname);
}
