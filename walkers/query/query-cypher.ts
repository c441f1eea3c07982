import { z } from 'zod';
import {
  type CypherNode,
  type CypherRelationship,
  type CypherValue,
  type DescribedPlan,
  temporalText,
  Watch,
} from '../../cypher/index.js';
import { findNamed } from '../../graphs/code/index.js';
import { type GraphRows, runCypher } from '../../graphs/cypher/index.js';
import {
  cutText,
  type DetailAt,
  largestThatFits,
  pageFields,
  plural,
  quotedBlock,
  quotedLine,
  shownLine,
} from '../../present/index.js';
import { type ReadContext, TooLongHere } from '../../runtime/index.js';
import {
  CodeSymbol,
  CodewalkError,
  Concept,
  canonicalId,
  ExternalPackage,
  File,
  LIMITS,
  Memory,
  type NodeType,
  nodeProperty,
  Unresolved,
} from '../../schema/index.js';
import { defineQuery, type QueryOutput } from './answer.js';
import { parametersField } from './parts/cypher-input.js';

const { cypherRows } = LIMITS;

const results = {
  rows: z.array(z.record(z.string(), z.unknown())),
  /** As the last RETURN calls them, in its order. */
  columns: z.array(z.string()),
  row_count: z.number().int(),
  truncated: z.boolean(),
  /** What the query names and the graph does not have, with likely targets. */
  hints: z.array(z.string()),
  /** How the query is run, with EXPLAIN or PROFILE; else null. */
  plan: z.string().nullable(),
};
/** What `query_cypher` answers (S0-41). */
export type CypherOutput = QueryOutput<typeof results>;

/** Runs a read-only Cypher query over one version of the graph (S0-17 to S0-22, S0-41): code, traces and memories. */
export const QueryCypher = defineQuery('query_cypher', {
  description:
    'Ask the graph anything in read-only Cypher: code, traces, memories. Labels Function, Class, File, Task, Error…; types CALLS, IMPORTS, INHERITS, DEFINES, TOUCHES_FILE…',
  input: {
    query: z
      .string()
      .min(1)
      .max(LIMITS.cypherQuery.max)
      .refine((text) => text.trim() !== '', 'must not be empty')
      .describe('MATCH … RETURN …'),
    parameters: parametersField(),
    limit: z.number().int().min(cypherRows.min).max(cypherRows.max).default(cypherRows.default),
    explain: z.boolean().default(false).describe('Show the plan, run nothing'),
    profile: z.boolean().default(false).describe('Run, and show what each step took'),
    ...pageFields(LIMITS.lookupTokens),
  },
  results,
  examples: [
    {
      title: 'Functions by a part of their name',
      input: {
        query: 'MATCH (f:Function) WHERE f.name CONTAINS $pattern RETURN f',
        parameters: { pattern: 'login' },
      },
    },
    {
      title: 'What is called most',
      input: {
        query:
          'MATCH ()-[:CALLS]->(f) RETURN f.qualified_name, count(*) AS calls ORDER BY calls DESC LIMIT 10',
      },
    },
  ],
  answer: async ({ query, parameters, limit, explain, profile }, context, { offsets: [from = 0] }) => {
    const begun = context.sharing.begin();
    if (begun) await begun;
    const watch = watchOf(context);
    const spend = (items: number) => watch.spend(items);
    const given = Object.fromEntries(
      Object.entries(parameters).map(([name, value]) => [name, canonical(value)]),
    );
    // The stored spelling of a file's id: `'mod:a.py'`.
    const text = query.replace(/(?<=['"])mod:(?=[^'"\s]+['"])/g, 'file:');
    const { columns, plan, ...found } = await runCypher(context, text, given, {
      limit: from + limit,
      watch,
      now: context.now,
      ...(profile ? { mode: 'profile' } : {}),
      ...(explain ? { mode: 'explain' } : {}),
    });
    const rows = found.rows
      .slice(from)
      .map((row) =>
        Object.fromEntries(columns.map((column, at) => [column, jsonValue(row[at] ?? null, spend)])),
      );
    const hints = [...found.hints, ...(plan === null ? await missedNames(context, found.wanted, given) : [])];
    const { count: total, isExact } = found.total;
    return {
      query,
      noun: ['row', 'rows'],
      rows,
      total,
      isExact,
      narrower:
        limit < cypherRows.max ? `limit up to ${cypherRows.max} gives more` : 'SKIP and LIMIT page on',
      less: LESS,
      make: (shown: readonly CypherRow[]) => ({
        rows: [...shown],
        columns: [...columns],
        row_count: shown.length,
        truncated: total > shown.length,
        hints,
        plan: plan === null ? null : planLines(plan, 0).join('\n'),
      }),
      notes: [...found.cuts],
      changed: found.changed,
    };
  },
  markdown: ({ results: { columns, rows, hints, plan }, metadata }) => {
    const { row_count: shown, total_count: total } = metadata;
    const parts: string[] = [];
    if (plan !== null) parts.push(quotedBlock(plan));
    if (columns.length > 0) {
      parts.push(shown < total ? `${shown} of ${plural(total, 'row')}` : plural(total, 'row'));
      if (rows.length > 0) parts.push(table(columns, rows));
    }
    if (hints.length > 0) parts.push(hints.map((hint) => `- ${quotedLine(hint, 300)}`).join('\n'));
    return `${parts.join('\n\n')}\n`;
  },
});

function canonical(value: unknown): unknown {
  return typeof value === 'string' && value.startsWith('mod:') ? canonicalId(value) : value;
}

/** A query that has gone over no more items may work so many times as long as others before it goes elsewhere. */
const FEW_ITEMS = 5000;
const FEW_TIMES = 10;

/** The time of a query, which begins with its run. */
function watchOf(context: ReadContext): Watch {
  const { sharing } = context;
  return new Watch({
    clock: () => context.elapsed(),
    started: 0,
    deadlineMs: LIMITS.cypherTime.default,
    checkAborted: () => context.signal.throwIfAborted(),
    sharing: {
      turn: (workedMs) => sharing.turn(workedMs),
      processor: sharing.processor,
      check: (workedMs, items) => {
        const most = sharing.graceMs * (items > FEW_ITEMS ? 1 : FEW_TIMES);
        if (workedMs > most) throw new TooLongHere(context.elapsed());
      },
      hold: (bytes) => sharing.hold(bytes),
    },
  });
}

/** Takes the number of values that were written; throws where the query is out of time. */
type Spend = (items: number) => void;

/**
 * A Cypher value as JSON: an INTEGER beyond 2^53 and a FLOAT that is no number are texts; a node is its properties with
 * `id` and `labels`, a relationship its properties with `type`, `from` and `to`; times are texts as ISO 8601 writes them.
 */
function jsonValue(value: CypherValue, spend: Spend): unknown {
  spend(1);
  if (typeof value === 'bigint') {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : String(value);
  }
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (value === null || typeof value !== 'object') return value;
  if (isList(value)) return value.map((item) => jsonValue(item, spend));
  if (value instanceof Map) return jsonObject(value, spend);
  if (!('kind' in value)) return null;
  switch (value.kind) {
    case 'node':
      return jsonNode(value, spend);
    case 'relationship':
      return jsonRelationship(value, spend);
    case 'path':
      return {
        length: value.relationships.length,
        nodes: value.nodes.map((node) => jsonNode(node, spend)),
        relationships: value.relationships.map((one) => jsonRelationship(one, spend)),
      };
    default:
      return temporalText(value);
  }
}

function isList(value: CypherValue): value is readonly CypherValue[] {
  return Array.isArray(value);
}

function jsonNode(node: CypherNode, spend: Spend): Record<string, unknown> {
  return { id: jsonValue(node.id, spend), labels: node.labels(), ...jsonObject(node.properties(), spend) };
}

function jsonRelationship(one: CypherRelationship, spend: Spend): Record<string, unknown> {
  const [from, to] = [one.start.id, one.end.id].map((id) => jsonValue(id, spend));
  return { type: one.type, from, to, ...jsonObject(one.properties(), spend) };
}

function jsonObject(map: ReadonlyMap<string, CypherValue>, spend: Spend): Record<string, unknown> {
  return Object.fromEntries([...map].map(([name, value]) => [name, jsonValue(value, spend)]));
}

/** Properties that hold names. */
const NAME_PROPERTIES = new Set(['id', 'name', 'qualified_name', 'qualname', 'class_name']);
/** Archetypes whose nodes have names. */
const NAMED_TYPES: readonly NodeType[] = [CodeSymbol, File, ExternalPackage, Unresolved, Concept, Memory];
/** Names of a query that are looked up, and symbols that one hint names. */
const MOST_MISSED = 5;
const MOST_SUGGESTED = 3;

/** Hints for names that no node has under the property that a query compares with them: what they lead to otherwise. */
async function missedNames(
  context: ReadContext,
  wanted: GraphRows['wanted'],
  parameters: Readonly<Record<string, unknown>>,
): Promise<string[]> {
  const hints = new Set<string>();
  for (const { property, text, isParameter } of wanted.slice(0, MOST_MISSED)) {
    const value = isParameter ? parameters[text] : text;
    if (typeof value !== 'string' || value === '' || !NAME_PROPERTIES.has(property)) continue;
    if (await isThere(context, property, value)) continue;
    const instead = await insteadOf(context, property, value);
    if (instead !== '') hints.add(`no code has the ${property} '${shownLine(value, 100)}': ${instead}`);
  }
  return [...hints];
}

async function isThere({ find, node }: ReadContext, property: string, value: string): Promise<boolean> {
  if (property === 'id') return (await node(value)) !== undefined;
  for (const type of NAMED_TYPES) {
    const alias = nodeProperty(type.name, property);
    if (alias === undefined || !('stored' in alias) || !type.indexes.includes(alias.stored)) continue;
    if ((await find(type, { [alias.stored]: value })).length > 0) return true;
  }
  return false;
}

/** What a name leads to, as a property has it, or what is near it; empty where there is nothing. */
async function insteadOf(context: ReadContext, property: string, value: string): Promise<string> {
  try {
    const suggested = (await findNamed(context, value)).targets.slice(0, MOST_SUGGESTED).map((node) => {
      if (property === 'name') return `'${node.name}' (${node.id})`;
      return `'${property === 'id' ? node.id : node.qualified_name}'`;
    });
    return `did you mean ${suggested.join(' or ')}?`;
  } catch (error) {
    const suggestion = error instanceof CodewalkError ? (error.suggestion ?? '') : '';
    return /^Did you mean [^?]+\?/.exec(suggestion)?.[0].replace('Did', 'did') ?? '';
  }
}

/** A plan as a tree: what runs last stands first, and what each line gets its rows from is indented below it. */
function planLines(plan: DescribedPlan, depth: number): string[] {
  const { operator, details, estimatedRows, figures, inputs } = plan;
  const took =
    figures === undefined
      ? `about ${estimatedRows} rows`
      : `${figures.rows} rows, ${figures.hits} looks, ${figures.ms.toFixed(2)} ms`;
  const line = `${'  '.repeat(depth)}${[operator, details].filter(Boolean).join(' ')}  (${took})`;
  return [line, ...inputs.flatMap((input) => planLines(input, depth + 1))];
}

/** A row by its columns, or a map within one. */
type CypherRow = Readonly<Record<string, unknown>>;

/** What a node keeps where only what identifies it has room. */
const IDENTITY = new Set(
  'id labels name qualified_name file_path path line_start line_end type from to'.split(' '),
);
/** Characters that a text within a node or relationship keeps. */
const SHORT = 120;

/**
 * What rows say shorter before they fall (P-02): first what nodes and relationships say of themselves, then all but what
 * identifies them, then the values that a query asked for by name.
 */
const LESS: readonly DetailAt[] = [
  { of: 'results.rows', what: 'Long texts in nodes', shorter: (row) => inElements(row, shortened) },
  {
    of: 'results.rows',
    what: 'Properties of nodes (RETURN n.docstring has them)',
    shorter: (row) => inElements(row, identified),
  },
  ...[2000, 400, 100].map((most) => ({
    of: 'results.rows',
    what: `Values beyond ${most} characters (slice them: text[..500], list[..20])`,
    shorter: (row: unknown) => (isRow(row) ? mapped(row, (value) => shortValue(value, most)) : row),
  })),
];

function shortValue(value: unknown, characters: number): unknown {
  if (typeof value === 'string') return cutText(value, characters);
  if (!Array.isArray(value)) return value;
  const cost = (count: number) => JSON.stringify(value.slice(0, count)).length;
  return value.slice(0, largestThatFits(value.length, characters, cost));
}

/** Changes nodes and relationships, as {@link jsonValue} writes them, wherever they stand in a value. */
function inElements(value: unknown, change: (element: CypherRow) => CypherRow): unknown {
  if (Array.isArray(value)) return value.map((one) => inElements(one, change));
  if (!isRow(value)) return value;
  return isNode(value) || isRelationship(value)
    ? change(value)
    : mapped(value, (one) => inElements(one, change));
}

function mapped(row: CypherRow, change: (value: unknown, name: string) => unknown): CypherRow {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, change(value, name)]));
}

function shortened(element: CypherRow): CypherRow {
  const isEmpty = (value: unknown) => value === '' || (Array.isArray(value) && value.length === 0);
  const some = Object.fromEntries(Object.entries(element).filter(([, value]) => !isEmpty(value)));
  return mapped(some, (value, name) =>
    typeof value === 'string' && !IDENTITY.has(name) && value.length > SHORT
      ? `${value.slice(0, SHORT)}…`
      : value,
  );
}

function identified(element: CypherRow): CypherRow {
  return Object.fromEntries(Object.entries(element).filter(([name]) => IDENTITY.has(name)));
}

function isRow(value: unknown): value is CypherRow {
  return typeof value === 'object' && value !== null;
}

function isNode(value: CypherRow): boolean {
  return 'id' in value && 'labels' in value;
}

function isRelationship(value: CypherRow): boolean {
  return 'type' in value && 'from' in value && 'to' in value;
}

/** Characters of one cell. */
const CELL = 100;

/** Rows as a table. Values are data of the project: they are shown as such. */
function table(columns: readonly string[], rows: readonly CypherRow[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [
    line(columns.map((column) => quotedLine(column, CELL))),
    line(columns.map(() => '---')),
    ...rows.map((row) => line(columns.map((column) => quotedLine(shownValue(row[column]), CELL)))),
  ].join('\n');
}

/** A value in one line: a node by its name and place, other things as Cypher would write them. */
function shownValue(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (!isRow(value)) return String(value);
  if (Array.isArray(value)) return `[${value.map(shownValue).join(', ')}]`;
  if (isNode(value)) return shownNode(value);
  if ('type' in value && 'from' in value) return `${value.from} -${value.type}-> ${value.to}`;
  if ('nodes' in value && Array.isArray(value.nodes)) return value.nodes.map(shownValue).join(' - ');
  const entries = Object.entries(value).map(([name, one]) => `${name}: ${shownValue(one)}`);
  return `{${entries.join(', ')}}`;
}

function shownNode(node: CypherRow): string {
  const name = node.qualified_name || node.name || node.id;
  const path = node.file_path ?? node.path;
  const place = typeof path === 'string' && path !== name ? ` ${path}` : '';
  return `${name}${place}${node.line_start === undefined ? '' : `:${node.line_start}`}`;
}
