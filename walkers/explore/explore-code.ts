import { z } from 'zod';
import {
  changedWith,
  findNamed,
  implementationOf,
  indexProgress,
  isNamed,
  kindOf,
  type Named,
  nameField,
  qualifiedName,
  unfinishedState,
} from '../../graphs/code/index.js';
import {
  draftBy,
  offsetsOf,
  pageFields,
  plural,
  presented,
  quotedBlock,
  quotedName,
  shownLine,
} from '../../present/index.js';
import { compareText, defineWalker, type ReadContext } from '../../runtime/index.js';
import {
  append,
  type EdgeType,
  File,
  FileContainsSymbol,
  FileImports,
  FileImportsPackage,
  fileId,
  LIMITS,
  parseId,
  SymbolCallsSymbol,
  SymbolContainsSymbol,
  SymbolExtendsSymbol,
  SymbolImplementsSymbol,
  SymbolOverridesSymbol,
  SymbolTestsSymbol,
} from '../../schema/index.js';
import { stepsAt } from '../query/calls.js';
import { symbolsFrom } from '../query/rows.js';
import { isModule, isSymbol } from '../query/targets.js';
import { CallRow, callsIn, type Lines, LinkRow, linkRow, UnresolvedRow } from './code-calls.js';
import { lastOf, once } from './once.js';
import { NO_SOURCE, SourceRow, sourceLines } from './source-lines.js';

/** Rows of a list, of the longest one, and of what says little from here on. */
const MOST_ROWS = 100;
const MOST_SYMBOLS = 500;
const MOST_NEAR = 20;
/** Symbols whose calls are looked at. */
const MOST_OWNERS = 1000;
/** Rows that stay while another list has more than these: else long names cost the last list nearly all of its rows. */
const LEAST = { calls: 200, symbols: 250, unresolved: 25 };
/** Symbols around a symbol that are named. */
const DEEPEST = 20;

const text = z.string();
const count = z.number().int();
const maybe = text.nullable();

/** What a page is about. Of a file the lines are all of it. */
const CodeNode = z.object({
  ...{ id: text, kind: text, name: text, qualified_name: text },
  /** Null for what is outside of the project. */
  ...{ path: maybe, language: maybe, start_line: count, end_line: count },
  ...{ signature: text, docstring: maybe },
});
type CodeNode = z.infer<typeof CodeNode>;

const OtherRow = LinkRow.omit({ name: true }).extend({ qualified_name: text });

/** A symbol of a file, or a member of another symbol. */
const SymbolRow = z.object({
  ...{ id: text, kind: text, name: text, qualified_name: text, start_line: count, end_line: count },
  signature: text,
  /** Symbols around it that are listed as well. */
  depth: count,
  /** Symbols that call it, and tests that exercise it. */
  ...{ callers: count, tests: count },
  /** Of a member that stands in another file than its owner. */
  path: text.optional(),
});
type SymbolRow = z.infer<typeof SymbolRow>;

/** Lists of links, and the edges that they follow from what a page is about. */
const LINKS = {
  bases: ['out', [SymbolExtendsSymbol, SymbolImplementsSymbol]],
  derived: ['in', [SymbolExtendsSymbol]],
  implementers: ['in', [SymbolImplementsSymbol]],
  overrides: ['out', [SymbolOverridesSymbol]],
  overridden_by: ['in', [SymbolOverridesSymbol]],
} as const satisfies Record<string, readonly ['in' | 'out', readonly EdgeType[]]>;
type Links = keyof typeof LINKS;
const links = z.array(LinkRow);

/** What `explore_code` answers. */
export const ExploreCodeOutput = z.object({
  node: CodeNode,
  /** The symbols around it, the outermost first. */
  parents: links,
  /** What else the name means. */
  others: z.array(OtherRow),
  source: SourceRow,
  /** In the order of lines: of a symbol all of them, of a file those of the lines that are shown. */
  calls: z.array(CallRow),
  unresolved: z.array(UnresolvedRow),
  /** Of a file all symbols, of a symbol its members: of many a page, of which `symbols_from` come before. */
  symbols: z.array(SymbolRow),
  ...{ symbols_from: count, symbols_total: count },
  /** The `from_symbol` of the next page; null: there is none. */
  next_symbol: count.nullable(),
  ...{ bases: links, derived: links, implementers: links, overrides: links, overridden_by: links },
  importers: z.array(z.object({ path: text, line: count })),
  imports: z.array(z.object({ path: maybe, package: maybe, line: count })),
  /** Of a file what changed in the same commits, the nearest first. */
  changes_with: z.array(z.object({ path: text, commits: count, weight: z.number() })),
  /**
   * By the name of a list: how many rows it has before the cut. `calls`, candidates included, `references` (uses without a
   * call) and `unresolved` are those of the whole symbol or file.
   */
  totals: z.record(text, count),
});
export type ExploreCodeOutput = z.infer<typeof ExploreCodeOutput>;

/** A symbol or a file as a page of the explorer shows it: its lines, what they call, and what it is joined to. */
export const ExploreCode = defineWalker('explore_code', {
  description:
    'A symbol or file with its source lines, what these call and how sure that is, its members, bases and importers: for the page of codewalk explore.',
  input: {
    name: nameField('Name, id, path or path:line'),
    from_line: z.number().int().min(1).optional().describe('First line to show; default: where it begins'),
    from_symbol: z
      .number()
      .int()
      .min(0)
      .optional()
      .describe('Symbols to leave out from the beginning; default: of many those before from_line'),
    ...pageFields(LIMITS.exploreTokens),
  },
  output: ExploreCodeOutput,
  examples: [{ title: 'A method with its calls', input: { name: 'UserService.login' } }],
  run: async (_here, context) => {
    const { name, from_line = 1, from_symbol } = context.state;
    const progress = unfinishedState(await indexProgress(context));
    const [asked, ...others] = (await findNamed(context, name)).targets as [Named, ...Named[]];
    const node = await implementationOf(context, asked);
    const row = nodeRow(node);
    const file = row.path === null ? undefined : (await context.nodesOf(File, [fileId(row.path)]))[0];
    const source = file
      ? sourceLines(context, file, Math.max(row.start_line, from_line), row.end_line)
      : NO_SOURCE;
    const [fromCall = 0, nextSymbol = from_symbol, fromUnresolved = 0] = offsetsOf(context.state.cursor);
    const whole = { from: row.start_line, to: isModule(node) ? Number.MAX_SAFE_INTEGER : row.end_line };
    // A page of a file has the calls of its lines; a symbol is one thing, however long.
    const isPage = isModule(node) && source.missing === null;
    const from = Math.max(row.start_line, Math.min(from_line, row.end_line));
    const listed = isPage
      ? { from: source.from_line, to: source.from_line + source.lines.length - 1 }
      : { from, to: whole.to };
    const owners = file ? await ownersOf(context, node, file.id, listed, whole) : { ids: [], left: 0 };
    const { totals, rows, ...found } = await callsIn(context, owners.ids, source, { listed, whole }, [
      fromCall,
      fromUnresolved,
    ]);
    const members = await symbolRows(context, node, nextSymbol, from_line);
    const around = (await parentsOf(context, [node.id])).get(node.id) ?? [];
    const joined = await linkLists(context, node.id);
    const files = await fileLinks(context, node);
    const { path, missing } = source;
    const answer = {
      node: row,
      parents: (await namedBy(context, around)).map(linkRow).reverse(),
      others: others.slice(0, MOST_ROWS).map(otherRow),
      source,
      ...found,
      ...members,
      ...joined.lists,
      ...files.lists,
      totals: { others: others.length, ...totals, ...joined.totals, ...files.totals },
      state: {
        ...progress,
        cut: [...progress.cut, ...leftText(owners.left)],
        changed: missing === 'changed' && path !== null ? [path] : [],
      },
    };
    const { symbols_from, symbols_total } = members;
    return presented(
      draftBy(answer, {
        limit: LIMITS.exploreTokens,
        revision: context.codeRevision,
        lists: [
          { at: 'calls', what: 'calls and uses', from: fromCall, total: rows.calls, least: LEAST.calls },
          {
            ...{ at: 'symbols', what: 'symbols', from: symbols_from, total: symbols_total },
            least: LEAST.symbols,
          },
          {
            ...{ at: 'unresolved', what: 'unresolved calls', from: fromUnresolved, total: rows.unresolved },
            least: LEAST.unresolved,
          },
        ],
        settle: (output) => {
          const next = output.symbols_from + output.symbols.length;
          return { ...output, next_symbol: next < output.symbols_total ? next : null };
        },
        less: [
          { of: 'symbols', field: 'signature', what: 'Signatures', as: '' },
          { of: 'calls', field: 'evidence', what: 'Expressions', as: '' },
        ],
      }),
    );
  },
  markdown: ({ node, others, source, symbols_total, totals }) => {
    const { kind, qualified_name, path, start_line, language } = node;
    const place = path === null ? '' : `, ${shownLine(path, 200)}:${start_line}`;
    const { calls = 0, unresolved = 0 } = totals;
    const counts = `${plural(calls, 'call')}, ${unresolved} unresolved, ${plural(symbols_total, 'symbol')}.`;
    const also = others.length === 0 ? '' : ` ${others.length} more have that name.`;
    const lines =
      source.lines.length === 0 ? [] : ['', quotedBlock(source.lines.join('\n'), language ?? 'text')];
    return [`${quotedName(qualified_name)} ${kind}${place}: ${counts}${also}`, ...lines, ''].join('\n');
  },
});

function nodeRow(node: Named): CodeNode {
  const { id, name, kind, path } = linkRow(node);
  const language = 'language' in node ? node.language : null;
  const own = isSymbol(node) ? node : { start_line: 1, end_line: 1, signature: '', docstring: null };
  const whole = isModule(node) ? { end_line: node.line_count ?? 1, docstring: node.docstring } : {};
  const { start_line, end_line, signature, docstring } = { ...own, ...whole };
  const qualified_name = qualifiedName(node);
  return { id, kind, name, qualified_name, path, language, start_line, end_line, signature, docstring };
}

function otherRow(node: Named): z.infer<typeof OtherRow> {
  const { id, kind, path, line } = linkRow(node);
  return { id, kind, qualified_name: qualifiedName(node), path, line };
}

/** The nodes of these ids that a name can lead to, in their order. */
async function namedBy({ nodes }: Pick<ReadContext, 'nodes'>, ids: readonly string[]): Promise<Named[]> {
  return (await nodes(ids)).filter((node) => node !== undefined).filter(isNamed);
}

/** Ids of the symbols around each symbol, the innermost first. */
async function parentsOf(context: Pick<ReadContext, 'entries'>, ids: readonly string[]) {
  const chains = new Map(ids.map((id) => [id, [] as string[]]));
  let level = new Map(ids.map((id) => [id, [id]]));
  for (let depth = 0; depth < DEEPEST && level.size > 0; depth++) {
    const next = new Map<string, string[]>();
    for (const { node, entry } of await stepsAt(context, [...level.keys()], 'in', SymbolContainsSymbol))
      for (const start of level.get(node) ?? [])
        if (chains.get(start)?.length === depth) {
          chains.get(start)?.push(entry.far);
          append(next, entry.far, start);
        }
    level = next;
  }
  return chains;
}

/** The symbols of the file that was asked for last: of a large one that is most of what a page takes. */
const SYMBOLS = lastOf<readonly string[]>('symbols of a page');

/** Ids of all symbols of a file, by where they begin. */
function symbolsOf(context: ReadContext, file: string): Promise<readonly string[]> {
  const read = async () => {
    const [found = []] = await context.entries([file], 'out', FileContainsSymbol);
    return found.map(({ far }) => far);
  };
  return once(context, SYMBOLS, context.codeRevision, read, file);
}

/** How many of the symbols of a file, in their order, begin before a line. */
async function placeOf(context: ReadContext, ids: readonly string[], line: number): Promise<number> {
  let [low, high] = [0, ids.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const [symbol] = await symbolsFrom(context, ids.slice(middle, middle + 1));
    if (symbol && symbol.start_line < line) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Ids of what calls in some lines of a file, those of the lines that are listed first, and how many more there are. */
async function ownersOf(
  context: ReadContext,
  { id }: Named,
  file: string,
  listed: Lines,
  whole: Lines,
): Promise<{ readonly ids: string[]; readonly left: number }> {
  const ids = await symbolsOf(context, file);
  const owners = new Set([id]);
  let left = 0;
  for (const { from, to } of [listed, whole]) {
    const low = await placeOf(context, ids, from);
    // What is around the first line is around, or is, the last symbol that begins before it: they nest.
    const before = ids.slice(low - 1, low);
    for (const one of [...before, ...[...(await parentsOf(context, before)).values()].flat()])
      owners.add(one);
    const inside = ids.slice(low, await placeOf(context, ids, to + 1)).filter((one) => !owners.has(one));
    const room = Math.max(0, MOST_OWNERS - owners.size);
    for (const one of inside.slice(0, room)) owners.add(one);
    left = Math.max(0, inside.length - room);
  }
  return { ids: [...owners], left };
}

function leftText(owners: number): string[] {
  if (owners === 0) return [];
  return [`What ${plural(owners, 'more symbol')} of these lines call is not counted: from_line leads there.`];
}

/** The symbols of a file, or the members of a symbol. */
async function symbolRows(context: ReadContext, node: Named, asked: number | undefined, line: number) {
  const members = async () =>
    (await stepsAt(context, [node.id], 'out', SymbolContainsSymbol)).map(({ entry }) => entry.far);
  const ids = isModule(node) ? await symbolsOf(context, node.id) : await members();
  const isMany = isModule(node) && ids.length > MOST_SYMBOLS;
  const from = asked ?? (isMany ? await placeOf(context, ids, line) : 0);
  const shown = await symbolsFrom(context, ids.slice(from, from + MOST_SYMBOLS));
  const own = shown.map(({ id }) => id);
  const parents = isModule(node) ? await parentsOf(context, own) : new Map<string, string[]>();
  const farOf = async (type: EdgeType) =>
    (await context.entries(own, 'in', type)).map((entries) => new Set(entries.map(({ far }) => far)).size);
  const [callers, tests] = [await farOf(SymbolCallsSymbol), await farOf(SymbolTestsSymbol)];
  const symbols = shown.map((symbol, at): SymbolRow => {
    const { id, name, start_line, end_line, signature, path } = symbol;
    return {
      ...{ id, kind: kindOf(symbol), name, qualified_name: symbol.qualified_name, start_line, end_line },
      ...{ signature, depth: parents.get(id)?.length ?? 0, callers: callers[at] ?? 0, tests: tests[at] ?? 0 },
      ...('path' in node && node.path !== path ? { path } : {}),
    };
  });
  return { symbols, symbols_from: from, symbols_total: ids.length };
}

/** The lists of {@link LINKS}. */
async function linkLists(context: ReadContext, id: string) {
  const found = new Map<Links, readonly string[]>();
  for (const [list, [direction, types]] of Object.entries(LINKS) as [Links, (typeof LINKS)[Links]][]) {
    const far: string[] = [];
    for (const type of types)
      far.push(...(await stepsAt(context, [id], direction, type)).map(({ entry }) => entry.far));
    found.set(list, [...new Set(far)]);
  }
  const nodes = new Map<string, LinkRow>();
  for (const node of await namedBy(
    context,
    [...found.values()].flatMap((ids) => ids.slice(0, MOST_ROWS)),
  ))
    nodes.set(node.id, linkRow(node));
  const rowsOf = (list: Links) =>
    (found.get(list) ?? []).slice(0, MOST_ROWS).flatMap((one) => nodes.get(one) ?? []);
  const [bases, derived, implementers] = [rowsOf('bases'), rowsOf('derived'), rowsOf('implementers')];
  const [overrides, overridden_by] = [rowsOf('overrides'), rowsOf('overridden_by')];
  const totals = Object.fromEntries([...found].map(([list, ids]) => [list, ids.length]));
  return { lists: { bases, derived, implementers, overrides, overridden_by }, totals };
}

/** What a file imports, in the order of its lines, what imports it, by path, and what changes with it. */
async function fileLinks(context: ReadContext, node: Named) {
  const edgesOf = async (direction: 'in' | 'out', type: EdgeType) => {
    const steps = isModule(node) ? await stepsAt(context, [node.id], direction, type) : [];
    const edges = await context.entryEdges(steps);
    return edges.flatMap((edge) =>
      edge ? [{ ...LineProps.parse(edge), from: edge.from, to: edge.to }] : [],
    );
  };
  const importers = (await edgesOf('in', FileImports))
    .map(({ from, line }) => ({ path: pathOf(from), line }))
    .sort((a, b) => compareText(a.path, b.path));
  const imports = [
    ...(await edgesOf('out', FileImports)).map(({ to, line }) => ({ path: pathOf(to), package: null, line })),
    ...(await edgesOf('out', FileImportsPackage)).map(({ to, line }) => ({
      path: null,
      package: parseId(to)?.name ?? to,
      line,
    })),
  ].sort((a, b) => a.line - b.line);
  const changed = isModule(node) ? await changedWith(context, node.path) : [];
  const files = await context.nodesOf(
    File,
    changed.map(({ path }) => fileId(path)),
  );
  const there = changed.filter((_, at) => files[at] && !files[at].gone);
  return {
    lists: {
      importers: importers.slice(0, MOST_ROWS),
      imports: imports.slice(0, MOST_ROWS),
      changes_with: there.slice(0, MOST_NEAR),
    },
    totals: { importers: importers.length, imports: imports.length, changes_with: there.length },
  };
}

const LineProps = z.object({ line: count });

function pathOf(id: string): string {
  return parseId(id)?.path ?? id;
}
