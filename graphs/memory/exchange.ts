import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { didYouMean, isNear, shownLine } from '../../present/index.js';
import {
  compareText,
  type EdgeRef,
  type PathExpression,
  propsOf,
  type ReadContext,
  type WriteContext,
} from '../../runtime/index.js';
import {
  type EdgeDraft,
  type EdgeType,
  grouped,
  isoOf,
  issuesText,
  LIMITS,
  MEMORY_RELATIONS,
  Memory,
  MemoryAbout,
  MemoryContent,
  type MemoryRelationName,
  MemoryRelationVersion,
  MemoryVersion,
  memoryVersionId,
  type NodeType,
  parseId,
  timeOf,
} from '../../schema/index.js';
import { masked } from '../../source/index.js';
import { ABOUT_KINDS, aboutKind } from './about.js';
import { storedMemories } from './change.js';
import {
  CONTENT_FIELDS,
  contextIn,
  idField,
  type MemoryRef,
  nameField,
  relationField,
  relationIdField,
  type StoredVersion,
  shareField,
  storedContent,
  storedText,
  textUpTo,
  versionsOf,
  whyNoMemoryId,
  writeMemoryText,
} from './content.js';
import { LAST, RelationProps, relationsOf } from './relations.js';

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
  memories: count,
  versions: count,
  relations: count,
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
type RecordOf<K extends Kind> = Extract<ExchangeRecord, { record: K }> & { readonly line: number };

/** The records that a header counts, with their names there, in their order in a file. */
const COUNTED = [
  ['memory', 'memories'],
  ['version', 'versions'],
  ['relation', 'relations'],
  ['about', 'abouts'],
] as const;

/**
 * Everything that is stored of memories as records: the header, memories by id, their versions, relations by (from, type,
 * to), earlier ones after those there are, what memories are about. The order follows from what is stored, never from when.
 */
export async function exportRecords(
  context: Pick<ReadContext, 'find' | 'entries' | 'entryEdges' | 'q'>,
): Promise<readonly [z.infer<typeof HeaderRecord>, ...ExchangeRecord[]]> {
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
type ReadRecords = { readonly [K in Kind]: RecordOf<K>[] } & { readonly problems: Problem[] };

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
  const near = relationField.options.filter((name) => record === 'relation' && isNear(String(type), name));
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

/** What a memory said from one time to another; until null: it says it still. */
interface Period {
  readonly content: z.infer<typeof MemoryContent>;
  readonly from: string;
  readonly until: string | null;
}

const tally = () => ({ created: 0, updated: 0, unchanged: 0 });

/**
 * An import of records. A memory that is stored already gets one history of both, so that nothing is lost and importing again
 * changes nothing; of two counts it gets the larger one, of two times the later one. Of two relations of one type between two
 * memories the one with more evidence counts, of two bindings the later one.
 */
export class ImportedRecords {
  readonly memories = tally();
  readonly relations = tally();
  readonly abouts = tally();
  /** Earlier versions of memories that were written. */
  versions = 0;
  /** The memories that are here or come with the file. */
  readonly #ids = new Set<string>();

  /** @param writer Null: nothing is written. */
  private constructor(
    private readonly context: WriteContext,
    private readonly writer: WriteContext | null,
    /** What was not imported, in order of the lines. */
    readonly problems: Problem[],
  ) {}

  /** Imports the records of a file: all but those of `problems`. A caller that accepts none ends the run. */
  static async of(context: WriteContext, read: ReadRecords, isDry: boolean): Promise<ImportedRecords> {
    const imported = new ImportedRecords(context, isDry ? null : context, [...read.problems]);
    await imported.#takeMemories(read);
    for (const [type, records] of grouped(read.relation, (record) => record.type))
      await imported.#takeRelations(type, records);
    await imported.#takeAbouts(read.about);
    imported.problems.sort((a, b) => a.line - b.line);
    return imported;
  }

  #refuse({ line }: { readonly line: number }, why: string): void {
    this.problems.push({ line, why });
  }

  async #takeMemories(read: ReadRecords): Promise<void> {
    const ids = read.memory.map(({ id }) => id);
    const ends = read.relation.flatMap(({ from, to }) => [from, to]);
    const owners = [...read.about, ...read.version].map(({ memory_id }) => memory_id);
    const stored = await this.context.nodesOf(Memory, [...new Set([...ids, ...ends, ...owners])]);
    const here = new Map(stored.filter(({ gone }) => !gone).map((memory) => [memory.id, memory]));
    for (const id of here.keys()) this.#ids.add(id);
    const others = await this.context.nodes(ids);
    const byNumber = read.version.toSorted((a, b) => a.version - b.version);
    const versions = grouped(byNumber, ({ memory_id }) => memory_id);
    const written: MemoryRef[] = [];
    for (const [at, record] of read.memory.entries()) {
      const { id } = record;
      const [known, other] = [here.get(id), others[at]];
      const theirs = this.#periodsIn([...(versions.get(id) ?? []), record]);
      versions.delete(id);
      if (!known && other && !other.gone)
        this.#refuse(record, `id: '${shownLine(id)}' is a ${other.archetype.name} here, no memory`);
      else if (theirs) written.push(...(await this.#takeMemory(record, theirs, known)));
    }
    // Versions without their memory: it was deleted where the file comes from. What is stored of it here stays.
    for (const [id, records] of versions) {
      const why = records.every(({ deleted }) => deleted)
        ? whyNoMemoryId(id)
        : `the file has no memory '${shownLine(id)}'`;
      if (why !== null) for (const record of records) this.#refuse(record, `memory_id: ${why}`);
      const periods = why === null ? this.#periodsIn(records) : null;
      if (periods && (await versionsOf(this.context, id)).length === 0)
        await this.#writeVersions(id, periods);
    }
    if (this.writer) await writeMemoryText(this.writer, written);
  }

  /** The history of a memory in the file; null where some of it is refused. */
  #periodsIn(records: readonly (RecordOf<'memory'> | RecordOf<'version'>)[]): Period[] | null {
    const periods: Period[] = [];
    for (const record of records) {
      const field = record.record === 'memory' ? 'updated_at' : 'said_at';
      const { from, until } = spanOf(record);
      try {
        if (from < (periods.at(-1)?.from ?? '')) throw new Error(`${field}: an earlier version is later`);
        periods.push({ content: MemoryContent.parse(storedContent(record, null)), from, until });
      } catch (thrown) {
        this.#refuse(record, thrown instanceof Error ? thrown.message : String(thrown));
      }
    }
    return periods.length < records.length ? null : periods;
  }

  /** @returns The memory, where it was written. */
  async #takeMemory(
    record: RecordOf<'memory'>,
    theirs: readonly Period[],
    known: MemoryRef | undefined,
  ): Promise<MemoryRef[]> {
    const { id } = record;
    const stored = await versionsOf(this.context, id);
    const mine = stored.map((one) => ({ content: MemoryContent.parse(one), ...spanOf(one) }));
    this.#ids.add(id);
    const last = theirs.at(-1);
    // Outcomes change how effective a memory is without a new version: of equal times the better proven one counts.
    if (known && last?.from === known.updated_at && known.evidence_count >= record.evidence_count)
      last.content.effectiveness = known.effectiveness;
    const merged = mine.length === 0 ? theirs : mergedPeriods(mine, theirs);
    const { content, from: updated_at } = merged.at(-1) as Period;
    const counts = mergedCounts(record, known);
    const draft = Memory({ ...content, ...counts, updated_at, version: merged.length }, { id });
    if (known && isDeepStrictEqual(mine, merged) && isDeepStrictEqual(propsOf(known), draft.props)) {
      this.memories.unchanged++;
      return [];
    }
    this.memories[known ? 'updated' : 'created']++;
    await this.#writeVersions(id, merged.slice(0, -1));
    return this.writer ? [await this.writer.create(draft)] : [];
  }

  async #writeVersions(id: string, periods: readonly Period[]): Promise<void> {
    this.versions += periods.length;
    const drafts = periods.map(({ content, from: said_at, until }, at) => {
      const span = { memory_id: id, version: at + 1, said_at, replaced_at: until ?? said_at };
      return MemoryVersion({ ...content, ...span }, { id: memoryVersionId(id, at + 1) });
    });
    await this.writer?.createAll(drafts);
  }

  async #takeRelations(type: MemoryRelationName, records: readonly RecordOf<'relation'>[]): Promise<void> {
    const known = await edgesByEnds(
      this.context.q(records.map(({ from }) => from)).out(MEMORY_RELATIONS[type]),
    );
    for (const record of records) {
      const { id, from, to, replaced_at } = record;
      const edge = replaced_at === undefined ? known.get(`${from}\n${to}`) : undefined;
      const context = record.context === null ? null : storedText(record.context);
      const props = RelationProps.parse({ ...record, relation_id: edge?.relation_id ?? id, context });
      if (replaced_at !== undefined) {
        const version = { ...props, type, from_memory_id: from, to_memory_id: to, replaced_at };
        const draft = MemoryRelationVersion(version, { id: `${id}@${replaced_at}` });
        const [stored] = await this.context.nodesOf(MemoryRelationVersion, [`${id}@${replaced_at}`]);
        const isHere = stored !== undefined && !stored.gone;
        this.relations[isHere ? 'unchanged' : 'created']++;
        if (!isHere) await this.writer?.create(draft);
        continue;
      }
      const missing = Object.entries({ from, to }).find(([, one]) => !this.#ids.has(one));
      const isUnchanged =
        edge && (edge.evidence_count > record.evidence_count || isDeepStrictEqual(propsOf(edge), props));
      const link = [from, MEMORY_RELATIONS[type](props), Memory, to] as const;
      if (missing)
        this.#refuse(
          record,
          `${missing[0]}: there is no memory '${shownLine(missing[1])}', neither in the file nor here`,
        );
      else if (from === to) this.#refuse(record, `to: '${shownLine(to)}' is the memory itself`);
      else await this.#takeEdge('relations', edge, isUnchanged, link);
    }
  }

  /** What is not here is bound all the same, and answers as `orphaned`. */
  async #takeAbouts(records: readonly RecordOf<'about'>[]): Promise<void> {
    const owners = records.map(({ memory_id }) => memory_id);
    const known = await edgesByEnds(this.context.q(owners).out(MemoryAbout));
    for (const record of records) {
      const { memory_id, target, kind, content_hash, bound_at } = record;
      const edge = known.get(`${memory_id}\n${target}`);
      const why = this.#ids.has(memory_id)
        ? whyNoTarget(target, kind)
        : `memory_id: there is no memory '${shownLine(memory_id)}'`;
      const isUnchanged = edge && (edge.bound_at ?? '') >= (bound_at ?? '');
      const link = [memory_id, MemoryAbout({ content_hash, bound_at }), ABOUT_KINDS[kind], target] as const;
      if (why !== null) this.#refuse(record, why);
      else await this.#takeEdge('abouts', edge, isUnchanged, link);
    }
  }

  /** Makes an edge, or what it is to be of one that is here. */
  async #takeEdge(
    what: 'relations' | 'abouts',
    known: EdgeRef | undefined,
    isUnchanged: boolean | undefined,
    [memory, edge, type, target]: readonly [string, EdgeDraft, NodeType, string],
  ): Promise<void> {
    if (isUnchanged) {
      this[what].unchanged++;
      return;
    }
    this[what][known ? 'updated' : 'created']++;
    if (known) {
      this.writer?.set(known, edge.props);
      return;
    }
    const [from] = await this.context.nodesOf(Memory, [memory]);
    const [to] = await this.context.nodesOf(type, [target]);
    if (from && to) this.writer?.connectAll([{ from, to, edge }]);
  }
}

/** When a version, stored or in a file, was the content. */
function spanOf(one: StoredVersion | RecordOf<'memory'> | RecordOf<'version'>) {
  return 'memory_id' in one
    ? { from: one.said_at, until: one.replaced_at }
    : { from: one.updated_at, until: null };
}

async function edgesByEnds<E extends EdgeType>(path: PathExpression<NodeType, E>) {
  return new Map((await path.edges()).map((edge) => [`${edge.from}\n${edge.to}`, edge]));
}

/**
 * One history of two, in order of time: each content once, until the next one begins or the memory was deleted. Contents of
 * one time are ordered by their text, so that it does not matter which history comes first.
 */
function mergedPeriods(mine: readonly Period[], theirs: readonly Period[]): Period[] {
  const all = new Map<string, Period>();
  for (const one of [...mine, ...theirs]) {
    const key = JSON.stringify([one.from, one.content]);
    const known = all.get(key);
    if (!known || (one.until ?? LAST) > (known.until ?? LAST)) all.set(key, one);
  }
  const sorted = [...all].sort(([a], [b]) => compareText(a, b)).map(([, one]) => one);
  const distinct = sorted.filter((one, at) => {
    const before = sorted[at - 1];
    const isSame = before !== undefined && isDeepStrictEqual(one.content, before.content);
    return !isSame || (before.until ?? LAST) < one.from;
  });
  return distinct.map(({ content, from, until }, at) => {
    const next = distinct[at + 1]?.from ?? null;
    return { content, from, until: (next ?? LAST) < (until ?? LAST) ? next : until };
  });
}

const GROWING = [
  ...(['usage_count', 'evidence_count', 'validation_count', 'counter_evidence_count'] as const),
  ...(['last_accessed', 'last_validated'] as const),
];

/** What is counted of a memory here and in the file: the larger number, the later time, the evidence of more outcomes. */
function mergedCounts(record: RecordOf<'memory'>, known: MemoryRef | undefined) {
  const grown = GROWING.map((field) => {
    const [theirs, mine] = [record[field], known?.[field] ?? null];
    return [field, (mine ?? '') > (theirs ?? '') ? mine : theirs];
  });
  const hasMore = known === undefined || record.evidence_count > known.evidence_count;
  return {
    ...Object.fromEntries(grown),
    created_at: known && known.created_at < record.created_at ? known.created_at : record.created_at,
    evidence: hasMore ? record.evidence.map(storedText) : [...known.evidence],
  };
}

/** Why nothing can be about a target; null where it can. */
function whyNoTarget(target: string, kind: RecordOf<'about'>['kind']): string | null {
  if (masked(target) !== target) return 'target: it holds a secret';
  const parsed = parseId(target);
  const isFile = parsed?.form === 'file';
  const fits = kind === 'file' ? isFile : kind === 'symbol' ? !isFile && parsed?.path != null : true;
  return fits ? null : `target: '${shownLine(target)}' is no id of a ${kind}`;
}
