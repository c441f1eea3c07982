// After a storm: the journal is emptied, the host ends, and what it left is compared with a serial replay.
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { compared, replay, tracesOf } from './traces.mjs';

/** Milliseconds that the journal gets to become empty. */
const DRAINING_MS = 120_000;
/** Differences of one kind that are shown. */
const SHOWN = 3;

/** Waits until the journal is empty, with a daemon that empties it. @returns what still waits */
export async function emptied(place, within = DRAINING_MS) {
  for (const until = Date.now() + within; Date.now() < until && place.waiting.length > 0; await pause(20))
    if (place.daemons().length === 0) await place.run(['stats', '--json']);
  return place.waiting.length;
}

/**
 * Compares what a storm left with a serial replay of its events in a fresh home.
 *
 * @param events each once, in the order of their times
 */
export async function compareWithReplay(place, library, events) {
  const stop = await place.run(['stop']);
  const left = place.sweep();
  place.calm();
  const exported = await exportOf(place);
  await place.run(['stop']);
  const is = await tracesOf(library, place.root, place.home);
  const home = join(place.folder, 'replayed');
  await replay(library, place.root, home, events);
  const ought = await tracesOf(library, place.root, home);
  const wanted = ought.lines.join('\n');
  const difference = compared(is, ought);
  const backup = await place.run(['backup', place.root]);
  if (backup.code !== 0) throw new Error(`the backup failed: ${backup.stderr}`);
  const rebuilt = await exportAfter(place, ['rebuild', '--durable']);
  if (rebuilt !== wanted) difference.rebuilt = differing(rebuilt, wanted);
  const restored = await exportAfter(place, ['restore', 'latest']);
  if (restored !== wanted) difference.restored = differing(restored, wanted);
  const shown = Object.entries(difference).filter(([, list]) => Array.isArray(list) && list.length > 0);
  return {
    stopped: stop.code,
    left,
    replayed: ought.events.size,
    lost: difference.lost.length,
    doubled: difference.doubled.length,
    equal: difference.equal && exported === wanted,
    rebuilt: rebuilt === wanted,
    restored: restored === wanted,
    differences: Object.fromEntries(shown.map(([name, list]) => [name, list.slice(0, SHOWN)])),
  };
}

/** The durable layer after a command that replaces it. */
async function exportAfter(place, command) {
  const { code, stdout, stderr } = await place.run([...command, '--root', place.root, '--json']);
  if (code !== 0) return `${stdout}${stderr}`;
  const exported = await exportOf(place);
  await place.run(['stop']);
  return exported;
}

async function exportOf(place) {
  const { code, stdout, stderr } = await place.run(['export', '--layer', 'durable']);
  if (code !== 0) throw new Error(`the export failed: ${stderr}`);
  return stdout.trimEnd();
}

function differing(is, ought) {
  const [has, wants] = [new Set(is.split('\n')), new Set(ought.split('\n'))];
  return [...[...wants].filter((line) => !has.has(line)), ...[...has].filter((line) => !wants.has(line))];
}
