import { homedir } from 'node:os';
import { join, relative } from 'node:path';
import { z } from 'zod';
import { AnswerState, indexDefaults } from '../../host/index.js';
import {
  checkRoot,
  contains,
  discover,
  type ListingRow,
  languageOf,
  listing,
  platformOf,
} from '../../source/index.js';
import type { Invocation } from '../invocation.js';
import { programName, shellWord } from '../shell.js';
import { answered, type CommandExtension } from '../walker-command.js';

/** `codewalk index`: `--list` says what would be taken, and after an index comes what to try next. */
export const indexExtension: CommandExtension = {
  prepare: (command) =>
    void command.option('--list', 'only say of each file whether it is taken or skipped, and why'),
  run: (invocation) => (invocation.given.list ? printListing(invocation) : index(invocation)),
};

async function index(invocation: Invocation): Promise<void> {
  const { session, flags } = invocation;
  const { body, markdown } = await answered(invocation);
  if (flags.json) session.terminal.out(`${JSON.stringify(body)}\n`);
  else {
    const { root, enclosing_root } = AnswerState.parse(body.state);
    const file = z.string().nullable().catch(null).parse(body.central_file);
    const more = flags.quiet || root === null ? '' : tryNext(root, session.terminal.cwd, file);
    const inside = enclosing_root === undefined ? '' : `, inside ${enclosing_root}, which is indexed too`;
    session.terminal.out(`${root ?? ''}${inside}\n${markdown.trimEnd()}\n${more}`);
  }
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

const Files = z.object({
  include: z.array(z.string()),
  exclude: z.array(z.string()),
  max_file_bytes: z.number(),
});

/** Discovery alone: no graph is opened. */
async function printListing({ session, root, flags, input }: Invocation): Promise<void> {
  const { terminal, signal } = session;
  const checked = checkRoot(root, { force: flags.force ?? false, cwd: terminal.cwd, home: homedir() });
  const { max_file_bytes, ...globs } = Files.parse({
    ...indexDefaults(checked, { home: flags.home }),
    ...input,
  });
  const limits = { maxFileBytes: max_file_bytes };
  const discovery = await discover(checked, { languageOf, signal, limits, ...globs });
  const files = listing(discovery);
  if (flags.json) terminal.out(`${JSON.stringify({ root: discovery.root, files })}\n`);
  else terminal.out(listingText(files));
}

function listingText(files: readonly ListingRow[]): string {
  const skipped = files.filter(({ decision }) => decision === 'skipped').length;
  const rows = files.map(({ decision, path, language, reason, why }) => {
    const what = decision === 'skipped' ? reason : language;
    return `${decision.padEnd(9)}  ${(what ?? '').padEnd(16)}  ${path}${why === '' ? '' : `  (${why})`}\n`;
  });
  return `${rows.join('')}${files.length - skipped} taken, ${skipped} skipped\n`;
}
