import { z } from 'zod';
import { fromNowhere } from '../../graphs/code/index.js';
import { offsetsOf, quotedName, shownLine } from '../../present/index.js';
import { defineWalker } from '../../runtime/index.js';
import { type FoundRelative, RelatedClass, relatedClass } from './inheritance/class-row.js';
import { classTargets, isClassLike, isOfProject } from './inheritance/class-targets.js';
import { inheritanceLinks, stepsOf } from './inheritance/inheritance-links.js';
import { relativesOf } from './inheritance/lineage.js';
import { unresolvedHeirs } from './inheritance/unresolved-bases.js';
import { type QueryState, queryAnswer, queryOutput } from './parts/query-answer.js';
import { nameField, queryFields, rowsField } from './parts/query-input.js';
import { inScope, outOfScope, withinScope } from './parts/scope.js';
import { placeText } from './parts/shown-rows.js';
import { aboutText, groupedLines, targetFields, withTotals } from './parts/target-row.js';
import { declarationsOf } from './parts/targets.js';

/** What `query_implementations` answers (S0-38). */
export const ImplementationsOutput = queryOutput({
  ...targetFields,
  implementations: z.array(RelatedClass),
  /** By qualified name, 1 is direct; of two classes of one name the nearer one's. */
  inheritance_depth: z.record(z.string(), z.number().int()),
});
export type ImplementationsOutput = z.infer<typeof ImplementationsOutput> & { state?: QueryState };

/** Classes that implement an interface or extend a base class, of the project or of a package (S0-12, S0-13). */
export const QueryImplementations = defineWalker('query_implementations', {
  description:
    'Which classes implement an interface or extend a base class, with file and line; with include_indirect the classes that extend those, too.',
  input: {
    interface_name: nameField('Name, qualified name, id or path:line'),
    include_indirect: z.boolean().default(false).describe('Heirs of heirs too'),
    limit: rowsField(),
    ...queryFields,
  },
  output: ImplementationsOutput,
  examples: [
    { title: 'Who implements an interface', input: { interface_name: 'Router' } },
    {
      title: 'Whatever comes from a base class',
      input: { interface_name: 'flask.views.View', include_indirect: true },
    },
  ],
  start: fromNowhere,
  finish: async ({ state: { interface_name, include_indirect, scope, limit, cursor }, context }) => {
    const about = await classTargets(context, interface_name);
    const { nodes, notes, head } = about;
    const starts = nodes.map(({ id }) => id);
    const depth = include_indirect ? Number.POSITIVE_INFINITY : 1;
    const links = await inheritanceLinks(context, starts, 'down', depth);
    const steps = stepsOf(links, 'down');
    const groups = declarationsOf(about);
    const relatives = groups.flatMap((bases, target) => {
      const ids = bases.map(({ id }) => id);
      const rows = relativesOf(ids, steps, depth);
      return groups.length > 1 ? rows.map((row) => ({ ...row, target })) : rows;
    });
    const classes = await context.nodes(relatives.map(({ id }) => id));
    const all = relatives.flatMap((relative, at): FoundRelative[] => {
      const node = classes[at];
      return node && isClassLike(node) && isOfProject(node) ? [{ ...relative, node }] : [];
    });
    const isWithin = await withinScope(context, scope);
    const rows = all.filter(({ node }) => isWithin(node));
    const pathsOf = (at: number) => rows.filter((row) => row.target === at).map(({ node }) => node.path);
    const [from = 0] = offsetsOf(cursor);
    const shown = rows.slice(from, from + limit);
    const list = {
      what: 'classes',
      total: rows.length,
      cap: limit,
      narrower: '`scope` narrows them',
      from,
      make: (count: number) => {
        const implementations = shown.slice(0, count).map((one) => relatedClass(one));
        const inheritance_depth: Record<string, number> = {};
        for (const { qualified_name, depth } of implementations) inheritance_depth[qualified_name] ??= depth;
        return { ...withTotals(head, pathsOf), implementations, inheritance_depth };
      },
    };
    return queryAnswer(context, list, {
      query: `${include_indirect ? 'All implementations' : 'Implementations'} of ${interface_name}${inScope(scope)}`,
      total: rows.length,
      maxDepth: null,
      notes: [...notes, ...outOfScope(all.length, rows.length, 'class', 'classes')],
      unresolved: await unresolvedHeirs(context, nodes),
    });
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
