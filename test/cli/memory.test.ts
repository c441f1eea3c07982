import { afterAll, expect, it, onTestFinished } from 'vitest';
import { ended, Scratch } from './scratch.js';

const scratch = new Scratch();
afterAll(() => scratch.remove());

async function json(...args: string[]) {
  const { code, stdout } = await scratch.run(['memory', ...args, '--json']);
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
  expect(await ended(child)).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Remembered as f\.\n/u),
  });
  expect(await json('link', 'f', 'p', 'solves', '--strength', '0.9')).toMatchObject({ created: true });
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
  expect(await json('get', 'p')).toMatchObject({
    about: [{ id: 'file:src/money.ts' }],
    memory: { usage_count: 1 },
  });
  expect(await json('activity')).toMatchObject({ total: 2, unresolved: [] });
  expect(await json('delete', 'p')).toMatchObject({ deleted: true, relationships: 1 });
  expect(await json('get', 'p')).toMatchObject({ code: 1, error_code: 'NODE_NOT_FOUND' });
  expect(await json('link', 'f', 'f', 'SOLVE')).toMatchObject({
    code: 2,
    error: expect.stringContaining("Did you mean 'SOLVES'?"),
  });
  const unknown = await scratch.run(['memory', 'store', 'fix', 't', 'c', '--context', '{"branch":"x"}']);
  expect(unknown.stderr).toMatch(/no field 'branch'\nsuggestion: .*\bgit_branch\b/u);
});

it('takes a plain time, an outcome said both ways, tags with commas and short ids', async () => {
  const { task_id } = JSON.parse(
    (await scratch.run(['log', 'task_start', '--payload', '{"user_prompt":"Count"}', '--json'])).stdout,
  );
  expect(
    await json(
      'store',
      'fix',
      'Cookies',
      'Read once.',
      '--memory-id',
      'c',
      '--tags',
      'Session, Cookie,',
      '--about',
      task_id.slice(0, -4),
    ),
  ).toMatchObject({ code: 0, about: [task_id] });
  expect(await json('get', 'c')).toMatchObject({ memory: { tags: ['session', 'cookie'] } });
  expect(await json('as-of', '--time', '2099-05-01T12:00:00Z', '--memory-id', 'c')).toMatchObject({
    code: 0,
    time: '2099-05-01T12:00:00.000Z',
    results: [{ memory_id: 'c' }],
  });
  expect(await json('as-of', '--time', '4081406400000', '--memory-id', 'c')).toMatchObject({
    code: 0,
    time: '2099-05-02T12:00:00.000Z',
  });
  expect(await json('outcome', '--memory-id', 'c', '--no-success')).toMatchObject({
    success: false,
    counter_evidence_count: 1,
  });
  expect(await json('outcome', '--memory-id', 'c', '--success')).toMatchObject({
    success: true,
    validation_count: 1,
  });
  for (const flags of [[], ['--success', '--no-success'], ['--no-success', '--success']])
    expect(await scratch.run(['memory', 'outcome', '--memory-id', 'c', ...flags])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('error INVALID_INPUT: give either --success or --no-success\n'),
    });
  expect((await scratch.run(['memory', 'outcome', '--help'])).stdout).toContain(
    'codewalk memory outcome --relationship-id 01k8z61f0c --no-success\n',
  );
});

it('has examples for every command in its help', async () => {
  for (const name of ['store', 'get', 'search', 'recall', 'update', 'delete', 'link', 'related', 'activity'])
    expect((await scratch.run(['memory', name, '--help'])).stdout, name).toContain(
      `\n  codewalk memory ${name} `,
    );
});

it('says what a file lacks that cannot be imported, or exported to', async () => {
  const own = new Scratch();
  onTestFinished(() => own.remove());
  const refused = async (...args: string[]) => {
    const { code, stderr } = await own.run(['memory', ...args]);
    expect(code).toBe(2);
    return stderr;
  };
  own.write('shop', { 'empty.jsonl': '' });
  expect(await refused('import', 'empty.jsonl')).toContain('it is empty, without the header of an export');
  expect(await refused('import', 'none.jsonl')).toMatch(/none\.jsonl' does not exist\n/u);
  expect(await refused('export', '--out', '/nope/x.jsonl')).toMatch(
    /'\/nope\/x\.jsonl' cannot be written: its folder does not exist\n/u,
  );
  const unknown = await own.run(['memory', 'get', 'nope']);
  expect(unknown.stderr).toMatch(/'codewalk memory search' finds/u);
  const store = (id: string, port: number) =>
    own.run([
      'memory',
      'store',
      'fix',
      `Port ${id}`,
      `The service listens on port ${port}.`,
      '--memory-id',
      id,
    ]);
  await store('p1', 5432);
  expect((await store('p2', 5433)).stdout).toContain('codewalk memory link p2 p1 REPLACES');
  const { stderr } = await own.run(['memory', 'store', 'fix', 't', 'c', '--importance', '7']);
  expect(stderr).toBe('error INVALID_INPUT: --importance: it is from 0 to 1 (given: 7)\n');
});
