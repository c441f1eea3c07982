import { isDeepStrictEqual } from 'node:util';
import { type Entries, SERVER_NAME } from '../agent.js';
import type { EntryMap, SettingsLanguage } from './entries.js';
import { refusal } from './files.js';
import { json } from './json-settings.js';
import { toml } from './toml-settings.js';
import { yaml } from './yaml-settings.js';

const BYTE_ORDER_MARK = '\uFEFF';

function languageOf(path: string): SettingsLanguage {
  if (/\.ya?ml$/u.test(path)) return yaml;
  return path.endsWith('.toml') ? toml : json;
}

/** What a settings file holds behind its byte order mark. @throws CodewalkError `INSTALL_REFUSED` */
function textIn(path: string, bytes: Uint8Array): { readonly mark: string; readonly text: string } {
  let whole: string;
  try {
    whole = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw refusal(path, 'is not in UTF-8');
  }
  const mark = whole.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : '';
  return { mark, text: whole.slice(mark.length) };
}

/**
 * A settings file with entries of ours in it, which it has none of. What else is in it stays as it is.
 *
 * @param path For errors, and for the language.
 * @throws CodewalkError `INSTALL_REFUSED` where it cannot hold them.
 */
export function withEntries(path: string, bytes: Uint8Array, entries: Entries): Uint8Array {
  const { mark, text } = textIn(path, bytes);
  return Buffer.from(mark + languageOf(path).withEntries(path, text, entries));
}

/**
 * A settings file without the entries of ours, of whatever version. What they leave empty goes too, if it was not there
 * before.
 *
 * @param before The file before we wrote to it; null: not known, or there was none.
 * @throws CodewalkError `INSTALL_REFUSED` where it cannot be read, or they cannot be taken out of it.
 */
export function withoutEntries(path: string, bytes: Uint8Array, before: Uint8Array | null): Uint8Array {
  const { mark, text } = textIn(path, bytes);
  const old = before === null ? null : textIn(path, before).text;
  return Buffer.from(mark + languageOf(path).withoutEntries(path, text, old));
}

/** The entries of ours that a settings file has, of whatever version. Throws as {@link withoutEntries}. */
export function entriesIn(path: string, bytes: Uint8Array): EntryMap {
  return languageOf(path).entriesIn(path, textIn(path, bytes).text);
}

/** Entries by their places. */
export function entryMap({ hooks = {}, server }: Entries): EntryMap {
  return new Map<string, unknown>([
    ...Object.entries(hooks).map(([event, groups]) => [`hooks.${event}`, groups] as const),
    ...(server === undefined ? [] : [[`${server.key}.${SERVER_NAME}`, server.entry] as const]),
  ]);
}

/** A setting by its keys. Throws as {@link withoutEntries}. */
export function settingAt(path: string, bytes: Uint8Array, keys: readonly string[]): unknown {
  return languageOf(path).settingAt(path, textIn(path, bytes).text, keys);
}

/** Whether a settings file has exactly these entries of ours, in whatever order. */
export function holdsEntries(path: string, bytes: Uint8Array, entries: Entries): boolean {
  return isDeepStrictEqual(entriesIn(path, bytes), entryMap(entries));
}

/** Whether a settings file holds no setting and no comment. */
export function isEmptyFile(path: string, bytes: Uint8Array): boolean {
  return languageOf(path).isEmpty(path, textIn(path, bytes).text);
}
