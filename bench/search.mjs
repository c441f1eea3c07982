/*
 * How long searches take in a warm graph, and the first one in a cold one:
 * `node bench/search.mjs [--only attempts] [--tasks 10000,100000] [--queries 300]`. Build first.
 * `node bench/search.mjs --only code --code DIR`: `search_code` on a repository.
 *
 * attempts: `etg_query_similar_attempts` over generated histories; questions are prompts, prompts with files and
 * failing outputs, in turn.
 * code: docstrings, tasks, and tasks inside a structure filter, in turn; the first time that a question is asked, and again.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { flag, inScratch, library, option, p50, quantile, timed } from './lib/measure.mjs';
import { codeQuestions } from './lib/search/code.mjs';
import { questions, tasks } from './lib/search/tasks.mjs';

const { openGraph } = await library();
const only = option('only', null);
if (only === null || only === 'attempts')
  for (const count of option('tasks', '10000,100000').split(',').map(Number)) await attempts(count);
if (option('code', null) !== null && (only === null || only === 'code')) await code(option('code', '.'));

async function attempts(count) {
  await inScratch('search', async (folder) => {
    const [root, home] = [join(folder, 'root'), join(folder, 'home')];
    mkdirSync(root);
    const graph = await openGraph(root, { home });
    let events = 0;
    const ingest = await timed(async () => {
      let batch = [];
      const flush = async () => {
        if (batch.length > 0) await graph.spawn('trace_ingest', null, { events: batch });
        events += batch.length;
        batch = [];
      };
      for (const own of tasks(count)) {
        if (batch.length + own.length > 1000) await flush();
        batch.push(...own);
      }
      await flush();
    });
    const { durable } = await graph.sizeOnDisk();
    await graph.close();
    console.log(
      `${count} tasks: ${Math.round((events * 1000) / ingest)} events a second, ${(durable / 1e6).toFixed(0)} MB`,
    );

    const [asked, others] = [23, 29].map((seed) => questions(Number(option('queries', 300)), seed));
    const cold = await openGraph(root, { home });
    const before = process.memoryUsage().rss;
    const ask = ({ input }) => timed(() => cold.spawn('etg_query_similar_attempts', null, input));
    console.log(`  the first question of a cold graph: ${(await ask(asked[0])).toFixed(1)} ms`);
    // Warm, but not for having been asked the same.
    for (const question of others) await ask(question);
    const times = new Map();
    const used = process.cpuUsage();
    for (const question of asked) {
      const taken = await ask(question);
      times.set(question.kind, [...(times.get(question.kind) ?? []), taken]);
    }
    const { user, system } = process.cpuUsage(used);
    const all = [...times.values()].flat();
    for (const [kind, taken] of [...times, ['all', all]])
      console.log(`  ${kind}: p50 ${p50(taken).toFixed(1)} ms, p95 ${quantile(taken, 0.95).toFixed(1)} ms`);
    console.log(`  CPU: ${((user + system) / 1000 / asked.length).toFixed(1)} ms each`);
    console.log(`  memory: ${((process.memoryUsage().rss - before) / 1e6).toFixed(0)} MB more`);
    if (flag('must') && p50(all) > 20) process.exitCode = 1;
    await cold.close();
  });
}

async function code(root) {
  await inScratch('search', async (home) => {
    const graph = await openGraph(root, { home });
    await graph.spawn('graph_index_project', null, {}, { limits: { deadlineMs: 600_000 } });
    const asked = await codeQuestions(graph, Number(option('queries', 300)));
    await graph.close();

    const cold = await openGraph(root, { home });
    const ask = ({ input }) => timed(() => cold.spawn('search_code', null, input));
    console.log(`${root}\n  the first question of a cold graph: ${(await ask(asked[0])).toFixed(1)} ms`);
    const rounds = [];
    for (const round of ['new', 'again']) {
      const times = new Map();
      for (const question of asked)
        times.set(question.kind, [...(times.get(question.kind) ?? []), await ask(question)]);
      const all = [...times.values()].flat();
      for (const [kind, taken] of [...times, ['all', all]])
        console.log(
          `  ${round}, ${kind}: p50 ${p50(taken).toFixed(1)} ms, p95 ${quantile(taken, 0.95).toFixed(1)} ms`,
        );
      rounds.push(p50(all));
    }
    if (flag('must') && rounds[0] > 20) process.exitCode = 1;
    await cold.close();
  });
}
