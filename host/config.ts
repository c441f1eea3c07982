import { readFileSync } from 'node:fs';
import {
  type Config,
  GlobalSettings,
  isSetting,
  ProjectSettings,
  SETTINGS,
  type SettingName,
  type Settings,
  wholeSettings,
} from '../schema/index.js';
import { parseConfig, refuseSetting } from './config-checks.js';
import { configFile, type HomeOptions } from './surroundings.js';
import { writeWhole } from './whole-file.js';

/** Where a value comes from. */
export type SettingSource = 'default' | 'global' | 'project';

/** A setting as it holds. */
export interface HeldSetting {
  readonly key: SettingName;
  readonly value: Settings[SettingName];
  readonly source: SettingSource;
}

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
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {};
    throw error;
  }
  return parseConfig(text, file);
}

/**
 * What holds for a project: its own settings, else those for all, else the defaults.
 *
 * @param root The root's real path; null: what holds where no project says otherwise.
 * @throws CodewalkError `CONFIG_INVALID`
 */
export function settingsFor(root: string | null, options: HomeOptions = {}): Settings {
  const { projects = {}, ...all } = readConfig(options);
  return wholeSettings(all, root === null ? {} : own(projects, root));
}

/** Every setting as it holds, in the order of the table, and where it comes from. As {@link settingsFor}. */
export function heldSettings(root: string | null, options: HomeOptions = {}): HeldSetting[] {
  const { projects = {}, ...all } = readConfig(options);
  const mine = root === null ? {} : own(projects, root);
  const values = wholeSettings(all, mine);
  return Object.keys(SETTINGS)
    .filter(isSetting)
    .filter((key) => root !== null || SETTINGS[key].scope !== 'project')
    .map((key) => ({
      key,
      value: values[key],
      source: key in mine ? 'project' : key in all ? 'global' : 'default',
    }));
}

/**
 * Sets one setting, for a project or (null) for all of them; undefined takes it out again.
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
  const config = readConfig(options);
  const { projects = {}, ...all } = config;
  if (value !== undefined) refuseSetting(key, value, root === null ? 'global' : 'project');
  const next: Config =
    root === null
      ? { ...GlobalSettings.parse(withSetting(all, key, value)), projects }
      : { ...all, projects: withProject(projects, root, withSetting(own(projects, root), key, value)) };
  writeConfig(next, options);
}

/** Hands the settings of one root to another, unless that has some of its own. */
export function moveSettings(from: string, to: string, options: HomeOptions = {}): void {
  const { projects = {}, ...all } = readConfig(options);
  const mine = own(projects, from);
  if (Object.keys(mine).length === 0) return;
  const { [from]: _, ...others } = projects;
  writeConfig({ ...all, projects: { [to]: mine, ...others } }, options);
}

type Projects = NonNullable<Config['projects']>;

/** A root may be called `__proto__`. */
function own(projects: Projects, root: string): Projects[string] {
  return Object.hasOwn(projects, root) ? (projects[root] ?? {}) : {};
}

function withSetting(settings: object, key: SettingName, value: unknown): Record<string, unknown> {
  const { [key]: _, ...others }: Record<string, unknown> = { ...settings };
  return value === undefined ? others : { ...others, [key]: value };
}

function withProject(projects: Projects, root: string, settings: object): Projects {
  const { [root]: _, ...others } = projects;
  return Object.keys(settings).length === 0 ? others : { ...others, [root]: ProjectSettings.parse(settings) };
}

function writeConfig({ projects = {}, ...all }: Config, options: HomeOptions): void {
  const config = Object.keys(projects).length === 0 ? all : { ...all, projects };
  writeWhole(configFile(options), `${JSON.stringify(config, null, 2)}\n`);
}
