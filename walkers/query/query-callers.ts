import { z } from 'zod';
import { offsetsOf } from '../../present/index.js';
import { compareText, defineWalker, type ReadContext } from '../../runtime/index.js';
import { LIMITS } from '../../schema/index.js';
import { indexProgress } from '../code/index-progress.js';
import { plural } from '../markdown.js';
import { CallChains } from './callers/call-chains.js';
import { CallerRow, callerRow, callSites } from './callers/call-sites.js';
import { callersMarkdown } from './callers/callers-markdown.js';
import { otherUses } from './callers/other-uses.js';
import { callersOf } from './parts/calls.js';
import { candidatesInto } from './parts/candidates.js';
import { fitAnswer } from './parts/fit-answer.js';
import { callersFrom } from './parts/nodes-of.js';
import { type QueryState, queryAnswer, queryOutput } from './parts/query-answer.js';
import { depthField, nameField, queryFields, rowsField } from './parts/query-input.js';
import { inScope, outOfScope, withinScope } from './parts/scope.js';
import { CALLED, findTargets, isSymbol, withParts } from './parts/targets.js';

const { callersDepth } = LIMITS;

/** What `query_callers` answers (S0-23). */
export const CallersOutput = queryOutput({
  callers: z.array(CallerRow),
  /** Null at depth 1; else a shortest chain of each caller, it first and what it calls in the end last (S0-24). */
  call_chains: z.array(z.array(z.string())).nullable(),
});
/** See {@link CallersOutput}. */
export type CallersOutput = z.infer<typeof CallersOutput> & { state?: QueryState };

/**
 * Who calls a function, method or class (S0-01 to S0-03): against the calls, one step after the other, every caller
 * with its shortest distance. A class stands for its written constructor too, a module for all that it defines.
 */
export const QueryCallers = defineWalker('query_callers', {
  description:
    'Who calls a function, method or class: every caller as resolved from imports and types, with each line where it calls, nearest first. No text search: names alike do not count.',
  input: {
    function_name: nameField('Name, qualified name, id, path or path:line'),
    max_depth: depthField(callersDepth).describe('Calls away'),
    include_paths: z.boolean().default(true).describe('false: no files, lines and ids'),
    limit: rowsField(),
    ...queryFields,
  },
  output: CallersOutput,
  examples: [
    { title: 'Who calls a method', input: { function_name: 'UserService.login' } },
    { title: 'Callers of callers too', input: { function_name: 'auth.services.login', max_depth: 2 } },
  ],
  // It looks against the edges from all that is meant at once: nothing is visited.
  start: async (context) => {
    await indexProgress(context);
    return null;
  },
  on: () => [],
  finish: async ({ state: { function_name, max_depth, include_paths, scope, limit, cursor }, context }) => {
    const { nodes, notes } = await findTargets(context, function_name, CALLED, include_paths);
    const targets = await withParts(context, nodes);
    const distances = await distancesTo(context, targets, max_depth);
    const ids = [...distances.keys()].sort(
      (a, b) => (distances.get(a) ?? 0) - (distances.get(b) ?? 0) || compareText(a, b),
    );
    const [from = 0] = offsetsOf(cursor);
    const page = <T>(list: readonly T[]) => list.slice(from, from + limit);
    const all = await callersFrom(context, scope === undefined ? page(ids) : ids);
    const rows = all.filter(withinScope(scope, context.projectRoot));
    const total = scope === undefined ? ids.length : rows.length;
    const shown = scope === undefined ? rows : page(rows);
    const sites = await callSites(context, include_paths ? shown : [], targets, distances);
    const chains = max_depth > 1 ? await new CallChains(context, targets, distances).of(shown) : null;
    const fitted = fitAnswer(
      (count) => {
        const callers = shown.slice(0, count).map((node) => callerRow(node, sites, include_paths));
        return { callers, call_chains: chains?.slice(0, count) ?? null };
      },
      { what: 'callers', total, cap: limit, narrower: '`scope` narrows them', from },
    );
    const names = nodes.filter(isSymbol).map(({ name }) => name);
    return queryAnswer(context, fitted, {
      query: `Callers of ${function_name}${max_depth > 1 ? ` up to ${plural(max_depth, 'call')} away` : ''}${inScope(scope)}`,
      total,
      maxDepth: max_depth,
      notes: [
        ...notes,
        ...outOfScope(ids.length, total, 'caller'),
        ...(ids.length === 0 ? await otherUses(context, targets) : []),
      ],
      unresolved: await candidatesInto(context, targets, names),
    });
  },
  markdown: callersMarkdown,
});

/** How many calls away from the nearest target every caller is; a target too, where calls lead from it to one. */
async function distancesTo(
  context: Pick<ReadContext, 'q'>,
  targets: readonly string[],
  depth: number,
): Promise<Map<string, number>> {
  const distances = new Map<string, number>();
  let frontier = targets;
  for (let distance = 1; distance <= depth && frontier.length > 0; distance++) {
    const next = (await callersOf(context, frontier)).filter((id) => !distances.has(id));
    for (const id of next) distances.set(id, distance);
    frontier = next;
  }
  return distances;
}
