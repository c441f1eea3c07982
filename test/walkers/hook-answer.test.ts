import { beforeEach, describe, expect, test } from 'vitest';
import type { OpenGraph } from '../../index.js';
import type { EventKind } from '../../schema/index.js';
import { HookAnswer } from '../../walkers/answers/hook-answer.js';
import { EtgLogEvent } from '../../walkers/trace/etg-log-event.js';
import { index, open, write } from './project.js';

type Params = Record<string, unknown>;

const PRICE = `export function applyDiscount(total, pct) {
  return total - total * pct;
}

export function formatPrice(n) {
  return '$' + n.toFixed(2);
}
`;
const FILES = {
  'package.json': '{"name": "cart", "type": "module"}',
  'src/price.js': PRICE,
  'src/cart.js': `import { applyDiscount, formatPrice } from './price.js';

export class Cart {
  items = [];
  total(pct = 0) {
    return applyDiscount(this.items.length, pct);
  }
  receipt() {
    return formatPrice(this.total());
  }
}
`,
  'src/alone.js': 'export const alone = 1;\n',
  'test/cart.test.js': `import test from 'node:test';
import { applyDiscount } from '../src/price.js';

test('10 percent discount', () => {
  applyDiscount(20, 10);
});
`,
};
const RUN = { command: 'node --test test/' };
const FAILURE = `TAP version 13
not ok 1 - 10 percent discount
  error: |-
    Expected values to be strictly equal:
    -180 !== 18
  code: 'ERR_ASSERTION'
# fail 1`;
const FIX = {
  file_path: 'src/price.js',
  old_string: '  return total - total * pct;',
  new_string: '  return total - (total * pct) / 100;',
};
const FIRST_PROMPT =
  'The discount in src/price.js is wrong: applyDiscount gets a percentage like 10. Fix it and make the tests pass.';

let graph: OpenGraph;
let root: string;
let minute = 0;
beforeEach(async () => {
  minute = 0;
  root = write(FILES);
  graph = await open(root);
});

async function log(kind: EventKind, payload: Params, session_id: string) {
  const ts = new Date(Date.UTC(2026, 0, 1, 0, minute++)).toISOString();
  return (await graph.spawn(EtgLogEvent, null, { kind, payload, session_id, ts })).output;
}

/** One use of a tool, as a client's hooks tell it. @param failed What it printed where it failed. */
async function use(session: string, params: Params, failed?: string) {
  const tool_name = 'command' in params ? 'run_shell_command' : 'edit';
  const files_touched = typeof params.file_path === 'string' ? [params.file_path] : [];
  await log('tool_start', { tool_name, params_json: params, files_touched }, session);
  const outcome = { success: failed === undefined, stdout: failed ?? '' };
  await log('tool_end', { tool_name, ...outcome, files_touched }, session);
}

/** A session that met a failing test and mended it. */
async function mendedDiscount(session = 's1') {
  await log('task_start', { user_prompt: FIRST_PROMPT }, session);
  await use(session, RUN, FAILURE);
  await use(session, FIX);
  await use(session, RUN);
  return (await log('task_end', { status: 'success' }, session)).task_id;
}

async function told(moment: string, more: Params = {}, session_id = 's2'): Promise<string | null> {
  const input = { session_id, moment, ...more } as never;
  return (await graph.spawn(HookAnswer, null, input)).output.text;
}

describe('at the start of a session', () => {
  test('nothing is said of a project of which nothing is known', async () => {
    expect(await told('session_start')).toBeNull();
  });

  test('what is known is told in counts, once', async () => {
    await index(graph);
    await mendedDiscount();
    const text = await told('session_start');
    expect(text).toMatch(/^Codewalk: known of this project: 5 files with \d+ symbols; 1 earlier task;/u);
    expect(text).toContain('1 task that met failures, 1 of them with what mended it');
    expect(text).toContain('graph_context_for_files');
    expect(text).not.toContain('```');
    expect(await told('session_start')).toBeNull();
  });
});

describe('with a prompt', () => {
  test('the history of the file that it names is told', async () => {
    await index(graph);
    await mendedDiscount();
    const prompt = 'applyDiscount in src/price.js should clamp percentages above 100.';
    const text = await told('prompt', { prompt });
    expect(text).toContain(FIRST_PROMPT.slice(0, 60));
    expect(text).toContain('mended by an edit of src/price.js: return total - (total * pct) / 100;');
    expect(await told('prompt', { prompt })).toBeNull();
  });

  test('nothing is told of another matter', async () => {
    await index(graph);
    await mendedDiscount();
    expect(await told('prompt', { prompt: 'Write a changelog for the next release' })).toBeNull();
  });
});

describe('when a file is read', () => {
  test('callers, tests and what failed there are told, once', async () => {
    await index(graph);
    await mendedDiscount();
    const text = await told('read', { file_paths: [`${root}/src/price.js`] });
    expect(text).toContain('applyDiscount is called by Cart.total (src/cart.js)');
    expect(text).toContain('tested by test/cart.test.js (10 percent discount)');
    expect(text).toContain('mended by an edit of src/price.js');
    expect(text?.length).toBeLessThanOrEqual(1000);
    expect(await told('read', { file_paths: ['src/price.js'] })).toBeNull();
  });

  test('nothing is told of a file that stands alone', async () => {
    await index(graph);
    expect(await told('read', { file_paths: ['src/alone.js'] })).toBeNull();
  });
});

describe('after a failure', () => {
  test('what mended the same failure is told', async () => {
    await mendedDiscount();
    await log('task_start', { user_prompt: 'Make the receipt nicer' }, 's2');
    const text = await told('failure', { output: FAILURE, command: RUN.command });
    expect(text).toContain('mended by an edit of src/price.js: return total - (total * pct) / 100;');
    expect(text).not.toMatch(/[<>]|->/u);
  });

  test('the task that met it is no earlier attempt', async () => {
    await log('task_start', { user_prompt: FIRST_PROMPT }, 's1');
    await use('s1', RUN, FAILURE);
    await use('s1', FIX);
    expect(await told('failure', { output: FAILURE }, 's1')).toBeNull();
  });

  test('nothing is told where nothing alike is known', async () => {
    await mendedDiscount();
    expect(await told('failure', { output: 'bash: cargo: command not found' })).toBeNull();
  });
});
