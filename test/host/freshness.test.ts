import { appendFileSync, linkSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';

import { FRESH, type FreshState } from '../../host/freshness/fresh-state.js';
import { FolderWatcher, ProjectWatch } from '../../host/freshness/project-watch.js';
import { AnswerState, answer, Freshness, type OpenGraph } from '../../host/index.js';
import { gitIndex } from '../source/trees.js';
import { exportText, type Files, index, open, scratch, write } from '../walkers/project.js';

const PROJECT: Files = {
  'package.json': '{"name": "shop"}',
  'src/cart.ts': "import { price } from './deep/price';\nexport const cart = () => price();\n",
  'src/deep/price.ts': 'export const price = () => 1;\n',
  'lib/tools.py': 'def tool():\n    return 1\n',
  '.gitignore': 'node_modules\n*.log\n',
};

/** An indexed project whose questions go through a {@link Freshness}. */
interface Asked {
  readonly root: string;
  readonly graph: OpenGraph;
  readonly freshness: Freshness;
  /** The answer about files, and its state. */
  ask(...paths: string[]): Promise<{ text: string; state: AnswerState }>;
  /** What the graph holds is what a first index of the files would. */
  expectWhole(): Promise<void>;
}

async function asked(watched: boolean, files: Files = PROJECT): Promise<Asked> {
  const root = write(files);
  const graph = await open(root);
  await index(graph);
  const freshness = freshnessOf(graph, watched);
  const ask: Asked['ask'] = async (...file_paths) => {
    const input = { file_paths: ['package.json', ...file_paths], radius: 0 };
    const { body } = await answer(graph, 'graph_context_for_files', input, {}, freshness);
    return { text: JSON.stringify(body), state: AnswerState.parse(body.state) };
  };
  await ask('package.json');
  if (watched) await watching(freshness, ask);
  const expectWhole = async () => {
    const fresh = await open(root);
    await index(fresh);
    expect(await exportText(graph)).toBe(await exportText(fresh));
  };
  return { root, graph, freshness, ask, expectWhole };
}

function freshnessOf(graph: OpenGraph, watched: boolean, autoIndex = () => true): Freshness {
  const clock = () => performance.now();
  const cookies = watched ? scratch() : null;
  // However busy the machine is: what has no time is named, which is tried where it matters.
  const freshness = new Freshness({ graph, cookies, autoIndex, clock, lookMs: 20_000, waitMs: 20_000 });
  onTestFinished(() => freshness.close());
  return freshness;
}

/** Waits until answers come from the watcher. */
async function watching(freshness: Freshness, ask: Asked['ask']): Promise<void> {
  while (!freshness.status.trusted && freshness.status.whyNotWatched === null) {
    await pause(20);
    await ask('package.json');
  }
  expect(freshness.status).toMatchObject({ trusted: true, whyNotWatched: null });
}

for (const watched of process.platform === 'linux' ? [true, false] : [false])
  describe(`answers ${watched ? 'with' : 'without'} a watcher`, () => {
    it('have what was written right before the question', async () => {
      const { root, ask, expectWhole } = await asked(watched);
      for (let edit = 0; edit < 20; edit++) {
        writeFileSync(join(root, 'src/cart.ts'), `export const name${edit} = 1;\n`);
        const { text, state } = await ask('src/cart.ts');
        expect(state.pending_files ?? text).toContain(
          state.pending_files ? 'src/cart.ts' : `src/cart.ts:name${edit}`,
        );
      }
      await expectWhole();
    });

    it('have new, deleted and renamed files and folders', async () => {
      const { root, ask, expectWhole } = await asked(watched);
      const steps: [() => void, string, string][] = [
        [() => write({ 'src/new.ts': 'export const fresh = 1;\n' }, root), 'src/new.ts', 'src/new.ts:fresh'],
        [() => rmSync(join(root, 'src/new.ts')), 'src/new.ts', 'is not in the graph'],
        [
          () => renameSync(join(root, 'src/cart.ts'), join(root, 'src/basket.ts')),
          'src/basket.ts',
          'src/basket.ts:cart',
        ],
        [
          () => renameSync(join(root, 'src/deep'), join(root, 'src/deeper')),
          'src/deeper/price.ts',
          'src/deeper/price.ts:price',
        ],
        [
          () => appendFileSync(join(root, 'src/deeper/price.ts'), 'export const tax = 1;\n'),
          'src/deeper/price.ts',
          'src/deeper/price.ts:tax',
        ],
        [
          () => {
            writeFileSync(join(root, 'lib/.tools.py.swp'), 'def other():\n    return 1\n');
            renameSync(join(root, 'lib/.tools.py.swp'), join(root, 'lib/tools.py'));
          },
          'lib/tools.py',
          'lib/tools.py:other',
        ],
        [() => rmSync(join(root, 'lib'), { recursive: true }), 'lib/tools.py', 'is not in the graph'],
        [
          () => write({ 'lib/a/b/c.py': 'def deep():\n    return 1\n' }, root),
          'lib/a/b/c.py',
          'lib/a/b/c.py:deep',
        ],
        [
          () => appendFileSync(join(root, 'lib/a/b/c.py'), '\ndef deeper():\n    return 1\n'),
          'lib/a/b/c.py',
          'lib/a/b/c.py:deeper',
        ],
      ];
      for (const [change, path, expected] of steps) {
        change();
        const { text, state } = await ask(path);
        expect(state).toMatchObject({ pending: 0 });
        expect(text).toContain(expected);
      }
      await expectWhole();
    });

    it('have the files of a folder that fills while questions are asked', async () => {
      const { root, ask, expectWhole } = await asked(watched);
      for (let at = 0; at < 60; at++) {
        const path = `src/made${at % 6}/part${at % 3}/file${at}.ts`;
        write({ [path]: `export const made${at} = 1;\n` }, root);
        if (at % 7 !== 0) continue;
        const { text, state } = await ask(path);
        expect(state.pending_files ?? text).toContain(state.pending_files ? path : `${path}:made${at}`);
      }
      await ask('package.json');
      await expectWhole();
    });

    it('follow ignore files, what git tracks and manifests, and know nothing of what is ignored', async () => {
      const { root, ask, expectWhole, freshness } = await asked(watched);
      const { folders } = freshness.status;
      write({ 'node_modules/left/pad.js': 'x', 'debug.log': 'x' }, root);
      expect((await ask('package.json')).state.pending).toBe(0);
      expect(freshness.status).toMatchObject({ folders, dirty: 0 });
      appendFileSync(join(root, '.gitignore'), 'lib\n');
      expect((await ask('lib/tools.py')).text).toContain('is not in the graph');
      write({ '.git/index': '' }, root);
      await ask('package.json');
      writeFileSync(join(root, '.git/index'), gitIndex(2, ['lib/tools.py']));
      expect((await ask('lib/tools.py')).text).toContain('lib/tools.py:tool');
      await expectWhole();
      writeFileSync(join(root, '.gitignore'), '');
      expect((await ask('node_modules/left/pad.js', 'debug.log')).state.pending).toBe(0);
      appendFileSync(join(root, 'lib/tools.py'), '\ndef later():\n    return 1\n');
      expect((await ask('lib/tools.py')).text).toContain('lib/tools.py:later');
      writeFileSync(join(root, 'package.json'), '{"name": "store"}');
      await ask('package.json');
      await expectWhole();
    });
  });

it('a question that an index began beside says how far that is, and so does the refusal of a name', async () => {
  const graph = await open(write(PROJECT));
  const freshness = freshnessOf(graph, false);
  const walker = graph.walkers.get('query_callers');
  const before = freshness.before(walker, { limits: { deadlineMs: 1 } });
  const running = freshness.jobs.start({});
  expect(await before).toMatchObject({ indexed: { done: expect.any(Number) } });
  await running;
  const fresh: FreshState = { ...FRESH, indexed: { done: 3, total: 10 } };
  const indexing = {
    before: async () => fresh,
    run: () => graph.spawn(walker, null, input),
    found: () => {},
  };
  const input = { function_name: 'nonesuch' };
  await expect(answer(graph, walker, input, {}, indexing)).rejects.toMatchObject({
    code: 'NODE_NOT_FOUND',
    message: "The project is being indexed (3 of 10 files): nothing in the graph is called 'nonesuch'",
    suggestion: expect.stringContaining('Ask again when it is done.'),
  });
});

it('answers are right when more files change at once than are looked at one by one', async () => {
  const many = Object.fromEntries(
    Array.from({ length: 510 }, (_, at) => [`many/m${at % 9}/f${at}.ts`, `export const f${at} = 1;\n`]),
  );
  const { root, ask, expectWhole } = await asked(process.platform === 'linux');
  write(many, root);
  for (let tries = 0; tries < 50; tries++) {
    const { text, state } = await ask('many/m1/f1.ts');
    if (state.pending === 0 && !state.freshness) {
      expect(text).toContain('many/m1/f1.ts:f1');
      break;
    }
    expect(state.pending_files?.length ?? 0).toBeLessThanOrEqual(20);
  }
  await expectWhole();
});

it.runIf(process.platform === 'linux')(
  'an index that was cancelled goes on with the next question, though a watcher saw nothing change',
  async () => {
    const many = Object.fromEntries(
      Array.from({ length: 70 }, (_, at) => [`many/f${at}.ts`, `export const f${at} = 1;\n`]),
    );
    const { root, graph, freshness, ask, expectWhole } = await asked(true, { ...PROJECT, ...many });
    const leaving = new AbortController();
    const cancelled = answer(
      graph,
      'graph_index_project',
      { mode: 'full' },
      { signal: leaving.signal, onProgress: ({ phase }) => phase === 'extract' && leaving.abort() },
      freshness,
    );
    await expect(cancelled).rejects.toMatchObject({ code: 'CANCELLED' });
    expect((await answer(graph, 'graph_stats', {})).body).toMatchObject({ complete: false });
    appendFileSync(join(root, 'src/cart.ts'), 'export const later = 1;\n');
    for (let tries = 0; tries < 3; tries++) {
      const { text, state } = await ask('src/cart.ts');
      if (state.pending > 0) expect(state.pending_files).toContain('src/cart.ts');
      else expect(text).toContain('src/cart.ts:later');
    }
    expect((await ask('package.json')).state).toMatchObject({ pending: 0, cut: [] });
    await expectWhole();
  },
);

it.runIf(process.platform === 'linux')(
  'a file that was written past the watcher is named by the answer that cites it, and the next one has it',
  async () => {
    const { root, ask, expectWhole } = await asked(true);
    const outside = join(scratch(), 'elsewhere.ts');
    linkSync(join(root, 'src/cart.ts'), outside);
    await ask('src/cart.ts');
    writeFileSync(outside, 'export const linked = 1;\n');
    const { state } = await ask('src/cart.ts');
    expect(state).toMatchObject({ pending: 1, pending_files: ['src/cart.ts'] });
    const { text, state: after } = await ask('src/cart.ts');
    expect(after).toMatchObject({ pending: 0 });
    expect(text).toContain('src/cart.ts:linked');
    await expectWhole();
  },
);

it.runIf(process.platform === 'linux')(
  'a watcher reports what it saw of a reset, though what git tracks is to be looked for',
  async () => {
    const root = write({ ...PROJECT, '.git/index': '' });
    const graph = await open(root);
    await index(graph);
    const { signal } = new AbortController();
    const watch = new ProjectWatch({ graph, root, cookies: scratch(), signal });
    onTestFinished(() => watch.close());
    for (let tries = 0; tries < 100 && !(await watch.hasReportedAll()); tries++) await watch.lookEverywhere();
    rmSync(join(root, 'src/cart.ts'));
    writeFileSync(join(root, '.git/index'), gitIndex(2, ['src/deep/price.ts']));
    expect(await watch.hasReportedAll()).toBe(false);
    expect(watch.changedUntil(watch.epoch)).toEqual(['src/cart.ts']);
  },
);

/** A watch that asks a graph of these answers what changed. */
function watchOf(changes: (paths: string[]) => Promise<readonly string[]>, root = scratch()): ProjectWatch {
  const spawn = async (_walker: unknown, _target: unknown, { paths }: { paths: string[] }) => {
    const found = (await changes(paths)).map((path) => ({ path, change: 'changed' }));
    return { output: { indexed: true, complete: true, changes: found, folders: [], decides: false } };
  };
  const graph = { spawn } as unknown as OpenGraph;
  return new ProjectWatch({ graph, root, cookies: null, signal: new AbortController().signal });
}

it('a path that changes while it is indexed stays changed, and a question before that change need not wait', async () => {
  const watch = watchOf(async (paths) => paths);
  watch.note('a.ts');
  const asked = watch.epoch;
  const verified = watch.verify(asked);
  watch.note('a.ts');
  watch.note('b.ts');
  await verified;
  expect(watch.changedUntil(asked)).toEqual(['a.ts']);
  watch.settle(['a.ts'], asked);
  expect(watch.changedUntil(asked)).toEqual([]);
  expect(watch.changedUntil(watch.epoch)).toEqual(['a.ts', 'b.ts']);
  watch.settle(['a.ts', 'b.ts'], watch.epoch);
  expect(watch.size).toBe(0);
});

it('many paths are looked for by a look that began after they were noted, and no more than 501 are stored', async () => {
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const answers = [held.then(() => []), Promise.resolve(['late/f7.ts'])];
  const watch = watchOf(async () => (await answers.shift()) ?? []);
  const first = watch.lookEverywhere();
  for (let at = 0; at < 600; at++) watch.note(`late/f${at}.ts`);
  expect(watch.size).toBe(501);
  const found = watch.verify(watch.epoch);
  release();
  expect((await first).changes).toEqual([]);
  expect((await found).changes).toEqual([{ path: 'late/f7.ts', change: 'changed' }]);
  expect(watch.changedUntil(watch.epoch)).toEqual(['late/f7.ts']);
  await watch.close();
});

it.runIf(process.platform === 'linux')(
  'a fence comes after every change before it, and watches nothing but folders',
  async () => {
    const root = scratch();
    const [inner, below] = [join(root, 'src'), join(root, 'src/deep')];
    mkdirSync(below, { recursive: true });
    const changed = new Set<string>();
    const watcher = new FolderWatcher(root, join(scratch(), 'fence'), {
      changed: (path) => changed.add(path),
      unsure: () => undefined,
    });
    onTestFinished(() => watcher.close());
    expect(await watcher.fence(1000)).toBe(false);
    expect(watcher.watch([root, inner, below])).toEqual([root, inner, below]);
    for (let at = 0; at < 300; at++) writeFileSync(join(inner, `f${at}.ts`), '');
    expect(changed.size).toBe(0);
    expect(await watcher.fence(5000)).toBe(true);
    expect(changed.size).toBe(300);
    expect(watcher.size).toBe(3);
    renameSync(inner, join(root, 'other'));
    expect(await watcher.fence(5000)).toBe(true);
    expect(watcher.size).toBe(1);
    expect(watcher.watch([inner, below])).toEqual([]);
  },
);
