import { isDeepStrictEqual } from 'node:util';
import { type Document, isMap, isSeq, type Pair, parseAllDocuments, type YAMLMap, type YAMLSeq } from 'yaml';
import { SERVER_KEYS, SERVER_NAME, type ServerEntry } from '../agent.js';
import { at, isRecord } from '../payload.js';
import { isOurServer, type SettingsLanguage } from './entries.js';
import { refusal } from './files.js';

type Settings = Readonly<Record<string, unknown>>;

/**
 * YAML, in which our entry is one line, in the form of JSON. What a change does to the settings is held against what it
 * is to do: where that is anything else (an alias stands for the servers, say), the file is refused.
 */
export const yaml: SettingsLanguage = {
  withEntries(path, text, { server }) {
    if (server === undefined) return text;
    const { key, entry, listed = false } = server;
    const settings = settingsIn(path, text);
    const old = settings[key] ?? (listed ? [] : {});
    if (namedIn(old) !== undefined)
      throw refusal(path, `has a '${key}.${SERVER_NAME}' that is not ours`, 'Rename or remove that entry');
    const now = inserted(text, documentIn(path, text), { key, entry, listed });
    const others = listed ? [entry, ...[old].flat()] : { ...Object(old), [SERVER_NAME]: entry };
    return checked(path, now, { ...settings, [key]: others });
  },

  withoutEntries(path, text, before) {
    const settings = settingsIn(path, text);
    const key = keyOfOurs(settings);
    if (key === undefined) return text;
    const stays = before !== null && Object.hasOwn(settingsIn(path, before), key);
    const old = settings[key];
    const others = Array.isArray(old)
      ? old.filter((one) => one !== namedIn(old))
      : Object.fromEntries(Object.entries(Object(old)).filter(([name]) => name !== SERVER_NAME));
    return checked(path, removed(text, documentIn(path, text), key, stays), { ...settings, [key]: others });
  },

  entriesIn(path, text) {
    const settings = settingsIn(path, text);
    const key = keyOfOurs(settings);
    return new Map(key === undefined ? [] : [[`${key}.${SERVER_NAME}`, namedIn(settings[key])]]);
  },

  settingAt: (path, text, keys) => at(settingsIn(path, text), ...keys),

  isEmpty: (_, text) => text.trim() === '',
};

/** A document that can be changed; null for a text without one. */
function documentIn(path: string, text: string): Document.Parsed | null {
  const documents = parseAllDocuments(text);
  const [document = null, second] = Array.isArray(documents) ? documents : [];
  const error = document?.errors[0];
  if (error !== undefined) throw refusal(path, `is no valid YAML: ${error.message.split('\n', 1)[0]}`);
  if (second !== undefined) throw refusal(path, 'holds several documents');
  if (document?.contents && !isMap(document.contents)) throw refusal(path, 'holds no mapping of settings');
  return document;
}

function settingsIn(path: string, text: string): Settings {
  const document = documentIn(path, text);
  try {
    const settings: unknown = document?.toJS();
    return isRecord(settings) ? settings : {};
  } catch {
    throw refusal(path, 'has aliases that cannot be resolved');
  }
}

/** The server of our name among those of a key, which are in a list or have names. */
function namedIn(servers: unknown): unknown {
  return Array.isArray(servers)
    ? servers.find((one: unknown) => at(one, 'name') === SERVER_NAME)
    : at(servers, SERVER_NAME);
}

function keyOfOurs(settings: Settings): string | undefined {
  return SERVER_KEYS.find((key) => isOurServer(namedIn(settings[key])));
}

/** A changed text, if it comes to the settings that it is to come to; a key of nothing is as good as none. */
function checked(path: string, now: string, wanted: Settings): string {
  let found: unknown = null;
  try {
    found = filled(settingsIn(path, now));
  } catch {
    // Refused below: the file itself was read.
  }
  if (isDeepStrictEqual(found, filled(wanted))) return now;
  throw refusal(path, 'has its servers in a form that cannot be changed safely', 'Change that entry by hand');
}

function filled(settings: Settings): Settings {
  const isNothing = (value: unknown) =>
    value === null || (typeof value === 'object' && Object.keys(value).length === 0);
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => !isNothing(value)));
}

function pairOf(document: Document.Parsed | null, key: string): Pair | undefined {
  const root = document?.contents;
  return isMap(root) ? root.items.find((pair) => textOf(pair.key) === key) : undefined;
}

function textOf(node: unknown): unknown {
  return isRecord(node) ? at(node, 'value') : Object(node).value;
}

/** Where a node begins and where it ends, its comment and line end left out. */
function rangeOf(node: unknown): readonly [number, number] {
  const [from = 0, to = 0]: number[] = Object(node).range ?? [];
  return [from, to];
}

/** The items of servers, each from its name or its value on, and whether they stand in braces or brackets. */
function itemsOf(
  servers: YAMLMap | YAMLSeq,
): { readonly node: unknown; readonly range: readonly [number, number] }[] {
  return isMap(servers)
    ? servers.items.map(({ key, value }) => ({
        node: key,
        range: [rangeOf(key)[0], rangeOf(value ?? key)[1]],
      }))
    : servers.items.map((item) => ({ node: item, range: rangeOf(item) }));
}

function lineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1;
}

/** Behind the line in which a node ends. */
function nextLine(text: string, end: number): number {
  const newline = text.indexOf('\n', text[end - 1] === '\n' ? end - 1 : end);
  return newline < 0 ? text.length : newline + 1;
}

function inserted(
  text: string,
  document: Document.Parsed | null,
  { key, entry, listed }: { readonly key: string; readonly entry: ServerEntry; readonly listed: boolean },
): string {
  const newline = /\r?\n/u.exec(text)?.[0] ?? '\n';
  const value = JSON.stringify(entry);
  const named = listed ? value : `${SERVER_NAME}: ${value}`;
  const line = `${listed ? '- ' : ''}${named}${newline}`;
  const put = (offset: number, added: string) => text.slice(0, offset) + added + text.slice(offset);
  const pair = pairOf(document, key);
  if (pair === undefined) {
    const end = text === '' || text.endsWith('\n') ? '' : newline;
    return `${text}${end}${key}:${newline}  ${line}`;
  }
  const servers = pair.value;
  if (!isMap(servers) && !isSeq(servers)) return put(nextLine(text, rangeOf(pair.key)[1]), `  ${line}`);
  const [first] = itemsOf(servers);
  if (servers.flow) return put(rangeOf(servers)[0] + 1, first ? `${named}, ` : named);
  const start = lineStart(text, first?.range[0] ?? 0);
  return put(start, `${/^[ \t]*/u.exec(text.slice(start))?.[0] ?? ''}${line}`);
}

/** @param stays Whether the key was there before us: then it stays, with nothing. */
function removed(text: string, document: Document.Parsed | null, key: string, stays: boolean): string {
  const pair = pairOf(document, key);
  const servers = pair?.value;
  if (!isMap(servers) && !isSeq(servers)) return text;
  const items = itemsOf(servers);
  const nth = items.findIndex(({ node }) => (isMap(node) ? node.get('name') : textOf(node)) === SERVER_NAME);
  const [from, to] = items[nth]?.range ?? [0, 0];
  const cut = (start: number, end: number) => text.slice(0, start) + text.slice(end);
  if (items.length === 1 && !stays)
    return cut(lineStart(text, rangeOf(pair?.key)[0]), nextLine(text, rangeOf(servers)[1]));
  if (!servers.flow) return cut(lineStart(text, from), nextLine(text, to));
  const comma = /^\s*, ?/u.exec(text.slice(to))?.[0].length;
  return comma === undefined ? cut(items[nth - 1]?.range[1] ?? from, to) : cut(from, to + comma);
}
