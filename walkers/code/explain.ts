import { z } from 'zod';
import { defineWalker, type EdgeRef, isA, type ReadContext } from '../../runtime/index.js';
import {
  CodeSymbol,
  File,
  FileContainsSymbol,
  fileId,
  LIMITS,
  parseId,
  SymbolContainsSymbol,
  SymbolMayCallSymbol,
} from '../../schema/index.js';
import { type FoundNames, findNamed, type Named } from '../find-symbol.js';
import { nameField } from '../query/parts/query-input.js';
import { declarationsOf } from '../query/parts/targets.js';
import { explainMarkdown } from './explain/explain-markdown.js';
import { type EdgeRow, ExplainOutput, endRow, type StepRow, shortName } from './explain/explain-rows.js';
import { Places } from './explain/places.js';
import { callPath, importPath } from './explain/shortest-path.js';
import { whyNot } from './explain/why-not.js';
import { indexProgress, UNFINISHED } from './index-progress.js';

const { explainDepth, explainEnds, explainEdges } = LIMITS;

/**
 * Says why an edge exists, or why not (design section 2): the edges between what two names lead to with the lines
 * they rest on, the shortest way where there is no direct edge, and what stands in its place. A file and a class
 * stand for what they hold, too.
 */
export const Explain = defineWalker('explain', {
  description:
    'Why there is an edge from one symbol or file to another, or why not: the lines it rests on, how it was resolved, the shortest path of calls, calls of that name that lead elsewhere.',
  input: {
    from: nameField('Name, id, path or path:line'),
    to: nameField('The same'),
    max_depth: z
      .number()
      .int()
      .min(explainDepth.min)
      .max(explainDepth.max)
      .default(explainDepth.default)
      .describe('Longest path that is looked for'),
  },
  output: ExplainOutput,
  examples: [
    { title: 'Why a function is said to call another', input: { from: 'login', to: 'hash' } },
    { title: 'From a line to a file', input: { from: 'src/auth.ts:12', to: 'src/crypto.ts' } },
  ],
  // It looks from two ends at once: nothing is visited.
  start: async (context) => {
    await indexProgress(context);
    return null;
  },
  on: () => [],
  finish: async ({ state: { from, to, max_depth }, context }) => {
    const { complete } = await indexProgress(context);
    const [starts, ends] = [await findNamed(context, from), await findNamed(context, to)];
    const cut = complete ? [] : [UNFINISHED];
    for (const [side, { targets }] of [
      ['FROM', starts],
      ['TO', ends],
    ] as const)
      if (targets.length > explainEnds.max)
        cut.push(
          `${side} leads to ${targets.length} things; the first ${explainEnds.max} are looked at: qualify it.`,
        );
    const [sources, targets] = [firstOf(starts), firstOf(ends)];
    const [inSources, inTargets] = [
      await withContents(context, sources.flat()),
      await withContents(context, targets.flat()),
    ];
    const places = new Places(context);
    const rowsOf = async (edges: readonly EdgeRef[]): Promise<EdgeRow[]> => {
      const rows: EdgeRow[] = [];
      for (const edge of edges.slice(0, explainEdges.max)) rows.push(await places.row(edge));
      if (edges.length > explainEdges.max)
        cut.push(
          `The first ${explainEdges.max} of ${edges.length} edges are listed: name something narrower.`,
        );
      return rows;
    };
    const between = await edgesBetween(context, inSources, inTargets);
    const facts = between.filter((edge) => !isCandidate(edge));
    const reverse = (await edgesBetween(context, inTargets, inSources)).filter((edge) => !isCandidate(edge));
    const exists = facts.length > 0;
    const { sentences, unresolved } = await whyNot(context, inSources, inTargets);
    const way = exists ? null : await wayBetween(context, inSources, inTargets, max_depth);
    if (way && !way.exhausted && !way.steps)
      cut.push(
        `No path of ${max_depth} steps or fewer was found; max_depth up to ${explainDepth.max} looks farther.`,
      );
    const body = {
      exists,
      from: starts.targets.slice(0, explainEnds.max).map(endRow),
      to: ends.targets.slice(0, explainEnds.max).map(endRow),
      edges: await rowsOf(facts),
      candidates: await rowsOf(between.filter(isCandidate)),
      reverse: await rowsOf(reverse),
      path: way?.steps ? [...way.steps] : null,
      why_not: exists ? [] : [...sentences],
    };
    const summary = summaryOf(body, way?.steps ?? null);
    return { ...body, summary, state: { cut, unresolved, changed: [...places.changed] } };
  },
  markdown: explainMarkdown,
});

/** The declarations of the first symbols that a name leads to. */
function firstOf({ nodes, targets }: FoundNames): Named[][] {
  return declarationsOf({ nodes, symbols: targets.slice(0, explainEnds.max) });
}

/** Ids of nodes and of what stands in them: a file or a class does what its parts do. */
async function withContents(context: Pick<ReadContext, 'q'>, nodes: readonly Named[]): Promise<string[]> {
  const ids = new Set(nodes.map(({ id }) => id));
  for (const node of nodes) {
    const { id, archetype } = node;
    const inside = isA(archetype, File)
      ? context.q(id).out(FileContainsSymbol).of(CodeSymbol)
      : 'callable_kind' in node && node.callable_kind === 'class'
        ? context.q(id).out(SymbolContainsSymbol).of(CodeSymbol)
        : null;
    for (const part of inside ? await inside.ids() : []) ids.add(part);
  }
  return [...ids];
}

/** All edges from the one to the other; what merely says that a thing stands in another is none. */
async function edgesBetween(
  { q }: Pick<ReadContext, 'q'>,
  from: readonly string[],
  to: readonly string[],
): Promise<EdgeRef[]> {
  const targets = new Set(to);
  return (await q(from).out().edges()).filter((edge) => targets.has(edge.to) && edge.from !== edge.to);
}

function isCandidate({ archetype }: EdgeRef): boolean {
  return isA(archetype, SymbolMayCallSymbol);
}

/** By calls; where calls lead nowhere, by the imports of the files. */
async function wayBetween(
  context: Pick<ReadContext, 'q'>,
  from: readonly string[],
  to: readonly string[],
  depth: number,
): Promise<{ steps: readonly StepRow[] | null; exhausted: boolean }> {
  const calls = await callPath(context, from, new Set(to), depth);
  if (calls.steps) return calls;
  const filesOf = (ids: readonly string[]) => [
    ...new Set(ids.flatMap((id) => parseId(id)?.path ?? []).map(fileId)),
  ];
  const imports = await importPath(context, filesOf(from), new Set(filesOf(to)), depth);
  return { steps: imports.steps, exhausted: calls.exhausted && imports.exhausted };
}

function summaryOf(
  {
    exists,
    from,
    to,
    edges,
    candidates,
  }: Pick<ExplainOutput, 'exists' | 'from' | 'to' | 'edges' | 'candidates'>,
  path: readonly StepRow[] | null,
): string {
  const [a, b] = [from, to].map((ends) => shortName(ends[0]?.id ?? ''));
  const several = [from, to].some((ends) => ends.length > 1)
    ? ' The name is ambiguous: all it may mean are listed.'
    : '';
  if (exists) {
    const kinds = [...new Set(edges.map(({ kind }) => kind))].join(', ');
    return `${a} leads to ${b}: ${kinds}.${several}`;
  }
  const maybe = candidates.length > 0 ? ` ${candidates.length} candidates of calls.` : '';
  const way = path ? ` The shortest way has ${path.length} steps.` : '';
  return `No edge leads from ${a} to ${b}.${maybe}${way}${several}`;
}
