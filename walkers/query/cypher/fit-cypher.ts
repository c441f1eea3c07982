import { LIMITS } from '../../../schema/index.js';
import { CHARACTERS_PER_TOKEN, largestThatFits, tokensOf } from '../../token-budget.js';

const { lookupTokens } = LIMITS;

/** One row by its columns. */
export type CypherRow = Readonly<Record<string, unknown>>;

/** Rows that fit, and what was left out for it. */
export interface FittedRows {
  readonly rows: readonly CypherRow[];
  readonly cut: readonly string[];
}

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
 * Makes rows fit (P-02): first what nodes and relationships tell of themselves gets shorter, then it is what identifies
 * them; values that a query asked for by name stay as they are. Rows fall only above a budget that the caller gave, or
 * above the ceiling.
 */
export function fitRows(whole: readonly CypherRow[], asked: number | undefined): FittedRows {
  const cost = tokensOf;
  const budget = asked ?? lookupTokens.default;
  const more = `max_tokens up to ${lookupTokens.max} gives more.`;
  if (cost(whole) <= budget) return { rows: whole, cut: [] };
  const short = whole.map((row) => mapped(row, shortened));
  if (cost(short) <= budget) return { rows: short, cut: [`Long texts in nodes are cut: ${more}`] };
  const bare = whole.map((row) => mapped(row, identified));
  const told = `Nodes show what identifies them: ask for more by name (RETURN n.docstring), or ${more}`;
  const note = tokensOf(bare) < tokensOf(short) ? [told] : [];
  const ceiling = asked ?? lookupTokens.max;
  if (cost(bare) <= ceiling) return { rows: bare, cut: note };
  const most = largestThatFits(bare.length, (count) => cost(bare.slice(0, count)) <= ceiling);
  const [first] = bare;
  // A row that is too large by itself is shown as far as it goes: none at all would tell nothing.
  if (most === 0 && first !== undefined) return { rows: [shortRow(first, ceiling)], cut: [...note, longRow] };
  const rows = bare.slice(0, most);
  const few = asked === undefined ? 'ask for fewer columns or rows.' : more;
  return { rows, cut: [...note, `The first ${rows.length} of ${bare.length} rows fit: ${few}`] };
}

/** What is said of a row whose values were cut. */
const longRow =
  'One row alone is too large: its texts and lists are cut; slice them in the query (text[..500], list[..20]).';

/** A row of which each column has its share of a budget in tokens. */
function shortRow(row: CypherRow, budget: number): CypherRow {
  const entries = Object.entries(row);
  const share = Math.floor((budget * CHARACTERS_PER_TOKEN) / Math.max(1, entries.length));
  return Object.fromEntries(entries.map(([name, value]) => [name, shortValue(value, share)]));
}

function shortValue(value: unknown, characters: number): unknown {
  if (typeof value === 'string') return value.length > characters ? `${value.slice(0, characters)}…` : value;
  if (!Array.isArray(value)) return value;
  const fits = (count: number) => JSON.stringify(value.slice(0, count)).length <= characters;
  return value.slice(0, largestThatFits(value.length, fits));
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
