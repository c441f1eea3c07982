import { TypeReader } from './type-reader.js';
import type { TypeParameter, WrittenFunction, WrittenType } from './written-type.js';

/** The type that a text spells; null for what tells nothing of a value's members, and for what is no type. */
export function writtenType(text: string): WrittenType | null {
  const reader = new TypeReader(text);
  const type = reader.type();
  return reader.isDone ? type : null;
}

/** The type parameters between `<` and `>`. */
export function writtenTypeParameters(text: string): readonly TypeParameter[] {
  const reader = new TypeReader(text);
  return reader.typeParameters('');
}

/** The signature `<T>(x: T): Foo` of an interface that can be called; null for what is none. */
export function writtenSignature(text: string): WrittenFunction | null {
  return new TypeReader(text).signature();
}

/** The types in a list of type arguments. */
export function writtenTypes(text: string): readonly (WrittenType | null)[] {
  return new TypeReader(text).types('');
}
