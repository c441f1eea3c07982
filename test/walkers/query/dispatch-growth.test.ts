import { expect, it } from 'vitest';
import { defineWalker, openGraph, z } from '../../../index.js';
import {
  ClassSymbol,
  MethodSymbol,
  SymbolContainsSymbol,
  SymbolExtendsSymbol,
} from '../../../schema/index.js';
import { overriddenMembers, overridingMembers } from '../../../walkers/query/dispatch.js';

const COUNT = 400;
const classId = (at: number) => `cls:a.ts:C${at % COUNT}`;
const memberId = (at: number) => `m:a.ts:C${at % COUNT}.go`;

const Both = defineWalker('both_ways', {
  input: { ids: z.array(z.string()) },
  run: async (_here, ctx) => [
    await overridingMembers(ctx, ctx.state.ids),
    await overriddenMembers(ctx, ctx.state.ids),
  ],
});

it('looks fifty steps far from each class of a ring, however many classes are asked about', async () => {
  await using graph = await openGraph(':memory:');
  const all = Array.from({ length: COUNT }, (_, at) => at);
  await graph.write(async (tx) => {
    const symbol = { path: 'a.ts', language: 'typescript', start_line: 1, end_line: 1 };
    const draft = { ...symbol, qualified_name: 'x', scope: 'module', signature: '' };
    await tx.putAll(
      all.flatMap((at) => [
        ClassSymbol({ ...draft, name: `C${at}`, kind: 'class' } as never, { id: classId(at) }),
        MethodSymbol({ ...draft, name: 'go', kind: 'method' } as never, { id: memberId(at) }),
      ]),
    );
    for (const at of all) {
      const [one, next, member] = await tx.nodes([classId(at), classId(at + 1), memberId(at)]);
      if (!one || !next || !member) throw new Error(`no class ${at}`);
      await tx.connect(one, next, SymbolExtendsSymbol({ line: at + 1 } as never));
      await tx.connect(one, member, SymbolContainsSymbol({} as never));
    }
  });
  const { output } = await graph.spawn(Both, null, { ids: all.map(memberId) });
  for (const members of output) {
    expect(members.size).toBe(COUNT);
    expect(Math.max(...[...members.values()].map((others) => others.length))).toBe(50);
  }
});
