import { expect, it } from 'vitest';
import { exportText, type Files, index, open, write } from './project.js';

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
  const files = Object.entries(project(1005));
  const root = write(Object.fromEntries(files));
  const inPieces = await open(root);
  await index(inPieces);
  const expected = await exportText(inPieces);
  expect(expected.split('\n').length).toBeGreaterThan(4000);

  const grown = await open(root);
  for (const part of ['area[0-3]/**', '**']) await index(grown, { include: [part] });
  expect(await exportText(grown)).toBe(expected);

  // Every file is resolved again, against a graph that is there.
  await index(inPieces, { mode: 'full' });
  expect(await exportText(inPieces)).toBe(expected);
}, 300_000);
