import { spawnSync } from 'node:child_process';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import type { RemoteHost } from '../../host/index.js';
import { runCommand } from '../cli/scratch.js';
import { Homes, until } from './homes.js';

/* What else may lie in the journal: set aside, counted, never deleted, and in nobody's way. */

const RECORDER = fileURLToPath(new URL('../../dist/record.sh', import.meta.url));
const MIB = 1024 * 1024;
const homes = new Homes();

function record(home: string, event: string): void {
  const env = { PATH: process.env.PATH ?? '', GRAPHS_HOME: home };
  expect(spawnSync('sh', [RECORDER, '--root', homes.root], { input: event, env }).status).toBe(0);
}

const error = (message: string) =>
  JSON.stringify({ kind: 'error', payload: { error_type: 'tool_error', message }, session_id: 'one' });

async function messages(host: RemoteHost): Promise<string[]> {
  const asked = { walker: 'graph_export', root: homes.root, input: { layer: 'durable' }, spool: true };
  const { spool } = await host.spawn(asked);
  const lines = readFileSync(spool?.file ?? '', 'utf8').split('\n');
  return lines.flatMap((line) => (/"error_type"/.test(line) ? [JSON.parse(line).message] : [])).sort();
}

it('takes what is good and sets aside what is not, by its reason, as it was', async () => {
  const home = homes.fresh();
  record(home, error('first'));
  const folder = join(home, 'journal', 'new');
  const [good = ''] = readdirSync(folder);
  const bytes = readFileSync(join(folder, good));
  const label = bytes.subarray(bytes.lastIndexOf(0, bytes.length - 2));
  const named = (at: number) => `176722560${at}.000000000.${at}.0123456789abcdef`;
  const put = (name: string, content: string | Uint8Array) => writeFileSync(join(folder, name), content);
  put(named(1), '');
  put(named(2), bytes.subarray(0, bytes.length - 5));
  put(named(3), Buffer.concat([Buffer.from('no JSON at all'), label]));
  put(named(4), Buffer.concat([Buffer.from('[1, 2]'), label]));
  put(named(5), Buffer.concat([Buffer.from('{"kind": "party", "payload": {}}'), label]));
  put(named(6), Buffer.concat([Buffer.from(error('x')), label]));
  truncateSync(join(folder, named(6)), 100 * MIB);
  put('README.md', '# not ours\n');
  mkdirSync(join(folder, 'a-folder'));
  symlinkSync(join(folder, 'README.md'), join(folder, 'a-link'));
  record(home, error('second'));

  const host = homes.client(home);
  await host.drain();
  await until(() => readdirSync(folder).length === 0);
  expect(await messages(host)).toEqual(['first', 'second']);
  const quarantine = join(home, 'journal', 'quarantine');
  const aside = Object.fromEntries(
    readdirSync(quarantine).map((reason) => [reason, readdirSync(join(quarantine, reason)).sort()]),
  );
  expect(aside).toEqual({
    empty: [named(1)],
    truncated: [named(2)],
    'not-json': [named(3), named(4)],
    refused: [named(5)],
    'too-large': [named(6)],
    'not-ours': ['README.md', 'a-folder', 'a-link'],
  });
  expect(readFileSync(join(quarantine, 'not-ours', 'README.md'), 'utf8')).toBe('# not ours\n');
  expect(statSync(join(quarantine, 'too-large', named(6))).size).toBeLessThan(MIB);
  const env = { PATH: process.env.PATH ?? '', GRAPHS_HOME: home };
  const told = await runCommand(['status', '--json'], { cwd: homes.root, env });
  expect(JSON.parse(told.stdout).journal).toMatchObject({
    pending: 0,
    quarantine: { empty: 1, truncated: 1, 'not-json': 2, refused: 1, 'too-large': 1, 'not-ours': 3 },
  });
  await homes.pidOf(host);
});

it('goes on when the journal is taken away under it, and comes back', async () => {
  const home = homes.fresh();
  record(home, error('first'));
  const host = homes.client(home);
  await host.drain();
  const pid = await homes.pidOf(host);
  spawnSync('rm', ['-r', join(home, 'journal')]);
  record(home, error('second'));
  await until(async () => (await messages(host)).length === 2);
  expect(await homes.pidOf(host)).toBe(pid);
});
