import { execFileSync } from 'node:child_process';
import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CHANGES, CHANGES_MARK, changeHistory } from '../../graphs/code/history/git-history.js';
import type { OpenGraph } from '../../index.js';
import { defineWalker, Root } from '../../runtime/index.js';
import { type Files, index, open, scratch, write } from './project.js';

function git(root: string, ...args: string[]): void {
  const identity = ['-c', 'user.name=n', '-c', 'user.email=e@x', '-c', 'commit.gpgsign=false'];
  execFileSync('git', ['-C', root, ...identity, ...args], { stdio: 'pipe' });
}

function commit(root: string, files: Files): void {
  write(files, root);
  git(root, 'add', '--all');
  git(root, 'commit', '--quiet', '--allow-empty', '--message', 'change');
}

function repository(): string {
  const root = scratch();
  git(root, 'init', '--quiet', '--initial-branch=main');
  return root;
}

/** `n` lines, of which one may be another. */
function lines(n: number, changed?: number): string {
  return Array.from({ length: n }, (_, i) => `x${i + 1} = ${i + 1 === changed ? "'new'" : 0};\n`).join('');
}

const Told = defineWalker('told_by_history', {
  description: 'What the kept history says: for the test.',
  input: {},
  state: () => ({ commits: [] as (readonly string[])[], spans: {} as Record<string, unknown>, kept: '' }),
  on: (w) => [
    w.entry(Root, async (_here, context) => {
      const history = await changeHistory(context);
      context.state.commits = [...history.commits];
      const spans = [
        { id: 'top', start_line: 1, end_line: 5 },
        { id: 'end', start_line: 16, end_line: 20 },
      ];
      for (const path of new Set(history.commits.flat()))
        context.state.spans[path] = Object.fromEntries(history.spansTouched(path, spans));
      const kept = await context.blobs([CHANGES_MARK, CHANGES]);
      context.state.kept = kept.map((bytes) => Buffer.from(bytes ?? []).toString('utf8')).join('\n');
    }),
  ],
  finish: ({ state: { commits, spans, kept } }) => ({ commits, spans, kept }),
});

async function told(graph: OpenGraph) {
  return (await graph.spawn(Told, null, {})).output;
}

async function indexedAnew(root: string) {
  const graph = await open(root);
  await index(graph);
  return graph;
}

test('what changed together is told by the names that files have now, the newest commit first', async () => {
  const root = repository();
  commit(root, { 'a.ts': lines(20), 'b.ts': 'b = 1;\n' });
  commit(root, { 'a.ts': lines(20, 3), 'c.ts': 'c = 1;\n' });
  renameSync(join(root, 'a.ts'), join(root, 'moved.ts'));
  commit(root, {});
  const { commits } = await told(await indexedAnew(root));
  expect(commits).toEqual([['moved.ts'], ['moved.ts', 'c.ts'], ['moved.ts', 'b.ts']]);
});

test('lines are followed back through later changes to the commits that touched them', async () => {
  const root = repository();
  commit(root, { 'a.ts': lines(20) });
  commit(root, { 'a.ts': lines(20, 18) });
  commit(root, { 'a.ts': lines(20, 18).replace('x7 = 0;\n', '') });
  commit(root, { 'a.ts': `// one\n// two\n${lines(20, 18).replace('x7 = 0;\n', '')}` });
  const { spans } = await told(await indexedAnew(root));
  // Today's lines 16 to 20 are x15 to x19; the last commit but two changed x18.
  expect(spans).toEqual({ 'a.ts': { 0: ['top'], 1: [], 2: ['end'] } });
});

test('a run after more commits, and one after others, keeps what a first run keeps', async () => {
  const root = repository();
  commit(root, { 'a.ts': lines(20), 'b.ts': 'b = 1;\n' });
  commit(root, { 'a.ts': lines(20, 3), 'b.ts': 'b = 2;\n' });
  const graph = await indexedAnew(root);
  commit(root, { 'b.ts': 'b = 3;\n', 'c.ts': 'c = 1;\n' });
  await index(graph, { mode: 'incremental' });
  const after = await told(graph);
  expect(after.commits).toHaveLength(3);
  expect(after).toEqual(await told(await indexedAnew(root)));

  git(root, 'reset', '--quiet', '--hard', 'HEAD~2');
  commit(root, { 'a.ts': lines(20, 5), 'd.ts': 'd = 1;\n' });
  await index(graph, { mode: 'incremental' });
  const other = await told(graph);
  expect(other.commits).toEqual([
    ['a.ts', 'd.ts'],
    ['a.ts', 'b.ts'],
  ]);
  expect(other).toEqual(await told(await indexedAnew(root)));

  rmSync(join(root, '.git'), { recursive: true });
  await index(graph, { mode: 'incremental' });
  expect((await told(graph)).commits).toEqual([]);
});

test('of a commit that touched very many files only the moves count', async () => {
  const root = repository();
  const many = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`old/${i}.ts`, lines(20, i)]));
  commit(root, many);
  renameSync(join(root, 'old'), join(root, 'new'));
  commit(root, { 'new/1.ts': lines(20, 2) });
  const { commits } = await told(await indexedAnew(root));
  expect(commits.at(-1)).toEqual([]);
  expect(commits[0]).toContain('new/7.ts');
});

test('what stands in the lines themselves is not taken for what git says of them', async () => {
  const root = repository();
  const text = lines(20).replace('x9 = 0;\n', '++ b/other.ts\n@@ -1,9 +1,9 @@\n');
  commit(root, { 'a.ts': lines(20) });
  commit(root, { 'a.ts': text });
  commit(root, { 'a.ts': text.replace('x19 = 0', 'x19 = 1') });
  const { spans } = await told(await indexedAnew(root));
  expect(spans).toEqual({ 'a.ts': { 0: ['end'], 1: [] } });
});
