import { expect, it } from 'vitest';
import { INDEX_SESSION } from '../../graphs/code/project-index.js';
import { defineWalker } from '../../index.js';
import type { Progress } from '../../runtime/index.js';
import { exportText, type Files, index, open, write } from './project.js';

/** Makes the pieces of a graph small: as many files would be one otherwise. */
const SmallPieces = defineWalker('small_pieces', {
  start: () => null,
  on: () => [],
  finish: ({ context }) => {
    context.cached(INDEX_SESSION).pieces = { asAWhole: 100, atOnce: 40 };
    return {};
  },
});

/** More files than are written together; each calls its neighbour, one far away, and a package that all share. */
function project(count: number): Files {
  const names = Array.from({ length: count }, (_, i) => `area${i % 7}/f${i}`);
  const files = names.map((name, i) => {
    const near = (i + 1) % count;
    const far = (i * 37) % count;
    const lines = [
      "import { shared } from 'elsewhere';",
      `import { made${near} } from '../${names[near]}.js';`,
      far === near || far === i ? '' : `import { made${far} } from '../${names[far]}.js';`,
      `export function made${i}() { return shared(made${near}()) + ${far === i ? 1 : `made${far}()`}; }`,
    ];
    return [`${name}.ts`, `${lines.join('\n')}\n`] as const;
  });
  return Object.fromEntries(files);
}

it('is the same graph whether it was written in pieces or grew by a few files at a time', async () => {
  const files = Object.entries(project(105));
  const root = write(Object.fromEntries(files));
  const inPieces = await open(root);
  await inPieces.spawn(SmallPieces);
  const begun = new Set<number>();
  const onProgress = ({ phase, done }: Progress) => phase === 'resolve' && begun.add(done);
  await index(inPieces, {}, { onProgress });
  expect([...begun]).toEqual(expect.arrayContaining([0, 40, 80]));
  const expected = await exportText(inPieces);
  expect(expected.split('\n').length).toBeGreaterThan(400);

  const grown = await open(root);
  await grown.spawn(SmallPieces);
  for (const part of ['area[0-3]/**', '**']) await index(grown, { include: [part] });
  expect(await exportText(grown)).toBe(expected);

  // Every file is resolved again, against a graph that is there.
  await index(inPieces, { mode: 'full' });
  expect(await exportText(inPieces)).toBe(expected);
});
