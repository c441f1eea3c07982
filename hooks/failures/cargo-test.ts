import { type Found, found, type Sighting } from './found.js';
import { indexFrom } from './lines.js';

/** `cargo test`: `---- module::test stdout ----`, and below it where it panicked and why. */
export function readCargoTest(lines: readonly string[]): Found | null {
  const told = lines.flatMap((line, index): Sighting[] => {
    const name = /^---- (.+?) (?:stdout|stderr) ----$/u.exec(line)?.[1];
    return name === undefined ? [] : [{ name, reason: reasonBelow(lines, index + 1), line: index }];
  });
  if (told.length > 0) return found('test_failure', told);
  const listed = lines.flatMap((line, index): Sighting[] => {
    const name = /^test (.+?) \.\.\. FAILED$/u.exec(line)?.[1];
    return name === undefined ? [] : [{ name, reason: '', line: index }];
  });
  return found('test_failure', listed);
}

function reasonBelow(lines: readonly string[], from: number): string {
  const end = indexFrom(lines, from, /^---- .+ ----$|^failures:$/u);
  const at = indexFrom(lines, from, /\bpanicked at /u);
  if (at >= end) return lines.slice(from, end).find((line) => /^Error: /u.test(line)) ?? '';
  // Before Rust 1.73 the message stood in the line, in quotes.
  const old = /^(?:(?!panicked at ').)*panicked at '(.*)', \S+:\d+:\d+$/u.exec(lines[at] ?? '')?.[1];
  if (old !== undefined) return old;
  const [said = '', ...values] = lines.slice(at + 1, at + 4).map((line) => line.trim());
  return [said, ...values.filter((line) => /^(?:left|right): /u.test(line))].join(' ');
}
