/*
 * Events a second into one task, at its start and when it is long: `node bench/trace.mjs [EVENTS]`.
 * Build first. Every tenth of the events is a line.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openGraph } from '../dist/index.js';

const events = Number(process.argv[2] ?? 20_000);
const home = mkdtempSync(join(tmpdir(), 'codewalk-bench-'));
const root = mkdtempSync(join(tmpdir(), 'codewalk-root-'));
const graph = await openGraph(root, { home });
const log = async (kind, payload, task_id) =>
  (await graph.spawn('etg_log_event', null, { kind, payload, task_id })).output;

const { task_id } = await log('task_start', { user_prompt: 'a long task' });
const part = Math.max(1, Math.floor(events / 10));
let [started, used] = [performance.now(), process.cpuUsage()];
for (let at = 1; at <= events; at++) {
  const files_touched = [`src/file-${(at * 7) % 200}.ts`];
  if (at % 500 === 0) await log('step', { order: at / 500, role: 'editing' }, task_id);
  else if (at % 97 === 0) await log('error', { error_type: 'tool_error', message: `no ${at}` }, task_id);
  else if (at % 2 === 0) await log('tool_start', { tool_name: 'edit', params_json: { at } }, task_id);
  else await log('tool_end', { tool_name: 'edit', success: true, stdout: 'done', files_touched }, task_id);
  if (at % part !== 0) continue;
  const seconds = (performance.now() - started) / 1000;
  const { user, system } = process.cpuUsage(used);
  console.log(
    `${at} events: ${Math.round(part / seconds)} a second, ${((seconds * 1000) / part).toFixed(2)} ms each, ${((user + system) / 1000 / part).toFixed(2)} ms of CPU`,
  );
  [started, used] = [performance.now(), process.cpuUsage()];
}
const counted = await graph.read(async (tx) => {
  let nodes = 0;
  for await (const page of tx.storedNodes('durable')) nodes += page.length;
  return nodes;
});
console.log(`${counted} nodes, ${((await graph.sizeOnDisk()).durable / 1e6).toFixed(1)} MB`);
await graph.close();
rmSync(home, { recursive: true });
rmSync(root, { recursive: true });
