import { expect, test } from 'vitest';
import { z } from 'zod';
import type { OpenGraph } from '../../index.js';
import { defineWalker } from '../../runtime/index.js';
import { LIMITS, Task, TraceEvent } from '../../schema/index.js';
import { EtgLogEvent } from '../../walkers/trace/etg-log-event.js';
import { TraceForget } from '../../walkers/trace/trace-forget.js';
import { endAbandoned, StoredEvent, TraceReplay } from '../../walkers/trace/trace-ingest.js';
import { after, at, DAY, type Sent } from '../graphs/trace/sent-events.js';
import { exported, open } from './project.js';

type Payload = Record<string, unknown>;
const use = (second: number, tool_name: string, start: Payload, end: Payload): Sent[] => [
  at(second, { kind: 'tool_start', payload: { tool_name, ...start }, tool_id: `c${second}` }),
  at(second + 1, { kind: 'tool_end', payload: { tool_name, success: true, ...end }, tool_id: `c${second}` }),
];
const run = { role: 'testing', params_json: { command: 'npm test' } };
const written = { files_touched: ['a.ts'], lines: [[1, 1]], content: 'export function a() {}\n' };

/** A run that fails, an edit that mends it, a run that passes, an end, and another failing run. */
const EVENTS: readonly Sent[] = [
  at(1, { kind: 'task_start', payload: { user_prompt: 'x' } }),
  ...use(2, 'Bash', run, { success: false }),
  at(4, {
    kind: 'error',
    payload: { error_type: 'test_failure', message: 'no', tests: ['t'] },
    tool_id: 'c2',
  }),
  ...use(5, 'Edit', { role: 'editing' }, { role: 'editing', ...written }),
  ...use(7, 'Bash', run, {}),
  at(9, { kind: 'task_end', payload: { status: 'ended', summary: 'mended' } }),
  ...use(10, 'Bash', run, { success: false }),
  at(12, { kind: 'task_end', payload: { status: 'ended' } }),
];

async function recorded(events: readonly Sent[]): Promise<OpenGraph> {
  const graph = await open(':memory:');
  for (const event of events) await graph.spawn(EtgLogEvent, null, event);
  return graph;
}

/** The durable export of another graph in which what a graph keeps of its events is replayed, the last one first. */
async function replayed(graph: OpenGraph) {
  const kept = (await graph.read((tx) => tx.find(TraceEvent))).map((event) => StoredEvent.parse(event));
  expect(JSON.stringify(kept)).not.toContain('export function');
  const again = await open(':memory:');
  await again.spawn(TraceReplay, null, { events: JSON.parse(JSON.stringify(kept.reverse())) });
  return exported(again, 'durable');
}

test('what is forgotten takes with it what was concluded from it: what is left is as if it had never been', async () => {
  const whole = await after(EVENTS);
  for (const kind of ['RESOLVED_BY', 'TOUCHES_SYMBOL']) expect(whole).toContain(`"kind":"${kind}"`);
  for (const second of [12, 10, 8, 6, 4]) {
    const since = DAY + second * 1000;
    const graph = await recorded(EVENTS);
    await graph.spawn(TraceForget, null, { since });
    const left = (await exported(graph, 'durable')).map((line) => JSON.stringify(line)).join('\n');
    expect(left).toBe(
      await after(EVENTS.filter(({ ts }) => new Date(ts as string | number).getTime() < since)),
    );
    await graph.close();
  }
});

test('what is kept of events makes the same trace again, without what the edit wrote', async () => {
  const graph = await recorded(EVENTS);
  expect(await replayed(graph)).toEqual(await exported(graph, 'durable'));
});

test('a task is forgotten by its id or its beginning, with or without `task:`; one that there is not is refused', async () => {
  const graph = await recorded(EVENTS);
  const [first] = await graph.read((tx) => tx.find(Task));
  const id = first?.id ?? '';
  const forget = async (task: string) =>
    (await graph.spawn(TraceForget, null, { task, dry_run: true })).output;
  const planned = await forget(id);
  expect([...planned.tasks, ...planned.changed]).toEqual([id]);
  expect(await forget(id.slice('task:'.length, 15))).toEqual(planned);
  await expect(forget('nope')).rejects.toMatchObject({
    code: 'NODE_NOT_FOUND',
    message: "there is no task 'nope'",
  });
});

const HOUR = LIMITS.sweepAfter.default;
const prompt = (second: number, more: Payload = {}): Sent => ({
  ...at(second, { kind: 'task_start', payload: { user_prompt: `${second}` } }),
  ...more,
});
const used = (second: number): Sent =>
  at(second, { kind: 'tool_end', payload: { tool_name: 'x', success: true } });
const Sweep = defineWalker('sweep', {
  access: 'write',
  input: { session_id: z.string().optional(), now: z.number() },
  finish: ({ state: { session_id = null, now }, context }) => endAbandoned(session_id, now, context),
});
const sweep = async (graph: OpenGraph, now: number, session_id?: string) =>
  (await graph.spawn(Sweep, null, session_id === undefined ? { now } : { now, session_id })).output;
const statuses = async (graph: OpenGraph) =>
  (await exported(graph, 'durable'))
    .filter(({ kind }) => kind === 'Task')
    .map(({ user_prompt, status, ended_at }) => `${user_prompt} ${status} ${String(ended_at).slice(17, 19)}`)
    .sort();

/** A session of three prompts, the first events before the first one; another session; a client without one. */
const LEFT: readonly Sent[] = [
  used(1),
  prompt(2),
  used(3),
  prompt(4, { task_id: 'named' }),
  prompt(6),
  prompt(8, { session_id: 's2' }),
  prompt(10, { session_id: undefined }),
];

test('of a session the tasks before its newest one are ended, of silent sessions all, and nothing else', async () => {
  const graph = await recorded(LEFT);
  expect(await sweep(graph, DAY + 10_000)).toEqual([]);
  expect(await sweep(graph, DAY + 10_000, 's1')).toHaveLength(3);
  const ended = [' aborted 01', '2 aborted 03', '4 aborted 04'];
  expect(await statuses(graph)).toEqual([...ended, '10 running ', '6 running ', '8 running '].sort());
  expect(await sweep(graph, DAY + 10_000, 's1')).toEqual([]);
  expect(await sweep(graph, DAY + 7_000 + HOUR)).toHaveLength(1);
  expect(await sweep(graph, DAY + 9_000 + HOUR)).toHaveLength(1);
  expect(await sweep(graph, DAY + 9 * HOUR)).toEqual([]);
});

test('what was swept is made again from its events, and goes on where its client comes back', async () => {
  const graph = await recorded(LEFT);
  await sweep(graph, DAY + 9 * HOUR, 's1');
  expect(await replayed(graph)).toEqual(await exported(graph, 'durable'));
  await graph.spawn(EtgLogEvent, null, used(20));
  expect((await statuses(graph)).at(-2)).toBe('6 aborted 06');
  await graph.spawn(EtgLogEvent, null, at(21, { kind: 'task_end', payload: { status: 'ended' } }));
  expect((await statuses(graph)).at(-2)).toBe('6 success 21');
});
