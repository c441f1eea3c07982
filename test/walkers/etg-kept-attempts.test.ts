import { beforeEach, expect, test } from 'vitest';
import type { OpenGraph } from '../../index.js';
import type { EventKind } from '../../schema/index.js';
import { EtgLogEvent } from '../../walkers/trace/etg-log-event.js';
import { EtgQuerySimilarAttempts } from '../../walkers/trace/etg-query-similar-attempts.js';
import { TraceForget } from '../../walkers/trace/trace-forget.js';
import { open, write } from './project.js';

let graph: OpenGraph;
let minute = 0;
beforeEach(async () => {
  graph = await open(write({ 'src/auth.ts': "import './near.js';\n", 'src/near.ts': '', 'src/far.ts': '' }));
  minute = 0;
});

async function log(kind: EventKind, payload: Record<string, unknown>, task_id: string | null) {
  const ts = new Date(Date.UTC(2026, 0, 1, 0, minute++)).toISOString();
  return (await graph.spawn(EtgLogEvent, null, { kind, payload, task_id, ts })).output;
}

async function edited(task_id: string, file: string) {
  const use = { tool_name: 'edit', success: true, params_json: { file_path: file }, files_touched: [file] };
  await log('tool_end', use, task_id);
}

async function attempt(prompt: string, files: readonly string[], status: string | null = 'success') {
  const { task_id } = await log('task_start', { user_prompt: prompt }, null);
  for (const file of files) await edited(task_id, file);
  if (status !== null) await log('task_end', { status }, task_id);
  return task_id;
}

async function asked(query: string, more: Record<string, unknown> = {}) {
  return (await graph.spawn(EtgQuerySimilarAttempts, null, { query, ...more })).output.results;
}

/** All that is kept beside the records, as text. */
async function keptText(): Promise<string> {
  return graph.read(async (tx) => {
    const parts: string[] = [];
    for await (const page of tx.blobsUnder('', 'durable'))
      for (const { name, value } of page) parts.push(name, Buffer.from(value).toString('latin1'));
    return parts.join('\n');
  });
}

test('a prompt that was tried again is one answer, which says how often', async () => {
  const failed = await attempt('Let sessions expire after an hour', ['src/auth.ts'], 'failed');
  const done = await attempt('Let sessions  expire after an hour', ['src/auth.ts']);
  const other = await attempt('Let sessions expire after an hour', ['src/far.ts']);
  const results = await asked('Let sessions expire');
  expect(results.map(({ task_id }) => task_id).sort()).toEqual([done, other].sort());
  const one = results.find(({ task_id }) => task_id === done);
  expect(one?.again).toEqual([failed]);
  expect(one?.why).toContain('tried 2 times');
});

test('an attempt that goes on is found by its prompt, and by all it did once it ends', async () => {
  await attempt('Round prices', ['src/far.ts']);
  const id = await attempt('Let sessions expire', [], null);
  for (let n = 0; n < 6; n++) await edited(id, `src/part${n}.ts`);
  expect((await asked('Let sessions expire')).at(-1)).toMatchObject({ task_id: id, status: 'running' });
  await log('task_end', { status: 'success' }, id);
  const [first] = await asked('anything', { file_paths: ['src/part5.ts'], file_match: 'strict' });
  expect(first).toMatchObject({ task_id: id, status: 'success' });
  expect(await keptText()).not.toContain('attempts/open/');
});

test('what is forgotten is in no index any more', async () => {
  const id = await attempt('Hide the xylophone', ['src/xylophone.ts']);
  const left = await attempt('Round prices', ['src/far.ts']);
  expect(await keptText()).toContain('xylophon');
  await graph.spawn(TraceForget, null, { task: id });
  const kept = await keptText();
  expect(kept).not.toContain('xylophon');
  expect(kept).not.toContain(id);
  expect((await asked('prices')).map(({ task_id }) => task_id)).toEqual([left]);
});

test('a frame of the project leads to attempts that touched its file; one from elsewhere is none', async () => {
  const near = await attempt('Change the door', ['src/near.ts']);
  await attempt('Change the door again', ['src/far.ts']);
  const query = 'TypeError: no door\n  at open (src/near.ts:3:1)\n  at run (/usr/lib/elsewhere.ts:9:9)';
  expect((await asked(query))[0]?.why).toContain('touched src/near.ts');
  expect((await asked(query))[0]?.task_id).toBe(near);
});

test('attempts at the files asked for are told apart by the names in them that the likest ones worked on', async () => {
  const worked = async (prompt: string, symbols: readonly string[]) => {
    const { task_id } = await log('task_start', { user_prompt: prompt }, null);
    const use = { tool_name: 'edit', params_json: { file_path: 'src/auth.ts', symbols } };
    await log('tool_start', use, task_id);
    await log('tool_end', { tool_name: 'edit', success: true, files_touched: ['src/auth.ts'] }, task_id);
    await log('task_end', { status: 'success' }, task_id);
    return task_id;
  };
  const told = await worked('Let sessions expire', ['refresh']);
  const same = await worked('Chores before the release', ['refresh']);
  for (const name of ['parse', 'print', 'sign', 'count']) await worked('Chores', [name]);
  const asking = { file_paths: ['src/auth.ts'] };
  const found = (await asked('Sessions that expire are renewed', asking)).map(({ task_id }) => task_id);
  expect(found.slice(0, 2)).toEqual([told, same]);
  const [named] = await asked('What does print say', asking);
  expect(named?.summary).toBe('Chores');
  expect(named?.files).toEqual(['src/auth.ts']);
});

test('symbols whose lines an edit changed are names that it worked on', async () => {
  const { task_id } = await log('task_start', { user_prompt: 'Chores' }, null);
  const content = 'export function renew() {\n  return 1;\n}\n\nexport function drop() {\n  return 2;\n}\n';
  const edit = { tool_name: 'edit', success: true, files_touched: ['src/auth.ts'], content, lines: [[2, 2]] };
  await log('tool_end', edit, task_id);
  await log('task_end', { status: 'success' }, task_id);
  expect(await keptText()).toContain('"names":{"src/auth.ts":"renew"}');
});
