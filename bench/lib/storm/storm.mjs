// The storm: recorders, servers, a command loop, an editor and an indexer on one project, while processes die.
import { pathToFileURL } from 'node:url';
import { generator } from '../measure.mjs';
import { compareWithReplay, emptied } from './aftermath.mjs';
import { commandLoop, indexLoop, record } from './commands.mjs';
import { Deliveries, Progress } from './deliveries.mjs';
import { edit, planKills } from './disturbances.mjs';
import { deliveriesOf, eventsOf } from './events.mjs';
import { Place } from './place.mjs';
import { Tally } from './tally.mjs';
import { logWithTool, ToolClient } from './tool-clients.mjs';

/** What the servers are asked between two events. */
const QUESTIONS = [
  ['graph_stats', {}],
  ['etg_query_similar_attempts', { query: 'the ledger timed out' }],
  ['graph_context_for_files', { file_paths: ['package.json'] }],
];

/** Milliseconds without an acknowledgement after which a storm has failed. */
const STANDSTILL_MS = 60_000;

/** How the deliveries are shared out; each way has its own, or the fast ones would leave the slow ones none. */
const SHARES = { sh: 70, tool: 25, node: 4, command: 1 };

/**
 * Lets a storm pass, and compares what is left with a serial replay.
 *
 * @param folder a scratch folder
 * @param libraryFile the build
 * @param options `events`, `kills`, `seed`; `recorders` that run `sh` and `node`; `servers`; `workerFaultMs`: a worker
 * thread ends itself after so long, 0 never; `tell` hears of progress
 * @returns figures; see {@link faultsOf}
 */
export async function passStorm(folder, libraryFile, options) {
  const { events: count, kills, seed, recorders, servers, workerFaultMs, tell } = options;
  const library = await import(pathToFileURL(libraryFile).href);
  const random = generator(seed);
  const env = workerFaultMs > 0 ? { CODEWALK_FAULT_WORKER_EXIT_MS: String(workerFaultMs) } : {};
  const place = new Place(folder, libraryFile, { env });
  const events = eventsOf(count, random);
  const sent = deliveriesOf(events, random);
  const progress = new Progress(sent.length);
  const to = dealt(sent, random, progress, recorders);
  const over = new AbortController();
  const clients = Array.from({ length: servers }, () => new ToolClient(place));
  const tally = new Tally();
  const storm = { place, tally, random, clients, progress, tell };
  Object.assign(storm, { recorders: new Set(), edited: [], signal: over.signal });
  const sender = (way) => ({ ...storm, deliveries: to[way] });
  const watch = watched(progress, tally, tell);
  try {
    const started = performance.now();
    const around = [edit(storm), indexLoop(storm)];
    const killing = planKills(storm, kills);
    const sending = Promise.all([
      ...Array.from({ length: recorders.sh }, () => record(sender('sh'), 'sh')),
      ...Array.from({ length: recorders.node }, () => record(sender('node'), 'node')),
      ...clients.map((client) => logWithTool(sender('tool'), client, QUESTIONS)),
      commandLoop(sender('command')),
    ]);
    await Promise.race([sending, watch.stalled]);
    const sendingSeconds = (performance.now() - started) / 1000;
    const killed = await killing;
    over.abort();
    await Promise.all([...around, ...clients.map((client) => client.close())]);
    const waited = place.waiting.length;
    tell(`all is acknowledged; ${waited} events wait in the journal`);
    const waiting = await emptied(place);
    const seconds = (performance.now() - started) / 1000;
    tell('compared with a serial replay');
    return {
      events: count,
      deliveries: sent.length,
      resent: progress.resent,
      sending_seconds: sendingSeconds,
      seconds,
      events_per_second: sent.length / seconds,
      waited,
      waiting,
      killed,
      calls: tally.calls,
      errors: tally.errors,
      busy_share: tally.share('BUSY'),
      inexcusable: tally.inexcusable(Object.keys(library.ERROR_CODES)),
      examples: tally.examples,
      ...(await compareWithReplay(place, library, events)),
    };
  } finally {
    watch.end();
    over.abort();
    place.sweep();
  }
}

/** What a storm must not show; empty where all is well. */
export function faultsOf(figures) {
  const { events, replayed, waiting, lost, doubled, equal, rebuilt, restored } = figures;
  const { inexcusable, busy_share, stopped, left } = figures;
  return [
    replayed === events ? null : `the replay kept ${replayed} of ${events} events`,
    waiting === 0 ? null : `${waiting} events stayed in the journal`,
    lost === 0 ? null : `${lost} events are lost`,
    doubled === 0 ? null : `${doubled} events are there twice`,
    equal ? null : 'the export is not that of a serial replay',
    rebuilt ? null : 'the event records make another durable layer',
    restored ? null : 'a restored backup makes another durable layer',
    inexcusable.length === 0 ? null : `errors that nothing excuses: ${inexcusable.join(', ')}`,
    busy_share <= 0.01 ? null : `BUSY was the answer to ${(busy_share * 100).toFixed(1)} % of calls`,
    stopped === 0 ? null : `stop ended with ${stopped}`,
    left.length === 0 ? null : `processes were left: ${left.join('; ')}`,
  ].filter((fault) => fault !== null);
}

/** Tells how far the storm is, and when it stands still. */
function watched(progress, tally, tell) {
  let [known, since] = [0, performance.now()];
  let timer;
  const stalled = new Promise((_, fail) => {
    timer = setInterval(() => {
      const { acknowledged, total } = progress;
      if (acknowledged > known) {
        [known, since] = [acknowledged, performance.now()];
        tell(`${acknowledged} of ${total} acknowledged`);
      } else if (performance.now() - since > STANDSTILL_MS)
        fail(new Error(`nothing goes on after ${acknowledged} of ${total}: ${JSON.stringify(tally)}`));
    }, 2000);
  });
  return { stalled, end: () => clearInterval(timer) };
}

function dealt(sent, random, progress, recorders) {
  const shares = Object.entries({
    ...SHARES,
    ...(recorders.sh > 0 ? {} : { sh: 0 }),
    ...(recorders.node > 0 ? {} : { node: 0 }),
  });
  const total = shares.reduce((sum, [, share]) => sum + share, 0);
  const to = Object.fromEntries(shares.map(([way]) => [way, []]));
  for (const event of sent) {
    let at = random() * total;
    const [way] = shares.find(([, share]) => {
      at -= share;
      return at < 0;
    });
    to[way].push(event);
  }
  return Object.fromEntries(Object.entries(to).map(([way, own]) => [way, new Deliveries(own, progress)]));
}
