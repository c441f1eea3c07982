import type { Socket } from 'node:net';

/** What both sides must speak: a daemon and a client of different protocols do not understand each other. */
export const PROTOCOL = 1;

/** What each side says first. */
export interface Hello {
  readonly protocol: number;
  /** Of the package. */
  readonly version: string;
  /** When its files were built, in milliseconds since 1970: of two builds of one version the later one is newer. */
  readonly built: number;
  /** The daemon's process. */
  readonly pid?: number;
}

/** Bytes that a line may have. */
const LONGEST_LINE = 256 * 1024 * 1024;

/** Calls back with every whole line that comes, in order; a line that is too long ends the connection. */
export function onLines(socket: Socket, hear: (line: string) => void): void {
  let parts: Buffer[] = [];
  let held = 0;
  socket.on('data', (chunk: Buffer) => {
    let from = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      const line = Buffer.concat([...parts, chunk.subarray(from, end)]).toString('utf8');
      parts = [];
      held = 0;
      from = end + 1;
      if (line !== '') hear(line);
    }
    if (from === chunk.length) return;
    parts.push(chunk.subarray(from));
    held += chunk.length - from;
    if (held > LONGEST_LINE) socket.destroy(new Error('a line is too long'));
  });
}

/**
 * Whether `a` is newer than `b`: by version, then by when it was built.
 */
export function isNewer(a: Hello, b: Hello): boolean {
  const [left, right] = [numbersOf(a.version), numbersOf(b.version)];
  for (const [at, number] of left.entries()) {
    const other = right[at] ?? 0;
    if (number !== other) return number > other;
  }
  return a.built > b.built;
}

/** Whether the two are the same program. */
export function isSame(a: Hello, b: Hello): boolean {
  return a.protocol === b.protocol && a.version === b.version && a.built === b.built;
}

function numbersOf(version: string): number[] {
  return version
    .split(/[.+-]/u)
    .slice(0, 3)
    .map((part) => Number.parseInt(part, 10) || 0);
}
