import { z } from 'zod';
import {
  declarationsOf,
  type FoundNames,
  findNamed,
  indexProgress,
  type Named,
  nameField,
  qualifiedName,
  SourceTexts,
  UNFINISHED,
} from '../../graphs/code/index.js';
import { shownLine } from '../../present/index.js';
import { compareText, defineWalker, type EdgeRef, isA, type ReadContext } from '../../runtime/index.js';
import {
  ACCESSES,
  CALL_TYPES,
  CodeSymbol,
  type EdgeType,
  EvidenceProps,
  exportEdgeKind,
  File,
  FileContainsSymbol,
  FileImports,
  FileImportsPackage,
  fileId,
  LIMITS,
  lastNamePart,
  parseId,
  RESOLUTIONS,
  SymbolCallsSymbol,
  SymbolContainsSymbol,
  SymbolExtendsSymbol,
  SymbolImplementsSymbol,
  SymbolMayCallSymbol,
  SymbolReferencesSymbol,
} from '../../schema/index.js';

const count = z.number().int();

/** One end of a question: a node that a name led to. */
const EndRow = z.object({
  id: z.string(),
  name: z.string(),
  qualified_name: z.string(),
  kind: z.string(),
  /** Null for what is outside the project. */
  path: z.string().nullable(),
  line: count.nullable(),
});
type EndRow = z.infer<typeof EndRow>;

/** One place that an edge stands for. */
const PlaceRow = z.object({
  /** Null for edges that stand in no file: what a trace touched. */
  path: z.string().nullable(),
  line: count,
  expression: z.string(),
  /** The whole line as it is in the file; null where the file changed since it was indexed. */
  text: z.string().nullable(),
});
type PlaceRow = z.infer<typeof PlaceRow>;

/** One edge, and what it rests on. */
const EdgeRow = z.object({
  kind: z.string(),
  from: z.string(),
  to: z.string(),
  /** By what it was resolved ; null for edges that need no resolution. */
  resolution: z.enum(RESOLUTIONS).nullable(),
  confidence: z.number().nullable(),
  call_type: z.enum(CALL_TYPES).nullable(),
  access: z.enum(ACCESSES).nullable(),
  places: z.array(PlaceRow),
});
type EdgeRow = z.infer<typeof EdgeRow>;

/** One step of a path from one end to the other. */
const StepRow = z.object({ kind: z.string(), from: z.string(), to: z.string(), line: count });
type StepRow = z.infer<typeof StepRow>;

/** What `explain` answers. */
export const ExplainOutput = z.object({
  /** Whether the graph has an edge from the one to the other that it holds for a fact. */
  exists: z.boolean(),
  /** What each name led to; several where it is ambiguous. */
  from: z.array(EndRow),
  to: z.array(EndRow),
  edges: z.array(EdgeRow),
  /** Candidates of calls that could not be told apart: no facts. */
  candidates: z.array(EdgeRow),
  /** Edges the other way round. */
  reverse: z.array(EdgeRow),
  /** The shortest way by calls, else by imports of their files; null where there is a direct edge, or none at all. */
  path: z.array(StepRow).nullable(),
  /** Where there is no edge: what stands in its place, in sentences. */
  why_not: z.array(z.string()),
  summary: z.string(),
});
export type ExplainOutput = z.infer<typeof ExplainOutput> & {
  state?: {
    cut: string[];
    unresolved: number;
    /** Files that were cited, and are on disk otherwise than the graph has them. */
    changed: string[];
  };
};

/** What edges of the code graph may have; each type has a part of it. */
const EdgeProps = z.object({
  line: count.default(0),
  resolution: z.enum(RESOLUTIONS).nullable().default(null),
  confidence: z.number().nullable().default(null),
  call_type: z.enum(CALL_TYPES).nullable().default(null),
  access: z.enum(ACCESSES).nullable().default(null),
  evidence: z.array(EvidenceProps).default([]),
});

/** Nodes that are looked at on the way: a search that finds nothing ends here. */
const MOST_NODES = 5000;

/** Places of one edge that are shown. */
const MOST_PLACES = 10;

/** An edge with its evidence, and the text of each line where the file is what was indexed. */
async function edgeRow(edge: EdgeRef, texts: SourceTexts): Promise<EdgeRow> {
  const { line, evidence, ...props } = EdgeProps.parse(edge);
  const { from, to, archetype } = edge;
  const path = parseId(from)?.path ?? null;
  const lines = path === null ? null : await texts.linesOf(path);
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
  return { kind: exportEdgeKind(archetype.name) ?? archetype.name.toUpperCase(), from, to, ...props, places };
}

const { explainDepth, explainEnds, explainEdges } = LIMITS;

/** Says why an edge exists, or why not. A file and a class stand for what they hold, too. */
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
  run: async (_here, context) => {
    const { from, to, max_depth } = context.state;
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
    const texts = new SourceTexts(context);
    const rowsOf = async (edges: readonly EdgeRef[]): Promise<EdgeRow[]> => {
      const rows: EdgeRow[] = [];
      for (const edge of edges.slice(0, explainEdges.max)) rows.push(await edgeRow(edge, texts));
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
    return { ...body, summary, state: { cut, unresolved, changed: [...texts.changed] } };
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
  const calls = await shortestPath(context, SymbolCallsSymbol, from, new Set(to), depth);
  if (calls.steps) return calls;
  const filesOf = (ids: readonly string[]) => placesOf(ids).map(fileId);
  const imports = await shortestPath(context, FileImports, filesOf(from), new Set(filesOf(to)), depth);
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
 * The shortest path along edges of a type; of several the one whose steps come first. `exhausted` is false where the search
 * ended before everything within `depth` was visited.
 */
async function shortestPath(
  { q }: Pick<ReadContext, 'q'>,
  type: EdgeType,
  from: readonly string[],
  to: ReadonlySet<string>,
  depth: number,
): Promise<{ readonly steps: readonly StepRow[] | null; readonly exhausted: boolean }> {
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

/** A node as one end. */
function endRow(node: Named): EndRow {
  const { id } = node;
  const path = parseId(id)?.path ?? null;
  const kind = 'kind' in node ? String(node.subkind ?? node.kind) : node.archetype.name.toLowerCase();
  const line = 'start_line' in node ? Number(node.start_line) : path === null ? null : 1;
  return { id, name: shortName(id), qualified_name: qualifiedName(node), kind, path, line };
}

/** What tells a node apart for a reader: `Auth.login`, or the path of a file. */
function shortName(id: string): string {
  const parsed = parseId(id);
  return parsed?.name ?? parsed?.path ?? id;
}

/** Sentences of one kind: the rest says the same. */
const MOST_SENTENCES = 5;
/** Others that use what the one end does not: those of the first lines. */
const MOST_USERS = 3;
/** Edges that say that one thing uses another. */
const USES = [SymbolCallsSymbol, SymbolReferencesSymbol, SymbolExtendsSymbol, SymbolImplementsSymbol];

/** What stands where an edge is missing, and how many calls of the one end lead nowhere known. */
interface Missing {
  readonly sentences: readonly string[];
  readonly unresolved: number;
}

/**
 * Why there is no edge: what the one end calls under the other's name that leads elsewhere or nowhere known, whether
 * the files know of each other at all, and what else there is.
 *
 * @param from Ids of the one end and of what stands in it.
 * @param to Ids of the other.
 */
async function whyNot(
  context: Pick<ReadContext, 'q'>,
  from: readonly string[],
  to: readonly string[],
): Promise<Missing> {
  const { q } = context;
  const names = new Set(to.map(lastName));
  const calls = await q(from).out(SymbolCallsSymbol).edges();
  const maybe = await q(from).out(SymbolMayCallSymbol).edges();
  const unresolved = calls.filter((edge) => isStub(edge.to));
  const here = new Set(to);
  const sentences = [
    ...unresolved.filter((edge) => names.has(lastName(edge.to))).map(unknownCall),
    ...calls
      .filter((edge) => !isStub(edge.to) && !here.has(edge.to) && names.has(lastName(edge.to)))
      .map(otherCall),
  ].slice(0, MOST_SENTENCES);
  const far = new Set(maybe.filter((edge) => here.has(edge.to)).map(placeText));
  for (const place of [...far].slice(0, MOST_SENTENCES))
    sentences.push(`${place} could be it, or another of the same name: it is a candidate, not a fact.`);
  if (sentences.length === 0) sentences.push(...(await unused(context, from, to)));
  if (sentences.length === 0)
    sentences.push(
      `${shortName(from[0] ?? '')} has ${calls.length} calls, ${unresolved.length} of them to nothing known in the project; none is of that name.`,
    );
  return { sentences, unresolved: unresolved.length };
}

function unknownCall(edge: EdgeRef): string {
  const { name } = parseId(edge.to) ?? {};
  const outside = name?.includes('.') === true;
  const reason = outside
    ? `it was resolved to ${name}, outside the project`
    : 'what it is called on, or where the name comes from, is not known';
  return `${placeText(edge)}: ${reason}.`;
}

function otherCall(edge: EdgeRef): string {
  const { resolution } = EdgeProps.parse(edge);
  return `${placeText(edge)} calls another of that name: ${edge.to} (resolved by ${resolution ?? 'name'}).`;
}

/** `a() has \`x.send()\` at line 12`. */
function placeText(edge: EdgeRef): string {
  const { line, evidence } = EdgeProps.parse(edge);
  const expression = evidence[0]?.expression ?? lastName(edge.to);
  return `${shortName(edge.from)} has \`${expression.replaceAll('`', "'")}\` at line ${evidence[0]?.line ?? line}`;
}

/** Whether the files know of each other though the one end does not use the other, and who beside it does. */
async function unused(
  { q }: Pick<ReadContext, 'q'>,
  from: readonly string[],
  to: readonly string[],
): Promise<string[]> {
  const [importer, imported] = [placesOf(from), placesOf(to)];
  const ends = new Set(imported.length > 0 ? imported.map(fileId) : to);
  const isEnd = (edge: EdgeRef) => ends.has(edge.to);
  const files = (await q(importer.map(fileId)).out(FileImports).edges()).filter(isEnd);
  const packages = (await q(importer.map(fileId)).out(FileImportsPackage).edges()).filter(isEnd);
  const uses = files.length === 0 ? [] : await usesOf({ q }, to);
  return [
    ...files.map((edge) => {
      const [one, other] = [pathOf(edge.from), pathOf(edge.to)];
      const [here, there] = [
        from.filter((id) => pathOf(id) === one),
        to.filter((id) => pathOf(id) === other),
      ];
      const said = `${importText(edge)}, but ${shortName(here[0] ?? edge.from)} does not use ${shortName(there[0] ?? edge.to)}`;
      const users = uses.filter((use) => pathOf(use.from) === one && there.includes(use.to));
      return `${said}${usersText(users)}.`;
    }),
    // What is used of a package leads to its parts, not to itself.
    ...packages.map((edge) => `${importText(edge)}.`),
  ];
}

/** Facts that use one of these. */
async function usesOf({ q }: Pick<ReadContext, 'q'>, ids: readonly string[]): Promise<EdgeRef[]> {
  const uses: EdgeRef[] = [];
  for (const type of USES) uses.push(...(await q(ids).in(type).edges()));
  return uses;
}

/** `; start (line 3) and welcome (line 7) do`: each with its first line. */
function usersText(uses: readonly EdgeRef[]): string {
  const lines = new Map<string, number>();
  for (const edge of uses) {
    const { line } = EdgeProps.parse(edge);
    lines.set(edge.from, Math.min(line, lines.get(edge.from) ?? line));
  }
  const users = [...lines]
    .sort(([a, at], [b, bt]) => at - bt || compareText(a, b))
    .map(([id, line]) => `${shortName(id)} (line ${line})`);
  if (users.length === 0) return '';
  const more = users.length - MOST_USERS;
  return `; in that file it is used by ${users.slice(0, MOST_USERS).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function importText(edge: EdgeRef): string {
  return `${shortName(edge.from)} imports ${shortName(edge.to)} at line ${EdgeProps.parse(edge).line}`;
}

function pathOf(id: string): string | undefined {
  return parseId(id)?.path ?? undefined;
}

function placesOf(ids: readonly string[]): string[] {
  return [...new Set(ids.flatMap((id) => parseId(id)?.path ?? []))];
}

function isStub(id: string): boolean {
  return parseId(id)?.form === 'sym';
}

/** `send` of `m:src/a.ts:Mail.send`; the name of a package. */
function lastName(id: string): string {
  return lastNamePart(shortName(id));
}
