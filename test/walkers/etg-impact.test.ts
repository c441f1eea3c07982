import { expect, test } from 'vitest';
import type { OpenGraph } from '../../index.js';
import { ToolInvocation, ToolTouchesSymbol } from '../../schema/index.js';
import { Errors } from '../../walkers/trace/errors.js';
import { TraceImpact } from '../../walkers/trace/trace-impact.js';
import { indexed, log } from './project.js';
import { PRINTED, worked } from './worked.js';

const impact = async (graph: OpenGraph, from: string, more = {}) =>
  (await graph.spawn(TraceImpact, null, { from, ...more })).output;

test('from a task the walk comes to the symbols it worked on, their callers and tests', async () => {
  const { graph, mended } = await worked();
  expect(await impact(graph, mended.slice(0, 15))).toMatchObject({
    tasks: [{ task_id: mended, prompt: 'The total of a cart is wrong' }],
    errors: [{ error_type: 'test_failure' }],
    steps: [{ order: 1, met: [expect.stringMatching(/^error:/)] }, { order: 2 }, { order: 3 }],
    files: [
      { path: 'src/money.ts', use: 'write', there: true },
      { path: 'src/cart.test.ts', use: 'named', there: true },
    ],
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
  const farther = await impact(graph, mended, { max_depth: 2 });
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
  const from = (text: string) => impact(graph, text);
  const { errors } = await from(failed);
  const [error] = errors.filter(({ error_type }) => error_type === 'test_failure');
  const all = await from(error?.error_id ?? '');
  expect(all.summary).toMatch(/^2 errors of one failure, 2 tasks, /);
  expect(all.tasks.map(({ task_id }) => task_id)).toEqual([failed, mended]);
  expect(all.steps.filter(({ mended }) => mended.length > 0)).toMatchObject([{ task_id: mended, order: 2 }]);
  expect(all.files.map(({ path, use }) => [path, use])).toEqual([
    ['src/money.ts', 'write'],
    ['src/cart.test.ts', 'named'],
  ]);
  expect(all.symbols.map(({ name }) => name)).toEqual(['tax']);
  for (const text of [error?.fingerprint ?? '', PRINTED.slice(0, 60)]) expect(await from(text)).toEqual(all);
  expect((await from('no such `file`')).errors).toMatchObject([{ error_type: 'tool_error' }]);
  await expect(from('never met')).rejects.toMatchObject({ code: 'NODE_NOT_FOUND' });
});

test('what lists show of an error leads to it: quoted, on two lines, cut; a part that several have does not', async () => {
  const { graph, root, failed } = await worked();
  const message = `FAIL  src/deep.test.ts > \`names\` of ${'very '.repeat(40)}long\nTypeError: cannot read \`name\` of null`;
  const told = (tests: string[]) => ({ error_type: 'test_failure', message, tests, raw_log_excerpt: root });
  await log(graph, 'error', told(['names of the first']), { task_id: failed });
  await log(graph, 'error', told(['names of the second']), { task_id: failed });
  const from = async (text: string) => (await impact(graph, text)).errors;
  const { output } = await graph.spawn(Errors, null, {});
  const shown = Errors.markdown?.(output as never) ?? '';
  const [printed = ''] = /`` FAIL {1,2}src\/deep[\s\S]*?… ``/u.exec(shown) ?? [];
  expect(printed).toContain('\n    ');
  for (const text of [printed, printed.replace(/^`+ ?| ?`+$/gu, ''), printed.replace(/\s+/gu, ' '), message])
    expect((await from(text)).map(({ error_type }) => error_type)).toEqual(['test_failure', 'test_failure']);
  expect((await from('names of the second')).length).toBe(1);
  await expect(from('cannot read `name` of null')).rejects.toMatchObject({
    code: 'NODE_NOT_FOUND',
    message: expect.stringMatching(/^2 failures say/),
    suggestion: expect.stringContaining('error:'),
  });
});

test("a file that only an error names counts as touched; tests of a class, and tests that call it, are its constructor's", async () => {
  const { graph } = await indexed({
    'lib/pattern.py': 'class Pattern:\n    def __init__(self, text):\n        self.text = text\n',
    'lib/use.py': 'from lib.pattern import Pattern\n\ndef use():\n    return Pattern("a")\n',
    'tests/test_pattern.py':
      'from lib.pattern import Pattern\n\ndef test_text():\n    assert Pattern("a").text == "a"\n',
  });
  const { task_id } = await log(graph, 'task_start', { user_prompt: 'mend it' });
  const message = 'TypeError: no text\n  File "lib/pattern.py", line 2\n  gone/away.py:1';
  await log(graph, 'error', { error_type: 'runtime_error', message }, { task_id });
  const output = await impact(graph, 'TypeError: no text');
  expect(output.files).toMatchObject([{ path: 'lib/pattern.py', use: 'named' }]);
  const made = output.symbols.find(({ name }) => name === 'Pattern.__init__');
  expect(made).toMatchObject({ callers: 1, tests: 1 });
  expect(output.callers.map(({ name }) => name)).toEqual(['use']);
  expect(output.tests).toMatchObject([{ name: 'test_text', via: 'call', distance: 1 }]);
  expect(output.tests[0]?.tests).toContain('m:lib/pattern.py:Pattern.__init__');
});

test('what was only read counts where nothing was written; a file that is gone is told of', async () => {
  const { graph, asked } = await worked();
  const read = await impact(graph, asked);
  expect(read.files).toMatchObject([{ path: 'src/checkout.ts', use: 'read' }]);
  expect(read.symbols.map(({ name }) => name)).toEqual(['checkout']);
  const edit = { tool_name: 'edit', params_json: { path: 'gone.ts', content: 'x' } };
  await log(graph, 'tool_start', { ...edit, files_touched: ['gone.ts'] }, { task_id: asked });
  const wrote = await impact(graph, asked);
  expect(wrote.files.map(({ path, there }) => [path, there])).toEqual([
    ['gone.ts', false],
    ['src/checkout.ts', true],
  ]);
  expect(wrote.symbols).toEqual([]);
});

test('where the trace names symbols, what else their file holds was not worked on', async () => {
  const { graph, mended } = await worked();
  await graph.write(async (tx) => {
    const [tool] = await tx.find(ToolInvocation, { tool_name: 'edit' });
    const symbol = await tx.node('m:src/cart.ts:Cart.total');
    if (tool && symbol) await tx.connect(tool, symbol, ToolTouchesSymbol({}));
  });
  const edit = { tool_name: 'edit', params_json: { path: 'src/cart.ts', content: 'x' } };
  await log(graph, 'tool_start', { ...edit, files_touched: ['src/cart.ts'] }, { task_id: mended });
  const { symbols } = await impact(graph, mended);
  expect(symbols.map(({ name, named }) => [name, named])).toEqual([
    ['Cart.total', true],
    ['tax', false],
  ]);
});

test('a budget makes rows fall, and the answer says which', async () => {
  const { graph, mended } = await worked();
  const output = await impact(graph, mended, { max_tokens: 200 });
  expect(JSON.stringify(output).length).toBeLessThan(2000);
  const cut = expect.stringMatching(/^(?:None of|The (?:first|last)) .* are shown/);
  expect(output).toMatchObject({ state: { cut: expect.arrayContaining([cut]) } });
});

test('how a tool used its files is said by its name; of one that says nothing it stays open', async () => {
  const { graph } = await indexed({ 'src/a.ts': '', 'src/b.ts': '', 'src/c.ts': '' });
  const { task_id } = await log(graph, 'task_start', { user_prompt: 'Count further' });
  for (const [tool_name, path] of [
    ['edit', 'src/a.ts'],
    ['read_file', 'src/b.ts'],
    ['sync', 'src/c.ts'],
  ] as const) {
    await log(graph, 'tool_start', { tool_name, params_json: { file_path: path } }, { task_id });
    await log(graph, 'tool_end', { tool_name, success: true, files_touched: [path] }, { task_id });
  }
  const { files } = await impact(graph, task_id ?? '');
  expect(files.map(({ path, use }) => [path, use])).toEqual([
    ['src/a.ts', 'write'],
    ['src/c.ts', null],
    ['src/b.ts', 'read'],
  ]);
});
