import { z } from 'zod';
import type { NodeRef } from '../../../runtime/index.js';
import type { CodeSymbol } from '../../../schema/index.js';
import { classNode, functionNode, type Imported, ModuleNode, moduleNode } from '../parts/code-node.js';
import { targetField } from '../parts/target-row.js';

const offered = {
  /** The names under which it is offered, where that is not its own name alone. */
  exported_as: z.array(z.string()).optional(),
};

/** A symbol that a module offers, where it is defined: a function's or a class's row (S0-42, S0-44). */
export const ExportNode = z.looseObject({
  id: z.string().optional(),
  kind: z.string(),
  qualified_name: z.string(),
  name: z.string(),
  file_path: z.string().optional(),
  line_start: z.number().int().optional(),
  ...offered,
  /** False for one of the module's own that it keeps to itself. */
  exported: z.boolean(),
  ...targetField,
});
/** See {@link ExportNode}. */
export type ExportNode = z.infer<typeof ExportNode>;

/** A module or package that a module offers as a whole. */
export const ExportedModule = ModuleNode.extend(offered);
/** See {@link ExportedModule}. */
export type ExportedModule = z.infer<typeof ExportedModule>;

/** A symbol that a module offers, or keeps to itself. */
export interface FoundExport {
  readonly node: NodeRef<typeof CodeSymbol>;
  /** Empty for one that is not offered. */
  readonly names: readonly string[];
  /** The place of the module among several. */
  readonly target?: number;
}

/** The row of a symbol. */
export function exportNode({ node, names, target }: FoundExport): ExportNode {
  const isClass = node.kind === 'class' || node.callable_kind === 'class';
  const row = isClass ? classNode(node) : functionNode(node);
  const of = target === undefined ? {} : { target };
  return { ...row, ...namesField(names, node.name), exported: names.length > 0, ...of };
}

/** The row of a module or package. */
export function exportedModule(node: Imported, names: readonly string[]): ExportedModule {
  return { ...moduleNode(node), exported_as: [...names] };
}

function namesField(names: readonly string[], own: string): { exported_as?: string[] } {
  return names.length === 0 || (names.length === 1 && names[0] === own) ? {} : { exported_as: [...names] };
}
