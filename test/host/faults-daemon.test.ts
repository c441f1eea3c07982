import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { stopDaemon } from '../../host/index.js';
import { Homes, isAlive, OWN, until } from './homes.js';

/* Whoever else may be where a daemon of ours is expected. */

const homes = new Homes();
const stats = { walker: 'graph_stats', root: homes.root, input: {} };
const index = { walker: 'graph_index_project', root: homes.root, input: {} };
const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** Listens on a path as somebody who is not our daemon. */
async function stranger(address: string, meet: (socket: Socket) => void): Promise<Server> {
  const server = createServer((socket) => meet(socket.on('error', () => undefined)));
  servers.push(server);
  rmSync(address, { force: true });
  await new Promise<void>((done) => server.listen(address, done));
  return server;
}

/** A home whose daemon is one that says this of itself, and does this with what it is told. */
async function homeOf(hello: object, hear: (line: string, socket: Socket) => void): Promise<string> {
  const home = homes.fresh();
  mkdirSync(home, { mode: 0o700 });
  const address = join(homes.folder, `${home.slice(-1)}.sock`);
  await stranger(address, (socket) =>
    socket.once('data', () => {
      socket.write(`${JSON.stringify({ hello })}\n`);
      socket.on('data', (chunk) => {
        hear(String(chunk), socket);
      });
    }),
  );
  const record = { ...hello, pid: process.pid, address, started: new Date().toISOString() };
  writeFileSync(join(home, 'daemon.json'), JSON.stringify(record));
  return home;
}

/** The path at which a home's daemon would listen. */
async function pathOf(home: string): Promise<string> {
  const client = homes.client(home);
  const pid = await homes.pidOf(client);
  const { address } = homes.record(home);
  process.kill(pid, 'SIGKILL');
  await until(() => !isAlive(pid));
  await client.close();
  expect(existsSync(address)).toBe(true);
  return address;
}

describe('a daemon of another version', () => {
  it('that is newer and speaks another protocol is left in peace, and the client says so', async () => {
    const home = await homeOf({ protocol: OWN.protocol + 1, version: '99.0.0', built: Date.now() }, () => {
      throw new Error('it was asked for something');
    });
    await expect(homes.client(home).spawn(stats)).rejects.toMatchObject({
      code: 'DAEMON_NEWER',
      message: expect.stringContaining('99.0.0'),
      suggestion: expect.stringContaining('codewalk stop'),
    });
  });

  it('that is older and speaks another protocol is told to make way', async () => {
    const heard: string[] = [];
    const home = await homeOf({ protocol: OWN.protocol - 1, version: '0.0.1', built: 1 }, (line, socket) => {
      heard.push(line);
      servers.at(-1)?.close();
      socket.end();
    });
    expect(await homes.pidOf(homes.client(home))).not.toBe(process.pid);
    expect(heard.join('')).toMatch(/"retire":true/);
  });
});

describe("on the path of the daemon's socket", () => {
  it('a stranger who says nothing is left alone, and costs a moment once', async () => {
    const home = homes.fresh();
    const met: Socket[] = [];
    await stranger(await pathOf(home), (socket) => met.push(socket));
    const pid = await homes.pidOf(homes.client(home));
    expect(met.length).toBeGreaterThan(0);
    const before = met.length;
    expect(await homes.pidOf(homes.client(home))).toBe(pid);
    expect(met.length).toBe(before);
    for (const socket of met) socket.destroy();
  });

  it('a stranger who talks of something else is left alone', async () => {
    const home = homes.fresh();
    const address = await pathOf(home);
    await stranger(address, (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n{"hello": "world"}\n'));
    await homes.pidOf(homes.client(home));
    expect(homes.record(home).address).not.toBe(address);
  });

  it('a folder is left alone', async () => {
    const home = homes.fresh();
    const address = await pathOf(home);
    rmSync(address);
    mkdirSync(address);
    await homes.pidOf(homes.client(home));
    expect(homes.record(home).address).not.toBe(address);
    rmdirSync(address);
  });
});

describe('a daemon that dies while it starts', () => {
  it('is told of with the last line that it wrote', async () => {
    const home = homes.fresh();
    mkdirSync(home, { mode: 0o700 });
    // Its lock is no folder of a store.
    writeFileSync(join(home, 'daemon'), 'in the way');
    await expect(homes.client(home).spawn(stats)).rejects.toMatchObject({
      code: 'DAEMON_FAILED',
      message: expect.stringContaining(home),
    });
  });
});

describe('a client that is killed', () => {
  it('while it starts a daemon leaves the next one nothing to trip over', async () => {
    const home = homes.fresh();
    mkdirSync(home, { mode: 0o700 });
    const { pid } = spawnSync(process.execPath, ['--version']);
    writeFileSync(join(home, 'daemon.starting'), String(pid));
    const { body } = await homes.client(home).spawn(index);
    expect(body.state).toMatchObject({ root: homes.root });
    homes.record(home);
  });
});

it('a client that comes while a daemon is leaving gets the next one', async () => {
  const home = homes.fresh();
  const pid = await homes.pidOf(homes.client(home));
  const stopped = stopDaemon(home, OWN);
  const asked = [1, 2, 3].map(() => homes.client(home).spawn(index));
  for (const { body } of await Promise.all(asked)) expect(body.state).toMatchObject({ root: homes.root });
  expect(await stopped).toBe(pid);
});
