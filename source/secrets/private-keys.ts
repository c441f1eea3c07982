import type { SecretSpan } from './span.js';
import { HIDDEN, looks } from './value-look.js';

/** The word `PRIVATE KEY` in armour. */
const ARMOUR =
  /-{4,5} ?(BEGIN|END) (?:[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?|OpenVPN Static key V1) ?-{4,5}|Private-Lines: \d{1,4}/g;
/** A run of base64 that is long enough to be a line of a key, or the last one. */
const BODY = /[A-Za-z0-9+/=]{16,}/;
/** `Proc-Type: 4,ENCRYPTED`, `DEK-Info: …`, `Version: …`, `Comment: …`. */
const HEADER = /^[\s"'`+>|,\\0-9:→-]{0,40}[A-Za-z-]{3,30}: /;
/** Most lines of a key: RSA of 16,384 bits has some 200. */
const MOST_LINES = 400;
/** Most of a line that is looked at: a key whose line ends are escaped. */
const LONGEST_LINE = 20_000;
const SHORTEST_RUN = 16;
/** Most lines between the armour and the key. */
const MOST_HEADERS = 8;

/**
 * Private keys in their armour; also with an end or the beginning cut off. The armour alone, without a key, is ordinary
 * code.
 */
export function privateKeys(text: string): SecretSpan[] {
  const spans: SecretSpan[] = [];
  ARMOUR.lastIndex = 0;
  const seen = { nothingUntil: 0 };
  let from = 0;
  let dashes = 0;
  for (let found = ARMOUR.exec(text); found !== null; found = ARMOUR.exec(text)) {
    const behind = found.index + found[0].length;
    // Looked for once for all armours before it.
    if (dashes < behind) dashes = at(text, '-----', behind);
    const span =
      found[1] === 'END' ? bodyBefore(text, found.index, from) : bodyBehind(text, behind, dashes, seen);
    if (span) spans.push({ ...span, name: 'private key' });
    from = Math.max(behind, span?.end ?? 0);
    ARMOUR.lastIndex = from;
  }
  return spans;
}

/** @param seen Up to where no run was found: it is not looked for there again. */
function bodyBehind(
  text: string,
  from: number,
  stop: number,
  seen: { nothingUntil: number },
): { start: number; end: number } | null {
  let begin = from;
  let [start, end, headers] = [-1, -1, 0];
  for (let line = 0; line < MOST_LINES && begin < stop; line++) {
    const next = Math.min(stop, at(text, '\n', begin));
    const limit = Math.min(next, begin + LONGEST_LINE);
    const known = Math.max(begin, seen.nothingUntil - SHORTEST_RUN);
    const isKnown = known >= limit - 1 || BODY.exec(text.slice(known, limit)) === null;
    if (isKnown) seen.nothingUntil = Math.max(seen.nothingUntil, limit);
    const part = text.slice(begin, limit);
    // What is behind the mask of a key was left as it is.
    if (start < 0 && part.includes(HIDDEN)) return null;
    const body = isKnown ? null : BODY.exec(part);
    if (body && !(part.length < 120 && HEADER.test(part)) && isKeyLine(part, body[0], start < 0)) {
      if (start < 0) start = begin + body.index;
      end = begin + lastRun(part);
    } else if (start < 0) {
      // A key on the line of its armour begins with what a line of code could also begin with.
      if (++headers > MOST_HEADERS) return null;
    } else {
      if (isLastLine(part)) end = begin + lastRun(part);
      break;
    }
    begin = next + 1;
  }
  return start < 0 ? null : { start, end };
}

/** The lines before an end whose beginning was cut off. */
function bodyBefore(text: string, end: number, from: number): { start: number; end: number } | null {
  let [start, stop] = [-1, end];
  for (let line = 0; line < MOST_LINES && stop > from; line++) {
    const lowest = Math.max(from, stop - LONGEST_LINE);
    const begin = lowest + text.slice(lowest, stop).lastIndexOf('\n') + 1;
    const part = text.slice(begin, stop);
    const body = BODY.exec(part);
    if (body && isKeyLine(part, body[0], false)) start = begin + body.index;
    else if (line > 1 || part.replace(/[\s"'`+>|,\\0-9:→.-]/g, '').length > 80) break;
    stop = begin - 1;
  }
  return start < 0 ? null : { start, end: start + lastRun(text.slice(start, end)) };
}

/** Whether a line is a run of base64 with nothing around it but numbers, quotes and signs, or the name of a file. */
function isKeyLine(line: string, run: string, isFirst: boolean): boolean {
  // Short lines with slashes look like paths, but for their capitals.
  const written = /[A-Z]/.test(run) ? run.replaceAll('/', '') : run;
  if (run.length < 60 && !looks(written, 'opaque')) return false;
  const rest = line.length - run.length;
  return rest <= 40 || (isFirst && run.length >= 40) || run.length >= 60;
}

function isLastLine(line: string): boolean {
  return (
    /^[\s"'`+>|,\\0-9:→-]{0,40}[A-Za-z0-9+/]{1,15}={0,2}[\s"'`+,;\\]{0,10}$/.test(line) ||
    /^\s*=[\w+/]{4}\s*$/.test(line)
  );
}

/** Where the last run of base64 of a text ends. */
function lastRun(text: string): number {
  let end = text.length;
  while (end > 0 && !/[A-Za-z0-9+/=]/.test(text[end - 1] ?? '')) end--;
  return end;
}

/** Where a text stands behind an offset; the end where it does not. */
function at(text: string, part: string, from: number): number {
  const found = text.indexOf(part, from);
  return found < 0 ? text.length : found;
}
