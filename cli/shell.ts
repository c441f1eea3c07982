import { basename, relative } from 'node:path';

/** A word as a POSIX shell takes it. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** How this program is called from `cwd`: by its name where it is installed, else as a script of Node. */
export function programName(cwd: string): string {
  const script = process.argv[1] ?? '';
  if (basename(script) === 'codewalk') return 'codewalk';
  const near = relative(cwd, script);
  return `node ${shellWord(near.startsWith('..') ? script : near)}`;
}
