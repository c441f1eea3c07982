import { z } from 'zod';
import { kindOf, type Named, qualifiedName } from '../../graphs/code/index.js';
import { type DiagramNode, quotedName, shownLine } from '../../present/index.js';
import { isA, type NodeRef, type NodeType, type ReadContext } from '../../runtime/index.js';
import { CodeSymbol, ExternalPackage, File, lastNamePart, parseId } from '../../schema/index.js';

const line = z.number().int().optional();

/** What every row has. Without paths it says nothing of where it stands: no id, no path, no lines (S0-03). */
const place = {
  id: z.string().optional(),
  /** Of a symbol its subkind or kind; `module`, `package`. */
  kind: z.string(),
  qualified_name: z.string(),
  name: z.string(),
};
const span = { file_path: z.string().optional(), line_start: line, line_end: line };

/** A function, method, test, component, class or module that calls or is called (S0-42, S0-43, X-10). */
export const FunctionNode = z.object({
  ...place,
  ...span,
  /** Absent where there was no room for them: `state.cut` says so. */
  decorators: z.array(z.string()).optional(),
  /** Of a method: its class's qualified name. */
  class_name: z.string().optional(),
});
export type FunctionNode = z.infer<typeof FunctionNode>;

/** A class of any subkind (S0-44). */
export const ClassNode = z.object({ ...place, ...span, base_classes: z.array(z.string()) });

/** A module, or a package outside the project (S0-45, S0-46). */
export const ModuleNode = z.object({
  ...place,
  /** From the root; `<stdlib>` (S0-34) or `<external>` for what is outside the project. */
  path: z.string().optional(),
  extension: z.string(),
});
export type ModuleNode = z.infer<typeof ModuleNode>;

/** Anything that calls: a symbol, or a file for what stands at module level. */
export type Caller = NodeRef<typeof CodeSymbol | typeof File>;
/** Anything that is imported. */
export type Imported = NodeRef<typeof File | typeof ExternalPackage>;

/** The nodes of these ids that are of some types, in their order; whatever else they name is left out. */
async function nodesAmong<T extends NodeType>(
  { nodes }: Pick<ReadContext, 'nodes'>,
  ids: readonly string[],
  types: readonly T[],
): Promise<NodeRef<T>[]> {
  const found = await nodes(ids);
  return found.filter(
    (node): node is NodeRef<T> => node !== undefined && types.some((type) => isA(node.archetype, type)),
  );
}

type Look = Pick<ReadContext, 'nodes'>;

/** What calls or is called under these ids, in their order. */
export function callersFrom(context: Look, ids: readonly string[]): Promise<Caller[]> {
  return nodesAmong(context, ids, [CodeSymbol, File]) as Promise<Caller[]>;
}

/** The modules and outside packages of these ids, in their order. */
export function importedFrom(context: Look, ids: readonly string[]): Promise<Imported[]> {
  return nodesAmong(context, ids, [File, ExternalPackage]) as Promise<Imported[]>;
}

/** The symbols of these ids, in their order. */
export function symbolsFrom(context: Look, ids: readonly string[]): Promise<NodeRef<typeof CodeSymbol>[]> {
  return nodesAmong(context, ids, [CodeSymbol]);
}

/** The row of something that calls or is called. @param withPaths False: where it stands is left out. */
export function functionNode(node: Caller, withPaths = true): FunctionNode {
  const isSymbol = 'decorators' in node;
  return {
    ...placeOf(node, withPaths),
    ...spanOf(node, withPaths),
    decorators: isSymbol ? [...node.decorators] : [],
    ...(isSymbol && node.class_name !== null ? { class_name: node.class_name } : {}),
  };
}

/** The row of a class. */
export function classNode(node: NodeRef<typeof CodeSymbol>): z.infer<typeof ClassNode> {
  return { ...placeOf(node), ...spanOf(node), base_classes: [...node.base_classes] };
}

/** The row of a module or of a package outside the project. */
export function moduleNode(node: Imported): ModuleNode {
  const path = pathOf(node) ?? ('stdlib' in node && node.stdlib ? '<stdlib>' : '<external>');
  return { ...placeOf(node), path, extension: 'extension' in node ? node.extension : '' };
}

function placeOf(node: Caller | Imported, withPaths = true) {
  const name = 'extracted' in node ? moduleName(node) : node.name;
  return {
    ...(withPaths ? { id: node.id } : {}),
    kind: kindOf(node),
    qualified_name: qualifiedName(node),
    name,
  };
}

function spanOf(node: Caller, withPaths = true) {
  if (!withPaths) return {};
  const [line_start, line_end] =
    'start_line' in node ? [node.start_line, node.end_line] : [1, node.line_count ?? 1];
  return { file_path: node.path, line_start, line_end };
}

/** The last part of a module's qualified name; of a file that is no module its own. */
function moduleName({ name, qualified_name, extracted }: NodeRef<typeof File>): string {
  if (!extracted) return name;
  const stem = name.replace(/(?<=.)\.[^.]*$/u, '');
  return qualified_name.endsWith(stem) ? stem : (qualified_name.split(/[./:]/u).at(-1) ?? name);
}

/** The path of a node from the root; null for what is outside the project. */
function pathOf(node: Named): string | null {
  return 'path' in node ? node.path : null;
}

/** A node as a box of a diagram. */
export function diagramNode(node: Caller | Imported): DiagramNode {
  const line = 'start_line' in node ? node.start_line : null;
  return { id: node.id, label: qualifiedName(node), kind: kindOf(node), path: pathOf(node), line };
}

/** The row of a symbol as a line: name, kind, place. @param more What is said behind it. */
export function functionLine(row: FunctionNode, more = ''): string {
  return `- ${quotedName(rowName(row))} ${row.kind}${placeText(row)}${more}`;
}

/** What a row is called where its place says the rest: `UserService.login`; its qualified name where there is none. */
export function rowName({ id, kind, name, qualified_name, class_name, file_path }: FunctionNode): string {
  if (file_path === undefined || kind === 'module') return qualified_name;
  if (class_name !== undefined) return `${lastNamePart(class_name)}.${name}`;
  // A method of a type that is no class, or stands in another file.
  const { form, name: whole = '' } = parseId(id ?? '') ?? {};
  return form === 'm' && whole ? whole.split('.').slice(-2).join('.') : name;
}

/** The row of a module as a line. */
export function moduleLine({ qualified_name, kind, path }: ModuleNode): string {
  const place = path === undefined || path === qualified_name ? '' : `, ${shownLine(path, 200)}`;
  return `- ${quotedName(qualified_name)} ${kind}${place}`;
}

/** Where a symbol stands: `, src/a.ts:12`; empty where the row does not say it. */
export function placeText({
  file_path,
  line_start,
}: {
  file_path?: string | undefined;
  line_start?: number | undefined;
}): string {
  return file_path === undefined ? '' : `, ${shownLine(file_path, 200)}:${line_start}`;
}
