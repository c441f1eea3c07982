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
const time = z.string().refine((one) => timeOf(one) !== null, {
  error: ({ input }) => `'${String(input)}' is no time: give ISO 8601`,
});
const laterTime = time.nullable().default(null);

const content = {
  type: typeField,
  title: CONTENT_FIELDS.title,
  content: CONTENT_FIELDS.content,
  summary: CONTENT_FIELDS.summary.nullable().default(null),
  tags: CONTENT_FIELDS.tags.default([]),
  importance: shareField.default(LIMITS.memoryImportance.default),
  confidence: shareField.default(LIMITS.memoryConfidence.default),
  effectiveness: shareField.nullable().default(null),
  /** What is known of S4-13's eleven fields, without their prefix. */
  context: z.record(z.string(), z.unknown()).default({}),
};

const HeaderRecord = z.strictObject({
  record: z.literal('header'),
  format: z.literal(1),
  memories: count,
  versions: count,
  relations: count,
  relation_versions: count,
  abouts: count,
});

const MemoryRecord = z.strictObject({
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
  evidence_count: count,
  validation_count: count,
  counter_evidence_count: count,
  last_validated: laterTime,
  evidence: z
    .array(textUpTo(2 * LIMITS.memoryEvidence.max))
    .max(LIMITS.memoryEvidenceKept.max)
    .default([]),
});
/** A memory: its content and its counts. */
export type MemoryRecord = z.infer<typeof MemoryRecord>;

const VersionRecord = z.strictObject({
  record: z.literal('version'),
  memory_id: idField,
  version,
  said_at: time,
  replaced_at: time,
  /** True: the memory was deleted; the file has no record of it. */
  deleted: z.literal(true).optional(),
  ...content,
});
/** The content of a memory before an update or its deletion. */
export type VersionRecord = z.infer<typeof VersionRecord>;

const relation = {
  id: relationIdField,
  type: relationField,
  from: idField,
  to: idField,
  strength: shareField.default(LIMITS.relationStrength.default),
  confidence: shareField.default(LIMITS.memoryConfidence.default),
  context: textUpTo(LIMITS.memoryContext.max).nullable().default(null),
  evidence_count: count,
  success_rate: shareField.nullable().default(null),
  created_at: time,
  last_validated: laterTime,
  validation_count: count,
  counter_evidence_count: count,
  proposed: z.literal(true).optional(),
};

const RelationRecord = z.strictObject({ record: z.literal('relation'), ...relation });
/** A relation between two memories with its properties (S4-23). */
export type RelationRecord = z.infer<typeof RelationRecord>;

const RelationVersionRecord = z.strictObject({
  record: z.literal('relation_version'),
  ...relation,
  replaced_at: time,
});
/** A relation before it was changed or removed. */
export type RelationVersionRecord = z.infer<typeof RelationVersionRecord>;

const AboutRecord = z.strictObject({
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
});
/** What a memory is about, with its hash when the memory was bound to it. */
export type AboutRecord = z.infer<typeof AboutRecord>;

/** One line of an export of memories. The header comes first: its counts show whether a file was truncated. */
export const ExchangeRecord = z.discriminatedUnion('record', [
  HeaderRecord,
  MemoryRecord,
  VersionRecord,
  RelationRecord,
  RelationVersionRecord,
  AboutRecord,
]);
export type ExchangeRecord = z.infer<typeof ExchangeRecord>;

/** Something in a file that cannot be imported. */
export interface Problem {
  /** From 1; 0: the file as a whole. */
  readonly line: number;
  readonly why: string;
}

/** A record and its line, from 1. */
export type At<T> = T & { readonly line: number };

/** The records of a file by kind, and what is wrong with it. */
export interface ReadRecords {
  readonly memory: At<MemoryRecord>[];
  readonly version: At<VersionRecord>[];
  readonly relation: At<RelationRecord>[];
  readonly relation_version: At<RelationVersionRecord>[];
  readonly about: At<AboutRecord>[];
  readonly problems: Problem[];
}

type Body = Exclude<ExchangeRecord, { record: 'header' }>;
const COUNTED = {
  memory: 'memories',
  version: 'versions',
  relation: 'relations',
  relation_version: 'relation_versions',
  about: 'abouts',
} as const satisfies Record<Body['record'], string>;

/**
 * Reads an export of memories. A line is left out, with the reason, where it is no record or repeats one; a file with fewer
 * or more records than its header announces is a problem as a whole.
 */
export function readRecords(text: string): ReadRecords {
  const problems: Problem[] = [];
  const read: ReadRecords = {
    memory: [],
    version: [],
    relation: [],
    relation_version: [],
    about: [],
    problems,
  };
  const announced = new Map<string, number>();
  const found = new Map<string, number>();
  const count = (counts: Map<string, number>, kind: string, by: number) =>
    counts.set(kind, (counts.get(kind) ?? 0) + by);
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
      for (const kind of Object.values(COUNTED)) count(announced, kind, record[kind]);
      continue;
    }
    count(found, COUNTED[record.record], 1);
    const names = namesOf(record);
    const repeated = names.find((name) => known.has(name));
    if (repeated !== undefined) {
      problems.push({ line, why: `${repeated} stands in line ${known.get(repeated)} already` });
      continue;
    }
    for (const name of names) known.set(name, line);
    (read[record.record] as At<Body>[]).push({ ...record, line });
  }
  for (const [kind, number] of problems.length === 0 ? announced : [])
    if (number !== (found.get(kind) ?? 0))
      problems.push({
        line: 0,
        why: `the header announces ${number} ${kind}, there are ${found.get(kind) ?? 0}: was the file cut off?`,
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
    return `it is no JSON${isLast ? ': the last line is torn' : ''}: ${shownLine(line, 60)}`;
  }
  const parsed = ExchangeRecord.safeParse(value);
  if (parsed.success) return parsed.data;
  const { record, type } = Object(value);
  const near =
    record === 'relation' ? relationField.options.filter((name) => isNear(String(type), name)) : [];
  return `${issuesText(parsed.error, value)} ${didYouMean(near.slice(0, 3))}`.trimEnd();
}

/** What no two records of a file may have in common, in words. */
function namesOf(record: Body): string[] {
  switch (record.record) {
    case 'memory':
      return [`memory '${shownLine(record.id, 200)}'`];
    case 'version':
      return [`version ${record.version} of '${shownLine(record.memory_id, 200)}'`];
    case 'relation': {
      const [from, to] = [record.from, record.to].map((id) => shownLine(id, 200));
      return [`relation '${shownLine(record.id, 1000)}'`, `relation ${record.type} of '${from}' to '${to}'`];
    }
    case 'relation_version':
      return [`version of relation '${shownLine(record.id, 1000)}' until ${record.replaced_at}`];
    case 'about':
      return [`what '${shownLine(record.memory_id, 200)}' says of '${shownLine(record.target, 5000)}'`];
  }
}
