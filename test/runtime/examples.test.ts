import { expect, expectTypeOf, it } from 'vitest';
import {
  defineEdge,
  defineNode,
  defineWalker,
  type NodeRef,
  onArrival,
  openGraph,
  ROOT_ID,
  Root,
  z,
} from '../../index.js';

// The five examples of object-spatial.md section 12: they compile without one cast, and run.
const Sym = defineNode('Symbol', { name: z.string(), line: z.number().int().default(0) });
const Fn = defineNode('Function', { arity: z.number().int().default(0) }, { extends: Sym });
const Calls = defineEdge('Calls', { weight: z.number().default(1) }, { from: Fn, to: Fn });

const Callers = defineWalker('query_callers', {
  input: { maxDepth: z.number().int().max(5).default(2) },
  report: z.object({ name: z.string(), depth: z.number() }),
  state: () => ({ depth: new Map<string, number>() }),
  on: (w) => [
    w.entry(Fn, async (here, ctx) => {
      const d = ctx.state.depth.get(here.id) ?? 0;
      if (d > 0) ctx.report({ name: here.name, depth: d });
      if (d >= ctx.state.maxDepth) ctx.skip();
      const callers = await ctx.q(here).in(Calls, { weight: { gte: 1 } });
      expectTypeOf(callers).toEqualTypeOf<NodeRef<typeof Fn>[]>();
      const next = callers.filter((n) => !ctx.state.depth.has(n.id));
      for (const n of next) ctx.state.depth.set(n.id, d + 1);
      await ctx.visit(next);
    }),
  ],
});

const Find = defineWalker('find', {
  access: 'write',
  input: { name: z.string() },
  report: z.string(),
  on: (w) => [
    w.entry(Root, async (here, ctx) => {
      if (!(await ctx.visit(ctx.q(here).out().of(Sym, { name: ctx.state.name }))))
        await ctx.visit(await ctx.connect(here, Sym({ name: ctx.state.name })));
    }),
    w.entry([Sym, Fn], (here, ctx) => {
      ctx.report(here.name);
      ctx.disengage();
    }),
  ],
});

const Sum = defineWalker('loc', {
  input: {},
  report: z.number(),
  state: () => ({ total: 0 }),
  on: (w) => [
    w.entry(Fn, async (here, ctx) => {
      await ctx.visit(ctx.q(here).out(Calls).edges());
    }),
    w.entry(Calls, (edge, ctx) => {
      ctx.state.total += edge.weight;
    }),
    w.exit((ctx) => ctx.report(ctx.state.total)),
  ],
});

const arrivals = [
  onArrival(Fn, 'entry', Callers, (self, visitor, ctx) => {
    expectTypeOf(visitor.state.maxDepth).toEqualTypeOf<number>();
    if (self.arity > 9) ctx.disengage();
  }),
];

const open = () => openGraph(':memory:', { bare: true, archetypes: [Sym, Fn, Calls], arrivals });

/** f calls g (weight 2) and h (weight 3), g calls h. */
async function code() {
  const graph = await open();
  const [f, g, h] = await graph.write(async (tx) => {
    const made = await tx.createAll(['f', 'g', 'h'].map((name) => Fn({ name }, { id: name })));
    const [f, g, h] = made;
    if (!f || !g || !h) throw new Error('nothing was made');
    await tx.connect(f, g, Calls({ weight: 2 }));
    await tx.connect(f, h, Calls({ weight: 3 }));
    await tx.connect(g, h, Calls());
    return [f, g, h] as const;
  });
  return { graph, f, g, h };
}

it('a bounded caller search reports typed callers by depth', async () => {
  const { graph, h } = await code();
  const r = await graph.spawn(Callers, h, { maxDepth: 3 });
  expectTypeOf(r.reports).toEqualTypeOf<{ name: string; depth: number }[]>();
  expect(r.reports).toEqual([
    { name: 'f', depth: 1 },
    { name: 'g', depth: 1 },
  ]);
  expect(r.state.depth.get('g')).toBe(1);
  expect(r.path.map(({ id }) => id)).toEqual(['h', 'f', 'g']);
  await graph.close();
});

it('visit … else is get-or-create', async () => {
  const graph = await open();
  for (const _ of [1, 2]) expect((await graph.spawn(Find, null, { name: 'x' })).reports).toEqual(['x']);
  expect(await graph.read((tx) => tx.q(ROOT_ID).out().ids())).toHaveLength(1);
  await graph.close();
});

it('edges are locations, and one report tells the sum when the walk has drained', async () => {
  const { graph, f } = await code();
  const { reports } = await graph.spawn(Sum, f);
  expectTypeOf(reports).toEqualTypeOf<number[]>();
  expect(reports).toEqual([6]);
  await graph.close();
});

it('a location can stop a walker', async () => {
  const { graph, h } = await code();
  await graph.write(async (tx) => {
    for (const fn of await tx.find(Fn, { name: 'h' })) tx.set(fn, { arity: 10 });
  });
  expect((await graph.spawn(Callers, h)).disengaged).toBe(true);
  await graph.close();
});

it('what does not fit does not compile', () => {
  defineWalker('without_input', {
    state: () => ({ total: 0 }),
    on: (w) => [
      // @ts-expect-error there is no such state
      w.entry(Fn, (_, ctx) => void ctx.state.totl),
    ],
  });
  void (async () => {
    const { graph, f, g } = await code();
    // @ts-expect-error the depth is a number
    await graph.spawn(Callers, f, { maxDepth: 'deep' });
    // @ts-expect-error the name has to be given
    await graph.spawn(Find, f, {});
    // @ts-expect-error calls have no such property
    graph.read(async (tx) => tx.q(f).out(Calls, { wieght: 1 }));
    // @ts-expect-error a weight is a number
    graph.read(async (tx) => tx.q(f).out(Calls, { weight: { gte: 'heavy' } }));
    // @ts-expect-error functions have no such property
    graph.read(async (tx) => tx.q(f).out(Calls).of(Fn, { arty: 1 }));
    // @ts-expect-error references are read-only
    g.arity = 3;
  });
  defineWalker('wrong', {
    input: { depth: z.number() },
    report: z.string(),
    on: (w) => [
      // @ts-expect-error reports are strings
      w.entry(Fn, (here, ctx) => ctx.report(here.arity)),
      // @ts-expect-error a reading walker creates nothing
      w.entry(Fn, (here, ctx) => ctx.create(Fn({ name: here.name }))),
      // @ts-expect-error only walkers that work in steps commit
      w.entry(Fn, (_, ctx) => ctx.commit()),
      // @ts-expect-error there is no such state
      w.entry(Fn, (_, ctx) => void ctx.state.depht),
    ],
  });
});
