import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openGraph, type RunOptions } from '../../index.js';
import type { Progress } from '../../runtime/index.js';
import { freshWholeText, wholeText } from './indexed-texts.js';
import { type Files, index, open, replace, scratch, write } from './project.js';

const FOLDER = realpathSync(mkdtempSync(join(tmpdir(), 'codewalk-cut-off-')));
const CHILD = join(FOLDER, 'child.mjs');
afterAll(() => rmSync(FOLDER, { recursive: true, force: true }));

/** Indexes `root` and kills its own process, without any warning, where its third argument says. */
const CHILD_SOURCE = `
  import { openGraph } from ${JSON.stringify(new URL('../../dist/index.js', import.meta.url))};
  const [root, home, phase, done, ...paths] = process.argv.slice(2);
  const die = () => process.kill(process.pid, 'SIGKILL');
  const graph = await openGraph(root, { home });
  if (phase === 'timer') setTimeout(die, Number(done));
  const what = paths.length > 0 ? ['graph_update_files', null, { paths }] : ['graph_index_project', null, { mode: 'incremental' }];
  await graph.spawn(...what, {
    onProgress: (progress) => {
      if (progress.phase === phase && (done === 'end' ? progress.done === progress.total : progress.done === Number(done))) die();
    },
  });
  await graph.close();
`;

writeFileSync(CHILD, CHILD_SOURCE);

/** Indexes in a process that is killed at a moment: a progress phase and how much of it was done. */
async function killed(
  root: string,
  home: string,
  [phase, done]: Moment,
  paths: string[] = [],
): Promise<boolean> {
  const args = [CHILD, root, home, phase, String(done), ...paths];
  const outcome = await promisify(execFile)(process.execPath, args).catch(
    (error: { signal?: string; stderr?: string }) => error,
  );
  expect(outcome.stderr).toBe('');
  return 'signal' in outcome && outcome.signal === 'SIGKILL';
}

type Moment = readonly [phase: string, done: number | 'end'];

const isAt = ([phase, done]: Moment, now: Progress) =>
  now.phase === phase && now.done === (done === 'end' ? now.total : done);

const MOMENTS: readonly Moment[] = [
  ['extract', 0],
  ['extract', 66],
  ['resolve', 0],
  ['write nodes', 0],
  ['write edges', 0],
  ['write edges', 'end'],
];

/** What is extracted is kept after each 64. */
const FILES = 68;

/** A project of so many files, and two more, in which everything calls its neighbour, in its n-th state. */
function project(state: number, count = FILES): Files {
  const files: Record<string, string> = {
    'package.json': `{"name": "p${state}"}`,
    [`only${state}.ts`]: 'export {};\n',
  };
  for (let i = 0; i < count; i++) {
    const near = (i + state) % count;
    files[`src/f${i}.ts`] =
      `import { C${near}, f${near} } from './f${near}.js';\n// TODO: ${i % 7} in ${state}\n` +
      `export class C${i} extends C${near} { m${state}() { return f${near}(); } }\n` +
      `export function f${i}() { return new C${i}().m${state}(); }\n`;
  }
  return files;
}

const [FIRST, SECOND] = [project(1), project(2)];
/** Enough where nothing is there before. */
const [SMALL_FIRST, SMALL_SECOND] = [project(1, 10), project(2, 10)];
const SMALL_MOMENTS = MOMENTS.filter(([, done]) => done !== 66);

const made = new Map<Files, Promise<string>>();

/** What the first index of these files leaves: made once. */
function fresh(files: Files): Promise<string> {
  const text = made.get(files) ?? freshWholeText(files);
  made.set(files, text);
  return text;
}

/** Indexes `root`; what a kill at each of the moments would leave of the home: what has reached the disk by then. */
async function leftBehind(root: string, home: string): Promise<ReadonlyMap<Moment, string>> {
  const left = new Map<Moment, string>();
  const onProgress: RunOptions['onProgress'] = (now) => {
    for (const moment of MOMENTS.filter((one) => !left.has(one) && isAt(one, now))) {
      left.set(moment, mkdtempSync(join(FOLDER, 'home-')));
      cpSync(home, left.get(moment) ?? '', { recursive: true });
    }
  };
  await using graph = await openGraph(root, { home });
  await index(graph, { mode: 'incremental' }, { onProgress });
  return left;
}

describe.each([
  // In the meantime the project became another one: nothing of what was half written may stay.
  ['in a first run', SMALL_MOMENTS, SMALL_SECOND, [SMALL_FIRST]],
  ['in a run for a change that is then taken back', MOMENTS, SECOND, [SECOND, FIRST]],
] as const)('a process that is killed while it indexes, %s', (_, moments, found, states) => {
  const [root, home] = [mkdtempSync(join(FOLDER, 'project-')), mkdtempSync(join(FOLDER, 'home-'))];
  let left: ReadonlyMap<Moment, string>;
  beforeAll(async () => {
    for (const files of states) {
      replace(root, files);
      left = await leftBehind(root, home);
    }
    replace(root, found);
  });

  test.each(moments)(
    'at %s %s: the store opens, says that it is incomplete, and the next run mends it',
    async (...moment) => {
      const kept = [...left].find(([at]) => String(at) === String(moment));
      const graph = await open(root, kept?.[1] ?? 'there was no such moment');
      expect((await graph.spawn('graph_stats')).output).toMatchObject({ complete: false });
      await index(graph, { mode: 'incremental' });
      expect((await graph.spawn('graph_stats')).output).toMatchObject({ complete: true });
      expect(await wholeText(graph)).toBe(await fresh(found));
    },
  );
});

describe('a process that is killed while it indexes', () => {
  test('twice: the store opens, says that it is incomplete, and the next run mends it', async () => {
    const root = write(FIRST);
    const home = scratch();
    for (const [files, moment] of [
      [SECOND, ['extract', 66]],
      [FIRST, ['write edges', 0]],
    ] as const) {
      expect(await killed(root, home, moment)).toBe(true);
      const graph = await open(root, home);
      expect((await graph.spawn('graph_stats')).output).toMatchObject({ complete: false });
      replace(root, files);
      await index(graph, { mode: 'incremental' });
      expect((await graph.spawn('graph_stats')).output).toMatchObject({ complete: true });
      expect(await wholeText(graph)).toBe(await fresh(files));
      await graph.close();
      replace(root, SECOND === files ? FIRST : SECOND);
    }
  });

  test('in an update of files: either none of it is in the graph, or the graph says what is missing', async () => {
    const root = write(FIRST);
    const home = scratch();
    const before = await open(root, home);
    await index(before);
    await before.close();
    const few = { ...FIRST, 'src/f3.ts': SECOND['src/f3.ts'], 'src/f7.ts': SECOND['src/f7.ts'] } as Files;
    for (const [files, paths, complete] of [
      [few, ['src/f3.ts', 'src/f7.ts'], true],
      [SECOND, Object.keys({ ...FIRST, ...SECOND }).filter((path) => path.endsWith('.ts')), false],
    ] as const) {
      replace(root, files);
      expect(await killed(root, home, ['write edges', 0], [...paths])).toBe(true);
      const graph = await open(root, home);
      expect((await graph.spawn('graph_stats')).output).toMatchObject({ complete });
      const { output } = await graph.spawn('graph_update_files', null, { paths: [...paths] });
      expect(output).toMatchObject({ scope: complete ? 'files' : 'project' });
      expect(await wholeText(graph)).toBe(await fresh(files));
      await graph.close();
    }
  });

  test('again and again at any moment: the first run that ends leaves the whole graph', async () => {
    const root = write(FIRST);
    const home = scratch();
    for (const milliseconds of [150, 280]) {
      await killed(root, home, ['timer', milliseconds]);
      await (await open(root, home)).close();
    }
    const graph = await open(root, home);
    await index(graph, { mode: 'incremental' });
    expect(await wholeText(graph)).toBe(await fresh(FIRST));
  });
});

describe('a run that is cancelled', () => {
  for (const [phase, done] of MOMENTS) {
    test(`at ${phase} ${done}: says so, and the next run goes on`, async () => {
      const files = done === 66 ? FIRST : SMALL_FIRST;
      const graph = await open(write(files));
      const cancel = new AbortController();
      const run = index(
        graph,
        { mode: 'full' },
        {
          signal: cancel.signal,
          onProgress: (now) => isAt([phase, done], now) && cancel.abort(),
        },
      );
      await expect(run).rejects.toMatchObject({ code: 'CANCELLED' });
      expect((await graph.spawn('graph_stats')).output).toMatchObject({ complete: false });
      await index(graph, { mode: 'incremental' });
      expect(await wholeText(graph)).toBe(await fresh(files));
    });
  }

  test('goes on where it was: what was extracted is kept', async () => {
    const graph = await open(write(SMALL_FIRST));
    const cancel = new AbortController();
    const run = index(
      graph,
      { mode: 'full' },
      { signal: cancel.signal, onProgress: ({ phase }) => phase === 'write nodes' && cancel.abort() },
    );
    await expect(run).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(await index(graph, { mode: 'incremental' })).toMatchObject({
      files_indexed: 0,
      files_total: Object.keys(SMALL_FIRST).length,
    });
  });

  test('before anything was written there is no graph', async () => {
    const graph = await open(write(SMALL_FIRST));
    const run = index(graph, {}, { signal: AbortSignal.abort() });
    await expect(run).rejects.toMatchObject({ code: 'CANCELLED' });
    await expect(graph.spawn('graph_stats')).rejects.toMatchObject({ code: 'PROJECT_NOT_INDEXED' });
  });

  test('a deadline that is too short is an error, and the next run goes on', async () => {
    const asleep = new Int32Array(new SharedArrayBuffer(4));
    // On a busy machine a second may end before so many files are read.
    for (let deadlineMs = 1000, isReached = false; !isReached; deadlineMs *= 2) {
      const graph = await open(write(FIRST));
      const end = performance.now() + deadlineMs;
      const onProgress = ({ phase, done }: Progress) => {
        if (phase !== 'extract' || done < 66 || performance.now() > end) return;
        isReached = true;
        Atomics.wait(asleep, 0, 0, end - performance.now() + 5);
      };
      const run = index(graph, {}, { limits: { deadlineMs }, onProgress });
      await expect(run).rejects.toMatchObject({ code: 'DEADLINE' });
      if (!isReached) continue;
      expect((await graph.spawn('graph_stats')).output).toMatchObject({ complete: false });
      const output = await index(graph, { mode: 'incremental' });
      expect(output.files_indexed).toBeLessThan(FILES + 2);
      expect(await wholeText(graph)).toBe(await fresh(FIRST));
    }
  });
});
