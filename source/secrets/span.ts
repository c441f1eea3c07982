/** A part of a text that is a secret. */
export interface SecretSpan {
  /** In UTF-16 units. */
  readonly start: number;
  /** Behind its last unit. */
  readonly end: number;
  /** What kind of secret it is, as the mask shows it. */
  readonly name: string;
}

/** Where the next of some texts or signs stands: looked for once, however many ask. */
export class NextPlaces {
  readonly #known = new Map<string | RegExp, { readonly from: number; readonly at: number }>();

  constructor(private readonly text: string) {}

  /** The offset of a part at or behind another; the length of the text where there is none. */
  find(part: string, from: number): number {
    return this.#remembered(part, from, () => this.text.indexOf(part, from));
  }

  /**
   * The same of the next that an expression finds.
   *
   * @param sign One character of a class; with `g`.
   */
  findAny(sign: RegExp, from: number): number {
    return this.#remembered(sign, from, () => {
      sign.lastIndex = from;
      return sign.exec(this.text)?.index ?? -1;
    });
  }

  #remembered(what: string | RegExp, from: number, find: () => number): number {
    const known = this.#known.get(what);
    if (known && known.from <= from && from <= known.at) return known.at;
    const found = find();
    const at = found < 0 ? this.text.length : found;
    this.#known.set(what, { from, at });
    return at;
  }
}
