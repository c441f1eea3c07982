import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  type Forgetting,
  forgetEvents,
  forgetProjects,
  openGraph,
  readBackup,
  recordEntry,
} from '../../../host/index.js';
import type { Embedder } from '../../../search/index.js';
import { pathHash, removeStore } from '../../../storage/index.js';
import { scratchFolders } from '../../storage/scratch.js';
import { codeOf } from '../../storage/suite.js';
import { Place } from './places.js';

const scratch = scratchFolders();
let place: Place;
let home: string;
let shop: string;

beforeEach(() => {
  place = new Place(scratch());
  ({ home, shop } = place);
});

type Event = readonly [kind: string, payload: object, ts: string];

const at = (minute: number) => `2026-05-01T10:${String(minute).padStart(2, '0')}:00.000Z`;

/** One task of a session: five minutes of work on a file. */
function work(minute: number, prompt: string, path: string, failure: string): Event[] {
  return [
    ['task_start', { user_prompt: prompt, tags: [`tag-${prompt.slice(0, 5)}`] }, at(minute)],
    ['step', { order: 1, role: 'editing', llm_summary: `Look at ${path}` }, at(minute + 1)],
    [
      'tool_start',
      { tool_name: 'edit', params_json: { file_path: path }, files_touched: [path] },
      at(minute + 2),
    ],
    ['error', { error_type: 'test_failure', message: failure }, at(minute + 3)],
    ['tool_end', { tool_name: 'edit', success: true, files_touched: [path] }, at(minute + 4)],
    ['checkpoint', { checkpoint_file: `${path}.patch` }, at(minute + 4)],
    ['task_end', { status: 'success' }, at(minute + 5)],
  ];
}

const KEPT = work(0, 'Mend the basket', 'src/a.ts', 'expected 12 to be 13');
const SECRET = work(20, 'Paint the quokkaflamingo', 'src/wombatpath.ts', 'expected axolotlfailure');

const forget = (what: Forgetting) => forgetEvents(shop, what, place.owner, { home });

/** The lines that are remembered, without the bookkeeping. */
async function remembered(root: string, graphs: string): Promise<unknown[]> {
  await using graph = await openGraph(root, { home: graphs });
  return [...(await graph.spawn('graph_export', null, { layer: 'durable' })).reports];
}

/** What would be remembered had only these events been recorded. */
async function asIfOnly(sessions: Readonly<Record<string, readonly Event[]>>): Promise<unknown[]> {
  const elsewhere = scratch();
  for (const [session, events] of Object.entries(sessions)) await record(session, events, elsewhere);
  const lines = await remembered(shop, elsewhere);
  expect(lines.length).toBeGreaterThan(5);
  return lines;
}

const idOf = (kind: string, ts: string) => `${kind} ${ts}`;

async function record(session: string, events: readonly Event[], graphs = home): Promise<void> {
  await using graph = await openGraph(shop, { home: graphs });
  for (const [kind, payload, ts] of events)
    await graph.spawn('etg_log_event', null, {
      kind,
      payload,
      ts,
      session_id: session,
      event_id: idOf(kind, ts),
    });
}

async function linesOf(backup: string) {
  const lines = [];
  for await (const page of readBackup(backup)) lines.push(...page);
  return lines;
}

const WORDS = ['quokkaflamingo', 'wombatpath', 'axolotlfailure', 'secretsession'];

describe('what is forgotten', () => {
  it.each([
    ['a session', { session: 'secretsession' }],
    ['a time', { since: at(20) }],
  ])('by %s is in no file under the home, and the rest is as if it had never been', async (_, what) => {
    await record('open', KEPT);
    await record('secretsession', SECRET);
    await place.index(shop);
    const { path } = await place.owner.backup(shop);
    for (const word of WORDS) expect(place.filesWith(word), word).toContain(path);
    expect(await forget(what)).toMatchObject({ events: 7, tasks: 1, tasks_changed: 0, graph_removed: false });
    for (const word of WORDS) expect(place.filesWith(word), word).toEqual([]);
    expect(await remembered(shop, home)).toEqual(await asIfOnly({ open: KEPT }));
    expect((await linesOf(path)).filter(({ type }) => type === 'event')).toHaveLength(7);
  });

  it('is in no text that waits for the next hook of another session', async () => {
    await record('open', KEPT);
    await record('secretsession', SECRET);
    const late = { session_id: 'open', text: 'Seen before: axolotlfailure' };
    await place.spawn(shop, 'trace_ingest', { events: [], late });
    expect(place.filesWith('axolotlfailure')).not.toEqual([]);
    await forget({ session: 'secretsession' });
    expect(place.filesWith('axolotlfailure')).toEqual([]);
  });

  it('is no word of prose that was taken for a file', async () => {
    await record('open', work(0, 'Add the tax once', 'src/a.ts', 'expected once'));
    const forgotten = forget({ file: join(shop, 'once') });
    expect(await codeOf(() => forgotten)).toBe('NODE_NOT_FOUND');
  });

  it.each([
    ['by its id', { memory: 'about-quokka' }],
    ['by the file that it is about', { file: 'src/a.ts' }],
    ['by a time', { since: at(20) }],
  ])('takes a memory %s with all that it said before, and leaves no byte of it', async (_, what) => {
    const file = 'file' in what ? { file: join(shop, what.file) } : {};
    const secret = { memory_id: 'about-quokka', type: 'fix', title: 'Quokkaflamingo', about: ['src/a.ts'] };
    const kept = { memory_id: 'kept', type: 'fix', title: 'Kept', content: 'Of nothing.' };
    if (!('since' in what)) await place.spawn(shop, 'memory_store', kept);
    for (const content of ['axolotlfailure', 'wombatpath'])
      await place.spawn(shop, 'memory_store', { ...secret, content });
    for (const word of ['Quokkaflamingo', 'quokkaflamingo', 'axolotlfailure', 'wombatpath'])
      expect(place.filesWith(word), word).not.toEqual([]);
    const { path } = await place.owner.backup(shop);
    expect(place.filesWith('wombatpath')).toContain(path);
    expect(await forget({ ...what, ...file })).toMatchObject({ events: 0, memories: 1 });
    for (const word of ['Quokkaflamingo', 'quokkaflamingo', 'axolotlfailure', 'wombatpath', 'about-quokka'])
      expect(place.filesWith(word), word).toEqual([]);
    const { body } = await place.spawn(shop, 'memory_search', {});
    expect(body.results).toMatchObject('since' in what ? [] : [{ id: 'kept' }]);
  });

  it('takes the vectors of memories, tasks and steps along, and leaves no byte of them', async () => {
    const made = new Map<string, Buffer>();
    const embedder: Embedder = {
      model: 'chance',
      embedTexts: async (texts) =>
        texts.map((text) => {
          const hash = [...createHash('sha512').update(text).digest()].map((byte) => byte - 128);
          const length = Math.hypot(...hash);
          const unit = Float32Array.from(Float32Array.from(hash), (number) => number / length);
          made.set(text, Buffer.from(unit.buffer, 64, 64));
          return hash;
        }),
    };
    await record('open', KEPT);
    await record('secretsession', SECRET);
    await place.spawn(shop, 'memory_store', {
      memory_id: 'quokka',
      type: 'fix',
      title: 'Quokka',
      content: 'It.',
    });
    await using graph = await openGraph(shop, { home, embedder });
    await graph.spawn('graph_embed');
    await graph.close();
    const secret = [...made].filter(([text]) => /quokka|wombatpath/iu.test(text));
    expect(secret.map(([text]) => text.slice(0, 10))).toEqual(expect.arrayContaining(['KIND: fix\n']));
    expect(secret.length).toBeGreaterThan(2);
    for (const [text, bytes] of secret) expect(place.filesWith(bytes), text).not.toEqual([]);
    await forget({ memory: 'quokka' });
    await forget({ session: 'secretsession' });
    for (const [text, bytes] of secret) expect(place.filesWith(bytes), text).toEqual([]);
    const kept = [...made].find(([text]) => text.includes('Mend the basket'));
    expect(place.filesWith(kept?.[1] ?? '')).not.toEqual([]);
  });

  it('by the beginning of a session is that session, where only one begins so', async () => {
    await record('open', KEPT);
    await record('opens', work(10, 'Mend the lid', 'src/lid.ts', 'no'));
    await record('secretsession', SECRET);
    await expect(forget({ session: 'ope' })).rejects.toMatchObject({
      code: 'NODE_NOT_FOUND',
      suggestion: "Give more of it: 'open', 'opens'",
    });
    expect(await codeOf(() => forget({ session: 'secrets-' }))).toBe('NODE_NOT_FOUND');
    expect(await forget({ session: 'secr' })).toMatchObject({ events: 7, tasks: 1 });
    for (const word of WORDS) expect(place.filesWith(word), word).toEqual([]);
    expect(await forget({ session: 'open' })).toMatchObject({ events: 7, tasks: 1 });
    expect(await place.prompts(shop)).toEqual(['Mend the lid']);
  });

  it('by a task is that task alone, found by the beginning of its id', async () => {
    await record('s', [...KEPT, ...SECRET]);
    const { body } = await place.spawn(shop, 'tasks', {});
    const [last] = body.tasks as { task_id: string }[];
    const id = last?.task_id ?? '';
    expect(await codeOf(() => forget({ task: 'task:none' }))).toBe('NODE_NOT_FOUND');
    expect(await forget({ task: id.slice(0, 20) })).toMatchObject({ events: 7, tasks: 1 });
    expect(place.filesWith('quokkaflamingo')).toEqual([]);
    expect(place.filesWith(id)).toEqual([]);
    expect(await remembered(shop, home)).toEqual(await asIfOnly({ s: KEPT }));
  });

  it('by a file is every event that names it; what is left of its task stays', async () => {
    await record('s', [...KEPT, ...SECRET]);
    const named = await forget({ file: join(shop, 'src', 'wombatpath.ts') });
    expect(named).toMatchObject({ events: 4, tasks: 0, tasks_changed: 1, graph_removed: true });
    expect(place.filesWith('wombatpath')).toEqual([]);
    const left = SECRET.filter((event) => !JSON.stringify(event).includes('wombatpath'));
    expect(await remembered(shop, home)).toEqual(await asIfOnly({ s: [...KEPT, ...left] }));
    expect(await place.prompts(shop)).toEqual(['Mend the basket', 'Paint the quokkaflamingo']);
  });

  it('takes the beginning of a task along when that names it, and then the session goes on with the task before', async () => {
    const begun: Event[] = [['task_start', { user_prompt: 'Look at src/wombatpath.ts' }, at(10)]];
    const after: Event[] = [['step', { order: 7, role: 'reading', llm_summary: 'Read on' }, at(11)]];
    await record('s', [...KEPT.slice(0, -1), ...begun, ...after]);
    await forget({ file: join(shop, 'src', 'wombatpath.ts') });
    expect(await remembered(shop, home)).toEqual(await asIfOnly({ s: [...KEPT.slice(0, -1), ...after] }));
  });

  it('by a file is found however it is written, in the store and in a backup that alone has it', async () => {
    const messages = [
      'after a newline:\nsrc/wombatpath.ts',
      '{"out":"after an escaped newline in JSON:\\nsrc/wombatpath.ts:3"}',
      '{"out":"\\u0009src/wombatpath.ts"}',
      '\u001b[31msrc/wombatpath.ts\u001b[0m',
      '\\u001b[1;31msrc/wombatpath.ts',
      'C:\\shop\\src\\wombatpath.ts',
      '{"path":"src\\\\wombatpath.ts"}',
    ];
    const errors = (minute: number) =>
      messages.map(
        (message, nth): Event => [
          'error',
          { error_type: 'runtime', message },
          at(minute).replace('00.000', `0${nth}.000`),
        ],
      );
    await record('s', [...KEPT, ...errors(6)]);
    const { path } = await place.owner.backup(shop);
    await removeStore(join(home, pathHash(shop), 'durable'));
    await record('s', errors(7));
    expect(place.filesWith('wombatpath')).toContain(path);
    expect(await forget({ file: join(shop, 'src', 'wombatpath.ts') })).toMatchObject({ events: 7 });
    expect(place.filesWith('wombatpath')).toEqual([]);
    expect((await linesOf(path)).filter(({ type }) => type === 'event')).toHaveLength(KEPT.length);
  });

  it('of which a longer name is not: another file stays', async () => {
    await record('s', work(0, 'Mend it', 'src/a.tsx', 'no'));
    expect(await forget({ file: join(shop, 'src', 'a.ts') })).toMatchObject({ events: 0 });
    // The graph stays: it never knew this one.
    expect(await codeOf(() => forget({ file: join(shop, 'src', 'never.ts') }))).toBe('NODE_NOT_FOUND');
    expect(await forget({ file: join(shop, 'src') })).toMatchObject({ events: 4 });
    expect(await codeOf(() => forget({ file: shop }))).toBe('INVALID_INPUT');
    expect(await codeOf(() => forget({ file: join(place.folder, 'else.ts') }))).toBe('PATH_OUTSIDE_ROOT');
  });

  it('is only counted in a dry run', async () => {
    await record('s', SECRET);
    const dry = await forgetEvents(shop, { session: 's' }, place.owner, { home, dryRun: true });
    expect(dry).toMatchObject({ dry_run: true, events: 7, tasks: 1 });
    expect(await place.prompts(shop)).toEqual(['Paint the quokkaflamingo']);
  });

  it('goes from what was set aside in the journal too, and from answers that nobody fetched', async () => {
    await record('secretsession', SECRET);
    const aside = join(home, 'journal', 'quarantine', 'not-json');
    mkdirSync(aside, { recursive: true });
    writeFileSync(join(aside, '1'), '{"session_id":"secretsession"');
    writeFileSync(join(aside, '2'), '{"session_id":"other"');
    symlinkSync(join(aside, 'nowhere'), join(aside, 'dangling'));
    symlinkSync(aside, join(aside, 'round'));
    mkdirSync(join(home, 'spool'));
    const spool = join(home, 'spool', '1.jsonl');
    writeFileSync(spool, '"quokkaflamingo"');
    utimesSync(spool, 1, 1);
    await forget({ session: 'secretsession' });
    for (const word of WORDS) expect(place.filesWith(word), word).toEqual([]);
    // Links are passed over.
    expect(readdirSync(aside)).toEqual(['2', 'dangling', 'round']);
  });

  it('goes from what waits in the journal', async () => {
    await record('open', KEPT);
    const event = {
      session_id: 'secretsession',
      kind: 'task_start',
      payload: { user_prompt: 'quokkaflamingo' },
    };
    recordEntry({ home, root: shop, client: null, cwd: shop }, [Buffer.from(JSON.stringify(event))]);
    expect(place.filesWith('quokkaflamingo')).not.toEqual([]);
    expect(await forget({ session: 'secretsession' })).toMatchObject({ events: 1, tasks: 1 });
    for (const word of WORDS) expect(place.filesWith(word), word).toEqual([]);
  });

  it('comes to its end when it is done again after it was cut off', async () => {
    await record('open', KEPT);
    await record('secretsession', SECRET);
    const cut = { ...place.owner, release: async () => Promise.reject(new Error('cut off')) };
    await expect(forgetEvents(shop, { session: 'secretsession' }, cut, { home })).rejects.toThrow('cut off');
    await place.spawn(shop, 'trace_forget', { session: 'secretsession' });
    expect(place.filesWith('quokkaflamingo')).not.toEqual([]);
    expect(await forget({ session: 'secretsession' })).toMatchObject({ events: 0 });
    expect(await remembered(shop, home)).toEqual(await asIfOnly({ open: KEPT }));
    expect(place.filesWith('axolotlfailure')).toEqual([]);
  });

  it('goes from backups of which the store knows nothing', async () => {
    await record('secretsession', SECRET);
    await place.owner.backup(shop);
    await removeStore(join(home, pathHash(shop), 'durable'));
    await record('open', KEPT);
    const { path } = await place.owner.backup(shop);
    writeFileSync(`${path}.1.tmp`, 'quokkaflamingo');
    writeFileSync(join(dirname(path), '2020-01-01T00-00-00.000Z-r1.jsonl.gz'), gzipSync('quokkaflamingo'));
    expect(await forget({ session: 'secretsession' })).toMatchObject({ events: 0 });
    for (const word of WORDS) expect(place.filesWith(word), word).toEqual([]);
    expect((await linesOf(path)).filter(({ type }) => type === 'event')).toHaveLength(7);
  });

  it('of a project, or of all, is everything that is remembered; code graphs stay', async () => {
    const other = place.repository('other');
    await record('secretsession', SECRET);
    await place.index(shop);
    await place.owner.backup(shop);
    await place.record(other, 's', ['task_start', { user_prompt: 'pangolinplan' }]);
    expect(await forgetProjects(shop, place.owner, { home })).toMatchObject([{ root: shop, events: null }]);
    for (const word of WORDS) expect(place.filesWith(word), word).toEqual([]);
    expect(await place.prompts(shop)).toEqual([]);
    expect(await place.prompts(other)).toEqual(['pangolinplan']);
    rmSync(other, { recursive: true });
    await forgetProjects(null, place.owner, { home });
    expect(place.filesWith('pangolinplan')).toEqual([]);
    expect((await place.spawn(shop, 'graph_stats')).body).toMatchObject({ state: { root: shop } });
  });
});
