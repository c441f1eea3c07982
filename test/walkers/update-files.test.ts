import { mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { OpenGraph } from '../../index.js';
import type { Progress } from '../../runtime/index.js';
import { ToolInvocation, ToolTouchesFile } from '../../schema/index.js';
import { GraphUpdateFiles } from '../../walkers/code/graph-update-files.js';
import {
  exportText,
  type Files,
  freshExport,
  index,
  indexed,
  lookAt,
  open,
  replace,
  scratch,
  write,
} from './project.js';

const PROJECT: Files = {
  'package.json': '{"name": "shop"}',
  'src/cart.ts': "import { price } from './price.js';\nexport class Cart { total() { return price(1); } }\n",
  'src/price.ts': 'export function price(n: number) {\n  return n;\n}\n',
  'src/other.ts': 'export function other() { return unknown(); }\n',
  'lib/__init__.py': '',
  'lib/money.py': 'class Money:\n    def show(self):\n        return "1"\n',
  'lib/report.py': 'from .money import Money\n\ndef report():\n    return Money().show()\n',
};

async function update(graph: OpenGraph, ...paths: string[]) {
  return (await graph.spawn(GraphUpdateFiles, null, { paths })).output;
}

/** Updates after an edit, and looks that the graph is what a first index of the same files gives. */
async function expectUpdated(changes: Readonly<Record<string, string | null>>, ...paths: string[]) {
  const { root, graph } = await indexed(PROJECT);
  const files = Object.fromEntries(
    Object.entries({ ...PROJECT, ...changes }).flatMap(([path, text]) =>
      text === null ? [] : [[path, text]],
    ),
  ) as Files;
  replace(root, files);
  const output = await update(graph, ...(paths.length > 0 ? paths : Object.keys(changes)));
  expect(await exportText(graph)).toBe(await freshExport(files));
  return { output, graph, root };
}

describe('updating files', () => {
  test('takes files under the name that the context tool has for them, too', async () => {
    const { root, graph } = await indexed(PROJECT);
    write({ 'src/price.ts': 'export const VAT = 2;\n', 'src/other.ts': 'export const other = 1;\n' }, root);
    const paths = ['src/price.ts'];
    const file_paths = ['src/price.ts', 'src/other.ts'];
    expect((await graph.spawn(GraphUpdateFiles, null, { paths, file_paths })).output).toMatchObject({
      files_updated: 2,
      skipped: [],
    });
  });

  test('takes a relative or an absolute path, and answers with its three figures', async () => {
    const { root, graph } = await indexed(PROJECT);
    write(
      { 'src/price.ts': 'export function price(n: number) { return n + 1; }\nexport const VAT = 2;\n' },
      root,
    );
    expect(await update(graph, 'src/price.ts')).toMatchObject({
      files_updated: 1,
      symbols_updated: 2,
      scope: 'files',
    });
    write({ 'src/price.ts': 'export function price() {}\n' }, root);
    expect(await update(graph, join(root, 'src/price.ts'))).toMatchObject({
      files_updated: 1,
      symbols_updated: 1,
    });
    expect(await update(graph, 'src/price.ts')).toMatchObject({ files_updated: 0, files_resolved: 0 });
  });

  test('an edit inside a body resolves the file alone; what others can see of it, those who look at it too', async () => {
    const body = await expectUpdated({
      'src/price.ts': 'export function price(n: number) {\n  print(n);\n  return n;\n}\n',
    });
    expect(body.output).toMatchObject({ files_updated: 1, files_resolved: 1 });
    const name = await expectUpdated({ 'src/price.ts': 'export function cost(n: number) { return n; }\n' });
    expect(name.output).toMatchObject({ files_updated: 1, files_resolved: 2 });
  });

  test('edges into the file from files that did not change lead to what it is now (S3-06)', async () => {
    const { graph, root } = await expectUpdated({ 'src/price.ts': 'export class price {}\n' });
    const called = async () =>
      (await lookAt(graph)).pairs('CALLS').filter((pair) => pair.includes('Cart.total'));
    expect(await called()).toEqual(['m:src/cart.ts:Cart.total > cls:src/price.ts:price']);
    write({ 'src/price.ts': PROJECT['src/price.ts'] as string }, root);
    await update(graph, 'src/price.ts');
    expect(await called()).toEqual(['m:src/cart.ts:Cart.total > fn:src/price.ts:price']);
  });

  test('a deleted file goes with its symbols and edges', async () => {
    const { output, graph } = await expectUpdated({ 'src/price.ts': null });
    expect(output).toMatchObject({ files_updated: 1, files_removed: 1, symbols_updated: 0 });
    expect((await lookAt(graph)).nodes.filter(({ path }) => path === 'src/price.ts')).toEqual([]);
  });

  test('a renamed file leaves no ghost, whether both names are given, or the folder', async () => {
    const moved = { 'src/price.ts': null, 'src/cost.ts': PROJECT['src/price.ts'] as string };
    expect((await expectUpdated(moved)).output).toMatchObject({ files_updated: 2, files_removed: 1 });
    expect((await expectUpdated(moved, 'src')).output).toMatchObject({ files_updated: 2, files_removed: 1 });
  });

  test('a folder that is gone, and one that is new', async () => {
    const gone = { 'lib/__init__.py': null, 'lib/money.py': null, 'lib/report.py': null };
    expect((await expectUpdated(gone, 'lib')).output).toMatchObject({ files_removed: 3 });
    const fresh = { 'deep/er/new.ts': "import { price } from '../../src/price';\nprice(2);\n" };
    expect((await expectUpdated(fresh, 'deep')).output).toMatchObject({ files_updated: 1 });
  });

  test('a package that is none any more, and a file that an import waited for', async () => {
    await expectUpdated({ 'lib/__init__.py': null });
    await expectUpdated({ 'src/unknown.ts': 'export const unknown = 1;\n' });
  });

  test('a file that became a folder, and a folder that became a file', async () => {
    const folder = { 'src/price.ts': null, 'src/price.ts/index.ts': PROJECT['src/price.ts'] as string };
    expect((await expectUpdated(folder, 'src/price.ts/index.ts')).output).toMatchObject({ files_removed: 1 });
    const file = { 'lib/__init__.py': null, 'lib/money.py': null, 'lib/report.py': null, lib: 'text\n' };
    expect((await expectUpdated(file, 'lib')).output).toMatchObject({ files_updated: 4, files_removed: 3 });
  });

  test('the root itself: everything', async () => {
    const { output } = await expectUpdated({ 'src/price.ts': null, 'src/new.ts': 'export {};\n' }, '.');
    expect(output).toMatchObject({ files_updated: 2, scope: 'project' });
  });

  test('two files that swap their names', async () => {
    await expectUpdated({
      'src/price.ts': PROJECT['src/other.ts'] as string,
      'src/other.ts': PROJECT['src/price.ts'] as string,
    });
  });

  test('a manifest or an ignore file decides about others: the project is looked at, and the answer says so', async () => {
    const named = await expectUpdated({ 'package.json': '{"name": "market"}' });
    expect(named.output).toMatchObject({ scope: 'project', why: expect.stringContaining('package.json') });
    const ignored = await expectUpdated({ '.gitignore': 'src/other.ts\n' });
    expect(ignored.output).toMatchObject({ scope: 'project', files_removed: 1 });
    rmSync(join(ignored.root, '.gitignore'));
    await update(ignored.graph, '.gitignore');
    expect(await exportText(ignored.graph)).toBe(await freshExport(PROJECT));
  });

  test('what is ignored, secret, binary or nowhere is named, not indexed', async () => {
    const root = write({
      ...PROJECT,
      '.gitignore': 'out/\n',
      'out/made.ts': 'export {};\n',
      '.env': 'A=1\n',
      'a.png': '',
    });
    const graph = await open(root);
    await index(graph);
    const { skipped, files_updated } = await update(graph, 'out/made.ts', '.env', 'a.png', 'nowhere.ts');
    expect(files_updated).toBe(0);
    expect(skipped.map(({ path, reason }) => `${path} ${reason}`)).toEqual([
      'out/made.ts gitignored',
      '.env secret',
      'a.png binary',
      'nowhere.ts unknown',
    ]);
  });

  test('a path that leaves the root is refused by name: relative, absolute, through a link', async () => {
    const { root, graph } = await indexed(PROJECT);
    const elsewhere = write({ 'x.ts': 'export {};\n' }, scratch());
    symlinkSync(elsewhere, join(root, 'link'));
    for (const path of ['../x.ts', join(elsewhere, 'x.ts'), 'link/x.ts'])
      await expect(update(graph, path)).rejects.toMatchObject({
        code: 'PATH_OUTSIDE_ROOT',
        message: expect.stringContaining(path),
      });
  });

  test('a project without a graph is indexed as a whole, and the answer says so', async () => {
    const graph = await open(write(PROJECT));
    expect(await update(graph, 'src/price.ts')).toMatchObject({
      files_updated: Object.keys(PROJECT).length,
      scope: 'project',
      why: expect.stringContaining('no graph'),
    });
    expect(await exportText(graph)).toBe(await freshExport(PROJECT));
  });

  test('an excluded file stays out', async () => {
    const graph = await open(write(PROJECT));
    await index(graph, { exclude: ['lib/**'] });
    expect(await update(graph, 'lib/money.py')).toMatchObject({
      files_updated: 0,
      skipped: [{ reason: 'excluded' }],
    });
  });

  test('an event that touches the file meanwhile does not make the update begin again', async () => {
    const { root, graph } = await indexed(PROJECT);
    write({ 'src/price.ts': 'export function cost() {}\n' }, root);
    let events = 0;
    const event = () =>
      graph.write(async (tx) => {
        const file = await tx.node('file:src/price.ts');
        const tool = await tx.create(ToolInvocation({ tool_name: 'edit' }, { id: `tool-${events++}` }));
        if (file) await tx.connect(tool, file, ToolTouchesFile);
      });
    let logged: Promise<void> | null = null;
    const onProgress = ({ phase, done, total }: Progress) => {
      if (phase === 'write edges' && done === total) logged ??= event();
    };
    const run = await graph.spawn(GraphUpdateFiles, null, { paths: ['src/price.ts'] }, { onProgress });
    await logged;
    expect(run.output).toMatchObject({ files_updated: 1, scope: 'files' });
    expect([events, run.figures.replays]).toEqual([1, 0]);
    const files = { ...PROJECT, 'src/price.ts': 'export function cost() {}\n' };
    expect(await exportText(graph)).toBe(await freshExport(files));
  });

  test('another process that opens the graph goes on where this one was', async () => {
    const home = scratch();
    const root = write(PROJECT);
    const first = await open(root, home);
    await index(first);
    await first.close();
    rmSync(join(root, 'src/price.ts'));
    const second = await open(root, home);
    expect(await update(second, 'src/price.ts')).toMatchObject({ files_removed: 1, files_resolved: 1 });
    const { 'src/price.ts': _, ...left } = PROJECT;
    expect(await exportText(second)).toBe(await freshExport(left));
  });
});

describe('what a file was when it was read', () => {
  test('is told by size, times and inode: a change that sets its time back is seen', async () => {
    const { root, graph } = await indexed(PROJECT);
    const path = join(root, 'src/price.ts');
    utimesSync(path, 1, 1);
    await new Promise((done) => setTimeout(done, 150));
    await index(graph, { mode: 'incremental' });
    writeFileSync(path, 'export function price(n: number) { return m; }\n');
    utimesSync(path, 1, 1);
    expect(await index(graph, { mode: 'incremental' })).toMatchObject({ files_indexed: 1 });
    const other = join(root, 'new.tmp');
    writeFileSync(other, 'export function price(n: number) { return o; }\n');
    utimesSync(other, 1, 1);
    mkdirSync(join(root, 'src'), { recursive: true });
    renameSync(other, path);
    expect(await update(graph, 'src/price.ts')).toMatchObject({ files_updated: 1 });
  });
});
