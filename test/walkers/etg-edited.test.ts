import { expect, test } from 'vitest';
import type { OpenGraph } from '../../index.js';
import { CodeSymbol } from '../../schema/index.js';
import { TraceIngest } from '../../walkers/trace/trace-ingest.js';
import { exported, index, log, open, write } from './project.js';

const CART = [
  'export class Cart {',
  '  add(item: string) {',
  '    const found = item;',
  '    return found;',
  '  }',
  '  take() {}',
  '}',
  'const TAX = 1;',
  "it('pays', () => {",
  '  expect(TAX).toBe(1);',
  '});',
].join('\n');

const edit = (lines: unknown, more: Record<string, unknown> = {}) => ({
  ...{ tool_name: 'Edit', success: true, files_touched: ['src/cart.test.ts'], content: CART, lines },
  ...more,
});

/** The ids of the symbols that are touched, as they are kept. */
const touchedIn = async (graph: OpenGraph) =>
  (await exported(graph, 'durable')).flatMap(({ kind, to }) =>
    kind === 'TOUCHES_SYMBOL' ? [String(to)] : [],
  );

test.each([
  ['a line of a method', [[3, 3]], 'm:src/cart.test.ts:Cart.add'],
  [
    'a method of one line, and what is around',
    [[6, 7]],
    'cls:src/cart.test.ts:Cart m:src/cart.test.ts:Cart.take',
  ],
  ['a test and a constant', [[8, 9]], 'test:src/cart.test.ts:pays var:src/cart.test.ts:TAX'],
  [
    'lines that are not there',
    [
      [0, 0],
      [40, 99],
    ],
    '',
  ],
  ['no lines', 'all of it', ''],
])('an edit touches the symbols whose lines it changed: %s', async (_, lines, symbols) => {
  const graph = await open(':memory:');
  const { warnings } = await log(graph, 'tool_end', edit(lines));
  expect(warnings).toHaveLength(1);
  expect((await touchedIn(graph)).join(' ')).toBe(symbols);
});

test('a symbol whose name holds a secret is not kept', async () => {
  const graph = await open(':memory:');
  const secret = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`;
  await log(graph, 'tool_end', edit([[6, 9]], { content: CART.replace('pays', `takes ${secret}`) }));
  expect(await touchedIn(graph)).toHaveLength(3);
  expect(JSON.stringify(await exported(graph, 'durable'))).not.toContain(secret);
});

test('an edit that failed, of no language, of many files or of too long a text touches no symbol', async () => {
  const graph = await open(':memory:');
  for (const payload of [
    edit([[1, 9]], { success: false }),
    edit([[1, 9]], { files_touched: ['src/cart.txt'] }),
    edit([[1, 9]], { files_touched: ['src/cart.ts', 'src/b.ts'] }),
    edit([[1, 9]], { content: `${CART}\n// ${'x'.repeat(200_000)}` }),
  ])
    await log(graph, 'tool_end', payload);
  expect(await touchedIn(graph)).toEqual([]);
});

test('the text of an edit is not kept, the symbols outlive the code graph and answer as they are or are gone', async () => {
  const graph = await open(write({ 'src/cart.test.ts': CART.replace('take', 'give') }));
  await index(graph);
  const events = [1, 2].map((event) => ({
    ...{ event_id: 'e', at: event, kind: 'tool_end', session_id: 's', payload: edit([[3, 6]]) },
  }));
  const { outcomes } = (await graph.spawn(TraceIngest, null, { events })).output;
  expect(outcomes.map(({ outcome }) => outcome)).toEqual(['recorded', 'known']);
  const kept = await graph.read(async (tx) => {
    const all: unknown[] = [];
    for await (const page of tx.storedNodes('durable')) all.push(...page);
    return JSON.stringify(all);
  });
  expect(kept).toContain('m:src/cart.test.ts:Cart.add');
  expect(kept).not.toContain('found');
  const ids = await touchedIn(graph);
  const symbols = await graph.read((tx) => tx.nodesOf(CodeSymbol, ids));
  expect(symbols.map(({ id, archetype, gone }) => [id, archetype.name, gone ?? false])).toEqual([
    ['m:src/cart.test.ts:Cart.add', 'Method', false],
    ['m:src/cart.test.ts:Cart.take', 'Symbol', true],
  ]);
});
