import { z } from 'zod';
import type { DiagramNode } from '../../../present/index.js';
import { isA, type NodeRef } from '../../../runtime/index.js';
import { type CodeSymbol, ExternalPackage, File } from '../../../schema/index.js';
import type { Named } from '../../find-symbol.js';

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
export type ClassNode = z.infer<typeof ClassNode>;

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

/** The row of something that calls or is called. @param withPaths False: where it stands is left out. */
export function functionNode(node: Caller, withPaths = true): FunctionNode {
  return {
    ...placeOf(node, withPaths),
    ...spanOf(node, withPaths),
    decorators: 'decorators' in node ? [...node.decorators] : [],
    ...classNameOf(node),
  };
}

/** The row of a class. */
export function classNode(node: NodeRef<typeof CodeSymbol>, withPaths = true): ClassNode {
  return {
    ...placeOf(node, withPaths),
    ...spanOf(node, withPaths),
    base_classes: [...node.base_classes],
  };
}

/** The row of a module or of a package outside the project. */
export function moduleNode(node: Imported, withPaths = true): ModuleNode {
  const path = pathOf(node) ?? ('stdlib' in node && node.stdlib ? '<stdlib>' : '<external>');
  return {
    ...placeOf(node, withPaths),
    ...(withPaths ? { path } : {}),
    extension: 'extension' in node ? node.extension : '',
  };
}

/** A node as a box of a diagram. */
export function diagramNode(node: Caller | Imported): DiagramNode {
  const line = 'start_line' in node ? node.start_line : null;
  return { id: node.id, label: qualifiedName(node), kind: kindOf(node), path: pathOf(node), line };
}

/** What answers call a node: its qualified name, else its path or name. */
export function qualifiedName(node: Named): string {
  return node.qualified_name || pathOf(node) || node.name;
}

/** The path of a node from the root; null for what is outside the project. */
function pathOf(node: Named): string | null {
  return 'path' in node ? node.path : null;
}

function placeOf(node: Caller | Imported, withPaths: boolean) {
  return {
    ...(withPaths ? { id: node.id } : {}),
    kind: kindOf(node),
    qualified_name: qualifiedName(node),
    name: 'extracted' in node ? moduleName(node) : node.name,
  };
}

/** The last part of a module's qualified name; of a file that is no module its own. */
function moduleName({ name, qualified_name, extracted }: NodeRef<typeof File>): string {
  if (!extracted) return name;
  const stem = name.replace(/(?<=.)\.[^.]*$/u, '');
  return qualified_name.endsWith(stem) ? stem : (qualified_name.split(/[./:]/u).at(-1) ?? name);
}

function spanOf(node: Caller, withPaths: boolean) {
  if (!withPaths) return {};
  const [line_start, line_end] =
    'start_line' in node ? [node.start_line, node.end_line] : [1, node.line_count ?? 1];
  return { file_path: node.path, line_start, line_end };
}

/** What answers call a node's kind: of a symbol its subkind or kind. */
export function kindOf(node: Named): string {
  if ('kind' in node) return node.subkind ?? node.kind;
  return isA(node.archetype, File) ? 'module' : isA(node.archetype, ExternalPackage) ? 'package' : 'external';
}

function classNameOf(node: Caller): { class_name?: string } {
  return 'class_name' in node && node.class_name !== null ? { class_name: node.class_name } : {};
}
