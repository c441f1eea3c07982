import { describe, expect, it } from 'vitest';
import {
  type Ability,
  type AbilityBuilder,
  defineWalker,
  isEdgeRef,
  onArrival,
  type ReadContext,
  ROOT_ID,
  Root,
  z,
} from '../../index.js';
import { codeOf, ENGINES, Likes, Place, Rail, Road, roads, Town, the, withGraph } from './graphs.js';

type Context = ReadContext<{ log: string[] }, never>;
const nameOf = (location: { readonly id: string }) => location.id;

/** A reading walker that writes down what happens in `state.log`. */
const logger = (on: (w: AbilityBuilder<Context>) => readonly Ability[], name = 'logger') =>
  defineWalker(name, { state: () => ({ log: [] as string[] }), on });

describe.each(ENGINES)('walks on %s', (engine) => {
  /** Walks a graph made by {@link roads} from `start` and gives the log. */
  const walk = async (
    map: string,
    walker: ReturnType<typeof logger>,
    start: string | string[] = 'r',
    arrivals: Parameters<typeof withGraph>[2] = {},
  ) => {
    let log: string[] = [];
    await withGraph(
      engine,
      async (graph) => {
        await graph.write((tx) => roads(tx, map));
        const from = await graph.read((tx) => tx.nodes([start].flat()));
        ({
          state: { log },
        } = await graph.spawn(
          walker,
          from.filter((node) => node !== undefined),
        ));
      },
      arrivals,
    );
    return log.join(' ');
  };
  const TREE = 'r>a r>b a>a1 a>a2 b>b1';

  describe('depth', () => {
    it('visits once, up to a depth, and knows the distance of all that it reached and the way there', async () => {
      const Near = defineWalker('near', {
        input: { max_depth: z.number() },
        report: z.string(),
        on: (w) => [
          w.entry(Place, async (here, ctx) => {
            ctx.report(`${here.id}${ctx.depth}`);
            await ctx.visit(ctx.q(here).out(), { once: true, maxDepth: ctx.state.max_depth });
          }),
          w.exit(Place, (here, ctx) => ctx.report(`-${here.id}${ctx.depth}`)),
        ],
        finish: ({ distance, path }) => ({ far: distance('d'), way: path('d'), start: distance('r') }),
      });
      await withGraph(engine, async (graph) => {
        await graph.write((tx) => roads(tx, 'r>a r>b a>c b>c c>d c>r d>e'));
        const start = await graph.read((tx) => the(tx, 'r'));
        const { reports, output, reached } = await graph.spawn(Near, start, { max_depth: 3 });
        expect(reports.join(' ')).toBe('r0 a1 b1 c2 d3 -d3 -c2 -b1 -a1 -r0');
        expect(output).toEqual({ far: 3, way: ['d', 'c', 'a', 'r'], start: undefined });
        expect(reached.ids).toEqual(['a', 'b', 'c', 'd']);
      });
    });

    it('goes from frontier to frontier: all nodes of a depth at once, each on its cheapest way', async () => {
      const Frontiers = defineWalker('frontiers', {
        input: { max_depth: z.number() },
        report: z.string(),
        on: (w) => [
          w.frontier(async (ids, ctx) => {
            ctx.report(`${ids.join('+')}@${ctx.depth}`);
            const roads = await ctx.q(ids).out(Road).edges();
            const hops = roads.map(({ from, to, km }) => ({ from, to, cost: km }));
            await ctx.visit(hops, { maxDepth: ctx.state.max_depth });
          }),
        ],
        finish: ({ distance, path }) => ({ b: distance('b'), way: path('b') }),
      });
      await withGraph(engine, async (graph) => {
        await graph.write(async (tx) => {
          await roads(tx, 'r>a a>c c>b c>r b>d');
          await tx.connect(await the(tx, 'r'), await the(tx, 'b'), Road({ km: 5 }));
        });
        const { reports, output, figures, path } = await graph.spawn(Frontiers, ['r'], { max_depth: 3 });
        expect(reports).toEqual(['r@0', 'a@1', 'c@2', 'b@3']);
        expect(output).toEqual({ b: 3, way: ['b', 'c', 'a', 'r'] });
        expect(figures.visits).toBe(4);
        expect(path).toEqual([]);
        const one = await graph.spawn(Frontiers, ['r'], { max_depth: 9 }, { limits: { maxVisits: 2 } });
        expect(one.truncated?.by).toBe('visits');
      });
    });

    it('stays where it starts, and answers there', async () => {
      const Stays = defineWalker('stays', {
        input: { times: z.number().default(2) },
        run: async (here, ctx) => `${here.id} ${(await ctx.q(here).out().ids()).length * ctx.state.times}`,
      });
      await withGraph(engine, async (graph) => {
        await graph.write((tx) => roads(tx, TREE));
        const start = await graph.read((tx) => the(tx, 'a'));
        expect((await graph.spawn(Stays, start)).output).toBe('a 4');
        const { output, path } = await graph.spawn(Stays, null, { times: 1 });
        expect(output).toBe('root 0');
        expect(path.map(nameOf)).toEqual(['root']);
      });
    });
  });

  describe('order', () => {
    it('runs what an exit queues before the next pending exit', async () => {
      const walker = logger((w) => [
        w.entry(Place, async (here, ctx) => {
          ctx.state.log.push(here.id);
          if (here.id === 'r') await ctx.visit(ctx.q(here).out());
        }),
        w.exit(Place, async (here, ctx) => {
          ctx.state.log.push(`-${here.id}`);
          if (here.id === 'b') await ctx.visit(ctx.q(here).out());
        }),
      ]);
      expect(await walk(TREE, walker)).toBe('r a b -b b1 -b1 -a -r');
    });

    it('is the same whether siblings were read ahead together or not', async () => {
      const walker = (ahead: boolean) =>
        logger((w) => [
          w.entry(Place, async (here, ctx) => {
            ctx.state.log.push(here.id);
            // A path that starts elsewhere is never read ahead.
            const next = ahead
              ? ctx.q(here).out(Road).out(Road)
              : ctx.q([here.id, here.id, 'nowhere']).out(Road).out(Road);
            await ctx.visit(await next);
          }),
        ]);
      const map = 'r>a r>b a>c a>d b>d b>e c>f d>f d>g e>h f>i g>i h>i c>j';
      expect(await walk(map, walker(true))).toBe(await walk(map, walker(false)));
    });
  });

  describe('visit', () => {
    it('of a list of edges queues the edges alone, and of nodes never wakes edges', async () => {
      const walker = logger((w) => [
        w.entry(Place, async (here, ctx) => {
          ctx.state.log.push(here.id);
          if (here.id !== 'r') return;
          await ctx.visit(await ctx.q(here).out().edges());
          await ctx.visit(ctx.q(here).out());
        }),
        w.entry(Road, (edge, ctx) => void ctx.state.log.push(`${edge.from}${edge.to}`)),
      ]);
      expect(await walk('r>a', walker)).toBe('r ra a');
    });
  });

  describe('abilities', () => {
    const say = (text: string) => (_: unknown, visitor: unknown) =>
      void (visitor as { state: { log: string[] } }).state.log.push(text);

    it('all run that match, by archetype and its ancestors; a union runs once', async () => {
      const walker = logger((w) => [
        w.entry(Town, (_, ctx) => void ctx.state.log.push('town')),
        w.entry([Place, Town], (_, ctx) => void ctx.state.log.push('union')),
        w.entry(Place, (_, ctx) => void ctx.state.log.push('place')),
        w.entry(Root, (_, ctx) => void ctx.state.log.push('root')),
      ]);
      await withGraph(engine, async (graph) => {
        const town = await graph.write((tx) => tx.create(Town()));
        expect((await graph.spawn(walker, town)).state.log).toEqual(['town', 'union', 'place']);
      });
    });

    it('are inherited, and an override stands in the place of what it replaces', async () => {
      const base = logger(
        (w) => [
          w.entry(Place, (_, ctx) => void ctx.state.log.push('one'), { name: 'one' }),
          w.entry(Place, (_, ctx) => void ctx.state.log.push('two')),
        ],
        'base',
      );
      const sub = defineWalker('sub', {
        extends: base,
        state: () => ({ log: [] as string[] }),
        on: (w) => [
          w.entry(Place, (_, ctx) => void ctx.state.log.push('three')),
          w.entry(Place, (_, ctx) => void ctx.state.log.push('ONE'), { name: 'one' }),
        ],
      });
      expect(await walk('r', sub)).toBe('ONE two three');
    });

    it('of locations are inherited from ancestor archetypes, and fire for walkers that inherit', async () => {
      const base = logger(() => [], 'base');
      const sub = defineWalker('sub', {
        extends: base,
        state: () => ({ log: [] as string[] }),
        on: () => [],
      });
      const arrivals = [
        onArrival(Town, 'entry', null, say('town')),
        onArrival(Place, 'entry', base, say('place')),
      ];
      await withGraph(
        engine,
        async (graph) => {
          const town = await graph.write((tx) => tx.create(Town()));
          expect((await graph.spawn(sub, town)).state.log).toEqual(['town', 'place']);
        },
        { arrivals },
      );
    });

    it('that are asynchronous are awaited one after the other', async () => {
      const later = () => new Promise((resolve) => setTimeout(resolve, 1));
      const walker = logger((w) => [
        w.entry(Place, async (here, ctx) => {
          await ctx.visit(ctx.q(here).out());
          ctx.state.log.push(`${here.id}(`);
          await later();
          ctx.state.log.push(`)${here.id}`);
        }),
        w.entry(Place, (here, ctx) => void ctx.state.log.push(here.id)),
      ]);
      expect(await walk('r>a', walker)).toBe('r( )r r a( )a a');
    });
  });

  describe('skip and disengage', () => {
    const stopping = (stop: (ctx: Context) => void) =>
      logger((w) => [
        w.entry(Place, async (here, ctx) => {
          ctx.state.log.push(here.id);
          await ctx.visit(ctx.q(here).out());
          if (here.id === 'a') stop(ctx);
        }),
        w.entry(Place, (here, ctx) => void ctx.state.log.push(`${here.id}'`)),
        w.exit(Place, (here, ctx) => void ctx.state.log.push(`-${here.id}`)),
        w.exit((ctx) => void ctx.state.log.push('end')),
      ]);

    it('disengage ends it also when a catch swallows it', async () => {
      const swallowed = stopping((ctx) => {
        try {
          ctx.disengage();
        } catch {
          // As people write it.
        }
      });
      expect(await walk(TREE, swallowed)).toBe("r r' a");
    });
  });

  describe('spawning', () => {
    const Names = defineWalker('names', {
      report: z.string(),
      state: () => ({ count: 0 }),
      on: (w) => [
        w.entry(Place, async (here, ctx) => {
          ctx.state.count += 1;
          ctx.report(here.id);
          if (here.id === 'stop') ctx.disengage();
        }),
      ],
    });

    it('on a list takes all in order, an edge with its target, and refuses an empty list', () =>
      withGraph(engine, async (graph) => {
        await graph.write((tx) => roads(tx, 'a>b c'));
        const c = await graph.read((tx) => the(tx, 'c'));
        const [edge] = await graph.read(async (tx) => tx.q('a').out().edges());
        if (!edge) return;
        const { reports, path } = await graph.spawn(Names, [c, edge, c]);
        expect(reports).toEqual(['c', 'b', 'c']);
        expect(path.map((location) => isEdgeRef(location))).toEqual([false, true, false, false]);
        expect((await graph.spawn(Names, edge)).reports).toEqual(['b']);
        expect(await codeOf(() => graph.spawn(Names, []))).toBe('INVALID_INPUT');
      }));

    it('again keeps the fields; path, reports and the disengaged flag are fresh', () =>
      withGraph(engine, async (graph) => {
        await graph.write((tx) => roads(tx, 'stop a'));
        const [stop, a] = await graph.read((tx) => tx.nodes(['stop', 'a']));
        const first = await graph.spawn(Names, stop);
        expect(first).toMatchObject({ disengaged: true, reports: ['stop'] });
        const again = await graph.spawn(first.walker, a);
        expect(again).toMatchObject({ disengaged: false, reports: ['a'], state: { count: 2 } });
        expect(again.path).toHaveLength(1);
      }));

    it('inside a walk runs to its end, has its own disengage, and its reports join the outer ones in place', () =>
      withGraph(engine, async (graph) => {
        await graph.write((tx) => roads(tx, 'stop>a'));
        const Outer = defineWalker('outer', {
          report: z.string(),
          on: (w) => [
            w.entry(Place, async (here, ctx) => {
              ctx.report('before');
              const inner = await ctx.spawn(Names, here);
              expect(inner).toMatchObject({ reports: ['stop'], disengaged: true });
              ctx.report('after');
            }),
          ],
        });
        expect((await graph.spawn(Outer, await graph.read((tx) => the(tx, 'stop')))).reports).toEqual([
          'before',
          'stop',
          'after',
        ]);
      }));

    it('ends with the error of an ability at once, and writes nothing; one that is caught does not count', () =>
      withGraph(engine, async (graph) => {
        const log: string[] = [];
        const Failing = defineWalker('failing', {
          access: 'write',
          input: { caught: z.boolean() },
          on: (w) => [
            w.entry(Root, async (here, ctx) => {
              await ctx.connect(here, Place({}, { id: 'made' }), Likes);
              try {
                throw new Error('broken');
              } catch (error) {
                if (!ctx.state.caught) throw error;
              }
            }),
            w.exit(Root, () => void log.push('exit')),
          ],
        });
        await expect(graph.spawn(Failing, null, { caught: false })).rejects.toThrow('broken');
        expect(log).toEqual([]);
        expect(await graph.read((tx) => tx.node('made'))).toBeUndefined();
        await graph.spawn(Failing, null, { caught: true });
        expect(log).toEqual(['exit']);
        expect(await graph.read((tx) => tx.q(ROOT_ID).out().ids())).toEqual(['made']);
      }));

    it('checks its input and names the field', () =>
      withGraph(engine, async (graph) => {
        const Typed = defineWalker('typed', { input: { depth: z.number().max(5).default(2) }, on: () => [] });
        expect((await graph.spawn(Typed)).state.depth).toBe(2);
        expect(await codeOf(() => graph.spawn(Typed, null, { depth: 9 }))).toBe('INVALID_INPUT');
        // @ts-expect-error there is no such field
        await expect(graph.spawn(Typed, null, { dpeth: 1 })).rejects.toThrow(/dpeth/);
      }));

    it('begins where the walker says, and ends with its answer', () =>
      withGraph(engine, async (graph) => {
        await graph.write((tx) => roads(tx, 'a b'));
        const Count = defineWalker('count', {
          report: z.string(),
          output: z.object({ total: z.number() }),
          start: (ctx) => ctx.find(Place),
          on: (w) => [w.entry(Place, (here, ctx) => ctx.report(here.name))],
          finish: ({ reports }) => ({ total: reports.length }),
        });
        const { output, reports } = await graph.spawn(Count);
        expect(output).toEqual({ total: 2 });
        expect(reports).toEqual(['a', 'b']);
      }));
  });

  it('take few round trips: by the depth of the walk, not by its nodes', () =>
    withGraph(engine, async (graph) => {
      const level = (n: number) => Array.from({ length: 20 }, (_, i) => `${n}.${i}`);
      await graph.write(async (tx) => {
        const root = await tx.create(Place({}, { id: 'r' }));
        let above = [root];
        for (let n = 1; n <= 4; n += 1) {
          const here = await tx.createAll(level(n).map((id) => Place({}, { id })));
          tx.connectAll(here.map((to, i) => ({ from: above[i % above.length] ?? root, to, edge: Rail() })));
          above = here;
        }
      });
      const walker = logger((w) => [
        w.entry(Place, async (here, ctx) => {
          ctx.state.log.push(here.id);
          await ctx.visit(ctx.q(here).out(Rail));
        }),
      ]);
      const { state, figures } = await graph.spawn(walker, await graph.read((tx) => the(tx, 'r')));
      expect(state.log).toEqual(['r', ...[1, 2, 3, 4].flatMap(level)]);
      expect(figures.visits).toBe(81);
      expect(figures.roundTrips).toBeLessThanOrEqual(2 * 5);
    }));
});
