import { afterAll, expect, it } from 'vitest';
import { ended, Scratch } from './scratch.js';

const scratch = new Scratch();
afterAll(() => scratch.remove());

async function json(...args: string[]) {
  const { code, stdout } = await scratch.run(['memory', ...args, '--json', '--embedded']);
  return { code, ...JSON.parse(stdout) };
}

it('stores, links, finds, changes and deletes memories, with an exit code of its own for what is wrong', async () => {
  await json(
    'store',
    'problem',
    'Totals are off',
    'The tax is counted twice.',
    '--memory-id',
    'p',
    '--about',
    'src/money.ts',
  );
  const fix = ['store', 'fix', 'Tax once', '-', '--memory-id', 'f', '--tags', 'Tax'];
  const child = scratch.start(['memory', ...fix, '--embedded']);
  child.stdin?.end('Basket.total adds it.\n');
  expect(await ended(child)).toMatchObject({ code: 0, stdout: 'Remembered as f.\n' });
  expect(await json('link', 'f', 'p', 'SOLVES', '--strength', '0.9')).toMatchObject({ created: true });
  expect(await json('search', 'tax', '--memory-types', 'fix')).toMatchObject({
    code: 0,
    results: [{ id: 'f', tags: ['tax'] }],
  });
  expect(await json('related', 'p')).toMatchObject({
    results: [{ id: 'f', relationship: 'SOLVES', strength: 0.9 }],
  });
  expect(await json('recall', 'why are totals wrong?')).toMatchObject({
    results: [{ id: 'p' }, { id: 'f' }],
  });
  expect(await json('update', 'f', '--importance', '0.9')).toMatchObject({ updated: true, version: 2 });
  expect(await json('get', 'p')).toMatchObject({ about: ['file:src/money.ts'], memory: { usage_count: 1 } });
  expect(await json('activity')).toMatchObject({ total: 2, unresolved: [] });
  expect(await json('delete', 'p')).toMatchObject({ deleted: true, relationships: 1 });
  expect(await json('get', 'p')).toMatchObject({ code: 1, error_code: 'NODE_NOT_FOUND' });
  expect(await json('link', 'f', 'f', 'SOLVE')).toMatchObject({ code: 2, error_code: 'INVALID_INPUT' });
});

it('has examples for every command in its help', async () => {
  for (const name of ['store', 'get', 'search', 'recall', 'update', 'delete', 'link', 'related', 'activity'])
    expect((await scratch.run(['memory', name, '--help'])).stdout, name).toContain(
      `\n  codewalk memory ${name} `,
    );
});
