import { z } from 'zod';
import { SourceTexts } from '../../../graphs/code/index.js';
import { shownLine } from '../../../present/index.js';
import type { ReadContext } from '../../../runtime/index.js';
import { parseId } from '../../../schema/index.js';
import { callsBetween } from '../parts/calls.js';
import { type Caller, FunctionNode, functionNode } from '../parts/code-node.js';
import { targetField } from '../parts/target-row.js';
import { namesOf, type Reach } from './callers-walk.js';

/** Characters of a line of source that are shown. */
const LONGEST_TEXT = 160;
/** Lines of one test file that are listed. */
const MOST_TEST_LINES = 50;

const line = z.number().int();
/** The qualified name of the base's or interface's member that the calls name, or of the class that inherits a constructor. */
const via = z.string().optional();

/** One line on which a caller calls. */
const CallSite = z.object({
  line,
  /** The line as it stands in the file; none where the file changed since it was indexed, or where there is no room. */
  text: z.string().optional(),
  /** Where other calls of the caller are direct. */
  via,
});
type CallSite = z.infer<typeof CallSite>;

/** A caller, with the lines on which it makes the call that leads to what was asked about. */
export const CallerRow = FunctionNode.extend({ ...targetField, via, calls: z.array(CallSite).optional() });
export type CallerRow = z.infer<typeof CallerRow>;

/** The callers in one file of tests. */
export const TestFileRow = z.object({
  file_path: z.string(),
  callers: z.number().int(),
  via,
  /** The lines on which they call; at most {@link MOST_TEST_LINES}. */
  lines: z.array(line),
});
export type TestFileRow = z.infer<typeof TestFileRow>;

/** By the caller's id: its lines in their order. */
export type CallSites = ReadonlyMap<string, readonly CallSite[]>;

/** The row of a caller. @param withPaths False: it says nothing of where it stands or calls. */
export function callerRow(node: Caller, sites: CallSites, withPaths: boolean): CallerRow {
  const own = sites.get(node.id) ?? [];
  const via = viaOf(own);
  const calls = own.map(({ via: through, ...site }) => ({
    ...site,
    ...(through !== undefined && via === undefined ? { via: through } : {}),
  }));
  return {
    ...functionNode(node, withPaths),
    ...(via === undefined ? {} : { via }),
    ...(withPaths && calls.length > 0 ? { calls } : {}),
  };
}

/** The rows of callers in tests: those of each file in one, and those that call through others apart. */
export function testFileRows(callers: readonly string[], sites: CallSites): TestFileRow[] {
  const rows = new Map<string, TestFileRow>();
  for (const id of callers) {
    const file_path = parseId(id)?.path ?? '';
    const own = sites.get(id) ?? [];
    const via = viaOf(own);
    const key = JSON.stringify([file_path, via]);
    const row = rows.get(key) ?? { file_path, callers: 0, ...(via === undefined ? {} : { via }), lines: [] };
    const lines = [...new Set([...row.lines, ...own.map(({ line }) => line)])].sort((a, b) => a - b);
    rows.set(key, { ...row, callers: row.callers + 1, lines: lines.slice(0, MOST_TEST_LINES) });
  }
  return [...rows.values()];
}

/** What all calls name; undefined where one is direct. */
function viaOf(calls: readonly CallSite[]): string | undefined {
  return calls.every(({ via }) => via !== undefined) ? calls[0]?.via : undefined;
}

/**
 * Where callers make the call that leads to what was asked about: of one that is two calls away, the call of one that is
 * a single call away.
 *
 * @param withTexts The ids of those whose lines are shown.
 */
export async function callSites(
  context: Pick<ReadContext, 'entries' | 'entryEdges' | 'find' | 'nodes' | 'projectRoot'>,
  callers: readonly string[],
  reach: Reach,
  withTexts: ReadonlySet<string>,
): Promise<CallSites> {
  const lines = new Map(callers.map((id) => [id, new Map<number, string | undefined>()]));
  const add = (from: string, places: readonly { line: number }[], via?: string) => {
    for (const { line } of places) lines.get(from)?.set(line, via);
  };
  const indirect = callers.flatMap((id) => reach.through.get(id) ?? []);
  const names = await namesOf(
    context,
    indirect.map(({ to }) => to),
  );
  for (const call of indirect) add(call.from, placesOf(call), names.get(call.to) ?? call.to);
  const isNearer = (id: string, away: number) =>
    away === 0 ? reach.targets.has(id) : reach.distance(id) === away;
  const far = new Set([...reach.targets, ...reach.ids]);
  for (const call of await callsBetween(context, callers, far))
    if (isNearer(call.to, (reach.distance(call.from) ?? 0) - 1)) add(call.from, placesOf(call));
  const texts = new SourceTexts(context);
  const sites = new Map<string, CallSite[]>();
  for (const id of callers) {
    const source = withTexts.has(id) ? await texts.linesOf(parseId(id)?.path ?? '') : null;
    const sorted = [...(lines.get(id) ?? [])].filter(([line]) => line > 0).sort(([a], [b]) => a - b);
    const siteAt = ([line, via]: [number, string | undefined]): CallSite => {
      const text = source?.[line - 1]?.trim();
      const shown = text ? { text: shownLine(text, LONGEST_TEXT) } : {};
      return { line, ...shown, ...(via === undefined ? {} : { via }) };
    };
    sites.set(id, sorted.map(siteAt));
  }
  return sites;
}

function placesOf({ line, evidence }: { line: number; evidence: readonly { line: number }[] }) {
  return evidence.length > 0 ? evidence : [{ line }];
}
