import { beforeEach, expect, test } from 'vitest';
import type { OpenGraph } from '../../index.js';
import type { EventKind } from '../../schema/index.js';
import { EtgLogEvent } from '../../walkers/trace/etg-log-event.js';
import { EtgQuerySimilarAttempts } from '../../walkers/trace/etg-query-similar-attempts.js';
import { open, write } from './project.js';

let graph: OpenGraph;
let minute = 0;
beforeEach(async () => {
  graph = await open(write({ 'src/slots.js': '', 'src/rates.js': '' }));
  minute = 0;
});

async function log(kind: EventKind, payload: Record<string, unknown>, task_id: string | null) {
  const ts = new Date(Date.UTC(2026, 0, 1, 0, minute++)).toISOString();
  return (await graph.spawn(EtgLogEvent, null, { kind, payload, task_id, ts })).output;
}

const MESSAGE = "Cannot read properties of undefined (reading 'filter')";
const RUN = { tool_name: 'shell', params_json: { command: 'node --test test/' } };

/** What `node --test` prints of one failing test. @param at Functions and files of its frames, innermost first. */
function failing(title: string, at: readonly string[]): string {
  const frames = at.map((frame) => `      ${frame}`).join('\n');
  return `TAP version 13
# Subtest: ${title}
not ok 1 - ${title}
  ---
  duration_ms: 1.2
  type: 'test'
  failureType: 'testCodeFailure'
  error: "${MESSAGE}"
  code: 'ERR_TEST_FAILURE'
  name: 'TypeError'
  stack: |-
${frames}
  ...
1..1
# tests 2
# pass 1
# fail 1
`;
}

/** Records that a test of `freeSlots` failed, and what fixed it; asks for another failure. */
async function asked(output: string) {
  const { task_id } = await log('task_start', { user_prompt: 'Days without slots' }, null);
  const slots = ['freeSlots (src/slots.js:3:20)', 'TestContext.<anonymous> (test/slots.test.js:6:20)'];
  const stdout = failing('a day without slots has no free ones', slots);
  await log('tool_end', { ...RUN, success: false, stdout }, task_id);
  const params_json = { file_path: 'src/slots.js', old_string: 'day.slots', new_string: '(day.slots ?? [])' };
  const files_touched = ['src/slots.js'];
  await log('tool_end', { tool_name: 'edit', success: true, params_json, files_touched }, task_id);
  await log('tool_end', { ...RUN, success: true, stdout: '# pass 2\n# fail 0\n' }, task_id);
  await log('task_end', { status: 'success' }, task_id);
  return (await graph.spawn(EtgQuerySimilarAttempts, null, { query: output })).output.results[0];
}

test('the same message out of another file and another test is not the same failure', async () => {
  const rates = ['currentRates (src/rates.js:3:24)', 'TestContext.<anonymous> (test/rates.test.js:6:20)'];
  expect(await asked(failing('only current rates are listed', rates))).toMatchObject({
    same_failure: false,
    confidence: 'low',
  });
});

test('the same message out of the same file is the same failure in another test', async () => {
  const slots = ['freeSlots (src/slots.js:9:20)', 'TestContext.<anonymous> (test/week.test.js:8:1)'];
  const found = await asked(failing('a week has free slots', slots));
  expect(found).toMatchObject({ same_failure: true, resolved_by: { passed: true } });
});

test('a message without a place is the same failure', async () => {
  expect(await asked(`TypeError: ${MESSAGE}`)).toMatchObject({ same_failure: true });
});
