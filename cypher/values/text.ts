import { temporalText } from '../temporal/index.js';
import type { CypherValue } from '../value.js';
import { isDuration, isInstant, isList, isMap } from './kinds.js';

const SHORT = 40;

/**
 * A FLOAT as `toString` writes it: always with a point or an exponent, so that it reads back as a FLOAT. Plain from
 * 0.001 up to ten millions, else with an exponent, as Java's `Double.toString` does, which Cypher users know.
 */
export function floatText(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'NaN' : value > 0 ? 'Infinity' : '-Infinity';
  if (value === 0) return Object.is(value, -0) ? '-0.0' : '0.0';
  const size = Math.abs(value);
  if (size >= 1e-3 && size < 1e7) {
    const plain = String(value);
    return plain.includes('.') ? plain : `${plain}.0`;
  }
  const [digits = '', exponent = ''] = value.toExponential().split('e');
  return `${digits.includes('.') ? digits : `${digits}.0`}E${exponent.replace('+', '')}`;
}

/** A value as it would be written in a query; elements and paths in the form of a pattern. */
export function literalText(value: CypherValue): string {
  switch (typeof value) {
    case 'string':
      return quoted(value);
    case 'number':
      return floatText(value);
    case 'bigint':
    case 'boolean':
      return String(value);
  }
  if (value === null) return 'null';
  if (isList(value)) return `[${value.map(literalText).join(', ')}]`;
  if (isMap(value)) {
    return `{${[...value].map(([key, item]) => `${nameText(key)}: ${literalText(item)}`).join(', ')}}`;
  }
  if (isInstant(value) || isDuration(value)) return `${value.kind}('${temporalText(value)}')`;
  if (value.kind === 'path') return `a path of ${value.relationships.length}`;
  return value.kind === 'node' ? `(${literalText(value.id)})` : `[:${nameText(value.type)}]`;
}

/** {@link literalText}, cut where it gets long. */
export function shortText(value: CypherValue): string {
  if (typeof value === 'string' && value.length > SHORT) return `${quoted(value.slice(0, SHORT))}…`;
  if (value !== null && typeof value === 'object') {
    if (isList(value) && value.length > 4) {
      return `[${value.slice(0, 3).map(shortText).join(', ')}, … ${value.length} in all]`;
    }
    if (isMap(value) && value.size > 4) return `a map of ${value.size} entries`;
  }
  const text = literalText(value);
  return text.length > 2 * SHORT ? `${text.slice(0, 2 * SHORT)}…` : text;
}

function quoted(text: string): string {
  const escaped = text.replace(/[\\']/gu, '\\$&').replace(/\n/gu, '\\n').replace(/\r/gu, '\\r');
  return `'${escaped}'`;
}

/** A name as it is written: with backticks where it is no plain word. */
function nameText(name: string): string {
  return /^[\p{L}_][\p{L}\p{N}_]*$/u.test(name) ? name : `\`${name.replaceAll('`', '``')}\``;
}
