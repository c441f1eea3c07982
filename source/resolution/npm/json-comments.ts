/**
 * The value of a JSON text that may have comments and trailing commas, as TypeScript's and many tools' settings do;
 * undefined for what is no JSON even so.
 */
export function jsonWithComments(text: string): unknown {
  const plain = text.replace(/^\uFEFF/, '').replace(TOKENS, (token) => (token.startsWith('"') ? token : ''));
  try {
    return JSON.parse(plain.replace(TRAILING, (token, bracket) => bracket ?? token));
  } catch {
    return undefined;
  }
}

/** Strings are matched so that what stands in them is left alone. */
const TOKENS = /(?<!\\)"(?:[^"\\\n]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g;
const TRAILING = /(?<!\\)"(?:[^"\\\n]|\\.)*"|,\s*([\]}])/g;
