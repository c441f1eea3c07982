import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import { shownLine } from '../../present/index.js';
import { type PathExpression, propsOf, type WriteContext } from '../../runtime/index.js';
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
import { versionsOf, whyNoMemoryId } from './identity.js';
import { relationProps } from './relations.js';
import { type MemoryRef, writeMemoryText } from './text.js';
import { storeVersion } from './versions.js';

type Content = z.infer<typeof MemoryContent>;
type Said = RecordOf<'memory'> | RecordOf<'version'>;

const tally = () => ({ created: 0, updated: 0, unchanged: 0 });

/**
 * An import of records. Of what is here too the later memory counts, of equal ones that with more evidence,
 * of relations that with more evidence, of bindings the later one. Content that is replaced stays as a
 * version.
 */
export class ImportedRecords {
  readonly memories = tally();
  readonly relations = tally();
  readonly abouts = tally();
  versions = 0;
  /** The memories that are here or come with the file. */
  readonly #ids = new Set<string>();

  /** @param writer Null: nothing is written. */
  private constructor(
    private readonly context: WriteContext,
    private readonly writer: WriteContext | null,
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
      const earlier = versions.get(id) ?? [];
      const contents = this.#contentsOf([...earlier, record]);
      versions.delete(id);
      if (!known && other && !other.gone)
        this.#refuse(record, `id: '${shownLine(id)}' is a ${other.archetype.name} here, no memory`);
      else if (contents) written.push(...(await this.#takeMemory(record, earlier, contents, known)));
    }
    // Versions without their memory: it was deleted where the file comes from. What is stored of it here stays.
    for (const [id, records] of versions) {
      const why = records.every(({ deleted }) => deleted)
        ? whyNoMemoryId(id)
        : `the file has no memory '${shownLine(id)}'`;
      if (why !== null) for (const record of records) this.#refuse(record, `memory_id: ${why}`);
      const contents = why === null ? this.#contentsOf(records) : null;
      if (contents && (await versionsOf(this.context, id)).length === 0)
        await this.#writeVersions(records, contents);
    }
    if (this.writer) await writeMemoryText(this.writer, written);
  }

  /** What a memory of the file says and said before; null where some of it is refused. */
  #contentsOf(records: readonly Said[]): Content[] | null {
    const contents: Content[] = [];
    let since = '';
    for (const record of records) {
      const [field, time] =
        record.record === 'memory' ? ['updated_at', record.updated_at] : ['said_at', record.said_at];
      try {
        if (time < since) throw new Error(`${field}: an earlier version is later`);
        contents.push(MemoryContent.parse(storedContent(record, null)));
        since = time;
      } catch (thrown) {
        this.#refuse(record, thrown instanceof Error ? thrown.message : String(thrown));
      }
    }
    return contents.length < records.length ? null : contents;
  }

  async #takeMemory(
    record: RecordOf<'memory'>,
    earlier: readonly RecordOf<'version'>[],
    contents: readonly Content[],
    known: MemoryRef | undefined,
  ): Promise<MemoryRef[]> {
    const { record: _, line: __, context: ___, id, ...props } = record;
    const { updated_at, evidence_count } = props;
    this.#ids.add(id);
    const isLater =
      !known ||
      updated_at > known.updated_at ||
      (updated_at === known.updated_at && evidence_count > known.evidence_count);
    if (!isLater) {
      this.memories.unchanged++;
      return [];
    }
    this.memories[known ? 'updated' : 'created']++;
    const content = contents.at(-1) as Content;
    const stored = await versionsOf(this.context, id);
    let version = stored.length + 1;
    if (known && isDeepStrictEqual(MemoryContent.parse(propsOf(known)), content)) version = known.version;
    else if (known) {
      this.versions++;
      if (this.writer) await storeVersion(this.writer, known, updated_at);
    } else if (stored.length === 0) {
      await this.#writeVersions(earlier, contents);
      version = contents.length;
    }
    const evidence = record.evidence.map(storedText);
    const draft = Memory({ ...props, ...content, evidence, version }, { id });
    return this.writer ? [await this.writer.create(draft)] : [];
  }

  async #writeVersions(records: readonly RecordOf<'version'>[], contents: readonly Content[]): Promise<void> {
    this.versions += records.length;
    const drafts = records.map(({ memory_id, said_at, replaced_at }, at) => {
      const span = { memory_id, version: at + 1, said_at, replaced_at };
      return MemoryVersion(
        { ...(contents[at] as Content), ...span },
        { id: memoryVersionId(memory_id, at + 1) },
      );
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
        // Earlier versions of Codewalk stored what a relation was before a change.
        if (replaced_at !== undefined) continue;
        const edge = known.get(`${from}\n${to}`);
        const context = record.context === null ? null : storedText(record.context);
        const props = relationProps({ ...record, relation_id: edge?.relation_id ?? id, context });
        const missing = Object.entries({ from, to }).find(([, one]) => !this.#ids.has(one));
        if (missing) {
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

const TARGETS: Readonly<Record<RecordOf<'about'>['kind'], NodeType>> = {
  file: File,
  symbol: CodeSymbol,
  task: Task,
  error: TraceError,
};

function whyNoTarget(target: string, kind: RecordOf<'about'>['kind']): string | null {
  if (masked(target) !== target) return 'target: it holds a secret';
  const parsed = parseId(target);
  const isFile = parsed?.form === 'file';
  const fits = kind === 'file' ? isFile : kind === 'symbol' ? !isFile && parsed?.path != null : true;
  return fits ? null : `target: '${shownLine(target)}' is no id of a ${kind}`;
}
