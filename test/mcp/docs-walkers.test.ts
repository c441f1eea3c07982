import { readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Scratch } from '../cli/scratch.js';
import { connect } from './client.js';

const PAGE = readFileSync(new URL('../../docs/how-to/walkers.md', import.meta.url), 'utf8');
const EXAMPLES = [...PAGE.matchAll(/<!-- example: (\S+) -->\n```js\n([\s\S]+?)```/gu)];

const scratch = new Scratch();
const [folder = ''] = EXAMPLES.map(([, file = '', source = '']) =>
  scratch.write(dirname(file), { [basename(file)]: source }),
);
afterAll(() => scratch.remove());
beforeAll(async () => {
  await scratch.run(['index', '.']);
});

it('the example of docs/how-to/walkers.md is a command', async () => {
  const args = ['long-functions', '--min-lines', '3', '--walkers', folder];
  const text = await scratch.run(args);
  expect(text).toMatchObject({ code: 0, stderr: '' });
  expect(text.stdout).toContain('tax: 3 lines (src/money.ts:2)');
  const { functions } = JSON.parse((await scratch.run([...args, '--json'])).stdout);
  expect(functions).toContainEqual(expect.objectContaining({ path: 'src/money.ts', line: 2, lines: 3 }));
});

it('the example of docs/how-to/walkers.md is a tool', async () => {
  const client = await connect(scratch, ['--root', scratch.project, '--walkers', folder]);
  const tool = (await client.listTools()).tools.find(({ name }) => name === 'long_functions');
  expect(tool?.annotations?.readOnlyHint).toBe(true);
  expect(tool?.inputSchema.properties).toHaveProperty('min_lines');
  const answer = await client.callTool({
    name: 'long_functions',
    arguments: { min_lines: 3, language: 'typescript' },
  });
  expect(answer.structuredContent).toMatchObject({ functions: expect.any(Array) });
  await client.close();
});

it('the walkers over code and traces of docs/how-to/walkers.md run one after the other', async () => {
  await scratch.run(['log', 'error', 'expected 14 to be 12']);
  const [, commands = ''] = /<!-- commands: \S+ -->\n```sh\n([\s\S]+?)```/u.exec(PAGE) ?? [];
  const printed: string[] = [];
  for (const line of commands.trim().split('\n')) {
    const { stdout, stderr, code } = await scratch.run([...line.split(' ').slice(1, -1), folder]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    printed.push(stdout);
  }
  expect(printed).toEqual([
    'shop owns 2 files.\n',
    'src/money.ts\n',
    'failed: expected 14 to be 12\nsrc/money.ts\n',
  ]);
});
