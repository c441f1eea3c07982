import type { Expression } from '../ast.js';
import { NOWHERE, namesIn, needsGraph } from './expression-tree.js';
import { type PatternHop, type PatternPath, quantifier, variableOf } from './pattern-graph.js';

/**
 * What conditions say of every relationship or node of a path, as conditions on one relationship of a hop: a walk need
 * not go where they fail. They are only necessary; the conditions themselves stay.
 * @param isBound Names that have values before the hop is walked.
 */
export function eachOf(
  hop: PatternHop,
  paths: readonly Pick<PatternPath, 'name' | 'hops'>[],
  conditions: readonly Expression[],
  isBound: (name: string) => boolean,
): Expression[] {
  const ofPaths = new Set(paths.filter(({ hops }) => hops.includes(hop)).map(({ name }) => name));
  return conditions.flatMap((condition) => {
    if (condition.kind !== 'quantifier' || condition.where === null) return [];
    const { which, variable, list, where } = condition;
    if (which !== 'all' && which !== 'none') return [];
    const about = subjectOf(list, hop, ofPaths);
    const others = [...namesIn(where)].filter((name) => name !== variable.name);
    if (about === null || needsGraph(where) || !others.every(isBound)) return [];
    const relationship = variableOf(hop.eachName);
    const items =
      about === 'nodes' ? [endOf('startNode', relationship), endOf('endNode', relationship)] : [relationship];
    return [quantifier(which, variable.name, { kind: 'list', items, span: NOWHERE }, where)];
  });
}

function subjectOf(
  list: Expression,
  hop: PatternHop,
  paths: ReadonlySet<string>,
): 'nodes' | 'relationships' | null {
  if (list.kind === 'variable') return list.name === hop.name ? 'relationships' : null;
  if (list.kind !== 'call') return null;
  const [path] = list.arguments;
  if (path?.kind !== 'variable' || !paths.has(path.name)) return null;
  const called = list.name.toLowerCase();
  return called === 'nodes' || called === 'relationships' ? called : null;
}

function endOf(name: string, relationship: Expression): Expression {
  return { kind: 'call', name, distinct: false, arguments: [relationship], span: NOWHERE };
}
