import { existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { closest, distance } from 'fastest-levenshtein';
import {
  CodewalkError,
  Config,
  GlobalSettings,
  isSetting,
  issuesText,
  issueText,
  ProjectSettings,
  SETTINGS,
  type Setting,
  type SettingName,
  type Settings,
  shortenedText,
  toCodewalkError,
  wholeSettings,
} from '../schema/index.js';
import { type Embedder, type EmbedderSource, RemoteEmbedder } from '../search/index.js';
import { readGlobs } from '../source/index.js';
import { writeWhole } from './files.js';
import { configFile, graphsFolderOf, type HomeOptions, processSurroundings } from './surroundings.js';

/** Characters of a value that a message shows. */
const LONGEST_SHOWN = 200;
const BYTES: Readonly<Record<string, number>> = { k: 2 ** 10, m: 2 ** 20, g: 2 ** 30 };

type Projects = NonNullable<Config['projects']>;

/**
 * What the configuration file says; nothing where there is none.
 *
 * @throws CodewalkError `CONFIG_INVALID` naming the file, the key and the value.
 */
export function readConfig(options: HomeOptions = {}): Config {
  const file = configFile(options);
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (Object(error).code === 'ENOENT') return {};
    throw error;
  }
  return parseConfig(text, file);
}

/**
 * What holds for a project: its own settings, else those for all, else the defaults.
 *
 * @param root The root's real path; null: what holds where no project says otherwise.
 */
export function settingsFor(root: string | null, options: HomeOptions = {}): Settings {
  const { projects = {}, ...all } = readConfig(options);
  return wholeSettings(all, root === null ? {} : own(projects, root));
}

/** A setting as it holds, and where its value comes from. */
export type HeldSetting = ReturnType<typeof heldSettings>[number];

/** Every setting as it holds, in the order of the table, and where it comes from. As {@link settingsFor}. */
export function heldSettings(root: string | null, options: HomeOptions = {}) {
  const { projects = {}, ...all } = readConfig(options);
  const mine = root === null ? {} : own(projects, root);
  const values = wholeSettings(all, mine);
  return Object.keys(SETTINGS)
    .filter(isSetting)
    .filter((key) => root !== null || SETTINGS[key].scope !== 'project')
    .map((key) => {
      const source: 'project' | 'global' | 'default' =
        key in mine ? 'project' : key in all ? 'global' : 'default';
      return { key, value: values[key], source };
    });
}

/**
 * What the configuration says of the files that an index of a root takes: input fields of `graph_index_project`. Nothing
 * in a repository can set it.
 */
export function indexDefaults(
  root: string | null,
  options: HomeOptions = {},
): Pick<Settings, 'include' | 'exclude' | 'max_file_bytes'> {
  const { include, exclude, max_file_bytes } = settingsFor(root, options);
  try {
    readGlobs([...include, ...exclude]);
  } catch (cause) {
    const { message, suggestion, providedInput: input } = toCodewalkError(cause);
    const file = configFile(options);
    throw new CodewalkError('CONFIG_INVALID', `${file}: ${message}`, {
      suggestion: `${suggestion} Correct it in ${file}.`,
      input,
      cause,
    });
  }
  return { include, exclude, max_file_bytes };
}

/** A walker's input with what the configuration says where the caller said nothing. As {@link indexDefaults}. */
export function withDefaults(
  walker: string,
  input: Readonly<Record<string, unknown>>,
  root: string | null,
  options: HomeOptions = {},
): Record<string, unknown> {
  return walker === 'graph_index_project' ? { ...indexDefaults(root, options), ...input } : { ...input };
}

/**
 * Sets one setting, for a project or (null) for all of them; undefined removes it.
 *
 * @throws CodewalkError `INVALID_INPUT` for a value that does not fit or a setting that cannot stand there,
 * `CONFIG_INVALID` where the file is not valid already: it stays as it is.
 */
export function changeSetting(
  key: SettingName,
  value: unknown,
  root: string | null,
  options: HomeOptions = {},
): void {
  const { projects = {}, ...all } = readConfig(options);
  if (value !== undefined) checkSetting(key, value, root === null ? 'global' : 'project');
  const changed = withEntry(root === null ? all : own(projects, root), key, value);
  const next: Config =
    root === null
      ? { ...GlobalSettings.parse(changed), projects }
      : { ...all, projects: withEntry(projects, root, ProjectSettings.parse(changed)) };
  writeConfig(next, options);
}

/** Moves the settings of one root to another, unless that has some of its own. */
export function moveSettings(from: string, to: string, options: HomeOptions = {}): void {
  const { projects = {}, ...all } = readConfig(options);
  const mine = own(projects, from);
  if (Object.keys(mine).length === 0) return;
  writeConfig({ ...all, projects: { [to]: mine, ...withEntry(projects, from, {}) } }, options);
}

/**
 * A setting's name as it was typed.
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
 * A setting's value as it was typed: a list as several words or as JSON, bytes also as `4M`. Whether it fits is checked
 * when it is set.
 *
 * @throws CodewalkError `INVALID_INPUT` for several words in place of one.
 */
export function typedValue(key: SettingName, words: readonly string[]): unknown {
  const { kind }: Setting = SETTINGS[key];
  const [word = ''] = words;
  if (kind === 'list') return words.length === 1 && word.startsWith('[') ? jsonOrText(word) : [...words];
  if (words.length !== 1) throw unfit(key, words, `it takes one value, not ${words.length}`);
  if (kind === 'text') return word;
  const [, number, unit = ''] = /^([\d.]+)([kmg])(?:i?b)?$/i.exec(word) ?? [];
  if (kind === 'bytes' && number) return Number(number) * (BYTES[unit.toLowerCase()] ?? 1);
  return jsonOrText(word);
}

/** The file that recorders look for: while it is there, they record nothing at all. */
export function pauseFile(options: HomeOptions = {}): string {
  return join(graphsFolderOf(options), 'paused');
}

/**
 * Why nothing is recorded of a project: all are paused, or it alone by its setting; null while it is recorded.
 *
 * @param root Its real path; null: whether all are.
 */
export function pausedBy(root: string | null, options: HomeOptions = {}): 'all' | 'project' | null {
  if (existsSync(pauseFile(options))) return 'all';
  return root !== null && settingsFor(root, options).paused ? 'project' : null;
}

/**
 * Stops recording, or goes on with it.
 *
 * @param root The real path of the one project; null: all. What was paused by itself stays so when all go on.
 * @throws CodewalkError `CONFIG_INVALID`, `STORE_FULL`
 */
export function setPaused(paused: boolean, root: string | null, options: HomeOptions = {}): void {
  if (root !== null) changeSetting('paused', paused ? true : undefined, root, options);
  else if (paused) writeWhole(pauseFile(options), 'Recording is paused: codewalk resume --all\n');
  else rmSync(pauseFile(options), { force: true });
}

/**
 * The embedder that the configuration names for a root as it is whenever somebody asks: changing a setting needs no new
 * start.
 *
 * @param root Its real path; null for a graph in memory.
 * @throws CodewalkError `EMBEDDINGS_FAILED` where the variable with its key is not set, when it is asked for.
 */
export function configuredEmbedder(root: string | null, options: HomeOptions = {}): EmbedderSource {
  let known: { readonly identity: string; readonly embedder: Embedder } | null = null;
  let read: { readonly state: string; readonly settings: Settings } | null = null;
  return () => {
    // Every search asks: the file is read again only where it was written again.
    const status = statSync(configFile(options), { bigint: true, throwIfNoEntry: false });
    const state = [status?.ino, status?.size, status?.mtimeNs, status?.ctimeNs].join(' ');
    read = read?.state === state ? read : { state, settings: settingsFor(root, options) };
    const { settings } = read;
    const { embeddings_url: url, embeddings_model: model, embeddings_key_variable: variable } = settings;
    if (url === '') return null;
    const { env } = options.surroundings ?? processSurroundings();
    const key = variable === '' ? null : env[variable];
    if (key === undefined || key === '')
      throw new CodewalkError(
        'EMBEDDINGS_FAILED',
        `the variable ${variable}, which embeddings_key_variable names, is not set where the graph is open`,
        {
          suggestion: "Set it, then 'codewalk stop': the next command starts a daemon that has it.",
          input: variable,
        },
      );
    const identity = JSON.stringify([url, model, key]);
    if (known?.identity !== identity) known = { identity, embedder: new RemoteEmbedder({ url, model, key }) };
    return known.embedder;
  };
}

function parseConfig(text: string, file: string): Config {
  const invalid = (message: string, suggestion: string, cause?: unknown) =>
    new CodewalkError('CONFIG_INVALID', message, { suggestion, input: file, cause });
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (cause) {
    throw invalid(`${file} is not JSON: ${Object(cause).message}`, 'Correct it, or move it away.', cause);
  }
  const { data, error } = Config.safeParse(parsed);
  if (data) return data;
  const [issue] = error.issues;
  const unknown = issue?.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [];
  const path = [...(issue?.path ?? []), ...unknown];
  const value = path.reduce<unknown>((at, name) => Reflect.get(Object(at), name), parsed);
  const what = path.length === 0 ? 'it' : `'${shortenedText(path.join(': '), LONGEST_SHOWN)}'`;
  const why = unknown.length === 0 && issue ? issueText(issue) : 'there is no such setting here';
  throw invalid(
    `${file}: ${what} is ${shown(value)}: ${why}`,
    `${unknown.map(nearest).join('')}Correct it in ${file}.`,
  );
}

function writeConfig({ projects = {}, ...all }: Config, options: HomeOptions): void {
  const filled = Object.entries(projects).filter(([, settings]) => Object.keys(settings).length > 0);
  const config = filled.length === 0 ? all : { ...all, projects: Object.fromEntries(filled) };
  writeWhole(configFile(options), `${JSON.stringify(config, null, 2)}\n`);
}

/** @throws CodewalkError `INVALID_INPUT` for a value that does not fit its setting, or a setting that cannot stand there. */
function checkSetting(key: SettingName, value: unknown, where: 'global' | 'project'): void {
  const { scope, schema }: Setting = SETTINGS[key];
  if (scope !== 'both' && scope !== where)
    throw scope === 'global'
      ? unfit(key, value, 'it holds for all projects alike', 'Leave out --project.')
      : unfit(key, value, 'it is for one project', 'Give --project PATH.');
  const { success, error } = schema.safeParse(value);
  if (!success) throw unfit(key, value, issuesText(error));
  const relative = key === 'walkers' && [value].flat().find((folder) => !isAbsolute(String(folder)));
  if (relative) throw unfit(key, relative, 'a folder is given by its absolute path');
  if (key === 'include' || key === 'exclude') readGlobs(value as readonly string[]);
}

function unfit(key: SettingName, value: unknown, why: string, suggestion?: string): CodewalkError {
  const text = typeof value === 'string' ? shortenedText(value, LONGEST_SHOWN) : shown(value);
  return new CodewalkError('INVALID_INPUT', `${key}: '${text}': ${why}`, {
    input: value,
    suggestion: suggestion ?? SETTINGS[key].doc,
  });
}

/** A root may be called `__proto__`. */
function own(projects: Projects, root: string): Projects[string] {
  return Object.hasOwn(projects, root) ? (projects[root] ?? {}) : {};
}

/** An object with one entry changed; undefined removes it. */
function withEntry<T>(object: Readonly<Record<string, T>>, key: string, value: T): Record<string, T> {
  const { [key]: _, ...others } = object;
  return value === undefined ? others : { ...others, [key]: value };
}

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** A hint at the setting with the nearest name, with a space after it; empty where it shares few letters. */
function nearest(name: string): string {
  const near = closest(name, Object.keys(SETTINGS));
  return distance(name, near) <= Math.max(name.length, near.length) / 2 ? `Did you mean '${near}'? ` : '';
}

function shown(value: unknown): string {
  return shortenedText(JSON.stringify(value) ?? 'nothing', LONGEST_SHOWN);
}
