import { cutText, type DetailAt, largestThatFits } from '../../../present/index.js';

const ROWS = { of: 'results.rows' };

/** One row by its columns. */
export type CypherRow = Readonly<Record<string, unknown>>;

/** What a node keeps where only what identifies it has room. */
const IDENTITY = new Set([
  'id',
  'labels',
  'name',
  'qualified_name',
  'file_path',
  'path',
  'line_start',
  'line_end',
  'type',
  'from',
  'to',
]);
/** Characters that a text within a node or relationship keeps. */
const SHORT = 120;

/**
 * What rows say shorter before they fall (P-02): first what nodes and relationships tell of themselves, then all but what
 * identifies them, then the values that a query asked for by name.
 */
export const CYPHER_LESS: readonly DetailAt[] = [
  { ...ROWS, what: 'Long texts in nodes', shorter: (row) => within(row, shortened) },
  {
    ...ROWS,
    what: 'Properties of nodes (RETURN n.docstring has them)',
    shorter: (row) => within(row, identified),
  },
  ...[2000, 400, 100].map((most) => ({
    ...ROWS,
    what: `Values beyond ${most} characters (slice them: text[..500], list[..20])`,
    shorter: (row: unknown) => shortRow(row, most),
  })),
];

/** A row of which no value takes more than so many characters. */
function shortRow(row: unknown, most: number): unknown {
  return isRow(row)
    ? Object.fromEntries(Object.entries(row).map(([name, one]) => [name, shortValue(one, most)]))
    : row;
}

function shortValue(value: unknown, characters: number): unknown {
  if (typeof value === 'string') return cutText(value, characters);
  if (!Array.isArray(value)) return value;
  const cost = (count: number) => JSON.stringify(value.slice(0, count)).length;
  return value.slice(0, largestThatFits(value.length, characters, cost));
}

function mapped(row: CypherRow, change: (element: CypherRow) => CypherRow): CypherRow {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, within(value, change)]));
}

/** Nodes and relationships wherever they stand in a value. */
function within(value: unknown, change: (element: CypherRow) => CypherRow): unknown {
  if (Array.isArray(value)) return value.map((one) => within(one, change));
  if (!isRow(value)) return value;
  return isElement(value) ? change(value) : mapped(value, change);
}

function shortened(element: CypherRow): CypherRow {
  return Object.fromEntries(
    Object.entries(element)
      .filter(([, value]) => !isEmpty(value))
      .map(([name, value]) => [
        name,
        typeof value === 'string' && !IDENTITY.has(name) && value.length > SHORT
          ? `${value.slice(0, SHORT)}…`
          : value,
      ]),
  );
}

function identified(element: CypherRow): CypherRow {
  return Object.fromEntries(Object.entries(element).filter(([name]) => IDENTITY.has(name)));
}

function isEmpty(value: unknown): boolean {
  return value === '' || (Array.isArray(value) && value.length === 0);
}

function isRow(value: unknown): value is CypherRow {
  return typeof value === 'object' && value !== null;
}

/** A node or a relationship, as {@link jsonValue} writes it. */
function isElement(value: CypherRow): boolean {
  return ('id' in value && 'labels' in value) || ('type' in value && 'from' in value && 'to' in value);
}
