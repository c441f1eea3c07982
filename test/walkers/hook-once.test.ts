import { beforeEach, describe, expect, test } from 'vitest';
import type { OpenGraph } from '../../index.js';
import { CART, FAILURE, FIRST_PROMPT, FIX, RUN, Sessions } from './agent-sessions.js';
import { index, open, write } from './project.js';

const PROMPT = 'applyDiscount in src/price.js should clamp percentages above 100.';
const MENDED = 'mended by an edit of src/price.js: return total - (total * pct) / 100;';
const INSTEAD = '(instead of: return total - total * pct;)';

let graph: OpenGraph;
let agents: Sessions;
beforeEach(async () => {
  graph = await open(write(CART));
  agents = new Sessions(graph);
});

describe('a mend that the prompt brought', () => {
  beforeEach(async () => {
    await index(graph);
    await agents.mendedDiscount();
    await agents.log('task_start', { user_prompt: PROMPT }, 's2');
    expect(await agents.told('prompt', { prompt: PROMPT })).toContain(`${MENDED} ${INSTEAD}`);
  });

  test('is pointed to when its failure is met, once', async () => {
    const text = (await agents.told('failure', { ...RUN, output: FAILURE })) ?? '';
    expect(text).toMatch(
      /^Codewalk: this failed alike before in this project; what followed then was told above/u,
    );
    expect(text).toContain('- as told above: task of ');
    expect(text).toContain(MENDED);
    expect(text).not.toContain('instead of');
    expect(text).not.toContain('failed with');
    expect(await agents.told('failure', { ...RUN, output: FAILURE })).toBeNull();
  });

  test('is not told again with a file, but in full when a later prompt meets the failure', async () => {
    expect(await agents.told('read', { file_paths: ['src/price.js'] })).not.toContain('mended by');
    await agents.log('task_end', { status: 'success' }, 's2');
    await agents.log('task_start', { user_prompt: 'Something else' }, 's2');
    expect(await agents.told('failure', { ...RUN, output: FAILURE })).toContain(`${MENDED} ${INSTEAD}`);
  });
});

test('what a failure brought is not told again with a file or a later prompt', async () => {
  await index(graph);
  await agents.mendedDiscount();
  await agents.log('task_start', { user_prompt: 'Make the receipt nicer' }, 's2');
  expect(await agents.told('failure', { ...RUN, output: FAILURE })).toContain(MENDED);
  expect(await agents.told('read', { file_paths: ['src/price.js'] })).not.toContain('mended by');
  expect(await agents.told('prompt', { prompt: PROMPT })).toBeNull();
});

test('tasks with the same failure and the same mend are told as one', async () => {
  await index(graph);
  for (const session of ['a', 'b', 'c']) await agents.mendedDiscount(session);
  for (const text of [
    await agents.told('failure', { ...RUN, output: FAILURE }, 's2'),
    await agents.told('prompt', { prompt: FIRST_PROMPT }, 's3'),
  ]) {
    expect(text?.split(MENDED)).toHaveLength(2);
    expect(text).toContain('(and 2 other times): ');
    expect(text).not.toContain(';;');
  }
});

test('the same failure with nothing changed is told of once, however often it comes', async () => {
  await agents.log('task_start', { user_prompt: 'Fix the discount' }, 's1');
  await agents.use('s1', RUN, FAILURE, 'first');
  await agents.use('s1', RUN, FAILURE, 'second');
  const more = { ...RUN, output: FAILURE };
  expect(await agents.told('failure', { ...more, tool_id: 'second' }, 's1')).toContain('in the same way');
  await agents.use('s1', RUN, FAILURE, 'third');
  expect(await agents.told('failure', { ...more, tool_id: 'third' }, 's1')).toBeNull();
});

test('with a prompt, work that neither failed nor changed anything is not told', async () => {
  await index(graph);
  await agents.log('task_start', { user_prompt: PROMPT }, 's1');
  await agents.use('s1', { command: 'ls src' });
  await agents.log(
    'tool_start',
    { tool_name: 'read_file', params_json: { file_path: 'src/price.js' } },
    's1',
  );
  await agents.log(
    'tool_end',
    { tool_name: 'read_file', success: true, files_touched: ['src/price.js'] },
    's1',
  );
  await agents.log('task_end', { status: 'ended', summary: 'It clamps already.' }, 's1');
  expect(await agents.told('prompt', { prompt: PROMPT })).toBeNull();
  await agents.log('task_start', { user_prompt: PROMPT }, 's3');
  await agents.use('s3', FIX);
  await agents.log('task_end', { status: 'ended' }, 's3');
  expect(await agents.told('prompt', { prompt: PROMPT })).toContain('files: src/price.js');
});
