import { z } from 'zod';
import {
  didYouMean,
  isNear,
  nearestFirst,
  nearMembers,
  shownLine,
  suggestedPaths,
} from '../../present/index.js';
import { compareText, isA, type NodeRef, type ReadContext } from '../../runtime/index.js';
import {
  CodeSymbol,
  CodewalkError,
  canonicalId,
  ExternalPackage,
  File,
  FileContainsSymbol,
  fileId,
  grouped,
  LIMITS,
  lastNamePart,
  parseId,
  Unresolved,
} from '../../schema/index.js';
import { insideRoot, isTestPath } from '../../source/index.js';
import {
  dotted,
  endsInParts,
  importedModules,
  isUnit,
  membersOf,
  moduleAtPath,
  moduleOfName,
  modulesAndMembers,
  modulesEndingIn,
  modulesOf,
  namespacesOf,
  offeredNames,
} from './modules.js';
import { readState, stateName } from './state.js';

/** The names of methods that make an instance, of every language. */
const CONSTRUCTORS: ReadonlySet<string> = new Set(['constructor', '__init__', '__construct']);
/** Files of languages whose constructors have their class's name, and of whose overloads each runs. */
const OVERLOADING = /\.java$/iu;

/** Files that declare what others define, and those others. */
const HEADER = /\.(?:h|hh|hpp|hxx)$/iu;
const DEFINING = /\.(?:c|cc|cpp|cxx)$/iu;

/** What functions of a name share, in whatever file they are declared or defined; null for what is none. */
function functionKey(node: Named): string | null {
  const form = parseId(node.id)?.form;
  return form === 'fn' || form === 'm' ? `${form}:${node.qualified_name}` : null;
}

/** Whether an id is that of a method that makes an instance. */
export function isConstructorId(id: string): boolean {
  const { form, name, path } = parseId(id) ?? {};
  if (form !== 'm') return false;
  const [last = '', owner] = (name ?? '').split('.').reverse();
  return CONSTRUCTORS.has(last) || (last === owner && OVERLOADING.test(path ?? ''));
}

/** Whether declarations of one symbol are overloads of which each has its own code. */
export function areOverloads(declarations: readonly Named[]): boolean {
  const isMethod = (node: Named) => isOverloading(node) && parseId(node.id)?.form === 'm';
  return declarations.length > 1 && declarations.every(isMethod);
}

function isOverloading(node: Named): boolean {
  return 'path' in node && OVERLOADING.test(node.path);
}

function isClass({ id }: Named): boolean {
  return parseId(id)?.form === 'cls';
}

/** The input field of a path: what no system could hold is refused before anything looks for it. */
export function pathField() {
  return z.string().min(1).max(LIMITS.pathText.max);
}

/** The input field of a name, with what P-03 forgives. On a command line a path in it is relative to where one stands. */
export function nameField(what: string) {
  const text = z.string().trim().min(1, 'it is empty').max(LIMITS.nameText.max);
  return text.meta({ place: true }).describe(what);
}

/** What a name can lead to. */
export type Named = NodeRef<typeof CodeSymbol | typeof File | typeof ExternalPackage | typeof Unresolved>;

/** What a name leads to. */
export interface FoundNames {
  /** All declarations: code of the project first, what is exported first, tests last. */
  readonly nodes: readonly Named[];
  /** One node for each symbol, in the same order: of overloads the implementation. Several where the name is ambiguous. */
  readonly targets: readonly Named[];
}

type Look = Parameters<typeof membersOf>[0] & Pick<ReadContext, 'node' | 'projectRoot'>;

/** Names that are suggested at most. */
const MOST_SUGGESTIONS = 3;
const NAME_FORMS =
  'A name may be qualified (auth.services.UserService.login), public (package.name), the last parts of one (UserService.login), an id, a path or path:line. Upper and lower case differ.';
/** `path:12` and `path:12:3`. */
const PLACE = /^(.+?):(\d+)(?::\d+)?$/;

/** A path from the disk's root, or with `.` or `..` on the way: what it means follows from where one stands. */
const LEADS_ELSEWHERE = /^[/\\]|(?:^|[/\\])\.\.?(?:[/\\]|$)/;

/** What is looked for under a name. */
export interface Wanted {
  /** In words, with its article: what an error says that the name is not. */
  readonly what: string;
  /** Whether a node is of it. */
  fits(node: Named): boolean;
  /** Whether a node is taken where nothing fits, or with a declaration of the same symbol that does. Default: none is. */
  also?(node: Named): boolean;
  /** Those of nodes that do not fit that are wanted next to what does, by what the graph knows of them. Default: none. */
  nextTo?(context: Look, nodes: readonly Named[]): Promise<readonly Named[]>;
  /** Whether a module's whole name goes before the bare name of a symbol. Default false. */
  readonly modulesFirst?: boolean;
}

const ANYTHING: Wanted = { what: 'anything', fits: () => true };

/**
 * What a name leads to (P-03): an id; `path:line` (the innermost symbol there, else the file); a file's path, or that of
 * a module without its extension, or of a folder; a qualified name; a public name, as importers write it
 * (`package.name`, `@scope/package/module.name`); a bare name; the last parts of a qualified name (`Auth.login`),
 * of which the first may be a namespace that a package exports (`z.object`). `::`, `#` and `/` are read as `.`, `\\` as
 * `/`. The first of these that leads to something wanted decides. Titles of tests and keys of configurations come last.
 * The spelling is exact: other case and near names are only suggested.
 *
 * @param wanted Default: anything.
 * @throws CodewalkError `NODE_NOT_FOUND` with what else is of that name, or the nearest names.
 */
export async function findNamed(context: Look, text: string, wanted = ANYTHING): Promise<FoundNames> {
  const name = text.trim();
  const readings = readingsOf(name);
  const refused: Named[] = [];
  for (const reading of readings) {
    const { taken, others } = await readAs(context, reading, wanted);
    if (taken) return taken;
    refused.push(...others);
  }
  if (refused.length > 0) throw isNot(name, refused, wanted);
  throw await notFound(context, name, readings.at(-1)?.spelled ?? name);
}

/** One way in which a text may be meant. */
interface Reading {
  readonly name: string;
  /** With dots. */
  readonly spelled: string;
  /** Names of the types of its parameters: the overload that has them is meant. */
  readonly parameters?: readonly string[];
}

/** A text as it is written; where that leads nowhere, as languages and their tools write names of members. */
function readingsOf(name: string): Reading[] {
  const spelled = slashed(name).replace(/::|#/g, '.');
  const first = { name, spelled: spelled.replace(/\(\)$/, '') };
  const [, head = spelled, list] = /^([^(]*[\w$>])\(([^()]*)\)$/u.exec(spelled) ?? [];
  const plain = head
    // Go's `(*Engine).Run`, `pkg.(*List[T]).Push`, `*Engine.Run`, `module/v2.Run`.
    .replace(/\(\*?([\w./-]+)(?:\[[^\][()]*\])?\)(?=\.)/gu, '$1')
    .replace(/^[*&]/u, '')
    .replace(/\/v\d+(?=\.)/u, '')
    // The JVM's `Outer$Inner`, `Outer.<init>`.
    .replace(/(?<=\w)\$(?=[A-Z])/gu, '.')
    .replace(/\.<init>$/u, (_, at: number, whole: string) => `.${lastNamePart(whole.slice(0, at))}`);
  if (plain === first.spelled) return [first];
  const parameters = list ? { parameters: typesIn(list) } : {};
  return [first, { name: plain, spelled: plain, ...parameters }];
}

/** The last names of the types in a list of parameters, without what they are made for: `Map` of `java.util.Map<K, V>`. */
function typesIn(list: string): string[] {
  let plain = list;
  while (/<[^<>]*>/u.test(plain)) plain = plain.replace(/<[^<>]*>/gu, '');
  return plain.split(',').map(typeName);
}

/** `char[]` of `final char... text`. */
function typeName(text: string): string {
  const [, type = '', ends = ''] =
    /^(?:final\s+|@\w+\s+)*([\w.$]+)\s*((?:\[\s*\]|\.\.\.)*)/u.exec(text.trim().replace(/\.\.\.$/u, '[]')) ??
    [];
  return (
    (type.split(/[.$]/u).at(-1) ?? '') + ends.replace(/\s|\.\.\./gu, (one) => (one === '...' ? '[]' : ''))
  );
}

function hasParameters(node: Named, wanted: readonly string[]): boolean {
  if (!('parameters' in node)) return false;
  const own = node.parameters.flatMap(({ type }) => typesIn(type ?? '').slice(0, 1));
  return own.length === wanted.length && own.every((type, at) => type === wanted[at]);
}

/** What a text leads to where it is read so, and what else was found. */
async function readAs(
  context: Look,
  { name, spelled, parameters }: Reading,
  wanted: Wanted,
): Promise<{ taken?: FoundNames; others: readonly Named[] }> {
  const { exact, suffix } = waysOf(context, name, spelled, wanted);
  const others: Named[] = [];
  for (const ways of [exact, suffix]) {
    for (const way of ways) {
      const all = await way();
      const found = parameters ? all.filter((node) => hasParameters(node, parameters)) : all;
      const nodes = found.filter(
        (node) => wanted.fits(node) && !(isLast(node) && node.id !== canonicalId(name)),
      );
      if (nodes.length > 0) {
        const more = (await wanted.nextTo?.(context, found)) ?? [];
        return { taken: targetsAmong([...withMerged(nodes, found, wanted), ...more]), others };
      }
      others.push(...found);
    }
    // What a qualified name leads to exactly is the target, also where it is of the wrong kind.
    if (ways === exact && !/[./:]/.test(name)) continue;
    const taken = others.filter((node) => wanted.also?.(node));
    if (taken.length > 0) return { taken: targetsAmong(taken), others };
    if (others.some((node) => !isLast(node))) return { others };
  }
  const last = others.filter((node) => wanted.fits(node));
  return last.length > 0 ? { taken: targetsAmong(last), others } : { others };
}

/** With what else is declared as the same symbol: a constant with its interface (TypeScript's declaration merging). */
function withMerged(nodes: readonly Named[], found: readonly Named[], { also }: Wanted): readonly Named[] {
  const keys = new Set(nodes.map(symbolKey));
  return found.filter((node) => nodes.includes(node) || (also?.(node) && keys.has(symbolKey(node))));
}

/** A test may be titled, and a key of a configuration called, as code is: `z.object`, `main`. */
function isLast(node: Named): boolean {
  const form = parseId(node.id)?.form;
  return form === 'test' || form === 'config';
}

type Way = () => Promise<readonly Named[]>;
type Modules = (context: Look, name: string) => Promise<NodeRef<typeof File>[]>;

/** The ways to read a name, the strictest first. */
function waysOf(
  context: Look,
  name: string,
  spelled: string,
  { modulesFirst = false }: Wanted,
): { exact: Way[]; suffix: Way[] } {
  const modules: Way[] = [() => moduleOfName(context, spelled), () => importedModules(context, spelled)];
  const isPath = /[/\\]/.test(name);
  return {
    exact: [
      () => ofId(context, name),
      () => atPlace(context, name),
      () => filesOf(context, [name, slashed(name)]),
      ...(isPath && !LEADS_ELSEWHERE.test(name) ? [() => moduleAtPath(context, slashed(name))] : []),
      // As it is written first: the title of a test may end in `()`.
      () => context.find(CodeSymbol, { qualified_name: name }),
      () => context.find(CodeSymbol, { qualified_name: spelled }),
      // Most names are symbols: the disk is asked for another spelling of a path only after them.
      () => fileAt(context, name),
      ...(isPath ? [() => modulesNear(context, name)] : []),
      ...(modulesFirst ? [...modules, () => namespacesOf(context, spelled)] : []),
      () => publicNamed(context, spelled),
    ],
    suffix: [
      () => context.find(CodeSymbol, { name }),
      () => context.find(CodeSymbol, { name: spelled }),
      ...(modulesFirst ? [] : modules),
      async () => [
        ...(await publicNamed(context, spelled, [namespacesOf])),
        ...(await bySuffix(context, spelled)),
      ],
      () => inherited(context, spelled),
      () => outside(context, spelled),
      () => modulesEndingIn(context, spelled),
      () => publicNamed(context, spelled, [modulesByEnd]),
      // A folder right below the root has no slash that would tell it.
      ...(modulesFirst ? [() => modulesNear(context, name)] : []),
    ],
  };
}

/** A name as importers write it: a module, and what it defines or re-exports. */
async function publicNamed(
  context: Look,
  name: string,
  ways: readonly Modules[] = [moduleOfName, importedModules],
): Promise<readonly Named[]> {
  for (const { module, members } of modulesAndMembers(name))
    for (const way of ways) {
      const found = await membersOf(context, await way(context, module), members);
      if (found.length > 0) return found;
    }
  return [];
}

/** A module that is called by its path, or by the last parts of its name. */
async function modulesByEnd(context: Look, name: string): Promise<NodeRef<typeof File>[]> {
  const files = await fileAt(context, name);
  return files.length > 0 ? files : modulesEndingIn(context, name);
}

/** Of overloads the implementation; other nodes as they are. In the order in which symbols come first. */
export function withoutOverloads<T extends Named>(nodes: readonly T[]): T[] {
  const symbols = grouped(nodes, (node) => `${parseId(node.id)?.form}:${symbolKey(node)}`);
  return [...symbols.values()].map(mainOf);
}

/**
 * The implementation of a declaration that only overloads it: that is what calls lead to. Any other node is its own; so is each
 * half of an accessor, and each overload of a language in which they are functions of their own.
 */
export async function implementationOf(context: Pick<Look, 'find'>, node: Named): Promise<Named> {
  const isFunction = (one: Named) => 'signature' in one && (one.kind === 'function' || one.kind === 'method');
  const isAccessor = (one: Named) =>
    'signature' in one &&
    (/^(?:\w+ )*[gs]et /.test(one.signature) ||
      one.decorators.some((decorator) => /\.(?:setter|deleter)$|(?:^|\.)property$/.test(decorator)));
  if (!('signature' in node) || !isFunction(node) || isAccessor(node) || isOverloading(node)) return node;
  const key = symbolKey(node);
  const named = await context.find(CodeSymbol, { name: node.name });
  const same = named.filter((one) => symbolKey(one) === key && isFunction(one) && !isAccessor(one));
  return same.length > 1 ? mainOf<Named>(same) : node;
}

function targetsAmong(found: readonly Named[]): FoundNames {
  const classes = new Set(found.filter(isClass).map(symbolKey));
  // A class stands for its constructors, which have its name.
  const isStoodFor = ({ id }: Named) => {
    const { path, name } = parseId(id) ?? {};
    return isConstructorId(id) && classes.has(`${path}\0${name?.slice(0, name.lastIndexOf('.'))}`);
  };
  const defined = new Set(
    found.map((node) => ('path' in node && DEFINING.test(node.path) ? functionKey(node) : null)),
  );
  // A function of a header is declared there, and defined in another file.
  const isDeclared = (node: Named) => {
    const key = 'path' in node && HEADER.test(node.path) ? functionKey(node) : null;
    return key !== null && defined.has(key);
  };
  const symbolsOnly = found.filter((node) => !isStoodFor(node) && !isDeclared(node));
  const nodes = new Map(symbolsOnly.map((node) => [node.id, node])).values();
  const symbols = [...grouped(nodes, symbolKey).values()].map((all) => {
    const nodes = all.every(isPackageFile) ? all.toSorted((a, b) => compareText(a.id, b.id)) : all;
    return { nodes, target: mainOf(nodes) };
  });
  symbols.sort(({ target: a }, { target: b }) => rankOf(a) - rankOf(b) || compareText(a.id, b.id));
  return { nodes: symbols.flatMap(({ nodes }) => nodes), targets: symbols.map(({ target }) => target) };
}

/** The declarations of each symbol, by the symbol's place. */
export function declarationsOf<T extends Named>({
  nodes,
  symbols,
}: {
  readonly nodes: readonly T[];
  readonly symbols: readonly T[];
}): T[][] {
  return symbols.map((symbol) => nodes.filter((node) => symbolKey(node) === symbolKey(symbol)));
}

/** What the declarations of one symbol share, overloads, accessors, a value and a type of one name: file and name; what the files of one package share. Of a definition inside a callback, which may occur in another callback too, its id. */
export function symbolKey(node: Named): string {
  if (isPackageFile(node)) return `package\0${node.language}\0${node.qualified_name}`;
  const { form, path, name } = parseId(node.id) ?? {};
  const isDefinition = 'start_column' in node && form !== 'test' && form !== 'route' && form !== 'config';
  if (!isDefinition || !name) return node.id;
  const isOneScope =
    node.language === 'python' || name.includes('.') || node.exported || node.start_column === 0;
  return isOneScope ? `${path}\0${name}` : node.id;
}

/** Whether a node is one file of a package that may have others, which are one module. */
function isPackageFile(node: Named): node is NodeRef<typeof File> {
  return 'is_module' in node && node.is_module && node.qualified_name !== '' && isUnit(node.path);
}

/** The declaration of a symbol that calls lead to: the implementation, of several the first, the accessor that reads, the value rather than the type. */
function mainOf<T extends Named>(declarations: readonly T[]): T {
  const rank = (node: T, at: number): number => {
    if (!('signature' in node)) return at;
    if (node.subkind === 'type_alias' || node.subkind === 'interface') return at + 3000;
    if (node.kind !== 'function' && node.kind !== 'method') return at + (node.kind === 'class' ? 1000 : 2000);
    const isSide = node.decorators.some((one) => /\.(?:setter|deleter)$|(?:^|\.)overload$/.test(one));
    const isDeclared = /^(?:\w+ )*[gs]et /.test(node.signature) || node.path.endsWith('.d.ts');
    return isSide ? 500 + at : isDeclared || isOverloading(node) ? at : -at;
  };
  const sorted = [...declarations].sort(
    (a, b) => Number('start_line' in a && a.start_line) - Number('start_line' in b && b.start_line),
  );
  const ranks = new Map(sorted.map((node, at) => [node, rank(node, at)]));
  return sorted.reduce((best, node) => ((ranks.get(node) ?? 0) < (ranks.get(best) ?? 0) ? node : best));
}

/** The likelier target has a lower rank: code that others can use before what is private, tests last. */
function rankOf(node: Named): number {
  const isTest = 'path' in node && isTestPath(node.path);
  const isPrivate = 'exported' in node && !(node.exported && node.top_level);
  return (isTest ? 2 : 0) + (isPrivate ? 1 : 0);
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

async function atPlace(context: Look, text: string): Promise<Named[]> {
  const [, path = '', digits = ''] = PLACE.exec(text) ?? [];
  const [file] = path === '' ? [] : await fileAt(context, path);
  const line = Number(digits);
  // One line more than the file has: where a cursor stands behind the last line end.
  if (!file || line < 1 || line > (file.line_count ?? line) + 1) return [];
  const around = (await context.q(file).out(FileContainsSymbol).of(CodeSymbol)).filter(
    ({ start_line, end_line }) => start_line <= line && line <= end_line,
  );
  const [innermost = file] = around.sort(
    (a, b) => a.end_line - a.start_line - (b.end_line - b.start_line) || compareText(a.id, b.id),
  );
  return [innermost];
}

async function fileAt(context: Look, text: string): Promise<NodeRef<typeof File>[]> {
  if (!/[./\\]/.test(text)) return [];
  const files = await filesOf(context, [text]);
  return files.length > 0 ? files : filesOf(context, pathsInside(context.projectRoot, text));
}

/** The first file of the graph at one of these paths. */
async function filesOf({ nodesOf }: Look, paths: readonly string[]): Promise<NodeRef<typeof File>[]> {
  return (await nodesOf(File, [...new Set(paths)].map(fileId))).filter(({ gone }) => !gone).slice(0, 1);
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

async function bySuffix(context: Look, spelled: string): Promise<NodeRef<typeof CodeSymbol>[]> {
  const name = dotted(spelled);
  const last = lastNamePart(name);
  if (last === '') return [];
  // Most classes may have a method of that name: those of others are not read.
  const ids: string[] = [];
  for await (const page of context.lookUp(CodeSymbol, 'name', { equals: last, ending: name }))
    ids.push(...page);
  const found = (await context.nodesOf(CodeSymbol, ids)).filter(
    ({ gone, qualified_name, id }) =>
      !gone && [qualified_name, nameInFile(id)].some((full) => endsInParts(dotted(full), name)),
  );
  return found.length > 0 ? found : inClause(context, last, name);
}

/** Those symbols of Go that have a name where its package is called as the file says, and not as its folder is. */
async function inClause(
  { blobs, find, lookUp }: Look,
  last: string,
  name: string,
): Promise<NodeRef<typeof CodeSymbol>[]> {
  const [clause = ''] = name.split('.');
  const files = await lookUp(File, 'language', { equals: 'go', limit: 1 })[Symbol.asyncIterator]().next();
  if (files.done) return [];
  const possible = (await find(CodeSymbol, { name: last })).filter(
    ({ id, language }) => language === 'go' && name === `${clause}.${nameInFile(id)}`,
  );
  const states = await blobs(possible.map(({ path }) => stateName(path)));
  return possible.filter((_, at) => packageOf(readState(states[at])?.offers ?? '') === clause);
}

/** The package that a file says it is in, by its interface. */
function packageOf(offers: string): string {
  return / p:\w+:\w+:(\S+)/u.exec(offers)?.[1] ?? '';
}

/** What a class has of its bases, by the last parts of the class's name. */
async function inherited(context: Look, spelled: string): Promise<readonly Named[]> {
  const owner = spelled.slice(0, Math.max(0, spelled.lastIndexOf('.')));
  return membersOf(context, await bySuffix(context, owner), [lastNamePart(spelled)]);
}

/** Names that the project uses and does not define: packages, and what is called of them. */
async function outside({ find }: Look, name: string): Promise<Named[]> {
  const packages = await find(ExternalPackage, { name });
  return packages.length > 0 ? packages : find(Unresolved, { qualified_name: name });
}

function nameInFile(id: string): string {
  return parseId(id)?.name ?? '';
}

/** What answers call a node: its qualified name, else its path or name. */
export function qualifiedName(node: Named): string {
  return node.qualified_name || ('path' in node && node.path) || node.name;
}

/** What answers call a node's kind: of a symbol its subkind or kind. */
export function kindOf(node: Named): string {
  if ('kind' in node) return node.subkind ?? node.kind;
  return isA(node.archetype, File) ? 'module' : isA(node.archetype, ExternalPackage) ? 'package' : 'external';
}

/** The error of a name that leads to something else alone. */
function isNot(name: string, [first]: readonly Named[], { what }: Wanted): CodewalkError {
  const isUsed = first !== undefined && isA(first.archetype, Unresolved);
  const kind = first && isA(first.archetype, File) ? 'file' : first && kindOf(first);
  const said = isUsed
    ? 'not defined in the project (any more)'
    : `${first?.qualified_name || first?.id} (${kind}), not ${what}`;
  return new CodewalkError('NODE_NOT_FOUND', `'${shownLine(name, 200)}' is ${said}`, {
    input: name,
    suggestion: `${isUsed ? usesOf(first.qualified_name) : ''}Name ${what}. ${NAME_FORMS}`,
  });
}

/** Where to look for the uses of a name that nothing is defined under. */
function usesOf(name: string): string {
  return `\`query_references\` for '${shownLine(name, 200)}' lists where it is still used. `;
}

async function notFound(context: Look, wanted: string, spelled: string): Promise<CodewalkError> {
  const ids = await context.findIds(CodeSymbol);
  const code = nearMembers(spelled, ids.filter((id) => !/^(?:config|test):/.test(id)).map(nameInFile));
  const near = [
    ...(await nearPublicNames(context, spelled)),
    ...(code.length > 0 ? code : nearMembers(spelled, ids.map(nameInFile))),
  ];
  const isPath = /[/\\]|\.\w+$/.test(wanted);
  const files = isPath ? (await context.findIds(File)).map((id) => id.slice(fileId('').length)) : [];
  const all = [...new Set([...suggestedPaths(slashed(wanted), files), ...near])];
  const last = lastNamePart(spelled);
  const isDefined = near.some((name) => lastNamePart(name).toLowerCase() === last.toLowerCase());
  const stubs = isDefined ? [] : await context.find(Unresolved, { qualified_name: last, package: null });
  const uses = stubs.length > 0 ? usesOf(last) : '';
  return new CodewalkError('NODE_NOT_FOUND', `nothing in the graph is called '${shownLine(wanted, 200)}'`, {
    input: wanted,
    suggestion: `${didYouMean(all.slice(0, MOST_SUGGESTIONS))}${uses}${NAME_FORMS}`,
  });
}

/** The names near one that a module offers which the name begins with. */
async function nearPublicNames(context: Look, name: string): Promise<string[]> {
  for (const { module, members } of modulesAndMembers(name)) {
    const [member = '', ...rest] = members;
    if (rest.length > 0) continue;
    const ways: Modules[] = [moduleOfName, importedModules, namespacesOf];
    const files = (await Promise.all(ways.map((way) => way(context, module)))).flat();
    if (files.length === 0) continue;
    const names = new Set<string>();
    for (const { id } of files)
      for (const one of (await offeredNames(context, id)).keys()) if (isNear(member, one)) names.add(one);
    return nearestFirst(member, [...names]).map((one) => `${module}.${one}`);
  }
  return [];
}
