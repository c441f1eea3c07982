import { afterAll, expect, it } from 'vitest';
import { embeddingsServer } from '../search/embeddings-server.js';
import { Scratch } from './scratch.js';

const scratch = new Scratch();
afterAll(() => scratch.remove());

it('codewalk index --vectors embeds what is indexed with the endpoint of the settings, and says so', async () => {
  const server = await embeddingsServer();
  await scratch.run(['index', '--quiet']);
  const off = await scratch.run(['index', '--vectors']);
  expect(off.code).toBe(1);
  expect(off.stderr).toMatch(/^error EMBEDDINGS_FAILED: no embeddings endpoint/u);
  expect((await scratch.run(['config', 'set', 'embeddings-url', server.url])).code).toBe(0);
  const first = await scratch.run(['index', '--vectors']);
  expect(first.stdout).toMatch(/^Embedded 7 texts with 'all-MiniLM-L6-v2'/u);
  const again = await scratch.run(['index', '--vectors', '--json']);
  expect(JSON.parse(again.stdout)).toMatchObject({ embedded: 0, unchanged: 7, dimension: 64 });
  const wiped = await scratch.run(['index', '--vectors', '--wipe', '--json']);
  expect(JSON.parse(wiped.stdout)).toMatchObject({ embedded: 7, unchanged: 0 });
});
