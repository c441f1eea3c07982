import { z } from 'zod';
import { LIMITS, MEMORY_RELATION_SHAPE } from '../../../schema/index.js';
import { timeOf } from '../../trace/times.js';
import {
  idField,
  nameField,
  relationField,
  relationIdField,
  SAID_FIELDS,
  shareField,
  textUpTo,
  typeField,
} from '../memory-fields.js';
import { whyNoMemoryId } from '../new-memory-id.js';

/** The format that {@link HeaderRecord} names. */
export const EXCHANGE_FORMAT = 1;

/** A memory has as many earlier versions as its number says: each of them is looked for. */
const version = z.number().int().min(1).max(10_000);
const count = z.number().int().min(0).default(0);
const share = shareField.nullable().default(null);
const time = z.string().refine((one) => timeOf(one) !== null, {
  error: ({ input }) => `'${String(input)}' is no time: give ISO 8601`,
});

/** What stands first: how many records of each kind follow, so that a file that was cut off is known. */
export const HeaderRecord = z.strictObject({
  record: z.literal('header'),
  format: z.literal(EXCHANGE_FORMAT),
  memories: count,
  versions: count,
  relations: count,
  abouts: count,
});

const said = {
  type: typeField,
  title: SAID_FIELDS.title,
  content: SAID_FIELDS.content,
  summary: SAID_FIELDS.summary.nullable().default(null),
  tags: SAID_FIELDS.tags.default([]),
  importance: shareField.default(LIMITS.memoryImportance.default),
  confidence: shareField.default(LIMITS.memoryConfidence.default),
  effectiveness: share,
  /** What is known of S4-13's eleven fields, without their prefix. */
  context: z.record(z.string(), z.unknown()).default({}),
};

/** A memory: what it says and what is counted of it. */
export const MemoryRecord = z.strictObject({
  record: z.literal('memory'),
  id: idField.refine((id) => whyNoMemoryId(id) === null, {
    error: ({ input }) => whyNoMemoryId(String(input)) ?? '',
  }),
  ...said,
  usage_count: count,
  created_at: time,
  updated_at: time,
  last_accessed: time.nullable().default(null),
  version: version.default(1),
  evidence_count: count,
  validation_count: count,
  counter_evidence_count: count,
  last_validated: time.nullable().default(null),
  evidence: z
    .array(textUpTo(2 * LIMITS.memoryEvidence.max))
    .max(LIMITS.memoryEvidenceKept.max)
    .default([]),
});
export type MemoryRecord = z.infer<typeof MemoryRecord>;

/** What a memory said before an update. */
export const VersionRecord = z.strictObject({
  record: z.literal('version'),
  memory_id: idField,
  version,
  said_at: time,
  replaced_at: time,
  ...said,
});
export type VersionRecord = z.infer<typeof VersionRecord>;

/** A relation between two memories with its ten properties (S4-23). */
export const RelationRecord = z.strictObject({
  record: z.literal('relation'),
  id: relationIdField,
  type: relationField,
  from: idField,
  to: idField,
  strength: shareField.default(LIMITS.relationStrength.default),
  confidence: shareField.default(LIMITS.memoryConfidence.default),
  context: textUpTo(LIMITS.memoryContext.max).nullable().default(null),
  evidence_count: count,
  success_rate: share,
  created_at: time,
  last_validated: time.nullable().default(null),
  validation_count: MEMORY_RELATION_SHAPE.validation_count,
  counter_evidence_count: MEMORY_RELATION_SHAPE.counter_evidence_count,
});
export type RelationRecord = z.infer<typeof RelationRecord>;

/** What a memory is about, and what that was when it was bound. */
export const AboutRecord = z.strictObject({
  record: z.literal('about'),
  memory_id: idField,
  target: nameField,
  kind: z.enum(['file', 'symbol', 'task', 'error']),
  content_hash: z
    .string()
    .regex(/^[0-9a-f]{64}$/u, 'it is no SHA-256 in hex')
    .nullable()
    .default(null),
  bound_at: time.nullable().default(null),
});
export type AboutRecord = z.infer<typeof AboutRecord>;

/** One line of an export of memories. */
export const ExchangeRecord = z.discriminatedUnion('record', [
  HeaderRecord,
  MemoryRecord,
  VersionRecord,
  RelationRecord,
  AboutRecord,
]);
export type ExchangeRecord = z.infer<typeof ExchangeRecord>;
