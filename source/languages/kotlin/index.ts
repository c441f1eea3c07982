import { java } from '../java/index.js';
import { lowered } from '../lowered.js';
import { link } from './link.js';
import { rules } from './rules.js';

/** A receiver of a function type, which the grammar takes for an error: `A.() -> B`. */
const RECEIVER = /\b[A-Z]\w*(?:<[\w ,?*]*>)?\.(?=\([^()]*\)\s*->)/g;

/** Kotlin. */
export const kotlin = lowered({
  rules,
  link,
  version: 2,
  extensions: ['.kt', '.kts'],
  grammar: 'tree-sitter-kotlin.wasm',
  ecosystem: 'maven',
  readable: (text) => text.replace(RECEIVER, (part) => ' '.repeat(part.length)),
  isTestPath: (path) => /(?:^|\/)src\/(?:test|\w+Test)\/|Tests?\.kt$/.test(path),
  ...(java.testRunners && { testRunners: java.testRunners }),
});
