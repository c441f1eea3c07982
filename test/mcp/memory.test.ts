import { afterAll, beforeAll, expect, it } from 'vitest';
import { Scratch } from '../cli/scratch.js';
import { connect, errorOf } from './client.js';

const scratch = new Scratch();
let client: Awaited<ReturnType<typeof connect>>;

beforeAll(async () => {
  const env = { QWEN_CODE_SESSION_ID: 'of-the-agent' };
  const flags = ['--root', scratch.project, '--client', 'qwen', '--profile', 'memory'];
  client = await connect(scratch, flags, { env });
  // From here on the client holds every answer against the listed output schema.
  await client.listTools();
});
afterAll(async () => {
  await client.close();
  await scratch.remove();
});

async function call<T>(name: string, args: Record<string, unknown>): Promise<T> {
  const { structuredContent } = await client.callTool({ name, arguments: args });
  return structuredContent as T;
}

it('the profile memory lists core and the memory tools, and no alias', async () => {
  const names = (await client.listTools()).tools.map(({ name }) => name);
  expect(names).toContain('query_callers');
  expect(names).toContain('memory_store');
  expect(names).not.toContain('store_memory');
  expect(names).not.toContain('query_hierarchy');
});

it('names and parameters of upstream work, and what nobody said of the circumstances is filled in', async () => {
  const said = { type: 'fix', title: 'Sessions end too soon', content: 'Compare in UTC.', tags: ['Time'] };
  const { memory_id } = await call<{ memory_id: string }>('store_memory', said);
  const { memory } = await call<{ memory: object }>('get_memory', { memory_id, include_relationships: true });
  expect(memory).toMatchObject({
    id: memory_id,
    tags: ['time'],
    context: {
      project_path: scratch.project,
      working_directory: scratch.project,
      session_id: 'of-the-agent',
      timestamp: expect.stringMatching(/^\d{4}-/),
    },
  });
  const found = await call<{ results: { id: string }[] }>('search_memories', { query: 'session', limit: 5 });
  expect(found.results.map(({ id }) => id)).toEqual([memory_id]);
});

it('what was read is counted, once the answer is out (S4-10)', async () => {
  const { memory_id } = await call<{ memory_id: string }>('memory_store', {
    type: 'fix',
    title: 'counted',
    content: 'x',
  });
  const read = () =>
    call<{ memory: { usage_count: number; last_accessed: string | null } }>('memory_get', { memory_id });
  const { memory: first } = await read();
  expect(first).toMatchObject({ usage_count: 0, last_accessed: null });
  await expect.poll(async () => (await read()).memory.usage_count).toBeGreaterThan(0);
  expect((await read()).memory.last_accessed).toMatch(/^\d{4}-/);
});

it.each([
  ['memory_store', { type: 'fixx', title: 'a', content: 'b' }, /INVALID_INPUT: .*type.*fixx/],
  ['memory_store', { type: 'fix', title: ' ', content: 'b' }, /INVALID_INPUT: .*title: it is empty/],
  [
    'memory_store',
    { type: 'fix', title: 'a'.repeat(501), content: 'b' },
    /title: it has 501 characters, at most 500/,
  ],
  [
    'memory_store',
    { type: 'fix', title: 'a', content: 'b', importance: 1.5 },
    /importance: it is from 0 to 1 \(given: 1.5\)/,
  ],
  [
    'memory_store',
    { type: 'fix', title: 'a', content: 'b', context: { git_comit: 'x' } },
    /context: .*git_comit/,
  ],
  ['memory_search', { memory_types: ['solutoin'] }, /Did you mean 'solution'/],
  ['memory_get', { memory_id: 'nothing' }, /NODE_NOT_FOUND: memory_id: there is no memory 'nothing'/],
])('%s refuses %j', async (name, args, error) => {
  expect(errorOf(await client.callTool({ name, arguments: args }))).toMatch(error);
});
