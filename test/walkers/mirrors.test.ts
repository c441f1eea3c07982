import { expect, test } from 'vitest';
import { repeatedPaths } from '../../graphs/code/context/evidence.js';
import { contextOf, type Files, indexed } from './project.js';

const names = Array.from({ length: 12 }, (_, i) => `part${i}/m${i}.ts`);

test('a folder that repeats its sibling is a mirror; a few paths in common are none', () => {
  const paths = [
    ...names.flatMap((name) => [`src/${name}`, `deno_dist/${name}`]),
    'src/main.test.ts',
    ...names.map((name) => `packages/a/${name.replace('part', 'piece')}`),
    ...names.slice(0, 8).map((name) => `packages/b/${name}`),
    ...names.slice(0, 8).map((name) => `packages/c/${name}`),
  ];
  const copies = (asked: string[]) =>
    paths.filter(repeatedPaths(paths, asked)).map((path) => path.slice(0, path.indexOf('/')));
  expect(new Set(copies(['src/part1/m1.ts']))).toEqual(new Set(['deno_dist']));
  expect(new Set(copies(['deno_dist/part1/m1.ts']))).toEqual(new Set(['src']));
  expect(new Set(copies(['index.ts']))).toEqual(new Set(['deno_dist']));
  expect(copies(['src/part1/m1.ts', 'deno_dist/part2/m2.ts'])).toEqual([]);
});

test('a copy of the file asked for, which only shares its words, is not named', async () => {
  const files: Record<string, string> = {};
  for (const [i, name] of names.entries())
    for (const folder of ['src', 'copied'])
      files[`${folder}/${name}`] =
        `import { f${(i + 1) % 12} } from '../part${(i + 1) % 12}/m${(i + 1) % 12}.js';\nexport function f${i}() { return f${(i + 1) % 12}(); }\n`;
  const { graph } = await indexed({ ...files, 'src/main.ts': '' } satisfies Files);
  const { related = [] } = await contextOf(graph, ['src/part3/m3.ts']);
  const folders = related.filter(({ id }) => id.startsWith('file:')).map(({ path }) => path.split('/')[0]);
  expect(folders.length).toBeGreaterThan(3);
  expect(new Set(folders)).toEqual(new Set(['src']));
});
