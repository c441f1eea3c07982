// Walks against their bounds: round trips by depth (1), and three-hop path expressions beside a bare packed walk (2).
// Run: npm run build && node bench/walk.mjs [--json] [--nodes 200000] [--edges 1000000] [--only trips|hops]
// Exit code 1 when a bound does not hold.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { flag, inScratch, library, option } from './lib/measure.mjs';
import { roundTrips } from './lib/round-trips.mjs';
import { threeHops } from './lib/three-hops.mjs';

const codewalk = await library();
const only = option('only', 'all');

/** A graph on LevelDB in a folder of its own, with the given archetypes and nothing else. */
const open = (folder, archetypes) => {
  const project = join(folder, 'project');
  mkdirSync(project, { recursive: true });
  return codewalk.openGraph(project, { home: join(folder, 'graphs'), archetypes, bare: true });
};

const result = {};
if (only !== 'hops') result.trips = await inScratch('trips', (folder) => roundTrips(codewalk, open, folder));
if (only !== 'trips') {
  const size = { nodes: Number(option('nodes', 200_000)), edges: Number(option('edges', 1_000_000)) };
  result.hops = await inScratch('hops', (folder) => threeHops(codewalk, open, folder, size));
}

const rows = Object.values(result).flatMap(({ rows }) => rows);
const held = rows.every(({ bound, value }) => bound === null || value <= bound);
if (flag('json')) console.log(JSON.stringify({ held, ...result }, null, 2));
else {
  for (const { title, rows: own } of Object.values(result)) {
    console.log(`${title}\n\n| what | figure | bound | baseline | ours |\n|---|---|---|---|---|`);
    for (const { what, value, bound, baseline, ours } of own)
      console.log(
        `| ${what} | ${show(value)} | ${bound === null ? '' : `≤ ${bound}`} | ${baseline} | ${ours} |`,
      );
    console.log('');
  }
  console.log(held ? 'Every bound holds.' : 'A BOUND DOES NOT HOLD.');
}
if (!held) process.exitCode = 1;

function show(value) {
  return Number.isInteger(value) ? String(value) : value.toFixed(2);
}
