/**
 * A long text's beginning and end, what lies between told in the text; shorter ones as they are.
 *
 * @param most Characters that are kept.
 */
export function bothEnds(text: string, most: number): string {
  if (text.length <= most) return text;
  const left = text.length - most;
  const head = text.slice(0, most >> 1);
  const tail = text.slice(text.length - (most - head.length));
  return `${head}\n[… ${left} characters left out …]\n${tail}`;
}
