import type { EdgeRef, WriteContext } from '../../../runtime/index.js';
import { append, LIMITS, MEMORY_RELATIONS, type MemoryRelation } from '../../../schema/index.js';
import { shownLine } from '../../shown-text.js';
import { keptText } from '../../trace/kept-text.js';
import type { RelationRecord } from './memory-record.js';
import type { ImportPlan, Taken } from './plan.js';
import type { At } from './read-records.js';

/**
 * Plans the relations of a file. There is one of a type from one memory to another: of the stored one and the file's the one
 * that rests on more evidence counts, the file's where both rest on as much.
 * A relation to a memory that is nowhere is a problem (S4-25).
 */
export async function takeRelations(
  context: WriteContext,
  records: readonly At<RelationRecord>[],
  plan: ImportPlan,
): Promise<Taken> {
  const taken: Taken = { created: 0, updated: 0, unchanged: 0 };
  for (const [type, same] of byType(records)) {
    const relation = MEMORY_RELATIONS[type];
    const known = new Map<string, EdgeRef<MemoryRelation>>();
    for (const edge of await context
      .q(same.map(({ from }) => from))
      .out(relation)
      .edges())
      known.set(`${edge.from}\n${edge.to}`, edge);
    for (const record of same) {
      const [noFrom, noTo] = [!plan.there.has(record.from), !plan.there.has(record.to)];
      if (noFrom || noTo || record.from === record.to) {
        plan.problems.push({ line: record.line, why: whyNot(record, noFrom, noTo) });
        continue;
      }
      const edge = known.get(`${record.from}\n${record.to}`);
      const { record: _, id: relation_id, type: __, from: ___, to: ____, line: _____, ...told } = record;
      const said = told.context === null ? null : keptText(told.context, LIMITS.memoryContext.max).text;
      const props = { ...told, context: said, relation_id: edge?.relation_id ?? relation_id };
      if (!edge) {
        plan.later(() => {
          const [from, to] = [plan.memories.get(record.from), plan.memories.get(record.to)];
          if (from && to) context.connectAll([{ from, to, edge: relation(props) }]);
        });
        taken.created++;
      } else if (edge.evidence_count > record.evidence_count || isSame(edge, props)) taken.unchanged++;
      else {
        plan.later(() => context.set<MemoryRelation>(edge, props));
        taken.updated++;
      }
    }
  }
  return taken;
}

function byType(records: readonly At<RelationRecord>[]): Map<RelationRecord['type'], At<RelationRecord>[]> {
  const types = new Map<RelationRecord['type'], At<RelationRecord>[]>();
  for (const record of records) append(types, record.type, record);
  return types;
}

function whyNot({ from, to }: RelationRecord, noFrom: boolean, noTo: boolean): string {
  if (!noFrom && !noTo) return `to: '${shownLine(to)}' is the memory itself`;
  return noFrom
    ? `from: there is no memory '${shownLine(from)}', neither in the file nor here`
    : `to: there is no memory '${shownLine(to)}', neither in the file nor here`;
}

function isSame(edge: EdgeRef<MemoryRelation>, props: Readonly<Record<string, unknown>>): boolean {
  const before: Readonly<Record<string, unknown>> = edge;
  return Object.entries(props).every(([field, value]) => before[field] === value);
}
