import { describe, expect, test } from 'vitest';
import type { OpenGraph } from '../../../host/index.js';
import type { CallGraphOutput } from '../../../walkers/query/query-call-graph.js';
import { indexed } from '../project.js';
import { asked, PYTHON, TYPESCRIPT } from './shops.js';

const callGraph = (graph: OpenGraph, entry_point: string, input: object = {}) =>
  asked<CallGraphOutput>(graph, 'query_call_graph', { entry_point, ...input });
const names = ({ results: { nodes } }: CallGraphOutput) => nodes.map((row) => row.qualified_name);
const calls = ({ results: { edges } }: CallGraphOutput) =>
  edges.map((edge) => `${edge.from_function} ${edge.call_type} ${edge.to_function}`);

describe('a call graph', () => {
  test('goes on to what overrides or implements a method, but not from a call of the base itself', async () => {
    const { graph } = await indexed({
      'a.ts': `export interface Shape { area(): number }
export class Square implements Shape { area() { return side(); } }
export class Flat extends Square { area() { return super.area(); } }
function side() { return 1; }
export function use(shape: Shape) { return shape.area(); }
`,
    });
    const { body, markdown } = await callGraph(graph, 'use');
    expect(body.results.edges).toEqual([
      { from_function: 'a.use', to_function: 'a.Shape.area', call_type: 'method', line: 5 },
      { from_function: 'a.Square.area', to_function: 'a.side', call_type: 'direct', line: 2 },
      { from_function: 'a.Flat.area', to_function: 'a.Square.area', call_type: 'method', line: 3 },
      {
        from_function: 'a.Shape.area',
        to_function: 'a.Square.area',
        call_type: 'method',
        line: 1,
        may: true,
      },
      { from_function: 'a.Shape.area', to_function: 'a.Flat.area', call_type: 'method', line: 1, may: true },
    ]);
    expect(markdown).toContain('    - `Square.area` method, a.ts:2 (may run instead)\n');
    expect(calls((await callGraph(graph, 'Flat.area')).body)).toEqual([
      'a.Flat.area method a.Square.area',
      'a.Square.area direct a.side',
    ]);
  });

  test('follows a bounded number of those that override a method, and says so', async () => {
    const subs = Array.from({ length: 60 }, (_, at) => `class C${at}(A):\n    def run(self): pass\n`);
    const { graph } = await indexed({
      'a.py': `class A:\n    def run(self): pass\n\n${subs.join('\n')}\ndef use(a: A): a.run()\n`,
    });
    const { body } = await callGraph(graph, 'use', { max_nodes: 100 });
    expect(body.results.total_nodes).toBe(52);
    expect(body.state.cut).toContain('The first 50 of 60 that override A.run are followed.');
  });

  test('has what is called by distance and the calls between, each by its kind', async () => {
    const { graph } = await indexed(PYTHON);
    const { body } = await callGraph(graph, 'main', { max_depth: 2 });
    expect(names(body)).toEqual([
      'app.main',
      'app.start',
      'auth.services.UserService.__init__',
      'auth.services.UserService.login',
    ]);
    expect(body.results.edges).toEqual([
      { from_function: 'app.main', to_function: 'app.start', call_type: 'direct', line: 13 },
      {
        from_function: 'app.start',
        to_function: 'auth.services.UserService.__init__',
        call_type: 'constructor',
        line: 9,
      },
      {
        from_function: 'app.start',
        to_function: 'auth.services.UserService.login',
        call_type: 'method',
        line: 9,
      },
    ]);
    expect(body).toMatchObject({
      results: { truncated: false, total_nodes: 4 },
      metadata: { row_count: 4, total_count: 4, truncated: false, max_depth: 2 },
    });
  });

  test('ends where calls go in a circle', async () => {
    const { graph } = await indexed(PYTHON);
    const circle = (await callGraph(graph, 'ping', { max_depth: 5 })).body;
    expect(names(circle)).toEqual(['auth.services.ping', 'auth.services.pong', 'auth.utils.hash_password']);
    expect(calls(circle)).toEqual([
      'auth.services.ping direct auth.services.pong',
      'auth.services.pong direct auth.services.ping',
      'auth.services.pong method auth.utils.hash_password',
    ]);
    const self = (await callGraph(graph, 'countdown')).body;
    expect(calls(self)).toEqual(['auth.services.countdown direct auth.services.countdown']);
  });

  test('begins at the written constructor of a class too, and at what a module does when it is loaded', async () => {
    const { graph } = await indexed(PYTHON);
    const maker = (await callGraph(graph, 'make', { max_depth: 1 })).body;
    expect(calls(maker)).toEqual([
      'auth.services.make constructor auth.services.Plain',
      'auth.services.make method auth.services.Base.log',
      'auth.services.make constructor auth.services.UserService.__init__',
    ]);
    expect(names((await callGraph(graph, 'UserService')).body)).toEqual([
      'auth.services.UserService',
      'auth.services.UserService.__init__',
    ]);
    const module = (await callGraph(graph, 'src/app.py', { max_depth: 1 })).body;
    expect(module.results.nodes[0]).toMatchObject({ kind: 'module', qualified_name: 'app' });
    expect(names(module)).toEqual(['app', 'auth.services.make', 'auth.services.ping']);
  });

  test('is cut at max_nodes, with no call to what was cut', async () => {
    const { graph } = await indexed(PYTHON);
    const { body, markdown } = await callGraph(graph, 'main', { max_depth: 5, max_nodes: 3 });
    expect(names(body)).toEqual(['app.main', 'app.start', 'auth.services.UserService.__init__']);
    expect(calls(body)).toEqual([
      'app.main direct app.start',
      'app.start constructor auth.services.UserService.__init__',
    ]);
    expect(body).toMatchObject({
      results: { truncated: true, total_nodes: 7 },
      metadata: { row_count: 3, total_count: 7, truncated: true },
      state: {
        cut: [
          'The first 3 of 7 nodes are shown: the next page gives more, `scope` narrows them, max_nodes goes up to 100.',
        ],
      },
    });
    const { cursor } = body.state;
    const rest = await callGraph(graph, 'main', { max_depth: 5, max_nodes: 5, cursor });
    expect(names(rest.body)).toHaveLength(4);
    expect(rest.body.state.cursor).toBeUndefined();
    expect(markdown).toContain('3 of 7 nodes, 2 calls.');
  });

  test('keeps what is within its scope', async () => {
    const { graph } = await indexed(PYTHON);
    const { body } = await callGraph(graph, 'main', { max_depth: 5, scope: 'src/auth' });
    expect(names(body)).toEqual([
      'auth.services.UserService.__init__',
      'auth.services.UserService.login',
      'auth.services.Base.log',
      'auth.utils.validate_token',
      'auth.utils.hash_password',
    ]);
    expect(body).toMatchObject({
      results: { total_nodes: 5 },
      state: { cut: ['2 more nodes are outside of the scope.'] },
    });
  });

  test('of what calls nothing known says how many calls lead nowhere', async () => {
    const { graph } = await indexed(TYPESCRIPT);
    const { body, markdown } = await callGraph(graph, 'shop/money.format');
    expect(body).toMatchObject({ results: { edges: [] }, state: { unresolved: 1 } });
    expect(markdown).toBe(
      'Call graph of shop/money.format up to 3 calls away (`shop/money.format` function, src/money.ts:20): 1 node, 0 calls. 1 unresolved call may lead to more.\n\n- `format` function, src/money.ts:20\n',
    );
  });

  test('is a tree for people, in which each node stands once with its calls', async () => {
    const { graph } = await indexed(TYPESCRIPT);
    const { markdown } = await callGraph(graph, 'src/cart/index.ts', { max_depth: 2 });
    expect(markdown.split('\n').slice(2)).toEqual([
      '- `shop/cart` module, src/cart/index.ts:1',
      '  - `render` function, src/cart/index.ts:11',
      '    - `format` function, src/money.ts:20',
      '    - `total` function, src/cart/index.ts:5',
      '  - `even` function, src/cart/index.ts:15',
      '    - `odd` function, src/cart/index.ts:19',
      '      - `even` (again)',
      '',
    ]);
  });

  test('has a line for every node, also for those that share a qualified name', async () => {
    const { graph } = await indexed({
      'twice.py': 'def f():\n    g()\n\n\ndef f():\n    pass\n\n\ndef g():\n    return f()\n',
    });
    const { body, markdown } = await callGraph(graph, 'f');
    expect(body.results.total_nodes).toBe(3);
    expect(markdown.match(/^ *- .*twice\.py/gm)).toHaveLength(3);
  });
});
