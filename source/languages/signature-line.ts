/** Strings, which stay as they are, and round brackets with the blanks and the trailing comma inside of them. */
const PARTS = /(?<!\\)(?:"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`)|\( ?|,? ?\)/g;

/**
 * A head whose white space is folded, as it would have been written on one line: no blank behind `(` and before `)`,
 * no trailing comma. `hasTuples`: in a language where `(x,)` is not `(x)`, the comma only goes from brackets that
 * stand right behind a name, as those of parameters do.
 */
export function signatureLine(folded: string, hasTuples: boolean): string {
  const tuples: boolean[] = [];
  return folded.replace(PARTS, (part, at: number) => {
    if (part.startsWith('(')) {
      tuples.push(hasTuples && !/[\p{ID_Continue}\]]/u.test(folded[at - 1] ?? ''));
      return '(';
    }
    if (!part.endsWith(')')) return part;
    return tuples.pop() && part.startsWith(',') ? ',)' : ')';
  });
}
