import { describe, expect, it } from 'vitest';
import {
  defineEdge,
  defineWalker,
  type EdgeRef,
  type NodeRef,
  type OpenGraph,
  type Progress,
  ROOT_ID,
  type Transaction,
  z,
} from '../../index.js';
import { codeOf, ENGINES, Likes, Place, Road, roads, Town, the, withGraph } from './graphs.js';

/** A promise that is kept from outside: lets a test decide in which order two runs go on. */
function gate() {
  let open: () => void = () => undefined;
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open };
}

describe.each(ENGINES)('runs on %s', (engine) => {
  const sizeOf = async (graph: OpenGraph, id: string) =>
    graph.read(async (tx) => (await tx.q(id).of(Place))[0]?.size ?? (await the(tx, id)));
  const counter = (graph: OpenGraph) =>
    graph.write((tx) => tx.create(Place({ name: 'counter', size: 0 }, { id: 'counter' })));
  const storedEdges = async (tx: Transaction) => {
    let count = 0;
    for await (const page of tx.storedEdges('durable')) count += page.length;
    return count;
  };
  const Increment = defineWalker('increment', {
    access: 'write',
    on: (w) => [
      w.entry(Place, async (here, ctx) => {
        await Promise.resolve();
        ctx.set<typeof Place>(here, { size: (here.size ?? 0) + 1 });
      }),
    ],
  });

  describe('access', () => {
    it('of steps commits when the walker says so, and what came before an error stays', () =>
      withGraph(engine, async (graph) => {
        const Steps = defineWalker('steps', {
          access: 'steps',
          run: async (here, ctx) => {
            await ctx.connect(here, Place({}, { id: 'first' }), Likes);
            await ctx.commit();
            await ctx.connect(here, Place({}, { id: 'second' }), Likes);
            throw new Error('broken');
          },
        });
        await expect(graph.spawn(Steps)).rejects.toThrow('broken');
        expect(await graph.read((tx) => tx.q(ROOT_ID).out().ids())).toEqual(['first']);
      }));

    it('of steps goes on with the same objects, and sees what others did between two steps', () =>
      withGraph(engine, async (graph) => {
        await counter(graph);
        const Between = defineWalker('between', {
          access: 'steps',
          on: (w) => [
            w.entry(Place, async (here, ctx) => {
              await ctx.connect(here, Place({}, { id: 'mine' }), Road());
              const other = graph.spawn(Increment, here);
              await ctx.commit();
              await other;
              await ctx.commit();
              expect(here.size).toBe(1);
              expect(await ctx.node('counter')).toBe(here);
              ctx.set<typeof Place>(here, { size: (here.size ?? 0) + 1 });
            }),
          ],
        });
        const start = await graph.read((tx) => the(tx, 'counter'));
        await graph.spawn(Between, start);
        expect(await sizeOf(graph, 'counter')).toBe(2);
      }));

    it('of steps can let go of what it has seen: a node that it asks for again is another object', () =>
      withGraph(engine, async (graph) => {
        const Forgetful = defineWalker('forgetful', {
          access: 'steps',
          run: async (_here, ctx) => {
            const made = await ctx.create(Place({ size: 1 }, { id: 'made' }));
            await ctx.commit({ forget: true });
            const again = await ctx.node('made');
            expect(again).not.toBe(made);
            expect(again).toMatchObject({ id: 'made', size: 1 });
          },
        });
        await graph.spawn(Forgetful);
      }));

    it('of steps sees the bytes that it put, before and after its commit', () =>
      withGraph(engine, async (graph) => {
        const bytes = (text: string) => new TextEncoder().encode(text);
        const seen: (string | undefined)[][] = [];
        const Putting = defineWalker('putting', {
          access: 'steps',
          run: async (_here, ctx) => {
            const look = async () => {
              const found = await ctx.blobs(['a', 'b', 'c']);
              seen.push(found.map((one) => one && new TextDecoder().decode(one)));
            };
            ctx.putBlob('a', bytes('old'));
            ctx.putBlob('b', bytes('stays'));
            await look();
            await ctx.commit();
            ctx.putBlob('a', bytes('new'));
            ctx.putBlob('c', bytes('more'));
            await look();
            ctx.putBlob('a', undefined);
            await look();
            await ctx.commit();
            await look();
          },
        });
        await graph.spawn(Putting);
        expect(seen).toEqual([
          ['old', 'stays', undefined],
          ['new', 'stays', 'more'],
          [undefined, 'stays', 'more'],
          [undefined, 'stays', 'more'],
        ]);
      }));

    it('of a write keeps bytes beside either layer, and counts together with others that do', () =>
      withGraph(engine, async (graph) => {
        const Counting = defineWalker('counting', {
          access: 'write',
          run: async (_here, ctx) => {
            const [known] = await ctx.blobs(['count'], 'durable');
            ctx.putBlob('count', Uint8Array.of((known?.[0] ?? 0) + 1), 'durable');
            ctx.putBlob('last', Uint8Array.of(1));
          },
        });
        await Promise.all(Array.from({ length: 8 }, () => graph.spawn(Counting)));
        await graph.read(async (tx) => {
          expect(await tx.blobs(['count', 'last'], 'durable')).toEqual([Buffer.of(8), undefined]);
          expect(await tx.blobs(['count', 'last'])).toEqual([undefined, Buffer.of(1)]);
        });
      }));

    it('of a transaction is all or nothing', () =>
      withGraph(engine, async (graph) => {
        const failing = graph.write(async (tx) => {
          await roads(tx, 'a>b');
          throw new Error('broken');
        });
        await expect(failing).rejects.toThrow('broken');
        expect(await graph.read((tx) => tx.findIds(Place))).toEqual([]);
      }));
  });

  describe('versions', () => {
    it('stay as they were while others commit, and are let go at the end', () =>
      withGraph(engine, async (graph) => {
        await graph.write((tx) => roads(tx, 'a>b'));
        const { passed, open } = gate();
        const reading = graph.read(async (tx) => {
          const before = await tx.q('a').out().ids();
          await passed;
          return {
            before,
            edges: await tx.q('b').out().ids(),
            node: await tx.node('c'),
            found: await tx.findIds(Place),
            liked: await tx.q('a').out(Likes).ids(),
            stored: await storedEdges(tx),
          };
        });
        await graph.write(async (tx) => {
          await tx.connect(await the(tx, 'b'), Place({}, { id: 'c' }), Road());
          await tx.connect(await the(tx, 'a'), await the(tx, 'b'), Likes);
        });
        open();
        expect(await reading).toEqual({
          before: ['b'],
          edges: [],
          node: undefined,
          found: ['a', 'b'],
          liked: [],
          stored: 1,
        });
        expect(await graph.read((tx) => tx.q('b').out().ids())).toEqual(['c']);
      }));

    it('that begin while a commit is being written see all of it or nothing', () =>
      withGraph(engine, async (graph) => {
        const many = Array.from({ length: 300 }, (_, n) => `n${n}`);
        const writing = graph.write((tx) => tx.createAll(many.map((id) => Place({}, { id }))));
        const counts = new Set<number>();
        let written = false;
        void writing.then(() => {
          written = true;
        });
        while (!written) {
          await graph.read(async (tx) => {
            const before = (await tx.nodes(many)).filter((node) => node !== undefined).length;
            await new Promise((resolve) => setImmediate(resolve));
            counts.add(before).add((await tx.findIds(Place)).length);
          });
        }
        await writing;
        expect([...counts].filter((count) => count !== 0 && count !== many.length)).toEqual([]);
      }));

    it('of a walk are one, however long it takes', () =>
      withGraph(engine, async (graph) => {
        await graph.write((tx) => roads(tx, 'a>b b>c'));
        const Slow = defineWalker('slow', {
          report: z.string(),
          on: (w) => [
            w.entry(Place, async (here, ctx) => {
              ctx.report(here.id);
              if (here.id === 'a')
                await graph.write(async (tx) => {
                  await tx.del((await tx.node('c')) ?? []);
                  tx.set(await the(tx, 'b'), { name: 'changed' });
                });
              ctx.report(here.name);
              await ctx.visit(ctx.q(here).out());
            }),
          ],
        });
        const a = await graph.read((tx) => the(tx, 'a'));
        expect((await graph.spawn(Slow, a)).reports).toEqual(['a', 'a', 'b', 'b', 'c', 'c']);
        expect((await graph.spawn(Slow, a)).reports).toEqual(['a', 'a', 'b', 'changed']);
      }));
  });

  describe('conflicts', () => {
    it('replay: no update is lost, also when the start was read long ago', () =>
      withGraph(engine, async (graph) => {
        const start = await counter(graph);
        const runs = await Promise.all([1, 2, 3].map(() => graph.spawn(Increment, start)));
        await graph.spawn(Increment, start);
        expect(await sizeOf(graph, 'counter')).toBe(4);
        expect(runs.map(({ figures }) => figures.replays)).toEqual([0, 1, 1]);
      }));

    it('replay in turn: every writer of a crowd comes through, and gives up on none', () =>
      withGraph(engine, async (graph) => {
        const start = await counter(graph);
        const Slow = defineWalker('slow_increment', {
          access: 'write',
          on: (w) => [
            w.entry(Place, async (here, ctx) => {
              await new Promise((resolve) => setImmediate(resolve));
              ctx.set<typeof Place>(here, { size: (here.size ?? 0) + 1 });
            }),
          ],
        });
        const add = () =>
          graph.write(async (tx) => {
            const here = await the(tx, 'counter');
            tx.set<typeof Place>(here, { size: Number(here.size) + 1 });
          });
        const crowd = Array.from({ length: 24 }, (_, n) => (n % 2 ? graph.spawn(Slow, start) : add()));
        await Promise.all(crowd);
        expect(await sizeOf(graph, 'counter')).toBe(24);
      }));

    it.each(['by a path', 'by a look-up', 'by an id', 'along an edge type that is new'])(
      'make find-or-create make one node: %s',
      (how) =>
        withGraph(engine, async (graph) => {
          const Knows = defineEdge('Knows', {});
          const Find = defineWalker('find_or_create', {
            access: 'write',
            run: async (here, ctx) => {
              const there =
                how === 'by a path'
                  ? await ctx.q(here).out().of(Town, { name: 'x' })
                  : how === 'by a look-up'
                    ? await ctx.find(Town, { name: 'x' })
                    : how === 'by an id'
                      ? [await ctx.node('x')].filter((node) => node !== undefined)
                      : await ctx.q(here).out(Knows);
              await new Promise((resolve) => setImmediate(resolve));
              if (there.length === 0)
                await ctx.connect(here, Town({ name: 'x' }, how === 'by an id' ? { id: 'x' } : {}), Knows);
            },
          });
          await Promise.all([graph.spawn(Find), graph.spawn(Find), graph.spawn(Find)]);
          expect(await graph.read((tx) => tx.findIds(Town))).toHaveLength(1);
          expect(await graph.read(async (tx) => tx.q(ROOT_ID).out().edges())).toHaveLength(1);
        }),
    );

    it('give up after ten attempts', () =>
      withGraph(engine, async (graph) => {
        const start = await counter(graph);
        let attempts = 0;
        const Unlucky = defineWalker('unlucky', {
          access: 'write',
          on: (w) => [
            w.entry(Place, async (here, ctx) => {
              attempts += 1;
              await graph.spawn(Increment, start);
              ctx.set<typeof Place>(here, { size: -1 });
            }),
          ],
        });
        expect(await codeOf(() => graph.spawn(Unlucky, start))).toBe('CONFLICT');
        expect(attempts).toBe(10);
        expect(await sizeOf(graph, 'counter')).toBe(10);
      }));

    it('do not arise between runs that touch different things', () =>
      withGraph(engine, async (graph) => {
        await graph.write((tx) => roads(tx, 'a b'));
        const [a, b] = await graph.read((tx) => tx.nodes(['a', 'b']));
        if (!a || !b) return;
        const runs = await Promise.all([graph.spawn(Increment, a), graph.spawn(Increment, b)]);
        expect(runs.map(({ figures }) => figures.replays)).toEqual([0, 0]);
      }));

    it('start an instance again with the fields that it had, references among them', () =>
      withGraph(engine, async (graph) => {
        const start = await counter(graph);
        const seen: number[] = [];
        const Collecting = defineWalker('collecting', {
          access: 'write',
          state: () => ({ nodes: [] as NodeRef[] }),
          on: (w) => [
            w.entry(Place, async (here, ctx) => {
              seen.push(ctx.state.nodes.length);
              ctx.state.nodes.push(here);
              if (seen.length === 2) await graph.spawn(Increment, start);
              ctx.set<typeof Place>(here, { size: (here.size ?? 0) + 1 });
            }),
          ],
        });
        const first = await graph.spawn(Collecting, start);
        const second = await graph.spawn(first.walker, start);
        expect(seen).toEqual([0, 1, 1]);
        expect(second.state.nodes).toHaveLength(2);
      }));
  });

  describe('bounds', () => {
    const Around = defineWalker('around', {
      report: z.string(),
      on: (w) => [
        w.entry(Place, async (here, ctx) => {
          ctx.report(here.id);
          await ctx.visit(ctx.q(here).out());
        }),
        w.exit((ctx) => ctx.report('end')),
      ],
    });
    const ring = async (graph: OpenGraph) => {
      await graph.write((tx) => roads(tx, 'a>b b>a'));
      return graph.read((tx) => the(tx, 'a'));
    };

    const Nesting = defineWalker('nesting', {
      on: (w) => [w.entry(Place, async (here, ctx) => void (await ctx.spawn(Around, here)))],
    });

    it.each([
      ['on visits', Around, { maxVisits: 3 }, { by: 'visits', limit: 3 }, ['a', 'b', 'a']],
      ['on the bytes of reports', Around, { maxBytes: 10 }, { by: 'bytes', limit: 10 }, ['a', 'b', 'a', 'b']],
      [
        'on visits, those of nested walks too,',
        Nesting,
        { maxVisits: 5 },
        { by: 'visits', limit: 5 },
        ['a', 'b', 'a', 'b'],
      ],
    ] as const)('%s end a walk with what it has, and say so', (_, walker, limits, by, expected) =>
      withGraph(engine, async (graph) => {
        const { reports, truncated } = await graph.spawn(walker, await ring(graph), {}, { limits });
        expect(truncated).toEqual(by);
        expect(reports).toEqual(expected);
      }),
    );

    it('on time end it too, and abort its signal', () =>
      withGraph(engine, async (graph) => {
        let aborted = false;
        const Waiting = defineWalker('waiting', {
          on: (w) => [
            w.entry(Place, async (here, ctx) => {
              await new Promise<void>((resolve) => ctx.signal.addEventListener('abort', () => resolve()));
              aborted = ctx.signal.aborted;
              await ctx.visit(ctx.q(here).out());
            }),
          ],
        });
        const { truncated, path } = await graph.spawn(
          Waiting,
          await ring(graph),
          {},
          { limits: { deadlineMs: 20 } },
        );
        expect(truncated).toEqual({ by: 'deadline', limit: 20 });
        expect(path).toHaveLength(1);
        expect(aborted).toBe(true);
      }));

    it('that a writing run hits write nothing', () =>
      withGraph(engine, async (graph) => {
        const Building = defineWalker('building', {
          access: 'write',
          on: (w) => [
            w.entry(
              Place,
              async (here, ctx) => void (await ctx.visit(await ctx.connect(here, Place(), Road()))),
            ),
          ],
        });
        const start = await ring(graph);
        expect(await codeOf(() => graph.spawn(Building, start, {}, { limits: { maxVisits: 4 } }))).toBe(
          'DEADLINE',
        );
        expect(await graph.read((tx) => tx.findIds(Place))).toEqual(['a', 'b']);
      }));

    it('that the caller sets by cancelling end a run with an error, and nothing is written', () =>
      withGraph(engine, async (graph) => {
        const start = await ring(graph);
        const cancel = new AbortController();
        const Cancelled = defineWalker('cancelled', {
          access: 'write',
          on: (w) => [
            w.entry(Place, async (here, ctx) => {
              await ctx.connect(here, Place({}, { id: 'new' }), Road());
              cancel.abort();
              expect(ctx.signal.aborted).toBe(true);
            }),
          ],
        });
        expect(await codeOf(() => graph.spawn(Cancelled, start, {}, { signal: cancel.signal }))).toBe(
          'CANCELLED',
        );
        expect(await graph.read((tx) => tx.node('new'))).toBeUndefined();
        expect(await codeOf(() => graph.spawn(Around, start, {}, { signal: AbortSignal.abort() }))).toBe(
          'CANCELLED',
        );
      }));
  });

  it('stream reports and progress while they run, and tell what they cost', () =>
    withGraph(engine, async (graph) => {
      await graph.write((tx) => roads(tx, 'a>b'));
      const seen: unknown[] = [];
      const steps: Progress[] = [];
      const Telling = defineWalker('telling', {
        report: z.string(),
        on: (w) => [
          w.entry(Place, async (here, ctx) => {
            ctx.report(here.id);
            expect(seen.at(-1)).toBe(here.id);
            ctx.progress({ phase: 'walking', done: seen.length, total: null });
            await ctx.visit(ctx.q(here).out());
          }),
        ],
      });
      const start = await graph.read((tx) => the(tx, 'a'));
      const options = { onReport: (r: unknown) => seen.push(r), onProgress: (p: Progress) => steps.push(p) };
      const { figures, revision } = await graph.spawn(Telling, start, {}, options);
      expect(seen).toEqual(['a', 'b']);
      expect(steps.map(({ done }) => done)).toEqual([1, 2]);
      expect(figures).toMatchObject({ visits: 2, replays: 0 });
      expect(figures.roundTrips).toBeGreaterThan(0);
      expect(revision).toBe(graph.revision);
    }));

  it('may begin at references of other runs: each works with objects of its own', () =>
    withGraph(engine, async (graph) => {
      await graph.write((tx) => roads(tx, 'a>b'));
      const old = await graph.read((tx) => the(tx, 'a'));
      const [edge] = await graph.read(async (tx) => tx.q('a').out(Road).edges());
      await graph.spawn(Increment, old);
      expect(old).toMatchObject({ size: null });
      const Longer = defineWalker('longer', {
        access: 'write',
        on: (w) => [w.entry(Road, (here, ctx) => ctx.set<typeof Road>(here as EdgeRef, { km: here.km + 1 }))],
      });
      if (edge) await Promise.all([graph.spawn(Longer, edge), graph.spawn(Longer, edge)]);
      expect(edge).toMatchObject({ km: 1 });
      expect(await graph.read((tx) => tx.q('a').out(Road, { km: 3 }).ids())).toEqual(['b']);
    }));

  it('end when the graph is closed', async () => {
    await withGraph(engine, async (graph) => {
      await graph.close();
      await graph.close();
      expect(await codeOf(() => graph.read(async () => undefined))).toBe('STORE_CLOSED');
    });
  });
});
