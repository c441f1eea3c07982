import { chmodSync, existsSync, mkdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { GraphUpdateFiles } from '../../walkers/code/graph-update-files.js';
import {
  contextOf,
  exported,
  exportText,
  freshExport,
  index,
  indexed,
  lookAt,
  open,
  replace,
  scratch,
  write,
} from './project.js';

const GOOD = { 'good.ts': 'export const good = () => 1;\n' };
/** The root user reads everything: what cannot be read cannot be tried then. */
const reads = process.getuid?.() === 0;

describe('what discovery leaves out is counted by its reason, and the rest is indexed', () => {
  test('a file that is not UTF-8, named with the line', async () => {
    const { output, graph } = await indexed({
      ...GOOD,
      'latin.ts': Buffer.from('export const a = 1;\n// caf\xe9\n', 'latin1'),
    });
    expect(output.problems).toEqual([{ path: 'latin.ts', reason: 'not-utf8', detail: 'line 2' }]);
    expect((await lookAt(graph)).ids('file')).toEqual(['file:good.ts']);
    // Nothing is read from a store that nothing changed in, and the file is named all the same.
    expect((await index(graph, { mode: 'incremental' })).problems).toEqual(output.problems);
  });

  test('a file of 50 MB', async () => {
    const root = write({ ...GOOD, 'large.ts': '' });
    truncateSync(join(root, 'large.ts'), 50 * 1024 * 1024);
    const graph = await open(root);
    const output = await index(graph);
    expect(output).toMatchObject({ skipped: { 'too-large': 1 }, files_total: 1, problems: [] });
  });

  test('a file with NUL bytes', async () => {
    const { output } = await indexed({ ...GOOD, 'nul.ts': 'export const a = "\0";\n' });
    expect(output.files_total).toBe(1);
    expect({ ...output.skipped, ...Object.fromEntries(output.problems.map((p) => [p.reason, 1])) }).toEqual({
      binary: 1,
    });
  });

  test('a file that may not be read is named', async () => {
    const root = write({ ...GOOD, 'closed.ts': 'export const a = 1;\n' });
    chmodSync(join(root, 'closed.ts'), 0);
    onTestFinished(() => chmodSync(join(root, 'closed.ts'), 0o600));
    const output = await index(await open(root));
    const named = output.problems.map(({ path, reason }) => [path, reason]);
    expect(named).toEqual(reads ? [] : [['closed.ts', 'unreadable']]);
    expect(output.files_total).toBe(reads ? 2 : 1);
  });
});

describe('a file with a syntax error', () => {
  test('is named with its line, and what is around the error is indexed', async () => {
    const { graph, output } = await indexed({
      'broken.ts': 'export function before() {}\nexport class { (((\nexport function after() {}\n',
      'broken.py': 'def before():\n    pass\n\ndef broken(:\n',
    });
    expect(output.problems).toMatchObject([
      { path: 'broken.py', reason: 'syntax-error' },
      { path: 'broken.ts', reason: 'syntax-error' },
    ]);
    expect(output.problems.every(({ detail }) => /^line \d/.test(detail))).toBe(true);
    const look = await lookAt(graph);
    expect(look.ids('function')).toEqual(
      expect.arrayContaining(['fn:broken.py:before', 'fn:broken.ts:before']),
    );
    expect((await graph.spawn('graph_stats')).output).toMatchObject({
      syntax_errors: ['broken.py', 'broken.ts'],
    });
    // Named by every run, not only by the one that extracted it.
    expect((await index(graph, { mode: 'incremental' })).problems).toEqual(output.problems);
    const { output: updated } = await graph.spawn(GraphUpdateFiles, null, { paths: ['broken.py'] });
    expect(updated.problems).toEqual(output.problems.slice(0, 1));
  });
});

describe('a file that vanishes during the run', () => {
  const FILES = {
    ...GOOD,
    'goes.ts': "import { good } from './good.js';\nexport const goes = good();\n",
    'stays.ts': "import { goes } from './goes.js';\ngoes();\n",
  };
  const { 'goes.ts': _, ...LEFT } = FILES;

  test('after it was discovered and before it is read: named, and the graph is as without it', async () => {
    const root = write(FILES);
    const graph = await open(root);
    const output = await index(
      graph,
      {},
      { onProgress: ({ phase }) => phase === 'discover' && rmSync(join(root, 'goes.ts'), { force: true }) },
    );
    expect(output.problems).toEqual([{ path: 'goes.ts', reason: 'vanished', detail: 'ENOENT' }]);
    expect(output).toMatchObject({ files_indexed: 2, files_total: 2 });
    expect(await exportText(graph)).toBe(await freshExport(LEFT));
    write(FILES, root);
    await index(graph, { mode: 'incremental' });
    expect(await exportText(graph)).toBe(await freshExport(FILES));
  });

  test('a file that changes after it was discovered is indexed as it was when it was read', async () => {
    const root = write(FILES);
    const graph = await open(root);
    const CHANGED = { ...FILES, 'goes.ts': 'export const other = 12345;\n' };
    await index(graph, {}, { onProgress: ({ phase }) => phase === 'discover' && write(CHANGED, root) });
    expect(await exportText(graph)).toBe(await freshExport(CHANGED));
    expect(await index(graph, { mode: 'incremental' })).toMatchObject({ files_indexed: 0 });
  });
});

describe('odd names', () => {
  test('with colons, percent signs, spaces, quotes and line ends are files like others', async () => {
    const names = [
      'a:b.ts',
      'a%3Ab.ts',
      'with space.ts',
      'qu\'ote".ts',
      'new\nline.ts',
      '#hash.ts',
      'ü~2.ts',
    ];
    const files = Object.fromEntries(
      names.map((name, i) => [name, `export function f${i}() { f${i}(); }\n`]),
    );
    const { graph, output } = await indexed(files);
    expect(output).toMatchObject({ files_total: names.length, symbols_total: names.length, problems: [] });
    for (const [i, name] of names.entries()) {
      const { symbols } = await contextOf(graph, [name], { radius: 0 });
      expect(symbols).toMatchObject([{ name: `f${i}`, path: name }]);
    }
    const before = await exportText(graph);
    await index(graph, { mode: 'full' });
    expect(await exportText(graph)).toBe(before);
  });

  test('a decomposed name is the same file as its composed one', async () => {
    const composed = 'caf\u00e9.ts';
    const decomposed = 'cafe\u0301.ts';
    const code = 'export const a = () => 1;\n';
    const first = await indexed({ [composed]: code });
    const second = await indexed({ [decomposed]: code });
    expect(await exportText(second.graph)).toBe(await exportText(first.graph));
    expect((await contextOf(second.graph, [decomposed])).symbols).toMatchObject([{ id: `fn:${composed}:a` }]);
  });

  test('a composed and a decomposed name in one folder: one is indexed, the other named', async () => {
    const root = write({ 'caf\u00e9.ts': 'export const a = 1;\n' });
    writeFileSync(join(root, 'cafe\u0301.ts'), 'export const b = 1;\n');
    const output = await index(await open(root));
    // A file system that folds the two names holds one file.
    const both = statSync(join(root, 'caf\u00e9.ts')).ino !== statSync(join(root, 'cafe\u0301.ts')).ino;
    expect(output.files_total).toBe(1);
    expect(output.skipped).toEqual(both ? { 'same-name': 1 } : {});
  });

  test('two names that differ only by case are two files where the file system tells them apart', async () => {
    const root = write({
      'Readme.ts': 'export const a = () => 1;\n',
      'user.ts': "import { a } from './Readme';\na();\n",
    });
    const folds = existsSync(join(root, 'README.ts'));
    if (!folds) write({ 'README.ts': 'export const b = () => 1;\n' }, root);
    const graph = await open(root);
    await index(graph);
    const look = await lookAt(graph);
    expect(look.ids('file')).toEqual([
      ...(folds ? [] : ['file:README.ts']),
      'file:Readme.ts',
      'file:user.ts',
    ]);
    expect(look.pairs('IMPORTS')).toEqual(['file:user.ts > file:Readme.ts']);
  });

  test('symbols named like what objects inherit', async () => {
    const { graph } = await indexed({
      'constructor.ts':
        'export function constructor() { return toString(); }\nexport function toString() {}\nexport const __proto__ = 1;\n',
      '__proto__/hasOwnProperty.py':
        'def __proto__():\n    return constructor()\n\ndef constructor():\n    pass\n',
    });
    const look = await lookAt(graph);
    expect(look.pairs('CALLS')).toEqual([
      'fn:__proto__/hasOwnProperty.py:__proto__ > fn:__proto__/hasOwnProperty.py:constructor',
      'fn:constructor.ts:constructor > fn:constructor.ts:toString',
    ]);
    expect(look.node('var:constructor.ts:__proto__')).toBeDefined();
  });
});

describe('an empty project', () => {
  test('without any file is indexed as its root alone', async () => {
    const { graph, output } = await indexed({});
    expect(output).toMatchObject({ files_total: 0, symbols_total: 0, problems: [] });
    const { nodes } = await lookAt(graph);
    expect(nodes.map(({ id }) => id)).toEqual(['dir:', 'project:']);
    expect(await index(graph, { mode: 'incremental' })).toMatchObject({ files_indexed: 0 });
  });

  test('with empty folders has no Directory for them', async () => {
    const root = scratch();
    mkdirSync(join(root, 'empty'));
    const graph = await open(root);
    await index(graph);
    expect((await lookAt(graph)).ids('directory')).toEqual(['dir:']);
  });
});

test('indexing a graph in memory says that there is no project', async () => {
  const { openGraph } = await import('../../index.js');
  await using graph = await openGraph(':memory:');
  await expect(graph.spawn('graph_index_project')).rejects.toMatchObject({ code: 'INVALID_ROOT' });
});

test('a root that is gone when it is indexed is an error, and the graph stays', async () => {
  const { root, graph } = await indexed(GOOD);
  const before = await exportText(graph);
  rmSync(root, { recursive: true });
  await expect(index(graph)).rejects.toMatchObject({ code: 'INVALID_ROOT' });
  expect(await exportText(graph)).toBe(before);
});

test('a glob that is none is an error', async () => {
  const graph = await open(write(GOOD));
  await expect(index(graph, { include: [''] })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
});

test('globs that leave nothing of a graph are refused, and it stays; files that are gone are no slip', async () => {
  const { root, graph } = await indexed({ 'src/a.ts': 'export const a = 1;\n' });
  const before = await exported(graph);
  for (const [globs, said] of [
    [{ include: ['nothing/**'] }, "include 'nothing/**'"],
    [{ exclude: ['**'] }, "exclude '**'"],
  ] satisfies [object, string][])
    await expect(index(graph, globs)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: `${said}: no file is left; nothing was changed`,
    });
  expect(await exported(graph)).toEqual(before);
  await index(graph, { include: ['src/**'] });
  replace(root, {});
  expect(await index(graph, { include: ['src/**'] })).toMatchObject({ files_removed: 1, files_total: 0 });
});

describe('build files that are damaged', () => {
  const SOURCES = {
    'go.mod': 'module example.com/shop\n',
    'main.go': 'package main\n\nimport "example.com/shop/money"\n\nfunc main() { money.Tax() }\n',
    'money/money.go': 'package money\n\nfunc Tax() {}\n',
    'pom.xml':
      '<project><artifactId>shop</artifactId><dependencies><dependency><groupId>org.a</groupId></dependency></dependencies></project>',
    'src/main/java/a/Cart.java':
      'package a;\npublic class Cart { int total() { return price(); } int price() { return 1; } }\n',
    'app/build.gradle': "plugins { id 'java' }\ndependencies { implementation 'org.b:b:1' }\n",
    'app/src/main/java/b/App.java': 'package b;\npublic class App { void run() { go(); } void go() {} }\n',
  };

  test('are named, and the rest is indexed', async () => {
    const { output } = await indexed(SOURCES);
    expect(output.problems).toEqual([]);
    const { output: damaged, graph } = await indexed({
      ...SOURCES,
      'go.mod': 'modul example.com/shop\n)))\n',
      'pom.xml': '<project><artifactId>shop</artifactId><dependencies><dependency></project>',
      'app/build.gradle': "plugins { id 'java' }\ndependencies { implementation 'org.b:b:1'\n",
    });
    expect(damaged.problems.map(({ path, reason }) => [path, reason])).toEqual([
      ['app/build.gradle', 'damaged-manifest'],
      ['go.mod', 'damaged-manifest'],
      ['pom.xml', 'damaged-manifest'],
    ]);
    expect(damaged.symbols_total).toBe(output.symbols_total);
    expect((await graph.spawn('graph_stats')).output).toMatchObject({
      damaged_manifests: ['app/build.gradle', 'go.mod', 'pom.xml'],
    });
    // What the module is called is not guessed; calls within a file need no build file.
    const calls = (await exported(graph))
      .map((line) => JSON.stringify(line))
      .filter((line) => line.includes('CALLS'));
    expect(calls.join('\n')).toContain('m:src/main/java/a/Cart.java:Cart.price');
    expect(calls.join('\n')).not.toContain('fn:money/money.go:Tax');
    expect((await index(graph, { mode: 'incremental' })).problems).toEqual(damaged.problems);
  });

  test('are named no more when they are mended, and what rested on them is found', async () => {
    const { root, graph } = await indexed({ ...SOURCES, 'go.mod': '' });
    write({ 'go.mod': SOURCES['go.mod'] }, root);
    expect((await index(graph, { mode: 'incremental' })).problems).toEqual([]);
    expect(await exportText(graph)).toBe(await freshExport(SOURCES));
  });

  test('and braces in the texts of a good one are no damage', async () => {
    const { output } = await indexed({
      'build.gradle': `// a note: }\ndef open = "{"\ndef pattern = ~/x{2/\ntask a { doLast { println '}}' } }\n`,
      'pom.xml': '\ufeff<?xml version="1.0"?><!-- <a> --><project a="b"><br/><name>x</name></project>\n',
      'settings.gradle.kts': 'rootProject.name = "shop"\n',
    });
    expect(output.problems).toEqual([]);
  });
});

describe('files that are odd in their bytes', () => {
  const ofLanguages = (bytesOf: (text: string) => string | Uint8Array) => ({
    'a.ts': bytesOf('export function first() { return second(); }\nfunction second() {}\n'),
    'b.py': bytesOf('def first():\n    return second()\n\n\ndef second():\n    pass\n'),
    'c.go': bytesOf('package c\n\nfunc first() { second() }\n\nfunc second() {}\n'),
    'D.java': bytesOf('class D { void first() { second(); } void second() {} }\n'),
    'E.vue': bytesOf('<script setup>\nconst first = () => second();\nfunction second() {}\n</script>\n'),
  });

  test('a byte-order mark changes nothing of what is found', async () => {
    const { graph, output } = await indexed(ofLanguages((text) => `\ufeff${text}`));
    expect(output.problems).toEqual([]);
    const plain = await indexed(ofLanguages((text) => text));
    expect(output.symbols_by_kind).toEqual(plain.output.symbols_by_kind);
    expect(output.calls).toEqual(plain.output.calls);
    const ids = (lines: Awaited<ReturnType<typeof exported>>) => lines.map(({ id }) => id);
    expect(ids(await exported(graph))).toEqual(ids(await exported(plain.graph)));
  });

  test('UTF-16 is named for each language, and the rest is indexed', async () => {
    const wide = ofLanguages((text) => Buffer.from(`\ufeff${text}`, 'utf16le'));
    const { output } = await indexed({ ...GOOD, ...wide });
    expect(output.problems.map(({ path, reason }) => [path, reason])).toEqual(
      Object.keys(wide)
        .sort()
        .map((path) => [path, 'not-utf8']),
    );
    expect(output.files_total).toBe(1);
  });

  test('a file of one line of a megabyte is a file without symbols; one of five is left out, and indexed where that is asked for', async () => {
    const line = Array.from(
      { length: 20_000 },
      (_, at) => `function f${at}() { return f${at ? at - 1 : 0}(); }`,
    );
    const rest = `// ${'x'.repeat(90)}\n`.repeat(55_000);
    const large = `package large\n\nfunc first() { second() }\n\n${rest}func second() {}\n`;
    const { output, graph } = await indexed({ ...GOOD, 'line.ts': line.join(' '), 'large.go': large });
    expect(output).toMatchObject({
      problems: [],
      skipped: { 'too-large': 1 },
      symbols_by_kind: { function: 1 },
    });
    expect(output.languages).toMatchObject([{ language: 'typescript', files: 2, extracted: 1 }]);
    const more = (await graph.spawn('graph_index_project', null, { max_file_bytes: 10_000_000 })).output;
    expect(more).toMatchObject({ problems: [], skipped: {}, symbols_by_kind: { function: 3 } });
    expect((await lookAt(graph)).ids('function')).toContain('fn:large.go:second');
  });
});
