import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CHANGES, CHANGES_MARK, changeHistory } from '../../graphs/code/history/git-history.js';
import type { OpenGraph } from '../../index.js';
import { defineWalker } from '../../runtime/index.js';
import { Concept, FileMentionsConcept, SymbolImplementsConcept } from '../../schema/index.js';
import { QueryImpact } from '../../walkers/query/query-impact.js';
import { commit, exportText, type Files, git, index, open, repository, scratch, write } from './project.js';

const StoredHistory = defineWalker('stored_history', {
  description: 'What is stored of git history: for the test.',
  input: {},
  run: async (_here, context) => {
    const concepts: string[] = [];
    for (const type of [FileMentionsConcept, SymbolImplementsConcept])
      for (const concept of await context.find(Concept, { source: 'commit' }))
        for (const { from } of await context.q(concept).in(type).edges())
          concepts.push(`${from} > ${concept.label}`);
    const { commits } = await changeHistory(context);
    const blobs = await context.blobs([CHANGES_MARK, CHANGES]);
    const bytes = blobs.map((one) => Buffer.from(one ?? []).toString('utf8'));
    return { concepts: concepts.sort(), changes: { commits: [...commits], bytes } };
  },
});

async function conceptsOf(graph: OpenGraph): Promise<readonly string[]> {
  return (await graph.spawn(StoredHistory, null, {})).output.concepts;
}

async function changesOf(graph: OpenGraph) {
  return (await graph.spawn(StoredHistory, null, {})).output.changes;
}

async function firstIndex(root: string): Promise<OpenGraph> {
  const graph = await open(root);
  await index(graph);
  return graph;
}

const CART =
  'export function priceOf(n: number) { return n; }\nexport class Cart { total() { return 1; } }\n';

test('commits become concepts of the files that they touched and of the symbols that they name', async () => {
  const root = repository();
  commit(
    root,
    'fix(cart): round in `Cart.total` (#12)\n\nCents were lost by priceOf.\nTwice.\n\nSigned-off-by: Ada',
    { 'src/cart.ts': CART, 'readme.md': '# Shop\n' },
  );
  commit(root, 'say what the shop sells', { 'readme.md': '# A shop\n', 'gone.md': '1' });
  rmSync(join(root, 'gone.md'));
  const graph = await open(root);
  expect((await index(graph)).concepts_indexed).toBe(2);
  expect(await conceptsOf(graph)).toEqual([
    'file:readme.md > fix(cart): round in `Cart.total`',
    'file:readme.md > say what the shop sells',
    'file:src/cart.ts > fix(cart): round in `Cart.total`',
    'fn:src/cart.ts:priceOf > fix(cart): round in `Cart.total`',
    'm:src/cart.ts:Cart.total > fix(cart): round in `Cart.total`',
  ]);
});

test('commits of bots, versions, reverts, dependencies and of very many files are no concepts', async () => {
  const root = repository();
  const many = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`many/${i}.txt`, 'x']));
  commit(root, 'format every file of ours', many);
  commit(root, 'chore(deps): update all of them', { 'a.txt': '1' });
  commit(root, 'release: v3.5.41', { 'a.txt': '2' });
  commit(root, 'update dev dependencies', { 'a.txt': '3' });
  commit(root, 'Revert "add the thing that broke"', { 'a.txt': '4' });
  commit(root, 'tidy all the small things', { 'a.txt': '5' }, '--author=renovate[bot] <a@example.org>');
  commit(root, 'fix typo', { 'a.txt': '6' });
  const graph = await open(root);
  expect((await index(graph)).concepts_indexed).toBe(0);
});

test('a secret in a message is masked', async () => {
  const root = repository();
  const token = `ghp_${'a1B2'.repeat(9)}`;
  commit(root, `try the token ${token} once`, { 'a.txt': '1' });
  const graph = await firstIndex(root);
  const [line = ''] = await conceptsOf(graph);
  expect(line).toMatch(/^file:a\.txt > try the token /);
  expect(line).not.toContain(token);
});

test('a run after a commit adds what it says, also when no file changed since; an edit loses nothing', async () => {
  const root = repository();
  commit(root, 'add a cart with prices', { 'cart.ts': CART, 'other.ts': 'export const x = 1;\n' });
  const graph = await firstIndex(root);
  write({ 'cart.ts': `${CART}// TODO: discounts\n` }, root);
  await index(graph, { mode: 'incremental' });
  expect(await conceptsOf(graph)).toEqual([
    'file:cart.ts > add a cart with prices',
    'file:other.ts > add a cart with prices',
  ]);
  commit(root, 'plan discounts in priceOf soon', {});
  const output = await index(graph, { mode: 'incremental' });
  expect(output).toMatchObject({ files_indexed: 0, concepts_indexed: 1 });
  expect(await conceptsOf(graph)).toContain('fn:cart.ts:priceOf > plan discounts in priceOf soon');

  renameSync(join(root, 'other.ts'), join(root, 'moved.ts'));
  await index(graph, { mode: 'incremental' });
  expect((await conceptsOf(graph)).filter((line) => line.startsWith('file:other.ts'))).toEqual([]);
  git(root, 'reset', '--quiet', '--hard', 'HEAD~1');
  await index(graph, { mode: 'incremental' });
  expect(await conceptsOf(graph)).toEqual([
    'file:cart.ts > add a cart with prices',
    'file:other.ts > add a cart with prices',
  ]);
});

test('a folder of a repository has the commits that touched it, with paths from itself', async () => {
  const root = repository();
  commit(root, 'make both packages at once', { 'packages/a/one.ts': CART, 'packages/b/two.ts': CART });
  commit(root, 'change only the other package', { 'packages/b/two.ts': '1;\n' });
  const graph = await open(join(root, 'packages/a'));
  await index(graph);
  expect(await conceptsOf(graph)).toEqual(['file:one.ts > make both packages at once']);
});

test('what commits say is in no export, which is the same without a repository', async () => {
  const root = repository();
  commit(root, 'add a cart with prices', { 'cart.ts': CART });
  const graph = await firstIndex(root);
  const text = await exportText(graph);
  rmSync(join(root, '.git'), { recursive: true });
  await index(graph, { mode: 'incremental' });
  expect(await conceptsOf(graph)).toEqual([]);
  expect(await exportText(graph)).toBe(text);
  expect(text).not.toContain('add a cart');
  const fresh = await open(write({ 'cart.ts': CART }));
  await index(fresh);
  expect(await exportText(fresh)).toBe(text);
});

test('nothing that a repository configures is run', async () => {
  const root = repository();
  commit(root, 'add a cart with prices', { 'cart.ts': CART, '.gitattributes': '*.ts diff=evil\n' });
  const ran = join(scratch(), 'ran');
  const evil = join(root, '.git', 'evil.sh');
  writeFileSync(evil, `#!/bin/sh\necho ran > '${ran}'\n`, { mode: 0o755 });
  for (const key of [
    'core.fsmonitor',
    'core.pager',
    'pager.log',
    'diff.external',
    'diff.evil.textconv',
    'diff.evil.command',
    'gpg.program',
    'core.sshCommand',
    'core.editor',
    'credential.helper',
  ])
    git(root, 'config', key, key === 'credential.helper' ? `!${evil}` : evil);
  git(root, 'config', 'log.showSignature', 'true');
  git(root, 'config', 'alias.log', `!${evil}`);
  rmSync(ran, { force: true });
  const graph = await firstIndex(root);
  expect(await conceptsOf(graph)).toEqual([
    'file:.gitattributes > add a cart with prices',
    'file:cart.ts > add a cart with prices',
  ]);
  expect(existsSync(ran)).toBe(false);
});

test('a damaged repository, and one without commits, have no history and no error', async () => {
  const root = write({ 'a.ts': 'export const a = 1;\n', '.git/HEAD': 'nonsense' });
  const graph = await open(root);
  expect(await index(graph)).toMatchObject({ files_indexed: 1, concepts_indexed: 0 });
  const empty = repository();
  write({ 'a.ts': 'export const a = 1;\n' }, empty);
  const other = await open(empty);
  expect(await index(other)).toMatchObject({ files_indexed: 1, concepts_indexed: 0, problems: [] });
});

test('what changed together is known by the names that files have now, the newest commit first', async () => {
  const root = repository();
  commit(root, 'one', { 'a.ts': CART, 'b.ts': 'b = 1;\n' });
  commit(root, 'two', { 'a.ts': `${CART}// more\n`, 'c.ts': 'c = 1;\n' });
  renameSync(join(root, 'a.ts'), join(root, 'moved.ts'));
  commit(root, 'three', {});
  const { commits } = await changesOf(await firstIndex(root));
  expect(commits).toEqual([['moved.ts'], ['moved.ts', 'c.ts'], ['moved.ts', 'b.ts']]);
});

test('a run after more commits, and one after others, stores what a first run stores', async () => {
  const root = repository();
  commit(root, 'one', { 'a.ts': 'a = 1;\n', 'b.ts': 'b = 1;\n' });
  commit(root, 'two', { 'a.ts': 'a = 2;\n', 'b.ts': 'b = 2;\n' });
  const graph = await firstIndex(root);
  commit(root, 'three', { 'b.ts': 'b = 3;\n', 'c.ts': 'c = 1;\n' });
  await index(graph, { mode: 'incremental' });
  const after = await changesOf(graph);
  expect(after.commits).toHaveLength(3);
  expect(after).toEqual(await changesOf(await firstIndex(root)));

  git(root, 'reset', '--quiet', '--hard', 'HEAD~2');
  commit(root, 'other', { 'a.ts': 'a = 5;\n', 'd.ts': 'd = 1;\n' });
  await index(graph, { mode: 'incremental' });
  const other = await changesOf(graph);
  expect(other.commits).toEqual([
    ['a.ts', 'd.ts'],
    ['a.ts', 'b.ts'],
  ]);
  expect(other).toEqual(await changesOf(await firstIndex(root)));

  rmSync(join(root, '.git'), { recursive: true });
  await index(graph, { mode: 'incremental' });
  expect((await changesOf(graph)).commits).toEqual([]);
});

test('of a commit that touched very many files only the moves count', async () => {
  const root = repository();
  const lines = (n: number) => Array.from({ length: 20 }, (_, i) => `x${i} = ${i === n ? 1 : 0};\n`).join('');
  const many: Files = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`old/${i}.ts`, lines(i)]));
  commit(root, 'begin', many);
  renameSync(join(root, 'old'), join(root, 'new'));
  commit(root, 'move', { 'new/1.ts': lines(2) });
  const { commits } = await changesOf(await firstIndex(root));
  expect(commits.at(-1)).toEqual([]);
  expect(commits[0]).toContain('new/7.ts');
});

test('what stands in changed lines themselves is not taken for what git says of them', async () => {
  const root = repository();
  const code = (text: string, end: number) =>
    `export function top() {}\nexport const text = \`\n${text}\`;\nexport const other = 1;\nexport const end = ${end};\n`;
  commit(root, 'one', { 'a.ts': code('', 0) });
  commit(root, 'two', { 'a.ts': code('++ b/other.ts\n@@ -1,9 +1,1 @@\n', 1) });
  const graph = await firstIndex(root);
  const { output } = await graph.spawn(QueryImpact, null, { diff: 'HEAD~1..HEAD' });
  expect(output.results.changed.map(({ name }) => name).sort()).toEqual(['end', 'text']);
});
