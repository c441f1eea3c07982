import { beforeEach, expect, test } from 'vitest';
import type { OpenGraph } from '../../index.js';
import type { EventKind } from '../../schema/index.js';
import { EtgQuerySimilarAttempts } from '../../walkers/trace/etg-query-similar-attempts.js';
import { TraceForget } from '../../walkers/trace/trace-forget.js';
import { log as logIn, open, write } from './project.js';

let graph: OpenGraph;
let minute = 0;
beforeEach(async () => {
  graph = await open(write({ 'src/auth.ts': "import './near.js';\n", 'src/near.ts': '', 'src/far.ts': '' }));
  minute = 0;
});

const log = (kind: EventKind, payload: Record<string, unknown>, task_id: string | null = null) =>
  logIn(graph, kind, payload, { task_id, ts: new Date(Date.UTC(2026, 0, 1, 0, minute++)).toISOString() });

/** A task with one edit a file; of a file with names, these are parameters of the edit. */
async function attempt(
  user_prompt: string,
  files: readonly string[] | Readonly<Record<string, readonly string[]>>,
  status: string | null = 'success',
) {
  const { task_id } = await log('task_start', { user_prompt });
  for (const [file, symbols] of Object.entries(Array.isArray(files) ? {} : files))
    await log('tool_start', { tool_name: 'edit', params_json: { file_path: file, symbols } }, task_id);
  for (const file of Array.isArray(files) ? files : Object.keys(files)) {
    const use = { tool_name: 'edit', success: true, files_touched: [file] };
    await log(
      'tool_end',
      { ...use, ...(Array.isArray(files) ? { params_json: { file_path: file } } : {}) },
      task_id,
    );
  }
  if (status !== null) await log('task_end', { status }, task_id);
  return task_id;
}

const asked = async (query: string, more: Record<string, unknown> = {}) =>
  (await graph.spawn(EtgQuerySimilarAttempts, null, { query, ...more })).output.results;

/** All that is kept beside the records, as text. */
const keptText = (): Promise<string> =>
  graph.read(async (tx) => {
    const parts: string[] = [];
    for await (const page of tx.blobsUnder('', 'durable'))
      for (const { name, value } of page) parts.push(name, Buffer.from(value).toString('latin1'));
    return parts.join('\n');
  });

test('a prompt that was tried again is one answer, which says how often', async () => {
  const failed = await attempt('Let sessions expire after an hour', ['src/auth.ts'], 'failed');
  const done = await attempt('Let sessions  expire after an hour', ['src/auth.ts']);
  const other = await attempt('Let sessions expire after an hour', ['src/far.ts']);
  const results = await asked('Let sessions expire');
  expect(results.map(({ task_id }) => task_id).sort()).toEqual([done, other].sort());
  const one = results.find(({ task_id }) => task_id === done);
  expect([one?.again, one?.why]).toEqual([[failed], expect.stringContaining('tried 2 times')]);
});

test('an attempt that goes on is found by its prompt, and by all it did once it ends', async () => {
  await attempt('Round prices', ['src/far.ts']);
  const id = await attempt(
    'Let sessions expire',
    [0, 1, 2, 3, 4, 5].map((n) => `src/part${n}.ts`),
    null,
  );
  expect((await asked('Let sessions expire')).at(-1)).toMatchObject({ task_id: id, status: 'running' });
  await log('task_end', { status: 'success' }, id);
  const [first] = await asked('anything', { file_paths: ['src/part5.ts'], file_match: 'strict' });
  expect(first).toMatchObject({ task_id: id, status: 'success' });
  expect(await keptText()).not.toContain('attempts/open/');
});

test('what is forgotten is in no index any more', async () => {
  const id = await attempt('Hide the xylophone', ['src/xylophone.ts']);
  const left = await attempt('Round prices', ['src/far.ts']);
  expect(await keptText()).toContain('xylophon');
  await graph.spawn(TraceForget, null, { task: id });
  const kept = await keptText();
  expect([kept.includes('xylophon'), kept.includes(id)]).toEqual([false, false]);
  expect((await asked('prices')).map(({ task_id }) => task_id)).toEqual([left]);
});

test('a frame of the project leads to attempts that touched its file; one from elsewhere is none', async () => {
  const near = await attempt('Change the door', ['src/near.ts']);
  await attempt('Change the door again', ['src/far.ts']);
  const [first] = await asked(
    'TypeError: no door\n  at open (src/near.ts:3:1)\n  at run (/usr/lib/elsewhere.ts:9:9)',
  );
  expect([first?.task_id, first?.why]).toEqual([near, expect.stringContaining('touched src/near.ts')]);
});

test('attempts at the files asked for are told apart by the names in them that the likest ones worked on', async () => {
  const told = await attempt('Let sessions expire', { 'src/auth.ts': ['refresh'] });
  const same = await attempt('Chores before the release', { 'src/auth.ts': ['refresh'] });
  for (const name of ['parse', 'print', 'sign', 'count']) await attempt('Chores', { 'src/auth.ts': [name] });
  const asking = { file_paths: ['src/auth.ts'] };
  const found = (await asked('Sessions that expire are renewed', asking)).map(({ task_id }) => task_id);
  expect(found.slice(0, 2)).toEqual([told, same]);
  const [named] = await asked('What does print say', asking);
  expect(named).toMatchObject({ summary: 'Chores', files: ['src/auth.ts'] });
});

test('symbols whose lines an edit changed are names that it worked on', async () => {
  const { task_id } = await log('task_start', { user_prompt: 'Chores' });
  const content = 'export function renew() {\n  return 1;\n}\n\nexport function drop() {\n  return 2;\n}\n';
  const edit = { tool_name: 'edit', success: true, files_touched: ['src/auth.ts'], content, lines: [[2, 2]] };
  await log('tool_end', edit, task_id);
  await log('task_end', { status: 'success' }, task_id);
  expect(await keptText()).toContain('"names":{"src/auth.ts":"renew"}');
});

const MESSAGE = "Cannot read properties of undefined (reading 'filter')";
const SLOTS = ['freeSlots (src/slots.js:3:20)', 'TestContext.<anonymous> (test/slots.test.js:6:20)'];
/** What `node --test` prints of one failing test. @param at Functions and files of its frames, innermost first. */
const failing = (title: string, at: readonly string[]) => `TAP version 13
# Subtest: ${title}
not ok 1 - ${title}
  ---
  type: 'test'
  failureType: 'testCodeFailure'
  error: "${MESSAGE}"
  code: 'ERR_TEST_FAILURE'
  name: 'TypeError'
  stack: |-
${at.map((frame) => `      ${frame}`).join('\n')}
  ...
1..1
# tests 2
# pass 1
# fail 1
`;

test.each([
  [
    'out of another file and another test is another failure',
    failing('only current rates are listed', [
      'currentRates (src/rates.js:3:24)',
      'x (test/rates.test.js:6:20)',
    ]),
    { same_failure: false, confidence: 'low' },
  ],
  [
    'out of the same file is the same failure in another test',
    failing('a week has free slots', ['freeSlots (src/slots.js:9:20)', 'x (test/week.test.js:8:1)']),
    { same_failure: true, resolved_by: { passed: true } },
  ],
  ['without a place is the same failure', `TypeError: ${MESSAGE}`, { same_failure: true }],
])('the same message %s', async (_, query, expected) => {
  const run = { tool_name: 'shell', params_json: { command: 'node --test test/' } };
  const edit = { file_path: 'src/slots.js', old_string: 'day.slots', new_string: '(day.slots ?? [])' };
  const { task_id } = await log('task_start', { user_prompt: 'Days without slots' });
  const stdout = failing('a day without slots has no free ones', SLOTS);
  await log('tool_end', { ...run, success: false, stdout }, task_id);
  const changed = { tool_name: 'edit', success: true, params_json: edit, files_touched: ['src/slots.js'] };
  await log('tool_end', changed, task_id);
  await log('tool_end', { ...run, success: true, stdout: '# pass 2\n# fail 0\n' }, task_id);
  await log('task_end', { status: 'success' }, task_id);
  expect((await asked(query))[0]).toMatchObject(expected);
});
