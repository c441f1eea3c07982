import Prism from 'prismjs';
import 'prismjs/components/prism-typescript.js';
import 'prismjs/components/prism-jsx.js';
import 'prismjs/components/prism-tsx.js';
import 'prismjs/components/prism-markup-templating.js';
import 'prismjs/components/prism-php.js';
import 'prismjs/components/prism-python.js';
import 'prismjs/components/prism-go.js';
import 'prismjs/components/prism-java.js';
import 'prismjs/components/prism-kotlin.js';
import 'prismjs/components/prism-scala.js';
import 'prismjs/components/prism-rust.js';
import 'prismjs/components/prism-c.js';
import 'prismjs/components/prism-cpp.js';
import 'prismjs/components/prism-csharp.js';
import 'prismjs/components/prism-dart.js';
import 'prismjs/components/prism-ruby.js';
import 'prismjs/components/prism-lua.js';
import 'prismjs/components/prism-swift.js';
import 'prismjs/components/prism-bash.js';
import 'prismjs/components/prism-sql.js';
import 'prismjs/components/prism-graphql.js';
import 'prismjs/components/prism-protobuf.js';
import 'prismjs/components/prism-json.js';
import 'prismjs/components/prism-yaml.js';
import 'prismjs/components/prism-toml.js';
import type { Piece } from './source.js';

/** What Prism calls languages that it knows by another name. */
const ALIASES: Readonly<Record<string, string>> = {
  vue: 'markup',
  html: 'markup',
  shell: 'bash',
  xml: 'markup',
};

/**
 * The lines of a source in pieces of one colour each.
 *
 * @param language As the graph calls it, or the ending of the file; an unknown one has no colours.
 */
export function colouredLines(text: string, language: string): Piece[][] {
  const grammar = Prism.languages[ALIASES[language] ?? language];
  const lines: Piece[][] = [[]];
  const add = (piece: string, kind: string) => {
    for (const [at, part] of piece.split('\n').entries()) {
      if (at > 0) lines.push([]);
      if (part !== '') lines.at(-1)?.push({ text: part, kind });
    }
  };
  const walk = (token: string | Prism.Token | Prism.TokenStream, kind: string): void => {
    if (typeof token === 'string') add(token, kind);
    else if (Array.isArray(token)) for (const one of token) walk(one, kind);
    else walk(token.content, token.type);
  };
  walk(typeof grammar === 'object' ? Prism.tokenize(text, grammar) : text, '');
  return lines;
}
