import { expect, test } from 'vitest';
import { Task, TraceEvent } from '../../schema/index.js';
import { EtgLogEvent } from '../../walkers/trace/etg-log-event.js';
import { TraceForget } from '../../walkers/trace/trace-forget.js';
import { StoredEvent, TraceReplay } from '../../walkers/trace/trace-ingest.js';
import { after, at, DAY, type Sent } from '../graphs/trace/sent-events.js';
import { exported, open } from './project.js';

const use = (
  second: number,
  tool_name: string,
  start: Record<string, unknown>,
  end: Record<string, unknown>,
): Sent[] => {
  const tool_id = `c${second}`;
  return [
    at(second, { kind: 'tool_start', payload: { tool_name, ...start }, tool_id }),
    at(second + 1, { kind: 'tool_end', payload: { tool_name, success: true, ...end }, tool_id }),
  ];
};
const run = { role: 'testing', params_json: { command: 'npm test' } };
const edited = {
  role: 'editing',
  files_touched: ['a.ts'],
  lines: [[1, 1]],
  content: 'export function a() {}\n',
};

/** A run that fails, an edit that mends it, a run that passes, an end, and another failing run. */
const EVENTS: readonly Sent[] = [
  at(1, { kind: 'task_start', payload: { user_prompt: 'x' } }),
  ...use(2, 'Bash', run, { success: false }),
  at(4, {
    kind: 'error',
    payload: { error_type: 'test_failure', message: 'no', tests: ['t'] },
    tool_id: 'c2',
  }),
  ...use(5, 'Edit', { role: 'editing' }, edited),
  ...use(7, 'Bash', run, {}),
  at(9, { kind: 'task_end', payload: { status: 'ended', summary: 'mended' } }),
  ...use(10, 'Bash', run, { success: false }),
  at(12, { kind: 'task_end', payload: { status: 'ended' } }),
];

const kindsOf = (text: string) => new Set(text.split('\n').map((line) => JSON.parse(line).kind));
const told = (events: readonly Sent[], before: number) =>
  events.filter(({ ts }) => new Date(String(ts) === ts ? ts : Number(ts)).getTime() < DAY + before * 1000);

test('what is forgotten takes with it what was concluded from it: what is left is as if it had never been', async () => {
  expect([...kindsOf(await after(EVENTS))]).toEqual(
    expect.arrayContaining(['RESOLVED_BY', 'TOUCHES_SYMBOL']),
  );
  for (const second of [12, 10, 8, 6, 4]) {
    const graph = await open(':memory:');
    for (const event of EVENTS) await graph.spawn(EtgLogEvent, null, event);
    await graph.spawn(TraceForget, null, { since: DAY + second * 1000 });
    const left = (await exported(graph, 'durable')).map((line) => JSON.stringify(line)).join('\n');
    expect(left).toBe(await after(told(EVENTS, second)));
    await graph.close();
  }
});

test('what is kept of events makes the same trace again, without what the edit wrote', async () => {
  const graph = await open(':memory:');
  for (const event of EVENTS) await graph.spawn(EtgLogEvent, null, event);
  const kept = (await graph.read((tx) => tx.find(TraceEvent))).map((event) => StoredEvent.parse(event));
  expect(JSON.stringify(kept)).not.toContain('export function');
  const again = await open(':memory:');
  await again.spawn(TraceReplay, null, { events: JSON.parse(JSON.stringify(kept)) });
  expect(await exported(again, 'durable')).toEqual(await exported(graph, 'durable'));
});

test('a task is forgotten by its id or its beginning, with or without `task:`; one that there is not is refused', async () => {
  const graph = await open(':memory:');
  for (const event of EVENTS) await graph.spawn(EtgLogEvent, null, event);
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
