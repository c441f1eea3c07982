import { expect, test } from 'vitest';
import type { OpenGraph } from '../../../index.js';
import type { ExploreMapOutput } from '../../../walkers/index.js';
import { MemoryStore } from '../../../walkers/memory/memory-store.js';
import { commit, index, indexed, open, repository, sharedGraph } from '../project.js';
import { asked } from '../query/shops.js';
import { worked } from '../worked.js';

const shared = sharedGraph({
  'package.json': '{"name": "shop"}',
  'README.md': '# Shop\n',
  'src/app.ts': "import { open } from './till/open.js';\nopen();\nopen();\n",
  'src/till/open.ts':
    "import { price } from '../goods/price.js';\nexport function open() {\n  return price() + price();\n}\n",
  'src/till/close.ts': "import { open } from './open.js';\nexport const close = () => open();\n",
  'src/goods/price.ts':
    "import type { close } from '../till/close.js';\nexport function price(how?: typeof close) {\n  return 1;\n}\n",
  'src/goods/notes.txt': 'nothing\n',
  'src/goods/deep/stock.ts': "import { price } from '../price.js';\nexport const stock = price();\n",
});

const map = async (input: object = {}, graph: OpenGraph = shared()) =>
  (await asked<ExploreMapOutput>(graph, 'explore_map', { ...input })).body;

test('the map begins at the smallest folder that holds all code: folders as a whole, then its files', async () => {
  const { folder, parents, boxes, boxes_total, other_files } = await map();
  expect([folder, parents]).toEqual(['src', [{ path: '', name: '.' }]]);
  expect(boxes.map(({ id, files, symbols, opens }) => [id, files, symbols, opens])).toEqual([
    ['dir:src/goods', 2, 2, true],
    ['dir:src/till', 2, 2, true],
    ['file:src/app.ts', 1, 0, false],
  ]);
  expect([boxes_total, other_files]).toEqual([3, 1]);
});

test('arrows say how many files import others and how many calls lead there; what needs each other is a cycle', async () => {
  const { arrows, boxes, cycles } = await map();
  expect(arrows).toEqual([
    { from: 'dir:src/till', to: 'dir:src/goods', imports: 1, calls: 2 },
    { from: 'file:src/app.ts', to: 'dir:src/till', imports: 1, calls: 2 },
    { from: 'dir:src/goods', to: 'dir:src/till', imports: 1, calls: 0 },
  ]);
  expect(cycles).toEqual([['dir:src/goods', 'dir:src/till']]);
  expect(boxes.map(({ cycle }) => cycle)).toEqual([0, 0, null]);
});

test('a folder opens into what is in it', async () => {
  const { folder, parents, boxes, arrows } = await map({ folder: 'src/goods' });
  expect(folder).toBe('src/goods');
  expect(parents).toEqual([
    { path: '', name: '.' },
    { path: 'src', name: 'src' },
  ]);
  expect(boxes.map(({ path, kind }) => `${kind} ${path}`)).toEqual([
    'folder src/goods/deep',
    'file src/goods/price.ts',
  ]);
  expect(arrows).toEqual([
    { from: 'dir:src/goods/deep', to: 'file:src/goods/price.ts', imports: 1, calls: 1 },
  ]);
  expect((await map({ folder: '' })).boxes.map(({ id }) => id)).toEqual(['dir:src']);
  await expect(map({ folder: 'src/godos' })).rejects.toMatchObject({
    code: 'NODE_NOT_FOUND',
    suggestion: expect.stringContaining('src/goods'),
  });
});

test('of many boxes the least connected are left out and counted, the same each time', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 30 }, (_, at) => [
      `src/f${at}.ts`,
      `import { hub } from './hub.js';\nexport const a${at} = ${at < 3 ? 'hub()' : '1'};\n`,
    ]),
  );
  const { graph } = await indexed({
    'package.json': '{}',
    'src/hub.ts': 'export function hub() {}\n',
    'src/alone.ts': 'export const x = 1;\n',
    ...files,
  });
  const first = await map({ most: 10 }, graph);
  expect([first.boxes.length, first.boxes_total, first.left_out]).toEqual([10, 32, 22]);
  expect(first.boxes.map(({ name }) => name)).toContain('hub.ts');
  expect(first.boxes.map(({ name }) => name)).not.toContain('alone.ts');
  expect(await map({ most: 10 }, graph)).toMatchObject({ boxes: first.boxes, arrows: first.arrows });
});

test('a box says in how many commits it changed, which failures its changes go with, and how many memories are about it', async () => {
  const root = repository();
  const code = (value: number) => `export const a = ${value};\n`;
  commit(root, 'one', { 'package.json': '{}', 'src/a/one.ts': code(1), 'src/b/two.ts': code(1) });
  commit(root, 'two', { 'src/a/one.ts': code(2), 'src/a/other.ts': code(1) });
  const history = await open(root);
  await index(history);
  expect((await map({}, history)).boxes.map(({ name, changes }) => [name, changes])).toEqual([
    ['a', 2],
    ['b', 1],
  ]);
  const { graph } = await worked();
  await graph.spawn(MemoryStore, null, {
    type: 'solution',
    title: 'Why',
    content: 'Because',
    about: ['fn:src/money.ts:tax', 'src/money.ts'],
  });
  const { boxes } = await map({}, graph);
  const shown = boxes.map(({ name, failures, memories }) => [name, failures, memories]);
  expect(shown).toEqual([
    ['cart.test.ts', 0, 0],
    ['cart.ts', 0, 0],
    ['checkout.ts', 0, 0],
    ['money.ts', 1, 1],
  ]);
});

test('of very many arrows the thickest are shown, and how many there are is said', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 40 }, (_, at) => [
      `src/f${at}.ts`,
      Array.from(
        { length: 10 },
        (_, nth) => `import { a${(at + nth + 1) % 40} } from './f${(at + nth + 1) % 40}.js';\n`,
      )
        .concat(`export const a${at} = () => ${at === 7 ? 'a8() + a8() + a8()' : '1'};\n`)
        .join(''),
    ]),
  );
  const { graph } = await indexed({ 'package.json': '{}', ...files });
  const { body } = await asked<ExploreMapOutput>(graph, 'explore_map', {});
  expect([body.arrows.length, body.arrows_total]).toEqual([300, 400]);
  expect(body.arrows[0]).toEqual({ from: 'file:src/f7.ts', to: 'file:src/f8.ts', imports: 1, calls: 3 });
  expect(body.state.cut).toEqual([expect.stringContaining('300 thickest of 400 arrows')]);
});

const tested = sharedGraph({
  'package.json': '{"name": "shop"}',
  'src/goods/price.ts': 'export const price = () => 1;\n',
  'src/goods/price.test.ts': "import { open } from '../till/open.js';\nopen();\n",
  'src/till/open.ts': "import { price } from '../goods/price.js';\nexport const open = () => price();\n",
  'test/all.test.ts':
    "import { given } from './given.js';\nimport { open } from '../src/till/open.js';\ngiven(open());\n",
  'test/given.ts': 'export const given = (price: number) => price;\n',
});

test('what tests use of the rest is no arrow: it would make a cycle of nearly everything', async () => {
  const { arrows, cycles } = await map({ folder: 'src' }, tested());
  expect(arrows).toEqual([{ from: 'dir:src/till', to: 'dir:src/goods', imports: 1, calls: 1 }]);
  expect(cycles).toEqual([]);
  expect((await map({ folder: 'test' }, tested())).arrows).toHaveLength(1);
});
