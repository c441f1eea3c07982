import { beforeAll, describe, expect, it } from 'vitest';
import { setPaused } from '../../host/index.js';
import { BLOCKS, LocalHosts, walkerFile as walker } from './homes.js';

const hosts = new LocalHosts('file');
const written: typeof hosts.write = (folder, files) => hosts.write(folder, files);

const LEVEL = /classic-level/;

/** The files of all native code in this process. */
function loadedModules(): string {
  const { sharedObjects } = process.report.getReport() as unknown as { sharedObjects: readonly string[] };
  return sharedObjects.join('\n');
}

describe('a local host', () => {
  const root = written('shop', {
    'a.ts': 'export function tax(price: number) { return price * 0.2; }\n',
  });
  const mine = written('mine', {
    'spin.mjs': walker('spin', 'for (;;);'),
    'late.mjs': walker(
      'spin_later',
      `console.log("spins"); await new Promise((done) => setTimeout(done, 100)); ${BLOCKS}`,
    ),
    'wait.mjs': walker(
      'wait_long',
      'await new Promise((done) => context.signal.addEventListener("abort", done)); context.signal.throwIfAborted();',
    ),
    'fill.mjs': walker(
      'fill',
      'globalThis.kept ??= Array.from({ length: 200 }, (_, at) => new Array(200_000).fill(at)); return {};',
    ),
    'kept.mjs': walker('kept', 'return { length: globalThis.kept?.length ?? 0 };'),
  });
  const index = { walker: 'graph_index_project', root, input: {} };
  const stats = { walker: 'graph_stats', root, input: {} };
  const own = (name: string, limits = {}) => ({ ...stats, walker: name, userWalkers: [mine], limits });

  // What LevelDB compacts in comes back to it: without it signal 11. It is the first test: nothing has loaded it yet.
  it('holds the code of LevelDB in the process when the thread that loaded it is over', async () => {
    expect(loadedModules()).not.toMatch(LEVEL);
    const first = hosts.open();
    await first.spawn(index);
    await first.close();
    expect(loadedModules()).toMatch(LEVEL);
  });

  describe('that all share', () => {
    let one: ReturnType<typeof hosts.open>;
    beforeAll(async () => {
      one = hosts.open();
      // A thread begins again for walkers that it has not loaded: that would count as time of the first one.
      await one.spawn({ ...index, userWalkers: [mine] });
    });

    it('indexes in a thread of its own, reports its progress, and answers from the same graph', async () => {
      const phases = new Set<string>();
      await one.spawn(index, { onProgress: ({ phase }) => phases.add(phase) });
      const { body, markdown } = await one.spawn(stats);
      expect(body.state).toMatchObject({ root });
      expect(markdown).toContain('1');
      expect(phases.size).toBeGreaterThan(0);
      expect(await one.openGraphs()).toMatchObject([{ root }]);
    });

    it('refuses an input before it opens anything', async () => {
      const other = written('other', {});
      const asked = one.spawn({ ...stats, root: other, input: { colour: 1 }, given: { colour: 1 } });
      await expect(asked).rejects.toMatchObject({ code: 'INVALID_INPUT', providedInput: { colour: 1 } });
    });

    it('ends a walker that loops, opens the graph again, and answers those who waited', async () => {
      const spun = one.spawn(own('spin', { deadlineMs: 100 }));
      const refused = expect(spun).rejects.toMatchObject({
        code: 'WALKER_KILLED',
        message: expect.stringContaining("'spin'"),
      });
      await new Promise((done) => setTimeout(done, 700));
      const { body } = await one.spawn(stats);
      await refused;
      expect(body.state).toMatchObject({ root });
    });

    it('does not ask again for what its caller gave up when the thread was ended', async () => {
      let refused = Promise.resolve();
      await new Promise<void>((begun) => {
        const spun = one.spawn(own('spin_later', { deadlineMs: 300 }), { onPrint: () => begun() });
        refused = expect(spun).rejects.toMatchObject({ code: 'WALKER_KILLED' });
      });
      await new Promise((done) => setTimeout(done, 300));
      const abort = new AbortController();
      const given = one.spawn(stats, { signal: abort.signal });
      abort.abort();
      await expect(given).rejects.toMatchObject({ code: 'CANCELLED' });
      await refused;
    });

    it('loads walkers again when their files changed, and keeps those of one caller from another', async () => {
      const say = (what: string) =>
        written('says', { 'say.mjs': walker('say_it', `return { said: '${what}' };`) });
      const said = async (folder: string) =>
        (await one.spawn({ ...stats, walker: 'say_it', userWalkers: [folder] })).body.said;
      expect(await said(say('one'))).toBe('one');
      expect(await said(say('two'))).toBe('two');
      await expect(one.spawn({ ...stats, walker: 'say_it' })).rejects.toMatchObject({
        code: 'WALKER_NOT_FOUND',
      });
    });

    it('cancels what its caller takes back', async () => {
      const abort = new AbortController();
      const waiting = one.spawn(own('wait_long'), { signal: abort.signal });
      setTimeout(() => abort.abort(), 500);
      await expect(waiting).rejects.toMatchObject({ code: expect.stringMatching(/CANCELLED|WALKER_FAILED/) });
    });

    it('stores no event while recording is paused, and says so', async () => {
      const { home } = hosts;
      const input = { kind: 'task_start', payload: { user_prompt: 'Fix the tax' } };
      const log = () => one.spawn({ walker: 'etg_log_event', root, input });
      for (const of of [root, null]) {
        setPaused(true, of, { home });
        await expect(log()).rejects.toMatchObject({ code: 'RECORDING_PAUSED', providedInput: input });
        setPaused(false, of, { home });
      }
      expect((await log()).body.task_id).toMatch(/^task:/);
    });

    it('gives a resting thread that an index has filled for a fresh one', async () => {
      const ask = (walkerName: string) => one.spawn(own(walkerName));
      for (const name of ['graph_index_project', 'fill']) await ask(name);
      expect((await ask('kept')).body.length).toBe(200);
      // It is let rest for longer than it has to.
      await expect.poll(async () => (await ask('kept')).body.length, { interval: 3000 }).toBe(0);
      expect((await one.spawn(stats)).body).toMatchObject({ complete: true });
    });
  });
});
