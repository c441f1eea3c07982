import { z } from 'zod';
import { type ErrorCode, toCodewalkError } from '../../schema/index.js';
import { masked } from '../../source/index.js';
import { indexDefaults, settingsFor } from '../config.js';
import { INDEX_WALKER, indexesByItself } from '../freshness/freshness.js';
import type { Host } from '../host.js';

const FirstLook = z.object({ indexed: z.boolean(), files: z.number().int().nullable() });
const UNBOUNDED = { deadlineMs: null, maxVisits: null, maxBytes: null };
/** Most characters of one line of the log. */
const LONGEST_LINE = 10_000;

/** Indexes projects that agents work in, without anybody asking for it. */
export class AutoIndex {
  readonly #known = new Set<string>();
  readonly #indexing = new Set<string>();
  readonly #indexed = new Set<string>();

  constructor(
    private readonly host: Pick<Host, 'spawn'>,
    private readonly home: string,
  ) {}

  /**
   * An agent works in a project. At the first time one that was never indexed is indexed, where the configuration lets it
   * and it has no more files than the setting `auto_index_files` says, and its earlier attempts are read into memory. What
   * fails is left to the first question about the project, which says why.
   */
  onActivity(root: string): void {
    if (this.#known.has(root)) return;
    this.#known.add(root);
    const input = { query: 'anything', limit: 1 };
    void this.host.spawn({ walker: 'etg_query_similar_attempts', root, input }).catch(toLog);
    void this.#index(root).catch(toLog);
  }

  /** Brings what changed in a project into its index, if it has one, before an agent reads a file. */
  refresh(root: string): void {
    if (this.#indexed.has(root))
      void this.host.spawn({ walker: 'project_refresh', root, input: {} }).catch(toLog);
  }

  /** Whether the index of a project that began by itself is at work. */
  isIndexing(root: string): boolean {
    return this.#indexing.has(root);
  }

  async #index(root: string): Promise<void> {
    const { host, home } = this;
    const input = { ...indexDefaults(root, { home }) };
    const { body } = await host.spawn({ walker: 'project_first_look', root, input });
    const { indexed, files } = FirstLook.parse(body);
    if (indexed) this.#indexed.add(root);
    if (indexed || files === null || !indexesByItself(root, home)) return;
    if (files > settingsFor(root, { home }).auto_index_files) return;
    this.#indexing.add(root);
    try {
      await host.spawn({ walker: INDEX_WALKER, root, input: {}, detached: true, limits: UNBOUNDED });
      this.#indexed.add(root);
    } finally {
      this.#indexing.delete(root);
    }
  }
}

/** Writes an error that no caller waits for into the daemon's log: a line without secrets. */
export function toLog(thrown: unknown, fallback: ErrorCode = 'INTERNAL'): void {
  const { code, message, providedInput } = toCodewalkError(thrown, fallback);
  const line = masked(JSON.stringify({ error_code: code, error: message, provided_input: providedInput }));
  process.stderr.write(`${new Date().toISOString()} ${line.slice(0, LONGEST_LINE)}\n`);
}
