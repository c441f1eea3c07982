import { describe, expect, it } from 'vitest';
import { type Access, defineWalker, Root, type StepsContext, type Transaction } from '../../index.js';
import { codeOf, Likes, Place, withGraph } from './graphs.js';

const keeper = (access: Access, keep: (context: StepsContext) => unknown) =>
  defineWalker(`keeper_${access}`, {
    access,
    on: (w) => [w.entry(Root, (_here, context) => keep(context as StepsContext))],
  });

const uses = (context: StepsContext, here: never): Record<string, () => unknown> => ({
  q: () => context.q(here),
  visit: () => context.visit(here),
  report: () => context.report(1),
  skip: () => context.skip(),
  disengage: () => context.disengage(),
  progress: () => context.progress({ phase: '', done: 0, total: null }),
  spawn: () =>
    context.spawn(
      keeper('read', () => undefined),
      here,
    ),
  node: () => context.node('root'),
  nodes: () => context.nodes(['root']),
  find: () => context.find(Place),
  findIds: () => context.findIds(Place),
  storedNodes: () => context.storedNodes('derived'),
  storedEdges: () => context.storedEdges('derived'),
  blobs: () => context.blobs(['a']),
  now: () => context.now(),
  elapsed: () => context.elapsed(),
});
const changes = (context: StepsContext, here: never): Record<string, () => unknown> => ({
  create: () => context.create(Place()),
  createAll: () => context.createAll([Place()]),
  connect: () => context.connect(here, here, Likes),
  putAll: () => context.putAll([Place()]),
  connectAll: () => context.connectAll([]),
  linkAll: () => context.linkAll([]),
  disconnect: () => context.disconnect(here, here),
  del: () => context.del([]),
  set: () => context.set(here, {}),
  putBlob: () => context.putBlob('a', undefined),
});
const steps = (context: StepsContext): Record<string, () => unknown> => ({
  commit: () => context.commit(),
});

async function codesOf(what: Record<string, () => unknown>): Promise<Record<string, string>> {
  const codes: Record<string, string> = {};
  for (const [name, use] of Object.entries(what)) codes[name] = await codeOf(use);
  return codes;
}
const all = (what: object, code: string) => Object.fromEntries(Object.keys(what).map((name) => [name, code]));

describe('a context', () => {
  it.each(['read', 'write', 'steps'] as const)(
    'with %s has the methods that its access allows, and refuses the others by name',
    (access) =>
      withGraph('memory', async (graph) => {
        await graph.spawn(
          keeper(access, async (context) => {
            const here = context.here as never;
            const changing = changes(context, here);
            const stepping = steps(context);
            const may = access === 'read' ? 'READ_ONLY' : 'no error';
            expect(await codesOf(changing)).toEqual(all(changing, may));
            expect(await codesOf(stepping)).toEqual(
              all(stepping, access === 'steps' ? 'no error' : 'READ_ONLY'),
            );
            const own = Object.keys(context);
            expect(own.includes('create')).toBe(access !== 'read');
            expect(own.includes('commit')).toBe(access === 'steps');
          }),
        );
      }),
  );

  it('of a walk that reads refuses in a transaction that writes, too; of one that reads, what was typed away', () =>
    withGraph('memory', async (graph) => {
      const codes: string[] = [];
      const Sneaky = keeper('read', async (context) =>
        codes.push(await codeOf(() => context.create(Place()))),
      );
      await graph.write(async (t) => void (await t.spawn(Sneaky, await t.root())));
      await graph.read(async (t) => codes.push(await codeOf(() => (t as Transaction).create(Place()))));
      expect(codes).toEqual(['READ_ONLY', 'READ_ONLY']);
    }));

  it('that is kept after its run can do nothing, and says so', () =>
    withGraph('memory', async (graph) => {
      let kept: StepsContext | undefined;
      let here: unknown;
      let path: PromiseLike<unknown> | undefined;
      await graph.spawn(
        keeper('steps', (context) => {
          kept = context;
          here = context.here;
          path = context.q().out();
        }),
      );
      if (!kept) throw new Error('the walker did not run');
      const everything = {
        ...uses(kept, here as never),
        ...changes(kept, here as never),
        ...steps(kept),
        path: () => path,
      };
      expect(await codesOf(everything)).toEqual(all(everything, 'WALKER_FAILED'));
    }));

  it('of a walk inside a transaction ends with the walk', () =>
    withGraph('memory', async (graph) => {
      let kept: StepsContext | undefined;
      await graph.write(async (t) => {
        await t.spawn(
          keeper('write', (context) => {
            kept = context;
          }),
          await t.root(),
        );
        expect(await codeOf(() => kept?.create(Place()))).toBe('WALKER_FAILED');
        await t.create(Place({}, { id: 'a' }));
      });
      expect(await graph.read((t) => t.findIds(Place))).toEqual(['a']);
    }));

  it('of a transaction that is over can do nothing either', () =>
    withGraph('memory', async (graph) => {
      const kept = await graph.write(async (t): Promise<{ t: Transaction }> => ({ t }));
      expect(await codeOf(() => kept.t.create(Place()))).toBe('STORE_CLOSED');
      expect(await codeOf(() => kept.t.node('root'))).toBe('STORE_CLOSED');
      expect(await codeOf(() => kept.t.q('root'))).toBe('STORE_CLOSED');
    }));
});
