import { describe, expect, it } from 'vitest';
import { fused, ranking } from '../../search/index.js';

const evidence = (scores: Record<string, number>, weight = 1) => ({
  scores: new Map(Object.entries(scores)),
  weight,
});

describe('rank fusion', () => {
  it('adds up ranks, whatever the scales of the scores', () => {
    const small = fused([evidence({ a: 0.2, b: 0.1 }), evidence({ b: 3, c: 1 })]);
    const large = fused([evidence({ a: 2000, b: 1000 }), evidence({ b: 0.3, c: 0.1 })]);
    expect(ranking(small)).toEqual(['b', 'a', 'c']);
    expect(large).toEqual(small);
  });

  it('lets a list count as much as its weight says', () => {
    const lists = [evidence({ a: 1 }), evidence({ b: 1 }, 2)];
    expect(ranking(fused(lists))).toEqual(['b', 'a']);
  });

  it('takes what scores nothing for unknown, and orders equals by key', () => {
    expect(ranking(new Map(Object.entries({ z: 1, a: 1, gone: 0 })))).toEqual(['a', 'z']);
    expect(fused([evidence({ gone: 0 })])).toEqual(new Map());
  });
});
