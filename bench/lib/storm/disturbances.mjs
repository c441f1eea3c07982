// What goes on around those who send: somebody edits, and processes die.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { killRecorder } from './commands.mjs';
import { killed } from './place.mjs';

/** Milliseconds between two edits, at most. */
const EDIT_MS = 200;
/** Milliseconds that are waited for something to kill: it has just been killed. */
const PATIENCE_MS = 10_000;

/**
 * Changes a random file of the project every now and then.
 *
 * @param storm `edited` gets the paths; `signal` ends it
 */
export async function edit({ place, random, edited, signal }) {
  const files = readdirSync(place.root, { recursive: true }).filter((path) => /\.(?:ts|py)$/.test(path));
  for (let turn = 0; !signal.aborted; turn += 1) {
    const path = files[Math.floor(random() * files.length)];
    const file = join(place.root, path);
    const text = readFileSync(file, 'utf8').replace(/\n(?:def|export const) edited_\d+[\s\S]*$/, '\n');
    const more = path.endsWith('.py')
      ? `def edited_${turn}():\n    return 1\n`
      : `export const edited_${turn} = 1;\n`;
    writeFileSync(file, `${text.trimEnd()}\n${turn % 5 === 4 ? '' : more}`);
    edited.push(path);
    await pause(random() * EDIT_MS, undefined, { signal }).catch(() => undefined);
  }
}

/**
 * Plans kills at random moments: each when a random number of deliveries has been acknowledged, of daemon, servers
 * and recorders in turn.
 *
 * @returns a promise of all of them; the kills by what was killed
 */
export function planKills(storm, kills) {
  const { progress, random } = storm;
  const victims = ['daemon', 'server', 'recorder', 'daemon'];
  const counts = { daemon: 0, server: 0, recorder: 0, missed: 0 };
  const planned = Array.from({ length: kills }, (_, at) => {
    const victim = victims[at % victims.length];
    // Not the last tenth: what dies at the very end has nobody who would notice.
    const moment = Math.floor(random() * progress.total * 0.9);
    return new Promise((done) => progress.when(moment, () => done(kill(storm, victim)))).then((hit) => {
      counts[hit ? victim : 'missed'] += 1;
      storm.tell(`killed ${victim}${hit ? '' : ': there was none'}`);
    });
  });
  return Promise.all(planned).then(() => counts);
}

async function kill(storm, victim) {
  const { place, clients, random } = storm;
  for (const until = Date.now() + PATIENCE_MS; Date.now() < until; await pause(random() * 5)) {
    if (victim === 'recorder' && killRecorder(storm)) return true;
    if (victim === 'server' && (await clients[Math.floor(random() * clients.length)].kill())) return true;
    if (victim === 'daemon' && place.daemons().some(({ pid }) => killed(pid))) return true;
  }
  return false;
}
