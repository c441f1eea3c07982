import { z } from 'zod';
import { indexProgress, SourceTexts, UNFINISHED } from '../../graphs/code/index.js';
import { shownLine } from '../../present/index.js';
import { defineWalker, type EdgeRef, isA, type ReadContext } from '../../runtime/index.js';
import {
  CodeSymbol,
  type EdgeType,
  exportEdgeKind,
  File,
  FileContainsSymbol,
  FileImports,
  fileId,
  LIMITS,
  parseId,
  SymbolCallsSymbol,
  SymbolContainsSymbol,
  SymbolMayCallSymbol,
} from '../../schema/index.js';
import { type FoundNames, findNamed, type Named } from '../find-symbol.js';
import { nameField } from '../query/parts/query-input.js';
import { declarationsOf } from '../query/parts/targets.js';
import {
  EdgeProps,
  type EdgeRow,
  type EndRow,
  ExplainOutput,
  endRow,
  type PlaceRow,
  type StepRow,
  shortName,
} from './explain/explain-rows.js';
import { whyNot } from './explain/why-not.js';

/** Nodes that are looked at on the way: a search that finds nothing ends here. */
const MOST_NODES = 5000;

/** A way from one set of nodes to another; null where there is none within reach. */
type Way = { readonly steps: readonly StepRow[] | null; readonly exhausted: boolean };

/** Places of one edge that are shown. */
const MOST_PLACES = 10;

/** Makes rows of edges, with the lines that they rest on as they stand in the files. */
class Places {
  readonly #texts: SourceTexts;

  constructor(context: Pick<ReadContext, 'find' | 'projectRoot'>) {
    this.#texts = new SourceTexts(context);
  }

  /** Files that changed since they were indexed. */
  get changed(): ReadonlySet<string> {
    return this.#texts.changed;
  }

  /** An edge with its evidence, and the text of each line where the file is what was indexed. */
  async row(edge: EdgeRef): Promise<EdgeRow> {
    const { line, evidence, ...told } = EdgeProps.parse(edge);
    const { from, to, archetype } = edge;
    const path = parseId(from)?.path ?? null;
    const lines = path === null ? null : await this.#texts.linesOf(path);
    const known = evidence.length > 0 ? evidence : line > 0 ? [{ line, expression: '' }] : [];
    const places = known.slice(0, MOST_PLACES).map((place): PlaceRow => {
      const text = lines?.[place.line - 1];
      return {
        path,
        line: place.line,
        expression: shownLine(place.expression),
        text: text === undefined ? null : shownLine(text),
      };
    });
    return {
      kind: exportEdgeKind(archetype.name) ?? archetype.name.toUpperCase(),
      from,
      to,
      ...told,
      places,
    };
  }
}

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

/** An explanation as Markdown: the same things in the same order. */
function explainMarkdown(output: Omit<ExplainOutput, 'state'>): string {
  const { from, to, edges, candidates, reverse, path, why_not, summary } = output;
  const sections = [`## ${headOf(from)} to ${headOf(to)}`, summary];
  for (const [title, ends] of [
    ['From', from],
    ['To', to],
  ] as const)
    if (ends.length > 0)
      sections.push(`### ${ends.length > 1 ? `${title} one of` : title}\n${ends.map(endLine).join('\n')}`);
  if (edges.length > 0) sections.push(edges.map(edgeText).join('\n'));
  if (why_not.length > 0) sections.push(`### Why not\n${why_not.map((text) => `- ${text}`).join('\n')}`);
  if (candidates.length > 0)
    sections.push(`### Candidates, not facts\n${candidates.map(edgeText).join('\n')}`);
  if (path)
    sections.push(
      `### Shortest way\n${path.map((step) => `- ${nodeText(step.from)} ${step.kind} ${nodeText(step.to)} at line ${step.line}`).join('\n')}`,
    );
  if (reverse.length > 0) sections.push(`### The other way round\n${reverse.map(edgeText).join('\n')}`);
  return `${sections.join('\n\n')}\n`;
}

function headOf(ends: readonly EndRow[]): string {
  return ends[0]?.name ?? '';
}

function endLine({ qualified_name, kind, path, line }: EndRow): string {
  const place = path === null ? '' : `, ${path}${line === null ? '' : `:${line}`}`;
  return `- \`${qualified_name}\` ${kind}${place}`;
}

function edgeText(edge: EdgeRow): string {
  const how = [
    edge.call_type,
    edge.access,
    edge.resolution === null ? null : `resolved by ${edge.resolution}`,
    edge.confidence === null ? null : `confidence ${edge.confidence}`,
  ].filter((part) => part !== null);
  const head = `- ${nodeText(edge.from)} ${edge.kind} ${nodeText(edge.to)}${how.length > 0 ? ` (${how.join(', ')})` : ''}`;
  return [head, ...edge.places.map(placeLine)].join('\n');
}

function placeLine({ path, line, expression, text }: PlaceRow): string {
  const shown = text ?? expression;
  return `  - ${path ?? ''}:${line}${shown === '' ? '' : ` \`${shown.replaceAll('`', "'")}\``}`;
}

/** `Auth.login in src/auth.ts`. */
function nodeText(id: string): string {
  const { path, name } = parseId(id) ?? {};
  return path !== null && path !== undefined && name ? `${name} (${path})` : shortName(id);
}

/**
 * The shortest way by calls; of several the one whose steps come first. `exhausted` is false where the search ended
 * before everything within `depth` was seen.
 */
function callPath(
  context: Pick<ReadContext, 'q'>,
  from: readonly string[],
  to: ReadonlySet<string>,
  depth: number,
): Promise<Way> {
  return shortestPath(context, SymbolCallsSymbol, from, to, depth);
}

/** The shortest way by imports, from file to file. */
function importPath(
  context: Pick<ReadContext, 'q'>,
  from: readonly string[],
  to: ReadonlySet<string>,
  depth: number,
): Promise<Way> {
  return shortestPath(context, FileImports, from, to, depth);
}

async function shortestPath(
  { q }: Pick<ReadContext, 'q'>,
  type: EdgeType,
  from: readonly string[],
  to: ReadonlySet<string>,
  depth: number,
): Promise<Way> {
  const reached = new Map<string, StepRow | null>(from.map((id) => [id, null]));
  let frontier = [...from];
  for (let hop = 0; hop < depth && frontier.length > 0; hop++) {
    const next: string[] = [];
    for (const edge of await q(frontier).out(type).edges()) {
      if (reached.has(edge.to)) continue;
      const { line } = EdgeProps.parse(edge);
      reached.set(edge.to, {
        kind: exportEdgeKind(type.name) ?? type.name,
        from: edge.from,
        to: edge.to,
        line,
      });
      if (to.has(edge.to)) return { steps: stepsTo(edge.to, reached), exhausted: true };
      next.push(edge.to);
    }
    if (reached.size > MOST_NODES) return { steps: null, exhausted: false };
    frontier = next;
  }
  return { steps: null, exhausted: frontier.length === 0 };
}

function stepsTo(end: string, reached: ReadonlyMap<string, StepRow | null>): StepRow[] {
  const steps: StepRow[] = [];
  for (let step = reached.get(end); step; step = reached.get(step.from)) steps.unshift(step);
  return steps;
}
