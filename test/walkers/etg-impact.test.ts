import { expect, test } from 'vitest';
import { defineWalker, Root } from '../../runtime/index.js';
import { ToolInvocation, ToolTouchesSymbol } from '../../schema/index.js';
import { TraceImpact } from '../../walkers/trace/trace-impact.js';
import { log } from './project.js';
import { PRINTED, worked } from './worked.js';

test('from a task the walk comes to the symbols it worked on, their callers and tests', async () => {
  const { graph, mended } = await worked();
  const { output } = await graph.spawn(TraceImpact, null, { from: mended.slice(0, 15) });
  expect(output).toMatchObject({
    tasks: [{ task_id: mended, prompt: 'The total of a cart is wrong' }],
    errors: [{ error_type: 'test_failure' }],
    steps: [{ order: 1, met: [expect.stringMatching(/^error:/)] }, { order: 2 }, { order: 3 }],
    files: [{ path: 'src/money.ts', use: 'write', there: true }],
    symbols: [{ id: 'fn:src/money.ts:tax', callers: 1, tests: 0 }],
    callers: [{ id: 'm:src/cart.ts:Cart.total', calls: ['fn:src/money.ts:tax'], distance: 1 }],
    tests: [
      {
        path: 'src/cart.test.ts',
        tests: ['m:src/cart.ts:Cart.total'],
        via: 'call',
        distance: 2,
        failed: true,
      },
    ],
  });
  const farther = (await graph.spawn(TraceImpact, null, { from: mended, max_depth: 2 })).output;
  expect(farther.callers.map(({ name, distance }) => [name, distance])).toEqual([
    ['Cart.total', 1],
    ['checkout', 2],
  ]);
  const shown = TraceImpact.markdown?.(farther as never) ?? '';
  expect(shown).toContain('- `src/checkout.ts`\n  - 2 `checkout` calls `Cart.total`, 2 calls away\n');
  expect(shown.split('\n').filter((line) => line.length > 80)).toEqual([]);
});

test('an error is met by its id, its fingerprint or its words; equal ones are one failure', async () => {
  const { graph, mended, failed } = await worked();
  const from = async (text: string) => (await graph.spawn(TraceImpact, null, { from: text })).output;
  const { errors } = await from(failed);
  const [error] = errors.filter(({ error_type }) => error_type === 'test_failure');
  const one = await from(error?.error_id ?? '');
  expect(one.errors.length).toBe(1);
  expect(one.tasks.map(({ task_id }) => task_id)).toEqual([failed]);
  for (const text of [error?.fingerprint ?? '', 'no such `file`', PRINTED.slice(0, 60)])
    expect((await from(text)).errors.length).toBeGreaterThan(0);
  const { errors: first } = await from(mended);
  const resolved = await from(first[0]?.error_id ?? '');
  expect(resolved.steps).toMatchObject([{ order: 1 }, { order: 2, mended: [first[0]?.error_id] }]);
  expect(resolved.files).toMatchObject([{ path: 'src/money.ts', use: 'write' }]);
  const both = await from(error?.fingerprint ?? '');
  expect(both.tasks.map(({ task_id }) => task_id)).toEqual([failed, mended]);
  await expect(from('never met')).rejects.toMatchObject({ code: 'NODE_NOT_FOUND' });
});

test('what was only read counts where nothing was written; a file that is gone is told of', async () => {
  const { graph, asked } = await worked();
  const read = (await graph.spawn(TraceImpact, null, { from: asked })).output;
  expect(read.files).toMatchObject([{ path: 'src/checkout.ts', use: 'read' }]);
  expect(read.symbols.map(({ name }) => name)).toEqual(['checkout']);
  const edit = { tool_name: 'edit', params_json: { path: 'gone.ts', content: 'x' } };
  await log(graph, 'tool_start', { ...edit, files_touched: ['gone.ts'] }, { task_id: asked });
  const wrote = (await graph.spawn(TraceImpact, null, { from: asked })).output;
  expect(wrote.files.map(({ path, there }) => [path, there])).toEqual([
    ['gone.ts', false],
    ['src/checkout.ts', true],
  ]);
  expect(wrote.symbols).toEqual([]);
});

test('where the trace names symbols, what else their file holds was not worked on', async () => {
  const { graph, mended } = await worked();
  const touches = defineWalker('touches', {
    access: 'write',
    on: (w) => [
      w.entry(Root, async (_here, { find, node, connect }) => {
        const [tool] = await find(ToolInvocation, { tool_name: 'edit' });
        const symbol = await node('m:src/cart.ts:Cart.total');
        if (tool && symbol) await connect(tool, symbol, ToolTouchesSymbol({}));
      }),
    ],
  });
  await graph.spawn(touches);
  const edit = { tool_name: 'edit', params_json: { path: 'src/cart.ts', content: 'x' } };
  await log(graph, 'tool_start', { ...edit, files_touched: ['src/cart.ts'] }, { task_id: mended });
  const { symbols } = (await graph.spawn(TraceImpact, null, { from: mended })).output;
  expect(symbols.map(({ name, named }) => [name, named])).toEqual([
    ['Cart.total', true],
    ['tax', false],
  ]);
});

test('a budget makes rows fall, and the answer says which', async () => {
  const { graph, mended } = await worked();
  const { output } = await graph.spawn(TraceImpact, null, { from: mended, max_tokens: 200 });
  expect(JSON.stringify(output).length).toBeLessThan(2000);
  expect(output).toMatchObject({
    state: { cut: expect.arrayContaining([expect.stringMatching(/^Shown are /)]) },
  });
});
