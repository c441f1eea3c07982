import { existsSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import type { RemoteHost } from '../../host/index.js';
import { Homes, OWN, until, walkerFile as walker } from './homes.js';

/* Clients that vanish, or send what is no request. */

const homes = new Homes('file');
const home = homes.fresh();
const stats = { walker: 'graph_stats', root: homes.root, input: {} };
const mine = homes.write('mine', {
  'rest.mjs': walker('rest', 'await new Promise((done) => setTimeout(done, 1500)); return { rested: true };'),
  'wait.mjs': walker('wait', 'await new Promise((done) => setTimeout(done, 60_000));'),
});
const asked = (name: string) => ({ walker: name, root: homes.root, input: {}, userWalkers: [mine] });

/** The daemon of all tests, with an indexed project, and a client of it. */
async function daemon(): Promise<{
  readonly host: RemoteHost;
  readonly pid: number;
  readonly address: string;
}> {
  const host = homes.client(home);
  if (!existsSync(home)) await host.spawn({ ...stats, walker: 'graph_index_project' });
  const pid = await homes.pidOf(host);
  return { host, pid, address: homes.record(home).address };
}

/** A connection that says what it likes. */
function raw(address: string): Promise<{ readonly socket: Socket; readonly lines: string[] }> {
  const lines: string[] = [];
  const socket = connect(address);
  socket.on('error', () => undefined);
  socket.on('data', (chunk) => {
    lines.push(...String(chunk).split('\n').filter(Boolean));
  });
  return new Promise((done) => socket.once('connect', () => done({ socket, lines })));
}

async function pendingOf(host: RemoteHost): Promise<number> {
  return ((await host.status()) as { pending: number }).pending;
}

it('a client that vanishes in the middle of a request takes its run with it, and nobody else notices', async () => {
  const { host, pid, address } = await daemon();
  const { socket, lines } = await raw(address);
  socket.write(`${JSON.stringify({ hello: OWN })}\n${JSON.stringify({ id: 1, spawn: asked('wait') })}\n`);
  await until(() => lines.length > 0);
  await until(async () => (await pendingOf(host)) > 0);
  socket.destroy();
  await until(async () => (await pendingOf(host)) === 0);
  expect((await host.spawn(stats)).body.state).toMatchObject({ root: homes.root });
  expect(await homes.pidOf(host)).toBe(pid);
});

it('a client that vanishes in the middle of a line leaves nothing behind', async () => {
  const { host, pid, address } = await daemon();
  const { socket, lines } = await raw(address);
  socket.write(`${JSON.stringify({ hello: OWN })}\n{"id": 1, "spawn": {"walker": "graph_st`);
  await until(() => lines.length > 0);
  socket.destroy();
  expect((await host.spawn(stats)).body.state).toMatchObject({ root: homes.root });
  expect(await homes.pidOf(host)).toBe(pid);
});

it('a line that is no request is refused, by its id where it has one, and the next one is heard', async () => {
  const { address } = await daemon();
  const { socket, lines } = await raw(address);
  const sent = [
    '{"id": 1, "spawn": {}}',
    '{"id": 2, "colour": "red"}',
    'not JSON',
    '[]',
    `{"id": 3, "spawn": ${JSON.stringify(stats)}}`,
  ];
  socket.write(`${JSON.stringify({ hello: OWN })}\n${sent.join('\n')}\n`);
  await until(() => lines.length === 6);
  const answers = lines.slice(1).map((line) => JSON.parse(line));
  expect(answers.map(({ id, error }) => [id, error?.error_code]).sort()).toEqual(
    [
      [0, 'INVALID_INPUT'],
      [0, 'INVALID_INPUT'],
      [1, 'INVALID_INPUT'],
      [2, 'INVALID_INPUT'],
      [3, undefined],
    ].sort(),
  );
  socket.destroy();
});

it('a client that asks for more than its share is told to wait, and others are not', async () => {
  const { host, address } = await daemon();
  const { socket, lines } = await raw(address);
  const many = Array.from({ length: 80 }, (_, at) => JSON.stringify({ id: at + 1, spawn: asked('wait') }));
  socket.write(`${JSON.stringify({ hello: OWN })}\n${many.join('\n')}\n`);
  await until(() => lines.length > 1);
  const refused = lines.slice(1).map((line) => JSON.parse(line));
  expect(new Set(refused.map(({ error }) => error.error_code))).toEqual(new Set(['BUSY']));
  expect(refused[0].error.retry_after).toBeGreaterThan(0);
  expect((await host.spawn(stats)).body.state).toMatchObject({ root: homes.root });
  socket.destroy();
  await until(async () => (await pendingOf(host)) === 0);
});

it('a daemon that makes way answers what it has begun, and its successor what comes meanwhile', async () => {
  const { host, pid, address } = await daemon();
  const begun = host.spawn(asked('rest'));
  await until(async () => (await pendingOf(host)) > 0);
  const { socket, lines } = await raw(address);
  socket.write(`${JSON.stringify({ hello: OWN })}\n{"id": 1, "retire": true}\n`);
  await until(() => lines.length > 0);
  const meanwhile = [host.spawn(stats), host.spawn(stats)];
  expect((await begun).body).toMatchObject({ rested: true });
  for (const { body } of await Promise.all(meanwhile)) expect(body.state).toMatchObject({ root: homes.root });
  expect(await homes.pidOf(host)).not.toBe(pid);
  socket.destroy();
});
