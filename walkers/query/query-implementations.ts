import { z } from 'zod';
import { quotedName, shownLine } from '../../present/index.js';
import { classTargets, relativesOfEach, unresolvedHeirs } from './inheritance/class-targets.js';
import { lineages, RelatedClass, relatedClass } from './inheritance/inheritance.js';
import { defineQuery, type QueryOutput } from './parts/query-answer.js';
import { nameField, queryFields, rowsField } from './parts/query-input.js';
import { outOfScope, withinScope } from './parts/scope.js';
import { placeText } from './parts/shown-rows.js';
import { aboutText, groupedLines, targetFields, withTotals } from './parts/target-row.js';
import { declarationsOf } from './parts/targets.js';

const results = {
  ...targetFields,
  implementations: z.array(RelatedClass),
  /** By qualified name, 1 is direct; of two classes of one name the nearer one's. */
  inheritance_depth: z.record(z.string(), z.number().int()),
};
/** What `query_implementations` answers. */
export type ImplementationsOutput = QueryOutput<typeof results>;

/** Classes that implement an interface or extend a base class, of the project or of a package. */
export const QueryImplementations = defineQuery('query_implementations', {
  description:
    'Which classes implement an interface or extend a base class, with file and line; with include_indirect the classes that extend those, too.',
  input: {
    interface_name: nameField('Name, qualified name, id or path:line'),
    include_indirect: z.boolean().default(false).describe('Heirs of heirs too'),
    limit: rowsField(),
    ...queryFields,
  },
  results,
  examples: [
    { title: 'Who implements an interface', input: { interface_name: 'Router' } },
    {
      title: 'Whatever comes from a base class',
      input: { interface_name: 'flask.views.View', include_indirect: true },
    },
  ],
  answer: async ({ interface_name, include_indirect, scope, limit }, context, [from = 0]) => {
    const about = await classTargets(context, interface_name);
    const { nodes, notes, head } = about;
    const depth = include_indirect ? Number.MAX_SAFE_INTEGER : 1;
    const starts = nodes.map(({ id }) => id);
    const { of } = await lineages(context, starts, 'down', depth);
    const all = await relativesOfEach(context, declarationsOf(about), of);
    const isWithin = await withinScope(context, scope);
    const rows = all.filter(({ node }) => isWithin(node));
    const pathsOf = (at: number) => rows.filter((row) => row.target === at).map(({ node }) => node.path);
    return {
      query: `${include_indirect ? 'All implementations' : 'Implementations'} of ${interface_name}`,
      what: 'classes',
      total: rows.length,
      narrower: '`scope` narrows them',
      make: (count) => {
        const implementations = rows.slice(from, from + Math.min(count, limit)).map(relatedClass);
        const inheritance_depth: Record<string, number> = {};
        for (const { qualified_name, depth } of implementations) inheritance_depth[qualified_name] ??= depth;
        return { ...withTotals(head, pathsOf), implementations, inheritance_depth };
      },
      notes: [...notes, ...outOfScope(all.length, rows.length, 'class', 'classes')],
      unresolved: await unresolvedHeirs(context, nodes),
    };
  },
  markdown: implementationsMarkdown,
});

/** The classes as a list, the direct ones first. */
function implementationsMarkdown({
  query,
  results: { implementations, ...about },
  metadata,
  state,
}: ImplementationsOutput): string {
  const { row_count, total_count } = metadata;
  const unresolved = state?.unresolved ?? 0;
  const maybe =
    unresolved === 0 ? '' : ` ${unresolved} more have a base of that name that leads nowhere known.`;
  const count =
    total_count === 0
      ? 'none are known'
      : `${row_count === total_count ? '' : `${row_count} of `}${total_count === 1 ? '1 class' : `${total_count} classes`}`;
  const line = (row: RelatedClass) =>
    `- ${quotedName(row.qualified_name)} ${row.relation} ${row.depth > 1 ? `over ${row.depth} steps` : 'it'}${placeText(row)}`;
  const lines =
    implementations.length > 0 ? groupedLines(about, implementations, line, 'implementation') : [];
  return [
    `${shownLine(query, 200)}${aboutText(about)}: ${count}.${maybe}`,
    ...(lines.length > 0 ? ['', ...lines] : []),
    '',
  ].join('\n');
}
