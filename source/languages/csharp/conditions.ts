/** A line that tells the preprocessor something. */
const DIRECTIVE = /^[ \t]*#[ \t]*(\w+)[^\n]*/gm;

/**
 * A text without the lines of its preprocessor, and of conditions with the first of their branches alone: those that part
 * statements the grammar cannot read. Null where there are none.
 */
export function withFirstBranches(text: string): string | null {
  const parts: string[] = [];
  /** Of each condition around the place, whether its first branch is over. */
  const around: boolean[] = [];
  let at = 0;
  const take = (end: number, isDirective: boolean) => {
    const part = text.slice(at, end);
    parts.push(isDirective || around.includes(true) ? part.replace(/[^\r\n]/g, ' ') : part);
    at = end;
  };
  for (const { 0: line, 1: word, index } of text.matchAll(DIRECTIVE)) {
    take(index, false);
    if (word === 'if') around.push(false);
    else if (word === 'endif') around.pop();
    else if ((word === 'else' || word === 'elif' || word === 'elseif') && around.length > 0)
      around[around.length - 1] = true;
    take(index + line.length, true);
  }
  if (parts.length === 0) return null;
  take(text.length, false);
  return parts.join('');
}
