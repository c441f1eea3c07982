import { compareText } from '../../../runtime/index.js';
import { DirContainsDir, DirContainsFile, ProjectContainsDir } from '../../../schema/index.js';
import { Counter } from '../../counter.js';
import type { FileState } from './file-state.js';
import type { IndexOutput } from './index-output.js';

/** What a run says of the whole graph. */
export type TotalFigures = Pick<
  IndexOutput,
  | 'files_total'
  | 'symbols_total'
  | 'edges_total'
  | 'languages'
  | 'symbols_by_kind'
  | 'edges_by_type'
  | 'calls'
  | 'central_file'
  | 'bytes_total'
>;

/** Sums over the states of all files, kept by difference. */
export class Totals {
  #files = 0;
  #bytes = 0;
  #resolved = 0;
  #external = 0;
  #unresolved = 0;
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
    this.#resolved += sign * written.calls.resolved;
    this.#external += sign * written.calls.external;
    this.#unresolved += sign * written.calls.unresolved;
  }

  /** @param directories how many folders the graph has, the root among them. */
  figures(directories: number): TotalFigures {
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
      calls: { resolved: this.#resolved, external: this.#external, unresolved: this.#unresolved },
      // The file that most others import or call: a good one to look at first.
      central_file: this.#uses.first(),
      bytes_total: this.#bytes,
    };
  }
}
