import {
  agentNamed,
  type ChangedFile,
  CLIENTS,
  clientNamed,
  detectedClients,
  entriesOf,
  examineClients,
  hookCommands,
  installedProfiles,
  install as installFor,
  isOnPath,
  lastingNode,
  lastingPath,
  type Machine,
  type Programs,
  runHook,
  serverConfig,
  uninstall as uninstallOf,
} from '../../hooks/index.js';
import {
  examine,
  graphsFolderOf,
  type HomeSizes,
  homeSizes,
  packageVersion,
  projectRootOf,
  purgeHome,
  settingsFor,
  stopDaemon,
  userHome,
} from '../../host/index.js';
import { append, CodewalkError, DEFAULT_PROFILE, noHome } from '../../schema/index.js';
import type { CommandAnswer, Handler } from '../commands.js';
import { checkedRoot, DIST, EXIT, rootOf } from '../session.js';
import { bytesText, counted, textTable } from '../text.js';

/** This machine, as installers see it. @throws CodewalkError `NO_HOME` */
function thisMachine(cwd: string): Machine {
  if (userHome() === '') throw noHome();
  return { env: process.env, userHome: userHome(), cwd, platform: process.platform };
}

/** The programs of this package, for an agent that starts them later and knows nothing of our environment. */
function ownPrograms(home: string | undefined): Programs {
  const moved = home !== undefined || Boolean(process.env.GRAPHS_HOME);
  return {
    dist: lastingPath(DIST),
    node: lastingNode(process.execPath, process.env.PATH ?? ''),
    home: moved ? graphsFolderOf({ home }) : null,
    version: packageVersion(),
  };
}

/** Hooks and server where the client looks for them. */
export const install: Handler<'install'> = async ({ session, flags, places: [name] }) => {
  const { json, quiet, scope = 'user', dryRun = false, force = false, detect = false } = flags;
  if (detect === (name !== undefined))
    throw new CodewalkError('INVALID_INPUT', 'install: name one agent or client, or say --detect', {
      input: name ?? null,
    });
  if (name === undefined) return detected(session.terminal.cwd, flags.home);
  const root = scope === 'user' ? null : checkedRoot(session, rootOf(session, flags), flags);
  const client = clientNamed(name);
  if (client === undefined) throw new Error(`no installer of ${name}`);
  const own = ownPrograms(flags.home);
  const home = graphsFolderOf({ home: flags.home });
  const machine = thisMachine(session.terminal.cwd);
  const profiles = flags.profile ?? installedProfiles(client, root, { programs: own, machine });
  const isDefault = profiles.every((profile) => profile === DEFAULT_PROFILE);
  const programs = isDefault ? own : { ...own, profiles };
  const listed = isDefault ? [DEFAULT_PROFILE] : profiles;
  const at = new Date().toISOString();
  const files = installFor(client, { home, root, programs, machine, force, dryRun, at });
  if (quiet && !json) return null;
  const { server } = entriesOf(client, programs);
  const agent = agentNamed(name);
  const commands = {
    hooks: agent === undefined ? [] : hookCommands(agent, programs),
    server: [server.command, ...server.args],
  };
  const { program } = client;
  const found = program === undefined ? null : isOnPath(program, machine.env.PATH ?? '');
  const body = {
    client: name,
    scope,
    root,
    dry_run: dryRun,
    programs,
    profiles: listed,
    client_found: found,
    commands,
    files,
  };
  const changed = files.filter(({ change }) => change !== 'none');
  const whom = `${client.title}, ${root === null ? 'in all projects' : `in ${root}`}`;
  const absent =
    found !== false
      ? ''
      : `\n${program} is not on the PATH: ${client.title} is not installed, or elsewhere.\n`;
  if (changed.length === 0)
    return { body, text: `Installed already for ${whom}: nothing to change.\n${absent}` };
  const lines = [
    `${dryRun ? 'Would install' : 'Installed'} for ${whom}:\n`,
    changesText(changed),
    `\nServer   ${commands.server.join(' ')}\n`,
    `Tools    profile ${listed.join()}\n`,
    agent === undefined ? '' : `Hooks    ${programs.dist}/record.sh\n`,
    `Graphs   ${home}\n`,
    dryRun ? `\n${commandsText(commands.hooks)}` : '',
    absent,
    client.note === undefined ? '' : `\n${client.note}\n`,
    root === null
      ? ''
      : `\n${client.projectNote === undefined ? '' : `${client.projectNote}\n`}The paths are of this machine: everyone who shares the files installs for themselves.\n`,
    programs.dist.includes('/_npx/')
      ? '\nThis package is in the cache of npx, which may be emptied: rather\nnpm install -g codewalk, then install again.\n'
      : '',
    dryRun
      ? 'Nothing was written.\n'
      : `\nRestart ${client.title} to use it. 'codewalk doctor' looks whether it works,\n'codewalk uninstall ${name}' takes it back.\n`,
  ];
  return { body, text: lines.join('') };
};

/** The clients that are on this machine, and what an installation would do; it is for all projects. */
function detected(cwd: string, given: string | undefined): CommandAnswer {
  const [machine, home] = [thisMachine(cwd), graphsFolderOf({ home: given })];
  const programs = ownPrograms(given);
  const clients = detectedClients({ home, programs, machine, force: false, at: new Date().toISOString() });
  const rows = clients.map(({ client, title, hooks, installed, files, refused }) => {
    const tools = hooks ? 'hooks and tools' : 'tools';
    if (installed) return [`  ${title}`, 'installed', tools];
    const would = files.map(({ path }) => shortPath(path)).join(', ');
    return [
      `  ${title}`,
      refused === null ? `codewalk install ${client}` : 'cannot be installed',
      refused ?? `${tools}: ${would}`,
    ];
  });
  const found = rows.length === 0 ? 'No client that we know is on this machine.\n' : textTable(rows);
  const names = new Set(clients.map(({ client }) => client));
  const others = CLIENTS.filter(({ name }) => !names.has(name)).map(({ name }) => name);
  return { body: { clients, not_found: others }, text: `${found}Not found: ${others.join(', ')}.\n` };
}

function shortPath(path: string): string {
  const home = userHome();
  return path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}

/** Everything as it was before. */
export const uninstall: Handler<'uninstall'> = async ({ session, flags, places: [name] }) => {
  const { json, quiet, all = false, purge = false, dryRun = false } = flags;
  if (all === (name !== undefined))
    throw new CodewalkError('INVALID_INPUT', 'uninstall: name one agent, or say --all', {
      input: name ?? null,
    });
  if (purge && !all)
    throw new CodewalkError('INVALID_INPUT', '--purge removes what all agents share: it takes --all', {
      suggestion: 'codewalk uninstall --all --purge',
    });
  const { terminal } = session;
  const home = graphsFolderOf({ home: flags.home });
  const { changes, refused } = uninstallOf(
    CLIENTS.filter((client) => all || client.name === name),
    {
      home,
      root: rootOf(session, flags),
      programs: ownPrograms(flags.home),
      machine: thisMachine(terminal.cwd),
      dryRun,
    },
  );
  const daemon = all && !dryRun ? await stopDaemon(home) : null;
  const sizes = all ? homeSizes(home) : null;
  const purges = purge && refused.length === 0;
  const purged = purges && !dryRun;
  const purgedRest = () => (purged ? purgeHome(home) : []);
  if (refused.length > 0) process.exitCode = EXIT.failure;
  if (json) {
    const body = {
      client: name ?? null,
      dry_run: dryRun,
      files: changes,
      refused: refused.map((one) => one.toBody()),
      daemon,
      home,
      bytes: sizes?.total ?? null,
      sizes,
      purged,
      left: purgedRest(),
    };
    return { body, text: '' };
  }
  for (const { message, suggestion } of refused) terminal.err(`left as it is: ${message}\n  ${suggestion}\n`);
  const size = `${home} (${bytesText(sizes?.total ?? 0)})`;
  const graphs = sizes !== null && sizes.total !== 0 ? sizes : null;
  const verb = dryRun ? 'Would take back' : 'Took back';
  const before = [
    changes.length === 0
      ? 'Nothing of ours is in the files of agents.\n'
      : `${verb}:\n${changesText(changes)}`,
    daemon === null ? '' : `The daemon (process ${daemon}) has ended.\n`,
    graphs && purges ? `${dryRun ? 'Would remove' : 'Removing'} all of ${home}:\n${sizesText(graphs)}` : '',
    graphs && !purges
      ? `Graphs, traces and memories stay in ${size}:\n'codewalk uninstall --all --purge' removes them, too.\n`
      : '',
  ];
  // Printed before anything is removed: the user can still end this.
  if (dryRun) before.push('Nothing was written.\n');
  if (!quiet) terminal.out(before.join(''));
  const left = purgedRest();
  if (quiet || !graphs || !purges) return null;
  if (purged) terminal.out(`Removed ${size}: graphs, traces and memories.\n`);
  if (left.length > 0) terminal.out(`Not ours, and left there: ${left.join(', ')}.\n`);
  return null;
};

function sizesText({ projects, derived, durable, backups, rest }: HomeSizes): string {
  const rows = [
    [`code graphs of ${counted(projects, 'project')}`, derived],
    ['traces and memories', durable],
    ['backups', backups],
    ['journal, settings and the rest', rest],
  ] as const;
  return textTable(rows.map(([what, bytes]) => [`  ${what}`, bytesText(bytes)]));
}

const SIGNS: Readonly<Record<ChangedFile['change'], string>> = {
  create: '+',
  change: '~',
  remove: '-',
  none: '=',
};

/** Files, and under each which entries come into it, are renewed and go out. */
function changesText(rows: readonly ChangedFile[]): string {
  const lines = rows.flatMap(({ path, link_to, change, added, removed, renewed }) => [
    `  ${SIGNS[change]} ${shortPath(path)}`,
    ...(link_to === null ? [] : [`      (a link to ${shortPath(link_to)})`]),
    ...listed('+', added),
    ...listed('~', renewed),
    ...listed('-', removed),
  ]);
  return lines.map((line) => `${line}\n`).join('');
}

/** Names behind a sign, with line breaks where a terminal of 80 columns ends. */
function listed(sign: string, names: readonly string[]): string[] {
  const lines: string[] = [];
  for (const name of names) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + name.length < 70) lines[lines.length - 1] = `${last}, ${name}`;
    else lines.push(name);
  }
  return lines.map((line) => `      ${sign} ${line}`);
}

/** The commands of hooks, each under the events that run it. */
function commandsText(hooks: ReturnType<typeof hookCommands>): string {
  const events = new Map<string, string[]>();
  for (const { event, command } of hooks) append(events, command, event);
  return [...events].map(([command, names]) => `  ${names.join(', ')}\n      ${command}\n`).join('');
}

/** Tries what everything stands on, and what was installed for agents. */
export const doctor: Handler<'doctor'> = async ({ session: { terminal }, flags }) => {
  const home = graphsFolderOf({ home: flags.home });
  const root = projectRootOf(terminal.cwd, { home: flags.home });
  const machine = thisMachine(terminal.cwd);
  const checks = [
    ...(await examine(home, root)),
    ...(await examineClients({ home, root, programs: ownPrograms(flags.home), machine })),
  ];
  if (hasEndpoint(root, home)) {
    const { examineEmbeddings } = await import('../../host/index.js');
    checks.push(await examineEmbeddings(root, home));
  }
  const width = Math.max(...checks.map(({ name }) => name.length));
  const lines = checks.map(({ name, ok, note, found, suggestion }) => {
    const passed = note ? 'note' : 'ok  ';
    const advice = suggestion === '' ? '' : `\n      ${suggestion}`;
    return `${ok ? passed : 'FAIL'}  ${name.padEnd(width)} ${found}${advice}\n`;
  });
  if (checks.some(({ ok }) => !ok)) process.exitCode = EXIT.failure;
  return { body: { checks }, text: lines.join('') };
};

/** Whether embeddings are on; settings that are wrong have a check of their own. */
function hasEndpoint(root: string, home: string): boolean {
  try {
    return settingsFor(root, { home }).embeddings_url !== '';
  } catch {
    return false;
  }
}

/** Where the configuration of an MCP client is pasted, and what. */
export function printedConfig(client: string, home: string | undefined): ReturnType<typeof serverConfig> {
  return serverConfig(client, clientNamed(client), ownPrograms(home), thisMachine(process.cwd()));
}

/** `codewalk hook` where another flag stands before it: `main.ts` takes it before. */
export const hook: Handler<'hook'> = async ({ flags: { root, client, home, cwd, deadline } }) => {
  // The same flag in front of the command is in seconds, and was read as a number.
  const given: unknown = deadline;
  const ms = typeof given === 'number' ? String(given * 1000) : deadline;
  await runHook(argvOf({ root, client, home, cwd, deadline: ms }));
  return null;
};

/** The same of `codewalk record`. */
export const record: Handler<'record'> = async ({ flags: { root, client, home } }) => {
  const { record } = await import('./record.js');
  process.exitCode = record(argvOf({ root, client, home }));
  return null;
};

function argvOf(flags: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(flags).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`, value]));
}
