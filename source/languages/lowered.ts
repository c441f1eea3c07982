import { type LoweringRules, lower } from '../lower/index.js';
import type { ParsedLanguage } from './language.js';

/** A language whose files are lowered by rules: all that {@link ParsedLanguage} says of it but how it is extracted. */
export interface LoweredLanguage extends Omit<ParsedLanguage, 'name' | 'extract'> {
  readonly rules: LoweringRules;
  /** Another language, for files of which their texts say that they are of it. */
  readonly other?: {
    readonly rules: LoweringRules;
    readonly grammar: string;
    reads(text: string, path: string): boolean;
  };
}

/** Raised whenever what lowering makes of any language changes. */
const VERSION = 5;

/** The language that rules describe. Adding one: its folder with `index.ts` and rules, its name in the registry. */
export function lowered({ rules, other, version, ...language }: LoweredLanguage): ParsedLanguage {
  return {
    ...language,
    ...(other && { otherGrammar: other }),
    name: rules.language,
    version: version * 1000 + VERSION,
    extract: (file) => lower(file, other?.reads(file.text, file.path) ? other.rules : rules),
  };
}
