import { z } from 'zod';
import { Failure } from '../../failures/index.js';
import { endsInParts, indexProgress, isConstructorId, unfinishedState } from '../../graphs/code/index.js';
import { memoriesAbout, rememberedLine } from '../../graphs/memory/index.js';
import { placesIn } from '../../graphs/trace/index.js';
import {
  draftBy,
  firstLine,
  limitField,
  minuteOf,
  pageFields,
  plural,
  presented,
  quotedName,
} from '../../present/index.js';
import { compareText, defineWalker, type NodeRef, type ReadContext } from '../../runtime/index.js';
import {
  append,
  CodeSymbol,
  ERROR_TYPES,
  ErrorResolvedByStep,
  FILE_USES,
  File,
  FileContainsSymbol,
  fileId,
  grouped,
  LIMITS,
  parseId,
  STEP_ROLES,
  Step,
  StepHasError,
  StepInvokesTool,
  SymbolCallsSymbol,
  SymbolContainsSymbol,
  SymbolMayCallSymbol,
  SymbolTestsSymbol,
  Task,
  TaskHasStep,
  TEST_WAYS,
  ToolInvocation,
  ToolTouchesFile,
  ToolTouchesSymbol,
  TraceError,
} from '../../schema/index.js';
import { callersFrom } from '../query/rows.js';
import { findTaskOrErrors, shownMessage } from './find-traced.js';
import { failedTests, handleOf, shorterRows, TaskRow } from './rows.js';
import { usedAs } from './touches.js';

const { callersDepth, impactRows, packTokens } = LIMITS;
const SHOWN = 200;
const SIZES = [
  { text: 80, items: 5 },
  { text: 40, items: 1 },
];
/** The lists of an answer: rows of the last one fall first. Of some the last rows say how it stands. */
const LISTS = ['errors', 'tasks', 'symbols', 'tests', 'callers', 'files', 'steps', 'memories'];
const LATEST = ['errors', 'steps'];
const LEAST = 2;

const text = z.string();
const texts = z.array(text);
const count = z.number().int();
const maybe = text.nullable();

/** Where a symbol is; what calls from no function calls from its file. */
const Place = z.object({ id: text, name: text, kind: text, path: text, line: count });
type Place = z.infer<typeof Place>;

const ErrorRow = z.object({
  ...{
    error_id: text,
    error_type: z.enum(ERROR_TYPES),
    fingerprint: maybe,
    message: text,
    created_at: maybe,
  },
});
/** `met` and `mended`: ids of errors. */
const StepRow = z.object({
  ...{ step_id: text, task_id: text, order: count, role: z.enum(STEP_ROLES).nullable() },
  ...{ summary: text, met: texts, mended: texts },
});
/** `named`: only what an error said names it; null: no tool said. `there`: whether the code graph has it now. */
const FileRow = z.object({
  path: text,
  use: z.enum([...FILE_USES, 'named']).nullable(),
  step_ids: texts,
  there: z.boolean(),
});
/** `failed`: whether one of the errors says so. */
const TestRow = Place.extend({ tests: texts, via: z.enum(TEST_WAYS), failed: z.boolean(), distance: count });

/** What `trace_impact` answers: steps by time, files that were changed first. */
export const ImpactOutput = z.object({
  tasks: z.array(TaskRow.pick({ task_id: true, status: true, created_at: true, prompt: true })),
  errors: z.array(ErrorRow),
  steps: z.array(StepRow),
  files: z.array(FileRow),
  /** What was worked on, itself (`named`) or as part of a file that was; what most depends on first. */
  symbols: z.array(Place.extend({ named: z.boolean(), callers: count, tests: count })),
  /** `distance`: calls from here to what was worked on. */
  callers: z.array(Place.extend({ calls: texts, distance: count })),
  tests: z.array(TestRow),
  memories: texts,
  summary: text,
});
type ImpactOutput = z.infer<typeof ImpactOutput>;

type FileUse = z.infer<typeof FileRow>['use'];
/** How a file was used: what says most first, and the rank of such a file in a list. */
const USES = [
  { use: 'write', rank: 0 },
  { use: null, rank: 0 },
  { use: 'named', rank: 1 },
  { use: 'read', rank: 2 },
] as const;

class Traced {
  readonly tasks = new Map<string, ImpactOutput['tasks'][number]>();
  readonly errors = new Map<string, z.infer<typeof ErrorRow>>();
  readonly steps = new Map<string, z.infer<typeof StepRow> & { readonly started_at: string | null }>();
  /** Names of the tests that failed, with dots. */
  readonly failed = new Set<string>();
  readonly touches: { readonly file: string; readonly use: FileUse; readonly step: string }[] = [];
  readonly symbols = new Set<string>();

  addTask({ id, status, created_at, user_prompt }: NodeRef<typeof Task>): void {
    this.tasks.set(id, { task_id: id, status, created_at, prompt: firstLine(user_prompt, SHOWN) });
  }
}

/** Walks from a task or errors to steps and tools, and on to files; a search against the calls finds who would notice. */
export const TraceImpact = defineWalker('trace_impact', {
  description:
    'What a task or an error touched, and who would notice: its steps, the files and symbols they worked on, the callers and tests of those. Look before you mend an old failure again.',
  input: {
    from: z
      .string()
      .trim()
      .min(1)
      .describe('Id of a task or an error, its beginning, or what the error said'),
    max_depth: limitField(callersDepth).describe('Callers so many calls away'),
    limit: limitField(impactRows).describe('Rows of each list'),
    ...pageFields(packTokens),
  },
  output: ImpactOutput,
  state: () => ({ traced: new Traced() }),
  examples: [
    { title: 'What a task touched', input: { from: 'task:0uc8nvlsu9' } },
    { title: 'Where a failure leads to', input: { from: 'TypeError: Cannot read properties of undefined' } },
  ],
  start: async (context) => {
    await indexProgress(context);
    return [...(await findTaskOrErrors(context, context.state.from))];
  },
  on: (w) => [
    w.entry(Task, async (task, { state: { traced }, q, visit }) => {
      traced.addTask(task);
      await visit(q(task).out(TaskHasStep).of(Step), { once: true });
      await visit(q(task).out(TaskHasStep).out(StepHasError).of(TraceError), { once: true });
    }),
    w.entry(TraceError, async (error, context) => {
      const { state, q, visit } = context;
      const { id: error_id, error_type, fingerprint, created_at } = error;
      const message = shownMessage(error);
      state.traced.errors.set(error_id, { error_id, error_type, fingerprint, message, created_at });
      // A test's name as the graph spells it: suites and case joined by dots, without the parameters of a case.
      for (const test of failedTests(error))
        state.traced.failed.add(test.replaceAll(' > ', '.').replaceAll('::', '.').replace(/\[.*$/su, ''));
      const met = await q(error).in(StepHasError).of(Step);
      for (const { id: file } of await filesNamedBy(error, context))
        state.traced.touches.push(...met.map(({ id: step }) => ({ file, use: 'named' as const, step })));
      await visit(met, { once: true });
      await visit(q(error).out(ErrorResolvedByStep).of(Step), { once: true });
    }),
    w.entry(Step, async (step, { state: { traced }, q, visit }) => {
      const { id: step_id, order, role, llm_summary, started_at } = step;
      const [task] = await q(step).in(TaskHasStep).of(Task);
      if (task) traced.addTask(task);
      traced.steps.set(step_id, {
        ...{ step_id, task_id: task?.id ?? '', order, role, summary: firstLine(llm_summary, SHOWN) },
        met: await q(step).out(StepHasError).ids(),
        mended: await q(step).in(ErrorResolvedByStep).ids(),
        started_at,
      });
      await visit(q(step).out(StepInvokesTool).of(ToolInvocation), { once: true });
    }),
    w.entry(ToolInvocation, async (tool, { state: { traced }, q }) => {
      const [step = ''] = await q(tool).in(StepInvokesTool).ids();
      for (const { to: file, use } of await q(tool).out(ToolTouchesFile).edges())
        traced.touches.push({ file, use: use ?? usedAs(tool), step });
      for (const id of await q(tool).out(ToolTouchesSymbol).ids()) traced.symbols.add(id);
    }),
  ],
  finish: async ({ state, context }) =>
    presented(
      draftBy(await impactFor(state, context), {
        limit: packTokens,
        lists: LISTS.map((at) => {
          return { at, what: at, most: state.limit, least: LEAST, latest: LATEST.includes(at) };
        }),
        less: SIZES.flatMap((size) => LISTS.flatMap((of) => shorterRows([size], of))),
      }),
    ),
  markdown: impactMarkdown,
});

/** The files of the project that the places in an error's output name. */
async function filesNamedBy(
  error: Pick<NodeRef<typeof TraceError>, 'failure'>,
  { nodesOf, projectRoot }: Pick<ReadContext, 'nodesOf' | 'projectRoot'>,
): Promise<NodeRef<typeof File>[]> {
  const frames = Failure.safeParse(error.failure).data?.frames ?? [];
  const paths = new Set(frames.flatMap(({ file }) => placesIn(projectRoot)(file) ?? []));
  return (await nodesOf(File, [...paths].map(fileId))).filter(({ gone }) => !gone);
}

/** What a walk found, with who would notice, as the answer of `trace_impact` before any cut. */
export async function impactFor(
  { traced, max_depth }: { readonly traced: Traced; readonly max_depth: number },
  context: ReadContext,
) {
  const progress = unfinishedState(await indexProgress(context));
  const { unresolved, ...code } = await codeRows(traced, max_depth, context);
  const steps = sortedBy(traced.steps.values(), (row) => [row.started_at ?? '', row.order, row.step_id]);
  const about = [...traced.tasks.keys(), ...traced.errors.keys(), ...traced.touches.map(({ file }) => file)];
  about.push(...code.symbols.map(({ id }) => id));
  const rows = {
    tasks: sortedBy(traced.tasks.values(), (row) => [-Date.parse(row.created_at), row.task_id]),
    errors: sortedBy(traced.errors.values(), (row) => [row.created_at ?? '', row.error_id]),
    steps: steps.map(({ started_at: _, ...row }) => row),
    ...code,
    memories: (await memoriesAbout(context, [...new Set(about)], impactRows.max)).rows.map(rememberedLine),
  };
  return { ...rows, summary: summaryOf(rows), state: { ...progress, unresolved } };
}

/** Walks against the calls that are facts. */
const CallersWalk = defineWalker('impact_callers_walk', {
  input: { max_depth: z.number() },
  on: (w) => [
    w.frontier(async (ids, ctx) => {
      const calls = await ctx.q(ids.toSorted(compareText)).in(SymbolCallsSymbol).edges();
      const hops = calls.map(({ from, to }) => ({ from: to, to: from }));
      await ctx.visit(hops, { maxDepth: ctx.state.max_depth });
    }),
  ],
});

async function codeRows(
  { touches, symbols: touched, failed }: Traced,
  maxDepth: number,
  context: ReadContext,
) {
  const { q, nodesOf } = context;
  const byFile = grouped(touches, ({ file }) => file);
  const named = (await nodesOf(CodeSymbol, [...touched])).filter(({ gone }) => !gone);
  const files = (await nodesOf(File, [...byFile.keys()])).filter(({ gone }) => !gone);
  // What was only read or named counts where nothing was written. Where the trace names symbols of a file,
  // these were worked on, not all that it holds.
  const isAnyWritten = touches.some(({ use }) => use === 'write');
  const changed = touches.filter(({ use }) => !isAnyWritten || use === 'write' || use === null);
  const workedOn = new Set(changed.map(({ file }) => file));
  const inPart = new Set(named.map(({ path }) => path));
  const whole = files.filter(({ id, path }) => workedOn.has(id) && !inPart.has(path));
  const contained = await q(whole).out(FileContainsSymbol).of(CodeSymbol);
  const own = new Map([...named, ...contained].map((symbol) => [symbol.id, symbol]));
  const { reached } = await context.spawn(CallersWalk, [...own.keys()], { max_depth: maxDepth });
  const ids = [...new Set([...own.keys(), ...reached.ids])];
  const away = (id: string) => (own.has(id) ? 0 : (reached.distance(id) ?? 0));
  // What exercises a class exercises its constructor.
  const exercised = new Map(ids.map((id) => [id, [id]]));
  const around = q(ids.filter(isConstructorId)).in(SymbolContainsSymbol);
  for (const { from, to } of await around.edges()) append(exercised, from, to);
  const testEdges = await q([...exercised.keys()])
    .in(SymbolTestsSymbol)
    .edges();
  const callEdges = await q(ids).in(SymbolCallsSymbol).edges();
  const far = [...new Set([...testEdges, ...callEdges].map(({ from }) => from))];
  const callers = (await callersFrom(context, far)).filter(({ gone }) => !gone);
  const nodes = new Map(callers.map((node) => [node.id, node]));
  const isTest = (id: string) => {
    const node = nodes.get(id);
    return node !== undefined && 'kind' in node && node.kind === 'test';
  };
  const tested = [
    ...testEdges.flatMap(({ from, to, via, distance }) =>
      (exercised.get(to) ?? []).map((symbol) => ({ from, symbol, via, distance: distance + away(symbol) })),
    ),
    ...callEdges.flatMap(({ from, to }) =>
      isTest(from) ? [{ from, symbol: to, via: 'call' as const, distance: 1 + away(to) }] : [],
    ),
  ];
  const byTest = grouped(tested, ({ from }) => from);
  const near = callEdges.filter(({ to }) => away(to) < maxDepth);
  const distinct = (list: readonly string[]) => [...new Set(list)].sort(compareText);
  const callerRows = [...grouped(near, ({ from }) => from)].flatMap(([id, edges]) => {
    const node = nodes.get(id);
    // What was worked on is no caller of itself, and a test has a row as one.
    if (!node || own.has(id) || byTest.has(id)) return [];
    return [{ ...placeOf(node), calls: distinct(edges.map(({ to }) => to)), distance: away(id) }];
  });
  const testRows = [...byTest].flatMap(([id, ways]) => {
    const node = nodes.get(id);
    const [nearest] = [...ways].sort((a, b) => a.distance - b.distance);
    if (!node || !nearest) return [];
    const place = placeOf(node);
    const isSame = (name: string) => endsInParts(place.name, name) || endsInParts(name, place.name);
    const { via, distance } = nearest;
    const tests = distinct(ways.map(({ symbol }) => symbol));
    return [{ ...place, tests, via, distance, failed: [...failed].some(isSame) }];
  });
  const callersCount = countOf(callerRows.flatMap(({ calls }) => calls));
  const testsCount = countOf(testRows.flatMap(({ tests }) => tests));
  const symbols = [...own.values()].map((symbol) => ({
    ...placeOf(symbol),
    named: touched.has(symbol.id),
    callers: callersCount(symbol.id),
    tests: testsCount(symbol.id),
  }));
  const there = new Set(files.map(({ id }) => id));
  const fileRows = [...byFile].map(([id, all]) => {
    const { use = null, rank = 0 } = USES.find((one) => all.some(({ use }) => use === one.use)) ?? {};
    const step_ids = [...new Set(all.filter((one) => one.use === use).map(({ step }) => step))];
    return { rank, row: { path: parseId(id)?.path ?? id, use, step_ids, there: there.has(id) } };
  });
  const may = await q([...own.keys()])
    .in(SymbolMayCallSymbol)
    .edges();
  return {
    files: sortedBy(fileRows, ({ rank, row }) => [rank, row.path]).map(({ row }) => row),
    symbols: sortedBy(symbols, (row) => [-Number(row.named), -row.callers - row.tests, row.id]),
    callers: sortedBy(callerRows, (row) => [row.distance, -row.calls.length, row.id]),
    // Those that the errors say failed stand first.
    tests: sortedBy(testRows, (row) => [-Number(row.failed), row.distance, -row.tests.length, row.id]),
    unresolved: new Set(may.map(({ from, to }) => `${from}\0${to}`)).size,
  };
}

function countOf(ids: readonly string[]): (id: string) => number {
  const each = grouped(ids, (id) => id);
  return (id) => each.get(id)?.length ?? 0;
}

/** Rows by the first of their keys that differ, the smallest first. */
function sortedBy<R>(rows: Iterable<R>, keysOf: (row: R) => readonly (string | number)[]): R[] {
  const compare = (a: string | number, b: string | number = '') =>
    typeof a === 'number' && typeof b === 'number' ? a - b : compareText(String(a), String(b));
  return [...rows]
    .map((row) => ({ row, keys: keysOf(row) }))
    .sort((a, b) => a.keys.reduce<number>((order, key, at) => order || compare(key, b.keys[at]), 0))
    .map(({ row }) => row);
}

function placeOf(node: NodeRef<typeof CodeSymbol | typeof File>): Place {
  const { id, name, path } = node;
  if (!('start_line' in node)) return { id, name, kind: 'file', path, line: 1 };
  return { id, name: parseId(id)?.name ?? name, kind: node.kind, path, line: node.start_line };
}

function summaryOf(rows: Omit<ImpactOutput, 'summary'>): string {
  const { tasks, errors, steps, files, symbols, callers, tests, memories } = rows;
  const failures = new Set(errors.map((error) => error.fingerprint ?? error.message)).size;
  const same = errors.length > 1 && failures === 1 ? ' of one failure' : '';
  const met = `${plural(errors.length, 'error')}${same}, ${plural(tasks.length, 'task')}`;
  const work = `${plural(steps.length, 'step')}, ${plural(files.length, 'file')}`;
  const code = `${plural(symbols.length, 'symbol')} worked on, ${plural(callers.length, 'caller')}`;
  const known = memories.length > 0 ? `, ${memories.length} remembered` : '';
  return `${met}, ${work}; ${code}, ${plural(tests.length, 'test')}${known}.`;
}

/** Characters of a line that a text has left, of a memory, and of names and a path in one line. */
const TEXT = 74;
const REMEMBERED = 200;
const NAME = 30;
const CALLED = 22;
const PLACE = 40;
const MOST_ERRORS = 2;
const MOST_STEPS = 5;

/** What was touched and who would notice, for 80 columns. Whatever the record says is quoted: it is data. */
export function impactMarkdown(output: ImpactOutput): string {
  const { tasks, errors, steps, files, symbols, callers, tests, memories, summary } = output;
  const orders = new Map(steps.map(({ step_id, order }) => [step_id, order]));
  return [
    '## Impact',
    '',
    summary,
    ...section('Tasks', tasks, ({ task_id, status, created_at, prompt }) => [
      `- ${handleOf(task_id)}  ${minuteOf(created_at)}  ${status}`,
      `  ${quotedName(prompt, TEXT)}`,
    ]),
    ...section('Errors', errors, ({ error_id, error_type, created_at, message }) => [
      `- ${handleOf(error_id)}  ${minuteOf(created_at ?? '')}  ${error_type}`,
      `  ${quotedName(message, TEXT)}`,
    ]),
    ...section('Steps', steps, ({ order, role, task_id, summary, met, mended }) => {
      const task = tasks.length > 1 ? `  ${handleOf(task_id)}` : '';
      const what = [errorList('met', met), errorList('mended', mended)].filter((part) => part !== '');
      const head = `${String(order).padStart(2)} ${(role ?? '').padEnd('refactoring'.length)}${task}`;
      return [
        `- ${head}  ${what.join('; ')}`.trimEnd(),
        ...(summary === '' ? [] : [`  ${quotedName(summary, TEXT)}`]),
      ];
    }),
    ...section('Files', files, ({ path, use, step_ids, there }) => {
      const how = use === 'write' ? 'changed' : (use ?? 'touched');
      const where = stepNames(step_ids.flatMap((id) => orders.get(id) ?? []));
      return [
        `- ${how.padEnd(7)}  ${quotedName(path, PLACE)} in ${where}${there ? '' : ', not in the code graph'}`,
      ];
    }),
    ...byPath('Worked on', symbols, ({ callers, tests }) =>
      callers + tests === 0 ? '' : `: ${plural(callers, 'caller')}, ${plural(tests, 'test')}`,
    ),
    ...byPath('Callers', callers, ({ calls, distance }) => {
      const far = distance > 1 ? `, ${distance} calls away` : '';
      return ` calls ${firstName(calls)}${far}`;
    }),
    ...byPath('Tests', tests, ({ tests, failed }) => ` tests ${firstName(tests)}${failed ? ', FAILED' : ''}`),
    ...section('Remembered', memories, (line) => [`- ${quotedName(line, REMEMBERED)}`]),
    '',
  ].join('\n');
}

function section<T>(title: string, rows: readonly T[], lines: (row: T) => readonly string[]): string[] {
  return rows.length === 0 ? [] : ['', `### ${title}`, '', ...rows.flatMap(lines)];
}

function byPath<R extends Place>(title: string, rows: readonly R[], says: (row: R) => string): string[] {
  return section(title, [...grouped(rows, ({ path }) => path)], ([path, group]) => [
    `- ${quotedName(path, TEXT)}`,
    ...group.map((row) => `  - ${row.line} ${quotedName(row.name, NAME)}${says(row)}`),
  ]);
}

function errorList(verb: string, ids: readonly string[]): string {
  return ids.length === 0 ? '' : `${verb} ${ids.slice(0, MOST_ERRORS).map(handleOf).join(', ')}`;
}

function stepNames(orders: readonly number[]): string {
  const sorted = [...new Set(orders)].sort((a, b) => a - b);
  const more = sorted.length > MOST_STEPS ? '…' : '';
  return `${sorted.length === 1 ? 'step' : 'steps'} ${sorted.slice(0, MOST_STEPS).join(', ')}${more}`;
}

function firstName(ids: readonly string[]): string {
  const [first = ''] = ids;
  const more = ids.length > 1 ? ` and ${ids.length - 1} more` : '';
  return `${quotedName(parseId(first)?.name ?? first, CALLED)}${more}`;
}
