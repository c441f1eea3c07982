import type { Findings } from './findings.js';
import type { Place } from './place.js';
import type { SyntaxNode } from './syntax.js';

/** A name that a pattern binds, and the key of the object it was taken from when that is plain. */
export interface BoundName {
  node: SyntaxNode;
  name: string;
  key: string | null;
}

/**
 * The names that a declared pattern binds. Its defaults and computed keys are expressions: they are visited on
 * the way.
 */
export function namesOf(
  pattern: SyntaxNode,
  at: Place,
  found: Findings,
  key: string | null = null,
): BoundName[] {
  switch (pattern.type) {
    case 'identifier':
      return [{ node: pattern, name: pattern.text, key }];
    case 'shorthand_property_identifier_pattern':
      return [{ node: pattern, name: pattern.text, key: pattern.text }];
    case 'assignment_pattern':
    case 'object_assignment_pattern': {
      const [target, value] = pattern.children;
      if (value) found.visit(value, at);
      return target ? namesOf(target, at, found, key) : [];
    }
    case 'pair_pattern': {
      const [name, target] = pattern.children;
      if (name?.type === 'computed_property_name') found.visit(name, at);
      const plain = name?.type === 'property_identifier' ? name.text : null;
      return target ? namesOf(target, at, found, plain) : [];
    }
    case 'object_pattern':
    case 'array_pattern':
    case 'rest_pattern':
      return pattern.children.flatMap((child) => namesOf(child, at, found));
    default:
      return [];
  }
}
