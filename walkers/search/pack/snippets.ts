import { z } from 'zod';
import { SourceTexts } from '../../../graphs/code/index.js';
import { stripHidden } from '../../../present/index.js';
import type { ReadContext } from '../../../runtime/index.js';
import { CodewalkError } from '../../../schema/index.js';

/** Lines of source, each behind its number (S2-30). */
export const Snippet = z.object({
  path: z.string(),
  start: z.number().int(),
  end: z.number().int(),
  text: z.string(),
});
export type Snippet = z.infer<typeof Snippet>;

/** Characters of one line that are shown. */
const LONGEST_LINE = 400;

/** Reads snippets from the files of a project, each file once (S2-35), and never what lies outside its root (S2-34). */
export class Snippets {
  readonly #texts: SourceTexts;
  readonly #outside = new Set<string>();

  constructor(context: Pick<ReadContext, 'find' | 'projectRoot'>) {
    this.#texts = new SourceTexts(context);
  }

  /** Files that changed since they were indexed: nothing is shown of them. */
  get changed(): ReadonlySet<string> {
    return this.#texts.changed;
  }

  /** Files that lead out of the root: nothing is shown of them. */
  get outside(): ReadonlySet<string> {
    return this.#outside;
  }

  /** The lines of a file; null where it cannot be shown. */
  async linesOf(path: string): Promise<readonly string[] | null> {
    try {
      const lines = await this.#texts.linesOf(path);
      // Behind the last line end there is no line.
      return lines?.at(-1) === '' ? lines.slice(0, -1) : lines;
    } catch (error) {
      if (!(error instanceof CodewalkError) || error.code !== 'PATH_OUTSIDE_ROOT') throw error;
      this.#outside.add(path);
      return null;
    }
  }

  /** Some lines of a file; null where it cannot be shown. */
  async read({ path, start, end }: Omit<Snippet, 'text'>): Promise<Snippet | null> {
    const lines = (await this.linesOf(path))?.slice(start - 1, end) ?? [];
    return lines.length === 0
      ? null
      : { path, start, end: start + lines.length - 1, text: numbered(lines, start) };
  }
}

/** `   40: def connect_db(self):` */
function numbered(lines: readonly string[], start: number): string {
  return lines
    .map((line, at) => {
      const text = stripHidden(line.replace(/\r$/u, ''));
      const shown = text.length > LONGEST_LINE ? `${text.slice(0, LONGEST_LINE)}…` : text;
      return `${String(start + at).padStart(5)}: ${shown}`;
    })
    .join('\n');
}

/** A snippet with no more than its first lines. @param from The line to begin with, where it has that one. */
export function firstLines(snippet: Snippet, most: number, from = snippet.start): Snippet | null {
  const { start, end, text } = snippet;
  const first = from > start && from <= end ? from : start;
  const lines = text.split('\n').slice(first - start, first - start + most);
  return lines.length === 0
    ? null
    : { ...snippet, start: first, end: first + lines.length - 1, text: lines.join('\n') };
}
