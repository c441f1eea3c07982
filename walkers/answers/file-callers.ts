import { compareText, type ReadContext } from '../../runtime/index.js';
import {
  FileContainsSymbol,
  FileImports,
  fileId,
  grouped,
  parseId,
  SymbolCallsSymbol,
} from '../../schema/index.js';
import { isTestPath } from '../../source/index.js';
import type { Focus } from './file-focus.js';
import { quoted } from './shown-record.js';

/** Symbols whose callers are named, callers of each, and characters of them all: other things are to be said, too. */
const MOST_SYMBOLS = 4;
const MOST_CALLERS = 3;
const MOST_TEXT = 330;
/** Characters of a name, and of a caller with its file. */
const NAME = 60;
const CALLER = 100;
/** Edges of one kind that are looked at: of what everything calls the first will do. */
const MOST_EDGES = 300;

/** A call of something that a file defines, from another file that is no test. */
export interface OutsideCall {
  readonly from: string;
  readonly path: string;
  readonly caller: string;
  readonly called: { readonly id: string; readonly name: string };
}

/** The calls of what a file defines, from other files; those of what matters now are not missed among many. */
export async function outsideCalls(path: string, focus: Focus, { q }: ReadContext): Promise<OutsideCall[]> {
  const wanted = [...focus.keys()];
  const paths = [...(wanted.length > 0 ? [q(wanted)] : []), q(fileId(path)).out(FileContainsSymbol)];
  const edges = new Map<string, OutsideCall>();
  for (const one of paths)
    for (const { from, to } of await one.in(SymbolCallsSymbol).slice(0, MOST_EDGES).edges()) {
      const [caller, called] = [parseId(from), parseId(to)];
      if (!caller?.path || caller.path === path || isTestPath(caller.path) || !called?.name) continue;
      const name = caller.name ? `${caller.name} (${caller.path})` : caller.path;
      const call = { from, path: caller.path, caller: name, called: { id: to, name: called.name } };
      edges.set(JSON.stringify([from, to]), call);
    }
  return [...edges.values()];
}

/**
 * Who calls the symbols of a file from elsewhere, what matters now first, then the most called; where nobody does, who
 * imports it.
 */
export async function callerLines(
  path: string,
  focus: Focus,
  calls: readonly OutsideCall[],
  { q }: ReadContext,
): Promise<string[]> {
  const rows = [...grouped(calls, ({ called }) => called.id)]
    .map(([id, all]) => ({
      name: all[0]?.called.name ?? '',
      worth: focus.get(id) ?? 0,
      who: spread(all),
    }))
    .sort((a, b) => b.worth - a.worth || b.who.length - a.who.length || compareText(a.name, b.name));
  const lines: string[] = [];
  let left = MOST_TEXT;
  for (const { name, who } of rows.slice(0, MOST_SYMBOLS)) {
    const line = `- ${quoted(name, NAME)} is called by ${listed(who)}`;
    if (lines.length > 0 && line.length > left) break;
    lines.push(line);
    left -= line.length;
  }
  const more = rows.length - lines.length;
  if (more > 0)
    lines.push(`- ${more} more of its symbols ${more === 1 ? 'is' : 'are'} called from other files`);
  if (rows.length > 0) return lines;
  const importers = (await q(fileId(path)).in(FileImports).slice(0, MOST_EDGES).ids())
    .flatMap((id) => parseId(id)?.path ?? [])
    .filter((one) => one !== path && !isTestPath(one));
  return importers.length > 0 ? [`- imported by ${listed(importers.sort(compareText))}`] : [];
}

/** Callers, each once: one of every file before a second one of any. */
function spread(calls: readonly OutsideCall[]): string[] {
  const files = grouped(calls, ({ path }) => path);
  return [...files.values()]
    .flatMap((all) =>
      [...new Set(all.map(({ caller }) => caller))].sort(compareText).map((caller, nth) => ({ caller, nth })),
    )
    .sort((a, b) => a.nth - b.nth || compareText(a.caller, b.caller))
    .map(({ caller }) => caller);
}

function listed(items: readonly string[]): string {
  const shown = items.slice(0, MOST_CALLERS).map((item) => quoted(item, CALLER));
  const more = items.length - shown.length;
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
