import { rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { answer, type OpenGraph } from '../../host/index.js';
import { tokensOf } from '../../present/index.js';
import type { ContextOutput } from '../../walkers/code/context-pack.js';
import { contextOf, type Files, index, indexed, open, sharedGraph, write } from './project.js';

const CHAIN: Files = {
  'src/a.ts': "import { b } from './b.js';\nexport function a() { return b(); }\n",
  'src/b.ts': "import { c } from './c.js';\nexport function b() { return c(); }\n",
  'src/c.ts': "import { d } from './d.js';\nexport function c() {\n  // TODO: be quicker\n  return d();\n}\n",
  'src/d.ts': 'export function d() { return 1; }\n',
  'test/a.test.ts': "import { a } from '../src/a.js';\nfunction checksA() { return a(); }\nchecksA();\n",
  'main.hs': 'main = pure ()\n',
};

const chain = sharedGraph(CHAIN);

/** What the tool answers of files, as JSON and as Markdown. */
async function ask(graph: OpenGraph, file_paths: string[], input: object = {}) {
  const { body, markdown } = await answer(graph, 'graph_context_for_files', { file_paths, ...input });
  const { context_pack, returnDisplay } = body as unknown as ContextOutput;
  return { body, markdown, pack: context_pack, returnDisplay, state: body.state };
}

describe('the context of a file', () => {
  test('at radius 0 is its own symbols, and nothing else', async () => {
    const pack = await contextOf(chain(), ['src/b.ts'], { radius: 0 });
    expect(Object.keys(pack).sort()).toEqual(['concepts', 'etg_steps', 'files', 'summary', 'symbols']);
    expect(pack.symbols.map(({ id, distance, relation }) => [id, distance, relation])).toEqual([
      ['fn:src/b.ts:b', 0, 'own'],
    ]);
  });

  test('grows with the radius: callers and callees, and the concepts that they carry', async () => {
    const reach = async (radius: number) => {
      const { symbols, concepts } = await contextOf(chain(), ['src/a.ts'], { radius });
      return [
        ...symbols.map(({ name, distance }) => `${name} ${distance}`),
        ...concepts.map(({ label }) => label),
      ];
    };
    expect(await reach(1)).toEqual(['a 0', 'b 1', 'checksA 1']);
    expect(await reach(2)).toEqual(['a 0', 'b 1', 'checksA 1', 'c 2', 'TODO: be quicker']);
    expect(await reach(3)).toEqual(['a 0', 'b 1', 'checksA 1', 'c 2', 'd 3', 'TODO: be quicker']);
    expect(await reach(5)).toEqual(await reach(3));
  });

  test('names what is near first, with why, and the tests that reach it', async () => {
    const { related, tests } = await contextOf(chain(), ['src/a.ts']);
    // src/d.ts is alike by words alone.
    expect(related?.map(({ id }) => id)).toEqual(['file:src/b.ts', 'file:src/c.ts', 'fn:src/b.ts:b']);
    expect(related?.[0]?.why).toBe('called by it, imported by it');
    expect(related?.[2]).toMatchObject({ line: 2, why: 'called by it' });
    expect(tests).toMatchObject([{ id: 'file:test/a.test.ts', line: 2, cases: ['checksA'] }]);
  });

  test('names test cases and files that call at their own level', async () => {
    const { graph } = await indexed({
      'src/sum.ts':
        'export const sum = (a: number, b: number) => a + b;\nexport const none = () => sum(0, 0);\n',
      'src/start.ts': "import { none } from './sum.js';\n\nnone();\n",
      'test/sum.test.ts':
        "import { it } from 'vitest';\nimport { none, sum } from '../src/sum.js';\n\nit('adds', () => {\n  sum(1, 2);\n});\nit('is nothing', () => none());\n",
      'test/smoke.test.ts': "import { none } from '../src/sum.js';\n\nnone();\n",
    });
    const { related, tests, symbols } = await contextOf(graph, ['src/sum.ts']);
    expect(related).toMatchObject([{ id: 'file:src/start.ts', line: 3 }]);
    expect(related?.[0]?.why).toMatch(/^calls it, imports it/);
    expect(tests).toMatchObject([
      { id: 'file:test/sum.test.ts', line: 5, cases: ['adds', 'is nothing'] },
      { id: 'file:test/smoke.test.ts', line: 3, cases: [] },
    ]);
    expect(symbols.map(({ id }) => id)).toEqual([
      'fn:src/sum.ts:sum',
      'fn:src/sum.ts:none',
      'test:test/sum.test.ts:adds',
      'test:test/sum.test.ts:is nothing',
    ]);
  });

  test('names the tests first that reach most of it', async () => {
    const test = (...names: string[]) =>
      `import { ${names} } from '../src/a.js';\n${names.map((name) => `${name}();\n`).join('')}`;
    const { graph } = await indexed({
      'src/a.ts': 'export function a() {}\nexport function b() {}\n',
      'test/first.test.ts': test('a'),
      'test/second.test.ts': test('a', 'b'),
    });
    const { tests } = await contextOf(graph, ['src/a.ts']);
    expect(tests?.map(({ path }) => path)).toEqual(['test/second.test.ts', 'test/first.test.ts']);
  });

  test('tells of the symbol that is about to change, not of the whole file', async () => {
    const calls = (name: string) => `import { ${name} } from './own.js';\n`;
    const many =
      'export function firstOfAll() {\n  // The first of all first ones.\n  first();\n  return first();\n}\n';
    const { graph } = await indexed({
      'src/own.ts': 'export function first() { return 1; }\nexport function second() { return 2; }\n',
      'src/both.ts': `${calls('first, second')}${many}export const x = () => second();\n`,
      'src/first.ts': `${calls('first')}${many.replace('firstOfAll', 'firstOfThese')}`,
      'src/second.ts': `${calls('second')}export const y = () => second();\n`,
    });
    const rowsOf = async (symbols?: string[]) =>
      ((await contextOf(graph, ['src/own.ts'], { ...(symbols && { symbols }) })).related ?? []).map(
        ({ path, symbol, symbol_why, name, why }) =>
          symbol ? `${path} ${symbol}: ${symbol_why}` : `${path} ${name}: ${why}`,
      );
    const [whole, focused] = [await rowsOf(), await rowsOf(['second'])];
    expect(whole).toContain('src/both.ts firstOfAll: calls it');
    expect(focused.slice(0, 2).sort()).toEqual(['src/both.ts x: calls it', 'src/second.ts y: calls it']);
    expect(focused).toContain('src/first.ts firstOfThese: joined to other parts of it');
  });

  test('does not name the files asked for as their own callers', async () => {
    const { graph } = await indexed({ 'a.ts': 'const a = () => 1;\na();\n' });
    expect((await contextOf(graph, ['a.ts'])).related).toEqual([]);
  });

  test('counts the calls that lead nowhere, of its symbols and its own, whatever the radius', async () => {
    const { graph } = await indexed({
      'a.ts': "import { x } from 'x';\nexport function a() { x(); y(); }\nz();\n",
    });
    for (const radius of [0, 1, 5])
      expect(await ask(graph, ['a.ts'], { radius })).toMatchObject({ state: { unresolved: 3 } });
  });

  test('is in JSON and in Markdown in the same order', async () => {
    const { pack, markdown } = await ask(chain(), ['src/a.ts'], { radius: 3 });
    const { related = [], tests = [], symbols } = pack;
    const named = [...related, ...tests, ...symbols].map(({ path }) => path);
    const places = [...new Set(named)].map((path) => markdown.indexOf(path, markdown.indexOf('###')));
    expect(places).toEqual([...places].sort((x, y) => x - y));
    expect(Math.min(...places)).toBeGreaterThan(0);
  });

  test('says each thing once in Markdown: what calls where', async () => {
    const { graph } = await indexed({
      'a.ts': 'export const one = 1;\nexport const two = 2;\nexport function f() { return one; }\n',
      'b.ts': "import { f } from './a.js';\nexport function user() {\n  return f();\n}\n",
      'test/b.test.ts': "import { user } from '../b.js';\nit('uses', () => { user(); });\n",
    });
    expect((await ask(graph, ['a.ts'])).markdown.match(/^.*\buser\b.*$/gmu)).toEqual([
      '- b.ts:2 user: calls f at 3 (file: calls it, imports it, same words)',
    ]);
  });

  test('says of files without symbols why they have none', async () => {
    const { graph } = await indexed({
      'lib.min.js': `${'f(1);'.repeat(20_000)}\n`,
      'main.hs': 'main = pure ()\n',
    });
    const { summary, symbols } = await contextOf(graph, ['main.hs', 'lib.min.js', 'src/e.ts']);
    expect(summary).toBe(
      "main.hs is haskell, whose symbols Codewalk does not extract. The symbols of lib.min.js (javascript) were not extracted: 'codewalk index --list' says why. src/e.ts is not in the graph.",
    );
    expect(symbols).toEqual([]);
  });

  test('is found by paths from the root, absolute ones, and ones that go up and down', async () => {
    const { root, graph } = await indexed({ 'src/d.ts': 'export function d() { return 1; }\n' });
    for (const path of ['src/d.ts', join(root, 'src/d.ts'), './src/../src/d.ts'])
      expect((await contextOf(graph, [path])).symbols[0]).toMatchObject({ id: 'fn:src/d.ts:d' });
    const twice = await contextOf(graph, ['src/d.ts', join(root, 'src/d.ts')], { radius: 0 });
    expect(twice.symbols).toHaveLength(1);
  });

  test('says of a neighbour whom it calls or uses, and where; its closest relation is its own', async () => {
    const { graph } = await indexed({
      'a.ts': 'export function f() {}\nexport function g() {}\n',
      'b.ts':
        "import { f, g } from './a';\nexport function user() {\n  const later = f;\n  g();\n  return later;\n}\n",
    });
    const { pack, markdown } = await ask(graph, ['a.ts']);
    expect(pack.symbols.find(({ name }) => name === 'user')).toMatchObject({
      relation: 'caller',
      links: ['uses f at 3', 'calls g at 4'],
    });
    expect(pack.symbols.find(({ name }) => name === 'f')).not.toHaveProperty('links');
    expect(markdown).toContain(
      '- b.ts:2 user: uses f at 3; calls g at 4 (file: calls it, imports it, uses it)\n',
    );
  });
});

describe('a test of what calls the files', () => {
  const files: Files = {
    'src/tax.ts': 'export function tax(sum: number) { return sum / 5; }\n',
    'src/basket.ts':
      "import { tax } from './tax.js';\nexport class Basket {\n  total() { return tax(10); }\n}\n",
    'test/basket.test.ts':
      "import { Basket } from '../src/basket.js';\nimport { test } from 'vitest';\n\ntest('totals', () => {\n  new Basket().total();\n});\n",
  };

  test('is named with its cases at radius 1, behind those that test them directly', async () => {
    const { graph } = await indexed({
      ...files,
      'test/zero.test.ts':
        "import { tax } from '../src/tax.js';\nimport { test } from 'vitest';\ntest('of nothing', () => {\n  tax(0);\n});\n",
    });
    const { tests } = await contextOf(graph, ['src/tax.ts'], { radius: 1 });
    expect(tests?.map(({ path, cases }) => [path, ...cases])).toEqual([
      ['test/zero.test.ts', 'of nothing'],
      ['test/basket.test.ts', 'totals'],
    ]);
    expect(tests?.[0]?.why).toContain('tests it');
    expect(tests?.[0]?.why).not.toContain('caller');
    expect(tests?.[1]?.why).toContain('exercises its caller');
  });
});

describe('what cannot be answered says why', () => {
  test('a path outside the root', async () => {
    for (const path of ['../other.ts', '/etc/passwd', 'src/../../other.ts'])
      await expect(contextOf(chain(), [path])).rejects.toMatchObject({ code: 'PATH_OUTSIDE_ROOT' });
  });

  test('a file that is not in the graph, with the nearest name', async () => {
    await expect(contextOf(chain(), ['src/bb.ts'])).rejects.toMatchObject({
      code: 'NODE_NOT_FOUND',
      message: expect.stringContaining("'src/bb.ts'"),
      suggestion: expect.stringContaining("'src/b.ts'"),
      providedInput: ['src/bb.ts'],
    });
  });

  test('a folder', async () => {
    await expect(contextOf(chain(), ['src'])).rejects.toMatchObject({
      message: "'src' is a folder: files are asked for",
      suggestion: expect.stringContaining("as 'src/a.ts', '"),
    });
    expect((await contextOf(chain(), ['src/a.ts', 'src'])).summary).toContain(
      'src is a folder: name files in it.',
    );
  });

  test('a project that was never indexed', async () => {
    const graph = await open(write(CHAIN));
    const runs = [
      contextOf(graph, ['src/a.ts']),
      graph.spawn('graph_stats'),
      graph.spawn('graph_export'),
      graph.spawn('graph_export', null, { layer: 'all' }),
    ];
    for (const run of runs)
      await expect(run).rejects.toMatchObject({
        code: 'PROJECT_NOT_INDEXED',
        suggestion: expect.stringContaining('codewalk index'),
      });
    const { output } = await graph.spawn('graph_export', null, { layer: 'durable' });
    expect(output).toMatchObject({ nodes: 0, edges: 0 });
  });

  test('input that does not fit', async () => {
    for (const input of [{ radius: 6 }, { radius: -1 }, { max_tokens: 20_001 }, { max_tokens: 0 }])
      await expect(contextOf(chain(), ['src/a.ts'], input)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    await expect(contextOf(chain(), [])).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });
});

describe('max_tokens', () => {
  /** A file of `count` functions with documentation, all called from another file. */
  const many = (count: number): Files => {
    const names = Array.from({ length: count }, (_, i) => `fn${i}`);
    const made = names.map(
      (name) =>
        `/** Does what ${name} is for, at some length. */\nexport function ${name}(first: string, second: number) {}\n`,
    );
    return {
      'src/many.ts': made.join(''),
      'src/user.ts': `import * as many from './many.js';\n${names.map((n) => `export const use_${n} = () => many.${n}('', 1);\n`).join('')}`,
    };
  };
  test('where all fits, nothing is cut', async () => {
    const { graph } = await indexed(many(5));
    const { pack, state } = await ask(graph, ['src/many.ts']);
    expect(pack.symbols).toHaveLength(10);
    expect(pack.symbols[0]).toMatchObject({ docstring: 'Does what fn0 is for, at some length.' });
    expect(state.cut).toEqual([]);
  });

  test('fields fall before rows, documentation before signatures; a cursor gives the symbols that were left out', async () => {
    const { graph } = await indexed(many(60));
    const { pack, state } = await ask(graph, ['src/many.ts']);
    expect(state.cut.join()).toMatch(/Docstrings are left out\. Signatures are left out/);
    expect(tokensOf({ context_pack: pack })).toBeGreaterThan(5000);
    const signed = pack.symbols.filter(({ signature }) => signature !== undefined).length;
    const bare = pack.symbols.slice(signed);
    expect(bare.every((row) => row.signature === undefined && !row.docstring)).toBe(true);
    expect(pack.symbols[0]).toMatchObject({ id: 'fn:src/many.ts:fn0', start_line: 2, distance: 0 });
    for (const max_tokens of [500, 1000, 3000, 6000]) {
      const ids: string[] = [];
      let cursor: string | undefined;
      do {
        const input = { max_tokens, ...(cursor === undefined ? {} : { cursor }) };
        const { body, markdown, pack } = await ask(graph, ['src/many.ts'], input);
        for (const form of [body, markdown]) expect(tokensOf(form)).toBeLessThanOrEqual(max_tokens);
        ids.push(...pack.symbols.map(({ id }) => id));
        cursor = body.state.cursor;
      } while (cursor !== undefined && ids.length < 200);
      expect([ids.length, new Set(ids).size]).toEqual([120, 120]);
    }
  });

  test('the ceiling holds for the whole body, and where more tokens do not help the answer says what does', async () => {
    // Modules that call each other around: everything is within reach of the first.
    const ring: Files = Object.fromEntries(
      Array.from({ length: 40 }, (_, i) => [
        `src/m${i}.ts`,
        `import * as next from './m${(i + 1) % 40}.js';\n${Array.from({ length: 60 }, (_, n) => `/** Passes ${n} on. */\nexport function pass${i}x${n}(value: number) { return next.pass${(i + 1) % 40}x${n}(value); }\n`).join('')}`,
      ]),
    );
    const { graph } = await indexed(ring);
    const most = await ask(graph, ['src/m0.ts'], { radius: 5, max_tokens: 20_000 });
    expect(tokensOf(most.body)).toBeLessThanOrEqual(20_000);
    expect(most.pack.symbols.length).toBeGreaterThan(100);
    expect(most.returnDisplay.length).toBeLessThanOrEqual(600);
    expect(most.state.cut.at(-1)).toMatch(/of 660 symbols, .*a smaller `radius` narrows them\.$/);
  });

  test('a budget holds for JSON and for Markdown, whatever stands beside the symbols', async () => {
    const todos = Array.from({ length: 300 }, (_, i) => `// TODO: number ${i} of the things to do\n`);
    const { graph } = await indexed({ 'a.ts': `${todos.join('')}export const a = 1;\n` });
    const { body, markdown, pack, state } = await ask(graph, ['a.ts'], { max_tokens: 1000 });
    for (const form of [body, markdown]) {
      expect(tokensOf(form)).toBeLessThanOrEqual(1000);
      expect(tokensOf(form)).toBeGreaterThan(900);
    }
    expect(pack.symbols).toHaveLength(1);
    expect(state.cut).toContainEqual(expect.stringMatching(/first \d+ of 300 concepts are shown/));
  });
});

describe('a graph whose index run did not finish says so', () => {
  const cutOff = async (phase: string) => {
    const graph = await open(write(CHAIN));
    const cancel = new AbortController();
    const onProgress = (progress: { phase: string }) => progress.phase === phase && cancel.abort();
    await expect(index(graph, {}, { signal: cancel.signal, onProgress })).rejects.toMatchObject({
      code: 'CANCELLED',
    });
    return graph;
  };
  const UNFINISHED = expect.stringContaining('An index run did not finish');

  for (const [phase, said] of [
    ['extract', /src\/a\.ts \(typescript\) is not indexed yet\./],
    // What follows from a file alone may be written by then.
    ['resolve', /src\/a\.ts \(typescript\) (?:is not indexed yet\.|has 1 symbol, as far as it is indexed\.)/],
    // A file is written as a whole.
    ['write nodes', /src\/a\.ts \(typescript\) has 1 symbol\./],
    ['write edges', /src\/a\.ts \(typescript\) has 1 symbol\./],
  ] as const)
    test(`at ${phase}: a context tells what is not indexed yet from what is not extracted`, async () => {
      const graph = await cutOff(phase);
      const { body, pack } = await ask(graph, ['src/a.ts', 'main.hs']);
      expect(body).toMatchObject({ state: { cut: [UNFINISHED], pending: 6 } });
      const { summary } = pack;
      expect(summary).toMatch(said);
      expect(summary).toContain('main.hs is haskell, whose symbols Codewalk does not extract.');
      expect(summary).toContain('An index run did not finish');
    });

  test('in statistics and exports too, and no more when the next run finished', async () => {
    const graph = await cutOff('write nodes');
    for (const walker of ['graph_stats', 'graph_export']) {
      const { body, markdown } = await answer(graph, walker, {});
      expect(body).toMatchObject({ state: { cut: [UNFINISHED], pending: 6 } });
      expect(markdown).toContain('An index run did not finish');
    }
    await index(graph, { mode: 'incremental' });
    for (const walker of ['graph_stats', 'graph_export'])
      expect((await answer(graph, walker, {})).body).toMatchObject({ state: { cut: [] } });
    expect((await contextOf(graph, ['src/a.ts'])).summary).toContain('src/a.ts (typescript) has 1 symbol.');
  });
});

describe('files that changed on disk since they were indexed', () => {
  test('are named and counted, deleted ones too', async () => {
    const { root, graph } = await indexed(CHAIN);
    write({ 'src/a.ts': 'export const other = 1;\n' }, root);
    rmSync(join(root, 'src/b.ts'));
    const { pack, state, markdown } = await ask(graph, ['src/a.ts', 'src/b.ts', 'src/c.ts'], { radius: 0 });
    expect(pack.summary).toContain('src/a.ts changed on disk since it was indexed.');
    expect(pack.summary).toContain('src/b.ts was deleted on disk since it was indexed.');
    expect(pack.summary).not.toMatch(/src\/c\.ts (?:changed|was)/);
    expect(state.pending).toBe(2);
    expect(markdown).toContain('2 files changed since: src/a.ts, src/b.ts.');
  });

  test('are told from files that were only touched, and from changes of the same size', async () => {
    const { root, graph } = await indexed(CHAIN);
    utimesSync(join(root, 'src/a.ts'), 1, 1);
    write({ 'src/d.ts': 'export function d() { return 2; }\n' }, root);
    utimesSync(join(root, 'src/d.ts'), 1, 1);
    expect((await ask(graph, ['src/a.ts'])).state).toMatchObject({ pending: 0 });
    expect((await ask(graph, ['src/d.ts'])).state).toMatchObject({ pending: 1 });
    await index(graph, { mode: 'incremental' });
    expect((await ask(graph, ['src/a.ts', 'src/d.ts'])).state).toMatchObject({ pending: 0 });
  });

  test('a file that the graph does not know is said to be on disk', async () => {
    const { root, graph } = await indexed({ 'src/a.ts': 'export const a = 1;\n' });
    write({ 'src/new.ts': '' }, root);
    expect((await contextOf(graph, ['src/a.ts', 'src/new.ts'])).summary).toContain(
      'src/new.ts is not in the graph, but on disk',
    );
    await expect(contextOf(graph, ['src/new.ts'])).rejects.toMatchObject({
      suggestion: expect.stringContaining('It is on disk'),
    });
  });
});
