import { createHash } from 'node:crypto';
import { z } from 'zod';
import { compareText, defineWalker, type EdgeRef, type ReadContext } from '../../runtime/index.js';
import {
  ACCESSES,
  CALL_TYPES,
  CodewalkError,
  type EdgeType,
  EvidenceProps,
  fileId,
  Import,
  ImportResolvesTo,
  LIMITS,
  parseId,
  SymbolCallsSymbol,
  SymbolExtendsSymbol,
  SymbolImplementsSymbol,
  SymbolImports,
  SymbolReferencesSymbol,
  USES,
  type Use,
} from '../../schema/index.js';
import { isTestPath } from '../../source/index.js';
import { indexProgress } from '../code/index-progress.js';
import { SourceTexts } from '../code/source-texts.js';
import { isNamed, type Named, type Wanted } from '../find-symbol.js';
import { countsLine } from '../markdown.js';
import { quotedName, shownLine } from '../shown-text.js';
import { candidatesInto } from './parts/candidates.js';
import { type Detail, qualifiedName } from './parts/code-node.js';
import { fitAnswer } from './parts/fit-answer.js';
import { type QueryState, queryAnswer, queryOutput } from './parts/query-answer.js';
import { nameField, queryFields } from './parts/query-input.js';
import { inScope, outOfScope, type Scoped, withinScope } from './parts/scope.js';
import { candidatesText, shownOf } from './parts/shown-rows.js';
import { constructorsOf, findTargets, isModule, isSymbol } from './parts/targets.js';

const { queryRows, referenceRows } = LIMITS;

/** Characters of a source line that are shown. */
const LONGEST_TEXT = 160;

/** Everything that is used somewhere: symbols, modules and packages. */
const USED: Wanted = { what: 'a symbol, module or package', fits: () => true };

/** One use of a symbol. */
const ReferenceRow = z.object({
  path: z.string(),
  line: z.number().int(),
  kind: z.enum(USES),
  /** The qualified name of the symbol around it; absent at module level. */
  in: z.string().optional(),
  /** The source line; absent where the file changed since it was indexed, or where the budget has no room. */
  text: z.string().optional(),
  /** The qualified name of what is used; present where the question leads to several symbols. */
  to: z.string().optional(),
});
type ReferenceRow = z.infer<typeof ReferenceRow>;

/** What the name leads to. */
const Target = z.object({
  qualified_name: z.string(),
  kind: z.string(),
  path: z.string().optional(),
  line_start: z.number().int().optional(),
  line_end: z.number().int().optional(),
});
type Target = z.infer<typeof Target>;

/** The answer of `query_references`. */
export const ReferencesOutput = queryOutput({
  /** What the name leads to. */
  targets: z.array(Target),
  references: z.array(ReferenceRow),
  /** How many references each kind has, in all files of the scope, before the cut. */
  kinds: z.record(z.string(), z.number().int()),
  /** Gives the next rows as the input `cursor`; absent on the last page. */
  cursor: z.string().optional(),
});
/** See {@link ReferencesOutput}. */
export type ReferencesOutput = z.infer<typeof ReferencesOutput> & { state?: QueryState };

/**
 * Lists every use of a symbol, module or package (X-41): from the edges that lead to it and their evidence. A class
 * stands for its written constructor too, where that is called by the class's name.
 */
export const QueryReferences = defineWalker('query_references', {
  description:
    'Find all references of a symbol, module or package: calls, reads, writes, types, decorators, imports, subclasses; with path, line, kind and source line. Resolved, no text search.',
  input: {
    name: nameField('Name, qualified name, id, path or path:line'),
    kinds: z.array(z.enum(USES)).min(1).optional().describe('Only these'),
    scope: queryFields.scope,
    limit: z.number().int().min(1).max(referenceRows.max).default(referenceRows.default).describe('Rows'),
    cursor: z.string().min(1).max(200).optional().describe('Next page, from the last answer'),
    max_tokens: queryFields.max_tokens,
  },
  output: ReferencesOutput,
  examples: [
    { title: 'Where a class is used', input: { name: 'UserService' } },
    { title: 'Who writes a property', input: { name: 'UserService.db', kinds: ['write'] } },
  ],
  // Follows incoming edges of all targets at once; no node is visited.
  start: async (context) => {
    await indexProgress(context);
    return null;
  },
  on: () => [],
  finish: async ({ state: { name, kinds, scope, limit, cursor, max_tokens }, context }) => {
    const question = JSON.stringify([name, [...(kinds ?? [])].sort(), scope ?? null]);
    const offset = cursor === undefined ? 0 : offsetOf(cursor, question, context.codeRevision);
    const { nodes, notes } = await findTargets(context, name, USED);
    const found = await usesOf(context, nodes);
    const inside = found.filter(withinScope(scope, context.projectRoot));
    const rows = kinds === undefined ? inside : inside.filter(({ kind }) => kinds.includes(kind));
    const page = rows.slice(offset, offset + limit);
    const texts = await textsOf(context, page);
    const left = rows.length - offset;
    const ids = nodes.map(({ id }) => id);
    const unresolved = await candidatesInto(
      context,
      ids,
      nodes.filter(isSymbol).map(({ name }) => name),
    );
    const names = new Map(nodes.length > 1 ? nodes.map((node) => [node.id, qualifiedName(node)]) : []);
    const fitted = fitAnswer(
      (count, detail) => ({
        targets: nodes.map(targetRow),
        references: page
          .slice(0, count)
          .map((use, at) => referenceRow(use, texts[at], detail, names.get(use.to))),
        kinds: countsOf(inside),
        ...(count < left ? { cursor: cursorOf(offset + count, question, context.codeRevision) } : {}),
      }),
      {
        what: 'references',
        total: left,
        cap: Math.min(limit, queryRows.max),
        narrower: '`cursor` gives the next',
        asked: max_tokens,
      },
    );
    return queryAnswer(context, fitted, {
      query: `References of ${name}${kinds ? ` (${kinds.join(', ')})` : ''}${inScope(scope)}`,
      total: rows.length,
      maxDepth: null,
      notes: [...notes, ...outOfScope(found.length, inside.length, 'reference')],
      unresolved,
    });
  },
  markdown: referencesMarkdown,
});

/** One use, before it is shown. */
interface Found extends Scoped {
  readonly path: string;
  readonly line: number;
  readonly kind: Use;
  /** The qualified name of the symbol around it; undefined at module level. */
  readonly inside: string | undefined;
  /** The id of what is used. */
  readonly to: string;
}

/** A place where something is used, with the node around it. */
interface Place {
  readonly from: string;
  readonly to: string;
  readonly line: number;
  readonly kind: Use;
}

/** Edges whose evidence are uses, with the use of a place that does not say it. */
const USING: readonly (readonly [EdgeType, Use])[] = [
  [SymbolCallsSymbol, 'call'],
  [SymbolReferencesSymbol, 'read'],
  [SymbolExtendsSymbol, 'extends'],
  [SymbolImplementsSymbol, 'implements'],
];

/** All uses: by target, production code before tests, then by path and line. A line has one row for each kind. */
async function usesOf(context: ReadContext, nodes: readonly Named[]): Promise<Found[]> {
  const ids = nodes.map(({ id }) => id);
  const places: Place[] = [];
  for (const [type, kind] of USING) places.push(...placesOf(await edgesInto(context, ids, type), kind));
  places.push(...(await constructions(context, nodes)), ...(await importsOf(context, ids)));
  const around = await context.nodes([...new Set(places.map(({ from }) => from))]);
  const known = new Map(
    around.flatMap((node) => (node !== undefined && isNamed(node) ? [[node.id, node]] : [])),
  );
  const found = new Map<string, Found>();
  for (const { from, to, line, kind } of places) {
    const node = known.get(from);
    const path = parseId(from)?.path;
    if (node === undefined || !path) continue;
    const qualified_name = qualifiedName(node);
    const inside = isSymbol(node) ? qualified_name : undefined;
    const key = JSON.stringify([to, path, line, kind]);
    if (!found.has(key)) found.set(key, { path, line, kind, inside, qualified_name, to });
  }
  const order = new Map(ids.map((id, at) => [id, at]));
  const tests = new Map([...found.values()].map(({ path }) => [path, isTestPath(path)]));
  return [...found.values()].sort(
    (a, b) =>
      (order.get(a.to) ?? 0) - (order.get(b.to) ?? 0) ||
      Number(tests.get(a.path)) - Number(tests.get(b.path)) ||
      compareText(a.path, b.path) ||
      a.line - b.line ||
      USES.indexOf(a.kind) - USES.indexOf(b.kind),
  );
}

async function edgesInto(
  context: Pick<ReadContext, 'entries' | 'entryEdges'>,
  ids: readonly string[],
  type: EdgeType,
): Promise<EdgeRef[]> {
  const entries = await context.entries(ids, 'in', type);
  const steps = ids.flatMap((node, at) => (entries[at] ?? []).map((entry) => ({ node, entry })));
  return (await context.entryEdges(steps)).filter((edge) => edge !== undefined);
}

function placesOf(edges: readonly EdgeRef[], kind: Use): Place[] {
  return edges.flatMap((edge) => {
    const { line, access, evidence } = EdgeProps.parse(edge);
    const told = access ?? kind;
    const all = evidence.length > 0 ? evidence : [{ line, expression: '' }];
    return all.flatMap((place) =>
      place.line > 0 ? [{ from: edge.from, to: edge.to, line: place.line, kind: place.use ?? told }] : [],
    );
  });
}

/** Calls of the constructors that classes write, as uses of the classes. A call of `super` names no class. */
async function constructions(context: ReadContext, nodes: readonly Named[]): Promise<Place[]> {
  const places: Place[] = [];
  for (const node of nodes) {
    const edges = await edgesInto(context, await constructorsOf(context, [node]), SymbolCallsSymbol);
    for (const edge of edges) {
      const { evidence, ...told } = EdgeProps.parse(edge);
      if (told.call_type !== 'constructor') continue;
      const named = evidence.filter(({ expression }) => !/^super\b/.test(expression));
      places.push(
        ...placesOf([{ ...edge, evidence: named }], 'call').map((place) => ({ ...place, to: node.id })),
      );
    }
  }
  return places;
}

/** Imports of symbols, modules and packages. */
async function importsOf(context: ReadContext, ids: readonly string[]): Promise<Place[]> {
  const edges = await edgesInto(context, ids, ImportResolvesTo);
  const imports = await context.nodesOf(Import, [...new Set(edges.map(({ from }) => from))]);
  const known = new Map(imports.filter(({ gone }) => !gone).map((node) => [node.id, node]));
  const owners = await edgesInto(context, [...known.keys()], SymbolImports);
  const ownerOf = new Map(owners.map(({ from, to }) => [to, from]));
  return edges.flatMap((edge) => {
    const node = known.get(edge.from);
    if (node === undefined) return [];
    const kind = node.kind === 'reexport' ? 'reexport' : 'import';
    const { line } = EdgeProps.parse(edge);
    const from = ownerOf.get(edge.from) ?? fileId(node.path);
    return [{ from, to: edge.to, line: line || node.line, kind }];
  });
}

/** The properties of edges that say where and how something is used. */
const EdgeProps = z.object({
  line: z.number().int().default(0),
  evidence: z.array(EvidenceProps).default([]),
  access: z.enum(ACCESSES).optional(),
  call_type: z.enum(CALL_TYPES).optional(),
});

function countsOf(uses: readonly Found[]): Record<string, number> {
  const counts = USES.map((kind) => [kind, uses.filter((use) => use.kind === kind).length] as const);
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}

/** The source lines of uses, in their order; undefined where a file changed since it was indexed. */
async function textsOf(
  context: Pick<ReadContext, 'find' | 'projectRoot'>,
  uses: readonly Found[],
): Promise<(string | undefined)[]> {
  const sources = new SourceTexts(context);
  const texts: (string | undefined)[] = [];
  for (const { path, line } of uses) {
    const text = (await sources.linesOf(path))?.[line - 1];
    texts.push(text === undefined ? undefined : shownLine(text, LONGEST_TEXT));
  }
  return texts;
}

function targetRow(node: Named): Target {
  const path = 'path' in node ? { path: node.path } : {};
  const line = 'start_line' in node ? { line_start: node.start_line, line_end: node.end_line } : {};
  return { qualified_name: qualifiedName(node), kind: kindOf(node), ...path, ...line };
}

function kindOf(node: Named): string {
  if ('kind' in node) return node.subkind ?? node.kind;
  return isModule(node) ? 'module' : 'package';
}

/** A page of an answer: where it begins, of which question, in which version of the graph. */
const Cursor = z.tuple([z.number().int().min(1), z.string(), z.number().int().nullable()]);

function cursorOf(offset: number, question: string, revision: number | null): string {
  const cursor: z.infer<typeof Cursor> = [offset, digestOf(question), revision];
  return Buffer.from(JSON.stringify(cursor)).toString('base64url');
}

/** @throws CodewalkError `INVALID_INPUT` for a cursor of another question or of an older graph. */
function offsetOf(text: string, question: string, revision: number | null): number {
  const refuse = (message: string) =>
    new CodewalkError('INVALID_INPUT', message, {
      input: shownLine(text, 200),
      suggestion: 'Ask again without `cursor`; the answer gives a new one.',
    });
  const cursor = Cursor.safeParse(parsed(Buffer.from(text, 'base64url').toString()));
  if (!cursor.success) throw refuse('the cursor is none that an answer gave');
  const [offset, digest, made] = cursor.data;
  if (digest !== digestOf(question))
    throw refuse('the cursor is of another question: name, kinds or scope differ');
  if (made !== revision) throw refuse('the cursor is of an older graph: the code was indexed again since');
  return offset;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function digestOf(question: string): string {
  return createHash('sha256').update(question).digest('base64url').slice(0, 11);
}

/** The uses by file, each on a line of its own: line, kind, source line. */
function referencesMarkdown({ query, results, metadata, state }: ReferencesOutput): string {
  const { targets, references, kinds, cursor } = results;
  const unresolved = candidatesText(state?.unresolved ?? 0, 'of that name may be more');
  const of = targets.length === 1 ? targets.map(targetText) : [];
  const head = `${shownLine(query, 200)}${of.join('')}`;
  if (metadata.total_count === 0) return `${head}: none are known.${unresolved}\n`;
  const lines: string[] = [];
  let at = '';
  for (const { path, line, kind, in: inside, text, to } of references) {
    const group = `${to === undefined ? '' : `${quotedName(to)} in `}${shownLine(path, 200)}`;
    if (group !== at) lines.push('', group);
    at = group;
    const place = inside === undefined ? '' : ` in ${quotedName(inside.slice(inside.lastIndexOf('.') + 1))}`;
    lines.push(`  ${line}: ${kind}${place}${text ? ` ${quotedName(text)}` : ''}`);
  }
  const shown = shownOf(metadata.row_count, metadata.total_count, 'reference');
  const next = cursor === undefined ? [] : ['', `Next page: cursor ${cursor}`];
  return [`${head}: ${shown} (${countsLine(kinds)}).${unresolved}`, ...lines, ...next, ''].join('\n');
}

function targetText({ qualified_name, kind, path, line_start, line_end }: Target): string {
  const lines = line_start === undefined ? '' : `:${line_start}-${line_end}`;
  const place = path === undefined ? '' : `, ${shownLine(path, 200)}${lines}`;
  return ` (${kind} ${quotedName(qualified_name)}${place})`;
}

function referenceRow(
  use: Found,
  text: string | undefined,
  detail: Detail,
  to: string | undefined,
): ReferenceRow {
  const { path, line, kind, inside } = use;
  return {
    path,
    line,
    kind,
    ...(inside === undefined || detail === 'bare' ? {} : { in: inside }),
    ...(text && detail === 'full' ? { text } : {}),
    ...(to === undefined ? {} : { to }),
  };
}
