import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { GraphContextForFiles } from '../../walkers/code/graph-context-for-files.js';
import { index, indexed, open, write } from './project.js';

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

interface Asked {
  readonly ranges?: { file: string; start_line: number; end_line: number }[];
  readonly symbols?: string[];
}

async function firstRelated(input: Asked) {
  const { graph } = await indexed(FILES);
  const { output } = await graph.spawn(GraphContextForFiles, null, {
    file_paths: ['src/store.ts'],
    ...input,
  });
  return output.context_pack;
}

test('what calls the lines about to change is nearer than what calls others of their file', async () => {
  const loading = await firstRelated({ ranges: [{ file: 'src/store.ts', start_line: 1, end_line: 3 }] });
  expect(loading.related?.[0]?.path).toBe('src/a_page.ts');
  const saving = await firstRelated({ ranges: [{ file: 'src/store.ts', start_line: 5, end_line: 5 }] });
  expect(saving.related?.[0]?.path).toBe('src/b_desk.ts');
  expect(saving.symbols[0]?.name).toBe('saveOrder');
});

test('tests and neighbours follow the symbols about to change', async () => {
  const { graph } = await indexed({
    ...FILES,
    'test/cart.test.ts':
      "import { loadCart } from '../src/store.js';\nimport { test } from 'vitest';\ntest('loads', () => { loadCart(); });\n",
    'test/order.test.ts':
      "import { saveOrder } from '../src/store.js';\nimport { test } from 'vitest';\ntest('saves', () => { saveOrder(); });\n",
  });
  for (const [name, path, caller] of [
    ['loadCart', 'test/cart.test.ts', 'page'],
    ['saveOrder', 'test/order.test.ts', 'desk'],
  ] as const) {
    const input = { file_paths: ['src/store.ts'], symbols: [name] };
    const { tests, symbols } = (await graph.spawn(GraphContextForFiles, null, input)).output.context_pack;
    expect(tests?.[0]?.path, name).toBe(path);
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

test('symbols about to change are named as written, or by their last parts', async () => {
  for (const name of ['fn:src/store.ts:saveOrder', 'saveOrder']) {
    const { related, symbols } = await firstRelated({ symbols: [name] });
    expect(related?.[0]?.path, name).toBe('src/b_desk.ts');
    expect(symbols[0]?.name, name).toBe('saveOrder');
  }
});

test('names and ranges that are not in the files are said, and the rest is answered', async () => {
  const { summary, related } = await firstRelated({
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
  const { summary, related } = await firstRelated({ ranges: [line(900, 950), line(-3, 0)] });
  expect(summary).toMatch(/Lines 900-950 of src\/store\.ts were left out: it has \d+ lines\./);
  expect(summary).toContain('Lines -3-0 of src/store.ts were left out');
  const whole = await firstRelated({});
  expect(related).toEqual(whole.related);
});

test('commits that touched the lines about to change say more than others of the file', async () => {
  const lines = (a: string, b: string) =>
    `export function one() {\n  return '${a}';\n}\nexport function two() {\n  return '${b}';\n}\n`;
  const root = write({ 'src/m.ts': lines('0', '0'), 'lib/a.ts': 'a = 0;\n', 'etc/b.ts': 'b = 0;\n' });
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=n', '-c', 'user.email=e@x', ...args], { cwd: root, stdio: 'pipe' });
  git('init', '--quiet');
  git('add', '.');
  git('commit', '--quiet', '-m', 'begin');
  for (let i = 1; i < 5; i++) {
    write({ 'src/m.ts': lines(`${i}`, `${i - 1}`), 'lib/a.ts': `a = ${i};\n` }, root);
    git('commit', '--quiet', '-am', `one ${i}`);
    write({ 'src/m.ts': lines(`${i}`, `${i}`), 'etc/b.ts': `b = ${i};\n` }, root);
    git('commit', '--quiet', '-am', `two ${i}`);
  }
  const graph = await open(root);
  await index(graph);
  const first = async (symbol: string) => {
    const input = { file_paths: ['src/m.ts'], symbols: [symbol] };
    return (await graph.spawn(GraphContextForFiles, null, input)).output.context_pack.related?.[0]?.path;
  };
  expect(await first('one')).toBe('lib/a.ts');
  expect(await first('two')).toBe('etc/b.ts');
});
