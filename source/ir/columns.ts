/**
 * Tables of whole numbers in columns, and their bytes. A column is a typed array of the least width that holds its
 * values; reading a table is looking into views of one buffer, so that nothing is decoded that nobody asks for.
 */

/** What one field of a table holds: a number of its own, a row of a table (-1: none), or a text of the unit's string table. */
export type FieldKind = 'number' | 'row' | 'text';

/** The fields of a table, in the order in which they are stored. */
export type TableFields = Readonly<Record<string, FieldKind>>;

/** A column as it is read; a missing row gives undefined. */
export type Column = Int8Array | Int16Array | Int32Array;

/** One table as it is read: a column for each field. */
export type Table<F extends TableFields> = { readonly [K in keyof F]: Column } & { readonly length: number };

/** One row as it is added: texts as strings, all others as numbers. */
export type NewRow<F extends TableFields> = {
  readonly [K in keyof F]: F[K] extends 'text' ? string : number;
};

/** Collects the rows of tables and their texts, and gives their bytes. */
export class TablesBuilder<S extends Readonly<Record<string, TableFields>>> {
  readonly #columns = new Map<string, Map<string, number[]>>();
  readonly #texts = new Map<string, number>();

  /** @param schema The tables, in the order in which they are stored. */
  constructor(private readonly schema: S) {
    for (const [table, fields] of Object.entries(schema))
      this.#columns.set(table, new Map(Object.keys(fields).map((field) => [field, []])));
    this.text('');
  }

  /** The number of a text; the empty text is 0. */
  text(text: string): number {
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    const number = this.#texts.size;
    this.#texts.set(text, number);
    return number;
  }

  /** Adds a row. @returns its number, from 0. */
  add<T extends keyof S & string>(table: T, row: NewRow<S[T]>): number {
    let number = 0;
    for (const [field, column] of this.#columnsOf(table)) {
      const value = (row as Readonly<Record<string, string | number>>)[field] ?? 0;
      number = column.push(typeof value === 'string' ? this.text(value) : value) - 1;
    }
    return number;
  }

  /** How many rows a table has so far. */
  count(table: keyof S & string): number {
    const [first] = this.#columnsOf(table).values();
    return first?.length ?? 0;
  }

  /** A value of a row that was added. */
  get<T extends keyof S & string>(table: T, field: keyof S[T] & string, row: number): number {
    return this.#columnsOf(table).get(field)?.[row] ?? -1;
  }

  /** Replaces a value of a row that was added: what is known only later, as the last line of a scope. */
  set<T extends keyof S & string>(table: T, field: keyof S[T] & string, row: number, value: number): void {
    const column = this.#columnsOf(table).get(field);
    if (column) column[row] = value;
  }

  /**
   * All tables as bytes of their own buffer: one that can be transferred to another thread. Shape: a count of rows per
   * table and a width per column, the columns, the lengths of texts, the texts in UTF-16.
   */
  take(): Uint8Array<ArrayBuffer> {
    const texts = [...this.#texts.keys()];
    const columns: number[][] = [];
    for (const table of Object.keys(this.schema)) columns.push(...this.#columnsOf(table).values());
    columns.push(texts.map(({ length }) => length));
    const widths = columns.map(widthOf);
    const head = 4 * (Object.keys(this.schema).length + 1) + widths.length;
    let size = aligned(head);
    for (const [at, column] of columns.entries()) size += aligned(column.length * (widths[at] ?? 4));
    const all = texts.join('');
    const bytes = new Uint8Array(new ArrayBuffer(size + all.length * 2));
    const view = new DataView(bytes.buffer);
    let at = 0;
    for (const table of Object.keys(this.schema)) {
      view.setInt32(at, this.count(table), true);
      at += 4;
    }
    view.setInt32(at, texts.length, true);
    bytes.set(widths, at + 4);
    at = aligned(head);
    for (const [index, column] of columns.entries()) {
      const width = widths[index] ?? 4;
      new ARRAYS[width](bytes.buffer, at, column.length).set(column);
      at += aligned(column.length * width);
    }
    bytes.set(Buffer.from(all, 'utf16le'), at);
    return bytes;
  }

  #columnsOf(table: string): Map<string, number[]> {
    const columns = this.#columns.get(table);
    if (!columns) throw new RangeError(`no table ${table}`);
    return columns;
  }
}

/** The tables of a buffer, and the text of a number. */
export interface Tables<S extends Readonly<Record<string, TableFields>>> {
  readonly tables: { readonly [T in keyof S]: Table<S[T]> };
  /** A text by its number; empty for a number that is none. */
  text(number: number): string;
}

/**
 * Views of what {@link TablesBuilder.take} wrote with the same schema.
 * @throws RangeError for bytes that end too early.
 */
export function readTables<S extends Readonly<Record<string, TableFields>>>(
  schema: S,
  given: Uint8Array,
): Tables<S> {
  // Views need an aligned buffer; bytes of a store seldom are.
  const bytes = given.byteOffset % 4 === 0 ? given : Uint8Array.from(given);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const names = Object.keys(schema);
  const fieldCount = names.reduce((sum, name) => sum + Object.keys(schema[name] ?? {}).length, 0);
  const head = 4 * (names.length + 1) + fieldCount + 1;
  let width = 4 * (names.length + 1);
  let at = aligned(head);
  const column = (length: number): Column => {
    const size = view.getUint8(width++) as 1 | 2 | 4;
    const made = new ARRAYS[size](bytes.buffer as ArrayBuffer, bytes.byteOffset + at, length);
    at += aligned(length * size);
    return made;
  };
  const tables: Record<string, Record<string, Column | number>> = {};
  for (const [index, name] of names.entries()) {
    const length = view.getInt32(index * 4, true);
    const table: Record<string, Column | number> = { length };
    for (const field of Object.keys(schema[name] ?? {})) table[field] = column(length);
    tables[name] = table;
  }
  const lengths = column(view.getInt32(names.length * 4, true));
  const starts = new Int32Array(lengths.length + 1);
  for (let number = 0; number < lengths.length; number += 1)
    starts[number + 1] = (starts[number] ?? 0) + (lengths[number] ?? 0);
  const end = at + (starts[lengths.length] ?? 0) * 2;
  if (end > bytes.length) throw new RangeError('the tables end too early');
  const all = Buffer.from(bytes.buffer, bytes.byteOffset + at, end - at);
  const known: (string | undefined)[] = new Array(lengths.length);
  return {
    tables: tables as unknown as Tables<S>['tables'],
    text(number) {
      const made = known[number];
      if (made !== undefined) return made;
      if (number < 0 || number >= lengths.length) return '';
      const text = all.toString('utf16le', (starts[number] ?? 0) * 2, (starts[number + 1] ?? 0) * 2);
      known[number] = text;
      return text;
    },
  };
}

const ARRAYS = { 1: Int8Array, 2: Int16Array, 4: Int32Array } as const;

function widthOf(values: readonly number[]): 1 | 2 | 4 {
  let width: 1 | 2 | 4 = 1;
  for (const value of values) {
    if (value > 32_767 || value < -32_768) return 4;
    if (value > 127 || value < -128) width = 2;
  }
  return width;
}

/** Columns begin at multiples of four bytes. */
function aligned(size: number): number {
  return (size + 3) & ~3;
}
