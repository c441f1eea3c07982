import { expect, test } from 'vitest';
import { at, DAY, linesAfter, type Sent } from './sent-events.js';

const iso = (second: number) => new Date(DAY + second * 1000).toISOString();

type Payload = Record<string, unknown>;
const start = (
  second: number,
  tool_id: string,
  role?: string,
  files_touched: string[] = [],
  more: Payload = {},
) => {
  const payload = { tool_name: tool_id.replace(/\d/gu, ''), ...(role ? { role } : {}), files_touched };
  return { ...at(second, { kind: 'tool_start', payload, tool_id }), ...more };
};
const end = (second: number, tool_id: string, role?: string, success = true) => {
  const payload = { tool_name: tool_id.replace(/\d/gu, ''), success, ...(role ? { role } : {}) };
  return at(second, { kind: 'tool_end', payload, tool_id });
};

/** What hooks tell: no steps, the role of each use of a tool, calls beside one another, a sub agent, two stops. */
const HOOKED: readonly Sent[] = [
  at(1, { kind: 'task_start', payload: { user_prompt: 'Mend the cart' } }),
  start(2, 'ask1', undefined),
  end(3, 'ask1'),
  start(4, 'read1', 'reading', ['src/cart.ts']),
  start(5, 'test1', 'testing'),
  start(5.5, 'read1', 'reading', ['src/cart.ts'], { event_id: 'again', ts: DAY + 5500 }),
  end(6, 'read1', 'reading'),
  end(7, 'test1', 'testing', false),
  at(8, {
    kind: 'error',
    payload: { error_type: 'test_failure', message: 'no', tests: ['adds'] },
    tool_id: 'test1',
  }),
  start(9, 'read2', 'reading', ['src/tax.ts']),
  start(10, 'find1', 'reading', ['src/far.ts'], { step_id: 'agent:a7' }),
  start(10.5, 'find1', 'reading', ['src/far.ts'], {
    step_id: 'agent:a7',
    event_id: 'more',
    ts: DAY + 10_500,
  }),
  at(11, { kind: 'error', payload: { error_type: 'tool_error', message: 'odd' }, tool_id: 'nobody' }),
  { ...end(12, 'find1', 'reading'), step_id: 'agent:a7' },
  end(13, 'read2'),
  end(14, 'edit1', 'editing'),
  at(15, { kind: 'task_end', payload: { status: 'ended', summary: 'half done' } }),
  end(16, 'edit2', 'editing'),
  at(17, { kind: 'task_end', payload: { status: 'ended', summary: 'done' } }),
  at(18, { kind: 'task_end', payload: { status: 'aborted' } }),
];

test('uses of tools that tell their roles make the steps, in whatever order they come', async () => {
  const kept = await linesAfter(HOOKED, 4);
  const steps = kept.filter(({ kind }) => kind === 'Step');
  const told = steps.map((one) => [one.order, one.role, one.agent, one.started_at, one.ended_at]);
  expect(told.sort((a, b) => (a[3] < b[3] ? -1 : 1))).toEqual([
    [0, 'reading', null, iso(2), iso(5)],
    [1, 'testing', null, iso(5), iso(9)],
    [2, 'reading', null, iso(9), iso(14)],
    [2, null, 'a7', iso(10), iso(15)],
    [3, 'editing', null, iso(14), iso(15)],
    [4, 'editing', null, iso(16), iso(17)],
  ]);
  const errors = kept.filter(({ kind }) => kind === 'HAS_ERROR');
  const stepOf = (message: string) =>
    steps.find(({ id }) =>
      errors.some(({ from, to }) => from === id && kept.find((line) => line.id === to)?.message === message),
    );
  expect([stepOf('no')?.role, stepOf('odd')?.started_at]).toEqual(['testing', iso(9)]);
  expect(kept.find(({ kind }) => kind === 'Task')).toMatchObject({
    summary: 'done',
    ended_at: iso(17),
    status_raw: null,
  });
});

test('what an agent did before its sub agent began is told late, and stands before it', async () => {
  const far = (second: number, call: string, files: string[]) =>
    start(second, call, 'reading', files, { step_id: 'agent:a7' });
  for (const events of [
    [start(1, 'edit1', 'editing', ['src/a.ts']), far(2, 'read1', ['src/a.ts'])],
    [
      start(1, 'read1', 'reading', ['src/a.ts']),
      start(2, 'edit1', 'editing', ['src/b.ts']),
      far(3, 'read2', ['src/b.ts']),
    ],
  ]) {
    const kept = await linesAfter(events);
    expect(kept.filter(({ kind }) => kind === 'DEPENDS_ON_STEP')).toHaveLength(1);
    const swapped = [...events.slice(0, -2), ...events.slice(-2).reverse()];
    expect(await linesAfter(swapped)).toEqual(kept);
  }
});

test('where `step` events begin the steps, roles of tools change nothing', async () => {
  const events = [
    at(1, { kind: 'step', payload: { order: 1, role: 'planning' } }),
    start(2, 'read1', 'reading'),
    start(3, 'edit1', 'editing'),
  ];
  const kept = (await linesAfter(events)).filter(({ kind }) => kind === 'Step');
  expect(kept.map(({ order, role }) => [order, role])).toEqual([[1, 'planning']]);
});

test('an end for what is open alone takes nothing from what has ended', async () => {
  const task_id = 'mine';
  const events = [
    at(1, { kind: 'task_start', payload: { user_prompt: 'x' }, task_id }),
    at(2, { kind: 'task_end', payload: { status: 'aborted' }, task_id }),
    at(3, { kind: 'task_end', payload: { status: 'ended', if_open: true }, task_id }),
  ];
  expect(await linesAfter(events, 1)).toMatchObject([{ status: 'aborted', ended_at: iso(2) }]);
});

test('the end of a session ends what is open, and leaves what has ended and what never began', async () => {
  const ends = (status: string) => [at(9, { kind: 'task_end', payload: { status } })];
  const begun = [at(1, { kind: 'task_start', payload: { user_prompt: 'x' } }), end(2, 'read1')];
  const statusOf = async (events: readonly Sent[]) => {
    const tasks = (await linesAfter(events, 2)).filter(({ kind }) => kind === 'Task');
    return tasks.map(({ status, ended_at }) => [status, ended_at]);
  };
  expect(await statusOf(ends('aborted'))).toEqual([]);
  expect(await statusOf([...begun, ...ends('aborted')])).toEqual([['aborted', iso(9)]]);
  expect(await statusOf([...begun, ...ends('ended')])).toEqual([['success', iso(9)]]);
  const stopped = [...begun, at(3, { kind: 'task_end', payload: { status: 'ended' } })];
  expect(await statusOf([...stopped, ...ends('aborted')])).toEqual([['success', iso(3)]]);
  expect(await statusOf([...stopped, ...ends('ended')])).toEqual([['success', iso(3)]]);
  expect(await statusOf([...stopped, end(4, 'read2'), ...ends('ended')])).toEqual([['success', iso(9)]]);
  const told = at(3, { kind: 'task_end', payload: { status: 'failed' } });
  expect(await statusOf([...begun, told, end(4, 'read2'), ...ends('ended')])).toEqual([['failed', iso(9)]]);
});
