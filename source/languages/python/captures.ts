import type { Syntax } from './syntax.js';

/** The names that the patterns of a `case` capture; a dotted one that is looked up may be among them. */
export function capturesOf(node: Syntax): Syntax[] {
  return node.children.flatMap((one) => {
    if (one.kind === 'block') return [];
    const name = captured(one);
    return name ? [name, ...capturesOf(one)] : capturesOf(one);
  });
}

function captured({ kind, children }: Syntax): Syntax | undefined {
  const name =
    kind === 'case_pattern' || kind === 'splat_pattern'
      ? children[0]
      : kind === 'keyword_pattern'
        ? children[1]
        : kind === 'as_pattern'
          ? children[children.length - 1]
          : undefined;
  return name?.kind === 'dotted_name' || name?.kind === 'identifier' ? name : undefined;
}
