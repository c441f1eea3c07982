import type { TypeFact } from '../facts.js';
import type { FlowFact, ValueFact } from '../flow-facts.js';
import {
  declaredTypes,
  definitionAt,
  Grouping,
  type ModuleTable,
  type Place,
  parameterNamed,
  TOP,
  typesByScope,
} from './module-table.js';
import { reaching } from './reaching.js';

/** What tells the type of a name, and from where what it says is looked up; null place: from where the name is used. */
export interface ToldType {
  readonly fact: TypeFact;
  readonly place: Place | null;
}

/**
 * What tells the type of a variable or parameter of a scope at a place of that scope, `at` null from elsewhere. An
 * annotation of a variable holds for all that is assigned to it. Anything else holds until the name is bound again, so
 * all bindings that can be the last one must tell the same; null when they do not. Undefined when the scope has no such
 * name.
 */
export function toldType(
  table: ModuleTable,
  name: string,
  scope: number,
  at: Place | null,
): ToldType | null | undefined {
  const facts = table.types.get(name) ?? [];
  const own = typesByScope.in(facts, scope);
  const declared = declaredTypes.in(own, true);
  const [first] = declared;
  if (first) return areAlike(declared) ? { fact: first, place: null } : null;
  const isParameter = scope !== TOP && parameterNamed(definitionAt(table, scope), name) >= 0;
  const found = reaching(table, name, scope, at, false);
  if (!found && !isParameter) return own.length > 0 ? null : undefined;
  const told = (found?.flows ?? [])
    // `None` has no members: what is found on the name is not found on that.
    .filter((flow) => !isOwnNothing(flow, scope))
    .map((flow) => toldBy(flow, facts));
  if (isParameter && !found?.isWhole) {
    const [fact] = typesOfParameters.in(own, true);
    told.push(fact ? { fact, place: null } : null);
  }
  return agreed(told);
}

/** Whether a scope itself assigns `None`: when that is done from elsewhere, nobody knows when. */
export function isOwnNothing({ value, from }: FlowFact, scope: number): boolean {
  return isNothing(value) && (from ?? TOP) === scope;
}

/** Whether a value is `None`. */
export function isNothing(value: ValueFact | null): boolean {
  return typeof value === 'object' && value !== null && 'literal' in value && value.literal === null;
}

/** What parameters are said to be, by annotations and defaults. */
const typesOfParameters = new Grouping(
  ({ source }: TypeFact) => source === 'parameter' || source === 'default',
);

const alike = new WeakMap<readonly TypeFact[], boolean>();

/** Whether all tell the same type. Found out once for a list. */
function areAlike(facts: readonly TypeFact[]): boolean {
  const known = alike.get(facts) ?? facts.every(({ type }) => type === facts[0]?.type);
  alike.set(facts, known);
  return known;
}

function agreed(told: readonly (ToldType | null)[]): ToldType | null {
  const [first] = told;
  return first && told.every((one) => one?.fact.type === first.fact.type) ? first : null;
}

const typesByTeller = new Grouping((fact: TypeFact) => `${fact.from ?? TOP} ${fact.type}`);

/** What the same assignment tells as a type. */
function toldBy(flow: FlowFact, facts: readonly TypeFact[]): ToldType | null {
  const callee = calleeOf(flow.value);
  const [fact] = callee === null ? [] : typesByTeller.in(facts, `${flow.from ?? TOP} ${callee}`);
  return fact ? { fact, place: flow } : null;
}

/** The callee whose result a value is, be it entered by `with`. */
function calleeOf(value: ValueFact | null): string | null {
  if (value === null || typeof value === 'string' || !('call' in value)) return null;
  const { call } = value;
  if (typeof call === 'string') return call;
  return 'member' in call && call.member === '__enter__' ? calleeOf(call.of) : null;
}
