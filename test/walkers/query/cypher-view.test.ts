import { describe, expect, test } from 'vitest';
import type { CypherNode, CypherRelationship, ExpandDirection, HopPattern } from '../../../cypher/index.js';
import { defineWalker } from '../../../runtime/index.js';
import { CypherView } from '../../../walkers/query/cypher/cypher-view.js';
import { elementsIn, jsonValue } from '../../../walkers/query/query-cypher.js';
import { type Files, indexed } from '../project.js';

const SHOP: Files = {
  'pyproject.toml': '[project]\nname = "shop"\n',
  'shop/__init__.py': '',
  'shop/cart.py':
    '"""Carts."""\nimport os\n\n\nclass Cart:\n    """Holds items."""\n\n    def add(self, item):\n        # keep it\n        self.check(item)\n\n    def check(self, item):\n        return os.path.exists(item)\n',
  'tests/test_cart.py': 'from shop.cart import Cart\n\n\ndef test_adds():\n    Cart().add("x")\n',
};

const ANY: HopPattern = { single: true, near: [], far: [] };

/** What `look` sees of the graph of SHOP through a view. */
async function seen<T>(look: (view: CypherView) => Promise<T>): Promise<T> {
  const { graph } = await indexed(SHOP);
  const results: T[] = [];
  const Look = defineWalker('look', {
    start: () => null,
    on: () => [],
    finish: async ({ context }) => {
      const view = await CypherView.of(context);
      results.push(await look(view));
      await view.close();
    },
  });
  await graph.spawn(Look);
  return results[0] as T;
}

async function labelled(view: CypherView, label: string | null): Promise<CypherNode[]> {
  const nodes: CypherNode[] = [];
  for await (const page of view.nodes(label)) nodes.push(...page);
  await view.load(nodes);
  return nodes;
}

async function hop(
  view: CypherView,
  node: CypherNode | undefined,
  direction: ExpandDirection,
  types: readonly string[] | null,
  pattern = ANY,
): Promise<readonly CypherRelationship[]> {
  const [list = []] = await view.expand(node === undefined ? [] : [node], direction, types, pattern);
  await view.load(list.flatMap((one) => [one, ...elementsIn([one.start, one.end])]));
  return list;
}

const named = async (view: CypherView, label: string, name: string) =>
  (await labelled(view, label)).find((node) => node.property('name') === name);
const names = (nodes: readonly CypherNode[]) => nodes.map((node) => node.property('name'));

describe('a graph as Cypher sees it', () => {
  test('finds the nodes of a label wherever its rules look, and none of a label that nothing has', async () => {
    const found = await seen(async (view) => ({
      functions: names(await labelled(view, 'Function')),
      methods: names(await labelled(view, 'Method')),
      modules: names(await labelled(view, 'Module')),
      packages: names(await labelled(view, 'Package')),
      none: await labelled(view, 'Nothing'),
    }));
    expect(found).toEqual({
      functions: ['test_adds'],
      methods: ['add', 'check'],
      modules: ['__init__.py', 'cart.py', 'test_cart.py'],
      packages: ['shop'],
      none: [],
    });
  });

  test('spells properties in every way, and tells whole numbers from others', async () => {
    const [add, call] = await seen(async (view) => {
      const node = await named(view, 'Method', 'add');
      const [relationship] = await hop(view, node, 'out', ['CALLS']);
      const read = ['line_start', 'lineno', 'start_line', 'file_path', 'path', 'class_name', 'nothing'];
      return [
        read.map((name) => node?.property(name)),
        ['confidence', 'line', 'call_type'].map((name) => relationship?.property(name)),
      ] as const;
    });
    expect(add).toEqual([8n, 8n, 8n, 'shop/cart.py', 'shop/cart.py', 'shop.cart.Cart', null]);
    expect(call).toEqual([1, 10n, 'method']);
  });

  test('shows a node whole in the spelling of the structural tools', async () => {
    const shown = await seen(async (view) => jsonValue((await named(view, 'Class', 'Cart')) ?? null));
    expect(shown).toMatchObject({
      id: 'cls:shop/cart.py:Cart',
      labels: ['Symbol', 'Class'],
      qualified_name: 'shop.cart.Cart',
      file_path: 'shop/cart.py',
      line_start: 5,
      line_end: 13,
      docstring: 'Holds items.',
    });
    expect(shown).not.toHaveProperty('path');
  });

  test('follows an edge under the name that was asked for, reversed names against it', async () => {
    const found = await seen(async (view) => {
      const cart = await named(view, 'Class', 'Cart');
      const add = await named(view, 'Method', 'add');
      const told = async (node: CypherNode | undefined, direction: ExpandDirection, type: string) =>
        (await hop(view, node, direction, [type])).map(
          ({ type: name, start, end }) => `${start.property('name')} ${name} ${end.property('name')}`,
        );
      return {
        methods: await told(cart, 'out', 'HAS_METHOD'),
        stored: await told(cart, 'out', 'symbol_contains_symbol'),
        upper: await told(cart, 'out', 'SYMBOL_CONTAINS_SYMBOL'),
        defined: await told(add, 'out', 'DEFINED_IN'),
        defines: await told(add, 'in', 'DEFINES'),
        both: await told(add, 'both', 'CALLS'),
        none: await told(add, 'out', 'INHERITS'),
      };
    });
    expect(found).toEqual({
      methods: ['Cart HAS_METHOD add', 'Cart HAS_METHOD check'],
      stored: ['Cart symbol_contains_symbol add', 'Cart symbol_contains_symbol check'],
      upper: ['Cart SYMBOL_CONTAINS_SYMBOL add', 'Cart SYMBOL_CONTAINS_SYMBOL check'],
      defined: ['add DEFINED_IN cart.py'],
      defines: ['cart.py DEFINES add'],
      both: ['add CALLS check', 'test_adds CALLS add'],
      none: [],
    });
  });

  test('gives one edge one number, whatever it is called', async () => {
    const keys = await seen(async (view) => {
      const cart = await named(view, 'Class', 'Cart');
      const [one] = await hop(view, cart, 'out', ['CONTAINS']);
      const [other] = await hop(view, cart, 'out', ['HAS_METHOD']);
      return [one?.key, other?.key];
    });
    expect(keys[0]).toBeTypeOf('number');
    expect(keys[0]).toBe(keys[1]);
  });

  test('finds by an index what has a value under any label, and says where there is none', async () => {
    const found = await seen(async (view) => {
      const seek = async (label: string | null, property: string, ...values: string[]) =>
        (await view.seek(label, property, { kind: 'in', values }))?.map(({ id }) => id) ?? null;
      return {
        qualified: await seek(null, 'qualified_name', 'shop.cart.Cart.add', 'nothing'),
        alias: await seek('Method', 'qualname', 'shop.cart.Cart.add'),
        id: await seek(null, 'id', 'cls:shop/cart.py:Cart', 'fn:nothing'),
        line: await seek('Method', 'signature', 'x'),
      };
    });
    expect(found).toEqual({
      qualified: ['m:shop/cart.py:Cart.add'],
      alias: ['m:shop/cart.py:Cart.add'],
      id: ['cls:shop/cart.py:Cart'],
      // Few enough to be looked at one by one: the engine checks them again.
      line: [
        'config:pyproject.toml:project',
        'config:pyproject.toml:project.name',
        'm:shop/cart.py:Cart.add',
        'm:shop/cart.py:Cart.check',
        'fn:tests/test_cart.py:test_adds',
      ],
    });
  });

  test('leads from the Project to every node in one hop where the pattern asks for a Project', async () => {
    const found = await seen(async (view) => {
      const [project] = await labelled(view, 'Project');
      const all = await labelled(view, null);
      const add = await named(view, 'Method', 'add');
      const held = { single: true, near: ['Project'], far: [] };
      return {
        all: all.length,
        held: (await hop(view, project, 'out', ['CONTAINS'], held)).length,
        stored: (await hop(view, project, 'out', ['CONTAINS'])).length,
        many: (await hop(view, project, 'out', ['CONTAINS'], { ...held, single: false })).length,
        up: (await hop(view, add, 'in', ['CONTAINS'], { single: true, near: [], far: ['Project'] })).map(
          ({ start }) => start.labels()[0],
        ),
      };
    });
    expect(found).toMatchObject({ held: found.all - 1, stored: 1, many: 1, up: ['Symbol', 'Project'] });
  });

  test('makes documentation, comments and chunks of what the files say', async () => {
    const found = await seen(async (view) => {
      const cart = await named(view, 'Class', 'Cart');
      const file = await named(view, 'Module', 'cart.py');
      const [documented] = await hop(view, cart, 'out', ['DOCUMENTED_BY']);
      const chunks = await hop(view, file, 'in', ['PART_OF']);
      return {
        docs: (await labelled(view, 'DocString')).map(({ id }) => id),
        documented: documented?.end.property('content'),
        comments: (await labelled(view, 'Comment')).map((node) => jsonValue(node)),
        chunks: chunks.map(({ start, end }) => [start.property('content'), end.id]),
      };
    });
    expect(found.docs).toEqual(['doc:file:shop/cart.py', 'doc:cls:shop/cart.py:Cart']);
    expect(found.documented).toBe('Holds items.');
    expect(found.comments).toEqual([
      {
        id: 'comment:shop/cart.py:9',
        labels: ['Comment'],
        content: 'keep it',
        type: 'line',
        file_path: 'shop/cart.py',
        line_number: 9,
      },
    ]);
    expect(found.chunks).toContainEqual([
      '    def check(self, item):\n        return os.path.exists(item)',
      'file:shop/cart.py',
    ]);
  });
});
