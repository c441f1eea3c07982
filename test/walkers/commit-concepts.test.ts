import { execFileSync } from 'node:child_process';
import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { OpenGraph } from '../../index.js';
import { defineWalker, Root } from '../../runtime/index.js';
import { Concept, FileMentionsConcept, SymbolImplementsConcept } from '../../schema/index.js';
import { exportText, type Files, index, open, scratch, write } from './project.js';

const AUTHOR = { name: 'Ada', email: 'ada@example.org' };

function git(root: string, ...args: string[]): string {
  const identity = ['-c', `user.name=${AUTHOR.name}`, '-c', `user.email=${AUTHOR.email}`];
  return execFileSync('git', ['-C', root, ...identity, '-c', 'commit.gpgsign=false', ...args], {
    encoding: 'utf8',
  });
}

function commit(root: string, message: string, files: Files, author = AUTHOR.name): void {
  write(files, root);
  git(root, 'add', '--all');
  git(root, 'commit', '--quiet', `--author=${author} <a@example.org>`, '--message', message);
}

function repository(): string {
  const root = scratch();
  git(root, 'init', '--quiet', '--initial-branch=main');
  return root;
}

const Told = defineWalker('told_by_commits', {
  description: 'What commits say: for the test.',
  input: {},
  state: () => ({ lines: [] as string[] }),
  on: (w) => [
    w.entry(Root, async (_here, context) => {
      for (const type of [FileMentionsConcept, SymbolImplementsConcept])
        for (const concept of await context.find(Concept, { source: 'commit' }))
          for (const { from } of await context.q(concept).in(type).edges())
            context.state.lines.push(`${from} > ${concept.label}`);
    }),
  ],
  finish: ({ state }) => ({ lines: state.lines.sort() }),
});

async function told(graph: OpenGraph): Promise<string[]> {
  return (await graph.spawn(Told, null, {})).output.lines;
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
  expect(await told(graph)).toEqual([
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
  commit(root, 'tidy all the small things', { 'a.txt': '5' }, 'renovate[bot]');
  commit(root, 'fix typo', { 'a.txt': '6' });
  const graph = await open(root);
  expect((await index(graph)).concepts_indexed).toBe(0);
});

test('a secret in a message is masked', async () => {
  const root = repository();
  const token = `ghp_${'a1B2'.repeat(9)}`;
  commit(root, `try the token ${token} once`, { 'a.txt': '1' });
  const graph = await open(root);
  await index(graph);
  const [line = ''] = await told(graph);
  expect(line).toMatch(/^file:a\.txt > try the token /);
  expect(line).not.toContain(token);
});

test('a run after a commit adds what it says, also when no file changed since; an edit loses nothing', async () => {
  const root = repository();
  commit(root, 'add a cart with prices', { 'cart.ts': CART, 'other.ts': 'export const x = 1;\n' });
  const graph = await open(root);
  await index(graph);
  write({ 'cart.ts': `${CART}// TODO: discounts\n` }, root);
  await index(graph, { mode: 'incremental' });
  expect(await told(graph)).toEqual([
    'file:cart.ts > add a cart with prices',
    'file:other.ts > add a cart with prices',
  ]);
  commit(root, 'plan discounts in priceOf soon', {});
  const output = await index(graph, { mode: 'incremental' });
  expect(output).toMatchObject({ files_indexed: 0, concepts_indexed: 1 });
  expect(await told(graph)).toContain('fn:cart.ts:priceOf > plan discounts in priceOf soon');

  renameSync(join(root, 'other.ts'), join(root, 'moved.ts'));
  await index(graph, { mode: 'incremental' });
  expect((await told(graph)).filter((line) => line.startsWith('file:other.ts'))).toEqual([]);
  git(root, 'reset', '--quiet', '--hard', 'HEAD~1');
  await index(graph, { mode: 'incremental' });
  expect(await told(graph)).toEqual([
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
  expect(await told(graph)).toEqual(['file:one.ts > make both packages at once']);
});

test('what commits say is in no export, which is the same without a repository', async () => {
  const root = repository();
  commit(root, 'add a cart with prices', { 'cart.ts': CART });
  const graph = await open(root);
  await index(graph);
  const text = await exportText(graph);
  rmSync(join(root, '.git'), { recursive: true });
  await index(graph, { mode: 'incremental' });
  expect(await told(graph)).toEqual([]);
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
  const graph = await open(root);
  await index(graph);
  expect(await told(graph)).toEqual([
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
