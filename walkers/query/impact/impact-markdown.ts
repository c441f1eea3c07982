import { rememberedLine } from '../../../graphs/memory/index.js';
import { plural, quotedBlock, quotedLine, quotedName, shownLine } from '../../../present/index.js';
import { impactMarkdown as traceMarkdown } from '../../trace/trace-impact.js';
import { functionLine, rowName } from '../parts/shown-rows.js';
import type { AffectedRow, ImpactOutput } from '../query-impact.js';
import { testLines } from '../query-tests.js';

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
const SHOWN = 200;
/** Changed symbols that are named. */
const MOST_CHANGED = 10;

/** What may break, as a list by distance; of a task or an error what its trace says; for a pull request as tables. */
export function impactMarkdown(output: ImpactOutput): string {
  const { results } = output;
  if (results.trace) return traceMarkdown(results.trace);
  if (results.unchanged) return `${shownLine(results.unchanged, SHOWN)}\n`;
  return results.format === 'github' ? pullRequestText(output) : listText(output);
}

function listText({ query, results }: ImpactOutput): string {
  const { affected, changed, tests, test_files } = results;
  return [
    `${shownLine(query, SHOWN)}: ${countText(results)}.`,
    ...(changed.length > 1 ? ['', `Changed: ${namesText(changed.map(rowName))}.`] : []),
    ...section(
      'Removed',
      results.removed.map(
        ({ name, file_path, line_start }) =>
          `- ${quotedName(name)}, was at ${shownLine(file_path, SHOWN)}:${line_start}`,
      ),
    ),
    ...section(
      'Affected',
      affected.map((row) => functionLine(row, `: ${howText(row)}`)),
    ),
    ...section(
      `Tests to run${test_files > tests.length ? ` (${tests.length} of ${test_files} files)` : ''}`,
      tests.flatMap(testLines),
    ),
    ...besideSections(results),
    '',
  ].join('\n');
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
  const { changed, affected, tests, counts, test_files } = results;
  const rows = affected.map(
    (row) =>
      `| ${row.distance} | ${quotedName(rowName(row))} | ${howText(row)} | ${quotedLine(`${row.file_path}:${row.line_start}`, SHOWN)} |`,
  );
  const commands = tests.flatMap(({ command }) => command ?? []);
  const total = counts.total ?? 0;
  return [
    `## Impact of ${quotedName(query.replace(/^Impact of /u, ''))}`,
    '',
    `**${plural(changed.length + results.removed.length, 'symbol')} changed, ${countText(results)}.**`,
    ...(rows.length > 0
      ? ['', '| Distance | Symbol | How | Where |', '| ---: | --- | --- | --- |', ...rows]
      : []),
    ...(total > rows.length ? ['', `The first ${rows.length} of ${total} are shown.`] : []),
    ...section(
      'Removed',
      results.removed.map(({ name, file_path }) => `- ${quotedName(name)} of ${quotedName(file_path)}`),
    ),
    ...(commands.length > 0
      ? [
          '',
          `### Tests to run${test_files > tests.length ? ` (the nearest ${tests.length} of ${test_files} files)` : ''}`,
          '',
          quotedBlock(commands.join('\n'), 'sh'),
        ]
      : []),
    ...besideSections(results),
    '',
  ].join('\n');
}

function besideSections({ failures, memories }: Results): string[] {
  return [
    ...section(
      'Failed here before',
      failures.map(
        ({ error_id, message, created_at, resolved }) =>
          `- ${(created_at ?? '').slice(0, 10)} ${quotedName(message, SHOWN)} (${error_id}${resolved ? ', resolved' : ''})`,
      ),
    ),
    ...section(
      'Remembered',
      memories.map((row) => `- ${quotedLine(rememberedLine(row), SHOWN)}`),
    ),
  ];
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', `### ${title}`, '', ...lines];
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
