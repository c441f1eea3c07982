import { mkdtempSync, realpathSync, renameSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type OpenGraph, openGraph } from '../../index.js';
import { exportText, type Files, freshExport, index, indexed, open, replace, write } from './project.js';

const PROJECT: Files = {
  'package.json': '{"name": "shop"}',
  'README.md': '# Shop\n',
  'src/cart.ts': `import { price } from './price.js';
import { ship } from './ship.js';
export class Cart {
  total(): number { return price(1) + price(2); }
  // TODO: split this
  send(): void { ship(this); }
}
`,
  'src/price.ts': 'export function price(n: number): number { return n; }\nexport const VAT = 19;\n',
  'src/user.ts': `import { Cart } from './cart.js';
export class User extends Cart { buy(): number { return this.total(); } }
`,
  'src/gift.ts': `import { User } from './user.js';
export class Gift extends User { total() { return 0; } send() {} wrap() {} }
`,
  'src/Price.vue': `<script setup>
import { price } from './price';
const show = () => price(1);
</script>
<template><b @click="show()">{{ price(2) }}</b></template>
`,
  'src/Page.vue': `<script setup>
import Price from './Price.vue';
</script>
<template><price /></template>
`,
  'tools/__init__.py': '',
  'tools/report.py': 'from .money import Money\n\ndef report():\n    return Money().show()\n',
  'tools/money.py':
    'class Money:\n    def show(self):\n        return "1"\n    def ask(self, what):\n        return getattr(self, f"show_{what}")()\n',
  'tools/coin.py': 'from .money import Money\nclass Coin(Money):\n    def show_side(self): pass\n',
};

/** The paths of a project with some replaced or added, and those left out whose content is null. */
function edited(changes: Readonly<Record<string, string | null>>): Files {
  const all = { ...PROJECT, ...changes };
  return Object.fromEntries(
    Object.entries(all).flatMap(([path, content]) => (content === null ? [] : [[path, content] as const])),
  );
}

/** What an incremental run leaves in the graph is what a first run of the same files leaves. */
async function expectLikeFresh(graph: OpenGraph, files: Files): Promise<void> {
  expect(await exportText(graph)).toBe(await freshExport(files));
}

const CHANGES: Readonly<Record<string, Readonly<Record<string, string | null>>>> = {
  'an edit': {
    'src/price.ts': 'export const rate = 2;\nexport function price(n: number) { return n * rate; }\n',
  },
  'a definition that others call and that is gone': { 'src/price.ts': 'export const VAT = 19;\n' },
  'a definition that changes its form': { 'src/price.ts': 'export class price {}\n' },
  'a new file': {
    'src/order.ts': "import { price } from './price.js';\nexport const order = () => price(3);\n",
  },
  'a class in a new file that a computed name may run': {
    'tools/note.py': 'from .money import Money as M\nclass Note(M):\n    def show_front(self): pass\n',
  },
  'a method that a computed name may run': {
    'tools/coin.py': 'from .money import Money\nclass Coin(Money):\n    def show_edge(self): pass\n',
  },
  'a base that is another': {
    'tools/coin.py': 'class Money: pass\nclass Coin(Money):\n    def show_side(self): pass\n',
  },
  'a class gone that a computed name may run': { 'tools/coin.py': null },
  'a new file that an import was waiting for': { 'src/ship.ts': 'export function ship(what: unknown) {}\n' },
  'a new file in the place of another module': { 'src/price/index.ts': 'export function price() {}\n' },
  'a deleted file that others import': { 'src/price.ts': null },
  'a method gone that a class behind another file overrides': {
    'src/cart.ts': 'export class Cart { send(): void {} }\n',
  },
  'a method that came between one and what it overrides': {
    'src/user.ts': `import { Cart } from './cart.js';
export class User extends Cart { total() { return 1; } wrap() {} }
`,
  },
  'a component that is described in another way': {
    'src/Price.vue':
      '<template><b @click="show" /></template>\n<script>export default { methods: { show() {} } }</script>\n',
  },
  'a component that is gone': { 'src/Price.vue': null },
  'a deleted base class': { 'src/cart.ts': null },
  'a whole folder that is gone': {
    'tools/__init__.py': null,
    'tools/report.py': null,
    'tools/money.py': null,
  },
  'a renamed file': { 'src/price.ts': null, 'src/cost.ts': PROJECT['src/price.ts'] as string },
  'a renamed file whose importers follow': {
    'src/price.ts': null,
    'src/cost.ts': PROJECT['src/price.ts'] as string,
    'src/cart.ts': (PROJECT['src/cart.ts'] as string).replace('./price', './cost'),
  },
  'two files that swap their names': {
    'src/price.ts': PROJECT['src/user.ts'] as string,
    'src/user.ts': PROJECT['src/price.ts'] as string,
  },
  'broken syntax': { 'src/cart.ts': 'export class Cart { total( {\n  // TODO: split this\n' },
  'another package name': { 'package.json': '{"name": "market"}' },
  'a manifest that is gone': { 'package.json': null },
  'a package that is none any more': { 'tools/__init__.py': null },
  'an emptied file': { 'src/cart.ts': '' },
  'a file that becomes a folder': { 'README.md': null, 'README.md/notes.txt': 'x\n' },
  'a file whose name is also ours': { shared: 'text\n', state: 'text\n', progress: 'text\n' },
};

describe('an incremental run leaves what a first run would', () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'codewalk-walkers-')));
  const root = join(folder, 'project');
  let graph: OpenGraph;
  beforeAll(async () => {
    graph = await openGraph(write(PROJECT, root), { home: folder, inMemory: true });
    await index(graph);
  });
  afterAll(async () => {
    await graph.close();
    rmSync(folder, { recursive: true, force: true });
  });

  for (const [what, changes] of Object.entries(CHANGES)) {
    // Each takes back what it changed: the next one goes on from there.
    test(`after ${what}, and after it is taken back`, async () => {
      replace(root, edited(changes));
      await index(graph, { mode: 'incremental' });
      await expectLikeFresh(graph, edited(changes));
      replace(root, PROJECT);
      await index(graph, { mode: 'incremental' });
      await expectLikeFresh(graph, PROJECT);
    });
  }

  test('after some random edits, one after the other', async () => {
    const { root, graph } = await indexed(PROJECT);
    const random = randomFrom(42);
    let files: Files = { ...PROJECT };
    for (let step = 0; step < 8; step++) {
      files = randomEdit(files, random, step);
      replace(root, files);
      await index(graph, { mode: random() < 0.8 ? 'incremental' : 'full' });
      const [is, fresh] = [await exportText(graph), await freshExport(files)];
      expect(is, `after edit ${step} of ${Object.keys(files).join(', ')}`).toBe(fresh);
    }
  });
});

test('only what changed is extracted', async () => {
  const { root, graph } = await indexed(PROJECT);
  write({ 'src/price.ts': 'export function price(n: number): number { return n + 1; }\n' }, root);
  expect(await index(graph, { mode: 'incremental' })).toMatchObject({ files_indexed: 1, symbols_indexed: 1 });
  rmSync(join(root, 'src/user.ts'));
  expect(await index(graph, { mode: 'incremental' })).toMatchObject({ files_indexed: 0, files_removed: 1 });
  renameSync(join(root, 'tools/money.py'), join(root, 'tools/coins.py'));
  expect(await index(graph, { mode: 'incremental' })).toMatchObject({ files_indexed: 1, files_removed: 1 });
});

test('a file that is touched and not changed is not extracted, and the answer has the figures of the last run', async () => {
  const { root, graph, output } = await indexed(PROJECT);
  const { revision } = graph;
  for (const path of Object.keys(PROJECT)) utimesSync(join(root, path), 1, 1);
  const again = await index(graph, { mode: 'incremental' });
  expect(again).toMatchObject({
    files_indexed: 0,
    symbols_indexed: 0,
    concepts_indexed: 0,
    files_removed: 0,
  });
  for (const key of ['files_total', 'symbols_total', 'edges_total', 'edges_by_type', 'languages'] as const)
    expect(again[key]).toEqual(output[key]);
  expect(graph.revision).toBe(revision);
});

test('a full run over an indexed project extracts everything and changes nothing', async () => {
  const { graph, output } = await indexed(PROJECT);
  const before = await exportText(graph);
  const again = await index(graph, { mode: 'full' });
  expect({ ...again, duration_ms: 0 }).toEqual({ ...output, duration_ms: 0 });
  expect(await exportText(graph)).toBe(before);
});

test('what somebody else removed from the code graph is there again after a full run', async () => {
  const { graph } = await indexed(PROJECT);
  const before = await exportText(graph);
  await graph.write(async (tx) => {
    const gone = await tx.nodes(['fn:src/price.ts:price', 'dir:tools', 'concept:todo:TODO: split this']);
    await tx.del(gone.filter((node) => node !== undefined));
  });
  expect(await exportText(graph)).not.toBe(before);
  await index(graph, { mode: 'full' });
  expect(await exportText(graph)).toBe(before);
});

test('files that --exclude leaves out are gone, and come back without it', async () => {
  const { graph } = await indexed(PROJECT);
  await index(graph, { mode: 'incremental', exclude: ['tools/**'] });
  const rest = Object.entries(PROJECT).filter(([path]) => !path.startsWith('tools/'));
  await expectLikeFresh(graph, Object.fromEntries(rest));
  await index(graph, { mode: 'incremental' });
  await expectLikeFresh(graph, PROJECT);
});

function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** One of: a new file, an edit, a deletion, a rename, a swap, a piece cut out of the middle. */
function randomEdit(files: Files, random: () => number, step: number): Files {
  const paths = Object.keys(files).sort();
  const any = () => paths[Math.floor(random() * paths.length)] ?? 'src/cart.ts';
  const { [any()]: taken = '', ...rest } = files;
  const [one, other] = [any(), any()];
  const text = String(files[one]);
  const roll = random();
  if (roll < 0.2 || paths.length < 5)
    return {
      ...files,
      [`src/new${step}.ts`]: `import { price } from './price.js';\nexport function made${step}() { return price(${step}) + made${step - 1}(); }\n`,
    };
  if (roll < 0.4)
    return {
      ...files,
      [one]: `${text}\n${one.endsWith('.py') ? `def extra${step}():\n    return report()\n` : `export const extra${step} = () => price(${step});\n`}`,
    };
  if (roll < 0.5) return rest;
  if (roll < 0.65) return { ...rest, [`src/moved${step}.ts`]: taken };
  if (roll < 0.8) return { ...files, [one]: files[other] ?? '', [other]: text };
  const at = Math.floor(random() * text.length);
  if (roll < 0.9) return { ...files, [one]: text.slice(0, at) + text.slice(at + 7) };
  return { ...PROJECT, ...files };
}

test('of two index runs at once, the second waits for the first; who gives up waiting says so', async () => {
  const { root, graph } = await indexed(PROJECT);
  const files = edited({ 'src/price.ts': 'export const price = () => 7;\n' });
  replace(root, files);
  const waiting = new AbortController();
  const [first, second, third] = await Promise.allSettled([
    index(graph, {}, { onProgress: () => waiting.abort() }),
    index(graph, { mode: 'incremental' }),
    index(graph, {}, { signal: waiting.signal }),
  ]);
  expect(first).toMatchObject({ status: 'fulfilled', value: { files_indexed: Object.keys(files).length } });
  expect(second).toMatchObject({ status: 'fulfilled', value: { files_indexed: 0 } });
  expect(third).toMatchObject({ status: 'rejected', reason: { code: 'CANCELLED' } });
  await expectLikeFresh(graph, files);
});

test('two first runs at once on a project that has no graph', async () => {
  const graph = await open(write(PROJECT));
  await Promise.all([index(graph), index(graph)]);
  await expectLikeFresh(graph, PROJECT);
});

test('a file that rests on more than is noted is resolved again after any change', async () => {
  const missing = Array.from({ length: 600 }, (_, at) => `import './missing${at}';`).join('\n');
  const use = `import { near } from './lib';\n${missing}\nnear();\n`;
  const files = {
    'use.ts': use,
    'lib.ts': "export * from './deep';",
    'deep.ts': 'export const near = () => 1;',
  };
  const { root, graph } = await indexed({ ...files, 'deep.ts': 'export const far = () => 1;' });
  replace(root, files);
  await index(graph, { mode: 'incremental' });
  await expectLikeFresh(graph, files);
});
