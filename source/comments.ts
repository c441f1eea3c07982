import { languageOf, languages } from './languages/index.js';
import { createParser, type SourceParser } from './parser.js';

/** One comment of a file. */
export interface CommentFact {
  /** Without its marks (`//`, `#`, `*`), lines kept, white space around them gone. */
  readonly content: string;
  /** `doc`: a block that begins with two stars. */
  readonly type: 'line' | 'block' | 'doc';
  /** The first line, from 1. */
  readonly line: number;
}

/** The node that every grammar of ours has for a comment. */
const COMMENT = 'comment';

/**
 * Reads the comments of files when somebody asks for them: they are kept nowhere. Grammars are loaded with the first
 * file of an extracted language.
 */
export class CommentReader {
  #parser: Promise<SourceParser> | null = null;

  /** All comments of a text, in order; none where no grammar reads the file. @throws CodewalkError `PARSE_FAILED`. */
  async read(path: string, text: string): Promise<CommentFact[]> {
    if (!languageOf(path)?.grammar) return [];
    this.#parser ??= createParser(languages);
    const { tree, root, text: whole } = (await this.#parser).parse(path, text);
    let [line, counted] = [1, 0];
    const lineOf = (offset: number) => {
      for (; counted < offset; counted += 1) if (whole[counted] === '\n') line += 1;
      return line;
    };
    try {
      return root.descendantsOfType(COMMENT).flatMap((node) => {
        if (node === null) return [];
        const written = whole.slice(node.startIndex, node.endIndex);
        // The parser was given comments on lines of their own as one.
        const lines = written.startsWith('#') ? written.matchAll(/#[^\n]*/g) : [{ index: 0, 0: written }];
        return [...lines].map(({ index, 0: one }) => ({
          ...told(one),
          line: lineOf(node.startIndex + index),
        }));
      });
    } finally {
      tree.delete();
    }
  }

  /** Frees the parser. */
  async close(): Promise<void> {
    const parser = await this.#parser;
    this.#parser = null;
    parser?.delete();
  }
}

function told(written: string): Pick<CommentFact, 'content' | 'type'> {
  const type = written.startsWith('/**') ? 'doc' : written.startsWith('/*') ? 'block' : 'line';
  const inside = type === 'line' ? written : written.slice(2, -2);
  const lines = inside.split('\n').map((line) => line.replace(/^\s*(?:\/\/+|#+!?|\*+)?\s?/u, '').trimEnd());
  return { type, content: lines.join('\n').trim() };
}
