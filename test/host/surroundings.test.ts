import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { openGraph } from '../../host/index.js';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'codewalk-host-')));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('opens a graph in surroundings that are given: folder, environment and home of the user', async () => {
  mkdirSync(join(folder, 'work', 'shop'), { recursive: true });
  const surroundings = { cwd: join(folder, 'work'), env: {}, userHome: join(folder, 'me') };
  await using graph = await openGraph('shop', { surroundings, bare: true });
  expect(graph.root).toBe(join(folder, 'work', 'shop'));
  expect(readdirSync(join(folder, 'me', '.graphs'))).toContain('.codewalk-home');

  const elsewhere = join(folder, 'graphs');
  const moved = { ...surroundings, env: { GRAPHS_HOME: elsewhere } };
  await using other = await openGraph('shop', { surroundings: moved, bare: true });
  expect(other.root).toBe(graph.root);
  expect(existsSync(elsewhere)).toBe(true);
});
