import { issuesText, LIMITS } from '../../../schema/index.js';
import { shownLine } from '../../shown-text.js';
import { didYouMean, isNear } from '../../suggestion.js';
import { relationField } from '../memory-fields.js';
import {
  type AboutRecord,
  ExchangeRecord,
  type MemoryRecord,
  type RelationRecord,
  type VersionRecord,
} from './memory-record.js';

/** Something in a file that cannot be taken. */
export interface Problem {
  /** From 1; 0: the file as a whole. */
  readonly line: number;
  readonly why: string;
}

/** A record and the line where it stands. */
export type At<T> = T & { readonly line: number };

/** What a file says, by kind, and what is wrong with it. */
export interface ReadRecords {
  readonly memories: At<MemoryRecord>[];
  readonly versions: At<VersionRecord>[];
  readonly relations: At<RelationRecord>[];
  readonly abouts: At<AboutRecord>[];
  readonly problems: Problem[];
}

type Kind = Exclude<keyof ReadRecords, 'problems'>;
const KINDS = { memory: 'memories', version: 'versions', relation: 'relations', about: 'abouts' } as const;

/**
 * Takes an export of memories apart. A line is left out with the reason where it is no record, or has the id of one that
 * stands before it; a file of which its header announces more than there is says so as a whole.
 */
export function readRecords(text: string): ReadRecords {
  const read: ReadRecords = { memories: [], versions: [], relations: [], abouts: [], problems: [] };
  const announced: Record<Kind, number> = { memories: 0, versions: 0, relations: 0, abouts: 0 };
  const seen: Record<Kind, number> = { memories: 0, versions: 0, relations: 0, abouts: 0 };
  const known = new Map<string, number>();
  let headers = 0;
  const lines = text.replace(/^\ufeff/u, '').split('\n');
  for (const [at, one] of lines.entries()) {
    const line = at + 1;
    if (one.trim() === '') continue;
    const record = recordIn(one, line === lines.length);
    if (typeof record === 'string') {
      read.problems.push({ line, why: record });
      continue;
    }
    if (record.record === 'header') {
      headers++;
      for (const kind of Object.values(KINDS)) announced[kind] += record[kind];
      continue;
    }
    seen[KINDS[record.record]]++;
    const doubled = keysOf(record).flatMap((key) => known.get(key) ?? [])[0];
    if (doubled !== undefined) {
      read.problems.push({ line, why: `${nameOf(record)} stands in line ${doubled} already` });
      continue;
    }
    for (const key of keysOf(record)) known.set(key, line);
    if (record.record === 'memory') read.memories.push({ ...record, line });
    else if (record.record === 'version') read.versions.push({ ...record, line });
    else if (record.record === 'relation') read.relations.push({ ...record, line });
    else read.abouts.push({ ...record, line });
  }
  for (const kind of Object.values(KINDS))
    if (headers > 0 && announced[kind] !== seen[kind] && read.problems.length === 0)
      read.problems.push({
        line: 0,
        why: `the header announces ${announced[kind]} ${kind}, there are ${seen[kind]}: was the file cut off?`,
      });
  return read;
}

/** The record of a line, or why there is none. */
function recordIn(line: string, isLast: boolean): ExchangeRecord | string {
  if (line.length > LIMITS.memoryLine.max)
    return `it has ${line.length} characters, at most ${LIMITS.memoryLine.max} are taken`;
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    const torn = isLast ? ': the last line is torn' : '';
    return `it is no JSON${torn}: ${shownLine(line, 60)}`;
  }
  const parsed = ExchangeRecord.safeParse(value);
  return parsed.success ? parsed.data : `${issuesText(parsed.error, value)}${nearRelation(value)}`;
}

function nearRelation(value: unknown): string {
  if (typeof value !== 'object' || value === null || !('type' in value)) return '';
  if (!('record' in value) || value.record !== 'relation') return '';
  const near = relationField.options.filter((name) => isNear(String(value.type), name));
  return near.length > 0 ? ` ${didYouMean(near.slice(0, 3))}`.trimEnd() : '';
}

type Body = Exclude<ExchangeRecord, { record: 'header' }>;

/** What no two records of a file may have in common. */
function keysOf(record: Body): string[] {
  switch (record.record) {
    case 'memory':
      return [`memory ${record.id}`];
    case 'version':
      return [`version ${record.memory_id} ${record.version}`];
    case 'relation':
      return [`relation ${record.id}`, `relation ${record.type} ${record.from} ${record.to}`];
    case 'about':
      return [`about ${record.memory_id} ${record.target}`];
  }
}

function nameOf(record: Body): string {
  switch (record.record) {
    case 'memory':
      return `memory '${shownLine(record.id)}'`;
    case 'version':
      return `version ${record.version} of '${shownLine(record.memory_id)}'`;
    case 'relation':
      return `relation '${shownLine(record.id)}'`;
    case 'about':
      return `what '${shownLine(record.memory_id)}' says of '${shownLine(record.target)}'`;
  }
}
