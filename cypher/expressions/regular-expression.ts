import { RE2JS, RE2JSException } from 're2js';
import { LIMITS } from '../../schema/index.js';
import type { Span } from '../ast.js';
import { shortText, valueFault, wrongKind } from '../values/index.js';
import { patternSize } from './pattern-size.js';
import { madeOf, type Part } from './scope.js';

/**
 * `text =~ pattern`: whether the pattern fits the whole text. Patterns are RE2's, which are matched in linear time,
 * whatever they say: a graph is read for strangers, and no query may hold the engine up. Null for anything but texts.
 */
export function compileMatch(left: Part, right: Part, span: Span): Part {
  let last: Pattern | null = null;
  return madeOf([left, right], (row, run) => {
    const text = left.evaluate(row, run);
    const pattern = right.evaluate(row, run);
    if (text === null || pattern === null) return null;
    if (typeof pattern !== 'string') throw wrongKind('=~', 'a pattern as a text', pattern, span);
    if (typeof text !== 'string') return null;
    if (last?.written !== pattern) last = understood(pattern, span);
    const work = last.size * text.length;
    if (work > LIMITS.cypherPatternWork.max) throw tooMuch(pattern, text, span);
    run.spend(1 + Math.floor(work / WORK_PER_ITEM));
    return last.expression.testExact(text);
  });
}

/** So much work at most costs about as much as one item of a list. */
const WORK_PER_ITEM = 64;

interface Pattern {
  readonly written: string;
  readonly size: number;
  readonly expression: RE2JS;
}

function understood(pattern: string, span: Span): Pattern {
  const size = patternSize(pattern);
  const most = LIMITS.cypherPatternSize.max;
  if (size > most || pattern.length > most) {
    const message = `The pattern ${shortText(pattern)} is too large: ${size}, its repeats written out; at most ${most}.`;
    throw valueFault('Limit', 'ValueTooLarge', message, span);
  }
  try {
    return { written: pattern, size, expression: RE2JS.compile(pattern) };
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    throw valueFault(
      'ArgumentError',
      'InvalidArgumentValue',
      `${shortText(pattern)} is no pattern: ${error.message}.`,
      span,
      'Patterns follow RE2: no look-around and no back references; (?i) ignores case.',
    );
  }
}

function tooMuch(pattern: string, text: string, span: Span) {
  const message = `The pattern ${shortText(pattern)} is too large for a text of ${text.length} characters.`;
  return valueFault('Limit', 'ValueTooLarge', message, span, 'Use CONTAINS, or match a substring().');
}
