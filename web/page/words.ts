import type { Certainty } from './answers.js';

/** Characters that do not show or turn the direction of others, and halves of pairs; a tab and a line's end are none. */
const HIDDEN = /[^\P{Cc}\t\n]|[\p{Cf}\p{Co}\p{Cs}\u2028\u2029]/gu;

/** A text from outside with what does not show written out: `U+202E`. */
export function visible(text: string): string {
  return text.replace(HIDDEN, (letter) => {
    const code = letter.codePointAt(0) ?? 0;
    return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
  });
}

/** `1 caller`, `3 callers`, `no caller`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return count === 0 ? `no ${one}` : `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}

/** Counts in a line: `3 callers · no test`. */
export function counts(...parts: readonly (readonly [number, string, string?])[]): string {
  return parts.map(([count, one, many]) => plural(count, one, many)).join(' · ');
}

/** The name in an id: `Basket.total` of `m:src/money.ts:Basket.total~2`; the path of a file. */
export function nameInId(id: string): string {
  const [, form, rest = ''] = /^([a-z]+):([\s\S]*)$/u.exec(id) ?? [];
  if (form === undefined) return id;
  const at = form === 'file' || form === 'sym' || form === 'pkg' ? -1 : rest.indexOf(':');
  const name = rest.slice(at + 1);
  // Which of several of one name it is.
  return (at < 0 ? name : name.replace(/~\d+$/u, '')) || id;
}

/** The path in the id of a file or symbol; null where it has none. */
export function pathInId(id: string): string | null {
  if (id.startsWith('file:')) return id.slice('file:'.length);
  const [, path] = SYMBOL_ID.exec(id) ?? [];
  // The path of a symbol ends at a colon: its own ones are escaped.
  return path === undefined ? null : path.replaceAll('%3A', ':').replaceAll('%25', '%');
}

const SYMBOL_ID = /^(?:fn|m|cls|var|type|test|route|config):([^:]+):./su;

/** Whether a text has the form of a symbol's id. */
export function isSymbolId(text: string): boolean {
  return SYMBOL_ID.test(text);
}

/** What a kind of symbol is called. */
export function kindWord(kind: string): string {
  return kind.replaceAll('_', ' ');
}

/** How sure an edge is, in a word and a sentence. */
export const CERTAINTIES: Readonly<Record<Certainty, string>> = {
  certain: 'Resolved through imports and types to this one thing.',
  likely: 'Resolved by a name or an assumed type: most likely this one.',
  candidate: 'Not a fact: a call of this name that may lead here, or elsewhere.',
};

const CLOCK = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
const [SECOND, MINUTE, HOUR, DAY] = [1000, 60_000, 3_600_000, 86_400_000];

/** A time as people write it. */
export function timeText(at: string): string {
  const time = new Date(at);
  return Number.isNaN(time.getTime()) ? visible(at) : CLOCK.format(time);
}

/** `512 B`, `1.5 MB`. */
export function bytesText(bytes: number): string {
  const power = bytes < 1000 ? 0 : Math.min(4, Math.floor(Math.log10(bytes) / 3));
  const number = bytes / 1000 ** power;
  return `${number.toFixed(power === 0 || number >= 10 ? 0 : 1)} ${['B', 'kB', 'MB', 'GB', 'TB'][power]}`;
}

/** `250 ms`, `4 s`, `2 min`. */
export function tookText(ms: number): string {
  if (ms < SECOND) return `${Math.round(ms)} ms`;
  if (ms < MINUTE) return `${(ms / SECOND).toFixed(ms < 10 * SECOND ? 1 : 0)} s`;
  if (ms < HOUR) return `${Math.round(ms / MINUTE)} min`;
  return ms < DAY ? `${(ms / HOUR).toFixed(1)} h` : `${Math.round(ms / DAY)} days`;
}

/** How long it took from one time to another; null where one is not known. */
export function between(from: string | null, to: string | null): string | null {
  return from === null || to === null ? null : tookText(Math.max(0, Date.parse(to) - Date.parse(from)));
}
