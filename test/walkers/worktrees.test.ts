import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { OpenGraph } from '../../index.js';
import type { EventKind } from '../../schema/index.js';
import { EtgLogEvent } from '../../walkers/trace/etg-log-event.js';
import { withWorktrees } from '../runtime/worktrees.js';
import { contextOf, exported, index, open, write } from './project.js';

const START = Date.UTC(2026, 0, 5);

/** The events of a session: two tasks, each with tools that touch files. */
function session(name: string): Record<string, unknown>[] {
  const events: [EventKind, Record<string, unknown>][] = [];
  for (const prompt of ['Fix the login', 'Now the logout']) {
    events.push(['task_start', { user_prompt: prompt }]);
    for (const path of ['src/shared.ts', `src/${name}.ts`, 'src/gone.ts']) {
      events.push(['tool_start', { tool_name: 'edit', files_touched: [path] }]);
      events.push(['tool_end', { tool_name: 'edit', success: true }]);
    }
    events.push(['error', { error_type: 'test_failure', message: 'expected 1, got 2' }]);
    events.push(['task_end', { status: 'success' }]);
  }
  return events.map(([kind, payload], at) => ({
    kind,
    payload,
    session_id: name,
    event_id: `${name}-${at}`,
    ts: START + at * 1000,
  }));
}

const log = (graph: OpenGraph, event: Record<string, unknown>) =>
  graph.spawn(EtgLogEvent, null, event as never);

const durable = async (graph: OpenGraph) =>
  (await exported(graph, 'durable')).map((line) => JSON.stringify(line));

test('events logged from two worktrees at once leave what one writer would, also after a restart in between', () =>
  withWorktrees({}, async (openMain, openOther) => {
    const events = [...session('main'), ...session('other')];
    const serial = await open(':memory:');
    for (const event of events) await log(serial, event);
    const expected = await durable(serial);

    const half = events.length / 2;
    // Each session is reported from both worktrees, and some of it twice.
    const first = events.filter((_, at) => at % half < half / 2);
    const rest = events.filter((_, at) => at % half >= half / 2 - 2);
    for (const some of [rest, first]) {
      await using main = await openMain();
      await using other = await openOther();
      await Promise.all(some.map((event, at) => log(at % 3 === 0 ? main : other, event)));
    }
    await using main = await openMain();
    await using other = await openOther();
    expect(await durable(main)).toEqual(expected);
    expect(await durable(other)).toEqual(expected);
  }));

test('what was done in one worktree is known in the other, each about its own files', () =>
  withWorktrees({}, async (openMain, openOther, { folder }) => {
    write({ 'src/shared.ts': 'export const a = 1;\n' }, join(folder, 'main'));
    write(
      { 'src/shared.ts': 'export const b = 2;\n', 'src/new.ts': 'export const c = 3;\n' },
      join(folder, 'other'),
    );
    await using main = await openMain();
    await using other = await openOther();
    const logging = async () => {
      for (const event of session('new')) await log(other, event);
    };
    await Promise.all([index(main), index(other), logging()]);
    const files = async (graph: OpenGraph) =>
      (await exported(graph)).filter(({ kind }) => kind === 'file').map(({ id }) => id);
    expect(await files(main)).toEqual(['file:src/shared.ts']);
    expect(await files(other)).toEqual(['file:src/new.ts', 'file:src/shared.ts']);
    for (const graph of [main, other]) {
      const { output } = await graph.spawn('etg_query_similar_attempts', null, { query: 'fix the login' });
      expect(JSON.stringify(output)).toContain('Fix the login');
    }
    expect(JSON.stringify(await contextOf(main, ['src/shared.ts']))).not.toContain('new.ts:c');
    expect(JSON.stringify(await contextOf(other, ['src/new.ts']))).toContain('new.ts');
  }));
