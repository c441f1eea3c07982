import { expect, test } from 'vitest';
import { rarity, TextIndex } from '../../search/index.js';

type Fields = { title?: string[]; body?: string[] };
const build = (...documents: [owner: string, fields: Fields][]) => {
  const index = new TextIndex({ title: 2, body: 1 });
  for (const [owner, fields] of documents) index.add(owner, fields);
  return index;
};
const query = (...words: string[]) => new Map(words.map((word) => [word, 1]));
const ranked = (index: TextIndex<'title' | 'body'>, ...words: string[]) =>
  index
    .search(query(...words))
    .sort((a, b) => b.score - a.score || (a.owner < b.owner ? -1 : 1))
    .map(({ owner }) => owner);

test('rare words count more than common ones', () => {
  const index = build(
    ['a', { body: ['login', 'page'] }],
    ['b', { body: ['login', 'vault'] }],
    ['c', { body: ['login', 'home'] }],
  );
  expect(ranked(index, 'login', 'vault')[0]).toBe('b');
  expect(rarity(100, 1)).toBeGreaterThan(rarity(100, 50));
  expect(rarity(100, 100)).toBeGreaterThan(0);
});

test('a word in a heavier field counts more, a long text less', () => {
  const index = build(
    ['body', { title: ['x1'], body: ['token'] }],
    ['title', { title: ['token'], body: ['x1'] }],
  );
  expect(ranked(index, 'token')).toEqual(['title', 'body']);
  const long = build(
    ['long', { body: ['token', ...Array(50).fill('filler')] }],
    ['short', { body: ['token', 'other'] }],
  );
  expect(ranked(long, 'token')).toEqual(['short', 'long']);
});

test('a score is a share of the largest there could be: words that nobody has lower it', () => {
  const index = build(['a', { body: ['alpha', 'beta'] }], ['b', { body: ['gamma'] }]);
  const [known] = index.search(query('alpha'));
  const [part] = index.search(query('alpha', 'unheard', 'unseen'));
  expect(known?.score).toBeLessThanOrEqual(1);
  expect(part?.score).toBeLessThan((known?.score ?? 0) / 2);
  expect(index.search(query('unheard'))).toEqual([]);
});

test('an owner is found by its best document, which is named', () => {
  const index = build(['a', { body: ['one'] }], ['a', { body: ['two', 'three'] }], ['b', { body: ['two'] }]);
  expect(index.search(query('two', 'three')).find(({ owner }) => owner === 'a')).toMatchObject({ part: 1 });
  expect(index.telling(query('three', 'one', 'two'), { owner: 'a', part: 1 }, 5).sort()).toEqual([
    'three',
    'two',
  ]);
});

test('what was taken out leaves no trace: the answers are those of an index that never had it', () => {
  const fresh = build(['a', { body: ['x1', 'y1'] }], ['b', { title: ['y1'] }]);
  const used = build(
    ['b', { body: ['old'] }],
    ['gone', { title: ['x1'], body: ['y1', 'y1'] }],
    ['a', { body: ['x1', 'y1'] }],
  );
  used.remove('gone');
  used.remove('b');
  used.add('b', { title: ['y1'] });
  for (const word of ['x1', 'y1', 'old'])
    expect(new Map(used.search(query(word)).map((hit) => [hit.owner, hit]))).toEqual(
      new Map(fresh.search(query(word)).map((hit) => [hit.owner, hit])),
    );
});

test('among some owners a word is as rare as it is among them, and the others leave no trace', () => {
  const some: [string, Fields][] = [
    ['a', { body: ['login', 'page'] }],
    ['b', { body: ['vault', 'page', 'page'] }],
    ['c', { title: ['home'] }],
  ];
  const alone = build(...some);
  const beside = build(['x', { body: ['vault', 'login', 'login'] }], ...some, ['y', { title: ['vault'] }]);
  const wanted = query('login', 'vault', 'page');
  const sorted = (hits: { owner: string }[]) => hits.sort((x, y) => (x.owner < y.owner ? -1 : 1));
  expect(sorted(beside.search(wanted, ['c', 'b', 'a']))).toEqual(sorted(alone.search(wanted)));
  expect(beside.narrowed(wanted, 5, ['a', 'b', 'c'])).toEqual(alone.narrowed(wanted, 5));
});

test('words that most have, or none, tell nothing: a query is narrowed to the others, the most telling first', () => {
  const index = build(
    ['a', { body: ['self', 'login', 'rare'] }],
    ['b', { body: ['self', 'login'] }],
    ['c', { body: ['self'] }],
    ['d', { body: ['self'] }],
  );
  const words = query('self', 'login', 'rare', 'unheard');
  expect([...index.narrowed(words, 5).keys()]).toEqual(['rare', 'login']);
  expect([...index.narrowed(words, 1).keys()]).toEqual(['rare']);
});
