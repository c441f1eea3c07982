import type { Programs } from './programs.js';

/** One command that a client runs at an event. */
export interface HookEntry {
  readonly type: 'command';
  /** Shown by clients that show one. */
  readonly name?: string;
  readonly command: string;
  /** In the unit of the client. */
  readonly timeout: number;
}

/** Commands for an event, and for which of them. */
export interface HookGroup {
  /** For which tools; left out: for all, or the event has none. */
  readonly matcher?: string;
  readonly hooks: readonly HookEntry[];
}

/** How a client starts our server of MCP. */
export interface ServerEntry {
  readonly type?: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  /** Qwen Code: its tools are in the list of tools, not behind a search (spec C-08). */
  readonly alwaysLoadTools?: true;
}

/** What of ours belongs into a settings file; several clients write it in one way. */
export interface Entries {
  /** By the client's name of the event. */
  readonly hooks?: Readonly<Record<string, readonly HookGroup[]>>;
  readonly mcpServers?: Readonly<Record<typeof SERVER_NAME, ServerEntry>>;
}

/** What clients call our server. */
export const SERVER_NAME = 'codewalk';

/**
 * What the output of tests or a compiler has, as an extended regular expression, where some failed though the command
 * ended well (`npm test | tail`). Whether they did the adapter says; this only spares starting Node for the others.
 */
export const MAY_HIDE_FAILURE =
  'FAILED|FAIL |not ok [0-9]|# fail [1-9]|[1-9][0-9]* (failed|failing|failures?|errors?)|(failures|errors)=[1-9]|error TS[0-9]|error\\[E[0-9]|SyntaxError';

/** An event that is hooked, as the client names it. */
export interface HookedEvent {
  readonly event: string;
  /** For which tools; left out: for all, or the event has none. */
  readonly matcher?: string;
  /** Whether the agent may be told something then; else it is only recorded. */
  readonly answers: boolean;
  /** An extended regular expression: a payload that matches is not even recorded. */
  readonly drop?: string;
  /** The same: a payload that does not match is not recorded either. */
  readonly keep?: string;
  /** The same: of those that are recorded, only one that matches may be answered. Starting Node for it has a price. */
  readonly only?: string;
}

/** Whose hooks they are. */
export interface HookedClient {
  readonly name: string;
  /** In words of the shell, the folder of the project, where the client runs hooks elsewhere, too. */
  readonly folder?: string;
}

/** The command of a hook: with the package gone it ends well, in silence. */
function hookCommand(
  client: HookedClient,
  { answers, drop, keep, only }: HookedEvent,
  programs: Programs,
): string {
  const { dist, node, home } = programs;
  const words = ['sh', shQuoted(`${dist}/record.sh`), '--client', client.name, '--quiet'];
  if (client.folder !== undefined) words.push('--cwd', `"${client.folder}"`);
  if (home !== null) words.push('--home', shQuoted(home));
  if (drop !== undefined) words.push('--drop', shQuoted(drop));
  if (keep !== undefined) words.push('--keep', shQuoted(keep));
  if (only !== undefined) words.push('--only', shQuoted(only));
  if (answers) words.push('--answer', shQuoted(node));
  return `${words.join(' ')} 2>/dev/null || :`;
}

/** The hooks of a client, by event. @param shown What every one of them has beside its command. */
export function hookGroups(
  client: HookedClient,
  events: readonly HookedEvent[],
  shown: Pick<HookEntry, 'name' | 'timeout'>,
  programs: Programs,
): Record<string, readonly HookGroup[]> {
  return Object.fromEntries(
    events.map((hooked) => {
      const { event, matcher } = hooked;
      const hook = { type: 'command', ...shown, command: hookCommand(client, hooked, programs) } as const;
      return [event, [{ ...(matcher === undefined ? {} : { matcher }), hooks: [hook] }]];
    }),
  );
}

/** How a server is started that answers in Markdown (ruling X-29). @param hooked The client whose hooks are ours, too. */
export function serverCommand(
  { dist, node, home, profiles = [] }: Programs,
  hooked?: string,
): Pick<ServerEntry, 'command' | 'args'> {
  const flags = [
    '--format',
    'markdown',
    ...(profiles.length === 0 ? [] : ['--profile', profiles.join()]),
    ...(hooked === undefined ? [] : ['--client', hooked]),
    ...(home === null ? [] : ['--home', home]),
  ];
  return { command: node, args: [`${dist}/cli.js`, 'mcp', ...flags] };
}

/** The profiles that a server of ours is started with, as its argument has them; null where it has none. */
export function profileFlag(server: unknown): string | null {
  const args: unknown[] = [fieldOf(server, 'args')].flat();
  const at = args.indexOf('--profile');
  return at < 0 ? null : String(args[at + 1] ?? '');
}

/** Whether a command is one of ours, of whatever version and place. */
export function isOurHook(hook: unknown): boolean {
  const command = fieldOf(hook, 'command');
  return typeof command === 'string' && /^sh '.*\/record\.sh' --client [a-z0-9-]+ --quiet\b/u.test(command);
}

/** Whether a server is ours, of whatever version and place. */
export function isOurServer(server: unknown): boolean {
  const args = fieldOf(server, 'args');
  if (!Array.isArray(args)) return false;
  const at = args.indexOf('mcp');
  return at >= 0 && (/\/cli\.js$/u.test(String(args[at - 1])) || isProgram(fieldOf(server, 'command')));
}

/** Whether something of ours is in a group of commands. */
export function isOurGroup(group: unknown): boolean {
  const hooks = fieldOf(group, 'hooks');
  return Array.isArray(hooks) && hooks.some(isOurHook);
}

/** The files that entries of ours name: programs, and what they are given to run. */
export function pathsIn({ hooks = {}, mcpServers = {} }: { hooks?: object; mcpServers?: object }): string[] {
  const commands = [hooks, mcpServers].flatMap((entries) => stringsIn(entries));
  const quoted = commands.flatMap((text) => [...text.matchAll(/(?:sh|--answer) '((?:[^']|'\\'')*)'/gu)]);
  const whole = Object.values(mcpServers).flatMap((server) => [
    fieldOf(server, 'command'),
    ...[fieldOf(server, 'args')].flat().filter((argument) => /\/cli\.js$/u.test(String(argument))),
  ]);
  return [
    ...quoted.map(([, path = '']) => path.replaceAll("'\\''", "'")),
    ...whole.filter((path) => typeof path === 'string' && path.startsWith('/')).map(String),
  ];
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}

function isProgram(command: unknown): boolean {
  return typeof command === 'string' && /(?:^|\/)codewalk$/u.test(command);
}

function fieldOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}

/** A word as a POSIX shell takes it, whatever is in it. */
function shQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
