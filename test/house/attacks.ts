/** A text on which an expression may take long: the pump again and again, behind the prefix. */
export interface Attack {
  readonly prefix: string;
  readonly pump: string;
}

/** Letters that are tried beside those that an expression writes. */
const LETTERS = [...'a0Z_ -.:=/\\"\'`<>()[]{}@#,;|+*$\n\t\r\0é'];
/** Sample texts that are kept of each part of an expression. */
const SAMPLES = 12;
const TOKEN =
  /\[(?:\\.|[^\]\\])*\]|\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[\da-f]{4}|x[\da-f]{2}|k<[^>]*>|[1-9]\d*|[\s\S])|\((?:\?(?:<?[=!]|:|<[^>]*>))?|(?:[*+?]|\{\d+(?:,\d*)?\})\??|[\s\S]/giu;
const ZERO_WIDTH = /^(?:\^|\$|\\[bB]|\\[1-9]\d*|\\k<.*)$/u;

/** What each repetition of an expression could be made to go over again and again. */
export function attacksOn({ source, flags }: RegExp): Attack[] {
  const tokens = source.match(TOKEN) ?? [];
  const fits = fittingLetters(tokens, flags.replaceAll(/[gym]/gu, ''));
  let at = 0;

  /** Texts that fit the alternatives from here on, and the attacks on them. */
  function choice(): Part {
    const parts = [sequence()];
    for (; tokens[at] === '|'; parts.push(sequence())) at++;
    return {
      texts: some(parts.flatMap(({ texts }) => texts)),
      attacks: parts.flatMap((part) => part.attacks),
    };
  }

  function sequence(): Part {
    let texts = [''];
    const attacks: Attack[] = [];
    // What stands behind a repetition may be what it goes over, too.
    let behind: { prefix: string; pumps: readonly string[] }[] = [];
    while (at < tokens.length && tokens[at] !== '|' && tokens[at] !== ')') {
      const part = term();
      const prefixes = texts.slice(0, 2);
      for (const prefix of prefixes)
        attacks.push(...part.attacks.map((attack) => ({ ...attack, prefix: prefix + attack.prefix })));
      const [least, most] = times();
      behind = behind.map(({ prefix, pumps }) => ({ prefix, pumps: joined(pumps, part.texts).slice(0, 3) }));
      for (const { prefix, pumps } of behind)
        attacks.push(...pumps.filter(Boolean).map((pump) => ({ prefix, pump })));
      if (most > 20) {
        behind.push({ prefix: texts[0] ?? '', pumps: [''] });
        for (const pump of part.texts.filter(Boolean))
          attacks.push(...prefixes.map((prefix) => ({ prefix, pump })));
      }
      const repeated = part.texts.map((text) => text.repeat(Math.max(1, Math.min(least, 50))));
      texts = joined(texts, least === 0 ? ['', ...repeated] : repeated);
    }
    return { texts, attacks };
  }

  function term(): Part {
    const token = tokens[at++] ?? '';
    if (!/^\((?:$|\?)/u.test(token))
      return { texts: ZERO_WIDTH.test(token) ? [''] : (fits.get(token) ?? ['']), attacks: [] };
    const inner = choice();
    at++;
    return /[=!]$/u.test(token) ? { ...inner, texts: [''] } : inner;
  }

  /** How often the last term may stand there. */
  function times(): [least: number, most: number] {
    const [, sign, least = '', comma, most] =
      /^(?:([*+?])|\{(\d+)(,)?(\d*)\})\??$/u.exec(tokens[at] ?? '') ?? [];
    if (sign === undefined && least === '') return [1, 1];
    at++;
    if (sign !== undefined) return [sign === '+' ? 1 : 0, sign === '?' ? 1 : Number.POSITIVE_INFINITY];
    return [Number(least), comma === undefined ? Number(least) : Number(most || Number.POSITIVE_INFINITY)];
  }

  const { attacks } = choice();
  // A match may begin at each of them.
  const begins = attacks.map(({ prefix, pump }) => ({ prefix: '', pump: prefix + pump }));
  const all = [...attacks, ...begins].map((attack) => [`${attack.prefix}\0${attack.pump}`, attack] as const);
  return [...new Map(all).values()];
}

interface Part {
  readonly texts: readonly string[];
  readonly attacks: readonly Attack[];
}

/** The letters that fit each token of a class or a letter; of letters that fit the same tokens, one. */
function fittingLetters(tokens: readonly string[], flags: string): Map<string, string[]> {
  const written = tokens
    .map((token) => token.replace(/^\\(?=\W)/u, ''))
    .filter((token) => [...token].length === 1);
  const atoms = [...new Set(tokens)].flatMap((token) => {
    if (/^[|)*+?{]/u.test(token) || /^\((?:$|\?)/u.test(token) || ZERO_WIDTH.test(token)) return [];
    return [{ token, expression: new RegExp(`^(?:${token})$`, flags) }];
  });
  const letters = new Map<string, string>();
  for (const letter of [...LETTERS, ...written]) {
    const kind = [/\w/u, /\n/u, ...atoms.map(({ expression }) => expression)].map((one) => one.test(letter));
    if (!letters.has(String(kind))) letters.set(String(kind), letter);
  }
  return new Map(
    atoms.map(({ token, expression }) => [
      token,
      [...letters.values()].filter((one) => expression.test(one)),
    ]),
  );
}

/** Texts of two parts, one behind the other. */
function joined(before: readonly string[], after: readonly string[]): string[] {
  if (before.length * after.length <= SAMPLES)
    return before.flatMap((head) => after.map((tail) => head + tail));
  const count = Math.max(before.length, after.length);
  return some(
    Array.from(
      { length: count },
      (_, at) => `${before[at % before.length] ?? ''}${after[at % after.length] ?? ''}`,
    ),
  );
}

/** At most {@link SAMPLES} of them, from everywhere. */
function some(texts: readonly string[]): string[] {
  const unique = [...new Set(texts)];
  const step = Math.max(1, unique.length / SAMPLES);
  return unique.filter((_, at) => Math.floor(at / step) !== Math.floor((at - 1) / step));
}
