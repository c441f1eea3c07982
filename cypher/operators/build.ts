import type { Plan } from '../plan/index.js';
import { aggregate } from './aggregate.js';
import { apply } from './apply.js';
import { argument } from './argument.js';
import { distinct } from './distinct.js';
import { endpoints } from './endpoints.js';
import { expand } from './expand.js';
import { filter } from './filter.js';
import { namePath } from './path.js';
import { project } from './project.js';
import type { Open } from './rows.js';
import { scan, scanRelationships } from './scan.js';
import { seek } from './seek.js';
import { shortest } from './shortest.js';
import { limit, skip } from './slice.js';
import { sort } from './sort.js';
import { union } from './union.js';
import { unwind } from './unwind.js';
import { variableExpand } from './variable-expand.js';

/** A plan, ready to be run any number of times. @param watch Is put around every operator. */
export function build(plan: Plan, watch: (plan: Plan, open: Open) => Open = (_plan, open) => open): Open {
  const built = (inner: Plan) => build(inner, watch);
  return watch(plan, openOf(plan, built));
}

function openOf(plan: Plan, built: (plan: Plan) => Open): Open {
  switch (plan.kind) {
    case 'argument':
      return argument();
    case 'scan':
      return scan(plan, built(plan.input));
    case 'relationship scan':
      return scanRelationships(plan, built(plan.input));
    case 'seek':
      return seek(plan, built(plan.input));
    case 'expand':
      return expand(plan, built(plan.input));
    case 'variable expand':
      return variableExpand(plan, built(plan.input));
    case 'endpoints':
      return endpoints(plan, built(plan.input));
    case 'shortest':
      return shortest(plan, built(plan.input));
    case 'path':
      return namePath(plan, built(plan.input));
    case 'filter':
      return filter(plan, built(plan.input));
    case 'project':
      return project(plan, built(plan.input));
    case 'aggregate':
      return aggregate(plan, built(plan.input));
    case 'distinct':
      return distinct(plan, built(plan.input));
    case 'sort':
      return sort(plan, built(plan.input));
    case 'skip':
      return skip(plan, built(plan.input));
    case 'limit':
      return limit(plan, built(plan.input));
    case 'unwind':
      return unwind(plan, built(plan.input));
    case 'apply':
      return apply(plan, built(plan.input), built(plan.inner));
    case 'union':
      return union(
        plan,
        plan.inputs.map((input) => built(input.plan)),
      );
  }
}
