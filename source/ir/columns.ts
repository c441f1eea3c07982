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

/** The most fields that a table may have. */
const WIDEST = 10;
const LEAST_ROWS = 16;

/** The rows of one table while they are collected, one behind the other. */
export class TableRows {
  readonly #width: number;
  #values: Int32Array;
  #length = 0;

  /** @param expected How many rows it may come to have. */
  constructor(
    readonly fields: readonly string[],
    expected: number,
  ) {
    this.#width = fields.length;
    this.#values = new Int32Array(fields.length * Math.max(expected, LEAST_ROWS) + WIDEST);
  }

  get length(): number {
    return this.#length;
  }

  /** Adds a row, its values in the order of the fields. @returns its number, from 0. */
  push(a: number, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0, i = 0, j = 0): number {
    const at = this.#length * this.#width;
    if (at + WIDEST > this.#values.length) this.#grow();
    const values = this.#values;
    values[at] = a;
    // What is beyond the table's width is overwritten by the next row.
    values[at + 1] = b;
    values[at + 2] = c;
    values[at + 3] = d;
    values[at + 4] = e;
    values[at + 5] = f;
    values[at + 6] = g;
    values[at + 7] = h;
    values[at + 8] = i;
    values[at + 9] = j;
    return this.#length++;
  }

  /** A value of a row; -1 where there is none. */
  get(field: number, row: number): number {
    return row >= 0 && row < this.#length ? (this.#values[row * this.#width + field] ?? -1) : -1;
  }

  /** Replaces a value of a row that was added. */
  set(field: number, row: number, value: number): void {
    if (row >= 0 && row < this.#length) this.#values[row * this.#width + field] = value;
  }

  /** All values of a field. */
  column(field: number): Int32Array {
    const column = new Int32Array(this.#length);
    for (let row = 0, at = field; row < column.length; row += 1, at += this.#width)
      column[row] = this.#values[at] ?? 0;
    return column;
  }

  #grow(): void {
    const grown = new Int32Array(this.#values.length * 2 + WIDEST);
    grown.set(this.#values);
    this.#values = grown;
  }
}

/** Collects the rows of tables and their texts, and gives their bytes. */
export class TablesBuilder<S extends Readonly<Record<string, TableFields>>> {
  readonly #tables = new Map<string, TableRows>();
  readonly #texts = new Map<string, number>();
  /** Texts by their numbers, as far as they were asked for. */
  #byNumber: string[] | null = null;

  /**
   * @param schema The tables, in the order in which they are stored.
   * @param expected How many rows a table may come to have.
   */
  constructor(schema: S, expected = 0) {
    for (const [table, fields] of Object.entries(schema))
      this.#tables.set(table, new TableRows(Object.keys(fields), expected));
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

  /** The text of a number. */
  textOf(number: number): string {
    this.#byNumber ??= [];
    if (this.#byNumber.length <= number) this.#byNumber = [...this.#texts.keys()];
    return this.#byNumber[number] ?? '';
  }

  /** The rows of a table, for those who add many: texts have to be numbers there. */
  rows(table: keyof S & string): TableRows {
    const rows = this.#tables.get(table);
    if (!rows) throw new RangeError(`no table ${table}`);
    return rows;
  }

  /** Adds a row. @returns its number, from 0. */
  add<T extends keyof S & string>(table: T, row: NewRow<S[T]>): number {
    const rows = this.rows(table);
    const values = rows.fields.map((field) => {
      const value = (row as Readonly<Record<string, string | number>>)[field] ?? 0;
      return typeof value === 'string' ? this.text(value) : value;
    });
    return rows.push(...(values as [number]));
  }

  /** How many rows a table has so far. */
  count(table: keyof S & string): number {
    return this.rows(table).length;
  }

  /** A value of a row that was added. */
  get<T extends keyof S & string>(table: T, field: keyof S[T] & string, row: number): number {
    const rows = this.rows(table);
    return rows.get(rows.fields.indexOf(field), row);
  }

  /** Replaces a value of a row that was added: what is known only later, as the last line of a scope. */
  set<T extends keyof S & string>(table: T, field: keyof S[T] & string, row: number, value: number): void {
    const rows = this.rows(table);
    rows.set(rows.fields.indexOf(field), row, value);
  }

  /**
   * All tables as bytes of their own buffer: one that can be transferred to another thread. Shape: a count of rows per
   * table and a width per column, the columns, the lengths of texts (below zero: of texts in UTF-16 that follow the
   * others), the texts in Latin-1, those in UTF-16.
   */
  take(): Uint8Array<ArrayBuffer> {
    const texts = [...this.#texts.keys()];
    const columns: Int32Array[] = [];
    for (const rows of this.#tables.values())
      for (const field of rows.fields.keys()) columns.push(rows.column(field));
    const narrow: string[] = [];
    const wide: string[] = [];
    columns.push(
      Int32Array.from(texts, (text) => {
        const isWide = WIDE.test(text);
        (isWide ? wide : narrow).push(text);
        return isWide ? -text.length : text.length;
      }),
    );
    const widths = columns.map(widthOf);
    const head = 4 * (this.#tables.size + 1) + widths.length;
    let size = aligned(head);
    for (const [at, column] of columns.entries()) size += aligned(column.length * (widths[at] ?? 4));
    const allNarrow = narrow.join('');
    const allWide = wide.join('');
    const bytes = new Uint8Array(new ArrayBuffer(size + allNarrow.length + allWide.length * 2));
    const view = new DataView(bytes.buffer);
    let at = 0;
    for (const rows of this.#tables.values()) {
      view.setInt32(at, rows.length, true);
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
    const written = Buffer.from(bytes.buffer);
    written.write(allNarrow, at, 'latin1');
    written.write(allWide, at + allNarrow.length, 'utf16le');
    return bytes;
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
 * @throws RangeError for bytes of another length than their head says.
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
  if (head > bytes.length) throw new RangeError('the tables end too early');
  let width = 4 * (names.length + 1);
  let at = aligned(head);
  const column = (length: number): Column => {
    const size = view.getUint8(width++);
    if (size !== 1 && size !== 2 && size !== 4) throw new RangeError(`no column is ${size} bytes wide`);
    if (length < 0 || length * size > bytes.length - at) throw new RangeError('the tables end too early');
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
  // Where each text begins, in bytes.
  const starts = new Int32Array(lengths.length);
  let end = at;
  for (const [number, length] of lengths.entries()) {
    if (length < 0) continue;
    starts[number] = end;
    end += length;
  }
  for (const [number, length] of lengths.entries()) {
    if (length >= 0) continue;
    starts[number] = end;
    end -= length * 2;
  }
  if (end !== bytes.length) throw new RangeError('the texts have another length');
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, end);
  const known: (string | undefined)[] = new Array(lengths.length);
  return {
    tables: tables as unknown as Tables<S>['tables'],
    text(number) {
      const made = known[number];
      if (made !== undefined) return made;
      if (number < 0 || number >= lengths.length) return '';
      const [start, length] = [starts[number] ?? 0, lengths[number] ?? 0];
      const text =
        length < 0
          ? all.toString('utf16le', start, start - length * 2)
          : all.toString('latin1', start, start + length);
      known[number] = text;
      return text;
    },
  };
}

const WIDE = /[^\0-\xff]/;

const ARRAYS = { 1: Int8Array, 2: Int16Array, 4: Int32Array } as const;

function widthOf(values: Int32Array): 1 | 2 | 4 {
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
