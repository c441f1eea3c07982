import type { Query } from '../ast.js';

/** What a query mentions, wherever it does. */
export interface Survey {
  readonly labels: ReadonlySet<string>;
  readonly types: ReadonlySet<string>;
  readonly properties: ReadonlySet<string>;
  /** Texts and parameters that properties are compared with, by the property: of `{name: 'a'}` and `n.name = $b`. */
  readonly wanted: readonly Wanted[];
  /** How often each variable is spelled. */
  readonly mentions: ReadonlyMap<string, number>;
  /** Whether `WITH *` or `RETURN *` stands anywhere: every variable is used then. */
  readonly usesAll: boolean;
}

/** A text that a property is compared with, or the name of the parameter that holds it. */
export interface Wanted {
  readonly property: string;
  readonly text: string;
  readonly isParameter: boolean;
}

interface Findings {
  wanted: Wanted[];
  labels: Set<string>;
  types: Set<string>;
  properties: Set<string>;
  mentions: Map<string, number>;
  usesAll: boolean;
}

/** Looks through a whole query. */
export function surveyOf(query: Query): Survey {
  const findings: Findings = {
    labels: new Set(),
    types: new Set(),
    properties: new Set(),
    wanted: [],
    mentions: new Map(),
    usesAll: false,
  };
  visit(query, '', findings);
  return findings;
}

/** @param role The field in which the part stands. */
function visit(part: unknown, role: string, findings: Findings): void {
  if (Array.isArray(part)) {
    for (const item of part) visit(item, role, findings);
    return;
  }
  if (!isRecord(part)) return;
  const { kind, name, key, types } = part;
  if (typeof name === 'string') {
    if (kind === 'label') findings.labels.add(name);
    else if (NAMING_ROLES.has(role) || kind === 'variable') {
      findings.mentions.set(name, (findings.mentions.get(name) ?? 0) + 1);
    }
  }
  if (typeof key === 'string' && (kind === 'property' || role === 'pattern map'))
    findings.properties.add(key);
  if (typeof key === 'string' && role === 'pattern map') want(key, part.value, findings);
  if (kind === 'comparison' && Array.isArray(part.operands) && Array.isArray(part.operators))
    for (const [at, operator] of part.operators.entries()) {
      const [left, right]: unknown[] = part.operands.slice(at, at + 2);
      if (operator !== '=') continue;
      for (const [one, other] of [
        [left, right],
        [right, left],
      ])
        if (isRecord(one) && one.kind === 'property' && typeof one.key === 'string')
          want(one.key, other, findings);
    }
  if (Array.isArray(types)) for (const type of types) if (typeof type === 'string') findings.types.add(type);
  if (part.all === true) findings.usesAll = true;
  const isPatternMap = role === 'properties' && kind === 'map';
  for (const [field, value] of Object.entries(part)) {
    if (field !== 'span') visit(value, isPatternMap && field === 'entries' ? 'pattern map' : field, findings);
  }
}

function want(property: string, value: unknown, { wanted }: Findings): void {
  if (!isRecord(value)) return;
  const text = value.kind === 'literal' ? value.value : value.kind === 'parameter' ? value.name : null;
  if (typeof text === 'string') wanted.push({ property, text, isParameter: value.kind === 'parameter' });
}

/** Fields that hold a name where it is made or brought in. */
const NAMING_ROLES = new Set(['variable', 'alias', 'accumulator', 'imports']);

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
