import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, lchownSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { connect, createServer } from 'node:net';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { checkOwnSocket, daemonAddress } from '../../host/daemon/wire.js';
import { examine, graphsFolderOf } from '../../host/index.js';
import { CLI } from '../cli/scratch.js';
import { Homes, OWN } from './homes.js';

/* Machines that are not as machines usually are. */

const homes = new Homes();
const env = { ...process.env };
afterEach(() => {
  for (const name of ['HOME', 'GRAPHS_HOME', 'NODE_OPTIONS']) {
    const { [name]: value } = env;
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
});

function folder(name: string, mode = 0o700): string {
  const path = join(homes.folder, name);
  mkdirSync(path, { mode });
  chmodSync(path, mode);
  return path;
}

/** A shell line, in an environment without a graphs home. `$CLI` is the command. */
function shell(line: string, cwd: string, more: NodeJS.ProcessEnv = {}) {
  const { GRAPHS_HOME: _, ...rest } = env;
  const command = `'${process.execPath}' '${CLI}'`;
  const { status, stdout, stderr } = spawnSync('sh', ['-c', line.replaceAll('$CLI', command)], {
    cwd,
    env: { ...rest, ...more },
    encoding: 'utf8',
  });
  return { status, said: stdout + stderr };
}

it('without an absolute HOME there is no home, and never one in the working directory', () => {
  delete process.env.GRAPHS_HOME;
  for (const home of ['', '.', 'relative']) {
    process.env.HOME = home;
    expect(() => graphsFolderOf({}), String(home)).toThrow(expect.objectContaining({ code: 'NO_HOME' }));
    expect(graphsFolderOf({ home: '/graphs' })).toBe('/graphs');
  }
  delete process.env.HOME;
  expect(graphsFolderOf({})).toBe(join(userInfo().homedir, '.graphs'));
  const cwd = folder('cwd');
  const recorder = join(CLI, '..', 'record.sh');
  for (const HOME of ['', 'relative'])
    expect(shell(`echo '{}' | sh '${recorder}'`, cwd, { HOME })).toMatchObject({
      status: 1,
      said: expect.stringContaining('HOME names no absolute folder'),
    });
  expect(shell('$CLI install claude', cwd, { HOME: '' }).said).toMatch(/^error NO_HOME/);
  expect(readdirSync(cwd)).toEqual([]);
});

it('a folder that was removed under a command is told, with a code', () => {
  const cwd = folder('removed');
  expect(shell('rmdir "$PWD"; $CLI stats', cwd)).toMatchObject({
    status: 1,
    said: expect.stringMatching(/^error INVALID_ROOT: the working directory/),
  });
});

it('a umask that lets everybody in does not open the stores of an embedded run', () => {
  const home = homes.fresh();
  const log = `log task_start --payload '{"user_prompt":"x"}'`;
  const { status } = shell(`umask 000; $CLI --home '${home}' --embedded ${log}`, homes.root);
  expect(status).toBe(0);
  const all = readdirSync(home, { recursive: true, encoding: 'utf8' });
  expect(all.length).toBeGreaterThan(10);
  expect(all.filter((path) => (statSync(join(home, path)).mode & 0o077) !== 0)).toEqual([]);
});

describe.skipIf(process.platform === 'win32')('the place of the socket', () => {
  const uid = process.getuid?.() ?? 0;

  it("is known to a user whom the system's list does not have", () => {
    const os = createRequire(import.meta.url)('node:os');
    const { userInfo: known } = os;
    os.userInfo = () => {
      throw new Error('ENOENT: no such file or directory, uv_os_get_passwd');
    };
    syncBuiltinESMExports();
    try {
      expect(daemonAddress(homes.fresh())).toContain(`codewalk-${uid}`);
    } finally {
      os.userInfo = known;
      syncBuiltinESMExports();
    }
  });

  it('is in the home where others hold, or may enter, its usual places', () => {
    const [open, link, file] = ['open', 'link', 'file'].map((name) => folder(name)) as [
      string,
      string,
      string,
    ];
    mkdirSync(join(open, `codewalk-${uid}`), { mode: 0o755 });
    writeFileSync(join(file, `codewalk-${uid}`), '');
    if (uid === 0) {
      mkdirSync(join(link, 'codewalk-0'), { mode: 0o700 });
      lchownSync(join(link, 'codewalk-0'), 12345, 12345);
    }
    const home = folder('h');
    expect(daemonAddress(home, 0, [open, file, ...(uid === 0 ? [link] : [])])).toContain(
      join(home, 'socket'),
    );
    const deep = join(homes.folder, 'x'.repeat(100));
    expect(() => daemonAddress(deep, 0, [open])).toThrow(expect.objectContaining({ code: 'DAEMON_FAILED' }));
  });

  it('is refused where the socket, or its folder, is not of the user alone', async () => {
    const theirs = folder('theirs', 0o777);
    const server = createServer();
    await new Promise<void>((done) => server.listen(join(theirs, 's'), done));
    const refused = expect.objectContaining({ code: 'DAEMON_FAILED' });
    expect(() => checkOwnSocket(join(theirs, 's'))).toThrow(refused);
    chmodSync(theirs, 0o700);
    expect(() => checkOwnSocket(join(theirs, 's'))).not.toThrow();
    expect(() => checkOwnSocket(join(theirs, 'absent'))).not.toThrow();
    if (uid === 0) {
      lchownSync(join(theirs, 's'), 12345, 12345);
      expect(() => checkOwnSocket(join(theirs, 's'))).toThrow(/is of the user 12345/);
    }
    server.close();
  });
});

it("a daemon has no debugger's options, outlives a line nested too deep, and doctor tells of an open home", async () => {
  const told = join(homes.folder, 'preloaded');
  const preload = join(homes.folder, 'preload.cjs');
  writeFileSync(
    preload,
    `require('node:fs').appendFileSync(${JSON.stringify(told)}, process.argv[1] + '\\n');`,
  );
  process.env.NODE_OPTIONS = `--require=${preload} --inspect=127.0.0.1:0`;
  const home = homes.fresh();
  const client = homes.client(home);
  const pid = await homes.pidOf(client);
  expect(existsSync(told)).toBe(false);

  const answer = await new Promise<string>((done) => {
    const socket = connect(homes.record(home).address);
    let heard = '';
    socket.on('data', (chunk) => {
      heard += chunk;
      const [, second] = heard.split('\n');
      if (heard.split('\n').length > 2) done(second ?? '');
    });
    const deep = '['.repeat(100_000) + ']'.repeat(100_000);
    socket.write(`${JSON.stringify({ hello: OWN })}\n${deep}\n`);
  });
  expect(JSON.parse(answer)).toMatchObject({ id: 0, error: { error_code: 'INVALID_INPUT' } });
  expect(await homes.pidOf(client)).toBe(pid);

  chmodSync(home, 0o777);
  const checks = await examine(home, homes.root);
  expect(checks.find(({ name }) => name === 'home')).toMatchObject({
    ok: false,
    found: expect.stringContaining('others can write'),
  });
});

it('the first Ctrl-C ends a client whose daemon does not answer, with 130', async () => {
  const home = homes.fresh();
  mkdirSync(home, { mode: 0o700 });
  const address = join(homes.folder, 'mute.sock');
  let asked: () => void = () => undefined;
  const isAsked = new Promise<void>((done) => {
    asked = done;
  });
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.write(`${JSON.stringify({ hello: { ...OWN, pid: process.pid } })}\n`);
    socket.on('data', (chunk) => String(chunk).includes('"spawn"') && asked());
  });
  await new Promise<void>((done) => server.listen(address, done));
  const record = { ...OWN, pid: process.pid, address, started: '' };
  writeFileSync(join(home, 'daemon.json'), JSON.stringify(record));
  const child = spawn(process.execPath, [CLI, '--home', home, 'stats'], { cwd: homes.root });
  const ended = new Promise((done) => child.on('close', (code, signal) => done(code ?? signal)));
  await isAsked;
  child.kill('SIGINT');
  expect(await ended).toBe(130);
  server.close();
  // It is no daemon that could be stopped.
  writeFileSync(join(home, 'daemon.json'), '{}');
});
