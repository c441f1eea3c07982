// Servers and commands that start in the same instant on a cold home: one daemon has to come of it.
import { join } from 'node:path';
import { Place } from './place.mjs';
import { ToolClient } from './tool-clients.mjs';

const SERVERS = 4;
const COMMANDS = [
  ['index', '--quiet', '--json'],
  ['stats', '--json'],
];

/**
 * Starts four servers and two commands at once, in a home of its own each round.
 *
 * @param options `rounds`; `tell` hears of progress
 * @returns `figures` and `faults`; empty where each round had one daemon and no error
 */
export async function startTogether(folder, libraryFile, { rounds, tell }) {
  const project = new Place(folder, libraryFile, { files: 10 });
  const times = [];
  const faults = [];
  try {
    for (let round = 1; round <= rounds; round += 1) {
      const place = project.withHome(join(folder, `graphs-${round}`));
      const from = performance.now();
      const wrong = await oneRound(place);
      times.push(performance.now() - from);
      faults.push(...wrong.map((fault) => `round ${round}: ${fault}`));
      tell(`round ${round}: ${times.at(-1).toFixed(0)} ms${wrong.length > 0 ? ` ${wrong.join('; ')}` : ''}`);
    }
  } finally {
    project.sweep();
  }
  const sorted = times.toSorted((a, b) => a - b);
  const figures = { rounds, faults: faults.length, median_ms: sorted[rounds >> 1], most_ms: sorted.at(-1) };
  return { figures, faults };
}

async function oneRound(place) {
  const clients = Array.from({ length: SERVERS }, () => new ToolClient(place));
  const [ends, answers] = await Promise.all([
    Promise.all(COMMANDS.map((args) => place.run(args))),
    Promise.all(clients.map((client) => client.call('graph_index_project', { mode: 'incremental' }))),
  ]);
  const daemons = place.daemons();
  await Promise.all(clients.map((client) => client.close()));
  const stop = await place.run(['stop']);
  const left = place.sweep();
  return [
    ...ends.flatMap(({ code, stdout, stderr }, at) =>
      code === 0 ? [] : [`${COMMANDS[at][0]} ended with ${code}: ${stdout}${stderr}`],
    ),
    ...answers.flatMap(({ code, text }) => (code === null ? [] : [`a server answered ${code}: ${text}`])),
    ...(daemons.length === 1 ? [] : [`${daemons.length} daemons ran`]),
    ...(stop.code === 0 ? [] : [`stop ended with ${stop.code}: ${stop.stderr}`]),
    ...left.map((command) => `it was left: ${command}`),
  ];
}
