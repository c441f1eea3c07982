import type { Lowering } from '../../lower/index.js';

/** Type arguments in type arguments that are read. */
const DEEPEST = 16;

/** Alternatives and type arguments in a string: `Foo | None`, `list[pkg.Foo]`. Its names are no uses of these. */
export class QuotedType {
  #at = 0;

  constructor(
    private readonly to: Lowering,
    private readonly text: string,
    private readonly start: number,
  ) {}

  /** @returns the row of the type; of one that is unknown where the string is something else. */
  read(): number {
    const row = this.#union(0);
    this.#blank();
    return this.#at === this.text.length ? row : this.to.addType({ kind: 'unknown', at: this.start });
  }

  #union(depth: number): number {
    const at = this.#place();
    const parts = [this.#name(depth)];
    while (this.#take('|')) parts.push(this.#name(depth));
    const [only = -1] = parts;
    return parts.length === 1 ? only : this.to.addType({ kind: 'union', parts, at });
  }

  #name(depth: number): number {
    let base = -1;
    do {
      const at = this.#place();
      const name = /^[\p{ID_Start}_][\p{ID_Continue}]*/u.exec(this.text.slice(this.#at))?.[0] ?? '';
      if (name === '') return this.to.addType({ kind: 'unknown', at });
      this.#at += name.length;
      if (name === 'None' && base < 0) return this.to.addType({ kind: 'literal', name, at });
      const isLast = !/^\s*\./.test(this.text.slice(this.#at));
      const parts = isLast && depth < DEEPEST && this.#take('[') ? this.#arguments(depth + 1) : [];
      base = this.to.addType({ kind: 'name', name, base, parts, at });
    } while (this.#take('.'));
    return base;
  }

  #arguments(depth: number): number[] {
    const parts: number[] = [];
    do {
      if (this.#take('...')) parts.push(this.to.addType({ kind: 'variadic', at: this.#place() }));
      else parts.push(this.#union(depth));
    } while (this.#take(','));
    this.#take(']');
    return parts;
  }

  #take(token: string): boolean {
    this.#blank();
    if (!this.text.startsWith(token, this.#at)) return false;
    this.#at += token.length;
    return true;
  }

  #blank(): void {
    while (/\s/.test(this.text[this.#at] ?? '')) this.#at += 1;
  }

  #place(): number {
    this.#blank();
    return this.start + this.#at;
  }
}
