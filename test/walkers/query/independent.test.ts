import { describe, expect, test } from 'vitest';
import { wrongAnswers } from '../../../bench/lib/answers/checks.mjs';
import { exported, indexed } from '../project.js';
import { asked, PYTHON, ROUTES, TANGLED, TYPESCRIPT } from './shops.js';

interface Results {
  readonly results: Readonly<Record<string, object[]>>;
}

describe('every answer is what follows from the export by plain loops', () => {
  test.each([
    ['Python', PYTHON],
    ['TypeScript', TYPESCRIPT],
  ])('for all symbols of a project in %s', async (_, files) => {
    const { graph } = await indexed(files);
    const { asked: counts, wrong } = await wrongAnswers(
      await exported(graph),
      async (walker, input) => (await asked(graph, walker, input)).body,
    );
    expect(wrong).toEqual([]);
    for (const count of Object.values(counts)) expect(count).toBeGreaterThan(2);
  });

  test('for families, barrels and circles too', async () => {
    const { graph } = await indexed(TANGLED);
    const { asked: counts, wrong } = await wrongAnswers(
      await exported(graph),
      async (walker, input) => (await asked(graph, walker, input)).body,
    );
    expect(wrong).toEqual([]);
    for (const count of Object.values(counts)) expect(count).toBeGreaterThan(5);
  });

  test('and for routes, which call what they run', async () => {
    const { graph } = await indexed(ROUTES);
    const ask = async (walker: string, input: Record<string, unknown>) =>
      (await asked(graph, walker, input)).body;
    const { wrong } = await wrongAnswers(await exported(graph), ask);
    expect(wrong).toEqual([]);
    const load = { function_name: 'load', max_depth: 2 };
    expect((await asked<Results>(graph, 'query_callers', load)).body.results.callers).toMatchObject([
      { name: 'read_items', kind: 'function' },
      { name: 'GET /items/', kind: 'route' },
    ]);
    const entry_point = 'GET /items/';
    const drawn = (await asked<Results>(graph, 'query_call_graph', { entry_point })).body;
    expect(drawn.results.edges).toEqual([
      { from_function: 'main.GET /items/', to_function: 'main.read_items', call_type: 'direct', line: 5 },
      { from_function: 'main.read_items', to_function: 'deps.load', call_type: 'direct', line: 7 },
    ]);
    const handed = (await asked<Results>(graph, 'query_callers', { function_name: 'who' })).body;
    expect(handed.results.callers).toEqual([]);
  });

  test('and one that is not is found', async () => {
    const { graph } = await indexed(PYTHON);
    const lines = await exported(graph);
    // The graph is told of one call less than the answers know.
    const without = lines.filter(
      ({ kind, to }) => !(kind === 'CALLS' && to === 'fn:src/auth/services.py:make'),
    );
    const { wrong } = await wrongAnswers(
      without,
      async (walker, input) => (await asked(graph, walker, input)).body,
    );
    expect(new Set(wrong.map(({ walker }) => walker))).toEqual(
      new Set(['query_callers', 'query_call_graph', 'query_dependencies']),
    );
  });

  test('and so is one of a family, a barrel or a circle', async () => {
    const { graph } = await indexed(TANGLED);
    const lines = await exported(graph);
    const ends = ['cls:knot/base.py:Both', 'fn:knot/more.py:loop', 'import:src/index.ts:./one.js~2'];
    const without = lines.filter(({ kind, from }) => kind === 'DEFINES' || !ends.includes(String(from)));
    const { wrong } = await wrongAnswers(
      without,
      async (walker, input) => (await asked(graph, walker, input)).body,
    );
    for (const walker of ['query_hierarchy', 'query_implementations', 'query_exports', 'query_cycles'])
      expect(wrong.map((one) => one.walker)).toContain(walker);
  });
});
