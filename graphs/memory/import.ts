import type { z } from 'zod';
import { shownLine } from '../../present/index.js';
import { compareText, type NodeType, propsOf, type WriteContext } from '../../runtime/index.js';
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
import type { Problem, ReadRecords, RecordOf } from './records.js';
import { type MemoryRef, writeMemoryText } from './text.js';
import { earlierVersions, type VersionRef } from './versions.js';

/** What became of the records of a kind. */
export interface Imported {
  created: number;
  updated: number;
  unchanged: number;
}

/** Content that a memory had from one time to another; until null: it has it still. */
interface Period {
  readonly content: z.infer<typeof MemoryContent>;
  readonly from: string;
  readonly until: string | null;
}

/**
 * An import before anything is written. A memory that is stored already gets one history of both, so that nothing is lost and
 * importing again changes nothing; of two counts it gets the larger one, of two times the later one. Of two relations of one
 * type between two memories the one with more evidence counts, of two bindings the later one.
 */
export class MemoryImportPlan {
  readonly memories: Imported = { created: 0, updated: 0, unchanged: 0 };
  readonly relations: Imported = { created: 0, updated: 0, unchanged: 0 };
  readonly abouts: Imported = { created: 0, updated: 0, unchanged: 0 };
  /** Earlier versions that will be written. */
  versions = 0;
  readonly #problems: Problem[];
  readonly #writes: (() => unknown)[] = [];
  /** Memories by id: stored ones, and while writing those that were written. */
  readonly #stored = new Map<string, MemoryRef>();
  readonly #coming = new Set<string>();
  readonly #changed: MemoryRef[] = [];

  private constructor(
    private readonly context: WriteContext,
    problems: readonly Problem[],
  ) {
    this.#problems = [...problems];
  }

  /** Plans to import the records of a file. */
  static async of(context: WriteContext, read: ReadRecords): Promise<MemoryImportPlan> {
    const plan = new MemoryImportPlan(context, read.problems);
    await plan.#planMemories(read);
    await plan.#planRelations(read.relation);
    await plan.#planAbouts(read.about);
    return plan;
  }

  /** What cannot be imported, in order of the lines. */
  get problems(): readonly Problem[] {
    return this.#problems.toSorted((a, b) => a.line - b.line);
  }

  /** Writes all of it. */
  async write(): Promise<void> {
    for (const write of this.#writes) await write();
    await writeMemoryText(this.context, this.#changed);
  }

  #refuse({ line }: { readonly line: number }, why: string): void {
    this.#problems.push({ line, why });
  }

  #has(id: string): boolean {
    return this.#stored.has(id) || this.#coming.has(id);
  }

  async #planMemories(read: ReadRecords): Promise<void> {
    const { context } = this;
    const ids = read.memory.map(({ id }) => id);
    const named = [
      ...read.relation.flatMap(({ from, to }) => [from, to]),
      ...[...read.about, ...read.version].map(({ memory_id }) => memory_id),
    ];
    for (const node of await context.nodesOf(Memory, [...new Set([...ids, ...named])]))
      if (!node.gone) this.#stored.set(node.id, node);
    const others = await context.nodes(ids);
    const first = ids.map((id) => memoryVersionId(id, 1));
    const versioned = (await context.nodesOf(MemoryVersion, first)).map(({ gone }) => !gone);
    const byNumber = read.version.toSorted((a, b) => a.version - b.version);
    const versions = grouped(byNumber, ({ memory_id }) => memory_id);
    for (const [at, record] of read.memory.entries()) {
      const [known, other] = [this.#stored.get(record.id), others[at]];
      const earlier = versions.get(record.id) ?? [];
      versions.delete(record.id);
      if (known || !other || other.gone) {
        const stored = versioned[at] ? await earlierVersions(context, record.id) : [];
        await this.#planMemory(record, earlier, stored);
      } else
        this.#refuse(record, `id: '${shownLine(record.id)}' is a ${other.archetype.name} here, no memory`);
    }
    // Versions without their memory: it was deleted where the file comes from. What is stored of it here stays.
    for (const [id, records] of versions) {
      const why = records.every(({ deleted }) => deleted)
        ? whyNoMemoryId(id)
        : `the file has no memory '${shownLine(id)}'`;
      if (why !== null) for (const record of records) this.#refuse(record, `memory_id: ${why}`);
      const periods = why === null ? this.#periodsOf(records) : null;
      if (periods && !this.#stored.has(id) && (await earlierVersions(context, id)).length === 0)
        this.#writeVersions(id, periods);
    }
  }

  async #planMemory(
    record: RecordOf<'memory'>,
    earlier: readonly RecordOf<'version'>[],
    stored: readonly VersionRef[],
  ): Promise<void> {
    const { context } = this;
    const { id } = record;
    const theirs = this.#periodsOf([...earlier, record]);
    if (theirs === null) return;
    const known = this.#stored.get(id);
    const mine: Period[] = stored.map((one) => ({
      content: MemoryContent.parse(propsOf(one)),
      from: one.said_at,
      until: one.replaced_at,
    }));
    if (known)
      mine.push({ content: MemoryContent.parse(propsOf(known)), from: known.updated_at, until: null });
    const last = theirs.at(-1);
    // Outcomes change how effective a memory is without a new version: of equal times the better proven one counts.
    if (known && last?.from === known.updated_at && known.evidence_count >= record.evidence_count)
      last.content.effectiveness = known.effectiveness;
    const merged = mine.length === 0 ? theirs : mergedPeriods(mine, theirs);
    const counts = mergedCounts(record, known);
    this.#coming.add(id);
    if (known && same(mine, merged) && holds(known, counts)) {
      this.memories.unchanged++;
      return;
    }
    this.memories[known ? 'updated' : 'created']++;
    this.#writeVersions(id, merged.slice(0, -1));
    const version = Math.max(merged.length, known ? 1 : record.version);
    this.#writes.push(async () => {
      const { content, from: updated_at } = merged.at(-1) as Period;
      const memory = await context.create(Memory({ ...counts, ...content, updated_at, version }, { id }));
      this.#stored.set(id, memory);
      this.#changed.push(memory);
    });
  }

  #writeVersions(id: string, periods: readonly Period[]): void {
    this.versions += periods.length;
    const drafts = periods.map(({ content, from, until }, at) => {
      const span = { memory_id: id, version: at + 1, said_at: from, replaced_at: until ?? from };
      return MemoryVersion({ ...content, ...span }, { id: memoryVersionId(id, at + 1) });
    });
    this.#writes.push(() => this.context.createAll(drafts));
  }

  /** The history of one memory in the file, secrets masked; null where some of it is refused. */
  #periodsOf(records: readonly (RecordOf<'memory'> | RecordOf<'version'>)[]): Period[] | null {
    const periods: Period[] = [];
    for (const record of records) {
      const [at, until] =
        record.record === 'memory'
          ? [record.updated_at, null]
          : [record.said_at, spelled(record.replaced_at)];
      const from = spelled(at);
      try {
        if (from < (periods.at(-1)?.from ?? ''))
          throw new Error(
            `${record.record === 'memory' ? 'updated_at' : 'said_at'}: an earlier version is later`,
          );
        const own = { ...storedContent(record), type: typeOf(record.type) };
        periods.push({
          content: MemoryContent.parse({ ...own, ...storedContext(record.context, null) }),
          from,
          until,
        });
      } catch (thrown) {
        this.#refuse(record, thrown instanceof Error ? thrown.message : String(thrown));
      }
    }
    return periods.length < records.length ? null : periods;
  }

  async #planRelations(records: readonly RecordOf<'relation'>[]): Promise<void> {
    const { context, relations } = this;
    for (const [type, some] of grouped(records, (record) => record.type)) {
      const relation = MEMORY_RELATIONS[type];
      const edges = await context
        .q([...new Set(some.map(({ from }) => from))])
        .out(relation)
        .edges();
      const known = new Map(edges.map((edge) => [`${edge.from}\n${edge.to}`, edge]));
      for (const record of some) {
        const { from, to, replaced_at } = record;
        const props = relationProps(record);
        if (replaced_at !== undefined) {
          const until = spelled(replaced_at);
          const ends = { type, from_memory_id: from, to_memory_id: to, replaced_at: until };
          const id = `${record.id}@${until}`;
          const [stored] = await context.nodesOf(MemoryRelationVersion, [id]);
          if (!stored || stored.gone)
            this.#writes.push(() => context.create(MemoryRelationVersion({ ...props, ...ends }, { id })));
          continue;
        }
        const missing = Object.entries({ from, to }).find(([, id]) => !this.#has(id));
        const why = missing
          ? `${missing[0]}: there is no memory '${shownLine(missing[1])}', neither in the file nor here`
          : `to: '${shownLine(to)}' is the memory itself`;
        const edge = known.get(`${from}\n${to}`);
        const merged = edge ? { ...props, relation_id: edge.relation_id } : props;
        if (missing || from === to) this.#refuse(record, why);
        else if (!edge) {
          relations.created++;
          this.#writes.push(() => {
            const [start, end] = [this.#stored.get(from), this.#stored.get(to)];
            if (start && end) context.connectAll([{ from: start, to: end, edge: relation(props) }]);
          });
        } else if (edge.evidence_count > record.evidence_count || holds(edge, merged)) relations.unchanged++;
        else {
          relations.updated++;
          this.#writes.push(() => context.set<MemoryRelation>(edge, merged));
        }
      }
    }
  }

  /** What is not here is bound all the same, and answers as `orphaned`. */
  async #planAbouts(records: readonly RecordOf<'about'>[]): Promise<void> {
    const { context, abouts } = this;
    const bound = [...new Set(records.map(({ memory_id }) => memory_id))];
    const edges = await context.q(bound).out(MemoryAbout).edges();
    const known = new Map(edges.map((edge) => [`${edge.from}\n${edge.to}`, edge]));
    for (const record of records) {
      const { memory_id, target, kind, content_hash, bound_at } = record;
      const edge = known.get(`${memory_id}\n${target}`);
      const why = this.#has(memory_id)
        ? whyNoTarget(target, kind)
        : `memory_id: there is no memory '${shownLine(memory_id)}'`;
      if (why !== null) this.#refuse(record, why);
      else if (edge && (edge.bound_at ?? '') >= (bound_at ?? '')) abouts.unchanged++;
      else {
        const [to] = await context.nodesOf(TARGETS[kind], [target]);
        abouts[edge ? 'updated' : 'created']++;
        this.#writes.push(() => {
          const from = this.#stored.get(memory_id);
          const binding = MemoryAbout({ content_hash, bound_at });
          if (from && to) context.connectAll([{ from, to, edge: binding }]);
        });
      }
    }
  }
}

function relationProps(record: RecordOf<'relation'>) {
  const { strength, confidence, evidence_count, success_rate, created_at, last_validated } = record;
  const { id: relation_id, context, validation_count, counter_evidence_count, proposed = false } = record;
  const counts = { evidence_count, success_rate, last_validated, validation_count, counter_evidence_count };
  const text = context === null ? null : storedText(context);
  return { relation_id, strength, confidence, context: text, created_at, proposed, ...counts };
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
    return !before || !same(one.content, before.content) || (before.until ?? LAST) < one.from;
  });
  return distinct.map(({ content, from, until }, at) => {
    const next = distinct[at + 1]?.from ?? null;
    return { content, from, until: (next ?? LAST) < (until ?? LAST) ? next : until };
  });
}

/** After every time in ISO 8601. */
const LAST = '~';

function mergedCounts(record: RecordOf<'memory'>, known: MemoryRef | undefined) {
  const most = (field: 'usage_count' | 'evidence_count' | 'validation_count' | 'counter_evidence_count') =>
    Math.max(record[field], known?.[field] ?? 0);
  const latest = (field: 'last_accessed' | 'last_validated') =>
    [record[field], known?.[field] ?? null].sort((a, b) => compareText(b ?? '', a ?? ''))[0] ?? null;
  const created = spelled(record.created_at);
  const isTheirs = record.evidence_count > (known?.evidence_count ?? -1);
  return {
    usage_count: most('usage_count'),
    created_at: known && known.created_at < created ? known.created_at : created,
    last_accessed: latest('last_accessed'),
    evidence_count: most('evidence_count'),
    validation_count: most('validation_count'),
    counter_evidence_count: most('counter_evidence_count'),
    last_validated: latest('last_validated'),
    evidence: isTheirs ? record.evidence.map(storedText) : [...(known?.evidence ?? [])],
  };
}

/** A time as the graph stores it. */
function spelled(time: string): string {
  return isoOf(timeOf(time) ?? 0);
}

function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function holds(
  stored: MemoryRef | Parameters<typeof propsOf>[0],
  props: Readonly<Record<string, unknown>>,
): boolean {
  const before: Readonly<Record<string, unknown>> = propsOf(stored);
  return Object.entries(props).every(([field, value]) => same(before[field] ?? false, value ?? false));
}

const TARGETS: Readonly<Record<RecordOf<'about'>['kind'], NodeType>> = {
  file: File,
  symbol: CodeSymbol,
  task: Task,
  error: TraceError,
};

/** Why nothing can be about a target; null where it can. */
function whyNoTarget(target: string, kind: RecordOf<'about'>['kind']): string | null {
  if (masked(target) !== target) return 'target: it holds a secret';
  const parsed = parseId(target);
  const isFile = parsed?.form === 'file';
  const fits = kind === 'file' ? isFile : kind === 'symbol' ? !isFile && parsed?.path != null : true;
  return fits ? null : `target: '${shownLine(target)}' is no id of a ${kind}`;
}
