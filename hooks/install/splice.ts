import { createScanner, type Node } from 'jsonc-parser';

/** A change of a text: what stands at an offset makes way for something else. */
export interface Splice {
  readonly offset: number;
  readonly length: number;
  readonly text: string;
}

/** A text with changes that do not overlap. */
export function spliced(text: string, splices: readonly Splice[]): string {
  return [...splices]
    .sort((a, b) => b.offset - a.offset)
    .reduce(
      (so, { offset, length, text: fresh }) => so.slice(0, offset) + fresh + so.slice(offset + length),
      text,
    );
}

/**
 * What puts a property behind the last one of an object, or (without a key) an element behind the last one of an array,
 * written as its surroundings are: line ends, indentation, or all on one line.
 */
export function insertion(text: string, into: Node, value: unknown, key?: string): Splice {
  const style = styleOf(text);
  const last = into.children?.at(-1);
  const outer = indentationAt(text, into.offset);
  const inner = last === undefined ? outer + style.unit : indentationAt(text, last.offset);
  const name = key === undefined ? '' : `${JSON.stringify(key)}:${style.flat ? '' : ' '}`;
  const json = style.flat ? JSON.stringify(value) : JSON.stringify(value, null, style.unit);
  const fresh = name + json.replaceAll('\n', style.newline + inner);
  if (style.flat)
    return { offset: last ? end(last) : into.offset + 1, length: 0, text: last ? `,${fresh}` : fresh };
  const line = `${style.newline}${inner}${fresh}`;
  if (last !== undefined) return { offset: end(last), length: 0, text: `,${line}` };
  // Behind an object of one line, its end stands on a line of its own.
  const closes = text.slice(into.offset + 1, end(into) - 1).trim() === '';
  return {
    offset: into.offset + 1,
    length: closes ? into.length - 2 : 0,
    text: `${line}${closes ? style.newline + outer : ''}`,
  };
}

/** What takes a property or an element out again, with its comma and, where it had lines of its own, those. */
export function removal(text: string, child: Node): Splice[] {
  const inside = onlyOneIn(text, child);
  if (inside !== null) return [inside];
  const after = tokenBehind(text, end(child));
  const own = { offset: child.offset, length: child.length };
  if (text[after] === ',') own.length = after + 1 - child.offset;
  const line = wholeLines(text, own);
  if (text[after] === ',') return [{ ...line, text: '' }];
  const before = commaBefore(text, child);
  const comma = before === null ? [] : [{ offset: before, length: 1, text: '' }];
  return [...comma, { ...line, text: '' }];
}

function end(node: Node): number {
  return node.offset + node.length;
}

function styleOf(text: string): { newline: string; unit: string; flat: boolean } {
  return {
    newline: /\r?\n/u.exec(text)?.[0] ?? '\n',
    unit: /^([ \t]+)["{[\]}]/mu.exec(text)?.[1] ?? '  ',
    flat: !text.trim().includes('\n') && text.trim() !== '{}',
  };
}

/** The white space at the beginning of the line that an offset is in. */
function indentationAt(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  return /^[ \t]*/u.exec(text.slice(start, offset))?.[0] ?? '';
}

/** Where the next token is that is no comment. */
function tokenBehind(text: string, offset: number): number {
  const scanner = createScanner(text, true);
  scanner.setPosition(offset);
  scanner.scan();
  return scanner.getTokenOffset();
}

/** Where the comma before a child stands; null where it is the first. */
function commaBefore(text: string, child: Node): number | null {
  const siblings = child.parent?.children ?? [];
  const before = siblings[siblings.indexOf(child) - 1];
  return before === undefined ? null : tokenBehind(text, end(before));
}

/** All that is between the brackets of what holds nothing but this child, no comment either; null where it holds more. */
function onlyOneIn(text: string, child: Node): Splice | null {
  const { parent } = child;
  if (parent === undefined || (parent.type !== 'object' && parent.type !== 'array')) return null;
  const before = text.slice(parent.offset + 1, child.offset);
  const after = text.slice(end(child), end(parent) - 1);
  if (`${before}${after.replace(',', '')}`.trim() !== '') return null;
  return { offset: parent.offset + 1, length: parent.length - 2, text: '' };
}

/** A range, and the line ends and white space around it where nothing else stands on its lines. */
function wholeLines(text: string, { offset, length }: { offset: number; length: number }) {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  const stop = offset + length;
  const alone = text.slice(start, offset).trim() === '' && /^[ \t]*(?:\r?\n|$)/u.test(text.slice(stop));
  if (!alone || start === 0) return { offset, length };
  const from = text[start - 2] === '\r' ? start - 2 : start - 1;
  const trailing = /^[ \t]*/u.exec(text.slice(stop))?.[0].length ?? 0;
  return { offset: from, length: stop + trailing - from };
}
