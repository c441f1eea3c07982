import type { Query } from '../ast.js';

/** What a query mentions, wherever it does. */
export interface Survey {
  readonly labels: ReadonlySet<string>;
  readonly types: ReadonlySet<string>;
  readonly properties: ReadonlySet<string>;
  /** How often each variable is spelled. */
  readonly mentions: ReadonlyMap<string, number>;
  /** Whether `WITH *` or `RETURN *` stands anywhere: every variable is used then. */
  readonly usesAll: boolean;
}

interface Findings {
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
  if (Array.isArray(types)) for (const type of types) if (typeof type === 'string') findings.types.add(type);
  if (part.all === true) findings.usesAll = true;
  const isPatternMap = role === 'properties' && kind === 'map';
  for (const [field, value] of Object.entries(part)) {
    if (field !== 'span') visit(value, isPatternMap && field === 'entries' ? 'pattern map' : field, findings);
  }
}

/** Fields that hold a name where it is made or brought in. */
const NAMING_ROLES = new Set(['variable', 'alias', 'accumulator', 'imports']);

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
