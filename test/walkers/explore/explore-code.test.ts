import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { OpenGraph } from '../../../index.js';
import type { ExploreCodeOutput } from '../../../walkers/index.js';
import { commit, index, indexed, open, repository, sharedGraph } from '../project.js';
import { asked } from '../query/shops.js';

const SHOP = {
  'package.json': '{"name": "shop", "version": "1.0.0"}\n',
  'src/store.ts': `export interface Store {
  get(key: string): string;
}

export class Memory implements Store {
  get(key: string): string {
    return key;
  }
}

export class Disk implements Store {
  get(key: string): string {
    return this.read(key) + this.read(key);
  }
  read(key: string): string {
    const seal = (one: string) => hash(one);
    return seal(key);
  }
}

export function hash(text: string): string {
  return text;
}

function local() {
  return hash('a');
}
`,
  'src/shop.ts': `import chalk from 'chalk';
import { Disk, hash as digest, type Store } from './store.js';

export function open(store: Store, box: any): string {
  box.unpack('everything');
  missing();
  chalk.bold('till');
  return store.get(digest('a')) + digest('b');
}

export const shops = [new Disk()];
`,
  'src/price.py': `class Price:
    def cents(self):
        return 1


def both(flag):
    if flag:
        thing = Price()
    else:
        thing = Other()
    return thing.cents()


class Other:
    def cents(self):
        return 2
`,
  'test/shop.test.ts': `import { expect, test } from 'vitest';
import { hash } from '../src/store.js';

test('a hash is the text', () => {
  expect(hash('a')).toBe('a');
});
`,
};

const shared = sharedGraph(SHOP);

async function code(name: string, input: object = {}, graph: OpenGraph = shared()) {
  return (await asked<ExploreCodeOutput>(graph, 'explore_code', { name, ...input })).body;
}

/** Calls and uses as `line:column name kind certainty`. */
const shown = ({ calls }: ExploreCodeOutput) =>
  calls.map(({ line, column, to, kind, certainty }) => `${line}:${column} ${to.name} ${kind} ${certainty}`);

describe('the lines of a symbol', () => {
  test('are its own, with what each calls and uses where it stands, under whatever name, and how sure that is', async () => {
    const body = await code('open');
    expect(body.node).toMatchObject({
      ...{ id: 'fn:src/shop.ts:open', kind: 'function', name: 'open', path: 'src/shop.ts' },
      ...{ language: 'typescript', start_line: 4, end_line: 9 },
      signature: 'function open(store: Store, box: any): string',
    });
    expect(body.source).toMatchObject({ path: 'src/shop.ts', from_line: 4, total_lines: 11, missing: null });
    expect(body.source.lines).toEqual(SHOP['src/shop.ts'].split('\n').slice(3, 9));
    expect(shown(body)).toEqual([
      '4:28 Store REFERENCES certain',
      '8:15 get CALLS likely',
      '8:19 hash CALLS certain',
      '8:34 hash CALLS certain',
    ]);
    for (const { line, column, length } of body.calls) {
      const word = body.source.lines[line - 4]?.slice(column ?? 0, (column ?? 0) + length);
      expect(['Store', 'get', 'digest']).toContain(word);
    }
    expect(body.calls[1]).toMatchObject({
      to: { id: 'm:src/store.ts:Store.get', kind: 'method', path: 'src/store.ts', line: 2 },
      ...{ resolution: 'type', confidence: 0.85, cause: null, use: 'call' },
    });
  });

  test('name what leads out of the project or nowhere known, with the cause', async () => {
    expect((await code('open')).unresolved).toEqual([
      {
        ...{ line: 5, column: 6, length: 6, name: 'unpack', package: null },
        cause: 'the type of its receiver is not known',
      },
      {
        ...{ line: 6, column: 2, length: 7, name: 'missing', package: null },
        cause: 'where the name comes from is not known',
      },
      {
        ...{ line: 7, column: 8, length: 4, name: 'chalk.bold', package: 'chalk' },
        cause: 'what it calls is of a package outside of the project',
      },
    ]);
  });

  test('hold what is defined in them, with its calls', async () => {
    const body = await code('Disk.read');
    expect(shown(body)).toContain('16:34 hash CALLS certain');
    expect(body.parents.map(({ id }) => id)).toEqual(['cls:src/store.ts:Disk']);
    expect(shown(await code('Disk.get')).filter((one) => one.includes('read'))).toEqual([
      '13:16 read CALLS certain',
      '13:33 read CALLS certain',
    ]);
  });

  test('show one of several that a call may mean as a candidate, with the cause', async () => {
    const candidates = (await code('both')).calls.filter(({ kind }) => kind === 'MAY_CALL');
    expect(candidates.map(({ to }) => to.id)).toEqual([
      'm:src/price.py:Other.cents',
      'm:src/price.py:Price.cents',
    ]);
    for (const one of candidates)
      expect(one).toMatchObject({
        ...{ line: 11, certainty: 'candidate', cause: 'one of several that it may call' },
        confidence: expect.closeTo(0.283),
      });
  });
});

describe('what a symbol is joined to', () => {
  test('are bases, implementers, members with their callers and tests, and what overrides what', async () => {
    const store = await code('Store');
    expect(store.implementers.map(({ name }) => name)).toEqual(['Disk', 'Memory']);
    expect(store.symbols).toMatchObject([{ name: 'get', depth: 0, callers: 1, tests: 0 }]);
    expect((await code('Memory')).bases).toEqual([
      { id: 'cls:src/store.ts:Store', name: 'Store', kind: 'interface', path: 'src/store.ts', line: 1 },
    ]);
    expect((await code('Store.get')).overridden_by.map(({ id }) => id)).toEqual([
      'm:src/store.ts:Disk.get',
      'm:src/store.ts:Memory.get',
    ]);
    expect((await code('Disk.get')).overrides.map(({ id }) => id)).toEqual(['m:src/store.ts:Store.get']);
  });

  test('is the first of what an ambiguous name means; the others are named', async () => {
    const { node, others, totals } = await code('cents');
    expect([node.id, ...others.map(({ id }) => id)]).toEqual([
      'm:src/price.py:Other.cents',
      'm:src/price.py:Price.cents',
    ]);
    expect(others[0]).toMatchObject({ qualified_name: 'price.Price.cents', path: 'src/price.py', line: 2 });
    expect(totals.others).toBe(1);
  });
});

describe('a file', () => {
  test('has all symbols in the order of its lines, importers and imports', async () => {
    const { node, symbols, symbols_total, importers, source } = await code('file:src/store.ts');
    expect(node).toMatchObject({ id: 'file:src/store.ts', kind: 'file', start_line: 1, end_line: 27 });
    expect(source.lines).toHaveLength(27);
    expect(symbols.map(({ name, depth }) => `${'  '.repeat(depth)}${name}`)).toEqual([
      ...['Store', '  get', 'Memory', '  get', 'Disk', '  get', '  read', '    seal', 'hash', 'local'],
    ]);
    expect(symbols_total).toBe(10);
    // open, seal, local and a test.
    expect(symbols.find(({ name }) => name === 'hash')).toMatchObject({ callers: 4, tests: 1 });
    expect(importers).toEqual([
      { path: 'src/shop.ts', line: 2 },
      { path: 'test/shop.test.ts', line: 2 },
    ]);
    expect((await code('src/shop.ts')).imports).toEqual([
      { path: null, package: 'chalk', line: 1 },
      { path: 'src/store.ts', package: null, line: 2 },
    ]);
  });

  test('is shown from any line on, with what is called there by what began before', async () => {
    const { source, calls } = await code('src/store.ts', { from_line: 17 });
    expect(source.from_line).toBe(17);
    expect(source.lines[0]).toBe('    return seal(key);');
    expect(calls.map(({ line, to }) => `${line} ${to.name}`)).toEqual(['17 seal', '26 hash']);
  });

  test('of a thousand symbols comes in pages, each list with its total', async () => {
    const body = Array.from(
      { length: 1000 },
      (_, at) => `export function f${at}(a: number) {\n  return f${at}(a);\n}\n`,
    );
    const { graph } = await indexed({ 'package.json': '{}', 'src/many.ts': body.join('') });
    const first = await code('src/many.ts', {}, graph);
    expect([first.symbols.length, first.symbols_total, first.source.lines.length]).toEqual([500, 1000, 600]);
    expect(first.source.total_lines).toBe(3000);
    const last = await code('src/many.ts', { from_line: 2998, from_symbol: 999 }, graph);
    expect(last.symbols.map(({ name }) => name)).toEqual(['f999']);
    const middle = await code('src/many.ts', { from_line: 1501 }, graph);
    expect([middle.symbols_from, middle.symbols[0]?.name, middle.symbols.length]).toEqual([500, 'f500', 500]);
    expect(last.calls.map(({ line, to }) => `${line} ${to.name}`)).toEqual(['2999 f999']);
  });
});

describe('a symbol of more lines than are shown', () => {
  const calls = Array.from({ length: 700 }, (_, at) => `  step${at % 7}(${at});\n`);
  const long = sharedGraph({
    'package.json': '{}',
    'src/long.ts': [
      'export function long(kind: Kind): Kind {\n',
      ...calls,
      '  nowhere();\n  return kind;\n}\n',
      ...Array.from({ length: 7 }, (_, at) => `function step${at}(n: number) {\n  return n;\n}\n`),
      'export type Kind = string;\n',
    ].join(''),
  });

  test('has all that it calls, in pages, with how much there is of each', async () => {
    const first = await code('long', {}, long());
    expect(first.source.lines).toHaveLength(600);
    expect(first.totals).toMatchObject({ calls: 700, references: 2, unresolved: 1 });
    expect(first.unresolved.map(({ line, column }) => [line, column])).toEqual([[702, null]]);
    type Paged = ExploreCodeOutput & { state: { cursor?: string } };
    const { body } = await asked<Paged>(long(), 'explore_code', { name: 'long' });
    expect([body.calls.length, body.state?.cut[0]]).toEqual([
      500,
      expect.stringContaining('first 500 of 702'),
    ]);
    const next = await code('long', { cursor: body.state?.cursor }, long());
    expect([body.calls, next.calls].flat()).toHaveLength(702);
    expect(next.calls.at(-1)).toMatchObject({ line: 701, column: null, to: { name: 'step6' } });
    const last = await code('long', { from_line: 690 }, long());
    expect(last.calls.map(({ line }) => line)).toEqual([
      690, 691, 692, 693, 694, 695, 696, 697, 698, 699, 700, 701,
    ]);
    expect(last.totals).toEqual(first.totals);
  });

  test('has its last line where a line behind its end is asked for, as a file has', async () => {
    const { source } = await code('long', { from_line: 9000 }, long());
    expect([source.from_line, source.lines]).toEqual([704, ['}']]);
    const file = await code('src/long.ts', { from_line: 9000 }, long());
    expect([file.source.from_line, file.source.lines]).toEqual([726, ['export type Kind = string;']]);
    expect(file.totals).toMatchObject({ calls: 700, unresolved: 1 });
  });
});

test('symbols of one line each come in pages that follow each other, however much their lines call', async () => {
  const line = (at: number) =>
    `export function f${at}(a: number) { return ${[1, 2, 3, 4].map((one) => `f${(at + one) % 620}(a)`).join(' + ')}; }\n`;
  const { graph } = await indexed({
    'package.json': '{}',
    'src/many.ts': Array.from({ length: 620 }, (_, at) => line(at)).join(''),
  });
  const names: string[] = [];
  for (let from: number | null = 0, pages = 0; from !== null && pages < 5; pages++) {
    const body: ExploreCodeOutput = await code('src/many.ts', { from_symbol: from }, graph);
    expect([body.symbols_from, body.symbols_total]).toEqual([from, 620]);
    expect(body.symbols.length).toBeGreaterThanOrEqual(Math.min(250, 620 - from));
    expect(body.calls.length).toBeGreaterThanOrEqual(200);
    names.push(...body.symbols.map(({ name }) => name));
    from = body.next_symbol;
  }
  expect(names).toEqual(Array.from({ length: 620 }, (_, at) => `f${at}`));
});

test('of more symbols than are looked at it is said how many are left out', async () => {
  const { graph } = await indexed({
    'package.json': '{}',
    'src/many.ts': Array.from(
      { length: 1200 },
      (_, at) => `export function f${at}() { return f${at}(); }\n`,
    ).join(''),
  });
  const { body } = await asked<ExploreCodeOutput>(graph, 'explore_code', { name: 'src/many.ts' });
  expect(body.totals.calls).toBe(999);
  expect(body.state?.cut).toContainEqual(expect.stringContaining('201 more symbols'));
});

test('a file names what changed in the same commits, of what is still there', async () => {
  const root = repository();
  const text = (value: number) => `export const a = ${value};\n`;
  commit(root, 'one', {
    'package.json': '{}',
    'src/a.ts': text(1),
    'src/b.ts': text(1),
    'src/gone.ts': text(1),
  });
  commit(root, 'two', { 'src/a.ts': text(2), 'src/b.ts': text(2) });
  commit(root, 'three', { 'src/a.ts': text(3), 'src/c.ts': text(1) });
  rmSync(join(root, 'src/gone.ts'));
  const graph = await open(root);
  await index(graph);
  const { changes_with, totals } = await code('src/a.ts', {}, graph);
  expect(changes_with.map(({ path, commits }) => [path, commits])).toEqual([
    ['src/b.ts', 2],
    ['src/c.ts', 1],
  ]);
  expect(totals.changes_with).toBe(2);
});

test('an answer about names and lines as long as they come fits a page, and says what is left out', async () => {
  const name = (at: number) => `f${at}${'_and_so_on'.repeat(15)}`;
  const line = (at: number) =>
    `export const ${name(at)} = () => { ${[1, 2, 3, 4].map((one) => `${name((at + one) % 600)}();`).join(' ')} };\n`;
  const { graph } = await indexed({
    'package.json': '{}',
    'src/long.ts': Array.from({ length: 600 }, (_, at) => line(at)).join(''),
  });
  const body = await code('src/long.ts', {}, graph);
  expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThan(410_000);
  expect(body.source.lines.length).toBeLessThan(600);
  expect(body.calls.length).toBeGreaterThan(100);
  expect(body.totals.calls).toBeGreaterThan(body.calls.length);
  expect(body).toMatchObject({ state: { cut: [expect.stringContaining('Signatures are left out')] } });
});

describe('lines that cannot be shown', () => {
  test('are those of a file that changed since it was indexed, whose calls are still known, and of what is outside of the project', async () => {
    const { root, graph } = await indexed(SHOP);
    writeFileSync(join(root, 'src/store.ts'), '// nothing of it is left\n');
    const { output } = await graph.spawn('explore_code', null, { name: 'hash' });
    const { source, node, calls } = output as ExploreCodeOutput;
    expect(source).toMatchObject({ lines: [], missing: 'changed' });
    expect([node.start_line, calls.length]).toEqual([21, 0]);
    const { calls: known, unresolved } = await code('open', {}, graph);
    expect(known.map(({ line, to }) => `${line} ${to.name}`)).toContain('8 get');
    const gone = await code('Disk.get', {}, graph);
    expect(gone.calls.map(({ line, column, to }) => `${line}:${column} ${to.name}`)).toEqual([
      '13:null read',
      '13:null read',
    ]);
    expect(unresolved).toHaveLength(3);
    expect((await code('chalk', {}, graph)).source.missing).toBe('outside');
  });

  test('hide secrets, and keep their columns', async () => {
    const secret = `ghp_${'a1B2c3D4e5'.repeat(4)}`.slice(0, 40);
    const { graph } = await indexed({
      'package.json': '{}',
      'src/key.ts': `export function open() {\n  return send('${secret}', close());\n}\nfunction close() {}\n`,
    });
    const { source, calls } = await code('open', {}, graph);
    expect(source.lines.join('\n')).not.toContain(secret.slice(4, 14));
    expect(source.lines[1]).toHaveLength(`  return send('${secret}', close());`.length);
    expect(calls.map(({ column, to }) => `${column} ${to.name}`)).toEqual(['58 close']);
  });
});

test('a name that is not in the graph is said so, with what is near', async () => {
  await expect(code('Diks')).rejects.toMatchObject({
    code: 'NODE_NOT_FOUND',
    suggestion: expect.stringContaining('Disk'),
  });
});

const overloaded = sharedGraph({
  'package.json': '{"name": "shop"}',
  'src/a.ts':
    'export function as(one: string): string;\nexport function as(one: number): number;\nexport function as(one: unknown) {\n  return one;\n}\nexport class Box {\n  get size() {\n    return 1;\n  }\n  set size(now: number) {}\n}\n',
  'src/b.ts': "import { as } from './a.js';\nas(1);\n",
  'A.java': 'class A {\n  void f(int a) {}\n  void f(String a) {}\n}\n',
});

test('an overload leads to its implementation, which calls lead to; accessors and overloads of Java are their own', async () => {
  const nodeOf = async (name: string) =>
    (await asked<ExploreCodeOutput>(overloaded(), 'explore_code', { name })).body.node;
  for (const id of ['fn:src/a.ts:as', 'fn:src/a.ts:as~2', 'fn:src/a.ts:as~3'])
    expect(await nodeOf(id)).toMatchObject({ id: 'fn:src/a.ts:as~3', start_line: 3 });
  for (const id of ['m:src/a.ts:Box.size', 'm:src/a.ts:Box.size~2', 'm:A.java:A.f', 'm:A.java:A.f~2'])
    expect(await nodeOf(id)).toMatchObject({ id });
});
