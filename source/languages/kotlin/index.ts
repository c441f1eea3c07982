import { java } from '../java/index.js';
import { lowered } from '../lowered.js';
import { link } from './link.js';
import { rules } from './rules.js';

/** A receiver of a function type, which the grammar takes for an error: `A.() -> B`. */
const RECEIVER = /\b[A-Z]\w*(?:<[\w ,?*]*>)?\.(?=\([^()]*\)\s*->)/g;

/**
 * What the grammar takes for an error: a word of declarations that is a name, one in front of a constructor on a line of its
 * own, and an annotation of a getter on the line before it.
 */
const UNREAD =
  /^([ \t]*)(?:final|open|abstract)(?=[ \t]*=)|\bactual(?=\s{1,9}constructor\b)|@\w{1,40}\("\w{0,60}"\)(?=\s{1,20}get\(\))/gm;

/** A text whose words that the grammar cannot read are names, or left out: the extractor sees the original text. */
function repair(text: string): string | null {
  const repaired = text.replace(UNREAD, (word, before?: string) =>
    before === undefined ? ' '.repeat(word.length) : before + '_'.repeat(word.length - before.length),
  );
  return repaired === text ? null : repaired;
}

/** Kotlin. */
export const kotlin = lowered({
  rules,
  link,
  version: 2,
  extensions: ['.kt', '.kts'],
  grammar: 'tree-sitter-kotlin.wasm',
  ecosystem: 'maven',
  readable: (text) => text.replace(RECEIVER, (part) => ' '.repeat(part.length)),
  repair,
  isTestPath: (path) => /(?:^|\/)src\/(?:test|\w+Test)\/|Tests?\.kt$/.test(path),
  ...(java.testRunners && { testRunners: java.testRunners }),
});
