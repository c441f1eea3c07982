import { join, relative } from 'node:path';
import { CodewalkError } from '../../schema/index.js';
import { contains, platformOf } from '../../source/index.js';
import type { Invocation } from '../invocation.js';
import { programName, shellWord } from '../shell.js';
import { answered, type CommandExtension, runWalker } from '../walker-command.js';

/**
 * `codewalk index`: `--list` says what would be taken, `--text` makes the text index anew, `--vectors` embeds what is
 * indexed, and after an index comes what to try next.
 */
export const indexExtension: CommandExtension = {
  prepare: (command) =>
    void command
      .option('--list', 'only say of each file whether it is taken or skipped, and why')
      .option(
        '--text',
        'make the text indexes of code, attempts and memories anew; else index what changed on disk',
      )
      .option('--vectors', 'only embed what is new or changed, with the endpoint that is configured')
      .option('--wipe', 'with --vectors: delete all embeddings first'),
  run: async (invocation) => {
    if (invocation.given.wipe && !invocation.given.vectors)
      throw new CodewalkError(
        'INVALID_INPUT',
        '--wipe goes with --vectors: it deletes embeddings, nothing else',
        {
          suggestion:
            "'codewalk index --vectors --wipe' makes them anew; 'codewalk index --mode full' indexes everything anew.",
        },
      );
    if (invocation.given.vectors) return embed(invocation);
    if (invocation.given.text) return runInstead(invocation, 'project_texts', {});
    if (!invocation.given.list) return index(invocation);
    const { printListing } = await import('./listing.js');
    return printListing(invocation);
  },
};

async function index(invocation: Invocation): Promise<void> {
  const { session, flags } = invocation;
  const { body, markdown } = await answered(invocation);
  if (flags.json) session.terminal.out(`${JSON.stringify(body)}\n`);
  else {
    const { root, enclosing_root } = body.state;
    const file = typeof body.central_file === 'string' ? body.central_file : null;
    const more = flags.quiet || root === null ? '' : tryNext(root, session.terminal.cwd, file);
    const inside = enclosing_root === undefined ? '' : `, inside ${enclosing_root}, which is indexed too`;
    session.terminal.out(`${root ?? ''}${inside}\n${markdown.trimEnd()}\n${more}`);
  }
}

function embed(invocation: Invocation): Promise<void> {
  return runInstead(invocation, 'graph_embed', invocation.given.wipe === true ? { wipe: true } : {});
}

/** Runs another walker in the place of the command's own. */
function runInstead(invocation: Invocation, name: string, input: Invocation['input']): Promise<void> {
  return runWalker({ ...invocation, walker: { ...invocation.walker, name }, input });
}

/** Three commands that work from where the user stands; agents start elsewhere. */
function tryNext(root: string, cwd: string, centralFile: string | null): string {
  const program = programName(cwd);
  const isHere = contains(root, cwd, platformOf());
  const place = shellWord(root);
  const example =
    centralFile === null ? 'FILE' : shellWord(isHere ? relative(cwd, join(root, centralFile)) : centralFile);
  return [
    '',
    'Try next:',
    `  ${program} stats${isHere ? '' : ` ${place}`}`,
    `  ${program} context ${example}${isHere ? '' : ` --root ${place}`}`,
    `  ${program} mcp --root ${place}      (the command that you give your agent)`,
    '',
  ].join('\n');
}
