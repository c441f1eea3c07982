import { fileSymbols } from '../../graphs/code/index.js';
import type { Fact } from '../../graphs/trace/index.js';
import { compareText, type Slot, type WriteContext } from '../../runtime/index.js';
import { CodewalkError, EVENT_PAYLOADS, LIMITS } from '../../schema/index.js';
import { createParser, type FileFacts, languageOf, masked, type SourceParser } from '../../source/index.js';

/** The slot of the parser of what agents edit. */
export const EDIT_PARSER: Slot<EditParser> = {
  name: 'edit parser',
  make: () => new EditParser(),
  free: (parser) => parser.close(),
};

/** A parser that is warm while a graph is open: what an agent edits is mostly in one language. */
export class EditParser {
  #parser: SourceParser | null = null;

  /** The facts of a text; null where its language is unknown, it is too long for the thread that owns the stores, or broken. */
  async factsOf(path: string, text: string): Promise<FileFacts | null> {
    const language = languageOf(path);
    if (language === null || Buffer.byteLength(text) > LIMITS.smallJobBytes.max) return null;
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

/** Adds to the end of an edit the ids of the symbols whose lines it changed, as the edited text has them. */
export function withSymbols({ cached }: Pick<WriteContext, 'cached'>) {
  return async (fact: Fact, payload: unknown): Promise<Fact> => {
    if (fact.kind !== 'tool_end' || !fact.success) return fact;
    const { lines = [], content } = EVENT_PAYLOADS.tool_end.safeParse(payload).data ?? {};
    const [path, ...others] = fact.files;
    if (lines.length === 0 || content === undefined || path === undefined || others.length > 0) return fact;
    const facts = await cached(EDIT_PARSER).factsOf(path, content);
    // What a secret is part of, as the name of a test may be, is not stored.
    const ids = facts === null ? [] : symbolsAt(path, facts, lines).filter((id) => masked(id) === id);
    return { ...fact, symbols: ids.slice(0, LIMITS.eventSymbols.max) };
  };
}

/** The innermost symbol of each changed line, and all that stand in it alone. A variable in a function is the function. */
function symbolsAt(path: string, facts: FileFacts, ranges: readonly (readonly [number, number])[]): string[] {
  const { ids, extras } = fileSymbols(path, facts);
  const own = facts.definitions.map(({ scope, span }, at) => ({ id: ids[at] ?? '', span, scope }));
  const symbols = [
    ...own.filter(({ scope }) => scope !== 'function'),
    ...extras.map(({ id, fact: { span } }) => ({ id, span })),
  ].sort(
    ({ span: a }, { span: b }) =>
      a.start_line - b.start_line || a.start_column - b.start_column || b.end_line - a.end_line,
  );
  const alone = new Set<string>();
  const innermost = new Map<number, string>();
  for (const { id, span } of symbols)
    for (let line = span.start_line; line <= span.end_line; line++) {
      if (!ranges.some(([from, to]) => from <= line && line <= to)) continue;
      // What is inside comes later.
      innermost.set(line, id);
      if (span.start_line === span.end_line) alone.add(id);
    }
  return [...new Set([...alone, ...innermost.values()])].sort(compareText);
}
