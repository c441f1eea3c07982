import type { Expression, PathPattern, Query } from '../ast.js';
import { isAggregate } from '../check/index.js';
import { CypherError } from '../cypher-error.js';
import { type Computation, computation, slotExpression, withSlots } from './computation.js';
import type { PlanContext, Planned } from './context.js';
import { mapParts, NOWHERE, needsGraph, someOf } from './expression-tree.js';
import { keepAround } from './keep-around.js';
import { type ApplyMode, isRowwise, type Plan } from './plan.js';
import { hiddenName, type Scope } from './scope.js';

/** Moves whatever looks into the graph out of an expression and in front of it, as plans that are run for each row. */
export function hoist(
  context: PlanContext,
  expression: Expression,
  from: Planned,
): Planned & { readonly value: Computation } {
  if (!needsGraph(expression)) return { ...from, value: computation(expression, from.scope) };
  const hoister = new Hoister(context, from);
  const value = hoister.rewrite(expression);
  const { plan, scope } = hoister;
  return { plan, scope, value: computation(value, scope) };
}

type Of<Kind extends Expression['kind']> = Extract<Expression, { kind: Kind }>;

class Hoister {
  plan: Plan;
  scope: Scope;

  constructor(
    private readonly context: PlanContext,
    { plan, scope }: Planned,
  ) {
    this.plan = plan;
    this.scope = scope;
  }

  readonly rewrite = (expression: Expression): Expression => {
    switch (expression.kind) {
      case 'pattern':
        return expression.pattern.shortest === null
          ? this.#truth(expression.pattern)
          : this.#shortest(expression.pattern);
      case 'subquery':
        return this.#subquery(expression);
      case 'pattern comprehension':
        return this.#patternComprehension(expression);
      case 'call': {
        const [argument] = expression.arguments;
        const asksForPattern = expression.name.toLowerCase() === 'exists' && argument?.kind === 'pattern';
        return asksForPattern ? this.rewrite(argument) : mapParts(expression, this.rewrite);
      }
      case 'list comprehension':
        return this.#listComprehension(expression);
      case 'quantifier':
        return this.#quantifier(expression);
      case 'reduce':
        if (needsGraph(expression.expression)) throw unsupportedInReduce(expression);
        return mapParts(expression, this.rewrite);
      default:
        return mapParts(expression, this.rewrite);
    }
  };

  /** @param inner Made from a scope that its rows share with ours. */
  #apply(inner: Plan, mode: ApplyMode): void {
    const ordinal = isRowwise(inner) ? this.scope.frame.slot() : null;
    const { plan } = this;
    this.plan = {
      kind: 'apply',
      input: plan,
      estimate: plan.estimate,
      inner,
      mode,
      ordinal,
      constant: false,
    };
  }

  #start(scope = this.scope): Planned {
    return { plan: { kind: 'argument', estimate: 1 }, scope };
  }

  #slot(): number {
    const slot = this.scope.frame.slot();
    this.scope = withSlots(this.scope, [slot]);
    return slot;
  }

  #truth(pattern: PathPattern): Expression {
    const { plan } = this.context.match(
      { patterns: [pattern], where: null, countsRows: false },
      this.#start(),
    );
    const slot = this.#slot();
    this.#apply(plan, { kind: 'exists', slot });
    return slotExpression(slot);
  }

  #collect({ plan, scope }: Planned, value: Expression): Expression {
    const computed = this.context.hoist(value, { plan, scope });
    const from = scope.frame.slot();
    const inner: Plan = {
      kind: 'project',
      input: computed.plan,
      estimate: computed.plan.estimate,
      items: [{ name: 'item', slot: from, value: computed.value }],
      frame: null,
    };
    const slot = this.#slot();
    this.#apply(inner, { kind: 'collect', from, slot });
    return slotExpression(slot);
  }

  #shortest(pattern: PathPattern): Expression {
    const name = hiddenName(this.scope.frame.slot());
    const named = { ...pattern, variable: { name, span: NOWHERE } };
    const matched = this.context.match({ patterns: [named], where: null, countsRows: true }, this.#start());
    const paths = this.#collect(matched, { kind: 'variable', name, span: NOWHERE });
    if (pattern.shortest === 'all') return paths;
    const index: Expression = { kind: 'literal', value: 0n, span: NOWHERE };
    return { kind: 'subscript', on: paths, index, span: NOWHERE };
  }

  #patternComprehension({ pattern, where, map }: Of<'pattern comprehension'>): Expression {
    const matched = this.context.match({ patterns: [pattern], where, countsRows: true }, this.#start());
    return this.#collect(matched, map);
  }

  #subquery({ which, query }: Of<'subquery'>): Expression {
    if (which === 'collect') return this.#collectQuery(query);
    const { plan } = this.context.query(
      keepAround(withoutReturn(query), this.scope.visible),
      this.#start(),
      which === 'count',
    );
    const slot = this.#slot();
    this.#apply(plan, { kind: which, slot });
    return slotExpression(slot);
  }

  #collectQuery(query: Query): Expression {
    const { plan, columns } = this.context.query(keepAround(query, this.scope.visible), this.#start(), true);
    const slot = this.#slot();
    this.#apply(plan, { kind: 'collect', from: columns[0]?.slot ?? 0, slot });
    return slotExpression(slot);
  }

  /** What an expression over the items of a list comes to, item by item; null where there is no list. */
  #overItems(variable: string, list: Expression, where: Expression | null, value: Expression): Expression {
    const items = this.rewrite(list);
    const { slot, scope } = this.scope.local(variable);
    let inner: Planned = {
      plan: {
        kind: 'unwind',
        input: { kind: 'argument', estimate: 1 },
        estimate: 10,
        list: computation(items, this.scope),
        slot,
        name: variable,
      },
      scope,
    };
    if (where !== null) {
      const { plan, scope: wider, value: condition } = this.context.hoist(where, inner);
      inner = {
        plan: { kind: 'filter', input: plan, estimate: plan.estimate, predicates: [condition] },
        scope: wider,
      };
    }
    const collected = this.#collect(inner, value);
    const isNull: Expression = { kind: 'is null', operand: items, negated: false, span: list.span };
    const nothing: Expression = { kind: 'literal', value: null, span: NOWHERE };
    const branches = [{ when: isNull, then: nothing }];
    return { kind: 'case', operand: null, branches, otherwise: collected, span: list.span };
  }

  #listComprehension(expression: Of<'list comprehension'>): Expression {
    const { variable, list, where, map } = expression;
    const inItems = [where, map].some((part) => part !== null && needsGraph(part));
    if (!inItems) return mapParts(expression, this.rewrite);
    return this.#overItems(variable.name, list, where, map ?? { ...variable, kind: 'variable' });
  }

  /** The truths of the items first, then the quantifier over those. */
  #quantifier(expression: Of<'quantifier'>): Expression {
    const { variable, list, where } = expression;
    if (where === null || !needsGraph(where)) return mapParts(expression, this.rewrite);
    const truths = this.#overItems(variable.name, list, null, where);
    return { ...expression, list: truths, where: { ...variable, kind: 'variable' } };
  }
}

/** Without a RETURN that changes nothing about how many rows there are. */
function withoutReturn(query: Query): Query {
  return {
    ...query,
    parts: query.parts.map((part) => ({ ...part, clauses: withoutPlainReturn(part.clauses) })),
  };
}

function withoutPlainReturn(clauses: Query['parts'][number]['clauses']): Query['parts'][number]['clauses'] {
  const last = clauses.at(-1);
  const isPlain =
    last?.kind === 'return' &&
    !last.distinct &&
    last.skip === null &&
    last.limit === null &&
    last.items.every(({ expression }) => !someOf(expression, isAggregate));
  return isPlain && clauses.length > 1 ? clauses.slice(0, -1) : clauses;
}

function unsupportedInReduce({ span }: Expression): CypherError {
  return new CypherError('CYPHER_UNSUPPORTED', 'A pattern or subquery inside reduce() is not supported.', {
    fault: { kind: 'Unsupported', phase: 'compile time', detail: 'Unsupported' },
    span,
    suggestion: 'Collect what the pattern finds into a list first, and reduce that list.',
  });
}
