import { type Block, blocksOf } from './blocks.js';
import { commentEnd } from './tags.js';
import { scriptsOf, type TemplateScript } from './template.js';

/**
 * A single-file component as one script of the same length and the same lines: its scripts as they are, and of its
 * template each piece of script as a statement where it stands, `:user="user"` as `;(user)`. All else is blank, so that
 * whatever a grammar finds in it is found at its place in the file.
 */
export function scriptText(text: string): string {
  const out = new Overlay(text);
  let behind = 0;
  for (const block of blocksOf(text)) {
    comments(out, text, behind, block.tag.start);
    if (block.kind === 'template') comments(out, text, block.from, block.to);
    behind = block.end;
    out.put(block.tag.start, ';');
    if (block.kind === 'script') out.keep(block.from, block.to);
    else if (block.kind === 'template')
      for (const script of scriptsOf(text, block)) statement(out, text, script);
    if (block.to < text.length && block.to > block.from) terminate(out, text, block);
  }
  comments(out, text, behind, text.length);
  return out.text();
}

/**
 * Ends what stands in a block. On a line of its own an empty block does so without becoming part of the last statement,
 * as a semicolon would that the code does without.
 */
function terminate(out: Overlay, text: string, { from, to }: Block): void {
  const end = text.slice(Math.max(from, to - 200), to);
  if (!/[\r\n]/.test(end.slice(end.trimEnd().length))) {
    out.put(to, ';');
    return;
  }
  out.put(to, '{');
  out.put(to + 1, '}');
}

function comments(out: Overlay, text: string, from: number, to: number): void {
  const part = text.slice(0, to);
  for (let start = part.indexOf('<!--', from); start >= 0; ) {
    const end = commentEnd(part, start) ?? to;
    if (!part.startsWith('-->', end - 3)) return;
    out.put(start, '/');
    out.put(start + 1, '*');
    out.put(end - 2, '*');
    out.put(end - 1, '/');
    start = part.indexOf('<!--', end);
  }
}

/** Where the statement of a piece begins. */
export function statementStart(text: string, { kind, from }: TemplateScript): number {
  if (kind === 'tag') return from;
  return isLineEnd(text[from - 1]) ? from - 2 : from - 1;
}

function statement(out: Overlay, text: string, script: TemplateScript): void {
  const { kind, from, to } = script;
  if (kind === 'tag') {
    out.put(from - 1, ';');
    out.keep(from, to);
    // `user-card` is one name.
    for (const match of text.slice(from, to).matchAll(/[^\w$.]/g)) out.put(from + match.index, '_');
    out.put(to, ';');
    return;
  }
  const start = statementStart(text, script);
  const [open, close] = kind === 'statement' ? '{}' : '()';
  out.put(separator(text, start), ';');
  out.put(start, open ?? '');
  out.keep(from, to);
  out.decode(from, to);
  out.put(to, close ?? '');
  if (text.startsWith('}}', to)) out.put(to + 1, ';');
}

/** Where what stands before a piece can be ended: at the `{` or `=` before it, or in the `in` of a loop. */
function separator(text: string, start: number): number {
  let at = start - 1;
  while (/\s/.test(text[at] ?? '')) at -= 1;
  return at;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&quot;': '"',
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&#39;': "'",
  '&apos;': "'",
};

/** Blanks of a text's length, on which pieces of it are put. */
class Overlay {
  readonly #given: string;
  readonly #units: string[];

  constructor(text: string) {
    this.#given = text;
    this.#units = Array.from({ length: text.length }, (_, at) =>
      isLineEnd(text[at]) ? (text[at] ?? '') : ' ',
    );
  }

  put(at: number, unit: string): void {
    if (at >= 0 && at < this.#units.length && !isLineEnd(this.#given[at])) this.#units[at] = unit;
  }

  keep(from: number, to: number): void {
    for (let at = from; at < to; at += 1) this.#units[at] = this.#given[at] ?? ' ';
  }

  /** Puts what entities stand for behind blanks in their place. */
  decode(from: number, to: number): void {
    const given = this.#given.slice(from, to);
    if (!given.includes('&')) return;
    for (const match of given.matchAll(/(?:&(?:quot|amp|lt|gt|apos|#39);)+/g)) {
      const meant = match[0].replace(/&[^;&]+;/g, (one) => ENTITIES[one] ?? ' ').padStart(match[0].length);
      for (let index = 0; index < meant.length; index += 1)
        this.put(from + match.index + index, meant[index] ?? ' ');
    }
  }

  text(): string {
    return this.#units.join('');
  }
}

function isLineEnd(unit: string | undefined): boolean {
  return unit === '\n' || unit === '\r' || unit === '\u2028' || unit === '\u2029';
}
