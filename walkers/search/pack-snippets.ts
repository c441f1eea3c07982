import { z } from 'zod';
import {
  aroundAnswer,
  aroundSeeds,
  firstLines,
  indexProgress,
  PackNode,
  Snippet,
  type SnippetSpan,
  Snippets,
  snippetSpans,
  unfinishedState,
} from '../../graphs/code/index.js';
import { draftBy, pageFields, presented, quotedBlock, quotedName, shownLine } from '../../present/index.js';
import { defineWalker } from '../../runtime/index.js';
import { LIMITS, parseId } from '../../schema/index.js';
import { languageOf } from '../../source/index.js';
import { aroundQuery, betweenNodes, CodebaseOutput, codebaseFields, summaryLine } from './query-codebase.js';

const { packNodes, packTokens, snippetContext, snippetLines } = LIMITS;

const MOST_NAMED = 4;

/**
 * What a pack says of definitions that its snippets show in part or not at all, for they are longer than `max_lines` or
 * stand beside one that is shown; empty where there are none.
 *
 * @param spans What is shown.
 * @param nodeOf Of those that a snippet shows besides.
 * @param linesIn How many lines a file has.
 */
function leftLines(
  spans: readonly SnippetSpan[],
  maxLines: number,
  nodeOf: (id: string) => PackNode | undefined,
  linesIn: (path: string) => number,
): string[] {
  const left: string[] = [];
  for (const { node, also, path, start, end } of spans)
    for (const one of [node, ...also.flatMap((id) => nodeOf(id) ?? [])]) {
      const isTop = one.kind === 'module' || one.lineno === null;
      // The top of a file that stands beside something else is no definition.
      if (isTop && one !== node) continue;
      const [first, last] = isTop ? [1, linesIn(path)] : [one.lineno ?? 1, one.end_lineno ?? one.lineno ?? 1];
      if (first < start || Math.min(last, linesIn(path)) > end)
        left.push(`${quotedName(one.name)} (${shownLine(path, 200)}:${first}-${last})`);
    }
  if (left.length === 0) return [];
  const more = left.length > MOST_NAMED ? ` and ${left.length - MOST_NAMED} more` : '';
  const way =
    maxLines < snippetLines.max
      ? `max_lines up to ${snippetLines.max} shows more.`
      : 'their files hold the rest.';
  return [`Not all lines are shown of ${left.slice(0, MOST_NAMED).join(', ')}${more}: ${way}`];
}

const PackedNode = PackNode.extend({
  /** Null where nothing can be shown: a stub, a file that changed or leads out of the root. */
  snippet: Snippet.nullable(),
  /** Ids of further nodes that its snippet shows, or a part of (S2-32). */
  also: z.array(z.string()),
});
export type PackedNode = z.infer<typeof PackedNode>;

/** What `pack_snippets` answers (S2-29): what `query_codebase` does, with the source of each node. */
export const PackOutput = CodebaseOutput.extend({ nodes: z.array(PackedNode) });
export type PackOutput = z.infer<typeof PackOutput>;

/** Seeds that a text finds, what is around them, and the lines that define it (S2-29 to S2-36). */
export const PackSnippets = defineWalker('pack_snippets', {
  description:
    'The source to read for a topic: words find seeds, the graph adds what is around them; their numbered lines, overlapping ones merged.',
  input: {
    ...codebaseFields,
    max_nodes: z.number().int().min(packNodes.min).max(packNodes.max).default(packNodes.default),
    context: z.number().int().min(snippetContext.min).max(snippetContext.max).default(snippetContext.default),
    max_lines: z.number().int().min(snippetLines.min).max(snippetLines.max).default(snippetLines.default),
    ...pageFields(packTokens),
  },
  output: PackOutput,
  examples: [
    { title: 'What to read before a change', input: { q: 'password hashing' } },
    { title: 'Few and whole', input: { q: 'login', k: 3, hop: 0, max_lines: 200 } },
  ],
  finish: async ({ state, context }) => {
    const progress = unfinishedState(await indexProgress(context));
    const query = await aroundQuery(context, state);
    const around = await aroundSeeds(context, query);
    const snippets = new Snippets(context);
    const counts = new Map<string, number>();
    const looked = around.nodes.slice(0, MOST_LOOKED_AT);
    for (const { module_path: path } of looked)
      if (path !== null && !counts.has(path)) counts.set(path, (await snippets.linesOf(path))?.length ?? 0);
    const size = { context: state.context, maxLines: state.max_lines, maxNodes: state.max_nodes };
    const linesIn = (path: string) => counts.get(path) ?? 0;
    const spans = snippetSpans(looked, size, linesIn);
    const nodes: PackedNode[] = [];
    for (const span of spans)
      nodes.push({
        ...span.node,
        snippet: span.path === null ? null : await snippets.read(span),
        also: span.path === null ? [] : [...span.also],
      });
    const answer = await aroundAnswer(context, query, around, nodes);
    const outside = [...snippets.outside].map(
      (path) => `'${path}' leads out of the project: it is not shown.`,
    );
    const whole: PackOutput = { ...answer, notes: [...answer.notes, ...outside] };
    const byId = new Map(looked.map((node) => [node.id, node]));
    const left = leftLines(
      spans.filter((span) => span.path !== null),
      size.maxLines,
      (id) => byId.get(id),
      linesIn,
    );
    return presented(
      draftBy(
        {
          ...whole,
          state: {
            pending: progress.pending,
            cut: [...progress.cut, ...left],
            changed: [...snippets.changed],
          },
        },
        {
          limit: packTokens,
          revision: context.codeRevision,
          lists: [{ at: 'nodes', what: 'nodes' }],
          less: [
            { of: 'nodes', field: 'docstring', what: 'Docstrings', as: null },
            { of: 'nodes', what: `Snippets of more than ${SHORT} lines`, shorter: withShortSnippet },
            { of: 'nodes', field: 'snippet', what: 'Snippets', as: null },
          ],
          settle: betweenNodes,
        },
      ),
    );
  },
  markdown: packMarkdown,
});

/** Nodes, the best first, of which the snippets are chosen. */
const MOST_LOOKED_AT = 200;
/** Lines that a snippet keeps where it does not fit whole: those that its definition begins with. */
const SHORT = 8;

function withShortSnippet(node: PackedNode): PackedNode {
  const { snippet, lineno } = node;
  return snippet === null ? node : { ...node, snippet: firstLines(snippet, SHORT, lineno ?? 1) };
}

/** A section for each node: what it is, where it stands, and its lines as a block. What comes from the repository is data. */
export function packMarkdown(output: PackOutput): string {
  const { nodes, notes } = output;
  return [
    summaryLine(output),
    ...(notes.length > 0 ? ['', ...notes.map((note) => `- ${note}`)] : []),
    ...nodes.flatMap(sectionOf),
    '',
  ].join('\n');
}

function sectionOf({ id, kind, qualname, module_path, lineno, snippet, also }: PackedNode): string[] {
  const nameOf = (one: string, otherwise: string) => quotedName(parseId(one)?.name ?? otherwise);
  const [path, place] = snippet
    ? [snippet.path, `:${snippet.start}-${snippet.end}`]
    : [module_path, lineno === null ? '' : `:${lineno}`];
  const where = path === null ? '' : `, ${shownLine(path, 200)}${place}`;
  const others = also.length === 0 ? '' : `, with ${also.map((one) => nameOf(one, one)).join(', ')}`;
  const language = path === null ? undefined : languageOf(path)?.name;
  return [
    '',
    `## ${nameOf(id, qualname)} ${kind}${where}${others}`,
    ...(snippet ? ['', quotedBlock(snippet.text, language ?? 'text')] : []),
  ];
}
