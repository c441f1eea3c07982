import { z } from 'zod';
import { type MissingState, NOTHING_MISSING, pathField } from '../../graphs/code/index.js';
import { memoriesOfFiles, type Remembered } from '../../graphs/memory/index.js';
import { offsetsOf, pageFields } from '../../present/index.js';
import { defineWalker, type NodeRef, type ReadContext } from '../../runtime/index.js';
import {
  CodeSymbol,
  Concept,
  File,
  FileContainsImport,
  FileContainsSymbol,
  FileMentionsConcept,
  ImportResolvesTo,
  LIMITS,
  parseId,
  SymbolCallsSymbol,
  SymbolExtendsSymbol,
  SymbolImplementsConcept,
  SymbolImplementsSymbol,
  SymbolReferencesSymbol,
  Unresolved,
} from '../../schema/index.js';
import { insideRoot } from '../../source/index.js';
import { cachedAnswers } from '../kept-answers.js';
import { type AskedFile, lookAtFile } from './context/asked-file.js';
import { askedFiles, type MissingFile } from './context/asked-files.js';
import { contextMarkdown } from './context/context-markdown.js';
import { contextPack } from './context/context-pack.js';
import {
  type ConceptRow,
  ContextOutput,
  linkText,
  MAX_LINKS,
  type ReExportRow,
  type Relation,
  type SymbolRow,
  symbolRow,
} from './context/context-rows.js';
import { type AskedRange, focusOf } from './context/focus.js';
import { textOf } from './context/nearness/kept-texts.js';
import { relatedTo } from './context/nearness/related.js';
import { earlierSteps } from './context/steps.js';
import { latestConcepts } from './context/told-concepts.js';

const { contextRadius, contextRanges, contextMemories, packTokens } = LIMITS;

/** Symbols of one file whose neighbours are looked at, and names that it passes on: a generated file has many thousands. */
const MOST_OWN = 1000;
const MOST_RE_EXPORTS = 300;

const line = z.number();
const AskedLines = z.object({ file: z.string(), start_line: line, end_line: line });

/** Which of several relations is the closest: a call is closer than a mention. */
const WEIGHT: Readonly<Record<Relation, number>> = {
  own: 0,
  caller: 1,
  callee: 1,
  base: 0.9,
  derived: 0.9,
  interface: 0.9,
  implementation: 0.9,
  referrer: 0.4,
  referenced: 0.4,
};

/** Making a context compares texts, history and earlier work: asked again of the same graph, it is the same. */
const CACHED_CONTEXTS = cachedAnswers<ContextOutput>('contexts of files');

/** What the walk collects on its way. */
interface State {
  readonly files: AskedFile[];
  /** What an answer follows from, beside the graph. */
  question: string;
  /** The answer, where it is known. */
  answer: ContextOutput | undefined;
  missing: readonly MissingFile[];
  /** What an index run that did not finish has still to write. */
  unwritten: MissingState;
  /** What is remembered of the files: its freshness follows from what is on disk. */
  remembered: Remembered;
  readonly found: Map<string, SymbolRow>;
  readonly concepts: Map<string, ConceptRow>;
  readonly reExports: Map<string, readonly ReExportRow[]>;
  /** By the id of a neighbour: the files' own symbols that lead there. */
  readonly roots: Map<string, Set<string>>;
  unresolved: number;
}

/**
 * The context of files that are about to be edited: their symbols, and within `radius` hops who calls them, what
 * they call, extend and use; concepts; earlier steps that touched them. It walks from each File to its symbols and
 * on along calls, inheritance and references, nearest first.
 */
export const GraphContextForFiles = defineWalker('graph_context_for_files', {
  description:
    'Before editing files: callers, tests, what changes with them, past failures, memories. radius 0: own symbols.',
  input: {
    file_paths: z.array(pathField()).min(1).max(100).describe('Relative to the root'),
    radius: z
      .number()
      .int()
      .min(contextRadius.min)
      .max(contextRadius.max)
      .default(contextRadius.default)
      .meta({ help: 'Hops to neighbour symbols' }),
    ranges: z
      .array(AskedLines)
      .max(contextRanges.max)
      .optional()
      .describe('To change')
      .meta({ help: 'Lines about to change: {"file": "src/auth.ts", "start_line": 3, "end_line": 9}' }),
    symbols: z.array(z.string()).max(contextRanges.max).optional().describe('To change'),
    ...pageFields(packTokens),
  },
  output: ContextOutput,
  state: (): State => ({
    files: [],
    question: '',
    answer: undefined,
    missing: [],
    unwritten: NOTHING_MISSING,
    remembered: { rows: [], count: 0 },
    found: new Map(),
    concepts: new Map(),
    reExports: new Map(),
    roots: new Map(),
    unresolved: 0,
  }),
  examples: [
    { title: 'Before editing one file', input: { file_paths: ['src/auth.ts'] } },
    {
      title: 'Before editing some lines of it',
      input: {
        file_paths: ['src/auth.ts'],
        ranges: [{ file: 'src/auth.ts', start_line: 3, end_line: 9 }],
      },
    },
    { title: 'Only its own symbols', input: { file_paths: ['src/auth.ts'], radius: 0 } },
  ],
  start: async (context) => {
    const { state } = context;
    const { found, missing } = await askedFiles(context, state.file_paths);
    state.missing = missing;
    for (const file of found) {
      const look = await lookAtFile(file, context);
      state.files.push(look.asked);
      state.unwritten = look.missing;
    }
    const paths = state.files.map(({ path }) => path);
    state.remembered = await memoriesOfFiles(context, paths, contextMemories.max);
    const { files, unwritten, remembered, radius, ranges, symbols } = state;
    const offsets = offsetsOf(state.cursor);
    state.question = JSON.stringify({
      ...{ files, missing, unwritten, remembered, radius, offsets, ranges, symbols },
    });
    state.answer = context.cached(CACHED_CONTEXTS).find(context, state.question);
    return state.answer ? null : found;
  },
  on: (w) => [
    w.entry(File, async (here, context) => {
      const { state } = context;
      // A stub has nothing but its id.
      const path = parseId(here.id)?.path ?? here.path;
      const own = await context.q(here).out(FileContainsSymbol).of(CodeSymbol);
      for (const symbol of own) state.found.set(symbol.id, symbolRow(symbol, 0, 'own'));
      for (const { id, label, source } of await context.q(here).out(FileMentionsConcept).of(Concept))
        state.concepts.set(id, { id, label, source, path });
      state.unresolved += await unresolvedCalls([here, ...own], context);
      const passedOn = await reExportsOf(here, path, context);
      if (passedOn.length > 0) state.reExports.set(path, passedOn);
      if (state.radius > 0) await context.visit(await joinedTo(own, context));
    }),
    w.entry(CodeSymbol, async (here, context) => {
      const { state } = context;
      const known = state.found.get(here.id)?.distance ?? 0;
      // What a file's own symbols carry, the file mentions.
      if (known > 0) await collectConcepts(here, context);
      if (known === state.radius) return;
      const distance = known + 1;
      const roots = known === 0 ? [here.id] : (state.roots.get(here.id) ?? []);
      const next: NodeRef[] = [];
      for (const { relation, symbol, line } of await neighboursOf(here, context)) {
        const known = state.found.get(symbol.id);
        if (known?.distance === 0) continue;
        const row = known ?? symbolRow(symbol, distance, relation);
        if (row.distance === distance) join(row, relation, linkText(relation, nameInFile(here), line));
        state.roots.set(symbol.id, new Set([...(state.roots.get(symbol.id) ?? []), ...roots]));
        if (known) continue;
        state.found.set(symbol.id, row);
        next.push(symbol);
      }
      await context.visit(next);
    }),
  ],
  finish: async ({ state, context }) => {
    if (state.answer) return state.answer;
    const { radius, ranges = [], symbols = [] } = state;
    const paths = state.files.map(({ path }) => path);
    const own = [...state.found.values()].filter(({ distance }) => distance === 0);
    const asked = { ranges: ranges.map((range) => inProject(range, context)), symbols };
    const { focus, notes } = focusOf(asked, own, paths, (path) => linesIn(context, path));
    const isIntended = (id: string) =>
      !focus || [...(state.roots.get(id) ?? [])].some((root) => focus.ids.has(root));
    const { rows, count } = await earlierSteps(context, paths);
    const concepts = await latestConcepts(context, [...state.concepts.values()]);
    const [from = 0] = offsetsOf(state.cursor);
    const collected = {
      ...state,
      symbols: [...state.found.values()].filter(({ id, distance }) => distance === 0 || isIntended(id)),
      focus,
      notes,
      related:
        radius > 0
          ? await relatedTo(
              context,
              paths,
              own.map(({ id }) => id),
              focus,
            )
          : null,
      concepts: concepts.rows,
      commitCount: concepts.commits,
      steps: rows,
      stepCount: count,
    };
    const answer = contextPack(collected, radius, { from, revision: context.codeRevision });
    context.cached(CACHED_CONTEXTS).keep(context, state.question, answer);
    return answer;
  },
  markdown: ({ context_pack }) => contextMarkdown(context_pack),
});

/** Lines that were asked for, with a path as the graph has it. */
function inProject(
  { file, start_line, end_line }: z.infer<typeof AskedLines>,
  { projectRoot }: Pick<ReadContext, 'projectRoot'>,
): AskedRange {
  const path = projectRoot === null ? file : insideRoot(projectRoot, file).path;
  return { path, start_line, end_line };
}

/** How many lines a file has now; null where there is no text to read. */
function linesIn({ projectRoot }: Pick<ReadContext, 'projectRoot'>, path: string): number | null {
  const text = projectRoot === null ? '' : textOf(projectRoot, path);
  return text === '' ? null : text.replace(/\n$/, '').split('\n').length;
}

/** The concepts of a neighbour: they follow the radius as symbols do (S3-15). */
async function collectConcepts(
  here: NodeRef<typeof CodeSymbol>,
  { q, state }: Pick<ReadContext<State>, 'q' | 'state'>,
): Promise<void> {
  for (const { id, label, source } of await q(here).out(SymbolImplementsConcept).of(Concept))
    if (!state.concepts.has(id)) state.concepts.set(id, { id, label, source, path: here.path });
}

/** The edges along which the walk goes on. */
const JOINS = [SymbolCallsSymbol, SymbolExtendsSymbol, SymbolImplementsSymbol, SymbolReferencesSymbol];

/** Those of a file's symbols that edges join to others: the rest leads nowhere. The first {@link MOST_OWN}. */
async function joinedTo(
  own: readonly NodeRef<typeof CodeSymbol>[],
  { entries }: Pick<ReadContext, 'entries'>,
): Promise<NodeRef<typeof CodeSymbol>[]> {
  const ids = own.map(({ id }) => id);
  const inside = new Set(ids);
  const joined = new Set<number>();
  for (const type of JOINS)
    for (const way of ['in', 'out'] as const)
      for (const [at, found] of (await entries(ids, way, type)).entries())
        if (found.some(({ far }) => !inside.has(far))) joined.add(at);
  return own.filter((_, at) => joined.has(at)).slice(0, MOST_OWN);
}

/** What a file passes on from others: what a barrel or a package's `__init__.py` is for. In other files of Python a name that is imported is merely used. */
async function reExportsOf(
  here: NodeRef<typeof File>,
  path: string,
  { q }: Pick<ReadContext, 'q'>,
): Promise<ReExportRow[]> {
  if (path.endsWith('.py') && !path.endsWith('__init__.py')) return [];
  const edges = await q(here).out(FileContainsImport).out(ImportResolvesTo).slice(0, MOST_RE_EXPORTS).edges();
  return edges.flatMap(({ to, exported_as }) => {
    const from = parseId(to)?.path;
    return from ? exported_as.map((name) => ({ name, id: to, path: from })) : [];
  });
}

/** Calls that lead out of the project or to nothing known. */
async function unresolvedCalls(from: readonly NodeRef[], { q }: Pick<ReadContext, 'q'>): Promise<number> {
  return (await q(from).out(SymbolCallsSymbol).of(Unresolved).edges()).length;
}

/** A neighbour, with the place of the edge that leads to it. */
interface Neighbour {
  readonly relation: Relation;
  readonly symbol: NodeRef<typeof CodeSymbol>;
  readonly line: number;
}

async function neighboursOf(
  here: NodeRef<typeof CodeSymbol>,
  { q }: Pick<ReadContext, 'q'>,
): Promise<Neighbour[]> {
  const paths = [
    ['caller', q(here).in(SymbolCallsSymbol)],
    ['callee', q(here).out(SymbolCallsSymbol)],
    ['derived', q(here).in(SymbolExtendsSymbol)],
    ['base', q(here).out(SymbolExtendsSymbol)],
    ['implementation', q(here).in(SymbolImplementsSymbol)],
    ['interface', q(here).out(SymbolImplementsSymbol)],
    ['referrer', q(here).in(SymbolReferencesSymbol)],
    ['referenced', q(here).out(SymbolReferencesSymbol)],
  ] as const;
  const found: Neighbour[] = [];
  for (const [relation, path] of paths) {
    const symbols = await path.of(CodeSymbol);
    if (symbols.length === 0) continue;
    const lines = new Map<string, number>();
    for (const { from, to, line } of await path.of(CodeSymbol).edges())
      lines.set(from === here.id ? to : from, line);
    for (const symbol of symbols)
      found.push({ relation, symbol, line: lines.get(symbol.id) ?? symbol.start_line });
  }
  return found;
}

/** Adds a link to a row; the closest relation is the row's own. */
function join(row: SymbolRow, relation: Relation, link: string): void {
  row.links ??= [];
  if (row.links.length < MAX_LINKS) row.links.push(link);
  if (WEIGHT[relation] > WEIGHT[row.relation]) row.relation = relation;
}

/** `Auth.login`: what tells a symbol apart within its file. */
function nameInFile({ id, name }: NodeRef<typeof CodeSymbol>): string {
  return parseId(id)?.name ?? name;
}
