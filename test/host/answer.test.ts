import { describe, expect, it } from 'vitest';
import { answer, answerSchema, openGraph } from '../../host/index.js';
import { CodewalkError, defineWalker, Root, type WalkerType, z } from '../../index.js';

/** The answer of one walker, by what it said. */
async function answerOf(walker: WalkerType, limits = {}) {
  await using graph = await openGraph(':memory:', { bare: true, walkers: [walker] });
  return answer(graph, walker.name, {}, { limits });
}

describe('an answer that was cut', () => {
  const Chatty = defineWalker('chatty', {
    on: (w) => [
      w.entry(Root, async (here, ctx) => {
        ctx.report('x'.repeat(10) as never);
        await ctx.visit(here);
      }),
    ],
  });

  it.each([
    [{ maxVisits: 1000 }, '1,000 visits'],
    [{ maxBytes: 24 }, '24 bytes'],
    [{ deadlineMs: 0 }, '0 ms'],
  ])('says its limit with its unit: %j', async (limits, said) => {
    const { body, markdown } = await answerOf(Chatty, limits);
    expect(body).toMatchObject({ state: { cut: [`The run ended early at its limit of ${said}.`] } });
    expect(markdown).toContain(said);
  });
});

describe('what a walker declares is held', () => {
  const failing = async (walker: WalkerType) => {
    const error = await answerOf(walker).catch((thrown: unknown) => thrown);
    return error instanceof CodewalkError ? `${error.code} ${error.message}` : error;
  };

  it('for its reports, by walker, field and value', async () => {
    const Rows = defineWalker('rows', {
      report: z.object({ size: z.number() }),
      on: (w) => [w.entry((ctx) => ctx.report({ size: 'large' } as never))],
    });
    expect(await failing(Rows)).toMatch(
      /^WALKER_FAILED the report of the walker 'rows' does not fit its schema: .*size.*\(given: 'large'\)$/,
    );
  });

  it('for its output', async () => {
    const Count = defineWalker('count', {
      output: z.object({ total: z.number() }),
      on: () => [],
      finish: () => ({ total: null }) as never,
    });
    expect(await failing(Count)).toMatch(/^WALKER_FAILED the output of the walker 'count' .*total.*null/);
  });

  it('for reports of walkers that it spawns, which join its own', async () => {
    const Inner = defineWalker('inner', {
      report: z.number(),
      on: (w) => [w.entry((ctx) => ctx.report(1))],
    });
    const Outer = defineWalker('outer', {
      report: z.string(),
      on: (w) => [w.entry(Root, async (here, ctx) => void (await ctx.spawn(Inner, here)))],
    });
    expect(await failing(Outer)).toMatch(/^WALKER_FAILED the answer of the walker 'outer' .*reports/);
  });

  it('and an output without a schema may be anything', async () => {
    const Free = defineWalker('free', { on: () => [], finish: () => ({ any: 'thing' }) });
    expect((await answerOf(Free)).body).toMatchObject({ any: 'thing' });
    expect(answerSchema(Free).safeParse((await answerOf(Free)).body).success).toBe(true);
  });
});
