import type { Findings } from './findings.js';
import type { Place } from './place.js';
import type { SyntaxNode } from './syntax.js';

/** A name that a pattern binds, and the key of the object it was taken from when that is plain. */
export interface BoundName {
  node: SyntaxNode;
  name: string;
  key: string | null;
  /** How the name is reached from what is taken apart: keys of objects, numbers of lists; null for no plain way. */
  way: readonly (string | number)[] | null;
}

/** Patterns within more patterns bind nothing that is told. */
export const DEEPEST_PATTERN = 64;

/**
 * The names that a declared pattern binds. Its defaults and computed keys are expressions: they are visited on
 * the way.
 */
export function namesOf(
  pattern: SyntaxNode,
  at: Place,
  found: Findings,
  key: string | null = null,
  way: readonly (string | number)[] | null = [],
  depth = 0,
): BoundName[] {
  if (depth > DEEPEST_PATTERN) return [];
  switch (pattern.type) {
    case 'identifier':
      return [{ node: pattern, name: pattern.text, key, way }];
    case 'shorthand_property_identifier_pattern':
      return [{ node: pattern, name: pattern.text, key: pattern.text, way: way && [...way, pattern.text] }];
    case 'assignment_pattern':
    case 'object_assignment_pattern': {
      const [target, value] = pattern.children;
      if (value) found.visit(value, at);
      return target ? namesOf(target, at, found, key, way, depth + 1) : [];
    }
    case 'pair_pattern': {
      const [name, target] = pattern.children;
      if (name?.type === 'computed_property_name') found.visit(name, at);
      const plain = name?.type === 'property_identifier' ? name.text : null;
      const inner = way && plain !== null ? [...way, plain] : null;
      return target ? namesOf(target, at, found, plain, inner, depth + 1) : [];
    }
    case 'array_pattern':
      // A hole has no node: only before the first one are the numbers sure.
      return pattern.children.flatMap((child, index) =>
        namesOf(child, at, found, null, way && !hasHole(pattern) ? [...way, index] : null, depth + 1),
      );
    case 'object_pattern':
      return pattern.children.flatMap((child) => namesOf(child, at, found, null, way, depth + 1));
    case 'rest_pattern':
      return pattern.children.flatMap((child) => namesOf(child, at, found, null, null, depth + 1));
    default:
      return [];
  }
}

function hasHole(pattern: SyntaxNode): boolean {
  return /(?:^\[|,)\s*,/.test(pattern.text.slice(0, 200));
}
