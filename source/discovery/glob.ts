/** Whether a path matches, given as the names on it: `src/a.ts` as `['src', 'a.ts']`. */
export type Glob = (names: readonly string[]) => boolean;

/** What one item of a sequence must be; null for any run of items. */
type Part<T> = ((item: T) => boolean) | null;

/** No glob that people write stands for more. */
const MOST_ALTERNATIVES = 1_000;

/**
 * Reads a glob: `*` and `?` within a name, `[…]`, `**` for any number of names. The expressions of the libraries take
 * exponential time for some globs, and a glob may come from any repository: this takes at most the product of both lengths.
 *
 * @returns one that matches nothing where a bracket is not closed or the last character is a backslash, as git has it.
 */
export function globOf(glob: string): Glob {
  const parts = glob.split('/').map((name) => (/^\*{2,}$/.test(name) ? null : nameTest(name)));
  return (names) => matches(parts, names);
}

/** The globs that one with braces stands for: `*.{js,ts}` for `*.js` and `*.ts`. At most 1,000. */
export function withoutBraces(glob: string): string[] {
  const found: string[] = [];
  const open = [glob];
  for (let next = open.pop(); next !== undefined && found.length < MOST_ALTERNATIVES; next = open.pop()) {
    const choice = firstChoice(next);
    if (choice === null) found.push(next);
    else for (const one of choice.items.toReversed()) open.push(choice.before + one + choice.after);
  }
  return found;
}

/** The first braces with a comma in them. */
function firstChoice(glob: string): { before: string; items: string[]; after: string } | null {
  const opened: { at: number; commas: number[] }[] = [];
  for (let at = 0; at < glob.length; at++) {
    const sign = glob[at];
    if (sign === '\\') at++;
    else if (sign === '{') opened.push({ at, commas: [] });
    else if (sign === ',') opened.at(-1)?.commas.push(at);
    else if (sign === '}') {
      const choice = opened.pop();
      if (choice === undefined || choice.commas.length === 0) continue;
      const ends = [choice.at, ...choice.commas, at];
      const items = ends.slice(1).map((end, nth) => glob.slice((ends[nth] ?? 0) + 1, end));
      return { before: glob.slice(0, choice.at), items, after: glob.slice(at + 1) };
    }
  }
  return null;
}

/** Goes back only to the last run: whatever an earlier one could still take, the last one can. */
function matches<T>(parts: readonly Part<T>[], items: ArrayLike<T>): boolean {
  let [at, nth, run, from] = [0, 0, -1, 0];
  while (nth < items.length) {
    const part = parts[at];
    if (part === null) {
      run = at++;
      from = nth;
      if (at === parts.length) return true;
    } else if (part?.(items[nth] as T)) {
      at++;
      nth++;
    } else if (run >= 0) {
      at = run + 1;
      nth = ++from;
    } else return false;
  }
  while (parts[at] === null) at++;
  return at === parts.length;
}

function nameTest(glob: string): (name: string) => boolean {
  const plain = /^(\*?)([^*?[\\]*)(\*?)$/.exec(glob);
  if (plain) {
    const [, before, text = '', after] = plain;
    if (before && after) return (name) => name.includes(text);
    if (before) return (name) => name.endsWith(text);
    return after ? (name) => name.startsWith(text) : (name) => name === text;
  }
  const parts = unitTests(glob);
  return parts === null ? () => false : (name) => matches(parts, name);
}

/** What the units of a name must be; null for a glob that is none. */
function unitTests(glob: string): Part<string>[] | null {
  const parts: Part<string>[] = [];
  let at = 0;
  while (at < glob.length) {
    const sign = glob[at] ?? '';
    if (sign === '*') {
      if (parts.at(-1) !== null) parts.push(null);
      at++;
    } else if (sign === '[') {
      const found = classAt(glob, at + 1);
      if (found === null) return null;
      parts.push(found.test);
      at = found.end;
    } else if (sign === '?') {
      parts.push(() => true);
      at++;
    } else {
      const unit = sign === '\\' ? glob[at + 1] : sign;
      if (unit === undefined) return null;
      parts.push((one) => one === unit);
      at += sign === '\\' ? 2 : 1;
    }
  }
  return parts;
}

/** POSIX classes: `[[:digit:]]`. */
const NAMED: Readonly<Record<string, RegExp>> = {
  alnum: /[A-Za-z0-9]/,
  alpha: /[A-Za-z]/,
  blank: /[ \t]/,
  digit: /[0-9]/,
  lower: /[a-z]/,
  punct: /[!-/:-@[-`{-~]/,
  space: /\s/,
  upper: /[A-Z]/,
  word: /\w/,
  xdigit: /[0-9A-Fa-f]/,
};

/** The class that begins behind a bracket, and where it ends; null where it is not closed or holds an unknown name. */
function classAt(glob: string, from: number): { test: (unit: string) => boolean; end: number } | null {
  const not = glob[from] === '!' || glob[from] === '^';
  const first = not ? from + 1 : from;
  const tests: ((unit: string) => boolean)[] = [];
  for (let at = first; at < glob.length; at++) {
    if (glob[at] === ']' && at > first)
      return { test: (unit) => tests.some((test) => test(unit)) !== not, end: at + 1 };
    const name = /^\[:([a-z]{1,10}):\]/.exec(glob.slice(at, at + 16))?.[1];
    if (name !== undefined) {
      const known = NAMED[name];
      if (known === undefined) return null;
      tests.push((unit) => known.test(unit));
      at += name.length + 3;
      continue;
    }
    if (glob[at] === '\\') at++;
    const low = glob[at] ?? '';
    let high = low;
    if (glob[at + 1] === '-' && at + 2 < glob.length && glob[at + 2] !== ']') {
      at += glob[at + 2] === '\\' ? 3 : 2;
      high = glob[at] ?? '';
    }
    tests.push((unit) => unit >= low && unit <= high);
  }
  return null;
}
