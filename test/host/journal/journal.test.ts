import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import {
  type Agents,
  directHost,
  type Ingest,
  Journal,
  journalCounts,
  readBackup,
  setPaused,
} from '../../../host/index.js';
import { CodewalkError, LIMITS } from '../../../schema/index.js';
import { eventsOf, Place, serially } from './journals.js';
import { RECORDERS, recorded, scratch } from './recorders.js';

/** Records nothing, and says that it did. */
const ACCEPT: Ingest = async (_root, events) => events.map(() => ({ outcome: 'recorded' }));
const EVENT = { kind: 'task_start', payload: { user_prompt: 'Fix it' } };

it('records what is there, whatever its order and however often it came, as one by one', async () => {
  const place = new Place();
  const events = eventsOf(120);
  const mixed = [...events.slice(60), ...events.slice(0, 80), ...events.slice(100)];
  for (const event of mixed) place.put(event);
  const journal = place.journal();
  expect(journalCounts(place.home).pending).toBe(mixed.length);
  expect(await journal.drain()).toMatchObject({ recorded: 120, known: 40, aside: 0, failure: null });
  expect(journalCounts(place.home).pending).toBe(0);
  expect(await place.exported()).toBe(await serially(events));
});

it('gives one graph for what both recorders and the tool were told', async () => {
  const place = new Place();
  const events = eventsOf(9);
  const ways = Object.values(RECORDERS);
  for (const [at, event] of events.entries())
    await recorded(
      ways[at % ways.length] ?? [],
      ['--root', place.root, '--home', place.home],
      JSON.stringify(event),
    );
  for (const event of events.slice(0, 4)) await (await place.graph()).spawn('etg_log_event', null, event);
  expect(await place.journal().drain()).toMatchObject({ recorded: 5, known: 4 });
  expect(await place.exported()).toBe(await serially(events));
});

it('takes the name and time of a file for an event that tells none', async () => {
  const place = new Place();
  const bytes = place.put(EVENT);
  const journal = place.journal();
  const twice: string[] = [];
  await place
    .journal(async (_root, events) => {
      twice.push(...events.map(({ event_id }) => event_id));
      throw new CodewalkError('BUSY', 'later');
    })
    .drain();
  await journal.drain();
  expect(twice).toEqual([bytes]);
  const [task] = (await place.exported()).split('\n').map((line) => JSON.parse(line));
  expect(Date.parse(task.created_at)).toBe(
    Math.floor(Number(bytes.split('.')[0]) * 1000 + Number(bytes.split('.')[1]) / 1e6),
  );
});

it('sets aside what it cannot take, counts it by reason, and loses nothing beside it', async () => {
  const place = new Place();
  place.put(EVENT);
  place.putBytes(Buffer.alloc(0));
  place.put('');
  place.putBytes(Buffer.from('{"kind":"task_start"'));
  place.put('no json');
  place.put('[1]');
  place.put({ kind: 'task_strat', payload: {} });
  place.put({ kind: 'step', payload: { order: 'x' } });
  place.put({ ...EVENT, task_id: 'file:src/a.ts' });
  place.putBytes(Buffer.from('x'), 'notes.txt');
  place.putBytes(Buffer.from('{}\0codewalk event 9\nroot /p\0'));
  place.put(EVENT, { root: join(place.home, 'nowhere') });
  const huge = place.putBytes(Buffer.from('x'));
  truncateSync(join(place.home, 'journal/new', huge), 100 * 1024 * 1024);
  mkdirSync(join(place.home, 'journal/new/folder'));
  const journal = place.journal();
  expect(await journal.drain()).toMatchObject({ recorded: 1, aside: 13 });
  const quarantine = {
    empty: 2,
    'not-json': 2,
    'not-ours': 2,
    'other-version': 1,
    refused: 3,
    'root-gone': 1,
    'too-large': 1,
    truncated: 1,
  };
  expect(journalCounts(place.home)).toEqual({ pending: 0, quarantine, held: {}, declined: {} });
  expect(statSync(join(place.home, 'journal/quarantine')).mode & 0o777).toBe(0o700);
  // A second one of the same name is not written over the first.
  place.putBytes(Buffer.from('y'), 'notes.txt');
  await journal.drain();
  expect(journalCounts(place.home).quarantine).toEqual({ ...quarantine, 'not-ours': 3 });
});

/** Knows one client, whose payload is the prompts of some tasks. */
const AGENTS: Agents = {
  eventsOf: ({ client, payload, name, at }) =>
    client === 'known'
      ? Buffer.from(payload)
          .toString()
          .split(' ')
          .filter((user_prompt) => user_prompt !== '')
          .map((user_prompt, nth) => ({
            event_id: `${name} ${nth}`,
            at,
            kind: 'task_start',
            payload: { user_prompt },
          }))
      : null,
  questionOf: () => null,
};

it("keeps a client's payload for the adapter that it does not have yet, and takes it in when there is one", async () => {
  const place = new Place();
  place.put('one two', { client: 'known', place: 'cwd' });
  place.put('three', { client: 'unknown', place: 'cwd' });
  await place.journal().drain();
  expect(journalCounts(place.home)).toMatchObject({ pending: 2, held: {} });
  const nobody = place.journal(place.ingest, { ...AGENTS, eventsOf: () => null });
  expect(await nobody.drain()).toMatchObject({ held: 2, recorded: 0 });
  const journal = place.journal(place.ingest, AGENTS);
  journal.watch();
  expect(await journal.drain()).toMatchObject({ recorded: 2 });
  expect(journalCounts(place.home)).toMatchObject({ pending: 0, held: { unknown: 1 } });
});

it('records the events of one payload together, and removes one that tells nothing', async () => {
  const place = new Place();
  place.put('one two three', { client: 'known' });
  place.put(' ', { client: 'known' });
  place.put('one', { client: 'known', root: scratch() });
  expect(await place.journal(place.ingest, AGENTS).drain()).toMatchObject({
    recorded: 3,
    declined: 1,
    aside: 0,
  });
  expect(journalCounts(place.home).pending).toBe(0);
  expect(await place.exported()).toContain('"user_prompt":"three"');
});

it('records nothing of a root that is no project, is refused or paused; and counts it, also over its own end', async () => {
  const place = new Place();
  const plain = scratch();
  const paused = scratch();
  for (const root of [plain, paused]) place.put(EVENT, { root });
  place.put(EVENT, { root: '/' });
  // What is no event counts as that everywhere.
  place.put('no json', { root: paused });
  writeFileSync(join(paused, 'package.json'), '{}');
  setPaused(true, paused, { home: place.home });
  expect(await place.journal().drain()).toMatchObject({ declined: 3, recorded: 0, aside: 1 });
  expect(journalCounts(place.home).declined).toEqual({ ineligible: 1, paused: 1, 'root-refused': 1 });
  setPaused(false, paused, { home: place.home });
  writeFileSync(join(plain, 'pyproject.toml'), '');
  for (const root of [plain, paused]) place.put(EVENT, { root });
  const seen: string[] = [];
  await place
    .journal(async (root, events) => {
      seen.push(root);
      return ACCEPT(root, events);
    })
    .drain();
  expect(seen.sort()).toEqual([paused, plain].sort());
  // A folder whose only work tree is the home directory.
  const userHome = scratch();
  const notes = join(userHome, 'notes');
  for (const made of [join(userHome, '.git'), notes]) mkdirSync(made);
  place.put(EVENT, { root: notes });
  const surroundings = { cwd: notes, env: {}, userHome };
  await using journal = new Journal({ home: place.home, ingest: place.ingest, surroundings });
  expect(await journal.drain()).toMatchObject({ declined: 1, recorded: 0 });
});

it('finds the root of a working directory as everything else does', async () => {
  const place = new Place();
  mkdirSync(join(place.root, 'src/deep'), { recursive: true });
  place.put(EVENT, { root: join(place.root, 'src/deep'), place: 'cwd' });
  place.put(EVENT, { root: join(place.root, 'src/gone'), place: 'cwd' });
  expect(await place.journal().drain()).toMatchObject({ recorded: 2 });
});

it('keeps what could not be recorded for the next time, and the events of other roots do not wait for it', async () => {
  const place = new Place();
  const other = new Place();
  place.put(EVENT);
  place.put(EVENT, { root: other.root });
  const first = await place
    .journal(async (root, events) => {
      if (root === place.root) throw new CodewalkError('STORE_FULL', 'no space');
      return ACCEPT(root, events);
    })
    .drain();
  expect(first).toMatchObject({ recorded: 1, aside: 0, failure: { code: 'STORE_FULL' } });
  expect(await place.journal().drain()).toMatchObject({ recorded: 1, failure: null });
});

it('goes on beside files that it cannot read or move, and tells of them', async () => {
  const place = new Place();
  const good = place.put(EVENT);
  const closed = place.put(EVENT);
  place.put('no json');
  writeFileSync(join(place.home, 'journal/quarantine'), 'a file in the way');
  const asked: string[] = [];
  const journal = place.journal(async (root, events) => {
    asked.push(...events.map(({ event_id }) => event_id));
    return ACCEPT(root, events);
  });
  expect(journal.hasNew()).toBe(true);
  const drained = await withoutRights(place, closed, () => journal.drain());
  expect(drained).toMatchObject({ recorded: 1, aside: 0, failure: { code: 'INTERNAL' } });
  expect(asked).toEqual([good]);
  expect(journalCounts(place.home).pending).toBe(2);
  expect(journal.hasNew()).toBe(false);
  rmSync(join(place.home, 'journal/quarantine'));
  expect(await journal.drain()).toMatchObject({ recorded: 1, aside: 1, failure: null });
});

it('tells that the configuration cannot be read, leaves its events where they are, and takes them when it is mended', async () => {
  const place = new Place();
  place.put(EVENT);
  writeFileSync(join(place.home, 'config.json'), '{"colour": 1}');
  const journal = place.journal(ACCEPT);
  expect(await journal.drain()).toMatchObject({ recorded: 0, failure: { code: 'CONFIG_INVALID' } });
  expect([journalCounts(place.home).pending, journal.hasNew()]).toEqual([1, false]);
  rmSync(join(place.home, 'config.json'));
  expect(await journal.drain()).toMatchObject({ recorded: 1, failure: null });
});

it('does not say that all is taken in when it was closed meanwhile', async () => {
  const place = new Place();
  place.put(EVENT);
  const journal = place.journal();
  await journal.close();
  expect(await journal.drain()).toMatchObject({ recorded: 0, failure: { code: 'STORE_CLOSED' } });
});

/** Does something as a user who may not read one file of the journal. */
async function withoutRights<T>(place: Place, name: string, act: () => Promise<T>): Promise<T> {
  const file = join(place.home, 'journal/new', name);
  if (process.getuid?.() !== 0 || !process.seteuid) {
    chmodSync(file, 0);
    return act().finally(() => chmodSync(file, 0o600));
  }
  for (const [folder, sub] of [
    [place.home, ''],
    [place.root, '..'],
    ...['journal', 'journal/new'].map((at) => [place.home, at]),
  ] as const)
    chownSync(join(folder ?? '', sub ?? ''), NOBODY, NOBODY);
  chmodSync(file, 0o600);
  process.seteuid(NOBODY);
  return act().finally(() => process.seteuid?.(0));
}

const NOBODY = 65534;

it('finds the one event that brings down what records it, and loses none of the others', async () => {
  const place = new Place();
  for (let at = 0; at < 20; at++) place.put({ ...EVENT, event_id: at === 13 ? 'poison' : `e${at}` });
  const journal = place.journal(async (root, events) => {
    if (events.some(({ event_id }) => event_id === 'poison'))
      throw new CodewalkError('WALKER_KILLED', 'it did not yield');
    return place.ingest(root, events);
  });
  expect(await journal.drain()).toMatchObject({ recorded: 19, aside: 1 });
  expect(journalCounts(place.home)).toMatchObject({ pending: 0, quarantine: { failed: 1 } });
});

it('tries again an event whose worker died for another reason', async () => {
  const place = new Place();
  place.put(EVENT);
  let deaths = 2;
  const journal = place.journal(async (root, events) => {
    if (deaths-- > 0) throw new CodewalkError('WALKER_KILLED', 'its thread ended');
    return place.ingest(root, events);
  });
  expect(await journal.drain()).toMatchObject({ recorded: 1, aside: 0 });
});

/** Takes ages for a long text. */
const ages = (text: string) => text.length > 1000 && /^(?:a+)+$/u.test(`${'a'.repeat(60)}b`);

it('records what a payload tells without its texts where these take too long', async () => {
  const place = new Place();
  const agents: Agents = {
    eventsOf: ({ payload, name, at }) => {
      const { user_prompt } = JSON.parse(Buffer.from(payload).toString());
      return ages(user_prompt) ? [] : [{ event_id: name, at, kind: 'task_start', payload: { user_prompt } }];
    },
    questionOf: () => null,
  };
  place.put({ user_prompt: 'first' }, { client: 'tool' });
  place.put({ user_prompt: 'x'.repeat(5000) }, { client: 'tool' });
  place.put({ user_prompt: 'last' }, { client: 'tool' });
  const journal = place.journal(undefined, agents);
  expect(await journal.drain()).toMatchObject({ recorded: 3, aside: 0, failure: null });
  const told = (await place.exported()).split('\n').filter((line) => line.includes('"user_prompt"'));
  const prompts = told.map((line) => JSON.parse(line).user_prompt).filter((prompt) => prompt !== undefined);
  expect(new Set(prompts)).toEqual(new Set(['first', '[not recorded: too slow to check]', 'last']));
});

it('records without its texts, beside setting it aside, what brings down its worker again and again', async () => {
  const place = new Place();
  place.put({ ...EVENT, event_id: 'good' });
  place.put({ kind: 'task_start', event_id: 'bad', payload: { user_prompt: 'x'.repeat(5000) } });
  const journal = place.journal(async (root, events) => {
    if (JSON.stringify(events).includes('xxx')) throw new CodewalkError('WALKER_KILLED', 'it did not yield');
    return place.ingest(root, events);
  });
  expect(await journal.drain()).toMatchObject({ recorded: 2, aside: 1, failure: null });
  expect(await place.exported()).toContain('[not recorded: too slow to check]');
});

it('takes in what comes while it watches, and clears what was never finished', async () => {
  const place = new Place();
  place.put(EVENT);
  const left = join(place.home, 'journal/tmp/left');
  mkdirSync(join(place.home, 'journal/tmp'), { recursive: true });
  writeFileSync(left, 'x');
  utimesSync(left, 0, 0);
  const journal = place.journal();
  journal.watch();
  expect(existsSync(left)).toBe(false);
  for (let at = 0; at < 5; at++) {
    place.put(EVENT);
    await pause(5);
  }
  while (journalCounts(place.home).pending > 0) await pause(10);
  await journal.drain();
  const tasks = (await place.exported()).split('\n');
  expect(tasks).toHaveLength(6);
});

it('backs up what it recorded, masked as it is stored', async () => {
  const place = new Place();
  const secret = `ghp_${'a1B2'.repeat(9)}`;
  place.put({ ...EVENT, event_id: 'e', payload: { user_prompt: `use ${secret}` }, session_id: 's', ts: 5 });
  await place.journal().drain();
  await place.close();
  const { path } = await directHost(place.home).backup(place.root);
  const lines = [];
  for await (const page of readBackup(path)) lines.push(...page);
  expect(lines).toMatchObject([
    { type: 'event', at: 5, begins: 's', fact: { user_prompt: 'use [masked:github-token]' } },
  ]);
});

const TOKEN = ['ghp_', 'a1B2c3D4'.repeat(5)].join('');

/** The files that were set aside, none of which holds a part of {@link TOKEN}, or more than its ends. */
function asideOf(place: Place): string[] {
  const quarantine = join(place.home, 'journal/quarantine');
  const entries = readdirSync(quarantine, { recursive: true, withFileTypes: true });
  const files = entries.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name));
  for (const file of files) {
    const stored = readFileSync(file, 'utf8');
    expect(stored).toMatch(/\[masked|left out/u);
    for (let at = 0; at + 12 <= TOKEN.length; at += 4) expect(stored).not.toContain(TOKEN.slice(at, at + 12));
    expect(stored.length).toBeLessThan(100_000);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  }
  return files;
}

it('spares no more of what it sets aside than a label', async () => {
  const place = new Place();
  const across = '€'.repeat((65_536 - 19) / 3);
  const texts = [
    `{"a":"${TOKEN}"}\0`,
    `x\0token=${TOKEN}\0`,
    `{}\0codewalk event 9\nroot /x\n${TOKEN}\0`,
    `\0codewalk event 1\nroot /x\n${TOKEN}\0`,
    `${across}${TOKEN}${'€'.repeat(1_500_000)}`,
    `${'€'.repeat(1_500_000)}${TOKEN}${across}`,
  ];
  for (const text of texts) place.putBytes(Buffer.from(text));
  await place.journal().drain();
  expect(asideOf(place)).toHaveLength(texts.length);
});

it('sets nothing aside with its secrets, and no more than there is room for', async () => {
  const place = new Place();
  for (const text of [TOKEN, `{"log":"a\\n${TOKEN}"}`, `DB_PASSWORD=${TOKEN.slice(4)}`]) {
    place.put(`no json ${text}`);
    place.put({ kind: 'task_strat', payload: { text } });
    place.putBytes(Buffer.from(`{"kind":"step","payload":"${text}`));
    place.putBytes(Buffer.from(text), `notes-${text.length}.txt`);
    place.put({ kind: 'step', payload: { order: 'x', text } }, { root: join(place.home, 'nowhere') });
    // A cut that goes through it, and one next to it.
    for (const before of [32_768, 32_768 - 20, 65_536 - 20])
      place.put(
        `${'x '.repeat(before / 2)}${text}${' y'.repeat(3_000_000)}${text}${' z'.repeat(before / 2)}`,
      );
  }
  const journal = place.journal();
  expect(await journal.drain()).toMatchObject({ recorded: 0, aside: 24 });
  expect(asideOf(place)).toHaveLength(24);
  for (let count = 0; count < LIMITS.journalAside.max; count++) place.putBytes(Buffer.from('x'));
  await journal.drain();
  const { quarantine: left, declined } = journalCounts(place.home);
  expect(Object.values(left).reduce((sum, count) => sum + count)).toBe(LIMITS.journalAside.max);
  expect(declined).toEqual({ 'pushed-out': 24 });
});
