import { expect, test } from 'vitest';
import { GraphContextForFiles } from '../../walkers/code/graph-context-for-files.js';
import { indexed, sharedGraph } from './project.js';

const FILES = {
  'src/store.ts': [
    'export function loadCart() {',
    '  return fetchRows();',
    '}',
    'export function saveOrder() {',
    '  return sendMail();',
    '}',
    'function fetchRows() { return 1; }',
    'function sendMail() { return 2; }',
    '',
  ].join('\n'),
  'src/a_page.ts': "import { loadCart } from './store.js';\nexport function page() { return loadCart(); }\n",
  'src/b_desk.ts':
    "import { saveOrder } from './store.js';\nexport function desk() { return saveOrder(); }\n",
};

const store = sharedGraph({
  ...FILES,
  'test/cart.test.ts':
    "import { loadCart } from '../src/store.js';\nimport { test } from 'vitest';\ntest('loads', () => { loadCart(); });\n",
  'test/order.test.ts':
    "import { saveOrder } from '../src/store.js';\nimport { test } from 'vitest';\ntest('saves', () => { saveOrder(); });\n",
});

async function packOf(input: {
  readonly ranges?: { file: string; start_line: number; end_line: number }[];
  readonly symbols?: string[];
}) {
  const asked = { file_paths: ['src/store.ts'], ...input };
  return (await store().spawn(GraphContextForFiles, null, asked)).output.context_pack;
}

test('what calls the lines about to change is nearer than what calls others of their file', async () => {
  const loading = await packOf({ ranges: [{ file: 'src/store.ts', start_line: 1, end_line: 3 }] });
  expect(loading.related?.[0]?.path).toBe('src/a_page.ts');
  const saving = await packOf({ ranges: [{ file: 'src/store.ts', start_line: 5, end_line: 5 }] });
  expect(saving.related?.[0]?.path).toBe('src/b_desk.ts');
  expect(saving.symbols[0]?.name).toBe('saveOrder');
});

test('tests and neighbours follow the symbols about to change, named as written or by their last parts', async () => {
  for (const [name, path, caller] of [
    ['loadCart', 'test/cart.test.ts', 'page'],
    ['saveOrder', 'test/order.test.ts', 'desk'],
    ['fn:src/store.ts:saveOrder', 'test/order.test.ts', 'desk'],
  ] as const) {
    const { related, tests, symbols } = await packOf({ symbols: [name] });
    expect(tests?.[0]?.path, name).toBe(path);
    expect(related?.[0]?.path, name).toBe(caller === 'page' ? 'src/a_page.ts' : 'src/b_desk.ts');
    expect(symbols[0]?.name).toBe(caller === 'page' ? 'loadCart' : 'saveOrder');
    const near = symbols.filter((row) => row.distance > 0 && row.path.startsWith('src/'));
    expect(near.map((row) => row.name)).toEqual([caller]);
  }
});

test('a barrel and the __init__ of a package tell what they pass on', async () => {
  const { graph } = await indexed({
    'lib/a.ts': 'export function one() {}\nexport function two() {}\n',
    'lib/index.ts': "export { one, two as deux } from './a.js';\n",
    'pkg/__init__.py': 'from .core import run\n',
    'pkg/core.py': 'import pkg.late\nfrom pkg.late import stop\n\ndef run():\n    stop()\n',
    'pkg/late.py': 'def stop():\n    pass\n',
  });
  const file_paths = ['lib/index.ts', 'pkg/__init__.py', 'pkg/core.py'];
  const { output } = await graph.spawn(GraphContextForFiles, null, { file_paths });
  const { files } = output.context_pack;
  expect(files.map(({ re_exports = [] }) => re_exports.map(({ name, path }) => `${name} ${path}`))).toEqual([
    ['one lib/a.ts', 'deux lib/a.ts'],
    ['run pkg/core.py'],
    [],
  ]);
  expect(output.returnDisplay).toContain('### Re-exports of lib/index.ts\n- lib/a.ts: one, deux\n');
});

test('names and ranges that are not in the files are said, and the rest is answered', async () => {
  const { summary, related } = await packOf({
    ranges: [
      { file: 'src/a_page.ts', start_line: 1, end_line: 1 },
      { file: 'src/store.ts', start_line: 6, end_line: 400 },
      { file: 'src/store.ts', start_line: 6, end_line: 4 },
    ],
    symbols: ['saveOrdr', 'zebra'],
  });
  expect(summary).toContain('Ranges of src/a_page.ts were left out: not among the files asked for.');
  expect(summary).toContain("No symbol 'saveOrdr' in them. Did you mean 'saveOrder'?");
  expect(summary).toContain("No symbol 'zebra' in them.");
  expect(summary).toContain('Lines 6-4 of src/store.ts were read as 4-6.');
  expect(related?.[0]?.path).toBe('src/b_desk.ts');
});

test('lines that a file does not have are said to be left out', async () => {
  const line = (start_line: number, end_line: number) => ({ file: 'src/store.ts', start_line, end_line });
  const { summary, related } = await packOf({ ranges: [line(900, 950), line(-3, 0)] });
  expect(summary).toMatch(/Lines 900-950 of src\/store\.ts were left out: it has \d+ lines\./);
  expect(summary).toContain('Lines -3-0 of src/store.ts were left out');
  const whole = await packOf({});
  expect(related).toEqual(whole.related);
});
