/** A part of a text that is a secret. */
export interface SecretSpan {
  /** In UTF-16 units. */
  readonly start: number;
  /** Behind its last unit. */
  readonly end: number;
  /** What kind of secret it is, as the mask shows it. */
  readonly name: string;
}

/** Where the next of some texts stands: looked for once, however many ask. */
export class NextPlaces {
  readonly #text: string;
  readonly #known = new Map<string, { readonly from: number; readonly at: number }>();

  constructor(text: string) {
    this.#text = text;
  }

  /** The offset of a part at or behind another; the length of the text where there is none. */
  find(part: string, from: number): number {
    const known = this.#known.get(part);
    if (known && known.from <= from && from <= known.at) return known.at;
    const found = this.#text.indexOf(part, from);
    const at = found < 0 ? this.#text.length : found;
    this.#known.set(part, { from, at });
    return at;
  }
}
