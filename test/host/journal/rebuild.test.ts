import { existsSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { Archive, openGraph, rebuildHistory } from '../../../host/index.js';
import { homesOf } from '../../../host/surroundings.js';
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

it('makes the same durable layer again from the archive alone', async () => {
  const { place, before } = await recordedPlace();
  rmSync(homes(place).durable, { recursive: true });
  const { made, text } = await rebuilt(place);
  expect(text).toBe(before);
  expect(made).toMatchObject({ events: 63, archived: 63, old_store: false });
  expect(before).toContain('RELATED_TO_CONCEPT');
  // And it goes on from there.
  place.put({ kind: 'task_start', payload: { user_prompt: 'more' } });
  place.put(eventsOf(1)[0]);
  expect(await place.journal().drain()).toMatchObject({ recorded: 1, known: 1 });
});

it('makes it from both where the archive has lost its beginning', async () => {
  const { place, before } = await recordedPlace();
  const archive = new Archive(homes(place).archive);
  let at = 0;
  archive.rewrite(() => ++at > 40);
  const { made, text } = await rebuilt(place);
  expect(text).toBe(before);
  expect(made.archived).toBeLessThan(made.events);
  rmSync(homes(place).archive, { recursive: true });
  expect((await rebuilt(place)).text).toBe(before);
});

it('makes it from the archive where the old store cannot be read', async () => {
  const { place, before } = await recordedPlace();
  const { durable } = homes(place);
  for (const name of readdirSync(durable).filter((one) => one.startsWith('MANIFEST')))
    writeFileSync(join(durable, name), 'no manifest');
  const { made, text } = await rebuilt(place);
  expect(made.old_store).toBe(false);
  expect(text).toBe(before);
  expect(readdirSync(dirname(durable)).filter((name) => name.startsWith('durable'))).toEqual(['durable']);
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
