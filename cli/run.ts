import { CommanderError } from 'commander';
import { CodewalkError } from '../schema/index.js';
import { EXIT } from './failure-text.js';
import { inSession } from './in-session.js';
import { programOf } from './program.js';

/**
 * Runs one command line in this process.
 *
 * @returns the exit code, as {@link inSession}
 */
export function run(argv: readonly string[]): Promise<number> {
  return inSession(argv, async (session) => {
    try {
      await programOf(session).parseAsync(argv, { from: 'user' });
      return EXIT.ok;
    } catch (thrown) {
      if (!(thrown instanceof CommanderError)) throw thrown;
      if (thrown.exitCode === 0) return EXIT.ok;
      // No command was given: the help has been printed.
      if (thrown.code === 'commander.help') return EXIT.usage;
      throw wrongLine(thrown, argv);
    }
  });
}

function wrongLine(thrown: CommanderError, argv: readonly string[]): CodewalkError {
  const [said = '', suggestion] = thrown.message.replace(/^error: /, '').split(/\n\((?=Did you mean)/);
  return new CodewalkError('INVALID_INPUT', said, {
    input: argv,
    suggestion: suggestion?.replace(/\)$/, '') ?? "'--help' behind a command shows what it takes.",
  });
}
