import { z } from 'zod';
import { aroundSeeds, indexProgress, PackNode, Snippets, unfinishedState } from '../../graphs/code/index.js';
import {
  draftBy,
  pageFields,
  presented,
  quotedBlock,
  quotedName,
  shownLine,
  stripHidden,
} from '../../present/index.js';
import { defineWalker } from '../../runtime/index.js';
import { LIMITS, parseId } from '../../schema/index.js';
import { languageOf } from '../../source/index.js';
import {
  aroundAnswer,
  aroundQuery,
  betweenNodes,
  CodebaseOutput,
  codebaseFields,
  summaryLine,
} from './query-codebase.js';

const { packNodes, packTokens, snippetContext, snippetGap, snippetLines } = LIMITS;

/** Lines of source, each behind its number (S2-30). */
const Snippet = z.object({
  path: z.string(),
  start: z.number().int(),
  end: z.number().int(),
  text: z.string(),
});

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

/** Nodes, the best first, of which the snippets are chosen. */
const MOST_LOOKED_AT = 200;
/** Lines that a snippet keeps where it does not fit whole: those that its definition begins with. */
const SHORT = 8;

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
  run: async (_here, context) => {
    const { state } = context;
    const progress = unfinishedState(await indexProgress(context));
    const query = await aroundQuery(context, state);
    const around = await aroundSeeds(context, query);
    const texts = new Snippets(context);
    const files = new Map<string, readonly string[]>();
    const looked = around.nodes.slice(0, MOST_LOOKED_AT);
    for (const { module_path: path } of looked)
      if (path !== null && !files.has(path)) files.set(path, (await texts.linesOf(path)) ?? []);
    const size = { around: state.context, most: state.max_lines, nodes: state.max_nodes };
    const shown = snippetSpans(looked, size, (path) => files.get(path)?.length ?? 0);
    const nodes = shown.map(
      ({ node, span, also }): PackedNode => ({
        ...node,
        snippet: span && snippetOf(span, files.get(span.path) ?? []),
        also: also.map(({ id }) => id),
      }),
    );
    const answer = await aroundAnswer(context, query, around, nodes);
    const outside = [...texts.outside].map((path) => `'${path}' leads out of the project: it is not shown.`);
    const output = {
      ...answer,
      notes: [...answer.notes, ...outside],
      state: {
        pending: progress.pending,
        cut: [...progress.cut, ...partsLeft(shown, size.most, (path) => files.get(path)?.length ?? 0)],
        changed: [...texts.changed],
      },
    };
    return presented(
      draftBy(output, {
        limit: packTokens,
        revision: context.codeRevision,
        lists: [{ at: 'nodes', what: 'nodes' }],
        less: [
          { of: 'nodes', field: 'docstring', what: 'Docstrings', as: null },
          { of: 'nodes', what: `Snippets of more than ${SHORT} lines`, shorter: withShortSnippet },
          { of: 'nodes', field: 'snippet', what: 'Snippets', as: null },
        ],
        settle: betweenNodes,
      }),
    );
  },
  markdown: packMarkdown,
});

/** A stretch of lines of a file, from 1, both ends included. */
interface Span {
  readonly path: string;
  readonly start: number;
  readonly end: number;
}

/** A node that a pack shows. */
interface ShownNode {
  readonly node: PackNode;
  /** Null: it has no lines. */
  readonly span: Span | null;
  /** Further nodes that its lines show, or a part of. */
  readonly also: readonly PackNode[];
}

/** How long snippets are: lines around a definition, lines in all, and how many nodes are shown. */
interface Size {
  readonly around: number;
  readonly most: number;
  readonly nodes: number;
}

type LineCount = (path: string) => number;

/**
 * What a pack shows, the best first (S2-31 to S2-33): nodes without lines show nothing, modules the top of their file.
 * One whose lines overlap those of a better one, or lie as near, is shown by it: it grows where it may.
 *
 * @param nodes The best first.
 */
function snippetSpans(nodes: readonly PackNode[], size: Size, linesIn: LineCount): ShownNode[] {
  const shown: ShownNode[] = [];
  for (const node of nodes) {
    const span = spanOf(node, size, linesIn);
    const at = span ? shown.findIndex((one) => touches(one.span, span)) : -1;
    const before = shown[at];
    if (before?.span && span) {
      const start = Math.min(before.span.start, span.start);
      const end = Math.max(before.span.end, span.end);
      const grown = { path: span.path, start, end };
      const fits =
        end - start < size.most && !shown.some((one, other) => other !== at && touches(one.span, grown));
      shown[at] = { ...before, span: fits ? grown : before.span, also: [...before.also, node] };
    } else if (shown.length < size.nodes) shown.push({ node, span, also: [] });
  }
  return shown;
}

/** The lines of a node in its file: all of a module; null for what has none. */
function linesOf({ module_path: path, kind, lineno, end_lineno }: PackNode, linesIn: LineCount): Span | null {
  if (path === null) return null;
  const last = linesIn(path);
  if (kind === 'module' || lineno === null) return { path, start: 1, end: last };
  return { path, start: lineno, end: Math.min(last, end_lineno ?? lineno) };
}

/** The lines of a definition, then as many around it as there is room for. */
function spanOf(node: PackNode, { around, most }: Size, linesIn: LineCount): Span | null {
  const lines = linesOf(node, linesIn);
  if (lines === null || lines.end < lines.start) return null;
  const { path, start, end } = lines;
  const room = most - (end - start + 1);
  if (room <= 0 || node.kind === 'module' || node.lineno === null)
    return { path, start, end: Math.min(end, start + most - 1) };
  const after = Math.min(around, linesIn(path) - end, Math.max(Math.ceil(room / 2), room - (start - 1)));
  return { path, start: start - Math.min(around, start - 1, room - after), end: end + after };
}

function touches(one: Span | null, { path, start, end }: Span): boolean {
  if (one === null || one.path !== path) return false;
  return start <= one.end + snippetGap.max + 1 && end >= one.start - snippetGap.max - 1;
}

/** Characters of one line that are shown. */
const LONGEST_LINE = 400;

/** `   40: def connect_db(self):` */
function snippetOf({ path, start, end }: Span, file: readonly string[]): z.infer<typeof Snippet> {
  const lines = file.slice(start - 1, end).map((line, at) => {
    const text = stripHidden(line.replace(/\r$/u, ''));
    const shown = text.length > LONGEST_LINE ? `${text.slice(0, LONGEST_LINE)}…` : text;
    return `${String(start + at).padStart(5)}: ${shown}`;
  });
  return { path, start, end, text: lines.join('\n') };
}

/** With the first lines of its definition. */
function withShortSnippet(node: PackedNode): PackedNode {
  const { snippet, lineno } = node;
  if (snippet === null) return node;
  const first = lineno !== null && lineno > snippet.start && lineno <= snippet.end ? lineno : snippet.start;
  const lines = snippet.text.split('\n').slice(first - snippet.start, first - snippet.start + SHORT);
  return {
    ...node,
    snippet: { ...snippet, start: first, end: first + lines.length - 1, text: lines.join('\n') },
  };
}

const MOST_NAMED = 4;

/** What a pack says of definitions that its snippets show in part or not at all: too long, or next to one that is shown. */
function partsLeft(shown: readonly ShownNode[], maxLines: number, linesIn: LineCount): string[] {
  const left: string[] = [];
  for (const { node, span, also } of shown)
    for (const one of span ? [node, ...also] : []) {
      // The top of a file that stands next to something else is no definition.
      if (one !== node && (one.kind === 'module' || one.lineno === null)) continue;
      const lines = linesOf(one, linesIn);
      if (lines && span && (lines.start < span.start || lines.end > span.end)) {
        const end = one.kind === 'module' || one.lineno === null ? lines.end : (one.end_lineno ?? lines.end);
        left.push(`${quotedName(one.name)} (${shownLine(lines.path, 200)}:${lines.start}-${end})`);
      }
    }
  if (left.length === 0) return [];
  const more = left.length > MOST_NAMED ? ` and ${left.length - MOST_NAMED} more` : '';
  const way =
    maxLines < snippetLines.max
      ? `max_lines up to ${snippetLines.max} shows more.`
      : 'their files hold the rest.';
  return [`Not all lines are shown of ${left.slice(0, MOST_NAMED).join(', ')}${more}: ${way}`];
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
