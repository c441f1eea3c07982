import type { FileFacts } from '../../facts.js';
import { KeyList } from './key-list.js';

/** `NAME=value`, `export NAME = "a value that goes on over lines"`. */
const ASSIGNMENT = /^[ \t]*(?:export[ \t]+)?(?<name>[A-Za-z_][\w.-]*)[ \t]*=[ \t]*(?<value>[^\r\n]*)/dgmu;

/** The variables that a template of an environment names. */
export function dotenvFacts(text: string): FileFacts {
  const list = new KeyList(text);
  const pattern = new RegExp(ASSIGNMENT);
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const [start = 0] = match.indices?.groups?.name ?? [];
    const [from = 0, line = 0] = match.indices?.groups?.value ?? [];
    const quote = /^["'`]/.exec(match.groups?.value ?? '')?.[0];
    const closing = quote === undefined ? -1 : text.indexOf(quote, from + 1);
    const to = closing < 0 ? line : Math.max(closing + 1, from);
    const end = from + text.slice(from, to).trimEnd().length;
    list.add([match.groups?.name ?? ''], null, [start, Math.max(end, start)], [from, end]);
    pattern.lastIndex = Math.max(end, pattern.lastIndex);
  }
  return list.facts('dotenv');
}
