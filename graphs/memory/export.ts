import { compareText, type ReadContext } from '../../runtime/index.js';
import { MemoryAbout, MemoryContent, MemoryRelationVersion } from '../../schema/index.js';
import { aboutKind } from './about.js';
import { contextIn } from './content.js';
import { relationField } from './fields.js';
import type { ExchangeRecord, MemoryRecord } from './records.js';
import { linksOf, type RelationProps, relationsBehind } from './relations.js';
import type { MemoryRef } from './text.js';
import { storedMemories } from './versions.js';

/**
 * Everything that is stored of memories as records: the header, memories by id, their versions, relations by (from, type,
 * to), versions of relations, what memories are about. The order follows from what is stored, never from when.
 */
export async function exportRecords(
  context: Pick<ReadContext, 'find' | 'entries' | 'entryEdges' | 'q'>,
): Promise<ExchangeRecord[]> {
  const stored = await storedMemories(context);
  const ids = stored.map(({ id }) => id);
  const records: ExchangeRecord[] = [];
  const versions: ExchangeRecord[] = [];
  for (const { versions: all } of stored) {
    const isDeleted = all.every((one) => 'memory_id' in one);
    const deleted = isDeleted ? ({ deleted: true } as const) : {};
    for (const one of all.toSorted((a, b) => a.version - b.version))
      if ('memory_id' in one) {
        const { memory_id, version, said_at, replaced_at } = one;
        const span = { memory_id, version, said_at, replaced_at };
        versions.push({ record: 'version', ...span, ...deleted, ...contentRecord(one) });
      } else records.push(memoryRecord(one));
  }
  const relations: ExchangeRecord[] = [];
  for (const links of await linksOf(context, ids)) {
    const own = links
      .filter(({ direction }) => direction === 'out')
      .sort((a, b) => compareText(`${a.type} ${a.to}`, `${b.type} ${b.to}`));
    for (const [at, props] of (await relationsBehind(context, own)).entries()) {
      const [link] = own.slice(at);
      if (link && props) relations.push({ record: 'relation', ...relationRecord(link, props) });
    }
  }
  const relationVersions = (await context.find(MemoryRelationVersion))
    .sort((a, b) => compareText(a.id, b.id))
    .map((one) => {
      const ends = { type: one.type, from: one.from_memory_id, to: one.to_memory_id };
      const own = relationRecord(ends, one);
      return { record: 'relation_version' as const, ...own, replaced_at: one.replaced_at };
    });
  const abouts: ExchangeRecord[] = [];
  const path = context.q(ids).out(MemoryAbout);
  const kinds = new Map((await path).map((node) => [node.id, aboutKind(node)]));
  for (const { from, to, content_hash, bound_at } of await path.edges()) {
    const kind = kinds.get(to);
    if (kind) abouts.push({ record: 'about', memory_id: from, target: to, kind, content_hash, bound_at });
  }
  const header = {
    record: 'header' as const,
    format: 1 as const,
    memories: records.length,
    versions: versions.length,
    relations: relations.length,
    relation_versions: relationVersions.length,
    abouts: abouts.length,
  };
  return [header, ...records, ...versions, ...relations, ...relationVersions, ...abouts];
}

function memoryRecord(memory: MemoryRef): MemoryRecord {
  return {
    record: 'memory',
    id: memory.id,
    ...contentRecord(memory),
    usage_count: memory.usage_count,
    created_at: memory.created_at,
    updated_at: memory.updated_at,
    last_accessed: memory.last_accessed,
    version: memory.version,
    evidence_count: memory.evidence_count,
    validation_count: memory.validation_count,
    counter_evidence_count: memory.counter_evidence_count,
    last_validated: memory.last_validated,
    evidence: [...memory.evidence],
  };
}

function contentRecord(stored: Readonly<Record<string, unknown>>) {
  const { type, title, content, summary, tags, ...scores } = MemoryContent.parse(stored);
  const { importance, confidence, effectiveness } = scores;
  const context = contextIn(stored);
  return { type, title, content, summary, tags, importance, confidence, effectiveness, context };
}

function relationRecord(
  { type, from, to }: { readonly type: string; readonly from: string; readonly to: string },
  props: RelationProps,
) {
  return {
    id: props.relation_id,
    type: relationField.parse(type),
    from,
    to,
    strength: props.strength,
    confidence: props.confidence,
    context: props.context,
    evidence_count: props.evidence_count,
    success_rate: props.success_rate,
    created_at: props.created_at,
    last_validated: props.last_validated,
    validation_count: props.validation_count,
    counter_evidence_count: props.counter_evidence_count,
    ...(props.proposed ? { proposed: true as const } : {}),
  };
}
