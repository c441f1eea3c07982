/** A text, and what in it must not be stored. */
export interface Made {
  readonly text: string;
  readonly cores: readonly string[];
}

/** A shape of secrets. */
export interface Shape {
  /** The line of the table, or the name that it has there. */
  readonly name: string;
  /** Whether nothing beside the secret is needed to know it. */
  readonly bare: boolean;
  /** `hard`: nothing but a guess would find it. */
  readonly kind: '' | 'block' | 'hard';
  /** Whether it needs lines of its own. */
  readonly lines: boolean;
  make(random: () => number): Made;
}

/** See shapes.mjs. */
export const SHAPES: readonly Shape[];
/** Names of the forms that a text may be wrapped into. */
export const FORMS: Readonly<Record<string, object>>;
/** Numbers from 0 to 1, the same for the same seed. */
export function randomOf(seed: number): () => number;
/** A shape in a form; null when it cannot stand in it. */
export function formed(shape: Shape, form: string, random: () => number): Made | null;
/** The secrets of which half, or sixteen characters together, are still in a text. */
export function survivors(text: string, cores: readonly string[]): string[];
