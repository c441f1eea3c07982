import { afterAll, beforeAll, expect, it } from 'vitest';
import { Scratch } from '../cli/scratch.js';
import { connect, textOf } from './client.js';

const LONG = 'cookie jar '.repeat(50_000);
/** Longer than any answer here without one: fields that repeat what was asked are cut, too. */
const MOST = 40_000;

const scratch = new Scratch();
let server: Awaited<ReturnType<typeof connect>>;
beforeAll(async () => {
  scratch.run(['index', '.', '--quiet']);
  server = await connect(scratch, ['--root', scratch.project, '--profile', 'all']);
});
afterAll(async () => {
  await server.close();
  scratch.remove();
});

interface Field {
  readonly type?: string;
  readonly enum?: readonly unknown[];
}

/** A value of a field, with a long text in it where it takes any. */
function long({ type, enum: values }: Field): unknown {
  if (values) return values[0];
  if (type === 'array') return [LONG];
  if (type === 'object') return { text: LONG };
  if (type === 'boolean') return true;
  return type === 'integer' || type === 'number' ? 1 : LONG;
}

it('every tool answers a text of half a megabyte, in little: found by its beginning, or refused', async () => {
  const { tools } = await server.listTools();
  let asked = 0;
  for (const { name, inputSchema } of tools) {
    const { required = [], properties = {} } = inputSchema;
    if (required.length === 0) continue;
    const fields = properties as Record<string, Field>;
    const input = Object.fromEntries(required.map((field) => [field, long(fields[field] ?? {})]));
    const text = textOf(await server.callTool({ name, arguments: input }));
    expect(text.length, `${name}: ${text.slice(0, 300)}`).toBeLessThan(MOST);
    asked++;
  }
  expect(asked).toBeGreaterThan(20);
}, 60_000);
