import { basename, join, relative } from 'node:path';
import { CodewalkError } from '../../schema/index.js';
import { contains, type ListingRow, platformOf } from '../../source/index.js';
import { checkedRoot } from '../session.js';
import { shellWord } from '../text.js';
import { answered, type CommandExtension, type Invocation, runWalker, shownText } from '../walker-command.js';

/** `codewalk index`: indexes and says what to try next; flags list files, or rebuild texts or embeddings instead. */
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
    const { list, text, vectors, wipe } = invocation.given;
    if (wipe && !vectors)
      throw new CodewalkError(
        'INVALID_INPUT',
        '--wipe goes with --vectors: it deletes embeddings, nothing else',
        {
          suggestion:
            "'codewalk index --vectors --wipe' makes them anew; 'codewalk index --mode full' indexes everything anew.",
        },
      );
    if (vectors) return runWalker(insteadOf(invocation, 'graph_embed', wipe === true ? { wipe: true } : {}));
    if (text) return runWalker(insteadOf(invocation, 'project_texts', {}));
    return list ? printListing(invocation) : index(invocation);
  },
};

/** Another walker in the place of the command's own. */
function insteadOf(invocation: Invocation, name: string, input: Invocation['input']): Invocation {
  return { ...invocation, walker: { ...invocation.walker, name }, input };
}

/** Discovery alone: no graph is opened. */
async function printListing({ session, root, flags, input }: Invocation): Promise<void> {
  const { indexDefaults } = await import('../../host/index.js');
  const { discover, languageOf, listing } = await import('../../source/index.js');
  const { terminal, signal } = session;
  const checked = checkedRoot(session, root, flags);
  const defaults = indexDefaults(checked, { home: flags.home });
  // The parser has read each by the walker's schema.
  const { include, exclude, max_file_bytes: maxFileBytes } = { ...defaults, ...input };
  const discovery = await discover(checked, {
    languageOf,
    signal,
    include,
    exclude,
    limits: { maxFileBytes },
  });
  const files = listing(discovery);
  if (flags.json) terminal.json({ root: discovery.root, files });
  else terminal.out(listingText(files));
}

function listingText(files: readonly ListingRow[]): string {
  const skipped = files.filter(({ decision }) => decision === 'skipped').length;
  const rows = files.map(({ decision, path, language, reason, why }) => {
    const what = (decision === 'skipped' ? reason : language) ?? '';
    const because = why === '' ? '' : `  (${why})`;
    return `${decision.padEnd(9)}  ${what.padEnd(16)}  ${path.replace(/[\n\r]+/gu, ' ')}${because}\n`;
  });
  return `${rows.join('')}${files.length - skipped} taken, ${skipped} skipped\n`;
}

async function index(invocation: Invocation): Promise<void> {
  const { terminal } = invocation.session;
  const { flags } = invocation;
  const { body, markdown } = await answered(invocation);
  if (flags.json) return terminal.json(body);
  const { root, enclosing_root } = body.state;
  const file = typeof body.central_file === 'string' ? body.central_file : null;
  const symbol = typeof body.central_symbol === 'string' ? body.central_symbol : null;
  const more = flags.quiet || root === null || file === null ? '' : tryNext(invocation, root, file, symbol);
  const inside = enclosing_root === undefined ? '' : `, inside ${enclosing_root}, which is indexed too`;
  terminal.out(`${root ?? ''}${inside}\n`);
  terminal.write(`${shownText(invocation, markdown)}\n`);
  terminal.out(more);
}

/** Commands that work from where the user stands, on the symbol called most in the file that most others use. */
function tryNext(invocation: Invocation, root: string, file: string, name: string | null): string {
  const { cwd } = invocation.session.terminal;
  const isHere = contains(root, cwd, platformOf());
  const where = isHere ? '' : ` --root ${shellWord(root)}`;
  const words = name?.slice(name.lastIndexOf('.') + 1).match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g);
  const lines = [
    ...(words ? [`search ${words.join(' ').toLowerCase()}${where}`] : []),
    ...(name === null ? [] : [`callers ${shellWord(name)}${where}`, `references ${shellWord(name)}${where}`]),
    `context ${shellWord(isHere ? relative(cwd, join(root, file)) : file)}${where}`,
    `mcp --root ${shellWord(root)}      (the command that you give your agent)`,
  ];
  return ['', 'Try next:', ...lines.map((line) => `  ${programName(cwd)} ${line}`), ''].join('\n');
}

/** How this program is called from `cwd`: by its name where it is installed, else as a script of Node. */
function programName(cwd: string): string {
  const script = process.argv[1] ?? '';
  if (basename(script) === 'codewalk') return 'codewalk';
  const near = relative(cwd, script);
  return `node ${shellWord(near.startsWith('..') ? script : near)}`;
}
