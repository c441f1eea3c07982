import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { type Profile, profilesIn } from '../../schema/index.js';
import {
  type Agent,
  type Client,
  type Entries,
  type Machine,
  type Ours,
  SERVER_KEYS,
  SERVER_NAME,
  type ServerCommand,
  type ServerEntry,
} from '../agent.js';
import { at } from '../payload.js';

/** Where our programs are, by paths that hold after an update. */
export interface Programs {
  /** The folder of the built package; absolute. */
  readonly dist: string;
  readonly node: string;
  /** Where graphs are stored, if that is not the default: an agent that starts our programs may not know it. */
  readonly home: string | null;
  readonly version: string;
  /** The profiles of the server; left out: the default one. */
  readonly profiles?: readonly Profile[];
}

/** Entries by their places: `hooks.Stop`, `mcpServers.codewalk`. */
export type EntryMap = ReadonlyMap<string, unknown>;

/**
 * A language of settings files. Texts come without a byte order mark. What cannot be read, or cannot hold what it is to
 * hold, throws `INSTALL_REFUSED`.
 */
export interface SettingsLanguage {
  withEntries(path: string, text: string, entries: Entries): string;
  /** @param before What it held before we wrote to it; null: not known, or nothing. */
  withoutEntries(path: string, text: string, before: string | null): string;
  entriesIn(path: string, text: string): EntryMap;
  settingAt(path: string, text: string, keys: readonly string[]): unknown;
  /** Whether it holds no setting and no comment. */
  isEmpty(path: string, text: string): boolean;
}

/** Our server among entries; undefined where it is not. */
export function serverIn(entries: EntryMap): unknown {
  const place = SERVER_KEYS.map((key) => `${key}.${SERVER_NAME}`).find((name) => entries.has(name));
  return place === undefined ? undefined : entries.get(place);
}

/**
 * What the output of tests or a compiler has, as an extended regular expression, where some failed though the command
 * ended well (`npm test | tail`). The adapter decides whether they did; this only spares starting Node for the others.
 */
export const MAY_HIDE_FAILURE =
  'FAILED|FAIL |not ok [0-9]|# fail [1-9]|[1-9][0-9]* (failed|failing|failures?|errors?)|(failures|errors)=[1-9]|error TS[0-9]|error\\[E[0-9]|SyntaxError';

/** One hook of an installation; its command as a shell takes it. */
export interface HookCommand {
  readonly event: string;
  /** Null: for all tools, or the event has none. */
  readonly matcher: string | null;
  readonly command: string;
}

/** The hooks of an agent. With the package gone each ends well, in silence. */
export function hookCommands({ name, folder, events }: Agent, programs: Programs): HookCommand[] {
  const { dist, node, home } = programs;
  return events.map(({ event, matcher = null, answers, drop, keep, only }) => {
    const options = { home: home ?? undefined, drop, keep, only, answer: answers ? node : undefined };
    const words = ['sh', shQuoted(`${dist}/record.sh`), '--client', name, '--quiet'];
    if (folder !== undefined) words.push('--cwd', `"${folder}"`);
    for (const [option, value] of Object.entries(options))
      if (value !== undefined) words.push(`--${option}`, shQuoted(value));
    return { event, matcher, command: `${words.join(' ')} 2>/dev/null || :` };
  });
}

/** How a server is started that answers in Markdown. @param hooked The client whose hooks are ours, too. */
function serverCommand({ dist, node, home, profiles = [] }: Programs, hooked: string | null): ServerCommand {
  const flags = [
    ...['--format', 'markdown'],
    ...(profiles.length === 0 ? [] : ['--profile', profiles.join()]),
    ...(hooked === null ? [] : ['--client', hooked]),
    ...(home === null ? [] : ['--home', home]),
  ];
  return { command: node, args: [`${dist}/cli.js`, 'mcp', ...flags] };
}

/** What of ours belongs into a client's settings: no hooks where it runs none of ours. */
export function entriesOf(client: Client | Agent, programs: Programs): Ours {
  const { version } = programs;
  if (!isAgent(client)) return { hooks: {}, server: { ...serverCommand(programs, null) }, version };
  const hooks = hookCommands(client, programs).map(({ event, matcher, command }) => {
    const group = { hooks: [{ type: 'command', ...client.hook, command } as const] };
    return [event, [matcher === null ? group : { matcher, ...group }]] as const;
  });
  const server = { ...client.server, ...serverCommand(programs, client.name) };
  return { hooks: Object.fromEntries(hooks), server, version };
}

/** Whether a client runs hooks of ours. */
export function isAgent(client: Client | Agent): client is Agent {
  return 'dialect' in client;
}

/** How one client is configured by hand for our server. */
interface ServerConfig {
  /** Where it is pasted. */
  readonly where: string;
  /** Whole lines. */
  readonly text: string;
}

/** How a client is configured by hand for our server; one that we do not know gets the form that most take. */
export function serverConfig(
  name: string,
  client: Client | Agent | undefined,
  programs: Programs,
  machine: Machine,
): ServerConfig {
  const extra = client !== undefined && isAgent(client) ? client.server : {};
  const server = { ...extra, ...serverCommand(programs, null) };
  const placeIn = (root: string | null) => {
    const parts = client?.parts(root, { hooks: {}, server, version: programs.version }, machine) ?? [];
    return parts.flatMap((part) => ('entries' in part && part.entries.server ? [part] : []))[0];
  };
  const [inHome, inProject] = [placeIn(null), placeIn('')];
  const home = inHome?.path ?? client?.userFile(machine);
  const places = [
    ...(home ? [home.replace(machine.userHome, '~')] : []),
    ...(inProject ? [`${inProject.path} of a project`] : []),
  ];
  const where = places.length === 0 ? `wherever ${name} keeps its servers of MCP` : places.join(', or ');
  const { key = 'mcpServers', entry = server, listed = false } = (inHome ?? inProject)?.entries.server ?? {};
  if (home?.endsWith('.toml')) return { where, text: tomlTable(key, entry) };
  // JSON is YAML, too.
  const value = { [key]: listed ? [entry] : { [SERVER_NAME]: entry } };
  return { where, text: `${JSON.stringify(value, null, 2)}\n` };
}

/** A server as a table. Strings of TOML are written as those of JSON. */
export function tomlTable(key: NonNullable<Entries['server']>['key'], entry: ServerEntry): string {
  const lines = Object.entries(entry).map(([name, value]) => {
    const list = Array.isArray(value) ? `[${value.map((one) => JSON.stringify(one)).join(', ')}]` : null;
    return `${name} = ${list ?? JSON.stringify(value)}\n`;
  });
  return `[${key}.${SERVER_NAME}]\n${lines.join('')}`;
}

/** The command of a server with its arguments, however a client writes it. */
export function wordsOf(server: unknown): string[] {
  const words: unknown[] = [at(server, 'command') ?? at(server, 'cmd'), at(server, 'args')].flat();
  return words.filter((word) => typeof word === 'string');
}

/** The profiles that a server of ours is started with, as its argument has them; null where it has none. */
export function profileFlag(server: unknown): string | null {
  const words = wordsOf(server);
  const flag = words.indexOf('--profile');
  return flag < 0 ? null : (words[flag + 1] ?? '');
}

/** The profiles of {@link profileFlag}; none where it names none that there are. */
export function profilesOfServer(server: unknown): readonly Profile[] {
  return profilesIn(profileFlag(server) ?? '') ?? [];
}

/** Whether a command is one of ours, of whatever version and place. */
export function isOurHook(hook: unknown): boolean {
  const command = at(hook, 'command') ?? at(hook, 'bash');
  return typeof command === 'string' && /^sh '.*\/record\.sh' --client [a-z0-9-]+ --quiet\b/u.test(command);
}

/** Whether a server is ours, of whatever version and place. */
export function isOurServer(server: unknown): boolean {
  const words = wordsOf(server);
  const mcp = words.indexOf('mcp', 1);
  return mcp > 0 && (/\/cli\.js$/u.test(words[mcp - 1] ?? '') || /(?:^|\/)codewalk$/u.test(words[0] ?? ''));
}

/** The programs that entries of ours name, as absolute paths. */
export function programsIn(entries: EntryMap): string[] {
  const commands = [...entries.values()].flatMap(stringsIn);
  const quoted = commands.flatMap((text) => [...text.matchAll(/(?:sh|--answer) '((?:[^']|'\\'')*)'/gu)]);
  const words = wordsOf(serverIn(entries));
  const called = words.filter((word, nth) => word.startsWith('/') && (nth === 0 || word.endsWith('/cli.js')));
  return [...quoted.map(([, path = '']) => path.replaceAll("'\\''", "'")), ...called];
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}

/** A word as a POSIX shell takes it, whatever is in it. */
function shQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/**
 * The path of a folder of this package that leads there after an update, too: some package managers keep it in a folder
 * that names the version, and a link to it in a `node_modules` above.
 *
 * @param folder In the package; as it runs, so a real path.
 */
export function lastingPath(folder: string): string {
  const own = dirname(folder);
  const above = ancestorsOf(own).reverse();
  const link = above.map((at) => join(at, 'node_modules', 'codewalk')).find((path) => realOf(path) === own);
  return link === undefined ? folder : join(link, folder.slice(own.length));
}

/**
 * The path of Node that leads to one after an update, too: the one that the user calls, where that is a link to the one
 * that runs. Some managers of versions make such links for one session only.
 *
 * @param running A real path.
 * @param path The variable PATH.
 */
export function lastingNode(running: string, path: string): string {
  const real = realOf(running);
  const called = path
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && !folder.includes('multishells'))
    .map((folder) => join(folder, 'node'))
    .find((file) => realOf(file) === real);
  return called ?? running;
}

function ancestorsOf(path: string): string[] {
  const parent = dirname(path);
  return parent === path ? [] : [parent, ...ancestorsOf(parent)];
}

function realOf(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}

/** What ends the name of a program. */
const ENDINGS = process.platform === 'win32' ? ['.exe', '.cmd', '.bat', ''] : [''];

/** Whether a command is found by its name. @param path The variable PATH. */
export function isOnPath(command: string, path: string): boolean {
  return path
    .split(delimiter)
    .filter((folder) => folder !== '')
    .some((folder) => ENDINGS.some((ending) => isProgram(join(folder, `${command}${ending}`))));
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
