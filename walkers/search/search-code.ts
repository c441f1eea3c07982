import { z } from 'zod';
import { indexProgress, unfinishedState } from '../../graphs/code/index.js';
import {
  draftBy,
  firstLine,
  offsetsOf,
  plural,
  presented,
  quotedLine,
  quotedName,
  shownLine,
} from '../../present/index.js';
import { defineWalker, isA, type NodeRef, type ReadContext } from '../../runtime/index.js';
import { append, CodeSymbol, File, LIMITS, lastNamePart, parseId } from '../../schema/index.js';
import { isProgramming, isTestPath, languageOf } from '../../source/index.js';
import { parametersField } from '../query/parts/cypher-input.js';
import { queryFields } from '../query/parts/query-input.js';
import { chosenBy } from './filter/chosen.js';
import { type CodeNode, codeNodes } from './hits/found-nodes.js';
import { GraphContext, graphContextOf } from './hits/graph-context.js';
import { type Question, questionOf } from './question/question.js';
import { shownQuery } from './question/shown-query.js';
import { FOUND_PLACES, type FoundPlaces } from './ranking/found-place.js';
import { noFilesNotes } from './ranking/no-files-notes.js';
import { type FoundCode, type RankedCode, rankCode } from './ranking/rank-code.js';

/** One file or symbol that a question is about (S1-22). */
const SearchHit = z.object({
  /** Of what a perfect match would get, from 0 to 1. */
  score: z.number(),
  id: z.string(),
  /** Of a symbol its subkind or kind; `file`. */
  kind: z.string(),
  /** Absent for a file. */
  qualified_name: z.string().optional(),
  /** Root-relative. */
  file: z.string(),
  /** `12-40`. */
  lines: z.string(),
  signature: z.string().optional(),
  /** The first line of its docstring. */
  summary: z.string().optional(),
  /** What beside its words speaks for it. */
  why: z.array(z.string()).optional(),
  /** Null where it was left out: `state.cut` says so. */
  graph_context: GraphContext.nullable(),
});

type SearchHit = z.infer<typeof SearchHit>;

/** Characters of a docstring's first line. */
const SUMMARY = 120;

/** Characters of a signature in a line. */
const SIGNATURE = 100;

const { searchRows, searchFiles } = LIMITS;

/** A question that is one identifier, no plain word: it has a hump, a dot, a sign or begins with a capital. */
const ONE_NAME = /^(?=.*(?:\p{Ll}\p{Lu}|[_$.])|\p{Lu})[\p{L}_$][\p{L}\p{N}_$.]*$/u;
/** Names of a question that are looked up at most. */
const MOST_NAMES_CHECKED = 5;

/** What `search_code` answers (S1-22). */
export const SearchOutput = z.object({
  query: z.string(),
  /** The best first. */
  hits: z.array(SearchHit),
  /** Paths by all that is found in them, the best first. */
  files: z.array(z.string()),
  /** What the structure filter selected; absent without one. */
  candidates: z.number().int().optional(),
  /** What is to be known of the answer: a cut query, names that a filter has and the graph does not. */
  notes: z.array(z.string()),
});
export type SearchOutput = z.infer<typeof SearchOutput>;

/**
 * The files and symbols that a task, an issue or a stack trace is about (S1-19 to S1-27): ranked by words, names and
 * frames, files and calls; where a structure filter is given, only inside what it selects.
 */
export const SearchCode = defineWalker('search_code', {
  description:
    'Where in the code? Give a task, an issue, a stack trace or words: the files and symbols it is about, with callers, callees, tests, imports. structure_filter: search inside what a Cypher query returns.',
  input: {
    query: z
      .string()
      .refine((text) => text.trim() !== '', 'must not be empty')
      .meta({ words: true })
      .describe('Words, names, an issue, a trace'),
    structure_filter: z
      .string()
      .max(LIMITS.cypherQuery.max)
      .refine((text) => text.trim() !== '', 'must not be empty')
      .optional()
      .describe('Read-only Cypher whose first column is nodes: MATCH (f:Function) … RETURN f'),
    parameters: parametersField(),
    tests: z.boolean().default(true).describe('false: no tests'),
    limit: z.number().int().min(searchRows.min).max(searchRows.max).default(searchRows.default),
    ...queryFields,
  },
  output: SearchOutput,
  examples: [
    { title: 'Where a task leads to', input: { query: 'sessions must expire after an hour' } },
    {
      title: 'Functions about authentication that call a database method',
      input: {
        query: 'authentication',
        structure_filter:
          'MATCH (f)-[:CALLS]->(m:Method) WHERE m.class_name ENDS WITH $store RETURN DISTINCT f',
        parameters: { store: 'Database' },
      },
    },
  ],
  finish: async ({ state, context }) => {
    const progress = unfinishedState(await indexProgress(context));
    const { query, structure_filter, parameters, scope, tests, limit } = state;
    const [from = 0] = offsetsOf(state.cursor);
    const question = questionOf(query);
    const chosen = await chosenBy(context, question.text, { structure_filter, parameters, scope });
    const selection = chosen?.selection ?? null;
    const { notes: missing, ...ranked } = await rankCode(context, question, selection);
    const { found: places, files } = tests ? ranked : withoutTests(ranked, context.kept(FOUND_PLACES));
    const found = await exactFirst(context, question.text, places);
    const shown = found.slice(from, from + limit);
    const shownIds = shown.map(({ id }) => id);
    const nodes = await codeNodes(context, shownIds);
    const neighboursOf = graphContextOf(context);
    const hits: SearchHit[] = [];
    for (const one of shown) {
      const node = nodes.get(one.id);
      if (node) hits.push(searchHit(node, one, await neighboursOf(one.id)));
    }
    const notes = [
      ...question.notes,
      ...(chosen?.notes ?? []),
      ...(found.length === 0 ? await noFilesNotes(context) : []),
      ...(await unknownNameNotes(context, question, found.length > 0)),
      ...unextractedNotes([...nodes.values()]),
      ...(selection && found.length === 0
        ? [`${selection.ids.size} candidates; none has a word of the query.`]
        : []),
    ];
    const head = {
      query: shownQuery(question.text),
      files: files.slice(0, searchFiles.max),
      ...(selection ? { candidates: selection.ids.size } : {}),
      notes,
    };
    return presented(
      draftBy(
        { ...head, hits, state: { pending: progress.pending, cut: [...progress.cut, ...missing] } },
        {
          limit: LIMITS.lookupTokens,
          revision: context.codeRevision,
          lists: [
            { at: 'hits', what: 'hits', from, total: found.length },
            { at: 'files', what: 'files', least: 5 },
          ],
          less: [
            { of: 'hits', field: 'graph_context', what: 'Neighbours', as: null },
            { of: 'hits', field: 'summary', what: 'Docstrings' },
            { of: 'hits', field: 'signature', what: 'Signatures' },
            { of: 'hits', field: 'why', what: 'Reasons' },
          ],
        },
      ),
    );
  },
  markdown: searchMarkdown,
});

function withoutTests({ found, files }: Pick<RankedCode, 'found' | 'files'>, places: FoundPlaces) {
  return {
    found: found.filter(({ id }) => !places.of(id)?.isTest),
    files: files.filter((path) => !isTestPath(path)),
  };
}

/** A question that is one name: symbols of exactly this name come first. */
async function exactFirst<F extends RankedCode['found'][number]>(
  { find }: Pick<ReadContext, 'find'>,
  text: string,
  found: readonly F[],
): Promise<readonly F[]> {
  const name = text.trim();
  if (!ONE_NAME.test(name) || found.length === 0) return found;
  const named = await find(CodeSymbol, { name: lastNamePart(name) });
  const ids = new Set(named.map(({ id }) => id));
  const score = Math.max(...found.map((one) => one.score));
  const exact = found.filter(({ id }) => ids.has(id)).map((one) => ({ ...one, score }));
  return [...exact, ...found.filter(({ id }) => !ids.has(id))];
}

/** Says of a question that is one name, and of names between backquotes, that nothing has this name. */
async function unknownNameNotes(
  { find }: Pick<ReadContext, 'find'>,
  { text, marked, names }: Question,
  hasHits: boolean,
): Promise<string[]> {
  const whole = text.trim();
  const asked = ONE_NAME.test(whole) ? [lastNamePart(whole)] : [...marked];
  const unknown: string[] = [];
  for (const name of asked.filter((one) => names.has(one)).slice(0, MOST_NAMES_CHECKED)) {
    const known = [...(await find(CodeSymbol, { name })), ...(await find(File, { qualified_name: name }))];
    if (known.length === 0) unknown.push(name);
  }
  if (unknown.length === 0) return [];
  const quoted = unknown.map((name) => quotedName(name)).join(', ');
  return [`Nothing is named exactly ${quoted}${hasHits ? ': hits only share words with it' : ''}.`];
}

/** Names which languages of the hits are not extracted yet: their files are found by path and words, without symbols. */
function unextractedNotes(nodes: readonly CodeNode[]): string[] {
  const languages = nodes.flatMap((node) =>
    isA(node.archetype, File) && 'language' in node && !languageOf(node.path) && isProgramming(node.language)
      ? [node.language]
      : [],
  );
  return languages.length === 0
    ? []
    : [
        `Not extracted yet: ${[...new Set(languages)].sort().join(', ')}. Such files are found by path and words, their symbols are not known.`,
      ];
}

/** Hits, the best first, then the files that they add up to. What comes from the repository is quoted: it is data. */
function searchMarkdown({ query, hits, files, notes }: SearchOutput): string {
  const about = quotedLine(query, 80);
  if (hits.length === 0)
    return [`Nothing is found for "${about}".`, ...notes.map((note) => `- ${note}`), ''].join('\n');
  return [
    `${plural(hits.length, 'hit')} for "${about}":`,
    '',
    ...hits.flatMap(hitLines),
    ...(files.length > 0 ? ['', `Files: ${files.map((path) => quotedName(path)).join(', ')}`] : []),
    ...(notes.length > 0 ? ['', ...notes.map((note) => `- ${note}`)] : []),
    '',
  ].join('\n');
}

function hitLines({
  score,
  id,
  kind,
  file,
  lines,
  signature,
  summary,
  why,
  graph_context,
}: SearchHit): string[] {
  const name = kind === 'file' ? '' : `${quotedName(parseId(id)?.name ?? id)} ${kind}, `;
  const reason = why ? ` (${why.join(', ')})` : '';
  const text = signature ?? summary;
  const around = contextText(graph_context);
  return [
    `- ${score.toFixed(2)} ${name}${shownLine(file, 200)}:${lines}${reason}`,
    ...(text === undefined ? [] : [`  ${quotedName(text, SIGNATURE)}`]),
    ...(around === '' ? [] : [`  ${around}`]),
  ];
}

/** Neighbours by how they are joined: ``called by `a`, `b`; calls `c` ``. */
function contextText(around: SearchHit['graph_context']): string {
  const groups = new Map<string, string[]>();
  for (const { relation, id } of around?.related_chunks ?? []) {
    const { name, path } = parseId(id) ?? {};
    append(groups, relation, quotedName(name ?? path ?? id, 60));
  }
  return [...groups].map(([relation, names]) => `${relation} ${names.join(', ')}`).join('; ');
}

/** The row of something found. */
function searchHit(node: CodeNode, { score, why }: FoundCode, graph_context: GraphContext): SearchHit {
  const { id, path: file } = node;
  const summary = firstLine(node.docstring ?? '', SUMMARY);
  const common = {
    ...(summary === '' ? {} : { summary }),
    ...(why.length > 0 ? { why: [...why] } : {}),
    graph_context,
  };
  const rounded = Math.round(score * 1000) / 1000;
  if (isFileRef(node))
    return { score: rounded, id, kind: 'file', file, lines: `1-${node.line_count ?? 1}`, ...common };
  const { kind, subkind, qualified_name, signature, start_line, end_line } = node;
  return {
    score: rounded,
    id,
    kind: subkind ?? kind,
    qualified_name,
    file,
    lines: `${start_line}-${end_line}`,
    ...(signature === '' ? {} : { signature }),
    ...common,
  };
}

function isFileRef(node: CodeNode): node is NodeRef<typeof File> {
  return isA(node.archetype, File);
}
