import type { OpenGraph } from '../../index.js';
import { indexed, log } from './project.js';

/** A small shop with a test, as it was while agents worked in it. */
const SHOP = {
  'src/cart.ts': [
    "import { tax } from './money.js';",
    'export class Cart {',
    '  total(price: number): number {',
    '    return price + tax(price);',
    '  }',
    '}',
    '',
  ].join('\n'),
  'src/money.ts': 'export function tax(price: number): number {\n  return price * 0.2;\n}\n',
  'src/checkout.ts': [
    "import { Cart } from './cart.js';",
    'export function checkout(cart: Cart): number {',
    '  return cart.total(10);',
    '}',
    '',
  ].join('\n'),
  'src/cart.test.ts': [
    "import { expect, it } from 'vitest';",
    "import { Cart } from './cart.js';",
    "it('adds the tax', () => {",
    '  expect(new Cart().total(10)).toBe(12);',
    '});',
    '',
  ].join('\n'),
};

/** What the failing test printed. */
export const PRINTED = [
  ' FAIL  src/cart.test.ts > adds the tax',
  'AssertionError: expected 10.2 to be 12 // Object.is equality',
  ' ❯ src/cart.test.ts:4:32',
].join('\n');

/** A graph in which agents worked, and the ids of its tasks. */
export interface Worked {
  readonly graph: OpenGraph;
  readonly root: string;
  /** A test failed and was mended. */
  readonly mended: string;
  /** The same test failed, and nobody mended it. */
  readonly failed: string;
  /** A file was only read. */
  readonly asked: string;
}

/** Indexes the shop and logs three tasks, as agents' hooks would. */
export async function worked(): Promise<Worked> {
  const { graph, root } = await indexed(SHOP);
  let time = Date.UTC(2026, 0, 31, 12, 5);
  const tell = (task_id: string | undefined, kind: Parameters<typeof log>[1], payload: object) => {
    time += 1500;
    return log(graph, kind, { ...payload }, { task_id, ts: time });
  };
  const begin = async (user_prompt: string, client: string, session_id: string) => {
    time += 60_000;
    return (await log(graph, 'task_start', { user_prompt, client }, { ts: time, session_id })).task_id;
  };
  const use = async (task: string, tool_name: string, params_json: object, end: object, files: string[]) => {
    await tell(task, 'tool_start', { tool_name, params_json, files_touched: files });
    await tell(task, 'tool_end', { tool_name, duration_ms: 120, ...end });
  };
  const ok = { success: true };
  const bad = { success: false, stdout: PRINTED };
  const runTest = { command: 'npx vitest run src/cart.test.ts' };
  const failure = { error_type: 'test_failure', message: PRINTED };

  const mended = await begin('The total of a cart is wrong\nplease mend it', 'qwen', 'session-a');
  await tell(mended, 'step', { order: 1, role: 'testing' });
  await use(mended, 'run_shell_command', runTest, bad, []);
  await tell(mended, 'error', failure);
  await tell(mended, 'step', { order: 2, role: 'editing', llm_summary: 'the rate was a tenth' });
  const change = { old_string: 'return price * 0.02;', new_string: 'return price * 0.2;' };
  await use(mended, 'edit', { file_path: `${root}/src/money.ts`, ...change }, ok, ['src/money.ts']);
  await tell(mended, 'checkpoint', { checkpoint_file: 'saved.json' });
  await tell(mended, 'step', { order: 3, role: 'testing' });
  await use(mended, 'run_shell_command', runTest, ok, []);
  await tell(mended, 'task_end', { status: 'success' });

  const failed = await begin('Round \u001b[31mthe\u200b total', 'claude', 'session-b');
  await use(failed, 'Bash', runTest, bad, []);
  await tell(failed, 'error', failure);
  await tell(failed, 'error', { error_type: 'tool_error', message: 'no such `file`' });
  await tell(failed, 'task_end', { status: 'failed' });

  const asked = await begin('What does the checkout do?', 'claude', 'session-b');
  await use(asked, 'Read', { file_path: 'src/checkout.ts' }, ok, ['src/checkout.ts']);
  return { graph, root, mended, failed, asked };
}
