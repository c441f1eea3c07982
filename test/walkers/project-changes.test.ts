import { appendFileSync, mkdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { OpenGraph } from '../../index.js';
import { ProjectChanges } from '../../walkers/index.js';
import { type Files, index, open, write } from './project.js';

const PROJECT: Files = {
  'package.json': '{"name": "shop"}',
  'src/cart.ts': 'export const cart = 1;\n',
  'src/deep/price.ts': 'export const price = 1;\n',
  'docs/page.md': '# Page\n',
  'build.log': 'line\n',
  '.gitignore': '*.log\n.hidden\n',
};

/** The changes as `path change`. */
async function changesOf(graph: OpenGraph, paths: string[] = []): Promise<string[]> {
  const { output } = await graph.spawn(ProjectChanges, null, { paths });
  return output.changes.map(({ path, change }) => `${path} ${change}`);
}

async function indexedProject(files: Files = PROJECT) {
  const root = write(files);
  const graph = await open(root);
  await index(graph);
  return { root, graph };
}

describe('the changes of a project', () => {
  it('are none after an index, at the first look and at the next', async () => {
    const { graph } = await indexedProject();
    expect(await changesOf(graph)).toEqual([]);
    expect(await changesOf(graph)).toEqual([]);
  });

  it('are what was edited, made, deleted and renamed, before and after a look at everything', async () => {
    for (const looks of [0, 1]) {
      const { root, graph } = await indexedProject();
      for (let look = 0; look < looks; look++) await changesOf(graph);
      appendFileSync(join(root, 'src/cart.ts'), 'export const more = 2;\n');
      write({ 'src/new/fresh.ts': 'export const fresh = 1;\n' }, root);
      rmSync(join(root, 'docs/page.md'));
      renameSync(join(root, 'src/deep'), join(root, 'src/deeper'));
      const expected = [
        'docs/page.md gone',
        'src/cart.ts changed',
        'src/deep/price.ts gone',
        'src/deeper/price.ts new',
        'src/new/fresh.ts new',
      ];
      expect(await changesOf(graph)).toEqual(expected);
      expect(await changesOf(graph)).toEqual(expected);
      await index(graph, { mode: 'incremental' });
      expect(await changesOf(graph)).toEqual([]);
    }
  });

  it('see an edit of the same length right after the index, and take no touch for an edit', async () => {
    const { root, graph } = await indexedProject();
    writeFileSync(join(root, 'src/cart.ts'), 'export const cart = 2;\n');
    utimesSync(join(root, 'docs/page.md'), 1, 1);
    expect(await changesOf(graph)).toEqual(['src/cart.ts changed']);
    writeFileSync(join(root, 'src/cart.ts'), 'export const cart = 1;\n');
    expect(await changesOf(graph)).toEqual([]);
  });

  it('follow the ignore files, whoever they ignore', async () => {
    const { root, graph } = await indexedProject({ ...PROJECT, '.codewalkignore': '.codewalkignore\n' });
    expect(await changesOf(graph)).toEqual([]);
    appendFileSync(join(root, 'build.log'), 'more\n');
    expect(await changesOf(graph)).toEqual([]);
    appendFileSync(join(root, '.codewalkignore'), 'docs\n');
    expect(await changesOf(graph)).toEqual(['docs/page.md gone']);
    writeFileSync(join(root, '.gitignore'), '');
    expect(await changesOf(graph)).toEqual(['.gitignore changed', 'build.log new', 'docs/page.md gone']);
  });

  it('follow the ignore file of the repository, which lies outside the root', async () => {
    const top = write({ 'app/a.ts': 'export const a = 1;\n', '.gitignore': '', '.git/HEAD': '' });
    const graph = await open(join(top, 'app'));
    await index(graph);
    expect(await changesOf(graph)).toEqual([]);
    writeFileSync(join(top, '.gitignore'), 'a.ts\n');
    expect(await changesOf(graph)).toEqual(['a.ts gone']);
  });

  it('see a file that becomes text, or is no longer, in its place', async () => {
    const { root, graph } = await indexedProject({
      ...PROJECT,
      'src/data.ts': new Uint8Array([0, 1, 2]),
      'src/latin.ts': new Uint8Array([0x2f, 0x2f, 0xe9, 0x0a]),
    });
    expect(await changesOf(graph)).toEqual([]);
    expect(await changesOf(graph)).toEqual([]);
    writeFileSync(join(root, 'src/data.ts'), 'export const data = 1;\n');
    writeFileSync(join(root, 'src/latin.ts'), '// e\n');
    writeFileSync(join(root, 'src/cart.ts'), new Uint8Array([0, 1, 2]));
    const expected = ['src/cart.ts gone', 'src/data.ts new', 'src/latin.ts new'];
    expect(await changesOf(graph)).toEqual(expected);
    expect(await changesOf(graph)).toEqual(expected);
  });

  it('are looked for only where somebody asks', async () => {
    const { root, graph } = await indexedProject();
    appendFileSync(join(root, 'src/cart.ts'), '//\n');
    mkdirSync(join(root, 'node_modules/left'), { recursive: true });
    writeFileSync(join(root, 'node_modules/left/pad.js'), '');
    appendFileSync(join(root, 'build.log'), 'more\n');
    rmSync(join(root, 'src/deep'), { recursive: true });
    expect(await changesOf(graph, ['build.log', 'node_modules', 'src/deep'])).toEqual([
      'src/deep/price.ts gone',
    ]);
    const { output } = await graph.spawn(ProjectChanges, null, { paths: ['node_modules', 'src'] });
    expect(output.folders).toEqual([root, join(root, 'src')]);
    expect(output.changes.map(({ path }) => path)).toEqual(['src/cart.ts', 'src/deep/price.ts']);
  });
});
