import { resolve } from 'node:path';
import { Argument, Command } from 'commander';
import type { HeldSetting } from '../../host/index.js';
import { CodewalkError } from '../../schema/index.js';
import { checkRoot } from '../../source/index.js';
import type { GlobalFlags } from '../global-flags.js';
import type { Session } from '../session.js';

interface ConfigFlags extends GlobalFlags {
  /** True: the project that holds the working directory. */
  readonly project?: string | true;
}

/** `codewalk config get | set | unset | list`: the settings, for all projects or for one. */
export function configCommand(session: Session): Command {
  const command = new Command('config')
    .description(
      'Show and change settings, for all projects or with --project for one. docs/reference/config.md has them all.',
    )
    .addArgument(new Argument('<ACTION>', 'what to do').choices(['get', 'set', 'unset', 'list']))
    .argument('[KEY]', 'the setting')
    .argument('[VALUE...]', 'what it is set to; a list takes several')
    .option(
      '--project [path]',
      "the project's own settings; default PATH: the one that holds the working directory",
    )
    .addHelpText(
      'after',
      [
        '\nExamples:',
        "  codewalk config set exclude 'vendor/**' '*.min.js' --project .",
        '  codewalk config get max_file_bytes',
        '  codewalk config list --json\n',
      ].join('\n'),
    );
  return command.action(async (action: string, key: string | undefined, words: readonly string[]) => {
    const host = await import('../home.js');
    const { home, json, project }: ConfigFlags = command.optsWithGlobals();
    const { cwd, out, json: outJson } = session.terminal;
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
      if (json) outJson({ file, project: root, settings });
      else out(settings.map(line).join(''));
      return;
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
    if (json) outJson({ file, project: root, ...held });
    else out(line(held));
  });
}

function line({ key, value, source }: HeldSetting): string {
  return `${key} = ${JSON.stringify(value)}${source === 'default' ? '' : `  (${source})`}\n`;
}
