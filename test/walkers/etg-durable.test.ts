import { execFileSync } from 'node:child_process';
import { rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { OpenGraph } from '../../index.js';
import { Tasks } from '../../walkers/trace/tasks.js';
import { contextOf, exported, index, log, open, scratch, write } from './project.js';

const FILES = { 'src/auth.ts': 'export function login() { return 1; }\n' };

const EDIT = { tool_name: 'edit', success: true, files_touched: ['src/auth.ts'] };

/** A task with one edit of `src/auth.ts`. */
async function edited(graph: OpenGraph, user_prompt = 'Fix it'): Promise<void> {
  const { task_id } = await log(graph, 'task_start', { user_prompt });
  await log(graph, 'step', { order: 1, role: 'editing' }, { task_id });
  await log(graph, 'tool_end', EDIT, { task_id });
}

const prompts = async (graph: OpenGraph) =>
  (await graph.spawn(Tasks)).output.tasks.map(({ prompt }) => prompt).sort();

test('a trace that came before the first index ends on the File that indexing makes, and outlives the code graph', async () => {
  const [root, home] = [write(FILES), scratch()];
  const graph = await open(root, home);
  await edited(graph);
  const durable = await exported(graph, 'durable');
  await index(graph);
  expect((await contextOf(graph, ['src/auth.ts'])).etg_steps).toMatchObject([{ role: 'editing' }]);
  await index(graph, { mode: 'full' });
  expect(await exported(graph, 'durable')).toEqual(durable);
  await graph.close();
  const derived = execFileSync('find', [home, '-name', 'derived', '-type', 'd'], { encoding: 'utf8' }).trim();
  rmSync(derived, { recursive: true });
  const again = await open(root, home);
  expect(await exported(again, 'durable')).toEqual(durable);
  await log(again, 'task_start', { user_prompt: 'more' });
  expect(await prompts(again)).toEqual(['Fix it', 'more']);
});

test('the worktrees of a repository share their traces, two sub-roots of it do not', async () => {
  const main = write(
    { 'src/auth.ts': '1\n', 'a/src/auth.ts': '1\n', 'b/src/auth.ts': '1\n' },
    join(scratch(), 'main'),
  );
  const other = join(scratch(), 'feature');
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=n', '-c', 'user.email=e@x', ...args], { cwd: main, stdio: 'pipe' });
  git('init', '--quiet');
  git('add', '.');
  git('commit', '--quiet', '-m', 'first');
  git('worktree', 'add', '--quiet', other, '-b', 'feature');
  const home = scratch();
  const inTurn = async (root: string, prompt: string) => {
    const graph = await open(root, home);
    await edited(graph, prompt);
    const seen = await prompts(graph);
    await graph.close();
    return seen;
  };
  expect(await inTurn(main, 'main')).toEqual(['main']);
  expect(await inTurn(other, 'feature')).toEqual(['feature', 'main']);
  expect(await inTurn(join(main, 'a'), 'in a')).toEqual(['in a']);
  expect(await inTurn(join(main, 'b'), 'in b')).toEqual(['in b']);
  expect(await inTurn(join(other, 'a'), 'in a of feature')).toEqual(['in a', 'in a of feature']);
});

test('a path outside the root is left out and named, and the event is kept', async () => {
  const root = write(FILES);
  const elsewhere = write({ 'x.ts': '' });
  symlinkSync(elsewhere, join(root, 'out'));
  const graph = await open(root);
  const { task_id } = await log(graph, 'task_start', { user_prompt: 'x' });
  const inside = [join(root, 'src/auth.ts'), './src/../src/auth.ts', 'new.ts'];
  const files_touched = ['../up.ts', join(elsewhere, 'x.ts'), 'out/x.ts', ...inside, 'a\0b'];
  const { warnings } = await log(graph, 'tool_end', { ...EDIT, files_touched }, { task_id });
  expect(warnings).toHaveLength(4);
  const lines = await exported(graph, 'durable');
  expect(lines.filter(({ kind }) => kind === 'TOUCHES_FILE').map(({ to }) => to)).toEqual([
    'file:new.ts',
    'file:src/auth.ts',
  ]);
});

test('what clients say wrongly is kept raw and reported; what is missing is named', async () => {
  const graph = await open(':memory:');
  const { task_id } = await log(graph, 'task_start', { user_prompt: 'a\0b\ud800', unknown: 1 });
  for (const [kind, payload, task] of [
    ['step', { order: 1, role: 'dancing' }, task_id],
    ['error', { error_type: 'oops', message: 'm' }, task_id],
    ['task_end', { status: 'exploded' }, task_id],
    ['step', { order: 9 }, 'nobody knows'],
  ] as const)
    expect((await log(graph, kind, payload, { task_id: task })).warnings).toHaveLength(1);
  const nulls = { tool_name: 'x', success: true, duration_ms: null, stdout: null, files_touched: null };
  expect((await log(graph, 'tool_end', nulls, { task_id })).warnings).toEqual([]);
  const lines = await exported(graph, 'durable');
  const kindly = (kind: string) => lines.filter((line) => line.kind === kind);
  expect(kindly('Task')).toMatchObject([
    { id: 'nobody knows', status: 'running' },
    { user_prompt: 'a\ufffdb\ufffd', status: 'aborted', status_raw: 'exploded' },
  ]);
  expect(kindly('Error')).toMatchObject([{ error_type: 'runtime_error', error_type_raw: 'oops' }]);
  expect(kindly('Step').find(({ order }) => order === 1)).toMatchObject({ role: null, role_raw: 'dancing' });
  for (const [kind, payload, field] of [
    ['task_start', {}, 'user_prompt'],
    ['task_start', { user_prompt: null }, 'user_prompt'],
    ['step', { role: 'docs' }, 'order'],
    ['tool_end', { tool_name: 'x' }, 'success'],
    ['error', { error_type: 'tool_error' }, 'message'],
  ] as const)
    await expect(log(graph, kind, payload)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringContaining(field),
    });
  await expect(log(graph, 'step', { order: 1 }, { task_id: 'file:a.ts' })).rejects.toMatchObject({
    code: 'INVALID_INPUT',
  });
});

test('ten megabytes of output keep their start and their end, and say what is missing', async () => {
  const graph = await open(':memory:');
  const { task_id } = await log(graph, 'task_start', { user_prompt: 'x' });
  const stdout = `start ${'é'.repeat(5_000_000)} end`;
  await log(graph, 'tool_end', { tool_name: 'test', success: false, stdout }, { task_id });
  const tool = (await exported(graph, 'durable')).find(({ kind }) => kind === 'ToolInvocation');
  expect(tool?.truncated_bytes).toBeGreaterThan(9_900_000);
  expect(String(tool?.stdout)).toMatch(/^start é+\n\[… \d+ bytes left out …\]\né+ end$/);
});

test('the same event given twice counts once, even where nothing tells its use of a tool', async () => {
  const graph = await open(':memory:');
  const { task_id } = await log(graph, 'task_start', { user_prompt: 'x' }, { event_id: 'e0' });
  expect((await log(graph, 'task_start', { user_prompt: 'x' }, { event_id: 'e0' })).task_id).toBe(task_id);
  const end = () => log(graph, 'tool_end', { tool_name: 'test', success: true }, { task_id, event_id: 'e1' });
  expect(await end()).toEqual(await end());
  await log(graph, 'tool_end', { tool_name: 'test', success: true }, { task_id });
  expect((await exported(graph, 'durable')).filter(({ kind }) => kind === 'ToolInvocation')).toHaveLength(2);
});
