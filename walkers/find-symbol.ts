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
import { moduleAtPath, moduleOfName, modulesEndingIn, modulesOf } from './find-module.js';
import { idsEndingIn } from './folded-names.js';
import { shownLine } from './shown-text.js';
import { didYouMean, isNear, nearestFirst, suggestedPaths } from './suggestion.js';

/** What a name can lead to. */
export type Named = NodeRef<typeof CodeSymbol | typeof File | typeof ExternalPackage | typeof Unresolved>;

/** How a name was understood (P-03), the strictest first. */
export type NameMatch = 'id' | 'place' | 'path' | 'name' | 'suffix' | 'case';

/** What a name leads to: several nodes where it is ambiguous, by id. */
export interface FoundNames {
  readonly nodes: readonly Named[];
  readonly match: NameMatch;
}

type Look = Pick<
  ReadContext,
  'codeRevision' | 'find' | 'findIds' | 'kept' | 'node' | 'nodes' | 'nodesOf' | 'q' | 'projectRoot'
>;

/** Names that are suggested at most. */
const MOST_SUGGESTIONS = 3;
/** S0-57. */
const NAME_FORMS =
  'A name may be qualified (auth.services.UserService.login), the last parts of one (UserService.login), an id, a path or path:line.';
/** `path:12` and `path:12:3`. */
const PLACE = /^(.+?):(\d+)(?::\d+)?$/;

/** What is looked for under a name. */
export interface Wanted {
  /** In words, with its article: what an error says that the name is not. */
  readonly what: string;
  /** Whether a node is of it. */
  fits(node: Named): boolean;
  /** Whether a node is taken where nothing fits. Default: none is. */
  also?(node: Named): boolean;
  /** Whether a module's whole name goes before the bare name of a symbol. Default false. */
  readonly modulesFirst?: boolean;
}

const ANYTHING: Wanted = { what: 'anything', fits: () => true };

/**
 * What somebody means by a name: an id; `path:line` (the innermost symbol there, else the file); a file's path, or
 * that of a module without its extension, or of a folder; a qualified name, a name, or the last parts of a qualified
 * name (`Auth.login`; `::` and `#` are read as `.`, `\\` as `/`); the same in another case or with other separators.
 * The first of these that leads to something wanted decides; a name that is merely near is never taken.
 *
 * @param wanted Default: anything.
 * @throws CodewalkError `NODE_NOT_FOUND` with what else is of that name, or the nearest names.
 */
export async function findNamed(context: Look, text: string, wanted = ANYTHING): Promise<FoundNames> {
  const name = text.trim();
  const spelled = slashed(name).replace(/::|#/g, '.').replace(/\(\)$/, '');
  let others: FoundNames | undefined;
  for (const [match, way] of waysOf(context, name, spelled, wanted)) {
    const found = await way();
    const nodes = codeFirst(found.filter((node) => wanted.fits(node)));
    if (nodes.length > 0) return { nodes, match };
    if (found.length > 0) others ??= { nodes: found, match };
  }
  const taken = others?.nodes.filter((node) => wanted.also?.(node)) ?? [];
  if (others && taken.length > 0) return { nodes: taken, match: others.match };
  throw others ? isNot(name, others.nodes, wanted) : await notFound(context, name, spelled);
}

/** A key of a configuration may be called as code is, `main`: it is meant where nothing else is. */
function codeFirst(nodes: readonly Named[]): readonly Named[] {
  const code = nodes.filter((node) => !('kind' in node && node.kind === 'config'));
  return code.length > 0 ? code : nodes;
}

type Way = readonly [match: NameMatch, way: () => Promise<readonly Named[]>];

function waysOf(context: Look, name: string, spelled: string, { modulesFirst = false }: Wanted): Way[] {
  const modules: Way = ['name', () => moduleOfName(context, spelled)];
  return [
    ['id', () => ofId(context, name)],
    ['place', async () => given(await atPlace(context, name))],
    ['path', async () => given(await fileAt(context, name))],
    ['path', async () => (/[/\\]/.test(name) ? modulesNear(context, name) : [])],
    ['name', () => context.find(CodeSymbol, { qualified_name: spelled })],
    ...(modulesFirst ? [modules] : []),
    ['name', () => context.find(CodeSymbol, { name: spelled })],
    ...(modulesFirst ? [] : [modules]),
    ['suffix', () => bySuffix(context, spelled)],
    ['suffix', () => outside(context, spelled)],
    ['suffix', () => modulesEndingIn(context, spelled, false)],
    // A folder right below the root has no slash that would tell it.
    ...(modulesFirst ? [['path', () => modulesNear(context, name)] as const] : []),
    ['case', () => byFoldedName(context, spelled)],
    ['case', () => modulesEndingIn(context, spelled, true)],
  ];
}

function given<T>(value: T | undefined): T[] {
  return value === undefined ? [] : [value];
}

async function ofId(context: Look, text: string): Promise<Named[]> {
  const { form, path } = parseId(text) ?? {};
  if (form === 'dir') return modulesOf(context, path ?? '');
  const node = form === undefined ? undefined : await context.node(canonicalId(text));
  return node && isNamed(node) ? [node] : [];
}

/** Whether a node of the code graph is of those that a name can lead to. */
export function isNamed(node: NodeRef): node is Named {
  const form = parseId(node.id)?.form;
  return form !== 'import' && form !== 'concept' && form !== 'project' && form !== 'dir';
}

async function atPlace(context: Look, text: string): Promise<Named | undefined> {
  const [, path = '', digits = ''] = PLACE.exec(text) ?? [];
  const file = path === '' ? undefined : await fileAt(context, path);
  if (!file) return undefined;
  const line = Number(digits);
  // One line more than the file has: where a cursor stands behind the last line end.
  if (line < 1 || line > (file.line_count ?? line) + 1) return undefined;
  const around = (await context.q(file).out(FileContainsSymbol).of(CodeSymbol)).filter(
    ({ start_line, end_line }) => start_line <= line && line <= end_line,
  );
  const innermost = around.sort(
    (a, b) => a.end_line - a.start_line - (b.end_line - b.start_line) || compareText(a.id, b.id),
  );
  return innermost[0] ?? file;
}

async function fileAt(
  { nodesOf, projectRoot }: Look,
  text: string,
): Promise<NodeRef<typeof File> | undefined> {
  if (!/[./\\]/.test(text)) return undefined;
  const paths = [...new Set([text, ...pathsInside(projectRoot, text)])];
  return (await nodesOf(File, paths.map(fileId))).find(({ gone }) => !gone);
}

async function modulesNear(context: Look, text: string): Promise<Named[]> {
  for (const path of pathsInside(context.projectRoot, text)) {
    const found = await moduleAtPath(context, path);
    if (found.length > 0) return found;
  }
  return [];
}

/** A path as the graph spells it, then with slashes for backslashes; none for what leads out of the root. @param root Null: it is from the root. */
function pathsInside(root: string | null, text: string): string[] {
  const spellings = [...new Set([text, slashed(text)])];
  if (root === null) return spellings;
  return spellings.flatMap((one) => {
    try {
      return [insideRoot(root, one).path];
    } catch {
      return [];
    }
  });
}

function slashed(text: string): string {
  return text.replaceAll('\\', '/');
}

async function bySuffix({ find }: Look, name: string): Promise<Named[]> {
  const last = lastPart(name);
  if (last === '') return [];
  return (await find(CodeSymbol, { name: last })).filter(({ qualified_name, id }) =>
    [qualified_name, nameInFile(id)].some((full) => endsWithName(full, name)),
  );
}

/** What has the same name in another case. */
async function byFoldedName(context: Look, name: string): Promise<Named[]> {
  const wanted = folded(name);
  const last = lastPart(wanted);
  if (last === '') return [];
  const nameOf = (id: string) => folded(nameInFile(id));
  const ids = (await idsEndingIn(context, last, nameOf)).filter((id) => endsWithName(nameOf(id), last));
  return (await context.nodes(ids))
    .filter((node) => node !== undefined)
    .filter(isNamed)
    .filter(({ qualified_name, id }) =>
      [qualified_name, nameInFile(id)].some((full) => endsWithName(folded(full), wanted)),
    );
}

/** A name in one case and with one separator. */
function folded(name: string): string {
  return name.toLowerCase().replaceAll('/', '.');
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

/** What a node that is no symbol is called. */
const KINDS: Readonly<Record<string, string>> = {
  File: 'file',
  ExternalPackage: 'package',
  Unresolved: 'defined nowhere known',
};

/** What else is of that name. */
function isNot(name: string, nodes: readonly Named[], { what }: Wanted): CodewalkError {
  const [first] = nodes;
  const kind =
    first && 'kind' in first ? (first.subkind ?? first.kind) : (KINDS[first?.archetype.name ?? ''] ?? '');
  const other = first?.qualified_name || first?.id;
  return new CodewalkError('NODE_NOT_FOUND', `'${shownLine(name, 200)}' is ${other} (${kind}), not ${what}`, {
    input: name,
    suggestion: `Name ${what}. ${NAME_FORMS}`,
  });
}

async function notFound(context: Look, wanted: string, spelled: string): Promise<CodewalkError> {
  const ids = await context.findIds(CodeSymbol);
  const code = nearNames(
    ids.filter((id) => parseId(id)?.form !== 'config'),
    spelled,
  );
  const near = code.length > 0 ? code : nearNames(ids, spelled);
  const paths = /[/\\]|\.\w+$/.test(wanted)
    ? suggestedPaths(
        slashed(wanted),
        (await context.findIds(File)).map((id) => id.slice(fileId('').length)),
      )
    : [];
  const suggestion = didYouMean([...paths, ...near].slice(0, MOST_SUGGESTIONS));
  return new CodewalkError('NODE_NOT_FOUND', `nothing in the graph is called '${shownLine(wanted, 200)}'`, {
    input: wanted,
    suggestion: `${suggestion}${NAME_FORMS}`,
  });
}

function nearNames(ids: readonly string[], spelled: string): string[] {
  const last = lastPart(spelled);
  const near = [...new Set(ids.map(nameInFile))].filter((name) => isNear(last, lastPart(name)));
  return nearestFirst(last, near, lastPart);
}

/** `c` of `a.b.c`. */
function lastPart(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}
