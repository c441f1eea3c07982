import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { CodewalkError, type ErrorCode } from '../schema/index.js';

/** One kind of engine failure as people are told of it. */
interface Failure {
  readonly code: ErrorCode;
  readonly says: string;
  readonly suggestion: string;
}

const LOCKED: Failure = {
  code: 'STORE_LOCKED',
  says: 'is held by another process',
  suggestion:
    'Wait for that process (or end it), then try again: a command with --embedded, or a program that opened the graph before the daemon ran. Commands and agents share the daemon.',
};
const CORRUPT: Failure = {
  code: 'STORE_CORRUPT',
  says: 'cannot be read',
  suggestion:
    'Move the folder away and index again if it is a `derived` store; for a `durable` one run `codewalk rebuild --durable`.',
};
const FULL: Failure = {
  code: 'STORE_FULL',
  says: 'cannot be written',
  suggestion:
    'Free disk space, or set GRAPHS_HOME to a folder that can be written, and try again; nothing was half-written.',
};
const CLOSED: Failure = {
  code: 'STORE_CLOSED',
  says: 'is closed',
  suggestion: 'Open the graph again before using it.',
};
const UNKNOWN: Failure = { code: 'INTERNAL', says: 'failed', suggestion: '' };

const CLOSED_CODES = new Set([
  'LEVEL_DATABASE_NOT_OPEN',
  'LEVEL_BATCH_NOT_OPEN',
  'LEVEL_ITERATOR_NOT_OPEN',
  'LEVEL_SNAPSHOT_NOT_OPEN',
  'LEVEL_STATUS_CLOSED',
]);
const FULL_TEXT =
  /ENOSPC|No space left|EDQUOT|[Qq]uota exceeded|EROFS|Read-only file system|EACCES|EPERM|ENOTDIR|EEXIST|Permission denied|no such file or directory, mkdir /;
const CORRUPT_TEXT = /[Cc]orruption|does not exist \(create_if_missing|no meta-nextfile|CURRENT file/;
/** A file of the store is gone, cut, or none any more; but a process without files or memory left is no damage. */
const UNREADABLE_TEXT =
  /^IO error: (?!.*: (?:Too many open files|Cannot allocate memory|Resource temporarily))/;

/**
 * What an engine threw as one of our errors: `STORE_LOCKED`, `STORE_CORRUPT`, `STORE_FULL`, `STORE_CLOSED`,
 * else `INTERNAL`; each with a suggestion. Engines wrap the real reason, so every cause is looked at,
 * the innermost first.
 *
 * @param place The store's folder, or `memory`.
 */
export function storeError(thrown: unknown, place: string): CodewalkError {
  if (thrown instanceof CodewalkError) return thrown;
  const reasons = causes(thrown).reverse();
  const found =
    reasons.map(failureOf).find((failure) => failure !== undefined) ??
    (isClosed(reasons[0]) ? CLOSED : UNKNOWN);
  if (found === LOCKED) return heldStore(place, thrown);
  const reason = reasons[0];
  const detail = reason === undefined || found === CLOSED ? '' : `: ${reason.message}`;
  return new CodewalkError(found.code, `The store ${place} ${found.says}${detail}`, {
    suggestion: found.suggestion,
    cause: thrown,
  });
}

/**
 * Whether an error says that a store is damaged: a disk or a system that fails for a moment says nothing of it. LevelDB
 * gives no reason where a damaged CURRENT names a file with a zero byte.
 */
export function isDamage(error: unknown): boolean {
  return (
    error instanceof CodewalkError &&
    error.code === 'STORE_CORRUPT' &&
    !/IO error: (?!.*(?:No such (?:file|device)|Invalid argument|Not a directory|Is a directory|Too many levels of symbolic links)|[^:]*$)/s.test(
      error.message,
    )
  );
}

/** A `STORE_LOCKED`: somebody is at work on the store's folder. */
export function heldStore(place: string, cause: unknown): CodewalkError {
  const holder = holderOf(place);
  const who = holder === null ? '' : `: ${holder}`;
  return new CodewalkError('STORE_LOCKED', `The store ${place} ${LOCKED.says}${who}`, {
    suggestion: LOCKED.suggestion,
    cause,
  });
}

/** A `STORE_CORRUPT` of our own finding. */
export function corruptStore(place: string, detail: string): CodewalkError {
  return new CodewalkError('STORE_CORRUPT', `The store ${place} ${CORRUPT.says}: ${detail}`, {
    suggestion: CORRUPT.suggestion,
  });
}

/** The process that holds a store, where the system tells (Linux: `man 5 proc`, /proc/locks). */
function holderOf(folder: string): string | null {
  try {
    const { ino, dev } = statSync(join(folder, 'LOCK'));
    // As Linux has it in a number: major and minor, in hexadecimal.
    const device = [(dev >> 8) & 0xfff, (dev & 0xff) | ((dev >> 12) & 0xfff00)]
      .map((part) => part.toString(16).padStart(2, '0'))
      .join(':');
    const locks = readFileSync('/proc/locks', 'utf8').split('\n');
    const [, , , , pid] =
      locks
        .find((lock) => lock.includes(` ${device}:${ino} `))
        ?.trim()
        .split(/ +/) ?? [];
    if (!pid || pid === '0') return null;
    return `process ${pid} (${readFileSync(`/proc/${pid}/comm`, 'utf8').trim()})`;
  } catch {
    return null;
  }
}

function failureOf(reason: Error): Failure | undefined {
  const code = 'code' in reason ? reason.code : undefined;
  if (code === 'LEVEL_LOCKED') return LOCKED;
  if (code === 'LEVEL_CORRUPTION') return CORRUPT;
  if (typeof code === 'string' && FULL_TEXT.test(code)) return FULL;
  if (FULL_TEXT.test(reason.message)) return FULL;
  if (CORRUPT_TEXT.test(reason.message) || UNREADABLE_TEXT.test(reason.message)) return CORRUPT;
  return undefined;
}

/** Only the innermost reason counts: a store that failed to open for another reason is not open either. */
function isClosed(reason: Error | undefined): boolean {
  return reason !== undefined && 'code' in reason && CLOSED_CODES.has(String(reason.code));
}

function causes(thrown: unknown): Error[] {
  const found: Error[] = [];
  for (let at = thrown; at instanceof Error && found.length < 8; at = at.cause) found.push(at);
  return found;
}
