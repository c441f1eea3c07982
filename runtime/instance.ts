import { CodewalkError, issuesText } from '../schema/index.js';
import type { RunScope, WalkResult } from './run.js';
import type { Walk } from './walk.js';
import type { InputOf, StateOf, WalkerInstance, WalkerType } from './walker.js';

/**
 * A fresh instance of a walker with validated input, or the given instance as it is.
 *
 * @throws CodewalkError `INVALID_INPUT` that names the field.
 */
export function instanceOf<W extends WalkerType>(
  walker: W | WalkerInstance<W>,
  input: InputOf<W> | undefined,
): WalkerInstance<W> {
  if ('instanceOf' in walker) {
    Object.assign(walker.state as object, input ?? {});
    return walker;
  }
  const parsed = walker.input.safeParse(input ?? {});
  if (!parsed.success)
    throw new CodewalkError('INVALID_INPUT', `${walker.name}: ${issuesText(parsed.error)}`, {
      input: input ?? {},
      suggestion: `Its fields are: ${Object.keys(walker.input.shape).join(', ') || 'none'}.`,
    });
  return { instanceOf: walker, state: walker.initial(parsed.data) as StateOf<W> };
}

/** The outcome of a walk; `first` is where its own reports begin in the run's stream. */
export function walkResult<W extends WalkerType>(
  instance: WalkerInstance<W>,
  walk: Walk,
  scope: RunScope,
  first: number,
): WalkResult<W> {
  return {
    reports: scope.reports.slice(first) as WalkResult<W>['reports'],
    state: instance.state,
    path: walk.path,
    disengaged: walk.disengaged,
    truncated: scope.truncated,
    walker: instance as WalkResult<W>['walker'],
  };
}
