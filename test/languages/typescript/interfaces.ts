/** A shape. */
export interface Shape<T extends Kind = Kind> extends Drawable, ns.Named<T> {
  /** How wide. */
  readonly width: number;
  label?: string;
  draw(on: Canvas, scale?: number): void;
  get area(): number;
  onClick: (event: Click) => void;
  new (size: number): Shape;
  (x: T): string;
  [key: string]: unknown;
}

interface Calls {
  <A>(a: A): A
  <A, B>(a: A, b: B): B
}

export type Id = string | number;
type Mapped<T> = { [K in keyof T]: T[K] extends infer U ? Box<U> : never };
type Of = typeof shapes.circle | import('./other').Other;

export enum Color {
  Red,
  Green = Red + 1,
  'dark-blue' = 4,
}
declare const enum Flag {
  On = 1,
}
