import { compareText, type ReadContext } from '../../runtime/index.js';
import { MemoryAbout, MemoryContent, MemoryRelationVersion } from '../../schema/index.js';
import { aboutKind } from './about.js';
import { contextIn } from './content.js';
import { relationField } from './fields.js';
import type { ExchangeRecord } from './records.js';
import { linksOf, type RelationProps, relationsBehind } from './relations.js';
import { storedMemories } from './versions.js';

/**
 * Everything that is stored of memories as records: the header, memories by id, their versions, relations by (from, type,
 * to), earlier ones after those there are, what memories are about. The order follows from what is stored, never from when.
 */
export async function exportRecords(
  context: Pick<ReadContext, 'find' | 'entries' | 'entryEdges' | 'q'>,
): Promise<ExchangeRecord[]> {
  const memories: ExchangeRecord[] = [];
  const versions: ExchangeRecord[] = [];
  const relations: ExchangeRecord[] = [];
  const abouts: ExchangeRecord[] = [];
  const stored = await storedMemories(context);
  for (const { versions: all } of stored) {
    const deleted = all.every((one) => 'memory_id' in one) ? { deleted: true as const } : {};
    for (const one of all)
      if ('memory_id' in one) {
        const { memory_id, version, said_at, replaced_at } = one;
        const span = { memory_id, version, said_at, replaced_at };
        versions.push({ record: 'version', ...span, ...deleted, ...contentIn(one) });
      } else {
        const { id, usage_count, created_at, updated_at, last_accessed, version, evidence } = one;
        const times = { usage_count, created_at, updated_at, last_accessed, version };
        const counts = { ...countsIn(one), evidence: [...evidence] };
        memories.push({ record: 'memory', id, ...contentIn(one), ...times, ...counts });
      }
  }
  const ids = stored.map(({ id }) => id);
  for (const links of await linksOf(context, ids)) {
    const out = links.filter(({ direction }) => direction === 'out');
    out.sort((a, b) => compareText(`${a.type} ${a.to}`, `${b.type} ${b.to}`));
    for (const { type, from, to, props } of await relationsBehind(context, out))
      relations.push(relationRecord(type, from, to, props));
  }
  const earlier = await context.find(MemoryRelationVersion);
  for (const one of earlier.sort((a, b) => compareText(a.id, b.id))) {
    const { type, from_memory_id, to_memory_id, replaced_at } = one;
    relations.push({ ...relationRecord(type, from_memory_id, to_memory_id, one), replaced_at });
  }
  const path = context.q(ids).out(MemoryAbout);
  const kinds = new Map((await path).map((node) => [node.id, aboutKind(node)]));
  for (const { from: memory_id, to: target, content_hash, bound_at } of await path.edges()) {
    const kind = kinds.get(target);
    if (kind) abouts.push({ record: 'about', memory_id, target, kind, content_hash, bound_at });
  }
  const header = {
    memories: memories.length,
    versions: versions.length,
    relations: relations.length,
    abouts: abouts.length,
  };
  return [{ record: 'header', format: 1, ...header }, ...memories, ...versions, ...relations, ...abouts];
}

function contentIn(stored: Readonly<Record<string, unknown>>) {
  const { type, title, content, summary, tags, ...scores } = MemoryContent.parse(stored);
  const { importance, confidence, effectiveness } = scores;
  const context = contextIn(stored);
  return { type, title, content, summary, tags, importance, confidence, effectiveness, context };
}

function countsIn(
  of: Pick<
    RelationProps,
    'evidence_count' | 'validation_count' | 'counter_evidence_count' | 'last_validated'
  >,
) {
  const { evidence_count, validation_count, counter_evidence_count, last_validated } = of;
  return { evidence_count, validation_count, counter_evidence_count, last_validated };
}

function relationRecord(type: string, from: string, to: string, props: RelationProps) {
  const { relation_id: id, strength, confidence, context, success_rate, created_at, proposed } = props;
  const own = { strength, confidence, context, ...countsIn(props), success_rate, created_at };
  const ends = { id, type: relationField.parse(type), from, to };
  return { record: 'relation' as const, ...ends, ...own, ...(proposed ? { proposed: true as const } : {}) };
}
