import { type Found, found, type Sighting } from './found.js';
import { ERROR_NAME } from './lines.js';

/** What a program died of: an error that nobody caught. */
export function readThrown(lines: readonly string[]): Found | null {
  for (const read of [traceback, uncaught, panic]) {
    const sighting = read(lines);
    if (sighting) return found('runtime_error', [sighting]);
  }
  return null;
}

/** Python: the last error that stands below a traceback, and below the calls in it. */
function traceback(lines: readonly string[]): Sighting | null {
  const from = lines.findLastIndex((line) => /^\s*Traceback \(most recent call last\):$/u.test(line));
  if (from < 0) return null;
  const at = lines.findIndex(
    (line, index) => index > from && /^[A-Za-z_][\w.]*(?:: .*)?$/u.test(line.trimEnd()),
  );
  return at < 0 ? null : { name: null, reason: lines[at] ?? '', line: from };
}

/** Node, Java, Ruby and others: `TypeError: …`, and calls below it. */
function uncaught(lines: readonly string[]): Sighting | null {
  const line = lines.findIndex((one, index) => {
    if (!ERROR_NAME.test(one) && !/^(?:Uncaught |Exception in thread )/u.test(one)) return false;
    return lines.slice(index + 1, index + 8).some((next) => /^\s+at \S/u.test(next));
  });
  const reason = lines[line]?.replace(/^Uncaught /u, '').replace(/^Exception in thread "[^"]*" /u, '');
  return reason === undefined ? null : { name: null, reason, line };
}

/** Go: `panic: …`; Rust: `thread 'main' panicked at src/main.rs:2:5:`, and why in the next line. */
function panic(lines: readonly string[]): Sighting | null {
  const line = lines.findIndex((one) => /^panic: |^thread '(?:(?!' ).)*' .*panicked at /u.test(one));
  const told = lines[line];
  if (told === undefined) return null;
  const reason = told.startsWith('panic: ') ? told : `panicked: ${lines[line + 1]?.trim() ?? ''}`;
  return { name: null, reason, line };
}
