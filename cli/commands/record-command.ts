import { Command } from 'commander';
import { record } from './record.js';

/** `codewalk record` where another flag stands before it, and its line in the help: `main.ts` takes it before. */
export function recordCommand(): Command {
  const command = new Command('record')
    .description(
      'Put one event from standard input into the journal: for hooks. codewalk-record is its twin in sh.',
    )
    .option('--client <name>', "the input is this client's own payload, as its hooks give it")
    .allowExcessArguments(false);
  return command.action(() => {
    const { root, client, home }: Record<string, string> = command.optsWithGlobals();
    const argv = Object.entries({ root, client, home }).flatMap(([name, value]) =>
      value === undefined ? [] : [`--${name}`, value],
    );
    process.exitCode = record(argv);
  });
}
