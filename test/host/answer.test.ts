import { describe, expect, it } from 'vitest';
import { answer, openGraph } from '../../host/index.js';
import { defineWalker, Root, type WalkerType } from '../../index.js';

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
