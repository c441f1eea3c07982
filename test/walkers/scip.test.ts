import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { OpenGraph } from '../../index.js';
import { GraphExport } from '../../walkers/code/graph-export.js';
import { GraphImportScip } from '../../walkers/code/graph-import-scip.js';
import { GraphIndexProject } from '../../walkers/code/graph-index-project.js';
import { GraphUpdateFiles } from '../../walkers/code/graph-update-files.js';
import { type Files, index, open, scratch, write } from './project.js';

const FILES = {
  'store.ts': `export class Store {
  get(key: string): string;
  get(key: string, otherwise: string): string;
  get(key: string, otherwise = ''): string {
    return key + otherwise;
  }
}

export class Cache extends Store {
  get(key: string): string {
    return key;
  }
}
`,
  'use.ts': `import { Store as Kept } from './store';

type Inner<T> = T extends { inner: infer U } ? U : never;

export function read(given: { inner: Kept }): string {
  const 名 = 'x'; const inner: Inner<typeof given> = given.inner as never; const found = inner.get(名);
  return found;
}

export function local(): number {
  const helper = () => 1;
  return helper();
}
`,
};

/** What scip-typescript 0.4.0 wrote of these files, byte for byte. */
const INDEX = readFileSync(new URL('scip.index', import.meta.url));

const READ = 'fn:use.ts:read';
const LOCAL = 'fn:use.ts:local → fn:use.ts:local.helper exact';

/** The project in a graph, with the index beside it. */
async function project(files: Files = FILES) {
  const [root, home] = [write(files), scratch()];
  const file = join(home, 'index.scip');
  writeFileSync(file, INDEX);
  const graph = await open(root, home);
  await index(graph);
  return { root, home, file, graph };
}

/** Lines of an export. */
async function exported(graph: OpenGraph): Promise<string[]> {
  return (await graph.spawn(GraphExport)).reports.map((line) => JSON.stringify(line));
}

/** The calls of symbols of the project, each with how it was found. */
async function calls(graph: OpenGraph): Promise<string[]> {
  const { reports } = await graph.spawn(GraphExport);
  return reports.flatMap((line) => {
    if (typeof line === 'string' || line.kind !== 'CALLS' || String(line.to).startsWith('sym:')) return [];
    return [`${line.from} → ${line.to} ${line.resolution}`];
  });
}

it('a compiler tells what a call of a computed type means, and which of overloads only we know', async () => {
  const { graph, file } = await project();
  expect(await calls(graph)).toEqual([LOCAL]);
  const { output } = await graph.spawn(GraphImportScip, null, { file });
  expect(output).toMatchObject({ tool: 'scip-typescript', files: 2, left_out: [] });
  expect(output.calls.resolved).toBe(output.calls.resolved_before + 1);
  expect(await calls(graph)).toEqual([LOCAL, `${READ} → m:store.ts:Store.get exact`]);
});

it('it stays through a full index and a new process, and goes when it is removed', async () => {
  const { root, home, graph, file } = await project();
  const before = await exported(graph);
  await graph.spawn(GraphImportScip, null, { file });
  const imported = await exported(graph);
  expect(imported).not.toEqual(before);
  await graph.spawn(GraphIndexProject, null, { mode: 'full' });
  expect(await exported(graph)).toEqual(imported);
  await graph.close();
  const again = await open(root, home);
  expect((await again.spawn(GraphImportScip, null, { file })).output.dropped).toBe(0);
  expect(await exported(again)).toEqual(imported);
  const { output } = await again.spawn(GraphImportScip, null, { remove: true });
  expect(output).toMatchObject({ tool: '', files: 0, dropped: 2 });
  expect(await exported(again)).toEqual(before);
});

it('it is dropped for a file that changes, and for none beside it', async () => {
  const { root, graph, file } = await project();
  await graph.spawn(GraphImportScip, null, { file });
  write({ 'store.ts': `// First.\n${FILES['store.ts']}` }, root);
  await graph.spawn(GraphUpdateFiles, null, { paths: ['store.ts'] });
  expect(await calls(graph)).toContain(`${READ} → m:store.ts:Store.get exact`);
  write({ 'use.ts': `// First.\n${FILES['use.ts']}` }, root);
  await graph.spawn(GraphUpdateFiles, null, { paths: ['use.ts'] });
  expect(await calls(graph)).toEqual([LOCAL]);
  // The text of before does not bring it back.
  write(FILES, root);
  await graph.spawn(GraphUpdateFiles, null, { paths: ['use.ts', 'store.ts'] });
  expect(await calls(graph)).toEqual([LOCAL]);
});

it('of a file that is not the one that was indexed it says nothing, and names it', async () => {
  const { graph, file } = await project({ ...FILES, 'use.ts': `\n\n\n${FILES['use.ts']}` });
  const { output } = await graph.spawn(GraphImportScip, null, { file });
  expect(output.left_out).toMatchObject([{ path: 'use.ts', reason: 'changed' }]);
  expect(await calls(graph)).toEqual([LOCAL]);
});

it('its paths may begin in a folder of the project', async () => {
  const files = Object.entries(FILES).map(([path, text]) => [`packages/shop/${path}`, text]);
  const { graph, file } = await project(Object.fromEntries(files));
  const wrong = graph.spawn(GraphImportScip, null, { file });
  await expect(wrong).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  await graph.spawn(GraphImportScip, null, { file, prefix: 'packages/shop' });
  expect(await calls(graph)).toHaveLength(2);
});

it.each([
  ['a text', 'no index', 'it is no SCIP index'],
  ['one that was cut off', INDEX.subarray(0, 900), 'it is no SCIP index, or damaged'],
  ['an empty file', '', 'it is empty'],
])('%s is refused, and nothing is imported', async (_what, bytes, why) => {
  const { graph, file } = await project();
  writeFileSync(file, bytes);
  const refused = graph.spawn(GraphImportScip, null, { file });
  await expect(refused).rejects.toMatchObject({
    code: 'INVALID_INPUT',
    message: expect.stringContaining(why),
  });
  expect(await calls(graph)).toEqual([LOCAL]);
});

it('what is exported as an index says the same when it is imported', async () => {
  const { graph, file } = await project();
  await graph.spawn(GraphImportScip, null, { file });
  const before = await calls(graph);
  const { reports } = await graph.spawn(GraphExport, null, { format: 'scip' });
  await graph.spawn(GraphImportScip, null, { remove: true });
  writeFileSync(file, Buffer.concat(reports.map((part) => Buffer.from(String(part), 'base64'))));
  const { output } = await graph.spawn(GraphImportScip, null, { file });
  expect(output).toMatchObject({ tool: 'codewalk', files: 2, left_out: [] });
  expect(await calls(graph)).toEqual(before);
});
