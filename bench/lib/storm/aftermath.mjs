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
  const exported = await place.run(['export', '--layer', 'durable']);
  if (exported.code !== 0) throw new Error(`the export failed: ${exported.stderr}`);
  const stop = await place.run(['stop']);
  const left = place.sweep();
  const home = join(place.folder, 'replayed');
  await replay(library, place.root, home, events);
  const ought = await tracesOf(library, place.root, home);
  const difference = compared(await tracesOf(library, place.root, place.home), ought);
  const shown = Object.entries(difference).filter(([, list]) => Array.isArray(list) && list.length > 0);
  return {
    stopped: stop.code,
    left,
    replayed: ought.events.size,
    lost: difference.lost.length,
    doubled: difference.doubled.length,
    equal: difference.equal && exported.stdout.trimEnd() === ought.lines.join('\n'),
    differences: Object.fromEntries(shown.map(([name, list]) => [name, list.slice(0, SHOWN)])),
  };
}
