import { afterAll, beforeAll, expect, it } from 'vitest';
import { ownHello, stopDaemon } from '../../host/index.js';
import { Scratch } from '../cli/scratch.js';

const SCRIPT = new URL('../../dist/daemon.js', import.meta.url);
const LIBRARY = new URL('../../dist/index.js', import.meta.url).href;
const { openGraph, defineWalker, FunctionSymbol } = (await import(
  LIBRARY
)) as typeof import('../../index.js');

const scratch = new Scratch();
const { project } = scratch;
beforeAll(() => scratch.run(['index', '.', '--quiet']));
afterAll(async () => {
  await stopDaemon(scratch.env.GRAPHS_HOME, ownHello(SCRIPT));
  await scratch.remove();
});

/** Somebody else's question, through the daemon. */
async function functions(): Promise<number> {
  const { code, stdout } = await scratch.run(['cypher', 'MATCH (f:Function) RETURN count(f) AS n', '--json']);
  expect(code, stdout).toBe(0);
  return JSON.parse(stdout).results.rows[0].n;
}

it('shares the stores with a daemon that runs', async () => {
  const options = { home: scratch.env.GRAPHS_HOME };
  await using graph = await openGraph(project, options);
  expect(graph.root).toBe(project);
  const names = () => graph.read(async (tx) => (await tx.find(FunctionSymbol, {})).map(({ name }) => name));
  expect(await names()).toEqual(['tax']);
  expect(await functions()).toBe(1);

  // What the daemon writes is seen here, and what is written here by everybody.
  scratch.write('shop', { 'src/more.ts': 'export function more() {}\n' });
  const { output, revision } = await graph.spawn('graph_index_project', null, { mode: 'incremental' });
  expect(output).toMatchObject({ files_indexed: 1 });
  expect(graph.revision).toBe(revision);
  expect((await names()).sort()).toEqual(['more', 'tax']);
  expect(await functions()).toBe(2);

  const Count = defineWalker('count_functions', {
    state: () => ({ names: [] as string[] }),
    on: (w) => [w.entry(FunctionSymbol, (here, { state }) => void state.names.push(here.name))],
    finish: ({ state }) => ({ count: state.names.length }),
  });
  const nodes = await graph.read((tx) => tx.find(FunctionSymbol, {}));
  const counted = await graph.spawn(Count, nodes);
  expect(counted.output).toEqual({ count: 2 });
  expect(counted.path).toHaveLength(2);

  await graph.write((tx) => tx.del(nodes));
  expect(await functions()).toBe(0);
  expect(await graph.stats()).toMatchObject({ repo_root: project });
  const all = await Promise.all([names(), functions(), graph.stats(), names()]);
  expect(all[0]).toEqual([]);
  // What was asked before it was closed is answered first.
  const order: string[] = [];
  await Promise.all([
    names().then(() => order.push('answered')),
    graph.close().then(() => order.push('closed')),
    graph.close().then(() => order.push('closed')),
  ]);
  expect(order).toEqual(['answered', 'closed', 'closed']);
});

it('has the stores for itself where it says so, and others are told who holds them', async () => {
  const graph = await openGraph(project, { home: scratch.env.GRAPHS_HOME, embedded: true });
  const { code, stdout } = await scratch.run(['stats', '--json']);
  expect(code).toBe(1);
  const { error, error_code } = JSON.parse(stdout);
  expect(error_code).toBe('STORE_LOCKED');
  if (process.platform === 'linux') expect(error).toContain(`process ${process.pid}`);
  await graph.close();
  expect((await scratch.run(['stats', '--json'])).code).toBe(0);
  await expect(graph.read(async () => 1)).rejects.toMatchObject({ code: 'STORE_CLOSED' });
});
