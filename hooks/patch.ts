import type { Edit } from './agent.js';

/** A text that only holds a patch, and what hands it over: a tool's name, `cd` before it, the shell's `<<'EOF'`. */
const HANDED = /^(?:cd [^\n;&|]+&& *)?(?:apply_patch\b[^\n]*\n)?\*\*\* Begin Patch\r?\n/u;
const FILE = /^\*\*\* (?:Add|Update|Delete) File: (.+)$/u;

/**
 * The edits of a patch in the form that models of OpenAI write (`*** Begin Patch`), a part of a file each; null for any
 * other text. Of a file that is deleted nothing is known but its name.
 */
export function patchEdits(text: string): Edit[] | null {
  const trimmed = text.trimStart();
  const begins = HANDED.exec(trimmed);
  if (!begins) return null;
  const edits: { file: string; old: string[]; now: string[] }[] = [];
  for (const line of trimmed.slice(begins[0].length).split(/\r?\n/u)) {
    const file = FILE.exec(line)?.[1]?.trim();
    const last = edits.at(-1);
    if (line.startsWith('*** End Patch')) break;
    if (file !== undefined) edits.push({ file, old: [], now: [] });
    else if (last !== undefined && line.startsWith('@@')) {
      if (last.old.length + last.now.length > 0) edits.push({ file: last.file, old: [], now: [] });
    } else {
      if (/^[- ]/u.test(line)) last?.old.push(line.slice(1));
      if (/^[+ ]/u.test(line)) last?.now.push(line.slice(1));
    }
  }
  return edits.map(({ file, old, now }) => ({ file, old: old.join('\n'), now: now.join('\n') }));
}
