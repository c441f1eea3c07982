import { mkdirSync, renameSync } from 'node:fs';
import { createConnection, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { Homes, isAlive, until } from './homes.js';

/* A daemon that dies after it did what it was asked, and before anybody heard of it. */

const homes = new Homes();
let daemons = 0;

/** Runs a walker on a real daemon that is killed when its answer is on its way: the client asks the next one. */
async function withLostAnswer(home: string, walker: string, input: Record<string, unknown>) {
  const first = homes.client(home);
  const pid = await homes.pidOf(first);
  await first.close();
  await until(() => homes.record(home).pid === pid);
  const { address } = homes.record(home);
  // In the daemon's own place: a client whom it keeps waiting on a busy machine finds no way past it.
  const behind = join(homes.folder, `daemon-${++daemons}.sock`);
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
  const { body } = await homes.client(home).spawn({ walker, root: homes.root, input });
  expect(lost).toBe(1);
  await until(() => !isAlive(pid));
  return body;
}

it('what was remembered, and told of it, counts once when the answer was lost with the daemon', async () => {
  const home = homes.fresh();
  mkdirSync(home, { mode: 0o700 });
  const memory = { type: 'fix', title: 'Count once', content: '…', anyway: true };
  const { memory_id, created } = await withLostAnswer(home, 'memory_store', memory);
  expect(created).toBe(true);
  const told = await withLostAnswer(home, 'memory_outcome', { memory_id, success: true, evidence: 'seen' });
  expect(told).toMatchObject({ evidence_count: 1, validation_count: 1 });
  const stored = { walker: 'memory_search', root: homes.root, input: {} };
  const { body } = await homes.client(home).spawn(stored);
  expect(body.results).toMatchObject([{ id: memory_id, title: 'Count once' }]);
  expect(await withLostAnswer(home, 'memory_delete', { memory_id })).toMatchObject({ deleted: true });
  const again = { walker: 'memory_store', root: homes.root, input: memory };
  expect((await homes.client(home).spawn(again)).body.memory_id).not.toBe(memory_id);
}, 60_000);
