import { describe, expect, test } from 'vitest';
import { wrongAnswers } from '../../../bench/lib/answers/checks.mjs';
import { exported, indexed } from '../project.js';
import { asked, PYTHON, TANGLED, TYPESCRIPT } from './shops.js';

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
