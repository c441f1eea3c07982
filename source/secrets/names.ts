import { MAYBE_SECRET, type NameStrength, nameStrength } from './secret-names.js';

/** The name of a secret, and where it stands. */
export interface Name {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly strength: NameStrength;
}

const NAME_UNIT = /[\w$.-]/;
const LONGEST_NAME = 64;
/** Words of a label before a name: `API Key`, `Secret access key`. */
const WORDS_BEFORE = /[A-Za-z]{2,12}[ ](?:[A-Za-z]{2,12}[ ])?$/;
const WORD_BEHIND = /^[ ](?:key|phrase|words|codes?|access ?key|id|token|base|string)\b/i;

/** The next name of a secret at or behind an offset. */
export function nextName(text: string, from: number): Name | null {
  let least = from;
  MAYBE_SECRET.lastIndex = from;
  for (let hint = MAYBE_SECRET.exec(text); hint !== null; hint = MAYBE_SECRET.exec(text)) {
    const [start, end] = nameAround(text, hint.index, MAYBE_SECRET.lastIndex, least);
    const name = withLabel(text, start, end, least);
    if (name) return name;
    least = end;
    MAYBE_SECRET.lastIndex = end;
  }
  return null;
}

/** Where the name begins and ends that a part of it stands in. */
function nameAround(text: string, from: number, to: number, least: number): [start: number, end: number] {
  let start = from;
  while (start > least && from - start < LONGEST_NAME && NAME_UNIT.test(text[start - 1] ?? '')) start--;
  let end = to;
  while (end < text.length && end - to < LONGEST_NAME && NAME_UNIT.test(text[end] ?? '')) end++;
  while (end > to && /[.-]/.test(text[end - 1] ?? '')) end--;
  return [start, end];
}

/** A name with the words around it that belong to it; null where it is not that of a secret. */
function withLabel(text: string, start: number, end: number, least: number): Name | null {
  const own = text.slice(start, end);
  const behind = WORD_BEHIND.exec(text.slice(end, end + 12))?.[0] ?? '';
  const joined = behind === '' ? null : nameStrength(own + behind);
  if (joined) return { text: own + behind, start, end: end + behind.length, strength: joined };
  const strength = nameStrength(own);
  const before = WORDS_BEFORE.exec(text.slice(Math.max(least, start - 26), start))?.[0] ?? '';
  const labelled = strength === 'password' || before === '' ? null : nameStrength(before + own);
  const chosen = labelled === null || labelled === 'weak' ? strength : labelled;
  return chosen && { text: own, start, end, strength: chosen };
}
