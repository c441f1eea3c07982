import { LIMITS } from '../../../schema/index.js';
import type { Reference } from '../../facts.js';
import { dottedPath, firstName, unwrapped } from './expressions.js';
import type { Syntax } from './syntax.js';
import type { SourceText } from './text.js';

/** What a method is called on, or an attribute read from. */
export interface Receiver {
  /** As written without white space, at most `LIMITS.expression` characters. */
  text: string;
  form: Exclude<Reference['receiver_form'], 'none'>;
}

const literals = new Set([
  'string',
  'concatenated_string',
  'integer',
  'float',
  'true',
  'false',
  'none',
  'ellipsis',
  'list',
  'tuple',
  'dictionary',
  'set',
  'list_comprehension',
  'set_comprehension',
  'dictionary_comprehension',
  'generator_expression',
]);

/** Reads a receiver; `self` is the first parameter's name inside a method, whatever it is. */
export function receiverOf(object: Syntax, text: SourceText, self: string | null): Receiver {
  const path = dottedPath(object, text);
  if (path !== null) {
    return { text: path.slice(0, LIMITS.expression.max), form: firstName(path) === self ? 'this' : 'path' };
  }
  const written = text.text.slice(object.start, Math.min(object.end, object.start + 600));
  return { text: written.replace(/\s+/g, '').slice(0, LIMITS.expression.max), form: formOf(object, text) };
}

function formOf(object: Syntax, text: SourceText): Receiver['form'] {
  if (literals.has(unwrapped(object).kind)) return 'literal';
  let at = object;
  let called = false;
  for (;;) {
    const inner: Syntax | undefined = at.children[0];
    if (!inner || (at.kind !== 'attribute' && at.kind !== 'call')) return called ? 'call' : 'other';
    if (at.kind === 'call') {
      if (!called && inner.kind === 'identifier' && text.of(inner) === 'super') return 'super';
      called = true;
    }
    at = inner;
  }
}
