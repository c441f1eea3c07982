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
const long = sessions.map((event, at) => longTask(event, at));
await measure('many sessions', sessions);
await measure('many sessions, 5 % late, 5 % doubled', deliveriesOf(sessions, generator(2)), sessions);
await measure('one long task', long);
await measure('one long task, 5 % late, 5 % doubled', deliveriesOf(long, generator(2)), long);

/** The events as those of one task: one session with one prompt. */
function longTask({ kind, payload, ...event }, at) {
  const session_id = 'long';
  if (at === 0) return { ...event, session_id, kind: 'task_start', payload: { user_prompt: 'a long task' } };
  if (kind !== 'task_start' && kind !== 'task_end') return { ...event, session_id, kind, payload };
  return { ...event, session_id, kind: 'checkpoint', payload: { checkpoint_file: `${at}.patch` } };
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
