import { afterAll, expect, it } from 'vitest';
import { Scratch } from './scratch.js';

const scratch = new Scratch();
afterAll(() => scratch.remove());

it('codewalk impact fails in CI where more is affected than it may, and prints for a pull request', async () => {
  await scratch.run(['index', '--quiet']);
  const all = await scratch.run(['impact', 'tax', '--format', 'github', '--fail-on', '1']);
  expect([all.code, all.stderr]).toEqual([0, '']);
  expect(all.stdout).toContain('| 1 | `Basket.total` | caller | src/shop.ts:4 |');
  const over = await scratch.run(['impact', 'tax', '--fail-on', '5', '--fail-on', 'caller:0']);
  expect([over.code, over.stderr]).toEqual([3, '--fail-on: 1 affected as caller, more than 0\n']);
  expect((await scratch.run(['impact', 'tax', '--fail-on', 'few'])).code).toBe(2);
  const diff = await scratch.run(['tests', '--diff', '--output=stolen']);
  expect([diff.code, diff.stderr]).toEqual([2, expect.stringContaining('no range of revisions')]);
  expect((await scratch.run(['tests', '--files', 'src/shop.ts,src/money.ts'])).stdout).toContain(
    'none are known',
  );
  const task = await scratch.run(['impact', 'task:none']);
  expect([task.code, task.stderr]).toEqual([
    1,
    expect.stringContaining("there is no task or error 'task:none'"),
  ]);
});
