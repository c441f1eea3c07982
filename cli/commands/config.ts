import { resolve } from 'node:path';
import type { HeldSetting } from '../../host/index.js';
import { CodewalkError } from '../../schema/index.js';
import { checkRoot } from '../../source/index.js';
import { commandSpec } from '../command.js';

/** `codewalk config get | set | unset | list`: the settings, for all projects or for one. */
export const configCommand = commandSpec({
  name: 'config',
  description:
    'Show and change settings, for all projects or with --project for one. docs/reference/config.md has them all.',
  places: [
    ['<ACTION>', 'what to do', ['get', 'set', 'unset', 'list']],
    ['[KEY]', 'the setting'],
    ['[VALUE...]', 'what it is set to; a list takes several'],
  ],
  flags: [
    [
      '--project [path]',
      "the project's own settings; default PATH: the one that holds the working directory",
    ],
  ],
  examples: [
    "codewalk config set exclude 'vendor/**' '*.min.js' --project .",
    'codewalk config get max_file_bytes',
    'codewalk config list --json',
  ],
  async run({ session, flags: { home, project }, places: [action, key, ...words] }) {
    const host = await import('../home.js');
    const { cwd } = session.terminal;
    const options = { home };
    const root =
      project === undefined
        ? null
        : project === true
          ? host.projectRootOf(cwd, options)
          : action === 'set'
            ? checkRoot(project, { cwd, home: '', force: true })
            : host.knownRoot(resolve(cwd, project));
    const file = host.configFile(options);
    if (action === 'list') {
      const settings = host.heldSettings(root, options);
      return { body: { file, project: root, settings }, text: settings.map(line).join('') };
    }
    if (key === undefined)
      throw new CodewalkError('INVALID_INPUT', `config ${action}: the KEY is missing`, {
        suggestion: "'codewalk config list' shows all.",
      });
    const name = host.settingName(key);
    if (action === 'set') host.changeSetting(name, host.typedValue(name, words), root, options);
    if (action === 'unset') host.changeSetting(name, undefined, root, options);
    const held = host.heldSettings(root, options).find((setting) => setting.key === name);
    if (held === undefined)
      throw new CodewalkError('INVALID_INPUT', `${name} is for one project`, {
        input: key,
        suggestion: 'Give --project PATH.',
      });
    return { body: { file, project: root, ...held }, text: line(held) };
  },
});

function line({ key, value, source }: HeldSetting): string {
  return `${key} = ${JSON.stringify(value)}${source === 'default' ? '' : `  (${source})`}\n`;
}
