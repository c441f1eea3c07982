import { beforeAll, describe, expect, it } from 'vitest';
import { setPaused } from '../../host/index.js';
import { LocalHosts, walkerFile as walker } from './homes.js';

const hosts = new LocalHosts();
const host = () => hosts.open();
const written: typeof hosts.write = (folder, files) => hosts.write(folder, files);

const LEVEL = /classic-level/;

/** The files of all native code in this process. */
function loadedModules(): string {
  const { sharedObjects } = process.report.getReport() as unknown as { sharedObjects: readonly string[] };
  return sharedObjects.join('\n');
}

describe('a local host', () => {
  let root = '';
  beforeAll(() => {
    root = written('shop', { 'a.ts': 'export function tax(price: number) { return price * 0.2; }\n' });
  });

  // What LevelDB compacts in comes back to it: without it signal 11. It is the first test: nothing has loaded it yet.
  it('keeps the code of LevelDB in the process when the thread that loaded it is over', async () => {
    expect(loadedModules()).not.toMatch(LEVEL);
    const one = host();
    await one.spawn({ walker: 'graph_index_project', root, input: {} });
    await one.close();
    expect(loadedModules()).toMatch(LEVEL);
  });

  it('indexes in a thread of its own, tells its progress, and answers from the same graph', async () => {
    const one = host();
    const phases = new Set<string>();
    await one.spawn(
      { walker: 'graph_index_project', root, input: {} },
      { onProgress: ({ phase }) => phases.add(phase) },
    );
    const { body, markdown } = await one.spawn({ walker: 'graph_stats', root, input: {} });
    expect(body.state).toMatchObject({ root });
    expect(markdown).toContain('1');
    expect(phases.size).toBeGreaterThan(0);
    expect(await one.openGraphs()).toMatchObject([{ root }]);
  });

  it('refuses an input before it opens anything', async () => {
    const other = written('other', {});
    const asked = host().spawn({
      walker: 'graph_stats',
      root: other,
      input: { colour: 1 },
      given: { colour: 1 },
    });
    await expect(asked).rejects.toMatchObject({ code: 'INVALID_INPUT', providedInput: { colour: 1 } });
  });

  it('gives a spooled run as a file of lines', async () => {
    const { spool } = await host().spawn({ walker: 'graph_export', root, input: {}, spool: true });
    expect(spool?.lines).toBeGreaterThan(3);
  });

  it('ends a walker that loops, opens the graph again, and answers those who waited', async () => {
    const one = host();
    const mine = written('loops', { 'spin.mjs': walker('spin', 'for (;;);') });
    const spun = one.spawn({
      walker: 'spin',
      root,
      input: {},
      userWalkers: [mine],
      limits: { deadlineMs: 100 },
    });
    const refused = expect(spun).rejects.toMatchObject({ code: 'WALKER_KILLED' });
    await new Promise((done) => setTimeout(done, 700));
    const { body } = await one.spawn({ walker: 'graph_stats', root, input: {} });
    await refused;
    expect(body.state).toMatchObject({ root });
  });

  it('does not ask again for what its caller gave up when the thread was ended', async () => {
    const one = host();
    const spin = 'console.log("spins"); await new Promise((done) => setTimeout(done, 100)); for (;;);';
    const mine = written('spins', { 'spin.mjs': walker('spin_too', spin) });
    let refused = Promise.resolve();
    await new Promise<void>((begun) => {
      const spun = one.spawn(
        { walker: 'spin_too', root, input: {}, userWalkers: [mine], limits: { deadlineMs: 300 } },
        { onPrint: () => begun() },
      );
      refused = expect(spun).rejects.toMatchObject({ code: 'WALKER_KILLED' });
    });
    await new Promise((done) => setTimeout(done, 300));
    const abort = new AbortController();
    const given = one.spawn({ walker: 'graph_stats', root, input: {} }, { signal: abort.signal });
    abort.abort();
    await expect(given).rejects.toMatchObject({ code: 'CANCELLED' });
    await refused;
  });

  it('loads walkers again when their files changed', async () => {
    const one = host();
    const mine = written('says', { 'say.mjs': walker('say_it', "return { said: 'one' };") });
    const say = async () =>
      (await one.spawn({ walker: 'say_it', root, input: {}, userWalkers: [mine] })).body.said;
    expect(await say()).toBe('one');
    written('says', { 'say.mjs': walker('say_it', "return { said: 'two' };") });
    expect(await say()).toBe('two');
  });

  it('gives a resting thread that an index has filled for a fresh one', async () => {
    const one = host();
    const fill = `globalThis.kept ??= Array.from({ length: 200 }, (_, at) => new Array(200_000).fill(at)); return {};`;
    const mine = written('fills', {
      'fill.mjs': walker('fill', fill),
      'kept.mjs': walker('kept', 'return { length: globalThis.kept?.length ?? 0 };'),
    });
    const ask = (name: string) => one.spawn({ walker: name, root, input: {}, userWalkers: [mine] });
    for (const name of ['graph_index_project', 'fill']) await ask(name);
    expect((await ask('kept')).body.length).toBe(200);
    // It is let rest for longer than it has to.
    await expect
      .poll(async () => (await ask('kept')).body.length, { interval: 3000, timeout: 60_000 })
      .toBe(0);
    expect((await one.spawn({ walker: 'graph_stats', root, input: {} })).body).toMatchObject({ nodes: 4 });
  });

  it('keeps the walkers of one caller from another', async () => {
    const one = host();
    const mine = written('own', { 'own.mjs': walker('my_own', 'return { ok: true };') });
    await one.spawn({ walker: 'my_own', root, input: {}, userWalkers: [mine] });
    await expect(one.spawn({ walker: 'my_own', root, input: {} })).rejects.toMatchObject({
      code: 'WALKER_NOT_FOUND',
    });
  });

  it('keeps no event while recording is paused, and says so', async () => {
    const one = host();
    const { home } = hosts;
    const input = { kind: 'task_start', payload: { user_prompt: 'Fix the tax' } };
    const log = () => one.spawn({ walker: 'etg_log_event', root, input });
    setPaused(true, root, { home });
    await expect(log()).rejects.toMatchObject({ code: 'RECORDING_PAUSED', providedInput: input });
    setPaused(false, root, { home });
    setPaused(true, null, { home });
    await expect(log()).rejects.toMatchObject({ code: 'RECORDING_PAUSED' });
    setPaused(false, null, { home });
    expect((await log()).body.task_id).toMatch(/^task:/);
  });

  it('cancels what its caller takes back', async () => {
    const one = host();
    const mine = written('waits', {
      'wait.mjs': walker(
        'wait_long',
        'await new Promise((done) => context.signal.addEventListener("abort", done)); context.signal.throwIfAborted();',
      ),
    });
    const abort = new AbortController();
    const waiting = one.spawn(
      { walker: 'wait_long', root, input: {}, userWalkers: [mine] },
      { signal: abort.signal },
    );
    setTimeout(() => abort.abort(), 500);
    await expect(waiting).rejects.toMatchObject({ code: expect.stringMatching(/CANCELLED|WALKER_FAILED/) });
  });
});
