import { z } from 'zod';
import { memoriesAbout, rememberedLine } from '../../graphs/memory/index.js';
import { placesIn, toolUse, usageOf } from '../../graphs/trace/index.js';
import { cutText, type Draft, draftBy, pageFields, presented, stripHidden } from '../../present/index.js';
import { defineWalker, type NodeRef, type ReadContext } from '../../runtime/index.js';
import {
  CodeSymbol,
  ErrorResolvedByStep,
  File,
  FileContainsSymbol,
  fileId,
  LIMITS,
  Step,
  StepHasError,
  StepInvokesTool,
  SymbolCallsSymbol,
  SymbolContainsSymbol,
  SymbolMayCallSymbol,
  SymbolTestsSymbol,
  Task,
  TaskHasStep,
  ToolInvocation,
  ToolTouchesFile,
  ToolTouchesSymbol,
  TraceError,
} from '../../schema/index.js';
import { indexProgress, unfinishedState } from '../code/index-progress.js';
import { isConstructorId } from '../constructors.js';
import { findTaskOrErrors } from './find-traced.js';
import { ImpactFound } from './impact/impact-found.js';
import { impactMarkdown } from './impact/impact-markdown.js';
import { impactOf } from './impact/impact-of.js';
import { ImpactOutput } from './impact/impact-rows.js';

/** Characters of a message and of an output that are looked through, and paths in them that are looked up. */
const LOOKED_AT = 10_000;
const MOST_PATHS = 30;
/** A path as compilers, runners and stack traces write it: with an ending; line and column stand behind it. */
const PATHS =
  /(?<![\p{L}\p{N}_@.~+/\\-])(?:[A-Za-z]:)?[\p{L}\p{N}_@.~+/\\-]*[\p{L}\p{N}_~+-]\.\p{L}[\p{L}\p{N}]{0,7}(?![\p{L}\p{N}_/\\-]|\.[\p{L}\p{N}])/gu;

/**
 * The files of the project that an error names, in its message or its output: by their path from the root, by the
 * absolute one, or from a folder within (a package's own), where only one file is meant by that.
 */
export async function filesNamedBy(
  { message, raw_log_excerpt }: Pick<NodeRef<typeof TraceError>, 'message' | 'raw_log_excerpt'>,
  { find, nodesOf, projectRoot }: Pick<ReadContext, 'find' | 'nodesOf' | 'projectRoot'>,
): Promise<NodeRef<typeof File>[]> {
  const said = [message, raw_log_excerpt].map((text) => stripHidden(text.slice(0, LOOKED_AT))).join('\n');
  const written = [...new Set([...said.matchAll(PATHS)].map(([path]) => path))].slice(0, MOST_PATHS);
  const placeOf = placesIn(projectRoot);
  const found = new Map<string, NodeRef<typeof File>>();
  for (const path of written) {
    const place = placeOf(path);
    const [file] = place === null ? [] : await nodesOf(File, [fileId(place)]);
    const named = file && !file.gone ? [file] : await filesEndingIn(path, find);
    const [only] = named;
    if (only && named.length === 1) found.set(only.id, only);
  }
  return [...found.values()];
}

async function filesEndingIn(path: string, find: ReadContext['find']): Promise<NodeRef<typeof File>[]> {
  const parts = path.split(/[\\/]/u).filter((part) => part !== '' && part !== '.');
  // A name alone is of many files, and of things that are no files.
  if (parts.length < 2 || /^(?:[\\/]|[A-Za-z]:)/u.test(path)) return [];
  const end = `/${parts.join('/')}`;
  return (await find(File, { name: parts.at(-1) ?? '' })).filter((file) => file.path.endsWith(end));
}

/** The lists of an answer; rows of the last one fall first, and rows stay of each as long as more are in others. */
const LISTS = ['errors', 'tasks', 'symbols', 'tests', 'callers', 'files', 'steps', 'memories'] as const;

/** Of these the last ones tell how it stands. */
const BY_TIME: ReadonlySet<string> = new Set(['errors', 'steps']);

/** Rows of each list that stay until all others have no more. */
const LEAST = 2;

/** Characters that texts, and ids that lists inside rows, keep where they do not fit as they are. */
const SIZES = [
  { text: 80, ids: 5 },
  { text: 40, ids: 1 },
] as const;

const { callersDepth, impactRows, packTokens } = LIMITS;

/**
 * One walk through the joined graph: from a task or from errors to the steps, along the tools that these used to the
 * files, into the code graph to the symbols, and against the calls to whoever would notice. An ability per archetype
 * says where it goes on from there.
 */
export const TraceImpact = defineWalker('trace_impact', {
  description:
    'What a task or an error touched, and who would notice: its steps, the files and symbols they worked on, the callers and tests of those. Look before you mend an old failure again.',
  input: {
    from: z
      .string()
      .trim()
      .min(1)
      .describe('Id of a task or an error, its beginning, or what the error said'),
    max_depth: z
      .number()
      .int()
      .min(callersDepth.min)
      .max(callersDepth.max)
      .default(callersDepth.default)
      .describe('Callers so many calls away'),
    limit: z
      .number()
      .int()
      .min(impactRows.min)
      .max(impactRows.max)
      .default(impactRows.default)
      .describe('Rows of each list'),
    ...pageFields(packTokens),
  },
  output: ImpactOutput,
  state: () => ({ found: new ImpactFound() }),
  examples: [
    { title: 'What a task touched', input: { from: 'task:0uc8nvlsu9' } },
    { title: 'Where a failure leads to', input: { from: 'TypeError: Cannot read properties of undefined' } },
  ],
  start: async (context) => {
    await indexProgress(context);
    return [...(await findTaskOrErrors(context, context.state.from))];
  },
  on: (w) => [
    w.entry(Task, async (task, { state: { found }, q, visit }) => {
      found.enters(task);
      found.tasks.set(task.id, task);
      await visit(q(task).out(TaskHasStep).of(Step));
    }),
    w.entry(TraceError, async (error, context) => {
      const { found } = context.state;
      const { q, visit } = context;
      if (!found.enters(error)) return;
      found.errors.set(error.id, error);
      const met = await q(error).in(StepHasError).of(Step);
      await visit(met);
      await visit(q(error).out(ErrorResolvedByStep).of(Step));
      const named = await filesNamedBy(error, context);
      const fresh = named.filter(({ id }) => !found.files.has(id));
      for (const { id } of named) for (const step of met) found.touch(id, 'named', step.id);
      await visit(fresh);
    }),
    w.entry(Step, async (step, { state: { found }, q, visit }) => {
      if (!found.enters(step)) return;
      const [task] = await q(step).in(TaskHasStep).of(Task);
      if (task) found.tasks.set(task.id, task);
      const met = await q(step).out(StepHasError).ids();
      const mended = await q(step).in(ErrorResolvedByStep).ids();
      found.steps.set(step.id, { step, task: task?.id ?? '', met, mended });
      if (task && found.has(task)) await visit(q(step).out(StepHasError).of(TraceError));
      await visit(q(step).out(StepInvokesTool).of(ToolInvocation));
    }),
    w.entry(ToolInvocation, async (tool, { state: { found }, q, visit }) => {
      if (!found.enters(tool)) return;
      const [step = ''] = await q(tool).in(StepInvokesTool).ids();
      for (const { to, use } of await q(tool).out(ToolTouchesFile).edges())
        found.touch(to, use ?? usedAs(tool), step);
      const symbols = (await q(tool).out(ToolTouchesSymbol).of(CodeSymbol)).filter(({ gone }) => !gone);
      for (const { id } of symbols) found.touched.set(id, true);
      await visit(q(tool).out(ToolTouchesFile).of(File));
      await visit(symbols);
    }),
    w.entry(File, async (file, { state: { found }, q, visit }) => {
      if (file.gone) return;
      if (found.waits(file)) return void (await visit(file));
      if (!found.enters(file)) return;
      found.code.set(file.id, file);
      const touched = found.files.get(file.id);
      if (!touched) return;
      touched.node = file;
      if (found.namesPartOf(file.path) || !found.isWorkedOn(file.id)) return;
      const symbols = await q(file).out(FileContainsSymbol).of(CodeSymbol);
      for (const { id } of symbols) if (!found.touched.has(id)) found.touched.set(id, false);
      await visit(symbols);
    }),
    w.entry(CodeSymbol, async (symbol, { state, q, visit }) => {
      const { found, max_depth } = state;
      if (symbol.gone || !found.enters(symbol)) return;
      found.code.set(symbol.id, symbol);
      const distance = found.distanceOf(symbol.id);
      if (distance === undefined) return;
      if (distance === 0) found.candidates += (await q(symbol).in(SymbolMayCallSymbol).ids()).length;
      // What exercises a constructor is said to exercise its class.
      const made = isConstructorId(symbol.id) ? await q(symbol).in(SymbolContainsSymbol).ids() : [];
      const tests = q([symbol.id, ...made]).in(SymbolTestsSymbol);
      for (const edge of await tests.edges()) found.testedBy({ ...edge, to: symbol.id }, distance);
      await visit(tests);
      const callers = q(symbol).in(SymbolCallsSymbol);
      const calling = (await callers.of(CodeSymbol)).filter(({ kind }) => kind === 'test');
      for (const { id } of calling)
        found.testedBy({ from: id, to: symbol.id, via: 'call', distance: 1 }, distance);
      await visit(calling);
      if (distance >= max_depth) return;
      for (const id of await callers.ids()) found.calledBy(id, symbol.id, distance + 1);
      await visit(callers);
    }),
  ],
  finish: async ({ state, context }) =>
    presented(impactDraft(await impactFor(state.found, context), state.limit)),
  markdown: impactMarkdown,
});

/** What a walk found, as the answer of `trace_impact` before any cut. */
export async function impactFor(found: ImpactFound, context: ReadContext) {
  const progress = unfinishedState(await indexProgress(context));
  const of = [found.tasks, found.errors, found.files, found.touched].flatMap((all) => [...all.keys()]);
  const { rows: memories } = await memoriesAbout(context, of, impactRows.max);
  const impact = impactOf(found, memories.map(rememberedLine));
  return { ...impact, state: { ...progress, unresolved: found.candidates } };
}

/** The draft of an impact (P-02): texts and inner lists shrink before rows fall. @param most Rows of each list on a page. */
function impactDraft<O extends ImpactOutput>(whole: O, most: number): Draft<O> {
  return draftBy(whole, {
    limit: LIMITS.packTokens,
    lists: LISTS.map((at) => ({ at, what: at, most, least: LEAST, latest: BY_TIME.has(at) })),
    less: SIZES.map(({ text, ids }) => ({
      what: 'Texts and lists of ids',
      shorter: (output: O) => shortened(output, text, ids),
    })),
  });
}

function shortened<O extends ImpactOutput>(output: O, text: number, ids: number): O {
  const { tasks, errors, steps, files, callers, tests, memories } = output;
  return {
    ...output,
    tasks: tasks.map((row) => ({ ...row, prompt: cutText(row.prompt, text) })),
    errors: errors.map((row) => ({
      ...row,
      message: cutText(row.message, text),
      fingerprint: row.fingerprint && cutText(row.fingerprint, text),
    })),
    steps: steps.map((row) => ({ ...row, summary: cutText(row.summary, text) })),
    files: files.map((row) => ({ ...row, step_ids: row.step_ids.slice(0, ids) })),
    callers: callers.map((row) => ({ ...row, calls: row.calls.slice(0, ids) })),
    tests: tests.map((row) => ({ ...row, tests: row.tests.slice(0, ids) })),
    memories: memories.map((line) => cutText(line, 2 * text)),
  };
}

/** How a tool used its files; null for an edit that failed, which changed nothing. */
function usedAs(tool: NodeRef<typeof ToolInvocation>): 'read' | 'write' | null {
  const usage = usageOf(tool.tool_name, toolUse(tool.params_json));
  return usage === 'write' && tool.success === false ? null : usage;
}
