// What a question costs: through the daemon beside the same question in this process, and while a project is indexed,
// another or its own, beside what it costs when nothing else goes on. Several kinds of questions, asked one after the
// other by one client; calls through the daemon and here take turns. Read the ratios: the machine may be busy.
// Then the structural questions, warm, in this process and as an MCP client sees them; with --peer beside those of another
// server (installed by npm). --structural: these alone.
// Run: npm run build && node bench/query.mjs DIR [--other DIR] [--calls 400] [--structural] [--peer [DIR]] [--rounds 5]
//   [--json] [--library FILE]. --peer DIR: it is installed there already.
// Exit code 1 when a bound does not hold.
import { cpSync, mkdirSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { row } from './lib/indexed.mjs';
import { flag, inScratch, libraryFile, option } from './lib/measure.mjs';
import { installPeer } from './lib/peer.mjs';
import { Asked } from './lib/query/asked.mjs';
import { memoryOf } from './lib/query/memory.mjs';
import { questionsOf, recordAttempts } from './lib/query/questions.mjs';
import { structuralFigures, structuralQuestions } from './lib/query/structural.mjs';

/** Left out of the copies: large, and never indexed. History stays, since answers tell of it. */
const NOT_COPIED = new Set(['node_modules']);
const BOUNDS = { daemonMs: 0.5, other: 5, own: 5, idleMegabytes: 250 };
/** Milliseconds without a question before the memory of an idle daemon is read. */
const IDLE_MS = 5000;

const { RemoteHost, openGraph, answer } = await import(
  pathToFileURL(join(dirname(libraryFile()), 'host.js')).href
);
const calls = Number(option('calls', 400));
const result = await inScratch('query', async (scratch) => ({
  ...(flag('structural') ? {} : await inScratch('busy', measure)),
  structural: await measureStructural(scratch),
}));
if (flag('json')) console.log(JSON.stringify(result, null, 2));
else print(result);
if (result.held === false || !result.structural.held) process.exitCode = 1;

async function measure(scratch) {
  const roots = copies(realpathSync(scratch));
  const [own, other] = roots;
  const host = new RemoteHost({ home: join(scratch, 'graphs') });
  const index = (root, options) =>
    host.spawn(
      { walker: 'graph_index_project', root, input: { mode: 'full' }, limits: { deadlineMs: null } },
      options,
    );
  for (const root of roots) await index(root);
  const remote = ({ walker, input }) => host.spawn({ walker, input, root: own });

  const graph = await openGraph(own, { home: join(scratch, 'here') });
  const here = ({ walker, input }) => answer(graph, graph.walkers.get(walker), input);
  await graph.spawn('graph_index_project', null, { mode: 'full' });
  const asks = await questionsOf(graph);
  for (const how of [remote, here]) await recordAttempts(how, asks);

  const daemon = await besideEachOther(asks, remote, here);
  await graph.close();
  const quiet = new Asked();
  const busy = {};
  for (const [name, root] of Object.entries({ other, own })) {
    await ask(asks, remote, quiet, calls);
    busy[name] = new Asked();
    // One index may be over before enough was asked.
    while (busy[name].count < calls) {
      const state = { over: false };
      const indexing = index(root).finally(() => {
        state.over = true;
      });
      await ask(asks, remote, busy[name], Number.POSITIVE_INFINITY, () => state.over);
      await indexing;
    }
  }
  await ask(asks, remote, quiet, calls);
  const afterIndexing = await idleMemory(host);
  await stopped(host);
  const again = new RemoteHost({ home: join(scratch, 'graphs') });
  for (const root of roots) await again.spawn({ walker: 'graph_stats', input: {}, root });
  const idle = await idleMemory(again);
  await stopped(again);
  const figures = figuresOf({ daemon, quiet, busy, idle, afterIndexing });
  return { project: resolve(process.argv[2] ?? ''), ...figures };
}

/** The structural questions; ours and the other server's each have a copy of the project. */
async function measureStructural(scratch) {
  const [root, ofPeer] = copies(realpathSync(scratch));
  const home = join(scratch, 'graphs');
  const host = new RemoteHost({ home });
  await host.spawn({
    walker: 'graph_index_project',
    root,
    input: { mode: 'full' },
    limits: { deadlineMs: null },
  });
  const graph = await openGraph(root, { home: join(scratch, 'here') });
  await graph.spawn('graph_index_project', null, { mode: 'full' });
  const folder = option('peer', null);
  const peer = flag('peer') ? installPeer(scratch, folder?.startsWith('--') ? null : folder) : null;
  await peer?.index(ofPeer);
  const figures = await structuralFigures({
    questions: await structuralQuestions(graph),
    here: ({ walker, input }) => answer(graph, graph.walkers.get(walker), input),
    ours: {
      command: process.execPath,
      args: [join(dirname(libraryFile()), 'cli.js'), 'mcp', '--profile', 'query', '--root', root],
      cwd: root,
      env: { ...process.env, GRAPHS_HOME: home },
    },
    peer: peer?.server(ofPeer) ?? null,
    rounds: Number(option('rounds', 5)),
  });
  await graph.close();
  await stopped(host);
  return figures;
}

/** Megabytes of a daemon of which nothing has been asked for a while. */
async function idleMemory(host) {
  await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
  const { pid } = await host.status();
  return memoryOf(pid);
}

/** Ends the daemon, and waits until it has gone. */
async function stopped(host) {
  const { pid } = await host.status();
  await host.close();
  process.kill(pid);
  while (isThere(pid)) await new Promise((resolve) => setTimeout(resolve, 50));
}

function isThere(pid) {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** The project, another, and a third one. */
function copies(scratch) {
  const [folder] = process.argv.slice(2).filter((one) => !one.startsWith('--'));
  if (folder === undefined) throw new Error('which project? node bench/query.mjs DIR');
  return [folder, option('other', folder), folder].map((from, at) => {
    const root = join(scratch, `project-${at}`);
    mkdirSync(root);
    cpSync(resolve(from), root, { recursive: true, filter: (path) => !NOT_COPIED.has(basename(path)) });
    return root;
  });
}

/** Asks until `count` questions were answered, or it is over. */
async function ask(asks, how, asked, count, isOver = () => false) {
  for (let at = 0; at < count && !isOver(); at += 1) await asked.time(asks[at % asks.length], how);
}

/** Every question through the daemon and here in turn, the first ones not counted. */
async function besideEachOther(asks, remote, here) {
  const [through, direct] = [new Asked(), new Asked()];
  for (const one of asks) for (const how of [remote, here]) for (let at = 0; at < 5; at += 1) await how(one);
  for (let at = 0; at < calls; at += 1) {
    await through.time(asks[at % asks.length], remote);
    await direct.time(asks[at % asks.length], here);
  }
  return { through, direct };
}

function figuresOf({ daemon, quiet, busy, idle, afterIndexing }) {
  const { through, direct } = daemon;
  const kinds = direct.kinds().map((kind) => ({
    kind,
    directP50: direct.at(0.5, kind),
    daemonP50: through.at(0.5, kind),
    quietP50: quiet.at(0.5, kind),
    quietP99: quiet.at(0.99, kind),
    otherP50: busy.other.at(0.5, kind),
    otherP99: busy.other.at(0.99, kind),
    ownP50: busy.own.at(0.5, kind),
    ownP99: busy.own.at(0.99, kind),
  }));
  const bounded = [
    {
      what: 'a call through the daemon, ms more at p50 (the worst kind)',
      value: Math.max(...kinds.map(({ daemonP50, directP50 }) => daemonP50 - directP50)),
      bound: BOUNDS.daemonMs,
    },
    ...['other', 'own'].map((name) => ({
      what: `p99 while ${name === 'own' ? 'its own' : 'another'} project is indexed / quiet p99 (the worst kind)`,
      value: Math.max(...kinds.map((kind) => kind[`${name}P99`] / kind.quietP99)),
      bound: BOUNDS[name],
    })),
    { what: 'idle daemon, three projects open, MB', value: idle, bound: BOUNDS.idleMegabytes },
    { what: 'the same after it has indexed them, MB', value: afterIndexing, bound: null },
  ];
  const counts = { quiet: quiet.count, other: busy.other.count, own: busy.own.count };
  return {
    held: bounded.every(({ value, bound }) => bound === null || value <= bound),
    bounded,
    kinds,
    counts,
  };
}

function print({ structural, ...rest }) {
  if (rest.kinds) printBusy(rest);
  printStructural(structural);
}

function printStructural({ rows, bounds, held }) {
  console.log(
    `\n| structural questions, warm, ms at p50 | here ≤ ${bounds.here} | MCP ≤ ${bounds.mcp} | MCP p95 | peer |`,
  );
  console.log('|---|---|---|---|---|');
  for (const { kind, ...times } of rows) console.log(row([kind, ...Object.values(times)]));
  console.log(held ? '\nEvery bound holds.' : '\nA BOUND DOES NOT HOLD.');
}

function printBusy({ project, bounded, kinds, counts, held }) {
  console.log(
    `${project}: ${counts.quiet} questions quiet, ${counts.other} and ${counts.own} during an index\n`,
  );
  console.log('| what | figure | bound |\n|---|---|---|');
  for (const { what, value, bound } of bounded)
    console.log(row([what, value, bound === null ? null : `≤ ${bound}`]));
  const columns = ['here', 'daemon', 'quiet', 'quiet p99', 'other', 'other p99', 'own', 'own p99'];
  console.log(`\n| ms | ${columns.join(' | ')} |\n|---|${columns.map(() => '---|').join('')}`);
  for (const { kind, ...times } of kinds) console.log(row([kind, ...Object.values(times)]));
  console.log(held ? '\nEvery bound holds.' : '\nA BOUND DOES NOT HOLD.');
}
