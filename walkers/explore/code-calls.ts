import { z } from 'zod';
import { kindOf, type Named } from '../../graphs/code/index.js';
import { isA, type NodeRef, type ReadContext } from '../../runtime/index.js';
import {
  ACCESSES,
  CALL_TYPES,
  type EdgeType,
  EvidenceProps,
  exportEdgeKind,
  File,
  ownNameIn,
  RESOLUTIONS,
  SymbolCallsSymbol,
  SymbolMayCallSymbol,
  SymbolReferencesSymbol,
  Unresolved,
  USES,
} from '../../schema/index.js';
import { CANDIDATE_CAUSES, CERTAINTIES, certaintyOf, stepsAt } from '../query/calls.js';
import type { SourceRow } from './source-lines.js';

/** Rows of an answer. */
const MOST_CALLS = 500;
const MOST_UNRESOLVED = 100;

const text = z.string();
const count = z.number().int();
const maybe = text.nullable();

/** Something that a page links to; `line`: where its definition begins. */
export const LinkRow = z.object({ id: text, name: text, kind: text, path: maybe, line: count.nullable() });
export type LinkRow = z.infer<typeof LinkRow>;

/** A node as something to link to. */
export function linkRow(node: Named): LinkRow {
  const isFile = isA(node.archetype, File);
  return {
    ...{ id: node.id, name: node.name, kind: isFile ? 'file' : kindOf(node) },
    path: 'path' in node ? node.path : null,
    line: 'start_line' in node ? node.start_line : isFile ? 1 : null,
  };
}

const [OF_SEVERAL, RECEIVER, NAME] = CANDIDATE_CAUSES;
/** Why a call leads to nothing in the project. */
export const UNRESOLVED_CAUSES = [
  RECEIVER,
  NAME,
  'what it calls is of a package outside of the project',
] as const;

/** Where a name stands: the column is null where the line does not show it. */
const place = { line: count, column: count.nullable(), length: count };

/** One place at which something of the project is called, or used in another way. */
export const CallRow = z.object({
  ...place,
  to: LinkRow,
  kind: z.enum(['CALLS', 'MAY_CALL', 'REFERENCES']),
  use: z.enum(USES),
  certainty: z.enum(CERTAINTIES),
  confidence: z.number(),
  resolution: z.enum(RESOLUTIONS),
  /** Of a candidate why it is no fact. */
  cause: z.literal(OF_SEVERAL).nullable(),
  /** As it is written. */
  evidence: text,
});
export type CallRow = z.infer<typeof CallRow>;

/** A call that leads to nothing in the project. */
export const UnresolvedRow = z.object({
  ...place,
  name: text,
  cause: z.enum(UNRESOLVED_CAUSES),
  /** The package that it comes from, where that is known. */
  package: maybe,
});
export type UnresolvedRow = z.infer<typeof UnresolvedRow>;

/** The properties of these edges; each type has a part of them. */
const EdgeProps = z.object({
  line: count,
  column: count,
  resolution: z.enum(RESOLUTIONS),
  confidence: z.number(),
  call_type: z.enum(CALL_TYPES).default('direct'),
  access: z.enum(ACCESSES).optional(),
  evidence: z.array(EvidenceProps),
});

/** A place with its edge. */
interface Found {
  readonly type: EdgeType;
  readonly to: string;
  readonly edge: z.infer<typeof EdgeProps>;
  readonly line: number;
  readonly expression: string;
  readonly use: CallRow['use'];
  readonly column: number | null;
  readonly length: number;
}

/** Lines of a file, both ends included. */
export interface Lines {
  readonly from: number;
  readonly to: number;
}

/**
 * What lines of a file call and use, in their order.
 *
 * @param source Columns are of its lines. @param lines `listed`: those of the rows; `whole`: those of the totals.
 * @param offsets Of calls and of unresolved ones how many rows to leave out from the beginning.
 */
export async function callsIn(
  context: ReadContext,
  owners: readonly string[],
  source: SourceRow,
  { listed, whole }: { readonly listed: Lines; readonly whole: Lines },
  [fromCall, fromUnresolved]: readonly [number, number],
) {
  const places: Found[] = [];
  for (const type of [SymbolCallsSymbol, SymbolMayCallSymbol, SymbolReferencesSymbol])
    for (const edge of await context.entryEdges(await stepsAt(context, owners, 'out', type)))
      if (edge) places.push(...placesOf(type, edge.to, EdgeProps.parse(edge), source, whole));
  // Places of one line and column keep the order of the types and of the edges: the same for the same graph.
  places.sort((a, b) => a.line - b.line || (a.column ?? 0) - (b.column ?? 0));
  const outside = places.filter(({ to }) => to.startsWith(STUB));
  const inside = places.filter(({ to }) => !to.startsWith(STUB));
  const isListed = ({ line }: Found) => line >= listed.from && line <= listed.to;
  const rows = { calls: inside.filter(isListed), unresolved: outside.filter(isListed) };
  const shown = rows.calls.slice(fromCall, fromCall + MOST_CALLS);
  const missing = rows.unresolved.slice(fromUnresolved, fromUnresolved + MOST_UNRESOLVED);
  const ids = new Set([...shown, ...missing].map(({ to }) => to));
  const nodes = new Map((await context.nodes([...ids])).flatMap((node) => (node ? [[node.id, node]] : [])));
  const nodeOf = ({ to }: Found) => nodes.get(to) as Named | undefined;
  const references = inside.filter(({ type }) => type === SymbolReferencesSymbol).length;
  return {
    calls: shown.flatMap((found): CallRow[] => {
      const node = nodeOf(found);
      return node ? [callRow(found, node)] : [];
    }),
    unresolved: missing.flatMap((found): UnresolvedRow[] => {
      const node = nodeOf(found);
      return node && isStub(node) ? [unresolvedRow(found, node)] : [];
    }),
    /** Of the lines that are listed. */
    rows: { calls: rows.calls.length, unresolved: rows.unresolved.length },
    totals: { calls: inside.length - references, references, unresolved: outside.length },
  };
}

const STUB = 'sym:';

function isStub(node: NodeRef): node is NodeRef<typeof Unresolved> {
  return isA(node.archetype, Unresolved);
}

function placesOf(
  type: EdgeType,
  to: string,
  edge: Found['edge'],
  { from_line, lines }: SourceRow,
  whole: Lines,
): Found[] {
  const { line, column, access, evidence } = edge;
  const all = evidence.length > 0 ? evidence : [{ line, expression: '' }];
  const taken = new Map<number, number>();
  return all.flatMap(({ line: at, expression, use }, nth) => {
    if (at < whole.from || at > whole.to) return [];
    const shown = lines[at - from_line];
    const name = calledName(expression) || ownNameIn(to);
    const from = Math.max(nth === 0 ? column : 0, taken.get(at) ?? 0);
    const where = shown === undefined ? null : wordAt(shown, name, from);
    taken.set(at, (where ?? from) + 1);
    const usual = access ?? 'call';
    const place = { line: at, column: where, length: where === null ? 0 : name.length };
    return [{ type, to, edge, expression, use: use ?? usual, ...place }];
  });
}

/** The last name of what an expression calls or names: `get` of `this.stores.get(key)`. */
function calledName(expression: string): string {
  const end = expression.search(/[([<{`\s]/u);
  const head = end > 0 ? expression.slice(0, end) : expression;
  return head.split(/[^\p{L}\p{N}_$]/u).at(-1) ?? '';
}

/** Where a name stands in a line as a whole word. */
function wordAt(line: string, name: string, from: number): number | null {
  if (name === '') return null;
  const isPart = (sign: string | undefined) => sign !== undefined && /[\p{L}\p{N}_$]/u.test(sign);
  for (let at = line.indexOf(name, from); at >= 0; at = line.indexOf(name, at + 1))
    if (!isPart(line[at - 1]) && !isPart(line[at + name.length])) return at;
  return null;
}

function callRow(found: Found, node: Named): CallRow {
  const { type, edge, line, column, length, use, expression } = found;
  const { confidence, resolution } = edge;
  const isCandidate = type === SymbolMayCallSymbol;
  return {
    ...{ line, column, length, to: linkRow(node) },
    kind: CallRow.shape.kind.parse(exportEdgeKind(type.name)),
    ...{ use, certainty: certaintyOf(type, resolution), confidence, resolution },
    cause: isCandidate ? OF_SEVERAL : null,
    evidence: expression,
  };
}

function unresolvedRow(
  { line, column, length, edge }: Found,
  stub: NodeRef<typeof Unresolved>,
): UnresolvedRow {
  const [receiver, name, foreign] = UNRESOLVED_CAUSES;
  const cause = stub.package !== null ? foreign : edge.call_type === 'method' ? receiver : name;
  return { line, column, length, name: stub.qualified_name, cause, package: stub.package };
}
