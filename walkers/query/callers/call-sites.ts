import { z } from 'zod';
import type { ReadContext } from '../../../runtime/index.js';
import { SourceTexts } from '../../code/source-texts.js';
import { shownLine } from '../../shown-text.js';
import { callsBetween } from '../parts/calls.js';
import { type Caller, FunctionNode, functionNode } from '../parts/code-node.js';

/** Characters of a line of source that are shown. */
const LONGEST_TEXT = 160;

/** One line on which a caller calls. */
const CallSite = z.object({
  line: z.number().int(),
  /** The line as it stands in the file; none where the file changed since it was indexed, or where there is no room. */
  text: z.string().optional(),
});
type CallSite = z.infer<typeof CallSite>;

/** A caller, with the lines on which it makes the call that leads to what was asked about. */
export const CallerRow = FunctionNode.extend({ calls: z.array(CallSite).optional() });
/** See {@link CallerRow}. */
export type CallerRow = z.infer<typeof CallerRow>;

/** The row of a caller. @param withPaths False: it says nothing of where it stands or calls. */
export function callerRow(node: Caller, sites: CallSites, withPaths: boolean): CallerRow {
  const row = functionNode(node, withPaths);
  const calls = withPaths ? (sites.get(node.id) ?? []) : [];
  return calls.length === 0 ? row : { ...row, calls: [...calls] };
}

/** By the caller's id: its lines in their order. */
export type CallSites = ReadonlyMap<string, readonly CallSite[]>;

/**
 * Where callers make the call that leads to what was asked about: of one that is two calls away, the call of one that is
 * a single call away.
 *
 * @param distances How many calls away from a target each caller is.
 */
export async function callSites(
  context: Pick<ReadContext, 'entries' | 'entryEdges' | 'find' | 'projectRoot'>,
  callers: readonly Caller[],
  targets: readonly string[],
  distances: ReadonlyMap<string, number>,
): Promise<CallSites> {
  const asked = new Set(targets);
  const far = new Set([...targets, ...distances.keys()]);
  const ids = callers.map(({ id }) => id);
  const lines = new Map<string, Set<number>>(ids.map((id) => [id, new Set()]));
  for (const { from, to, line, evidence } of await callsBetween(context, ids, far)) {
    const left = asked.has(to) ? 0 : (distances.get(to) ?? 0);
    if (left !== (distances.get(from) ?? 0) - 1) continue;
    for (const place of evidence.length > 0 ? evidence : [{ line }]) lines.get(from)?.add(place.line);
  }
  const texts = new SourceTexts(context);
  const sites = new Map<string, CallSite[]>();
  for (const { id, path } of callers) {
    const source = await texts.linesOf(path);
    const sorted = [...(lines.get(id) ?? [])].filter((line) => line > 0).sort((a, b) => a - b);
    sites.set(
      id,
      sorted.map((line) => {
        const text = source?.[line - 1]?.trim();
        return { line, ...(text ? { text: shownLine(text, LONGEST_TEXT) } : {}) };
      }),
    );
  }
  return sites;
}
