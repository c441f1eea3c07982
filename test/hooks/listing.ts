import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { agents } from '../../hooks/index.js';

/** What {@link listingOf} takes the recorder's clock and file names to be. */
export const RECORDED = { name: '1795218000.000000.1.aaaa.json', at: 1_795_218_000_000 };

/** The client whose samples a folder holds. */
export function clientOf(folder: string): string {
  return basename(folder).replace(/-[\d.]+$/u, '');
}

/** The files of a folder of samples, sorted. */
export function samplesIn(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => join(folder, name));
}

/** What a folder's payloads come to, for people to read: under each its events, then what it asks. */
export function listingOf(folder: string): string {
  const client = clientOf(folder);
  return samplesIn(folder)
    .map((file) => `${basename(file, '.json')}\n${linesOf(client, readFileSync(file)).join('')}`)
    .join('\n');
}

function linesOf(client: string, payload: Uint8Array): string[] {
  const events = agents.eventsOf({ client, payload, ...RECORDED }) ?? [];
  const question = agents.questionOf({ client, payload });
  return [
    ...(events.length === 0 ? ['  no event\n'] : []),
    ...events.flatMap(({ kind, payload: said, at, event_id, ...names }) => [
      `  ${String(kind)}\n`,
      `    at ${timeOf(at)}  ${short(event_id)}  ${Object.entries(names)
        .map(([name, value]) => `${name} ${short(value)}`)
        .join('  ')}\n`,
      ...fieldsOf(said),
    ]),
    ...(question === null
      ? []
      : [
          '  asks\n',
          ...fieldsOf(question.input),
          `    gets ${question.wrap({ text: '…', notice: null })}\n`,
        ]),
  ];
}

function timeOf(at: number): string {
  const whole = Math.floor(at);
  return `${new Date(whole).toISOString()}${at === whole ? '' : '+'}`;
}

function fieldsOf(said: unknown): string[] {
  return Object.entries(Object(said)).flatMap(([field, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    if (!text.includes('\n')) return [`    ${field}: ${text}\n`];
    return [
      `    ${field}:\n`,
      ...text
        .split('\n')
        .map((line) => `      | ${line}`.trimEnd())
        .map((line) => `${line}\n`),
    ];
  });
}

/** Hashes by their beginning. */
function short(value: unknown): string {
  return String(value).replace(/[0-9a-f]{32}/gu, (hash) => `${hash.slice(0, 8)}…`);
}
