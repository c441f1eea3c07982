import type { Fact } from '../../graphs/trace/index.js';
import { compareText, type Slot, type WriteContext } from '../../runtime/index.js';
import { CodewalkError, EVENT_PAYLOADS, LIMITS } from '../../schema/index.js';
import { createParser, type FileFacts, languageOf, masked, type SourceParser } from '../../source/index.js';
import { fileSymbols } from '../code/indexing/file-symbols.js';

/** Lines of a file, from and to, from 1. */
type LineRange = readonly [from: number, to: number];

/** The slot of the parser of what agents edit. */
export const EDIT_PARSER: Slot<EditParser> = {
  name: 'edit parser',
  make: () => new EditParser(),
  free: (parser) => parser.close(),
};

/** A parser that is warm while a graph is open: what an agent edits is mostly of one language. */
export class EditParser {
  #parser: SourceParser | null = null;

  /** The facts of a text; null where no language of ours is in the path's ending, or it cannot be parsed. */
  async factsOf(path: string, text: string): Promise<FileFacts | null> {
    const language = languageOf(path);
    if (language === null) return null;
    try {
      const known = this.#parser?.languages ?? [];
      if (!known.includes(language)) {
        this.close();
        this.#parser = await createParser([...known, language]);
      }
      return this.#parser?.extractFile(path, text) ?? null;
    } catch (thrown) {
      this.close();
      // An edit is recorded, whatever its text.
      if (thrown instanceof CodewalkError) return null;
      throw thrown;
    }
  }

  close(): void {
    this.#parser?.delete();
    this.#parser = null;
  }
}

/** Adds to the end of an edit the symbols that its payload tells of; leaves other facts as they are. */
export function withSymbols({ kept }: Pick<WriteContext, 'kept'>) {
  return async (fact: Fact, payload: unknown): Promise<Fact> =>
    fact.kind === 'tool_end'
      ? { ...fact, symbols: await editedSymbols(payload, fact.files, kept(EDIT_PARSER)) }
      : fact;
}

/**
 * The ids of the symbols whose lines an edit changed, as the edited text itself has them: exact, whether the project is
 * indexed or not. Of each line the innermost one counts; a variable inside a function counts as the function. Sorted;
 * the first `LIMITS.eventSymbols`. Empty where the end of the tool does not tell lines and text, names another number
 * of files than one, or the text is longer than what is parsed on the thread that owns the stores.
 *
 * @param payload Of a `tool_end`, as it was told.
 * @param files Those that it names, as the graph does.
 */
async function editedSymbols(
  payload: unknown,
  files: readonly string[],
  parser: EditParser,
): Promise<string[]> {
  const told = EVENT_PAYLOADS.tool_end.safeParse(payload).data;
  const [path] = files;
  if (!told?.success || told.lines === undefined || told.content === undefined) return [];
  if (path === undefined || files.length > 1 || told.lines.length === 0) return [];
  if (Buffer.byteLength(told.content) > LIMITS.smallJobBytes.max) return [];
  const facts = await parser.factsOf(path, told.content);
  if (facts === null) return [];
  const ids = symbolsAt(path, facts, told.lines);
  // What a secret is part of, as the name of a test may be, is not kept for good (P-04).
  return ids.filter((id) => masked(id) === id).slice(0, LIMITS.eventSymbols.max);
}

function symbolsAt(path: string, facts: FileFacts, ranges: readonly LineRange[]): string[] {
  const { ids, extras } = fileSymbols(path, facts);
  const symbols = [
    ...facts.definitions.flatMap(({ scope, span }, at) =>
      scope === 'function' ? [] : [{ id: ids[at] ?? '', span }],
    ),
    ...extras.map(({ id, fact }) => ({ id, span: fact.span })),
  ].sort(
    ({ span: a }, { span: b }) =>
      a.start_line - b.start_line || a.start_column - b.start_column || b.end_line - a.end_line,
  );
  // What is inside comes later.
  const innermost: string[] = [];
  const touched = new Set<string>();
  const isTold = (line: number) => ranges.some(([from, to]) => from <= line && line <= to);
  for (const { id, span } of symbols) {
    for (let line = span.start_line; line <= span.end_line; line++) innermost[line] = id;
    // Several may stand in one line.
    if (span.start_line === span.end_line && isTold(span.start_line)) touched.add(id);
  }
  for (const [from, to] of ranges)
    for (let line = Math.max(1, from); line <= Math.min(to, innermost.length - 1); line++) {
      const id = innermost[line];
      if (id !== undefined) touched.add(id);
    }
  return [...touched].sort(compareText);
}
