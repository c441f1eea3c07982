import { existsSync, mkdirSync, readdirSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { type CodeNode, extract, openGraph } from '../../index.js';
import { HashEmbedder } from '../search/hash-embedder.js';
import { scratchFolders } from '../storage/scratch.js';

const FILES = {
  'shop/__init__.py': '',
  'shop/money.py':
    '"""Taxes."""\ndef tax(price):\n    """The part of the state."""\n    return round(price * 0.2)\n',
  'shop/cart.py': [
    'from shop.money import tax',
    'class Base: pass',
    'class Cart(Base):',
    '    def total(self, price):',
    '        return price + tax(price)',
    '',
  ].join('\n'),
};
const scratch = scratchFolders();
let home: string;
let root: string;

beforeEach(() => {
  home = join(scratch(), 'graphs');
  root = write(join(scratch(), 'project'), Object.entries(FILES));
});

function write(folder: string, files: readonly (readonly [path: string, text: string])[]): string {
  for (const [path, text] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

const idsOf = (nodes: readonly { readonly id: string }[]) => nodes.map(({ id }) => id);

describe('a pure extraction', () => {
  it('extracts when it is asked, once, and anew when it is told to', async () => {
    const extraction = extract(root);
    write(root, [['shop/late.py', 'def late(): pass\n']]);
    const nodes = await extraction.nodes;
    expect(idsOf(nodes)).toContain('fn:shop/late.py:late');
    write(root, [['shop/later.py', 'def later(): pass\n']]);
    expect((await extraction.result()).nodes).toBe(nodes);
    await extraction.extract({ force: true });
    expect(idsOf(await extraction.nodes)).toContain('fn:shop/later.py:later');
  });

  it('gives nodes and edges as they are spelled, and writes nothing', async () => {
    const surroundings = { cwd: '/', env: { GRAPHS_HOME: home }, userHome: home };
    const { nodes, edges } = await extract(root, { surroundings }).result();
    expect([nodes, nodes[0], edges, edges[0]?.evidence].every(Object.isFrozen)).toBe(true);
    expect(await extract(root, { surroundings }).stats()).toMatchObject({
      total_nodes: nodes.length,
      edge_counts: { CALLS: edges.filter(({ rel }) => rel === 'CALLS').length },
    });
    expect(nodes.find(({ id }) => id === 'fn:shop/money.py:tax')).toEqual({
      id: 'fn:shop/money.py:tax',
      kind: 'function',
      name: 'tax',
      qualname: 'shop.money.tax',
      module_path: 'shop/money.py',
      lineno: 2,
      end_lineno: 4,
      docstring: 'The part of the state.',
    });
    expect(edges).toContainEqual({
      src: 'm:shop/cart.py:Cart.total',
      rel: 'CALLS',
      dst: 'fn:shop/money.py:tax',
      evidence: { lineno: 5, expr: 'tax(price)' },
    });
    expect(new Set(edges.map(({ rel }) => rel))).toEqual(
      new Set(['CONTAINS', 'CALLS', 'IMPORTS', 'INHERITS']),
    );
    expect(nodes.filter(({ kind }) => kind === 'symbol').map(({ name }) => name)).toEqual(['round']);
    expect([readdirSync(join(root, 'shop')).length, readdirSync(dirname(home))]).toEqual([3, []]);
  });
});

describe('the library', () => {
  it('opens a graph in surroundings that are given: folder, environment and home of the user', async () => {
    const surroundings = { cwd: dirname(root), env: {}, userHome: join(dirname(home), 'me') };
    await using graph = await openGraph('project', { surroundings, bare: true });
    expect(graph.root).toBe(realpathSync(root));
    expect(readdirSync(join(dirname(home), 'me', '.graphs'))).toContain('.codewalk-home');
    const moved = { ...surroundings, env: { GRAPHS_HOME: home } };
    await using other = await openGraph('project', { surroundings: moved, bare: true });
    expect(other.root).toBe(graph.root);
    expect(existsSync(home)).toBe(true);
  });

  it('builds the graph and what search needs in one step or in two', async () => {
    await using graph = await openGraph(root, { home });
    await expect(graph.buildIndex()).rejects.toMatchObject({ code: 'PROJECT_NOT_INDEXED' });
    const built = await graph.buildGraph();
    expect(built).toMatchObject({
      repo_root: root,
      total_nodes: 8,
      node_counts: { module: 3, class: 2, function: 1, method: 1, symbol: 1 },
      edge_counts: { CALLS: 2, INHERITS: 1 },
      indexed_rows: null,
      index_dim: null,
    });
    expect(built.db_path).toContain(home);
    expect(await graph.buildIndex()).toEqual(built);
    expect(await graph.build({ wipe: true })).toEqual(built);
    await using embedding = await openGraph(root, { inMemory: true, embedder: new HashEmbedder() });
    expect(await embedding.build()).toMatchObject({ total_nodes: 8, indexed_rows: 7, index_dim: 64 });
  });

  it('finds nodes by id, kind and module, and the edges inside of a choice', async () => {
    await using graph = await openGraph(root, { home });
    await graph.build();
    expect(await graph.node('mod:shop/cart.py')).toMatchObject({ id: 'file:shop/cart.py', kind: 'module' });
    expect(await graph.node('fn:shop/money.py:nothing')).toBeNull();
    expect(idsOf(await graph.queryNodes({ kinds: ['class'], module: 'shop/cart.py' }))).toEqual([
      'cls:shop/cart.py:Base',
      'cls:shop/cart.py:Cart',
    ]);
    expect(idsOf(await graph.queryNodes({ module: 'mod:shop/money.py' }))).toEqual([
      'file:shop/money.py',
      'fn:shop/money.py:tax',
    ]);
    const inside = ['m:shop/cart.py:Cart.total', 'cls:shop/cart.py:Cart', 'fn:shop/money.py:tax'];
    const ends = (await graph.edgesWithin(inside)).map(({ src, rel, dst }) => `${src} ${rel} ${dst}`);
    expect(ends).toEqual([
      'cls:shop/cart.py:Cart CONTAINS m:shop/cart.py:Cart.total',
      'm:shop/cart.py:Cart.total CALLS fn:shop/money.py:tax',
    ]);
    expect((await graph.edgesWithin(inside, ['CALLS'])).length).toBe(1);
  });

  it('walks breadth first from seeds, with the hops and the seed of each node', async () => {
    await using graph = await openGraph(root, { home });
    await graph.build();
    const near = await graph.expand(['fn:shop/money.py:tax', 'fn:nowhere.py:f'], { rels: ['CALLS'] });
    expect([...near]).toEqual([
      ['fn:shop/money.py:tax', { best_hop: 0, via_seed: 'fn:shop/money.py:tax' }],
      ['m:shop/cart.py:Cart.total', { best_hop: 1, via_seed: 'fn:shop/money.py:tax' }],
      ['sym:round', { best_hop: 1, via_seed: 'fn:shop/money.py:tax' }],
    ]);
    const far = await graph.expand(['fn:shop/money.py:tax'], { hop: 2 });
    expect(far.get('cls:shop/cart.py:Cart')).toEqual({ best_hop: 2, via_seed: 'fn:shop/money.py:tax' });
    await expect(graph.expand(['fn:shop/money.py:tax'], { hop: 6 })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
  });

  it('takes nodes and edges as an upsert, and lets them go again', async () => {
    const { nodes, edges } = await extract(root).result();
    await using graph = await openGraph(':memory:');
    const written = { nodes: nodes.length, edges: edges.length, left_out: 0 };
    expect(await graph.write(nodes, edges)).toEqual(written);
    expect(await graph.write(nodes, edges)).toEqual(written);
    expect(await graph.queryNodes()).toEqual(nodes);
    expect(await graph.edgesWithin(idsOf(nodes))).toEqual(edges);
    const [first] = nodes.filter(({ kind }) => kind === 'function') as [CodeNode];
    await graph.write([{ ...first, docstring: 'Another one.' }], []);
    expect(await graph.node(first.id)).toEqual({ ...first, docstring: 'Another one.' });
    const { id, kind, name, qualname, module_path } = first;
    const hit = { id, kind, name, qualname, module_path, distance: expect.any(Number), rank: 0 };
    expect((await graph.search('another one', 1))[0]).toEqual(hit);
    expect((await graph.pack('another one', { k: 1 })).nodes[0]?.id).toBe(id);
    const alone = await graph.write([first], edges, { wipe: true });
    expect(alone).toEqual({ nodes: 1, edges: 0, left_out: edges.length });
    expect(await graph.queryNodes()).toEqual([first]);
    await graph.clear();
    expect(await graph.stats()).toMatchObject({ total_nodes: 0, total_edges: 0 });
    await expect(graph.write([{ ...first, id: 'cls:a.py:A' }], [])).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
  });

  it('finds what was written into an indexed graph as it finds what is indexed, until its file is indexed again', async () => {
    await using graph = await openGraph(root, { home });
    await graph.build();
    const place = { lineno: 1, end_lineno: 2, docstring: 'Ships a parcel overseas.' };
    const at = (path: string, name: string) => ({
      ...{ id: `fn:${path}:${name}`, kind: 'function' as const, name, qualname: name, module_path: path },
      ...place,
    });
    const [tax] = (await graph.queryNodes({ kinds: ['function'] })) as [CodeNode];
    const [inside, apart] = [at('shop/money.py', 'freight'), at('planned/dock.py', 'unload')];
    const dock: CodeNode = {
      ...apart,
      id: 'file:planned/dock.py',
      kind: 'module',
      name: 'dock',
      qualname: 'dock',
    };
    const call = (src: string, dst: string) => ({
      ...{ src, rel: 'CALLS' as const, dst },
      evidence: { file: 'planned/dock.py', lineno: 1, expr: 'x()' },
    });
    const nodes = [inside, apart, dock, { ...tax, docstring: 'What customs take.' }];
    const edges = [call(apart.id, inside.id), call(inside.id, tax.id)];
    expect(await graph.write(nodes, edges)).toEqual({ nodes: 4, edges: 2, left_out: 0 });
    expect(await graph.write(nodes, edges)).toEqual({ nodes: 4, edges: 2, left_out: 0 });
    const found = async (text: string) => idsOf((await graph.query(text, { hop: 0 })).nodes);
    expect(await found('parcel overseas')).toEqual(expect.arrayContaining([inside.id, apart.id]));
    expect(await found('customs')).toEqual([tax.id]);
    expect(await found('tax')).toContain(tax.id);
    expect(idsOf(await graph.queryNodes({ module: 'planned/dock.py' }))).toEqual([dock.id, apart.id]);
    const { output } = await graph.spawn('query_callers', null, { function_name: 'freight' });
    expect(JSON.stringify(output)).toContain('unload');
    write(root, [['shop/cart.py', `${FILES['shop/cart.py']}\n`]]);
    await graph.buildGraph();
    expect(await found('parcel')).toEqual(expect.arrayContaining([inside.id, apart.id]));
    write(root, [['shop/money.py', `${FILES['shop/money.py']}\n`]]);
    await graph.buildGraph();
    expect(await found('parcel')).toContain(apart.id);
    expect(await found('parcel')).not.toContain(inside.id);
    expect(await found('customs')).toEqual([]);
    await graph.spawn('graph_index_project', null, {});
    expect(await found('parcel')).not.toContain(apart.id);
    expect(await graph.node(apart.id)).toBeNull();
  });

  it('finds what files say now when all was made anew, whatever was asked before', async () => {
    await using graph = await openGraph(root, { home });
    const found = async (text: string) => idsOf((await graph.query(text, { hop: 0 })).nodes);
    await graph.build({ wipe: true });
    expect(await found('tax')).toContain('fn:shop/money.py:tax');
    expect(await found('fee')).toEqual([]);
    for (const path of ['shop/money.py', 'shop/cart.py'] as const)
      write(root, [[path, FILES[path].replaceAll('tax', 'fee')]]);
    await graph.build({ wipe: true });
    expect(await found('fee')).toContain('fn:shop/money.py:fee');
    expect(await found('tax')).toEqual([]);
  });

  it('empties the code and nothing that was recorded; what was built is built again', async () => {
    await using graph = await openGraph(root, { home });
    const built = await graph.build();
    const about = { tool_name: 'edit', success: true, files_touched: ['shop/cart.py'] };
    await graph.spawn('etg_log_event', null, { kind: 'task_start', payload: { user_prompt: 'Round it' } });
    await graph.spawn('etg_log_event', null, { kind: 'tool_end', payload: about });
    await graph.clear();
    await expect(graph.spawn('graph_stats')).rejects.toMatchObject({ code: 'PROJECT_NOT_INDEXED' });
    expect((await graph.spawn('tasks')).output).toMatchObject({ total: 2 });
    expect(await graph.build()).toEqual(built);
    const { reports } = await graph.spawn('graph_export');
    await using fresh = await openGraph(root, { inMemory: true });
    await fresh.build();
    expect(reports).toEqual((await fresh.spawn('graph_export')).reports);
  });
});
