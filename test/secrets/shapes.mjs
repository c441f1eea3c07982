/*
 * Secrets as they occur in texts, none of them real: every value is drawn when it is asked for, so that no scanner
 * of repositories finds one here.
 *
 * The tables beside this file hold one shape a line under `## title`, and shapes of several lines under `##block`,
 * each after `== name`. `##hard` are shapes that nothing but a guess would find: they are shown, and not counted.
 * `«kind:length»` stands for a value that must not be stored; `«~kind»` for one that may. {@link KINDS} are the kinds.
 */
import { readFileSync } from 'node:fs';

const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const LOWER = UPPER.toLowerCase();
const DIGITS = '0123456789';
const ALPHABETS = {
  an: UPPER + LOWER + DIGITS,
  u: `${UPPER}${LOWER}${DIGITS}-_`,
  b64: `${UPPER}${LOWER}${DIGITS}+/`,
  b58: '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz',
  hex: '0123456789abcdef',
  HEX: '0123456789ABCDEF',
  up: `${UPPER}234567`,
  UP: UPPER + DIGITS,
  lo: LOWER + DIGITS,
  az: LOWER,
  dig: DIGITS,
};
const SYMBOLS = '!@#%^*_-+=.?~,';
const WORDS =
  'tulip winter garden mango falcon river silver copper maple thunder orchid pepper lantern puzzle violet granite meadow rocket saffron walrus hunter correct horse battery staple dragon monkey sunshine shadow summer cheese banana coffee island marble'.split(
    ' ',
  );
const BIP39 =
  'abandon ability able about above absent absorb abstract absurd abuse access accident acoustic acquire across actor adapt adjust admit adult advance aerobic afford again agent agree ahead airport aisle alarm album alert alien alley alpha already amateur amazing anchor ancient angle animal ankle announce annual antenna antique anxiety apart april arctic arena armor around arrange artist aspect asset athlete atom attract auction autumn avocado awake aware awesome axis bacon badge balance bamboo banner barrel basket beach bean beauty because become behave bicycle biology blanket blossom bonus border bounce bracket breeze brick broccoli bronze buffalo bulb burden butter cabbage cactus camera canal canyon carbon cargo castle casual catalog caution cement census cereal chapter cherry chronic cinnamon circle citizen clarify clever cliff clinic cluster coconut coil collect comfort concert coral cotton couch cradle crane cricket crystal cupboard curtain cycle damage danger decade december defense denial depart desert detail devote diagram diesel dilemma dinner divert dolphin donkey dragon drastic dune dynamic eagle earth echo elbow elegant elephant ember engage enrich envelope episode erosion escape evoke exhaust exotic fabric faculty fatigue ferry fiction flavor flight focus fossil fragile furnace galaxy garlic gesture giraffe glimpse goddess gorilla gospel grape guitar habit hamster harvest hazard hedgehog hockey horizon humble husband iceberg illness indoor inherit inmate jacket jaguar jelly journey jungle kangaroo ketchup kidney kitten ladder lecture legend lizard lobster luggage lyrics magnet mammal mandate matrix mercury miracle mosquito mushroom narrow nephew nuclear oblige obtain october olive opera orbit ostrich oxygen oyster paddle panther parade peanut pelican phrase piano pigeon planet polar pottery pudding pumpkin pyramid quantum rabbit radar raven rebel rhythm ribbon robot saddle salmon satoshi sausage scorpion shield siren sketch skull slogan snack spatial sphere spirit squirrel stadium sunset surge tattoo tenant ticket tiger tobacco tomato topple tornado tragic trumpet tunnel turtle umbrella unveil upgrade vacuum vault velvet victory vintage walnut wealth whale wisdom wolf yellow zebra zone'.split(
    ' ',
  );

/**
 * Numbers from 0 to 1, the same for the same seed.
 *
 * @param {number} seed
 */
export function randomOf(seed) {
  let state = (seed ^ 0x9e3779b9) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const between = (random, from, to) => from + Math.floor(random() * (to - from + 1));
const one = (random, list) => list[Math.floor(random() * list.length)];
const drawn = (random, length, alphabet) => Array.from({ length }, () => one(random, alphabet)).join('');
const capital = (word) => word[0].toUpperCase() + word.slice(1);

/** A password as people and generators make them, of characters that need no quotes. */
function password(random, symbols = SYMBOLS) {
  const way = random();
  if (way < 0.45) return drawn(random, between(random, 10, 20), ALPHABETS.an);
  if (way < 0.65) {
    const inner = drawn(random, between(random, 8, 16), ALPHABETS.an + symbols);
    return one(random, ALPHABETS.an) + inner + one(random, ALPHABETS.an);
  }
  if (way < 0.78)
    return capital(one(random, WORDS)) + between(random, 10, 2030) + one(random, ['!', '', '?', '*']);
  if (way < 0.88)
    return `${one(random, WORDS)}${one(random, ['-', '_', '.'])}${one(random, WORDS)}${between(random, 10, 999)}`;
  if (way < 0.94) return one(random, WORDS) + drawn(random, 6, ALPHABETS.lo) + between(random, 0, 9);
  return drawn(random, between(random, 9, 14), ALPHABETS.az);
}

/** Values by the name of their kind. */
const KINDS = {
  pw: (random) => password(random),
  pws: (random) => password(random, `${SYMBOLS}&()[]{}<>;:|/`),
  pwsp: (random) => `${one(random, WORDS)} ${one(random, WORDS)} ${drawn(random, 8, ALPHABETS.an)}`,
  pwu: (random) => password(random, '-._~!*+'),
  pws64: (random) => drawn(random, 64, `${ALPHABETS.an}!@#$%^&*()-_ []{}<>~+=,.;:/?|`),
  word: (random) => drawn(random, between(random, 9, 14), ALPHABETS.az),
  uuid: (random) => [8, 4, 4, 4, 12].map((length) => drawn(random, length, ALPHABETS.hex)).join('-'),
  b64of: (random, length) => Buffer.from(drawn(random, length, ALPHABETS.an)).toString('base64'),
  basic: (random) => Buffer.from(`bob:${password(random)}`).toString('base64'),
  uenc: (random, length) =>
    encodeURIComponent(Buffer.from(drawn(random, length, ALPHABETS.b64)).toString('base64')),
  hexcol: (random, length) => Array.from({ length }, () => drawn(random, 2, ALPHABETS.hex)).join(':'),
  bip39: (random, length) => Array.from({ length }, () => one(random, BIP39)).join(' '),
  user: (random) => one(random, ['bob', 'app', 'admin', 'deploy', 'svc_ci', 'root']),
  host: (random) => one(random, ['db.example.com', 'localhost', 'h', '10.1.2.3', 'registry.corp.example']),
  esc: () => '\u001b',
  nl: () => '\n',
};

/** Whether a kind is no value but a character that a line of the table cannot hold. */
const isCharacter = (kind) => kind === 'esc' || kind === 'nl';

function drawnValue(random, kind, length) {
  const [from, to] = length === undefined ? [0, 0] : length.split('-').map(Number);
  const many = between(random, from, to ?? from);
  const made = KINDS[kind];
  if (made) return made(random, many);
  const text = drawn(random, many, ALPHABETS[kind]);
  return kind === 'dig' && text.startsWith('0') ? `7${text.slice(1)}` : text;
}

function made(template, random) {
  const cores = [];
  const text = template.replace(/«(~?)(\w+?)(?::([\d-]+))?»/gu, (_, open, kind, length) => {
    const value = drawnValue(random, kind, length);
    if (open === '' && !isCharacter(kind)) cores.push(value);
    return value;
  });
  return { text, cores };
}

/** Every shape of a table. */
function shapesIn(file, bare) {
  const shapes = [];
  const add = (name, template, kind) =>
    shapes.push({
      name,
      bare,
      kind,
      lines: template.includes('\n'),
      make: (random) => made(template, random),
    });
  let kind = null;
  let block = null;
  const closed = () => {
    if (block) add(block.name, block.lines.join('\n').replace(/\n+$/u, ''), 'block');
    block = null;
  };
  for (const line of readFileSync(new URL(file, import.meta.url), 'utf8').split('\n')) {
    const section = /^##(\w*)(?::| \w)/u.exec(line);
    if (section && (block === null || section[1] !== '')) {
      closed();
      kind = section[1];
    } else if (kind === 'block' && line.startsWith('== ')) {
      closed();
      block = { name: line.slice(3), lines: [] };
    } else if (block) block.lines.push(line);
    else if (kind !== null && line !== '') add(line, line, kind);
  }
  closed();
  return shapes;
}

/** Every shape: those that need no context first. */
export const SHAPES = [
  ...shapesIn('tokens.txt', true),
  ...shapesIn('beside-names.txt', false),
  ...shapesIn('files.txt', false),
];

const FILLER = [
  'export function total(items: readonly Item[]): number {',
  '  return items.reduce((sum, item) => sum + item.price * item.count, 0);',
  '}',
  '',
  'The build took 12 s; 340 tests passed, none failed.',
  'for name in names:',
  '    print(name.title())',
  '<li class="entry">first</li>',
];
const filler = (count) => Array.from({ length: count }, (_, at) => FILLER[at % FILLER.length]).join('\n');
const escaped = (text) => JSON.stringify(text).slice(1, -1);
const html = (text) =>
  text.replace(
    /[&<>"']/gu,
    (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' })[sign],
  );
const lined = (prefix) => ({
  around: (text) =>
    text
      .split('\n')
      .map((line, at) => prefix(at + 1) + line)
      .join('\n'),
});
const inline = (start, end = start) => ({
  fits: ({ lines }, text) => !lines && !(start !== '(' && text.includes(start)),
  around: (text) => start + text + end,
});

/**
 * What a text may be wrapped into: `around` the whole text, `core` what becomes of a secret by it, `fits` whether
 * the text can stand in it.
 */
export const FORMS = {
  plain: { around: (text) => text },
  'start of a text': { around: (text) => `${text}\n${filler(40)}` },
  'middle of a text': { around: (text) => `${filler(37)}\n${text}\n${filler(40)}` },
  'end of a text': { around: (text) => `${filler(40)}\n${text}` },
  'words after it': { around: (text) => `${text}\n\nthe next one is another` },
  'blank lines around': { around: (text) => `\n\n${text}\n\n` },
  CRLF: { around: (text) => `${text}\n`.replaceAll('\n', '\r\n') },
  indented: lined(() => '    '),
  'code fence': { around: (text) => `\`\`\`\n${text}\n\`\`\`` },
  'colour around': { around: (text) => `\u001b[01;31m\u001b[K${text}\u001b[m\u001b[K` },
  'colour of the value': {
    around: (text, cores) =>
      [...new Set(cores)]
        .filter((core) => core.length > 7)
        .reduce((all, core) => all.replaceAll(core, `\u001b[32m${core}\u001b[0m`), text),
  },
  'string of JSON': { around: (text) => `{"log":"line\\n${escaped(text)}\\nend"}`, core: escaped },
  'string in a string of JSON': {
    around: (text) => JSON.stringify({ a: JSON.stringify({ log: `line\n${text}\nend` }) }),
    core: (core) => escaped(escaped(core)),
  },
  'tabs escaped': { around: (text) => `\\t${text.replaceAll('\n', '\\n')}` },
  HTML: { around: (text) => `<pre>${html(text)}</pre>`, core: html },
  'numbered by cat -n': lined((at) => `${String(at).padStart(6)}\t`),
  'numbered by arrows': lined((at) => `${String(at).padStart(6)}→`),
  'numbered by grep -n': lined((at) => `${at}:`),
  'numbered by grep -n with lines around': lined((at) => `${at}${at === 2 ? ':' : '-'}`),
  'numbered with a file': lined((at) => `src/deploy/run.sh:${at}:`),
  'numbered with a file and columns': lined((at) => `src/deploy/run.sh:${at}:5:`),
  'numbered by bat': lined((at) => `${String(at).padStart(4)}   │ `),
  'numbered by a compiler': lined((at) => `${String(at).padStart(3)} | `),
  added: lined(() => '+'),
  removed: lined(() => '-'),
  unchanged: lined(() => ' '),
  quoted: lined(() => '> '),
  'comment with #': lined(() => '# '),
  'comment with //': lined(() => '// '),
  'comment with *': lined(() => ' * '),
  backticks: inline('`'),
  'double quotes': inline('"'),
  'single quotes': inline("'"),
  parentheses: inline('(', ')'),
  'after a shell prompt': { fits: ({ lines }) => !lines, around: (text) => `$ ${text}` },
  sentence: {
    fits: ({ bare, lines }) => bare && !lines,
    around: (text) => `We found ${text} in the output.`,
  },
  'end of a sentence': { fits: ({ bare, lines }) => bare && !lines, around: (text) => `It was ${text}.` },
  'value of a name': { fits: ({ bare, lines }) => bare && !lines, around: (text) => `value=${text}` },
  'argument of a call': {
    fits: ({ bare, lines }) => bare && !lines,
    around: (text) => `send("${text}", 12)`,
  },
  'zero-width space before': { fits: ({ lines }) => !lines, around: (text) => `\u200b${text}` },
  'cut in the middle': { cut: true },
};

/** Two thirds of the last secret, and nothing after. */
function cutShort({ text, cores }) {
  const core = cores.at(-1);
  const at = text.lastIndexOf(core);
  const kept = core.slice(0, Math.ceil((core.length * 2) / 3));
  if (kept.length < 12) return null;
  return {
    text: text.slice(0, at) + kept,
    cores: [...cores.slice(0, -1).filter((other) => text.lastIndexOf(other) < at), kept],
  };
}

/**
 * A shape in a form.
 *
 * @returns null when the shape cannot stand in it
 */
export function formed(shape, name, random) {
  const given = shape.make(random);
  const form = FORMS[name];
  if (form.cut) return cutShort(given);
  if (form.fits && !form.fits(shape, given.text)) return null;
  return {
    text: form.around(given.text, given.cores),
    cores: given.cores.map(form.core ?? ((core) => core)),
  };
}

/** The secrets of which half, or sixteen characters together, are still in a text; what is shorter than four proves nothing. */
export function survivors(text, cores) {
  return cores.filter((core) => {
    if (core.length < 4) return false;
    const length = Math.min(core.length, 16, Math.max(5, Math.ceil(core.length / 2)));
    for (let at = 0; at + length <= core.length; at++)
      if (text.includes(core.slice(at, at + length))) return true;
    return false;
  });
}
