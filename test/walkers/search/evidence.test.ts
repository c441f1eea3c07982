import { describe, expect, test } from 'vitest';
import { indexed } from '../project.js';
import { search } from './library.js';

describe('beside its own words', () => {
  test('a function is found by what tests say that call it', async () => {
    const { graph } = await indexed({
      'package.json': '{"name": "evidence"}\n',
      'src/limit.ts': 'export function gate(size: number) {\n  return size < 10;\n}\n',
      'src/other.ts': 'export function uploads() {\n  return [];\n}\n',
      'test/limit.test.ts':
        "import { gate } from '../src/limit.js';\n\ntest('refuses huge attachments', () => {\n  expect(gate(11)).toBe(false);\n});\n",
    });
    const { body } = await search(graph, 'refuse huge attachments');
    const gate = body.hits.find(({ id }) => id === 'fn:src/limit.ts:gate');
    expect(gate?.why).toEqual(['called by hits']);
    expect(gate?.score).toBeGreaterThan(0);
  });

  test('a function is found by another word of the trade', async () => {
    const { graph } = await indexed({
      'package.json': '{"name": "evidence"}\n',
      'src/a.ts': 'export function removeEntry() {}\n',
      'src/b.ts': 'export function loadEntry() {}\n',
    });
    expect((await search(graph, 'delete an entry')).ids[0]).toBe('fn:src/a.ts:removeEntry');
  });
});

test('what is no word of the project finds nothing, whatever it begins with', async () => {
  const { graph } = await indexed({
    'package.json': '{"name": "evidence"}\n',
    'src/asdf.ts': 'export function asdf() {}\n\nexport function qzk() {}\n',
  });
  for (const query of ['asdfghjkl', 'qrrt zzgh kkbb'])
    expect((await search(graph, query)).body.hits, query).toEqual([]);
  expect((await search(graph, 'asdf')).ids[0]).toBe('fn:src/asdf.ts:asdf');
});
