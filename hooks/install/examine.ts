import { existsSync } from 'node:fs';
import { z } from 'zod';
import { type Check, clientsSeen } from '../../host/index.js';
import { CodewalkError, toCodewalkError } from '../../schema/index.js';
import { firstLineOf } from './ask-program.js';
import type { InstallableClient, Machine, Part } from './client.js';
import { INSTALLABLE } from './clients.js';
import { pathsIn, SERVER_NAME } from './entries.js';
import { readInstalls } from './installs.js';
import { bytesAt } from './place.js';
import type { Programs } from './programs.js';
import { entriesIn, type FoundEntries, keysOfEntries, settingAt } from './settings-entries.js';

/** What is looked at. */
export interface ExamineOptions {
  /** The graphs home. */
  readonly home: string;
  readonly programs: Programs;
  readonly machine: Machine;
}

/** One file of an installation, with what it has and should have of ours. */
interface Looked {
  readonly path: string;
  readonly there: boolean;
  readonly found: FoundEntries;
  readonly wanted: FoundEntries;
}

const Initialized = z.object({ result: z.object({ serverInfo: z.object({ version: z.string() }) }) });

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'codewalk doctor', version: '1' },
  },
};

/** Tries what was installed for agents: the entries, the hooks, the server, and which versions meet. */
export async function examineClients(options: ExamineOptions): Promise<Check[]> {
  const checks: Check[] = [];
  // One after the other: what one takes is measured.
  for (const client of INSTALLABLE) checks.push(...(await examineClient(client, options)));
  if (checks.length > 0) return checks;
  const names = INSTALLABLE.map(({ name }) => name).join(', codewalk install ');
  return [{ name: 'agents', ok: true, found: `none yet: codewalk install ${names}`, suggestion: '' }];
}

async function examineClient(client: InstallableClient, options: ExamineOptions): Promise<Check[]> {
  const { home, programs, machine } = options;
  const { name } = client;
  const roots = new Set(
    readInstalls(home)
      .filter((file) => file.client === name)
      .map(({ root }) => root),
  );
  const again = `codewalk install ${name}${roots.size === 0 || roots.has(null) ? '' : ' --scope project, in the project'}`;
  let files: readonly Looked[];
  try {
    files = [...(roots.size === 0 ? [null] : roots)]
      .flatMap((root) => client.parts(root, programs, machine).map(look))
      .filter(({ wanted }) => keysOfEntries(wanted).size > 0);
  } catch (thrown) {
    return roots.size === 0 ? [] : [failed(`${name} files`, again, thrown)];
  }
  if (roots.size === 0 && files.every(({ found }) => keysOfEntries(found).size === 0)) return [];
  return [
    await check(`${name} files`, again, () => filesFound(files)),
    await check(`${name} hooks`, again, () => hooksFound(client, options)),
    await check(`${name} server`, again, () => serverFound(files)),
    await check(`${name} version`, `Call ${client.version[0]} by hand`, () => versionFound(client, programs)),
  ];
}

function look(part: Part): Looked {
  const bytes = bytesAt(part.path);
  const isJson = part.path.endsWith('.json');
  const wanted: FoundEntries =
    'entries' in part ? part.entries : isJson ? entriesIn(part.path, Buffer.from(part.text)) : {};
  return {
    path: part.path,
    there: bytes !== null,
    found: bytes && isJson ? entriesIn(part.path, bytes) : {},
    wanted,
  };
}

function filesFound(files: readonly Looked[]): string {
  const missing = files.flatMap(({ path, there, found, wanted }) => {
    if (!there) return [`${path} is not there`];
    const has = keysOfEntries(found);
    const lacks = [...keysOfEntries(wanted).keys()].filter((key) => !has.has(key));
    return lacks.length === 0 ? [] : [`${path} has no ${lacks.join(', ')}`];
  });
  const paths = new Set(files.flatMap(({ found }) => pathsIn(found)));
  const gone = [...paths].filter((path) => !existsSync(path)).map((path) => `${path} is not there`);
  const wrong = [...missing, ...gone];
  if (wrong.length > 0) throw new Error(wrong.join('; '));
  return `${files.length} files have our entries, and what they name is there`;
}

function hooksFound(
  { name, title, userSettings }: InstallableClient,
  { home, machine }: ExamineOptions,
): string {
  const settings = userSettings(machine);
  const bytes = bytesAt(settings);
  if (bytes !== null && settingAt(settings, bytes, 'disableAllHooks') === true)
    throw new CodewalkError('INSTALL_REFUSED', `${settings} switches all hooks off`, {
      suggestion: "Take 'disableAllHooks' out of it.",
    });
  const seen = clientsSeen(home)[name];
  return seen === undefined
    ? `none was heard of yet: start ${title} in a project`
    : `last heard of ${seen.last}, ${seen.payloads} in all`;
}

async function serverFound(files: readonly Looked[]): Promise<string> {
  const [server] = files.flatMap(({ found }) => Object.values(found.mcpServers ?? {}));
  const { command, args } = z.object({ command: z.string(), args: z.array(z.string()) }).parse(server);
  const { line, took } = await firstLineOf(command, args, `${JSON.stringify(INITIALIZE)}\n`);
  const { version } = Initialized.parse(JSON.parse(line)).result.serverInfo;
  return `${SERVER_NAME} ${version} answers in ${took.toFixed(0)} ms`;
}

async function versionFound(
  { title, version: [command = '', ...args] }: InstallableClient,
  programs: Programs,
) {
  const ours = `Codewalk ${programs.version}`;
  try {
    const { line } = await firstLineOf(command, args, '');
    return `${title} ${/\d[\w.-]*/u.exec(line)?.[0] ?? line.trim()}, ${ours}`;
  } catch (thrown) {
    if (thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT')
      return `${command} is not on the PATH, ${ours}`;
    throw thrown;
  }
}

async function check(name: string, again: string, find: () => string | Promise<string>): Promise<Check> {
  try {
    return { name, ok: true, found: await find(), suggestion: '' };
  } catch (thrown) {
    return failed(name, again, thrown);
  }
}

function failed(name: string, again: string, thrown: unknown): Check {
  const { message, suggestion } = toCodewalkError(thrown);
  return { name, ok: false, found: message, suggestion: suggestion || again };
}
