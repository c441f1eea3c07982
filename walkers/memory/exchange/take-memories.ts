import type { z } from 'zod';
import { compareText, type NodeRef, propsOf, type WriteContext } from '../../../runtime/index.js';
import { append, LIMITS, Memory, MemorySaid, MemoryVersion, memoryVersionId } from '../../../schema/index.js';
import { shownLine } from '../../shown-text.js';
import { keptText } from '../../trace/kept-text.js';
import { isoOf, timeOf } from '../../trace/times.js';
import { keptSaid } from '../kept-memory.js';
import { contextOf } from '../memory-context.js';
import { typeOf } from '../memory-fields.js';
import type { MemoryRecord, VersionRecord } from './memory-record.js';
import type { ImportPlan, Taken } from './plan.js';
import type { At, Problem, ReadRecords } from './read-records.js';

/** What a memory says, as it is stored. */
type StoredSaid = z.infer<typeof MemorySaid>;

/** What a memory said from a time on. */
interface Saying<T> {
  readonly said: T;
  /** ISO 8601. */
  readonly said_at: string;
}

/**
 * Plans the memories of a file with their histories. One that is stored, too, gets one history of both: nothing that either
 * said is lost, and importing it again changes nothing.
 *
 * @returns What becomes of them, and how many earlier versions are written.
 */
export async function takeMemories(
  context: WriteContext,
  read: ReadRecords,
  plan: ImportPlan,
): Promise<{ readonly taken: Taken; readonly versions: number }> {
  const named = [
    ...read.memories.map(({ id }) => id),
    ...read.relations.flatMap(({ from, to }) => [from, to]),
    ...[...read.abouts, ...read.versions].map(({ memory_id }) => memory_id),
  ];
  for (const node of await context.nodesOf(Memory, [...new Set(named)]))
    if (!node.gone) plan.memories.set(node.id, node);
  for (const id of plan.memories.keys()) plan.there.add(id);
  const others = await context.nodes(read.memories.map(({ id }) => id));
  const histories = historiesOf(read, context, plan.problems);
  const taken: Taken = { created: 0, updated: 0, unchanged: 0 };
  let versions = 0;
  for (const [at, record] of read.memories.entries()) {
    const [known, other, history] = [plan.memories.get(record.id), others[at], histories.get(record.id)];
    if (!known && other && !other.gone) {
      const why = `id: '${shownLine(record.id)}' is a ${other.archetype.name} here, no memory`;
      plan.problems.push({ line: record.line, why });
      continue;
    }
    if (!history) continue;
    plan.there.add(record.id);
    const mine = known ? await sayingsOf(known, context) : [];
    const merged = known ? joined(known, mine, record, history) : history;
    if (known && isAsRead(known, mine, record, merged)) {
      taken.unchanged++;
      continue;
    }
    taken[known ? 'updated' : 'created']++;
    versions += merged.length - 1;
    plan.later(async () => {
      const written = await write(context, record, known, merged);
      plan.memories.set(record.id, written);
      plan.changed.push(written);
    });
  }
  return { taken, versions };
}

type History = readonly Saying<StoredSaid>[];

/** What each memory of the file said, the last one last; a memory of which something cannot be taken has none. */
function historiesOf(
  read: ReadRecords,
  { projectRoot }: Pick<WriteContext, 'projectRoot'>,
  problems: Problem[],
): Map<string, History> {
  const sayings = new Map<string, Saying<StoredSaid>[]>();
  const memories = new Set(read.memories.map(({ id }) => id));
  const saidIn = (record: At<MemoryRecord> | At<VersionRecord>) => {
    try {
      return saidOf(record, projectRoot);
    } catch (thrown) {
      problems.push({ line: record.line, why: thrown instanceof Error ? thrown.message : String(thrown) });
      return null;
    }
  };
  const add = (id: string, said: StoredSaid, said_at: string) =>
    append(sayings, id, { said, said_at: spelled(said_at) });
  for (const version of read.versions.toSorted((a, b) => a.version - b.version)) {
    const { memory_id, said_at, line } = version;
    const said = memories.has(memory_id) ? saidIn(version) : null;
    if (said) add(memory_id, said, said_at);
    else if (!memories.has(memory_id))
      problems.push({ line, why: `memory_id: the file has no memory '${shownLine(memory_id)}'` });
  }
  for (const memory of read.memories) {
    const said = saidIn(memory);
    if (said) add(memory.id, said, memory.updated_at);
    const times = sayings.get(memory.id)?.map(({ said_at }) => said_at) ?? [];
    const isInOrder = times.every((time, at) => time >= (times[at - 1] ?? ''));
    if (!isInOrder)
      problems.push({ line: memory.line, why: 'updated_at: one of its versions was said after a later one' });
    if (!said || !isInOrder) sayings.delete(memory.id);
  }
  return sayings;
}

/** A time as the graph keeps it. */
function spelled(time: string): string {
  return isoOf(timeOf(time) ?? 0);
}

/** What a stored memory said, the last one last. */
async function sayingsOf(memory: NodeRef<typeof Memory>, { nodesOf }: WriteContext): Promise<History> {
  const earlier = Array.from({ length: memory.version - 1 }, (_, at) => memoryVersionId(memory.id, at + 1));
  const versions = (await nodesOf(MemoryVersion, earlier)).filter(({ gone }) => !gone);
  return [
    ...versions.map((one) => ({ said: MemorySaid.parse(propsOf(one)), said_at: one.said_at })),
    { said: MemorySaid.parse(propsOf(memory)), said_at: memory.updated_at },
  ];
}

/** Outcomes change how effective a memory is without making a version: of two that say the same the better proven counts. */
function joined(
  known: NodeRef<typeof Memory>,
  mine: History,
  record: MemoryRecord,
  theirs: History,
): History {
  const [own, other] = [mine.at(-1), theirs.at(-1)];
  if (own === undefined || other === undefined || own.said_at !== other.said_at)
    return mergedHistory(mine, theirs);
  const isOurs = known.evidence_count >= record.evidence_count;
  const { effectiveness } = isOurs ? own.said : other.said;
  const settled = (history: History) =>
    history.map((one, at) =>
      at === history.length - 1 ? { ...one, said: { ...one.said, effectiveness } } : one,
    );
  return mergedHistory(settled(mine), settled(theirs));
}

/** Whether a stored memory is already what reading the record makes of it. */
function isAsRead(
  known: NodeRef<typeof Memory>,
  mine: History,
  record: MemoryRecord,
  merged: History,
): boolean {
  const counted = countedOf(record, known);
  const before: Readonly<Record<string, unknown>> = known;
  return (
    JSON.stringify(mine) === JSON.stringify(merged) &&
    Object.entries(counted).every(([field, value]) => JSON.stringify(before[field]) === JSON.stringify(value))
  );
}

async function write(
  { create, createAll }: WriteContext,
  record: MemoryRecord,
  known: NodeRef<typeof Memory> | undefined,
  history: History,
): Promise<NodeRef<typeof Memory>> {
  const drafts = history.slice(0, -1).map(({ said, said_at }, at) => {
    const span = {
      memory_id: record.id,
      version: at + 1,
      said_at,
      replaced_at: history[at + 1]?.said_at ?? said_at,
    };
    return MemoryVersion({ ...said, ...span }, { id: memoryVersionId(record.id, at + 1) });
  });
  await createAll(drafts);
  const now = history.at(-1);
  const said = { ...countedOf(record, known), ...now?.said, updated_at: now?.said_at ?? record.updated_at };
  const version = Math.max(history.length, known ? 1 : record.version);
  return create(
    Memory(
      { title: record.title, content: record.content, type: 'general', ...said, version },
      { id: record.id },
    ),
  );
}

/** What is counted of a memory: of two counts the larger one, of two times the later one. */
function countedOf(record: MemoryRecord, known: NodeRef<typeof Memory> | undefined) {
  const most = (field: 'usage_count' | 'evidence_count' | 'validation_count' | 'counter_evidence_count') =>
    Math.max(record[field], known?.[field] ?? 0);
  const latest = (a: string | null, b: string | null) => (compareText(a ?? '', b ?? '') < 0 ? b : a);
  const created = spelled(record.created_at);
  const isTheirs = record.evidence_count > (known?.evidence_count ?? -1);
  const evidence = record.evidence.map((line) => keptText(line, 2 * LIMITS.memoryEvidence.max).text);
  return {
    usage_count: most('usage_count'),
    created_at: known && known.created_at < created ? known.created_at : created,
    last_accessed: latest(record.last_accessed, known?.last_accessed ?? null),
    evidence_count: most('evidence_count'),
    validation_count: most('validation_count'),
    counter_evidence_count: most('counter_evidence_count'),
    last_validated: latest(record.last_validated, known?.last_validated ?? null),
    evidence: isTheirs ? evidence : [...(known?.evidence ?? [])],
  };
}

/**
 * One history of two: every saying of either, each once, by when it was said; the last one is what is said now. Of two
 * at one time the order is that of their texts, so it is no matter which of the two comes first.
 */
function mergedHistory<T>(mine: readonly Saying<T>[], theirs: readonly Saying<T>[]): readonly Saying<T>[] {
  const all = new Map([...mine, ...theirs].map((one) => [JSON.stringify([one.said_at, one.said]), one]));
  const sorted = [...all].sort(([a], [b]) => compareText(a, b)).map(([, one]) => one);
  return sorted.filter((one, at) => JSON.stringify(one.said) !== JSON.stringify(sorted[at - 1]?.said));
}

/**
 * What a record says, as it is to be stored: secrets masked (P-04), other words for a type as the type.
 *
 * @throws CodewalkError `INVALID_INPUT` for a context that has unknown fields, or is too long.
 */
function saidOf(record: MemoryRecord | VersionRecord, projectRoot: string | null): StoredSaid {
  const { type, tag } = typeOf(record.type);
  const tags = tag === null ? record.tags : [...record.tags, tag];
  return MemorySaid.parse({
    ...keptSaid({ ...record, tags }),
    type,
    ...contextOf(record.context, projectRoot),
  });
}
