import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { openGraph, projectRootOf } from '../../../host/index.js';
import { isRecorded } from '../../../host/project-root.js';
import { File } from '../../../schema/index.js';
import { scratchFolders } from '../../storage/scratch.js';
import { Place } from './places.js';

const scratch = scratchFolders();
let place: Place;
let home: string;
let shop: string;

beforeEach(() => {
  place = new Place(scratch());
  ({ home, shop } = place);
});

function write(path: string, text = 'export const b = 2;\n'): void {
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, text);
}

async function filesOf(root: string): Promise<string[]> {
  await place.index(root);
  await using graph = await openGraph(root, { home });
  const ids = await graph.read((tx) => tx.findIds(File));
  return ids.map((id) => id.slice('file:'.length)).sort();
}

describe('a project in a project', () => {
  it('is part of the outer one: a submodule, a repository beneath it, a folder that is indexed by itself', async () => {
    place.repository('shop/nested');
    write(join(shop, 'nested', '.gitignore'), 'out/\n');
    write(join(shop, 'nested', 'out', 'made.ts'));
    place.repository('library');
    place.git(
      shop,
      '-c',
      'protocol.file.allow=always',
      'submodule',
      'add',
      '-q',
      join(place.folder, 'library'),
      'sub',
    );
    await place.index(join(shop, 'src'));
    expect(await filesOf(shop)).toEqual([
      '.gitmodules',
      'nested/.gitignore',
      'nested/src/a.ts',
      'src/a.ts',
      'sub/src/a.ts',
    ]);
    expect(await filesOf(join(shop, 'sub'))).toEqual(['src/a.ts']);
  });

  it('is not part of it when it is another checkout of a repository', async () => {
    place.git(shop, 'worktree', 'add', '-q', 'trees/second');
    expect(await filesOf(shop)).toEqual(['src/a.ts']);
    expect(await filesOf(join(shop, 'trees', 'second'))).toEqual(['src/a.ts']);
  });

  it('is what is meant within it once it is indexed; before, the outer one that is, else its repository', async () => {
    const nested = place.repository('shop/nested');
    const inside = join(nested, 'src', 'a.ts');
    expect(projectRootOf(inside, { home })).toBe(nested);
    await place.index(shop);
    expect(projectRootOf(inside, { home })).toBe(shop);
    await place.index(nested);
    expect(projectRootOf(inside, { home })).toBe(nested);
    expect(projectRootOf(join(shop, 'src'), { home })).toBe(shop);
    const { body } = await place.spawn(nested, 'graph_stats');
    expect(body).toMatchObject({ state: { root: nested, enclosing_root: shop } });
  });

  it('is no part of a folder that is no project, though something is kept there, until that is indexed', async () => {
    const plain = join(place.folder, 'plain');
    const inside = join(plain, 'notes');
    mkdirSync(inside, { recursive: true });
    const { body } = await place.spawn(plain, 'memory_store', { type: 'fix', title: 'One', content: 'Two.' });
    expect(body.state.cut).toEqual([expect.stringContaining(`${plain} is no project`)]);
    expect(projectRootOf(inside, { home })).toBe(inside);
    expect([isRecorded(plain, { home }), isRecorded(inside, { home })]).toEqual([false, false]);
    await place.index(plain);
    expect(projectRootOf(inside, { home })).toBe(plain);
    expect(isRecorded(plain, { home })).toBe(true);
  });

  it('has a history of its own', async () => {
    const nested = place.repository('shop/nested');
    await place.record(shop, 's', ['task_start', { user_prompt: 'Outer' }]);
    await place.record(nested, 's', ['task_start', { user_prompt: 'Inner' }]);
    expect([await place.prompts(shop), await place.prompts(nested)]).toEqual([['Outer'], ['Inner']]);
  });
});
