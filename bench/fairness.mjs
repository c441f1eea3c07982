// Whether heavy questions hold up small ones about the same project: several client processes ask heavy Cypher of many
// kinds at once, one of them runs a walker of its own that loops, and one more client asks small questions one after the
// other meanwhile; the same ones about another project of the same daemon, in turn: what these take is what the machine
// takes. Both are measured before, while nothing else goes on.
// Run: npm run build && node bench/fairness.mjs DIR [--heavy 24] [--clients 4] [--kind NAME] [--json] [--library FILE]
// Exit code 1 when a small question took more than 250 ms longer than those about the other project took meanwhile.
import { fork } from 'node:child_process';
import { cpSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { WALKERS } from './lib/fairness/heavy.mjs';
import { row } from './lib/indexed.mjs';
import { flag, inScratch, libraryFile, option } from './lib/measure.mjs';
import { Asked } from './lib/query/asked.mjs';

const BOUND_MS = 250;
const CLIENT = fileURLToPath(new URL('./lib/fairness/heavy-client.mjs', import.meta.url));
const NOT_COPIED = new Set(['node_modules']);
/** Rounds of all small questions before, while nothing else goes on. */
const QUIET_ROUNDS = 10;

const hostFile = pathToFileURL(join(dirname(libraryFile()), 'host.js')).href;
const { RemoteHost } = await import(hostFile);
const heavy = Number(option('heavy', 24));
const clients = Number(option('clients', 4));
const result = await inScratch('fairness', measure);
if (flag('json')) console.log(JSON.stringify(result, null, 2));
else print(result);
if (!result.held) process.exitCode = 1;

async function measure(scratch) {
  const roots = copies(realpathSync(scratch));
  const home = join(scratch, 'graphs');
  const host = new RemoteHost({ home });
  try {
    return await withHost(host, { scratch, home, roots });
  } finally {
    const { pid } = await host.status();
    await host.close();
    process.kill(pid);
    while (isThere(pid)) await new Promise((done) => setTimeout(done, 50));
  }
}

async function withHost(host, { scratch, home, roots }) {
  for (const root of roots)
    await host.spawn({
      walker: 'graph_index_project',
      root,
      input: { mode: 'full' },
      limits: { deadlineMs: null },
    });
  const [own, other] = roots;
  const questions = await smallQuestions(host, own);
  const failed = [];
  const figures = { quiet: [new Asked(), new Asked()], busy: [new Asked(), new Asked()] };
  const round = async (into) => {
    for (const question of questions)
      for (const [at, root] of [own, other].entries())
        await into[at].time(question, (asked) =>
          host.spawn({ walker: asked.walker, input: asked.input(), root }).catch((error) => {
            failed.push(`${asked.kind}: ${error.code} ${error.message}`);
          }),
        );
  };
  await round([new Asked(), new Asked()]);
  for (let left = QUIET_ROUNDS; left > 0; left -= 1) await round(figures.quiet);

  const walkers = join(scratch, 'walkers');
  mkdirSync(walkers);
  writeFileSync(join(walkers, 'looping.mjs'), WALKERS);
  // A folder of walkers that is new to a thread has it started anew: that is not what is measured here.
  await host.spawn({ walker: 'graph_stats', input: {}, root: own, userWalkers: [walkers] });
  await host.spawn({ walker: 'graph_stats', input: {}, root: own });
  const ends = [];
  const started = await Promise.all(
    Array.from({ length: clients }, (_, at) => {
      const from = Math.floor((at * heavy) / clients);
      const count = Math.floor(((at + 1) * heavy) / clients) - from;
      const only = option('kind', null);
      const told = { host: hostFile, home, root: own, from, count, total: heavy, only };
      return startClient({ ...told, ...(at === 0 && only === null ? { walkers } : {}) }, ends);
    }),
  );
  const over = Promise.all(started.map(({ over }) => over));
  const state = { over: false };
  void over.then(() => {
    state.over = true;
  });
  for (const { child } of started) child.send('go');
  while (!state.over) await round(figures.busy);
  await over;
  return judged(figures, ends, failed);
}

function isThere(pid) {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** A client, when it is ready to ask. */
function startClient(told, ends) {
  const child = fork(CLIENT, [JSON.stringify(told)]);
  const over = new Promise((done) => child.once('exit', done));
  return new Promise((ready) => {
    child.on('message', (said) => {
      if (said.ready) ready({ child, over });
      else ends.push(said);
    });
  });
}

async function smallQuestions(host, root) {
  const most =
    'MATCH (f:Function)<-[:CALLS]-() WITH f.name AS name, count(*) AS calls RETURN name ORDER BY calls DESC LIMIT 1';
  const { body } = await host.spawn({ walker: 'query_cypher', input: { query: most }, root });
  const [{ name }] = body.results.rows;
  let events = 0;
  const event = () => ({
    event_id: `fair-${++events}`,
    kind: 'task_start',
    payload: { user_prompt: 'look around' },
  });
  return [
    ['callers', 'query_callers', () => ({ function_name: name })],
    ['stats', 'graph_stats', () => ({})],
    ['search', 'search_code', () => ({ query: `${name} of a list` })],
    ['small Cypher', 'query_cypher', () => ({ query: 'MATCH (c:Class) RETURN count(c)' })],
    ['event', 'etg_log_event', event],
  ].map(([kind, walker, input]) => ({ kind, walker, input }));
}

function judged({ quiet, busy }, ends, failed) {
  const figure = (asked, kind) => ({
    p50: asked.at(0.5, kind),
    p99: asked.at(0.99, kind),
    max: asked.at(1, kind),
  });
  const kinds = busy[0].kinds().map((kind) => {
    const [own, other] = busy.map((asked) => figure(asked, kind));
    const idle = figure(quiet[0], kind);
    const more = own.max - Math.max(other.max, idle.max);
    return { kind, idle, own, other, more };
  });
  const heavies = new Map();
  for (const { kind, end, ms } of ends) {
    const key = `${kind}: ${end}`;
    const known = heavies.get(key) ?? { what: key, count: 0, longest: 0 };
    heavies.set(key, { ...known, count: known.count + 1, longest: Math.max(known.longest, ms) });
  }
  return {
    project: resolve(process.argv[2] ?? ''),
    held: failed.length === 0 && kinds.every(({ more }) => more <= BOUND_MS),
    failed,
    asked: busy[0].count,
    kinds,
    heavies: [...heavies.values()].sort((a, b) => (a.what < b.what ? -1 : 1)),
  };
}

/** The project, and another. */
function copies(scratch) {
  const [folder] = process.argv.slice(2).filter((one) => !one.startsWith('--'));
  if (folder === undefined) throw new Error('which project? node bench/fairness.mjs DIR');
  return ['own', 'other'].map((name) => {
    const root = join(scratch, name);
    mkdirSync(root);
    cpSync(resolve(folder), root, { recursive: true, filter: (path) => !NOT_COPIED.has(basename(path)) });
    return root;
  });
}

function print({ project, held, failed, asked, kinds, heavies }) {
  console.log(`${project}: ${heavy} heavy questions of ${clients} clients, ${asked} small ones meanwhile\n`);
  const of = ['idle p50', 'p99', 'max', 'busy p50', 'p99', 'max', 'other project p50', 'p99', 'max', 'more'];
  console.log(`| ms | ${of.join(' | ')} |\n|---|${of.map(() => '---|').join('')}`);
  for (const { kind, idle, own, other, more } of kinds)
    console.log(row([kind, ...[idle, own, other].flatMap(({ p50, p99, max }) => [p50, p99, max]), more]));
  console.log('\n| heavy question and its end | how many | longest, ms |\n|---|---|---|');
  for (const { what, count, longest } of heavies) console.log(row([what, count, longest]));
  for (const one of failed) console.log(`A SMALL QUESTION FAILED: ${one}`);
  console.log(held ? '\nThe bound holds.' : `\nA SMALL QUESTION WAITED MORE THAN ${BOUND_MS} MS.`);
}
