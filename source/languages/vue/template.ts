import type { Block } from './blocks.js';
import { type Attribute, commentEnd, type Tag, tagAt } from './tags.js';

/** The elements of HTML, SVG and MathML that Vue never takes for components, whatever is called like them. */
const NATIVE: ReadonlySet<string> = new Set(
  (
    'html body base head link meta style title address article aside footer header hgroup h1 h2 h3 h4 h5 h6 nav ' +
    'section div dd dl dt figcaption figure picture hr img li main ol p pre ul a b abbr bdi bdo br cite code data dfn ' +
    'em i kbd mark q rp rt ruby s samp small span strong sub sup time u var wbr area audio map track video embed object ' +
    'param source canvas script noscript del ins caption col colgroup table thead tbody td th tr button datalist ' +
    'fieldset form input label legend meter optgroup option output progress select textarea details dialog menu ' +
    'summary template blockquote iframe tfoot slot component svg animate circle defs desc ellipse filter g image line ' +
    'marker mask path pattern polygon polyline rect set stop switch symbol text tspan use view discard hatch mesh ' +
    'metadata math mi mn mo ms mtext mrow mfrac msqrt'
  ).split(' '),
);

/** One piece of script in a template. Offsets are those of the whole text. */
export interface TemplateScript {
  /** `tag`: the name of an element; `statement`: a handler that does several things. */
  readonly kind: 'tag' | 'expression' | 'statement';
  readonly from: number;
  readonly to: number;
  /** Whether its value is handed over to an element, as an argument is to a function. */
  readonly isPassed: boolean;
  /** Names that the elements around it bind: those of `v-for` and of slots. */
  readonly locals: readonly string[];
}

interface Open {
  readonly name: string;
  readonly locals: readonly string[];
  /** Inside `v-pre` nothing is looked at. */
  readonly isPlain: boolean;
}

/** The pieces of script of a template, in source order: element names, directives and `{{ … }}`. */
export function scriptsOf(text: string, { from, to }: Block): TemplateScript[] {
  const found: TemplateScript[] = [];
  const open: Open[] = [{ name: '', locals: [], isPlain: false }];
  const counts = new Map<string, number>();
  const interpolation = interpolations(text, to);
  let at = from;
  while (at < to) {
    const next = text.indexOf('<', at);
    const around = open.at(-1);
    const until = next < 0 || next > to ? to : next;
    const inside = around && !around.isPlain ? interpolation(at, until) : null;
    if (around && inside) {
      add(text, { kind: 'expression', ...inside, isPassed: false, locals: around.locals }, found);
      at = inside.to + 2;
      continue;
    }
    if (until >= to) break;
    const behind = commentEnd(text, until);
    const tag = behind === null ? tagAt(text, until) : null;
    at = Math.min(behind ?? tag?.end ?? until + 1, to);
    if (tag?.isEnd) close(open, counts, tag.name);
    else if (tag !== null && around) {
      const inner = element(text, tag, around, found);
      if (tag.isSelfClosing || VOID.has(tag.name)) continue;
      open.push(inner);
      counts.set(tag.name, (counts.get(tag.name) ?? 0) + 1);
    }
  }
  return found.sort((a, b) => a.from - b.from);
}

const VOID: ReadonlySet<string> = new Set(
  'area base br col embed hr img input link meta param source track wbr'.split(' '),
);

/** An end tag closes the innermost element of its name; one that nothing opened closes nothing. */
function close(open: Open[], counts: Map<string, number>, name: string): void {
  if (!counts.get(name)) return;
  for (let one = open.pop(); one; one = open.pop()) {
    counts.set(one.name, (counts.get(one.name) ?? 0) - 1);
    if (one.name === name) return;
  }
}

/**
 * Gives the first `{{ … }}` that begins in a part of a text; what stands in it, `<` too, is no markup. The parts come in
 * their order: what lies before them is not looked at again.
 */
function interpolations(
  text: string,
  to: number,
): (from: number, until: number) => { from: number; to: number } | null {
  let start = -1;
  let end = -1;
  const next = (sign: string, at: number) => {
    const found = text.indexOf(sign, at);
    return found < 0 ? text.length : found;
  };
  return (from, until) => {
    if (start < from) start = next('{{', from);
    if (start >= until) return null;
    if (end < start + 2) end = next('}}', start + 2);
    return end >= to ? null : { from: start + 2, to: end };
  };
}

function element(text: string, tag: Tag, { locals, isPlain }: Open, found: TemplateScript[]): Open {
  const { name, attributes } = tag;
  if (isPlain || attributes.some((one) => one.name === 'v-pre')) return { name, locals, isPlain: true };
  const bound: string[] = [];
  for (const one of attributes) {
    if (one.name === 'v-for')
      bound.push(...namesIn(text.slice(one.from, loopSource(text, one)?.keyword ?? one.to)));
    else if (SLOT.test(one.name)) bound.push(...namesIn(text.slice(one.from, one.to)));
  }
  const isMore = bound.length > 0 && locals.length < MOST_LOCALS;
  const inner = isMore ? [...locals, ...bound.slice(0, MOST_LOCALS)] : locals;
  if (!isNative(name)) {
    const from = tag.start + 1;
    found.push({ kind: 'tag', from, to: from + name.length, isPassed: false, locals });
  }
  for (const one of attributes) directive(text, one, inner, found);
  return { name, locals: inner, isPlain: false };
}

/** Where elements bind as many names, those within them bind none: each piece of script is told all of them. */
const MOST_LOCALS = 100;

const SLOT = /^(?:#|v-slot\b|slot-scope$|scope$)/;

function directive(text: string, one: Attribute, locals: readonly string[], found: TemplateScript[]): void {
  const { name, equals } = one;
  if (equals < 0 || !/^(?:v-|[:@.])/.test(name) || SLOT.test(name)) return;
  if (name === 'v-for') {
    const source = loopSource(text, one);
    if (source !== null)
      add(text, { kind: 'expression', from: source.from, to: one.to, isPassed: false, locals }, found);
    return;
  }
  const { from, to } = one;
  // Without quotes, at the end of a line, there is no room to end it.
  if (/[\r\n]/.test(text[to] ?? '\n')) return;
  const isHandler = /^(?:@|v-on:)/.test(name);
  const kind = isHandler && isStatements(text.slice(from, to)) ? 'statement' : 'expression';
  const isPassed = isHandler || /^(?:[:.]|v-(?:bind|model|on)\b)/.test(name);
  add(text, { kind, from, to, isPassed, locals }, found);
}

/** Where `in` or `of` and the list behind it stand in `(item, index) in items`. */
function loopSource(text: string, { from, to }: Attribute): { keyword: number; from: number } | null {
  const match = /\s(?:in|of)\s/.exec(text.slice(from, to));
  if (match === null) return null;
  return { keyword: from + match.index, from: from + match.index + match[0].length };
}

/** Whether a handler is more than one expression. */
function isStatements(text: string): boolean {
  if (/^\s*(?:async\s+)?function\b/.test(text)) return false;
  return text.includes(';') || /^\s*(?:if|for|while|const|let|try|return|await)\b/.test(text);
}

/** The names that a pattern binds; what a key is renamed to, not the key. Names of defaults are among them. */
function namesIn(pattern: string): string[] {
  return [
    ...pattern.matchAll(
      /(?<![\p{ID_Continue}$])[\p{ID_Start}$_][\p{ID_Continue}$]*(?!\s*:|[\p{ID_Continue}$])/gu,
    ),
  ].map(([name]) => name);
}

function add(text: string, script: TemplateScript, found: TemplateScript[]): void {
  const written = text.slice(script.from, script.to);
  if (written.trim() !== '' && isClosed(written)) found.push(script);
}

/** Whether all that a piece opens it closes: one that does not would take what stands behind it along. */
function isClosed(text: string): boolean {
  const open: string[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const unit = text[at] ?? '';
    if (unit === '"' || unit === "'" || unit === '`') {
      at = stringEnd(text, at, unit);
      if (at < 0) return false;
    } else if (unit === '/' && (text[at + 1] === '/' || text[at + 1] === '*')) return false;
    else if (OPENING.includes(unit)) open.push(unit);
    else if (CLOSING.includes(unit) && open.pop() !== OPENING[CLOSING.indexOf(unit)]) return false;
  }
  return open.length === 0;
}

const OPENING = '([{';
const CLOSING = ')]}';

function stringEnd(text: string, start: number, quote: string): number {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === quote) return at;
  }
  return -1;
}

/** Whether an element of this name is the platform's. */
function isNative(name: string): boolean {
  return NATIVE.has(name);
}
