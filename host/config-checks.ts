import { isAbsolute } from 'node:path';
import { closest, distance } from 'fastest-levenshtein';
import type { z } from 'zod';
import {
  CodewalkError,
  Config,
  isSetting,
  issuesText,
  issueText,
  SETTINGS,
  type Setting,
  type SettingName,
  shortenedText,
} from '../schema/index.js';
import { readGlobs } from '../source/index.js';

/** Characters of a value that a message shows. */
const LONGEST_SHOWN = 200;

const UNITS: Readonly<Record<string, number>> = { '': 1, k: 2 ** 10, m: 2 ** 20, g: 2 ** 30 };

/**
 * The configuration that a file's text says.
 *
 * @throws CodewalkError `CONFIG_INVALID`
 */
export function parseConfig(text: string, file: string): Config {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw invalid(`${file} is not JSON: ${why}`, 'Correct it, or move it away.', file, cause);
  }
  // A setting of earlier versions, of the archive that backups replaced.
  if (typeof parsed === 'object' && parsed !== null) Reflect.deleteProperty(parsed, 'archive_bytes');
  const config = Config.safeParse(parsed);
  if (config.success) return config.data;
  const issue = config.error.issues[0];
  const path = issue?.path ?? [];
  const unknown = issue?.code === 'unrecognized_keys' ? issue.keys[0] : undefined;
  const at = [...path.slice(1), ...(unknown === undefined ? [] : [unknown])];
  const key = [...path.slice(0, 1), ...at].join(': ');
  const value = shownValue(valueAt(parsed, [...path, ...(unknown === undefined ? [] : [unknown])]));
  const why = unknown === undefined && issue ? issueText(issue) : 'there is no such setting here';
  throw invalid(
    `${file}: ${key === '' ? 'it' : `'${shortenedText(key, LONGEST_SHOWN)}'`} is ${value}: ${why}`,
    unknown === undefined ? `Correct it in ${file}.` : `${nearest(unknown)}Correct it in ${file}.`,
    file,
  );
}

/**
 * A setting's name as somebody typed it.
 *
 * @throws CodewalkError `INVALID_INPUT` with the nearest name.
 */
export function settingName(typed: string): SettingName {
  const name = typed.replaceAll('-', '_');
  if (isSetting(name)) return name;
  throw new CodewalkError('INVALID_INPUT', `there is no setting '${typed}'`, {
    input: typed,
    suggestion: `${nearest(name)}'codewalk config list' shows all.`,
  });
}

/**
 * A setting's value as somebody typed it: a list as several words or as JSON, bytes also as `4M`.
 *
 * @throws CodewalkError `INVALID_INPUT`
 */
export function typedValue(key: SettingName, words: readonly string[]): unknown {
  const { kind }: Setting = SETTINGS[key];
  const [word = ''] = words;
  if (kind === 'list') return words.length === 1 && word.startsWith('[') ? jsonOf(key, word) : [...words];
  if (words.length !== 1) throw unfit(key, words, `it takes one value, not ${words.length}`);
  if (kind === 'text') return word;
  if (kind === 'boolean') {
    if (word === 'true' || word === 'false') return word === 'true';
    throw unfit(key, word, "it is 'true' or 'false'");
  }
  const [, number = '', unit = ''] = /^(-?[\d.]+)(?:([kmg])(?:i?b)?)?$/i.exec(word) ?? [];
  const value = Number(number) * (UNITS[unit.toLowerCase()] ?? Number.NaN);
  if (number === '' || Number.isNaN(value) || (unit !== '' && kind !== 'bytes'))
    throw unfit(
      key,
      word,
      kind === 'bytes' ? "it is a number of bytes, as '4194304' or '4M'" : 'it is a number',
    );
  return value;
}

/**
 * Refuses a value that does not fit its setting, or a setting that cannot stand there.
 *
 * @throws CodewalkError `INVALID_INPUT`
 */
export function refuseSetting(key: SettingName, value: unknown, where: 'global' | 'project'): void {
  const { scope, schema }: Setting = SETTINGS[key];
  if (scope !== 'both' && scope !== where)
    throw unfit(
      key,
      value,
      scope === 'global' ? 'it holds for all projects alike' : 'it is for one project',
      scope === 'global' ? 'Leave out --project.' : 'Give --project PATH.',
    );
  const checked: z.ZodSafeParseResult<unknown> = schema.safeParse(value);
  if (!checked.success) throw unfit(key, value, issuesText(checked.error));
  const relative = key === 'walkers' && [value].flat().find((folder) => !isAbsolute(String(folder)));
  if (relative) throw unfit(key, relative, 'a folder is given by its absolute path');
  if (key === 'include' || key === 'exclude') readGlobs((value as readonly string[]) ?? []);
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let at: unknown = value;
  for (const name of path) {
    if (typeof at !== 'object' || at === null) return at;
    at = Reflect.get(at, name);
  }
  return at;
}

function jsonOf(key: SettingName, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw unfit(key, text, 'it begins like JSON and is none');
  }
}

/** What was meant, with a space behind it; empty where the nearest name has few letters of it. */
function nearest(name: string): string {
  const near = closest(name, Object.keys(SETTINGS));
  return distance(name, near) <= Math.max(name.length, near.length) / 2 ? `Did you mean '${near}'? ` : '';
}

function unfit(key: SettingName, value: unknown, why: string, suggestion?: string): CodewalkError {
  const shown = typeof value === 'string' ? shortenedText(value, LONGEST_SHOWN) : shownValue(value);
  return new CodewalkError('INVALID_INPUT', `${key}: '${shown}': ${why}`, {
    input: value,
    suggestion: suggestion ?? SETTINGS[key].doc,
  });
}

function shownValue(value: unknown): string {
  return shortenedText(JSON.stringify(value) ?? 'nothing', LONGEST_SHOWN);
}

function invalid(message: string, suggestion: string, file: string, cause?: unknown): CodewalkError {
  return new CodewalkError('CONFIG_INVALID', message, { suggestion, input: file, cause });
}
