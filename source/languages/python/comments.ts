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
  const lines = text.text.split(/\r\n|\r|\n/);
  return comments.flatMap((comment) => {
    const match = /^[\s#!*-]*@?(TODO|FIXME|HACK|XXX)\b(?:\(([^)]*)\))?[:\s-]*(.*)/.exec(text.of(comment));
    const tag = tags.find((one) => one === match?.[1]);
    if (!tag) return [];
    const line = text.line(comment.start);
    const column = text.column(comment.start, line);
    const from = trailed(definitions, lines, { line, column }) ?? innermost(definitions, line, column);
    const [reference = '', said = ''] = match?.slice(2).map((part = '') => part.trim().slice(0, 200)) ?? [];
    return [{ tag, text: said, reference, line, column, from }];
  });
}

const tags = ['TODO', 'FIXME', 'HACK', 'XXX'] as const;

/**
 * The definition that a comment is the end of: the grammar ends a body with its last statement, but what is indented
 * deeper than the definition, with nothing but comments in between, is still in it. Null when it is not at an end.
 */
function trailed(
  definitions: readonly Definition[],
  lines: readonly string[],
  { line, column }: { line: number; column: number },
): number | null {
  let above = line - 1;
  while (above > 0 && /^\s*(?:#|$)/.test(lines[above - 1] ?? '')) above -= 1;
  const at = definitions.findLastIndex(
    ({ form, span }) =>
      (form === 'function' || form === 'method' || form === 'class') &&
      span.end_line === above &&
      span.start_column < column,
  );
  // A comment behind code, on its line, is at no end.
  return at < 0 || /\S/.test((lines[line - 1] ?? '').slice(0, column)) ? null : at;
}

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
