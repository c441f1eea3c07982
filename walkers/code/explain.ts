import { z } from 'zod';
import {
  declarationsOf,
  findNamed,
  indexProgress,
  type Named,
  nameField,
  qualifiedName,
  SourceTexts,
  UNFINISHED,
} from '../../graphs/code/index.js';
import { quotedName, shownLine } from '../../present/index.js';
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

const { explainDepth, explainEnds, explainEdges } = LIMITS;

/** Nodes that one search for a path visits. */
const MOST_NODES = 5000;
/** Places of one edge that are listed. */
const MOST_PLACES = 10;
/** Sentences of one kind: the rest says the same. */
const MOST_SENTENCES = 5;
/** Users of the other end that a sentence names, by their first lines. */
const MOST_USERS = 3;

/** Edges that say that one thing uses another. */
const USES = [SymbolCallsSymbol, SymbolReferencesSymbol, SymbolExtendsSymbol, SymbolImplementsSymbol];

const count = z.number().int();

/** A node that a name led to. */
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

const PlaceRow = z.object({
  /** Null for edges that stand in no file: what a trace touched. */
  path: z.string().nullable(),
  line: count,
  expression: z.string(),
  /** The whole line as it is in the file; null where the file changed since it was indexed. */
  text: z.string().nullable(),
});

/** An edge and the places that it rests on. */
const EdgeRow = z.object({
  kind: z.string(),
  from: z.string(),
  to: z.string(),
  /** How it was resolved; null for edges that need no resolution. */
  resolution: z.enum(RESOLUTIONS).nullable(),
  confidence: z.number().nullable(),
  call_type: z.enum(CALL_TYPES).nullable(),
  access: z.enum(ACCESSES).nullable(),
  places: z.array(PlaceRow),
});
type EdgeRow = z.infer<typeof EdgeRow>;

/** What edges of the code graph may have; each type has a part of it. */
const EdgeProps = z.object({
  line: count.default(0),
  resolution: EdgeRow.shape.resolution.default(null),
  confidence: EdgeRow.shape.confidence.default(null),
  call_type: EdgeRow.shape.call_type.default(null),
  access: EdgeRow.shape.access.default(null),
  evidence: z.array(EvidenceProps).default([]),
});

/** One step of a path from one end to the other. */
const StepRow = z.object({ kind: z.string(), from: z.string(), to: z.string(), line: count });
type StepRow = z.infer<typeof StepRow>;

/** What `explain` answers. */
export const ExplainOutput = z.object({
  /** Whether an edge that the graph holds for a fact leads from the one to the other. */
  exists: z.boolean(),
  /** What each name led to; several where it is ambiguous. */
  from: z.array(EndRow),
  to: z.array(EndRow),
  edges: z.array(EdgeRow),
  /** Calls with several candidates: no facts. */
  candidates: z.array(EdgeRow),
  /** Edges the other way round. */
  reverse: z.array(EdgeRow),
  /** The shortest way by calls, else by imports of their files; null where there is a direct edge, or none at all. */
  path: z.array(StepRow).nullable(),
  /** Where there is no edge: what stands in its place, in sentences. */
  why_not: z.array(z.string()),
  summary: z.string(),
});
/** Also says what the host has to add: notes, and files that were cited and changed since. */
export type ExplainOutput = z.infer<typeof ExplainOutput> & {
  state?: { cut: string[]; unresolved: number; changed: string[] };
};

/** A question: ids of each end and of what stands in it. */
interface Ends {
  readonly from: readonly string[];
  readonly to: readonly string[];
}

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
    const { max_depth } = context.state;
    const { complete } = await indexProgress(context);
    const cut = complete ? [] : [UNFINISHED];
    const texts = new SourceTexts(context);
    const [starts, targets] = [
      await findNamed(context, context.state.from),
      await findNamed(context, context.state.to),
    ];
    for (const [side, { targets: found }] of Object.entries({ FROM: starts, TO: targets }))
      if (found.length > explainEnds.max)
        cut.push(
          `${side} leads to ${found.length} things; the first ${explainEnds.max} are looked at: qualify it.`,
        );
    const rowsOf = async (edges: readonly EdgeRef[]): Promise<EdgeRow[]> => {
      if (edges.length > explainEdges.max)
        cut.push(
          `The first ${explainEdges.max} of ${edges.length} edges are listed: name something narrower.`,
        );
      const rows: EdgeRow[] = [];
      for (const edge of edges.slice(0, explainEdges.max)) rows.push(await edgeRow(edge, texts));
      return rows;
    };
    const ends = { from: await idsOf(context, starts), to: await idsOf(context, targets) };
    const between = await edgesBetween(context, ends);
    const facts = between.filter((edge) => !isCandidate(edge));
    const back = await edgesBetween(context, { from: ends.to, to: ends.from });
    const exists = facts.length > 0;
    const { sentences, unresolved } = await whyNot(context, ends);
    const way = exists ? null : await wayBetween(context, ends, max_depth);
    if (way && !way.exhausted && !way.steps)
      cut.push(
        `No path of ${max_depth} steps or fewer was found; max_depth up to ${explainDepth.max} looks farther.`,
      );
    const rows = {
      exists,
      from: starts.targets.slice(0, explainEnds.max).map(endRow),
      to: targets.targets.slice(0, explainEnds.max).map(endRow),
      edges: await rowsOf(facts),
      candidates: await rowsOf(between.filter(isCandidate)),
      reverse: await rowsOf(back.filter((edge) => !isCandidate(edge))),
      path: way?.steps ?? null,
      why_not: exists ? [] : sentences,
    };
    return { ...rows, summary: summaryOf(rows), state: { cut, unresolved, changed: [...texts.changed] } };
  },
  markdown: ({ from, to, edges, candidates, reverse, path, why_not, summary }) => {
    const title = (name: string, ends: readonly EndRow[]) => (ends.length > 1 ? `${name} one of` : name);
    const lists: readonly (readonly [title: string | null, lines: readonly string[]])[] = [
      [title('From', from), from.map(endLine)],
      [title('To', to), to.map(endLine)],
      [null, edges.map(edgeLines)],
      ['Why not', why_not.map((text) => `- ${text}`)],
      ['Candidates, not facts', candidates.map(edgeLines)],
      ['Shortest way', (path ?? []).map((step) => `- ${arrow(step)} at line ${step.line}`)],
      ['The other way round', reverse.map(edgeLines)],
    ];
    const sections = lists
      .filter(([, lines]) => lines.length > 0)
      .map(([title, lines]) => [...(title === null ? [] : [`### ${title}`]), ...lines].join('\n'));
    return `${[`## ${from[0]?.name ?? ''} to ${to[0]?.name ?? ''}`, summary, ...sections].join('\n\n')}\n`;
  },
});

/** Ids of what a name leads to and of what stands in it: a file or a class does what its parts do. */
async function idsOf(
  { q }: Pick<ReadContext, 'q'>,
  { nodes, targets }: Awaited<ReturnType<typeof findNamed>>,
): Promise<string[]> {
  const ends = declarationsOf({ nodes, symbols: targets.slice(0, explainEnds.max) }).flat();
  const ids = new Set(ends.map(({ id }) => id));
  for (const node of ends) {
    const isClass = 'callable_kind' in node && node.callable_kind === 'class';
    if (!isClass && !isA(node.archetype, File)) continue;
    const inside = q(node.id).out(isClass ? SymbolContainsSymbol : FileContainsSymbol);
    for (const part of await inside.of(CodeSymbol).ids()) ids.add(part);
  }
  return [...ids];
}

/** All edges from the one end to the other. */
async function edgesBetween({ q }: Pick<ReadContext, 'q'>, { from, to }: Ends): Promise<EdgeRef[]> {
  const targets = new Set(to);
  return (await q(from).out().edges()).filter((edge) => targets.has(edge.to) && edge.from !== edge.to);
}

function isCandidate({ archetype }: EdgeRef): boolean {
  return isA(archetype, SymbolMayCallSymbol);
}

/** A node as one end. */
function endRow(node: Named): EndRow {
  const { id } = node;
  const path = parseId(id)?.path ?? null;
  const kind = 'kind' in node ? String(node.subkind ?? node.kind) : node.archetype.name.toLowerCase();
  const firstLine = path === null ? null : 1;
  const line = 'start_line' in node ? Number(node.start_line) : firstLine;
  return { id, name: shortName(id), qualified_name: qualifiedName(node), kind, path, line };
}

/** An edge with its evidence, and the text of each line where the file is what was indexed. */
async function edgeRow(edge: EdgeRef, texts: SourceTexts): Promise<EdgeRow> {
  const { line, evidence, ...props } = EdgeProps.parse(edge);
  const { from, to } = edge;
  const path = parseId(from)?.path ?? null;
  const lines = path === null ? null : await texts.linesOf(path);
  const known = evidence.length === 0 && line > 0 ? [{ line, expression: '' }] : evidence;
  const places = known.slice(0, MOST_PLACES).map((place) => {
    const text = lines?.[place.line - 1];
    return {
      path,
      line: place.line,
      expression: shownLine(place.expression),
      text: text === undefined ? null : shownLine(text),
    };
  });
  return { kind: kindOf(edge), from, to, ...props, places };
}

function kindOf({ archetype: { name } }: EdgeRef): string {
  return exportEdgeKind(name) ?? name.toUpperCase();
}

function summaryOf({
  exists,
  from,
  to,
  edges,
  candidates,
  path,
}: Pick<ExplainOutput, 'exists' | 'from' | 'to' | 'edges' | 'candidates' | 'path'>): string {
  const [a, b] = [from, to].map((ends) => ends[0]?.name ?? '');
  const isAmbiguous = from.length > 1 || to.length > 1;
  const several = isAmbiguous ? ' The name is ambiguous: all it may mean are listed.' : '';
  if (exists)
    return `${a} leads to ${b}: ${[...new Set(edges.map(({ kind }) => kind))].join(', ')}.${several}`;
  const maybe = candidates.length > 0 ? ` ${candidates.length} candidates of calls.` : '';
  const way = path ? ` The shortest way has ${path.length} steps.` : '';
  return `No edge leads from ${a} to ${b}.${maybe}${way}${several}`;
}

function endLine({ qualified_name, kind, path, line }: EndRow): string {
  const place = path === null ? '' : `, ${path}${line === null ? '' : `:${line}`}`;
  return `- \`${qualified_name}\` ${kind}${place}`;
}

function edgeLines(edge: EdgeRow): string {
  const how = [
    edge.call_type,
    edge.access,
    edge.resolution && `resolved by ${edge.resolution}`,
    edge.confidence === null ? null : `confidence ${edge.confidence}`,
  ].filter((part) => part !== null);
  const places = edge.places.map(({ path, line, expression, text }) => {
    const shown = text ?? expression;
    return `  - ${path ?? ''}:${line}${shown === '' ? '' : ` ${quotedName(shown)}`}`;
  });
  return [`- ${arrow(edge)}${how.length > 0 ? ` (${how.join(', ')})` : ''}`, ...places].join('\n');
}

/** `Auth.login (src/auth.ts) CALLS hash (src/crypto.ts)`. */
function arrow({ from, kind, to }: Pick<StepRow, 'from' | 'kind' | 'to'>): string {
  const [a, b] = [from, to].map((id) => {
    const { path, name } = parseId(id) ?? {};
    return path && name ? `${name} (${path})` : shortName(id);
  });
  return `${a} ${kind} ${b}`;
}

/** The steps between two ends; `exhausted` is false where the search ended before it had visited all within its depth. */
interface Way {
  readonly steps: StepRow[] | null;
  readonly exhausted: boolean;
}

/** By calls; where calls lead nowhere, by the imports of the files. */
async function wayBetween(context: Pick<ReadContext, 'q'>, ends: Ends, depth: number): Promise<Way> {
  const calls = await shortestPath(context, SymbolCallsSymbol, ends, depth);
  if (calls.steps) return calls;
  const files = { from: pathsOf(ends.from).map(fileId), to: pathsOf(ends.to).map(fileId) };
  const imports = await shortestPath(context, FileImports, files, depth);
  return { steps: imports.steps, exhausted: calls.exhausted && imports.exhausted };
}

/** The shortest path along edges of a type; of several the one whose steps come first. */
async function shortestPath(
  { q }: Pick<ReadContext, 'q'>,
  type: EdgeType,
  { from, to }: Ends,
  depth: number,
): Promise<Way> {
  const targets = new Set(to);
  const reached = new Map<string, EdgeRef | null>(from.map((id) => [id, null]));
  let frontier = from;
  for (let hop = 0; hop < depth && frontier.length > 0; hop++) {
    const next: string[] = [];
    for (const edge of await q(frontier).out(type).edges()) {
      if (reached.has(edge.to)) continue;
      reached.set(edge.to, edge);
      next.push(edge.to);
      if (!targets.has(edge.to)) continue;
      const steps: StepRow[] = [];
      for (let step = reached.get(edge.to); step; step = reached.get(step.from))
        steps.unshift({ kind: kindOf(step), from: step.from, to: step.to, line: EdgeProps.parse(step).line });
      return { steps, exhausted: true };
    }
    if (reached.size > MOST_NODES) return { steps: null, exhausted: false };
    frontier = next;
  }
  return { steps: null, exhausted: frontier.length === 0 };
}

/**
 * Why there is no edge: what the one end calls under the other's name that leads elsewhere or nowhere known, whether
 * the files import each other at all, and what else there is; and how many calls of the one end lead nowhere known.
 */
async function whyNot(
  context: Pick<ReadContext, 'q'>,
  ends: Ends,
): Promise<{ sentences: string[]; unresolved: number }> {
  const { from, to } = ends;
  const targets = new Set(to);
  const names = new Set(to.map(lastName));
  const calls = await context.q(from).out(SymbolCallsSymbol).edges();
  const isStub = (edge: EdgeRef) => parseId(edge.to)?.form === 'sym';
  const unresolved = calls.filter(isStub);
  const namesakes = calls.filter((edge) => names.has(lastName(edge.to)));
  const elsewhere = namesakes.filter((edge) => !isStub(edge) && !targets.has(edge.to));
  const maybe = await context.q(from).out(SymbolMayCallSymbol).edges();
  const candidates = new Set(maybe.filter((edge) => targets.has(edge.to)).map(placeText));
  const sentences = [
    ...[...namesakes.filter(isStub).map(unknownCall), ...elsewhere.map(otherCall)].slice(0, MOST_SENTENCES),
    ...[...candidates]
      .slice(0, MOST_SENTENCES)
      .map((place) => `${place} could be it, or another of the same name: it is a candidate, not a fact.`),
  ];
  if (sentences.length === 0) sentences.push(...(await unused(context, ends)));
  if (sentences.length === 0)
    sentences.push(
      `${shortName(from[0] ?? '')} has ${calls.length} calls, ${unresolved.length} of them to nothing known in the project; none is of that name.`,
    );
  return { sentences, unresolved: unresolved.length };
}

function unknownCall(edge: EdgeRef): string {
  const { name } = parseId(edge.to) ?? {};
  const reason = name?.includes('.')
    ? `it was resolved to ${name}, outside the project`
    : 'what it is called on, or where the name comes from, is not known';
  return `${placeText(edge)}: ${reason}.`;
}

function otherCall(edge: EdgeRef): string {
  const { resolution } = EdgeProps.parse(edge);
  return `${placeText(edge)} calls another of that name: ${edge.to} (resolved by ${resolution ?? 'name'}).`;
}

/** `a has \`x.send()\` at line 12`. */
function placeText(edge: EdgeRef): string {
  const { line, evidence } = EdgeProps.parse(edge);
  const { expression, line: at } = evidence[0] ?? { expression: lastName(edge.to), line };
  return `${shortName(edge.from)} has ${quotedName(expression)} at line ${at}`;
}

/** Whether the files import each other though the one end does not use the other, and who in that file does. */
async function unused({ q }: Pick<ReadContext, 'q'>, { from, to }: Ends): Promise<string[]> {
  const paths = pathsOf(to);
  const ends = new Set(paths.length > 0 ? paths.map(fileId) : to);
  const importers = pathsOf(from).map(fileId);
  const importsOf = async (type: EdgeType) =>
    (await q(importers).out(type).edges()).filter((edge) => ends.has(edge.to));
  const files = await importsOf(FileImports);
  const uses: EdgeRef[] = [];
  for (const type of files.length === 0 ? [] : USES) uses.push(...(await q(to).in(type).edges()));
  const sentences = files.map((edge) => {
    const [here, there] = [placeIn(edge.from, from), placeIn(edge.to, to)];
    const users = uses.filter((use) => pathOf(use.from) === pathOf(edge.from) && there.includes(use.to));
    const names = `${shortName(here[0] ?? edge.from)} does not use ${shortName(there[0] ?? edge.to)}`;
    return `${importText(edge)}, but ${names}${usersText(users)}.`;
  });
  // What is used of a package leads to its parts, not to itself.
  return [...sentences, ...(await importsOf(FileImportsPackage)).map((edge) => `${importText(edge)}.`)];
}

/** Those of some ids that stand in a file. */
function placeIn(file: string, ids: readonly string[]): string[] {
  return ids.filter((id) => pathOf(id) === pathOf(file));
}

/** `; in that file it is used by start (line 3), welcome (line 7)`: each with its first line. */
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

function pathsOf(ids: readonly string[]): string[] {
  return [...new Set(ids.flatMap((id) => pathOf(id) ?? []))];
}

/** What identifies a node for a reader: `Auth.login`, or the path of a file. */
function shortName(id: string): string {
  const parsed = parseId(id);
  return parsed?.name ?? parsed?.path ?? id;
}

/** `send` of `m:src/a.ts:Mail.send`; the name of a package. */
function lastName(id: string): string {
  return lastNamePart(shortName(id));
}
