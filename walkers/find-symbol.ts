import { compareText, type NodeRef, type ReadContext } from '../runtime/index.js';
import {
  CodeSymbol,
  CodewalkError,
  canonicalId,
  ExternalPackage,
  File,
  FileContainsSymbol,
  fileId,
  parseId,
  Unresolved,
} from '../schema/index.js';
import { insideRoot } from '../source/index.js';
import { didYouMean, isNear, suggestedPaths } from './suggestion.js';

/** What a name can lead to. */
export type Named = NodeRef<typeof CodeSymbol | typeof File | typeof ExternalPackage | typeof Unresolved>;

/** How a name was understood (P-03), the strictest first. */
export type NameMatch = 'id' | 'place' | 'path' | 'name' | 'suffix' | 'case';

/** What a name leads to: several nodes where it is ambiguous, by id. */
export interface FoundNames {
  readonly nodes: readonly Named[];
  readonly match: NameMatch;
}

type Look = Pick<ReadContext, 'find' | 'findIds' | 'node' | 'nodes' | 'q' | 'projectRoot'>;

/** Names that are suggested at most. */
const MOST_SUGGESTIONS = 3;
/** `path:12` and `path:12:3`. */
const PLACE = /^(.+?):(\d+)(?::\d+)?$/;

/**
 * What somebody means by a name: an id; `path:line` (the innermost symbol there, else the file); a file's path; a
 * qualified name, a name, or the last parts of a qualified name (`Auth.login`; `::` and `#` are read as `.`); the same
 * in another case. The first of these that leads anywhere decides; a name that is merely near is never taken.
 *
 * @throws CodewalkError `NODE_NOT_FOUND` with the nearest names.
 */
export async function findNamed(context: Look, text: string): Promise<FoundNames> {
  const wanted = text.trim();
  const id = parseId(wanted) ? await context.node(canonicalId(wanted)) : undefined;
  if (id && isNamed(id)) return { nodes: [id], match: 'id' };
  const place = await atPlace(context, wanted);
  if (place) return { nodes: [place], match: 'place' };
  const file = await fileAt(context, wanted);
  if (file) return { nodes: [file], match: 'path' };
  const spelled = wanted.replace(/::|#/g, '.').replace(/\(\)$/, '');
  for (const [match, ways] of [
    ['name', [() => byName(context, spelled)]],
    ['suffix', [() => bySuffix(context, spelled, false), () => outside(context, spelled)]],
    ['case', [() => bySuffix(context, spelled, true)]],
  ] as const)
    for (const way of ways) {
      const nodes = await way();
      if (nodes.length > 0) return { nodes, match };
    }
  throw await notFound(context, wanted, spelled);
}

function isNamed(node: NodeRef): node is Named {
  const form = parseId(node.id)?.form;
  return form !== 'import' && form !== 'concept' && form !== 'project' && form !== 'dir';
}

async function atPlace(context: Look, text: string): Promise<Named | undefined> {
  const [, path = '', digits = ''] = PLACE.exec(text) ?? [];
  const file = path === '' ? undefined : await fileAt(context, path);
  if (!file) return undefined;
  const line = Number(digits);
  const around = (await context.q(file).out(FileContainsSymbol).of(CodeSymbol)).filter(
    ({ start_line, end_line }) => start_line <= line && line <= end_line,
  );
  const innermost = around.sort(
    (a, b) => a.end_line - a.start_line - (b.end_line - b.start_line) || compareText(a.id, b.id),
  );
  return innermost[0] ?? file;
}

async function fileAt({ find, projectRoot }: Look, text: string): Promise<NodeRef<typeof File> | undefined> {
  if (!/[./\\]/.test(text)) return undefined;
  const [exact] = await find(File, { path: text });
  if (exact || projectRoot === null) return exact;
  const [located] = await find(File, { path: pathInside(projectRoot, text) });
  return located;
}

/** A path as the graph spells it; what leads out of the root is no path of a file. */
function pathInside(root: string, text: string): string {
  try {
    return insideRoot(root, text).path;
  } catch {
    return '';
  }
}

async function byName({ find }: Look, name: string): Promise<Named[]> {
  const qualified = await find(CodeSymbol, { qualified_name: name });
  return qualified.length > 0 ? qualified : find(CodeSymbol, { name });
}

async function bySuffix({ find, findIds, nodes }: Look, name: string, folded: boolean): Promise<Named[]> {
  if (!folded) {
    const last = name.slice(name.lastIndexOf('.') + 1);
    return (await find(CodeSymbol, { name: last })).filter(({ qualified_name, id }) =>
      [qualified_name, nameInFile(id)].some((full) => endsWithName(full, name)),
    );
  }
  const wanted = name.toLowerCase();
  const ids = (await findIds(CodeSymbol)).filter((id) => endsWithName(nameInFile(id).toLowerCase(), wanted));
  return (await nodes(ids)).filter((node) => node !== undefined).filter(isNamed);
}

/** Names that the project uses and does not define: packages, and what is called of them. */
async function outside({ find }: Look, name: string): Promise<Named[]> {
  const packages = await find(ExternalPackage, { name });
  if (packages.length > 0) return packages;
  return find(Unresolved, { qualified_name: name });
}

function nameInFile(id: string): string {
  return parseId(id)?.name ?? '';
}

function endsWithName(full: string, name: string): boolean {
  return full === name || full.endsWith(`.${name}`) || full.endsWith(`/${name}`);
}

async function notFound(context: Look, wanted: string, spelled: string): Promise<CodewalkError> {
  const last = spelled.slice(spelled.lastIndexOf('.') + 1);
  const names = new Set((await context.findIds(CodeSymbol)).map(nameInFile));
  const near = [...names]
    .filter((name) => isNear(last, name.slice(name.lastIndexOf('.') + 1)))
    .sort(compareText);
  const paths = /[/\\]|\.\w+$/.test(wanted)
    ? suggestedPaths(
        wanted,
        (await context.findIds(File)).map((id) => id.slice(fileId('').length)),
      )
    : [];
  const suggestion = didYouMean([...paths, ...near].slice(0, MOST_SUGGESTIONS));
  return new CodewalkError('NODE_NOT_FOUND', `nothing in the graph is called '${wanted}'`, {
    input: wanted,
    suggestion: `${suggestion}A name may be qualified (auth.services.UserService.login), the last parts of one (UserService.login), an id, a path or path:line.`,
  });
}
