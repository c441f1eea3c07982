/*
 * What the masking of secrets lets through, and what it masks that is none:
 * `node bench/secrets.mjs [DIR ...] [--seed N] [--rounds N] [--form NAME] [--json] [--lines] [--names N] [--source DIR]`.
 *
 * Every shape of `test/secrets/` in every form of it, drawn anew in every round; then every file of the folders named
 * and every tracked file of this repository: whole, line by line, and as tools list it. `--lines` prints every line masked
 * there, `--source` measures the masking of another working copy. Ends with 1 when more survives, or more is masked,
 * than BOUNDS says.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { FORMS, formed, randomOf, SHAPES, survivors } from '../test/secrets/shapes.mjs';
import { flag, inScratch, option } from './lib/measure.mjs';

/** Shares of shapes that may survive, and false masks in 5,000 lines. */
const BOUNDS = { bare: 0, beside: 0.02, falseMasks: 1 };
/** What stands before each line where tools show files. */
const LISTED = {
  numbered: (line) => `${String(line).padStart(6)}\t`,
  'found by grep': (line, file) => `${file}:${line}:`,
  added: () => '+',
};
/** Here secrets stand on purpose. */
const ON_PURPOSE = /(?:^|\/)test\/secrets\//u;
const SECRET_NAME = /pass|pwd|secret|token|key|auth|cookie|bearer|basic|session|credential|hash/iu;
const ROOT = fileURLToPath(new URL('..', import.meta.url));

const taking = new Set(['--seed', '--rounds', '--form', '--names', '--source']);
const folders = process.argv
  .slice(2)
  .filter((one, at, all) => !one.startsWith('--') && !taking.has(all[at - 1]))
  .map((one) => resolve(one));
const { masked, secretSpans } = await maskingOf(resolve(option('source', ROOT)));
const survived = surviving();
const masks = [...folders, ROOT].map(masksOf);
const lines = masks.reduce((sum, one) => sum + one.lines, 0);
const wrong = masks.reduce((sum, one) => sum + one.wrong.length, 0);
const falseMasks = (wrong * 5000) / lines;
const held =
  survived.bare.share <= BOUNDS.bare &&
  survived.beside.share <= BOUNDS.beside &&
  falseMasks <= BOUNDS.falseMasks;
if (flag('json')) console.log(JSON.stringify({ survived, masks, falseMasks, held }));
else print();
process.exitCode = held ? 0 : 1;

/** The masking of a working copy, built by itself. */
async function maskingOf(folder) {
  return inScratch('secrets', async (scratch) => {
    const outfile = join(scratch, 'secrets.mjs');
    await build({
      entryPoints: [join(folder, 'source/secrets/index.ts')],
      outfile,
      bundle: true,
      format: 'esm',
      platform: 'node',
      logLevel: 'error',
    });
    return import(pathToFileURL(outfile).href);
  });
}

/** What survives of each class of shapes: the share, and how often of each shape and in each form. */
function surviving() {
  const classes = Object.fromEntries(
    ['bare', 'beside', 'cut', 'hard'].map((name) => [name, { tried: 0, survived: 0, shapes: {}, forms: {} }]),
  );
  const random = randomOf(Number(option('seed', 1)));
  const only = option('form', null);
  for (let round = 0; round < Number(option('rounds', 2)); round++)
    for (const shape of SHAPES)
      for (const form of Object.keys(FORMS)) {
        const given = only === null || only === form ? formed(shape, form, random) : null;
        if (given === null) continue;
        const survives = survivors(masked(given.text), given.cores).length > 0 ? 1 : 0;
        const of = classes[classOf(shape, form)];
        of.tried++;
        of.survived += survives;
        of.forms[form] ??= { survived: 0, tried: 0 };
        of.shapes[shape.name] ??= { survived: 0, tried: 0, forms: [] };
        for (const count of [of.forms[form], of.shapes[shape.name]]) {
          count.tried++;
          count.survived += survives;
        }
        if (survives) of.shapes[shape.name].forms.push(form);
      }
  for (const one of Object.values(classes)) one.share = one.tried === 0 ? 0 : one.survived / one.tried;
  return classes;
}

/** Of what others cut off nothing is asked: it may have been what told the secret. It is shown. */
function classOf(shape, form) {
  if (shape.kind === 'hard') return 'hard';
  return FORMS[form].cut ? 'cut' : shape.bare ? 'bare' : 'beside';
}

/** What is masked in the tracked files of a folder. */
function masksOf(folder) {
  const files = execFileSync('git', ['-C', folder, 'ls-files', '-z'], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  })
    .split('\0')
    .filter((file) => file !== '' && !ON_PURPOSE.test(file));
  const found = { folder, lines: 0, right: [], wrong: [] };
  for (const file of files) {
    const text = textOf(join(folder, file));
    if (text === null) continue;
    const rows = text.split('\n');
    found.lines += rows.length;
    const masks = new Map();
    note(masks, text, 0, 'whole');
    for (const [at, row] of rows.entries()) note(masks, row, at, 'by itself');
    for (const [how, shown] of Object.entries(LISTED))
      note(masks, rows.map((row, at) => shown(at + 1, file) + row).join('\n'), 0, how);
    for (const [place, { row, value, how }] of masks) {
      const around = rows.slice(Math.max(0, row - 2), row + 1).join('\n');
      const into = isSecret(around, value) ? found.right : found.wrong;
      into.push({ place: `${file}:${place}`, how, value, line: (rows[row] ?? '').trim().slice(0, 160) });
    }
  }
  return found;
}

/** Adds the masks of a text, at most one a line. */
function note(masks, text, firstRow, how) {
  for (const { start, end } of secretSpans(text)) {
    const row = firstRow + text.slice(0, start).split('\n').length - 1;
    const value = text.slice(start, end);
    const place = `${row + 1}`;
    if (!masks.has(place)) masks.set(place, { row, value, how });
  }
}

/**
 * Whether a masked value is a secret as far as a text tells: one of a known structure, the password of a URL, or a
 * literal of high entropy under the name of a secret. Words, versions and paths are none, whatever their name.
 *
 * @param line The line, and the two before it.
 */
function isSecret(line, value) {
  const text = value.trim().replace(/^["'`]|["'`]$/gu, '');
  if (/PRIVATE KEY|eyJ[\w-]{10,}\.|^\$(?:2[aby]|6|5|argon2)|^pbkdf2/u.test(text)) return true;
  if (/"(?:d|dp|dq|p|q|qi|k)":/u.test(line) && text.length >= 32) return true;
  const inUrl = line.includes(`:${text}@`) && line.includes('://');
  const named = inUrl || SECRET_NAME.test(line);
  const words = text.split(/[^A-Za-z0-9]+/u).every((word) => /^(?:[A-Z]?[a-z]*|[A-Z]+|\d{1,4})$/u.test(word));
  return named && !words && text.length >= 8 && entropyOf(text) >= 2.75 && !/\s/u.test(text);
}

/** Bits a character. */
function entropyOf(text) {
  const counts = new Map();
  for (const sign of text) counts.set(sign, (counts.get(sign) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}

/** The text of a file; null for one that is none. */
function textOf(file) {
  try {
    const bytes = readFileSync(file);
    return bytes.length > 2_000_000 || bytes.includes(0) ? null : bytes.toString('utf8');
  } catch {
    return null;
  }
}

function print() {
  const names = Number(option('names', 40));
  for (const [name, { tried, survived: left, share, shapes, forms }] of Object.entries(survived)) {
    console.log(`${name}: ${left} of ${tried} survive (${(share * 100).toFixed(2)} %)`);
    const worst = Object.entries(shapes).filter(([, one]) => one.survived > 0);
    worst.sort(([, a], [, b]) => b.survived / b.tried - a.survived / a.tried);
    for (const [shape, one] of worst.slice(0, names))
      console.log(
        `  ${String(one.survived).padStart(4)} of ${one.tried}  ${JSON.stringify(shape)}  ${[...new Set(one.forms)].slice(0, 3).join(', ')}`,
      );
    if (worst.length > names) console.log(`  and ${worst.length - names} shapes more (--names N)`);
    const bad = Object.entries(forms).filter(([, one]) => one.survived > 0);
    console.log(`  by form: ${bad.map(([form, one]) => `${form} ${one.survived}/${one.tried}`).join('; ')}`);
  }
  for (const { folder, lines: of, right, wrong: none } of masks) {
    console.log(`${folder}: ${none.length} false masks and ${right.length} of secrets in ${of} lines`);
    if (flag('lines'))
      for (const one of right)
        console.log(`  secret ${one.place}  ${JSON.stringify(one.value).slice(0, 60)}  ${one.line}`);
    for (const one of none)
      console.log(
        `  FALSE ${one.place} (${one.how})  ${JSON.stringify(one.value).slice(0, 60)}  ${one.line}`,
      );
  }
  console.log(`false masks in 5,000 lines: ${falseMasks.toFixed(2)}; bounds ${held ? 'held' : 'NOT held'}`);
}
