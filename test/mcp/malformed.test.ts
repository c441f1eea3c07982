import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { StdioTransport } from '../../mcp/stdio-transport.js';

/** What a server answers to lines by itself, and what of them it takes for messages. */
async function answersTo(...lines: readonly (string | Buffer)[]) {
  const answers: { id: unknown; error: { code: number } }[] = [];
  const taken: unknown[] = [];
  const input = Readable.from(lines.map((line) => Buffer.concat([Buffer.from(line), Buffer.from('\n')])));
  const transport = new StdioTransport(input, (text) => void answers.push(JSON.parse(text)));
  transport.onmessage = (message) => void taken.push(message);
  await transport.start();
  await new Promise((done) => input.once('end', done));
  await new Promise(setImmediate);
  return { told: answers.map(({ id, error }) => [id, error.code]), taken };
}

const PING = { jsonrpc: '2.0', id: 1, method: 'ping' };
const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;

it('answers what is no JSON with a parse error, and reads on', async () => {
  const wrong = ['{bad', '['.repeat(200_000), Buffer.from([0xff, 0xfe, 0x7b]), '\0', '{"a":1}{"b":2}'];
  const { told, taken } = await answersTo(...wrong, JSON.stringify(PING));
  expect(told).toEqual(wrong.map(() => [null, PARSE_ERROR]));
  expect(taken).toEqual([PING]);
});

it('answers what is no request with an invalid request, under its id where it has one', async () => {
  const without = [
    'null',
    '42',
    '"x"',
    '{}',
    '{"jsonrpc":"2.0"}',
    '{"jsonrpc":"2.0","id":{},"method":"ping"}',
  ];
  const deep = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`;
  const under = '{"jsonrpc":"1.0","id":7,"method":"ping"}';
  const { told, taken } = await answersTo(...without, deep, under, JSON.stringify(PING));
  expect(told).toEqual([...[...without, deep].map(() => [null, INVALID_REQUEST]), [7, INVALID_REQUEST]]);
  expect(taken).toEqual([PING]);
});

it('answers each request of a batch, and a batch without any once', async () => {
  const batch = JSON.stringify([PING, { ...PING, id: 'two' }, { jsonrpc: '2.0', method: 'notifications/x' }]);
  const { told, taken } = await answersTo(batch, '[]', '[1,2]', JSON.stringify(PING));
  expect(told.map(([id]) => id)).toEqual([1, 'two', null, null]);
  expect(new Set(told.map(([, code]) => code))).toEqual(new Set([INVALID_REQUEST]));
  expect(taken).toEqual([PING]);
});

it('does not answer an answer', async () => {
  const { told } = await answersTo('{"id":3,"result":5}', '{"jsonrpc":"1.0","id":4,"error":{}}');
  expect(told).toEqual([]);
});
