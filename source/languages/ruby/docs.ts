import type { Lowering, NodeId } from '../../lower/index.js';

/** What a comment says of types, as written: YARD's tags, and TomDoc's lists of arguments. */
export interface Doc {
  readonly params: ReadonlyMap<string, string>;
  /** Empty where nothing is said. */
  readonly returns: string;
}

/** What no comment says. */
export const NO_DOC: Doc = { params: new Map(), returns: '' };

const PARAM = /^@param\s+(?:\[([^\]]+)\]\s+(\w+)|(\w+)\s+\[([^\]]+)\])/;
const RETURN = /^@return\s+\[([^\]]+)\]/;
/** `site - The Site that is built` */
const ARGUMENT = /^(\w+)\s+- (?:(?:[Tt]he|[Aa]n?) )?([A-Z][\w:]*)(?![\w:-])/;
/** `Returns the Site.` What a list holds, it does not say. */
const GIVES =
  /^Returns (?:the |an? )?(?!Array|Hash|String|Boolean)([A-Z][\w:]*)(?: object| instance)?(?:[.,]|$| (?:that|for|with|which)\b)/;

/** What the comment above a node says. */
export function docAbove(to: Lowering, node: NodeId): Doc {
  const { text } = to.tree;
  let end = text.lastIndexOf('\n', to.tree.start(node) - 1);
  const lines: string[] = [];
  while (end > 0) {
    const start = text.lastIndexOf('\n', end - 1) + 1;
    const line = text.slice(start, end).trim();
    if (!line.startsWith('#')) break;
    lines.unshift(line.replace(/^#+\s*/, ''));
    end = start - 1;
  }
  if (lines.length === 0) return NO_DOC;
  const params = new Map<string, string>();
  let returns = '';
  for (const line of lines) {
    const [, type, name, other, second] = PARAM.exec(line) ?? [];
    const [, argument, of = ''] = ARGUMENT.exec(line) ?? [];
    if (name ?? other) params.set(name ?? other ?? '', type ?? second ?? '');
    else if (argument) params.set(argument, of);
    returns ||= RETURN.exec(line)?.[1] ?? GIVES.exec(line)?.[1] ?? '';
  }
  return { params, returns };
}

/** The row of a type as comments write it: `A::B`, `Array<A>`, `A, nil`; -1 of what says nothing. */
export function documentedType(to: Lowering, written: string, at: number): number {
  const parts = alternatives(written).filter((one) => one !== 'nil' && one !== '');
  const rows = parts.map((one) => singleType(to, one, at));
  const [only = -1] = rows;
  if (rows.length < 2 || rows.includes(-1)) return rows.length < 2 ? only : -1;
  return to.addType({ kind: 'either', parts: rows, at });
}

/** `A, B<C, D>` as two: what stands in brackets is not parted. */
function alternatives(written: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const mark of written) {
    depth += mark === '<' ? 1 : mark === '>' ? -1 : 0;
    if (mark === ',' && depth === 0) parts.push('');
    else parts.push(`${parts.pop() ?? ''}${mark}`);
  }
  return parts.map((one) => one.trim());
}

function singleType(to: Lowering, written: string, at: number): number {
  const list = /^(?:Array|Set|Enumerable)?<(.*)>$/.exec(written)?.[1];
  if (list !== undefined) {
    const base = documentedType(to, list, at);
    return base < 0 ? -1 : to.addType({ kind: 'list', base, at });
  }
  if (!/^(?:::)?[A-Z][\w:]*$/.test(written) || /^(?:Boolean|Object|void)$/.test(written)) return -1;
  const names = written.replace(/^::/, '').split('::');
  let base = -1;
  for (const [index, name] of names.entries()) {
    const isRoot = index === 0 && written.startsWith('::');
    base = to.addType({ kind: 'name', name, base, at, ...(isRoot && { scope: 0 }) });
  }
  return base;
}
