import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { Scratch } from './scratch.js';

const scratch = new Scratch();
afterAll(() => scratch.remove());

it('codewalk pack saves as Markdown or JSON, never over a file that is there, and stays where it is told', async () => {
  await scratch.run(['index', '--quiet']);
  const saved = await scratch.run(['pack', 'tax of a price', '--out', 'pack.md']);
  expect(saved.stdout).toMatch(/^Saved \d+ bytes in /u);
  const file = join(scratch.project, 'pack.md');
  expect(readFileSync(file, 'utf8')).toContain('    2: export function tax(price: number): number {');
  const again = await scratch.run(['pack', 'basket', '--out', 'pack.md']);
  expect(again.code).toBe(2);
  expect(again.stderr).toContain('is there already');
  expect(readFileSync(file, 'utf8')).toContain('tax of a price');
  const json = await scratch.run(['pack', 'basket', '--out', 'pack.md', '--overwrite', '--json']);
  expect(JSON.parse(json.stdout)).toMatchObject({ file });
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ query: 'basket', nodes: expect.any(Array) });
  const nothing = await scratch.run(['pack', 'basket', '--overwrite']);
  expect([nothing.code, nothing.stderr]).toEqual([2, expect.stringContaining('no --out names a file')]);
  const outside = await scratch.run(['pack', 'basket', '--out', '../pack.md']);
  expect(outside.code).toBe(2);
  expect(outside.stderr).toContain('leads out of the working directory');
});
