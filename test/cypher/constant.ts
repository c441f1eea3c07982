import type { Expression } from '../../cypher/ast.js';
import type { CypherValue } from '../../cypher/index.js';

/** The value of what needs no row; undefined for all else. */
export function constantOf(
  expression: Expression,
  parameters: ReadonlyMap<string, CypherValue> = new Map(),
): CypherValue | undefined {
  switch (expression.kind) {
    case 'literal':
      return expression.value;
    case 'parameter':
      return parameters.get(expression.name);
    case 'minus': {
      const operand = constantOf(expression.operand, parameters);
      return typeof operand === 'bigint' || typeof operand === 'number' ? -operand : undefined;
    }
    case 'list': {
      const items = expression.items.map((item) => constantOf(item, parameters));
      return items.every((item) => item !== undefined) ? items : undefined;
    }
    case 'map': {
      const entries: [string, CypherValue][] = [];
      for (const { key, value } of expression.entries) {
        const constant = constantOf(value, parameters);
        if (constant === undefined) return undefined;
        entries.push([key, constant]);
      }
      return new Map(entries);
    }
    default:
      return undefined;
  }
}
