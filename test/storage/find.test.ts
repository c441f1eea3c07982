import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { defineNode } from '../../schema/index.js';
import { type LayerOptions, openLayer, openMemoryStore } from '../../storage/index.js';
import { CATALOG, catalogOf } from './catalog.js';
import { changes, collect, fn, put } from './model.js';
import { codeOf } from './suite.js';

const open = async (options: LayerOptions = {}) =>
  openLayer(await openMemoryStore(), 'durable', CATALOG, options);

describe('find', () => {
  test('merges descendants by (value, id), and takes equality, prefixes, bounds and limits', async () => {
    const layer = await open();
    const cls = (id: string, name: string) => put({ id, type: 'Class', props: { name, doc: null } });
    await layer.commit(
      changes({
        nodes: [
          put(fn('f1', { name: 'b', line: 10, exported: true })),
          put(fn('f2', { name: 'a', line: 9 })),
          cls('c1', 'b'),
          cls('c2', 'ab'),
        ],
      }),
    );
    const find = (query: object) => collect(layer.find({ type: 'Symbol', property: 'name', ...query }));
    expect(await find({})).toEqual(['f2', 'c2', 'c1', 'f1']);
    expect(await find({ equals: 'b' })).toEqual(['c1', 'f1']);
    expect(await find({ prefix: 'a' })).toEqual(['f2', 'c2']);
    expect(await find({ gte: 'ab', lt: 'b' })).toEqual(['c2']);
    expect(await find({ limit: 3 })).toEqual(['f2', 'c2', 'c1']);
    expect(await find({ limit: 0 })).toEqual([]);
    expect(await find({ reverse: true })).toEqual(['f1', 'c1', 'c2', 'f2']);
    expect(await find({ reverse: true, prefix: 'a', limit: 1 })).toEqual(['c2']);
    expect(await find({ type: 'Class' })).toEqual(['c2', 'c1']);
    expect(await find({ property: null })).toEqual(['c1', 'c2', 'f1', 'f2']);
    expect(await find({ property: 'line', gte: 10 })).toEqual(['f1']);
    expect(await find({ type: 'Function', property: 'exported', equals: true })).toEqual(['f1']);
    expect(await codeOf(() => find({ equals: 'a', prefix: 'a' }))).toBe('INVALID_INPUT');
    expect(await codeOf(() => find({ property: 'doc' }))).toBe('INVALID_INPUT');
  });
});

describe('other indexes than those of a property', () => {
  const Note = defineNode(
    'Note',
    { tags: z.array(z.string()).default([]), weight: z.number(), at: z.string().optional() },
    { indexes: ['weight', 'tags[]', 'weight+at'] },
  );
  const note = (id: string, weight: number, at: string | undefined, ...tags: string[]) =>
    put({ id, type: 'Note', props: { weight, tags, ...(at === undefined ? {} : { at }) } });

  async function notes() {
    const store = await openMemoryStore();
    const layer = await openLayer(store, 'durable', catalogOf([Note]));
    await layer.commit(
      changes({
        nodes: [
          note('a', 1, '2020', 'x', 'y', 'x'),
          note('b', 0.5, '2022', 'y'),
          note('c', 1, '2021\0', 'x'),
          note('d', -1, '2023'),
          note('e', 1, undefined),
        ],
      }),
    );
    const find = (property: string, query: object = {}) =>
      collect(layer.find({ type: 'Note', property, ...query }));
    return { layer, find, store };
  }

  test('find nodes by each value of a list, and follow it', async () => {
    const { layer, find } = await notes();
    expect(await find('tags[]', { equals: 'x' })).toEqual(['a', 'c']);
    expect(await find('tags[]', { equals: 'y' })).toEqual(['a', 'b']);
    await layer.commit(
      changes({ nodes: [{ ...note('a', 1, '2020', 'z'), before: note('a', 1, '2020', 'x', 'y').after }] }),
    );
    expect(await find('tags[]', { equals: 'x' })).toEqual(['c']);
    expect(await find('tags[]', { equals: 'z' })).toEqual(['a']);
  });

  test('order nodes by one property and then another, from either end, and take bounds of the first', async () => {
    const { find } = await notes();
    expect(await find('weight+at')).toEqual(['d', 'b', 'a', 'c']);
    expect(await find('weight+at', { reverse: true })).toEqual(['c', 'a', 'b', 'd']);
    expect(await find('weight+at', { gte: 0.5, reverse: true, limit: 3 })).toEqual(['c', 'a', 'b']);
    expect(await find('weight+at', { lt: 1 })).toEqual(['d', 'b']);
  });

  test('are made for what is stored when an archetype gets them', async () => {
    const { store } = await notes();
    const More = defineNode('Note', Note.shape, { indexes: ['weight', 'at+weight', 'tags[]'] });
    const again = await openLayer(store, 'durable', catalogOf([More]));
    expect(await collect(again.find({ type: 'Note', property: 'at+weight', reverse: true }))).toEqual([
      'd',
      'b',
      'c',
      'a',
    ]);
    expect(await collect(again.find({ type: 'Note', property: 'tags[]', equals: 'y' }))).toEqual(['a', 'b']);
  });
});
