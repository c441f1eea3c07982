// A storm on one project: 8 recorders, 4 MCP servers, a command loop, an editor and an indexer, while daemon, servers
// and recorders are killed and worker threads end. Every acknowledged event has to be there once, and the export of the
// durable layer has to be that of a serial replay.
// Run: npm run build && node bench/storm.mjs [--events 10000] [--kills 20] [--seed 1] [--worker-fault-ms 5000] [--json]
//      node bench/storm.mjs --starts 50     servers and commands that start in one instant on a cold home
//      node bench/storm.mjs --ingest 10000  events a second from a full journal to an empty one
import { flag, inScratch, libraryFile, option } from './lib/measure.mjs';
import { ingestionRate } from './lib/storm/ingestion.mjs';
import { startTogether } from './lib/storm/starts.mjs';
import { faultsOf, passStorm } from './lib/storm/storm.mjs';

const seed = Number(option('seed', 1));
const tell = (text) => process.stderr.write(`${text}\n`);
const { figures, faults } = await inScratch('storm', measured);
console.log(flag('json') ? JSON.stringify(figures) : JSON.stringify(figures, null, 2));
for (const fault of faults) tell(`WRONG: ${fault}`);
process.exitCode = faults.length > 0 ? 1 : 0;

async function measured(folder) {
  if (flag('starts'))
    return startTogether(folder, libraryFile(), { rounds: Number(option('starts', 50)), tell });
  if (flag('ingest'))
    return ingestionRate(folder, libraryFile(), { events: Number(option('ingest', 10_000)), seed });
  const stormFigures = await passStorm(folder, libraryFile(), {
    events: Number(option('events', 10_000)),
    kills: Number(option('kills', 20)),
    seed,
    recorders: { sh: 6, node: 2 },
    servers: 4,
    workerFaultMs: Number(option('worker-fault-ms', 5000)),
    tell,
  });
  return { figures: stormFigures, faults: faultsOf(stormFigures) };
}
