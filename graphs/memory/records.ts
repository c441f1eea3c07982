import { z } from 'zod';
import { didYouMean, isNear, shownLine } from '../../present/index.js';
import { issuesText, LIMITS, timeOf } from '../../schema/index.js';
import {
  CONTENT_FIELDS,
  idField,
  nameField,
  relationField,
  relationIdField,
  shareField,
  textUpTo,
  typeField,
} from './fields.js';
import { whyNoMemoryId } from './identity.js';

/** Each version of a memory is looked up by its number. */
const version = z.number().int().min(1).max(10_000);
const count = z.number().int().min(0).default(0);
const share = shareField.nullable().default(null);
const time = z.string().refine((one) => timeOf(one) !== null, {
  error: ({ input }) => `'${String(input)}' is no time: give ISO 8601`,
});
const laterTime = time.nullable().default(null);
const confidence = shareField.default(LIMITS.memoryConfidence.default);
const counts = {
  evidence_count: count,
  validation_count: count,
  counter_evidence_count: count,
  last_validated: laterTime,
};
const content = {
  type: typeField,
  title: CONTENT_FIELDS.title,
  content: CONTENT_FIELDS.content,
  summary: CONTENT_FIELDS.summary.nullable().default(null),
  tags: CONTENT_FIELDS.tags.default([]),
  importance: shareField.default(LIMITS.memoryImportance.default),
  confidence,
  effectiveness: share,
  /** What is known of S4-13's eleven fields, without their prefix. */
  context: z.record(z.string(), z.unknown()).default({}),
};

/** One line of an export of memories. */
export const ExchangeRecord = z.discriminatedUnion('record', [
  z.strictObject({
    record: z.literal('header'),
    format: z.literal(1),
    // How many records follow: shows whether a file was cut off.
    ...{ memories: count, versions: count, relations: count, abouts: count },
  }),
  z.strictObject({
    record: z.literal('memory'),
    id: idField.refine((id) => whyNoMemoryId(id) === null, {
      error: ({ input }) => whyNoMemoryId(String(input)) ?? '',
    }),
    ...content,
    usage_count: count,
    created_at: time,
    updated_at: time,
    last_accessed: laterTime,
    version: version.default(1),
    ...counts,
    evidence: z
      .array(textUpTo(2 * LIMITS.memoryEvidence.max))
      .max(LIMITS.memoryEvidenceKept.max)
      .default([]),
  }),
  z.strictObject({
    record: z.literal('version'),
    memory_id: idField,
    version,
    said_at: time,
    replaced_at: time,
    /** The memory was deleted: the file has no record of it. */
    deleted: z.literal(true).optional(),
    ...content,
  }),
  z.strictObject({
    record: z.literal('relation'),
    id: relationIdField,
    type: relationField,
    from: idField,
    to: idField,
    strength: shareField.default(LIMITS.relationStrength.default),
    confidence,
    context: textUpTo(LIMITS.memoryContext.max).nullable().default(null),
    ...counts,
    success_rate: share,
    created_at: time,
    proposed: z.literal(true).optional(),
    /** When the relation was changed or removed: this is what it was before. */
    replaced_at: time.optional(),
  }),
  z.strictObject({
    record: z.literal('about'),
    memory_id: idField,
    target: nameField,
    kind: z.enum(['file', 'symbol', 'task', 'error']),
    content_hash: z
      .string()
      .regex(/^[0-9a-f]{64}$/u, 'it is no SHA-256 in hex')
      .nullable()
      .default(null),
    bound_at: laterTime,
  }),
]);
export type ExchangeRecord = z.infer<typeof ExchangeRecord>;

type Kind = Exclude<ExchangeRecord['record'], 'header'>;
/** A record of one kind and its line, from 1. */
export type RecordOf<K extends Kind> = Extract<ExchangeRecord, { record: K }> & { readonly line: number };

/** Something in a file that cannot be imported. */
export interface Problem {
  /** From 1; 0: the file as a whole. */
  readonly line: number;
  readonly why: string;
}

/** The records of a file by kind, and what is wrong with it. */
export type ReadRecords = { readonly [K in Kind]: RecordOf<K>[] } & { readonly problems: Problem[] };

const COUNTED = { memory: 'memories', version: 'versions', relation: 'relations', about: 'abouts' } as const;

/**
 * Reads an export of memories. A line is left out, with the reason, where it is no record or repeats one; a file with fewer
 * or more records than its header announces is a problem as a whole.
 */
export function readRecords(text: string): ReadRecords {
  const problems: Problem[] = [];
  const read: ReadRecords = { memory: [], version: [], relation: [], about: [], problems };
  const announced = { memories: 0, versions: 0, relations: 0, abouts: 0 };
  let hasHeader = false;
  const known = new Map<string, number>();
  const lines = text.replace(/^\ufeff/u, '').split('\n');
  for (const [at, one] of lines.entries()) {
    const line = at + 1;
    if (one.trim() === '') continue;
    const record = recordIn(one, line === lines.length);
    if (typeof record === 'string') {
      problems.push({ line, why: record });
      continue;
    }
    if (record.record === 'header') {
      hasHeader = true;
      for (const kind of Object.values(COUNTED)) announced[kind] += record[kind];
      continue;
    }
    const names = namesOf(record);
    const repeated = names.find((name) => known.has(name));
    if (repeated !== undefined) {
      problems.push({ line, why: `${repeated} stands in line ${known.get(repeated)} already` });
      continue;
    }
    for (const name of names) known.set(name, line);
    (read[record.record] as RecordOf<Kind>[]).push({ ...record, line });
  }
  for (const [kind, name] of hasHeader && problems.length === 0 ? Object.entries(COUNTED) : []) {
    const [number, found] = [announced[name], read[kind as Kind].length];
    if (number !== found) problems.push({ line: 0, why: cutOff(`${number} ${name}`, found) });
  }
  return read;
}

const cutOff = (announced: string, found: number) =>
  `the header announces ${announced}, there are ${found}: was the file cut off?`;

/** The record of a line, or why there is none. */
function recordIn(line: string, isLast: boolean): ExchangeRecord | string {
  const { max } = LIMITS.memoryLine;
  if (line.length > max) return `it has ${line.length} characters, at most ${max} are taken`;
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return `it is no JSON${isLast ? ': the last line is torn' : ''}: ${shownLine(line, 60)}`;
  }
  const parsed = ExchangeRecord.safeParse(value);
  if (parsed.success) return parsed.data;
  const { record, type } = Object(value);
  const isRelation = record === 'relation';
  const near = isRelation ? relationField.options.filter((name) => isNear(String(type), name)) : [];
  return `${issuesText(parsed.error, value)} ${didYouMean(near.slice(0, 3))}`.trimEnd();
}

/** What no two records of a file may have in common, in words. */
function namesOf(record: Exclude<ExchangeRecord, { record: 'header' }>): string[] {
  const name = (id: string) => `'${shownLine(id, 5000)}'`;
  switch (record.record) {
    case 'memory':
      return [`memory ${name(record.id)}`];
    case 'version':
      return [`version ${record.version} of ${name(record.memory_id)}`];
    case 'relation': {
      const { id, type, from, to, replaced_at } = record;
      if (replaced_at !== undefined) return [`relation ${name(id)} until ${replaced_at}`];
      return [`relation ${name(id)}`, `relation ${type} of ${name(from)} to ${name(to)}`];
    }
    case 'about':
      return [`what ${name(record.memory_id)} says of ${name(record.target)}`];
  }
}
