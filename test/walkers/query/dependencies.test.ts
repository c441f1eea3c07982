import { describe, expect, test } from 'vitest';
import type { OpenGraph } from '../../../host/index.js';
import type { DependenciesOutput } from '../../../walkers/query/query-dependencies.js';
import { indexed } from '../project.js';
import { asked, PYTHON, TYPESCRIPT } from './shops.js';

const dependencies = (graph: OpenGraph, target: string, input: object = {}) =>
  asked<DependenciesOutput>(graph, 'query_dependencies', { target, ...input });
const names = (rows: readonly { qualified_name: string }[]) => rows.map((row) => row.qualified_name);

describe('dependencies', () => {
  test('of a module are what it imports, stdlib and packages too, and what its code calls outside of it', async () => {
    const { graph } = await indexed(PYTHON);
    const { body } = await dependencies(graph, 'auth.services');
    expect(body.results.imports).toEqual([
      {
        id: 'file:src/auth/utils.py',
        kind: 'module',
        qualified_name: 'auth.utils',
        name: 'utils',
        path: 'src/auth/utils.py',
        extension: '.py',
      },
      {
        id: 'file:src/auth/__init__.py',
        kind: 'module',
        qualified_name: 'auth',
        name: 'auth',
        path: 'src/auth/__init__.py',
        extension: '.py',
      },
      {
        id: 'pkg:requests',
        kind: 'package',
        qualified_name: 'requests',
        name: 'requests',
        path: '<external>',
        extension: '',
      },
    ]);
    expect(names(body.results.calls)).toEqual(['auth.utils.validate_token', 'auth.utils.hash_password']);
    expect(body.results.dependency_graph).toEqual({
      'auth.services': [
        'auth.utils',
        'auth',
        'requests',
        'auth.utils.validate_token',
        'auth.utils.hash_password',
      ],
    });
    expect(body.metadata).toMatchObject({ row_count: 5, total_count: 5, max_depth: null });
    const utils = await dependencies(graph, 'auth.utils');
    expect(utils.body.results.imports.map(({ name, path }) => [name, path])).toEqual([
      ['hashlib', '<stdlib>'],
      ['os', '<stdlib>'],
    ]);
  });

  test('hold one kind alone where one is asked for, and so does the adjacency', async () => {
    const { graph } = await indexed(PYTHON);
    const imports = (await dependencies(graph, 'auth.services', { dependency_type: 'imports' })).body;
    expect(imports.results.calls).toEqual([]);
    expect(imports.results.dependency_graph).toEqual({ 'auth.services': ['auth.utils', 'auth', 'requests'] });
    const calls = (await dependencies(graph, 'auth.services', { dependency_type: 'calls' })).body;
    expect(calls.results.imports).toEqual([]);
    expect(calls.results.dependency_graph).toEqual({
      'auth.services': ['auth.utils.validate_token', 'auth.utils.hash_password'],
    });
  });

  test('of a function and of a class are what their own code imports and calls', async () => {
    const { graph } = await indexed(PYTHON);
    const pong = (await dependencies(graph, 'pong')).body;
    expect(names(pong.results.imports)).toEqual(['auth', 'auth.utils']);
    expect(names(pong.results.calls)).toEqual(['auth.services.ping', 'auth.utils.hash_password']);
    const service = (await dependencies(graph, 'UserService')).body;
    expect(names(service.results.calls)).toEqual([
      'auth.services.Base.log',
      'auth.utils.validate_token',
      'auth.utils.hash_password',
    ]);
  });

  test('of dependencies follow breadth first, and end in a circle', async () => {
    const { graph } = await indexed(TYPESCRIPT);
    const { body, markdown } = await dependencies(graph, 'src/print.ts', {
      dependency_type: 'imports',
      include_transitive: true,
    });
    expect(names(body.results.imports)).toEqual(['shop/cart', 'shop/money', 'fs', 'chalk']);
    expect(body.results.dependency_graph).toEqual({
      'shop/print': ['shop/cart'],
      'shop/cart': ['shop/money', 'fs', 'chalk'],
    });
    expect(markdown).toContain('What needs what:');
    const circle = (await dependencies(graph, 'even', { include_transitive: true })).body;
    expect(names(circle.results.calls)).toEqual(['shop/cart.odd']);
    expect(circle.results.dependency_graph).toEqual({
      'shop/cart.even': ['shop/cart.odd'],
      'shop/cart.odd': ['shop/cart.even'],
    });
  });

  test('of a module are found by its name, its path with or without extension, and its folder', async () => {
    const { graph } = await indexed(TYPESCRIPT);
    for (const name of ['shop/cart', 'src/cart/index.ts', 'src/cart/index', 'src/cart', 'src/cart/', 'cart'])
      expect((await dependencies(graph, name)).body.results.dependency_graph, name).toHaveProperty([
        'shop/cart',
      ]);
    const python = await indexed(PYTHON);
    for (const name of ['auth', 'src/auth', 'dir:src/auth', 'src/auth/__init__.py'])
      expect(names((await dependencies(python.graph, name)).body.results.imports), name).toEqual([
        'auth.services',
      ]);
    expect(names((await dependencies(python.graph, 'services')).body.results.imports)).toContain(
      'auth.utils',
    );
  });

  test('keep what is within the scope', async () => {
    const { graph } = await indexed(PYTHON);
    const { body } = await dependencies(graph, 'auth.services', { scope: 'auth.utils' });
    expect(names([...body.results.imports, ...body.results.calls])).toEqual([
      'auth.utils',
      'auth.utils.validate_token',
      'auth.utils.hash_password',
    ]);
    expect(body.state.cut).toEqual(['2 more dependencies are outside of the scope.']);
    expect(body.results.dependency_graph).toEqual({
      'auth.services': names([...body.results.imports, ...body.results.calls]),
    });
  });

  test('are cut at 100 rows, imports first', async () => {
    const many = Array.from({ length: 120 }, (_, at) => `m${at}`);
    const { graph } = await indexed({
      ...Object.fromEntries(many.map((name) => [`${name}.py`, 'def run():\n    pass\n'])),
      'all.py': many.map((name) => `from ${name} import run as run_${name}\nrun_${name}()\n`).join(''),
    });
    const { body } = await dependencies(graph, 'all.py', { max_tokens: 20_000 });
    expect(body.metadata).toMatchObject({ row_count: 100, total_count: 240, truncated: true });
    expect([body.results.imports.length, body.results.calls.length]).toEqual([100, 0]);
    expect(body.state.cut).toContain(
      'The first 100 of 240 dependencies are shown: the next page gives more, `scope` and `dependency_type` narrow them.',
    );
    expect(body.results.dependency_graph.all).toHaveLength(100);
  });

  test('that lead nowhere known are counted', async () => {
    const { graph } = await indexed({
      'a.ts':
        "import { gone } from './gone.js';\nexport function run(box) {\n  box.open();\n  return gone();\n}\n",
    });
    const { body, markdown } = await dependencies(graph, 'a.ts');
    expect(body).toMatchObject({ results: { imports: [], calls: [] } });
    expect(body.state.unresolved).toBeGreaterThanOrEqual(2);
    expect(markdown).toMatch(/: none are known\. \d unresolved names may lead to more/);
  });

  test('of a variable alone are an error where a module or function has that name in no way', async () => {
    const { graph } = await indexed(PYTHON);
    await expect(dependencies(graph, 'requests')).rejects.toMatchObject({
      code: 'NODE_NOT_FOUND',
      message: "'requests' is requests (package), not a function, class or module",
    });
  });
});
