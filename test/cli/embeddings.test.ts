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

it('--wipe without --vectors is refused, and says what it is for', async () => {
  const { code, stderr } = await scratch.run(['index', '--wipe']);
  expect(code).toBe(2);
  expect(stderr).toMatch(/^error INVALID_INPUT: --wipe goes with --vectors/u);
});

it('codewalk doctor tries the endpoint that is configured, and says why it does not answer', async () => {
  const doctor = async () => {
    const { stdout } = await scratch.run(['doctor', '--json']);
    const { checks } = JSON.parse(stdout) as { checks: { name: string }[] };
    return checks.find(({ name }) => name === 'embeddings');
  };
  await scratch.run(['config', 'set', 'embeddings-url', '']);
  expect(await doctor()).toBeUndefined();
  const server = await embeddingsServer();
  await scratch.run(['config', 'set', 'embeddings-url', server.url]);
  expect(await doctor()).toMatchObject({ ok: true, found: expect.stringMatching(/^vectors of 64 numbers/) });
  await scratch.run(['config', 'set', 'embeddings-url', 'http://127.0.0.1:9/v1']);
  expect(await doctor()).toMatchObject({
    ok: false,
    found: expect.stringContaining('http://127.0.0.1:9/v1 could not be reached'),
    suggestion: expect.stringContaining('codewalk config'),
  });
});
