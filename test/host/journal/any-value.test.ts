import { expect, it } from 'vitest';
import { agents } from '../../../hooks/index.js';
import { answer, rebuildHistory } from '../../../host/index.js';
import { homesOf } from '../../../host/surroundings.js';
import { openLevelStore } from '../../../storage/index.js';
import { Place } from './journals.js';

const deep = (levels: number) => `${'{"a":['.repeat(levels / 2)}1${']}'.repeat(levels / 2)}`;

/** Texts of JSON values that some code takes for more than values, or cannot hold. */
const ODD_VALUES: readonly string[] = [
  '{"__proto__":{"x":1}}',
  '{"a":{"__proto__":{"x":1},"b":2}}',
  '{"a":[{"__proto__":[{"__proto__":null}]}]}',
  '{"constructor":{"prototype":{"x":1}},"toString":"x","hasOwnProperty":1,"valueOf":0,"toJSON":"x","then":1,"length":-1}',
  '["__proto__","constructor","toString","hasOwnProperty"]',
  '{"\\ud800":"\\udc00","b":["x\\ud83dy"]}',
  `"${'\\ud800'.repeat(300)}"`,
  '{"a":1e400,"b":-1e400,"c":-0,"d":123456789012345678901234567890,"e":9007199254740993,"f":5e-324}',
  '{"k":1,"k":{"k":2}}',
  '{"":{"":""}}',
  '{"a\\u0000b":"c\\u0000d"}',
  `{"${'k'.repeat(70_000)}":1}`,
  `[${'0,'.repeat(5000)}0]`,
  `[${'{},'.repeat(2000)}[]]`,
  ...[18, 30, 98, 102, 4000, 20_000].map(deep),
  ...['null', 'true', '0', '""', '[]', '{}'],
];

const NOBODY = { release: async () => undefined };

/** What the timeline of a task, the lists and the export say. */
async function readAll(place: Place, tasks: readonly string[]): Promise<string> {
  await place.close();
  const graph = await place.graph();
  for (const task of tasks) await graph.spawn('show', null, { task });
  for (const walker of ['tasks', 'errors']) await graph.spawn(walker);
  await graph.spawn('etg_query_similar_attempts', null, { query: 'x is undefined' });
  expect(graph.damaged.durable).toEqual(new Set());
  return place.exported();
}

it('any JSON value is recorded, read, exported and made again', async () => {
  const place = new Place();
  const tasks = ODD_VALUES.map((_, at) => `t${at}`);
  for (const [at, value] of ODD_VALUES.entries()) {
    const event = (kind: string, payload: string) =>
      place.put(
        `{"kind":"${kind}","task_id":"t${at}","session_id":"s${at}","x":${value},"payload":${payload}}`,
      );
    event('task_start', `{"user_prompt":"x","more":${value}}`);
    event('tool_start', `{"tool_name":"__proto__","params_json":{"v":${value},"__proto__":{"y":2}}}`);
    event('error', `{"error_type":"toString","message":"x is undefined","tests":["constructor"]}`);
    for (const client of ['claude', 'qwen'])
      place.put(
        `{"hook_event_name":"PostToolUse","session_id":"h${at}","cwd":"/x","tool_name":"Bash",` +
          `"tool_input":{"command":"ls","v":${value}},"tool_response":${value}}`,
        { client },
      );
  }
  for (const client of ['constructor', '__proto__']) place.put('{}', { client });
  const drained = await place.journal(undefined, agents).drain();
  expect(drained).toMatchObject({ aside: 0, held: 2, failure: null });
  const graph = await place.graph();
  for (const value of ODD_VALUES) {
    const given = { tool_name: 'own', params_json: { v: JSON.parse(value) }, session_id: JSON.parse(value) };
    await graph.spawn('etg_log_event', null, { kind: 'tool_start', payload: given, task_id: 't0' });
  }
  const exported = await readAll(place, tasks);
  // Its own, wherever it stands.
  expect(exported).toContain('"v":{"a":{"__proto__":{"x":1},"b":2}}');
  expect(exported).toContain('"__proto__":{"y":2}');
  expect(exported).toContain('"v":[]');
  await place.close();
  expect(await rebuildHistory(place.root, NOBODY, { home: place.home })).toMatchObject({ damaged: 0 });
  expect(await readAll(place, tasks)).toBe(exported);
});

/** Changes the records of a node in the durable store of a place. */
async function damage(place: Place, id: string, change: (record: Buffer) => Buffer): Promise<void> {
  await place.close();
  const store = await openLevelStore(homesOf(place.root, { home: place.home }).durable);
  const everything = { from: Buffer.from([0]), to: Buffer.from([0xff]) };
  let changed = 0;
  for await (const page of store.scan(everything))
    for (const [key, value] of page) {
      const record = Buffer.from(value);
      const length = record.length > 6 ? record.readUInt16BE(4) : 0;
      if (record.toString('utf8', 6, 6 + length) !== id) continue;
      await store.write([{ key, value: change(record) }]);
      changed++;
    }
  await store.close();
  expect(changed).toBe(1);
}

it.each<readonly [what: string, change: (record: Buffer, body: number) => Buffer]>([
  ['ends too early', (record) => record.subarray(0, -3)],
  ['has no head', (record) => record.subarray(0, 3)],
  [
    'is of a type that nobody knows',
    (record) => Buffer.concat([Buffer.from([0x7f, 0x7f]), record.subarray(2)]),
  ],
  ['is no list', (record, body) => Buffer.concat([record.subarray(0, body), Buffer.from([0xc0])])],
  ['is another list', (record, body) => Buffer.concat([record.subarray(0, body), Buffer.from([0x91, 0])])],
  ['is no msgpack', (record, body) => Buffer.concat([record.subarray(0, body), Buffer.from([0xc1, 0xc1])])],
])('a stored record that %s hides no other, stops no event, and is made again', async (_, change) => {
  const place = new Place();
  for (const task of ['t1', 't2', 't3'])
    place.put({ kind: 'task_start', task_id: task, payload: { user_prompt: `the prompt of ${task}` } });
  await place.journal().drain();
  await damage(place, 't2', (record) => change(record, 6 + record.readUInt16BE(4)));
  const graph = await place.graph();
  const { body, markdown } = await answer(graph, 'tasks', {});
  expect(markdown).toContain('the prompt of t1');
  expect(markdown).toContain('the prompt of t3');
  expect(markdown).not.toContain('the prompt of t2');
  expect(body.state.cut.join()).toMatch(/damaged: (?:t2|a node)\. codewalk rebuild --durable makes it again/);
  place.put({ kind: 'step', task_id: 't1', payload: { order: 1 } });
  place.put({ kind: 'step', task_id: 't2', payload: { order: 1 } });
  expect(await place.journal().drain()).toMatchObject({ recorded: 2, aside: 0, failure: null });
  // Events tell what it was.
  const after = await place.exported();
  expect(after).toContain('the prompt of t2');
  await damage(place, 't2', (record) => change(record, 6 + record.readUInt16BE(4)));
  const made = await rebuildHistory(place.root, NOBODY, { home: place.home });
  expect(made.old_store).toBe(true);
  expect(made.damaged).toBeGreaterThan(0);
  expect(await place.exported()).toBe(after);
});
