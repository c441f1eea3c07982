import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { changeSetting, LocalHost, openGraph } from '../../host/index.js';
import { EmbeddingLater } from '../../host/worker/open-graphs.js';
import { GraphEmbed } from '../../walkers/index.js';
import { embeddingsServer } from '../search/embeddings-server.js';
import { HashEmbedder } from '../search/hash-embedder.js';
import { scratchFolders } from '../storage/scratch.js';

const SCRIPT = new URL('../../dist/graph.worker.js', import.meta.url);
const scratch = scratchFolders();
const hosts: LocalHost[] = [];
let home: string;
let root: string;

beforeEach(() => {
  home = join(scratch(), 'graphs');
  root = join(scratch(), 'shop');
  mkdirSync(root);
  writeFileSync(join(root, 'a.py'), 'def login():\n    """Lets a user in."""\n');
});
afterEach(() => Promise.all(hosts.splice(0).map((host) => host.close())));

/** Sets what `codewalk config set` sets. */
function configure(url: string, more: { model?: string; variable?: string } = {}): void {
  changeSetting('embeddings_url', url, null, { home });
  if (more.model !== undefined) changeSetting('embeddings_model', more.model, null, { home });
  if (more.variable !== undefined) changeSetting('embeddings_key_variable', more.variable, null, { home });
}

it('asks nobody for embeddings until an endpoint is configured, then whom the settings name', async () => {
  const server = await embeddingsServer();
  const surroundings = { cwd: '/', env: { THE_KEY: 'k' }, userHome: '/nowhere' };
  await using graph = await openGraph(root, { home, surroundings });
  await graph.spawn('graph_index_project');
  await expect(graph.spawn(GraphEmbed)).rejects.toMatchObject({ code: 'EMBEDDINGS_FAILED' });
  configure(server.url, { model: 'small', variable: 'THE_KEY' });
  const { output } = await graph.spawn(GraphEmbed);
  expect(output).toMatchObject({ model: 'small', vectors: { File: 1, Symbol: 1 } });
  expect(server.asked[0]).toMatchObject({ authorization: 'Bearer k', body: { model: 'small' } });
  changeSetting('embeddings_key_variable', 'ANOTHER', root, { home });
  await expect(graph.spawn(GraphEmbed)).rejects.toThrow(/ANOTHER/u);
});

it.each([
  ['a password in the address', 'embeddings_url', 'https://me:secret@example.org/v1'],
  ['no address', 'embeddings_url', 'example'],
  ['another protocol', 'embeddings_url', 'file:///etc/passwd'],
  ['a key in the place of its variable', 'embeddings_key_variable', 'sk-12ab34'],
] as const)('refuses %s in its settings', (_what, key, value) => {
  expect(() => changeSetting(key, value, null, { home })).toThrow(
    expect.objectContaining({ code: 'INVALID_INPUT' }),
  );
});

it('embeds an index in the background where an endpoint is configured', async () => {
  const server = await embeddingsServer();
  configure(server.url);
  const host = new LocalHost({ home, script: SCRIPT });
  hosts.push(host);
  await host.spawn({ walker: 'graph_index_project', root, input: {} });
  await expect.poll(() => server.asked.length).toBe(1);
  expect(server.asked[0]?.body.input[1] ?? '').toContain('login');
});

it('follows a graph once it rests, and lets be what did not change', async () => {
  const embedder = new HashEmbedder();
  await using graph = await openGraph(root, { home, embedder });
  const runs: number[] = [];
  const onRun = (change: number) => void runs.push(change);
  const later = new EmbeddingLater({ graph, isWanted: () => true, onRun, delayMs: 5 });
  await graph.spawn('graph_index_project');
  later.look();
  later.look();
  await expect.poll(() => runs).toEqual([1, -1, 1, -1]);
  expect(embedder.texts.length).toBe(2);
  later.look();
  await graph.spawn('etg_log_event', null, { kind: 'task_start', payload: { user_prompt: 'Let users out' } });
  later.look();
  await expect.poll(() => embedder.texts.at(-1)).toContain('Let users out');
  await later.close();
  later.look();
  expect(embedder.texts.length).toBe(3);
});
