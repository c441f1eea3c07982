// Those who send events and questions as commands: recorders, and a loop over the command line.
import { setTimeout as pause } from 'node:timers/promises';
import { ended, killed } from './place.mjs';
import { NO_ANSWER } from './tally.mjs';

/**
 * Records events, one process each, until all are acknowledged.
 *
 * @param storm `place`, `deliveries`, `tally`, `recorders` (those that run now)
 * @param way `sh` for the POSIX program, `node` for the command
 */
export async function record({ place, deliveries, tally, recorders }, way) {
  for (let one = await deliveries.take(); one !== null; one = await deliveries.take()) {
    const child = way === 'sh' ? place.startRecorder() : place.start(['record', '--root', place.root]);
    recorders.add(child);
    const end = await ended(child, JSON.stringify(one.event));
    recorders.delete(child);
    if (end.code === 0) {
      tally.add(`record ${way}`);
      deliveries.done();
    } else {
      const why = codeOf(end);
      tally.add(`record ${way}`, why, end.stderr);
      deliveries.back(one, why);
    }
  }
}

/** A loop over the command line: every other command records an event, the rest ask. */
export async function commandLoop({ place, deliveries, tally }) {
  for (let one = await deliveries.take(), turn = 0; one !== null; one = await deliveries.take(), turn += 1) {
    const { kind, payload, event_id, session_id, ts } = one.event;
    const named = ['--event-id', event_id, '--session-id', session_id, '--ts', String(ts)];
    const end = await place.run(['log', kind, '--payload', '-', ...named, '--json'], {
      input: JSON.stringify(payload),
    });
    const why = end.code === 0 ? null : codeOf(end);
    tally.add('command', why, `${end.stdout}${end.stderr}`);
    if (why === null) deliveries.done();
    else deliveries.back(one, why);
    await ask(place, tally, QUESTIONS[turn % QUESTIONS.length]);
  }
}

const QUESTIONS = [['stats'], ['tasks'], ['attempts', 'the ledger timed out'], ['status']];

/** Milliseconds from one run of the indexer to the next. */
const INDEX_MS = 100;

/** Indexes the project and what was edited in it, again and again. */
export async function indexLoop({ place, tally, edited, signal }) {
  for (let turn = 0; !signal.aborted; turn += 1) {
    const [path] = edited.splice(0);
    await ask(place, tally, path && turn % 3 > 0 ? ['update', path] : ['index', '--quiet', '--no-progress']);
    await pause(INDEX_MS, undefined, { signal }).catch(() => undefined);
  }
}

async function ask(place, tally, args) {
  const end = await place.run([...args, '--json']);
  tally.add('command', end.code === 0 ? null : codeOf(end), `${args.join(' ')}: ${end.stdout}${end.stderr}`);
}

/** The code of a command that failed, as it says on stdout or stderr. */
function codeOf({ signal, code, stdout, stderr }) {
  if (signal === 'SIGKILL') return NO_ANSWER;
  try {
    return JSON.parse(stdout).error_code;
  } catch {
    return /^error ([A-Z_]+)/m.exec(stderr)?.[1] ?? `exit ${code}`;
  }
}

/** Ends one of the recorders that run now, with what it started. @returns whether there was one */
export function killRecorder({ recorders, random }) {
  const running = [...recorders].filter(
    ({ exitCode, signalCode }) => exitCode === null && signalCode === null,
  );
  const chosen = running[Math.floor(random() * running.length)];
  return chosen?.pid !== undefined && killed(-chosen.pid);
}
