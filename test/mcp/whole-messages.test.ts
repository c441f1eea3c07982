import { once } from 'node:events';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { StdioTransport } from '../../mcp/stdio-transport.js';
import { Scratch } from '../cli/scratch.js';
import { connect, textOf } from './client.js';

const MOST = 20_000;

/** The ids of the messages that come out, and of those that are refused, when a text comes in pieces of so many characters. */
async function readIn(pieces: number, text: string): Promise<{ taken: unknown[]; left: unknown[] }> {
  const chunks = Array.from({ length: Math.ceil(text.length / pieces) }, (_, at) =>
    Buffer.from(text.slice(at * pieces, (at + 1) * pieces)),
  );
  const left: unknown[] = [];
  const taken: unknown[] = [];
  const input = Readable.from(chunks);
  const transport = new StdioTransport(input, (answer) => void left.push(JSON.parse(answer).id), MOST);
  transport.onmessage = (message) => void taken.push(message);
  await transport.start();
  await once(input, 'end');
  return { taken, left };
}

const request = (id: unknown, size: number, idLast: boolean) => {
  const params = { arguments: { text: 'x"id":7'.repeat(size / 7), id: 99 } };
  const fields = { jsonrpc: '2.0', method: 'tools/call', params };
  return `${JSON.stringify(idLast ? { ...fields, id } : { id, ...fields })}\n`;
};

describe("a client's messages", () => {
  it('come out whole, whatever pieces they come in', async () => {
    const lines = [request(1, 70, true), request(2, 7000, false), request(3, 0, true)];
    for (const pieces of [1, 100, 1_000_000])
      expect((await readIn(pieces, lines.join(''))).taken).toEqual(lines.map((line) => JSON.parse(line)));
  });

  it('are left out when they are too large, their id told where it can be read; the next one is read', async () => {
    const next = request(4, 70, true);
    const answer = `${JSON.stringify({ id: 5, jsonrpc: '2.0', result: 'x'.repeat(70_000) })}\n`;
    const odd = request(1.5, 70_000, true).replace('1.5', '"\\q"');
    const others = [answer, odd, request(1.5, 70_000, true), `${'y'.repeat(70_000)}\n`];
    const large = [request(1, 70_000, true), request('two', 70_000, false), ...others];
    for (const pieces of [100, 1_000_000])
      expect(await readIn(pieces, [...large, next].join(''))).toEqual({
        taken: [JSON.parse(next)],
        left: [1, 'two', null, null, null, null],
      });
  });
});

describe('a server', () => {
  const scratch = new Scratch();
  afterAll(() => scratch.remove());
  beforeAll(() => scratch.run(['index', '.', '--quiet']));

  it('reads a query and an output of more than 10 MiB, and refuses what is larger than it takes', async () => {
    const client = await connect(scratch, ['--root', scratch.project]);
    const call = (name: string, input: Record<string, unknown>) =>
      client.callTool({ name, arguments: input });
    const long = 'cookie '.repeat(1_600_000);
    const found = await call('search_code', { query: long });
    expect(JSON.parse(textOf(found)).notes.join()).toMatch(/cut to 10000 of 11200000/);
    const start = await call('etg_log_event', { kind: 'task_start', payload: { user_prompt: 'Bake' } });
    const { task_id } = JSON.parse(textOf(start));
    const payload = { tool_name: 'bash', success: false, stdout: long };
    const kept = await call('etg_log_event', { kind: 'tool_end', task_id, payload });
    expect(kept.isError).not.toBe(true);
    await expect(call('search_code', { query: long.repeat(7) })).rejects.toThrow(/64 MiB was not read/);
    expect((await call('search_code', { query: 'cookie' })).isError).not.toBe(true);
    await client.close();
  });
});
