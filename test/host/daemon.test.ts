import { spawn, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createConnection, createServer, type Server, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { type RemoteHost, stopDaemon } from '../../host/index.js';
import { DAEMON, Homes, isAlive, OWN, until } from './homes.js';

const homes = new Homes();
const { folder, root } = homes;
const index = { walker: 'graph_index_project', root, input: {} };
const stats = { walker: 'graph_stats', root, input: {} };
const HOUR = 3_600_000;

/** A home that is there, and that nobody has used yet. */
function emptyHome(): string {
  const home = homes.fresh();
  mkdirSync(home, { mode: 0o700 });
  return home;
}

describe('the daemon', () => {
  it('is one, however many clients start it, of which all see the same graph; stopping none is fine', async () => {
    const at = homes.fresh();
    const clients = [1, 2, 3, 4].map(() => homes.client(at));
    const pids = new Set(await Promise.all(clients.map((one) => homes.pidOf(one))));
    expect(pids.size).toBe(1);
    const phases = new Set<string>();
    await homes.client(at).spawn(index, { onProgress: ({ phase }) => phases.add(phase) });
    expect(phases.size).toBeGreaterThan(0);
    const answers = await Promise.all(clients.map((one) => one.spawn(stats)));
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    // It listens where only its user can enter.
    const { address } = homes.record(at);
    expect([at, dirname(address), address].map((path) => statSync(path).mode & 0o777)).toEqual([
      0o700, 0o700, 0o600,
    ]);
    const pid = await stopDaemon(at, OWN);
    expect(pids).toEqual(new Set([pid]));
    await until(() => !isAlive(pid ?? 0));
    expect(await stopDaemon(at, OWN)).toBeNull();
  });

  it('is started again by whoever needs it after it was killed, and leaves when its home vanishes', async () => {
    const at = homes.fresh();
    const one = homes.client(at);
    await one.spawn(index);
    const killed = await homes.pidOf(one);
    process.kill(killed, 'SIGKILL');
    expect((await one.spawn(stats)).body.state).toMatchObject({ root });
    const pid = await homes.pidOf(one);
    expect(pid).not.toBe(killed);
    rmSync(at, { recursive: true, force: true });
    await until(() => !isAlive(pid));
  });

  it('leaves when nobody has asked for anything for a time, and takes in what was recorded before', async () => {
    const at = homes.fresh();
    mkdirSync(join(at, 'journal', 'new'), { recursive: true });
    const recorded = homes.write('recorded', { 'package.json': '{}' });
    const event = { kind: 'task_start', payload: { user_prompt: 'Fix the tax' } };
    const name = '1790000000.000000001.7.0123456789abcdef';
    const label = `\0codewalk event 1\nroot ${recorded}\0`;
    writeFileSync(join(at, 'journal', 'new', name), `${JSON.stringify(event)}${label}`);
    const daemon = spawn(process.execPath, [fileURLToPath(DAEMON), '--home', at, '--idle-ms', '300']);
    expect(await new Promise((done) => daemon.on('exit', done))).toBe(0);
    expect(readdirSync(join(at, 'journal', 'new'))).toEqual([]);
    const { body } = await homes.client(at).spawn({ walker: 'tasks', root: recorded, input: {} });
    expect(JSON.stringify(body.tasks)).toContain('Fix the tax');
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

  it('that is leaving is followed by the next one for whoever comes', async () => {
    const home = homes.fresh();
    const pid = await homes.pidOf(homes.client(home));
    const stopped = stopDaemon(home, OWN);
    const asked = [1, 2, 3].map(() => homes.client(home).spawn(index));
    for (const { body } of await Promise.all(asked)) expect(body.state).toMatchObject({ root });
    expect(await stopped).toBe(pid);
  });

  it('that dies while it starts is reported with the last line that it wrote', async () => {
    const home = emptyHome();
    // Its lock is no folder of a store.
    writeFileSync(join(home, 'daemon'), 'in the way');
    await expect(homes.client(home).spawn(stats)).rejects.toMatchObject({
      code: 'DAEMON_FAILED',
      message: expect.stringContaining(home),
    });
  });

  it.each([
    ['was killed', () => String(spawnSync(process.execPath, ['--version']).pid), 0],
    // A start of long ago is not one that has just begun because the clock jumped back.
    ['announced it before the clock jumped back', () => '', HOUR],
  ])('is started where a client that %s left its announcement', async (_what, content, ahead) => {
    const announcement = join(emptyHome(), 'daemon.starting');
    writeFileSync(announcement, content());
    const made = (Date.now() + ahead) / 1000;
    utimesSync(announcement, made, made);
    expect(await homes.pidOf(homes.client(dirname(announcement)))).toBeGreaterThan(0);
  });
});

describe('where a daemon of ours is expected', () => {
  const servers: Server[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) server.close();
  });

  /** Listens on a path as somebody who is not our daemon. */
  async function stranger(address: string, meet: (socket: Socket) => void): Promise<void> {
    const server = createServer((socket) => meet(socket.on('error', () => undefined)));
    servers.push(server);
    rmSync(address, { force: true });
    await new Promise<void>((done) => server.listen(address, done));
  }

  /** A home whose daemon is one that says this of itself, and does this with what it hears. */
  async function homeOf(hello: object, hear: (line: string, socket: Socket) => void): Promise<string> {
    const home = emptyHome();
    const address = join(folder, `${home.slice(-1)}.sock`);
    await stranger(address, (socket) =>
      socket.once('data', () => {
        socket.write(`${JSON.stringify({ hello })}\n`);
        socket.on('data', (chunk) => hear(String(chunk), socket));
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

  it('a newer one that speaks another protocol is left in peace, and the client says so', async () => {
    const home = await homeOf({ protocol: OWN.protocol + 1, version: '99.0.0', built: Date.now() }, () => {
      throw new Error('it was asked for something');
    });
    await expect(homes.client(home).spawn(stats)).rejects.toMatchObject({
      code: 'DAEMON_NEWER',
      message: expect.stringContaining('99.0.0'),
      suggestion: expect.stringContaining('codewalk stop'),
    });
  });

  it('an older one that speaks another protocol is asked to make way', async () => {
    const heard: string[] = [];
    const home = await homeOf({ protocol: OWN.protocol - 1, version: '0.0.1', built: 1 }, (line, socket) => {
      heard.push(line);
      servers.at(-1)?.close();
      socket.end();
    });
    expect(await homes.pidOf(homes.client(home))).not.toBe(process.pid);
    expect(heard.join('')).toMatch(/"retire":true/);
  });

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

  it('a stranger who talks of something else, or a folder, is left alone', async () => {
    const home = homes.fresh();
    const address = await pathOf(home);
    await stranger(address, (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n{"hello": "world"}\n'));
    await homes.pidOf(homes.client(home));
    expect(homes.record(home).address).not.toBe(address);
    const other = homes.fresh();
    const place = await pathOf(other);
    rmSync(place);
    mkdirSync(place);
    await homes.pidOf(homes.client(other));
    expect(homes.record(other).address).not.toBe(place);
    rmdirSync(place);
  });
});

describe('a daemon that dies after it did what it was asked, and before anybody heard of it', () => {
  let daemons = 0;

  /** Runs a walker on a real daemon that is killed when its answer is on its way: the client asks the next one. */
  async function withLostAnswer(home: string, walker: string, input: Record<string, unknown>) {
    const first = homes.client(home);
    const pid = await homes.pidOf(first);
    await first.close();
    await until(() => homes.record(home).pid === pid);
    const { address } = homes.record(home);
    // In the daemon's own place: a client whom it keeps waiting on a busy machine finds no way past it.
    const behind = join(folder, `daemon-${++daemons}.sock`);
    renameSync(address, behind);
    let lost = 0;
    const sockets: Socket[] = [];
    const proxy = createServer((client) => {
      const daemon = createConnection(behind);
      sockets.push(client, daemon);
      for (const socket of [client, daemon]) socket.on('error', () => undefined);
      client.pipe(daemon);
      daemon.on('data', (chunk) => {
        if (!String(chunk).includes('"memory_id"')) return void client.write(chunk);
        lost += 1;
        process.kill(pid, 'SIGKILL');
        for (const socket of sockets) socket.destroy();
        proxy.close();
      });
    });
    onTestFinished(() => void proxy.close());
    await new Promise<void>((done) => proxy.listen(address, done));
    const { body } = await homes.client(home).spawn({ walker, root, input });
    expect(lost).toBe(1);
    await until(() => !isAlive(pid));
    return body;
  }

  it('has remembered, and noted an outcome, once', async () => {
    const home = emptyHome();
    const memory = { type: 'fix', title: 'Count once', content: '…', anyway: true };
    const { memory_id, created } = await withLostAnswer(home, 'memory_store', memory);
    expect(created).toBe(true);
    const outcome = { memory_id, success: true, evidence: 'seen' };
    const noted = await withLostAnswer(home, 'memory_outcome', outcome);
    expect(noted).toMatchObject({ evidence_count: 1, validation_count: 1 });
    const { body } = await homes.client(home).spawn({ walker: 'memory_search', root, input: {} });
    expect(body.results).toMatchObject([{ id: memory_id, title: 'Count once' }]);
    expect(await withLostAnswer(home, 'memory_delete', { memory_id })).toMatchObject({ deleted: true });
    const again = { walker: 'memory_store', root, input: memory };
    expect((await homes.client(home).spawn(again)).body.memory_id).not.toBe(memory_id);
  });
});

describe('a clock that jumps back', () => {
  const offset = join(folder, 'offset');
  const { CODEWALK_NODE_OPTIONS: options = '' } = process.env;
  afterEach(() => {
    process.env.CODEWALK_NODE_OPTIONS = options;
  });

  /** Says what time it is to a daemon that is started from now on, and to its threads. */
  function setClock(byMs: number): void {
    writeFileSync(offset, String(byMs));
    const preload = homes.write('clock', {
      'clock.mjs': `import { readFileSync } from 'node:fs';
const now = Date.now;
Date.now = () => now() + Number(readFileSync(${JSON.stringify(offset)}, 'utf8'));
`,
    });
    process.env.CODEWALK_NODE_OPTIONS = `--import=${pathToFileURL(join(preload, 'clock.mjs'))}`;
  }

  async function logged(host: RemoteHost, kind: string, payload: object): Promise<void> {
    await host.spawn({ walker: 'etg_log_event', root, input: { kind, payload, session_id: 'one' } });
  }

  it('turns no order around: what was said later stays later', async () => {
    setClock(0);
    const host = homes.client(homes.fresh());
    await logged(host, 'task_start', { user_prompt: 'before' });
    await logged(host, 'step', { order: 1, llm_summary: 'first' });
    setClock(-HOUR);
    await logged(host, 'step', { order: 2, llm_summary: 'second' });
    await logged(host, 'tool_start', { tool_name: 'edit' });
    await logged(host, 'tool_end', { tool_name: 'edit', success: true });
    await logged(host, 'task_end', { status: 'success' });
    await homes.pidOf(host);
    const asked = { walker: 'graph_export', root, input: { layer: 'durable' }, spool: true };
    const { spool } = await host.spawn(asked);
    const lines: Record<string, string>[] = readFileSync(spool?.file ?? '', 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const steps = lines.filter(({ kind }) => kind === 'Step');
    expect(lines.filter(({ kind }) => kind === 'Task')).toMatchObject([{ status: 'success' }]);
    expect(steps.map(({ llm_summary }) => llm_summary).sort()).toEqual(['first', 'second']);
    const second = steps.find(({ llm_summary }) => llm_summary === 'second');
    const uses = lines.filter(({ kind }) => kind === 'INVOKES_TOOL').map(({ from }) => from);
    expect(uses).toEqual([second?.id]);
    for (const { started_at = '', ended_at = '' } of steps)
      expect(Date.parse(ended_at)).toBeGreaterThanOrEqual(Date.parse(started_at));
  });
});
