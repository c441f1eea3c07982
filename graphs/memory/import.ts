import { isDeepStrictEqual } from 'node:util';
import { shownLine } from '../../present/index.js';
import {
  compareText,
  type EdgeRef,
  type NodeRef,
  type PathExpression,
  propsOf,
  type WriteContext,
} from '../../runtime/index.js';
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
  type NodeDraft,
  type NodeType,
  parseId,
  Task,
  TraceError,
} from '../../schema/index.js';
import { masked } from '../../source/index.js';
import { storedContent, storedText } from './content.js';
import type { Problem, ReadRecords, RecordOf } from './exchange.js';
import { whyNoMemoryId } from './identity.js';
import { LAST, type RelationProps, relationProps } from './relations.js';
import { type MemoryRef, writeMemoryText } from './text.js';
import { earlierVersions, type VersionRef } from './versions.js';

/** What a memory said from one time to another; until null: it says it still. */
interface Period {
  readonly content: ReturnType<typeof MemoryContent.parse>;
  readonly from: string;
  readonly until: string | null;
}

/** An edge from a memory to a node of a type: there, or as a stub. */
interface Link {
  readonly from: string;
  readonly to: string;
  readonly type: NodeType;
  readonly edge: EdgeDraft;
}

/** What became of the records of a kind. */
const tally = () => ({ created: 0, updated: 0, unchanged: 0 });

/**
 * An import before anything is written. A memory that is stored already gets one history of both, so that nothing is lost and
 * importing again changes nothing; of two counts it gets the larger one, of two times the later one. Of two relations of one
 * type between two memories the one with more evidence counts, of two bindings the later one.
 */
export class MemoryImportPlan {
  readonly memories = tally();
  readonly relations = tally();
  readonly abouts = tally();
  /** Earlier versions that will be written. */
  versions = 0;
  readonly #problems: Problem[];
  /** Memories that are stored here, of those that the file names. */
  readonly #stored = new Map<string, MemoryRef>();
  readonly #memories = new Map<string, NodeDraft<typeof Memory>>();
  readonly #versions: NodeDraft[] = [];
  readonly #links: Link[] = [];
  readonly #changes: { readonly edge: EdgeRef; readonly props: RelationProps }[] = [];

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
    await plan.#planEarlierRelations(read.relation);
    await plan.#planAbouts(read.about);
    return plan;
  }

  /** What cannot be imported, in order of the lines. */
  get problems(): readonly Problem[] {
    return this.#problems.toSorted((a, b) => a.line - b.line);
  }

  /** Writes all of it. */
  async write(): Promise<void> {
    const { context } = this;
    await context.createAll(this.#versions);
    await writeMemoryText(context, await context.createAll([...this.#memories.values()]));
    for (const [type, links] of grouped(this.#links, (link) => link.type)) {
      const from = await nodesById(
        context,
        Memory,
        links.map((link) => link.from),
      );
      const to = await nodesById(
        context,
        type,
        links.map((link) => link.to),
      );
      for (const link of links) {
        const [start, end] = [from.get(link.from), to.get(link.to)];
        if (start && end) context.connectAll([{ from: start, to: end, edge: link.edge }]);
      }
    }
    for (const { edge, props } of this.#changes) context.set(edge, props);
  }

  #refuse({ line }: { readonly line: number }, why: string): void {
    this.#problems.push({ line, why });
  }

  #has(id: string): boolean {
    return this.#stored.has(id) || this.#memories.has(id);
  }

  async #planMemories(read: ReadRecords): Promise<void> {
    const { context } = this;
    const ids = read.memory.map(({ id }) => id);
    const named = [
      ...read.relation.flatMap(({ from, to }) => [from, to]),
      ...[...read.about, ...read.version].map(({ memory_id }) => memory_id),
    ];
    for (const [id, node] of await nodesById(context, Memory, [...ids, ...named]))
      if (!node.gone) this.#stored.set(id, node);
    const others = await context.nodes(ids);
    const first = ids.map((id) => memoryVersionId(id, 1));
    const firsts = (await context.nodesOf(MemoryVersion, first)).filter(({ gone }) => !gone);
    const versioned = new Set(firsts.map(({ memory_id }) => memory_id));
    const byNumber = read.version.toSorted((a, b) => a.version - b.version);
    const versions = grouped(byNumber, ({ memory_id }) => memory_id);
    for (const [at, record] of read.memory.entries()) {
      const { id } = record;
      const [known, other] = [this.#stored.get(id), others[at]];
      const theirs = this.#periodsOf([...(versions.get(id) ?? []), record]);
      versions.delete(id);
      if (!known && other && !other.gone)
        this.#refuse(record, `id: '${shownLine(id)}' is a ${other.archetype.name} here, no memory`);
      else if (theirs) {
        const earlier = versioned.has(id) ? await earlierVersions(context, id) : [];
        this.#planMemory(record, theirs, known, periodsHere(known, earlier));
      }
    }
    // Versions without their memory: it was deleted where the file comes from. What is stored of it here stays.
    for (const [id, records] of versions) {
      const why = records.every(({ deleted }) => deleted)
        ? whyNoMemoryId(id)
        : `the file has no memory '${shownLine(id)}'`;
      if (why !== null) for (const record of records) this.#refuse(record, `memory_id: ${why}`);
      const periods = why === null ? this.#periodsOf(records) : null;
      if (periods && !this.#stored.has(id) && (await earlierVersions(context, id)).length === 0)
        this.#addVersions(id, periods);
    }
  }

  #planMemory(
    record: RecordOf<'memory'>,
    theirs: readonly Period[],
    known: MemoryRef | undefined,
    mine: readonly Period[],
  ): void {
    const { id } = record;
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
      return;
    }
    this.memories[known ? 'updated' : 'created']++;
    this.#memories.set(id, draft);
    this.#addVersions(id, merged.slice(0, -1));
  }

  #addVersions(id: string, periods: readonly Period[]): void {
    this.versions += periods.length;
    for (const [at, { content, from: said_at, until }] of periods.entries()) {
      const span = { memory_id: id, version: at + 1, said_at, replaced_at: until ?? said_at };
      this.#versions.push(MemoryVersion({ ...content, ...span }, { id: memoryVersionId(id, at + 1) }));
    }
  }

  /** What a memory said, from its first version on; null where some of it is refused. */
  #periodsOf(records: readonly (RecordOf<'memory'> | RecordOf<'version'>)[]): Period[] | null {
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

  async #planRelations(records: readonly RecordOf<'relation'>[]): Promise<void> {
    const { context, relations } = this;
    const present = records.filter(({ replaced_at }) => replaced_at === undefined);
    for (const [type, some] of grouped(present, (record) => record.type)) {
      const relation = MEMORY_RELATIONS[type];
      const known = await edgesByEnds(context.q(some.map(({ from }) => from)).out(relation));
      for (const record of some) {
        const { from, to } = record;
        const edge = known.get(`${from}\n${to}`);
        const props = propsOfRelation(record, edge?.relation_id);
        const missing = Object.entries({ from, to }).find(([, id]) => !this.#has(id));
        if (missing) {
          const [end, id] = missing;
          this.#refuse(record, `${end}: there is no memory '${shownLine(id)}', neither in the file nor here`);
        } else if (from === to) this.#refuse(record, `to: '${shownLine(to)}' is the memory itself`);
        else if (!edge) {
          relations.created++;
          this.#links.push({ from, to, type: Memory, edge: relation(props) });
        } else if (edge.evidence_count > record.evidence_count || isDeepStrictEqual(propsOf(edge), props))
          relations.unchanged++;
        else {
          relations.updated++;
          this.#changes.push({ edge, props });
        }
      }
    }
  }

  async #planEarlierRelations(records: readonly RecordOf<'relation'>[]): Promise<void> {
    const drafts = records.flatMap((record) => {
      const { id, type, from: from_memory_id, to: to_memory_id, replaced_at } = record;
      if (replaced_at === undefined) return [];
      const props = { ...propsOfRelation(record), type, from_memory_id, to_memory_id, replaced_at };
      return [MemoryRelationVersion(props, { id: `${id}@${replaced_at}` })];
    });
    const ids = drafts.flatMap(({ id }) => id ?? []);
    const stored = await nodesById(this.context, MemoryRelationVersion, ids);
    this.#versions.push(...drafts.filter(({ id = '' }) => stored.get(id)?.gone ?? true));
  }

  /** What is not here is bound all the same, and answers as `orphaned`. */
  async #planAbouts(records: readonly RecordOf<'about'>[]): Promise<void> {
    const { context, abouts } = this;
    const known = await edgesByEnds(context.q(records.map(({ memory_id }) => memory_id)).out(MemoryAbout));
    for (const record of records) {
      const { memory_id: from, target: to, kind, content_hash, bound_at } = record;
      const edge = known.get(`${from}\n${to}`);
      const why = this.#has(from)
        ? whyNoTarget(to, kind)
        : `memory_id: there is no memory '${shownLine(from)}'`;
      if (why !== null) this.#refuse(record, why);
      else if (edge && (edge.bound_at ?? '') >= (bound_at ?? '')) abouts.unchanged++;
      else {
        abouts[edge ? 'updated' : 'created']++;
        this.#links.push({ from, to, type: TARGETS[kind], edge: MemoryAbout({ content_hash, bound_at }) });
      }
    }
  }
}

/** Nodes by their ids: what is not there as a stub. */
async function nodesById<T extends NodeType>(
  { nodesOf }: WriteContext,
  type: T,
  ids: readonly string[],
): Promise<Map<string, NodeRef<T>>> {
  return new Map((await nodesOf(type, [...new Set(ids)])).map((node) => [node.id, node]));
}

/** The last edges of a path by the ids of their ends. */
async function edgesByEnds<E extends EdgeType>(
  path: PathExpression<NodeType, E>,
): Promise<Map<string, EdgeRef<E>>> {
  return new Map((await path.edges()).map((edge) => [`${edge.from}\n${edge.to}`, edge]));
}

function propsOfRelation(record: RecordOf<'relation'>, relation_id = record.id): RelationProps {
  const context = record.context === null ? null : storedText(record.context);
  return relationProps({ ...record, relation_id, context });
}

/** What is stored of a memory here, from its first version on. */
function periodsHere(memory: MemoryRef | undefined, earlier: readonly VersionRef[]): Period[] {
  const periods: Period[] = earlier.map((one) => {
    const { said_at: from, replaced_at: until } = one;
    return { content: MemoryContent.parse(one), from, until };
  });
  if (memory) periods.push({ content: MemoryContent.parse(memory), from: memory.updated_at, until: null });
  return periods;
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

/** Numbers and times that only grow. */
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
