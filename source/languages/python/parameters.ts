import type { Parameter } from '../../facts.js';
import { eachTarget } from './expressions.js';
import type { Syntax } from './syntax.js';
import type { SourceText } from './text.js';

/** One parameter as written, with what an extractor visits in it. */
export interface WrittenParameter {
  /** The name, or the tuple that Python 2 unpacks. */
  target: Syntax;
  type: Syntax | null;
  value: Syntax | null;
  rest: boolean;
}

/** The parameters of a function (`parameters`) or lambda (`lambda_parameters`), in order. */
export function writtenParameters(list: Syntax | undefined): WrittenParameter[] {
  const found: WrittenParameter[] = [];
  for (const one of list?.children ?? []) {
    const written = writtenParameter(one);
    if (written) found.push(written);
  }
  return found;
}

function writtenParameter(one: Syntax): WrittenParameter | null {
  const [first, ...others] = one.children;
  const type = others.find((each) => each.kind === 'type') ?? null;
  switch (one.kind) {
    case 'identifier':
    case 'tuple_pattern':
      return { target: one, type: null, value: null, rest: false };
    case 'list_splat_pattern':
    case 'dictionary_splat_pattern':
      return first ? { target: first, type: null, value: null, rest: true } : null;
    case 'default_parameter':
    case 'typed_default_parameter':
      return first ? { target: first, type, value: others[others.length - 1] ?? null, rest: false } : null;
    case 'typed_parameter': {
      const inner = first && writtenParameter(first);
      return inner ? { ...inner, type } : null;
    }
    default:
      return null;
  }
}

/** The parameters as facts. */
export function parameterFacts(list: Syntax | undefined, text: SourceText): Parameter[] {
  return writtenParameters(list).map((one) => ({
    name: text.of(one.target),
    type: one.type && text.of(one.type),
    optional: one.value !== null,
    rest: one.rest,
  }));
}

/** The names that the parameters bind. */
export function eachParameterName(list: Syntax | undefined, found: (name: Syntax) => void): void {
  for (const one of writtenParameters(list)) eachTarget(one.target, found);
}
