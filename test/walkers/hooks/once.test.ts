import { beforeEach, expect, test } from 'vitest';
import type { OpenGraph } from '../../../index.js';
import { MemoryStore } from '../../../walkers/memory/memory-store.js';
import { TraceForget } from '../../../walkers/trace/trace-forget.js';
import { CART, FAILURE, RUN, Sessions } from '../agent-sessions.js';
import { aged, index, open, scratch, write } from '../project.js';

const PROMPT = 'applyDiscount in src/price.js should clamp percentages above 100.';
const FIXED = '+ return total - (total * pct) / 100;';

let graph: OpenGraph;
let agents: Sessions;
const fail = () => agents.answer('failure', { ...RUN, output: FAILURE });
const read = () => agents.answer('read', { file_paths: ['src/price.js'] });

beforeEach(async () => {
  graph = await open(aged(write(CART)));
  await index(graph);
  agents = new Sessions(graph);
});

test('a fix that a prompt brought is given again where its failure is met, but not with a file', async () => {
  await agents.fixesDiscount();
  await agents.log('task_start', { user_prompt: PROMPT }, 's2');
  expect(await agents.answer('prompt', { prompt: PROMPT })).toContain(FIXED);
  expect(await fail()).toContain(FIXED);
  expect(await fail()).toBeNull();
  expect(await read()).not.toContain('fixed here before');
});

test('what a failure brought is not given again with a file or a later prompt, but in full to a later task', async () => {
  await agents.fixesDiscount();
  await agents.log('task_start', { user_prompt: 'Make the receipt nicer' }, 's2');
  expect(await fail()).toContain(FIXED);
  expect(await read()).not.toContain('fixed here before');
  expect(await agents.answer('prompt', { prompt: PROMPT })).toBeNull();
  await agents.log('task_end', { status: 'success' }, 's2');
  await agents.log('task_start', { user_prompt: 'Something else' }, 's2');
  expect(await fail()).toContain(FIXED);
});

test('tasks with the same failure and the same fix are one entry', async () => {
  for (const session of ['a', 'b', 'c']) await agents.fixesDiscount(session);
  for (const text of [await fail(), await agents.answer('prompt', { prompt: PROMPT }, 's3')])
    expect(text?.split(FIXED)).toHaveLength(2);
});

test('a memory is told once in a session, at whatever moment it comes up', async () => {
  const about = ['src/price.js'];
  const store = (title: string, importance: number, more = {}) =>
    graph.spawn(MemoryStore, null, {
      type: 'fix',
      title,
      content: `${title}.`,
      importance,
      ...more,
    } as never);
  await store('Money is in cents', 0.9, { about });
  await store('Prices are rounded up', 0.4, { about });
  const edit = { file: 'src/price.js', old: "return '$'", now: "return '€'" };
  const moments = async (session: string, ...names: string[]) => {
    const texts: string[] = [];
    for (const name of names)
      texts.push((await agents.answer(name, { file_paths: about, edit }, session)) ?? '');
    return texts;
  };
  const [start, ...rest] = await moments('s1', 'session_start', 'read_history', 'before_edit', 'edited');
  expect(start).toMatch(/^Codewalk: what matters most of what is remembered\. Recorded data/u);
  expect(start).toContain('Money is in cents');
  expect(rest.join('')).not.toContain('Money is in cents');
  expect(rest.join('').split('Prices are rounded up')).toHaveLength(2);
  const later = await moments('s2', 'read', 'session_start');
  expect(later[0]).toContain('Money is in cents');
  expect(later[1]).toBe('');
});

test('what was delivered is not given again by another process, until the session is forgotten', async () => {
  const [root, home] = [write(CART), scratch()];
  const first = await open(root, home);
  agents = new Sessions(first);
  await agents.fixesDiscount();
  await agents.log('task_start', { user_prompt: 'Show taxes' }, 's2');
  expect(await fail()).not.toBeNull();
  await first.close();
  const second = await open(root, home);
  agents = new Sessions(second);
  expect(await fail()).toBeNull();
  await second.spawn(TraceForget, null, { session: 's2' });
  expect(await fail()).not.toBeNull();
});
