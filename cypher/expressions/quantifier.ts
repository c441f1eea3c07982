import type { Expression } from '../ast.js';
import { isList, wrongKind } from '../values/index.js';
import { truthOf } from './logic.js';
import { type CompilePart, madeOf, type Part, type Scope } from './scope.js';

/** How many items a predicate holds for, and for how many that is unknown. */
interface Tally {
  readonly items: number;
  readonly holding: number;
  readonly unknown: number;
}

type Quantifier = Extract<Expression, { kind: 'quantifier' }>;

/** What the rest of a list cannot change any more. */
const DECIDED: Readonly<Record<Quantifier['which'], (tally: Tally) => boolean>> = {
  all: ({ items, holding, unknown }) => holding + unknown < items,
  any: ({ holding }) => holding > 0,
  none: ({ holding }) => holding > 0,
  single: ({ holding }) => holding > 1,
};

const ANSWERS: Readonly<Record<Quantifier['which'], (tally: Tally) => boolean | null>> = {
  all: ({ items, holding, unknown }) => (holding + unknown < items ? false : unknown > 0 ? null : true),
  any: ({ holding, unknown }) => (holding > 0 ? true : unknown > 0 ? null : false),
  none: ({ holding, unknown }) => (holding > 0 ? false : unknown > 0 ? null : true),
  single: ({ holding, unknown }) => (holding > 1 ? false : unknown > 0 ? null : holding === 1),
};

/** `all(x IN list WHERE …)`, any, none, single: unknown where an unknown item could decide it. Null of null. */
export function compileQuantifier(expression: Quantifier, scope: Scope, compilePart: CompilePart): Part {
  const list = compilePart(expression.list, scope);
  const { slot, scope: inner } = scope.local(expression.variable.name);
  const where = compilePart(
    expression.where ?? { kind: 'variable', name: expression.variable.name, span: expression.variable.span },
    inner,
  );
  const [decided, answer] = [DECIDED[expression.which], ANSWERS[expression.which]];
  const name = `${expression.which}()`;
  const span = expression.list.span;
  const whereSpan = expression.where?.span ?? span;
  return madeOf([list, where], (row, run) => {
    const items = list.evaluate(row, run);
    if (items === null) return null;
    if (!isList(items)) throw wrongKind(name, 'a list', items, span);
    const tally = { items: 0, holding: 0, unknown: 0 };
    for (const item of items) {
      run.spend(1);
      row[slot] = item;
      const truth = truthOf(where.evaluate(row, run), 'WHERE', whereSpan);
      tally.items += 1;
      if (truth === true) tally.holding += 1;
      else if (truth === null) tally.unknown += 1;
      if (decided(tally)) break;
    }
    return answer(tally);
  });
}
