import { expect, test } from 'vitest';
import { z } from 'zod';
import type { OpenGraph } from '../../index.js';
import { defineWalker } from '../../runtime/index.js';
import { LIMITS, TraceEvent } from '../../schema/index.js';
import { EtgLogEvent } from '../../walkers/trace/etg-log-event.js';
import { endAbandoned, StoredEvent, TraceReplay } from '../../walkers/trace/trace-ingest.js';
import { at, DAY, type Sent } from '../graphs/trace/sent-events.js';
import { exported, open } from './project.js';

const HOUR = LIMITS.sweepAfter.default;
const prompt = (second: number, task_id?: string): Sent =>
  at(second, { kind: 'task_start', payload: { user_prompt: `${second}` }, ...(task_id ? { task_id } : {}) });
const used = (second: number, more: Record<string, unknown> = {}): Sent => ({
  ...at(second, { kind: 'tool_end', payload: { tool_name: 'x', success: true } }),
  ...more,
});

async function recorded(events: readonly Sent[]): Promise<OpenGraph> {
  const graph = await open(':memory:');
  for (const event of events) await graph.spawn(EtgLogEvent, null, event);
  return graph;
}
const Sweep = defineWalker('sweep', {
  access: 'write',
  input: { session_id: z.string().optional(), now: z.number() },
  finish: ({ state: { session_id = null, now }, context }) => endAbandoned(session_id, now, context),
});
const sweep = async (graph: OpenGraph, input: { session_id?: string; now: number }) =>
  (await graph.spawn(Sweep, null, input)).output;
const statuses = async (graph: OpenGraph) =>
  (await exported(graph, 'durable'))
    .filter(({ kind }) => kind === 'Task')
    .map(
      (task) => `${String(task.user_prompt)} ${String(task.status)} ${String(task.ended_at).slice(17, 19)}`,
    )
    .sort();

/** A session of three prompts, the first events before the first one; another session; a client without one. */
const LEFT: readonly Sent[] = [
  used(1),
  prompt(2),
  used(3),
  prompt(4, 'named'),
  prompt(6),
  { ...prompt(8), session_id: 's2' },
  { ...prompt(10), session_id: undefined },
];

test('of a session the tasks before its newest one are ended, of silent sessions all, and nothing else', async () => {
  const graph = await recorded(LEFT);
  expect(await sweep(graph, { now: DAY + 10_000 })).toEqual([]);
  expect(await sweep(graph, { session_id: 's1', now: DAY + 10_000 })).toHaveLength(3);
  expect(await statuses(graph)).toEqual([
    ' aborted 01',
    '10 running ',
    '2 aborted 03',
    '4 aborted 04',
    '6 running ',
    '8 running ',
  ]);
  expect(await sweep(graph, { session_id: 's1', now: DAY + 10_000 })).toEqual([]);
  expect(await sweep(graph, { now: DAY + 7_000 + HOUR })).toHaveLength(1);
  expect(await sweep(graph, { now: DAY + 9_000 + HOUR })).toHaveLength(1);
  expect(await sweep(graph, { now: DAY + 9 * HOUR })).toEqual([]);
});

test('what was swept is made again from its events, and goes on where its client comes back', async () => {
  const graph = await recorded(LEFT);
  await sweep(graph, { session_id: 's1', now: DAY + 9 * HOUR });
  const events = await graph.read((tx) => tx.find(TraceEvent));
  const again = await open(':memory:');
  const kept = events.map((event) => StoredEvent.parse(event));
  await again.spawn(TraceReplay, null, { events: kept.reverse() });
  expect(await exported(again, 'durable')).toEqual(await exported(graph, 'durable'));
  await graph.spawn(EtgLogEvent, null, used(20));
  expect((await statuses(graph)).at(-2)).toBe('6 aborted 06');
  await graph.spawn(EtgLogEvent, null, at(21, { kind: 'task_end', payload: { status: 'ended' } }));
  expect((await statuses(graph)).at(-2)).toBe('6 success 21');
});
