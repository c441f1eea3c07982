import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A payload, as its client sent it. */
export type Payload = Readonly<Record<string, unknown>>;

/**
 * The payloads of a whole scenario in the order in which a real client sent them (`test/e2e/write-recording.mjs`), in a
 * project of the test and with times that lie as far apart as they did, the last of them now.
 *
 * @param name A file of `recordings/`, without its ending.
 * @param root The project.
 */
export function recording(name: string, root: string): readonly Payload[] {
  const file = fileURLToPath(new URL(`recordings/${name}.jsonl`, import.meta.url));
  const place = JSON.stringify(root).slice(1, -1);
  const text = readFileSync(file, 'utf8').replaceAll('/project', place);
  const payloads = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line): Payload => JSON.parse(line));
  const last = payloads.map(timeOf).findLast((time) => time !== null);
  // Without times they are replayed faster than they were played: durations would reach back over what came before.
  if (!last) return payloads.map(({ duration_ms, ...payload }) => payload);
  return payloads.map((payload) => later(payload, Date.now() - last));
}

/** The same payload at another time, where it tells one: Qwen Code tells it in the names of calls, too. */
export function later(payload: Payload, milliseconds: number): Payload {
  const time = timeOf(payload);
  if (time === null) return payload;
  const text = JSON.stringify({ ...payload, timestamp: new Date(time + milliseconds).toISOString() });
  return JSON.parse(text.replace(/toolu_(\d{13})_/gu, (_, at) => `toolu_${Number(at) + milliseconds}_`));
}

function timeOf({ timestamp }: Payload): number | null {
  return typeof timestamp === 'string' ? Date.parse(timestamp) : null;
}
