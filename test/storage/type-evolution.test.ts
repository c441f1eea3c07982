import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { defineEdge, defineNode } from '../../schema/index.js';
import { openLayer, openMemoryStore } from '../../storage/index.js';
import { catalogOf } from './catalog.js';
import { changes, collect, edge, everything, put } from './model.js';
import { codeOf } from './suite.js';

describe('archetypes that change', () => {
  const One = defineNode('Thing', { a: z.string(), b: z.number().optional() }, { indexes: ['a'] });
  const Two = defineNode('Thing', { b: z.number().optional(), c: z.string().optional() }, { indexes: ['b'] });
  const Link = defineEdge('Link', { w: z.number() }, { inline: ['w'] });
  const Longer = defineEdge(
    'Link',
    { x: z.string().optional(), w: z.number(), note: z.string().optional() },
    { inline: ['x', 'w'] },
  );
  const node = (id: string, props: Record<string, unknown>) => put({ id, type: 'Thing', props });

  test('lose unknown fields and leave new ones absent; indexes follow', async () => {
    const store = await openMemoryStore();
    const old = await openLayer(store, 'durable', catalogOf([One, Link]));
    await old.commit(
      changes({
        nodes: [node('n', { a: 'x', b: 2 }), node('m', { a: 'w', b: 1 })],
        edges: [edge('Link', 'n', 'm', { w: 5 }, { seq: 1 })],
        typeOf: () => 'Thing',
      }),
    );
    const layer = await openLayer(store, 'durable', catalogOf([Two, Longer]));
    expect(await layer.nodes(['n'])).toEqual([{ id: 'n', type: 'Thing', props: { b: 2 } }]);
    expect(await collect(layer.find({ type: 'Thing', property: 'b' }))).toEqual(['m', 'n']);
    expect(await codeOf(() => collect(layer.find({ type: 'Thing', property: 'a' })))).toBe('INVALID_INPUT');
    await layer.commit(
      changes({
        edges: [edge('Link', 'n', 'o', { w: 6, x: 'y', note: 'z' }, { seq: 2 })],
        typeOf: () => 'Thing',
      }),
    );
    const [out] = await layer.adjacency([{ node: 'n', direction: 'out', edgeType: 'Link' }]);
    expect(out?.map(({ props }) => props)).toEqual([{ w: 5 }, { x: 'y', w: 6 }]);
    const found = await layer.edges([
      edge('Link', 'n', 'm', {}, { seq: 1 }),
      edge('Link', 'n', 'o', {}, { seq: 2 }),
    ]);
    expect(found.map((stored) => stored?.props)).toEqual([{ w: 5 }, { x: 'y', w: 6, note: 'z' }]);
  });

  test('that are not loaded still decode whole', async () => {
    const store = await openMemoryStore();
    const old = await openLayer(store, 'durable', catalogOf([One, Link]));
    await old.commit(
      changes({
        nodes: [node('n', { a: 'x', b: 2 })],
        edges: [edge('Link', 'n', 'm', { w: 5 }, { seq: 1 })],
        typeOf: () => 'Thing',
      }),
    );
    const layer = await openLayer(store, 'durable', catalogOf([]));
    const all = await everything(layer);
    expect(all.nodes).toEqual([{ id: 'n', type: 'Thing', props: { a: 'x', b: 2 } }]);
    expect(all.edges.map(({ props }) => props)).toEqual([{ w: 5 }]);
  });
});
