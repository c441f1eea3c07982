import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { RollingBackups } from '../../host/backups/make-backup.js';
import {
  directHost,
  History,
  LocalHost,
  listBackups,
  openGraph,
  rebuildHistory,
  restoreHistory,
} from '../../host/index.js';
import { homesOf } from '../../host/surroundings.js';
import { type LayerStore, openLevelStore } from '../../storage/index.js';
import { MemorySearch } from '../../walkers/memory/memory-search.js';
import { codeOf } from '../storage/suite.js';
import { eventsOf, Place } from './journal/journals.js';

const NOBODY = { release: async () => undefined };
const SCRIPT = new URL('../../dist/graph.worker.js', import.meta.url);
const DAY = 86_400_000;

const foldersOf = (place: Place) => homesOf(place.root, { home: place.home });
const backupsOf = (place: Place) => listBackups(foldersOf(place).backups);
const backup = (place: Place) => directHost(place.home).backup(place.root);
const restore = (place: Place, file: string) =>
  restoreHistory(place.root, file, NOBODY, { home: place.home });

/** A project with events, and memories with a relation and a file that they are about. */
async function remembered(count = 40): Promise<{ place: Place; before: string }> {
  const place = new Place();
  for (const event of eventsOf(count)) place.put(event);
  await place.journal().drain();
  mkdirSync(join(place.root, 'src'));
  writeFileSync(join(place.root, 'src', '1.ts'), 'export const one = 1;\n');
  const graph = await place.graph();
  await graph.spawn('graph_index_project');
  for (const memory_id of ['one', 'two'])
    await graph.spawn('memory_store', null, {
      ...{ memory_id, type: 'fix', title: `Memory ${memory_id}`, content: memory_id, anyway: true },
      about: ['src/1.ts'],
    });
  const link = { from_memory_id: 'one', to_memory_id: 'two', relationship_type: 'SOLVES' };
  await graph.spawn('memory_link', null, link);
  const before = await place.exported();
  await place.close();
  return { place, before };
}

async function exportedOnce(place: Place): Promise<string> {
  const text = await place.exported();
  await place.close();
  return text;
}

it('is a compressed file of the user alone, with a head, an end and all that recording cannot make again', async () => {
  const { place } = await remembered();
  const made = await backup(place);
  expect(made).toMatchObject({ events: 40, nodes: expect.any(Number), edges: expect.any(Number) });
  expect(statSync(made.path).mode & 0o777).toBe(0o600);
  expect(statSync(dirname(made.path)).mode & 0o777).toBe(0o700);
  const lines = gunzipSync(readFileSync(made.path)).toString('utf8').trimEnd().split('\n');
  const types = lines.map((line) => JSON.parse(line).type);
  expect([types[0], types.at(-1)]).toEqual(['backup', 'end']);
  expect(types).toHaveLength(2 + made.events + made.nodes + made.edges);
  expect(readdirSync(dirname(made.path))).toEqual([basename(made.path)]);
});

it('is restored by its name, its path or as the latest, and what it replaces is backed up first', async () => {
  const { place, before } = await remembered();
  const { path } = await backup(place);
  const graph = await place.graph();
  await graph.spawn('memory_delete', null, { memory_id: 'one' });
  await graph.spawn('etg_log_event', null, { kind: 'task_start', payload: { user_prompt: 'Later' } });
  const later = await exportedOnce(place);
  const restored = await restore(place, basename(path));
  expect(restored).toMatchObject({ path, events: 40, refused: 0, before: { events: 41 } });
  expect(await exportedOnce(place)).toBe(before);
  await restore(place, restored.before?.path ?? '');
  expect(await exportedOnce(place)).toBe(later);
  rmSync(foldersOf(place).durable, { recursive: true });
  expect(await restore(place, 'latest')).toMatchObject({ before: null });
  expect(await exportedOnce(place)).toBe(before);
});

it('keeps where memories were made: filters by project hold after a restore and a rebuild of a moved project', async () => {
  const { place } = await remembered();
  const moved = join(place.home, 'moved');
  mkdirSync(moved);
  cpSync(foldersOf(place).durable, homesOf(moved, { home: place.home }).durable, { recursive: true });
  const found = async () => {
    await using graph = await openGraph(moved, { home: place.home });
    const { results } = (await graph.spawn(MemorySearch, null, { project_path: moved })).output;
    return results.map(({ id }) => id).sort();
  };
  await directHost(place.home).backup(moved);
  await restoreHistory(moved, 'latest', NOBODY, { home: place.home });
  expect(await found()).toEqual(['one', 'two']);
  await rebuildHistory(moved, NOBODY, { home: place.home });
  expect(await found()).toEqual(['one', 'two']);
});

it('leaves what waits in the journal to be recorded after a restore', async () => {
  const { place } = await remembered();
  await backup(place);
  place.put({ event_id: 'waiting', kind: 'task_start', payload: { user_prompt: 'It waited' } });
  await restore(place, 'latest');
  expect(await place.journal().drain()).toMatchObject({ recorded: 1 });
  expect(await place.exported()).toContain('It waited');
});

it('is refused when it is damaged, cut, of a newer version or none at all, and nothing changes', async () => {
  const { place, before } = await remembered();
  const { path } = await backup(place);
  const whole = readFileSync(path);
  const lines = gunzipSync(whole).toString('utf8').trimEnd().split('\n');
  const packed = (some: readonly string[]) => gzipSync(`${some.join('\n')}\n`);
  const flipped = Buffer.from(whole);
  flipped[whole.length >> 1] = (flipped[whole.length >> 1] ?? 0) ^ 0x55;
  const bad: Record<string, Buffer> = {
    empty: Buffer.alloc(0),
    text: Buffer.from('no backup'),
    half: whole.subarray(0, whole.length >> 1),
    almost: whole.subarray(0, -9),
    flipped,
    endless: packed(lines.slice(0, -1)),
    headless: packed(lines.slice(1)),
    fewer: packed([...lines.slice(0, 5), ...lines.slice(6)]),
    after: packed([...lines, lines[3] ?? '']),
    shape: packed([lines[0] ?? '', '{"type":"node","id":1}', ...lines.slice(1)]),
    nothing: packed([lines[0] ?? '', 'null', ...lines.slice(1)]),
    deep: packed([lines[0] ?? '', '['.repeat(100_000), ...lines.slice(1)]),
    cut: gzipSync(lines.join('\n').slice(0, -5)),
  };
  const there = backupsOf(place);
  for (const [name, bytes] of Object.entries(bad)) {
    const file = join(place.home, name);
    writeFileSync(file, bytes);
    expect(await codeOf(() => restore(place, file)), name).toBe('BACKUP_INVALID');
  }
  const newer = join(place.home, 'newer');
  writeFileSync(newer, packed(['{"type":"backup","format":2}', '{"type":"unheard"}']));
  expect(await codeOf(() => restore(place, newer))).toBe('STORE_NEWER');
  expect(await codeOf(() => restore(place, place.home))).toBe('BACKUP_INVALID');
  expect(await codeOf(() => restore(place, 'nowhere'))).toBe('INVALID_INPUT');
  const unknown = join(place.home, 'unknown');
  const ours = '{"type":"node","id":"x:1","archetype":"Unheard","props":{}}';
  const end = '{"type":"end","events":0,"nodes":1,"edges":0}';
  writeFileSync(unknown, packed([lines[0] ?? '', ours, end]));
  expect(await codeOf(() => restore(place, unknown))).toBe('INVALID_ARCHETYPE');
  expect(backupsOf(place).slice(0, there.length)).toEqual(there);
  expect(readdirSync(dirname(foldersOf(place).durable)).sort()).toEqual([
    'backups',
    'derived',
    'durable',
    'project.json',
  ]);
  expect(await exportedOnce(place)).toBe(before);
});

it('is made by the thread of the history while others record, and is one version of it', async () => {
  const { place } = await remembered();
  await using host = new LocalHost({ home: place.home, script: SCRIPT });
  const log = (at: number) =>
    host.spawn({
      walker: 'etg_log_event',
      root: place.root,
      input: { kind: 'step', payload: { order: at }, task_id: `t${at}`, event_id: `more${at}` },
    });
  const [made] = await Promise.all([
    host.backup(place.root),
    ...Array.from({ length: 20 }, (_, at) => log(at)),
  ]);
  expect(made.events).toBeGreaterThanOrEqual(40);
  expect(await host.backup(place.root)).toMatchObject({ events: 60 });
  await host.release(place.root);
  expect(await restore(place, basename(made.path))).toMatchObject({ events: made.events });
  expect(await codeOf(() => host.backup(join(place.root, 'nowhere')))).toBe('INVALID_ROOT');
});

it('is made once a day while something changes, and seven are stored', async () => {
  const { place } = await remembered();
  const history = new History();
  const graph = await openGraph(place.root, { home: place.home, history });
  const layer = (await history.layer) as LayerStore;
  let now = Date.UTC(2026, 0, 1);
  const runs: number[] = [];
  const rolling = new RollingBackups({
    layer: () => history.layer,
    onRun: (change) => void runs.push(change),
    now: () => now,
    delayMs: 1,
  });
  const looked = async () => {
    await rolling.makeDue(foldersOf(place));
    return backupsOf(place).length;
  };
  const change = () =>
    graph.spawn('etg_log_event', null, { kind: 'step', payload: { order: 1 }, task_id: 'x' });
  expect(await looked()).toBe(1);
  await change();
  expect(await looked()).toBe(1);
  now += DAY;
  expect(await looked()).toBe(2);
  now += DAY;
  expect(await looked()).toBe(2);
  expect(runs).toEqual([1, -1, 1, -1]);
  for (let day = 0; day < 8; day++) {
    now += DAY;
    await change();
    expect(await looked()).toBe(Math.min(7, 3 + day));
  }
  // A clock that was set back.
  now -= 100 * DAY;
  await change();
  rolling.look(foldersOf(place));
  while (runs.length < 21) await sleep(5);
  const stopped = rolling.make(foldersOf(place), layer);
  await rolling.stop();
  await stopped.catch((thrown) => expect(thrown).toMatchObject({ code: 'CANCELLED' }));
  await graph.close();
  expect(readdirSync(foldersOf(place).backups).filter((name) => name.endsWith('.tmp'))).toEqual([]);
});

it('rolls no older backup out for one of a damaged store', async () => {
  const { place } = await remembered();
  const { path } = await backup(place);
  const store = await openLevelStore(foldersOf(place).durable);
  const cut = [];
  for await (const page of store.scan({ from: Buffer.from([0]), to: Buffer.from([0xff]) }))
    for (const [key, value] of page)
      if (Buffer.from(value).includes('tool_end'))
        cut.push({ key, value: value.subarray(0, value.length - 3) });
  await store.write(cut);
  await store.close();
  const history = new History();
  const graph = await openGraph(place.root, { home: place.home, history });
  const layer = () => history.layer;
  const rolling = new RollingBackups({
    ...{ layer, onRun: () => undefined, now: () => Date.now() + DAY, delayMs: 1 },
  });
  for (let days = 0; days < 2; days++)
    expect(await rolling.makeDue(foldersOf(place)).catch(({ code }) => code)).toBeOneOf([
      null,
      'STORE_CORRUPT',
    ]);
  await graph.close();
  expect(backupsOf(place).map((one) => one.path)).toEqual([path]);
  expect((await backup(place)).events).toBeLessThan(40);
  await restore(place, path);
  expect((await backup(place)).events).toBe(40);
});

it('makes nothing of an empty history, and says when it cannot be written', async () => {
  const place = new Place();
  const history = new History();
  const graph = await openGraph(place.root, { home: place.home, history });
  const rolling = new RollingBackups({
    layer: () => history.layer,
    onRun: () => undefined,
    now: Date.now,
    delayMs: 1,
  });
  expect(await rolling.makeDue(foldersOf(place))).toBeNull();
  expect(existsSync(foldersOf(place).backups)).toBe(false);
  await graph.close();
  writeFileSync(foldersOf(place).backups, 'in the way');
  expect(await codeOf(() => backup(place))).toBe('STORE_FULL');
  rmSync(foldersOf(place).backups);
  mkdirSync(foldersOf(place).backups);
  chmodSync(foldersOf(place).backups, 0o700);
  expect(await backup(place)).toMatchObject({ events: 0 });
});
