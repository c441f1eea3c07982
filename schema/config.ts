import { z } from 'zod';
import { LIMITS } from './limits.js';

/** Where a setting may stand: for all projects, for one of them, or for either, of which the project's counts. */
export type SettingScope = 'global' | 'project' | 'both';

/** One setting of the configuration file. */
export interface Setting {
  readonly schema: z.ZodType;
  readonly scope: SettingScope;
  /** How a person types it: a list as several words, bytes also as `4M`, a text as it is. */
  readonly kind: 'list' | 'bytes' | 'number' | 'boolean' | 'text';
  /** What holds where nothing is set. */
  readonly default: readonly string[] | number | boolean | string;
  readonly doc: string;
}

const globs = z.array(z.string().min(1)).max(LIMITS.configItems.max);
const bytes = z.number().int().min(0);
const endpoint = z
  .string()
  .refine((url) => url === '' || isEndpoint(url), 'it is an http or https address without a password in it');
/** A name, so that no secret is kept by mistake. */
const variable = z.string().regex(/^(?:[A-Za-z_]\w*)?$/, 'it is the name of an environment variable');
const { fileBytes, daemonIdle, hostMemory, extractCache, hookAnswer } = LIMITS;
const MINUTE = 60_000;
const MIB = 1024 * 1024;

/** Every setting that there is; `docs/reference/config.md` is generated from this table. */
export const SETTINGS = {
  include: {
    schema: globs,
    scope: 'both',
    kind: 'list',
    default: [],
    doc: 'Globs: an index takes only files that match. None: all files.',
  },
  exclude: {
    schema: globs,
    scope: 'both',
    kind: 'list',
    default: [],
    doc: 'Globs: an index takes no file that matches.',
  },
  max_file_bytes: {
    schema: z.number().int().min(fileBytes.min).max(fileBytes.max),
    scope: 'both',
    kind: 'bytes',
    default: fileBytes.default,
    doc: 'Larger files are skipped, and named.',
  },
  auto_index: {
    schema: z.boolean(),
    scope: 'both',
    kind: 'boolean',
    default: true,
    doc: 'Whether a question about an eligible project that has no index, or an agent that works in it, starts one.',
  },
  auto_index_files: {
    schema: z.number().int().min(0),
    scope: 'both',
    kind: 'number',
    default: LIMITS.autoIndexFiles.default,
    doc: 'A project with more files than this is not indexed just because an agent works in it; a question about it still starts its index.',
  },
  embeddings_url: {
    schema: endpoint,
    scope: 'both',
    kind: 'text',
    default: '',
    doc: 'Base address of an OpenAI-compatible endpoint, as `http://localhost:11434/v1`: texts of the graph, secrets masked, are sent to its `/embeddings`. None: nothing is sent anywhere, and search goes by words alone.',
  },
  embeddings_model: {
    schema: z.string().trim().min(1),
    scope: 'both',
    kind: 'text',
    default: 'all-MiniLM-L6-v2',
    doc: 'The model that the endpoint is asked for. With another one all vectors are made again.',
  },
  embeddings_key_variable: {
    schema: variable,
    scope: 'both',
    kind: 'text',
    default: '',
    doc: "The environment variable that holds the endpoint's key, as the daemon's environment has it. None: no key is sent.",
  },
  walkers: {
    schema: z.array(z.string().min(1)).max(LIMITS.configItems.max),
    scope: 'global',
    kind: 'list',
    default: [],
    doc: 'Absolute folders of walkers of your own, as `--walkers`. Their code is run by every command.',
  },
  paused: {
    schema: z.boolean(),
    scope: 'project',
    kind: 'boolean',
    default: false,
    doc: 'Nothing that agents do in the project is recorded: `codewalk pause PATH`.',
  },
  cache_bytes: {
    schema: bytes,
    scope: 'global',
    kind: 'bytes',
    default: extractCache.default,
    doc: 'What the derived layers of all projects may take before `codewalk gc` drops the least recently used.',
  },
  'hooks.deadline': {
    schema: z.number().int().min(hookAnswer.min).max(hookAnswer.max),
    scope: 'global',
    kind: 'number',
    default: hookAnswer.default,
    doc: "Milliseconds that an agent's hook waits for its answer; a later answer is given at the session's next moment. The limit is half of the time that agents give an installed hook.",
  },
  idle_minutes: {
    schema: z.number().min(daemonIdle.min / MINUTE),
    scope: 'global',
    kind: 'number',
    default: daemonIdle.default / MINUTE,
    doc: 'After so many minutes without a client the daemon leaves.',
  },
  memory_mb: {
    schema: z
      .number()
      .int()
      .min(hostMemory.min / MIB),
    scope: 'global',
    kind: 'number',
    default: hostMemory.default / MIB,
    doc: 'What open graphs may take together before the least recently used is closed.',
  },
} as const satisfies Readonly<Record<string, Setting>>;

/** The name of a setting. */
export type SettingName = keyof typeof SETTINGS;

type Shape = { [N in SettingName]: (typeof SETTINGS)[N]['schema'] };

const ALL_SETTINGS = z.strictObject(
  Object.fromEntries(Object.entries(SETTINGS).map(([name, { schema }]) => [name, schema])) as Shape,
);

/** What holds for a project, or where there is none: every setting has its value. */
export type Settings = z.infer<typeof ALL_SETTINGS>;

/** The settings that may stand for all projects. */
export const GlobalSettings = ALL_SETTINGS.omit({ paused: true }).partial();

/** The settings that may stand for one project. */
export const ProjectSettings = ALL_SETTINGS.pick({
  include: true,
  exclude: true,
  max_file_bytes: true,
  auto_index: true,
  auto_index_files: true,
  embeddings_url: true,
  embeddings_model: true,
  embeddings_key_variable: true,
  paused: true,
}).partial();

/** The configuration file: settings for all projects, and under `projects` those of one, by its root's real path. */
export const Config = GlobalSettings.extend({
  projects: z.record(z.string(), ProjectSettings).optional(),
});

export type Config = z.infer<typeof Config>;

/** Settings with a value for each: of several sets the last that has one counts, else the default. */
export function wholeSettings(...sets: readonly Readonly<Partial<Record<SettingName, unknown>>>[]): Settings {
  const defaults = Object.entries(SETTINGS).map(([name, setting]) => [name, setting.default]);
  return ALL_SETTINGS.parse(Object.assign(Object.fromEntries(defaults), ...sets));
}

function isEndpoint(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return /^https?:$/.test(protocol) && username === '' && password === '';
}

/** Whether there is a setting of this name. */
export function isSetting(name: string): name is SettingName {
  return Object.hasOwn(SETTINGS, name);
}
