import { z } from 'zod';
import { qualifiedName, withinScope, withoutOverloads } from '../../graphs/code/index.js';
import { memoriesAbout, RememberedRow, rememberedLine } from '../../graphs/memory/index.js';
import { limitField, plural, quotedBlock, quotedLine, quotedName, shownLine } from '../../present/index.js';
import type { ReadContext } from '../../runtime/index.js';
import { LIMITS } from '../../schema/index.js';
import { isTestPath } from '../../source/index.js';
import { failureKey, findTaskOrErrors, shownMessage } from '../trace/find-traced.js';
import { failuresAround, touchesOf } from '../trace/touches.js';
import {
  impactFor,
  TraceImpact,
  ImpactOutput as TraceImpactOutput,
  impactMarkdown as traceMarkdown,
} from '../trace/trace-impact.js';
import {
  defineQuery,
  type QueryMarkdown,
  type QueryOutput,
  queryFields,
  rowsField,
  titled,
} from './answer.js';
import { dependentsOf, endedNotes, RELATIONS } from './dependents.js';
import { TestFileRow, testLines, testRows, testsOf } from './query-tests.js';
import { callersFrom, FunctionNode, functionLine, functionNode, rowName } from './rows.js';
import {
  isSubject,
  type RemovedUses,
  type Subjects,
  subjectFields,
  subjectsOf,
  unchangedField,
} from './subjects.js';

/** Files of tests, failures and memories that an answer has with what is affected. */
const MOST_TESTS = 10;
const MOST_FAILURES = 3;
const MOST_MEMORIES = 3;
/** Characters of what a failure said. */
const SAID = 200;

/** Something that may break. */
const AffectedRow = FunctionNode.extend({
  /** How it depends on what it leads to. */
  relation: z.enum(RELATIONS),
  /** Steps to what was asked about: 1 is direct. */
  distance: z.number().int(),
  /** Beyond one step: the qualified name of what it depends on itself. */
  by: z.string().optional(),
  /** It is a candidate: an ambiguous call, or one that may run another member of the hierarchy. */
  may: z.literal(true).optional(),
});
type AffectedRow = z.infer<typeof AffectedRow>;

/** A symbol that a diff removed. */
const GoneRow = z.object({ name: z.string(), file_path: z.string(), line_start: z.number().int() });

const results = {
  ...unchangedField,
  /** What was asked about: of a diff the innermost symbols that it changed. */
  changed: z.array(FunctionNode),
  /** What a diff removed; who still calls something of that name is affected, as a candidate. */
  removed: z.array(GoneRow),
  /** How many symbols are affected by each relation, before any cut; `total` of all. */
  counts: z.record(z.string(), z.number().int()),
  /** Nearest first. */
  affected: z.array(AffectedRow),
  /** The files of tests to run, nearest first; query_tests names more. */
  tests: z.array(TestFileRow),
  test_files: z.number().int(),
  /** What failed when something that was asked about was worked on, the latest first. */
  failures: z.array(
    z.object({
      error_id: z.string(),
      message: z.string(),
      created_at: z.string().nullable(),
      resolved: z.boolean(),
    }),
  ),
  memories: z.array(RememberedRow),
  /** Only of a task or an error: what trace_impact answers. */
  trace: TraceImpactOutput.optional(),
  /** As it was asked for. */
  format: z.literal('github').optional(),
};
/** What `query_impact` answers. */
export type ImpactOutput = QueryOutput<typeof results>;

/** What may break where a symbol, files or what a diff touches change. */
export const QueryImpact = defineQuery('query_impact', {
  description:
    'Find what may break when a symbol, files or a git diff change: callers, overriders, implementers, type users, tests to run, past failures, memories.',
  input: {
    ...subjectFields,
    max_depth: limitField(LIMITS.impactDepth).describe('Steps away'),
    limit: rowsField(),
    format: z.enum(['github']).optional().describe('Markdown for a pull request'),
    ...queryFields,
  },
  results,
  examples: [
    { title: 'What breaks with a method', input: { name: 'UserService.login' } },
    { title: 'What a branch may break, as a comment', input: { diff: 'main...HEAD', format: 'github' } },
  ],
  answer: async (state, context, page) => {
    const { max_depth, scope, format } = state;
    if (/^(?:task|error):/u.test(state.name ?? '')) return traced(context, state.name ?? '', max_depth);
    const subjects = await subjectsOf(context, state);
    const { rows, ended } = await affectedBy(context, subjects, max_depth);
    const isWithin = await withinScope(context, scope);
    const within = rows.filter((row) => isWithin({ ...row, path: row.file_path ?? '' }));
    const { files, notes } = await testsOf(context, subjects);
    const changed = withoutOverloads(subjects.nodes.filter(isSubject)).map((node) => functionNode(node));
    const about = subjects.starts.slice(0, LIMITS.impactNodes.max);
    const tests = await testRows(context, files.slice(0, MOST_TESTS));
    const counts: Record<string, number> = { total: within.length };
    for (const { relation } of within) counts[relation] = (counts[relation] ?? 0) + 1;
    const others = {
      ...subjects.unchanged,
      removed: subjects.gone.map(({ name, path, line }) => ({ name, file_path: path, line_start: line })),
      counts,
      test_files: files.length,
      failures: await failuresAt(context, about),
      memories: [...(await memoriesAbout(context, about, MOST_MEMORIES)).rows],
      ...(format ? { format } : {}),
    };
    return {
      query: `Impact of ${subjects.said}`,
      noun: ['affected symbol', 'affected symbols'],
      rows: page.of(within),
      total: within.length,
      narrower: '`scope` and `max_depth` narrow them',
      otherLists: [
        { at: 'results.tests', what: 'test files' },
        { at: 'results.changed', what: 'changed symbols' },
        { at: 'results.removed', what: 'removed symbols' },
        { at: 'results.failures', what: 'failures' },
        { at: 'results.memories', what: 'memories' },
      ],
      less: [
        { of: 'results.*', field: 'path', what: 'Paths of calls' },
        { of: 'results.*', field: 'decorators', what: 'Decorators' },
      ],
      make: (affected: readonly AffectedRow[]) => ({
        changed,
        affected: [...affected],
        tests,
        ...others,
      }),
      maxDepth: max_depth,
      notes: [...subjects.notes, ...ended, ...notes],
      outside: rows.length - within.length,
    };
  },
  markdown: (output) => {
    const { results } = output;
    if (results.trace) return traceMarkdown(results.trace);
    if (results.unchanged) return `${shownLine(results.unchanged, SAID)}\n`;
    return results.format === 'github' ? pullRequestText(output) : listed(results);
  },
});

/** A task or an error: what `trace_impact` answers of it. */
async function traced(context: ReadContext, from: string, max_depth: number) {
  const walk = await context.spawn(TraceImpact, await findTaskOrErrors(context, from), { from, max_depth });
  const { state: _, ...trace } = await impactFor(walk.state, context);
  const nothing = { changed: [], removed: [], counts: {}, affected: [], tests: [], test_files: 0 };
  const lists = ['errors', 'tasks', 'symbols', 'tests', 'callers', 'files', 'steps', 'memories'];
  return {
    query: `Impact of ${from}`,
    noun: ['row', 'rows'] as const,
    rows: [],
    total: 0,
    narrower: '`limit` of trace_impact',
    otherLists: lists.map((what) => ({ at: `results.trace.${what}`, what })),
    make: () => ({ ...nothing, failures: [], memories: [], trace }),
    maxDepth: max_depth,
    notes: [],
  };
}

/** What is affected, but for tests, which are shown by their files. */
async function affectedBy(
  context: ReadContext,
  { starts, uses }: Subjects,
  maxDepth: number,
): Promise<{ rows: AffectedRow[]; ended: string[] }> {
  const reached = await dependentsOf(context, starts, maxDepth);
  const own = new Set(starts);
  const ids = reached.ids.filter((id) => !own.has(id));
  const found = new Map((await callersFrom(context, ids)).map((node) => [node.id, node]));
  const names = new Map(
    [...found.values(), ...(await callersFrom(context, starts))].map((node) => [
      node.id,
      qualifiedName(node),
    ]),
  );
  const symbols = new Set(withoutOverloads([...found.values()]));
  const rows = [...found.values()].flatMap((node): AffectedRow[] => {
    const hop = reached.hop(node.id);
    // What calls is no signature, but may be a definition of the same name in another branch.
    if (!symbols.has(node) && hop?.relation !== 'caller') return [];
    if (!hop || isTestPath(node.path) || ('kind' in node && node.kind === 'test')) return [];
    const distance = reached.distance(node.id) ?? 1;
    const by = distance > 1 ? { by: names.get(hop.from) ?? hop.from } : {};
    return [
      {
        ...functionNode(node),
        relation: hop.relation,
        distance,
        ...by,
        ...(hop.may ? { may: true } : {}),
      },
    ];
  });
  const all = [...rows, ...(await stillUsing(context, uses, own))].sort(
    (a, b) => a.distance - b.distance || RELATIONS.indexOf(a.relation) - RELATIONS.indexOf(b.relation),
  );
  return { rows: all, ended: endedNotes(reached, 'what is affected') };
}

/** What still uses something that is gone, by its name. */
async function stillUsing(
  context: ReadContext,
  { importers, users }: RemovedUses,
  known: ReadonlySet<string>,
): Promise<AffectedRow[]> {
  const rows = new Map<string, AffectedRow>();
  for (const [uses, relation] of [
    [importers, 'import'],
    [users, 'caller'],
  ] as const)
    for (const node of await callersFrom(
      context,
      [...uses.keys()].filter((id) => !known.has(id)),
    ))
      if (!isTestPath(node.path))
        rows.set(node.id, {
          ...functionNode(node),
          relation,
          distance: 1,
          by: uses.get(node.id) ?? '',
          may: true,
        });
  return [...rows.values()];
}

/**
 * The failures of tasks that changed these, of equal ones the latest: those that such a change resolved first, then the
 * latest.
 */
async function failuresAt(context: ReadContext, ids: readonly string[]) {
  // A change of which the symbols are known is one of these alone.
  const changes = (await touchesOf(context, ids)).filter(
    ({ use, of }) => use === 'write' && of !== 'other symbols',
  );
  const { errors, resolvedBy } = await failuresAround(
    context,
    changes.map(({ tool }) => tool),
  );
  const each = new Map<string, (typeof errors)[number]>();
  for (const error of errors) if (!each.has(failureKey(error))) each.set(failureKey(error), error);
  return [...each.values()].slice(0, MOST_FAILURES).map(({ id, message, failure, created_at }) => ({
    error_id: id,
    message: shownLine(shownMessage({ message, failure }), SAID),
    created_at,
    resolved: resolvedBy.has(id),
  }));
}

type Results = ImpactOutput['results'];

/** What a relation is called in a count: one, several. */
const WORDS: Readonly<Record<string, readonly [string, string]>> = {
  caller: ['caller', 'callers'],
  route: ['route', 'routes'],
  override: ['overriding member', 'overriding members'],
  subclass: ['derived class', 'derived classes'],
  implementation: ['implementation', 'implementations'],
  type: ['type use', 'type uses'],
  use: ['other use', 'other uses'],
  import: ['importing module', 'importing modules'],
};
/** Changed symbols that are named. */
const MOST_CHANGED = 10;

/** What may break, as a list by distance. */
function listed(results: Results): QueryMarkdown {
  const { affected, changed, removed, tests, test_files } = results;
  const more = test_files > tests.length ? ` (${tests.length} of ${test_files} files)` : '';
  const removedLines = removed.map(
    ({ name, file_path, line_start }) =>
      `- ${quotedName(name)}, was at ${shownLine(file_path, SAID)}:${line_start}`,
  );
  const affectedLines = affected.map((row) => functionLine(row, `: ${howText(row)}`));
  return {
    count: countText(results),
    blocks: [
      changed.length > 1 ? [`Changed: ${namesText(changed.map(rowName))}.`] : [],
      section('Removed', removedLines),
      section('Affected', affectedLines),
      section(`Tests to run${more}`, tests.flatMap(testLines)),
      ...otherSections(results),
    ],
  };
}

/** `` `a`, `b` and 3 more ``. */
function namesText(names: readonly string[]): string {
  const more = names.length > MOST_CHANGED ? ` and ${names.length - MOST_CHANGED} more` : '';
  return `${names
    .slice(0, MOST_CHANGED)
    .map((name) => quotedName(name))
    .join(', ')}${more}`;
}

/** A summary for a pull request: what is affected in a table, what to run in a block that is ready to copy. */
function pullRequestText({ query, results }: ImpactOutput): string {
  const { changed, affected, removed, tests, counts, test_files } = results;
  const rows = affected.map(
    (row) =>
      `| ${row.distance} | ${quotedName(rowName(row))} | ${howText(row)} | ${quotedLine(`${row.file_path}:${row.line_start}`, SAID)} |`,
  );
  const commands = tests.flatMap(({ command }) => command ?? []);
  const total = counts.total ?? 0;
  const more = test_files > tests.length ? ` (the nearest ${tests.length} of ${test_files} files)` : '';
  const blocks = [
    [`## Impact of ${quotedName(query.replace(/^Impact of /u, ''))}`],
    [`**${plural(changed.length + removed.length, 'symbol')} changed, ${countText(results)}.**`],
    titled('| Distance | Symbol | How | Where |\n| ---: | --- | --- | --- |', rows),
    total > rows.length ? [`The first ${rows.length} of ${total} are shown.`] : [],
    section(
      'Removed',
      removed.map(({ name, file_path }) => `- ${quotedName(name)} of ${quotedName(file_path)}`),
    ),
    section(`Tests to run${more}`, commands.length > 0 ? [quotedBlock(commands.join('\n'), 'sh')] : []),
    ...otherSections(results),
  ];
  const texts = blocks.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'));
  return `${texts.join('\n\n')}\n`;
}

function otherSections({ failures, memories }: Results): string[][] {
  const failed = failures.map(
    ({ error_id, message, created_at, resolved }) =>
      `- ${(created_at ?? '').slice(0, 10)} ${quotedName(message, SAID)} (${error_id}${resolved ? ', resolved' : ''})`,
  );
  const remembered = memories.map((row) => `- ${quotedLine(rememberedLine(row), SAID)}`);
  return [section('Failed here before', failed), section('Remembered', remembered)];
}

function section(title: string, lines: readonly string[]): string[] {
  return titled(`### ${title}\n`, lines);
}

/** `3 symbols may break (2 callers, 1 route), 4 test files reach it`. */
function countText({ counts, test_files }: Results): string {
  const { total = 0, ...each } = counts;
  const by = Object.entries(each).map(([relation, count]) => {
    const [one, many] = WORDS[relation] ?? [relation, relation];
    return plural(count, one, many);
  });
  const affected =
    total === 0
      ? 'nothing else is known to depend on it'
      : `${plural(total, 'symbol')} may break (${by.join(', ')})`;
  return `${affected}, ${test_files === 0 ? 'no tests are known to reach it' : `tests in ${plural(test_files, 'file')} reach it`}`;
}

/** `caller`, `maybe caller, 2 steps away by \`login\``, `imports the removed \`warn\``. */
function howText({ relation, distance, by, may }: AffectedRow): string {
  const word = WORDS[relation]?.[0] ?? relation;
  const how = may ? `maybe ${word}` : word;
  if (by === undefined) return how;
  if (distance > 1) return `${how}, ${distance} steps away by ${quotedName(by)}`;
  return `${relation === 'import' ? 'imports' : 'uses'} the removed ${quotedName(by)}`;
}
