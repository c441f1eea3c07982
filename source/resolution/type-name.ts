/** What an annotation in Python says of a value, as far as a name goes. */
export interface TypeName {
  /** The class's dotted name. */
  path: string[];
  /** Whether the value is the class itself: `type[Foo]`. */
  isClass: boolean;
}

/** Types in types that are read: each level costs a look at all that is in it. */
export const DEEPEST_TYPE = 20;

/**
 * The one class that an annotation names: type arguments left out, `Foo | None` and `Optional[Foo]` taken as `Foo`,
 * quotes of forward references removed. Null for everything that is not one class: unions, functions, literals.
 */
export function typeName(written: string, depth = 0): TypeName | null {
  if (depth > DEEPEST_TYPE) return null;
  const text = written.trim().replace(/^(['"])([^'"]*)\1$/, '$2');
  const parts = alternatives(text).filter((part) => part !== 'None');
  const [only = ''] = parts;
  if (parts.length !== 1) return null;
  const optional = argumentOf(only, /^(?:[\p{ID_Continue}]+\.)?(?:Optional|Final|ClassVar|Annotated)$/u);
  if (optional !== null) return typeName(alternatives(optional, ',')[0] ?? '', depth + 1);
  const itself = argumentOf(only, /^(?:[\p{ID_Continue}]+\.)?[Tt]ype$/u);
  if (itself !== null) {
    const named = typeName(itself, depth + 1);
    return named && !named.isClass ? { ...named, isClass: true } : null;
  }
  const path = /^([\p{ID_Continue}]+(?:\.[\p{ID_Continue}]+)*)(?:\[.+\])?$/su.exec(only)?.[1];
  return path === undefined || /^\d/.test(path) ? null : { path: path.split('.'), isClass: false };
}

/** What stands between the brackets of `Name[…]`. */
function argumentOf(text: string, name: RegExp): string | null {
  const match = /^([\p{ID_Continue}.]+)\[(.*)\]$/su.exec(text);
  return match?.[1] !== undefined && name.test(match[1]) ? (match[2] ?? null) : null;
}

/** The parts of `A | B` (or of a list) outside all brackets. */
export function alternatives(text: string, separator = '|'): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at <= text.length; at++) {
    const character = text[at];
    if (character !== undefined && '[({'.includes(character)) depth++;
    else if (character !== undefined && '])}'.includes(character)) depth--;
    else if (character === undefined || (character === separator && depth === 0)) {
      parts.push(text.slice(start, at).trim());
      start = at + 1;
    }
  }
  return parts.filter((part) => part !== '');
}

/** An annotation taken apart. */
export interface AnnotationParts {
  /** The parts of `A | B`, without those that say that there is nothing. */
  readonly parts: readonly string[];
  /** Of the first part: what stands before brackets, and the list in them; null where there are none. */
  readonly path: string;
  readonly list: readonly string[] | null;
}

const EMPTY = /^(?:None|null|undefined|void)$/;

/** Takes an annotation apart. */
export function annotationParts(written: string): AnnotationParts {
  const text = written.trim().replace(/^(['"])([^'"]*)\1$/, '$2');
  const parts = alternatives(text).filter((part) => !EMPTY.test(part));
  const [, path = '', inside] = /^([\p{ID_Continue}.]+)\[(.*)\]$/su.exec(parts[0] ?? '') ?? [];
  return { parts, path, list: inside === undefined ? null : alternatives(inside, ',') };
}
