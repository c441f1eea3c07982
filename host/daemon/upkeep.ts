import { z } from 'zod';
import { type ErrorCode, toCodewalkError } from '../../schema/index.js';
import { masked } from '../../source/index.js';
import { indexDefaults, settingsFor } from '../config.js';
import { indexesByItself } from '../freshness/auto-index.js';
import { INDEX_WALKER } from '../freshness/index-jobs.js';
import type { Host } from '../host.js';

const Look = z.object({ indexed: z.boolean(), files: z.number().int().nullable() });

/** What a project that agents work in gets without anybody asking for it. */
export class Upkeep {
  /** Roots that were looked at. */
  readonly #seen = new Set<string>();
  readonly #indexing = new Set<string>();
  readonly #indexed = new Set<string>();

  constructor(
    private readonly host: Pick<Host, 'spawn'>,
    private readonly home: string,
  ) {}

  /**
   * An agent was heard of in a project: one that was never indexed is indexed, where the configuration lets it and it has
   * no more files than the setting `auto_index_files` says. What is remembered of it is read into memory. Each root is
   * looked at once; what fails is left to the first question about the project, which says why.
   */
  heardOf(root: string): void {
    if (this.#seen.has(root)) return;
    this.#seen.add(root);
    void this.#warm(root).catch(toLog);
    void this.#index(root).catch(toLog);
  }

  /**
   * Brings what changed in a project that has an index into it, though nobody waits: an agent that reads a file next is
   * told of it without that.
   */
  refresh(root: string): void {
    if (this.#indexed.has(root))
      void this.host.spawn({ walker: 'project_refresh', root, input: {} }).catch(toLog);
  }

  /** Whether the index of a project that began by itself is at work. */
  isIndexing(root: string): boolean {
    return this.#indexing.has(root);
  }

  /** What a look for earlier attempts reads of a whole history is read before an agent waits for it. */
  async #warm(root: string): Promise<void> {
    await this.host.spawn({
      walker: 'etg_query_similar_attempts',
      root,
      input: { query: 'anything', limit: 1 },
    });
  }

  async #index(root: string): Promise<void> {
    const input = indexDefaults(root, { home: this.home });
    const { body } = await this.host.spawn({ walker: 'project_first_look', root, input: { ...input } });
    const { indexed, files } = Look.parse(body);
    if (indexed) this.#indexed.add(root);
    if (indexed || files === null || !indexesByItself(root, this.home)) return;
    if (files > settingsFor(root, { home: this.home }).auto_index_files) return;
    this.#indexing.add(root);
    try {
      await this.host.spawn({ walker: INDEX_WALKER, root, input: {}, detached: true, limits: UNBOUNDED });
      this.#indexed.add(root);
    } finally {
      this.#indexing.delete(root);
    }
  }
}

/** Puts into the daemon's log what nobody waits for: a line without secrets. */
export function toLog(thrown: unknown, fallback: ErrorCode = 'INTERNAL'): void {
  const { code, message, providedInput } = toCodewalkError(thrown, fallback);
  const line = masked(JSON.stringify({ error_code: code, error: message, provided_input: providedInput }));
  process.stderr.write(`${new Date().toISOString()} ${line.slice(0, LONGEST_LINE)}\n`);
}

/** Most characters of one line of the log. */
const LONGEST_LINE = 10_000;

const UNBOUNDED = { deadlineMs: null, maxVisits: null, maxBytes: null };
