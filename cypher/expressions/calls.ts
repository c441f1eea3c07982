import type { Expression } from '../ast.js';
import { CypherError } from '../cypher-error.js';
import { type CallSite, FUNCTIONS, type RunFunction, type ScalarFunction } from '../functions/index.js';
import type { CypherValue } from '../value.js';
import { workOf } from '../values/index.js';
import { type CompilePart, type Evaluate, madeOf, type Part, type Scope } from './scope.js';

type Call = Extract<Expression, { kind: 'call' }>;

/** A call of a function by its name, which is known by its lower case. */
export function compileCall(expression: Call, scope: Scope, compilePart: CompilePart): Part {
  const found = FUNCTIONS.get(expression.name.toLowerCase());
  const count = expression.arguments.length;
  if (found === undefined || found.kind === 'aggregate') throw uncallable(expression);
  if (count < found.minArguments || count > found.maxArguments) throw wrongCount(expression, found);
  const at = { name: found.name, span: expression.span };
  const parts = expression.arguments.map((argument) => compilePart(argument, scope));
  if (found.kind === 'run') {
    const { call } = found;
    return {
      constant: false,
      evaluate: (row, run) => call(run, at, ...parts.map((part) => part.evaluate(row, run))),
    };
  }
  return madeOf(parts, found.seesNull ? withNulls(found, at, parts) : withoutNulls(found, at, parts));
}

/** One and two arguments, which nearly all calls have, are passed without a list. */
function withoutNulls({ call }: ScalarFunction, at: CallSite, parts: readonly Part[]): Evaluate {
  const [first, second] = parts;
  if (first === undefined) return () => call(at);
  if (second === undefined) {
    const { evaluate } = first;
    return (row, run) => {
      const value = evaluate(row, run);
      if (value === null) return null;
      run.spend(workOf(value));
      return call(at, value);
    };
  }
  if (parts.length === 2) {
    return (row, run) => {
      const left = first.evaluate(row, run);
      const right = second.evaluate(row, run);
      if (left === null || right === null) return null;
      run.spend(workOf(left) + workOf(right));
      return call(at, left, right);
    };
  }
  return (row, run) => {
    const values: CypherValue[] = parts.map((part) => part.evaluate(row, run));
    if (values.includes(null)) return null;
    run.spend(workOfAll(values));
    return call(at, ...values);
  };
}

function withNulls({ call }: ScalarFunction, at: CallSite, parts: readonly Part[]): Evaluate {
  return (row, run) => {
    const values = parts.map((part) => part.evaluate(row, run));
    run.spend(workOfAll(values));
    return call(at, ...values);
  };
}

function workOfAll(values: readonly CypherValue[]): number {
  return values.reduce((sum: number, value) => sum + workOf(value), 0);
}

/** The checks refuse these before; an expression that was never checked ends here. */
function uncallable(expression: Call): CypherError {
  return refused(expression, 'UnknownFunction', `There is no function ${expression.name}() to call here.`);
}

function wrongCount(expression: Call, found: ScalarFunction | RunFunction): CypherError {
  const message = `${found.signature} cannot be called with ${expression.arguments.length} arguments.`;
  return refused(expression, 'InvalidNumberOfArguments', message);
}

function refused(expression: Call, detail: string, message: string): CypherError {
  return new CypherError('CYPHER_SYNTAX', message, {
    fault: { kind: 'SyntaxError', phase: 'compile time', detail },
    span: expression.span,
  });
}
