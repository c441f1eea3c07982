import { join } from 'node:path';
import { Level } from 'level';
import { generator, p50, timed } from './measure.mjs';

const HOPS = 3;
const BATCH = 20_000;
const MIB = 1024 * 1024;
/** So many single starts are measured, after as many have warmed both stores. */
const STARTS = 400;
const LISTS = 12;

/**
 * A three-hop path expression that returns ids beside the bare walk of limits.md: one packed record per node
 * (32-bit numbers), `getSync`, a visited set; and beside a walk over typed arrays. On LevelDB, warm, turn by turn over
 * the same starts.
 */
export async function threeHops(codewalk, open, folder, { nodes, edges }) {
  const ways = randomGraph(nodes, edges);
  const ids = Array.from({ length: nodes }, (_, n) => `fn:src/part${n % 97}/file${n % 4001}.ts:f${n}`);
  const bare = await bareStore(join(folder, 'bare'), ways);
  const { defineEdge, defineNode, defineWalker, z } = codewalk;
  const Fn = defineNode('Fn', { name: z.string() }, { layer: 'derived' });
  const Calls = defineEdge('Calls', {}, { layer: 'derived' });
  const graph = await open(folder, [Fn, Calls]);
  const built = await timed(() => build(graph, Fn, Calls, ids, ways));
  const Reach = defineWalker('reach', {
    state: () => ({ depth: new Map(), found: 0 }),
    on: (w) => [
      w.entry(Fn, async (here, ctx) => {
        const { depth } = ctx.state;
        const level = depth.get(here.id) ?? 0;
        if (level === HOPS) return;
        const next = (await ctx.q(here).out(Calls)).filter(({ id }) => !depth.has(id));
        for (const { id } of next) depth.set(id, level + 1);
        await ctx.visit(next);
      }),
    ],
  });
  const random = generator(11);
  const some = (count) => Array.from({ length: count }, () => Math.floor(random() * nodes));
  const path = (starts) =>
    graph.read((tx) =>
      tx
        .q(starts.map((n) => ids[n]))
        .out(Calls)
        .out(Calls)
        .out(Calls)
        .ids(),
    );
  const walker = async ([start]) => {
    const here = await graph.read((tx) => tx.node(ids[start]));
    const from = performance.now();
    await graph.spawn(Reach, here);
    return performance.now() - from;
  };
  const bareWalk = (starts) => threeHopsBare(bare, starts);
  const inMemory = typedArrays(ways);
  const typedWalk = (starts) => threeHopsTyped(inMemory, starts);

  const singles = some(STARTS).map((n) => [n]);
  const lists = Array.from({ length: LISTS }, () => some(500));
  await agree(ids, bareWalk, path, [...singles.slice(0, 20), lists[0]]);
  const one = await measure(singles, bareWalk, path);
  const many = await measure(lists, bareWalk, path);
  const hot = await measure(singles, typedWalk, path);
  const hotMany = await measure(lists, typedWalk, path);
  const walked = [];
  for (const start of singles) walked.push(await walker(start));
  for (const [at, start] of singles.entries()) walked[at] = await walker(start);
  await graph.close();
  await bare.close();
  const row = (what, bare, ours, bound) => ({
    what,
    value: ours / bare,
    bound,
    baseline: `${bare.toFixed(3)} ms`,
    ours: `${ours.toFixed(3)} ms`,
  });
  return {
    title: `Three hops, ids: ${nodes} nodes, ${edges} edges, LevelDB, warm, p50 (built in ${(built / 1000).toFixed(1)} s)`,
    rows: [
      row('path expression from 1 node, times the bare walk', one.bare, one.ours, 3),
      row('path expression from 500 nodes, times the bare walk', many.bare, many.ours, 3),
      row('path expression from 1 node, times a walk over typed arrays', hot.bare, hot.ours, 5),
      row('path expression from 500 nodes, times a walk over typed arrays', hotMany.bare, hotMany.ours, 5),
      row('visit-once walker from 1 node, times the bare walk', one.bare, p50(walked), null),
    ],
  };
}

async function build(graph, Fn, Calls, ids, ways) {
  for (let at = 0; at < ids.length; at += BATCH) {
    await graph.write(async (tx) => {
      const drafts = ids.slice(at, at + BATCH).map((id, n) => Fn({ name: `f${at + n}` }, { id }));
      await tx.createAll(drafts);
    });
  }
  const call = Calls();
  await graph.write(async (tx) => {
    const nodes = await tx.nodes(ids);
    const links = ways.flatMap((far, n) =>
      Array.from(far, (to) => ({ from: nodes[n], to: nodes[to], edge: call })),
    );
    tx.connectAll(links);
  });
}

/** Turn by turn, so that neither runs on the warmer machine; the first round warms both. */
async function measure(starts, bareWalk, path) {
  const bare = [];
  const ours = [];
  for (let round = 0; round < 2; round += 1) {
    for (const [at, start] of starts.entries()) {
      bare[at] = await timed(() => bareWalk(start));
      ours[at] = await timed(() => path(start));
    }
  }
  return { bare: p50(bare), ours: p50(ours) };
}

/** Both walks must find the same nodes, else their times mean nothing. */
async function agree(ids, bareWalk, path, starts) {
  for (const start of starts) {
    const expected = bareWalk(start).map((n) => ids[n]);
    const found = await path(start);
    if (found.length !== expected.length || found.some((id, at) => id !== expected[at]))
      throw new Error(`the path expression from ${start} does not find what the bare walk finds`);
  }
}

async function bareStore(folder, ways) {
  const db = new Level(folder, { keyEncoding: 'buffer', valueEncoding: 'buffer', cacheSize: 64 * MIB });
  await db.open();
  for (let at = 0; at < ways.length; at += BATCH) {
    const batch = db.batch();
    for (let n = at; n < Math.min(at + BATCH, ways.length); n += 1)
      batch.put(keyOf(n), Buffer.from(ways[n].buffer, ways[n].byteOffset, ways[n].byteLength));
    await batch.write();
  }
  return db;
}

function keyOf(number) {
  const key = Buffer.allocUnsafe(4);
  key.writeUInt32BE(number);
  return key;
}

/** What the third hop reaches: each node once, in the order in which it was first found. */
function threeHopsBare(db, starts) {
  let frontier = [...new Set(starts)];
  for (let hop = 0; hop < HOPS; hop += 1) {
    const seen = new Set();
    for (const node of frontier) {
      const record = db.getSync(keyOf(node));
      if (record === undefined) continue;
      const view = new DataView(record.buffer, record.byteOffset, record.byteLength);
      for (let at = 0; at < view.byteLength; at += 4) seen.add(view.getUint32(at, true));
    }
    frontier = [...seen];
  }
  return frontier;
}

/** The same graph as the fastest walk there is wants it: far nodes one after the other, and where each node's begin. */
function typedArrays(ways) {
  const firsts = new Uint32Array(ways.length + 1);
  for (const [n, far] of ways.entries()) firsts[n + 1] = firsts[n] + far.length;
  const fars = new Uint32Array(firsts[ways.length]);
  for (const [n, far] of ways.entries()) fars.set(far, firsts[n]);
  return { firsts, fars, stamps: new Uint32Array(ways.length), stamp: 0 };
}

/** As {@link threeHopsBare}, over typed arrays in memory. */
function threeHopsTyped(graph, starts) {
  const { firsts, fars, stamps } = graph;
  let frontier = [...new Set(starts)];
  for (let hop = 0; hop < HOPS; hop += 1) {
    graph.stamp += 1;
    const { stamp } = graph;
    const met = [];
    for (const node of frontier) {
      for (let at = firsts[node]; at < firsts[node + 1]; at += 1) {
        const far = fars[at];
        if (stamps[far] === stamp) continue;
        stamps[far] = stamp;
        met.push(far);
      }
    }
    frontier = met;
  }
  return frontier;
}

/** Far nodes per node: every node as many edges as any other, to nodes anywhere. */
function randomGraph(nodes, edges) {
  const random = generator(3);
  const degree = Math.round(edges / nodes);
  return Array.from({ length: nodes }, () =>
    Uint32Array.from({ length: degree }, () => Math.floor(random() * nodes)),
  );
}
