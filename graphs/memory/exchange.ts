import { z } from 'zod';
import { didYouMean, isNear, shownLine } from '../../present/index.js';
import { compareText, type ReadContext } from '../../runtime/index.js';
import {
  grouped,
  isoOf,
  issuesText,
  LIMITS,
  MemoryAbout,
  MemoryRelationVersion,
  timeOf,
} from '../../schema/index.js';
import { aboutKind } from './about.js';
import { contextIn } from './content.js';
import {
  CONTENT_FIELDS,
  idField,
  nameField,
  relationField,
  relationIdField,
  shareField,
  textUpTo,
} from './fields.js';
import { whyNoMemoryId } from './identity.js';
import { type RelationProps, relationsOf } from './relations.js';
import { storedMemories } from './versions.js';

/** Each version of a memory is looked up by its number. */
const version = z.number().int().min(1).max(10_000);
const count = z.number().int().min(0).default(0);
const share = shareField.nullable().default(null);
const time = z
  .string()
  .refine((one) => timeOf(one) !== null, {
    error: ({ input }) => `'${String(input)}' is no time: give ISO 8601`,
  })
  .overwrite((one) => isoOf(timeOf(one) ?? 0));
const laterTime = time.nullable().default(null);
const confidence = shareField.default(LIMITS.memoryConfidence.default);
const outcomes = {
  evidence_count: count,
  validation_count: count,
  counter_evidence_count: count,
  last_validated: laterTime,
};
const content = {
  type: CONTENT_FIELDS.type,
  title: CONTENT_FIELDS.title,
  content: CONTENT_FIELDS.content,
  summary: CONTENT_FIELDS.summary.nullable().default(null),
  tags: CONTENT_FIELDS.tags.default([]),
  importance: shareField.default(LIMITS.memoryImportance.default),
  confidence,
  effectiveness: share,
  /** What is known of S4-13's eleven fields, without their prefix. */
  context: CONTENT_FIELDS.context.default({}),
};

const HeaderRecord = z.strictObject({
  record: z.literal('header'),
  format: z.literal(1),
  // How many records follow: shows whether a file was cut off.
  ...{ memories: count, versions: count, relations: count, abouts: count },
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
  ...outcomes,
  evidence: z
    .array(textUpTo(2 * LIMITS.memoryEvidence.max))
    .max(LIMITS.memoryEvidenceKept.max)
    .default([]),
});
const VersionRecord = z.strictObject({
  record: z.literal('version'),
  memory_id: idField,
  version,
  said_at: time,
  replaced_at: time,
  /** The memory was deleted: the file has no record of it. */
  deleted: z.literal(true).optional(),
  ...content,
});
const RelationRecord = z.strictObject({
  record: z.literal('relation'),
  id: relationIdField,
  type: relationField,
  from: idField,
  to: idField,
  strength: shareField.default(LIMITS.relationStrength.default),
  confidence,
  context: textUpTo(LIMITS.memoryContext.max).nullable().default(null),
  ...outcomes,
  success_rate: share,
  created_at: time,
  proposed: z.literal(true).optional(),
  /** When the relation was changed or removed: this is what it was before. */
  replaced_at: time.optional(),
});
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

/** One line of an export of memories: it has the stored properties under their names, in this order. */
export const ExchangeRecord = z.discriminatedUnion('record', [
  HeaderRecord,
  MemoryRecord,
  VersionRecord,
  RelationRecord,
  AboutRecord,
]);
export type ExchangeRecord = z.infer<typeof ExchangeRecord>;

type Kind = ExchangeRecord['record'];
/** A record of one kind and its line, from 1. */
export type RecordOf<K extends Kind> = Extract<ExchangeRecord, { record: K }> & { readonly line: number };

/** The records that a header counts, with their names there. */
const COUNTED = [
  ['memory', 'memories'],
  ['version', 'versions'],
  ['relation', 'relations'],
  ['about', 'abouts'],
] as const;

type ExchangeHeader = z.infer<typeof HeaderRecord>;

/**
 * Everything that is stored of memories as records: the header, memories by id, their versions, relations by (from, type,
 * to), earlier ones after those there are, what memories are about. The order follows from what is stored, never from when.
 */
export async function exportRecords(
  context: Pick<ReadContext, 'find' | 'entries' | 'entryEdges' | 'q'>,
): Promise<readonly [ExchangeHeader, ...ExchangeRecord[]]> {
  const stored = await storedMemories(context);
  const all: ExchangeRecord[] = stored.flatMap(({ versions }) => {
    const deleted = versions.every((one) => 'memory_id' in one) || undefined;
    return versions.map((one) => {
      const values = { ...one, deleted, context: contextIn(one) };
      return 'memory_id' in one ? recordOf(VersionRecord, values) : recordOf(MemoryRecord, values);
    });
  });
  const ids = stored.map(({ id }) => id);
  for (const relations of await relationsOf(context, ids)) {
    const out = relations.filter(({ direction }) => direction === 'out');
    out.sort((a, b) => compareText(`${a.type} ${a.to}`, `${b.type} ${b.to}`));
    for (const { type, from, to, props } of out) all.push(relationRecord(props, { type, from, to }));
  }
  const earlier = await context.find(MemoryRelationVersion);
  for (const one of earlier.sort((a, b) => compareText(a.id, b.id)))
    all.push(relationRecord(one, { from: one.from_memory_id, to: one.to_memory_id }));
  const path = context.q(ids).out(MemoryAbout);
  const kinds = new Map((await path).map((node) => [node.id, aboutKind(node)]));
  for (const { from: memory_id, to: target, ...props } of await path.edges()) {
    const kind = kinds.get(target);
    if (kind) all.push(recordOf(AboutRecord, { ...props, memory_id, target, kind }));
  }
  const byKind = grouped(all, ({ record }) => record);
  const counts = COUNTED.map(([kind, name]) => [name, byKind.get(kind)?.length ?? 0]);
  const header = recordOf(HeaderRecord, { format: 1, ...Object.fromEntries(counts) });
  return [header, ...COUNTED.flatMap(([kind]) => byKind.get(kind) ?? [])];
}

function relationRecord(props: RelationProps, ends: object): ExchangeRecord {
  const proposed = props.proposed || undefined;
  return recordOf(RelationRecord, { ...props, ...ends, id: props.relation_id, proposed });
}

/** A record with the values of its fields, in their order. */
function recordOf<T extends z.ZodObject>(schema: T, values: Readonly<Record<string, unknown>>): z.output<T> {
  const [record] = schema.shape.record.values;
  const known = Object.keys(schema.shape).filter((field) => values[field] !== undefined);
  return { record, ...Object.fromEntries(known.map((field) => [field, values[field]])) } as z.output<T>;
}

/** Something in a file that cannot be imported. */
export interface Problem {
  /** From 1; 0: the file as a whole. */
  readonly line: number;
  readonly why: string;
}

/** The records of a file by kind, and what is wrong with it. */
export type ReadRecords = { readonly [K in Kind]: RecordOf<K>[] } & { readonly problems: Problem[] };

/**
 * Reads an export of memories. A line is left out, with the reason, where it is no record or repeats one; a file with fewer
 * or more records than its header announces is a problem as a whole.
 */
export function readRecords(text: string): ReadRecords {
  const problems: Problem[] = [];
  const read: ReadRecords = { header: [], memory: [], version: [], relation: [], about: [], problems };
  const known = new Map<string, number>();
  const lines = text.replace(/^\ufeff/u, '').split('\n');
  for (const [at, one] of lines.entries()) {
    const line = at + 1;
    if (one.trim() === '') continue;
    const record = recordIn(one, line === lines.length);
    const names = typeof record === 'string' ? [] : namesOf(record);
    const repeated = names.find((name) => known.has(name));
    if (typeof record === 'string') problems.push({ line, why: record });
    else if (repeated !== undefined)
      problems.push({ line, why: `${repeated} stands in line ${known.get(repeated)} already` });
    else {
      for (const name of names) known.set(name, line);
      (read[record.record] as ExchangeRecord[]).push({ ...record, line } as RecordOf<Kind>);
    }
  }
  for (const [kind, name] of read.header.length > 0 && problems.length === 0 ? COUNTED : []) {
    const announced = read.header.reduce((sum, header) => sum + header[name], 0);
    const found = read[kind].length;
    const why = `the header announces ${announced} ${name}, there are ${found}: was the file cut off?`;
    if (announced !== found) problems.push({ line: 0, why });
  }
  return read;
}

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
function namesOf(record: ExchangeRecord): string[] {
  const name = (id: string) => `'${shownLine(id, 5000)}'`;
  switch (record.record) {
    case 'header':
      return [];
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
