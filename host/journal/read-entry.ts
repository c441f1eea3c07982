import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LIMITS } from '../../schema/index.js';
import { withoutTexts } from '../../source/index.js';
import type { RecordedPayload } from '../agents.js';
import { type EntryLabel, parseEntry } from './entry-label.js';
import { timeInName } from './entry-name.js';
import { type AsideReason, isMissing } from './set-aside.js';

/** An event as `trace_ingest` takes it: what was told, its identity, and the time where none was told. */
export interface JournalEvent {
  readonly event_id: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly [field: string]: unknown;
}

/** What a file of the journal holds. */
export type ReadEntry =
  | {
      readonly kind: 'event';
      readonly label: EntryLabel;
      readonly event: JournalEvent;
      readonly bytes: number;
    }
  /** What a client's hook gave: see {@link Agents}. */
  | {
      readonly kind: 'payload';
      readonly label: EntryLabel;
      readonly recorded: RecordedPayload;
      readonly bytes: number;
    }
  | { readonly kind: 'aside'; readonly reason: AsideReason }
  /** Somebody else took it meanwhile. */
  | { readonly kind: 'vanished' };

/** Milliseconds after its second in which a file whose name tells no more was written. */
const SECOND = 2000;

/** Reads one file of the journal. Whatever it holds is an answer; only the disk's own errors are thrown. */
export function readEntry(folder: string, name: string): ReadEntry {
  const file = join(folder, name);
  const aside = (reason: AsideReason): ReadEntry => ({ kind: 'aside', reason });
  try {
    // A link is none of ours, wherever it leads.
    const status = lstatSync(file);
    const time = timeInName(name);
    if (time === null || !status.isFile()) return aside('not-ours');
    if (status.size > LIMITS.journalFile.max) return aside('too-large');
    const entry = parseEntry(readFileSync(file));
    if (typeof entry === 'string') return aside(entry);
    const { payload, ...label } = entry;
    const refined = time.coarse && status.mtimeMs >= time.at && status.mtimeMs < time.at + SECOND;
    const at = refined ? status.mtimeMs : time.at;
    const bytes = status.size;
    if (label.client !== null)
      return { kind: 'payload', label, recorded: { client: label.client, payload, name, at }, bytes };
    const told = objectIn(payload);
    if (told === null) return aside('not-json');
    const event = { ...told, event_id: identity(told.event_id) ?? name, at };
    return { kind: 'event', label, event, bytes };
  } catch (thrown) {
    if (isMissing(thrown)) return { kind: 'vanished' };
    throw thrown;
  }
}

function objectIn(payload: Buffer): Record<string, unknown> | null {
  try {
    // Bounded in depth: what takes it in may go through it by calls.
    const value = withoutTexts(JSON.parse(payload.toString('utf8')), () => false);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}

function identity(told: unknown): string | null {
  if (typeof told === 'number') return String(told);
  return typeof told === 'string' && told !== '' ? told : null;
}
