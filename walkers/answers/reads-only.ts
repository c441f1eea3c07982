/** Programs that look and change nothing; not `cd`: elsewhere the same command is another one. */
const LOOKING = new Set([
  ...['ls', 'cat', 'head', 'tail', 'grep', 'egrep', 'rg', 'wc', 'pwd', 'echo', 'which', 'stat', 'file'],
  ...['tree', 'diff', 'sort', 'uniq', 'true', 'less', 'cut', 'nl', 'du', 'df', 'ps', 'sleep', 'date', 'type'],
]);
/** What `git` does without changing anything. */
const GIT_LOOKING = new Set(['status', 'diff', 'log', 'show', 'blame', 'ls-files', 'grep', 'rev-parse']);
/** Output that is thrown away, or sent where the other goes. */
const HARMLESS_REDIRECTION = /\d?>&\d|[\d&]?>\s*\/dev\/null/gu;

/** Whether a shell command surely changes nothing: every program in it only looks, and nothing is written to a file. */
export function readsOnly(command: string): boolean {
  const plain = command.replace(HARMLESS_REDIRECTION, '');
  if (/[>`]|\$\(/u.test(plain)) return false;
  return plain.split(/\|\||&&|[|;&\n]/u).every((part) => {
    const [program = '', ...words] = part.trim().split(/\s+/u);
    if (program === 'git') return GIT_LOOKING.has(words.find((word) => !word.startsWith('-')) ?? '');
    return program === '' || LOOKING.has(program);
  });
}
