import type { EdgeRef, NodeType, WriteContext } from '../../../runtime/index.js';
import { CodeSymbol, File, MemoryAbout, parseId, Task, TraceError } from '../../../schema/index.js';
import { masked } from '../../../source/index.js';
import { shownLine } from '../../shown-text.js';
import type { AboutRecord } from './memory-record.js';
import type { ImportPlan, Taken } from './plan.js';
import type { At } from './read-records.js';

const TYPES: Readonly<Record<AboutRecord['kind'], NodeType>> = {
  file: File,
  symbol: CodeSymbol,
  task: Task,
  error: TraceError,
};

/**
 * Plans to bind the memories of a file to what they are about, with what that was when they were bound. What is not here is
 * bound all the same: it answers as `orphaned`. Of two bindings the later one counts.
 */
export async function takeAbouts(
  context: WriteContext,
  records: readonly At<AboutRecord>[],
  plan: ImportPlan,
): Promise<Taken> {
  const taken: Taken = { created: 0, updated: 0, unchanged: 0 };
  const known = new Map<string, EdgeRef<typeof MemoryAbout>>();
  const bound = [...new Set(records.map(({ memory_id }) => memory_id))];
  for (const edge of await context.q(bound).out(MemoryAbout).edges())
    known.set(`${edge.from}\n${edge.to}`, edge);
  for (const record of records) {
    const why = plan.there.has(record.memory_id)
      ? whyNot(record)
      : `memory_id: there is no memory '${shownLine(record.memory_id)}'`;
    if (why !== null) {
      plan.problems.push({ line: record.line, why });
      continue;
    }
    const { content_hash, bound_at } = record;
    const edge = known.get(`${record.memory_id}\n${record.target}`);
    if (edge && (edge.bound_at ?? '') >= (bound_at ?? '')) {
      taken.unchanged++;
      continue;
    }
    const [to] = await context.nodesOf(TYPES[record.kind], [record.target]);
    plan.later(() => {
      const from = plan.memories.get(record.memory_id);
      if (from && to) context.connectAll([{ from, to, edge: MemoryAbout({ content_hash, bound_at }) }]);
    });
    taken[edge ? 'updated' : 'created']++;
  }
  return taken;
}

/** Why nothing can be about a target; null where it can. */
function whyNot({ target, kind }: AboutRecord): string | null {
  if (masked(target) !== target) return 'target: it holds a secret';
  const parsed = parseId(target);
  const isFile = parsed?.form === 'file';
  const fits = kind === 'file' ? isFile : kind === 'symbol' ? !isFile && parsed?.path != null : true;
  return fits ? null : `target: '${shownLine(target)}' is no id of a ${kind}`;
}
