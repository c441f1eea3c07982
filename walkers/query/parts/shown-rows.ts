import { plural, quotedName, shownLine } from '../../../present/index.js';
import { lastNamePart } from '../../../schema/index.js';
import type { FunctionNode, ModuleNode } from './code-node.js';

/** The row of a symbol as a line: name, kind, place. @param more What is said behind it. */
export function functionLine(row: FunctionNode, more = ''): string {
  return `- ${quotedName(rowName(row))} ${row.kind}${placeText(row)}${more}`;
}

/** What a row is called where its place tells the rest: `UserService.login`; its qualified name where there is none. */
export function rowName({ kind, name, qualified_name, class_name, file_path }: FunctionNode): string {
  if (file_path === undefined || kind === 'module') return qualified_name;
  return class_name === undefined ? name : `${lastNamePart(class_name)}.${name}`;
}

/** The row of a module as a line. */
export function moduleLine({ qualified_name, kind, path }: ModuleNode): string {
  const place = path === undefined || path === qualified_name ? '' : `, ${shownLine(path, 200)}`;
  return `- ${quotedName(qualified_name)} ${kind}${place}`;
}

/** Where a symbol stands: `, src/a.ts:12`; empty where the row does not say it. */
export function placeText({
  file_path,
  line_start,
}: {
  file_path?: string | undefined;
  line_start?: number | undefined;
}): string {
  return file_path === undefined ? '' : `, ${shownLine(file_path, 200)}:${line_start}`;
}

/**
 * What an answer says of calls that may belong to it, and are no facts; empty where there are none (P-01).
 *
 * @param which How they are said to belong: `may lead there`. @param noun What they are.
 */
export function candidatesText(count: number, which: string, noun = 'call'): string {
  return count === 0 ? '' : ` ${plural(count, `unresolved ${noun}`)} ${which}.`;
}

/** `3 callers`, `3 of 120 callers`. */
export function shownOf(shown: number, total: number, noun: string): string {
  return shown === total ? plural(total, noun) : `${shown} of ${plural(total, noun)}`;
}
