import type { TextIndexType } from './definition.js';

/** The names under which the parts of an index are kept beside its layer. */
export class IndexNames {
  /** All of them begin like this. */
  readonly prefix: string;

  constructor({ name }: Pick<TextIndexType, 'name'>) {
    this.prefix = `text/${name}/`;
  }

  get header(): string {
    return `${this.prefix}header`;
  }

  /** A word's record. */
  term(word: string): string {
    return `${this.prefix}t/${word}`;
  }

  /** A chunk of a common word's postings. No word holds a NUL. */
  chunk(word: string, chunk: number): string {
    return `${this.prefix}c/${word}\0${chunk.toString(36)}`;
  }

  /** The number of the document with this id. */
  number(id: string): string {
    return `${this.prefix}n/${id}`;
  }

  /** The document with this number. */
  document(number: number): string {
    return `${this.prefix}d/${number.toString(36)}`;
  }
}
