import type { ReadContext } from '../../../runtime/index.js';
import { CodewalkError } from '../../../schema/index.js';
import { SourceTexts } from '../source-texts.js';

/** Reads the files of a project as they were indexed, each once (S2-35), and never what lies outside its root (S2-34). */
export class Snippets {
  /** Files that lead out of the root. */
  readonly outside = new Set<string>();
  readonly #texts: SourceTexts;

  constructor(context: Pick<ReadContext, 'find' | 'projectRoot' | 'cached'>) {
    this.#texts = new SourceTexts(context);
  }

  /** Files that changed since they were indexed. */
  get changed(): ReadonlySet<string> {
    return this.#texts.changed;
  }

  /** The lines of a file, none behind its last line end; null where it cannot be shown. */
  async linesOf(path: string): Promise<readonly string[] | null> {
    try {
      const lines = await this.#texts.linesOf(path);
      return lines?.at(-1) === '' ? lines.slice(0, -1) : lines;
    } catch (error) {
      if (!(error instanceof CodewalkError) || error.code !== 'PATH_OUTSIDE_ROOT') throw error;
      this.outside.add(path);
      return null;
    }
  }
}
