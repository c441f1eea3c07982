/**
 * A text of the same length in which `const` stands for `using` and `await using`: the grammar does not know these and
 * reads `using t = x` as an assignment to a `t` that is declared further out. No other code has two such words in a row.
 */
export function readable(text: string): string {
  return text.includes('using') ? text.replace(USING, (words) => 'const'.padEnd(words.length)) : text;
}

const USING =
  /(?<![\p{ID_Continue}$#.])(?:await[ \t]+)?using(?=[ \t]+(?!(?:as|in|instanceof|of|satisfies)\b)[\p{ID_Start}$_][\p{ID_Continue}$]*\s*(?:=(?![=>])|:|of\b))/gu;

/**
 * A text of the same length without two things that the language allows and its grammar does not know; null when
 * neither is there.
 */
export function repair(text: string): string | null {
  const repaired = separated(text).replace(/^([^\S\n]*export\s+)type(?=\s*\*)/gm, '$1    ');
  return repaired === text ? null : repaired;
}

/**
 * The grammar reads `<` at the beginning of a line as going on with the type in the line before, where the language
 * ends a member: call signatures under each other in an interface become one error. The blank before such a `<` is
 * replaced by a semicolon when what precedes it, comments apart, can end a member.
 */
function separated(text: string): string {
  const units: string[] = [];
  let done = 0;
  for (const match of text.matchAll(/\n[ \t]+(?=<(?:[A-Za-z_$]|[ \t]*\r?\n))/g)) {
    const end = match.index + match[0].length;
    if (!endsMember(text, match.index)) continue;
    units.push(text.slice(done, end - 1), ';');
    done = end;
  }
  return units.join('') + text.slice(done);
}

/** Whether the last line of code before an offset ends as a type or signature does. */
function endsMember(text: string, offset: number): boolean {
  let end = offset;
  while (end > 0) {
    const start = text.lastIndexOf('\n', end - 1) + 1;
    const line = text.slice(start, end).trim();
    if (line !== '' && !/^(?:\/\/|\/?\*)/.test(line))
      return /[\w$>\])}'"`]$/.test(line.replace(/\s*\/\/[^'"`]*$/, ''));
    end = start - 1;
  }
  return false;
}
