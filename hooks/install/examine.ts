import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { type Check, type HookCounts, hookDeadline, readCounters } from '../../host/index.js';
import {
  CodewalkError,
  DEFAULT_PROFILE,
  LIMITS,
  PROFILES,
  profilesIn,
  toCodewalkError,
} from '../../schema/index.js';
import { type Agent, type Client, type Machine, type Part, SERVER_NAME } from '../agent.js';
import { AGENTS, CLIENTS } from '../agents/index.js';
import {
  type EntryMap,
  isAgent,
  isOnPath,
  type Programs,
  profileFlag,
  programsIn,
  serverIn,
  wordsOf,
} from './entries.js';
import { bytesAt, readInstalls } from './files.js';
import { entriesOfPart, partsOf, wantedOf } from './install.js';
import { settingAt } from './settings-file.js';

/** Milliseconds that a program gets. */
const DEADLINE_MS = 10_000;

/**
 * The first line that a program prints that is started and given a text, with the milliseconds until it came.
 *
 * @throws Error where it cannot be started, or ends or takes too long without a line.
 */
export async function firstLineOf(
  command: string,
  args: readonly string[],
  input: string,
): Promise<{ readonly line: string; readonly took: number }> {
  const began = performance.now();
  const late = AbortSignal.timeout(DEADLINE_MS);
  const limits = { timeout: DEADLINE_MS, killSignal: 'SIGKILL' } as const;
  const env = { ...process.env, NODE_OPTIONS: '' };
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'ignore'], env, ...limits });
  const failure = new Promise<never>((_, fail) => child.on('error', fail));
  const ended = new Promise((done) => child.on('close', done));
  child.stdin.on('error', () => undefined);
  child.stdin.write(input);
  const firstLine = async () => {
    for await (const line of createInterface({ input: child.stdout, signal: late })) return line;
    if (late.aborted) throw new Error(`printed nothing in ${DEADLINE_MS / 1000} seconds`);
    throw new Error(`ended with ${await ended} and printed nothing`);
  };
  try {
    return { line: await Promise.race([firstLine(), failure]), took: performance.now() - began };
  } finally {
    child.stdin.end();
    child.stdout.destroy();
    child.kill();
  }
}

/** What is looked at. */
export interface ExamineOptions {
  readonly home: string;
  /** The project that holds the working directory. */
  readonly root: string;
  readonly programs: Programs;
  readonly machine: Machine;
}

/** One file of an installation, with what it has and should have of ours. */
interface Looked {
  readonly path: string;
  readonly there: boolean;
  readonly found: EntryMap;
  readonly wanted: EntryMap;
}

/** What was found where all is well, and what is to be known or done all the same; empty: nothing. */
interface Finding {
  readonly found: string;
  readonly note: string;
}

/** Hooks that went too late, at least, before that is reported as something to fix. */
const FEW_LATE = 3;
/** The part of the hooks that asked, from which on too many are late. */
const MANY_LATE = 0.1;

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
  for (const client of CLIENTS) checks.push(...(await examineClient(client, options)));
  if (checks.length > 0) return checks;
  const names = AGENTS.map(({ name }) => name).join(', codewalk install ');
  return [{ name: 'agents', ok: true, found: `none yet: codewalk install ${names}`, suggestion: '' }];
}

async function examineClient(client: Client, options: ExamineOptions): Promise<Check[]> {
  const { name } = client;
  const roots = new Set(
    readInstalls(options.home)
      .filter((file) => file.client === name)
      .map(({ root }) => root),
  );
  const again = `codewalk install ${name}${roots.size === 0 || roots.has(null) ? '' : ' --scope project, in the project'}`;
  let files: readonly Looked[];
  try {
    files = [...(roots.size === 0 ? [null] : roots)]
      .flatMap((root) => partsOf(client, root, options).map(look))
      .filter(({ wanted }) => wanted.size > 0);
  } catch (thrown) {
    return roots.size === 0 ? [] : [failed(`${name} files`, again, thrown)];
  }
  if (roots.size === 0 && files.every(({ found }) => found.size === 0)) return [];
  return [
    await check(`${name} files`, again, () => filesFound(files, client, roots, options)),
    ...(isAgent(client) ? [await check(`${name} hooks`, again, () => hooksFound(client, options))] : []),
    await check(`${name} server`, again, () => serverFound(files, client)),
    ...(isAgent(client)
      ? [
          await check(`${name} version`, `Call ${client.program} by hand`, () =>
            versionFound(client, options),
          ),
        ]
      : []),
  ];
}

function look(part: Part): Looked {
  const bytes = bytesAt(part.path);
  return {
    path: part.path,
    there: bytes !== null,
    found: entriesOfPart(part, bytes),
    wanted: wantedOf(part),
  };
}

function filesFound(
  files: readonly Looked[],
  { name, title }: Client,
  roots: ReadonlySet<string | null>,
  { root }: ExamineOptions,
): Finding {
  const missing = files.flatMap(({ path, there, found, wanted }) => {
    if (!there) return [`${path} is not there`];
    const lacks = [...wanted.keys()].filter((key) => !found.has(key));
    return lacks.length === 0 ? [] : [`${path} has no ${lacks.join(', ')}`];
  });
  const paths = new Set(files.flatMap(({ found }) => programsIn(found)));
  const gone = [...paths].filter((path) => !existsSync(path)).map((path) => `${path} is not there`);
  const wrong = [...missing, ...gone];
  if (wrong.length > 0) throw new Error(wrong.join('; '));
  const has = files.length === 1 ? '1 file has' : `${files.length} files have`;
  const projects = [...roots].filter((one) => one !== null);
  const where = projects.length === 0 ? '' : `, for ${projects.join(', ')} alone`;
  return {
    found: `${has} our entries, and what they name is there${where}`,
    note:
      projects.length === 0 || projects.includes(root)
        ? ''
        : `Not for ${root}: there ${title} runs without. codewalk install ${name} --scope project does it there.`,
  };
}

function hooksFound({ name, title, userFile, hooksOff }: Agent, { home, machine }: ExamineOptions): Finding {
  const settings = userFile(machine);
  const bytes = bytesAt(settings);
  if (bytes !== null && hooksOff && settingAt(settings, bytes, hooksOff.keys) === hooksOff.value)
    throw new CodewalkError('INSTALL_REFUSED', `${settings} switches all hooks off`, {
      suggestion: `Take '${hooksOff.keys.join('.')}' out of it.`,
    });
  const { clients, hooks } = readCounters(home);
  const seen = clients[name];
  if (seen === undefined) return { found: `none was heard of yet: start ${title} in a project`, note: '' };
  const counts = hooks[name];
  const heard = `last heard of ${seen.last}, ${seen.payloads} in all`;
  return counts === undefined
    ? { found: heard, note: '' }
    : { found: `${heard}; ${countsText(counts)}`, note: lateNote(counts, hookDeadline(home)) };
}

/** Of the hooks that asked something: how many were answered, and how many were in vain. */
function countsText({ answered, silent, late, failed }: HookCounts): string {
  const failures = failed === 0 ? '' : `, failed ${failed}`;
  return `answered ${answered}, too late ${late}${failures} of ${answered + silent + late + failed} that asked`;
}

function lateNote({ answered, silent, late, failed }: HookCounts, deadline: number): string {
  if (late < FEW_LATE || late < MANY_LATE * (answered + silent + late + failed)) return '';
  return [
    `A hook waits ${deadline} ms for its answer: the machine was busy then.`,
    'What came too late was given at the next moment of its session.',
    `Where it always is busy: codewalk config set hooks.deadline ${LIMITS.hookAnswer.max}.`,
  ].join(' ');
}

async function serverFound(files: readonly Looked[], { name }: Client): Promise<string> {
  const server = files.map(({ found }) => serverIn(found)).find((one) => one !== undefined);
  const [command = '', ...args] = wordsOf(server);
  const profile = profileFlag(server);
  if (profile !== null && profilesIn(profile) === null)
    throw new CodewalkError('INSTALL_REFUSED', `the server is started with the profile '${profile}'`, {
      suggestion: `Profiles are ${Object.keys(PROFILES).join(', ')}: codewalk install ${name} --profile core.`,
    });
  const { line, took } = await firstLineOf(command, args, `${JSON.stringify(INITIALIZE)}\n`);
  const { version } = Initialized.parse(JSON.parse(line)).result.serverInfo;
  return `${SERVER_NAME} ${version} answers in ${took.toFixed(0)} ms, profile ${profile ?? DEFAULT_PROFILE}`;
}

async function versionFound(
  { title, program }: Agent,
  { programs, machine }: ExamineOptions,
): Promise<Finding> {
  const ours = `Codewalk ${programs.version}`;
  if (!isOnPath(program, machine.env.PATH ?? ''))
    return {
      found: `${program} is not on the PATH, ${ours}`,
      note: `Install ${title}, or put it on the PATH: its version is not known.`,
    };
  const { line } = await firstLineOf(program, ['--version'], '');
  return { found: `${title} ${/\d[\w.-]*/u.exec(line)?.[0] ?? line.trim()}, ${ours}`, note: '' };
}

async function check(
  name: string,
  again: string,
  find: () => string | Finding | Promise<string | Finding>,
): Promise<Check> {
  try {
    const said = await find();
    if (typeof said === 'string') return { name, ok: true, found: said, suggestion: '' };
    const { found, note } = said;
    return { name, ok: true, ...(note === '' ? {} : { note: true }), found, suggestion: note };
  } catch (thrown) {
    return failed(name, again, thrown);
  }
}

function failed(name: string, again: string, thrown: unknown): Check {
  const { message, suggestion } = toCodewalkError(thrown);
  return { name, ok: false, found: message, suggestion: suggestion || again };
}
