import { describe, expect, test } from 'vitest';
import { answer, type OpenGraph } from '../../../host/index.js';
import type { ExportsOutput } from '../../../walkers/query/query-exports.js';
import { type Files, indexed } from '../project.js';
import { figures } from './shops.js';

const SHOP: Files = {
  'pyproject.toml': '[project]\nname = "shop"\n',
  'src/shop/__init__.py':
    'import os\nfrom typing import TYPE_CHECKING\nfrom . import tools\nfrom .cart import Cart, _total\nfrom .cart import checkout as buy\nfrom shop.orders import *\nif TYPE_CHECKING:\n    from .types import Money\n\nVERSION = "1"\n_secret = 1\n\ndef start(): pass\n\nclass _Hidden: pass\n',
  'src/shop/cart.py': 'class Cart:\n    def add(self): pass\n\ndef checkout(): pass\n\ndef _total(): pass\n',
  'src/shop/orders.py':
    "__all__ = ['Order', '_special']\n\nclass Order: pass\n\nclass Other: pass\n\ndef _special(): pass\n\nstart = None\n",
  'src/shop/tools.py': 'def helper(): pass\n',
  'src/shop/types.py': 'class Money: pass\n',
  'src/shop/reports/one.py': 'def one(): pass\n',
};
const KIT: Files = {
  'package.json': '{"name": "kit", "dependencies": {"zod": "1"}}',
  'src/index.ts':
    "export * from './a.js';\nexport * from './ring.js';\nexport * from './twice.js';\nexport * from 'zod';\nexport * as all from './a.js';\nexport { main as run, type Options } from './main.js';\nexport { default } from './main.js';\nexport { gone } from './missing.js';\nexport const own = 1;\nconst hidden = 2;\n",
  'src/a.ts':
    'export function alpha() {}\nexport default class A {}\nexport interface Both {}\nexport const Both = 1;\nexport const own = 2;\nfunction inner() {}\nexport function twin() {}\n',
  'src/ring.ts': "export * from './index.js';\nexport const ring = 1;\n",
  'src/twice.ts': 'export function twin() {}\nexport enum Color { Red }\n',
  'src/main.ts':
    'export function main() {}\nexport type Options = { a: number };\nexport { main as default };\n',
  'src/old.js': 'function a() {}\nmodule.exports = { a, b() {} };\nmodule.exports.c = function () {};\n',
};

async function exports(graph: OpenGraph, module_name: string, input: object = {}) {
  const { body, markdown } = await answer(graph, 'query_exports', { module_name, ...input });
  const output = body as unknown as ExportsOutput & { state: { cut: string[]; unresolved: number } };
  const told = output.results.exports.map(
    ({ name, file_path, exported_as, exported }) =>
      `${exported ? '' : '- '}${file_path?.split('/').at(-1)} ${name}${exported_as ? ` as ${exported_as}` : ''}`,
  );
  return { ...output, ...output.results, told, markdown };
}

describe('query_exports', () => {
  test('of a Python package: its public names, and what it takes from its own modules', async () => {
    const { graph } = await indexed(SHOP);
    const { told, modules, module_info, exports: rows, metadata, query } = await exports(graph, 'shop');
    expect(told).toEqual([
      '__init__.py VERSION',
      '__init__.py start',
      'cart.py Cart',
      'cart.py checkout as buy',
      'orders.py Order',
      'orders.py _special',
    ]);
    expect(modules).toMatchObject([{ path: 'src/shop/tools.py', exported_as: ['tools'] }]);
    expect(module_info).toEqual({
      id: 'file:src/shop/__init__.py',
      kind: 'module',
      qualified_name: 'shop',
      name: 'shop',
      path: 'src/shop/__init__.py',
      extension: '.py',
    });
    expect(rows[2]).toEqual({
      id: 'cls:src/shop/cart.py:Cart',
      kind: 'class',
      qualified_name: 'shop.cart.Cart',
      name: 'Cart',
      file_path: 'src/shop/cart.py',
      line_start: 1,
      line_end: 2,
      base_classes: [],
      exported: true,
    });
    expect(query).toBe('Exports of shop');
    expect(metadata).toEqual(figures(6, null));
  });

  test('with private ones tells its own other symbols too, and says that they are not exported', async () => {
    const { graph } = await indexed(SHOP);
    const { told, markdown } = await exports(graph, 'shop', { include_private: true });
    expect(told.filter((one) => one.startsWith('-'))).toEqual([
      '- __init__.py _secret',
      '- __init__.py _Hidden',
    ]);
    expect(told).toHaveLength(8);
    expect(markdown).toContain('`_Hidden` class, not exported, src/shop/__init__.py:15');
    expect(markdown).toContain('- module `shop.tools` as `tools`');
    expect((await exports(graph, 'shop.orders', { include_private: true })).told).toEqual([
      '- orders.py __all__',
      'orders.py Order',
      '- orders.py Other',
      'orders.py _special',
      '- orders.py start',
    ]);
  });

  test('of a barrel: re-exports, aliases and stars to the end, circles and all', async () => {
    const { graph } = await indexed(KIT);
    const { told, modules, state, markdown } = await exports(graph, 'src/index.ts');
    expect(told).toEqual([
      'index.ts own',
      'a.ts alpha',
      'a.ts Both',
      'a.ts Both',
      'main.ts main as default,run',
      'main.ts Options',
      'ring.ts ring',
      'twice.ts Color',
    ]);
    expect(modules).toMatchObject([
      { path: 'src/a.ts', exported_as: ['all'] },
      { qualified_name: 'zod', path: '<external>', exported_as: ['*'] },
    ]);
    expect(state.unresolved).toBe(1);
    expect(markdown).toContain('1 re-export leads nowhere known.');
    expect(markdown).toContain('- all of package `zod`');
    expect(markdown).toContain('`main` as `default`, `run` function, src/main.ts:1');
    expect((await exports(graph, 'src/ring.ts')).told).toEqual(
      expect.arrayContaining(['ring.ts ring', 'a.ts alpha', 'index.ts own']),
    );
    expect((await exports(graph, 'src/a.ts')).told).toEqual([
      'a.ts alpha',
      'a.ts A as default',
      'a.ts Both',
      'a.ts Both',
      'a.ts own',
      'a.ts twin',
    ]);
  });

  test('of CommonJS: what is assigned to its exports', async () => {
    const { graph } = await indexed(KIT);
    expect((await exports(graph, 'src/old.js')).told).toEqual(['old.js a', 'old.js b', 'old.js c']);
  });

  test('understands names, suffixes, paths and folders', async () => {
    const { graph } = await indexed({ ...SHOP, ...KIT });
    for (const name of [
      'shop.cart',
      'cart',
      'src/shop/cart.py',
      'src/shop/cart',
      './src/shop/cart.py',
      'file:src/shop/cart.py',
    ])
      expect((await exports(graph, name)).told, name).toEqual(['cart.py Cart', 'cart.py checkout']);
    expect((await exports(graph, 'src/shop')).results.module_info?.path).toBe('src/shop/__init__.py');
    expect((await exports(graph, 'src')).results.module_info?.path).toBe('src/index.ts');
    expect((await exports(graph, 'src/shop/reports')).told).toEqual(['one.py one']);
  });

  test('keeps to a scope, to 100 rows and to a budget, and says so', async () => {
    const many = Array.from({ length: 130 }, (_, at) => `def f${at}(): pass\n`).join('');
    const { graph } = await indexed({ ...SHOP, 'src/shop/many.py': many });
    expect((await exports(graph, 'shop', { scope: 'src/shop/cart.py' })).told).toEqual([
      'cart.py Cart',
      'cart.py checkout as buy',
    ]);
    const cut = await exports(graph, 'shop.many', { max_tokens: 20_000 });
    expect([cut.told.length, cut.told[99]]).toEqual([100, 'many.py f99']);
    expect(cut.metadata).toMatchObject({ row_count: 100, total_count: 130, truncated: true });
    expect(cut.state.cut.join()).toContain('The first 100 of 130 exports are shown');
    expect((await exports(graph, 'shop.many', { max_tokens: 300 })).metadata.row_count).toBeLessThan(10);
  });

  test('refuses what is no name or flag, and says of a module that is nowhere how names are written', async () => {
    const { graph } = await indexed(SHOP);
    for (const input of [
      { module_name: '' },
      { module_name: '\t ' },
      {},
      { module_name: ['shop'] },
      { module_name: 'shop', include_private: 'true' },
      { module_name: 'shop', max_depth: 1 },
    ])
      await expect(answer(graph, 'query_exports', input)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    for (const module_name of ['shop.crat', 'src/nowhere.py', 'checkout'])
      await expect(exports(graph, module_name)).rejects.toMatchObject({
        code: 'NODE_NOT_FOUND',
        suggestion: expect.stringContaining('qualified'),
      });
  });
});
