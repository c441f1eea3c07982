import type { TextIndexType } from './definition.js';
import type { IndexHeader } from './header.js';

type Named = Pick<TextIndexType, 'name'>;

/** The name of the state of an index. */
export function headerName({ name }: Named): string {
  return `text/${name}/header`;
}

/** How the names of all that belongs to an index begin, or to all indexes whose names begin so. */
export function familyPrefix(name: string): string {
  return `text/${name}`;
}

/** The names under which the parts of an index are kept beside its layer. */
export class IndexNames {
  /** All of them begin like this. */
  readonly prefix: string;

  constructor({ name }: Named, { epoch }: Pick<IndexHeader, 'epoch'>) {
    this.prefix = `text/${name}/${epoch.toString(36)}/`;
  }

  /** A word's record. */
  term(word: string): string {
    return `${this.prefix}t/${word}`;
  }

  /** A chunk of a common word's postings. No word holds a NUL. */
  chunk(word: string, chunk: number): string {
    return `${this.prefix}c/${word}\0${chunk.toString(36)}`;
  }

  /** What the documents of a group say, and their numbers. */
  group(name: string): string {
    return `${this.prefix}g/${name}`;
  }

  /** The lengths of a stretch of documents, by number. */
  lengths(stretch: number): string {
    return `${this.prefix}l/${stretch.toString(36)}`;
  }

  /** The ids of a stretch of documents, by number. */
  ids(stretch: number): string {
    return `${this.prefix}i/${stretch.toString(36)}`;
  }
}
