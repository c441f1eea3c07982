import { expect, it } from 'vitest';
import { Calls, Fn, Likes, Note, Place, Rail, Road, roads, Thing, the, withGraph } from './graphs.js';

it('entries show each node’s edges in the order of a hop, with what adjacency holds', () =>
  withGraph('memory', async (graph) => {
    await graph.write(async (tx) => {
      await roads(tx, 'a b c');
      const [a, b, c] = [await the(tx, 'a'), await the(tx, 'b'), await the(tx, 'c')];
      await tx.connect(a, c, Road({ km: 3 }));
      await tx.connect(a, b, Likes);
      await tx.connect(b, a, Rail({ km: 7 }), { undirected: true });
      await tx.connect(a, a, Road({ km: 9, sign: 'round' }));
    });
    await graph.read(async (tx) => {
      const [ofA, ofC, ofNone] = await tx.entries(['a', 'c', 'none'], 'out', null);
      expect(ofA?.map(({ edgeType, far, farType }) => [edgeType, far, farType])).toEqual([
        ['Road', 'c', 'Place'],
        ['Likes', 'b', 'Place'],
        ['Rail', 'b', 'Place'],
        ['Road', 'a', 'Place'],
      ]);
      expect(ofA?.[0]?.props).toEqual({ km: 3 });
      expect([ofC, ofNone]).toEqual([[], []]);
      const [roadsOfA = []] = await tx.entries(['a'], 'any', Road);
      expect(roadsOfA.map(({ far }) => far)).toEqual(['c', 'b', 'a']);
      const edges = await tx.entryEdges(roadsOfA.map((entry) => ({ node: 'a', entry })));
      expect(edges.map((edge) => edge && 'sign' in edge && edge.sign)).toEqual(['', '', 'round']);
    });
  }));

it('counts tell how many there are of each archetype, and follow commits', () =>
  withGraph('memory', async (graph) => {
    await graph.write(async (tx) => {
      await roads(tx, 'a>b b>c c>c');
      await tx.connect(await the(tx, 'a'), await the(tx, 'c'), Rail(), { undirected: true });
      const code = await tx.createAll([Fn({}, { id: 'f' }), Fn({}, { id: 'g' })]);
      await tx.connect(code, code, Calls());
      await tx.create(Note({}, { id: 'n' }));
    });
    const counted = () =>
      graph.read(async (tx) => {
        const { nodes, edges } = await tx.counts();
        return { nodes: Object.fromEntries(nodes), edges: Object.fromEntries(edges) };
      });
    expect(await counted()).toEqual({
      nodes: { Place: 3, Fn: 2, Note: 1 },
      edges: { Road: 3, Rail: 1, Calls: 4 },
    });
    await graph.write(async (tx) => {
      await tx.del([await the(tx, 'c'), await the(tx, 'g'), await the(tx, 'n')]);
      await tx.create(Thing({}, { id: 'b' }));
      await tx.create(Place({}, { id: 'z' }));
    });
    expect(await counted()).toEqual({
      nodes: { Thing: 1, Place: 2, Fn: 1 },
      edges: { Road: 1, Calls: 1 },
    });
  }));
