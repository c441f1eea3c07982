import { rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { insideRoot } from '../../../source/index.js';
import { index, indexed, indexedOnce, open, scratch, write } from '../project.js';
import { codebase, LIBRARY, pack } from './library.js';

const HASH = 'fn:src/crypto.ts:hash';
const library = indexedOnce(LIBRARY);

describe('query_codebase', () => {
  test('finds seeds by text and what is around them by the graph, in the order of S2-27', async () => {
    const graph = await library();
    const { body, markdown } = await codebase(graph, 'hash a text', { k: 1 });
    expect(body).toMatchObject({ seeds: 1, hop: 1, rels: ['CONTAINS', 'CALLS', 'IMPORTS', 'INHERITS'] });
    expect(body.nodes.map(({ id, best_hop }) => [id, best_hop])).toEqual([
      [HASH, 0],
      ['fn:src/crypto.ts:salt', 1],
      ['m:src/auth.ts:Authenticator.login', 1],
      ['file:src/crypto.ts', 1],
    ]);
    expect(body.nodes[0]).toMatchObject({ kind: 'function', lineno: 1, end_lineno: 4, via_seed: HASH });
    expect(body.returned_nodes).toBe(4);
    expect(body.expanded_nodes).toBeGreaterThanOrEqual(body.returned_nodes);
    expect(body.edges).toContainEqual({
      src: HASH,
      rel: 'CALLS',
      dst: 'fn:src/crypto.ts:salt',
      evidence: { lineno: 2, expr: 'salt(text)' },
    });
    const ids = new Set(body.nodes.map(({ id }) => id));
    for (const { src, dst } of body.edges) expect(ids.has(src) && ids.has(dst)).toBe(true);
    expect(markdown).toContain('`hash` CALLS `salt`');
  });

  test('stays at the seeds without hops, and follows only the relations that are asked for', async () => {
    const graph = await library();
    expect((await codebase(graph, 'hash a text', { k: 2, hop: 0 })).body.expanded_nodes).toBe(2);
    const calls = (await codebase(graph, 'hash a text', { k: 1, rels: 'CALLS' })).body;
    expect(calls.nodes.map(({ kind }) => kind)).not.toContain('module');
    expect(new Set(calls.edges.map(({ rel }) => rel))).toEqual(new Set(['CALLS']));
    await expect(codebase(graph, 'hash', { rels: 'CALLS,FOLLOWS' })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
    expect((await codebase(graph, 'hash', { k: 1, rels: 'calls, inherits' })).body.rels).toEqual([
      'CALLS',
      'INHERITS',
    ]);
  });

  test('shows stubs only where they are asked for, and counts them either way', async () => {
    const { graph } = await indexed({ 'a.ts': 'export function run() { outside.call(); }\n' });
    const without = (await codebase(graph, 'run', { k: 1 })).body;
    const withStubs = (await codebase(graph, 'run', { k: 1, include_symbols: true })).body;
    expect(without.nodes.map(({ kind }) => kind)).toEqual(['function', 'module']);
    expect(without.expanded_nodes).toBe(3);
    expect(withStubs.nodes.map(({ kind }) => kind)).toEqual(['function', 'module', 'symbol']);
  });

  test('ends at stubs: two that call the same unknown name are no neighbours', async () => {
    const { graph } = await indexed({
      'a.ts': 'export function lighthouse() { outside.call(); }\n',
      'b.ts': 'export function bakery() { outside.call(); }\n',
    });
    for (const asked of [codebase, pack]) {
      const { body } = await asked(graph, 'lighthouse', { k: 1, hop: 3, include_symbols: true });
      expect(body.nodes.map(({ name }) => name)).toContain('call');
      expect(body.nodes.map(({ module_path }) => module_path)).not.toContain('b.ts');
    }
  });

  test('drops docstrings before nodes', async () => {
    const { graph } = await indexed({
      'many.ts': Array.from(
        { length: 100 },
        (_, i) => `/** ${'Says much about headers. '.repeat(10)} */\nexport function header${i}() {}`,
      ).join('\n'),
    });
    const { body } = await codebase(graph, 'header', { k: 100, hop: 0, max_nodes: 100 });
    expect(body.nodes.length).toBeGreaterThan(20);
    expect(body.nodes.every(({ docstring }) => docstring === null)).toBe(true);
    expect(body.state.cut.join()).toContain('Docstrings are left out');
    const small = (await codebase(graph, 'header', { k: 100, hop: 0, max_nodes: 100, max_tokens: 800 })).body;
    expect(JSON.stringify(small).length / 4).toBeLessThanOrEqual(1000);
    expect(small.state.cut.at(-1)).toMatch(/^The first \d+ of 100 nodes are shown/);
  });
});

describe('pack_snippets', () => {
  test('shows numbered lines of each node', async () => {
    const graph = await library();
    const { body, markdown } = await pack(graph, 'expire session', { k: 1, hop: 0, context: 1 });
    expect(body.nodes[0]?.snippet).toEqual({
      path: 'src/session.ts',
      start: 2,
      end: 6,
      text: [
        '    2: ',
        '    3: export function expireSession(age: number): boolean {',
        '    4:   return age > 3600;',
        '    5: }',
        '    6: ',
      ].join('\n'),
    });
    expect(markdown).toContain('## `expireSession` function, src/session.ts:2-6');
    expect(markdown).toContain('```typescript\n    2: ');
  });

  test('merges what overlaps or lies as near as two lines, so that no line is shown twice', async () => {
    const graph = await library();
    const { body } = await pack(graph, 'hash a text with salt', { k: 4, hop: 1 });
    const shown = new Map<string, Set<number>>();
    for (const { snippet } of body.nodes)
      for (let line = snippet?.start ?? 1; line <= (snippet?.end ?? 0); line++) {
        const lines = shown.get(snippet?.path ?? '') ?? new Set();
        expect(lines.has(line), `${snippet?.path}:${line}`).toBe(false);
        shown.set(snippet?.path ?? '', lines.add(line));
      }
    const crypto = body.nodes.find(({ snippet }) => snippet?.path === 'src/crypto.ts');
    expect(crypto?.also.length).toBeGreaterThan(0);
  });

  test('cuts a long span, and of a module shows the top', async () => {
    const { graph } = await indexed({
      'long.ts': `export function long() {\n${'  step();\n'.repeat(100)}}\n`,
      'top.ts': `// Everything about tariffs.\n${'tariff();\n'.repeat(100)}`,
    });
    const long = (await pack(graph, 'long', { k: 1, hop: 0, max_lines: 10 })).body.nodes[0]?.snippet;
    expect([long?.start, long?.end]).toEqual([1, 10]);
    const top = (await pack(graph, 'tariffs', { k: 1, hop: 0, max_lines: 5 })).body.nodes[0];
    expect([top?.kind, top?.snippet?.start, top?.snippet?.end]).toEqual(['module', 1, 5]);
  });

  test('shows the lines of a definition before those around it, and says what is left out', async () => {
    const { graph } = await indexed({
      'long.ts': `${'// About.\n'.repeat(20)}export function long() {\n${'  step();\n'.repeat(10)}}\n${'// More.\n'.repeat(20)}`,
    });
    const asked = async (input: object) => (await pack(graph, 'long', { k: 1, hop: 0, ...input })).body;
    const lines = async (max_lines: number) => {
      const { nodes, state } = await asked({ max_lines, context: 20 });
      return [nodes[0]?.snippet?.start, nodes[0]?.snippet?.end, state.cut];
    };
    expect(await lines(8)).toEqual([
      21,
      28,
      ['Not all lines are shown of `long` (long.ts:21-32): max_lines up to 400 shows more.'],
    ]);
    expect(await lines(12)).toEqual([21, 32, []]);
    expect(await lines(17)).toEqual([19, 35, []]);
    expect(await lines(400)).toEqual([1, 52, []]);
    const tight = await asked({ context: 20, max_tokens: 300 });
    expect(tight.nodes[0]?.snippet).toMatchObject({ start: 21 });
  });

  test('says which definitions stand beside one that is shown and have no place', async () => {
    const { graph } = await indexed({
      'two.ts': `export function wharf() {\n${'  step();\n'.repeat(8)}}\n\nfunction wharfage() {\n${'  step();\n'.repeat(8)}}\n`,
    });
    const { nodes, state } = (await pack(graph, 'wharf and wharfage', { hop: 0, max_lines: 12 })).body;
    expect(nodes[0]?.also).toContain('fn:two.ts:wharf');
    expect(state.cut.join()).toContain('`wharf` (two.ts:1-10)');
  });

  test('never reads a file that left the root, and says so without losing the rest', async () => {
    const { root, graph } = await indexed(LIBRARY);
    const outside = write({ 'secret.ts': 'export function expireSession() {}\n' }, scratch());
    rmSync(join(root, 'src/session.ts'));
    symlinkSync(join(outside, 'secret.ts'), join(root, 'src/session.ts'));
    const { body } = await pack(graph, 'expire session login', { k: 3, hop: 0 });
    const gone = body.nodes.filter(({ module_path }) => module_path === 'src/session.ts');
    expect(new Set(gone.map(({ snippet }) => snippet))).toEqual(new Set([null]));
    expect(body.notes).toEqual(["'src/session.ts' leads out of the project: it is not shown."]);
    expect(body.nodes.some(({ snippet }) => snippet?.path === 'src/auth.ts')).toBe(true);
    for (const path of ['../x.ts', '/etc/passwd', 'src/session.ts'])
      expect(() => insideRoot(root, path), path).toThrowError(/leaves|outside/i);
  });

  test('shows nothing of a file that changed since it was indexed', async () => {
    const root = write(LIBRARY);
    const graph = await open(root);
    await index(graph);
    write({ 'src/session.ts': `\n\n\n${LIBRARY['src/session.ts']}` }, root);
    const { body } = await pack(graph, 'expire session', { k: 1, hop: 0 });
    expect(body.nodes[0]).toMatchObject({ id: 'fn:src/session.ts:expireSession', snippet: null });
  });

  test('shortens snippets before it drops nodes', async () => {
    const { graph } = await indexed({
      ...Object.fromEntries(
        Array.from({ length: 40 }, (_, i) => [
          `file${i}.ts`,
          `export function parseHeader${i}() {\n${'  step();\n'.repeat(50)}}\n`,
        ]),
      ),
    });
    const { body } = await pack(graph, 'header', { k: 40, hop: 0, max_nodes: 40 });
    expect(body.nodes).toHaveLength(40);
    expect(body.state.cut[0]).toMatch(/^Snippets of more than 8 lines are shortened from row \d+ on/);
    expect(body.nodes[0]?.snippet?.end).toBe(52);
    const small = (await pack(graph, 'header', { k: 40, hop: 0, max_nodes: 40, max_tokens: 1500 })).body;
    expect(JSON.stringify(small).length / 4).toBeLessThanOrEqual(1700);
    expect(small.nodes.length).toBeLessThan(40);
  });
});
