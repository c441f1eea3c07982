import { byText } from '../../resolution/file-path.js';
import type { Remembered } from '../../resolution/lookups.js';
import type { Program } from '../../resolution/program.js';
import type { Sym, UnitView } from '../unit-view.js';
import { typeNamed } from './annotations.js';
import { ancestorsOf, isClass } from './classes.js';
import type { FlowEvaluator } from './evaluator.js';

/** Members that a computed name may be, and classes that are searched for them: where there are more, none are listed. */
const MOST_FITTING = 256;

const related = new WeakMap<Program, Map<Sym, Remembered<readonly Sym[]>>>();

/**
 * The methods that a computed name, `visit_*`, may be: of the class that an expression is an instance of, of those behind
 * it and derived from it.
 *
 * @param row The member expression.
 */
export function fittingMembers(
  evaluator: FlowEvaluator,
  view: UnitView,
  row: number,
  name: string,
): readonly Sym[] {
  const base = row < 0 ? -1 : (view.unit.expressions.base[row] ?? -1);
  const values = base < 0 ? null : evaluator.ask(base);
  const [owner, ...others] = values?.all ?? [];
  if (!values || values.incomplete || others.length > 0) return [];
  if (owner?.kind !== 'instance' && owner?.kind !== 'class') return [];
  const [start = '', end = ''] = name.split('*');
  const fits = (one: string) =>
    one.length > start.length + end.length && one.startsWith(start) && one.endsWith(end);
  const found: Sym[] = [];
  for (const { view: of, row: symbol } of relatedTo(evaluator, owner.symbol))
    for (const [member, entries] of of.scopeNames(of.unit.symbols.body[symbol] ?? -1)) {
      if (!fits(member)) continue;
      const last = entries.findLast(
        (entry) => entry.table === 'symbol' && of.facts.definitions[entry.row]?.form === 'method',
      );
      if (last && found.push(of.symbol(last.row)) > MOST_FITTING) return [];
    }
  return found.sort((a, b) => byText(a.view.path, b.view.path) || a.row - b.row);
}

/** A class, those that derive from it, and all that are behind any of them; none where there are too many. */
function relatedTo(evaluator: FlowEvaluator, owner: Sym): readonly Sym[] {
  const { program } = evaluator;
  let known = related.get(program);
  if (!known) {
    known = new Map();
    related.set(program, known);
  }
  return program.lookups.remembered(known, owner, () => {
    const derived = new Set([owner]);
    for (const base of derived) {
      const paths = program.derived.get(base.view.symbolName(base.row)) ?? [];
      if (paths.length + derived.size > MOST_FITTING) return [];
      for (const path of paths) {
        const view = evaluator.view(path);
        for (let row = 0; view && row < view.unit.symbols.length; row += 1)
          if (isClass(view.symbol(row)) && derivesFrom(evaluator, view, row, base))
            derived.add(view.symbol(row));
      }
    }
    for (const one of [...derived].flatMap((each) => ancestorsOf(evaluator, each))) if (one) derived.add(one);
    return [...derived];
  });
}

function derivesFrom(evaluator: FlowEvaluator, view: UnitView, row: number, base: Sym): boolean {
  return view.basesOf(row).some((one) => {
    const named = typeNamed(evaluator, view, view.unit.bases.type[one] ?? -1);
    return named?.kind === 'symbol' && named.symbol === base;
  });
}
