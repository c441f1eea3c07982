import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { exported, exportText, type Files, index, indexed, lookAt, open, scratch, write } from './project.js';

const PROJECT: Files = {
  'package.json': '{"name": "shop", "workspaces": ["packages/*"]}',
  'packages/a/package.json': '{"name": "@shop/a"}',
  'packages/a/src/index.ts': "export * from './one.js';\nexport * from './two.js';\n// TODO: name them\n",
  'packages/a/src/one.ts': 'export class One { go() { return two(); } }\nimport { two } from "./two.js";\n',
  'packages/a/src/two.ts':
    "import { One } from './one.js';\nexport function two() { return new One().go(); }\n",
  'packages/b/main.js':
    "const { One } = require('@shop/a');\nconst lodash = require('lodash');\nlodash.map([], One);\n",
  'lib/__init__.py': '',
  'lib/z.py': 'from . import y\n\ndef z():\n    return y.y() + lodash.map()\n',
  'lib/y.py': 'import lodash\n\ndef y():\n    # TODO: name them\n    return 1\n',
  Makefile: 'all:\n\techo\n',
};

/** The same files, written in another order. */
function shuffled(files: Files): Files {
  const rank = (path: string) => (path.length * 7919 + path.charCodeAt(path.length - 4) * 31) % 97;
  return Object.fromEntries(Object.entries(files).sort(([a], [b]) => rank(a) - rank(b)));
}

test('two checkouts under other names, with and without .git, written in another order: the same export, byte for byte', async () => {
  const plain = write(PROJECT, join(scratch(), 'shop'));
  const repository = write(shuffled(PROJECT), join(scratch('another-'), 'deeper', 'checkout of it'));
  execFileSync('git', ['init', '--quiet', repository]);
  const [first, second] = [await open(plain), await open(repository)];
  await index(first);
  await index(second);
  const text = await exportText(first);
  expect(await exportText(second)).toBe(text);
  expect(text).not.toContain('checkout');
  expect(text).not.toContain(plain);
});

test('an export from the same store is the same each time, also after it was closed', async () => {
  const root = write(PROJECT);
  const home = scratch();
  const first = await open(root, home);
  await index(first);
  const text = await exportText(first);
  expect(await exportText(first)).toBe(text);
  await first.close();
  expect(await exportText(await open(root, home))).toBe(text);
});

test('the answer of an index run is the same but for its duration', async () => {
  const [one, other] = [await indexed(PROJECT), await indexed(shuffled(PROJECT))];
  expect({ ...one.output, duration_ms: 0 }).toEqual({ ...other.output, duration_ms: 0 });
});

test('an export is sorted: nodes by id, then edges by kind and ends, each once', async () => {
  const { graph } = await indexed(PROJECT);
  const lines = await exported(graph);
  const keys = lines.map((line) =>
    line.type === 'node' ? ['', line.id, ''] : [line.kind, line.from, line.to],
  );
  const texts = keys.map((key) => key.join('\0'));
  expect(texts).toEqual([...new Set(texts)].sort());
});

test('a package that Python and JavaScript import under one name has one node, whoever comes first', async () => {
  const { graph } = await indexed(PROJECT);
  const look = await lookAt(graph);
  expect(look.pairs('FILE_IMPORTS_PACKAGE').filter((pair) => pair.endsWith('pkg:lodash'))).toEqual([
    'file:lib/y.py > pkg:lodash',
    'file:packages/b/main.js > pkg:lodash',
  ]);
});

test('statistics are what the export holds', async () => {
  const { graph, output } = await indexed(PROJECT);
  const { nodes, edges } = await lookAt(graph);
  const { output: stats } = await graph.spawn('graph_stats');
  const counted = (lines: typeof nodes, kind: string) => lines.filter((line) => line.kind === kind).length;
  const byEdge = edgesOf(stats);
  expect(stats).toMatchObject({ nodes: nodes.length, complete: true, generation: 1 });
  expect(byEdge.total).toBe(edges.length + byEdge.of('file_depends_on_file'));
  expect(byEdge.total).toBe(output.edges_total);
  expect(byEdge.all).toEqual(output.edges_by_type);
  expect(byEdge.of('symbol_calls_symbol')).toBe(counted(edges, 'CALLS'));
  expect(byEdge.of('file_imports')).toBe(counted(edges, 'IMPORTS'));
  const languages = output.languages.map(({ language, files, extracted, symbols }) => {
    const own = nodes.filter((node) => node.language === language);
    expect(counted(own, 'file')).toBe(files);
    expect(own.filter((node) => node.extracted === true)).toHaveLength(extracted);
    expect(own.length - files).toBe(symbols);
    return { language, files, extracted, not_extracted: files - extracted, symbols };
  });
  expect(stats).toMatchObject({ languages });
  const stubs = edges.filter(({ kind, to }) => kind === 'CALLS' && String(to).startsWith('sym:'));
  expect(stats).toMatchObject({
    package_calls: output.calls.external,
    unresolved_calls: output.calls.unresolved,
  });
  expect(output.calls.unresolved + output.calls.external).toBe(stubs.length);
});

function edgesOf(stats: unknown) {
  const { edges, edges_by_type } = stats as { edges: number; edges_by_type: Record<string, number> };
  return { total: edges, all: edges_by_type, of: (type: string) => edges_by_type[type] ?? 0 };
}
