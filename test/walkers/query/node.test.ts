import { expect, test } from 'vitest';
import type { OpenGraph } from '../../../host/index.js';
import type { NodeOutput } from '../../../walkers/query/graph-node.js';
import type { Timeline } from '../../../walkers/trace/show.js';
import { indexed, log } from '../project.js';
import { asked, PYTHON, TYPESCRIPT } from './shops.js';

const node = (graph: OpenGraph, id: string, input: object = {}) =>
  asked<NodeOutput>(graph, 'graph_node', { id, ...input });

test('a node is shown as its source spells it, with labels, properties and its edges by type and direction', async () => {
  const { graph } = await indexed(PYTHON);
  const { body, markdown } = await node(graph, 'UserService.login');
  expect(body).toMatchObject({
    id: 'm:src/auth/services.py:UserService.login',
    kind: 'method',
    name: 'login',
    qualname: 'auth.services.UserService.login',
    module_path: 'src/auth/services.py',
    lineno: 19,
    end_lineno: 21,
    docstring: null,
    labels: ['Symbol', 'Method'],
    properties: { class_name: 'auth.services.UserService', start_line: 19, visibility: 'public' },
  });
  expect(body.edges).toContainEqual({
    type: 'CALLS',
    direction: 'in',
    count: 1,
    first: ['fn:src/app.py:start'],
  });
  expect(body.edges.find(({ type, direction }) => type === 'CALLS' && direction === 'out')).toEqual({
    type: 'CALLS',
    direction: 'out',
    count: 3,
    first: [
      'm:src/auth/services.py:Base.log',
      'fn:src/auth/utils.py:validate_token',
      'fn:src/auth/utils.py:hash_password',
    ],
  });
  expect(markdown).toContain('- CALLS in 1: `fn:src/app.py:start`');
  expect(markdown).toContain('- qualified_name: auth.services.UserService.login');
});

test('files, packages, imports and folders are nodes as well, and so is what a trace holds', async () => {
  const { graph } = await indexed(TYPESCRIPT);
  expect((await node(graph, 'src/money.ts')).body).toMatchObject({ id: 'file:src/money.ts', kind: 'module' });
  expect((await node(graph, 'mod:src/money.ts')).body).toMatchObject({ id: 'file:src/money.ts' });
  expect((await node(graph, 'chalk')).body).toMatchObject({ id: 'pkg:chalk', labels: ['ExternalPackage'] });
  expect((await node(graph, 'dir:src/cart')).body).toMatchObject({ id: 'dir:src/cart', kind: 'directory' });
  expect((await node(graph, 'import:src/cart/index.ts:chalk')).body).toMatchObject({
    kind: 'import',
    lineno: 2,
  });
  const { task_id } = await log(graph, 'task_start', { user_prompt: 'Mend the till.' });
  expect((await node(graph, String(task_id))).body).toMatchObject({
    kind: 'Task',
    labels: ['Task'],
    properties: { user_prompt: 'Mend the till.' },
  });
});

test('of a name that leads to several the first is shown and the others are named', async () => {
  const { graph } = await indexed(TYPESCRIPT);
  const { body } = await node(graph, 'format');
  expect(body.id).toBe('fn:src/money.ts:format');
  expect(body.state.cut).toEqual([
    "'format' leads to 2: shop/money.format (src/money.ts:20), shop/print.format (src/print.ts:3); qualify it.",
  ]);
  await expect(node(graph, 'fn:src/money.ts:gone')).rejects.toMatchObject({ code: 'NODE_NOT_FOUND' });
});

test('texts are cut to the budget, counts stay', async () => {
  const { graph } = await indexed({ 'a.py': `def f():\n    """${'long '.repeat(4000)}"""\n` });
  const { body } = await node(graph, 'f');
  expect(body.docstring).toHaveLength(400);
  expect(body.state.cut).toEqual(['Texts and lists are shortened: max_tokens up to 20000 gives more.']);
  expect((await node(graph, 'f', { max_tokens: 20_000 })).body.docstring?.length).toBeGreaterThan(1000);
});

test('a task is shown as its timeline, as `codewalk show` does, by its id or the beginning of it', async () => {
  const { graph } = await indexed(PYTHON);
  const { task_id } = await log(graph, 'task_start', { user_prompt: 'Fix the login' });
  const names = { task_id, tool_id: 'one' };
  await log(graph, 'tool_start', { tool_name: 'edit', files_touched: ['src/app.py'] }, names);
  await log(graph, 'tool_end', { tool_name: 'edit', success: true }, names);
  await log(
    graph,
    'error',
    { error_type: 'test_failure', message: `expected 200 ${'x '.repeat(5000)}` },
    { task_id },
  );
  const shown = await asked<Timeline>(graph, 'show', { task: task_id });
  const whole = await node(graph, task_id, { max_tokens: 20_000 });
  const { state: _, ...timeline } = shown.body as Timeline & { state: unknown };
  expect(whole.body).toMatchObject({ id: task_id, kind: 'Task', timeline });
  expect(whole.markdown.trim()).toBe(shown.markdown.trim());
  const short = await node(graph, task_id.slice(0, 12));
  expect(short.body.id).toBe(task_id);
  expect(short.body.timeline?.steps[0]?.events).toHaveLength(2);
  expect(JSON.stringify(short.body).length / 4).toBeLessThanOrEqual(2200);
  await expect(node(graph, 'task:nope')).rejects.toMatchObject({ code: 'NODE_NOT_FOUND' });
});
