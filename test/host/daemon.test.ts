import { spawn } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { ownHello, RemoteHost, stopDaemon } from '../../host/index.js';

const SCRIPT = new URL('../../dist/daemon.js', import.meta.url);

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'codewalk-daemon-')));
const root = join(folder, 'shop');
mkdirSync(root);
writeFileSync(join(root, 'a.ts'), 'export function tax(price: number) { return price * 0.2; }\n');
const homes: string[] = [];
const hosts: RemoteHost[] = [];
afterEach(async () => {
  await Promise.all(hosts.splice(0).map((host) => host.close()));
  for (const home of homes.splice(0)) await stopDaemon(home, ownHello(SCRIPT));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let made = 0;
function home(): string {
  const path = join(folder, `home-${++made}`);
  homes.push(path);
  return path;
}

function client(at: string): RemoteHost {
  const one = new RemoteHost({ home: at, script: SCRIPT });
  hosts.push(one);
  return one;
}

async function pidOf(host: RemoteHost): Promise<number> {
  return ((await host.status()) as { pid: number }).pid;
}

const index = { walker: 'graph_index_project', root, input: {} };
const stats = { walker: 'graph_stats', root, input: {} };

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function until(what: () => boolean): Promise<void> {
  for (let looks = 0; !what() && looks < 2400; looks++) await new Promise((done) => setTimeout(done, 25));
  expect(what()).toBe(true);
}

describe('the daemon', () => {
  it('is one, however many clients start it at once, and all see the same graph', async () => {
    const at = home();
    const clients = [1, 2, 3, 4].map(() => client(at));
    const pids = await Promise.all(clients.map(pidOf));
    expect(new Set(pids).size).toBe(1);
    const phases = new Set<string>();
    await client(at).spawn(index, { onProgress: ({ phase }) => phases.add(phase) });
    expect(phases.size).toBeGreaterThan(0);
    const answers = await Promise.all(clients.map((one) => one.spawn(stats)));
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  });

  it('listens where only its user can enter', async () => {
    const at = home();
    await client(at).status();
    const { address } = JSON.parse(readFileSync(join(at, 'daemon.json'), 'utf8'));
    expect(statSync(dirname(address)).mode & 0o777).toBe(0o700);
    expect(statSync(address).mode & 0o777).toBe(0o600);
    expect(statSync(at).mode & 0o777).toBe(0o700);
  });

  it('is started again by whoever needs it after it was killed', async () => {
    const at = home();
    const one = client(at);
    await one.spawn(index);
    const killed = await pidOf(one);
    process.kill(killed, 'SIGKILL');
    expect((await one.spawn(stats)).body.state).toMatchObject({ root });
    expect(await pidOf(one)).not.toBe(killed);
  });

  it('stops when it is told to, and stopping none is fine', async () => {
    const at = home();
    const pid = await pidOf(client(at));
    expect(await stopDaemon(at, ownHello(SCRIPT))).toBe(pid);
    await until(() => !isAlive(pid));
    expect(await stopDaemon(at, ownHello(SCRIPT))).toBeNull();
  });

  it('leaves when nobody has asked for anything for a time, and takes in what was recorded before', async () => {
    const at = home();
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
    const daemon = spawn(process.execPath, [fileURLToPath(SCRIPT), '--home', at, '--idle-ms', '300']);
    expect(await new Promise((done) => daemon.on('exit', done))).toBe(0);
    expect(readdirSync(join(at, 'journal', 'new'))).toEqual([]);
    const { body } = await client(at).spawn({ walker: 'tasks', root: recorded, input: {} });
    expect(JSON.stringify(body.tasks)).toContain('Fix the tax');
  });

  it('leaves when its home vanishes', async () => {
    const at = home();
    const pid = await pidOf(client(at));
    rmSync(at, { recursive: true, force: true });
    await until(() => !isAlive(pid));
  });

  it('makes way for a newer one', async () => {
    const at = home();
    const older = await pidOf(client(at));
    const newer = join(folder, 'newer');
    cpSync(new URL('.', SCRIPT), join(newer, 'dist'), { recursive: true });
    cpSync(new URL('../package.json', SCRIPT), join(newer, 'package.json'));
    symlinkSync(fileURLToPath(new URL('../node_modules', SCRIPT)), join(newer, 'node_modules'));
    const host = new RemoteHost({ home: at, script: pathToFileURL(join(newer, 'dist', 'daemon.js')) });
    hosts.push(host);
    const successor = await pidOf(host);
    expect(successor).not.toBe(older);
    await until(() => !isAlive(older));
    // An older client is served by the newer daemon: they speak the same protocol.
    expect(await pidOf(client(at))).toBe(successor);
  });
});
