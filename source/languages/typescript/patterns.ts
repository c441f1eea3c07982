import type { Findings } from './findings.js';
import type { Given } from './flows.js';
import { keyOf } from './literals.js';
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

/** Keeps that the keys of a declared pattern are read of what is taken apart. */
export function readKeys(pattern: SyntaxNode, given: Given, at: Place, found: Findings, depth = 0): void {
  if (depth > DEEPEST_PATTERN) return;
  for (const [index, part] of pattern.children.entries()) {
    const one = PATTERN_WITH_DEFAULT.has(part.type) ? (part.first ?? part) : part;
    const { type, first, last } = one;
    if (pattern.type === 'array_pattern') readKeys(one, { of: given, key: index }, at, found, depth + 1);
    else if (pattern.type !== 'object_pattern' || type === 'rest_pattern') continue;
    else if (type !== 'pair_pattern') found.useKey('read', one, given, at);
    else if (first !== null && last !== null) {
      found.useKey('read', first, given, at);
      const key = keyOf(first);
      const target = PATTERN_WITH_DEFAULT.has(last.type) ? last.first : last;
      if (key !== null && target !== null) readKeys(target, { of: given, key }, at, found, depth + 1);
    }
  }
}

const PATTERN_WITH_DEFAULT = new Set(['assignment_pattern', 'object_assignment_pattern']);

function hasHole(pattern: SyntaxNode): boolean {
  return /(?:^\[|,)\s*,/.test(pattern.text.slice(0, 200));
}
