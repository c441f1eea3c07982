import { expect, test } from 'vitest';
import { withinEventTime } from '../../../graphs/trace/index.js';
import { NOT_CHECKED, withoutTexts } from '../../../source/secrets/index.js';
import { EtgLogEvent } from '../../../walkers/trace/etg-log-event.js';
import { exported, open } from '../../walkers/project.js';
import { after, at, DAY, linesAfter, ordersOf, parsed, type Sent } from './sent-events.js';

/** Two prompts of one session; tools paired by call id, by name, and not at all. */
const SESSION: readonly Sent[] = [
  at(1, { kind: 'tool_end', payload: { tool_name: 'warm-up', success: true } }),
  at(2, { kind: 'task_start', payload: { user_prompt: 'Fix the login', tags: ['auth'] } }),
  at(3, { kind: 'tool_start', payload: { tool_name: 'read', files_touched: ['src/a.ts'] } }),
  at(4, { kind: 'tool_start', payload: { tool_name: 'read', files_touched: ['src/b.ts'] } }),
  at(5, { kind: 'tool_end', payload: { tool_name: 'read', success: true } }),
  at(6, { kind: 'step', payload: { order: 1, role: 'editing' } }),
  at(7, {
    kind: 'tool_end',
    payload: { tool_name: 'read', success: false, stderr: 'no', files_touched: ['src/c.ts'] },
  }),
  at(8, { kind: 'tool_start', payload: { tool_name: 'edit' }, tool_id: 'call-1' }),
  at(9, {
    kind: 'tool_end',
    payload: { tool_name: 'edit', success: true, files_touched: ['src/a.ts'] },
    tool_id: 'call-1',
  }),
  at(10, { kind: 'error', payload: { error_type: 'test_failure', message: 'expected 1, got 2' } }),
  at(11, { kind: 'step', payload: { order: 2, role: 'testing' } }),
  at(12, { kind: 'tool_end', payload: { tool_name: 'read', success: true } }),
  at(13, { kind: 'step', payload: { order: 1, llm_summary: 'back to it' } }),
  at(14, { kind: 'tool_end', payload: { tool_name: 'test', success: true, files_touched: ['src/b.ts'] } }),
  at(15, { kind: 'checkpoint', payload: { checkpoint_file: 'x.patch' } }),
  at(16, { kind: 'task_end', payload: { status: 'failed' } }),
  at(17, { kind: 'task_end', payload: { status: 'success' } }),
  at(18, { kind: 'tool_end', payload: { tool_name: 'late', success: true, files_touched: ['src/a.ts'] } }),
  at(20, { kind: 'task_start', payload: { user_prompt: 'Now the logout' } }),
  at(21, { kind: 'tool_start', payload: { tool_name: 'edit' }, tool_id: 'call-2' }),
  at(22, { kind: 'tool_start', payload: { tool_name: 'edit' } }),
  at(23, {
    kind: 'tool_end',
    payload: { tool_name: 'edit', success: true, files_touched: ['src/d.ts'] },
    tool_id: 'call-2',
  }),
  at(24, { kind: 'tool_end', payload: { tool_name: 'edit', success: false } }),
  at(25, { kind: 'error', payload: { error_type: 'tool_error', message: 'expected 3, got 4' } }),
  at(26, { kind: 'task_end', payload: { status: 'aborted' } }),
];

test('a session gives one graph, in whatever order and how often its events come', async () => {
  const inOrder = await after(SESSION);
  expect(inOrder).toMatchSnapshot();
  for (const events of ordersOf(SESSION, 5)) expect(await after(events)).toBe(inOrder);
});

test('steps of any task that met the same failure or touched the same files are similar', async () => {
  const lines = await linesAfter(SESSION);
  const similar = lines.filter(({ kind }) => kind === 'SIMILAR_STEP');
  const failed = lines.filter(({ kind }) => kind === 'HAS_ERROR').map(({ from }) => from);
  expect(similar.map(({ from, to, score }) => [[from, to].sort(), score])).toEqual([[failed.sort(), 0.8]]);
});

test('a failure that is reported when its step is long over makes that step similar to others', async () => {
  const call = (second: number, tool_id: string) =>
    at(second, { kind: 'tool_start', payload: { tool_name: 'test' }, tool_id });
  const error = (second: number, tool_id: string) =>
    at(second, {
      kind: 'error',
      payload: { error_type: 'test_failure', message: `expected ${second}` },
      tool_id,
    });
  const events = [
    at(1, { kind: 'step', payload: { order: 1 } }),
    call(2, 'first'),
    at(3, { kind: 'step', payload: { order: 2 } }),
    call(4, 'second'),
    at(5, { kind: 'task_end', payload: { status: 'success' } }),
    error(6, 'first'),
    error(7, 'second'),
  ];
  expect((await linesAfter(events, 3)).filter(({ kind }) => kind === 'SIMILAR_STEP')).toHaveLength(1);
});

test('one step is joined to two at most for each thing it shares, however many share it', async () => {
  const graph = await open(':memory:');
  for (let i = 0; i < 30; i++) {
    const { task_id } = (
      await graph.spawn(EtgLogEvent, null, { kind: 'task_start', payload: { user_prompt: `${i}` } })
    ).output;
    const payload = { tool_name: 'edit', success: true, files_touched: ['a.ts', 'b.ts'] };
    await graph.spawn(EtgLogEvent, null, { kind: 'tool_end', payload, task_id });
    await graph.spawn(EtgLogEvent, null, { kind: 'task_end', payload: { status: 'success' }, task_id });
  }
  const edges = (await exported(graph, 'durable')).filter(({ kind }) => kind === 'SIMILAR_STEP');
  expect(edges).toHaveLength(29);
  const ends = edges.flatMap(({ from, to }) => [String(from), String(to)]);
  expect(Math.max(...[...new Set(ends)].map((id) => ends.filter((end) => end === id).length))).toBe(2);
});

test('two steps of one order that say different things are two, and each keeps what was said of it', async () => {
  const steps = [
    { order: 1, role: 'reading', llm_summary: 'read the login' },
    { order: 1, role: 'editing' },
    { order: 1, role: 'editing', llm_summary: 'edited the login' },
    { order: 2, llm_summary: 'ran it' },
    { order: 2, role: 'testing' },
    { order: 1, role: 'reading', llm_summary: 'read the logout' },
  ];
  const events = steps.flatMap((payload, i): Sent[] => [
    at(3 * i + 2, { kind: 'step', payload }),
    at(3 * i + 3, { kind: 'checkpoint', payload: { checkpoint_file: `${i}.patch` } }),
  ]);
  const said = await linesAfter(events, 1);
  const kept = said.filter(({ kind }) => kind === 'Step');
  expect(kept.map(({ order, role, llm_summary }) => `${order} ${role} ${llm_summary}`).sort()).toEqual([
    '1 editing edited the login',
    '1 reading read the login',
    '1 reading read the logout',
    '2 testing ran it',
  ]);
  expect(said.filter(({ kind }) => kind === 'HAS_CHECKPOINT')).toHaveLength(steps.length);
  // Given again by a client that has no ids for its events, they are the same steps.
  const again = events.map(({ event_id: _, ...event }) => event).filter(({ kind }) => kind === 'step');
  const twice = parsed(await after([...events, ...again]));
  expect(twice.filter(({ kind }) => kind === 'Step')).toHaveLength(kept.length);
});

test('the end of a task closes every step, also those that only a tool or an error named', async () => {
  const events = [
    at(1, { kind: 'task_start', payload: { user_prompt: 'Fix the login' } }),
    at(2, { kind: 'step', payload: { order: 1 } }),
    at(3, { kind: 'tool_end', payload: { tool_name: 'read', success: true }, step_id: 'aside' }),
    at(4, { kind: 'error', payload: { error_type: 'tool_error', message: 'no' }, step_id: 'further' }),
    at(5, { kind: 'step', payload: { order: 2 }, step_id: 'further' }),
    at(6, { kind: 'task_end', payload: { status: 'success' } }),
  ];
  const steps = await linesAfter(events, 4);
  const ends = steps.filter(({ kind }) => kind === 'Step').map(({ order, ended_at }) => [order, ended_at]);
  const end = (second: number) => new Date(DAY + second * 1000).toISOString();
  expect(ends.sort()).toEqual([
    [0, end(6)],
    [1, end(5)],
    [2, end(6)],
  ]);
});

test('two clients in one session keep their tasks apart where they name them, and share them where they do not', async () => {
  const of = (client: string, from: number, file: string, task_id?: string): Sent[] => {
    const named = task_id === undefined ? {} : { task_id };
    const use = (second: number, payload: Record<string, unknown>, end: Record<string, unknown>): Sent[] => {
      const call = { tool_id: `${client} ${second}`, ...named };
      const start = { tool_name: 'x', client, ...payload };
      return [
        at(from + second, { kind: 'tool_start', payload: start, ...call }),
        at(from + second + 1, { kind: 'tool_end', payload: { tool_name: 'x', ...end }, ...call }),
      ];
    };
    const run = { params_json: { command: 'npm test' } };
    const change = { params_json: { file_path: file, old_string: 'a', new_string: client } };
    return [
      at(from, { kind: 'task_start', payload: { user_prompt: `Fix ${file}`, client }, ...named }),
      ...use(2, run, { success: false, stdout: `FAIL ${file}\nError: ${client} has no tax` }),
      ...use(6, change, { success: true, files_touched: [file] }),
      ...use(10, run, { success: true }),
      at(from + 14, { kind: 'task_end', payload: { status: 'ended' }, ...named }),
    ];
  };
  const tasksOf = async (events: readonly Sent[]) => {
    const lines = await linesAfter(events, 2);
    const tools = lines.filter(({ kind }) => kind === 'ToolInvocation');
    return lines
      .filter(({ kind }) => kind === 'Task')
      .map(({ user_prompt, client, status, files_touched }) => {
        const failed = tools.find(({ stdout }) => stdout.includes(`Error: ${client} has no tax`));
        const fixes = tools.filter(({ id }) => failed?.resolved_by.includes(id));
        return [user_prompt, status, files_touched, fixes.map(({ params_json }) => params_json.file_path)];
      })
      .sort();
  };
  const apart = [...of('qwen', 1, 'a.ts', 'one'), ...of('claude', 2, 'b.ts', 'two')];
  expect(await tasksOf(apart)).toEqual([
    ['Fix a.ts', 'success', ['a.ts'], ['a.ts']],
    ['Fix b.ts', 'success', ['b.ts'], ['b.ts']],
  ]);
  // Without names the events of both belong to the prompt that came last.
  const shared = await tasksOf([...of('qwen', 1, 'a.ts'), ...of('claude', 2, 'b.ts')]);
  expect(shared.map(([prompt, status, files]) => [prompt, status, files])).toEqual([
    ['Fix a.ts', 'running', []],
    ['Fix b.ts', 'success', ['a.ts', 'b.ts']],
  ]);
});

test('ends work whose time is over, inside of a regular expression, too, and passes on what it throws', () => {
  const endless = () => {
    for (;;);
  };
  expect(withinEventTime(endless, 50)).toBeNull();
  expect(withinEventTime(() => /^(?:a+)+$/u.test(`${'a'.repeat(60)}b`), 50)).toBeNull();
  expect(withinEventTime(() => 'done')).toEqual({ done: 'done' });
  expect(withinEventTime(() => [withinEventTime(endless, 20), 'outer'])).toEqual({ done: [null, 'outer'] });
  const fails = () => withinEventTime(() => JSON.parse('{'));
  expect(fails).toThrow(SyntaxError);
});

test('leaves names, and out of texts those that it is told to', () => {
  const long = 'x'.repeat(1000);
  const given = { tool: 'Bash', lines: [long, `y${long}`, 3, null], [long]: true };
  expect(withoutTexts(given)).toEqual({
    tool: 'Bash',
    lines: [NOT_CHECKED, NOT_CHECKED, 3, null],
    [NOT_CHECKED]: true,
  });
  expect(withoutTexts(given, (text) => text.startsWith('y'))).toEqual({
    tool: 'Bash',
    lines: [long, NOT_CHECKED, 3, null],
    [long]: true,
  });
});
