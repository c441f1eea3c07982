/** Characters that one token takes, about: the usual figure for English and code. */
const CHARACTERS_PER_TOKEN = 4;

/** One way of making rows smaller; given in the order in which they are tried (spec P-02). */
export interface Shrink<T> {
  /** What is left out, for the answer's `cut`: `docstrings`. */
  readonly what: string;
  readonly apply: (row: T) => T;
}

/** Rows that fit, and what was left out for it. */
export interface Fitted<T> {
  readonly rows: readonly T[];
  /** How many rows fell. */
  readonly dropped: number;
  readonly cut: readonly string[];
}

/** Tokens that a value takes as JSON, about. */
export function tokensOf(value: unknown): number {
  return Math.ceil((JSON.stringify(value)?.length ?? 0) / CHARACTERS_PER_TOKEN);
}

/**
 * Makes rows fit: shrinks are applied one after another, to all rows, until they fit `fields` tokens. Rows
 * fall, from the end, only when shrinking was not enough for `rows` tokens.
 *
 * @param name What the rows are, for the answer's `cut`: `symbols`.
 */
export function fitRows<T>(
  name: string,
  rows: readonly T[],
  budget: { readonly fields: number; readonly rows: number },
  shrinks: readonly Shrink<T>[] = [],
): Fitted<T> {
  let fitted = rows;
  const cut: string[] = [];
  for (const { what, apply } of shrinks) {
    if (tokensOf(fitted) <= budget.fields) return { rows: fitted, dropped: 0, cut };
    fitted = fitted.map(apply);
    cut.push(`${what} were left out`);
  }
  if (tokensOf(fitted) <= budget.rows) return { rows: fitted, dropped: 0, cut };
  let used = 0;
  const kept = fitted.filter((row) => {
    used += tokensOf(row);
    return used <= budget.rows;
  });
  const dropped = fitted.length - kept.length;
  return { rows: kept, dropped, cut: [...cut, `${dropped} of ${fitted.length} ${name} were left out`] };
}
