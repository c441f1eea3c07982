import { RE2JS, RE2JSException } from 're2js';
import { LIMITS } from '../../schema/index.js';
import type { Span } from '../ast.js';
import type { CypherValue } from '../value.js';
import { requireTextLength, shortText, valueFault, wrongKind } from '../values/index.js';
import { constantOf, madeOf, type Part } from './scope.js';

/**
 * `text =~ pattern`: whether the pattern fits the whole text. Patterns are RE2's, which are matched in linear time,
 * whatever they say: a graph is read for strangers, and no query may hold the engine up. Null for anything but texts.
 */
export function compileMatch(left: Part, right: Part, span: Span): Part {
  const fixed = constantOf(right);
  let last = typeof fixed === 'string' ? lazily(fixed, span) : null;
  return madeOf([left, right], (row, run) => {
    const text = left.evaluate(row, run);
    const pattern = right.evaluate(row, run);
    if (text === null || pattern === null) return null;
    if (typeof pattern !== 'string') throw wrongKind('=~', 'a pattern as a text', pattern, span);
    if (typeof text !== 'string') return null;
    requireTextLength(text.length, span);
    run.spend(1 + text.length / CHARACTERS_PER_STEP);
    if (last?.pattern !== pattern) last = lazily(pattern, span);
    return last.fits(text);
  });
}

/** So many characters of a text cost about as much as one item of a list. */
const CHARACTERS_PER_STEP = 16;

interface Matcher {
  readonly pattern: string;
  readonly fits: (text: string) => CypherValue;
}

/** Patterns are understood when they are first needed: a query that has no row to match is no error. */
function lazily(pattern: string, span: Span): Matcher {
  let compiled: RE2JS | null = null;
  return {
    pattern,
    fits: (text) => {
      compiled ??= understood(pattern, span);
      return compiled.testExact(text);
    },
  };
}

function understood(pattern: string, span: Span): RE2JS {
  if (pattern.length > LIMITS.cypherPatternLength.max) {
    const message = `A pattern of ${pattern.length} characters is too long: at most ${LIMITS.cypherPatternLength.max}.`;
    throw valueFault('Limit', 'ValueTooLarge', message, span);
  }
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    throw valueFault(
      'ArgumentError',
      'InvalidArgumentValue',
      `${shortText(pattern)} is no pattern: ${error.message}.`,
      span,
      'Patterns follow RE2: no look-around and no back references; (?i) ignores case, \\\\ escapes.',
    );
  }
}
