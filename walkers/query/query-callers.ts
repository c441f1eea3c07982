import { z } from 'zod';
import {
  isConstructorId,
  isNamed,
  type Named,
  nameField,
  qualifiedName,
  SourceTexts,
  withinScope,
} from '../../graphs/code/index.js';
import { limitField, plural, quotedName, shownLine } from '../../present/index.js';
import {
  compareText,
  defineWalker,
  type EdgeRef,
  type Reached,
  type ReadContext,
} from '../../runtime/index.js';
import {
  type Access,
  append,
  grouped,
  LIMITS,
  parseId,
  SymbolCallsSymbol,
  SymbolReferencesSymbol,
} from '../../schema/index.js';
import { isTestPath } from '../../source/index.js';
import { defineQuery, type QueryOutput, queryFields, rowsField, titled, unresolvedText } from './answer.js';
import {
  CANDIDATE_CAUSES,
  type CandidateCall,
  type Certainty,
  callerHops,
  callsBetween,
  candidateCalls,
  certaintyOf,
  isReference,
  stepsAt,
} from './calls.js';
import { type CallThrough, callsThrough } from './dispatch.js';
import { type Caller, callersFrom, FunctionNode, functionLine, functionNode } from './rows.js';
import {
  CALLED,
  findTargets,
  groupedLines,
  isSymbol,
  targetField,
  targetFields,
  withParts,
  withTotals,
} from './targets.js';

/** Characters of a line of source that are shown, and of a call that may be of the target. */
const LONGEST_TEXT = 160;
const MAY_CALL_TEXT = 80;
/** Lines of one test file that are listed. */
const MOST_TEST_LINES = 50;
/** Calls that may be of the target and that a page lists. */
const MOST_MAY_CALL = 10;
/** References that are read to count their places, and places that are named. */
const MOST_REFERENCES = 500;
const MOST_PLACES = 3;

const line = z.number().int();
/** The qualified name of the base's or interface's member that the calls name, or of the class that inherits a constructor. */
const via = z.string().optional();

/** One line on which a caller calls. */
const CallSite = z.object({
  line,
  /** The line as it stands in the file; none where the file changed since it was indexed, or where there is no room. */
  text: z.string().optional(),
  /** Where other calls of the caller are direct. */
  via,
});
type CallSite = z.infer<typeof CallSite>;
/** How sure calls are that are not certain, and are facts all the same. */
const LIKELY = 'likely' as const satisfies Certainty;
/** By the caller's id: its lines in their order. */
type CallSites = ReadonlyMap<string, readonly CallSite[]>;

/** A caller, with the lines on which it makes the call that leads to what was asked about. */
const CallerRow = FunctionNode.extend({
  ...targetField,
  via,
  /** Where all of its calls were resolved by types, or name a base: how sure they are. Absent: certain. */
  certainty: z.literal(LIKELY).optional(),
  calls: z.array(CallSite).optional(),
});
type CallerRow = z.infer<typeof CallerRow>;

/** The callers in one file of tests. */
const TestFileRow = z.object({
  file_path: z.string(),
  callers: z.number().int(),
  via,
  /** The lines on which they call; at most {@link MOST_TEST_LINES}. */
  lines: z.array(line),
});
type TestFileRow = z.infer<typeof TestFileRow>;

/** Calls by one caller that may be of the target, and are no facts. */
const MayCallRow = CallerRow.pick({ file_path: true, calls: true }).extend({
  /** Qualified name. */
  caller: z.string(),
  cause: z.enum(CANDIDATE_CAUSES),
});
type MayCallRow = z.infer<typeof MayCallRow>;

const results = {
  ...targetFields,
  callers: z.array(CallerRow),
  /** Null at depth 1; else a shortest chain of each caller, it first and what it calls in the end last. */
  call_chains: z.array(z.array(z.string())).nullable(),
  /** The callers in tests, a row per file; absent where there are none, and where `tests` unfolds them into `callers`. */
  tests: z.array(TestFileRow).optional(),
  /** Where not all callers are in the answer, how many there are in production code, and in tests. */
  callers_total: z.number().int().optional(),
  tests_total: z.number().int().optional(),
  /** Of `state.unresolved` those of the page; absent where there are none. */
  may_call: z.array(MayCallRow).optional(),
};
/** What `query_callers` answers: callers in production code, then the files of tests. */
export type CallersOutput = QueryOutput<typeof results>;

/**
 * Finds who calls a function, method or class: against the calls, every caller with its shortest distance. A class stands
 * for its written constructor too, a module for all that it defines; a method is also reached by calls of what it
 * overrides or implements.
 */
export const QueryCallers = defineQuery('query_callers', {
  description:
    'Find all callers of a function, method or class with the lines where they call, tests folded per file. Resolved through imports, types and base classes (via), not by text search.',
  input: {
    function_name: nameField('Name, id, path or path:line'),
    max_depth: limitField(LIMITS.callersDepth).describe('Calls away'),
    include_paths: z.boolean().default(true).describe('false: no places'),
    tests: z.boolean().default(false).describe('Unfold callers in tests'),
    limit: rowsField(),
    ...queryFields,
  },
  results,
  examples: [
    { title: 'Who calls a method', input: { function_name: 'UserService.login' } },
    { title: 'Callers of callers too', input: { function_name: 'auth.services.login', max_depth: 2 } },
  ],
  answer: async (state, context, { offsets: [from = 0, fromMay = 0] }) => {
    const { function_name, max_depth, include_paths, scope } = state;
    const { nodes, declarations, notes, head } = await findTargets(
      context,
      function_name,
      CALLED,
      include_paths,
    );
    const targets = await withParts(context, nodes);
    const asked = new Set(nodes.map(({ id }) => id));
    // Who makes a derived class calls the base's constructor, but not its class.
    const plain = targets.filter((id) => !asked.has(id) && isConstructorId(id));
    const reach = await reachOf(context, targets, max_depth, plain);
    const groups: Reach[] = [];
    for (const own of declarations.length > 1 ? declarations : [])
      groups.push(await reachOf(context, await withParts(context, own), max_depth));
    const { found, groupOf } = inOrder(reach, groups);
    const isWithin = await withinScope(context, scope);
    const all =
      scope === undefined ? found : (await callersFrom(context, found)).filter(isWithin).map(({ id }) => id);
    const pathsOf = (at: number) =>
      all.filter((id) => groups[at]?.reached.distance(id) !== undefined).map((id) => parseId(id)?.path);
    const isFolded =
      !state.tests &&
      include_paths &&
      !targets.some(isTest) &&
      // Tests are not folded where they are what was asked for.
      (scope === undefined || all.some((id) => !isTest(id)));
    const ids = isFolded ? inFiles(all) : [...all].sort((a, b) => Number(isTest(a)) - Number(isTest(b)));
    const page = firstRows(ids.slice(from), state.limit, isFolded);
    const isInFile = (id: string) => isFolded && isTest(id);
    const tests_total = all.filter(isTest).length;
    const totals = { callers_total: all.length - tests_total, tests_total };
    const shown = await callersFrom(
      context,
      page.filter((id) => !isInFile(id)),
    );
    const known = new Map(shown.map((node) => [node.id, node]));
    const { sites, certain } = await callSites(
      context,
      page,
      reach,
      new Set(include_paths ? known.keys() : []),
    );
    const chains = max_depth > 1 ? await callChains(context, reach, [...known.keys()]) : null;
    const names = nodes.filter(isSymbol).map(({ name }) => name);
    const candidates = await candidateCalls(context, targets, names, MOST_MAY_CALL, fromMay);
    const mayCall = await mayCallRows(context, candidates.calls, include_paths);
    return {
      query: `Callers of ${function_name}${max_depth > 1 ? ` up to ${plural(max_depth, 'call')} away` : ''}`,
      noun: ['caller', 'callers'],
      rows: page,
      total: all.length,
      narrower: '`scope` narrows them',
      otherLists: [
        { at: 'results.may_call', what: 'unresolved calls', total: candidates.count, from: fromMay },
      ],
      make: (rows: readonly string[]) => {
        const files = testFileRows(rows.filter(isInFile), sites);
        const own = rows.flatMap((id) => known.get(id) ?? []);
        return {
          ...withTotals(head, pathsOf),
          callers: own.map((node) => ({
            ...(groups.length > 0 ? { target: groupOf(node.id) } : {}),
            ...callerRow(node, sites.get(node.id) ?? [], include_paths),
            ...(certain.has(node.id) || !include_paths ? {} : { certainty: LIKELY }),
          })),
          call_chains: chains && own.map(({ id }) => chains.get(id) ?? []),
          ...(files.length > 0 ? { tests: files } : {}),
          ...(rows.length < all.length ? totals : {}),
          ...(mayCall.length > 0 ? { may_call: mayCall } : {}),
        };
      },
      maxDepth: max_depth,
      notes,
      outside: found.length - all.length,
      hints: await otherUses(context, targets, include_paths),
      unresolved: candidates.count,
    };
  },
  markdown: (output) => {
    const { callers, call_chains, tests = [], may_call = [], ...about } = output.results;
    const inTests = tests.reduce((sum, row) => sum + row.callers, 0);
    const callerLines = (row: CallerRow) => {
      const way = wayText(call_chains?.[callers.indexOf(row)] ?? []);
      return [functionLine(row, `${way}${viaText(row)}${linesText(row)}`), ...textLines(row)];
    };
    return {
      count: ['caller', 'callers'],
      also: inTests > 0 ? `, ${inTests} in tests` : '',
      more: unresolvedText(output, 'of that name may be more'),
      blocks: [
        groupedLines(about, callers, callerLines, 'caller'),
        titled('### Tests', tests.map(testLine)),
        titled('### May be calls', may_call.flatMap(mayCallLines)),
      ],
    };
  },
});

/**
 * Walks against the calls, a call at a time, those through base classes and interfaces included. Reports the calls that
 * reach something nearer through another member.
 */
const CallersWalk = defineWalker('callers_walk', {
  input: {
    max_depth: z.number(),
    /** Starts that no call through another member reaches. */
    plain: z.array(z.string()),
  },
  report: z.custom<CallThrough>(),
  on: (w) => [
    w.frontier(async (ids, ctx) => {
      const { max_depth, plain } = ctx.state;
      if (ctx.depth === max_depth) return;
      const here = new Set(ids);
      const dispatched = ctx.depth === 0 ? ids.filter((id) => !plain.includes(id)) : ids;
      const calls = await callsThrough(ctx, dispatched);
      const through = calls.filter(
        ({ from, to }) => !here.has(to) && ctx.reached.distance(from) === undefined,
      );
      for (const call of through) ctx.report(call);
      // Of several ways the direct one, then the one whose nodes have the smallest ids.
      const direct = await callerHops(ctx, ids.toSorted(compareText));
      const indirect = through.map(({ from, reaches }) => ({ from: reaches, to: from, isIndirect: true }));
      await ctx.visit([...direct, ...indirect]);
    }),
  ],
});

/** Everything that calls some targets. */
interface Reach {
  readonly targets: ReadonlySet<string>;
  /** The callers; a target too, where calls lead from it to one. */
  readonly reached: Reached;
  /** By the caller's id: its calls that reach something one call nearer to a target through another member. */
  readonly through: ReadonlyMap<string, readonly CallThrough[]>;
}

async function reachOf(
  context: ReadContext,
  targets: readonly string[],
  max_depth: number,
  plain: string[] = [],
): Promise<Reach> {
  const { reached, reports } = await context.spawn(CallersWalk, targets, { max_depth, plain });
  const through = new Map<string, CallThrough[]>();
  for (const call of reports) append(through, call.from, call);
  return { targets: new Set(targets), reached, through };
}

/** The callers below what they call, nearest first. A caller of several stands below the nearest, then the first. */
function inOrder({ reached }: Reach, groups: readonly Reach[]) {
  const away = (id: string, at: number) => groups[at]?.reached.distance(id) ?? Number.POSITIVE_INFINITY;
  const groupOf = (id: string) =>
    groups.reduce((best, _, at) => (away(id, at) < away(id, best) ? at : best), 0);
  const distance = (id: string) => reached.distance(id) ?? 0;
  const detour = (id: string) => Number('isIndirect' in (reached.hop(id) ?? {}));
  const found = [...reached.ids].sort(
    (a, b) =>
      groupOf(a) - groupOf(b) || distance(a) - distance(b) || detour(a) - detour(b) || compareText(a, b),
  );
  return { found, groupOf };
}

/** A shortest chain of calls for each caller, by qualified names: the caller first, a target last. */
async function callChains(context: ReadContext, { reached }: Reach, callers: readonly string[]) {
  const chains = callers.map((id) => [id, reached.path(id)] as const);
  const names = await namesOf(
    context,
    chains.flatMap(([, chain]) => chain),
  );
  return new Map(chains.map(([id, chain]) => [id, chain.map((one) => names.get(one) ?? one)]));
}

/** The qualified names of nodes, by id. */
async function namesOf({ nodes }: ReadContext, ids: readonly string[]): Promise<Map<string, string>> {
  const found = (await nodes([...new Set(ids)])).filter((node) => node !== undefined);
  return new Map(found.filter(isNamed).map((node: Named) => [node.id, qualifiedName(node)]));
}

function isTest(id: string): boolean {
  return isTestPath(parseId(id)?.path ?? '');
}

/** Production code as it comes, then the callers in tests, file after file. */
function inFiles(callers: readonly string[]): string[] {
  const files = grouped(callers.filter(isTest), (id) => parseId(id)?.path ?? '');
  return [...callers.filter((id) => !isTest(id)), ...[...files.values()].flat()];
}

/** The callers of the first rows: one each, and where tests are folded all of one file. */
function firstRows(ids: readonly string[], rows: number, isFolded: boolean): readonly string[] {
  const keys = new Set<string>();
  const isOver = (id: string) =>
    keys.add(isFolded && isTest(id) ? (parseId(id)?.path ?? id) : id).size > rows;
  const end = ids.findIndex(isOver);
  return end < 0 ? ids : ids.slice(0, end);
}

/**
 * Where callers make the call that leads to what was asked about, and those that make it for certain: of one that is two calls away, the call of one that is
 * a single call away.
 *
 * @param withTexts The ids of those whose lines are shown.
 */
async function callSites(
  context: ReadContext,
  callers: readonly string[],
  { targets, reached, through }: Reach,
  withTexts: ReadonlySet<string>,
): Promise<{ readonly sites: CallSites; readonly certain: ReadonlySet<string> }> {
  const certain = new Set<string>();
  const lines = new Map(callers.map((id) => [id, new Map<number, string | undefined>()]));
  const add = ({ from, line, evidence }: Omit<CallThrough, 'reaches' | 'to' | 'call_type'>, via?: string) => {
    for (const place of evidence.length > 0 ? evidence : [{ line }]) lines.get(from)?.set(place.line, via);
  };
  const indirect = callers.flatMap((id) => through.get(id) ?? []);
  const names = await namesOf(
    context,
    indirect.map(({ to }) => to),
  );
  for (const call of indirect) add(call, names.get(call.to) ?? call.to);
  const isNearer = (id: string, away: number) =>
    away === 0 ? targets.has(id) : reached.distance(id) === away;
  for (const call of await callsBetween(context, callers, new Set([...targets, ...reached.ids])))
    if (isNearer(call.to, (reached.distance(call.from) ?? 0) - 1)) {
      add(call);
      if (certaintyOf(SymbolCallsSymbol, call.resolution ?? 'type') === 'certain') certain.add(call.from);
    }
  const texts = new SourceTexts(context);
  const sites = new Map<string, CallSite[]>();
  for (const id of callers) {
    const source = withTexts.has(id) ? await texts.linesOf(parseId(id)?.path ?? '') : null;
    const siteAt = ([line, via]: [number, string | undefined]): CallSite => {
      const text = source?.[line - 1]?.trim();
      const shown = text ? { text: shownLine(text, LONGEST_TEXT) } : {};
      return { line, ...shown, ...(via === undefined ? {} : { via }) };
    };
    const sorted = [...(lines.get(id) ?? [])].filter(([line]) => line > 0).sort(([a], [b]) => a - b);
    sites.set(id, sorted.map(siteAt));
  }
  return { sites, certain };
}

/** The row of a caller. @param withPaths False: it says nothing of where it stands or calls. */
function callerRow(node: Caller, own: readonly CallSite[], withPaths: boolean): CallerRow {
  const via = viaOf(own);
  const calls = own.map(({ via: through, ...site }) => ({
    ...site,
    ...(through !== undefined && via.via === undefined ? { via: through } : {}),
  }));
  return { ...functionNode(node, withPaths), ...via, ...(withPaths && calls.length > 0 ? { calls } : {}) };
}

/** The rows of callers in tests: those of each file in one, and those that call through others apart. */
function testFileRows(callers: readonly string[], sites: CallSites): TestFileRow[] {
  const rows = new Map<string, TestFileRow>();
  for (const id of callers) {
    const file_path = parseId(id)?.path ?? '';
    const own = sites.get(id) ?? [];
    const via = viaOf(own);
    const key = JSON.stringify([file_path, via]);
    const row = rows.get(key) ?? { file_path, callers: 0, ...via, lines: [] };
    const lines = [...new Set([...row.lines, ...own.map(({ line }) => line)])].sort((a, b) => a - b);
    rows.set(key, { ...row, callers: row.callers + 1, lines: lines.slice(0, MOST_TEST_LINES) });
  }
  return [...rows.values()];
}

/** What all calls name; nothing where one is direct. */
function viaOf(calls: readonly CallSite[]): { via?: string } {
  const [first] = calls;
  return first?.via !== undefined && calls.every(({ via }) => via !== undefined) ? { via: first.via } : {};
}

async function mayCallRows(
  context: ReadContext,
  candidates: readonly CandidateCall[],
  withPaths: boolean,
): Promise<MayCallRow[]> {
  const names = await namesOf(
    context,
    candidates.map(({ from }) => from),
  );
  return candidates.map(({ from, places, cause }) => {
    const file_path = parseId(from)?.path;
    const calls = places.map((one) => ({ line: one.line, text: shownLine(one.expression, MAY_CALL_TEXT) }));
    const where = withPaths && file_path ? { file_path, calls } : {};
    return { caller: names.get(from) ?? from, ...where, cause };
  });
}

/** How often and where the targets are named without being called: passed, decorated with, read, written, used as types. */
async function otherUses(
  context: ReadContext,
  targets: readonly string[],
  withPaths: boolean,
): Promise<string[]> {
  const steps = await stepsAt(context, targets, 'in', SymbolReferencesSymbol);
  const edges = await context.entryEdges(steps.slice(0, MOST_REFERENCES));
  const places = edges.flatMap(referencePlaces);
  const count = places.length + Math.max(0, steps.length - MOST_REFERENCES);
  if (count === 0) return [];
  // Without lines: those of an answer about calls are calls.
  const first = places
    .sort((a, b) => Number(isTest(a.from)) - Number(isTest(b.from)))
    .map(({ from, access }) => {
      const { name, path } = parseId(from) ?? {};
      return shownLine(`${name ? `${name} in ` : ''}${path} (${access})`, 200);
    });
  const where = withPaths ? `, as by ${[...new Set(first)].slice(0, MOST_PLACES).join(', ')}` : '';
  const times = count === 1 ? 'once' : `${count} times`;
  return [`Also referenced ${times} without a call${where}: \`query_references\` lists them.`];
}

/** The places of a reference; none of what a route runs, which is called by it. */
function referencePlaces(edge: EdgeRef | undefined): { from: string; access: Access }[] {
  if (!edge || !isReference(edge) || edge.access === 'run') return [];
  const { from, access, evidence } = edge;
  return Array.from({ length: Math.max(1, evidence.length) }, () => ({ from, access }));
}

/** ` (2 calls away, by \`auth.login\`)`; empty for a direct call. */
function wayText(chain: readonly string[]): string {
  const [, next = ''] = chain;
  return chain.length <= 2 ? '' : ` (${chain.length - 1} calls away, by ${quotedName(next)})`;
}

/** ` (via \`a.Base.send\`)`: a call that names a base's or interface's member. */
function viaText({ via }: { readonly via?: string | undefined }): string {
  return via === undefined ? '' : ` (via ${quotedName(via)})`;
}

/** ` calls at 30, 45`; empty where the lines stand below with their texts. */
function linesText({ calls = [] }: Pick<CallerRow, 'calls'>): string {
  if (calls.length === 0 || calls.some(({ text }) => text !== undefined)) return '';
  return `, calls at ${calls.map(({ line }) => line).join(', ')}`;
}

/** A line each: `  30: \`return validate(token);\``. */
function textLines({ calls = [] }: Pick<CallerRow, 'calls'>): string[] {
  if (calls.every(({ text }) => text === undefined)) return [];
  return calls.map((call) => `  ${call.line}: ${quotedName(call.text ?? '')}${viaText(call)}`);
}

/** `- tests/test_auth.py: 3 callers at 12, 30, 41`. */
function testLine(row: TestFileRow): string {
  const path = shownLine(row.file_path, 200);
  return `- ${path}: ${plural(row.callers, 'caller')}${viaText(row)} at ${row.lines.join(', ')}`;
}

/** One call in a line, several below their caller. */
function mayCallLines({ caller, file_path, calls = [], cause }: MayCallRow): string[] {
  const head = `- ${quotedName(caller)}${file_path === undefined ? '' : `, ${shownLine(file_path, 200)}`}`;
  const [first, ...others] = calls;
  if (first?.text !== undefined && others.length === 0)
    return [`${head}:${first.line}: ${quotedName(first.text)} (${cause})`];
  return [`${head} (${cause})${linesText({ calls })}`, ...textLines({ calls })];
}
