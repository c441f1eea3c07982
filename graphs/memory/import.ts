import type { z } from 'zod';
import { shownLine } from '../../present/index.js';
import { compareText, type EdgeRef, type NodeType, propsOf, type WriteContext } from '../../runtime/index.js';
import {
  CodeSymbol,
  File,
  grouped,
  isoOf,
  MEMORY_RELATIONS,
  Memory,
  MemoryAbout,
  MemoryContent,
  type MemoryRelation,
  MemoryRelationVersion,
  MemoryVersion,
  memoryVersionId,
  parseId,
  Task,
  TraceError,
  timeOf,
} from '../../schema/index.js';
import { masked } from '../../source/index.js';
import { storedContent, storedContext, storedText } from './content.js';
import { typeOf } from './fields.js';
import { whyNoMemoryId } from './identity.js';
import type {
  AboutRecord,
  At,
  MemoryRecord,
  Problem,
  ReadRecords,
  RelationRecord,
  RelationVersionRecord,
  VersionRecord,
} from './records.js';
import type { RelationProps } from './relations.js';
import { type MemoryRef, writeMemoryText } from './text.js';
import { earlierVersions } from './versions.js';

/** What became of the records of a kind. */
export interface Imported {
  created: number;
  updated: number;
  unchanged: number;
}

/** An import before anything is written. */
export interface ImportPlan {
  readonly memories: Imported;
  /** Earlier versions that will be written. */
  readonly versions: number;
  readonly relations: Imported;
  readonly abouts: Imported;
  /** In order of their lines. */
  readonly problems: readonly Problem[];
  /** Writes all of it. */
  write(): Promise<void>;
}

/** What the parts of an import share. */
class Plan {
  readonly #writes: (() => Promise<void> | void)[] = [];
  /** Memories by id: stored ones, and while writing those that were written. */
  readonly stored = new Map<string, MemoryRef>();
  /** Ids of memories of the file that will be stored. */
  readonly coming = new Set<string>();
  /** Memories that were written. */
  readonly changed: MemoryRef[] = [];
  versions = 0;

  constructor(
    readonly context: WriteContext,
    readonly problems: Problem[],
  ) {}

  later(write: () => Promise<void> | void): void {
    this.#writes.push(write);
  }

  async write(): Promise<void> {
    for (const write of this.#writes) await write();
    await writeMemoryText(this.context, this.changed);
  }

  has(id: string): boolean {
    return this.stored.has(id) || this.coming.has(id);
  }

  refuse(line: number, why: string): void {
    this.problems.push({ line, why });
  }
}

/**
 * Plans to import the records of a file. A memory that is stored already gets one history of both, so that nothing is lost and
 * importing again changes nothing. Of two counts the larger one is stored, of two relations or bindings the better proven or
 * later one.
 */
export async function planImport(context: WriteContext, read: ReadRecords): Promise<ImportPlan> {
  const plan = new Plan(context, [...read.problems]);
  const named = [
    ...read.memory.map(({ id }) => id),
    ...[...read.relation, ...read.relation_version].flatMap(({ from, to }) => [from, to]),
    ...[...read.about, ...read.version].map(({ memory_id }) => memory_id),
  ];
  for (const node of await context.nodesOf(Memory, [...new Set(named)]))
    if (!node.gone) plan.stored.set(node.id, node);
  const memories = await planMemories(plan, read);
  const relations = await planRelations(plan, read.relation);
  await planRelationVersions(plan, read.relation_version);
  const abouts = await planAbouts(plan, read.about);
  const problems = plan.problems.toSorted((a, b) => a.line - b.line);
  return { memories, versions: plan.versions, relations, abouts, problems, write: () => plan.write() };
}

type StoredContent = z.infer<typeof MemoryContent>;

/** Content that a memory had from one time to another; null: it has it still. */
interface Period {
  readonly content: StoredContent;
  readonly from: string;
  readonly until: string | null;
}

async function planMemories(plan: Plan, read: ReadRecords): Promise<Imported> {
  const { context } = plan;
  const imported: Imported = { created: 0, updated: 0, unchanged: 0 };
  const versions = grouped(
    read.version.toSorted((a, b) => a.version - b.version),
    ({ memory_id }) => memory_id,
  );
  const others = await context.nodes(read.memory.map(({ id }) => id));
  for (const [at, record] of read.memory.entries()) {
    const { id, line } = record;
    const [known, other] = [plan.stored.get(id), others[at]];
    if (!known && other && !other.gone) {
      plan.refuse(line, `id: '${shownLine(id)}' is a ${other.archetype.name} here, no memory`);
      continue;
    }
    const theirs = periodsOf(plan, versions.get(id) ?? [], record);
    versions.delete(id);
    if (theirs === null) continue;
    const earlier = (await earlierVersions(context, id)).map((one) => ({
      content: MemoryContent.parse(propsOf(one)),
      from: one.said_at,
      until: one.replaced_at,
    }));
    const present = known && {
      content: MemoryContent.parse(propsOf(known)),
      from: known.updated_at,
      until: null,
    };
    const mine: Period[] = present ? [...earlier, present] : earlier;
    const merged = mine.length === 0 ? theirs : mergedPeriods(mine, settled(theirs, known, record));
    const counts = mergedCounts(record, known);
    if (
      known &&
      same(mine, merged) &&
      Object.entries(counts).every(([key, value]) => same(propsOf(known)[key], value))
    ) {
      imported.unchanged++;
      plan.coming.add(id);
      continue;
    }
    imported[known ? 'updated' : 'created']++;
    plan.versions += merged.length - 1;
    plan.coming.add(id);
    const version = Math.max(merged.length, known ? 1 : record.version);
    plan.later(async () => {
      await writeVersions(plan, id, merged.slice(0, -1));
      const last = merged.at(-1);
      if (!last) return;
      const props = { ...counts, ...last.content, updated_at: last.from, version };
      const memory = await context.create(Memory(props, { id }));
      plan.stored.set(id, memory);
      plan.changed.push(memory);
    });
  }
  for (const [id, records] of versions) await planDeleted(plan, id, records);
  return imported;
}

/** Versions without their memory: it was deleted where the file comes from. What is stored here of it stays. */
async function planDeleted(plan: Plan, id: string, records: readonly At<VersionRecord>[]): Promise<void> {
  const strange = records.filter(({ deleted }) => !deleted);
  for (const { line } of strange) plan.refuse(line, `memory_id: the file has no memory '${shownLine(id)}'`);
  const why = whyNoMemoryId(id);
  if (why !== null) for (const { line } of records) plan.refuse(line, `memory_id: ${why}`);
  const periods = strange.length > 0 || why !== null ? null : periodsOf(plan, records, null);
  const isKnown = plan.stored.has(id) || (await earlierVersions(plan.context, id)).length > 0;
  if (periods === null || isKnown) return;
  plan.versions += periods.length;
  plan.later(() => writeVersions(plan, id, periods));
}

async function writeVersions({ context }: Plan, id: string, periods: readonly Period[]): Promise<void> {
  const drafts = periods.map(({ content, from, until }, at) => {
    const span = { memory_id: id, version: at + 1, said_at: from, replaced_at: until ?? from };
    return MemoryVersion({ ...content, ...span }, { id: memoryVersionId(id, at + 1) });
  });
  await context.createAll(drafts);
}

/** The history of one memory in the file; null where some of it is refused. @param now Null: it was deleted. */
function periodsOf(
  plan: Plan,
  versions: readonly At<VersionRecord>[],
  now: At<MemoryRecord> | null,
): Period[] | null {
  const before = plan.problems.length;
  const periods: Period[] = [];
  const all: readonly At<MemoryRecord | VersionRecord>[] = now ? [...versions, now] : versions;
  for (const record of all) {
    const [from, until] =
      record.record === 'memory' ? [record.updated_at, null] : [record.said_at, record.replaced_at];
    const last = periods.at(-1);
    const start = spelled(from);
    if (last && start < last.from) {
      const field = record.record === 'memory' ? 'updated_at' : 'said_at';
      plan.refuse(record.line, `${field}: it is before that of an earlier version`);
    }
    try {
      const content = MemoryContent.parse({
        ...storedContent(record),
        type: typeOf(record.type),
        ...storedContext(record.context, null),
      });
      periods.push({ content, from: start, until: until === null ? null : spelled(until) });
    } catch (thrown) {
      plan.refuse(record.line, thrown instanceof Error ? thrown.message : String(thrown));
    }
  }
  return plan.problems.length > before ? null : periods;
}

/** A time as the graph stores it. */
function spelled(time: string): string {
  return isoOf(timeOf(time) ?? 0);
}

/** Outcomes change how effective a memory is without a new version: of equal times the better proven one counts. */
function settled(theirs: readonly Period[], known: MemoryRef | undefined, record: MemoryRecord): Period[] {
  const last = theirs.at(-1);
  const isOurs = known && last?.from === known.updated_at && known.evidence_count >= record.evidence_count;
  if (!isOurs || !last) return [...theirs];
  return [
    ...theirs.slice(0, -1),
    { ...last, content: { ...last.content, effectiveness: known.effectiveness } },
  ];
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
    const isLonger = !known || one.until === null || (known.until !== null && one.until > known.until);
    if (isLonger) all.set(key, one);
  }
  const sorted = [...all].sort(([a], [b]) => compareText(a, b)).map(([, one]) => one);
  const distinct = sorted.filter(
    (one, at) => !same(one.content, sorted[at - 1]?.content) || isGap(sorted[at - 1], one),
  );
  return distinct.map((one, at) => {
    const next = distinct[at + 1]?.from ?? null;
    return { ...one, until: one.until === null || (next !== null && next < one.until) ? next : one.until };
  });
}

/** Whether the memory was deleted between two contents. */
function isGap(before: Period | undefined, next: Period): boolean {
  return before !== undefined && before.until !== null && before.until < next.from;
}

function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Of two counts the larger one, of two times the later one; of evidence that of the side with more of it. */
function mergedCounts(record: MemoryRecord, known: MemoryRef | undefined) {
  const most = (field: 'usage_count' | 'evidence_count' | 'validation_count' | 'counter_evidence_count') =>
    Math.max(record[field], known?.[field] ?? 0);
  const latest = (a: string | null, b: string | null) => (compareText(a ?? '', b ?? '') < 0 ? b : a);
  const created = spelled(record.created_at);
  const isTheirs = record.evidence_count > (known?.evidence_count ?? -1);
  return {
    usage_count: most('usage_count'),
    created_at: known && known.created_at < created ? known.created_at : created,
    last_accessed: latest(record.last_accessed, known?.last_accessed ?? null),
    evidence_count: most('evidence_count'),
    validation_count: most('validation_count'),
    counter_evidence_count: most('counter_evidence_count'),
    last_validated: latest(record.last_validated, known?.last_validated ?? null),
    evidence: isTheirs ? record.evidence.map(storedText) : [...(known?.evidence ?? [])],
  };
}

/** There is one relation of a type from one memory to another: the one with more evidence counts, else the file's. */
async function planRelations(plan: Plan, records: readonly At<RelationRecord>[]): Promise<Imported> {
  const imported: Imported = { created: 0, updated: 0, unchanged: 0 };
  for (const [type, some] of grouped(records, (record) => record.type)) {
    const relation = MEMORY_RELATIONS[type];
    const known = new Map<string, EdgeRef<MemoryRelation>>();
    const froms = [...new Set(some.map(({ from }) => from))];
    for (const edge of await plan.context.q(froms).out(relation).edges())
      known.set(`${edge.from}\n${edge.to}`, edge);
    for (const record of some) {
      const { from, to, line } = record;
      const why = whyNoRelation(plan, record);
      if (why !== null) {
        plan.refuse(line, why);
        continue;
      }
      const edge = known.get(`${from}\n${to}`);
      const props = { ...relationPropsOf(record), ...(edge ? { relation_id: edge.relation_id } : {}) };
      const before = edge && propsOf(edge);
      const isKnown =
        before && Object.entries(props).every(([key, value]) => same(before[key] ?? false, value ?? false));
      if (edge && (edge.evidence_count > record.evidence_count || isKnown)) imported.unchanged++;
      else if (edge) {
        plan.later(() => plan.context.set<MemoryRelation>(edge, props));
        imported.updated++;
      } else {
        plan.later(() => {
          const [start, end] = [plan.stored.get(from), plan.stored.get(to)];
          if (start && end) plan.context.connectAll([{ from: start, to: end, edge: relation(props) }]);
        });
        imported.created++;
      }
    }
  }
  return imported;
}

function whyNoRelation(plan: Plan, { from, to }: RelationRecord): string | null {
  for (const [field, id] of Object.entries({ from, to }))
    if (!plan.has(id)) return `${field}: there is no memory '${shownLine(id)}', neither in the file nor here`;
  return from === to ? `to: '${shownLine(to)}' is the memory itself` : null;
}

function relationPropsOf(record: RelationRecord | RelationVersionRecord): RelationProps {
  const { record: _, id: relation_id, type: __, from: ___, to: ____, proposed = false, ...rest } = record;
  const { line: _____, replaced_at: ______, ...props } = { line: 0, replaced_at: '', ...rest };
  const context = props.context === null ? null : storedText(props.context);
  return { ...props, context, relation_id, proposed };
}

/** Versions of relations are stored beside each other: an equal id is the same version. */
async function planRelationVersions(
  plan: Plan,
  records: readonly At<RelationVersionRecord>[],
): Promise<void> {
  for (const record of records) {
    const { type, from, to, replaced_at } = record;
    const ends = { type, from_memory_id: from, to_memory_id: to, replaced_at: spelled(replaced_at) };
    const id = `${record.id}@${ends.replaced_at}`;
    plan.later(async () => {
      const [known] = await plan.context.nodesOf(MemoryRelationVersion, [id]);
      if (!known || known.gone)
        await plan.context.create(MemoryRelationVersion({ ...relationPropsOf(record), ...ends }, { id }));
    });
  }
}

const TYPES: Readonly<Record<AboutRecord['kind'], NodeType>> = {
  file: File,
  symbol: CodeSymbol,
  task: Task,
  error: TraceError,
};

/** What is not here is bound all the same, and answers as `orphaned`. Of two bindings the later one counts. */
async function planAbouts(plan: Plan, records: readonly At<AboutRecord>[]): Promise<Imported> {
  const imported: Imported = { created: 0, updated: 0, unchanged: 0 };
  const known = new Map<string, EdgeRef<typeof MemoryAbout>>();
  const bound = [...new Set(records.map(({ memory_id }) => memory_id))];
  for (const edge of await plan.context.q(bound).out(MemoryAbout).edges())
    known.set(`${edge.from}\n${edge.to}`, edge);
  for (const { memory_id, target, kind, content_hash, bound_at, line } of records) {
    const why = plan.has(memory_id)
      ? whyNoTarget(target, kind)
      : `memory_id: there is no memory '${shownLine(memory_id)}'`;
    if (why !== null) {
      plan.refuse(line, why);
      continue;
    }
    const edge = known.get(`${memory_id}\n${target}`);
    if (edge && (edge.bound_at ?? '') >= (bound_at ?? '')) {
      imported.unchanged++;
      continue;
    }
    const [to] = await plan.context.nodesOf(TYPES[kind], [target]);
    plan.later(() => {
      const from = plan.stored.get(memory_id);
      if (from && to) plan.context.connectAll([{ from, to, edge: MemoryAbout({ content_hash, bound_at }) }]);
    });
    imported[edge ? 'updated' : 'created']++;
  }
  return imported;
}

/** Why nothing can be about a target; null where it can. */
function whyNoTarget(target: string, kind: AboutRecord['kind']): string | null {
  if (masked(target) !== target) return 'target: it holds a secret';
  const parsed = parseId(target);
  const isFile = parsed?.form === 'file';
  const fits = kind === 'file' ? isFile : kind === 'symbol' ? !isFile && parsed?.path != null : true;
  return fits ? null : `target: '${shownLine(target)}' is no id of a ${kind}`;
}
