import type { Expression } from '../ast.js';
import { type Computation, computation } from './computation.js';
import type { MatchParts, PlanContext, Planned } from './context.js';
import { countOfTypes, growthOf, shareOf, shareOfAll, turned, typesOf } from './cost.js';
import { NOWHERE, namesIn, needsGraph } from './expression-tree.js';
import {
  hopsAt,
  type PatternGraph,
  type PatternHop,
  type PatternPath,
  type PatternShortest,
  patternGraph,
  quantifier,
  variableOf,
} from './pattern-graph.js';
import type { Plan } from './plan.js';
import { isHidden, type Scope } from './scope.js';
import { anyLabelOf, bestStart, isLabelOf } from './start.js';

/**
 * What conditions say of every relationship or node of a path, as conditions on one relationship of a hop: a walk need
 * not go where they fail. They are only necessary; the conditions themselves stay.
 * @param isBound Names that have values before the hop is walked.
 */
function eachOf(
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

/** Plans a MATCH: where it starts, in which order and direction it walks, and where each condition is checked. */
export function planMatch(context: PlanContext, parts: MatchParts, from: Planned): Planned {
  const planner = new MatchPlanner(context, parts, from);
  planner.run();
  return { plan: planner.plan, scope: planner.scope.knowing(planner.labels) };
}

class MatchPlanner {
  plan: Plan;
  readonly scope: Scope;
  /** Labels that conditions ask of nodes by name. */
  readonly labels = new Map<string, readonly string[]>();
  readonly #countsRows: boolean;
  readonly #pattern: PatternGraph;
  readonly #bound: Set<string>;
  readonly #hops: Set<PatternHop>;
  readonly #shortest: Set<PatternShortest>;
  readonly #paths: Set<PatternGraph['paths'][number]>;
  #conditions: Expression[];
  /** Slots of the relationships of hops that were walked. */
  readonly #walked: number[] = [];

  constructor(
    private readonly context: PlanContext,
    parts: MatchParts,
    from: Planned,
  ) {
    this.#countsRows = parts.countsRows;
    this.plan = from.plan;
    this.#pattern = patternGraph(parts.patterns, parts.where, from.scope);
    this.scope = this.#pattern.scope;
    this.#bound = new Set(from.scope.slots.keys());
    this.#hops = new Set(this.#pattern.hops);
    this.#shortest = new Set(this.#pattern.shortest);
    this.#paths = new Set(this.#pattern.paths);
    this.#conditions = [...this.#pattern.conditions, ...this.#presence()];
    for (const [name, labels] of from.scope.labels) this.labels.set(name, labels);
    for (const condition of this.#conditions) this.#learn(condition);
  }

  run(): void {
    this.#filter();
    while (true) {
      const hop = this.#nextHop();
      if (hop !== null) this.#walk(hop);
      else if (this.#pattern.nodes.some((node) => !this.#bound.has(node))) this.#start();
      else break;
      this.#filter();
    }
    for (const shortest of this.#shortest) {
      this.#findShortest(shortest);
      this.#filter();
    }
  }

  /** A node that is bound already and stands alone must at least be one. */
  #presence(): Expression[] {
    const walked = new Set(this.#pattern.hops.flatMap(({ left, right }) => [left, right]));
    return this.#pattern.nodes
      .filter((node) => this.#bound.has(node) && !walked.has(node))
      .map((node) => ({ kind: 'is null', operand: variableOf(node), negated: true, span: NOWHERE }));
  }

  #learn(condition: Expression): void {
    if (condition.kind !== 'has labels' || condition.on.kind !== 'variable') return;
    const { labels, on } = condition;
    const parts = labels.kind === 'and' ? labels.parts : [labels];
    const certain = parts.flatMap((part) => (part.kind === 'label' ? [part.name] : []));
    this.labels.set(on.name, [...new Set([...this.#labelsOf(on.name), ...certain])]);
  }

  #labelsOf(name: string): readonly string[] {
    return this.labels.get(name) ?? [];
  }

  #slot(name: string): number {
    return this.scope.slotOf(name) ?? -1;
  }

  readonly #isBound = (name: string): boolean =>
    this.#bound.has(name) || this.scope.slotOf(name) === undefined;

  /** Takes the conditions that can be checked once these names are bound too. */
  #takeConditions(...names: readonly string[]): Computation[] {
    for (const name of names) this.#bound.add(name);
    const isReady = (condition: Expression) =>
      !needsGraph(condition) && [...namesIn(condition)].every(this.#isBound);
    const ready = new Set(this.#conditions.filter(isReady));
    this.#conditions = this.#conditions.filter((condition) => !ready.has(condition));
    return [...ready].map((condition) => computation(condition, this.scope));
  }

  /** Names paths whose parts are there, and checks whatever can be checked by now. */
  #filter(): void {
    for (const path of this.#paths) {
      if (!this.#bound.has(path.first) || path.hops.some((hop) => this.#hops.has(hop))) continue;
      this.#paths.delete(path);
      this.plan = {
        kind: 'path',
        input: this.plan,
        estimate: this.plan.estimate,
        slot: this.#slot(path.name),
        name: path.name,
        first: this.#slot(path.first),
        relationships: path.hops.map((hop) => this.#slot(hop.name)),
      };
      this.#bound.add(path.name);
    }
    const predicates = this.#takeConditions();
    if (predicates.length > 0) {
      const estimate = this.plan.estimate * shareOfAll(predicates);
      this.plan = { kind: 'filter', input: this.plan, estimate, predicates };
    }
    for (const condition of this.#conditions) {
      if (![...namesIn(condition)].every(this.#isBound)) continue;
      this.#conditions = this.#conditions.filter((other) => other !== condition);
      const { plan, value } = this.context.hoist(condition, { plan: this.plan, scope: this.scope });
      this.plan = { kind: 'filter', input: plan, estimate: plan.estimate * 0.5, predicates: [value] };
    }
  }

  /** The hop that makes the fewest rows of those that begin at something bound. */
  #nextHop(): PatternHop | null {
    let best: PatternHop | null = null;
    let least = Number.POSITIVE_INFINITY;
    for (const hop of this.#hops) {
      const cost = this.#costOf(hop);
      if (cost < least) [best, least] = [hop, cost];
    }
    return best;
  }

  #costOf(hop: PatternHop): number {
    if (hop.bound) return 0;
    const [left, right] = [this.#bound.has(hop.left), this.#bound.has(hop.right)];
    if (!left && !right) return Number.POSITIVE_INFINITY;
    if (left && right) return 0.001;
    return this.#growth(hop, left) * this.#shareOn(left ? hop.right : hop.left);
  }

  #growth(hop: PatternHop, forward: boolean): number {
    const [from, to] = forward ? [hop.left, hop.right] : [hop.right, hop.left];
    return growthOf(
      hop,
      { labels: this.#labelsOf(from) },
      { labels: this.#labelsOf(to) },
      this.context.counts,
    );
  }

  /** What conditions keep that can be checked as soon as a name is bound. */
  #shareOn(name: string): number {
    return this.#conditions
      .filter((condition) => {
        const names = namesIn(condition);
        return names.has(name) && [...names].every((other) => other === name || this.#isBound(other));
      })
      .reduce((share, condition) => share * shareOf(condition), 1);
  }

  #start(): void {
    const unbound = this.#pattern.nodes.filter((node) => !this.#bound.has(node));
    const best = bestStart(this.context, unbound, {
      labelsOf: (node) => this.#labelsOf(node),
      conditions: this.#conditions,
      isBound: this.#isBound,
    });
    if (this.#startAtRelationship(best.rows)) return;
    const { node, seek, label } = best;
    const common = {
      input: this.plan,
      estimate: this.plan.estimate * best.rows,
      slot: this.#slot(node),
      name: node,
      hops: hopsAt(this.#pattern, node),
    };
    if (seek !== null) {
      const wanted = { kind: seek.kind, value: computation(seek.value, this.scope) };
      this.plan = {
        kind: 'seek',
        ...common,
        label,
        property: seek.property,
        wanted,
        predicates: this.#takeConditions(node),
      };
      return;
    }
    this.#conditions = this.#conditions.filter((condition) => !isLabelOf(condition, node, label));
    const labels = label === null ? anyLabelOf(this.#conditions, node) : [label];
    this.plan = { kind: 'scan', ...common, labels, predicates: this.#takeConditions(node) };
  }

  /** Starts at all relationships of a type where those are fewer than the nodes to start at. */
  #startAtRelationship(rows: number): boolean {
    const { counts } = this.context;
    for (const hop of this.#hops) {
      const types = typesOf(hop);
      if (hop.pattern.length !== null || hop.left === hop.right || (types !== null && types.length > 1))
        continue;
      if (this.#labelsOf(hop.left).length > 0 || this.#labelsOf(hop.right).length > 0) continue;
      const count = countOfTypes(types, counts);
      if (count >= rows) continue;
      const { direction } = hop.pattern;
      const [start, end] = direction === 'in' ? [hop.right, hop.left] : [hop.left, hop.right];
      this.#hops.delete(hop);
      this.plan = {
        kind: 'relationship scan',
        input: this.plan,
        estimate: this.plan.estimate * count,
        name: hop.name,
        type: types?.[0] ?? null,
        slot: this.#slot(hop.name),
        start: this.#slot(start),
        end: this.#slot(end),
        both: direction === 'both',
        unlike: [...this.#walked],
        predicates: this.#takeConditions(start, end, hop.name),
      };
      this.#walked.push(this.#slot(hop.name));
      return true;
    }
    return false;
  }

  #walk(hop: PatternHop): void {
    this.#hops.delete(hop);
    const unlike = [...this.#walked];
    this.#walked.push(this.#slot(hop.name));
    if (hop.bound) {
      this.#takeEnds(hop, unlike);
      return;
    }
    const [left, right] = [this.#bound.has(hop.left), this.#bound.has(hop.right)];
    const forward = left && (!right || this.#growth(hop, true) <= this.#growth(hop, false));
    const [from, to] = forward ? [hop.left, hop.right] : [hop.right, hop.left];
    const { direction, length } = hop.pattern;
    const single = length === null;
    const common = {
      input: this.plan,
      estimate: this.plan.estimate * (left && right ? 0.5 : this.#growth(hop, forward) * this.#shareOn(to)),
      from: this.#slot(from),
      to: this.#slot(to),
      names: { from, to, relationship: hop.name },
      direction: forward ? direction : turned(direction),
      types: typesOf(hop),
      pattern: {
        single,
        near: single ? this.#labelsOf(from) : [],
        far: single ? this.#labelsOf(to) : [],
      },
      into: left && right,
      unlike,
    };
    if (length === null) {
      const predicates = this.#takeConditions(to, hop.name);
      this.plan = { kind: 'expand', ...common, relationship: this.#slot(hop.name), predicates };
      return;
    }
    const each = this.#each(hop);
    const needsList = this.#needsList(hop);
    const min = length.min ?? 1;
    this.plan = {
      kind: 'variable expand',
      ...common,
      mode: !this.#countsRows && !needsList && min <= 1 ? 'reach' : 'trails',
      min,
      max: length.max,
      list: needsList ? this.#slot(hop.name) : null,
      reversed: !forward,
      relationship: this.#slot(hop.eachName),
      each,
      predicates: this.#takeConditions(to, hop.name),
    };
  }

  #each(hop: PatternHop): Computation[] {
    const shortest = [...this.#pattern.shortest].map(({ path, hop: only }) => ({ name: path, hops: [only] }));
    const more = eachOf(hop, [...this.#pattern.paths, ...shortest], this.#conditions, this.#isBound);
    return [...hop.each, ...more].map((condition) => computation(condition, this.scope));
  }

  /** Whether anything asks which relationships several hops went over. */
  #needsList(hop: PatternHop): boolean {
    const { mentions, usesAll } = this.context.survey;
    if (!isHidden(hop.name) && (usesAll || (mentions.get(hop.name) ?? 0) > 1)) return true;
    return this.#pattern.hops.length > 1 || this.#pattern.paths.some(({ hops }) => hops.includes(hop));
  }

  #takeEnds(hop: PatternHop, unlike: readonly number[]): void {
    const end = (name: string) => ({ slot: this.#slot(name), bound: this.#bound.has(name) });
    const { direction, length } = hop.pattern;
    const ends = { left: end(hop.left), right: end(hop.right) };
    this.plan = {
      kind: 'endpoints',
      input: this.plan,
      estimate: this.plan.estimate,
      relationship: this.#slot(hop.name),
      name: hop.name,
      ...ends,
      direction,
      types: typesOf(hop),
      length: length && { min: length.min ?? 1, max: length.max },
      unlike,
      predicates: this.#takeConditions(hop.left, hop.right),
    };
  }

  #findShortest({ hop, path, all }: PatternShortest): void {
    const { direction, length } = hop.pattern;
    const each = this.#each(hop);
    this.plan = {
      kind: 'shortest',
      input: this.plan,
      estimate: this.plan.estimate,
      from: this.#slot(hop.left),
      to: this.#slot(hop.right),
      names: { from: hop.left, to: hop.right },
      direction,
      types: typesOf(hop),
      min: length?.min ?? 1,
      max: length === null ? 1 : length.max,
      all,
      path: this.#slot(path),
      list: this.#slot(hop.name),
      relationship: this.#slot(hop.eachName),
      each,
      predicates: this.#takeConditions(path, hop.name),
    };
  }
}
