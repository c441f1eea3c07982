import { describe, expect, it } from 'vitest';
import { defineWalker, ROOT_ID, Root, type Transaction } from '../../index.js';
import { ENGINES, Fn, Likes, Place, Rail, Road, roads, Thing, Town, the, withGraph } from './graphs.js';

describe.each(ENGINES)('path expressions on %s', (engine) => {
  /** Each behaviour is shown twice: on what is not committed yet, and on what is stored. */
  const shows = async (
    build: (tx: Transaction) => Promise<void>,
    check: (tx: Transaction) => Promise<void>,
  ) =>
    withGraph(engine, async (graph) => {
      await graph.write(async (tx) => {
        await build(tx);
        await check(tx);
      });
      await graph.read(check);
      await graph.write(async (tx) => check(tx));
    });
  const map = (text: string) => (tx: Transaction) => roads(tx, text);

  it('mix edge types by creation', () =>
    shows(
      async (tx) => {
        await roads(tx, 'a b c d');
        const [a, b, c, d] = [await the(tx, 'a'), await the(tx, 'b'), await the(tx, 'c'), await the(tx, 'd')];
        await tx.connect(a, c, Likes);
        await tx.connect(a, b, Rail());
        await tx.connect(a, d, Likes);
      },
      async (tx) => {
        expect(await tx.q('a').out().ids()).toEqual(['c', 'b', 'd']);
        expect(await tx.q('a').out(Likes).ids()).toEqual(['c', 'd']);
        expect(await tx.q('a').out(Road).ids()).toEqual(['b']);
      },
    ));

  it('show a self loop once per direction, and once in any', () =>
    shows(map('a>a a>b'), async (tx) => {
      expect(await tx.q('a').out().ids()).toEqual(['a', 'b']);
      expect(await tx.q('a').in().ids()).toEqual(['a']);
      expect(await tx.q('a').any().edges()).toHaveLength(2);
    }));

  it('filter edges by properties, all of which must hold, whether or not they are inline', () =>
    shows(
      async (tx) => {
        await roads(tx, 'a b c d');
        for (const [to, km, sign] of [
          ['b', 5, 'x'],
          ['c', 10, 'y'],
          ['d', 15, 'y'],
        ] as const)
          await tx.connect(await the(tx, 'a'), await the(tx, to), Road({ km, sign }));
      },
      async (tx) => {
        expect(await tx.q('a').out(Road, { km: 10 }).ids()).toEqual(['c']);
        expect(
          await tx
            .q('a')
            .out(Road, { km: { gt: 5, lte: 15 } })
            .ids(),
        ).toEqual(['c', 'd']);
        expect(
          await tx
            .q('a')
            .out(Road, { km: { in: [5, 15] } })
            .ids(),
        ).toEqual(['b', 'd']);
        expect(
          await tx
            .q('a')
            .out(Road, { km: { ne: 5 }, sign: 'y' })
            .ids(),
        ).toEqual(['c', 'd']);
        expect(
          await tx
            .q('a')
            .out(Road, { sign: { lt: 'y' } })
            .ids(),
        ).toEqual(['b']);
        expect(await tx.q('a').out(Road, { sign: 'y' }).edges()).toHaveLength(2);
        expect(
          await tx
            .q('a')
            .out(Road, { km: { gte: 10, lt: 15 } })
            .ids(),
        ).toEqual(['c']);
      },
    ));

  it('read a missing property as null, and never order values of different kinds', () =>
    shows(
      async (tx) => {
        const root = await the(tx, ROOT_ID);
        for (const [id, weight] of [
          ['none', undefined],
          ['nothing', null],
          ['five', 5],
          ['text', '5'],
        ] as const)
          await tx.connect(root, Thing(weight === undefined ? {} : { weight }, { id }));
      },
      async (tx) => {
        const things = tx.q(ROOT_ID).out();
        expect(await things.of(Thing, { weight: null }).ids()).toEqual(['none', 'nothing']);
        expect(await things.of(Thing, { weight: { lt: 9 } }).ids()).toEqual(['five']);
        expect(await things.of(Thing, { weight: { gte: '0' } }).ids()).toEqual(['text']);
        expect(await things.of(Thing, { weight: { ne: 5 } }).ids()).toEqual(['none', 'nothing', 'text']);
        expect(await things.where({ colour: null }).ids()).toHaveLength(4);
      },
    ));

  it('filter nodes by archetype with its descendants, and a filtered node ends its branch', () =>
    shows(
      async (tx) => {
        await roads(tx, 'r>p p>deep');
        const town = await tx.connect(await the(tx, 'r'), Town({ name: 't' }, { id: 't' }), Road());
        await tx.connect(town, await the(tx, 'p'), Road());
        await tx.connect(await the(tx, 'r'), Thing({}, { id: 'thing' }), Road());
      },
      async (tx) => {
        expect(await tx.q('r').out().of(Place).ids()).toEqual(['p', 't']);
        expect(await tx.q('r').out().of(Town).ids()).toEqual(['t']);
        expect(await tx.q('r').out().of(Town).out().ids()).toEqual(['p']);
        expect(await tx.q('r').out().where({ name: 'p' }).out().ids()).toEqual(['deep']);
        expect(await tx.q('r').out().of(Town, { mayor: 'nobody' }).out().out().ids()).toEqual(['deep']);
        expect(await tx.q('r').out().of(Fn).ids()).toEqual([]);
      },
    ));

  it('give slices of nodes, ids and edges', () =>
    shows(map('a>b a>c a>d'), async (tx) => {
      expect(await tx.q('a').out().slice(1).ids()).toEqual(['c', 'd']);
      expect((await tx.q('a').out().slice(0, -1)).map(({ id }) => id)).toEqual(['b', 'c']);
      expect((await tx.q('a').out().slice(-1).edges()).map(({ to }) => to)).toEqual(['d']);
      expect(await tx.q(['a', 'b']).slice(1).ids()).toEqual(['b']);
    }));

  it('count an undirected edge in every direction from both ends, and as one edge', () =>
    shows(
      async (tx) => {
        await roads(tx, 'a b');
        await tx.connect(await the(tx, 'a'), await the(tx, 'b'), Road(), { undirected: true });
      },
      async (tx) => {
        for (const [here, there] of [
          ['a', 'b'],
          ['b', 'a'],
        ] as const) {
          expect(await tx.q(here).out().ids()).toEqual([there]);
          expect(await tx.q(here).in().ids()).toEqual([there]);
          expect(await tx.q(here).any().edges()).toHaveLength(1);
        }
        expect(await tx.q(['a', 'b']).any().edges()).toHaveLength(1);
      },
    ));

  it('are the same object per node and edge, however they are reached', () =>
    shows(map('a>b c>b'), async (tx) => {
      const [fromA] = await tx.q('a').out();
      const [fromC] = await tx.q('c').out();
      expect(fromA).toBe(fromC);
      expect(fromA).toBe(await tx.node('b'));
      const [out] = await tx.q('a').out().edges();
      const [back] = await tx.q('b').in().edges();
      expect(out).toBe(back);
    }));

  it('are immutable: a longer one leaves the shorter one as it was', () =>
    shows(map('a>b b>c'), async (tx) => {
      const one = tx.q('a').out();
      const two = one.out();
      expect(await one.ids()).toEqual(['b']);
      expect(await two.ids()).toEqual(['c']);
    }));

  it('are evaluated where they are awaited or visited, not later', () =>
    withGraph(engine, async (graph) => {
      const Late = defineWalker('late', {
        access: 'write',
        on: (w) => [
          w.entry(Root, async (here, ctx) => {
            await ctx.connect(here, Place({}, { id: 'before' }));
            await ctx.visit(ctx.q(here).out());
            await ctx.connect(here, Place({}, { id: 'after' }));
          }),
          w.entry(Place, (here, ctx) => ctx.report(here.id as never)),
        ],
      });
      expect((await graph.spawn(Late)).reports).toEqual(['before']);
      expect((await graph.spawn(Late)).reports).toEqual(['before', 'after']);
    }));

  it('of no hop are the origin itself, without what is not there', () =>
    shows(map('a>b'), async (tx) => {
      expect((await tx.q(['b', 'nowhere', 'a'])).map(({ id }) => id)).toEqual(['b', 'a']);
      expect(await tx.q('nowhere').out().ids()).toEqual([]);
    }));
});
