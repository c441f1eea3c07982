import { InvalidArgumentError } from 'commander';
import { EXIT } from '../session.js';
import { answered, type CommandExtension, printAnswer } from '../walker-command.js';

/** `--fail-on 20`, `--fail-on route:0`. */
const LIMIT = /^(?:(caller|route|override|subclass|implementation|type|use|import):)?(\d+)$/u;

/** `codewalk impact`: for CI it fails where more symbols are affected than `--fail-on` lets pass. */
export const impactExtension: CommandExtension = {
  prepare: (command) => {
    command.option(
      '--fail-on <limit>',
      'exit with 3 where more symbols are affected: 20, or of one relation, caller:20 (repeatable)',
      (text: string, before: readonly string[] = []) => {
        if (!LIMIT.test(text))
          throw new InvalidArgumentError("It is a number, or RELATION:NUMBER as 'caller:20'.");
        return [...before, text];
      },
    );
  },
  run: async (invocation) => {
    const { flags, given, session } = invocation;
    const answer = await answered(invocation);
    // A comment for a pull request is pasted as it is.
    if (given.format === 'github' && !flags.json) session.terminal.out(answer.markdown);
    else printAnswer(invocation, answer);
    const { counts } = answer.body.results as { counts: Readonly<Record<string, number>> };
    const limits = (given.failOn ?? []) as readonly string[];
    const over = limits.flatMap((limit) => {
      const [, relation = 'total', most = ''] = LIMIT.exec(limit) ?? [];
      const count = counts[relation] ?? 0;
      const what = relation === 'total' ? '' : ` as ${relation}`;
      return count > Number(most) ? [`${count} affected${what}, more than ${most}`] : [];
    });
    if (over.length === 0) return;
    session.terminal.err(`--fail-on: ${over.join('; ')}\n`);
    process.exitCode = EXIT.exceeded;
  },
};
