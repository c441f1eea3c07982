import { existsSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { directHost, openGraph, rebuildHistory } from '../../../host/index.js';
import { homesOf } from '../../../host/surroundings.js';
import { openLevelStore } from '../../../storage/index.js';
import { eventsOf, exportOf, Place } from './journals.js';

const NOBODY = { release: async () => undefined };

/** A project with events of the journal and of the tool, a stated concept and a task about it, indexed in their midst. */
async function recordedPlace(): Promise<{ place: Place; before: string }> {
  const place = new Place();
  writeFileSync(
    join(place.root, 'auth.ts'),
    '// TODO: retry budget\nexport function login() { return 1; }\n',
  );
  const graph = await place.graph();
  const events = eventsOf(60);
  for (const event of [...events.slice(30), ...events.slice(0, 40)]) place.put(event);
  await place.journal().drain();
  await graph.spawn('graph_index_project');
  const concept = { label: 'session expiry', files: ['auth.ts'], symbols: ['login'] };
  await graph.spawn('graph_add_concept', null, { ...concept, description: 'first' });
  await graph.spawn('graph_add_concept', null, { ...concept, description: 'second' });
  const log = (kind: string, payload: object, more: object = {}) =>
    graph.spawn('etg_log_event', null, { kind, payload, ...more });
  await log('task_start', { user_prompt: 'Look at session expiry and the retry budget' });
  await log('tool_end', { tool_name: 'edit', success: true, files_touched: ['auth.ts'] });
  await log('step', { order: 1 }, { task_id: 'mine' });
  await graph.spawn('graph_add_concept', null, { label: 'retry' });
  const before = await place.exported();
  await place.close();
  return { place, before };
}

const rebuilt = async (place: Place) => {
  const made = await rebuildHistory(place.root, NOBODY, { home: place.home });
  const graph = await openGraph(place.root, { home: place.home });
  const text = await exportOf(graph);
  await graph.close();
  return { made, text };
};
const homes = (place: Place) => homesOf(place.root, { home: place.home });

it('makes the same durable layer again from its own event records, and goes on from there', async () => {
  const { place, before } = await recordedPlace();
  const { made, text } = await rebuilt(place);
  expect(text).toBe(before);
  expect(made).toMatchObject({
    ...{ events: 63, refused: 0, old_store: true, damaged: 0 },
    sources: [{ from: 'store', path: homes(place).durable, events: 63 }],
  });
  expect(before).toContain('RELATED_TO_CONCEPT');
  place.put({ kind: 'task_start', payload: { user_prompt: 'more' } });
  place.put(eventsOf(1)[0]);
  expect(await place.journal().drain()).toMatchObject({ recorded: 1, known: 1 });
});

it('takes what is lost from the newest intact backup, and says so', async () => {
  const { place, before } = await recordedPlace();
  const backup = await directHost(place.home).backup(place.root);
  writeFileSync(join(homes(place).backups, '2999-01-01T00-00-00.000Z-r1.jsonl.gz'), 'damaged');
  const { durable } = homes(place);
  for (const name of readdirSync(durable).filter((one) => one.startsWith('MANIFEST')))
    writeFileSync(join(durable, name), 'no manifest');
  const { made, text } = await rebuilt(place);
  expect(text).toBe(before);
  expect(made).toMatchObject({
    old_store: false,
    sources: [{ from: 'backup', path: backup.path, events: 63 }],
  });
  expect(readdirSync(dirname(durable)).filter((name) => name.startsWith('durable'))).toEqual(['durable']);
  rmSync(durable, { recursive: true });
  expect((await rebuilt(place)).text).toBe(before);
});

it('reads as far as a damaged store can be read, and takes only the rest from a backup', async () => {
  const { place, before } = await recordedPlace();
  const backup = await directHost(place.home).backup(place.root);
  const store = await openLevelStore(homes(place).durable);
  const records = [];
  for await (const page of store.scan({ from: Buffer.from([0]), to: Buffer.from([0xff]) }))
    records.push(...page);
  const cut = records.filter(([, value]) => Buffer.from(value).includes('task_start'));
  await store.write(cut.map(([key, value]) => ({ key, value: value.subarray(0, value.length - 3) })));
  await store.close();
  const { made, text } = await rebuilt(place);
  expect(text).toBe(before);
  const [fromStore, fromBackup] = made.sources;
  expect(fromStore?.from).toBe('store');
  expect(fromBackup).toMatchObject({ from: 'backup', path: backup.path });
  expect(fromBackup?.events).toBeGreaterThan(0);
  expect((fromStore?.events ?? 0) + (fromBackup?.events ?? 0)).toBe(63);
});

it('does nothing while somebody has the store open, and is refused where nothing was ever recorded', async () => {
  const { place } = await recordedPlace();
  const graph = await place.graph();
  const options = { home: place.home };
  await expect(rebuildHistory(place.root, NOBODY, options)).rejects.toMatchObject({ code: 'STORE_LOCKED' });
  await graph.close();
  const other = new Place();
  await expect(rebuildHistory(other.root, NOBODY, options)).rejects.toMatchObject({
    code: 'PROJECT_NOT_INDEXED',
  });
}, 15_000);

it('is ended by whoever opens the store next when it was cut off between the two', async () => {
  const { place, before } = await recordedPlace();
  const { durable } = homes(place);
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
