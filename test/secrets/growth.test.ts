import { expect, it } from 'vitest';
import { masked } from '../../source/index.js';
import { formed, randomOf, SHAPES } from './shapes.mjs';

/* Texts that are nothing but beginnings, middles or ends of secrets are masked in linear time. */

/** Characters of a long text; a pattern that took the square of 256 KB took 0.1 s for as much. */
const LONG = 8_000;
/** Milliseconds of processor time below which a difference says nothing. */
const QUICK = 30;
/** Four times the text: the square would be sixteen. */
const MOST = 9;
const TRIES = 4;
/** One of so many shapes; `bench/secrets.mjs` has the rest. */
const EVERY = 61;

const WORDS = [
  '// the key\n',
  'the key ',
  'my password is ',
  'secret token ',
  'key:\n',
  '"key":\n  ',
  'key=\\n',
];

function spent(text: string): number {
  const before = process.cpuUsage();
  masked(text);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Pieces of a text: all of it, each half, and what announces its secrets without them. */
function piecesOf({ text, cores }: { text: string; cores: readonly string[] }): string[] {
  const half = Math.ceil(text.length / 2);
  const without = cores.reduce((left, core) => left.split(core).join(''), text);
  return [text, text.slice(0, half), text.slice(half), without].filter((piece) => piece !== '');
}

function isLinear(piece: string): boolean {
  const [large, small] = [LONG, LONG / 4].map((length) =>
    piece.repeat(Math.ceil(length / piece.length)).slice(0, length),
  );
  const least = { small: Number.POSITIVE_INFINITY, large: Number.POSITIVE_INFINITY };
  for (let tries = 0; tries < TRIES; tries++) {
    least.large = Math.min(least.large, spent(large ?? ''));
    if (least.large <= QUICK) return true;
    least.small = Math.min(least.small, spent(small ?? ''));
    if (least.large < MOST * least.small) return true;
  }
  return false;
}

it('masks what repeats the pieces of any secret, or announces one without end, in linear time', () => {
  const random = randomOf(26);
  const shapes = SHAPES.filter((_, at) => at % EVERY === 0);
  const pieces = shapes.flatMap((shape) => {
    const made = formed(shape, 'plain', random) ?? shape.make(random);
    return piecesOf(made);
  });
  expect(pieces.length).toBeGreaterThan(80);
  expect([...WORDS, ...pieces].filter((piece) => !isLinear(piece))).toEqual([]);
});
