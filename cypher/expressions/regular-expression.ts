import { RE2JS, RE2JSException } from 're2js';
import { LIMITS } from '../../schema/index.js';
import type { Span } from '../ast.js';
import { shortText, valueFault, wrongKind } from '../values/index.js';
import { madeOf, type Part } from './scope.js';

/** `{3}`, `{3,}`, `{3,7}` at a place. */
const COUNTED = /\{(\d+)(?:,(\d*))?\}/uy;
/** One character, class or escape at a place, as far as it has to be told from a bracket. */
const ATOM =
  /\\Q[\s\S]*?(?:\\E|$)|\\[pP]\{[^}]*\}|\\x\{[^}]*\}|\\[\s\S]?|\[\^?\]?(?:\[:\^?\w+:\]|\\[\s\S]|[^\]\\])*\]?|[\s\S]/uy;

/**
 * How large a pattern gets once its counted repeats are written out: `(ab){3}c{2}` is 8. What matching may cost is
 * that times the length of the text.
 */
export function patternSize(pattern: string): number {
  const open: number[] = [];
  let [before, last] = [0, 0];
  for (let place = 0; place < pattern.length; ) {
    const atom = matchAt(ATOM, pattern, place)?.[0] ?? '';
    const counted = atom === '{' ? matchAt(COUNTED, pattern, place) : null;
    if (counted !== null) {
      last *= Math.max(1, Number(counted[2] || counted[1]));
    } else if (atom === '(') {
      open.push(before + last);
      [before, last] = [0, 0];
    } else if (atom === ')') {
      last += before + 1;
      before = open.pop() ?? 0;
    } else {
      before += last;
      last = atom.length > 3 && atom.startsWith('\\Q') ? atom.length : 1;
    }
    place += counted?.[0].length ?? Math.max(1, atom.length);
  }
  return open.reduce((sum, outer) => sum + outer, before + last);
}

function matchAt(expression: RegExp, text: string, place: number): RegExpExecArray | null {
  expression.lastIndex = place;
  return expression.exec(text);
}

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
