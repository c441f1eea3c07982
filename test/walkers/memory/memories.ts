import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OpenGraph } from '../../../index.js';
import type { InputOf } from '../../../runtime/index.js';
import { MemoryExport } from '../../../walkers/memory/memory-export.js';
import { MemoryImport } from '../../../walkers/memory/memory-import.js';
import { MemoryStore } from '../../../walkers/memory/memory-store.js';
import { open, scratch, write } from '../project.js';

/** An empty project's graph. */
export const emptyGraph = (): Promise<OpenGraph> => open(write({}));

/** A graph with memories that say nothing but their titles, which are their ids. */
export async function graphWith(titles: readonly string[]): Promise<OpenGraph> {
  const graph = await emptyGraph();
  for (const title of titles) await storeIn(graph, title);
  return graph;
}

/** Stores a memory under its title as its id. */
export async function storeIn(
  graph: OpenGraph,
  title: string,
  said: Partial<InputOf<typeof MemoryStore>> = {},
): Promise<string> {
  const memory = { type: 'general' as const, content: title, memory_id: title, ...said, title };
  return (await graph.spawn(MemoryStore, null, memory)).output.memory_id;
}

/** Relates memories: `a SOLVES b` or `a SOLVES b 0.9`. */
export async function relate(graph: OpenGraph, ...said: readonly string[]): Promise<void> {
  for (const one of said) {
    const [from_memory_id = '', relationship_type = '', to_memory_id = '', strength = '0.5'] = one.split(' ');
    const link = { from_memory_id, to_memory_id, relationship_type, strength: Number(strength) };
    await graph.spawn('memory_link', null, link);
  }
}

/** An export of all memories. */
export async function exported(graph: OpenGraph): Promise<string> {
  const { reports } = await graph.spawn(MemoryExport, null, {});
  return reports.map((line) => `${JSON.stringify(line)}\n`).join('');
}

/** What an import of a file with this text answers. */
export async function imported(
  graph: OpenGraph,
  text: string,
  input: { skip_invalid?: boolean; dry_run?: boolean } = {},
) {
  const file = join(scratch(), 'memories.jsonl');
  writeFileSync(file, text);
  return (await graph.spawn(MemoryImport, null, { file, ...input })).output;
}
