import type { UnitView } from './unit-view.js';

/**
 * Writes rows of a unit down by what they say and not by their numbers, for a digest: each row of types and expressions
 * once, however deep they lie in each other, and after that by when it came.
 */
export abstract class RowWriter {
  protected readonly parts: (string | number)[] = [];
  readonly #types = new Map<number, number>();
  readonly #expressions = new Map<number, number>();
  /** What is named so far and is still to be written: types as they are, expressions as `~row`. */
  readonly #open: number[] = [];

  constructor(protected readonly view: UnitView) {}

  /** All that was written. */
  text(): string {
    return JSON.stringify(this.parts);
  }

  protected abstract writeType(row: number): void;
  protected abstract writeExpression(row: number): void;

  protected type(row: number): void {
    this.#name(this.#types, row, row);
  }

  protected expression(row: number): void {
    this.#name(this.#expressions, row, ~row);
  }

  /** Parameters and whatever else of some kinds a scope binds. */
  protected bindings(scope: number, kinds: readonly string[]): void {
    const { bindings } = this.view.unit;
    for (const row of scope < 0 ? [] : this.view.bindingsIn(scope)) {
      if (!kinds.includes(this.view.bindingKind(row))) continue;
      this.parts.push('p', this.view.bindingName(row), bindings.kind[row] ?? 0, bindings.flags[row] ?? 0);
      this.type(bindings.type[row] ?? -1);
    }
  }

  /** Writes what is named and not yet written, and what that names. */
  protected rest(): void {
    for (let next = this.#open.pop(); next !== undefined; next = this.#open.pop())
      if (next < 0) this.writeExpression(~next);
      else this.writeType(next);
  }

  #name(known: Map<number, number>, row: number, open: number): void {
    let number = row < 0 ? -1 : known.get(row);
    if (number === undefined) {
      number = known.size;
      known.set(row, number);
      this.#open.push(open);
    }
    this.parts.push(number);
  }
}
