import type { Expression } from '../ast.js';
import { valueFault } from '../values/index.js';
import type { Part } from './scope.js';

/** `$name`. Never constant: one prepared query runs with many parameters. */
export function compileParameter(expression: Extract<Expression, { kind: 'parameter' }>): Part {
  const { name, span } = expression;
  return {
    constant: false,
    evaluate: (_, run) => {
      const value = run.parameters.get(name);
      if (value !== undefined) return value;
      const given = [...run.parameters.keys()].map((key) => `$${key}`).join(', ');
      throw valueFault(
        'ParameterMissing',
        'MissingParameter',
        `The parameter $${name} was not given.`,
        span,
        given === '' ? 'No parameters were given.' : `Given: ${given}.`,
      );
    },
  };
}
