import type { ReadContext } from '../../../runtime/index.js';
import { append, parseId, ToolTouchesFile, ToolTouchesSymbol } from '../../../schema/index.js';
import type { Attempt } from './attempt.js';
import { isName, textsOf } from './tool-use.js';

/** Names of one attempt that are kept; the first ones, which say what it was about. */
const MOST_NAMES = 64;

/** By file of an attempt, the names in it that it worked on: of functions, methods, classes. */
export type NamesByFile = ReadonlyMap<string, readonly string[]>;

/** What tools touched, by the tool: root-relative paths, and names by their file. */
export interface Touches {
  readonly files: ReadonlyMap<string, readonly string[]>;
  readonly names: ReadonlyMap<string, readonly { readonly file: string; readonly name: string }[]>;
}

/** What the tools of some attempts touched, in two round trips. */
export async function touchesOf(
  { q }: Pick<ReadContext, 'q'>,
  attempts: readonly Attempt[],
): Promise<Touches> {
  const tools = attempts.flatMap(({ events }) =>
    events.flatMap((event) => (event.kind === 'tool' ? [event.tool.id] : [])),
  );
  const files = new Map<string, string[]>();
  for (const { from, to } of await q(tools).out(ToolTouchesFile).edges()) {
    const path = parseId(to)?.path ?? null;
    if (path !== null) append(files, from, path);
  }
  const names = new Map<string, { file: string; name: string }[]>();
  for (const { from, to } of await q(tools).out(ToolTouchesSymbol).edges()) {
    const { path = null, name = null } = parseId(to) ?? {};
    if (path !== null && name !== null) append(names, from, { file: path, name });
  }
  return { files, names };
}

/**
 * The names that an attempt worked on, by their file: those of the symbols whose lines its edits changed, and those that
 * stand among the parameters of a tool which touched one file.
 */
export function namesByFile({ events }: Attempt, { files, names }: Touches): NamesByFile {
  const found = new Map<string, Set<string>>();
  let count = 0;
  const add = (file: string, name: string): void => {
    const known = found.get(file) ?? new Set();
    if (known.has(name) || count >= MOST_NAMES) return;
    found.set(file, known.add(name));
    count++;
  };
  for (const event of events) {
    if (event.kind !== 'tool') continue;
    for (const { file, name } of names.get(event.tool.id) ?? []) add(file, name);
    const [file, ...others] = files.get(event.tool.id) ?? [];
    if (file !== undefined && others.length === 0)
      for (const text of textsOf(event.tool.params_json))
        if (text !== event.use.file && isName(text)) add(file, text);
  }
  return new Map([...found].map(([file, own]) => [file, [...own]]));
}
