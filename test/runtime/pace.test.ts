import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it, test } from 'vitest';
import { defineWalker, type OpenGraph, Root, type StepsContext } from '../../index.js';
import { Pace } from '../../runtime/pace.js';
import { ENGINES, Place, withGraph } from './graphs.js';

const MANY = 20_000;
const places = (from = 0) =>
  Array.from({ length: MANY }, (_, at) => Place({ name: `place ${at}` }, { id: `p${from + at}` }));

/** Reads again and again until `work` is over; what each read saw. */
async function readMeanwhile<T>(work: Promise<unknown>, look: () => Promise<T>): Promise<{ seen: T[] }> {
  const seen: T[] = [];
  let goesOn = true;
  const ended = work.finally(() => {
    goesOn = false;
  });
  while (goesOn) {
    seen.push(await look());
    await nextTurn();
  }
  await ended;
  return { seen };
}

/** Works until it is time for a pause, and takes it. */
async function nextPause(work: Pick<StepsContext, 'pause'>): Promise<void> {
  for (;;) {
    const pause = work.pause();
    if (pause) return pause;
  }
}

test('long work waits until the last reader has ended', async () => {
  let readers = 2;
  const pace = new Pace(() => readers, 1_000_000);
  let isWaiting = true;
  const pause = nextPause(pace).then(() => {
    isWaiting = false;
  });
  const states: boolean[] = [];
  for (; readers >= 0; readers--) {
    pace.readerEnded();
    for (let at = 0; at < 5; at++) await nextTurn();
    states.push(isWaiting);
  }
  await pause;
  expect(states).toEqual([true, true, false]);
});

describe.each(ENGINES)('work that goes in steps on %s', (engine) => {
  const firstAndLast = (graph: OpenGraph) =>
    graph.read(async (tx) =>
      (await tx.nodes(['p0', `p${MANY - 1}`])).map((node) => node !== undefined).join(),
    );

  it('lets readers in while it commits, who see all of the commit or nothing', () =>
    withGraph(engine, async (graph) => {
      const Steps = defineWalker('steps', {
        access: 'steps',
        on: (w) => [
          w.entry(Root, async (_here, ctx) => {
            await ctx.putAll(places());
            await ctx.commit();
          }),
        ],
      });
      const { seen } = await readMeanwhile(graph.spawn(Steps), () => firstAndLast(graph));
      // A commit that kept the thread would let in one before it, and one after.
      expect(seen.filter((one) => one === 'false,false').length).toBeGreaterThan(3);
      expect(new Set([...seen, await firstAndLast(graph)])).toEqual(new Set(['false,false', 'true,true']));
    }));

  it('goes on beside a reader that hangs', () =>
    withGraph(engine, async (graph) => {
      let close: () => void = () => undefined;
      const closed = new Promise<void>((resolve) => {
        close = resolve;
      });
      const Busy = defineWalker('busy', {
        access: 'steps',
        on: (w) => [w.entry(Root, (_here, ctx) => nextPause(ctx))],
      });
      const hanging = graph.read(() => closed);
      await graph.spawn(Busy);
      close();
      await hanging;
    }));

  it('may be cancelled while it waits', () =>
    withGraph(engine, async (graph) => {
      const cancel = new AbortController();
      const Endless = defineWalker('endless', {
        access: 'steps',
        on: (w) => [
          w.entry(Root, async (_here, ctx) => {
            while (!ctx.signal.aborted) await ctx.pause();
          }),
        ],
      });
      const run = graph.spawn(Endless, null, {}, { signal: cancel.signal });
      setImmediate(() => cancel.abort());
      await expect(run).rejects.toMatchObject({ code: 'CANCELLED' });
    }));
});
