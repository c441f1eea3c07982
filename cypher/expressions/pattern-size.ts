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
