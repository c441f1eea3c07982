// How fast a full journal becomes empty when nothing else goes on.
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { generator } from '../measure.mjs';
import { compareWithReplay } from './aftermath.mjs';
import { eventsOf } from './events.mjs';
import { cpuSecondsOf, ended, Place } from './place.mjs';

/** Recorders that fill the journal beside each other. */
const RECORDERS = 2;
/** One recorder after the other, an event a line. */
const RECORD_LINES = 'while IFS= read -r event; do printf %s "$event" | "$0" --root "$1" || exit 1; done';
/** Milliseconds between two looks at the journal. */
const LOOK_MS = 20;
const PATIENCE_MS = 120_000;

/**
 * Fills a journal while no daemon runs, starts one, and measures until the journal is empty.
 *
 * @param options `events`, `seed`
 * @returns `figures` and `faults`: fewer than 2,000 events a second, or not what a serial replay gives
 */
export async function ingestionRate(folder, libraryFile, { events: count, seed }) {
  const library = await import(pathToFileURL(libraryFile).href);
  const place = new Place(folder, libraryFile, { files: 10 });
  const events = eventsOf(count, generator(seed));
  try {
    const filling = performance.now();
    await Promise.all(Array.from({ length: RECORDERS }, (_, at) => fill(place, events, at)));
    const filled = performance.now();
    const waited = place.waiting.length;
    const asked = place.run(['tasks', '--json']);
    const from = performance.now();
    let [first, last] = [null, null];
    for (; last === null && performance.now() - from < PATIENCE_MS; await pause(LOOK_MS)) {
      const waiting = place.waiting.length;
      if (waiting < waited) first ??= { at: performance.now(), waiting };
      if (waiting === 0) last = performance.now();
    }
    const cpuSeconds = place.daemons().reduce((sum, { pid }) => sum + cpuSecondsOf(pid), 0);
    await asked;
    const after = await compareWithReplay(place, library, events);
    const figures = {
      events: count,
      waited,
      recorded_per_second: (count * 1000) / (filled - filling),
      from_client_start_ms: last === null ? null : last - from,
      events_per_second: last === null ? 0 : (waited * 1000) / (last - from),
      sustained_per_second:
        last === null || first.waiting === 0 ? null : (first.waiting * 1000) / (last - first.at),
      // Of the daemon from its start on: what other work on this machine does not change.
      daemon_cpu_ms_per_event: (cpuSeconds * 1000) / waited,
      ...after,
    };
    return { figures, faults: faultsIn(figures) };
  } finally {
    place.sweep();
  }
}

async function fill(place, events, at) {
  const lines = events.filter((_, i) => i % RECORDERS === at).map((event) => `${JSON.stringify(event)}\n`);
  const recorder = join(place.dist, 'record.sh');
  const child = place.startProgram('sh', ['-c', RECORD_LINES, recorder, place.root]);
  const { code, stderr } = await ended(child, lines.join(''));
  if (code !== 0) throw new Error(`a recorder failed: ${stderr}`);
}

function faultsIn({ events, waited, sustained_per_second, lost, doubled, equal }) {
  return [
    waited === events ? null : `${waited} of ${events} events were in the journal`,
    sustained_per_second === null || sustained_per_second >= 2000
      ? null
      : `${sustained_per_second.toFixed(0)} events a second`,
    lost === 0 && doubled === 0 && equal ? null : 'the durable layer is not that of a serial replay',
  ].filter((fault) => fault !== null);
}
