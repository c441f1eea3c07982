import { z } from 'zod';
import {
  isNamed,
  type Named,
  nameField,
  qualifiedName,
  type Scoped,
  SourceTexts,
  symbolKey,
  type Wanted,
  withinScope,
} from '../../graphs/code/index.js';
import { countsLine, quotedName, shownLine } from '../../present/index.js';
import { compareText, defineWalker, type EdgeRef, type ReadContext } from '../../runtime/index.js';
import {
  ACCESSES,
  CALL_TYPES,
  CodeSymbol,
  type EdgeType,
  EvidenceProps,
  fileId,
  Import,
  ImportResolvesTo,
  lastNamePart,
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
import { defineQuery, type QueryOutput, queryFields, rowsField, unresolvedText } from './answer.js';
import { candidateCalls, edgesInto } from './calls.js';
import { constructorsOf, findTargets, isSymbol, type Targets, targetFields } from './targets.js';

/** Characters of a source line that are shown. */
const LONGEST_TEXT = 160;

/** Everything that is used somewhere: symbols, modules and packages. */
const USED: Wanted = { what: 'a symbol, module or package', fits: () => true };

/** One use of a symbol. */
const ReferenceRow = z.object({
  path: z.string(),
  line: z.number().int(),
  kind: z.enum(USES),
  /** True where nothing but the name says so: of what documents define (SQL, GraphQL, protobuf, OpenAPI). */
  by_name: z.literal(true).optional(),
  /** The qualified name of the symbol around it; absent at module level. */
  in: z.string().optional(),
  /** The source line; absent where the file changed since it was indexed, or where the budget has no room. */
  text: z.string().optional(),
  /** The qualified name of what is used; present where the question leads to several symbols. */
  to: z.string().optional(),
});
type ReferenceRow = z.infer<typeof ReferenceRow>;

const results = {
  ...targetFields,
  references: z.array(ReferenceRow),
  /** How many references each kind has, in all files of the scope, before the cut. */
  kinds: z.record(z.string(), z.number().int()),
};
/** The answer of `query_references`. */
export type ReferencesOutput = QueryOutput<typeof results>;

/**
 * Lists every use of a symbol, module or package (X-41): from the edges that lead to it and their evidence. A class
 * stands for its written constructor too, where that is called by the class's name.
 */
export const QueryReferences = defineQuery('query_references', {
  description:
    'Find all references of a symbol, module or package: calls, reads, writes, types, decorators, imports, subclasses; with path, line, kind and source line.',
  input: {
    name: nameField('Name, id, path or path:line'),
    kinds: z.array(z.enum(USES)).min(1).optional().describe('Only these'),
    limit: rowsField(),
    ...queryFields,
  },
  results,
  examples: [
    { title: 'Where a class is used', input: { name: 'UserService' } },
    { title: 'Who writes a property', input: { name: 'UserService.db', kinds: ['write'] } },
  ],
  answer: async ({ name, kinds, scope }, context, page) => {
    const targets = await findTargets(context, name, USED);
    const { symbols: nodes, head, notes } = targets;
    const symbols = await wholeSymbols(context, targets);
    const found = await usesOf(context, symbols);
    const inside = found.filter(await withinScope(context, scope));
    const all = kinds === undefined ? inside : inside.filter(({ kind }) => kinds.includes(kind));
    const texts = new SourceTexts(context);
    const names = new Map(nodes.length > 1 ? nodes.map((node) => [node.id, qualifiedName(node)]) : []);
    const rows: ReferenceRow[] = [];
    for (const { path, line, kind, byName, inside, to: used } of page.of(all)) {
      const text = shownLine((await texts.linesOf(path))?.[line - 1] ?? '', LONGEST_TEXT);
      const to = names.get(used);
      rows.push({
        path,
        line,
        kind,
        ...(byName ? { by_name: true } : {}),
        ...(inside === undefined ? {} : { in: inside }),
        ...(text === '' ? {} : { text }),
        ...(to === undefined ? {} : { to }),
      });
    }
    const counts = USES.map((kind) => [kind, inside.filter((use) => use.kind === kind).length] as const);
    const called = nodes.filter(isSymbol).map(({ name }) => name);
    const unresolved = await candidateCalls(context, [...symbols.values()].flat(), called);
    return {
      query: `References of ${name}${kinds ? ` (${kinds.join(', ')})` : ''}`,
      noun: ['reference', 'references'],
      rows,
      total: all.length,
      narrower: '`kinds` and `scope` narrow them',
      less: [{ of: 'results.references', field: 'text', what: 'Source lines' }],
      make: (references: readonly ReferenceRow[]) => ({
        ...head,
        references: [...references],
        kinds: Object.fromEntries(counts.filter(([, count]) => count > 0)),
      }),
      notes,
      outside: found.length - inside.length,
      unresolved: unresolved.count,
      changed: [...texts.changed],
    };
  },
  // The uses by file, each on a line of its own: line, kind, source line.
  markdown: (output) => {
    const { references, kinds } = output.results;
    const blocks: string[][] = [];
    let last = '';
    for (const { path, line, kind, by_name, in: inside, text, to } of references) {
      const group = `${to === undefined ? '' : `${quotedName(to)} in `}${shownLine(path, 200)}`;
      if (group !== last) blocks.push([group]);
      last = group;
      const place = inside === undefined ? '' : ` in ${quotedName(lastNamePart(inside))}`;
      const how = by_name ? ' by name' : '';
      blocks.at(-1)?.push(`  ${line}: ${kind}${how}${place}${text ? `: ${quotedName(text)}` : ''}`);
    }
    return {
      count: ['reference', 'references'],
      also: output.metadata.total_count === 0 ? '' : ` (${countsLine(kinds)})`,
      more: unresolvedText(output, 'of that name may be more'),
      blocks,
    };
  },
});

/** A place where something is used, with the node around it. */
interface Place {
  readonly from: string;
  readonly to: string;
  readonly line: number;
  readonly kind: Use;
  /** Whether the name alone says so. */
  readonly byName: boolean;
}

/** One use, before it is shown. */
interface Found extends Scoped, Omit<Place, 'from'> {
  readonly path: string;
  /** The qualified name of the symbol around it; undefined at module level. */
  readonly inside: string | undefined;
}

/** Symbols with the ids of all their declarations: overloads and the accessors of a property are one symbol. */
type WholeSymbols = ReadonlyMap<Named, readonly string[]>;

async function wholeSymbols(
  { find }: Pick<ReadContext, 'find'>,
  { symbols, declarations }: Targets,
): Promise<WholeSymbols> {
  const whole = new Map<Named, readonly string[]>();
  for (const [at, node] of symbols.entries()) {
    // An id or a place names a single one of a property's accessors, or of a function's overloads.
    const named =
      isSymbol(node) && (node.kind === 'method' || parseId(node.id)?.name === node.name)
        ? await find(CodeSymbol, { qualified_name: node.qualified_name })
        : [];
    const parts = named.filter((one) => symbolKey(one) === symbolKey(node));
    whole.set(node, [...new Set([node, ...(declarations[at] ?? []), ...parts].map(({ id }) => id))]);
  }
  return whole;
}

/** Edges whose evidence are uses, with the use of a place that does not say it. */
const USING: readonly (readonly [EdgeType, Use])[] = [
  [SymbolCallsSymbol, 'call'],
  [SymbolReferencesSymbol, 'read'],
  [SymbolExtendsSymbol, 'extends'],
  [SymbolImplementsSymbol, 'implements'],
];

/** Reports every place where something uses the nodes at which it starts. */
const UsesWalk = defineWalker('uses_walk', {
  report: z.custom<Place>(),
  on: (w) => [
    w.frontier(async (ids, ctx) => {
      for (const [type, kind] of USING)
        for (const place of placesOf(await edgesInto(ctx, ids, type), kind)) ctx.report(place);
      for (const place of await importsOf(ctx, ids)) ctx.report(place);
    }),
  ],
});

/** All uses: by target, production code before tests, then by path and line. A line has one row for each kind. */
async function usesOf(context: ReadContext, symbols: WholeSymbols): Promise<Found[]> {
  const nodes = [...symbols.keys()];
  const wholeOf = new Map([...symbols].flatMap(([node, ids]) => ids.map((id) => [id, node.id])));
  const { reports } = await context.spawn(UsesWalk, [...wholeOf.keys()]);
  const places = [...reports, ...(await constructions(context, nodes))];
  const around = await context.nodes([...new Set(places.map(({ from }) => from))]);
  const known = new Map(
    around.flatMap((node) => (node !== undefined && isNamed(node) ? [[node.id, node]] : [])),
  );
  const found = new Map<string, Found>();
  for (const { from, to: part, line, kind, byName } of places) {
    const to = wholeOf.get(part) ?? part;
    const node = known.get(from);
    const path = parseId(from)?.path;
    if (node === undefined || !path) continue;
    const qualified_name = qualifiedName(node);
    const inside = isSymbol(node) ? qualified_name : undefined;
    const key = JSON.stringify([to, path, line, kind]);
    if (!found.has(key)) found.set(key, { path, line, kind, byName, inside, qualified_name, to });
  }
  const order = new Map(nodes.map(({ id }, at) => [id, at]));
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

/** The properties of edges that say where and how something is used. */
const EdgeProps = z.object({
  line: z.number().int().default(0),
  evidence: z.array(EvidenceProps).default([]),
  access: z.enum(ACCESSES).optional(),
  call_type: z.enum(CALL_TYPES).optional(),
  resolution: z.string().optional(),
});

/** The places of edges. `super(…)` calls a constructor, and names no class. */
function placesOf(edges: readonly EdgeRef[], kind: Use, toClass?: string): Place[] {
  return edges.flatMap((edge) => {
    const { line, access, evidence, call_type, resolution } = EdgeProps.parse(edge);
    const byName = resolution === 'name';
    const isOfClass = toClass !== undefined || parseId(edge.to)?.form === 'cls';
    if (toClass !== undefined && call_type !== 'constructor') return [];
    const named = evidence.filter(({ expression }) => !(isOfClass && /^super\b/.test(expression)));
    const places = evidence.length > 0 ? named : [{ line, expression: '' }];
    return places.flatMap((place) =>
      place.line > 0
        ? [
            {
              ...{ from: edge.from, to: toClass ?? edge.to, byName },
              ...{ line: place.line, kind: place.use ?? access ?? kind },
            },
          ]
        : [],
    );
  });
}

/** Calls of the constructors that classes write, as uses of the classes. */
async function constructions(context: ReadContext, nodes: readonly Named[]): Promise<Place[]> {
  const places: Place[] = [];
  for (const node of nodes) {
    const edges = await edgesInto(context, await constructorsOf(context, [node]), SymbolCallsSymbol);
    places.push(...placesOf(edges, 'call', node.id));
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
    return [{ from, to: edge.to, line: line || node.line, kind, byName: false }];
  });
}
