import { isDeepStrictEqual } from 'node:util';
import { type AST, getStaticTOMLValue, ParseError, parseTOML } from 'toml-eslint-parser';
import { SERVER_KEYS, SERVER_NAME } from '../agent.js';
import { at, isRecord } from '../payload.js';
import { isOurServer, type SettingsLanguage, tomlTable } from './entries.js';
import { refusal } from './files.js';

/**
 * TOML, of which we write one table at the end of the file. What a change does to the settings is held against what it
 * is to do: where that is anything else, the file is refused.
 */
export const toml: SettingsLanguage = {
  withEntries(path, text, { server }) {
    if (server === undefined) return text;
    const { key, entry } = server;
    const servers = at(settingsIn(path, text), key) ?? {};
    if (at(servers, SERVER_NAME) !== undefined)
      throw refusal(path, `has a '${key}.${SERVER_NAME}' that is not ours`, 'Rename or remove that entry');
    const newline = /\r?\n/u.exec(text)?.[0] ?? '\n';
    const gap = text === '' ? '' : text.endsWith('\n') ? newline : newline + newline;
    const now = text + gap + tomlTable(key, entry).replaceAll('\n', newline);
    return checked(path, text, now, (settings) => ({
      ...settings,
      [key]: { ...Object(servers), [SERVER_NAME]: entry },
    }));
  },

  withoutEntries(path, text) {
    const key = keyOfOurs(settingsIn(path, text));
    if (key === undefined) return text;
    let now = text;
    for (const { range } of tablesOf(text, key).reverse()) {
      const start = now.lastIndexOf('\n', range[0] - 1) + 1;
      const end = now.indexOf('\n', range[1]);
      const before = now.slice(0, start).replace(/(^|\n)\r?\n$/u, '$1');
      now = before + (end < 0 ? '' : now.slice(end + 1));
    }
    return checked(path, text, now, (settings) => {
      const { [SERVER_NAME]: _, ...others } = Object(settings[key]);
      const { [key]: __, ...rest } = settings;
      return Object.keys(others).length === 0 ? rest : { ...rest, [key]: others };
    });
  },

  entriesIn(path, text) {
    const settings = settingsIn(path, text);
    const key = keyOfOurs(settings);
    return new Map(key === undefined ? [] : [[`${key}.${SERVER_NAME}`, at(settings, key, SERVER_NAME)]]);
  },

  settingAt: (path, text, keys) => at(settingsIn(path, text), ...keys),

  isEmpty: (_, text) => text.trim() === '',
};

function settingsIn(path: string, text: string): Readonly<Record<string, unknown>> {
  try {
    const settings: unknown = getStaticTOMLValue(parseTOML(text));
    return isRecord(settings) ? settings : {};
  } catch (thrown) {
    if (!(thrown instanceof ParseError)) throw thrown;
    const { message, lineNumber, column } = thrown;
    throw refusal(path, `is no valid TOML: ${message} at line ${lineNumber}, column ${column + 1}`);
  }
}

/** A change of a text, if it comes to the settings that it is to come to. */
function checked(
  path: string,
  text: string,
  now: string,
  change: (settings: Readonly<Record<string, unknown>>) => object,
): string {
  const wanted = change(settingsIn(path, text));
  let found: unknown = null;
  try {
    found = settingsIn(path, now);
  } catch {
    // Refused below: the file itself was read.
  }
  if (isDeepStrictEqual(plain(found), plain(wanted))) return now;
  throw refusal(path, 'has its servers in a form that cannot be changed safely', 'Change that entry by hand');
}

/** Without the prototypes that the parser's tables have or lack; dates and large numbers are as they are. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (!isRecord(value) || value instanceof Date) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, one]) => one !== undefined)
      .map(([name, one]) => [name, plain(one)]),
  );
}

function keyOfOurs(settings: Readonly<Record<string, unknown>>): string | undefined {
  return SERVER_KEYS.find((key) => isOurServer(at(settings, key, SERVER_NAME)));
}

/** The tables of our server: its own, and what a client has added beneath it. */
function tablesOf(text: string, key: string): AST.TOMLTable[] {
  return parseTOML(text).body[0].body.filter(
    (one): one is AST.TOMLTable =>
      one.type === 'TOMLTable' && one.resolvedKey[0] === key && one.resolvedKey[1] === SERVER_NAME,
  );
}
