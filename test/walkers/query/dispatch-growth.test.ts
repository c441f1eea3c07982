import { expect, it } from 'vitest';
import type { ReadContext } from '../../../runtime/index.js';
import { SymbolContainsSymbol, SymbolExtendsSymbol } from '../../../schema/index.js';
import { overriddenMembers, overridingMembers } from '../../../walkers/query/parts/dispatch.js';

const COUNT = 400;
const ids = Array.from({ length: COUNT }, (_, at) => `m:a.ts:C${at}.go`);

/** Where an edge leads in a ring of classes that each extend the next one and have one method. */
function farEnd(id: string, direction: string, type: unknown): string | null {
  const at = Number(/:C(\d+)/.exec(id)?.[1]);
  if (type === SymbolContainsSymbol) return direction === 'in' ? `cls:a.ts:C${at}` : `m:a.ts:C${at}.go`;
  if (type !== SymbolExtendsSymbol) return null;
  return `cls:a.ts:C${(at + (direction === 'out' ? 1 : COUNT - 1)) % COUNT}`;
}

const ring = {
  entries: async (from: readonly string[], direction: string, type: unknown) =>
    from.map((id) =>
      [farEnd(id, direction, type)].flatMap((far) => (far === null ? [] : [{ far, props: {} }])),
    ),
  nodesOf: async () => [],
} as unknown as Pick<ReadContext, 'entries' | 'nodesOf'>;

it('looks fifty steps far from each class of a ring, however many classes are asked about', async () => {
  for (const members of [await overridingMembers(ring, ids), await overriddenMembers(ring, ids)]) {
    expect(members.size).toBe(COUNT);
    expect(Math.max(...[...members.values()].map((others) => others.length))).toBe(50);
  }
});
