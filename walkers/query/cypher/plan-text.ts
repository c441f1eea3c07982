import type { DescribedPlan } from '../../../cypher/index.js';

/** A plan as a tree: what runs last stands first, and what each line gets its rows from is indented below it. */
export function planText(plan: DescribedPlan): string {
  return linesOf(plan, 0).join('\n');
}

function linesOf(
  { operator, details, estimatedRows, figures, inputs }: DescribedPlan,
  depth: number,
): string[] {
  const told =
    figures === undefined
      ? `about ${estimatedRows} rows`
      : `${figures.rows} rows, ${figures.hits} looks, ${figures.ms.toFixed(2)} ms`;
  const line = `${'  '.repeat(depth)}${[operator, details].filter(Boolean).join(' ')}  (${told})`;
  return [line, ...inputs.flatMap((input) => linesOf(input, depth + 1))];
}
