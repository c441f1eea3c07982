import { describe, expect, test } from 'vitest';
import { answer } from '../../host/index.js';
import type { ExploreCodeOutput } from '../../walkers/index.js';
import { sharedGraph } from './project.js';

/** Of the project's own making: two that their shapes tell, one that only its place tells, and one over several lines. */
const KEY = `sk_live_${'4eC39HqLyjWDarjtT1zdp7dc'}`;
const TOKEN = `ghp_${'a1B2c3D4e5'.repeat(4)}`.slice(0, 40);
const PASSWORD = 'Tr0ub4dor-and-3';
const BODY = Array.from({ length: 12 }, (_, at) => `MIIEow${'IBAAKCAQEAx7Qz9'.repeat(3)}${at}`);

const PROJECT = {
  'package.json': '{"name": "pay", "version": "1.0.0"}\n',
  'src/send.ts': 'export function send(...parts: string[]): number {\n  return parts.length;\n}\n',
  'src/pay.ts': `import { send } from './send.js';

export function pay(): number {
  const password = '${PASSWORD}';
  // Never ask with ${TOKEN} again.
  return send('${KEY}', '${TOKEN}', password, '${PASSWORD}');
}

export function sign(): number {
  return send(\`-----BEGIN RSA PRIVATE KEY-----
${BODY.join('\n')}
-----END RSA PRIVATE KEY-----\`);
}
`,
  'test/pay.test.ts': `import { expect, test } from 'vitest';
import { pay } from '../src/pay.js';
import { send } from '../src/send.js';

test('it pays', () => {
  expect(send('${KEY}') + pay()).toBe(5);
});
`,
};
const graph = sharedGraph(PROJECT);

describe.each([
  ['query_callers', { function_name: 'send', tests: true }, 'return send('],
  ['query_references', { name: 'send' }, 'return send('],
  ['explain', { from: 'pay', to: 'send' }, 'return send('],
  ['pack_snippets', { q: 'pay send sign', max_lines: 200 }, 'return send('],
  ['search_code', { query: 'return send' }, 'pay'],
  ['explore_code', { name: 'src/pay.ts' }, 'return send('],
  ['explore_code', { name: 'sign' }, 'BEGIN RSA PRIVATE KEY'],
  ['query_cypher', { query: 'MATCH (c:CodeChunk) RETURN c' }, 'return send('],
  ['query_cypher', { query: 'MATCH (c:Comment) RETURN c' }, 'Never ask with'],
] as const)('%s %j', (name, input, line) => {
  test('shows lines of source, and no secret of them', async () => {
    const { body, markdown } = await answer(graph(), name, input);
    for (const shown of [JSON.stringify(body), markdown]) {
      // A test of where its subject is not shown could not fail.
      if (shown !== markdown) expect(shown).toContain(line);
      for (const secret of [KEY.slice(8), TOKEN.slice(4, 24), PASSWORD, BODY[3]])
        expect(shown).not.toContain(secret);
    }
  });
});

test('what is masked has its length: the places of calls are where they are on disk', async () => {
  const { output } = await graph().spawn('explore_code', null, { name: 'pay' });
  const { lines, from_line } = (output as ExploreCodeOutput).source;
  const onDisk = PROJECT['src/pay.ts'].split('\n').slice(from_line - 1, from_line - 1 + lines.length);
  expect(lines.map(({ length }) => length)).toEqual(onDisk.map(({ length }) => length));
});
