import { z } from 'zod';
import { offsetsOf } from '../../present/index.js';
import { defineWalker } from '../../runtime/index.js';
import { indexProgress } from '../code/index-progress.js';
import { ExportedModule, ExportNode, exportedModule, exportNode } from './exports/export-row.js';
import { exportsMarkdown } from './exports/exports-markdown.js';
import { offeredBy } from './exports/offered-by.js';
import { ModuleNode, moduleNode } from './parts/code-node.js';
import { type QueryState, queryAnswer, queryOutput } from './parts/query-answer.js';
import { nameField, queryFields, rowsField } from './parts/query-input.js';
import { inScope, outOfScope, withinScope } from './parts/scope.js';
import { targetField, targetFields } from './parts/target-row.js';
import { findTargets, isModule, MODULES } from './parts/targets.js';

/** What `query_exports` answers (S0-37). */
export const ExportsOutput = queryOutput({
  ...targetFields,
  exports: z.array(ExportNode),
  /** Of several modules of that name the first. */
  module_info: ModuleNode.optional(),
  /** Modules and packages that it offers as a whole; one with `*` passes on all names of a package. */
  modules: z.array(ExportedModule.extend(targetField)),
});
/** See {@link ExportsOutput}. */
export type ExportsOutput = z.infer<typeof ExportsOutput> & { state?: QueryState };

/**
 * What a module offers to others (S0-10, S0-11), by its language's own rule: what it defines and what it passes
 * on, each where it is defined.
 */
export const QueryExports = defineWalker('query_exports', {
  description:
    'What a module or package offers: every symbol that others can import from it, re-exports and `export *` followed to where each is defined, with aliases.',
  input: {
    module_name: nameField('Module (auth.services, src/auth.ts) or folder'),
    include_private: z.boolean().default(false).describe('What it keeps to itself, too'),
    limit: rowsField(),
    ...queryFields,
  },
  output: ExportsOutput,
  examples: [
    { title: 'What a package offers', input: { module_name: 'flask' } },
    { title: 'All of a file', input: { module_name: 'src/hono.ts', include_private: true } },
  ],
  // It reads what files hold, and visits nothing.
  start: async (context) => {
    await indexProgress(context);
    return null;
  },
  on: () => [],
  finish: async ({ state: { module_name, include_private, scope, limit, cursor }, context }) => {
    const { nodes, notes, head } = await findTargets(context, module_name, MODULES);
    const files = nodes.filter(isModule);
    const offers = await Promise.all(files.map(({ id }) => offeredBy(context, id, include_private)));
    const of = (target: number) => (files.length > 1 ? { target } : {});
    const symbols = offers.flatMap((one, at) => one.symbols.map((row) => ({ ...row, ...of(at) })));
    const modules = offers.flatMap((one, at) => one.modules.map((row) => ({ ...row, of: of(at) })));
    const missing = offers.reduce((sum, one) => sum + one.missing, 0);
    const isWithin = withinScope(scope, context.projectRoot);
    const rows = symbols.filter(({ node }) => isWithin(node));
    const [first] = files;
    const [from = 0] = offsetsOf(cursor);
    const shown = rows.slice(from, from + limit);
    const list = {
      what: 'exports',
      total: rows.length,
      cap: limit,
      narrower: '`scope` narrows them',
      from,
      beside: [{ at: 'results.modules', what: 'modules' }],
      make: (count: number) => {
        const exports = shown.slice(0, count).map((one) => exportNode(one));
        return {
          ...head,
          exports,
          ...(first ? { module_info: moduleNode(first) } : {}),
          modules: modules.map(({ node, names, of }) => ({ ...exportedModule(node, names), ...of })),
        };
      },
    };
    return queryAnswer(context, list, {
      query: `${include_private ? 'Top-level symbols' : 'Exports'} of ${module_name}${inScope(scope)}`,
      total: rows.length,
      maxDepth: null,
      notes: [...notes, ...outOfScope(symbols.length, rows.length, 'export')],
      unresolved: missing,
    });
  },
  markdown: exportsMarkdown,
});
