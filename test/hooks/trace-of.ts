import { agents } from '../../hooks/index.js';
import { openGraph } from '../../host/index.js';
import { exportOf } from '../host/journal/journals.js';
import { scratch } from '../host/journal/recorders.js';
import type { Payload } from './recording.js';

/** A line of the export. */
interface Line {
  readonly type: 'node' | 'edge';
  readonly kind: string;
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly [property: string]: unknown;
}

/** What stands in a trace by when it was recorded, or by whom. */
const VOLATILE = new Set([
  ...['id', 'created_at', 'started_at', 'ended_at', 'duration_ms', 'tool_id'],
  // Ids of what fixed it; the edges say the same.
  ...['resolved_by', 'fixes'],
]);

/**
 * A trace as a person would tell it, without times and ids: each task with its steps in order, their tools, files,
 * errors and what resolved them. Two exports that tell the same are equal.
 */
export function traceOf(lines: readonly string[]): readonly unknown[] {
  const entries = lines.map((line): Line => JSON.parse(line));
  const nodes = new Map(entries.filter(({ type }) => type === 'node').map((node) => [node.id, node]));
  const edges = entries.filter(({ type }) => type === 'edge');
  const told = (id: string): Record<string, unknown> => {
    const kept = Object.entries(nodes.get(id) ?? { id }).filter(([name]) => !VOLATILE.has(name));
    return { ...Object.fromEntries(kept), ...(id.startsWith('file:') && { id }) };
  };
  const along = (from: string, kind: string) =>
    edges
      .filter((edge) => edge.kind === kind && edge.from === from)
      .sort((a, b) => Number(a.order ?? 0) - Number(b.order ?? 0))
      .map(({ to }) => to);
  const sorted = (values: readonly unknown[]) => values.map((value) => JSON.stringify(value)).sort();
  const stepOf = (step: string) => ({
    ...told(step),
    // Two that began in one moment may stand either way.
    tools: sorted(along(step, 'INVOKES_TOOL').map((tool) => [told(tool), along(tool, 'TOUCHES_FILE')])),
    errors: sorted(
      along(step, 'HAS_ERROR').map((error) => [told(error), along(error, 'RESOLVED_BY').map(told)]),
    ),
  });
  const tasks = [...nodes.values()].filter(({ kind }) => kind === 'Task');
  return sorted(tasks.map(({ id }) => ({ ...told(id), steps: along(id, 'HAS_STEP').map(stepOf) })));
}

/**
 * The trace that payloads make when nothing goes wrong: recorded at once, in order, by no daemon.
 *
 * @param root The project, where it is on the disk.
 */
export async function plainTrace(
  told: readonly { readonly client: string; readonly payload: Payload }[],
  root = ':memory:',
): Promise<readonly unknown[]> {
  const begin = Date.now();
  const events = told.flatMap(({ client, payload }, at) => {
    const name = `${Math.floor(begin / 1000)}.${String(at).padStart(9, '0')}.1.${'0'.repeat(32)}`;
    const recorded = { client, payload: Buffer.from(JSON.stringify(payload)), name, at: begin + at };
    return agents.eventsOf(recorded) ?? [];
  });
  const graph = await openGraph(root, { home: scratch() });
  await graph.spawn('trace_ingest', null, { events });
  const lines = (await exportOf(graph)).split('\n');
  await graph.close();
  return traceOf(lines);
}
