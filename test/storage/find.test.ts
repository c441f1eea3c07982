import { describe, expect, test } from 'vitest';
import { type LayerOptions, openLayer, openMemoryStore } from '../../storage/index.js';
import { CATALOG } from './catalog.js';
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
    expect(await find({ type: 'Class' })).toEqual(['c2', 'c1']);
    expect(await find({ property: null })).toEqual(['c1', 'c2', 'f1', 'f2']);
    expect(await find({ property: 'line', gte: 10 })).toEqual(['f1']);
    expect(await find({ type: 'Function', property: 'exported', equals: true })).toEqual(['f1']);
    expect(await codeOf(() => find({ equals: 'a', prefix: 'a' }))).toBe('INVALID_INPUT');
    expect(await codeOf(() => find({ property: 'doc' }))).toBe('INVALID_INPUT');
  });
});
