import { join, relative } from 'node:path';
import { CodewalkError, parseId } from '../../schema/index.js';
import { contains, platformOf } from '../../source/index.js';
import type { Invocation } from '../invocation.js';
import { programName, shellWord } from '../shell.js';
import { answered, type CommandExtension, runWalker, shownText } from '../walker-command.js';

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
  if (flags.json) session.terminal.json(body);
  else {
    const { root, enclosing_root } = body.state;
    const file = typeof body.central_file === 'string' ? body.central_file : null;
    const more = flags.quiet || root === null || file === null ? '' : await tryNext(invocation, root, file);
    const inside = enclosing_root === undefined ? '' : `, inside ${enclosing_root}, which is indexed too`;
    session.terminal.out(`${root ?? ''}${inside}\n`);
    session.terminal.write(`${shownText(invocation, markdown)}\n`);
    session.terminal.out(more);
  }
}

function embed(invocation: Invocation): Promise<void> {
  return runInstead(invocation, 'graph_embed', invocation.given.wipe === true ? { wipe: true } : {});
}

/** Runs another walker in the place of the command's own. */
function runInstead(invocation: Invocation, name: string, input: Invocation['input']): Promise<void> {
  return runWalker({ ...invocation, walker: { ...invocation.walker, name }, input });
}

/** Commands that work from where the user stands, on the symbol called most in the file that most others use. */
async function tryNext(invocation: Invocation, root: string, file: string): Promise<string> {
  const { cwd } = invocation.session.terminal;
  const program = programName(cwd);
  const isHere = contains(root, cwd, platformOf());
  const place = shellWord(root);
  const where = isHere ? '' : ` --root ${place}`;
  const name = await mostCalled(invocation, file);
  const words = name?.slice(name.lastIndexOf('.') + 1).match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g);
  const lines = [
    ...(words ? [`search ${words.join(' ').toLowerCase()}${where}`] : []),
    ...(name === null ? [] : [`callers ${shellWord(name)}${where}`, `references ${shellWord(name)}${where}`]),
    `context ${shellWord(isHere ? relative(cwd, join(root, file)) : file)}${where}`,
    `mcp --root ${place}      (the command that you give your agent)`,
  ];
  return ['', 'Try next:', ...lines.map((line) => `  ${program} ${line}`), ''].join('\n');
}

/** The name in its file of the symbol that most others call, there or in what that file imports; null where none is called. */
async function mostCalled(invocation: Invocation, path: string): Promise<string | null> {
  const query =
    'MATCH (:File {path: $path})-[:DEPENDS_ON*0..1]->(:File)-[:DEFINES]->(s:Symbol)<-[:CALLS]-(caller) ' +
    "WHERE s.kind <> 'test' AND NOT s.name STARTS WITH '_' " +
    'RETURN s.id AS id, count(DISTINCT caller) AS callers ORDER BY callers DESC, id LIMIT 1';
  const walker = { ...invocation.walker, name: 'query_cypher' };
  try {
    const { body } = await answered({ ...invocation, walker, input: { query, parameters: { path } } });
    const { rows } = body.results as { rows: readonly { readonly id: string }[] };
    return rows[0] === undefined ? null : (parseId(rows[0].id)?.name ?? null);
  } catch {
    // The index is made, and a command that it could have named is no reason to fail.
    return null;
  }
}
