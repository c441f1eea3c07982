import { z } from 'zod';
import {
  type CypherNode,
  type CypherRelationship,
  type CypherValue,
  type DescribedPlan,
  run,
  type Survey,
  temporalText,
  Watch,
} from '../../cypher/index.js';
import { findNamed } from '../../graphs/code/index.js';
import { pageFields, plural, quotedBlock, quotedLine, shownLine } from '../../present/index.js';
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
import { CypherView } from './cypher/cypher-view.js';
import { CYPHER_LESS, type CypherRow } from './cypher/fit-cypher.js';
import { PREPARED } from './cypher/prepared-slot.js';
import { anyValue } from './cypher/stored-value.js';
import { parametersField } from './parts/cypher-input.js';

/**
 * A Cypher value as JSON: an INTEGER beyond 2^53 and a FLOAT that is no number are texts; a node is its properties with
 * `id` and `labels`, a relationship its properties with `type`, `from` and `to`; times are texts as ISO 8601 writes them.
 *
 * @param spend Told of each value within; what it throws is thrown. Default: nobody asks.
 */
export function jsonValue(value: CypherValue, spend: Spend = () => undefined): unknown {
  spend(1);
  if (typeof value === 'bigint') return safe(value);
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

/** Nodes and relationships in a value, ends of relationships included: what must be loaded before it is shown. */
export function elementsIn(value: CypherValue): (CypherNode | CypherRelationship)[] {
  if (value === null || typeof value !== 'object') return [];
  if (isList(value)) return value.flatMap(elementsIn);
  if (value instanceof Map) return [...value.values()].flatMap(elementsIn);
  if (!('kind' in value)) return [];
  if (value.kind === 'path') return [...value.nodes, ...value.relationships];
  return value.kind === 'node' || value.kind === 'relationship' ? [value] : [];
}

type Spend = (items: number) => void;

function jsonNode(node: CypherNode, spend: Spend): Record<string, unknown> {
  return { id: jsonValue(node.id, spend), labels: node.labels(), ...jsonObject(node.properties(), spend) };
}

function jsonRelationship(relationship: CypherRelationship, spend: Spend): Record<string, unknown> {
  const { type, start, end } = relationship;
  return {
    type,
    from: jsonValue(start.id, spend),
    to: jsonValue(end.id, spend),
    ...jsonObject(relationship.properties(), spend),
  };
}

function jsonObject(map: ReadonlyMap<string, CypherValue>, spend: Spend): Record<string, unknown> {
  return Object.fromEntries([...map].map(([name, value]) => [name, jsonValue(value, spend)]));
}

function safe(value: bigint): number | string {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : String(value);
}

function isList(value: CypherValue): value is readonly CypherValue[] {
  return Array.isArray(value);
}

const { cypherRows } = LIMITS;
/** A query that has gone over no more items may work so many times as long as others before it goes elsewhere. */
const FEW_ITEMS = 5000;
const FEW_TIMES = 10;

const results = {
  rows: z.array(z.record(z.string(), z.unknown())),
  /** As the last RETURN calls them, in its order. */
  columns: z.array(z.string()),
  row_count: z.number().int(),
  truncated: z.boolean(),
  /** What the query names and the graph does not have, with what may have been meant. */
  hints: z.array(z.string()),
  /** How the query is run, with EXPLAIN or PROFILE; else null. */
  plan: z.string().nullable(),
};
/** What `query_cypher` answers (S0-41). */
export type CypherOutput = QueryOutput<typeof results>;

/**
 * Runs a read-only Cypher query over one version of the graph (S0-17 to S0-22, S0-41): code, traces and memories under
 * the names of the mapping tables.
 */
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
    const mode = explain ? 'explain' : profile ? 'profile' : null;
    const { sharing } = context;
    const begun = sharing.begin();
    if (begun) await begun;
    const watch = watchOf(context);
    const prepared = context.cached(PREPARED).of(withFileIds(query), watch);
    const view = await CypherView.of(context);
    try {
      const found = await run(prepared, view, {
        parameters: new Map(
          Object.entries(parameters).map(([name, value]) => [name, anyValue(canonical(value))]),
        ),
        limit: from + limit,
        watch,
        now: context.now,
        ...(mode === null ? {} : { mode }),
      });
      const spend = (items: number) => watch.spend(items);
      const rows = found.rows
        .slice(from)
        .map((row) =>
          Object.fromEntries(found.columns.map((column, at) => [column, jsonValue(row[at] ?? null, spend)])),
        );
      const { count: total, isExact } = found.total;
      const hints = [...found.hints];
      if (found.plan === null)
        hints.push(...(await missedNames(context, prepared.survey.wanted, parameters)));
      return {
        query,
        noun: ['row', 'rows'],
        rows,
        total,
        isExact,
        narrower:
          limit < cypherRows.max ? `limit up to ${cypherRows.max} gives more` : 'SKIP and LIMIT page on',
        less: CYPHER_LESS,
        make: (shown: readonly CypherRow[]) => ({
          rows: [...shown],
          columns: [...found.columns],
          row_count: shown.length,
          truncated: total > shown.length,
          hints,
          plan: found.plan === null ? null : planText(found.plan),
        }),
        notes: [...found.cuts],
        changed: [...view.changed],
      };
    } finally {
      await view.close();
    }
  },
  markdown: cypherMarkdown,
});

/** Other spellings of a file's id in a query's texts, `'mod:a.py'`, as it is stored. */
function withFileIds(query: string): string {
  return query.replace(/(?<=['"])mod:(?=[^'"\s]+['"])/g, 'file:');
}

function canonical(value: unknown): unknown {
  return typeof value === 'string' && value.startsWith('mod:') ? canonicalId(value) : value;
}

/** Properties that hold names. */
const NAME_PROPERTIES = new Set(['id', 'name', 'qualified_name', 'qualname', 'class_name']);
/** Archetypes whose nodes have names. */
const NAMED_TYPES: readonly NodeType[] = [CodeSymbol, File, ExternalPackage, Unresolved, Concept, Memory];
/** Names of a query that are looked up, and symbols that one hint tells. */
const MOST_MISSED = 5;
const MOST_SUGGESTED = 3;

/** Hints for names that no node has under the property that a query compares with them: what they lead to otherwise. */
async function missedNames(
  context: ReadContext,
  wanted: Survey['wanted'],
  parameters: Readonly<Record<string, unknown>>,
): Promise<string[]> {
  const hints = new Set<string>();
  for (const { property, text, isParameter } of wanted.slice(0, MOST_MISSED)) {
    const value = isParameter ? canonical(parameters[text]) : text;
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

/** The time of a query, which begins with its run; another's turn, and what is too long for this thread, are the host's to say. */
function watchOf(context: ReadContext): Watch {
  const { sharing } = context;
  return new Watch({
    clock: () => context.elapsed(),
    started: 0,
    deadlineMs: LIMITS.cypherTime.default,
    checkAborted: () => context.signal.throwIfAborted(),
    beside: {
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

/** A plan as a tree: what runs last stands first, and what each line gets its rows from is indented below it. */
function planText(plan: DescribedPlan): string {
  return linesOf(plan, 0).join('\n');
}

function linesOf(
  { operator, details, estimatedRows, figures, inputs }: DescribedPlan,
  depth: number,
): string[] {
  const suggested =
    figures === undefined
      ? `about ${estimatedRows} rows`
      : `${figures.rows} rows, ${figures.hits} looks, ${figures.ms.toFixed(2)} ms`;
  const line = `${'  '.repeat(depth)}${[operator, details].filter(Boolean).join(' ')}  (${suggested})`;
  return [line, ...inputs.flatMap((input) => linesOf(input, depth + 1))];
}

/** Characters of one cell. */
const CELL = 100;

/** Rows as a table, or the plan where that was asked for. Values are data of the project: they are shown as such. */
function cypherMarkdown({ results: { columns, rows, hints, plan }, metadata }: CypherOutput): string {
  const { row_count: shown, total_count: total } = metadata;
  const parts: string[] = [];
  if (plan !== null) parts.push(quotedBlock(plan));
  if (columns.length > 0) {
    parts.push(shown < total ? `${shown} of ${plural(total, 'row')}` : plural(total, 'row'));
    if (rows.length > 0) parts.push(table(columns, rows));
  }
  if (hints.length > 0) parts.push(hints.map((hint) => `- ${quotedLine(hint, 300)}`).join('\n'));
  return `${parts.join('\n\n')}\n`;
}

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
  if (typeof value !== 'object') return String(value);
  if (Array.isArray(value)) return `[${value.map(shownValue).join(', ')}]`;
  const object = value as CypherRow;
  if ('labels' in object && 'id' in object) return shownNode(object);
  if ('type' in object && 'from' in object) return `${object.from} -${object.type}-> ${object.to}`;
  if ('nodes' in object && Array.isArray(object.nodes)) return object.nodes.map(shownValue).join(' - ');
  const entries = Object.entries(object).map(([name, one]) => `${name}: ${shownValue(one)}`);
  return `{${entries.join(', ')}}`;
}

function shownNode(node: CypherRow): string {
  const name = node.qualified_name || node.name || node.id;
  const path = node.file_path ?? node.path;
  const place = typeof path === 'string' && path !== name ? ` ${path}` : '';
  return `${name}${place}${node.line_start === undefined ? '' : `:${node.line_start}`}`;
}
