import { generator } from './measure.mjs';

const NODES = 10_000;
const DEPTH = 10;
const DEGREE = 3;

/**
 * Round trips of visit-once walks over 10,000 nodes of depth 10, and whether their abilities run in the order of a
 * walk that reads each node when it comes to it: simulated here in plain JavaScript, over arrays.
 */
export async function roundTrips(codewalk, open, folder) {
  const { defineEdge, defineNode, defineWalker, z } = codewalk;
  const Place = defineNode('Place', { number: z.number().int() }, { layer: 'derived' });
  const Way = defineEdge('Way', {}, { layer: 'derived' });
  const walkerWith = (name, options) =>
    defineWalker(name, {
      state: () => ({ seen: new Set([0]), order: [] }),
      on: (w) => [
        w.entry(Place, async (here, ctx) => {
          ctx.state.order.push(here.number);
          const next = (await ctx.q(here).out(Way)).filter(({ number }) => !ctx.state.seen.has(number));
          for (const { number } of next) ctx.state.seen.add(number);
          await ctx.visit(next, options);
        }),
      ],
    });
  const ways = layeredGraph();
  const graph = await open(folder, [Place, Way]);
  await graph.write(async (tx) => {
    const places = await tx.createAll(ways.map((_, number) => Place({ number }, { id: `place:${number}` })));
    tx.connectAll(
      ways.flatMap((far, n) => far.map((to) => ({ from: places[n], to: places[to], edge: Way() }))),
    );
  });
  const start = await graph.read((tx) => tx.node('place:0'));
  const rows = [];
  for (const [what, walker, front] of [
    ['first in, first out', walkerWith('fifo'), false],
    ['depth first (at: 0)', walkerWith('depth_first', { at: 0 }), true],
  ]) {
    const { state, figures } = await graph.spawn(walker, start);
    const lazy = lazyWalk(ways, front);
    const sameOrder = state.order.length === lazy.length && state.order.every((n, at) => n === lazy[at]);
    rows.push({
      what: `round trips, ${what}`,
      value: figures.roundTrips,
      bound: front ? null : 2 * (DEPTH + 1),
      baseline: `${lazy.length * 2} one by one`,
      ours: `${figures.visits} visits, ${figures.milliseconds.toFixed(0)} ms`,
    });
    rows.push({
      what: `abilities out of the lazy walk's order, ${what}`,
      value: sameOrder ? 0 : 1,
      bound: 0,
      baseline: 'simulated in plain JavaScript',
      ours: sameOrder ? 'same' : 'different',
    });
  }
  await graph.close();
  return { title: `Round trips: ${NODES} nodes, depth ${DEPTH}, average degree ${DEGREE}, LevelDB`, rows };
}

/** The walk as object-spatial.md defines it, one step after the other. */
function lazyWalk(ways, front) {
  const seen = new Set([0]);
  const order = [];
  let queue = [0];
  while (queue.length > 0) {
    const here = queue.shift();
    order.push(here);
    // As the walker: what a path expression gives has each far node once.
    const next = [...new Set(ways[here])].filter((to) => !seen.has(to));
    for (const to of next) seen.add(to);
    queue = front ? [...next, ...queue] : [...queue, ...next];
  }
  return order;
}

/** Far nodes per node. Every node has a way from the level above it, and no way leads more than one level down. */
function layeredGraph() {
  const random = generator(5);
  const growth = 2.3735;
  const starts = [0];
  for (let level = 1, size = growth; level <= DEPTH; level += 1, size *= growth)
    starts.push(starts.at(-1) + Math.max(1, Math.round(size / growth)));
  starts.push(NODES);
  const ways = Array.from({ length: NODES }, () => []);
  const among = (from, to) => from + Math.floor(random() * (to - from));
  for (let level = 1; level <= DEPTH; level += 1)
    for (let node = starts[level]; node < starts[level + 1]; node += 1)
      ways[among(starts[level - 1], starts[level])].push(node);
  const levelOf = (node) => starts.findLastIndex((from) => from <= node);
  for (let extra = ways.flat().length; extra < NODES * DEGREE; extra += 1) {
    const node = among(0, NODES);
    ways[node].push(among(0, starts[Math.min(levelOf(node) + 2, DEPTH + 1)]));
  }
  return ways;
}
