import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { recordEntry, runningDaemon } from '../../host/index.js';
import { REPORTING, reportsEvents } from '../../host/journal/reporting.js';
import { TOOLS } from '../../schema/index.js';
import { runCommand } from '../cli/scratch.js';
import { DAEMON, Homes, OWN } from './homes.js';

/* What waits in the journal: answers tell of it, and what cannot be taken in is told of, and in nobody's way. */

const homes = new Homes();
const root = homes.root;

function record(home: string, prompt: string): void {
  const event = { kind: 'task_start', session_id: prompt, payload: { user_prompt: prompt } };
  recordEntry({ home, root, client: null, cwd: root }, [Buffer.from(JSON.stringify(event))]);
}

/** What a command prints. */
async function printed(home: string, ...args: string[]): Promise<string> {
  const env = { PATH: process.env.PATH ?? '', GRAPHS_HOME: home };
  return (await runCommand(args, { env, cwd: root })).stdout;
}

/** What a command says as JSON. */
const told = async (home: string, ...args: string[]) => JSON.parse(await printed(home, ...args, '--json'));

const prompts = (body: object) =>
  ('tasks' in body ? (body.tasks as { prompt: string }[]) : []).map(({ prompt }) => prompt).sort();

/** Puts a file into the journal that cannot be taken in: it is none of ours, and the quarantine is no folder. */
function jam(home: string): void {
  mkdirSync(join(home, 'journal/new'), { recursive: true });
  writeFileSync(join(home, 'journal/new/notes.txt'), 'x');
  writeFileSync(join(home, 'journal/quarantine'), 'in the way');
}

it('is in the next answer: of a daemon that starts, of one that runs, and without one', async () => {
  const home = homes.fresh();
  record(home, 'zero');
  const host = homes.client(home);
  const tasks = { walker: 'tasks', root, input: {} };
  expect(prompts((await host.spawn(tasks)).body)).toEqual(['zero']);
  const recorded = ['zero'];
  for (const prompt of ['one', 'three', 'two']) {
    record(home, prompt);
    recorded.push(prompt);
    expect(prompts((await host.spawn(tasks)).body)).toEqual([...recorded].sort());
  }
  await homes.pidOf(host);
  const other = homes.fresh();
  record(other, 'first');
  expect(prompts(await told(other, 'tasks', '--embedded'))).toEqual(['first']);
  record(other, 'second');
  expect(prompts(await told(other, 'tasks', '--embedded'))).toEqual(['first', 'second']);
});

it('is not waited for where it cannot be taken in, and doctor says so', async () => {
  const home = homes.fresh();
  jam(home);
  record(home, 'one');
  const host = homes.client(home);
  expect(prompts((await host.spawn({ walker: 'tasks', root, input: {} })).body)).toEqual(['one']);
  const journal = async () =>
    (await told(home, 'doctor')).checks.find(({ name }: { readonly name: string }) => name === 'journal');
  expect(await journal()).toMatchObject({ ok: false, found: expect.stringContaining('1 files') });
  rmSync(join(home, 'journal'), { recursive: true });
  expect(await journal()).toMatchObject({ ok: true });
  await homes.pidOf(host);
});

it('keeps no daemon that cannot take it in', async () => {
  const home = homes.fresh();
  jam(home);
  const daemon = spawn(process.execPath, [fileURLToPath(DAEMON), '--home', home, '--idle-ms', '300']);
  expect(await once(daemon, 'exit')).toEqual([0, null]);
});

it('is for the successor of a daemon that leaves: it does not say that it was taken in', async () => {
  const home = homes.fresh();
  const client = homes.client(home);
  await homes.pidOf(client);
  const link = await runningDaemon(home, OWN);
  const retired = link?.ask({ retire: true }).catch(() => null);
  await expect(link?.ask({ drain: true })).rejects.toThrow();
  await retired;
  record(home, 'one');
  await client.drain();
  expect((await told(home, 'status')).journal).toMatchObject({ pending: 0 });
  await homes.pidOf(client);
});

it('that is declined by rule is counted in the status, with its reason', async () => {
  const home = homes.fresh();
  const plain = homes.write('plain', {});
  recordEntry({ home, root: plain, client: null, cwd: plain }, [Buffer.from('{"kind":"step","payload":{}}')]);
  const host = homes.client(home);
  await host.drain();
  expect((await told(home, 'status')).journal).toEqual({
    pending: 0,
    quarantine: {},
    held: {},
    declined: { ineligible: 1 },
  });
  expect(await printed(home, 'status')).toContain(
    'journal  0 events wait, 1 not recorded by rule (ineligible 1)\n',
  );
  await homes.pidOf(host);
});

it('is waited for by walkers that there are, or will be', () => {
  const walkers = new Set(TOOLS.map(({ walker }) => walker));
  expect([...REPORTING].filter((name) => !walkers.has(name))).toEqual([]);
  expect(['tasks', 'query_callers', 'etg_log_event', 'mine'].map(reportsEvents)).toEqual([
    true,
    false,
    false,
    true,
  ]);
});
