import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  defineNode,
  defineWalker,
  History,
  type OpenGraph,
  type OpenOptions,
  openGraph,
  z,
} from '../../index.js';
import { About, ARCHETYPES, codeOf, Fn, Note, Place, Road, the } from './graphs.js';
import { withWorktrees } from './worktrees.js';

const BARE: OpenOptions = { archetypes: ARCHETYPES, bare: true };

/** Runs `body` with both open. */
function withBoth(body: (main: OpenGraph, other: OpenGraph) => Promise<void>): Promise<void> {
  return withWorktrees(BARE, async (openMain, openOther) => {
    await using main = await openMain();
    await using other = await openOther();
    await body(main, other);
  });
}

function gate() {
  let open: () => void = () => undefined;
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open };
}

const place = (graph: OpenGraph, id: string, size = 0) =>
  graph.write(async (tx) => void (await tx.create(Place({ size }, { id }))));

const Increment = defineWalker('increment', {
  access: 'write',
  start: async (ctx) => (await ctx.node('counter')) ?? [],
  on: (w) => [
    w.entry(Place, async (here, ctx) => {
      await Promise.resolve();
      ctx.set<typeof Place>(here, { size: (here.size ?? 0) + 1 });
    }),
  ],
});

describe('two worktrees', () => {
  it('have one durable layer and a derived one each, now and after a restart', () =>
    withWorktrees(BARE, async (openMain, openOther) => {
      for (const turn of ['first', 'second']) {
        await using main = await openMain();
        await using other = await openOther();
        if (turn === 'first') {
          await main.write(async (tx) => void (await tx.create(Fn({ name: 'main' }, { id: 'f' }))));
          await other.write(async (tx) => void (await tx.create(Fn({ name: 'other' }, { id: 'f' }))));
          await place(main, 'a');
          await place(other, 'b');
        }
        for (const [name, graph] of Object.entries({ main, other }))
          await graph.read(async (tx) => {
            expect(await tx.findIds(Place)).toEqual(['a', 'b']);
            expect(await tx.node('f')).toMatchObject({ name });
          });
      }
    }));

  it('go on when one of them is closed, and the last one closes what they share', () =>
    withWorktrees(BARE, async (openMain, openOther) => {
      const main = await openMain();
      const other = await openOther();
      await place(main, 'a');
      await Promise.all([main.close(), main.close()]);
      expect(await codeOf(() => place(main, 'b'))).toBe('STORE_CLOSED');
      await place(other, 'c');
      const [again] = await Promise.all([openMain(), other.close()]);
      await place(again, 'd');
      expect(await again.read((tx) => tx.findIds(Place))).toEqual(['a', 'c', 'd']);
      await again.close();
      // Nobody has it any more: whoever shares nothing can open it.
      const alone = await openOther({ history: new History() });
      expect(await codeOf(() => openMain({ history: new History(), waitMs: 0 }))).toBe('STORE_LOCKED');
      await alone.close();
    }));

  it('cannot share a history that is not theirs', () =>
    withWorktrees(BARE, async (openMain, openOther, { folder }) => {
      const stranger = join(folder, 'stranger');
      mkdirSync(stranger);
      const history = new History();
      await using main = await openMain({ history });
      const home = join(folder, 'graphs');
      expect(await codeOf(() => openGraph(stranger, { home, history }))).toBe('INTERNAL');
      await using other = await openOther({ history });
      await place(main, 'a');
      expect(await other.read((tx) => tx.findIds(Place))).toEqual(['a']);
      // The stranger's derived store was let go of.
      await using alone = await openGraph(stranger, { home, waitMs: 0 });
      expect(alone.root).toBe(stranger);
    }));

  it('lose no update that both make: whoever read what the other changed runs again', () =>
    withBoth(async (main, other) => {
      await place(main, 'counter');
      const runs = Array.from({ length: 40 }, (_, at) => (at % 2 === 0 ? main : other).spawn(Increment));
      const replays = (await Promise.all(runs)).map(({ figures }) => figures.replays);
      expect(replays.some((count) => count > 0)).toBe(true);
      for (const graph of [main, other])
        expect(await graph.read(async (tx) => the(tx, 'counter'))).toMatchObject({ size: 40 });
    }));

  it('disturb no writer of the other with their code', () =>
    withBoth(async (main, other) => {
      const { passed, open } = gate();
      const attempts: (string | undefined)[] = [];
      const writer = main.write(async (tx) => {
        const known = [...(await tx.findIds(Fn)), ...(await tx.q('f').any().ids())];
        attempts.push((await tx.node('f'))?.id, ...known);
        await passed;
        await tx.create(Note({}, { id: 'n' }));
      });
      await other.write(async (tx) => {
        await tx.create(Fn({}, { id: 'f' }));
      });
      open();
      await writer;
      expect(attempts).toEqual([undefined]);
    }));

  it('keep for a run of the one the version that it began with while the other commits', () =>
    withBoth(async (main, other) => {
      await main.write(async (tx) => {
        await tx.connect(Place({ size: 1 }, { id: 'a' }), Place({}, { id: 'b' }), Road());
      });
      await other.read(async (tx) => {
        await main.write(async (inner) => {
          inner.set<typeof Place>(await the(inner, 'a'), { size: 2 });
          await inner.connect(await the(inner, 'a'), Place({}, { id: 'c' }), Road());
          await inner.create(Fn({}, { id: 'f' }));
        });
        expect(await tx.q('a').out().ids()).toEqual(['b']);
        expect(await the(tx, 'a')).toMatchObject({ size: 1 });
        expect(await tx.node('c')).toBeUndefined();
      });
      expect(await other.read((tx) => tx.q('a').out().ids())).toEqual(['b', 'c']);
    }));

  it('see a commit of the other whole or not at all, also when they begin while it is written', () =>
    withBoth(async (main, other) => {
      const sizes = new Set<string>();
      const look = () =>
        other.read(async (tx) => {
          const found = await tx.find(Place);
          sizes.add(found.map(({ size }) => size).join());
        });
      const looks: Promise<void>[] = [];
      for (let size = 1; size <= 20; size++) {
        const writing = main.write(async (tx) => {
          for (const id of ['a', 'b', 'c']) await tx.create(Place({ size }, { id }));
          await tx.create(Fn({ name: `${size}` }, { id: 'f' }));
        });
        for (let at = 0; at < 10; at++) {
          looks.push(look());
          await new Promise((resolve) => setImmediate(resolve));
        }
        await writing;
      }
      await Promise.all(looks);
      for (const seen of sizes) expect(seen).toMatch(/^$|^(\d+),\1,\1$/);
    }));

  it('show a run in steps what the other changed meanwhile, in the objects that it has', () =>
    withBoth(async (main, other) => {
      await place(main, 'a', 1);
      const seen: unknown[] = [];
      const Steps = defineWalker('steps', {
        access: 'steps',
        run: async (_here, ctx) => {
          const a = await ctx.node('a');
          await other.write(async (tx) => tx.set<typeof Place>(await the(tx, 'a'), { size: 2 }));
          seen.push(a && propsAt(a));
          await ctx.commit();
          seen.push(a && propsAt(a));
        },
      });
      await main.spawn(Steps);
      expect(seen).toEqual([1, 2]);
    }));

  it('answer a note on code that only one of them has each for itself', () =>
    withBoth(async (main, other) => {
      await main.write(async (tx) => {
        await tx.connect(Note({}, { id: 'n' }), Fn({ name: 'f' }, { id: 'f' }), About());
      });
      const target = (graph: OpenGraph) => graph.read(async (tx) => (await tx.q('n').out(About))[0]);
      expect(await target(main)).toMatchObject({ id: 'f', name: 'f' });
      expect((await target(main))?.gone).toBeUndefined();
      expect(await target(other)).toMatchObject({ id: 'f', name: '', gone: true });
      await other.write(async (tx) => void (await tx.create(Fn({ name: 'own' }, { id: 'f' }))));
      await main.write(async (tx) => tx.del(await the(tx, 'f')));
      expect(await target(main)).toMatchObject({ gone: true });
      expect(await target(other)).toMatchObject({ name: 'own' });
    }));

  it('may know different archetypes, of one name too', () =>
    withWorktrees(BARE, async (openMain, openOther) => {
      const Old = defineNode('Visit', { at: z.string().default('') }, { indexes: ['at'] });
      const New = defineNode('Visit', { at: z.string().default(''), by: z.string().default('nobody') });
      const Extra = defineNode('Extra', { word: z.string() });
      await using main = await openMain({ archetypes: [Old] });
      await using other = await openOther({ archetypes: [New, Extra] });
      await main.write(async (tx) => void (await tx.create(Old({ at: 'noon' }, { id: 'v1' }))));
      await other.write(async (tx) => {
        await tx.create(New({ at: 'night', by: 'owl' }, { id: 'v2' }));
        await tx.create(Extra({ word: 'x' }, { id: 'e' }));
      });
      await main.write(async (tx) => void (await tx.create(Old({ at: 'dawn' }, { id: 'v3' }))));
      expect(await other.read(async (tx) => (await tx.find(New)).map(({ by }) => by))).toEqual([
        'nobody',
        'owl',
        'nobody',
      ]);
      expect(await main.read((tx) => tx.findIds(Old))).toEqual(['v1', 'v2', 'v3']);
      expect(await main.read(async (tx) => (await tx.node('e'))?.archetype.name)).toBe('Extra');
    }));

  it('can be opened once whoever held their history alone has let go of it', () =>
    withWorktrees(BARE, async (openMain, openOther) => {
      const alone = await openMain({ history: new History() });
      expect(await codeOf(() => openOther({ waitMs: 0 }))).toBe('STORE_LOCKED');
      await alone.close();
      await using other = await openOther({ waitMs: 0 });
      await using main = await openMain({ waitMs: 0 });
      await place(main, 'a');
      expect(await other.read((tx) => tx.findIds(Place))).toEqual(['a']);
    }));
});

function propsAt(node: object): unknown {
  return 'size' in node ? node.size : undefined;
}
