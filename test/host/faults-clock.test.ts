import { mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, expect, it } from 'vitest';
import type { RemoteHost } from '../../host/index.js';
import { Homes } from './homes.js';

/* A clock that jumps back, in the daemon and its threads. */

const homes = new Homes();
const HOUR = 3_600_000;
const offset = join(homes.folder, 'offset');
/** Loaded by every Node process that is started with it, before anything else. */
const CLOCK = `import { readFileSync } from 'node:fs';
const now = Date.now;
Date.now = () => now() + Number(readFileSync(${JSON.stringify(offset)}, 'utf8'));
`;
homes.write('clock', { 'clock.mjs': CLOCK });
const { CODEWALK_NODE_OPTIONS: options = '' } = process.env;
afterEach(() => {
  process.env.CODEWALK_NODE_OPTIONS = options;
});

/** Says what time it is to a daemon that is started from now on, and to its threads. */
function setClock(byMs: number): void {
  writeFileSync(offset, String(byMs));
  process.env.CODEWALK_NODE_OPTIONS = `--import=${pathToFileURL(join(homes.folder, 'clock', 'clock.mjs'))}`;
}

async function logged(host: RemoteHost, kind: string, payload: object): Promise<void> {
  const input = { kind, payload, session_id: 'one' };
  await host.spawn({ walker: 'etg_log_event', root: homes.root, input });
}

it('that jumps back turns no order around: what was said later stays later', async () => {
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
  const asked = { walker: 'graph_export', root: homes.root, input: { layer: 'durable' }, spool: true };
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

it('that jumps back does not make a start of long ago one that has just begun', async () => {
  const home = homes.fresh();
  mkdirSync(home, { mode: 0o700 });
  const announcement = join(home, 'daemon.starting');
  writeFileSync(announcement, '');
  const later = (Date.now() + HOUR) / 1000;
  utimesSync(announcement, later, later);
  expect(await homes.pidOf(homes.client(home))).toBeGreaterThan(0);
});
