import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type Digest, defineWalker, type OpenGraph, Root } from '../../index.js';
import { Fn, Place, Road, withGraph } from './graphs.js';

/** Names of all places, as a digest; and what each update was told. @param ms How long an update takes at least. */
function namesDigest(ms = 0) {
  const told: (readonly string[] | null)[] = [];
  const digest: Digest<Map<string, string>> = {
    name: 'names',
    create: () => new Map(),
    update: async (names, changed, context) => {
      told.push(changed && [...changed].sort());
      for (const id of changed ?? []) names.delete(id);
      if (ms > 0) await setTimeout(ms);
      const places = changed
        ? (await context.find(Place)).filter(({ id }) => changed.has(id))
        : await context.find(Place);
      for (const { id, name } of places) names.set(id, name);
    },
  };
  const Names = defineWalker('names', {
    description: 'Names of places.',
    state: () => ({ names: [] as string[] }),
    on: (w) => [
      w.entry(Root, async (_here, context) => {
        context.state.names = await context.digest(digest, (names) => [...names.values()].sort());
      }),
    ],
    finish: ({ state }) => state.names,
  });
  return { told, digest, Names, names: async (graph: OpenGraph) => (await graph.spawn(Names)).output };
}

test('a digest is made once and then told what changed', () =>
  withGraph('level', async (graph) => {
    const { told, names } = namesDigest();
    await graph.write(async (tx) => void (await tx.create(Place({ name: 'Ulm' }, { id: 'p1' }))));
    expect(await names(graph)).toEqual(['Ulm']);
    expect(await names(graph)).toEqual(['Ulm']);
    expect(told).toEqual([null]);

    await graph.write(async (tx) => {
      const bern = await tx.create(Place({ name: 'Bern' }, { id: 'p2' }));
      const ulm = await tx.node('p1');
      if (ulm) await tx.connect(bern, ulm, Road);
      await tx.create(Fn({ name: 'code' }, { id: 'fn:1' }));
    });
    expect(await names(graph)).toEqual(['Bern', 'Ulm']);
    expect(told.slice(1)).toEqual([['p1', 'p2']]);

    await graph.write(async (tx) => {
      const bern = await tx.node('p2');
      if (bern) await tx.del(bern);
    });
    expect(await names(graph)).toEqual(['Ulm']);
  }));

test('derived changes are no news to it', () =>
  withGraph('memory', async (graph) => {
    const { told, names } = namesDigest();
    await names(graph);
    await graph.write(async (tx) => void (await tx.create(Fn({ name: 'code' }, { id: 'fn:1' }))));
    await names(graph);
    expect(told).toEqual([null]);
  }));

test('what a run has not committed never gets into it', () =>
  withGraph('memory', async (graph) => {
    const { Names, names } = namesDigest();
    expect(await names(graph)).toEqual([]);
    await graph
      .write(async (tx) => {
        await tx.create(Place({ name: 'Nowhere' }, { id: 'p1' }));
        const { state } = await tx.spawn(Names, await tx.root());
        expect(state.names).toEqual(['Nowhere']);
        throw new Error('not meant');
      })
      .catch(() => undefined);
    expect(await names(graph)).toEqual([]);
  }));

test('an update that fails is made good by the next: nothing half done stays', () =>
  withGraph('memory', async (graph) => {
    let broken = true;
    const digest: Digest<string[]> = {
      name: 'fragile',
      create: () => [],
      update: async (value, changed) => {
        value.push(changed ? 'more' : 'all');
        if (broken) throw new Error('broken');
      },
    };
    const Fragile = defineWalker('fragile', {
      description: 'Fragile.',
      state: () => ({ value: [] as string[] }),
      on: (w) => [
        w.entry(Root, async (_here, context) => {
          context.state.value = await context.digest(digest, (value) => [...value]);
        }),
      ],
      finish: ({ state }) => state.value,
    });
    await expect(graph.spawn(Fragile)).rejects.toThrow('broken');
    broken = false;
    expect((await graph.spawn(Fragile)).output).toEqual(['all']);
  }));

test('runs that overlap with a commit each see their own version', () =>
  withGraph('level', async (graph) => {
    const { names, told } = namesDigest();
    await names(graph);
    const create = (id: string) =>
      graph.write(async (tx) => void (await tx.create(Place({ name: id }, { id }))));
    const seen = await Promise.all([names(graph), create('p1'), names(graph), create('p2'), names(graph)]);
    for (const list of seen) if (list) expect([[], ['p1'], ['p1', 'p2']]).toContainEqual(list);
    expect(await names(graph)).toEqual(['p1', 'p2']);
    expect(told[0]).toBe(null);
  }));

test('a run that waits its turn takes nothing away from the one before it', () =>
  withGraph('memory', async (graph) => {
    const { names } = namesDigest(5);
    const rename = (name: string) =>
      graph.write(async (tx) => void (await tx.create(Place({ name }, { id: 'p1' }))));
    await rename('Ulm');
    await names(graph);
    await rename('Bern');
    const first = names(graph);
    await rename('Basel');
    const second = names(graph);
    expect([await first, await second]).toEqual([['Bern'], ['Basel']]);
  }));

test('what is committed between the start of a run and its digest is not lost to the runs after it', () =>
  withGraph('memory', async (graph) => {
    const { names, digest } = namesDigest();
    const Slow = defineWalker('slow', {
      description: 'Looks at a digest after somebody else has committed.',
      state: () => ({ names: [] as string[] }),
      on: (w) => [
        w.entry(Root, async (_here, context) => {
          await graph.write(async (tx) => void (await tx.create(Place({ name: 'Ulm' }, { id: 'p1' }))));
          context.state.names = await context.digest(digest, (known) => [...known.values()]);
        }),
      ],
      finish: ({ state }) => state.names,
    });
    expect((await graph.spawn(Slow)).output).toEqual([]);
    expect(await names(graph)).toEqual(['Ulm']);
  }));
