import { execFileSync } from 'node:child_process';
import { readdirSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type OpenGraph, openGraph } from '../../index.js';
import { exportText, type Files, index, scratch, write } from './project.js';

const FILES: Files = {
  'package.json': '{"name": "shop"}',
  ...Object.fromEntries(
    Array.from({ length: 40 }, (_, at) => [
      `src/f${at}.ts`,
      `import { made${(at + 1) % 40} } from './f${(at + 1) % 40}';\n/** Makes number ${at}. */\nexport const made${at} = () => made${(at + 1) % 40}();\n`,
    ]),
  ),
};

function git(root: string, ...words: string[]): void {
  const who = ['-c', 'user.name=t', '-c', 'user.email=t@t', '-c', 'core.hooksPath=/dev/null'];
  execFileSync('git', [...who, ...words], { cwd: root, stdio: 'pipe' });
}

/** A repository with an indexed main worktree, and a second worktree that is not. */
async function repository() {
  const place = scratch();
  const [main, other, home] = [join(place, 'main'), join(place, 'other'), join(place, 'graphs')];
  write(FILES, main);
  git(main, 'init', '-q', '-b', 'main');
  git(main, 'add', '.');
  git(main, 'commit', '-qm', 'main');
  git(main, 'worktree', 'add', '-q', '-b', 'other', other);
  const run = async <T>(root: string, body: (graph: OpenGraph) => Promise<T>, at = home): Promise<T> => {
    await using graph = await openGraph(root, { home: at });
    return await body(graph);
  };
  await run(main, (graph) => index(graph));
  /** The export of a root, and of the same root in a home where nothing else is. */
  const both = async (root: string) => {
    const here = await run(root, (graph) => exportText(graph));
    const fresh = scratch();
    const there = await run(
      root,
      async (graph) => {
        await index(graph);
        return exportText(graph);
      },
      fresh,
    );
    return { here, there };
  };
  return { main, other, home, run, both };
}

const sizeOf = (folder: string): number =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).reduce((sum, name) => {
    const status = statSync(join(folder, name));
    // What another store has, too, takes no room.
    return sum + (status.isFile() && status.nlink === 1 ? status.size : 0);
  }, 0);

/** The folder of each store of code, by how often its files are linked: the main one in front. */
const derivedOf = (home: string) =>
  readdirSync(home)
    .filter((name) => /^[0-9a-f]{16}$/.test(name))
    .map((name) => join(home, name, 'derived'))
    .filter((folder) => statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    .sort((a, b) => Number(readdirSync(a).includes('base')) - Number(readdirSync(b).includes('base')));

test('a second worktree of equal content has the graph of a first index, of which nothing was extracted or stored again', async () => {
  const { other, home, run, both } = await repository();
  const output = await run(other, (graph) => index(graph));
  expect(output.files_indexed).toBe(0);
  expect(output.files_total).toBe(41);
  const { here, there } = await both(other);
  expect(here).toBe(there);
  const [first = '', second = ''] = derivedOf(home);
  expect(readdirSync(second)).toContain('base');
  if (process.platform !== 'win32') expect(sizeOf(second)).toBeLessThan(sizeOf(first) + 40_000);
});

test('what differs is extracted, and each goes its own way', async () => {
  const { main, other, run, both } = await repository();
  writeFileSync(join(other, 'src/f3.ts'), 'export const made3 = () => 3;\nexport const more = 4;\n');
  writeFileSync(join(other, 'src/new.ts'), "import { more } from './f3';\nexport const again = more;\n");
  git(other, 'rm', '-q', 'src/f9.ts');
  const output = await run(other, (graph) => index(graph));
  expect(output.files_indexed).toBe(2);
  expect(output.files_removed).toBe(1);
  writeFileSync(join(main, 'src/f5.ts'), 'export const made5 = () => 5;\n');
  await run(main, (graph) => index(graph, { mode: 'incremental' }));
  for (const root of [main, other]) {
    const { here, there } = await both(root);
    expect(here).toBe(there);
  }
});

test('a run that was cut off after it took over a graph is gone on with', async () => {
  const { other, run, both } = await repository();
  const abort = new AbortController();
  const cut = run(other, (graph) =>
    graph.spawn('graph_index_project', null, {}, { signal: abort.signal, onProgress: () => abort.abort() }),
  );
  await expect(cut).rejects.toMatchObject({ code: 'CANCELLED' });
  const output = await run(other, (graph) => index(graph, { mode: 'incremental' }));
  expect(output.files_indexed).toBe(0);
  const { here, there } = await both(other);
  expect(here).toBe(there);
});

test('what is damaged is not taken over', async () => {
  const { other, home, run, both } = await repository();
  for (const [folder = ''] of [derivedOf(home)])
    for (const name of readdirSync(folder))
      if (/\.(?:ldb|log)$/.test(name)) truncateSync(join(folder, name), 10);
  const output = await run(other, (graph) => index(graph));
  expect(output.files_indexed).toBe(41);
  const { here, there } = await both(other);
  expect(here).toBe(there);
});
