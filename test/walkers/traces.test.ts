import { execFileSync } from 'node:child_process';
import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { OpenGraph } from '../../index.js';
import {
  AddedConcept,
  conceptId,
  Step,
  StepInvokesTool,
  ToolInvocation,
  ToolTouchesFile,
} from '../../schema/index.js';
import { contextOf, exported, index, indexed, lookAt, open, scratch, write } from './project.js';

const FILES = {
  'src/auth.ts': 'export function login() { return 1; }\n',
  'src/main.ts': "import { login } from './auth.js';\nlogin();\n",
};

/** A step of an agent that edited a file. */
async function touch(graph: OpenGraph, id: string): Promise<void> {
  await graph.write(async (tx) => {
    const file = await tx.node(id);
    if (!file) throw new Error(`${id} is not there`);
    const step = await tx.create(
      Step({ order: 1, role: 'editing', llm_summary: 'made login safe' }, { id: 'step-1' }),
    );
    const tool = await tx.connect(
      step,
      ToolInvocation({ tool_name: 'edit' }, { id: 'tool-1' }),
      StepInvokesTool,
    );
    await tx.connect(tool, file, ToolTouchesFile);
  });
}

const STEP = {
  id: 'step-1',
  order: 1,
  role: 'editing',
  summary: 'made login safe',
  path: 'src/auth.ts',
  started_at: null,
  task: null,
  errors: [],
  resolved_by: null,
};

test('a trace stays with its file when the file is indexed again, deleted, and restored', async () => {
  const { root, graph } = await indexed(FILES);
  await touch(graph, 'file:src/auth.ts');
  const durable = await exported(graph, 'durable');
  expect((await contextOf(graph, ['src/auth.ts'])).etg_steps).toEqual([STEP]);

  write({ 'src/auth.ts': 'export function login() { return 2; }\n' }, root);
  await index(graph, { mode: 'incremental' });
  await index(graph, { mode: 'full' });
  expect((await contextOf(graph, ['src/auth.ts'])).etg_steps).toEqual([STEP]);

  renameSync(join(root, 'src/auth.ts'), join(root, 'kept'));
  await index(graph, { mode: 'incremental' });
  expect((await lookAt(graph)).node('file:src/auth.ts')).toBeUndefined();
  const gone = await contextOf(graph, ['src/auth.ts']);
  expect(gone).toMatchObject({
    etg_steps: [STEP],
    symbols: [],
    files: [{ path: 'src/auth.ts', standing: 'gone', gone: true }],
  });
  expect(gone.summary).toContain('src/auth.ts is no longer in the project.');

  renameSync(join(root, 'kept'), join(root, 'src/auth.ts'));
  await index(graph, { mode: 'incremental' });
  const back = await contextOf(graph, ['src/auth.ts']);
  expect(back).toMatchObject({ etg_steps: [STEP] });
  expect(back.symbols.filter(({ distance }) => distance === 0)).toHaveLength(1);
  expect(await exported(graph, 'durable')).toEqual(durable);
});

test('a trace stays when the derived layer is thrown away and built again', async () => {
  const root = write(FILES);
  const home = scratch();
  const graph = await open(root, home);
  await index(graph);
  await touch(graph, 'file:src/auth.ts');
  await graph.close();
  const folder = execFileSync('find', [home, '-name', 'derived', '-type', 'd'], { encoding: 'utf8' }).trim();
  rmSync(folder, { recursive: true });
  const again = await open(root, home);
  await index(again);
  expect((await contextOf(again, ['src/auth.ts'])).etg_steps).toEqual([STEP]);
});

test('concepts that people added stay, whatever comments say', async () => {
  const { root, graph } = await indexed({ ...FILES, 'src/todo.ts': '// TODO: sign in twice\n' });
  await graph.write(async (tx) => {
    await tx.create(AddedConcept({ label: 'sessions' }, { id: conceptId('added', 'sessions') }));
  });
  rmSync(join(root, 'src/todo.ts'));
  await index(graph, { mode: 'incremental' });
  await index(graph, { mode: 'full' });
  expect((await lookAt(graph)).ids('concept')).toEqual([]);
  expect(await exported(graph, 'durable')).toMatchObject([{ id: 'concept:added:sessions', kind: 'concept' }]);
});

test('worktrees of a repository share traces, and each has a code graph of its own', async () => {
  const root = write(FILES, join(scratch(), 'main'));
  const other = join(scratch(), 'feature');
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=n', '-c', 'user.email=e@x', ...args], { cwd: root, stdio: 'pipe' });
  git('init', '--quiet');
  git('add', '.');
  git('commit', '--quiet', '-m', 'first');
  git('worktree', 'add', '--quiet', other, '-b', 'feature');
  write({ 'src/more.ts': 'export const more = 1;\n' }, other);
  const home = scratch();

  const first = await open(root, home);
  await index(first);
  await touch(first, 'file:src/auth.ts');
  await first.close();
  const second = await open(other, home);
  await expect(second.spawn('graph_stats')).rejects.toMatchObject({ code: 'PROJECT_NOT_INDEXED' });
  await index(second);
  expect((await contextOf(second, ['src/auth.ts'])).etg_steps).toEqual([STEP]);
  expect((await lookAt(second)).node('file:src/more.ts')).toBeDefined();
  await second.close();
  expect((await lookAt(await open(root, home))).node('file:src/more.ts')).toBeUndefined();
});

test('two sub-roots of one repository have stores of their own', async () => {
  const repository = write({ 'a/src/auth.ts': FILES['src/auth.ts'], 'b/src/auth.ts': FILES['src/auth.ts'] });
  execFileSync('git', ['init', '--quiet', repository]);
  const home = scratch();
  const [a, b] = [await open(join(repository, 'a'), home), await open(join(repository, 'b'), home)];
  await index(a);
  await index(b);
  await touch(a, 'file:src/auth.ts');
  expect((await contextOf(a, ['src/auth.ts'])).etg_steps).toEqual([STEP]);
  expect((await contextOf(b, ['src/auth.ts'])).etg_steps).toEqual([]);
});
