import { z } from 'zod';
import type { CypherValue } from '../../cypher/index.js';
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
import { runCypher } from '../../graphs/cypher/index.js';
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
import { parametersField } from '../query/parts/cypher-input.js';

/** What stands around a hit in the graph (S1-21 to S1-23): always an object, its lists may be empty. */
const GraphContext = z.object({
  /** Paths that its file imports. */
  imports: z.array(z.string()),
  /** Paths of files that import its file. */
  imported_by: z.array(z.string()),
  /** How a neighbour is joined to it, and the neighbour's id. */
  related_chunks: z.array(z.object({ relation: z.string(), id: z.string() })),
  /** How many more there are, by relation, `imports` or `imported_by`; absent where all are named. */
  more: z.record(z.string(), z.number().int()).optional(),
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
  /** What speaks for it apart from its words. */
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
  run: async (_here, context) => {
    const progress = unfinishedState(await indexProgress(context));
    const { state } = context;
    const [from = 0] = offsetsOf(state.cursor);
    const question = questionOf(state.query);
    const chosen = await selectionBy(context, question.text, state);
    const ranked = await rankCode(context, question, chosen?.selection ?? null);
    const isShown = (path: string, id = '') =>
      state.tests || !(parseId(id)?.form === 'test' || isTestPath(path));
    const files = ranked.files.filter((path) => isShown(path));
    const fitting = ranked.found.filter(({ id }) => isShown(parseId(id)?.path ?? '', id));
    const found = await exactFirst(context, question.text, fitting);
    const shown = found.slice(from, from + state.limit);
    const shownIds = shown.map(({ id }) => id);
    const nodes = await codeNodes(context, shownIds);
    const around = await graphContexts(context, [...nodes.keys()]);
    const notes = [
      ...question.notes,
      ...(chosen?.notes ?? []),
      ...(found.length === 0 ? await noFilesNotes(context) : []),
      ...(await unknownNameNotes(context, question, found.length > 0)),
      ...unextractedNotes([...nodes.values()]),
      ...(chosen && found.length === 0
        ? [`${chosen.selection.ids.size} candidates; none has a word of the query.`]
        : []),
    ];
    const output = {
      query: shownQuery(question.text),
      files: files.slice(0, searchFiles.max),
      ...(chosen ? { candidates: chosen.selection.ids.size } : {}),
      notes,
      hits: shown.flatMap((one) => {
        const node = nodes.get(one.id);
        return node ? [searchHit(node, one, around.get(one.id) ?? null)] : [];
      }),
      state: { pending: progress.pending, cut: [...progress.cut, ...ranked.notes] },
    };
    return presented(
      draftBy(output, {
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
      }),
    );
  },
  markdown: searchMarkdown,
});

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

/** Neighbours by how they are joined: ``called by `a`, `b` and 3 more; calls `c` ``. */
function contextText(around: SearchHit['graph_context']): string {
  const groups = new Map<string, string[]>();
  for (const { relation, id } of around?.related_chunks ?? []) {
    const { name, path } = parseId(id) ?? {};
    append(groups, relation, quotedName(name ?? path ?? id, 60));
  }
  const moreOf = (relation: string) => {
    const more = around?.more?.[relation];
    return more === undefined ? '' : ` and ${more} more`;
  };
  return [...groups]
    .map(([relation, names]) => `${relation} ${names.join(', ')}${moreOf(relation)}`)
    .join('; ');
}

/** The row of something found. */
function searchHit(node: CodeRef, { score, why }: FoundCode, graph_context: GraphContext | null): SearchHit {
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

/**
 * What a search may find, and what is to be said of it; null: everything. The structure filter is a read-only Cypher query
 * whose first column holds nodes (S1-19). `$project` is the project's name and `$query` what is searched for; parameters of
 * the caller win over both (S1-25).
 *
 * @throws CodewalkError `INVALID_INPUT` where the first column holds something else, and as {@link scopedIds} does;
 *   CypherError as the engine does.
 */
async function selectionBy(
  context: ReadContext,
  query: string,
  input: {
    readonly structure_filter?: string | undefined;
    readonly parameters: Readonly<Record<string, unknown>>;
    readonly scope?: string | undefined;
  },
): Promise<{ readonly selection: Selection; readonly notes: readonly string[] } | null> {
  const { structure_filter: filter, parameters, scope } = input;
  if (filter === undefined) {
    if (scope === undefined) return null;
    return { selection: await selectionOf(context, await scopedIds(context, scope, null)), notes: [] };
  }
  const [project] = await context.find(Project);
  const given = {
    project: project?.name ?? '',
    ...(filter.includes('$query') ? { query } : {}),
    ...parameters,
  };
  const { rows, columns, total, hints, cuts } = await runCypher(context, filter, given, {
    limit: searchFilterNodes.max,
    signal: context.signal,
    now: context.now,
  });
  const first = rows.map(([value = null]) => value).filter((value) => value !== null);
  const ids = [...new Set(first.map((value) => idOf(value, filter, columns[0])))];
  const within = scope === undefined ? ids : await scopedIds(context, scope, ids);
  const more = `The filter gives ${total.count} rows; the first ${rows.length} are searched.`;
  return {
    selection: await selectionOf(context, within),
    notes: [...(total.count > rows.length ? [more] : []), ...cuts, ...hints],
  };
}

function idOf(value: CypherValue, filter: string, column = 'the first column'): string {
  if (typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'node')
    return String(value.id);
  throw new CodewalkError('INVALID_INPUT', `structure_filter: '${column}' holds something that is no node`, {
    input: filter,
    suggestion: 'Return nodes in the first column: MATCH (f:Function) … RETURN f',
  });
}

/** The kinds of neighbours of a symbol: the neighbour, as it is seen from the hit. */
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

/** What stands around files and symbols, by id: at most `neighbours` of each. */
async function graphContexts(
  { entries }: Pick<ReadContext, 'entries'>,
  ids: readonly string[],
): Promise<Map<string, GraphContext>> {
  const far = async (near: readonly string[], edge: EdgeType, direction: 'in' | 'out') =>
    (await entries(near, direction, edge)).map((all) => [...new Set(all.map((entry) => entry.far))]);
  const files = ids.map((id) => fileId(parseId(id)?.path ?? ''));
  const pathsOf = async (direction: 'in' | 'out') =>
    (await far(files, FileImports, direction)).map((all) => all.flatMap((id) => parseId(id)?.path ?? []));
  const [imports, importedBy] = [await pathsOf('out'), await pathsOf('in')];
  const kinds = new Map(ids.map((id): [string, Kind[]] => [id, []]));
  for (const relations of [RELATIONS, OF_FILES]) {
    const near = ids.filter((id, at) => (id === files[at]) === (relations === OF_FILES));
    for (const [relation, edge, direction] of relations)
      for (const [at, all] of (await far(near, edge, direction)).entries()) {
        const id = near[at] ?? '';
        const known = all.filter((one) => one !== id && parseId(one)?.form !== 'sym');
        if (known.length > 0) kinds.get(id)?.push({ relation, ids: known });
      }
  }
  return new Map(
    ids.map((id, at) => [id, fitting(imports[at] ?? [], importedBy[at] ?? [], kinds.get(id) ?? [])]),
  );
}

/** All neighbours of one kind. */
type Kind = { readonly relation: string; readonly ids: readonly string[] };

/** Neighbours by turns of each kind, so that none takes all places; each once. */
function byTurns(kinds: readonly Kind[]): GraphContext['related_chunks'] {
  const related = new Map<string, GraphContext['related_chunks'][number]>();
  for (let turn = 0; turn < neighbours.max; turn++)
    for (const { relation, ids } of kinds) {
      const id = ids[turn];
      if (id !== undefined && !related.has(id)) related.set(id, { relation, id });
    }
  return [...related.values()].slice(0, neighbours.max);
}

function fitting(
  imports: readonly string[],
  importedBy: readonly string[],
  kinds: readonly Kind[],
): GraphContext {
  const [first, firstBy] = [imports, importedBy].map((paths) => Math.min(paths.length, FIRST_FILES));
  const files = (first ?? 0) + (firstBy ?? 0);
  const related_chunks = byTurns(kinds).slice(0, neighbours.max - files);
  const left = neighbours.max - related_chunks.length;
  const shown = imports.slice(0, left - (firstBy ?? 0));
  const imported_by = importedBy.slice(0, left - shown.length);
  const named = new Set(related_chunks.map(({ id }) => id));
  const counts: readonly (readonly [string, number])[] = [
    ['imports', imports.length - shown.length],
    ['imported_by', importedBy.length - imported_by.length],
    ...kinds.map(({ relation, ids }) => [relation, ids.filter((id) => !named.has(id)).length] as const),
  ];
  const more = counts.filter(([, count]) => count > 0);
  return {
    imports: shown,
    imported_by,
    related_chunks,
    ...(more.length > 0 ? { more: Object.fromEntries(more) } : {}),
  };
}
