/*
 * Events a second through the batch that the journal hands on: `node bench/ingest.mjs [--events N] [--batch N]
 * [--cpu-profile FILE]`. Build first.
 *
 * Many sessions, and one long task, each in order and with 5 % out of order and 5 % doubled; what comes of each is
 * compared with the same events recorded one by one, in order.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { generator, inScratch, library, option } from './lib/measure.mjs';
import { deliveriesOf, eventsOf } from './lib/storm/events.mjs';

const count = Number(option('events', 10_000));
const size = Number(option('batch', 1000));
const { openGraph } = await library();

const sessions = eventsOf(count, generator(1));
const long = Array.from({ length: count }, (_, at) => longTask(at));
await measure('many sessions', sessions);
await measure('many sessions, 5 % late, 5 % doubled', deliveriesOf(sessions, generator(2)), sessions);
await measure('one long task', long);
await measure('one long task, 5 % late, 5 % doubled', deliveriesOf(long, generator(2)), long);

/** An event of one agent with one prompt: a step every fifty, tools that begin and end, an error every now and then. */
function longTask(at) {
  const event = { event_id: `long-${at}`, session_id: 'long', ts: Date.UTC(2026, 0, 5) + at * 40 };
  const files_touched = [`src/file-${(at * 7) % 200}.ts`];
  if (at === 0) return { ...event, kind: 'task_start', payload: { user_prompt: 'a long task' } };
  if (at % 50 === 0) return { ...event, kind: 'step', payload: { order: at / 50, role: 'editing' } };
  if (at % 97 === 0)
    return { ...event, kind: 'error', payload: { error_type: 'tool_error', message: `no ${at}` } };
  const tool_id = `call-${at >> 1}`;
  if (at % 2 === 0)
    return { ...event, tool_id, kind: 'tool_start', payload: { tool_name: 'edit', params_json: { at } } };
  const payload = { tool_name: 'edit', success: true, stdout: 'done', files_touched };
  return { ...event, tool_id, kind: 'tool_end', payload };
}

async function measure(name, delivered, inOrder = null) {
  await inScratch('ingest', async (folder) => {
    const root = join(folder, 'root');
    mkdirSync(root);
    const graph = await openGraph(root, { home: join(folder, 'home') });
    const [started, used] = [performance.now(), process.cpuUsage()];
    for (let at = 0; at < delivered.length; at += size) {
      const events = delivered.slice(at, at + size).map((event) => ({ ...event, at: Date.now() }));
      await graph.spawn('trace_ingest', null, { events });
    }
    const seconds = (performance.now() - started) / 1000;
    const { user, system } = process.cpuUsage(used);
    console.log(
      `${name}: ${Math.round(delivered.length / seconds)} events a second, ${((user + system) / 1000 / delivered.length).toFixed(3)} ms of CPU each`,
    );
    if (inOrder) {
      const serial = await openGraph(':memory:');
      for (const event of inOrder) await serial.spawn('etg_log_event', null, event);
      const equal = (await exported(graph)) === (await exported(serial));
      console.log(`  ${equal ? 'the same as one by one' : 'WRONG: not the same as one by one'}`);
      if (!equal) process.exitCode = 1;
      await serial.close();
    }
    await graph.close();
  });
}

async function exported(graph) {
  const { reports } = await graph.spawn('graph_export', null, { layer: 'durable' });
  return reports.map((line) => JSON.stringify(line)).join('\n');
}
