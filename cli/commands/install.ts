import { AGENTS } from '../../hooks/index.js';
import { DEFAULT_PROFILE, PROFILES } from '../../schema/index.js';
import { commandSpec } from '../command.js';
import { changesText, commandsText } from '../install-text.js';
import { checkedRoot, rootOf } from '../session.js';

/** The clients that can be installed for. */
export const CLIENTS = AGENTS.map(({ name }) => name);

/** What is said of a package that may vanish. */
const PASSING =
  '\nThis package is in the cache of npx, which may be emptied: rather\nnpm install -g codewalk, then install again.\n';

/** `codewalk install CLIENT`: hooks and server where the client looks for them. */
export const installCommand = commandSpec({
  name: 'install',
  description:
    'Give an agent its memory: hooks that record and remind, and the tools. codewalk uninstall takes it back.',
  places: [['<CLIENT>', 'the agent', CLIENTS]],
  flags: [
    [
      '--scope <scope>',
      'for all your projects, or for the one here',
      { choices: ['user', 'project'], fallback: 'user' },
    ],
    [
      '--profile <names>',
      `which tools its server lists: ${Object.keys(PROFILES).join(', ')}; several with commas; default: as installed, else ${DEFAULT_PROFILE}`,
      { value: 'profiles' },
    ],
    ['--dry-run', 'only say what would be written'],
  ],
  examples: [
    'codewalk install qwen --dry-run',
    'codewalk install claude --profile query,memory',
    'codewalk install claude --scope project',
    'codewalk mcp --print-config cursor   (for any other agent)',
  ],
  async run({ session, flags, places: [name = ''] }) {
    const { json, quiet, scope = 'user', dryRun = false, force = false } = flags;
    const host = await import('../installing.js');
    const { terminal } = session;
    const root = scope === 'user' ? null : checkedRoot(session, rootOf(session, flags), flags);
    const client = host.agentNamed(name);
    if (client === undefined) throw new Error(`no installer of ${name}`);
    const own = host.ownPrograms(flags.home);
    const home = host.graphsFolderOf({ home: flags.home });
    const machine = host.thisMachine(terminal.cwd);
    const profiles = flags.profile ?? host.installedProfiles(client, root, { programs: own, machine });
    const isDefault = profiles.every((profile) => profile === DEFAULT_PROFILE);
    const programs = isDefault ? own : { ...own, profiles };
    const listed = isDefault ? [DEFAULT_PROFILE] : profiles;
    const rows = host.install(client, {
      home,
      root,
      programs,
      machine,
      force,
      dryRun,
      at: new Date().toISOString(),
    });
    const server = host.entriesOf(client, programs).mcpServers.codewalk;
    const commands = { hooks: host.hookCommands(client, programs), server: [server.command, ...server.args] };
    const [program = ''] = client.version;
    const found = host.isOnPath(program, machine.env.PATH ?? '');
    const files = rows.filter(({ change }) => change !== 'none');
    if (quiet && !json) return null;
    const body = {
      client: name,
      scope,
      root,
      dry_run: dryRun,
      programs,
      profiles: listed,
      client_found: found,
      commands,
      files: rows,
    };
    const whom = `${client.title}, ${root === null ? 'in all projects' : `in ${root}`}`;
    const absent = found
      ? ''
      : `\n${program} is not on the PATH: ${client.title} is not installed, or elsewhere.\n`;
    if (files.length === 0)
      return { body, text: `Installed already for ${whom}: nothing to change.\n${absent}` };
    const lines = [
      `${dryRun ? 'Would install' : 'Installed'} for ${whom}:\n`,
      changesText(files, host.userHome()),
      `\nServer   ${commands.server.join(' ')}\n`,
      `Tools    profile ${listed.join()}\n`,
      `Hooks    ${programs.dist}/record.sh\n`,
      `Graphs   ${home}\n`,
      ...(dryRun ? ['\n', commandsText(commands.hooks)] : []),
      absent,
      ...(root === null
        ? []
        : [
            `\n${client.projectNote}\nThe paths are of this machine: everyone who shares the files installs for themselves.\n`,
          ]),
      ...(programs.dist.includes('/_npx/') ? [PASSING] : []),
      dryRun
        ? 'Nothing was written.\n'
        : `\nRestart ${client.title} to use it. 'codewalk doctor' looks whether it works,\n'codewalk uninstall ${name}' takes it back.\n`,
    ];
    return { body, text: lines.join('') };
  },
});
