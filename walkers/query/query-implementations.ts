import { z } from 'zod';
import { nameField, withinScope } from '../../graphs/code/index.js';
import { quotedName } from '../../present/index.js';
import { defineQuery, type QueryOutput, queryFields, rowsField } from './answer.js';
import {
  classTargets,
  type FoundRelative,
  lineages,
  RelatedClass,
  relatedClass,
  relativesOfEach,
  unresolvedHeirs,
} from './inheritance.js';
import { placeText } from './rows.js';
import { groupedLines, targetFields, withTotals } from './targets.js';

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
  answer: async ({ interface_name, include_indirect, scope }, context, page) => {
    const { nodes, declarations, notes, head } = await classTargets(context, interface_name);
    const depth = include_indirect ? Number.MAX_SAFE_INTEGER : 1;
    const starts = nodes.map(({ id }) => id);
    const { of } = await lineages(context, starts, 'down', depth);
    const all = await relativesOfEach(context, declarations, of);
    const isWithin = await withinScope(context, scope);
    const within = all.filter(({ node }) => isWithin(node));
    const pathsOf = (at: number) => within.filter((row) => row.target === at).map(({ node }) => node.path);
    return {
      query: `${include_indirect ? 'All implementations' : 'Implementations'} of ${interface_name}`,
      noun: ['class', 'classes'],
      rows: page.of(within),
      total: within.length,
      narrower: '`scope` narrows them',
      make: (rows: readonly FoundRelative[]) => {
        const implementations = rows.map(relatedClass);
        const inheritance_depth: Record<string, number> = {};
        for (const { qualified_name, depth } of implementations) inheritance_depth[qualified_name] ??= depth;
        return { ...withTotals(head, pathsOf), implementations, inheritance_depth };
      },
      notes,
      outside: all.length - within.length,
      unresolved: await unresolvedHeirs(context, nodes),
    };
  },
  // The classes as a list, the direct ones first.
  markdown: ({ results: { implementations, ...about }, state }) => {
    const unresolved = state?.unresolved ?? 0;
    const line = (row: RelatedClass) =>
      `- ${quotedName(row.qualified_name)} ${row.relation} ${row.depth > 1 ? `over ${row.depth} steps` : 'it'}${placeText(row)}`;
    return {
      count: ['class', 'classes'],
      more: unresolved === 0 ? '' : ` ${unresolved} more have a base of that name that leads nowhere known.`,
      blocks: [
        implementations.length > 0 ? groupedLines(about, implementations, line, 'implementation') : [],
      ],
    };
  },
});
