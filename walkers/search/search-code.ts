import { z } from 'zod';
import { type CypherValue, run } from '../../cypher/index.js';
import {
  type CodeRef,
  codeNodes,
  type FoundCode,
  indexProgress,
  noFilesNotes,
  type Question,
  questionOf,
  type RankedCode,
  rankCode,
  type Selection,
  scopedIds,
  selectionOf,
  shownQuery,
  unfinishedState,
} from '../../graphs/code/index.js';
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
import {
  append,
  CodeSymbol,
  CodewalkError,
  type EdgeType,
  File,
  FileContainsSymbol,
  FileImports,
  fileId,
  LIMITS,
  lastNamePart,
  Project,
  parseId,
  SymbolCallsSymbol,
  SymbolContainsSymbol,
  SymbolExtendsSymbol,
  SymbolImplementsSymbol,
  SymbolMayCallSymbol,
  SymbolOverridesSymbol,
  SymbolReferencesSymbol,
  SymbolTestsSymbol,
} from '../../schema/index.js';
import { isProgramming, isTestPath, languageOf } from '../../source/index.js';
import { queryFields } from '../query/answer.js';
import { type CypherContext, CypherView } from '../query/cypher/cypher-view.js';
import { PREPARED } from '../query/cypher/prepared-slot.js';
import { anyValue } from '../query/cypher/stored-value.js';
import { parametersField } from '../query/parts/cypher-input.js';

/** What stands around a hit in the graph (S1-21 to S1-23): always an object, its lists may be empty. */
const GraphContext = z.object({
  /** Paths that its file imports. */
  imports: z.array(z.string()),
  /** Paths of files that import its file. */
  imported_by: z.array(z.string()),
  /** How a neighbour is joined to it, and the neighbour's id. */
  related_chunks: z.array(z.object({ relation: z.string(), id: z.string() })),
});
type GraphContext = z.infer<typeof GraphContext>;

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

const { neighbours, searchFiles, searchFilterNodes, searchRows } = LIMITS;

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
    const { found: places, files } = tests ? ranked : withoutTests(ranked);
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

function withoutTests({ found, files }: Pick<RankedCode, 'found' | 'files'>) {
  const isTest = (id: string) => parseId(id)?.form === 'test' || isTestPath(parseId(id)?.path ?? '');
  return {
    found: found.filter(({ id }) => !isTest(id)),
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
function unextractedNotes(nodes: readonly CodeRef[]): string[] {
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
function searchHit(node: CodeRef, { score, why }: FoundCode, graph_context: GraphContext): SearchHit {
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

function isFileRef(node: CodeRef): node is NodeRef<typeof File> {
  return isA(node.archetype, File);
}

/** What a structure filter selects. */
interface Filtered {
  /** Ids of the nodes of its first column, each once, in the order of the rows. */
  readonly ids: readonly string[];
  /** What is to be said of it. */
  readonly notes: readonly string[];
}

/** What a search is narrowed to. */
interface Narrowing {
  readonly structure_filter?: string | undefined;
  /** Of the filter. */
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly scope?: string | undefined;
}

/** What a search may find, and what is to be said of it. */
interface Chosen {
  readonly selection: Selection;
  readonly notes: readonly string[];
}

type Look = CypherContext & Pick<ReadContext, 'signal' | 'now' | 'lookUp' | 'q'>;

/**
 * What a search may find; null: everything.
 *
 * @param query What is searched for: a filter sees it as `$query`.
 * @throws CodewalkError As {@link filteredBy} and {@link scopedIds} do.
 */
async function chosenBy(
  context: Look,
  query: string,
  { structure_filter: filter, parameters = {}, scope }: Narrowing,
): Promise<Chosen | null> {
  if (filter === undefined && scope === undefined) return null;
  const given = filter?.includes('$query') ? { query, ...parameters } : parameters;
  const filtered = filter === undefined ? null : await filteredBy(context, filter, given);
  const scoped = scope === undefined ? null : await scopedIds(context, scope, filtered?.ids ?? null);
  const selection = await selectionOf(context, scoped ?? filtered?.ids ?? []);
  return { selection, notes: filtered?.notes ?? [] };
}

/**
 * Runs a read-only Cypher query whose first column holds nodes (S1-19). `$project` is the project's name and `$query`
 * what is searched for; parameters of the caller win over both (S1-25).
 *
 * @throws CodewalkError `INVALID_INPUT` where the first column holds something else; CypherError as the engine does.
 */
async function filteredBy(
  context: CypherContext & Pick<ReadContext, 'signal' | 'now'>,
  filter: string,
  given: Readonly<Record<string, unknown>>,
): Promise<Filtered> {
  const [project] = await context.find(Project);
  const parameters = { project: project?.name ?? '', ...given };
  const view = await CypherView.of(context);
  try {
    const { rows, columns, total, hints, cuts } = await run(context.cached(PREPARED).of(filter), view, {
      parameters: new Map(Object.entries(parameters).map(([name, value]) => [name, anyValue(value)])),
      limit: searchFilterNodes.max,
      get signal() {
        return context.signal;
      },
      now: context.now,
    });
    const ids = new Set<string>();
    for (const [first = null] of rows) if (first !== null) ids.add(idOf(first, filter, columns[0]));
    const left = total.count - rows.length;
    const more =
      left > 0 ? [`The filter gives ${total.count} rows; the first ${rows.length} are searched.`] : [];
    return { ids: [...ids], notes: [...more, ...cuts, ...hints] };
  } finally {
    await view.close();
  }
}

function idOf(value: CypherValue, filter: string, column = 'the first column'): string {
  if (typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'node')
    return String(value.id);
  throw new CodewalkError('INVALID_INPUT', `structure_filter: '${column}' holds something that is no node`, {
    input: filter,
    suggestion: 'Return nodes in the first column: MATCH (f:Function) … RETURN f',
  });
}

/** The kinds of neighbours: the neighbour, as it is seen from the hit. */
const RELATIONS: readonly (readonly [relation: string, edge: EdgeType, direction: 'in' | 'out'])[] = [
  ['called by', SymbolCallsSymbol, 'in'],
  ['calls', SymbolCallsSymbol, 'out'],
  ['tested by', SymbolTestsSymbol, 'in'],
  ['extends', SymbolExtendsSymbol, 'out'],
  ['extended by', SymbolExtendsSymbol, 'in'],
  ['implements', SymbolImplementsSymbol, 'out'],
  ['implemented by', SymbolImplementsSymbol, 'in'],
  ['overrides', SymbolOverridesSymbol, 'out'],
  ['overridden by', SymbolOverridesSymbol, 'in'],
  ['contains', SymbolContainsSymbol, 'out'],
  ['part of', SymbolContainsSymbol, 'in'],
  ['uses', SymbolReferencesSymbol, 'out'],
  ['used by', SymbolReferencesSymbol, 'in'],
  ['may be called by', SymbolMayCallSymbol, 'in'],
];
/** Of a file: what it defines. */
const OF_FILES: typeof RELATIONS = [['contains', FileContainsSymbol, 'out']];
/** Files of each kind that are named before all neighbours have a place. */
const FIRST_FILES = 2;

/** Tells what stands around a file or a symbol: at most `neighbours` of each, by id. Links of a file are looked up once. */
function graphContextOf(context: Pick<ReadContext, 'q'>): (id: string) => Promise<GraphContext> {
  const files = new Map<string, FileLinks>();
  return async (id) => {
    const path = parseId(id)?.path ?? '';
    const links = files.get(path) ?? (await linksOf(context, path));
    files.set(path, links);
    return fitting(links, await relatedOf(context, id));
  };
}

interface FileLinks {
  readonly imports: readonly string[];
  readonly imported_by: readonly string[];
}

async function linksOf({ q }: Pick<ReadContext, 'q'>, path: string): Promise<FileLinks> {
  const file = fileId(path);
  const pathsOf = (found: readonly string[]) => found.flatMap((id) => parseId(id)?.path ?? []);
  return {
    imports: pathsOf(await q(file).out(FileImports).slice(0, neighbours.max).ids()),
    imported_by: pathsOf(await q(file).in(FileImports).slice(0, neighbours.max).ids()),
  };
}

type Related = GraphContext['related_chunks'];

/** Neighbours by turns of each kind, so that none takes all places. */
async function relatedOf({ q }: Pick<ReadContext, 'q'>, id: string): Promise<Related> {
  const kinds: Related[] = [];
  for (const [relation, edge, direction] of parseId(id)?.form === 'file' ? OF_FILES : RELATIONS) {
    const found = await q(id)[direction](edge).slice(0, neighbours.max).ids();
    const known = found.filter((far) => far !== id && parseId(far)?.form !== 'sym');
    if (known.length > 0) kinds.push(known.map((far) => ({ relation, id: far })));
  }
  const related: Related = [];
  const seen = new Set<string>();
  for (let turn = 0; related.length < neighbours.max && kinds.some((kind) => kind.length > turn); turn++)
    for (const kind of kinds) {
      const next = kind[turn];
      if (!next || seen.has(next.id) || related.length === neighbours.max) continue;
      seen.add(next.id);
      related.push(next);
    }
  return related;
}

function fitting(links: FileLinks, related: Related): GraphContext {
  const first = (paths: readonly string[]) => Math.min(paths.length, FIRST_FILES);
  const related_chunks = related.slice(0, neighbours.max - first(links.imports) - first(links.imported_by));
  let left = neighbours.max - related_chunks.length - first(links.imported_by);
  const imports = links.imports.slice(0, left);
  left = neighbours.max - related_chunks.length - imports.length;
  return { imports, imported_by: links.imported_by.slice(0, left), related_chunks };
}
