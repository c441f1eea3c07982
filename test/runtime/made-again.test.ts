import { expect, it } from 'vitest';
import { defineWalker } from '../../index.js';
import { ENGINES, Likes, Place, the, withGraph } from './graphs.js';

it.each(ENGINES)(
  'a node that is deleted and made again in one run in steps keeps its new edges: %s',
  (engine) =>
    withGraph(engine, async (graph) => {
      await graph.write(async (tx) => {
        const a = await tx.create(Place({ name: 'a' }, { id: 'a' }));
        const b = await tx.create(Place({ name: 'b' }, { id: 'b' }));
        await tx.connect(a, b, Likes());
      });
      for (const forget of [false, true]) {
        const Again = defineWalker('again', {
          access: 'steps',
          run: async (_here, ctx) => {
            const old = await the(ctx, 'b');
            await ctx.del([old]);
            await ctx.commit();
            const [made] = await ctx.createAll([Place({ name: 'b' }, { id: 'b' })]);
            await ctx.commit();
            const [a, b] = await ctx.nodes(['a', 'b']);
            expect(b).toBeDefined();
            expect(made?.id).toBe('b');
            if (a && b) ctx.connectAll([{ from: a, to: b, edge: Likes() }]);
            await ctx.commit({ forget });
          },
        });
        await graph.spawn(Again);
        expect(await graph.read(async (tx) => (await tx.node('b'))?.id)).toBe('b');
        expect(await graph.read(async (tx) => (await tx.q('a').out(Likes).of(Place)).length)).toBe(1);
      }
    }),
);
