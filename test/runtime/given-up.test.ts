import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { CodewalkError, defineWalker, Root, type StepsContext } from '../../index.js';
import { codeOf, Place, withGraph } from './graphs.js';

const never = () => new Promise<never>(() => undefined);
const soon = { limits: { deadlineMs: 10 } };

// Each waits two seconds for nothing: all at once.
describe.concurrent('a run that never settles', () => {
  it.each([
    ['at its start', defineWalker('hangs', { start: never, on: () => [] })],
    ['in an ability', defineWalker('hangs', { on: (w) => [w.entry(never)] })],
    ['in its finish', defineWalker('hangs', { on: () => [], finish: never })],
  ])('%s is given up after its deadline, by name', (_, walker) =>
    withGraph('memory', async (graph) => {
      const error = await graph.spawn(walker, null, {}, soon).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(CodewalkError);
      expect(error).toMatchObject({
        code: 'DEADLINE',
        message: "the walker 'hangs' did not end at its deadline of 10 ms",
      });
    }),
  );

  it('in steps has its time anew with each report of progress, unless its caller names a deadline', async () => {
    /** How both end that report six times, with a pause between; and the longest time between two reports. */
    const pausing = async (ms: number) => {
      let longest = 0;
      let outcomes: readonly { code: string; aborted: boolean }[] = [];
      await withGraph(
        'memory',
        async (graph) => {
          outcomes = await Promise.all(
            [{}, soon].map(async (options) => {
              let aborted = false;
              const Slow = defineWalker('slow', {
                access: 'steps',
                run: async (_here, context) => {
                  for (let done = 0; done < 6 && !aborted; done += 1) {
                    const from = performance.now();
                    context.progress({ phase: 'work', done, total: 6 });
                    await sleep(ms);
                    aborted = context.signal.aborted;
                    longest = Math.max(longest, performance.now() - from);
                  }
                  if (options !== soon) await never();
                },
              });
              const code = await codeOf(() => graph.spawn(Slow, null, {}, options));
              return { code, aborted };
            }),
          );
        },
        { limits: { deadlineMs: 3 * ms } },
      );
      return { outcomes, longest };
    };
    let ms = 100;
    let said = await pausing(ms);
    // A busy machine may give nothing to do for longer than all of the time.
    while (said.longest > 2 * ms) {
      ms *= 2;
      said = await pausing(ms);
    }
    const [first, second] = said.outcomes;
    // The first goes on to its end, from which it makes no progress.
    expect(first).toEqual({ code: 'DEADLINE', aborted: false });
    expect(second?.aborted).toBe(true);
  });

  it('is given up when its caller cancels', () =>
    withGraph('memory', async (graph) => {
      const Hangs = defineWalker('hangs', { on: (w) => [w.entry(never)] });
      const cancel = new AbortController();
      const run = graph.spawn(Hangs, null, {}, { signal: cancel.signal });
      cancel.abort();
      expect(await codeOf(() => run)).toBe('CANCELLED');
    }));

  it('is given up inside a transaction too, which goes on', () =>
    withGraph('memory', async (graph) => {
      const Hangs = defineWalker('hangs', { on: (w) => [w.entry(never)] });
      await graph.write(async (t) => {
        expect(await codeOf(async () => t.spawn(Hangs, await t.root(), {}, soon))).toBe('DEADLINE');
        await t.create(Place({}, { id: 'a' }));
      });
      expect(await graph.read((t) => t.findIds(Place))).toEqual(['a']);
    }));

  it('writes nothing, then or later; what it had committed in steps stays', () =>
    withGraph('memory', async (graph) => {
      let goOn: () => void = () => undefined;
      const woken = new Promise<void>((resolve) => {
        goOn = resolve;
      });
      // However long they take to get there.
      const cancel = new AbortController();
      let left = 2;
      const begun = () => {
        if (--left === 0) cancel.abort();
      };
      const after: string[] = [];
      const work = async (context: StepsContext, id: string) => {
        await context.create(Place({}, { id: `${id}-first` }));
        await context.commit();
        await context.create(Place({}, { id: `${id}-second` }));
        begun();
        await woken;
        after.push(await codeOf(() => context.create(Place({}, { id: `${id}-third` }))));
        after.push(await codeOf(() => context.commit()));
      };
      const Steps = defineWalker('steps', {
        access: 'steps',
        on: (w) => [w.entry(Root, (_here, context) => work(context, 'steps'))],
      });
      const Write = defineWalker('write', {
        access: 'write',
        run: async (_here, context) => {
          await context.create(Place({}, { id: 'write' }));
          begun();
          await never();
        },
      });
      const { signal } = cancel;
      const runs = [Steps, Write].map((walker) => codeOf(() => graph.spawn(walker, null, {}, { signal })));
      expect(await Promise.all(runs)).toEqual(['CANCELLED', 'CANCELLED']);
      goOn();
      await new Promise((resolve) => setImmediate(resolve));
      expect(after).toEqual(['WALKER_FAILED', 'WALKER_FAILED']);
      expect(await graph.read((t) => t.findIds(Place))).toEqual(['steps-first']);
    }));
});
