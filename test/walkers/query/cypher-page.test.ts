import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { indexed } from '../project.js';
import { cypherParts, SHOP, workInShop } from './cypher-page.js';

test('docs/reference/cypher.md shows what its queries give, what is in a graph and which functions there are', async () => {
  const { graph } = await indexed(SHOP);
  await workInShop(graph);
  const file = new URL('../../../docs/reference/cypher.md', import.meta.url);
  const parts = await cypherParts(graph);
  const page = readFileSync(file, 'utf8');
  const made = page.replace(
    /<!-- made: (\w+) -->\n[\s\S]*?<!-- \/made -->/gu,
    (_, name: string) => `<!-- made: ${name} -->\n\n${parts[name]}\n\n<!-- /made -->`,
  );
  if (process.env.UPDATE_GOLDEN === '1') writeFileSync(file, made);
  expect(Object.keys(parts).every((name) => page.includes(`<!-- made: ${name} -->`))).toBe(true);
  expect(readFileSync(file, 'utf8')).toBe(made);
});
