import { beforeEach, describe, expect, test } from 'vitest';
import type { OpenGraph } from '../../index.js';
import { CART, FAILURE, FIRST_PROMPT, FIX, RUN, Sessions } from './agent-sessions.js';
import { index, open, write } from './project.js';

let graph: OpenGraph;
let root: string;
let agents: Sessions;
beforeEach(async () => {
  root = write(CART);
  graph = await open(root);
  agents = new Sessions(graph);
});

describe('at the start of a session', () => {
  test('nothing is said of a project of which nothing is known', async () => {
    expect(await agents.told('session_start')).toBeNull();
  });

  test('an index that nobody asked for is told of, once', async () => {
    const text = await agents.told('session_start', { indexing: true });
    expect(text).toContain('codewalk config set auto_index false');
    expect(await agents.told('prompt', { indexing: true, prompt: 'Add taxes' })).toBeNull();
    expect(await agents.told('prompt', { indexing: true, prompt: 'Add taxes' }, 's3')).toBe(text);
  });

  test('what is known is told in counts, once', async () => {
    await index(graph);
    await agents.mendedDiscount();
    const text = await agents.told('session_start');
    expect(text).toMatch(/^Codewalk: known of this project: 5 files with \d+ symbols; 1 earlier task\./u);
    expect(text).toContain('graph_context_for_files');
    expect(text).not.toContain('```');
    expect(await agents.told('session_start')).toBeNull();
  });
});

describe('with a prompt', () => {
  test('the history of the file that it names is told', async () => {
    await index(graph);
    await agents.mendedDiscount();
    const prompt = 'applyDiscount in src/price.js should clamp percentages above 100.';
    const text = await agents.told('prompt', { prompt });
    expect(text).toContain(FIRST_PROMPT.slice(0, 60));
    expect(text).toContain('mended by an edit of src/price.js: return total - (total * pct) / 100;');
    expect(await agents.told('prompt', { prompt })).toBeNull();
  });

  test('prompts that came to nothing are not in the way of one that did', async () => {
    await index(graph);
    await agents.mendedDiscount();
    const prompt = 'applyDiscount in src/price.js should clamp percentages above 100.';
    for (const nth of [1, 2, 3, 4]) {
      await agents.log('task_start', { user_prompt: prompt }, `empty ${nth}`);
      await agents.log('task_end', { status: 'ended' }, `empty ${nth}`);
    }
    const text = await agents.told('prompt', { prompt });
    expect(text).toContain('mended by an edit of src/price.js');
    expect(text).not.toContain('clamp');
  });

  test('nothing is told of another matter', async () => {
    await index(graph);
    await agents.mendedDiscount();
    expect(await agents.told('prompt', { prompt: 'Write a changelog for the next release' })).toBeNull();
  });
});

describe('when a file is read', () => {
  test('callers, tests and what failed there are told, once', async () => {
    await index(graph);
    await agents.mendedDiscount();
    const text = await agents.told('read', { file_paths: [`${root}/src/price.js`] });
    expect(text).toContain('applyDiscount is called by Cart.total (src/cart.js)');
    expect(text).toContain('tested by test/cart.test.js (10 percent discount)');
    expect(text).toContain('mended by an edit of src/price.js');
    expect(text?.length).toBeLessThanOrEqual(1000);
    expect(await agents.told('read', { file_paths: ['src/price.js'] })).toBeNull();
  });

  test('it is said where the file changed since it was indexed', async () => {
    await index(graph);
    write({ 'src/price.js': `// new\n${CART['src/price.js']}` }, root);
    const text = await agents.told('read', { file_paths: ['src/price.js'] });
    expect(text).toContain('(as last indexed: it changed since)');
  });

  test('what an edit changes comes first among what others call', async () => {
    await index(graph);
    const edit = {
      file: 'src/price.js',
      old: 'export function formatPrice(n) {',
      now: 'export function formatPrice(n, m) {',
    };
    const text = (await agents.told('before_edit', { edit, file_paths: ['src/price.js'] })) ?? '';
    expect(text).toContain('formatPrice is called by Cart.receipt');
    expect(text.indexOf('formatPrice is')).toBeLessThan(text.indexOf('applyDiscount is'));
  });

  test('nothing is told of a file that stands alone', async () => {
    await index(graph);
    expect(await agents.told('read', { file_paths: ['src/alone.js'] })).toBeNull();
  });
});

describe('after a failure', () => {
  test('one that only an error told of, since a pipe hid it, is told with what mended it', async () => {
    const piped = { command: 'node --test test/ | tail -20' };
    const [tool_id, tool_name] = ['call piped', 'run_shell_command'];
    await agents.log('task_start', { user_prompt: FIRST_PROMPT }, 's1');
    await agents.log('tool_start', { tool_name, params_json: piped }, 's1', { tool_id });
    await agents.log('tool_end', { tool_name, success: true, stdout: FAILURE }, 's1', { tool_id });
    const error = { error_type: 'test_failure', message: '10 percent discount: -180 !== 18' };
    await agents.log('error', { ...error, tests: ['10 percent discount'] }, 's1', { tool_id });
    await agents.use('s1', FIX);
    await agents.use('s1', piped);
    await agents.log('task_end', { status: 'ended' }, 's1');
    const text = await agents.told('failure', { output: FAILURE, ...RUN });
    expect(text).toContain('mended by an edit of src/price.js: return total - (total * pct) / 100;');
  });

  test('what mended the same failure is told', async () => {
    await agents.mendedDiscount();
    await agents.log('task_start', { user_prompt: 'Make the receipt nicer' }, 's2');
    const text = await agents.told('failure', { output: FAILURE, command: RUN.command });
    expect(text).toContain('mended by an edit of src/price.js: return total - (total * pct) / 100;');
    expect(text).not.toMatch(/[<>]|->/u);
  });

  test('the task that met it is no earlier attempt', async () => {
    await agents.log('task_start', { user_prompt: FIRST_PROMPT }, 's1');
    await agents.use('s1', RUN, FAILURE);
    await agents.use('s1', FIX);
    expect(await agents.told('failure', { output: FAILURE }, 's1')).toBeNull();
  });

  test('nothing is told where nothing alike is known', async () => {
    await agents.mendedDiscount();
    expect(await agents.told('failure', { output: 'bash: cargo: command not found' })).toBeNull();
  });
});
