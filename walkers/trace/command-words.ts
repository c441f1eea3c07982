/** One simple command of a line of shell, and what stands behind it. */
export interface SimpleCommand {
  readonly words: readonly string[];
  /** `&&`, `||`, `;`, `|`, `&`; empty at the end. */
  readonly then: string;
}

/** What redirects, a separator, or a word; quotes keep a word together. */
const TOKEN =
  /(\d*[<>]+&?\d*)|(&&|\|\||;|\||&(?!>)|\n)|((?:[^\s'"\\;&|<>]|\\.|'[^']*'|"(?:[^"\\]|\\.)*")+)/gsu;
/** Characters of a line that are looked at: a longer one holds a program. */
const LOOKED_AT = 4000;

/** The simple commands of a line of shell, as far as it needs no shell to tell: what is computed stays as it is written. */
export function simpleCommands(line: string): SimpleCommand[] {
  const commands: SimpleCommand[] = [];
  let words: string[] = [];
  let redirected = false;
  const end = (then: string): void => {
    if (words.length > 0) commands.push({ words, then });
    words = [];
    redirected = false;
  };
  for (const [, redirection, separator, word] of line.slice(0, LOOKED_AT).matchAll(TOKEN)) {
    if (separator !== undefined) end(separator === '\n' ? ';' : separator);
    // `2>&1` names no file; `>` does.
    else if (redirection !== undefined) redirected = /[<>]$/u.test(redirection);
    else if (redirected) redirected = false;
    else if (word !== undefined) words.push(plain(word));
  }
  end('');
  return commands;
}

function plain(word: string): string {
  return word.replace(/'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)/gsu, (_, one, two, three) => one ?? two ?? three);
}
