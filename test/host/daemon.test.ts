import { spawn } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { stopDaemon } from '../../host/index.js';
import { DAEMON, Homes, isAlive, OWN, until } from './homes.js';

const homes = new Homes();
const { folder, root } = homes;
const index = { walker: 'graph_index_project', root, input: {} };
const stats = { walker: 'graph_stats', root, input: {} };

describe('the daemon', () => {
  it('is one, however many clients start it at once, and all see the same graph', async () => {
    const at = homes.fresh();
    const clients = [1, 2, 3, 4].map(() => homes.client(at));
    const pids = await Promise.all(clients.map((one) => homes.pidOf(one)));
    expect(new Set(pids).size).toBe(1);
    const phases = new Set<string>();
    await homes.client(at).spawn(index, { onProgress: ({ phase }) => phases.add(phase) });
    expect(phases.size).toBeGreaterThan(0);
    const answers = await Promise.all(clients.map((one) => one.spawn(stats)));
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  });

  it('listens where only its user can enter', async () => {
    const at = homes.fresh();
    await homes.client(at).status();
    const { address } = JSON.parse(readFileSync(join(at, 'daemon.json'), 'utf8'));
    expect(statSync(dirname(address)).mode & 0o777).toBe(0o700);
    expect(statSync(address).mode & 0o777).toBe(0o600);
    expect(statSync(at).mode & 0o777).toBe(0o700);
  });

  it('is started again by whoever needs it after it was killed', async () => {
    const at = homes.fresh();
    const one = homes.client(at);
    await one.spawn(index);
    const killed = await homes.pidOf(one);
    process.kill(killed, 'SIGKILL');
    expect((await one.spawn(stats)).body.state).toMatchObject({ root });
    expect(await homes.pidOf(one)).not.toBe(killed);
  });

  it('stops when it is told to, and stopping none is fine', async () => {
    const at = homes.fresh();
    const pid = await homes.pidOf(homes.client(at));
    expect(await stopDaemon(at, OWN)).toBe(pid);
    await until(() => !isAlive(pid));
    expect(await stopDaemon(at, OWN)).toBeNull();
  });

  it('leaves when nobody has asked for anything for a time, and takes in what was recorded before', async () => {
    const at = homes.fresh();
    mkdirSync(join(at, 'journal', 'new'), { recursive: true });
    const recorded = join(folder, 'recorded');
    mkdirSync(recorded);
    writeFileSync(join(recorded, 'package.json'), '{}');
    const event = { kind: 'task_start', payload: { user_prompt: 'Fix the tax' } };
    const name = '1790000000.000000001.7.0123456789abcdef';
    writeFileSync(
      join(at, 'journal', 'new', name),
      `${JSON.stringify(event)}\0codewalk event 1\nroot ${recorded}\0`,
    );
    const daemon = spawn(process.execPath, [fileURLToPath(DAEMON), '--home', at, '--idle-ms', '300']);
    expect(await new Promise((done) => daemon.on('exit', done))).toBe(0);
    expect(readdirSync(join(at, 'journal', 'new'))).toEqual([]);
    const { body } = await homes.client(at).spawn({ walker: 'tasks', root: recorded, input: {} });
    expect(JSON.stringify(body.tasks)).toContain('Fix the tax');
  });

  it('leaves when its home vanishes', async () => {
    const at = homes.fresh();
    const pid = await homes.pidOf(homes.client(at));
    rmSync(at, { recursive: true, force: true });
    await until(() => !isAlive(pid));
  });

  it('makes way for a newer one', async () => {
    const at = homes.fresh();
    const older = await homes.pidOf(homes.client(at));
    const newer = join(folder, 'newer');
    cpSync(new URL('.', DAEMON), join(newer, 'dist'), { recursive: true });
    cpSync(new URL('../package.json', DAEMON), join(newer, 'package.json'));
    symlinkSync(fileURLToPath(new URL('../node_modules', DAEMON)), join(newer, 'node_modules'));
    const host = homes.client(at, pathToFileURL(join(newer, 'dist', 'daemon.js')));
    const successor = await homes.pidOf(host);
    expect(successor).not.toBe(older);
    await until(() => !isAlive(older));
    // An older client is served by the newer daemon: they speak the same protocol.
    expect(await homes.pidOf(homes.client(at))).toBe(successor);
  });
});
