import { beforeEach, describe, expect, test } from 'vitest';
import type { OpenGraph } from '../../index.js';
import type { EventKind } from '../../schema/index.js';
import { EtgLogEvent } from '../../walkers/trace/etg-log-event.js';
import { EtgQuerySimilarAttempts } from '../../walkers/trace/etg-query-similar-attempts.js';
import { copies } from './project.js';

/** One failing test as pytest prints it, with its place and reason. */
const printed = (file: string, name: string, reason: string) =>
  [
    '============ test session starts ============',
    `collected 40 items\n${file} ..F.....\n____ ${name} ____`,
    `    def ${name.replace(/\[.*/u, '')}():\n        settings = load()\n>       check(settings)`,
    `E   ${reason}\n\n${file}:12: ${/^\w*/u.exec(reason)?.[0]}`,
    `FAILED ${file}::${name} - ${reason}\n1 failed, 39 passed in 0.12s`,
  ].join('\n');

const NOT_SUPPORTED = "TypeError: '<' not supported between instances of 'NoneType' and 'str'";

let graph: OpenGraph;
let minute = 0;
const ids = { nested: '', url: '', theme: '', title: '', command: '', read: '', port: '', only: '' };

const copy = copies({ 'src/app.py': '', 'src/url.py': '' }, async (empty) => {
  graph = empty;
  ids.nested = await failed('Let blueprints nest', {
    stdout: printed('tests/test_blueprints.py', 'test_nested_blueprint', NOT_SUPPORTED),
    message: `tests/test_blueprints.py::test_nested_blueprint: ${NOT_SUPPORTED}`,
  });
  ids.url = await failed('Match ports of patterns', {
    stdout: printed('tests/test_utils.py', 'test_url_matches[http://-https://-True]', 'assert False == True'),
    message: 'test_url_matches[http://-https://-True]: assert False == True',
  });
  ids.theme = await failed('Read the theme', {
    stdout: printed('tests/test_theme.py', 'test_default_theme', "KeyError: 'theme'"),
    message: "test_default_theme: KeyError: 'theme'",
  });
  ids.title = await failed('Sum the cart', {
    stdout: ' FAIL  src/cart.test.ts > cart > rounds each line once\nAssertionError: expected 1 to be 2\n',
    message: 'cart > rounds each line once: AssertionError: expected 1 to be 2',
  });
  ids.command = await failed('Format', { stdout: '', message: 'bash: ruff: command not found' });
  ids.read = await failed('Read keys', {
    stdout: '',
    message: 'cannot read src/colours.conf: the key is too short',
  });
  ids.port = await failed('Serve it', {
    stdout: '',
    message: 'The server did not answer at port 8080 within its time',
  });
  ids.only = await failed('Add a switch', {
    stdout: '',
    message: 'switch is missing',
    tests: ['test_switch'],
  });
  await log('task_end', { status: 'success' }, await task('Let the cart show taxes'));
  return minute;
});

beforeEach(async () => {
  const { graph: own, made } = await copy();
  [graph, minute] = [own, made];
});

async function log(kind: EventKind, payload: Record<string, unknown>, task_id: string | null) {
  const ts = new Date(Date.UTC(2026, 0, 1, 0, minute++)).toISOString();
  return (await graph.spawn(EtgLogEvent, null, { kind, payload, task_id, ts })).output;
}

async function task(prompt: string) {
  const { task_id } = await log('task_start', { user_prompt: prompt }, null);
  return task_id;
}

/** Logs a task whose command failed twice in the same way before an edit mended it. */
async function failed(
  prompt: string,
  { stdout, ...error }: { stdout: string; message: string; tests?: string[] },
) {
  const id = await task(prompt);
  const use = async (tool_name: string, params_json: object, outcome: object) => {
    await log('tool_start', { tool_name, params_json }, id);
    await log('tool_end', { tool_name, ...outcome }, id);
  };
  const shell = { command: 'pytest' };
  for (let run = 0; run < 2; run++) {
    await use('shell', shell, { success: false, stdout });
    await log('error', { error_type: 'test_failure', ...error }, id);
  }
  const params_json = { file_path: 'src/app.py', old_string: 'old', new_string: `mends ${prompt}` };
  await use('edit', params_json, { success: true });
  await use('shell', shell, { success: true });
  await log('task_end', { status: 'success' }, id);
  return id;
}

async function asked(query: string) {
  return (await graph.spawn(EtgQuerySimilarAttempts, null, { query })).output;
}

/** The attempts of which it is sure, the most alike first. */
const sure = async (query: string) =>
  (await asked(query)).results.flatMap(({ confidence, task_id }) => (confidence === 'low' ? [] : [task_id]));

describe('a failure in words finds the attempt that met it, and only that', () => {
  test.each([
    ['an exact message', NOT_SUPPORTED, 'nested'],
    ['a message without its type', NOT_SUPPORTED.slice(11), 'nested'],
    ['how a message begins', `${NOT_SUPPORTED.slice(0, 46)}…`, 'nested'],
    ['a message inside a sentence', `I get ${NOT_SUPPORTED} when the app starts`, 'nested'],
    [
      'a message as it was recorded',
      `tests/test_blueprints.py::test_nested_blueprint: ${NOT_SUPPORTED}`,
      'nested',
    ],
    ['a test and the exception', 'test_nested_blueprint fails with TypeError', 'nested'],
    ["a test's name", 'test_url_matches', 'url'],
    ["a test's id", 'tests/test_utils.py::test_url_matches[http://-https://-True]', 'url'],
    ['another case of a test', 'test_url_matches[ftp://-http://-False] is broken', 'url'],
    ['a test in a task', 'Make `test_url_matches` pass again, please.', 'url'],
    ['an exception with its message', "KeyError: 'theme'", 'theme'],
    ["a test's title", 'the test "rounds each line once" fails', 'title'],
    ['a message without its label', 'ruff: command not found', 'command'],
    ['a message about a file', 'cannot read src/colours.conf: the key is too short', 'read'],
    ['a message that looks like none', 'the server did not answer at port 9090', 'port'],
    ['a test that only the error names', 'test_switch fails', 'only'],
  ] as const)('%s', async (_what, query, which) => {
    expect(await sure(query)).toEqual([ids[which]]);
  });
});

describe('nothing is sure', () => {
  test.each([
    ['of an exception without a message', 'there is a TypeError somewhere'],
    ['of another message of the same exception', "TypeError: 'int' object is not callable"],
    ['of another test with the same exception', 'test_register_twice fails with TypeError'],
    ['of too little of a message', 'KeyError:'],
    ['of a file of tests', 'look at tests/test_utils.py'],
    ['of the same message about another file', 'cannot read lib/servers.conf: the key is too short'],
    ['of the same words behind another label', 'bash: uvx: command not found'],
    ['of words that a title has, too', 'rounds of each line'],
  ])('%s', async (_what, query) => {
    expect(await sure(query)).toEqual([]);
  });
});

test('what is named finds the failure that the mend belongs to', async () => {
  const [first] = (await asked('test_nested_blueprint fails with TypeError')).results;
  expect(first).toMatchObject({ confidence: 'high', resolved_by: { passed: true } });
  expect(first?.resolved_by?.changes[0]?.now).toEqual(['mends Let blueprints nest']);
  expect(first?.why).toContain('test_nested_blueprint');
});

test('another reason than the one that is named makes it less sure', async () => {
  const [first] = (await asked('test_nested_blueprint fails with ZeroDivisionError: division by zero'))
    .results;
  expect(first).toMatchObject({ task_id: ids.nested, confidence: 'medium' });
});

test('where something is alike, Markdown has nothing of the rest; where nothing is, a line of three at most', async () => {
  const alike = (await asked('test_url_matches fails in the cart')).summary_markdown;
  expect(alike).toContain(ids.url);
  for (const other of [ids.nested, ids.theme, ids.title]) expect(alike).not.toContain(other);

  const { results, summary_markdown } = await asked('settings of the cart, the theme, the server, a switch');
  expect(results.length).toBeGreaterThan(3);
  const lines = summary_markdown.trimEnd().split('\n');
  expect(lines[0]).toContain('Nothing alike is recorded');
  expect(lines.slice(2).map((line) => line.slice(0, 2))).toEqual(['1.', '2.', '3.']);
  for (const line of lines.slice(2)) expect(line.length).toBeLessThan(200);
});

test('an error that was met again and again is told once', async () => {
  const { results, summary_markdown } = await asked("KeyError: 'theme'");
  expect(results[0]?.error_ids).toHaveLength(2);
  expect(results[0]?.errors).toHaveLength(1);
  expect(summary_markdown.match(/failed with/gu)).toHaveLength(1);
});

test('a message for which many unlike tests fail is not sure to mean the one or the other', async () => {
  const message = 'assert False is True';
  for (const name of ['test_one', 'test_two', 'test_three', 'test_four'])
    await failed(`Mend ${name}`, {
      stdout: printed('tests/test_many.py', name, message),
      message: `${name}: ${message}`,
    });
  const confidences = async (query: string) =>
    (await asked(query)).results.map(({ confidence, summary }) => [
      confidence,
      /test_\w+/u.exec(summary)?.[0],
    ]);
  expect((await confidences(message)).slice(0, 4).map(([confidence]) => confidence)).toEqual([
    'medium',
    'medium',
    'medium',
    'medium',
  ]);
  expect((await confidences(`test_two fails: ${message}`))[0]).toEqual(['high', 'test_two']);
  expect((await confidences(`E   ${message}\n1 failed in 0.12s`))[0]?.[0]).toBe('medium');
});
