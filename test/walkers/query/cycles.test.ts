import { describe, expect, test } from 'vitest';
import { answer, type OpenGraph } from '../../../host/index.js';
import type { CyclesOutput } from '../../../walkers/query/query-cycles.js';
import { type Files, indexed } from '../project.js';
import { figures } from './shops.js';

const RING: Files = {
  'src/a.ts':
    "import { b } from './b.js';\nimport type { D } from './d.js';\nexport function a(): D { return b(); }\n",
  'src/b.ts': "import { c } from './c.js';\nexport function b(): any { return c(); }\n",
  'src/c.ts': "import { a } from './a.js';\nexport function c(): any { return a(); }\n",
  'src/d.ts':
    "import { a } from './a.js';\nexport interface D { x: typeof a }\nexport class E extends F {}\nexport class F extends E {}\n",
  'lib/self.ts':
    'export function down(n: number): number { return n > 0 ? down(n - 1) : 0; }\nexport const even = (n: number): boolean => n === 0 || odd(n - 1);\nexport const odd = (n: number): boolean => n !== 0 && even(n - 1);\n',
};

async function cycles(graph: OpenGraph, input: object = {}) {
  const { body, markdown } = await answer(graph, 'query_cycles', { ...input });
  const output = body as unknown as CyclesOutput & { state: { cut: string[] } };
  const told = output.results.circular_dependencies.map(({ cycle_path, cycle_length }) => {
    expect(cycle_path).toHaveLength(cycle_length + 1);
    return cycle_path.map((name) => name.split(/[./]/).at(-1)).join(' ');
  });
  return { ...output, ...output.results, told, markdown };
}

describe('query_cycles', () => {
  test('tells circular imports, and which of them are there for types alone', async () => {
    const { graph } = await indexed(RING);
    const { told, query, circular_dependencies, metadata, markdown } = await cycles(graph);
    expect(told).toEqual(['a d a', 'a b c a']);
    expect(circular_dependencies.map(({ type_only }) => type_only)).toEqual([true, false]);
    expect(circular_dependencies[1]).toMatchObject({
      cycle_type: 'imports',
      cycle_length: 3,
      places: ['src/a.ts', 'src/b.ts', 'src/c.ts'],
    });
    expect(query).toBe('Circular imports');
    expect(metadata).toEqual(figures(2, null));
    expect(markdown).toContain('1 of them exists for types alone');
  });

  test('no import for types alone hides a circle that is there when the code runs', async () => {
    const { graph } = await indexed({
      'a.ts': "import { b } from './b.js';\nexport const a = b;\n",
      'b.ts': "import { c } from './c.js';\nimport type { A } from './a.js';\nexport const b = c as A;\n",
      'c.ts':
        "import { a } from './a.js';\nimport type { B } from './b.js';\nimport type { A } from './a.js';\nexport const c: A | B = a;\n",
    });
    const { told, circular_dependencies } = await cycles(graph);
    expect(told).toContain('a b c a');
    expect(circular_dependencies.find(({ cycle_length }) => cycle_length === 3)?.type_only).toBe(false);
  });

  test('tells recursion: of one function with length 1, of several with their lines', async () => {
    const { graph } = await indexed(RING);
    const { told, circular_dependencies } = await cycles(graph, { cycle_type: 'calls' });
    expect(told).toEqual(['down down', 'even odd even', 'a b c a']);
    expect(circular_dependencies.map(({ cycle_length }) => cycle_length)).toEqual([1, 2, 3]);
    expect(circular_dependencies[1]?.places).toEqual(['lib/self.ts:2', 'lib/self.ts:3']);
    expect(circular_dependencies[0]).not.toHaveProperty('type_only');
  });

  test('tells circular inheritance', async () => {
    const { graph } = await indexed(RING);
    expect((await cycles(graph, { cycle_type: 'inheritance' })).told).toEqual(['E F E']);
  });

  test('keeps to a scope: a path or a module', async () => {
    const { graph } = await indexed(RING);
    expect((await cycles(graph, { cycle_type: 'calls', scope: 'lib' })).told).toEqual([
      'down down',
      'even odd even',
    ]);
    expect((await cycles(graph, { cycle_type: 'calls', scope: 'src/' })).told).toEqual(['a b c a']);
    const none = await cycles(graph, { scope: 'lib' });
    expect([none.told, none.markdown]).toEqual([
      [],
      expect.stringContaining('Circular imports in lib: none.'),
    ]);
  });

  test('shows at most 100, the shortest, and says how many there are', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 105 }, (_, at) => [`f${at}.py`, `def again():\n    return again()\n`]),
    );
    const { graph } = await indexed(files);
    const { told, metadata, state } = await cycles(graph, {
      cycle_type: 'calls',
      max_tokens: 20_000,
    });
    expect(told).toHaveLength(100);
    expect(metadata).toMatchObject({ row_count: 100, total_count: 105, truncated: true });
    expect(state.cut.join()).toContain('The first 100 of 105 circles');
    expect((await cycles(graph, { cycle_type: 'calls', max_tokens: 200 })).metadata.truncated).toBe(true);
  });

  test('draws what it answers', async () => {
    const { graph } = await indexed(RING);
    const { diagram } = await cycles(graph, { cycle_type: 'calls', scope: 'lib', format: 'dot' });
    expect(diagram?.match(/->/g)).toHaveLength(3);
  });
});
