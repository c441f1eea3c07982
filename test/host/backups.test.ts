import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, expect, it } from 'vitest';
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
import { eventsOf, exportOf, Place } from './journal/journals.js';

const NOBODY = { release: async () => undefined };
const SCRIPT = new URL('../../dist/graph.worker.js', import.meta.url);
const DAY = 86_400_000;

const foldersOf = (place: Place) => homesOf(place.root, { home: place.home });
const backupsOf = (place: Place) => listBackups(foldersOf(place).backups);
const backup = (place: Place) => directHost(place.home).backup(place.root);
const restore = (place: Place, file: string) =>
  restoreHistory(place.root, file, NOBODY, { home: place.home });

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'codewalk-backups-')));
const [used, saved] = [join(folder, 'used'), join(folder, 'saved')];
let before = '';
afterAll(() => rmSync(folder, { recursive: true }));

/**
 * A project with 43 events of the journal and of the tool, memories with a relation and a file that they are about, and a
 * stated concept with a task about it. Made once; each test has a copy in its place.
 */
async function remembered(): Promise<{ place: Place; before: string }> {
  if (before !== '') {
    rmSync(used, { recursive: true });
    cpSync(saved, used, { recursive: true });
    return { place: new Place(used), before };
  }
  const place = new Place(used);
  const events = eventsOf(40);
  for (const event of [...events.slice(20), ...events.slice(0, 30)]) place.put(event);
  await place.journal().drain();
  mkdirSync(join(place.root, 'src'));
  writeFileSync(join(place.root, 'src', '1.ts'), '// TODO: retry budget\nexport const one = 1;\n');
  const graph = await place.graph();
  await graph.spawn('graph_index_project');
  for (const memory_id of ['one', 'two'])
    await graph.spawn('memory_store', null, {
      ...{ memory_id, type: 'fix', title: `Memory ${memory_id}`, content: memory_id, anyway: true },
      about: ['src/1.ts'],
    });
  const link = { from_memory_id: 'one', to_memory_id: 'two', relationship_type: 'SOLVES' };
  await graph.spawn('memory_link', null, link);
  const concept = { label: 'session expiry', files: ['src/1.ts'], symbols: ['one'] };
  for (const description of ['first', 'second'])
    await graph.spawn('graph_add_concept', null, { ...concept, description });
  const log = (kind: string, payload: object, more: object = {}) =>
    graph.spawn('etg_log_event', null, { kind, payload, ...more });
  await log('task_start', { user_prompt: 'Look at session expiry and the retry budget' });
  await log('tool_end', { tool_name: 'edit', success: true, files_touched: ['src/1.ts'] });
  await log('step', { order: 1 }, { task_id: 'mine' });
  await graph.spawn('graph_add_concept', null, { label: 'retry' });
  before = await place.exported();
  await place.close();
  cpSync(used, saved, { recursive: true });
  return { place, before };
}

/** Cuts the end off all stored records that hold a word. */
async function cutRecords(place: Place, word: string): Promise<void> {
  const store = await openLevelStore(foldersOf(place).durable);
  const cut = [];
  for await (const page of store.scan({ from: Buffer.from([0]), to: Buffer.from([0xff]) }))
    for (const [key, value] of page)
      if (Buffer.from(value).includes(word)) cut.push({ key, value: value.subarray(0, value.length - 3) });
  await store.write(cut);
  await store.close();
}

async function exportedOnce(place: Place): Promise<string> {
  const text = await place.exported();
  await place.close();
  return text;
}

it('is a compressed file of the user alone, with a head, an end and all that recording cannot make again', async () => {
  const { place } = await remembered();
  const made = await backup(place);
  expect(made).toMatchObject({ events: 43, nodes: expect.any(Number), edges: expect.any(Number) });
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
  expect(restored).toMatchObject({ path, events: 43, refused: 0, before: { events: 44 } });
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
  expect(await codeOf(() => restore(place, 'nowhere'))).toBe('BACKUP_INVALID');
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
  expect(made.events).toBeGreaterThanOrEqual(43);
  expect(await host.backup(place.root)).toMatchObject({ events: 63 });
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
  await cutRecords(place, 'tool_end');
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
  expect((await backup(place)).events).toBeLessThan(43);
  await restore(place, path);
  expect((await backup(place)).events).toBe(43);
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

const rebuilt = async (place: Place) => {
  const made = await rebuildHistory(place.root, NOBODY, { home: place.home });
  return { made, text: await exportedOnce(place) };
};

it('a rebuild makes the same durable layer again from its own event records, and goes on from there', async () => {
  const { place, before } = await remembered();
  const { made, text } = await rebuilt(place);
  expect(text).toBe(before);
  expect(made).toMatchObject({
    ...{ events: 43, refused: 0, old_store: true, damaged: 0 },
    sources: [{ from: 'store', path: foldersOf(place).durable, events: 43 }],
  });
  expect(before).toContain('RELATED_TO_CONCEPT');
  place.put({ kind: 'task_start', payload: { user_prompt: 'more' } });
  place.put(eventsOf(1)[0]);
  expect(await place.journal().drain()).toMatchObject({ recorded: 1, known: 1 });
});

it('a rebuild takes what is lost from the newest intact backup, and says so', async () => {
  const { place, before } = await remembered();
  const { path } = await backup(place);
  writeFileSync(join(foldersOf(place).backups, '2999-01-01T00-00-00.000Z-r1.jsonl.gz'), 'damaged');
  const { durable } = foldersOf(place);
  for (const name of readdirSync(durable).filter((one) => one.startsWith('MANIFEST')))
    writeFileSync(join(durable, name), 'no manifest');
  const { made, text } = await rebuilt(place);
  expect(text).toBe(before);
  expect(made).toMatchObject({
    old_store: false,
    sources: [{ from: 'backup', path, events: 43 }],
  });
  expect(readdirSync(dirname(durable)).filter((name) => name.startsWith('durable'))).toEqual(['durable']);
  rmSync(durable, { recursive: true });
  expect((await rebuilt(place)).text).toBe(before);
});

it('a rebuild reads as far as a damaged store can be read, and takes only the rest from a backup', async () => {
  const { place, before } = await remembered();
  const { path } = await backup(place);
  await cutRecords(place, 'task_start');
  const { made, text } = await rebuilt(place);
  expect(text).toBe(before);
  const [fromStore, fromBackup] = made.sources;
  expect(fromStore?.from).toBe('store');
  expect(fromBackup).toMatchObject({ from: 'backup', path });
  expect(fromBackup?.events).toBeGreaterThan(0);
  expect((fromStore?.events ?? 0) + (fromBackup?.events ?? 0)).toBe(43);
});

it('a rebuild does nothing while somebody has the store open, and is refused where nothing was ever recorded', async () => {
  const { place } = await remembered();
  const graph = await place.graph();
  const options = { home: place.home };
  await expect(rebuildHistory(place.root, NOBODY, options)).rejects.toMatchObject({ code: 'STORE_LOCKED' });
  await graph.close();
  const other = new Place();
  await expect(rebuildHistory(other.root, NOBODY, options)).rejects.toMatchObject({
    code: 'PROJECT_NOT_INDEXED',
  });
});

it('a rebuild is ended by whoever opens the store next when it was cut off between the two', async () => {
  const { place, before } = await remembered();
  const { durable } = foldersOf(place);
  renameSync(durable, `${durable}.old`);
  expect(await place.exported()).toBe(before);
  await place.close();
  renameSync(durable, `${durable}.new`);
  const made = await openGraph(place.root, { home: place.home });
  await made.close();
  renameSync(durable, `${durable}.old`);
  const graph = await place.graph();
  expect(await exportOf(graph)).toBe(before);
  expect(existsSync(`${durable}.old`)).toBe(false);
});
