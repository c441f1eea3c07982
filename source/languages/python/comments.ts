import type { CommentTag, Definition } from '../../facts.js';
import type { Syntax } from './syntax.js';
import type { SourceText } from './text.js';

/** The comments that begin with a tag. Most files hold none: then nothing is read. */
export function commentTags(
  comments: readonly Syntax[],
  text: SourceText,
  definitions: readonly Definition[],
): CommentTag[] {
  if (!/\b(?:TODO|FIXME|HACK|XXX)\b/.test(text.text)) return [];
  return comments.flatMap((comment) => {
    const match = /^[\s#!*-]*@?(TODO|FIXME|HACK|XXX)\b(?:\([^)]*\))?[:\s-]*(.*)/.exec(text.of(comment));
    const tag = tags.find((one) => one === match?.[1]);
    if (!tag) return [];
    const line = text.line(comment.start);
    const column = text.column(comment.start, line);
    const from = innermost(definitions, line, column);
    return [{ tag, text: (match?.[2] ?? '').trim().slice(0, 200), line, column, from }];
  });
}

const tags = ['TODO', 'FIXME', 'HACK', 'XXX'] as const;

/** The last definition, in the order of the text, whose span holds the place; null at module level. */
function innermost(definitions: readonly Definition[], line: number, column: number): number | null {
  for (let at = definitions.length - 1; at >= 0; at -= 1) {
    const span = definitions[at]?.span;
    if (!span || line < span.start_line || line > span.end_line) continue;
    if (line === span.start_line && column < span.start_column) continue;
    if (line === span.end_line && column >= span.end_column) continue;
    return at;
  }
  return null;
}
