import { z } from 'zod';
import { plural, quotedName, shownLine } from '../../present/index.js';
import { compareText, type EdgeRef, isA, type ReadContext } from '../../runtime/index.js';
import { type Access, grouped, LIMITS, parseId, SymbolReferencesSymbol } from '../../schema/index.js';
import { isTestPath } from '../../source/index.js';
import { isConstructorId } from '../constructors.js';
import type { Named } from '../find-symbol.js';
import { CallerRow, callerRow, callSites, TestFileRow, testFileRows } from './callers/call-sites.js';
import { namesOf, type Reach, reachOf } from './callers/callers-walk.js';
import { CANDIDATE_CAUSES, type CandidateCall, candidateCalls } from './parts/candidates.js';
import { callersFrom } from './parts/nodes-of.js';
import { defineQuery, type QueryOutput } from './parts/query-answer.js';
import { depthField, nameField, queryFields, rowsField } from './parts/query-input.js';
import { outOfScope, withinScope } from './parts/scope.js';
import { candidatesText, functionLine, shownOf } from './parts/shown-rows.js';
import { aboutText, groupedLines, targetFields, withTotals } from './parts/target-row.js';
import { CALLED, declarationsOf, findTargets, isSymbol, withParts } from './parts/targets.js';

const { callersDepth } = LIMITS;

/** Calls that may be of the target and that a page lists. */
const MOST_MAY_CALL = 10;
const MAY_CALL_TEXT = 80;
/** References that are read to count their places, and places that are named. */
const MOST_REFERENCES = 500;
const MOST_PLACES = 3;

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
    max_depth: depthField(callersDepth).describe('Calls away'),
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
  answer: async (state, context, [from = 0, fromMay = 0]) => {
    const { function_name, max_depth, include_paths, scope } = state;
    const about = await findTargets(context, function_name, CALLED, include_paths);
    const { nodes, notes, head } = about;
    const targets = await withParts(context, nodes);
    const asked = new Set(nodes.map(({ id }) => id));
    // Who makes a derived class calls the base's constructor, but not its class.
    const plain = targets.filter((id) => !asked.has(id) && isConstructorId(id));
    const reach = await reachOf(context, targets, max_depth, plain);
    const groups = await callersOfEach(context, declarationsOf(about), max_depth);
    const { found, groupOf } = inOrder(reach, groups);
    const all = await within(context, found, scope);
    const pathsOf = (at: number) =>
      all.filter((id) => groups[at]?.distance(id) !== undefined).map((id) => parseId(id)?.path);
    const isFolded = folding(all, { tests: state.tests || !include_paths, scope, targets });
    const ids = isFolded ? inFiles(all) : [...all].sort((a, b) => Number(isTest(a)) - Number(isTest(b)));
    const page = firstRows(ids.slice(from), state.limit, isFolded);
    const folded = page.filter((id) => isFolded && isTest(id));
    const shown = await callersFrom(context, page.slice(0, page.length - folded.length));
    const listed = shown.map(({ id }) => id);
    const texts = new Set(include_paths ? listed : []);
    const sites = await callSites(context, [...listed, ...folded], reach, texts);
    const chains = max_depth > 1 ? await callChains(context, reach, listed) : null;
    const names = nodes.filter(isSymbol).map(({ name }) => name);
    const candidates = await candidateCalls(context, targets, names, MOST_MAY_CALL, fromMay);
    const mayCall = await mayCallRows(context, candidates.calls, include_paths);
    return {
      query: `Callers of ${function_name}${max_depth > 1 ? ` up to ${plural(max_depth, 'call')} away` : ''}`,
      what: 'callers',
      total: all.length,
      cap: page.length,
      narrower: '`scope` narrows them',
      otherLists: [
        { at: 'results.may_call', what: 'unresolved calls', total: candidates.count, from: fromMay },
      ],
      make: (count) => {
        const files = testFileRows(folded.slice(0, Math.max(0, count - shown.length)), sites);
        return {
          ...withTotals(head, pathsOf),
          callers: shown.slice(0, count).map((node) => ({
            ...(groups.length > 0 ? { target: groupOf(node.id) } : {}),
            ...callerRow(node, sites, include_paths),
          })),
          call_chains: chains?.slice(0, count) ?? null,
          ...(files.length > 0 ? { tests: files } : {}),
          ...(mayCall.length > 0 ? { may_call: mayCall } : {}),
        };
      },
      maxDepth: max_depth,
      notes: [
        ...notes,
        ...outOfScope(found.length, all.length, 'caller'),
        ...(await otherUses(context, targets, include_paths)),
      ],
      unresolved: candidates.count,
    };
  },
  markdown: callersMarkdown,
});

/** The callers of each symbol of an ambiguous name, by its place; none for one. */
async function callersOfEach(
  context: ReadContext,
  symbols: readonly (readonly Named[])[],
  depth: number,
): Promise<Reach[]> {
  const all: Reach[] = [];
  for (const declarations of symbols.length > 1 ? symbols : [])
    all.push(await reachOf(context, await withParts(context, declarations), depth));
  return all;
}

/** The callers below what they call, nearest first. A caller of several stands below the nearest, then the first. */
function inOrder(reach: Reach, groups: readonly Reach[]) {
  const away = (id: string, at: number) => groups[at]?.distance(id) ?? Number.POSITIVE_INFINITY;
  const groupOf = (id: string) =>
    groups.reduce((best, _, at) => (away(id, at) < away(id, best) ? at : best), 0);
  const distance = (id: string) => reach.distance(id) ?? 0;
  const detour = (id: string) => Number(reach.isIndirect(id));
  const found = [...reach.ids].sort(
    (a, b) =>
      groupOf(a) - groupOf(b) || distance(a) - distance(b) || detour(a) - detour(b) || compareText(a, b),
  );
  return { found, groupOf };
}

/** A shortest chain of calls for each caller, by qualified names. */
async function callChains(context: ReadContext, reach: Reach, callers: readonly string[]) {
  const chains = callers.map((id) => reach.path(id));
  const names = await namesOf(context, chains.flat());
  return chains.map((chain) => chain.map((id) => names.get(id) ?? id));
}

/** Those of some callers that are within the scope. */
async function within(
  context: ReadContext,
  ids: readonly string[],
  scope: string | undefined,
): Promise<readonly string[]> {
  if (scope === undefined) return ids;
  const nodes = await callersFrom(context, ids);
  return nodes.filter(await withinScope(context, scope)).map(({ id }) => id);
}

function isTest(id: string): boolean {
  return isTestPath(parseId(id)?.path ?? '');
}

/** Whether callers in tests are folded: not where they are what was asked for, or all that calls a helper of tests. */
function folding(
  callers: readonly string[],
  { tests, scope, targets }: { tests: boolean; scope: string | undefined; targets: readonly string[] },
): boolean {
  if (tests || targets.some(isTest)) return false;
  return scope === undefined || callers.some((id) => !isTest(id));
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

async function mayCallRows(
  context: ReadContext,
  candidates: readonly CandidateCall[],
  withPaths: boolean,
): Promise<MayCallRow[]> {
  const ids = candidates.map(({ from }) => from);
  const names = await namesOf(context, ids);
  return candidates.map(({ from, places, cause }) => {
    const file_path = parseId(from)?.path;
    const calls = places.map((one) => ({ line: one.line, text: shownLine(one.expression, MAY_CALL_TEXT) }));
    const where = withPaths && file_path ? { file_path, calls } : {};
    return { caller: names.get(from) ?? from, ...where, cause };
  });
}

/** How often and where the targets are named without being called: passed, decorated with, read, written, used as types. */
async function otherUses(
  { entries, entryEdges }: Pick<ReadContext, 'entries' | 'entryEdges'>,
  targets: readonly string[],
  withPaths: boolean,
): Promise<string[]> {
  const references = await entries(targets, 'in', SymbolReferencesSymbol);
  const steps = targets.flatMap((node, at) => (references[at] ?? []).map((entry) => ({ node, entry })));
  const edges = await entryEdges(steps.slice(0, MOST_REFERENCES));
  const places = edges.flatMap(referencePlaces);
  // What a route refers to as run is called by it.
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
  return [`Also referenced ${times(count)} without a call${where}: \`query_references\` lists them.`];
}

function referencePlaces(edge: EdgeRef | undefined): { from: string; access: Access }[] {
  if (!edge || !isA(edge.archetype, SymbolReferencesSymbol)) return [];
  const { from, access, evidence } = edge as EdgeRef<typeof SymbolReferencesSymbol>;
  if (access === 'run') return [];
  return Array.from({ length: Math.max(1, evidence.length) }, () => ({ from, access }));
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}

/**
 * The callers as a list, production code first and nearest first; those that are farther away with what they call on the
 * way. Below them tests, a line per file, and calls that may be of the target.
 */
function callersMarkdown({
  query,
  results: { callers, call_chains, tests = [], may_call = [], ...about },
  metadata,
  state,
}: CallersOutput): string {
  const unresolved = candidatesText(state?.unresolved ?? 0, 'of that name may be more');
  const inTests = tests.reduce((sum, row) => sum + row.callers, 0);
  const known =
    metadata.total_count === 0
      ? 'none are known'
      : `${shownOf(metadata.row_count, metadata.total_count, 'caller')}${inTests > 0 ? `, ${inTests} in tests` : ''}`;
  const callerLines = (row: CallerRow) => {
    const way = wayText(call_chains?.[callers.indexOf(row)] ?? []);
    return [functionLine(row, `${way}${viaText(row)}${linesText(row)}`), ...textLines(row)];
  };
  const lines = groupedLines(about, callers, callerLines, 'caller');
  const sections = [
    lines,
    tests.length === 0 ? [] : ['### Tests', ...tests.map(testLine)],
    may_call.length === 0 ? [] : ['### May be calls', ...may_call.flatMap(mayCallLines)],
  ];
  const shown = sections.filter((one) => one.length > 0).map((one) => one.join('\n'));
  return `${[`${shownLine(query, 200)}${aboutText(about)}: ${known}.${unresolved}`, ...shown].join('\n\n')}\n`;
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
  return `- ${path}: ${shownOf(row.callers, row.callers, 'caller')}${viaText(row)} at ${row.lines.join(', ')}`;
}

/** One call in a line, several below their caller. */
function mayCallLines({ caller, file_path, calls = [], cause }: MayCallRow): string[] {
  const head = `- ${quotedName(caller)}${file_path === undefined ? '' : `, ${shownLine(file_path, 200)}`}`;
  const [first, ...others] = calls;
  if (first?.text !== undefined && others.length === 0)
    return [`${head}:${first.line}: ${quotedName(first.text)} (${cause})`];
  return [`${head} (${cause})${linesText({ calls })}`, ...textLines({ calls })];
}
