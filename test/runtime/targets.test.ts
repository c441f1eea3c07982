import { describe, expect, it } from 'vitest';
import { CodewalkError, defineWalker, ROOT_ID, Root } from '../../index.js';
import { Likes, Place, roads, withGraph } from './graphs.js';

/** What people who write JavaScript give: the compiler of this test would refuse it. */
const untyped = (value: unknown) => value as never;

const Collect = defineWalker('collect', {
  state: () => ({ seen: [] as string[] }),
  on: (w) => [w.entry(Place, (here, ctx) => void ctx.state.seen.push(here.id))],
});

describe('what is named as a target', () => {
  it('may have holes, as look-ups of several ids leave them: they count as nothing', () =>
    withGraph('memory', async (graph) => {
      await graph.write((tx) => roads(tx, 'a b'));
      const answers: unknown[] = [];
      const Holes = defineWalker('holes', {
        access: 'write',
        state: () => ({ seen: [] as string[] }),
        on: (w) => [
          w.entry(Root, async (here, ctx) => {
            const found = await ctx.nodes(['a', 'nowhere', 'b']);
            answers.push(await ctx.visit(untyped(found)), await ctx.visit(untyped([undefined, null])));
            answers.push(await ctx.visit(untyped(undefined)), await ctx.connect(here, untyped(found), Likes));
            answers.push(
              await ctx
                .q(untyped([null, here]))
                .out(Likes)
                .ids(),
            );
            answers.push((await ctx.spawn(Collect, untyped(found))).state.seen);
          }),
          w.entry(Place, (here, ctx) => void ctx.state.seen.push(here.id)),
        ],
      });
      const { state, path } = await graph.spawn(Holes);
      const [a, b] = path.slice(1);
      expect(answers).toEqual([true, false, false, [a, b], ['a', 'b'], ['a', 'b']]);
      expect(state.seen).toEqual(['a', 'b']);
      expect(await graph.read((tx) => tx.q(ROOT_ID).out(Likes).ids())).toEqual(['a', 'b']);
    }));

  it.each([
    [42, '42'],
    ['a', "'a'"],
    [{ id: 'a' }, '{"id":"a"}'],
  ])('must be locations: %j is refused by its value', (value, shown) =>
    withGraph('memory', async (graph) => {
      const said: string[] = [];
      const saying = async (action: () => unknown) => {
        try {
          await action();
        } catch (thrown) {
          if (!(thrown instanceof CodewalkError)) throw thrown;
          said.push(`${thrown.code} ${thrown.message}`);
        }
      };
      const Wrong = defineWalker('wrong', {
        access: 'write',
        run: async (here, ctx) => {
          await saying(() => ctx.visit(untyped([here, value])));
          await saying(() => ctx.spawn(Collect, untyped(value)));
          await saying(() => ctx.connect(here, untyped(value)));
          await saying(() => ctx.connectAll([{ from: here, to: untyped(value), edge: Likes() }]));
          await saying(() => ctx.del(untyped(value)));
        },
      });
      await graph.spawn(Wrong);
      expect(said).toEqual([
        `INVALID_INPUT cannot visit ${shown}: it is no node or edge`,
        `INVALID_INPUT cannot spawn collect on ${shown}: it is no node or edge`,
        `INVALID_INPUT cannot connect ${shown}: it is no node or edge`,
        `INVALID_INPUT cannot connect ${shown}: it is no node or edge`,
        `INVALID_INPUT cannot delete ${shown}: it is no node or edge`,
      ]);
    }),
  );
});
