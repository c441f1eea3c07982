import { describe, expect, it } from 'vitest';
import { ROOT_ID } from '../../index.js';
import {
  About,
  ARCHETYPES,
  Calls,
  ENGINES,
  Fn,
  Likes,
  Method,
  Note,
  onDisk,
  Place,
  Rail,
  Road,
  roads,
  Town,
  the,
  withGraph,
} from './graphs.js';

describe.each(ENGINES)('the two layers on %s', (engine) => {
  it('are one graph: an untyped hop sees the edges of both, derived ones first', () =>
    withGraph(engine, async (graph) => {
      await graph.write(async (tx) => {
        const [f, g] = await tx.createAll([Fn({}, { id: 'f' }), Fn({}, { id: 'g' })]);
        if (!f || !g) return;
        await tx.connect(Note({}, { id: 'n' }), f, About());
        await tx.connect(g, f, Calls());
      });
      const check = await graph.read((tx) => tx.q('f').in().ids());
      expect(check).toEqual(['g', 'n']);
    }));

  it('keep a note on code that is deleted and made again', () =>
    withGraph(engine, async (graph) => {
      await graph.write(async (tx) => {
        const f = await tx.create(Fn({ name: 'f' }, { id: 'f' }));
        await tx.connect(f, await tx.create(Fn({}, { id: 'g' })), Calls());
        await tx.connect(Note({ text: 'slow' }, { id: 'n' }), f, About({ why: 'profile' }));
      });
      await graph.write(async (tx) => {
        const f = await the(tx, 'f');
        await tx.del(f);
        const [stub] = await tx.q('n').out(About);
        expect(stub).toMatchObject({ id: 'f', gone: true });
        expect(f.gone).toBeUndefined();
        expect(await tx.node('f')).toBeUndefined();
      });
      await graph.read(async (tx) => {
        expect(await tx.node('f')).toBeUndefined();
        const [stub] = await tx.q('n').out(About);
        expect(stub).toMatchObject({ id: 'f', gone: true });
        expect(stub?.archetype).toBe(Fn);
        expect(await tx.q('n').out(About, { why: 'profile' }).ids()).toEqual(['f']);
        expect(await tx.q('g').in().ids()).toEqual([]);
        expect(await tx.findIds(Fn)).toEqual(['g']);
        expect(await tx.node('f')).toBe(stub);
      });
      await graph.write(async (tx) => void (await tx.create(Fn({ name: 'f again' }, { id: 'f' }))));
      await graph.read(async (tx) => {
        const [f] = await tx.q('n').out(About);
        expect(f).toMatchObject({ name: 'f again' });
        expect(f?.gone).toBeUndefined();
        expect(await tx.q('f').in(About).ids()).toEqual(['n']);
        expect(await tx.q('f').out().ids()).toEqual([]);
      });
    }));

  it('let a note be put on a stub, and a stub be made real in the run that saw it', () =>
    withGraph(engine, async (graph) => {
      await graph.write(async (tx) => {
        await tx.connect(Note({}, { id: 'n' }), Fn({}, { id: 'f' }), About());
      });
      await graph.write(async (tx) => tx.del(await the(tx, 'f')));
      await graph.write(async (tx) => {
        const [stub] = await tx.q('n').out(About);
        if (stub) await tx.connect(Note({}, { id: 'm' }), stub, About());
      });
      await graph.write(async (tx) => {
        expect(await tx.q('f').in(About).ids()).toEqual(['n', 'm']);
        const [stub] = await tx.q('n').out(About);
        const made = await tx.create(Fn({ name: 'f' }, { id: 'f' }));
        expect(made.gone).toBeUndefined();
        expect(stub?.gone).toBe(true);
        expect(await tx.q('n').out(About)).toEqual([made]);
      });
      expect(await graph.read((tx) => tx.q('f').in().ids())).toEqual(['n', 'm']);
    }));

  it('take a note with its edges when it is deleted itself', () =>
    withGraph(engine, async (graph) => {
      await graph.write(async (tx) => {
        await tx.connect(Note({}, { id: 'n' }), Fn({}, { id: 'f' }), About());
      });
      await graph.write(async (tx) => tx.del(await the(tx, 'n')));
      expect(await graph.read((tx) => tx.q('f').any().ids())).toEqual([]);
    }));

  it('see a changed archetype from the other layer', () =>
    withGraph(engine, async (graph) => {
      await graph.write(async (tx) => {
        await tx.connect(Note({}, { id: 'n' }), Fn({}, { id: 'f' }), About());
      });
      await graph.write(async (tx) => void (await tx.create(Method({ owner: 'C' }, { id: 'f' }))));
      await graph.read(async (tx) => {
        expect(await tx.q('n').out().of(Method, { owner: 'C' }).ids()).toEqual(['f']);
        expect(await tx.findIds(Fn)).toEqual(['f']);
      });
    }));
});

describe.each(ENGINES)('look-ups on %s', (engine) => {
  it('find by archetype with its descendants, by id, with and without an index, own changes included', () =>
    withGraph(engine, async (graph) => {
      await graph.write(async (tx) => {
        await tx.createAll([Fn({ name: 'x' }, { id: '2' }), Fn({ name: 'y' }, { id: '3' })]);
        await tx.create(Method({ name: 'x' }, { id: '1' }));
      });
      await graph.write(async (tx) => {
        const found = async () => (await tx.find(Fn, { name: 'x' })).map(({ id }) => id);
        expect(await found()).toEqual(['1', '2']);
        expect(await tx.findIds(Fn)).toEqual(['1', '2', '3']);
        expect((await tx.find(Method)).map(({ id }) => id)).toEqual(['1']);
        expect((await tx.find(Fn, { name: { gt: 'x' } })).map(({ id }) => id)).toEqual(['3']);
        expect((await tx.find(Method, { owner: '' })).map(({ id }) => id)).toEqual(['1']);
        await tx.del(await the(tx, '2'));
        tx.set<typeof Fn>(await the(tx, '3'), { name: 'x' });
        await tx.create(Method({ name: 'x' }, { id: '0' }));
        expect(await found()).toEqual(['0', '1', '3']);
        expect(await tx.findIds(Method)).toEqual(['0', '1']);
      });
      const found = await graph.read((tx) => tx.find(Fn, { name: 'x' }));
      expect(found.map(({ id }) => id)).toEqual(['0', '1', '3']);
    }));

  it('take any number of ids at once', () =>
    withGraph(engine, async (graph) => {
      const ids = Array.from({ length: 150_000 }, (_, n) => `nowhere${n}`);
      const found = await graph.read((tx) => tx.nodes(ids));
      expect(found.filter((node) => node !== undefined)).toEqual([]);
      expect(found).toHaveLength(ids.length);
    }));

  it('read no node where the ids of a whole archetype are asked for', () =>
    withGraph(engine, async (graph) => {
      await graph.write((tx) => tx.createAll([Fn({}, { id: 'b' }), Fn({}, { id: 'a' })]));
      expect(await graph.read((tx) => tx.findIds(Fn))).toEqual(['a', 'b']);
    }));
});

describe('canonical order', () => {
  it('never depends on when edges were connected, in one commit or in many', async () => {
    const links = [
      ['a', 'b', 7],
      ['a', 'c', 3],
      ['a', 'd', 3],
      ['d', 'b', 1],
      ['c', 'b', 9],
      ['b', 'b', 2],
    ] as const;
    const answers = new Set<string>();
    for (const order of [links, [...links].reverse()])
      for (const commits of [1, 3])
        await withGraph('memory', async (graph) => {
          for (let at = 0; at < order.length; at += order.length / commits)
            await graph.write(async (tx) => {
              const some = order.slice(at, at + order.length / commits);
              const nodes = new Map(
                (await tx.createAll(['a', 'b', 'c', 'd'].map((id) => Fn({}, { id })))).map((n) => [n.id, n]),
              );
              for (const [from, to, line] of some) {
                const [source, target] = [nodes.get(from), nodes.get(to)];
                if (source && target) await tx.connect(source, target, Calls({ line }));
              }
            });
          const seen = await graph.read(async (tx) => [
            await tx.q('a').out().ids(),
            await tx.q('b').in().ids(),
            await tx.q('b').any().ids(),
            await tx.q('a').out().out().ids(),
          ]);
          answers.add(JSON.stringify(seen));
        });
    expect([...answers]).toEqual([
      JSON.stringify([['c', 'd', 'b'], ['a', 'b', 'c', 'd'], ['b', 'a', 'c', 'd'], ['b']]),
    ]);
  });
});

describe('a graph on disk', () => {
  it('is the same when it is opened again, and creation goes on where it was', () =>
    onDisk(async (open) => {
      {
        await using graph = await open();
        await graph.write((tx) => roads(tx, 'a>c a>b b>c'));
      }
      {
        await using graph = await open();
        await graph.write(async (tx) => {
          await tx.connect(await the(tx, 'a'), Town({}, { id: 'd' }), Rail({ gauge: 1000 }));
          await tx.connect(await the(tx, 'a'), await the(tx, 'b'), Likes);
        });
      }
      await using graph = await open();
      await graph.read(async (tx) => {
        expect((await tx.q('a').out().edges()).map(({ to }) => to)).toEqual(['c', 'b', 'd', 'b']);
        expect(await tx.q('a').out(Road).of(Town).ids()).toEqual(['d']);
        expect((await tx.q('a').out(Rail).edges())[0]).toMatchObject({ gauge: 1000, km: 1 });
        expect(await tx.node(ROOT_ID)).toBeDefined();
      });
    }));

  it('keeps and shows what archetypes hold that nobody has loaded now', () =>
    onDisk(async (open) => {
      {
        await using graph = await open();
        await graph.write(async (tx) => {
          const town = await tx.create(Town({ name: 'Ulm' }, { id: 't' }));
          await tx.connect(town, Place({ name: 'p' }, { id: 'p' }), Rail({ gauge: 1000 }));
        });
      }
      {
        await using graph = await open({ archetypes: [Place] });
        await graph.write(async (tx) => {
          const town = await the(tx, 't');
          expect(town).toMatchObject({ name: 'Ulm', mayor: 'nobody' });
          expect(town.archetype.name).toBe('Town');
          expect(await tx.q('t').out().ids()).toEqual(['p']);
          const [rail] = await tx.q('p').in().edges();
          expect(rail?.archetype.name).toBe('Rail');
          expect(rail).toMatchObject({ gauge: 1000 });
          tx.set(await the(tx, 'p'), { name: 'q' });
        });
      }
      await using graph = await open({ archetypes: ARCHETYPES });
      await graph.read(async (tx) => {
        expect(await the(tx, 't')).toMatchObject({ name: 'Ulm', mayor: 'nobody' });
        expect(await tx.q('t').out(Road).of(Place, { name: 'q' }).ids()).toEqual(['p']);
        expect((await tx.q('t').out(Rail).edges())[0]).toMatchObject({ gauge: 1000 });
      });
    }));

  it('lets what nobody has loaded be deleted with its edges', () =>
    onDisk(async (open) => {
      {
        await using graph = await open();
        await graph.write(async (tx) => {
          await tx.connect(Town({}, { id: 't' }), Fn({}, { id: 'f' }), Likes);
          await tx.connect(Fn({}, { id: 'g' }), await the(tx, 'f'), Calls());
        });
      }
      {
        await using graph = await open({ archetypes: [] });
        await graph.write(async (tx) => {
          await tx.del(await the(tx, 't'));
          await tx.del(await the(tx, 'g'));
        });
      }
      await using graph = await open();
      await graph.read(async (tx) => {
        expect(await tx.nodes(['t', 'g'])).toEqual([undefined, undefined]);
        expect(await tx.q('f').any().ids()).toEqual([]);
        expect(await tx.findIds(Town)).toEqual([]);
        expect(await tx.findIds(Fn)).toEqual(['f']);
      });
    }));
});
