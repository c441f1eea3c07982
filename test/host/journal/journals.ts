import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Agents, Journal, type OpenGraph, openGraph } from '../../../host/index.js';
import { labelBytes, newEntryName } from '../../../host/journal/entry.js';
import type { Ingest } from '../../../host/journal/journal.js';
import { scratch } from './recorders.js';

/** A project that is eligible, a home, and the graph of one in the other, opened when asked for. */
export class Place {
  readonly home: string;
  readonly root: string;
  #graph: Promise<OpenGraph> | null = null;

  /** @param folder Holds both. Default: a new one, gone when the test ends. */
  constructor(folder = scratch()) {
    this.home = join(folder, 'home');
    this.root = join(folder, 'project');
    for (const made of [this.home, join(this.root, '.git')]) mkdirSync(made, { recursive: true });
    onTestFinished(() => this.close());
  }

  /** Puts a file into the journal, as a recorder does; its name. */
  put(payload: unknown, label: { client?: string; root?: string; place?: 'root' | 'cwd' } = {}): string {
    const { client = null, root = this.root, place = 'root' } = label;
    const text = typeof payload === 'string' ? payload : JSON.stringify(payload);
    return this.putBytes(Buffer.concat([Buffer.from(text), labelBytes({ client, place, path: root })]));
  }

  /** Puts bytes into the journal under a name of its own. */
  putBytes(bytes: Uint8Array, name = newEntryName(Date.now(), process.pid)): string {
    const folder = join(this.home, 'journal', 'new');
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(join(folder, name), bytes);
    return name;
  }

  /** Its journal, read into its graph unless told otherwise. */
  journal(ingest: Ingest = (root, events) => this.ingest(root, events), agents?: Agents): Journal {
    const journal = new Journal({ home: this.home, ingest, ...(agents ? { agents } : {}) });
    onTestFinished(() => journal.close());
    return journal;
  }

  /** Records in the graph. */
  ingest: Ingest = async (_root, events) => {
    const graph = await this.graph();
    const { output } = await graph.spawn('trace_ingest', null, { events: [...events] });
    return (output as { outcomes: Awaited<ReturnType<Ingest>> }).outcomes;
  };

  graph(): Promise<OpenGraph> {
    this.#graph ??= openGraph(this.root, { home: this.home });
    return this.#graph;
  }

  /** The lines of the durable layer's export. */
  async exported(): Promise<string> {
    return exportOf(await this.graph());
  }

  async close(): Promise<void> {
    const graph = this.#graph;
    this.#graph = null;
    await (await graph)?.close();
  }
}

/** The durable layer's export as text. */
export async function exportOf(graph: OpenGraph): Promise<string> {
  const { reports } = await graph.spawn('graph_export', null, { layer: 'durable' });
  return (reports as unknown[]).map((line) => JSON.stringify(line)).join('\n');
}

const DAY = Date.UTC(2026, 0, 5);

/** The events of some sessions, in the order of their times. */
export function eventsOf(count: number): Record<string, unknown>[] {
  return Array.from({ length: count }, (_, at) => {
    const session_id = `s${at % 3}`;
    const event = { event_id: `e${at}`, session_id, ts: DAY + at * 1000 };
    const files_touched = [`src/${at % 5}.ts`];
    if (at < 3 || at % 31 === 0)
      return { ...event, kind: 'task_start', payload: { user_prompt: `Task ${at}` } };
    if (at % 11 === 0) return { ...event, kind: 'step', payload: { order: at, role: 'editing' } };
    if (at % 7 === 0)
      return { ...event, kind: 'error', payload: { error_type: 'tool_error', message: `bad ${at % 2}` } };
    return { ...event, kind: 'tool_end', payload: { tool_name: 'edit', success: true, files_touched } };
  });
}

/** The export after these events, recorded one by one. */
export async function serially(events: readonly Record<string, unknown>[]): Promise<string> {
  const graph = await openGraph(':memory:');
  for (const event of events) await graph.spawn('etg_log_event', null, event);
  const text = await exportOf(graph);
  await graph.close();
  return text;
}
