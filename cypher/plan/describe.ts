import type { Span } from '../ast.js';
import type { ExpandDirection } from '../graph.js';
import type { Computation } from './computation.js';
import { inputsOf, type Plan } from './plan.js';
import { isHidden } from './scope.js';

/** A plan for people: what each operator does, and about how many rows it makes. */
export interface DescribedPlan {
  /** `scan`, `expand`… */
  readonly operator: string;
  readonly details: string;
  readonly estimatedRows: number;
  /** Of a run that was profiled. */
  readonly figures?: { readonly rows: number; readonly hits: number; readonly ms: number };
  /** Where its rows come from. */
  readonly inputs: readonly DescribedPlan[];
}

/** @param text The query, of which details are shown as they were written. */
export function describe(
  plan: Plan,
  text: string,
  figures?: ReadonlyMap<Plan, { readonly rows: number; readonly hits: number; readonly ms: number }>,
): DescribedPlan {
  const own = figures?.get(plan);
  return {
    operator: operatorOf(plan),
    details: detailsOf(plan, text),
    estimatedRows: Math.round(plan.estimate),
    ...(own && { figures: { ...own } }),
    inputs: inputsOf(plan).map((input) => describe(input, text, figures)),
  };
}

function operatorOf(plan: Plan): string {
  switch (plan.kind) {
    case 'scan':
      return plan.labels === null ? 'all nodes' : 'label scan';
    case 'expand':
      return plan.into ? 'expand into' : 'expand';
    case 'variable expand':
      return plan.mode === 'reach' ? 'reach' : plan.into ? 'variable expand into' : 'variable expand';
    case 'shortest':
      return plan.all ? 'all shortest paths' : 'shortest path';
    case 'sort':
      return plan.first === null ? 'sort' : 'top';
    case 'apply':
      return plan.mode.kind === 'join' ? 'call' : plan.mode.kind;
    default:
      return plan.kind;
  }
}

function detailsOf(plan: Plan, text: string): string {
  switch (plan.kind) {
    case 'scan':
      return join(
        `(${shown(plan.name)}${plan.labels === null ? '' : `:${plan.labels.join('|')}`})`,
        plan.predicates,
        text,
      );
    case 'seek':
      return join(
        `(${shown(plan.name)}${plan.label === null ? '' : `:${plan.label}`}) by ${plan.property}`,
        plan.predicates,
        text,
      );
    case 'relationship scan':
      return join(
        `[${shown(plan.name)}${typesShown(plan.type === null ? null : [plan.type])}]`,
        plan.predicates,
        text,
      );
    case 'expand':
      return join(hopShown(plan, ''), plan.predicates, text);
    case 'variable expand':
      return join(hopShown(plan, lengthShown(plan)), [...plan.each, ...plan.predicates], text);
    case 'shortest':
      return join(
        hopShown({ ...plan, names: { ...plan.names, relationship: '' } }, lengthShown(plan)),
        [...plan.each, ...plan.predicates],
        text,
      );
    case 'endpoints':
    case 'path':
    case 'unwind':
      return shown(plan.name);
    case 'filter':
      return join('', plan.predicates, text);
    case 'project':
      return plan.items
        .map(({ name }) => shown(name))
        .filter((name) => name !== '')
        .join(', ');
    case 'aggregate': {
      const items = plan.items.map(({ span }) => excerpt(span, text));
      const keys = plan.keys.map(({ name }) => name);
      return keys.length === 0 ? items.join(', ') : `${items.join(', ')} by ${keys.join(', ')}`;
    }
    case 'sort':
      return plan.keys
        .map(({ value, descending }) => `${said(value, text)}${descending ? ' DESC' : ''}`)
        .join(', ');
    case 'skip':
    case 'limit':
      return said(plan.count, text);
    default:
      return '';
  }
}

function hopShown(
  plan: {
    readonly names: { readonly from: string; readonly to: string; readonly relationship: string };
    readonly direction: ExpandDirection;
    readonly types: readonly string[] | null;
  },
  length: string,
): string {
  const { names, direction, types } = plan;
  const hop = `[${shown(names.relationship)}${typesShown(types)}${length}]`;
  const [before, behind] = direction === 'in' ? ['<-', '-'] : direction === 'out' ? ['-', '->'] : ['-', '-'];
  return `(${shown(names.from)})${before}${hop}${behind}(${shown(names.to)})`;
}

function typesShown(types: readonly string[] | null): string {
  return types === null ? '' : `:${types.join('|')}`;
}

function lengthShown({ min, max }: { readonly min: number; readonly max: number | null }): string {
  return `*${min}..${max ?? ''}`;
}

function join(head: string, predicates: readonly Computation[], text: string): string {
  const conditions = predicates.map((predicate) => said(predicate, text)).filter((said) => said !== '');
  if (conditions.length === 0) return head;
  const where = conditions.join(' AND ');
  return head === '' ? where : `${head} where ${where}`;
}

function said({ expression }: Computation, text: string): string {
  if (expression.kind === 'has labels' && expression.on.kind === 'variable' && expression.on.span.end === 0) {
    return `${shown(expression.on.name)}:${excerpt(expression.span, text)}`;
  }
  return excerpt(expression.span, text);
}

function excerpt({ start, end }: Span, text: string): string {
  return text.slice(start, end).replace(/\s+/gu, ' ');
}

function shown(name: string): string {
  return isHidden(name) ? '' : name;
}
