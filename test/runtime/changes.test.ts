import { describe, expect, it } from 'vitest';
import { defineEdge, type EdgeRef, ROOT_ID, type Transaction } from '../../index.js';
import {
  About,
  Calls,
  codeOf,
  ENGINES,
  Fn,
  Likes,
  Note,
  Place,
  Rail,
  Road,
  roads,
  Thing,
  Town,
  the,
  withGraph,
} from './graphs.js';

describe.each(ENGINES)('changes on %s', (engine) => {
  /** Runs each change in a transaction of its own, so that the next one meets it stored. */
  const inTurn = (...bodies: ((tx: Transaction) => Promise<void>)[]) =>
    withGraph(engine, async (graph) => {
      for (const body of bodies) await graph.write((tx) => body(tx));
    });
  const map = (text: string) => (tx: Transaction) => roads(tx, text);

  describe('connect', () => {
    it('is done with its draft: what becomes of that later is another edge', () =>
      inTurn(
        map('a>d'),
        async (tx) => {
          const road = Road({ km: 1 });
          await tx.connect(await the(tx, 'a'), await the(tx, 'd'), road);
          Object.assign(road.props, { km: 2 });
          await tx.connect(await the(tx, 'a'), await the(tx, 'd'), road);
        },
        async (tx) =>
          expect((await tx.q('a').out(Road).edges()).map(({ km }) => km).slice(1)).toEqual([1, 2]),
      ));

    it('adds each new edge at the end, in this run and in later ones', () =>
      inTurn(
        map('a>d a>b'),
        async (tx) => {
          await tx.connect(await the(tx, 'a'), Place({}, { id: 'c' }), Road());
          expect(await tx.q('a').out().ids()).toEqual(['d', 'b', 'c']);
        },
        async (tx) => {
          await tx.connect(await the(tx, 'a'), [Place({}, { id: 'e' }), await the(tx, 'd')], Road());
          expect((await tx.q('a').out().edges()).map(({ to }) => to)).toEqual(['d', 'b', 'c', 'e', 'd']);
        },
        async (tx) =>
          expect((await tx.q('a').out().edges()).map(({ to }) => to)).toEqual(['d', 'b', 'c', 'e', 'd']),
      ));

    it('makes the cross product of lists, left-major, and answers with its right side', () =>
      inTurn(map('a b x y'), async (tx) => {
        const [a, b, x, y] = [await the(tx, 'a'), await the(tx, 'b'), await the(tx, 'x'), await the(tx, 'y')];
        expect(await tx.connect([a, b], [x, y], Road())).toEqual([x, y]);
        expect(await tx.connect([a, b], x, Likes)).toBe(x);
        const edges = await tx.q(['x', 'y']).in(Road).edges();
        expect(edges.map(({ from, to }) => from + to)).toEqual(['ax', 'bx', 'ay', 'by']);
        expect(await tx.q('x').in(Likes).ids()).toEqual(['a', 'b']);
      }));

    it('takes drafts on both sides and makes nodes of them', () =>
      inTurn(async (tx) => {
        const made = await tx.connect(Place({ name: 'a' }), Town({ name: 'b' }), Road({ km: 7 }));
        expect(made.mayor).toBe('nobody');
        expect(await tx.q(made).in(Road, { km: 7 }).of(Place, { name: 'a' })).toHaveLength(1);
      }));

    it('without an edge makes an untyped one', () =>
      inTurn(async (tx) => {
        const place = await tx.connect(await the(tx, ROOT_ID), Place({}, { id: 'p' }));
        const [edge] = await tx.q(place).in().edges();
        expect(edge?.archetype.name).toBe('GenericEdge');
      }));

    it('makes an undirected self loop that is one edge', () =>
      inTurn(
        async (tx) => {
          const a = await tx.create(Place({}, { id: 'a' }));
          await tx.connect(a, a, Road(), { undirected: true });
          expect(await tx.q('a').any().edges()).toHaveLength(1);
        },
        async (tx) => expect(await tx.q('a').any().edges()).toHaveLength(1),
      ));

    it('refuses ends of another archetype, and takes those that inherit', () =>
      inTurn(async (tx) => {
        const Governs = defineEdge('Governs', {}, { from: Town, to: Place });
        const Owns = defineEdge('Owns', {}, { extends: Governs });
        const place = await tx.create(Place());
        const town = await tx.create(Town());
        expect(await codeOf(() => tx.connect(place, town, Governs))).toBe('INVALID_INPUT');
        expect(await codeOf(() => tx.connect(place, town, Owns))).toBe('INVALID_INPUT');
        expect(await codeOf(() => tx.connect(town, Thing(), Owns))).toBe('INVALID_INPUT');
        await tx.connect(town, town, Owns);
        expect(await tx.q(town).out(Governs).ids()).toEqual([town.id]);
      }));

    it('refuses unknown fields and deleted nodes', () =>
      inTurn(async (tx) => {
        const a = await tx.create(Place({}, { id: 'a' }));
        // @ts-expect-error there is no such field
        expect(await codeOf(() => tx.connect(a, a, Road({ miles: 1 })))).toBe('INVALID_INPUT');
        await tx.del(a);
        const b = await tx.create(Place({}, { id: 'b' }));
        expect(await codeOf(() => tx.connect(b, a, Road()))).toBe('NODE_NOT_FOUND');
      }));
  });

  describe('disconnect', () => {
    it('removes every edge between the pairs in that direction, and says whether there was one', () =>
      inTurn(map('a>b a>b b>a a>c'), async (tx) => {
        const [a, b, c] = [await the(tx, 'a'), await the(tx, 'b'), await the(tx, 'c')];
        expect(await tx.disconnect(a, [b, c])).toBe(true);
        expect(await tx.q('a').out().ids()).toEqual([]);
        expect(await tx.q('a').in().ids()).toEqual(['b']);
        expect(await tx.disconnect(a, b)).toBe(false);
        expect(await tx.disconnect(a, b, { direction: 'in' })).toBe(true);
        expect(await tx.q('a').any().ids()).toEqual([]);
      }));

    it('takes only edges of a type, with its descendants, and with fitting properties', () =>
      inTurn(
        async (tx) => {
          await roads(tx, 'a b');
          const [a, b] = [await the(tx, 'a'), await the(tx, 'b')];
          await tx.connect(a, b, Likes);
          await tx.connect(a, b, Road({ km: 1 }));
          await tx.connect(a, b, Rail({ km: 2 }));
        },
        async (tx) => {
          const [a, b] = [await the(tx, 'a'), await the(tx, 'b')];
          expect(await tx.disconnect(a, b, { edge: Road, where: { km: 3 } })).toBe(false);
          expect(await tx.disconnect(a, b, { edge: Road, where: { km: 2 } })).toBe(true);
          expect(await tx.disconnect(a, b, { edge: Likes })).toBe(true);
        },
        async (tx) => expect(await tx.q('a').out(Road).edges()).toHaveLength(1),
      ));

    it('removes an undirected edge from both ends', () =>
      inTurn(
        async (tx) => {
          await roads(tx, 'a b');
          await tx.connect(await the(tx, 'a'), await the(tx, 'b'), Road(), { undirected: true });
        },
        async (tx) => {
          expect(await tx.disconnect(await the(tx, 'b'), await the(tx, 'a'))).toBe(true);
          expect(await tx.q('a').any().ids()).toEqual([]);
        },
        async (tx) => expect(await tx.q(['a', 'b']).any().ids()).toEqual([]),
      ));

    it('of an edge that was made in the same run leaves nothing', () =>
      inTurn(
        map('a b'),
        async (tx) => {
          await tx.connect(await the(tx, 'a'), await the(tx, 'b'), Road());
          await tx.disconnect(await the(tx, 'a'), await the(tx, 'b'));
        },
        async (tx) => expect(await tx.q('a').out().ids()).toEqual([]),
      ));
  });

  describe('delete', () => {
    it('removes an edge from both ends', () =>
      inTurn(
        map('a>b a>b'),
        async (tx) => {
          const [first] = await tx.q('a').out().edges();
          await tx.del(first as EdgeRef);
          expect(await tx.q('a').out().edges()).toHaveLength(1);
        },
        async (tx) => expect(await tx.q('b').in().edges()).toHaveLength(1),
      ));

    it('removes a node with all its edges, whichever way they go', () =>
      inTurn(
        map('a>b b>c c>b b>b d>a'),
        async (tx) => {
          await tx.del(await the(tx, 'b'));
          expect(await tx.node('b')).toBeUndefined();
          expect(await tx.q(['a', 'c']).any().ids()).toEqual(['d']);
        },
        async (tx) => {
          expect(await tx.node('b')).toBeUndefined();
          expect(await tx.q(['a', 'c', 'b']).any().ids()).toEqual(['d']);
          expect((await tx.find(Place)).map(({ id }) => id)).toEqual(['a', 'c', 'd']);
        },
      ));

    it('takes lists, and what is deleted already', () =>
      inTurn(map('a>b b>c'), async (tx) => {
        const [a, b] = [await the(tx, 'a'), await the(tx, 'b')];
        await tx.del([a, b, a]);
        expect((await tx.find(Place)).map(({ id }) => id)).toEqual(['c']);
      }));

    it('never takes the root', () =>
      inTurn(async (tx) => {
        expect(await codeOf(async () => tx.del(await the(tx, ROOT_ID)))).toBe('INVALID_INPUT');
      }));

    it('lets a node of the same id be made again, without the edges of the old one', () =>
      inTurn(
        map('a>b'),
        async (tx) => {
          await tx.del(await the(tx, 'b'));
          const again = await tx.create(Place({ name: 'again' }, { id: 'b' }));
          expect(await tx.node('b')).toBe(again);
        },
        async (tx) => {
          expect(await the(tx, 'b')).toMatchObject({ name: 'again' });
          expect(await tx.q('b').any().ids()).toEqual([]);
        },
      ));
  });

  describe('set', () => {
    it('shows the new values at once, and later runs read them', () =>
      inTurn(
        map('a'),
        async (tx) => {
          const a = await the(tx, 'a');
          tx.set(a, { name: 'A' });
          expect(await the(tx, 'a')).toMatchObject({ name: 'A' });
          expect((await tx.find(Place, { name: 'A' })).map(({ id }) => id)).toEqual(['a']);
        },
        async (tx) => expect(await the(tx, 'a')).toMatchObject({ name: 'A' }),
      ));

    it('changes stored edges in their place, inline properties and others', () =>
      inTurn(
        map('a>b a>c'),
        async (tx) => {
          const [first] = await tx.q('a').out(Road).edges();
          tx.set(first as EdgeRef<typeof Road>, { km: 9, sign: 'x' });
          expect(await tx.q('a').out(Road, { km: 9 }).ids()).toEqual(['b']);
        },
        async (tx) => {
          expect(await tx.q('a').out(Road, { km: 9, sign: 'x' }).ids()).toEqual(['b']);
          expect(await tx.q('a').out().ids()).toEqual(['b', 'c']);
          expect(await tx.q('b').in(Road, { km: 9 }).ids()).toEqual(['a']);
        },
      ));

    it('changes edges that were made in the same run', () =>
      inTurn(
        map('a b'),
        async (tx) => {
          await tx.connect(await the(tx, 'a'), await the(tx, 'b'), Road());
          const [edge] = await tx.q('a').out(Road).edges();
          tx.set(edge as EdgeRef<typeof Road>, { km: 4 });
          expect(await tx.q('a').out(Road, { km: 4 }).edges()).toEqual([edge]);
        },
        async (tx) => expect(await tx.q('a').out(Road, { km: 4 }).ids()).toEqual(['b']),
      ));

    it('on what was deleted changes the object alone', () =>
      inTurn(
        map('a>b c>b'),
        async (tx) => {
          const b = await the(tx, 'b');
          const [edge] = await tx.q('a').out(Road).edges();
          await tx.connect(await the(tx, 'a'), await the(tx, 'c'), Road());
          const own = (await tx.q('c').in(Road).edges())[0];
          for (const gone of [edge, own]) {
            await tx.del(gone as EdgeRef);
            tx.set(gone as EdgeRef<typeof Road>, { km: 5 });
          }
          await tx.del(b);
          tx.set(b, { name: 'ghost' });
          expect(b).toMatchObject({ name: 'ghost' });
        },
        async (tx) => {
          expect(await tx.node('b')).toBeUndefined();
          expect(await tx.q('a').any().edges()).toEqual([]);
        },
      ));

    it('refuses what does not fit, and then changes nothing', () =>
      inTurn(map('a'), async (tx) => {
        const a = await the(tx, 'a');
        expect(await codeOf(() => tx.set(a, { name: 3 }))).toBe('INVALID_INPUT');
        expect(await codeOf(() => tx.set(a, { nmae: 'x' }))).toBe('INVALID_INPUT');
        expect(a).toMatchObject({ name: 'a' });
      }));

    it('to what is there already commits nothing', () =>
      withGraph(engine, async (graph) => {
        await graph.write((tx) => roads(tx, 'a'));
        const { revision } = graph;
        await graph.write(async (tx) => tx.set(await the(tx, 'a'), { name: 'a' }));
        expect(graph.revision).toBe(revision);
      }));
  });

  describe('create', () => {
    it('with the id of a node of the same archetype changes that node and keeps its edges', () =>
      inTurn(
        map('a>b'),
        async (tx) => {
          const b = await the(tx, 'b');
          expect(await tx.create(Place({ name: 'new' }, { id: 'b' }))).toBe(b);
          expect(b).toMatchObject({ name: 'new' });
        },
        async (tx) => expect(await tx.q('a').out().where({ name: 'new' }).ids()).toEqual(['b']),
      ));

    it('forgets properties that the new draft leaves out', () =>
      inTurn(
        async (tx) => void (await tx.create(Thing({ weight: 3 }, { id: 't' }))),
        async (tx) => {
          const thing = await tx.create(Thing({}, { id: 't' }));
          expect(thing.weight).toBeUndefined();
        },
        async (tx) => expect(await the(tx, 't')).not.toHaveProperty('weight'),
      ));

    it('with another archetype changes what neighbours’ filters see', () =>
      inTurn(
        map('a>b b>c'),
        async (tx) => {
          await tx.create(Town({ name: 'b' }, { id: 'b' }));
          expect(await tx.q('a').out().of(Town).ids()).toEqual(['b']);
        },
        async (tx) => {
          expect(await tx.q('a').out().of(Town).ids()).toEqual(['b']);
          expect(await tx.q('c').in().of(Town).ids()).toEqual(['b']);
          expect(await tx.q('b').any().ids()).toEqual(['a', 'c']);
          expect((await tx.find(Town)).map(({ id }) => id)).toEqual(['b']);
        },
      ));

    it('with an archetype of the other layer moves the node there', () =>
      inTurn(
        async (tx) => void (await tx.create(Place({ name: 'p' }, { id: 'x' }))),
        async (tx) => void (await tx.create(Fn({ name: 'f' }, { id: 'x' }))),
        async (tx) => {
          expect((await the(tx, 'x')).archetype).toBe(Fn);
          expect(await tx.findIds(Place)).toEqual([]);
          expect(await tx.findIds(Fn)).toEqual(['x']);
        },
      ));

    it('makes sortable ids where none is given', () =>
      inTurn(async (tx) => {
        const made = await tx.createAll([Place(), Place(), Place()]);
        const ids = made.map(({ id }) => id);
        expect(ids).toEqual([...new Set(ids)].sort());
      }));
  });

  describe('canonical edges', () => {
    const fns = async (tx: Transaction) =>
      tx.createAll(['a', 'b', 'c'].map((name) => Fn({ name }, { id: name })));

    it('are one per pair: connecting again replaces the properties', () =>
      inTurn(
        async (tx) => {
          const [a, b] = await fns(tx);
          if (!a || !b) return;
          await tx.connect(a, b, Calls({ line: 3, how: 'old' }));
          const [edge] = await tx.q(a).out(Calls).edges();
          await tx.connect(a, b, Calls({ line: 4 }));
          expect(await tx.q(a).out(Calls).edges()).toEqual([edge]);
          expect(edge).toMatchObject({ line: 4, how: '' });
        },
        async (tx) => {
          await tx.connect(await the(tx, 'a'), await the(tx, 'b'), Calls({ line: 5 }));
          expect(await tx.q('a').out(Calls).edges()).toHaveLength(1);
        },
        async (tx) => {
          expect(await tx.q('b').in(Calls, { line: 5 }).ids()).toEqual(['a']);
          expect(await tx.q('b').in(Calls).edges()).toHaveLength(1);
        },
      ));

    it('that are connected again and then removed in one run are gone', () =>
      inTurn(
        async (tx) => {
          const [a, b] = await fns(tx);
          if (a && b) await tx.connect(a, b, Calls({ line: 1 }));
        },
        async (tx) => {
          await tx.connect(await the(tx, 'a'), await the(tx, 'b'), Calls({ line: 2 }));
          await tx.disconnect(await the(tx, 'a'), await the(tx, 'b'));
          expect(await tx.q('a').out().ids()).toEqual([]);
        },
        async (tx) => expect(await tx.q('a').out().ids()).toEqual([]),
      ));

    it('that are removed and then connected again in one run are there once', () =>
      inTurn(
        async (tx) => {
          const [a, b] = await fns(tx);
          if (a && b) await tx.connect(a, b, Calls({ line: 1 }));
        },
        async (tx) => {
          await tx.disconnect(await the(tx, 'a'), await the(tx, 'b'));
          await tx.connect(await the(tx, 'a'), await the(tx, 'b'), Calls({ line: 2 }));
          expect(await tx.q('a').out(Calls, { line: 2 }).edges()).toHaveLength(1);
        },
        async (tx) => expect((await tx.q('a').out(Calls).edges()).map(({ line }) => line)).toEqual([2]),
      ));
  });

  describe('what bulk writers put and link', () => {
    const draft = (id: string, name = id) => Fn({ name }, { id });

    it('is read, found and changed like anything else, before and after its commit', () =>
      inTurn(
        async (tx) => {
          await tx.putAll([draft('a'), draft('b'), draft('c')]);
          await tx.linkAll([
            { from: 'a', to: 'c', edge: Calls({ line: 9 }) },
            { from: 'a', to: 'b', edge: Calls({ line: 1 }) },
          ]);
          expect((await tx.find(Fn, { name: 'b' })).map(({ id }) => id)).toEqual(['b']);
          expect(await tx.node('a')).toBe(await tx.node('a'));
          const [first] = await tx.q('a').out(Calls).edges();
          expect(first).toMatchObject({ from: 'a', to: 'b', line: 1, how: '' });
          tx.set(await the(tx, 'b'), { name: 'other' });
        },
        async (tx) => {
          expect(await tx.q('a').out(Calls).ids()).toEqual(['b', 'c']);
          expect(await tx.q('c').in(Calls, { line: 9 }).ids()).toEqual(['a']);
          expect(await the(tx, 'b')).toMatchObject({ name: 'other' });
          expect(await the(tx, 'c')).toMatchObject({ name: 'c' });
        },
      ));

    it('takes the place of what was there: nodes keep their edges, and of links with one address the last counts', () =>
      inTurn(
        async (tx) => {
          await tx.putAll([draft('a'), draft('b', 'old'), draft('b')]);
          const calls = [5, 3, 4].map((line) => ({ from: 'a', to: 'b', edge: Calls({ line }) }));
          await tx.linkAll([...calls, { from: 'a', to: 'a', edge: Calls({ line: 7 }) }]);
        },
        async (tx) => {
          await tx.putAll([draft('b', 'new')]);
          expect(await the(tx, 'b')).toMatchObject({ name: 'new' });
          expect((await tx.q('a').out(Calls).edges()).map(({ line }) => line)).toEqual([4, 7]);
          await tx.linkAll([1, 2].map((line) => ({ from: 'a', to: 'b', edge: Calls({ line }) })));
          expect((await tx.q('a').out(Calls).edges()).map(({ line }) => line)).toEqual([2, 7]);
        },
        async (tx) => {
          expect((await tx.q('b').in(Calls).edges()).map(({ line }) => line)).toEqual([2]);
          expect((await tx.find(Fn)).map(({ name }) => name)).toEqual(['a', 'new']);
        },
      ));

    it('starts at the root, and leaves out a link to what is gone, whether or not its stub was seen', () =>
      inTurn(
        async (tx) => {
          await tx.putAll([draft('a'), draft('b'), Note({}, { id: 'n' }), Place({}, { id: 'p' })]);
          await tx.linkAll([{ from: 'n', to: 'b', edge: About() }]);
        },
        async (tx) => tx.linkAll([{ from: ROOT_ID, to: 'p', edge: Road() }]),
        async (tx) => tx.del(await the(tx, 'b')),
        async (tx) => tx.linkAll([{ from: 'a', to: 'b', edge: Calls() }]),
        async (tx) => {
          expect((await tx.q('n').out(About)).map(({ gone }) => gone)).toEqual([true]);
          await tx.linkAll([{ from: 'a', to: 'b', edge: Calls() }]);
        },
        async (tx) => {
          expect(await tx.q('a').out().ids()).toEqual([]);
          expect(await tx.q(ROOT_ID).out(Road).ids()).toEqual(['p']);
        },
      ));

    it('leaves out a link whose end is not there, and throws where it was deleted or does not fit', () =>
      inTurn(
        async (tx) => tx.putAll([draft('a'), draft('b'), Place({}, { id: 'p' })]),
        async (tx) => {
          await tx.linkAll([
            { from: 'a', to: 'nowhere', edge: Calls() },
            { from: 'a', to: 'b', edge: Calls() },
          ]);
          expect(await tx.q('a').out().ids()).toEqual(['b']);
          const Owns = defineEdge('Owns', {}, { from: Place });
          const unfit = [{ from: 'a', to: 'p', edge: Owns() }];
          expect(await codeOf(() => tx.linkAll(unfit))).toBe('INVALID_INPUT');
          await tx.del(await the(tx, 'b'));
          expect(await codeOf(() => tx.linkAll([{ from: 'a', to: 'b', edge: Calls() }]))).toBe(
            'NODE_NOT_FOUND',
          );
        },
        async (tx) => {
          expect(await tx.q('a').out().ids()).toEqual([]);
          expect(await tx.node('b')).toBeUndefined();
        },
      ));
  });
});
