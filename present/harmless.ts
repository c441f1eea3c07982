import { stripVTControlCharacters } from 'node:util';

/*
 * Text from outside (a repository's, an old error's) is shown as data: nothing in it may move a terminal's cursor,
 * hide itself from a reader, or end the part of a prompt that it stands in. All that people and models read goes through
 * {@link harmless} where it leaves, all JSON through {@link jsonText}.
 */

/** Control characters but tab and newline; zero-width, direction, tag and other characters that nobody sees. */
const HIDDEN = /(?![\t\n])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|\p{Default_Ignorable_Code_Point}/gu;
/** A text that holds none of them, as most do: told faster than by looking for each. */
const READABLE = /^[\t\n\x20-\x7e]*$/u;
/** What may be a tag, in whatever width and case, escaped or with blanks in it: sign, mark of an end, name, closing sign. */
const TAG =
  /([<＜﹤])((?:\\u00[01][\da-f]|\\[ntrfb]|[\s\\]){0,8}[/／⁄∕|｜]?(?:\\u00[01][\da-f]|\\[ntrfb]|[\s\\]){0,8})([\p{L}\p{N}][\p{L}\p{N}_:-]{1,80})(?=((?:\\u00[01][\da-f]|\\[ntrfb]|[\s\\]){0,8}[>＞﹥])?)/gu;
/** Blanks as JSON escapes them. */
const ESCAPED_BLANK = /\\u00[01][\da-f]|\\[ntrfb]/gu;
/** Words of the tags by which agents separate instructions from what they read. */
const ROLES = wordsOf(
  'agent antml args assistant call calls codewalk command context developer document documents end error function hook human im important input instruction instructions invoke local memory message name output parameter prompt reminder result results session start stderr stdin stdout submit system task thinking tool turn use user',
);
/** Words that are one only next to others, or right behind a bar: `<bash-stdout>`, `<|eot_id|>`. */
const NEUTRAL = wordsOf(
  'bash begin diagnostics endoftext eot ide notification persisted selection teammate file header id new of opened text',
);
/** Those of them that are everyday words of code, as in `<input-file>`, and what they must stand next to. */
const EVERYDAY = wordsOf('file header id new of opened text');
const ANCHORS = wordsOf('diagnostics ide turn');

function wordsOf(list: string): ReadonlySet<string> {
  return new Set(list.split(' '));
}

/** The text without escape sequences and without characters that nobody sees; `\r\n` as `\n`. */
export function stripHidden(text: string): string {
  if (READABLE.test(text)) return text;
  return stripVTControlCharacters(text.replace(/\r\n?/gu, '\n')).replace(HIDDEN, '');
}

/** A text as it may be shown: as {@link stripHidden}, and the tags of agents begin with `‹`. Never longer than before. */
export function harmless(text: string): string {
  return stripHidden(text).replace(TAG, (tag, sign: string, ...found) =>
    isOfAgent(found) ? `‹${tag.slice(sign.length)}` : tag,
  );
}

/** A value as one line of JSON that says the same, with what {@link harmless} would not let pass as `\u` escapes. */
export function jsonText(value: unknown): string {
  return JSON.stringify(value)
    .replace(TAG, (tag, sign: string, ...found) =>
      isOfAgent(found) ? escaped(sign) + tag.slice(sign.length) : tag,
    )
    .replace(HIDDEN, escaped);
}

/** Whether it is a tag of an agent: one of several words such as `system-reminder`, or the end of one such as `context`. */
function isOfAgent([before, name, closing]: readonly unknown[]): boolean {
  const mark = String(before).replace(ESCAPED_BLANK, ' ');
  // `\t` before `ool` may be a backslash before `tool`.
  const letter = /\\([ntrfb])$/u.exec(String(before))?.[1] ?? '';
  return (
    isTag(mark, String(name), closing !== undefined) || (letter !== '' && isTag('\\', letter + name, true))
  );
}

function isTag(mark: string, name: string, isClosed: boolean): boolean {
  const words = name
    .normalize('NFKC')
    .toLowerCase()
    .split(/[-_:]+/u)
    .filter((word) => word !== '');
  if (!words.every((word) => ROLES.has(word) || NEUTRAL.has(word))) return false;
  const isMarked = /\S/u.test(mark);
  // A comparison has blanks, and no closing sign.
  const isCompound = words.length > 1 && (isMarked || mark === '' || isClosed);
  if (words.every((word) => ROLES.has(word))) return isMarked || isCompound;
  if (/^[|｜]$/u.test(mark)) return true;
  return isCompound && (!words.some((word) => EVERYDAY.has(word)) || words.some((word) => ANCHORS.has(word)));
}

function escaped(text: string): string {
  return Array.from(
    { length: text.length },
    (_, at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('');
}
