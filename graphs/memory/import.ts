import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import { shownLine } from '../../present/index.js';
import { compareText, type PathExpression, propsOf, type WriteContext } from '../../runtime/index.js';
import {
  CodeSymbol,
  type EdgeDraft,
  type EdgeType,
  File,
  grouped,
  MEMORY_RELATIONS,
  Memory,
  MemoryAbout,
  MemoryContent,
  MemoryRelationVersion,
  MemoryVersion,
  memoryVersionId,
  type NodeType,
  parseId,
  Task,
  TraceError,
} from '../../schema/index.js';
import { masked } from '../../source/index.js';
import { storedContent, storedText } from './content.js';
import type { Problem, ReadRecords, RecordOf } from './exchange.js';
import { type StoredVersion, versionsOf, whyNoMemoryId } from './identity.js';
import { LAST, relationProps } from './relations.js';
import { type MemoryRef, writeMemoryText } from './text.js';

/** What a memory said from one time to another; until null: it says it still. */
interface Period {
  readonly content: z.infer<typeof MemoryContent>;
  readonly from: string;
  readonly until: string | null;
}

function periodOf(one: StoredVersion): Period {
  const [from, until] = 'memory_id' in one ? [one.said_at, one.replaced_at] : [one.updated_at, null];
  return { content: MemoryContent.parse(one), from, until };
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
    await imported.#takeRelations(read.relation);
    await imported.#takeAbouts(read.about);
    imported.problems.sort((a, b) => a.line - b.line);
    return imported;
  }

  #refuse({ line }: { readonly line: number }, why: string): void {
    this.problems.push({ line, why });
  }

  async #takeMemories(read: ReadRecords): Promise<void> {
    const { nodes, nodesOf } = this.context;
    const ids = read.memory.map(({ id }) => id);
    const ends = read.relation.flatMap(({ from, to }) => [from, to]);
    const owners = [...read.about, ...read.version].map(({ memory_id }) => memory_id);
    const here = new Map<string, MemoryRef>();
    for (const memory of await nodesOf(Memory, [...new Set([...ids, ...ends, ...owners])]))
      if (!memory.gone) here.set(memory.id, memory);
    for (const id of here.keys()) this.#ids.add(id);
    const others = await nodes(ids);
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
      const isNow = record.record === 'memory';
      const [from, until] = isNow ? [record.updated_at, null] : [record.said_at, record.replaced_at];
      try {
        if (from < (periods.at(-1)?.from ?? ''))
          throw new Error(`${isNow ? 'updated_at' : 'said_at'}: an earlier version is later`);
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
    const mine = (await versionsOf(this.context, id)).map(periodOf);
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

  async #takeRelations(records: readonly RecordOf<'relation'>[]): Promise<void> {
    const { relations } = this;
    for (const [type, some] of grouped(records, (record) => record.type)) {
      const relation = MEMORY_RELATIONS[type];
      const known = await edgesByEnds(this.context.q(some.map(({ from }) => from)).out(relation));
      for (const record of some) {
        const { id, from, to, replaced_at } = record;
        const edge = replaced_at === undefined ? known.get(`${from}\n${to}`) : undefined;
        const context = record.context === null ? null : storedText(record.context);
        const props = relationProps({ ...record, relation_id: edge?.relation_id ?? id, context });
        const missing = Object.entries({ from, to }).find(([, one]) => !this.#ids.has(one));
        if (replaced_at !== undefined) {
          const ends = { type, from_memory_id: from, to_memory_id: to, replaced_at };
          const draft = MemoryRelationVersion({ ...props, ...ends }, { id: `${id}@${replaced_at}` });
          const [stored] = await this.context.nodesOf(MemoryRelationVersion, [`${id}@${replaced_at}`]);
          const isHere = stored !== undefined && !stored.gone;
          relations[isHere ? 'unchanged' : 'created']++;
          if (!isHere) await this.writer?.create(draft);
        } else if (missing) {
          const why = `there is no memory '${shownLine(missing[1])}', neither in the file nor here`;
          this.#refuse(record, `${missing[0]}: ${why}`);
        } else if (from === to) this.#refuse(record, `to: '${shownLine(to)}' is the memory itself`);
        else if (!edge) {
          relations.created++;
          await this.#connect(from, [Memory, to], relation(props));
        } else if (edge.evidence_count > record.evidence_count || isDeepStrictEqual(propsOf(edge), props))
          relations.unchanged++;
        else {
          relations.updated++;
          this.writer?.set(edge, props);
        }
      }
    }
  }

  /** What is not here is bound all the same, and answers as `orphaned`. */
  async #takeAbouts(records: readonly RecordOf<'about'>[]): Promise<void> {
    const { abouts } = this;
    const owners = records.map(({ memory_id }) => memory_id);
    const known = await edgesByEnds(this.context.q(owners).out(MemoryAbout));
    for (const record of records) {
      const { memory_id, target, kind, content_hash, bound_at } = record;
      const edge = known.get(`${memory_id}\n${target}`);
      const why = this.#ids.has(memory_id)
        ? whyNoTarget(target, kind)
        : `memory_id: there is no memory '${shownLine(memory_id)}'`;
      if (why !== null) this.#refuse(record, why);
      else if (edge && (edge.bound_at ?? '') >= (bound_at ?? '')) abouts.unchanged++;
      else {
        abouts[edge ? 'updated' : 'created']++;
        await this.#connect(memory_id, [TARGETS[kind], target], MemoryAbout({ content_hash, bound_at }));
      }
    }
  }

  async #connect(
    memory: string,
    [type, target]: readonly [NodeType, string],
    edge: EdgeDraft,
  ): Promise<void> {
    const [from] = await this.context.nodesOf(Memory, [memory]);
    const [to] = await this.context.nodesOf(type, [target]);
    if (from && to) this.writer?.connectAll([{ from, to, edge }]);
  }
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
  'usage_count',
  'last_accessed',
  'evidence_count',
  'validation_count',
  'counter_evidence_count',
  'last_validated',
] as const;

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
