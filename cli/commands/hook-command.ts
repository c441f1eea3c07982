import { Command } from 'commander';

/** `codewalk hook` where another flag stands before it, and its line in the help: `main.ts` takes it before. */
export function hookCommand(): Command {
  const command = new Command('hook')
    .description(
      "What an agent's hook runs: record the payload on standard input, print what the agent is to be told. Always exits 0.",
    )
    .option('--client <name>', 'whose payload it is: qwen, claude')
    .option('--cwd <dir>', 'a folder of the project; default: the working directory')
    .option('--root <dir>', "the project's root itself")
    .option('--home <dir>', 'where graphs are kept; default: GRAPHS_HOME, else ~/.graphs')
    .option(
      '--deadline <ms>',
      'from the start of the process to the answer; default: the setting hooks.deadline',
    )
    .allowExcessArguments(false);
  return command.action(async () => {
    const { runHook } = await import('../installing.js');
    const { root, client, home, cwd, deadline }: Record<string, string> = command.optsWithGlobals();
    // A flag of every command is in seconds.
    const own: string | undefined = command.opts().deadline;
    const ms = own ?? (deadline === undefined ? undefined : String(Number(deadline) * 1000));
    const argv = Object.entries({ root, client, home, cwd, deadline: ms }).flatMap(([name, value]) =>
      value === undefined ? [] : [`--${name}`, value],
    );
    await runHook(argv);
  });
}
