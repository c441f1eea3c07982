import { z } from 'zod';
import { compareText } from '../../runtime/index.js';
import { DirContainsDir, DirContainsFile, ProjectContainsDir } from '../../schema/index.js';
import { SKIP_REASONS, type SkippedFile } from '../../source/index.js';
import type { FileState } from './state.js';

const count = z.number().int();

/** Something that went wrong with one file; the run went on. */
export const FileProblem = z.object({
  path: z.string(),
  /** A skip reason of discovery (`not-utf8`, `vanished`…), `syntax-error`, `damaged-manifest`, `too-slow`, `too-many-steps`, or an error code. */
  reason: z.string(),
  detail: z.string(),
});
export type FileProblem = z.infer<typeof FileProblem>;

/** What indexing answers: what this run brought, and what is in the graph in all. */
export const IndexOutput = z.object({
  /** Files extracted or written in this run. */
  files_indexed: count,
  /** Symbols of those files. */
  symbols_indexed: count,
  /** Concepts that those files name, and those of commits that are new. */
  concepts_indexed: count,
  duration_ms: z.number(),
  files_removed: count,
  /** Every text file in the graph. */
  files_total: count,
  symbols_total: count,
  edges_total: count,
  /** Per language, sorted by files. */
  languages: z.array(z.object({ language: z.string(), files: count, extracted: count, symbols: count })),
  symbols_by_kind: z.record(z.string(), count),
  edges_by_type: z.record(z.string(), count),
  /** Calls of symbols of the project, of packages outside of it, and those whose target is not known. */
  calls: z.object({ resolved: count, external: count, unresolved: count }),
  /** The file that most others import or call: a good one to look at first; null where none does. */
  central_file: z.string().nullable(),
  /** The name of the symbol that most others call in that file or in what it imports; null where none is called. */
  central_symbol: z.string().nullable(),
  /** Files and folders that were left out, by reason. */
  skipped: z.record(z.string(), count),
  /** Files with a problem, each named. */
  problems: z.array(FileProblem),
  bytes_total: count,
  /** After the first index: the vanished root that this one may have been before it moved. The host says it. */
  moved_from: z.string().optional(),
});
export type IndexOutput = z.infer<typeof IndexOutput>;

/** Sums over the states of all files, updated by difference. */
export class Totals {
  #files = 0;
  #bytes = 0;
  readonly #calls = { resolved: 0, external: 0, unresolved: 0 };
  readonly #symbols = new Counter();
  readonly #edges = new Counter();
  readonly #uses = new Counter();
  readonly #languages = new Map<string, { files: number; extracted: number; symbols: number }>();

  /** Counts a file in, or with -1 out. */
  count({ size, language, extracted, written }: FileState, sign: 1 | -1): void {
    this.#files += sign;
    this.#bytes += sign * size;
    const figures = this.#languages.get(language) ?? { files: 0, extracted: 0, symbols: 0 };
    this.#languages.set(language, figures);
    figures.files += sign;
    if (extracted) figures.extracted += sign;
    if (!written) return;
    for (const [kind, number] of Object.entries(written.symbols)) {
      this.#symbols.add(kind, sign * number);
      figures.symbols += sign * number;
    }
    for (const [type, number] of Object.entries(written.edges)) this.#edges.add(type, sign * number);
    for (const path of written.uses) this.#uses.add(path, sign);
    this.#calls.resolved += sign * written.calls.resolved;
    this.#calls.external += sign * written.calls.external;
    this.#calls.unresolved += sign * written.calls.unresolved;
  }

  /** @param directories how many folders the graph has, the root among them. */
  figures(directories: number) {
    const edges = new Counter();
    edges.add(ProjectContainsDir.name);
    edges.add(DirContainsDir.name, directories - 1);
    edges.add(DirContainsFile.name, this.#files);
    for (const [type, number] of Object.entries(this.#edges.sorted())) edges.add(type, number);
    return {
      files_total: this.#files,
      symbols_total: this.#symbols.total,
      edges_total: edges.total,
      languages: [...this.#languages]
        .filter(([, { files }]) => files > 0)
        .map(([language, figures]) => ({ language, ...figures }))
        .sort((a, b) => b.files - a.files || compareText(a.language, b.language)),
      symbols_by_kind: this.#symbols.sorted(),
      edges_by_type: edges.sorted(),
      calls: { ...this.#calls },
      central_file: this.#uses.first(),
      bytes_total: this.#bytes,
    };
  }
}

/** Files and folders that were left out, counted by reason: by discovery, or because they could not be read. */
export function skippedByReason(
  skipped: readonly SkippedFile[],
  problems: readonly FileProblem[],
): Record<string, number> {
  const counter = new Counter();
  for (const { reason } of [...skipped, ...problems]) if (reason in SKIP_REASONS) counter.add(reason);
  return counter.sorted();
}

/** The problems of a run and those that files keep, by path. */
export function allProblems(
  problems: readonly FileProblem[],
  states: Iterable<readonly [string, FileState]>,
): FileProblem[] {
  const all = [...problems];
  for (const [path, { problem, written }] of states) {
    for (const one of [problem, written?.problem]) if (one) all.push({ path, ...one });
    const lines = written?.syntax_errors.slice(0, 5) ?? [];
    const detail = `line ${lines.join(', ')}, as the grammar reads it; the rest of the file is indexed`;
    if (lines.length > 0) all.push({ path, reason: 'syntax-error', detail });
  }
  return all.sort((a, b) => compareText(a.path, b.path) || compareText(a.reason, b.reason));
}

/** Problems that are named one by one; more of them are counted. */
const NAMED_PROBLEMS = 20;

/** Files with a problem, one a line: path, reason and what is wrong. */
export function problemLines(problems: readonly FileProblem[]): string[] {
  const named = problems
    .slice(0, NAMED_PROBLEMS)
    .map(({ path, reason, detail }) => `- ${path}: ${reason}${detail && `, ${detail}`}`);
  const more = problems.length - NAMED_PROBLEMS;
  return more > 0 ? [...named, `- and ${more} more (--json names them all)`] : named;
}

/** How many symbols and concepts these files brought. */
export function broughtBy(paths: Iterable<string>, states: ReadonlyMap<string, FileState>) {
  let symbols = 0;
  const concepts = new Set<string>();
  for (const path of paths) {
    const written = states.get(path)?.written;
    for (const number of Object.values(written?.symbols ?? {})) symbols += number;
    for (const node of written?.shared ?? []) if (node.as === 'todo') concepts.add(node.label);
  }
  return { symbols, concepts: concepts.size };
}

/** Counts by name. */
export class Counter {
  readonly #counts = new Map<string, number>();
  /** The sum of all counts. */
  total = 0;

  /** Counts so many more of a name; with a negative number fewer. */
  add(name: string, number = 1): void {
    const count = (this.#counts.get(name) ?? 0) + number;
    if (count === 0) this.#counts.delete(name);
    else this.#counts.set(name, count);
    this.total += number;
  }

  /** The largest count first; ties by name. */
  sorted(): Record<string, number> {
    return Object.fromEntries([...this.#counts].sort(byCount));
  }

  /** The name of the largest count, of several the first; null when nothing was counted. */
  first(): string | null {
    let first: [string, number] | null = null;
    for (const one of this.#counts) if (!first || byCount(one, first) < 0) first = one;
    return first?.[0] ?? null;
  }
}

function byCount([a, x]: readonly [string, number], [b, y]: readonly [string, number]): number {
  return y - x || compareText(a, b);
}
