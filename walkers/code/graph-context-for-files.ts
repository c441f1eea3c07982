import { z } from 'zod';
import {
  type AskedRange,
  changeSinceIndexed,
  focusOf,
  latestConcepts,
  type MissingState,
  NOTHING_MISSING,
  PROGRESS_MARK,
  pathField,
  readProgress,
  readState,
  relatedTo,
  stateName,
  textOf,
  unfinishedState,
} from '../../graphs/code/index.js';
import { memoriesOfFiles, type Remembered } from '../../graphs/memory/index.js';
import { offsetsOf, pageFields, shownLine } from '../../present/index.js';
import { compareText, defineWalker, type NodeRef, type ReadContext } from '../../runtime/index.js';
import {
  CodeSymbol,
  Concept,
  ErrorResolvedByStep,
  File,
  FileContainsImport,
  FileContainsSymbol,
  FileMentionsConcept,
  fileId,
  ImportResolvesTo,
  LIMITS,
  parseId,
  Step,
  StepHasError,
  StepInvokesTool,
  SymbolCallsSymbol,
  SymbolExtendsSymbol,
  SymbolImplementsConcept,
  SymbolImplementsSymbol,
  SymbolReferencesSymbol,
  Task,
  TaskHasStep,
  ToolTouchesFile,
  TraceError,
  Unresolved,
} from '../../schema/index.js';
import { insideRoot, languageOf } from '../../source/index.js';
import { askedFiles, type MissingFile } from '../asked-files.js';
import { cachedAnswers } from '../kept-answers.js';
import {
  type AskedFile,
  type ConceptRow,
  ContextOutput,
  contextAnswer,
  contextMarkdown,
  RELATIONS,
  type ReExportRow,
  type Relation,
  type StepRow,
  type SymbolRow,
} from './context-pack.js';

const { contextRadius, contextRanges, contextMemories, contextSteps, packTokens } = LIMITS;

/** Symbols of one file whose neighbours are looked at, and names that it passes on: a generated file has many thousands. */
const MOST_OWN = 1000;
const MOST_RE_EXPORTS = 300;
/** Links that one row shows. */
const MOST_LINKS = 8;
/** Characters of a prompt, a summary or a message: enough to know whether to ask for more. */
const SHOWN = 160;
/** Failures of one step that are shown. */
const MOST_ERRORS = 3;

const line = z.number();
const AskedLines = z.object({ file: z.string(), start_line: line, end_line: line });

/** Making a context compares texts, git history and earlier work: asked again of the same graph, it is the same. */
const CACHED_CONTEXTS = cachedAnswers<ContextOutput>('contexts of files');

/** What the walk collects on its way. */
interface State {
  readonly files: AskedFile[];
  /** What an answer follows from, apart from the graph. */
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
 * The context of files that are about to be edited: their symbols, and within `radius` hops who calls them, what they
 * call, extend and use; concepts; earlier steps that touched them. It walks from each File to its symbols and on along
 * calls, inheritance and references, nearest first.
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
    const progress = readProgress((await context.blobs([PROGRESS_MARK]))[0]);
    if (progress) state.unwritten = unfinishedState(progress);
    for (const file of found) state.files.push(await lookAtFile(context, file, state.unwritten));
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
      const { state, q } = context;
      // A stub has nothing but its id.
      const path = parseId(here.id)?.path ?? here.path;
      const own = await q(here).out(FileContainsSymbol).of(CodeSymbol);
      for (const symbol of own) state.found.set(symbol.id, symbolRow(symbol, 0, 'own'));
      for (const { id, label, source } of await q(here).out(FileMentionsConcept).of(Concept))
        state.concepts.set(id, { id, label, source, path });
      // Calls that lead out of the project or to nothing known.
      const calls = q([here, ...own])
        .out(SymbolCallsSymbol)
        .of(Unresolved);
      state.unresolved += (await calls.edges()).length;
      const passedOn = await reExportsOf(context, here, path);
      if (passedOn.length > 0) state.reExports.set(path, passedOn);
      if (state.radius > 0) await context.visit(await joinedTo(context, own));
    }),
    w.entry(CodeSymbol, async (here, context) => {
      const { state, q } = context;
      const known = state.found.get(here.id)?.distance ?? 0;
      // What a file's own symbols carry, the file mentions; of neighbours they follow the radius (S3-15).
      if (known > 0)
        for (const { id, label, source } of await q(here).out(SymbolImplementsConcept).of(Concept))
          if (!state.concepts.has(id)) state.concepts.set(id, { id, label, source, path: here.path });
      if (known === state.radius) return;
      const distance = known + 1;
      const roots = known === 0 ? [here.id] : (state.roots.get(here.id) ?? []);
      const next: NodeRef[] = [];
      for (const { relation, symbol, line } of await neighboursOf(context, here)) {
        const known = state.found.get(symbol.id);
        if (known?.distance === 0) continue;
        const row = known ?? symbolRow(symbol, distance, relation);
        const [phrase, weight] = RELATIONS[relation];
        if (row.distance === distance) {
          row.links ??= [];
          if (row.links.length < MOST_LINKS)
            row.links.push(`${phrase} ${parseId(here.id)?.name ?? here.name} at ${line}`);
          if (weight > RELATIONS[row.relation][1]) row.relation = relation;
        }
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
    const { projectRoot: root } = context;
    const paths = state.files.map(({ path }) => path);
    const own = [...state.found.values()].filter(({ distance }) => distance === 0);
    const asked = ranges.map(
      ({ file, start_line, end_line }): AskedRange => ({
        path: root === null ? file : insideRoot(root, file).path,
        start_line,
        end_line,
      }),
    );
    const linesIn = (path: string) => {
      const text = root === null ? '' : textOf(root, path);
      return text === '' ? null : text.replace(/\n$/, '').split('\n').length;
    };
    const { focus, notes } = focusOf({ ranges: asked, symbols }, own, paths, linesIn);
    const isIntended = ({ id, distance }: SymbolRow) =>
      !focus || distance === 0 || [...(state.roots.get(id) ?? [])].some((root) => focus.ids.has(root));
    const edited = { paths, own: own.map(({ id }) => id), focus };
    const collected = {
      ...state,
      ...(await latestConcepts(context, [...state.concepts.values()])),
      ...(await earlierSteps(context, paths)),
      ...{ focus, notes },
      symbols: [...state.found.values()].filter(isIntended),
      related: radius > 0 ? await relatedTo(context, edited) : null,
    };
    const answer = contextAnswer(collected, offsetsOf(state.cursor)[0] ?? 0, context.codeRevision);
    context.cached(CACHED_CONTEXTS).keep(context, state.question, answer);
    return answer;
  },
  markdown: ({ context_pack }) => contextMarkdown(context_pack),
});

/** What is known of a file that was asked for. */
async function lookAtFile(
  { blobs, projectRoot }: ReadContext,
  file: NodeRef<typeof File>,
  unwritten: MissingState,
): Promise<AskedFile> {
  const { language, extracted } = file;
  if (file.gone) return { path: parseId(file.id)?.path ?? file.id, language, standing: 'gone', change: null };
  const { path } = file;
  const change = changeSinceIndexed(file, projectRoot);
  if (!extracted && languageOf(path) === null) return { path, language, standing: 'other-language', change };
  const [state] = await blobs([stateName(path)]);
  const isWaiting = unwritten !== NOTHING_MISSING && !readState(state)?.part;
  const known = extracted ? 'extracted' : 'not-extracted';
  return { path, language, standing: isWaiting ? 'waiting' : known, change };
}

/** Those of a file's symbols that edges join to others: the rest leads nowhere. The first {@link MOST_OWN}. */
async function joinedTo(
  { entries }: ReadContext,
  own: readonly NodeRef<typeof CodeSymbol>[],
): Promise<NodeRef<typeof CodeSymbol>[]> {
  const ids = own.map(({ id }) => id);
  const inside = new Set(ids);
  const joined = new Set<number>();
  for (const [, way, type] of JOINS)
    for (const [at, found] of (await entries(ids, way, type)).entries())
      if (found.some(({ far }) => !inside.has(far))) joined.add(at);
  return own.filter((_, at) => joined.has(at)).slice(0, MOST_OWN);
}

/** What a file passes on from others, as a barrel or a package's `__init__.py` does. In other files of Python an imported name is merely used. */
async function reExportsOf(
  { q }: ReadContext,
  here: NodeRef<typeof File>,
  path: string,
): Promise<ReExportRow[]> {
  if (path.endsWith('.py') && !path.endsWith('__init__.py')) return [];
  const edges = await q(here).out(FileContainsImport).out(ImportResolvesTo).slice(0, MOST_RE_EXPORTS).edges();
  return edges.flatMap(({ to, exported_as }) => {
    const from = parseId(to)?.path;
    return from ? exported_as.map((name) => ({ name, id: to, path: from })) : [];
  });
}

/** The edges along which the walk goes on, and what each makes of the symbol at its far end. */
const JOINS = [
  ['caller', 'in', SymbolCallsSymbol],
  ['callee', 'out', SymbolCallsSymbol],
  ['derived', 'in', SymbolExtendsSymbol],
  ['base', 'out', SymbolExtendsSymbol],
  ['implementation', 'in', SymbolImplementsSymbol],
  ['interface', 'out', SymbolImplementsSymbol],
  ['referrer', 'in', SymbolReferencesSymbol],
  ['referenced', 'out', SymbolReferencesSymbol],
] as const;

interface Neighbour {
  readonly relation: Relation;
  readonly symbol: NodeRef<typeof CodeSymbol>;
  /** Of the edge that leads to it. */
  readonly line: number;
}

async function neighboursOf({ q }: ReadContext, here: NodeRef<typeof CodeSymbol>): Promise<Neighbour[]> {
  const found: Neighbour[] = [];
  for (const [relation, way, type] of JOINS) {
    const path = (way === 'in' ? q(here).in(type) : q(here).out(type)).of(CodeSymbol);
    const symbols = await path;
    if (symbols.length === 0) continue;
    const lines = new Map<string, number>();
    for (const { from, to, line } of await path.edges()) lines.set(from === here.id ? to : from, line);
    for (const symbol of symbols)
      found.push({ relation, symbol, line: lines.get(symbol.id) ?? symbol.start_line });
  }
  return found;
}

/** A symbol as a row. The docstring's first line is enough to know what it is for. */
function symbolRow(node: NodeRef<typeof CodeSymbol>, distance: number, relation: Relation): SymbolRow {
  return {
    id: node.id,
    name: node.name,
    kind: node.subkind ?? node.kind,
    qualified_name: node.qualified_name,
    path: node.path,
    start_line: node.start_line,
    end_line: node.end_line,
    signature: node.signature,
    docstring: node.docstring?.split('\n', 1)[0] ?? null,
    distance,
    relation,
  };
}

/** The steps of earlier tasks that touched files, the latest first, and how many there are. */
async function earlierSteps(
  { q }: ReadContext,
  paths: readonly string[],
): Promise<{ steps: StepRow[]; stepCount: number }> {
  const touched = new Map<string, { step: NodeRef<typeof Step>; path: string }>();
  for (const path of paths)
    for (const step of await q(fileId(path)).in(ToolTouchesFile).in(StepInvokesTool).of(Step))
      if (!touched.has(step.id)) touched.set(step.id, { step, path });
  const latest = [...touched.values()].sort(
    ({ step: a }, { step: b }) =>
      compareText(b.started_at ?? '', a.started_at ?? '') || b.order - a.order || compareText(a.id, b.id),
  );
  const steps: StepRow[] = [];
  for (const { step, path } of latest.slice(0, contextSteps.max)) {
    const { id, order, role, started_at, llm_summary } = step;
    const [task] = await q(step).in(TaskHasStep).of(Task);
    const errors = await q(step).out(StepHasError).of(TraceError);
    const resolving = await q(step).out(StepHasError).out(ErrorResolvedByStep).of(Step);
    // A step that resolved its own error says nothing new of itself.
    const fixing = resolving.find((one) => one.id !== id);
    steps.push({
      ...{ id, order, role, summary: shownLine(llm_summary, SHOWN), path, started_at },
      task: task ? { id: task.id, prompt: shownLine(task.user_prompt, SHOWN), status: task.status } : null,
      errors: errors
        .slice(0, MOST_ERRORS)
        .map(({ error_type, message }) => ({ type: error_type, message: shownLine(message, SHOWN) })),
      resolved_by: fixing ? { id: fixing.id, summary: shownLine(fixing.llm_summary, SHOWN) } : null,
    });
  }
  return { steps, stepCount: touched.size };
}
