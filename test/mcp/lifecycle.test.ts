import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ended, Scratch } from '../cli/scratch.js';
import { connect, errorOf } from './client.js';

const scratch = new Scratch();
afterAll(() => scratch.remove());
beforeAll(() => scratch.run(['index', '.', '--quiet']));

const MINE = `import { defineWalker, z } from 'codewalk';
const bare = { start: () => null, on: () => [] };
export const answers = defineWalker('answers', {
  ...bare, description: 'Answers what it got.', input: { word: z.string() }, output: z.object({ word: z.string() }),
  finish: ({ state }) => { console.log('never on stdout'); return { word: state.word }; },
});
export const throws = defineWalker('throws', { ...bare, finish: () => { throw new Error('out of luck'); } });
export const exits = defineWalker('exits', { ...bare, finish: () => process.exit(0) });
export const lies = defineWalker('lies', { ...bare, output: z.object({ size: z.number() }), finish: () => ({ size: 'big' }) });
export const waits = defineWalker('waits', { ...bare, finish: ({ context }) => new Promise((_, no) => {
  console.log('waiting');
  context.signal.addEventListener('abort', () => { console.log('aborted'); no(new Error('aborted')); });
}) });
`;
const folder = scratch.write('mine', { 'mine.mjs': MINE });

describe("a user's walkers over MCP", () => {
  const args = ['--root', scratch.project, '--walkers', folder];
  let client: Awaited<ReturnType<typeof connect>>;
  beforeAll(async () => {
    client = await connect(scratch, args);
  });
  afterAll(() => client.close());
  const call = (name: string, input = {}) => client.callTool({ name, arguments: input });

  it('are tools like ours, whatever the profile', async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('answers');
    const answer = await call('answers', { word: 'hello' });
    expect(answer.structuredContent).toMatchObject({ word: 'hello', state: { root: scratch.project } });
    expect(errorOf(await call('throws'))).toBe("WALKER_FAILED: The walker 'throws' threw Error: out of luck");
  });

  it('that give what their schema refuses fail, by name: no client gets it', async () => {
    await client.listTools();
    expect(errorOf(await call('lies'))).toMatch(
      /^WALKER_FAILED: the output of the walker 'lies' does not fit its schema: size: .*'big'/,
    );
  });

  it('are aborted when the client cancels the call', async () => {
    const told = new Promise<string>((done) => {
      let said = '';
      const { stderr } = client.transport as unknown as { stderr: NodeJS.ReadableStream };
      const cancel = new AbortController();
      stderr.on('data', (chunk) => {
        said += chunk;
        if (said.includes('waiting')) cancel.abort();
        if (said.includes('aborted')) done(said);
      });
      client
        .callTool({ name: 'waits', arguments: {} }, undefined, { signal: cancel.signal })
        .catch(() => undefined);
    });
    expect(await told).toContain('aborted');
    const answer = await call('answers', { word: 'still here' });
    expect(answer.structuredContent).toMatchObject({ word: 'still here' });
  });

  it('that end their thread are answered for by the watchdog', async () => {
    expect(errorOf(await call('exits'))).toBe("WALKER_KILLED: the walker 'exits' ended its thread");
  });
});

describe('a server', () => {
  const hello = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
  });
  const call = JSON.stringify({
    jsonrpc: '2.0',
    id: 2,
    method: 'tools/call',
    params: { name: 'graph_index_project', arguments: {} },
  });

  it('ends when its client closes stdin, and leaves the graph to others', async () => {
    const child = scratch.start(['mcp', '--root', scratch.project]);
    const end = ended(child);
    child.stdout.on('data', (chunk) => {
      if (String(chunk).includes('"id":2')) child.stdin.end();
    });
    child.stdin.write(`${hello}\n${call}\n`);
    const { code, stdout, stderr } = await end;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).id),
    ).toEqual([1, 2]);
    expect((await scratch.run(['stats'])).code).toBe(0);
  });

  it('ends even in the middle of a call that never answers', async () => {
    const child = scratch.start(['mcp', '--root', scratch.project, '--walkers', folder]);
    const end = ended(child);
    child.stderr.on('data', (chunk) => {
      if (String(chunk).includes('waiting')) child.stdin.end();
    });
    child.stdin.write(`${hello}\n${call.replace('graph_index_project', 'waits')}\n`);
    expect(await end).toMatchObject({ code: 0 });
  });
});
